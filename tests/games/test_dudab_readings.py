"""The readings of the sheet in Dudab Buba: every option against a second method, and what older records mean."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from dudab_by_lists import ListRound
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.dudab_piles import BABIES, by_trying, by_walking, cards, piles
from tests.kit.sampling import examples
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.cards import HELD, deck
from umpi.games.dudab_buba.rules import goes_on
from umpi.games.dudab_buba.scoring import score, score_counts
from umpi.kernel import Match
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, Record, read_line
from umpi.kernel.registry import find

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
READINGS: dict[str, tuple[Any, ...]] = {
    "request": ("must", "trust", "may"), "second_dudab": ("any", "same"), "jungle_place": ("any", "free"),
    "cover": ("as-is", "number"), "jungle_shed": (False, True),
}  # fmt: skip
NUMBERS = {"hand_least": st.integers(1, 3), "hand_most": st.integers(3, 8), "column_length": st.integers(2, 10)}


def compared(seats: int, options: dict[str, Any], seed: int) -> Counter[str]:
    """Compare the rounds of a random game with the second method; returns how often each thing happened."""
    match, again = play_out(DudabBuba, NAMES[:seats], options, seed), Match(DudabBuba, NAMES[:seats], options)
    cards = len(deck(options.get("jungle", False), options.get("baby", False)))
    reference, seen, number = ListRound(seats, cards, options), Counter[str](), 1
    facts = again.now.facts()
    for act in match.acts:
        if facts["round"] != number:
            number = facts["round"]
            reference = ListRound(seats, cards, options)
            reference.turn = number - 1
        position: DudabBuba = again.now  # type: ignore[assignment]
        if position.phase in ("turn", "answer"):
            fits = position.fitting()
            assert {card: list(goes_on(fits, card)) for card in HELD} == {card: reference.lays(card) for card in HELD}
        if position.phase not in ("reveal", "hands"):
            assert again.seat == reference.active
        seen[act.verb] += 1
        seen["shown"] += "shown" in act.given and "shed" not in act.given
        seen["special first"] += act.given.get("turned", ("",))[-1:] in (("jungle",), ("baby",))  # type: ignore[index]
        again.play(act)
        seen["void"] += any(call.kind == "void" for call in again.calls())
        facts = again.now.facts()
        if act.verb != "hands":
            reference.apply(act)
            assert {key: facts[key] for key in reference.facts()} == reference.facts()
    return seen


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(2, 6), st.integers(0, 10**6), st.booleans(), st.booleans(),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in READINGS.items()}),
    st.fixed_dictionaries({}, optional=NUMBERS),
)  # fmt: skip
def test_every_reading_is_the_second_methods(
    seats: int, seed: int, jungle: bool, baby: bool, options: dict[str, Any], numbers: dict[str, int]
) -> None:
    """Page, whole: what may be laid where, who acts, and where the cards lie after every act; also by experiments."""
    compared(seats, {"jungle": jungle, "baby": baby, **options, **numbers}, seed)


@pytest.mark.slow
@pytest.mark.parametrize("last", [0, -1])
def test_everything_a_reading_changes_happens_in_random_games(last: int) -> None:
    """A comparison proves nothing about what never happens."""
    options = {name: values[last] for name, values in READINGS.items()}
    seen = sum((compared(3, {"jungle": True, "baby": True, **options}, seed) for seed in range(6)), Counter[str]())
    assert (seen["shown"] > 0) == (last == 0)
    assert last or seen["special first"] > 0
    assert seen["void"] > 0
    assert seen["face"] > 0


def test_the_first_value_of_each_reading_is_the_default() -> None:
    """Page: "The first value is the default"."""
    standard = defaults(DudabBuba)
    assert {name: standard[name] for name in READINGS} == {name: values[0] for name, values in READINGS.items()}
    offered = {option.name: option.pool for option in DudabBuba.options if option.name in READINGS}  # type: ignore[union-attr]
    assert offered == READINGS


# Dudab Buba: a seat whose full hand must contain a card that fits is not offered to draw.


FILE = Path(__file__).parents[1] / "records" / "dudab-buba" / "five-must-play.jsonl"


def test_a_hand_that_must_contain_a_card_that_fits_is_not_offered_to_draw() -> None:
    header, *lines = map(read_line, FILE.read_bytes().splitlines())
    assert header
    record = Record(Header.read(header, find))
    offered = []
    for line in lines[:-1]:
        offered.append([ask.verb for ask in record.match.asks])
        assert line
        record.take(line)
    assert ["play", "draw"] in offered, "others may draw"
    assert [ask.verb for ask in record.match.asks] == ["play"]


# Dudab Buba: a round's score is the lowest that the left-over dudabs and the jungles can make.


def test_the_best_use_of_dudabs_is_found_in_every_pile_of_up_to_six_number_cards() -> None:
    """Page, scoring: the total is the lowest possible. ./scripts/dev play-outs tries all of up to twelve."""
    for numbers in piles(6):
        for jungles in range(6):
            for dudabs in range(min(8, sum(numbers)) + 1):
                best = by_trying(cards(numbers), dudabs, 0, jungles)
                assert score_counts(0, dudabs, 0, jungles, 0, numbers) == best, (numbers, dudabs, jungles)


@given(
    st.tuples(*[st.integers(0, 16)] * 4), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8),
    st.integers(0, 8),
)  # fmt: skip
def test_large_piles_score_as_a_second_method_has_it(
    numbers: tuple[int, ...], hand: int, dudabs: int, shamans: int, jungles: int, babies: int
) -> None:
    """The second method walks the values and never lists a choice."""
    expected = 5 * hand - BABIES[babies] + by_walking(numbers, dudabs, shamans, jungles)
    assert score_counts(hand, dudabs, shamans, jungles, babies, numbers) == expected


@given(
    st.tuples(*[st.integers(0, 16)] * 4), st.tuples(*[st.integers(0, 8)] * 5), st.integers(0, 20), st.integers(0, 20),
    st.tuples(*[st.integers(-200, 200)] * 8),
)  # fmt: skip
def test_piles_with_other_points_score_as_a_second_method_has_it(
    numbers: tuple[int, ...], counts: tuple[int, ...], dudab: int, shaman: int, table: tuple[int, ...]
) -> None:
    """The experiments `dudab_points`, `shaman_points` and `baby_points`."""
    hand, dudabs, shamans, jungles, babies = counts
    options = {"track": "counts", "jungle": True, "baby": True}
    options |= {"dudab_points": dudab, "shaman_points": shaman, "baby_points": table}
    played = DudabBuba.setup(2, **options).do_counts(1, hand, dudabs, shamans, jungles, babies, numbers)
    expected = dudab * hand + [0, *table][babies] + by_walking(numbers, dudabs, shamans, jungles, shaman)
    assert played.tally.points[1] == expected


@pytest.mark.parametrize(
    ("hand", "pile", "points"),
    [
        ("dudab dudab", "", 10),  # five a dudab in hand
        ("red-club-3", "blue-hide-4", 7),  # the hand joins the pile
        ("", "dudab shaman-red", 0),  # a dudab cancels a shaman
        ("dudab", "shaman-red", 10),  # but not one in hand
        ("", "shaman-red shaman-red dudab", 5),
        ("", "dudab red-club-1 red-club-4", -3),  # negates the four
        ("", "dudab dudab red-club-4", -4),  # dudabs beyond the numbers
        ("", "jungle red-club-1 blue-club-1 red-hand-2", 2),  # all of the lowest value
        ("", "jungle jungle red-club-1 red-hand-2 shaman-red", 5),  # as many jungles as values
        ("", "jungle jungle jungle red-club-1 red-hand-2 shaman-red", 0),  # one more
        ("", "jungle shaman-red shaman-blue", 0),  # no number at all
        ("", "dudab jungle red-club-1 red-club-2 blue-club-2", -1),  # negate the one, the jungle takes the twos
        ("", "baby baby baby", -6),
        ("", "", 0),
    ],
)
def test_each_line_of_the_scoring(hand: str, pile: str, points: int) -> None:
    """Page, scoring a round, 1 to 5, and its rulings."""
    assert score(hand.split(), pile.split()) == points


def test_babies_are_worth_more_the_more_there_are() -> None:
    """Page, scoring, 4."""
    worth = [score((), ("baby",) * number) for number in range(9)]
    assert worth == [0, -1, -3, -6, -11, -19, -32, -51, -81] == [-points for points in cast(list[int], BABIES)]
