"""One seat's score fills the screen, and the game does not change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from umpi.display.panel import Panel
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.simulator.reading import drawn, reads
from umpi.table.commands import Resume
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


SCORED = (Act("open"), Act("buzz", {"seat": 1}), Act("judge", {"right": True}))


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


def test_a_card_is_not_read_in_a_pause() -> None:
    panel, _, _ = playing("dodekka")
    panel.table.become(replace(panel.table.state, paused=True))
    assert panel.scan("fire-4") == "The match is paused."


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
