"""One seat's score fills the screen, and the game does not change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from umpi.display.panel import Panel
from umpi.display.screens import Place
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.simulator.reading import drawn, image_of, reads
from umpi.table.commands import Do, Pause, Resume
from umpi.table.seating import Seating

NAMES = ("Andy", "Bea", "Carla")


def playing(name: str, *acts: Act, **options: object) -> tuple[Panel, Match, Seating]:
    panel = Panel([find(name)])
    table = Seating(find(name), NAMES, (0, 2, 5), options)
    match = Match(table.game, NAMES, options)
    for act in acts:
        match.play(act)
    panel.show(match, table)
    return panel, match, table


def large(panel: Panel, name: str, score: int) -> bool:
    """Whether this score, and nothing of the game, fills the screen."""
    picture = panel.picture()
    there = reads(picture.crop((0, 0, 128, 10)), name) and reads(picture.crop((0, 12, 128, 64)), str(score))
    height = image_of(picture).crop((0, 12, 128, 64)).getbbox()
    assert height is not None
    return there and height[3] - height[1] > 40


SCORED = (Act("open"), Act("buzz", {"seat": 1}), Act("judge", {"right": True}))


def test_up_shows_the_score_of_whose_turn_it_is_and_up_and_down_go_round_the_seats() -> None:
    panel, match, _ = playing("quiz", *SCORED)
    assert match.now.scores() == (0, 1, 0)
    assert panel.press("up") is None
    assert large(panel, "Andy", 0), drawn(panel.picture())
    for key, name, score in [("down", "Bea", 1), ("down", "Carla", 0), ("down", "Andy", 0), ("up", "Carla", 0)]:
        assert panel.press(key) is None  # type: ignore[arg-type]
        assert large(panel, name, score), drawn(panel.picture())


def test_it_begins_with_whose_turn_it_is() -> None:
    panel, match, _ = playing("quiz", Act("open"), Act("buzz", {"seat": 2}))
    assert match.seat == 2
    panel.press("up")
    assert large(panel, "Carla", 0), drawn(panel.picture())


@pytest.mark.parametrize("key", ["ok", "back", 0])
def test_any_other_key_leads_back_and_does_nothing_else(key: str) -> None:
    """A game of cards: its keys mean cards, and none is taken by a press that only leads back."""
    panel, _, _ = playing("dodekka", Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    before = panel.picture().tobytes()
    panel.press("up")
    assert panel.picture().tobytes() != before
    assert panel.press(key) is None  # type: ignore[arg-type]
    assert panel.picture().tobytes() == before


def test_the_menu_has_it_too() -> None:
    panel, _, _ = playing("quiz", *SCORED)
    panel.press("back", long=True)
    choose(panel, "Big score")
    assert large(panel, "Andy", 0), drawn(panel.picture())


def test_the_button_of_a_seat_that_buzzes_counts_through_it() -> None:
    """Who is first must not depend on what the screen shows."""
    panel, _, _ = playing("quiz", Act("open"))
    panel.press("up")
    assert panel.press(2) == Do((Act("buzz", {"seat": 1}),))


def test_a_button_of_nobody_who_buzzes_only_leads_back() -> None:
    panel, _, _ = playing("quiz", Act("open"))
    before = panel.picture().tobytes()
    panel.press("up")
    assert panel.press(1) is None
    assert panel.picture().tobytes() == before


def test_cubes_lift_it() -> None:
    panel, match, table = playing("quiz", Act("open"))
    panel.press("up")
    panel.show(match, table, (Place("Bea", 1),))
    assert not large(panel, "Andy", 0)
    assert reads(panel.picture(), "first"), drawn(panel.picture())


def test_a_doubt_or_the_end_of_the_match_hides_the_large_score() -> None:
    panel, match, table = playing("quiz", Act("open"))
    panel.press("up")
    panel.table.become(replace(panel.table.state, doubt="Too close to call.", heat=(0, 1)))
    panel.ask_about_doubt()
    assert reads(panel.picture(), "Unclear"), drawn(panel.picture())
    panel.table.become(replace(panel.table.state, doubt="", heat=()))
    panel.ask_about_doubt()
    panel, match, table = playing("quiz", *SCORED)
    panel.press("up")
    match.play(Act("finish"))
    panel.show(match, table)
    assert reads(panel.picture(), "Bea wins!"), drawn(panel.picture())


def test_a_box_that_moves_the_match_on_leaves_it_standing() -> None:
    panel, match, table = playing("quiz", Act("open"))
    panel.press("up")
    panel.renew(match, table)
    assert large(panel, "Andy", 0), drawn(panel.picture())


def test_pages_of_a_question_come_before_it() -> None:
    """Where up turns pages, the menu shows the score."""
    panel, _, _ = playing("quiz", Act("open"))
    panel.press("back", long=True)
    assert reads(panel.picture(), "Menu")
    panel.press("up")
    assert reads(panel.picture(), "Menu"), drawn(panel.picture())


def choose(panel: Panel, label: str) -> object:
    """Press the key of a choice, whatever page it is on."""
    menu = panel._entry.menu
    assert menu is not None
    index = [choice.label for choice in menu.choices].index(label)
    for _ in range(index // 6):
        panel.press("down")
    return panel.press(menu.key(index))


@pytest.mark.parametrize("key", ["up", "down", "ok", "back", 0, 1, 2, 5])
@pytest.mark.parametrize("long", [False, True])
def test_in_a_pause_any_press_only_resumes_the_game(key: str, long: bool) -> None:
    panel, _, _ = playing("quiz", Act("open"))
    before = panel.picture().tobytes()
    panel.table.become(replace(panel.table.state, paused=True, clock="0:25"))
    assert reads(panel.picture(), "Pause"), drawn(panel.picture())
    assert reads(panel.picture(), "0:25")
    assert panel.press(key, long) == Resume()  # type: ignore[arg-type]
    panel.table.become(replace(panel.table.state, paused=False, clock=""))
    assert panel.picture().tobytes() == before, "the press has left no trace"


def test_the_menu_wishes_the_pause() -> None:
    panel, _, _ = playing("dodeka")
    panel.press("back", long=True)
    assert choose(panel, "Pause") == Pause()


def test_a_card_is_not_read_in_a_pause() -> None:
    panel, _, _ = playing("dodekka")
    panel.table.become(replace(panel.table.state, paused=True))
    assert panel.scan("fire-4") == "The match is paused."


def test_a_message_is_dismissed_before_the_pause_ends() -> None:
    panel, _, _ = playing("quiz", Act("open"))
    panel.table.become(replace(panel.table.state, paused=True))
    panel.tell("Problem", "The lamp is out.")
    assert panel.press("ok") is None
    assert reads(panel.picture(), "Pause")
    assert panel.press("ok") == Resume()


def test_the_description_of_the_box_fits_on_few_pages_without_cut_words() -> None:
    panel, _, _ = playing("dodeka")
    panel.press("back", long=True)
    choose(panel, "How it works")
    pages = []
    while reads(panel.picture(), "Help"):
        pages.append(panel.picture())
        panel.press("ok")
        assert len(pages) <= 4, "nobody reads more"
    for text in (
        "Each of the six buttons picks the label above it.",
        "OK confirms",
        "Back undoes",
        "If your lamp is on",
    ):
        assert any(reads(page, text) for page in pages), text
