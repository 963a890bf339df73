"""The recorder keeps an evening in bounded memory, and a box at rest needs none."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.rig import Rigs
from umpi.box.running_card import RunningCard
from umpi.kernel.kept import Kept, Uid
from umpi.recording.recorder import CHUNK, Recorder
from umpi.referee.effects import JournalCall, PlaySound
from umpi.referee.events import Answered, Reach, Tick
from umpi.referee.ports import JournalPort
from umpi.referee.session import SEALED
from umpi.referee.setup import BoxSetup
from umpi.timing.edge import Edge
from umpi.timing.events import Until


def test_a_box_at_rest_needs_no_memory() -> None:
    recorder = Recorder()
    recorder.begin(BoxSetup())
    for at_ns in range(0, 10_000, 2):
        recorder.note(Until(at_ns), [])
        recorder.note(Tick(at_ns + 1), [])
    assert list(recorder.lines())[1:] == [
        '{"event":{"#":"Until","at_ns":9998}}', '{"event":{"#":"Tick","at_ns":9999}}',
    ]  # fmt: skip


def test_events_with_an_effect_are_kept_with_those_before_them() -> None:
    recorder = Recorder()
    for at_ns in range(10):
        recorder.note(Tick(at_ns), [PlaySound("accepted")] if at_ns == 4 else [])
    recorder.note(Edge("red", True, 11), [])
    recorder.note(Tick(12), [])
    recorder.note(Tick(13), [])
    lines = list(recorder.lines())
    assert [line.partition('"at_ns":')[2].partition("}")[0] for line in lines] == ["3", "4", "9", "11", "12", "13"]


def test_all_events_are_kept_in_order_while_there_is_room() -> None:
    recorder = Recorder()
    for at_ns in range(3 * CHUNK + 7):
        recorder.note(Edge("red", at_ns % 2 == 0, at_ns), [])
        recorder.note(Tick(at_ns), [])
    stamps = [line for line in recorder.lines() if "Edge" in line]
    assert len(stamps) == 3 * CHUNK + 7
    assert '"dropped":0' in recorder.header("")


def test_a_flood_is_limited_and_its_loss_is_recorded() -> None:
    chance, recorder = Random(1), Recorder(most=20_000)
    for at_ns in range(20_000):
        recorder.note(Edge(f"{chance.random()}", True, at_ns), [])
    kept = list(recorder.lines())
    assert 0 < len(kept) < 20_000
    assert f'"dropped":{20_000 - len(kept)}' in recorder.header("")


def test_no_passphrase_is_kept() -> None:
    recorder = Recorder()
    recorder.note(Reach("umpi-7f3a", "k7mw9xqd2hfp"), [])
    (line,) = recorder.lines()
    assert "k7mw9xqd2hfp" not in line
    assert "umpi-7f3a" in line


OPEN = Kept(1, "{}", "", 3, "left", Uid("u1"), 1)


@pytest.mark.parametrize(("calls", "secret"), [
    ([(JournalPort.match, (1,), OPEN), (JournalPort.noted, ("u1", SEALED), [3, [{"do": "bid"}]])], True),
    ([(JournalPort.match, (1,), OPEN), (JournalPort.noted, ("u1", SEALED), [2, [{"do": "bid"}]])], False),
    ([(JournalPort.match, (1,), OPEN), (JournalPort.noted, ("u1", SEALED), None)], False),
    ([(JournalPort.begin, ({}, 1, [('{"seal": {}}', "box", None)]), Uid("u2"))], True),
    ([(JournalPort.match, (1,), OPEN), (JournalPort.match, (1,), replace(OPEN, outcome="{}")),
      (JournalPort.written, ("u1",), [('{"seal": {}}', "box", None)])], False),
])  # fmt: skip
def test_what_the_journal_tells_of_a_match_before_is_secret_while_that_goes_on(calls: Any, secret: bool) -> None:
    """A secret answer to the question in play, and hands that a copy of a match begins with."""
    recorder = Recorder()
    for method, values, value in calls:
        recorder.note(Tick(1), [JournalCall(method, values)])
        recorder.note(Answered(2, value), [])
    assert recorder.secret == secret


def test_lines_are_those_of_the_moment(rigs: Rigs) -> None:
    recorder = Recorder()
    recorder.note(Tick(1), [PlaySound("cube")])
    lines = recorder.lines()
    recorder.note(Tick(2), [PlaySound("cube")])
    assert len(list(lines)) == 1


def test_a_report_of_a_card_names_its_slot_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "card" not in json.loads(Recorder().header("report"))
    monkeypatch.setattr("umpi.recording.recorder.running_card", lambda: RunningCard("b", "0.2.0 (abc)"))
    assert json.loads(Recorder().header("report"))["card"] == "slot b, version 0.2.0 (abc)"
