"""Battledodes: what is refused, and with which reason."""

from __future__ import annotations

from battledodes_acts import (
    AGAIN,
    ANN,
    DONE,
    STRIKE,
    after,
    ask_of,
    attack,
    clash,
    crash,
    keep,
    land,
    lay,
    miss,
    waive,
    why_not,
)

from tests.kit.legal_acts import accepts
from umpi.kernel import Act, Match

BACK = Act("answer", {"choice": "replace"})


def seen(match: Match) -> list[str]:
    """Return each seat's dodes in short: face x hexagon, or where they are."""
    sides = match.state()["facts"]["dodes"]
    words = [[f"{d['face']}x{d['hex']}" if d["at"] == "board" else d["at"][0] for d in side] for side in sides]
    return [" ".join(side) for side in words]


def test_a_dode_that_lies_cannot_be_rolled_and_the_reason_says_where() -> None:
    """An error a player understands: what was wrong, and where."""
    match = after(land(1, 8, 3), land(2, 5, 0), miss(3), waive(3))
    assert why_not(match, land(1, 1, 1)) == "Ann’s 8 on hexagon 3 cannot be rolled: it is on the board."
    assert why_not(match, miss(2)) == "Ann’s 5 in the dead zone cannot be rolled: it is on the board."
    assert why_not(match, clash(3, 1)) == '"clash" is not valid now; expected: land, miss, waive, crash.'
    assert why_not(match, crash(3, 1)) == "This dode cannot be rolled: it is out until Ann’s next turn."
    assert why_not(match, crash(4, 3)) == "Ann’s dode is not on the board: it is out until Ann’s next turn."
    assert why_not(match, crash(4, 4)) == "Ann’s dode is not on the board: it is in hand."


def test_a_forfeited_dode_differs_from_one_that_is_out() -> None:
    """A turn, 2: what is forfeited is off the board until the next own turn."""
    match = after(land(1, 8, 3), crash(2, 1))
    assert why_not(match, land(1, 1, 1)) == "This dode cannot be rolled: it is forfeited until Ann’s next turn."
    assert why_not(match, land(3, 1, 1, knocked=(1,))).startswith("Ann’s dode is not on the board: it is forfeited")


def test_a_dode_that_has_not_missed_cannot_be_waived_and_the_reason_says_so() -> None:
    """Record: `waive`: "one that has missed since it was taken up"."""
    match = after(land(1, 8, 3))
    assert why_not(match, waive(2)) == "Only a dode whose last roll was a miss can be skipped."
    assert why_not(match, waive(1)) == "Ann’s 8 on hexagon 3 cannot be rolled: it is on the board."
    match.play(miss(3))
    assert why_not(match, waive(2)) == "Only a dode whose last roll was a miss can be skipped."
    assert accepts(match, waive(3))


def test_a_dode_that_waits_for_another_roll_is_named_in_the_reason() -> None:
    """Rulings: "other dodes in hand wait for the roll they belong to"."""
    match = after(*ANN, land(1, 9, 5), clash(2, 1), AGAIN, clash(1, 1), AGAIN)
    wait = "This dode waits: only dodes that were hit, and those they knock out, are rolled now."
    assert why_not(match, land(2, 1, 1)) == wait
    assert why_not(match, waive(3)) == wait


def test_why_a_dode_cannot_strike_or_be_struck() -> None:
    """A turn, 3, and Rulings: each at most once, the same multiplier, never in the dead zone."""
    match = after(*lay((10, 3), (9, 3), (2, 2), (8, 0)), land(1, 6, 3), land(2, 4, 4), miss(3), waive(3), land(4, 7, 0))
    assert why_not(match, attack(1, 3)) == "Ann’s 2 on hexagon 2 cannot be attacked: the attacker is on hexagon 3."
    assert why_not(match, attack(1, 4)) == "Ann’s 8 in the dead zone cannot be attacked: the attacker is on hexagon 3."
    assert why_not(match, attack(2, 1)) == "Ben’s 4 on hexagon 4 cannot attack: Ann has no dode there."
    assert why_not(match, attack(3, 1)) == "This dode cannot attack: it is out until Ben’s next turn."
    assert why_not(match, attack(4, 4)) == "Ben’s 7 in the dead zone cannot attack."
    match = after(*STRIKE, attack(1, 1))
    assert why_not(match, attack(1, 2)) == "Ben’s 6 on hexagon 3 has already attacked this turn."
    match.play(attack(2, 1))
    assert match.state()["phase"] == "attack"
    match = after(*lay((5, 3), (9, 3), (2, 1), (8, 5)), *STRIKE[4:], attack(1, 1))
    assert why_not(match, attack(2, 1)) == "Ann’s dode is not on the board: it is out until Ann’s next turn."


def test_keep_is_refused_with_its_reason() -> None:
    """Record: `keep`: "own dodes left on the board, ascending"."""
    match = after(*ANN, *lay((9, 5), (9, 5), (9, 5), (9, 5)))
    assert why_not(match, keep(2, 1)) == "Choose the dodes in the order listed."
    match = after(*ANN, land(1, 9, 5), crash(2, 1), land(3, 1, 1), land(4, 1, 5), DONE, keep(1, 2, 3, 4))
    assert why_not(match, keep(1)) == '"keep" is not valid now; expected: attack, done.'
    match.play(DONE)
    assert why_not(match, keep(1)) == "Ben’s dode is not on the board: it is in hand."


def test_a_dode_is_moved_or_knocked_out_not_both() -> None:
    """Record: "`moved` and `knocked` share none"."""
    both = land(2, 5, 2, moved=({"dode": 1, "face": 1, "hex": 1},), knocked=(1,))
    assert why_not(after(land(1, 8, 3)), both) == "8 on hexagon 3 cannot be both moved and knocked out."
    apart = land(3, 5, 2, moved=({"dode": 1, "face": 1, "hex": 1},), knocked=(2,))
    assert seen(after(land(1, 8, 3), land(2, 5, 2), apart))[0] == "1x1 h 5x2 h"


def test_moving_a_missing_dode_is_refused_with_its_place() -> None:
    """The message says where the dode is."""
    moved = land(1, 5, 2, moved=({"dode": 2, "face": 1, "hex": 1},))
    assert why_not(after(), moved) == "moved: Ann’s dode is not on the board: it is in hand."


def test_an_answer_is_for_the_seat_that_was_hit() -> None:
    """Record: `answer`: "the seat whose dodes were hit"; the roller's own seat in a re-roll."""
    match = after(*ANN, land(1, 9, 5), clash(2, 1))
    assert match.seat == 0
    match.play(AGAIN)
    assert match.seat == 0
    match.play(clash(1, 1))
    assert (match.seat, match.state()["phase"]) == (1, "answer")
    match.play(BACK)
    assert (match.seat, match.state()["facts"]["turn"]) == (0, 1)


def test_only_a_dode_that_was_hit_can_be_named_in_the_answer() -> None:
    """Record: `answer` with "reroll" may bear `dodes`: at least one of the dodes hit."""
    match = after(*ANN, land(1, 9, 5), clash(2, 4, 1))
    some = {"choice": "reroll"}
    why = "Ann’s 5 on hexagon 2 was not hit: it stays where it is."
    assert why_not(match, Act("answer", {**some, "dodes": (2,)})) == why
    assert why_not(match, Act("answer", {**some, "dodes": ()})) == "dodes: expected 1 to 2, got 0."
    match.play(Act("answer", {**some, "dodes": (4,)}))
    assert seen(match)[0] == "8x3 5x2 12x1 h"
    assert (match.seat, ask_of(match, "land").usual) == (0, {"dode": 4})
