"""The lines of a record: actions with `by` and `at`, undo, refuse and note, and the number and line of each error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toy import Toy
from written import DEAL, HEADER, TAKE, after, stepping, steps

from tests.kit.seen import check_seen
from umpi.kernel.record import replay
from umpi.kernel.registry import find

WHY = '"take" is for Ben (seat 1), not for seat 0.'
WRONG: list[Any] = [
    {}, {"odd": 1}, {"undo": 0}, {"undo": -1}, {"undo": 3}, {"undo": True}, {"undo": 1.0}, {"undo": "1"},
    {"undo": None},
    {"undo": 1, "by": 0}, {"undo": 1, "note": "x"}, {"undo": 1, "at": -1}, {"undo": 1, "at": 6},
    {"undo": 1, "at": None},
    {"note": None}, {"note": 1}, {"note": ["x"]}, {"note": "x", "at": 9}, {"note": "x", "by": 0},
    {"refuse": None}, {"refuse": []}, {"refuse": "x"}, {"refuse": TAKE, "at": 9},
    {"refuse": TAKE | {"by": 1}, "note": "x"}, {"refuse": TAKE | {"by": 0}, "why": "Because."}, {"why": WHY},
    {"refuse": TAKE | {"by": 0}, "why": None}, {"refuse": TAKE | {"by": 1}, "why": WHY}, {"refuse": {}, "why": ""},
    {"refuse": TAKE}, {"refuse": TAKE | {"by": 1, "at": 7}}, {"do": "turn"},
    {"do": "turn", "card": "fire-2", "undo": 1},
    {"do": None}, {"do": 1}, {"do": ["take"]}, {"do": ""}, {"do": "Take"}, {"do": "take", "card": "fire-2"},
    TAKE | {"by": 0}, TAKE | {"by": True}, TAKE | {"by": 1.0}, TAKE | {"by": None}, TAKE | {"by": 2}, TAKE | {"by": -1},
    TAKE | {"by": "1"}, TAKE | {"at": 6}, TAKE | {"at": -7}, TAKE | {"at": 7.0}, TAKE | {"at": None},
    TAKE | {"at": True},
    TAKE | {"seal": 5}, TAKE | {"seal": {}}, TAKE | {"seal": {"fields": []}}, TAKE | {"seal": {"fields": [1]}},
    TAKE | {"seal": {"fields": ["card"], "hash": "0"}}, TAKE | {"seal": {"fields": ["card"], "salt": 1, "hash": "0"}},
    TAKE | {"seal": {"fields": ["card"], "salt": "a"}}, TAKE | {"seal": {"fields": ["card"], "salt": "a", "hash": "0"}},
    TAKE | {"seal": {"fields": ["card"], "salt": "a", "hash": "0", "more": 1}},
    DEAL | {"seal": {"fields": ["cards"], "salt": "a", "hash": "0"}},
    TAKE | {"do": "time-up"}, TAKE | {"seat": 1}, DEAL | {"cards": ["fire-2", "earth-2", "air-4"], "by": None},
]  # fmt: skip
RIGHT: list[Any] = [
    TAKE, TAKE | {"by": 1}, TAKE | {"at": 7}, TAKE | {"at": 2**53, "by": 1}, {"undo": 1}, {"undo": 2, "at": 7},
    {"note": ""}, {"note": "x"}, {"refuse": {}}, {"refuse": {"undo": 1}}, {"refuse": {"note": "x"}},
    {"refuse": {"do": 1}},
    {"refuse": {"refuse": TAKE}}, {"refuse": TAKE | {"by": 0}}, {"refuse": TAKE | {"at": 6}},
    {"refuse": TAKE | {"by": None}},
    {"refuse": {"do": "turn", "card": "fire-9"}}, {"refuse": DEAL},
    {"refuse": TAKE | {"by": 0}, "why": WHY}, {"refuse": {}, "why": 'It is not an action: it has no "do".'},
]  # fmt: skip


def test_each_line_is_taken_or_refused_as_somebody_has_read() -> None:
    """A wrong line ends the record where it stands: status 1, the line's number, and the state before it.

    `by`, `at`, and three more kinds of lines may stand among the actions. To add a line, write it into WRONG or RIGHT.
    """
    before, lines = after(DEAL, TAKE | {"at": 7}), list[str]()
    assert before.record
    for line in WRONG:
        wrong = after(b"\n", DEAL, TAKE | {"at": 7}, b" \r\n", line, TAKE)
        assert (wrong.n, wrong.line, wrong.status) == (2, 6, 1), line
        assert wrong.record
        assert wrong.record.match.state() == before.record.match.state()
        lines += [json.dumps(line), f"    {wrong.error}"]
    for line in RIGHT:
        step = after(DEAL, TAKE | {"at": 7}, line)
        assert (step.error, step.line, step.n) == ("", 4, 2 + ("do" in line) - line.get("undo", 0)), line
    check_seen(Path(__file__).with_name("lines.txt"), lines)


def test_an_action_that_is_nobodys_bears_no_by() -> None:
    """A deal bears no `by`."""
    assert after(DEAL | {"by": 0}).status == 1
    assert after(DEAL | {"by": None}).status == 1


def test_an_action_that_names_its_seat_may_bear_only_that() -> None:
    """An action with a field `seat` may bear only that seat as `by`."""
    header = HEADER | {"options": {"track": "hands"}}
    hand = {"do": "hand", "seat": 1, "cards": []}
    assert [steps(header, hand | {"by": by})[-1].status for by in (0, 1, 2)] == [1, 0, 1]


def test_at_never_falls_undone_or_not() -> None:
    """`at` never falls from line to line, undone or not; what was refused set no time."""
    wrong = [
        after(DEAL | {"at": 9}, {"undo": 1}, DEAL | {"at": 8}),
        after(DEAL, {"undo": 1, "at": 9}, DEAL | {"at": 8}),
        after(DEAL | {"at": 3}, {"note": "x"}, TAKE | {"at": 2}),
    ]
    assert [(step.status, step.line) for step in wrong] == [(1, 4)] * 3
    assert after(DEAL | {"at": 3}, {"undo": 1}, DEAL, TAKE | {"at": 2}).status == 1
    assert after(DEAL | {"at": 3}, {"refuse": TAKE | {"by": 1, "at": 9}}, TAKE | {"at": 3}).error == ""
    assert after(DEAL | {"at": 3}, {"undo": 1, "at": 3}, DEAL | {"at": 3}, TAKE | {"at": 3}).error == ""


def test_an_accepted_refusal_changes_nothing() -> None:
    """What stands under `refuse`: accepted instead, it is an error; nothing changes either way."""
    step = after(DEAL, {"refuse": TAKE})
    assert step.record
    assert (step.n, step.record.match.state()["seat"], step.record.match.now.facts()["hands"]) == (1, 0, ((), ()))


def test_rules_that_fail_refuse_nothing() -> None:
    """A crash of the rules is a fault of theirs, whatever the record expects."""
    header = b'{"umpi": 1, "game": "toy", "players": ["Ann", "Ben"]}\n'
    for why in (b"", b', "why": "Toy rules failed on \\"crash\\": ZeroDivisionError: a bug."'):
        line = b'{"refuse": {"do": "crash"}%s}' % why
        *_, step = replay([header, line], lambda name: Toy)
        assert (step.status, step.line, step.n) == (1, 2, 0)
        assert step.error == 'Toy rules failed on "crash": ZeroDivisionError: a bug.'


def test_undo_reaches_back_over_the_end_and_over_notes() -> None:
    """`undo` takes back the last K standing actions; notes and refusals do not count."""
    header = HEADER | {"options": {"track": "hands"}}
    hands = [{"do": "hand", "seat": seat, "cards": []} for seat in (0, 1)]
    rest = [{"note": "over"}, {"refuse": hands[0]}, {"undo": 1}, {"refuse": hands[0]}, {"undo": 1}]
    phases = [(step.n, step.record.match.now.phase) for step in stepping(header, *hands, *rest) if step.record]
    assert phases == [(0, "hands"), (1, "hands"), *[(2, "over")] * 3, (1, "hands"), (1, "hands"), (0, "hands")]


def test_a_record_is_read_no_further_than_asked() -> None:
    """It prints each line as it is read."""

    def lines() -> Any:
        yield b'{"umpi": 1, "game": "dodekka", "players": ["Ann", "Ben"]}\n'
        yield b'{"note": "first"}\n'
        raise AssertionError("the second line had to be reported first")

    steps = replay(lines(), find)
    assert [next(steps).line, next(steps).line] == [1, 2]
