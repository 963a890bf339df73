"""A virtual sensor head on a virtual cable: beams that break to edges on our clock, as devices.head tells them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from umpi.drivers.head import PAUSES_S, HeadState
from umpi.drivers.head_protocol import Distrust, Emitted, HeadEdge, Lost, Talk, Until
from umpi.kernel.messages import fault_text, message
from umpi.simulator.pico import VirtualPico

PORT = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_virtual"
CABLE_NS = 300_000  # what a piece takes from one end of the cable to the other
FAST_PPM = 12  # by how much its crystal is faster than ours
CHANGES = (b" dark ", b" light ", b" hit ")


class VirtualHead:
    """A sensor head that may be pulled and plugged in, to the box what `devices.head.Head` is; it is plugged in.

    It has no thread: `step` does what is due on `clock`, each thing at its own moment however late it is called, and
    tells it by the callbacks, which are Head's.
    """

    def __init__(
        self,
        lines: Sequence[str],
        clock: Callable[[], int],
        *,
        on_edge: Callable[[HeadEdge], object],
        on_lost: Callable[[int], object] = int,
        on_until: Callable[[int], object] = int,
        on_state: Callable[[HeadState], object] = repr,
        dark_low: bool = True,
        fast_ppm: int = FAST_PPM,
    ) -> None:
        self.path, self.state = PORT, HeadState("looking")
        self._lines, self._clock, self._dark_low = lines, clock, dark_low
        self._on_edge, self._on_lost, self._on_until, self._on_state = on_edge, on_lost, on_until, on_state
        self._had, self._failures = False, 0
        self._now_ns = clock()
        self._try_ns: int | None = None  # when the port is looked at again
        self._talk: Talk | None = None
        self._to_head: deque[tuple[int, bytes]] = deque()  # when it arrives, and what
        self._to_box: deque[tuple[int, bytes]] = deque()
        self._to_lose = 0
        self._emitted: Emitted | None = None
        self._blocked: set[str] = set()  # the beams something stands in
        self._pace = 1_000_000 + fast_ppm  # its microseconds in a million of ours
        self._starts = 0
        self._pico: VirtualPico | None = None
        self.plug()

    @property
    def dark(self) -> frozenset[str]:
        """The beams that are dark, none while the head is away."""
        return self._talk.dark if self._talk and self._talk.ready else frozenset()

    @property
    def about(self) -> Mapping[str, str | float]:
        """Who it is, and how its clock and its cable do; empty while it is away."""
        talk = self._talk
        if not talk or not talk.ready:
            return {}
        drift, off = talk.clock.drift_ppm()
        return {**talk.who, "drift_ppm": round(drift, 1), "drift_off_ppm": round(off, 1), "garbled": talk.garbled}

    def emit(self, lane: int, on: bool, timeout_s: float = 1.0, mute: bool = True) -> frozenset[str] | None:
        """Switch a lane's emitters and tell which beams are dark then; None where the head does not answer in time.

        The answer is there at once: the head runs ahead of the clock by what that takes.
        """
        self.step()
        self._emitted = None
        if self._talk:
            self._talk.emit(lane, on, mute)
        until_ns = self._now_ns + round(timeout_s * 1e9)
        while self._talk and not self._emitted and (due_ns := self.due_ns) is not None and due_ns <= until_ns:
            self._run(max(due_ns, self._now_ns))
        return self._emitted.dark if self._emitted else None

    def close(self) -> None:
        """Let go of it: nothing is told any more."""
        self._talk, self._try_ns = None, None

    def beam(self, line: str, dark: bool, at_ns: int | None = None) -> None:
        """Break a beam or let it see, at `at_ns` if that is not now; what is told must come in that order."""
        now_ns = self._run(self._clock() if at_ns is None else at_ns)
        (self._blocked.add if dark else self._blocked.discard)(line)
        if self._pico:
            self._pico.look(self._us(now_ns))
            self._carry(now_ns)

    def hit(self) -> None:
        """Hit the wall."""
        now_ns = self._run(self._clock())
        if self._pico:
            self._pico.hit(self._us(now_ns))
            self._carry(now_ns)

    def pull(self) -> None:
        """Pull its plug."""
        now_ns = self._run(self._clock())
        self._pico = None
        if self._talk:
            self._leave(message("the sensor head at {port} has been pulled out: plug it in", port=PORT), now_ns)

    def plug(self) -> None:
        """Plug it in: it starts anew, its stamps and numbers as well."""
        if self._pico:
            return
        self._born_ns = self._run(self._clock())
        self._starts += 1
        self._pico = VirtualPico(self._blocked, f"{self._starts:08x}")
        self._try_ns = self._born_ns if self._try_ns is None else self._try_ns

    def lose(self, lines: int) -> None:
        """Lose the next so many lines that tell of a change."""
        self._to_lose += lines

    def garble(self, data: bytes) -> None:
        """Let these bytes come out of the cable that nobody has put in."""
        self._to_box.append((self._run(self._clock()) + CABLE_NS, data))

    def step(self) -> int | None:
        """Do what is due; returns when the next is, None where nothing is before it is plugged in."""
        self._run(self._clock())
        return self.due_ns

    @property
    def due_ns(self) -> int | None:
        """When `step` next has something to do."""
        dues = [way[0][0] for way in (self._to_head, self._to_box) if way and self._talk]
        dues += [self._try_ns] if self._try_ns is not None else []
        if self._talk:
            dues.append(self._talk.due_ns)
            if self._pico:
                due_us = self._pico.due_us(self._us(self._now_ns))
                dues.append(self._born_ns - -due_us * 10**9 // self._pace)
        return min(dues, default=None)

    def _run(self, until_ns: int) -> int:
        """Do all that is due until then, each at its moment; returns what the time is."""
        while (due_ns := self.due_ns) is not None and due_ns <= until_ns:
            self._now_ns = max(due_ns, self._now_ns)
            try:
                self._turn(self._now_ns)
            except Distrust as fault:
                self._leave(message("{port}: {reason}", port=PORT, reason=fault_text(fault)), self._now_ns)
        self._now_ns = max(until_ns, self._now_ns)
        return self._now_ns

    def _turn(self, now_ns: int) -> None:
        if self._try_ns is not None and self._try_ns <= now_ns:
            self._try(now_ns)
        while self._pico and self._to_head and self._to_head[0][0] <= now_ns:
            self._pico.take(self._to_head.popleft()[1], self._us(now_ns))
        if self._pico:
            self._pico.step(self._us(now_ns))
            self._carry(now_ns)
        if self._talk:
            self._listen(self._talk, now_ns)

    def _try(self, now_ns: int) -> None:
        """Look at the port, and begin to talk where there is a head."""
        self._try_ns = None
        if not self._pico:
            self._failures = 0
            self._tell("gone" if self._had else "looking", message("no sensor head is plugged in"))
            return
        if not self._failures:
            self._tell("identifying", f"asking what is at {PORT} who it is")
        self._to_head.clear()
        self._to_box.clear()
        self._talk = Talk(self._lines, now_ns, self._dark_low)

    def _listen(self, talk: Talk, now_ns: int) -> None:
        heard = False
        while self._to_box and self._to_box[0][0] <= now_ns:
            heard = True
            self._hand_on(talk.receive(self._to_box.popleft()[1], now_ns))
            if talk.ready and self.state.name != "ready":
                if self._had:
                    self._on_lost(1)  # whatever happened while it was away
                self._had, self._failures = True, 0
                self._tell("ready", "")
        if out := talk.send(now_ns):
            self._to_head.append((now_ns + CABLE_NS, out))
        if not heard:
            talk.check(now_ns)

    def _hand_on(self, news: Iterable[Any]) -> None:
        for item in news:
            match item:
                case HeadEdge():
                    self._on_edge(item)
                case Lost(count):
                    self._on_lost(count)
                case Until(at_ns):
                    self._on_until(at_ns)
                case Emitted():
                    self._emitted = item

    def _leave(self, reason: str, now_ns: int) -> None:
        self._talk = None
        if self.state.name == "ready":
            self._on_lost(1)  # whatever was on its way
        self._failures += 1
        self._tell("gone" if self._had else "looking", reason)
        self._try_ns = now_ns + round(PAUSES_S[min(self._failures, len(PAUSES_S) - 1)] * 1e9)

    def _tell(self, name: Literal["looking", "identifying", "ready", "gone"], reason: str) -> None:
        state = HeadState(name, reason)
        if state != self.state:
            self.state = state
            self._on_state(state)

    def _carry(self, now_ns: int) -> None:
        """Put what the Pico says on the cable, but for what gets lost there."""
        assert self._pico
        said, self._pico.said = self._pico.said, []
        for line in said:
            if self._to_lose and any(change in line for change in CHANGES):
                self._to_lose -= 1
            elif self._talk:
                self._to_box.append((now_ns + CABLE_NS, line))

    def _us(self, now_ns: int) -> int:
        return (now_ns - self._born_ns) * self._pace // 10**9
