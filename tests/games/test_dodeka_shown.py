"""Dodéka: what the screens say between the throws: the roll, the points of the dice, the round and the stake."""

from __future__ import annotations

from umpi.games.dodeka import Dodeka
from umpi.kernel import Act, Match
from umpi.kernel.messages import named

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
    assert rows(after()) == ["round: Ann to Cleo"]
    assert rows(after(PAIR, TRIPLE))[1] == "round: Ann to Cleo"
    assert rows(after(PAIR, TRIPLE, SUM)) == ["round: Ann to Cleo stake 20", "last sum 20 points"]
    assert rows(after(PAIR, seats=2)) == ["last pair 40 points"], "two rows would take the room of the large points"
    lost = after(TRIPLE, PAIR, SUM, target=500)
    assert rows(lost)[0] == "round: Cleo to Ben", "the loser starts the next set"


def test_a_pairtraiz_saves_its_seat_from_the_stake() -> None:
    assert after(PAIRTRAIZ, TRIPLE).now.part.stake == 0  # type: ignore[attr-defined]
    assert rows(after(PAIR, PAIR, TRIPLE, PAIRTRAIZ))[1] == "round: Ann to Cleo stake 40"


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
    assert rows(after(SUM, PAIR, PAIR, target=40))[0] == "round: Ben to Cleo stake 20"


def test_a_match_that_is_over_has_no_round() -> None:
    match = after(TRIPLE, PAIR, SUM, target=500, parts=1)
    view = match.now.view()
    assert (view.head, view.beside, view.large, rows(match)) == ("set 1/1", (), False, ["last sum 20 points"])
