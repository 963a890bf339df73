"""A virtual sensor head on a virtual cable: it turns broken beams into edges on the box's clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from umpi.drivers.head_link import HeadLink, HeadReport, SensorHead, none_plugged, unplugged
from umpi.drivers.head_protocol import Answer, Distrust, Emitted, Faded, Talk
from umpi.kernel.messages import fault_text, message
from umpi.simulator.pico import VirtualPico

PORT = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_virtual"
CABLE_NS = 300_000  # delay of the cable
FAST_PPM = 12  # how much faster the head's crystal is than our clock
CHANGES = (b" dark ", b" light ", b" hit ")


class VirtualHead(SensorHead):
    """Simulate a sensor head with the interface of `drivers.head.Head`. It starts plugged in.

    It has no thread. `step` does everything that is due on `clock`, each thing with its own time stamp even if the call
    is late. It reports what Head reports.
    """

    def __init__(
        self,
        lines: Sequence[str],
        clock: Callable[[], int],
        *,
        report: Callable[[HeadReport], object],
        dark_low: bool = True,
        fast_ppm: int = FAST_PPM,
    ) -> None:
        self.path = PORT
        self._clock = clock
        super().__init__(HeadLink(lines, report, dark_low, self._answered))
        self._now_ns = clock()
        self._try_ns: int | None = None  # when to look at the port again
        self._to_head: deque[tuple[int, bytes]] = deque()  # arrival time in ns, bytes
        self._to_box: deque[tuple[int, bytes]] = deque()
        self._to_lose = 0
        self._emitted: Emitted | None = None
        self._faded: Faded | None = None
        self._blocked: set[str] = set()  # beams with something in them
        self._pace = 1_000_000 + fast_ppm  # the head's microseconds per million of ours
        self._starts = 0
        self._pico: VirtualPico | None = None
        self.plug()

    def emit(self, lane: int, on: bool, timeout_s: float = 1.0, mute: bool = True) -> frozenset[str] | None:
        """Switch a lane's emitters and return the dark beams, or None if the head does not answer in time.

        The answer is immediate: the head's time runs ahead of the clock by the time that the answer takes.
        """
        self._ask(lambda talk: talk.emit(lane, on, mute), lambda: self._emitted, timeout_s)
        return self._emitted.dark if self._emitted else None

    def fade(self, lane: int, timeout_s: float = 1.0) -> Mapping[str, int | None] | None:
        """Return after how many µs without its emitter each beam of a lane was dark; the answer is immediate."""
        self._ask(lambda talk: talk.fade(lane), lambda: self._faded, timeout_s)
        return self._faded.delays_us if self._faded else None

    def close(self) -> None:
        """Close the connection. The head reports nothing from then on."""
        self._try_ns = None
        self._link.leave()

    def beam(self, line: str, dark: bool, at_ns: int | None = None) -> None:
        """Block or clear a beam, at `at_ns` or now. Calls must be in order of time."""
        now_ns = self._run(self._clock() if at_ns is None else at_ns)
        (self._blocked.add if dark else self._blocked.discard)(line)
        if self._pico:
            self._pico.look(self._us(now_ns))
            self._carry(now_ns)

    def hit(self) -> None:
        """Simulate a knock on the wall."""
        now_ns = self._run(self._clock())
        if self._pico:
            self._pico.hit(self._us(now_ns))
            self._carry(now_ns)

    def pull(self) -> None:
        """Unplug the head."""
        now_ns = self._run(self._clock())
        self._pico = None
        if self._link.talk:
            self._leave(unplugged(PORT), now_ns)

    def plug(self) -> None:
        """Plug the head in. It restarts with new time stamps and numbers."""
        if self._pico:
            return
        self._born_ns = self._run(self._clock())
        self._starts += 1
        self._pico = VirtualPico(self._blocked, f"{self._starts:08x}")
        self._try_ns = self._born_ns if self._try_ns is None else self._try_ns

    def lose(self, lines: int) -> None:
        """Lose the next `lines` lines that report a change."""
        self._to_lose += lines

    def garble(self, data: bytes) -> None:
        """Insert bytes into the data from the head."""
        self._to_box.append((self._run(self._clock()) + CABLE_NS, data))

    def step(self) -> int | None:
        """Do what is due. Return when the next thing is due in ns, or None if nothing is due until it is plugged in."""
        self._run(self._clock())
        return self.due_ns

    @property
    def due_ns(self) -> int | None:
        """Return when `step` next has something to do, in ns, or None."""
        dues = [way[0][0] for way in (self._to_head, self._to_box) if way and self._link.talk]
        dues += [self._try_ns] if self._try_ns is not None else []
        if talk := self._link.talk:
            dues.append(talk.due_ns)
            if self._pico:
                due_us = self._pico.due_us(self._us(self._now_ns))
                dues.append(self._born_ns - -due_us * 10**9 // self._pace)
        return min(dues, default=None)

    def _run(self, until_ns: int) -> int:
        """Do everything that is due until `until_ns`, each at its own time. Return the time in ns."""
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
        if self._link.talk:
            self._listen(now_ns)

    def _try(self, now_ns: int) -> None:
        """Look at the port, and start the protocol if a head is plugged in."""
        self._try_ns = None
        if not self._pico:
            self._link.miss(none_plugged())
            return
        self._to_head.clear()
        self._to_box.clear()
        self._link.connect(PORT, now_ns)

    def _listen(self, now_ns: int) -> None:
        talk = self._link.talk
        assert talk
        received = False
        while self._to_box and self._to_box[0][0] <= now_ns:
            received = True
            self._link.receive(self._to_box.popleft()[1], now_ns)
        if out := talk.send(now_ns):
            self._to_head.append((now_ns + CABLE_NS, out))
        if not received:
            talk.check(now_ns)

    def _ask(self, ask: Callable[[Talk], object], answer: Callable[[], object], timeout_s: float) -> None:
        """Ask the head now, and do what is due until it has answered or the time is up."""
        until_ns = self._run(self._clock()) + round(timeout_s * 1e9)
        self._emitted = self._faded = None
        if talk := self._link.talk:
            ask(talk)
        while self._link.talk and not answer() and (due_ns := self.due_ns) is not None and due_ns <= until_ns:
            self._run(max(due_ns, self._now_ns))

    def _answered(self, answer: Answer) -> None:  # a virtual Pico is never asked to blink
        if isinstance(answer, Emitted):
            self._emitted = answer
        elif isinstance(answer, Faded):
            self._faded = answer

    def _leave(self, reason: str, now_ns: int) -> None:
        self._link.lose(reason)
        self._try_ns = now_ns + round(self._link.pause_s * 1e9)

    def _carry(self, now_ns: int) -> None:
        """Put the Pico's lines on the cable, except those that are to be lost."""
        assert self._pico
        lines, self._pico.output = self._pico.output, []
        for line in lines:
            if self._to_lose and any(change in line for change in CHANGES):
                self._to_lose -= 1
            elif self._link.talk:
                self._to_box.append((now_ns + CABLE_NS, line))

    def _us(self, now_ns: int) -> int:
        return (now_ns - self._born_ns) * self._pace // 10**9
