"""Dodéka: throws, combinations and what may be kept, against a second implementation of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.legal_acts import accepts
from tests.kit.sampling import examples
from umpi.display.screens import NOTICE
from umpi.display.sheet import pages
from umpi.games.dodeka import Dodeka
from umpi.i18n.translate import set_language, tr, tr_context
from umpi.kernel import Act, Match, Refused, replace
from umpi.table.telling import ACT

FACES = range(1, 13)
PAIRTRAIZ = ({1: 2, 11: 1}, {2: 2, 9: 1}, {3: 2, 7: 1}, {4: 2, 5: 1}, {5: 2, 3: 1}, {6: 2, 1: 1})
SUITES = [{low, low + 1, low + 2} for low in range(1, 11)]


def throw(dice: tuple[int, ...], keep: tuple[int, ...] = ()) -> Act:
    return Act("throw", {"keep": keep, "dice": dice})


def table(seats: int = 2, **options: int) -> Match:
    return Match(Dodeka, [f"P{seat}" for seat in range(seats)], options)


def after_throw(*dice: int) -> Match:
    match = table()
    match.play(throw(dice))
    return match


SHEET = (500, 250, 100, 40, 30, 20, 10)


def worth(dice: tuple[int, ...], scale: tuple[int, ...] = SHEET) -> tuple[str, int]:
    """Return what three faces score, line by line of the table, the best line winning."""
    if Counter(dice) in PAIRTRAIZ:
        return "pairtraiz", 0
    total = sum(dice)
    lines = [
        ("brelan", scale[0], len(set(dice)) == 1),
        ("thirteen", scale[1], total == 13),
        ("suite", scale[2], set(dice) in SUITES),
        ("pair", scale[3], len(set(dice)) == 2),
        ("sum", scale[4], total > 29),
        ("sum", scale[5], 20 <= total <= 29),
        ("sum", scale[6], 10 <= total <= 19),
        ("sum", 0, total < 10),
    ]
    return max(((name, points) for name, points, holds in lines if holds), key=lambda line: line[1])


def test_every_throw_scores_its_best_combination() -> None:
    """Sheet: "voici le barème"; the page's table, all 1728 throws."""
    match = table(target=10_000)
    for dice in product(FACES, repeat=3):
        match.play(throw(dice))
        last = match.play(Act("stop")).facts()["last"]
        assert (last["combination"], last["points"]) == worth(dice), dice
        match.undo(2)


@settings(max_examples=examples(200), deadline=None, derandomize=True, database=None)
@given(st.tuples(*[st.integers(0, 999)] * 7), st.tuples(*[st.sampled_from(FACES)] * 3))
def test_a_throw_scores_its_best_combination_by_another_scale(scale: tuple[int, ...], dice: tuple[int, ...]) -> None:
    """The experiment `scale`: the points change, the combinations and "the best" do not."""
    match = Match(Dodeka, ["Ann", "Ben"], {"scale": scale})
    match.play(throw(dice))
    last = match.play(Act("stop")).facts()["last"]
    assert (last["combination"], last["points"]) == worth(dice, scale), dice


def test_there_are_eighteen_throws_of_the_pairtraiz() -> None:
    """Sheet: the six combinations, each lying in three orders."""
    throws = [dice for dice in product(FACES, repeat=3) if worth(dice)[0] == "pairtraiz"]
    assert len(throws) == 18


@pytest.mark.parametrize("dice", [(2, 3, 9), (3, 3, 9), (9, 9, 9), (12, 1, 12)])
def test_only_thrown_dice_may_be_kept(dice: tuple[int, ...]) -> None:
    """Record: each face as often as it lies, at least one die thrown."""
    match = after_throw(*dice)
    for number in range(4):
        for keep in product(range(14), repeat=number):
            there = not Counter(keep) - Counter(dice) and number < 3
            assert accepts(match, throw((5,) * (3 - number), keep)) == there, keep


@pytest.mark.parametrize("keep", [(), (3,), (9, 3)])
def test_the_thrown_dice_fill_up_to_three(keep: tuple[int, ...]) -> None:
    """Record: kept and thrown are together three, faces 1 to 12."""
    match = after_throw(3, 3, 9)
    for number in range(5):
        for dice in combinations_with_replacement((0, 1, 12, 13), number):
            fits = number + len(keep) == 3 and set(dice) <= {1, 12}
            assert accepts(match, throw(dice, keep)) == fits, dice


def test_faces_are_whole_numbers() -> None:
    """Values are compared by type; `true` is no number."""
    match = after_throw(1, 1, 2)
    for odd in (True, 1.0, "1", None, (1,), {"face": 1}):
        assert not accepts(match, Act("throw", {"keep": (odd,), "dice": (1, 1)}))
        assert not accepts(match, Act("throw", {"keep": (1,), "dice": (odd, 1)}))


def test_the_third_throw_ends_the_turn() -> None:
    """Play: after the third the turn ends by itself; a stop before the first throw is none."""
    match = table()
    assert not accepts(match, Act("stop"))
    seen = []
    for dice, keep in [((2, 3, 9), ()), ((3,), (2, 3)), ((9,), (3, 3))]:
        seen.append((match.seat, match.now.facts()["throws_left"], match.now.facts()["dice"]))
        match.play(throw(dice, keep))
    assert seen == [(0, 3, ()), (0, 2, (2, 3, 9)), (0, 1, (2, 3, 3))]
    assert (match.seat, match.now.facts()["points"], match.now.facts()["dice"]) == (1, (40, 0), ())


def test_no_combination_is_refused_for_a_higher_one() -> None:
    """Ruling: dice score what they show; the last holds no field to choose another."""
    with pytest.raises(Refused):
        after_throw(3, 3, 7).play(Act("stop", {"combination": "pair"}))


def test_the_audit_sees_a_grid_that_gives_what_it_does_not_take() -> None:
    """Page: the first wins the points of the last; the last pays that many."""
    position = table().now
    assert isinstance(position, Dodeka)
    assert replace(position, grid=((250, -250),)).audit() == ""
    assert replace(position, grid=((250, -240),)).audit() == "a row of the grid does not sum to 0"
    assert replace(position, dice=(1, 2)).audit() == "there are not three dice"


# Dodéka: the rule of a turn behind OK; test_records_shown.py has what the screens say between the throws.


@pytest.mark.parametrize("language", ["en", "fr", "de", "hu"])
def test_hold_ok_shows_the_turn_the_scale_and_the_end_on_a_page_each(
    language: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: set_language("en"))
    set_language(language)
    match = Match(Dodeka, ("Ann", "Ben", "Cleo"))
    match.play(Act("throw", {"keep": (), "dice": (2, 3, 9)}))
    rule = tr(match.asks[0].help)
    assert pages(rule, NOTICE) == pages(f"{tr_context(ACT, 'throw')}: {rule}", NOTICE) == 3
    assert "700" in rule.split("\n\n")[2]
