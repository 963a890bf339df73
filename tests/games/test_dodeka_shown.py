"""Dodéka: what the screens say between the throws: the roll, the points of the dice, the round and the stake."""

from __future__ import annotations

import pytest

from umpi.display.screens import NOTICE
from umpi.display.sheet import pages
from umpi.games.dodeka import Dodeka
from umpi.i18n.translate import set_language, tr, tr_context
from umpi.kernel import Act, Match, Now
from umpi.kernel.messages import named
from umpi.table.telling import ACT

PLAYERS = ("Ann", "Ben", "Cleo")
SUM, PAIR, TRIPLE, PAIRTRAIZ = (1, 11, 12), (5, 5, 9), (4, 4, 4), (4, 4, 5)


def throw(dice: tuple[int, ...], keep: tuple[int, ...] = ()) -> Act:
    return Act("throw", {"keep": keep, "dice": dice})


def after(*turns: tuple[int, ...], seats: int = 3, **options: int) -> Match:
    match = Match(Dodeka, PLAYERS[:seats], options)
    for dice in turns:
        match.play(throw(dice))
        match.play(Act("stop"))
    return match


def rows(match: Match) -> list[str]:
    return [" ".join(named(text, PLAYERS) for text in (row.label, *row.cells)) for row in match.now.view().rows]


def test_a_roll_says_which_it_is() -> None:
    match = after()
    assert [ask.text for ask in match.asks] == ["Roll 1 of 3"]
    match.play(throw((2, 3, 9)))
    assert [ask.text for ask in match.asks] == ["Roll 2 of 3", "Stop"]
    match.play(throw((3,), (2, 3)))
    assert match.asks[0].text == "Roll 3 of 3"


def test_points_are_not_taken_for_the_sum() -> None:
    match = after()
    match.play(throw(SUM))
    assert rows(match)[0] == "dice 1 11 12 sum 24: 20 points"
    match.play(Act("stop"))
    assert rows(match)[0] == "last sum 20 points"


def test_a_pairtraiz_shows_no_points() -> None:
    match = after()
    match.play(throw(PAIRTRAIZ))
    assert rows(match)[0] == "dice 4 4 5 pairtraiz"


def test_the_round_and_the_stake_are_shown() -> None:
    assert rows(after()) == ["round ends with Cleo"]
    assert rows(after(PAIR, TRIPLE))[1] == "round ends with Cleo"
    assert rows(after(PAIR, TRIPLE, SUM)) == ["round ends with Cleo stake 20", "last sum 20 points"]
    assert rows(after(PAIR, seats=2)) == ["last pair 40 points"], "two rows would take the room of the large points"
    lost = after(TRIPLE, PAIR, SUM, target=500)
    assert rows(lost)[0] == "round ends with Ben", "the loser starts the next set"


def test_a_pairtraiz_saves_its_seat_from_the_stake() -> None:
    assert after(PAIRTRAIZ, TRIPLE).now.part.stake == 0  # type: ignore[attr-defined]
    assert rows(after(PAIR, PAIR, TRIPLE, PAIRTRAIZ))[1] == "round ends with Cleo stake 40"


def test_the_last_round_and_the_play_off_are_in_the_heading() -> None:
    heads = [
        match.now.view().head
        for match in (
            after(), after(TRIPLE, target=500), after(PAIR, PAIR, SUM, target=40), after(PAIR, SUM, SUM, target=40),
            after(minutes=5),
        )
    ]  # fmt: skip
    assert heads == ["set 1/3", "set 1/3, last round", "play-off: first place", "play-off: last place", "set 1"]


def test_a_play_off_has_a_round_of_its_own() -> None:
    assert rows(after(SUM, PAIR, PAIR, target=40))[0] == "round ends with Cleo stake 20"


def test_the_sentence_now_asks_for_the_final_dice_and_then_whether_to_roll_again() -> None:
    match = after()
    assert match.next_step == Now("Ann: 3 rolls max. Final dice?", 0, "Ann: roll up to 3 times. Final dice?")
    match.play(throw((2, 3, 9)))
    assert match.next_step == Now("Ann: roll again (2 of 3) or stop.", 0)
    assert after(TRIPLE, PAIR, SUM, target=500, parts=1).next_step is None


def test_at_500_of_700_points_the_end_is_called_once_and_not_in_the_last_round() -> None:
    """The rule sheet has a chip of 500 points that announces the end."""
    near = "Ann has 500 points: the end of the set is near"
    assert [call.text for call in after(TRIPLE).calls(1)] == ["Ann scores 500 points: brelan", near]
    match = after(TRIPLE, SUM, SUM, PAIR)
    assert [call.kind for call in match.calls(7)] == ["scored"], "540 points: it has been said"
    assert [call.kind for call in after(TRIPLE, target=500).calls(1)] == ["scored", "last-round"]


def test_the_loser_is_said_to_begin_the_next_set_but_not_after_the_last() -> None:
    """The rule sheet: honour to the loser."""
    turns = (TRIPLE, PAIR, SUM)
    assert [call.text for call in after(*turns, target=500).calls(5)][-1] == "Cleo starts set 2"
    assert [call.kind for call in after(*turns, target=500, parts=1).calls(5)] == ["scored", "part", "over"]


@pytest.mark.parametrize("language", ["en", "fr", "de", "hu"])
def test_hold_ok_shows_the_turn_the_scale_and_the_end_on_a_page_each(
    language: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: set_language("en"))
    set_language(language)
    match = after()
    match.play(throw((2, 3, 9)))
    rule = tr(match.asks[0].help)
    assert pages(rule, NOTICE) == pages(f"{tr_context(ACT, 'throw')}: {rule}", NOTICE) == 3
    assert "700" in rule.split("\n\n")[2]


def test_a_match_that_is_over_has_no_round() -> None:
    match = after(TRIPLE, PAIR, SUM, target=500, parts=1)
    view = match.now.view()
    assert (view.head, view.beside, view.large, rows(match)) == ("set 1/1", (), False, ["last sum 20 points"])
