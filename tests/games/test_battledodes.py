"""Battledodes: rolls, re-rolls in re-rolls, attacks and scores, against a second implementation of the rules."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from itertools import product
from typing import Any

import jsonschema
import pytest
from battledodes_reference import PLAYERS, Reference
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.games.battledodes import Battledodes
from umpi.games.battledodes.attack import best_attack
from umpi.games.battledodes.dodes import IN_HAND, MISSED, Dode, Side
from umpi.kernel import Act, Match, replace
from umpi.kernel.random_games import play_out
from umpi.kernel.schema import schema

AGAIN, DONE = Act("answer", {"choice": "reroll"}), Act("done")


def land(dode: int, face: int, hex: int) -> Act:
    return Act("land", {"dode": dode, "face": face, "hex": hex})


def lay(*rolls: tuple[int, int]) -> list[Act]:
    return [land(number, face, hex) for number, (face, hex) in enumerate(rolls, 1)]


def clash(dode: int, *hit: int) -> Act:
    return Act("clash", {"dode": dode, "hit": hit})


ANN = lay((8, 3), (5, 2), (12, 1), (4, 0))
STRIKE = [*lay((10, 3), (9, 3), (2, 1), (8, 5)), *lay((6, 3), (4, 3), (2, 1), (7, 0))]  # then Ben attacks


def after(*acts: Act) -> Match:
    match = Match(Battledodes, PLAYERS)
    for act in [Act("roll-off", {"faces": (9, 4)}), *acts]:
        match.play(act)
    return match


@pytest.mark.slow
@pytest.mark.parametrize("target", [1, 144, 1000])
def test_a_game_reads_the_same_in_plain_dictionaries(target: int) -> None:
    """The whole page, sentence by sentence, after every act of random games."""
    verbs_seen, deepest = Counter[str](), 0
    for seed in range(40):
        match = play_out(Battledodes, PLAYERS, {"target": target}, seed)
        again, reference = Match(Battledodes, PLAYERS, {"target": target}), Reference(target)
        for act in match.acts:
            again.play(act)
            reference.apply(act)
            assert again.state() == reference.state()
            deepest = max(deepest, len(reference.pile))
            verbs_seen.update([act.verb, *(f"{act.verb} {name}" for name in act.given)])
        assert reference.phase == "over"
    if target == 1000:
        assert deepest > 2
        assert {"waive", "crash", "answer dodes", "attack", "done"} <= set(verbs_seen)
        assert {f"{verb} {name}" for verb in ("land", "miss", "clash") for name in ("moved", "knocked")} <= set(
            verbs_seen
        )


five = st.tuples(*[st.integers(1, 20)] * 5)


@settings(max_examples=examples(40), deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 1000), st.integers(1, 4), five)
def test_a_game_with_other_numbers_reads_the_same_in_plain_dictionaries(
    seed: int, target: int, dodes: int, multipliers: tuple[int, ...]
) -> None:
    """The experiments: the dodes of a player, and what each hexagon multiplies by."""
    options = {"target": target, "dodes": dodes, "multipliers": multipliers}
    match = play_out(Battledodes, PLAYERS, options, seed)
    again, reference = Match(Battledodes, PLAYERS, options), Reference(target, dodes, multipliers)
    for act in match.acts:
        again.play(act)
        reference.apply(act)
        assert again.state() == reference.state()
    assert reference.phase == "over"


def test_every_act_of_a_game_fits_the_schema() -> None:
    """Every action line of every legal record fits."""
    fits = jsonschema.Draft202012Validator(schema(Battledodes)).is_valid
    for seed in range(5):
        for act in play_out(Battledodes, PLAYERS, {"target": 500}, seed).acts:
            assert fits(json.loads(json.dumps(act.line())))
    beyond = (
        land(1, 13, 0), land(5, 1, 1), land(1, 1, 6), Act("crash", {"dode": 1, "hit": ()}),
        Act("miss", {"dode": 1, "why": "lost"}), Act("roll-off", {"faces": (1,)}),
    )  # fmt: skip
    assert [act for act in beyond if fits(json.loads(json.dumps(act.line())))] == []


def test_fewest_strikes_break_a_tie() -> None:
    """A strike that takes nothing more is left out."""
    mine, theirs = side_of((6, 3), (9, 3), (2, 3)), side_of((8, 3), (1, 0))
    assert best_attack(mine, theirs) == (((2, 1),), 24)


dode = st.tuples(st.integers(1, 12), st.sampled_from([0, 2, 2, 3]))


def side_of(*rolls: tuple[int, int]) -> Side:
    return tuple(Dode("board", *roll) for roll in rolls) + (IN_HAND,) * (4 - len(rolls))


@settings(max_examples=examples(60), deadline=None, derandomize=True, database=None)
@given(st.lists(dode, max_size=4), st.lists(dode, max_size=4), st.just((1, 2, 3, 4, 5)) | five)
def test_no_attack_takes_more_than_the_best(
    ours: list[tuple[int, int]], others: list[tuple[int, int]], multipliers: tuple[int, ...]
) -> None:
    """A turn, 3, every attack tried one after the other, hexagons mixed."""
    times = dict(enumerate((0, *multipliers)))
    best = (0, 0)
    for way in product([None, *range(len(others))], repeat=len(ours)):
        left, strikes = [face for face, _ in others], 0
        for (face, hex), on in zip(ours, way, strict=True):
            if on is not None and hex == others[on][1] != 0 and left[on] > 0:
                left[on] -= face
                strikes += 1
        kept = sum(max(face, 0) * times[hex] for face, (_, hex) in zip(left, others, strict=True))
        best = max(best, (sum(face * times[hex] for face, hex in others) - kept, -strikes))
    strikes_made, taken = best_attack(side_of(*ours), side_of(*others), (), (0, *multipliers))
    assert (taken, -len(strikes_made)) == best


ROLLING = after(*ANN, land(1, 9, 5), clash(2, 1), AGAIN).now
ANSWERING = after(*ANN, clash(2, 1)).now
ATTACKING = after(*STRIKE, Act("attack", {"with": 1, "on": 1})).now
KEEPING = after(*STRIKE, DONE).now
BOARD = Dode("board", 3, 3)
FAULTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "three dodes": (ROLLING, {"dodes": ((IN_HAND,) * 3, (IN_HAND,) * 4)}),
    "a face off the board": (ROLLING, {"dodes": ((IN_HAND,) * 4, (Dode("out", 3), *(IN_HAND,) * 3))}),
    "a hexagon off the board": (ROLLING, {"dodes": ((IN_HAND,) * 4, (Dode("hand", 0, 3), *(IN_HAND,) * 3))}),
    "a face of 13": (ROLLING, {"dodes": ((Dode("board", 13, 3), *(IN_HAND,) * 3), (IN_HAND,) * 4)}),
    "a face of 0": (ROLLING, {"dodes": ((Dode("board", 0, 3), *(IN_HAND,) * 3), (IN_HAND,) * 4)}),
    "a hexagon 6": (ROLLING, {"dodes": ((Dode("board", 1, 6), *(IN_HAND,) * 3), (IN_HAND,) * 4)}),
    "missed on the board": (ROLLING, {"dodes": ((Dode("board", 1, 1, True), *(IN_HAND,) * 3), (IN_HAND,) * 4)}),
    "missed and out": (ROLLING, {"dodes": ((Dode("out", missed=True), *(IN_HAND,) * 3), (IN_HAND,) * 4)}),
    "waits for two rolls": (ROLLING, {"rolls": ((2, 3, 4), (1,), (2,))}),
    "waits for none": (ROLLING, {"rolls": ((2, 3), (1,))}),
    "none to roll": (ROLLING, {"rolls": ((2, 3, 4), (1,), ())}),
    "rolls on the board": (ROLLING, {"rolls": ((1, 2, 3, 4), (1,))}),
    "rolls in the attack": (ATTACKING, {"rolls": ((),)}),
    "no roll open": (ATTACKING, {"phase": "roll"}),
    "in hand in the attack": (ATTACKING, {"dodes": ((BOARD,) * 4, (IN_HAND, *(BOARD,) * 3))}),
    "the other in hand in keep": (KEEPING, {"dodes": ((BOARD,) * 4, (MISSED, *(BOARD,) * 3))}),
    "hit without a clash": (ROLLING, {"hit": (2,)}),
    "nothing hit": (ANSWERING, {"hit": ()}),
    "hit off the board": (ANSWERING, {"dodes": (((Dode("out"), *(BOARD,) * 3)), ANSWERING.dodes[1])}),  # type: ignore[attr-defined]
    "struck in keep": (KEEPING, {"spent": (1,)}),
    "the target reached": (ROLLING, {"totals": (144, 0)}),
    "over before": (KEEPING, {"phase": "over"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    """audit(): four dodes a seat, each in exactly one place."""
    position, fault = FAULTS[name]
    assert position.audit() == ""
    assert replace(position, **fault).audit()


def test_faults_are_planted_in_every_field_that_could_break() -> None:
    """What the audit looks at, so that a field added is not forgotten."""
    planted = {name for _, fault in FAULTS.values() for name in fault}
    assert planted == {each.name for each in fields(Battledodes)} - {"target", "turn", "multipliers"}
