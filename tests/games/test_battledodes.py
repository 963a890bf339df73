"""Battledodes: rolls, re-rolls in re-rolls, attacks and scores, against a second implementation of the rules."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
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
    why_not,
)
from battledodes_reference import PLAYERS, Reference
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.games.battledodes import Battledodes
from umpi.games.battledodes.attack import best_attack
from umpi.games.battledodes.dodes import IN_HAND, MISSED, Dode, Side
from umpi.kernel import Act, Forms, Match, Now, Number, Pick, Some, replace
from umpi.kernel.messages import named
from umpi.kernel.random_games import play, play_out
from umpi.kernel.record import replay
from umpi.kernel.schema import schema
from umpi.table.telling import tell_act

RECORDS = sorted((Path(__file__).parents[1] / "records" / "battledodes").glob("*.jsonl"))


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


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_replays_to_the_state_it_expects(path: Path) -> None:
    """What each record shows stands in its header's tag "about"."""
    lines = path.read_bytes().splitlines()
    header = json.loads(lines[0])
    *_, last = replay(lines, lambda name: Battledodes)
    assert (last.error, header["game"], bool(header["about"])) == ("", "battledodes", True)
    assert last.record
    assert json.loads(json.dumps(last.record.match.state())) == header["expect"]


def test_there_are_records_enough() -> None:
    """A folder read as empty proves nothing."""
    assert len(RECORDS) > 50


@pytest.mark.slow
@pytest.mark.parametrize("target", [1, 144, 1000])
def test_random_games_end_well_within_the_longest_and_every_position_is_sound(target: int) -> None:
    """No game takes a quarter of `longest`, and no audit finds anything."""
    for seed in range(60):
        match = Match(Battledodes, PLAYERS, {"target": target})
        assert set(play(match, seed)) == {""}
        assert len(match.acts) < Battledodes.longest / 4


def test_every_act_of_a_game_fits_the_schema() -> None:
    """Every action line of every legal record fits."""
    fits = jsonschema.Draft202012Validator(schema(Battledodes)).is_valid
    for seed in range(5):
        for act in play_out(Battledodes, PLAYERS, {"target": 500}, seed).acts:
            assert fits(json.loads(json.dumps(act.line())))
    beyond = (land(1, 13, 0), land(5, 1, 1), land(1, 1, 6), crash(1), miss(1, "lost"), Act("roll-off", {"faces": (1,)}))
    assert [act for act in beyond if fits(json.loads(json.dumps(act.line())))] == []


def test_turn_is_null_in_the_roll_off_and_when_over() -> None:
    """Record: "`turn` (whose turn; null in `roll-off` and `over`)"."""
    assert Match(Battledodes, PLAYERS).state()["facts"]["turn"] is None
    over = after(*lay((12, 5), (12, 5), (12, 5), (1, 1)), *lay(*[(1, 0)] * 4))
    assert (over.state()["phase"], over.state()["facts"]["turn"], over.state()["winners"]) == ("over", None, (0,))
    assert over.now.result().why == "first to 144"  # type: ignore[union-attr]


def test_the_second_seat_wins_as_the_first_does() -> None:
    """A turn, 4: "At 144 or more the opponent has won"."""
    over = after(*lay((12, 5), (12, 5), (12, 5), (1, 1)), *lay(*[(1, 0)] * 4), faces=(4, 9))
    assert over.now.result().places == (2, 1)  # type: ignore[union-attr]


def test_a_miss_that_moves_nothing_bears_what_land_bears() -> None:
    """Record: `moved` and `knocked` may be `[]`, the same as left out, also where none of them lies."""
    plain, named_none = after(miss(1)), after(Act("miss", {"dode": 1, "why": "out", "moved": (), "knocked": ()}))
    assert plain.now == named_none.now
    knocked = Act("miss", {"dode": 1, "why": "out", "knocked": (2,)})
    assert why_not(after(), knocked) == "Ann’s dode is not on the board: it is in hand."


def test_dodes_to_be_rolled_again_are_asked_for_in_their_order() -> None:
    """Lists but `keep`'s need not ascend; what is asked for next does."""
    assert ask_of(after(*ANN, clash(1, 4, 2), AGAIN), "land").usual == {"dode": 2}
    assert ask_of(after(*ANN[:3], land(4, 1, 1, knocked=(3, 1))), "land").usual == {"dode": 1}


def test_keys_read_face_and_hexagon_and_off_the_board_the_place() -> None:
    """Dodes bear no numbers on the table: what is seen of them is their face and where they lie."""
    match = after(*ANN, land(1, 12, 5), land(2, 9, 3))
    dode, _, _, moved, knocked = ask_of(match, "land").fields
    assert isinstance(dode, Pick)
    assert isinstance(moved, Forms)
    assert isinstance(knocked, Some)
    assert isinstance(moved.fields[0], Pick)
    assert (dode.pool, dode.in_order) == ((3, 4), True), "nobody sees which dode in hand is which"
    assert [knocked.label(each) for each in knocked.pool] == ["12x5", "9x3"]
    assert [moved.fields[0].label(each) for each in knocked.pool] == ["12x5", "9x3"]
    hit, *_ = ask_of(match, "clash").more({"dode": 3})
    assert isinstance(hit, Some)
    assert [hit.label(each) for each in hit.pool] == ["8x3", "5x2", "12x1", "4x0"]
    match = after(*STRIKE)
    by = ask_of(match, "attack").fields[0]
    (on,) = ask_of(match, "attack").more({"with": 1})
    assert isinstance(by, Pick)
    assert isinstance(on, Pick)
    assert [by.label(each) for each in by.pool] == ["6x3", "4x3", "2x1"]
    assert [on.label(each) for each in on.pool] == ["10x3", "9x3"]
    match.play(DONE)
    (dodes,) = ask_of(match, "keep").fields
    assert isinstance(dodes, Some)
    assert [dodes.label(each) for each in dodes.pool] == ["10x3", "9x3", "2x1", "8x5"]
    hand = ask_of(after(*ANN[:3], crash(4, 3), *lay((1, 0), (1, 0), (1, 0), (1, 0))), "keep").fields[0]
    assert isinstance(hand, Some)
    assert [hand.label(each) for each in (1, 2, 3, 4)] == ["8x3", "5x2", "hand", "hand"]


def test_buttons_ask_a_landed_dode_only_its_face_and_hexagon() -> None:
    """The next dode in hand is usual, what a roll seldom does stands aside."""
    match = after(land(1, 12, 5))
    ask = ask_of(match, "land")
    assert ask.usual == {"dode": 2}
    asked = [each for each in ask.fields if each.name not in ask.usual and not getattr(each, "in_menu", False)]
    assert [each.name for each in asked if isinstance(each, Number)] == ["face", "hex"]
    assert len(asked) == 2
    assert {each.verb for each in match.asks if each.rare} == {"miss", "waive", "crash"}
    assert {each.verb for each in after(*ANN).asks if each.rare} == {"miss", "waive", "clash"}


def test_the_table_shows_pending_points_and_what_lies() -> None:
    """view(): rows short enough for the small screen, pending points beside the scores."""
    view = after(*ANN, land(3, 12, 5)).now.view()  # type: ignore[attr-defined]
    assert (view.head, view.beside) == ("to 144", ("+46", "+60"))
    rows = [(named(row.label, PLAYERS), " ".join(row.cells)) for row in view.rows]
    assert rows == [("Ann", "8x3 5x2 12x1 4x0"), ("Ben", "12x5")]
    assert after(*ANN, clash(3, 1), AGAIN).now.view().head == "re-roll"  # type: ignore[attr-defined]
    assert Match(Battledodes, PLAYERS).now.view().rows == ()  # type: ignore[attr-defined]


def test_dodes_that_have_scored_show_no_coming_points() -> None:
    """They lie until their owner has chosen what to keep, but score again only if they are kept."""
    match = after(*ANN, *lay((1, 0), (1, 0), (1, 0), (1, 0)))
    assert (match.state()["phase"], match.state()["scores"]) == ("keep", (46, 0))
    view = match.now.view()
    assert (view.beside, view.large) == (("", "+0"), False)
    match.play(Act("keep", {"dodes": (1,)}))
    assert match.now.view().beside == ("+24", "+0")


def test_the_sentence_now_says_in_each_phase_what_to_do_with_which_dode() -> None:
    steps = [
        (Match(Battledodes, PLAYERS), None, "Roll one dode each. Ann’s face?"),
        (after(), 0, "Ann: bounce a dode. Which face?"),
        (after(miss(1)), 0, "Ann: roll the dode again. Which face?"),
        (after(*ANN, clash(1, 1)), 0, "Ann: put your 8 on hexagon 3 back, or roll it again."),
        (after(*ANN, clash(1, 1, 4)), 0, "Ann: put back the dodes that were hit, or roll them again."),
        (after(*ANN, clash(1, 1), AGAIN), 0, "Ann: roll a dode that was hit. Which face?"),
        (after(*STRIKE), 1, "Ben: attack with a dode, or press Done."),
        (after(*STRIKE, DONE), 0, "Ann: mark dodes to keep, then OK."),
    ]
    for match, seat, text in steps:
        assert match.next_step == Now(text, seat)
    assert after(*lay((12, 5), (12, 5), (12, 5), (1, 1)), *lay(*[(1, 0)] * 4)).next_step is None


def test_own_dodes_that_are_knocked_out_are_called_with_face_and_place() -> None:
    calls = after(*ANN[:2], land(3, 4, 0, knocked=(1, 2))).calls()
    text = "Ann knocked these out and rolls them again this turn: 8 on hexagon 3 and 5 on hexagon 2"
    assert [call.line() for call in calls] == [{"kind": "knocked", "text": text, "seat": 0}]


def test_the_best_attack_is_shown_while_attacks_are_possible() -> None:
    """odds(): of all attacks the one that takes most from the opponent's pending score."""
    match = after(*STRIKE)
    rows = [(row.label, row.cells) for row in match.now.odds()]  # type: ignore[attr-defined]
    best = [("6x3", (">", "10x3")), ("4x3", (">", "10x3")), ("2x1", (">", "2x1"))]
    assert rows == [("Best attack, points", ("32",)), *best]
    match.play(attack(2, 2))
    rows = [(row.label, row.cells) for row in match.now.odds()]  # type: ignore[attr-defined]
    assert rows == [("Best attack, points", ("20",)), best[0], best[2]]
    match.play(DONE)
    assert match.now.odds() == ()  # type: ignore[attr-defined]


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
ATTACKING = after(*STRIKE, attack(1, 1)).now
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


def test_the_history_names_dodes_as_their_buttons_do() -> None:
    """Nobody sees on a die that it is number 1; which one of the hand was rolled says nothing."""
    match = after(*STRIKE, attack(1, 2), DONE, keep(1, 3))
    assert [tell_act(match, index) for index in (1, 9, 11)] == [
        "Ann: land 10 3", "Ben: attack 6x3 9x3", "Ann: keep 10x3, 2x1",
    ]  # fmt: skip
    shifted = after(land(1, 8, 3), land(2, 5, 2, moved=({"dode": 1, "face": 6, "hex": 4},)))
    assert tell_act(shifted, 2) == "Ann: land 5 2 8x3 6 4"
