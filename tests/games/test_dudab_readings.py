"""The readings of the sheet in Dudab Buba: every option against a second method, and what older records mean."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from dudab_by_lists import ListRound
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.cards import HELD, deck
from umpi.games.dudab_buba.rules import goes_on
from umpi.kernel import Match
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play_out

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
    for act in match.acts:
        facts = again.state()["facts"]
        if facts["round"] != number:
            number = facts["round"]
            reference = ListRound(seats, cards, options)
            reference.turn = number - 1
        position: DudabBuba = again.now  # type: ignore[assignment]
        if position.phase in ("turn", "answer"):
            assert {card: list(goes_on(position.fitting(), card)) for card in HELD} == {
                card: reference.lays(card) for card in HELD
            }
        if position.phase not in ("reveal", "hands"):
            assert again.seat == reference.active
        seen[act.verb] += 1
        seen["shown"] += "shown" in act.given and "shed" not in act.given
        seen["special first"] += act.given.get("turned", ("",))[-1:] in (("jungle",), ("baby",))  # type: ignore[index]
        again.play(act)
        seen["void"] += any(call.kind == "void" for call in again.calls())
        if act.verb != "hands":
            reference.apply(act)
            facts = again.state()["facts"]
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
