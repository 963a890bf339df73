"""Nothing that players look up holds a round: not statistics, a report, a hint or the network, nor a long history."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

import umpi
from tests.kit.journals import dodeka_header
from tests.kit.patience import HELD_S, got, soon
from tests.kit.rig import Rig, Rigs
from umpi.journal import Journal
from umpi.journal.statistics import Stats
from umpi.kernel.nothing import nothing
from umpi.recording.report import write_report
from umpi.referee.effects import FindHint, SayAloud
from umpi.referee.events import HintFound

TURNS = 6  # played while an answer is held
FEW = 65  # matches, more than the panel lists
UMPI = str(Path(umpi.__file__).parent)


class Held:
    """Hold an answer until the test lets it go."""

    def __init__(self) -> None:
        self._begun, self._go = Queue[None](), Queue[None]()

    def wait(self) -> None:
        """Say that the work has begun, and wait; called on the thread that works."""
        self._begun.put(None)
        self._go.get(timeout=HELD_S)

    def wait_begun(self) -> None:
        """Wait until the work has begun."""
        got(self._begun)

    def let_go(self) -> None:
        self._go.put(None)


@pytest.fixture
def held() -> Iterator[Held]:
    """What holds an answer; at the end, no thread waits any more."""
    held = Held()
    yield held
    held.let_go()


@pytest.fixture
def rig(rigs: Rigs) -> Rig:
    """A Dodéka of Ann and Ben, on a box that gives hints. Its rounds end soon, or the test fails."""
    with closing(Journal(rigs.folder / "games.db")) as journal:
        journal.leave(journal.begin(dodeka_header()))
    rig: Any = rigs(hint=True)
    run = rig.run
    rig.run = lambda part: run(soon(part))
    rig.press("ok")
    assert isinstance(rig, Rig)
    return rig


def statistics(rig: Rig, held: Held, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    """Ask for statistics on a disk that answers when the test lets it; return what lets it."""

    def slow(path: Path, find: Any) -> Stats:
        held.wait()
        return Stats(())

    monkeypatch.setattr("umpi.journal.statistics.read_stats", slow)
    rig.menu("Statistics")
    held.wait_begun()
    return held.let_go


def report(rig: Rig, held: Held, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    """Ask for a report on such a disk."""

    def slow(folder: Path, lines: Any) -> Path:
        held.wait()
        return write_report(folder, lines)

    monkeypatch.setattr("umpi.recording.report.write_report", slow)
    rig.menu("Report a problem")
    held.wait_begun()
    return held.let_go


def hint(rig: Rig, held: Held, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    """Ask for a hint of a strategy that thinks until the test lets it."""
    wanted: list[FindHint] = []
    monkeypatch.setattr(rig.loop, "_find_hint", wanted.append)
    rig.menu("What would you do?")
    return lambda: rig.loop.inbox.post(HintFound(wanted[0].question, why="nothing"))


WAITS = {statistics: "Counting", report: "Writing the report", hint: "Hint follows"}


@pytest.mark.parametrize("ask", WAITS)
def test_a_match_goes_on_while_an_answer_is_held_and_the_late_answer_is_dropped(
    rig: Rig, held: Held, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    let_go = ask(rig, held, monkeypatch)
    assert rig.shows(WAITS[ask]), rig.screen
    if ask is not hint:  # which is shown with the question
        rig.press("back")
        assert rig.shows("Final dice"), rig.screen
        assert not rig.shows(WAITS[ask])
    for turn in range(1, TURNS + 1):
        rig.press("red blue yellow")
        assert rig.acts == ["throw", "stop"] * turn
        assert rig.lines == len(rig.acts), "on disk before it is shown"
    before = rig.screen
    let_go()
    rig.loop.finish_finding()
    assert rig.screen == before


@pytest.mark.parametrize("ask", WAITS)
def test_an_answer_that_is_waited_for_replaces_the_notice(
    rig: Rig, held: Held, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    let_go = ask(rig, held, monkeypatch)
    let_go()
    rig.loop.finish_finding()
    assert rig.shows({statistics: "0 matches", report: "session-1.jsonl", hint: "no hint"}[ask]), rig.screen


def steps_of_an_evening(rig: Rig) -> Counter[str]:
    """Play, leave, read the list of past matches, and resume; return the steps of SQLite and the calls of Umpi."""
    steps = Counter[str]()
    file: Any = rig.loop.journal._file

    def step() -> None:
        steps["sqlite"] += 1

    def call(frame: FrameType, event: str, _: object) -> None:
        steps["umpi"] += event == "call" and frame.f_code.co_filename.startswith(UMPI)

    file.set_progress_handler(step, 1)
    sys.setprofile(call)
    try:
        rig.press("red blue yellow")
        rig.menu("Exit match")
        rig.take("new game")
        rig.take("Past matches")
        rig.press("red")
    finally:
        sys.setprofile(None)
        file.set_progress_handler(None, 1)
    return steps


@pytest.mark.slow
def test_a_round_costs_as_many_steps_however_many_matches_are_kept(tmp_path: Path) -> None:
    """A list reads the newest matches by an index, and a match by its number."""
    found = []
    for life, matches in enumerate((FEW, FEW, FEW * 6)):  # in its first life, a box still loads what it needs
        folder = tmp_path / str(life)
        with closing(Journal(folder / "games.db")) as journal:
            journal.hold()  # one write for all of them
            for number in range(matches):
                match = journal.begin(dodeka_header())
                journal.append(match, [{"do": "stop"}], "panel", [1], {"places": [1, 2], "scores": [number, 0]})
                journal.close_match(match)
            journal.release()
            journal.leave(journal.begin(dodeka_header()))
        rigs = Rigs(folder)
        rig = rigs()
        rig.press("ok")
        found.append(steps_of_an_evening(rig))
        rigs.switch_off()
    _, few, many = found
    for what, least in (("sqlite", 1_000), ("umpi", 10_000)):
        assert few[what] > least, "counted"
        assert many[what] <= few[what] * 1.05, what


def test_what_is_said_aloud_reaches_the_voice_of_the_box(rigs: Rigs) -> None:
    said: list[tuple[str, str]] = []
    rig = rigs()
    rig.box.box.voice = SimpleNamespace(say=lambda *text: said.append(text), close=nothing)  # type: ignore[assignment]
    rig.loop._perform([SayAloud("À toi.", "fr")])
    assert said == [("À toi.", "fr")]
