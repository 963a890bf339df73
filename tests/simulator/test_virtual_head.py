"""The virtual sensor head: it talks as the real one does, and is lost and found as the real one is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.kit.pico import Pico
from umpi.drivers.head import prove
from umpi.drivers.head_link import HeadReport, HeadState
from umpi.drivers.head_protocol import HeadEdge, Lost, Until
from umpi.simulator.head import CABLE_NS, PORT, VirtualHead
from umpi.simulator.pico import VirtualPico

US, MS, SECOND = 1000, 1_000_000, 1_000_000_000
LINES = ("lane_1", "lane_2", "second_1=26", "second_2", "wall")
PULLED = f"the sensor head at {PORT} was unplugged: plug it in"


class Watched:
    """A virtual head in injected time; `reported` is all that it reported, except Until."""

    def __init__(self, fast_ppm: int = 12) -> None:
        self.now_ns = 7 * SECOND
        self.reported: list[Any] = []
        self.until_ns = 0
        self.head = VirtualHead(
            LINES,
            lambda: self.now_ns,
            report=self._report,
            fast_ppm=fast_ppm,
        )

    def _report(self, report: HeadReport) -> None:
        match report:
            case HeadEdge():
                self.reported.append(report)
            case Lost(count):
                self.reported.append(f"lost {count}")
            case Until(at_ns):
                assert self.until_ns <= at_ns
                self.until_ns = at_ns
            case HeadState(name, reason):
                self.reported.append(f"{name}: {reason}")

    def wait_ms(self, ms: float) -> None:
        until_ns = self.now_ns + round(ms * MS)
        while (due_ns := self.head.step()) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
        self.now_ns = until_ns
        self.head.step()

    def ready(self) -> Watched:
        self.wait_ms(100)
        assert self.head.state.name == "ready"
        self.reported.clear()
        return self

    @property
    def edges(self) -> list[HeadEdge]:
        return [reported for reported in self.reported if isinstance(reported, HeadEdge)]

    @property
    def others(self) -> list[str]:
        """Return the reports other than edges; of a state only its name."""
        return [reported.partition(":")[0] for reported in self.reported if isinstance(reported, str)]


@pytest.mark.parametrize("fast_ppm", [0, 40, -40, 500])
def test_edges_come_with_the_stamps_they_were_made_at_within_their_bound(fast_ppm: int) -> None:
    watched = Watched(fast_ppm).ready()
    watched.wait_ms(4321)
    made = []
    for turn in range(40):
        made.append(("lane_1", turn % 2 == 0, watched.now_ns))
        watched.head.beam(*made[-1][:2])
        watched.wait_ms(1.7 + turn / 9)
    watched.wait_ms(50)
    assert [(edge.line, edge.active) for edge in watched.edges] == [(line, dark) for line, dark, _ in made]
    for edge, (_, _, at_ns) in zip(watched.edges, made, strict=True):
        assert abs(edge.at_ns - at_ns) <= edge.off_ns < MS
    for (one, other), (before, after) in zip(pairwise(watched.edges), pairwise(made), strict=True):
        assert abs((other.at_ns - one.at_ns) - (after[2] - before[2])) <= 2 * US + 3 * MS * abs(fast_ppm) // 500_000


def test_edges_keep_their_stamps_however_late_the_head_is_looked_after() -> None:
    """A page in a browser looks when it can: beams that broke meanwhile broke when they did."""
    prompt, late = Watched().ready(), Watched().ready()
    plan = [(prompt.now_ns + 120 * MS, True), (prompt.now_ns + 134 * MS, False)]
    late.now_ns += 400 * MS
    for at_ns, dark in plan:
        prompt.wait_ms((at_ns - prompt.now_ns) / MS)
        prompt.head.beam("lane_1", dark)
        late.head.beam("lane_1", dark, at_ns)
    prompt.wait_ms(500)
    late.wait_ms(500)
    assert late.reported == prompt.reported
    assert len(late.edges) == 2


def test_until_follows_the_clock_quickly_while_edges_come_and_twice_a_second_else() -> None:
    watched = Watched().ready()
    watched.wait_ms(3000)
    assert watched.now_ns - watched.until_ns <= 510 * MS
    watched.head.beam("lane_1", True)
    for _ in range(50):
        watched.wait_ms(19)
        assert 0 <= watched.now_ns - watched.until_ns <= 41 * MS


@pytest.mark.parametrize("lines", [1, 3])
def test_changes_lost_on_the_cable_are_reported_before_the_next_edge(lines: int) -> None:
    watched = Watched().ready()
    watched.head.lose(lines)
    for turn in range(lines + 1):
        watched.head.beam("lane_2", turn % 2 == 0)
    watched.wait_ms(1)
    *lost, edge = watched.reported
    assert sum(int(reported.removeprefix("lost ")) for reported in lost) == lines
    assert isinstance(edge, HeadEdge)
    watched.reported.clear()
    watched.head.lose(1)
    watched.head.beam("lane_1", True)
    watched.wait_ms(30)
    assert watched.reported == ["lost 1"], "where no edge follows, the beat tells"


@pytest.mark.parametrize("noise", [b"\xff\x00\n", b"no line of its\n", b"17 dark lane_1 12345 *00000000\n"])
def test_garbled_lines_are_ignored(noise: bytes) -> None:
    watched = Watched().ready()
    watched.head.garble(noise)
    watched.head.beam("lane_1", True)
    watched.wait_ms(100)
    assert len(watched.edges) == 1
    assert watched.others == []
    assert watched.head.about["garbled"] == 1


def test_a_line_of_another_head_restarts_the_handshake() -> None:
    forged = VirtualPico(set(), "another")
    forged.step(500_000)
    watched = Watched().ready()
    for _ in range(2):
        watched.reported.clear()
        watched.wait_ms(2000)
        watched.head.garble(forged.output[0])
        watched.wait_ms(5)
        assert watched.others == ["lost 1", "gone"]
        assert "clock went back" in watched.head.state.reason
        watched.wait_ms(600)
        assert watched.others == ["lost 1", "gone", "lost 1", "ready"]


def test_pulled_in_play_it_says_so_and_that_edges_may_be_lost_and_comes_back() -> None:
    watched = Watched().ready()
    watched.head.beam("lane_1", True)
    watched.head.pull()
    assert watched.reported == ["lost 1", f"gone: {PULLED}"], "what was on the cable is gone"
    assert watched.head.dark == frozenset()
    assert watched.head.about == {}
    watched.head.beam("lane_2", True)
    watched.wait_ms(5000)
    assert watched.reported[2:] == ["gone: no sensor head is plugged in"]
    assert watched.head.step() is None, "nothing to do before it is plugged in"
    watched.head.plug()
    watched.wait_ms(100)
    assert watched.others[3:] == ["identifying", "lost 1", "ready"]
    assert watched.edges == [], "earlier changes are not reported as if they happened now"
    assert watched.head.dark == {"lane_1", "lane_2"}
    watched.head.beam("lane_2", False)
    watched.wait_ms(1)
    assert abs(watched.edges[0].at_ns - watched.now_ns) < 2 * MS
    assert watched.head.about["boot"] == "00000002"


def test_a_head_that_falls_silent_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched().ready()
    monkeypatch.setattr(watched.head, "_carry", lambda now_ns: watched.head._pico.output.clear())
    watched.wait_ms(2600)
    assert watched.others == ["lost 1", "gone"]
    assert "went silent" in watched.head.state.reason


@pytest.mark.parametrize("after_us", [0, 200, 700, 1300, 2500, 4000])
def test_pulled_while_it_is_asked_who_it_is_nothing_is_lost(after_us: int) -> None:
    watched = Watched()
    watched.wait_ms(after_us / 1000)
    watched.head.pull()
    watched.wait_ms(2000)
    assert set(watched.others) <= {"identifying", "looking"}
    watched.head.plug()
    watched.wait_ms(100)
    assert watched.others[-1] == "ready"
    assert "lost 1" not in watched.others, "it had not been trusted before"


def test_a_closed_head_reports_no_more_edges() -> None:
    watched = Watched().ready()
    watched.head.close()
    watched.head.beam("lane_1", True)
    watched.wait_ms(3000)
    assert watched.reported == []
    assert watched.head.emit(1, False) is None


def test_its_beams_are_proven_by_their_emitters() -> None:
    watched = Watched().ready()
    proven: Any = watched.head
    assert prove(proven, 2) == dict.fromkeys(("lane_1", "lane_2", "second_1", "second_2"), "")
    watched.wait_ms(200)
    assert watched.edges == [], "edges of a lane are passed over while its emitters are off"
    watched.now_ns += 400 * MS
    watched.head.emit(2, False, mute=False)
    assert [(edge.line, edge.active) for edge in watched.edges] == [("lane_2", True), ("second_2", True)]
    assert all(edge.at_ns >= watched.now_ns for edge in watched.edges), "they are switched when somebody asks for it"
    watched.head.emit(2, True)
    watched.head.beam("second_1", True)
    watched.wait_ms(200)
    assert prove(proven, 2)["second_1"].startswith("dark although its emitter is on")
    assert watched.head.dark == {"second_1"}
    assert watched.head.fade(1) == {"lane_1": 77, "second_1": 0}


def test_the_cable_takes_its_time() -> None:
    watched = Watched().ready()
    watched.head.hit()
    watched.wait_ms((CABLE_NS - 1) / MS)
    assert watched.edges == []
    watched.wait_ms(1e-6)
    assert [(edge.line, edge.active) for edge in watched.edges] == [("wall", True)]


COMMANDS = (
    "hello 1 1", "hello 2 9", "hello", "ping 7", "ping 7 *959a6566", "ping 8 *959a6566",
    "ping 12345678901234567890", "levels", "lines",
    "colour", "colour put 80 3", "colour get b2 a", "colour get b2", "colour get g 1",
    "lines foo", "emit lane_9 off", "emit lane_2 off", "levels", "hello 1 3", "levels",
    "lines lane_1 second_1=26 lane_6 wall dark=low", "levels", "lines", "levels", "ping",
    "emit all blink", "levels", "emit lane_1 off", "emit lane_1 on", "emit second_1 off", "emit lane_1 of", "emit",
    "fade lane_9", "fade second_1", "fade", "fade lane_1 lane_2",
)  # fmt: skip


def test_it_says_what_the_real_one_says() -> None:
    """firmware/sensor_head is the real one; both receive the same commands and edges."""
    us = [0]
    real = Pico(lambda: us[0], "5f3a0c11")
    blocked: set[str] = set()
    virtual = VirtualPico(blocked, "5f3a0c11")

    def outputs() -> tuple[str, str]:
        virtual.step(us[0])
        real.head.step()
        both = bytes(real.sent).decode(), b"".join(virtual.output).decode()
        real.sent.clear()
        virtual.output.clear()
        return both

    for command in COMMANDS:
        us[0] += 3_000
        virtual.take(command.encode() + b"\n", us[0])
        real.head.take(command.encode() + b"\n")
        for _ in range(60):
            us[0] += 1000
            from_real, from_virtual = outputs()
            assert from_virtual == from_real, command
        for line in ("lane_1", "second_1", "lane_6") if command != "emit lane_1 off" else ():
            us[0] += 4_500
            (blocked.discard if line in blocked else blocked.add)(line)
            virtual.look(us[0])
            real.move(line, line in blocked)
        real.move("wall", True)
        virtual.hit(us[0])
        us[0] += 30_000
        from_real, from_virtual = outputs()
        assert from_virtual == from_real, command
