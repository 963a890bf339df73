"""Battledodes: rolls, re-rolls in re-rolls, attacks and scores, against the page told in another way."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from battledodes_told import PLAYERS, Tale
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import examples
from umpi.games.battledodes import Battledodes
from umpi.games.battledodes.attack import best_attack
from umpi.games.battledodes.dodes import IN_HAND, MISSED, Dode, Side
from umpi.kernel import Act, Ask, Forms, Match, Number, Pick, Refused, Some, replace
from umpi.kernel.messages import named
from umpi.kernel.random_games import play, play_out
from umpi.kernel.record import replay
from umpi.kernel.schema import schema

RECORDS = sorted((Path(__file__).parents[1] / "records" / "battledodes").glob("*.jsonl"))
AGAIN = Act("answer", {"choice": "reroll"})
BACK = Act("answer", {"choice": "replace"})
DONE = Act("done")


def land(dode: int, face: int, hex: int, **shifted: Any) -> Act:
    return Act("land", {"dode": dode, "face": face, "hex": hex, **shifted})


def miss(dode: int, why: str = "out") -> Act:
    return Act("miss", {"dode": dode, "why": why})


def waive(dode: int) -> Act:
    return Act("waive", {"dode": dode})


def crash(dode: int, *hit: int) -> Act:
    return Act("crash", {"dode": dode, "hit": hit})


def clash(dode: int, *hit: int) -> Act:
    return Act("clash", {"dode": dode, "hit": hit})


def keep(*dodes: int) -> Act:
    return Act("keep", {"dodes": dodes})


def attack(by: int, on: int) -> Act:
    return Act("attack", {"with": by, "on": on})


def lay(*rolls: tuple[int, int]) -> list[Act]:
    return [land(number, face, hex) for number, (face, hex) in enumerate(rolls, 1)]


ANN = lay((8, 3), (5, 2), (12, 1), (4, 0))  # the sheet's 46; then Ben rolls
STRIKE = [*lay((10, 3), (9, 3), (2, 1), (8, 5)), *lay((6, 3), (4, 3), (2, 1), (7, 0))]  # then Ben attacks


def after(*acts: Act, faces: tuple[int, int] = (9, 4), **options: int) -> Match:
    match = Match(Battledodes, PLAYERS, options)
    for act in [Act("roll-off", {"faces": faces}), *acts]:
        match.play(act)
    return match


def accepts(match: Match, act: Act) -> bool:
    try:
        match.play(act)
    except Refused:
        return False
    match.undo()
    return True


def why_not(match: Match, act: Act) -> str:
    with pytest.raises(Refused) as refused:
        match.play(act)
    return str(refused.value)


def seen(match: Match) -> list[str]:
    """Tell each seat's dodes in short: face x hexagon, or where they are."""
    sides = match.state()["facts"]["dodes"]
    told = [[f"{d['face']}x{d['hex']}" if d["at"] == "board" else d["at"][0] for d in side] for side in sides]
    return [" ".join(side) for side in told]


def ask_of(match: Match, verb: str) -> Ask:
    return next(ask for ask in match.asks if ask.verb == verb)


@pytest.mark.slow
@pytest.mark.parametrize("target", [1, 144, 1000])
def test_a_game_reads_the_same_in_plain_dictionaries(target: int) -> None:
    """The whole page, sentence by sentence, after every act of random games."""
    told, deepest = Counter[str](), 0
    for seed in range(40):
        match = play_out(Battledodes, PLAYERS, {"target": target}, seed)
        again, tale = Match(Battledodes, PLAYERS, {"target": target}), Tale(target)
        for act in match.acts:
            again.play(act)
            tale.tell(act)
            assert again.state() == tale.state()
            deepest = max(deepest, len(tale.pile))
            told.update([act.verb, *(f"{act.verb} {name}" for name in act.given)])
        assert tale.phase == "over"
    if target == 1000:
        assert deepest > 2
        assert {"waive", "crash", "answer dodes", "attack", "done"} <= set(told)
        assert {f"{verb} {name}" for verb in ("land", "miss", "clash") for name in ("moved", "knocked")} <= set(told)


five = st.tuples(*[st.integers(1, 20)] * 5)


@settings(max_examples=examples(40), deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 1000), st.integers(1, 4), five)
def test_a_game_with_other_numbers_reads_the_same_in_plain_dictionaries(
    seed: int, target: int, dodes: int, multipliers: tuple[int, ...]
) -> None:
    """The experiments: the dodes of a player, and what each hexagon multiplies by."""
    options = {"target": target, "dodes": dodes, "multipliers": multipliers}
    match = play_out(Battledodes, PLAYERS, options, seed)
    again, tale = Match(Battledodes, PLAYERS, options), Tale(target, dodes, multipliers)
    for act in match.acts:
        again.play(act)
        tale.tell(act)
        assert again.state() == tale.state()
    assert tale.phase == "over"


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


def test_a_dode_that_lies_cannot_be_rolled_and_the_reason_says_where() -> None:
    """An error a player understands: what was wrong, and where."""
    match = after(land(1, 8, 3), land(2, 5, 0), miss(3), waive(3))
    assert why_not(match, land(1, 1, 1)) == "Dode 1 cannot be rolled: it is on 3."
    assert why_not(match, miss(2)) == "Dode 2 cannot be rolled: it is in the dead zone."
    assert why_not(match, clash(3, 1)) == '"clash" is not valid now; expected: land, miss, waive, crash.'
    assert why_not(match, crash(3, 1)) == "Dode 3 cannot be rolled: it is out until Ann's next turn."
    assert why_not(match, crash(4, 3)) == "Ann's dode 3 is not on the board: it is out until Ann's next turn."
    assert why_not(match, crash(4, 4)) == "Ann's dode 4 is not on the board: it is in hand."


def test_a_forfeited_dode_is_told_from_one_that_is_out() -> None:
    """A turn, 2: what is forfeited is off the board until the next own turn."""
    match = after(land(1, 8, 3), crash(2, 1))
    assert why_not(match, land(1, 1, 1)) == "Dode 1 cannot be rolled: it is forfeited until Ann's next turn."
    assert why_not(match, land(3, 1, 1, knocked=(1,))).startswith("Ann's dode 1 is not on the board: it is forfeited")


def test_a_dode_that_has_not_missed_cannot_be_waived_and_the_reason_says_so() -> None:
    """Record: `waive`: "one that has missed since it was taken up"."""
    match = after(land(1, 8, 3))
    assert why_not(match, waive(2)) == "Dode 2 cannot be skipped: it has not missed since pick-up."
    assert why_not(match, waive(1)) == "Dode 1 cannot be rolled: it is on 3."
    match.play(miss(3))
    assert why_not(match, waive(2)) == "Dode 2 cannot be skipped: it has not missed since pick-up."
    assert accepts(match, waive(3))


def test_a_dode_that_waits_for_another_roll_is_told_so() -> None:
    """Rulings: "other dodes in hand wait for the roll they belong to"."""
    match = after(*ANN, land(1, 9, 5), clash(2, 1), AGAIN, clash(1, 1), AGAIN)
    wait = "Dode 2 waits: only dodes that were hit, and those they knock out, are rolled now."
    assert why_not(match, land(2, 1, 1)) == wait
    assert why_not(match, waive(3)) == wait.replace("2", "3")


def test_why_a_dode_cannot_strike_or_be_struck() -> None:
    """A turn, 3, and Rulings: each at most once, the same multiplier, never in the dead zone."""
    match = after(*lay((10, 3), (9, 3), (2, 2), (8, 0)), land(1, 6, 3), land(2, 4, 4), miss(3), waive(3), land(4, 7, 0))
    assert why_not(match, attack(1, 3)) == "Ann's dode 3 cannot be hit: it is on 2, the attacker on 3."
    assert why_not(match, attack(1, 4)) == "Ann's dode 4 cannot be hit: it is in the dead zone, the attacker on 3."
    assert why_not(match, attack(2, 1)) == "Dode 2 cannot attack: it is on 4, where Ann has none."
    assert why_not(match, attack(3, 1)) == "Dode 3 cannot attack: it is out until Ben's next turn."
    assert why_not(match, attack(4, 4)) == "Dode 4 cannot attack: it is in the dead zone."
    match = after(*STRIKE, attack(1, 1))
    assert why_not(match, attack(1, 2)) == "Dode 1 has already attacked this turn."
    match.play(attack(2, 1))
    assert match.state()["phase"] == "attack"
    match = after(*lay((5, 3), (9, 3), (2, 1), (8, 5)), *STRIKE[4:], attack(1, 1))
    assert why_not(match, attack(2, 1)) == "Ann's dode 1 is not on the board: it is out until Ann's next turn."


def test_keep_is_refused_with_its_reason() -> None:
    """Record: `keep`: "own dodes left on the board, ascending"."""
    match = after(*ANN, *lay((9, 5), (9, 5), (9, 5), (9, 5)))
    assert why_not(match, keep(2, 1)) == "dodes: write them in ascending order."
    match = after(*ANN, land(1, 9, 5), crash(2, 1), land(3, 1, 1), land(4, 1, 5), DONE, keep(1, 2, 3, 4))
    assert why_not(match, keep(1)) == '"keep" is not valid now; expected: attack, done.'
    match.play(DONE)
    assert why_not(match, keep(1)) == "Ben's dode 1 is not on the board: it is in hand."


def test_a_dode_is_moved_or_knocked_out_not_both() -> None:
    """Record: "`moved` and `knocked` share none"."""
    both = land(2, 5, 2, moved=({"dode": 1, "face": 1, "hex": 1},), knocked=(1,))
    assert why_not(after(land(1, 8, 3)), both) == "Dode 1 is both moved and knocked out: it is one or the other."
    apart = land(3, 5, 2, moved=({"dode": 1, "face": 1, "hex": 1},), knocked=(2,))
    assert seen(after(land(1, 8, 3), land(2, 5, 2), apart))[0] == "1x1 h 5x2 h"


def test_where_none_lies_the_reason_for_moving_one_is_told() -> None:
    """The player is told where the dode is instead."""
    moved = land(1, 5, 2, moved=({"dode": 2, "face": 1, "hex": 1},))
    assert why_not(after(), moved) == "moved: Ann's dode 2 is not on the board: it is in hand."


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
    why = "Ann's dode 2 was not hit: it stays where it is."
    assert why_not(match, Act("answer", {**some, "dodes": (2,)})) == why
    assert why_not(match, Act("answer", {**some, "dodes": ()})) == "dodes: expected 1 to 2, got 0."
    match.play(Act("answer", {**some, "dodes": (4,)}))
    assert seen(match)[0] == "8x3 5x2 12x1 h"
    assert (match.seat, ask_of(match, "land").usual) == (0, {"dode": 4})


def test_a_miss_that_moves_nothing_bears_what_land_bears() -> None:
    """Record: `moved` and `knocked` may be `[]`, the same as left out, also where none of them lies."""
    plain, named_none = after(miss(1)), after(Act("miss", {"dode": 1, "why": "out", "moved": (), "knocked": ()}))
    assert plain.now == named_none.now
    knocked = Act("miss", {"dode": 1, "why": "out", "knocked": (2,)})
    assert why_not(after(), knocked) == "Ann's dode 2 is not on the board: it is in hand."


def test_dodes_to_be_rolled_again_are_asked_for_in_their_order() -> None:
    """Lists but `keep`'s need not ascend; what is asked for next does."""
    assert ask_of(after(*ANN, clash(1, 4, 2), AGAIN), "land").usual == {"dode": 2}
    assert ask_of(after(*ANN[:3], land(4, 1, 1, knocked=(3, 1))), "land").usual == {"dode": 1}


def test_keys_read_face_and_hexagon_and_in_hand_the_number() -> None:
    """Dodes bear no numbers on the table: what is seen of them is their face and where they lie."""
    match = after(*ANN, land(1, 12, 5), land(2, 9, 3))
    dode, _, _, moved, knocked = ask_of(match, "land").fields
    assert isinstance(dode, Pick)
    assert isinstance(moved, Forms)
    assert isinstance(knocked, Some)
    assert isinstance(moved.fields[0], Pick)
    assert [dode.label(each) for each in dode.pool] == ["3", "4"]
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


def test_the_best_attack_is_told_while_attacks_are_possible() -> None:
    """odds(): of all attacks the one that takes most from the opponent's pending score."""
    match = after(*STRIKE)
    rows = [(row.label, row.cells) for row in match.now.odds()]  # type: ignore[attr-defined]
    best = [("6x3", (">", "10x3")), ("4x3", (">", "10x3")), ("2x1", (">", "2x1"))]
    assert rows == [("Best attack takes", ("32",)), *best]
    match.play(attack(2, 2))
    rows = [(row.label, row.cells) for row in match.now.odds()]  # type: ignore[attr-defined]
    assert rows == [("Best attack takes", ("20",)), best[0], best[2]]
    match.play(DONE)
    assert match.now.odds() == ()  # type: ignore[attr-defined]


def test_fewest_strikes_break_a_tie() -> None:
    """A strike that takes nothing more is left out."""
    mine, theirs = lying((6, 3), (9, 3), (2, 3)), lying((8, 3), (1, 0))
    assert best_attack(mine, theirs) == (((2, 1),), 24)


dode = st.tuples(st.integers(1, 12), st.sampled_from([0, 2, 2, 3]))


def lying(*rolls: tuple[int, int]) -> Side:
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
    strikes_made, taken = best_attack(lying(*ours), lying(*others), (), (0, *multipliers))
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
