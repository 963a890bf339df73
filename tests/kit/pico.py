"""A Pico without a Pico: the head's own modules on fake pins, on a bench in virtual time or behind a pty."""

from __future__ import annotations

import os
import subprocess
import sys
import tty
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware" / "sensor_head"
sys.path.insert(0, str(FIRMWARE))

from tests.kit.viper import install  # noqa: E402

install()

from ring import PERIOD, Ring  # noqa: E402
from sensing import PINS, Head  # noqa: E402

from umpi.drivers.head_protocol import Distrust, HeadEdge, Talk  # noqa: E402
from umpi.drivers.tcs34725 import ADDRESS, I2cBus  # noqa: E402
from umpi.kernel.nothing import nothing  # noqa: E402
from umpi.timing.events import Lost, Until  # noqa: E402

MS, US = 1_000_000, 1_000


class Board:
    """The hardware of a head: receivers pull their pin low while dark, as they are while their emitter is off.

    `set` is what the sampler does with a change: it writes the levels of all pins, and the stamp, into the ring.
    """

    board = "e66160f423782934"

    def __init__(self, boot: str, ticks_us: Callable[[], int], size: int = 512) -> None:
        self.boot = boot
        self.words = array("I", bytes(8 * size))
        self.written = 0
        self.ring = Ring(self.words, 0, size, lambda: self.written % size)
        self.levels = 0
        self.emitters: dict[int, bool] = {}
        self.blocked: Callable[[int], bool] = lambda pin: False
        self.wiring: Callable[[], dict[str, int]] = lambda: PINS
        self._ticks_us = ticks_us
        self._pulled: set[int] = set()
        self.sensor: I2cBus | None = None  # the colour sensor, if one is plugged in

    def watch(self, beams: Sequence[int], wall: int | None) -> None:
        for pin in set(beams) - self._pulled:
            self._pulled.add(pin)
            self.set(pin, int(not self.blocked(pin)))

    def emit(self, pin: int, on: bool) -> None:
        if self.emitters.get(pin, True) == on:
            return
        self.emitters[pin] = on
        wiring = self.wiring()
        lane = next(name[-1] for name, number in wiring.items() if number == pin and name.startswith("emitter"))
        for receiver in (wiring[f"lane_{lane}"], wiring[f"second_{lane}"]):
            self.set(receiver, int(on and not self.blocked(receiver)))

    def put(self, register: int, value: int) -> bytes | None:
        return self._transfer(lambda sensor: sensor.write_byte_data(ADDRESS, register, value))

    def get(self, register: int, count: int) -> bytes | None:
        return self._transfer(lambda sensor: sensor.read_i2c_block_data(ADDRESS, register, count))

    def _transfer(self, what: Callable[[I2cBus], list[int] | None]) -> bytes | None:
        try:
            return bytes(what(self.sensor) or ()) if self.sensor else None
        except OSError:
            return None

    def set(self, *changes: int) -> None:
        """Set pins to levels at one moment: pin, level, and so on."""
        before = self.levels
        for pin, level in zip(changes[::2], changes[1::2], strict=True):
            self.levels = self.levels & ~(1 << pin) | level << pin
        if self.levels != before:
            here = self.written % self.ring.size
            self.words[here], self.words[self.ring.size + here] = self.levels, self._ticks_us()
            self.written += 1


class Pico:
    """The head itself, its lines in `sent`."""

    def __init__(self, ticks_us: Callable[[], int] = lambda: 0, boot: str = "0badcafe") -> None:
        self.sent = bytearray()
        self.board = Board(boot, ticks_us)
        self.head = Head(self.board, ticks_us, self.sent.extend)
        self._blocked: set[str] = set()
        self.board.wiring = lambda: self.head._pins
        self.board.blocked = lambda pin: pin in (self.head._pins[name] for name in self._blocked)

    def move(self, name: str, dark: bool) -> None:
        """Darken a beam or let it see; the wall is hit."""
        pin = self.head._pins[name]
        if name == "wall":
            self.board.set(pin, 1)
            self.board.set(pin, 0)
        else:
            (self._blocked.add if dark else self._blocked.discard)(name)
            self.board.set(pin, int(not dark))

    def answers(self, text: str) -> list[str]:
        """Say something to it and return what it says, without checksums."""
        self.sent.clear()
        self.head.take(text.encode() + b"\n")
        return [line.rpartition(" *")[0] for line in self.sent.decode().splitlines()]


Move = tuple[int, str, bool]  # when, which line, dark


class Bench:
    """A head, a cable and a talk in virtual time; `delay` is how long a piece takes on the cable in nanoseconds.

    `ppm` may be changed at any time; `stalled` keeps either end from doing anything; `spoil` may change what the head
    says on its way.
    """

    STEP_NS = 1 * MS

    def __init__(self, lines: Sequence[str], delay: Callable[[], int] = lambda: 300 * US, ticks: int = 0) -> None:
        self.lines, self.delay = lines, delay
        self.now_ns = 10**12
        self.ppm = 0.0
        self.stalled: set[str] = set()
        self.spoil: Callable[[bytes], bytes] = bytes
        self._head_ns, self._step_ns = float(ticks * US), self.now_ns
        self._to_head: deque[tuple[int, bytes]] = deque()
        self._to_box: deque[tuple[int, bytes]] = deque()
        self.edges: list[HeadEdge] = []
        self.lost = 0
        self.until_ns = 0
        self.distrust = ""
        self.moved: list[tuple[str, bool, int]] = []
        self.on_news: Callable[[Any], object] = nothing
        self.plug_in()

    def plug_in(self, boot: str = "0badcafe") -> None:
        """Start the head."""
        self.pico = Pico(lambda: int(self._head_ns // US) % PERIOD, boot)
        self.call()

    def call(self) -> None:
        """Begin a new conversation."""
        self.talk = Talk(self.lines, self.now_ns)
        self.distrust = ""
        self._to_head.clear()
        self._to_box.clear()

    def ready(self) -> Bench:
        """Talk until the head is trusted."""
        for _ in range(10_000):
            if self.talk.ready:
                return self
            self.run(self.STEP_NS)
        raise AssertionError(f"never ready: {self.distrust}")

    def run(self, for_ns: int, moves: Iterable[Move] = ()) -> None:
        """Advance the time; `moves` are in nanoseconds from now, in order."""
        start_ns, until_ns = self.now_ns, self.now_ns + for_ns
        left = deque(moves)
        while self.now_ns < until_ns:
            next_ns = min(self._step_ns + self.STEP_NS, until_ns)
            while left and start_ns + left[0][0] <= next_ns:
                at_ns, name, dark = left.popleft()
                self._pass(start_ns + at_ns)
                self.moved.append((name, dark, self.now_ns))
                self.pico.move(name, dark)
            self._pass(next_ns)
            if next_ns == self._step_ns + self.STEP_NS:
                self._step_ns = next_ns
                self._head_turn()
                self._box_turn()

    def _pass(self, now_ns: int) -> None:
        self._head_ns += (now_ns - self.now_ns) * (1 + self.ppm / 1e6)
        self.now_ns = now_ns

    def _head_turn(self) -> None:
        if "head" in self.stalled:
            return
        while self._to_head and self._to_head[0][0] <= self.now_ns:
            self.pico.head.take(self._to_head.popleft()[1])
        self.pico.head.step()
        if self.pico.sent:
            self._send(self._to_box, self.spoil(bytes(self.pico.sent)))
            self.pico.sent.clear()

    def _box_turn(self) -> None:
        if "box" in self.stalled or self.distrust:
            return
        try:
            while self._to_box and self._to_box[0][0] <= self.now_ns:
                for news in self.talk.receive(self._to_box.popleft()[1], self.now_ns):
                    self._take(news)
            if data := self.talk.send(self.now_ns):
                self._send(self._to_head, data)
            self.talk.check(self.now_ns)
        except Distrust as fault:
            self.distrust = str(fault)

    def _send(self, way: deque[tuple[int, bytes]], data: bytes) -> None:
        arrives_ns = self.now_ns + self.delay()
        way.append((max(arrives_ns, way[-1][0]) if way else arrives_ns, data))

    def _take(self, news: object) -> None:
        match news:
            case HeadEdge():
                self.edges.append(news)
            case Lost(count):
                self.lost += count
            case Until(at_ns):
                assert at_ns >= self.until_ns
                self.until_ns = at_ns
            case _:
                pass  # only `on_news` looks at the rest
        self.on_news(news)


def fall(line: str, at_ms: float, for_ms: float = 14) -> list[Move]:
    """One cube through one beam."""
    return [(round(at_ms * MS), line, True), (round((at_ms + for_ms) * MS), line, False)]


def moves_of(edges: Iterable[Any], from_ns: int = 0) -> list[Move]:
    """The edges of a chute as moves of the lines."""
    return [
        (edge.t - from_ns, f"{('lane', 'second')[edge.beam]}_{edge.lane + 1}", edge.dark)
        for edge in sorted(edges, key=lambda edge: (edge.t, edge.seq))
    ]


def garble(data: bytes, chance: Random) -> bytes:
    """Spoil bytes as a bad cable, or a foe without the checksum, would."""
    spoilt = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        where = chance.randrange(len(spoilt) + 1)
        match chance.randrange(5):
            case 0 if where < len(spoilt):
                spoilt[where] ^= 1 << chance.randrange(8)
            case 1:
                del spoilt[where : where + chance.randint(1, 40)]
            case 2:
                spoilt[where:where] = chance.randbytes(chance.randint(1, 60))
            case 3:
                spoilt[where:where] = spoilt[: chance.randint(0, 40)]
            case _:
                spoilt[where:where] = b"\n" * chance.randint(1, 3)
    return bytes(spoilt)


class PicoProcess:
    """The real main.py on a fake `machine`, behind a pty that `path` leads to; time is real here."""

    def __init__(self, path: Path, main: Path = FIRMWARE / "main.py") -> None:
        self.path = path
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        hands, self._hands = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-m", "tests.kit.pico_process", str(main), str(hands)],
            cwd=ROOT,
            stdin=self._master,
            stdout=self._master,
            pass_fds=(hands,),
        )
        os.close(hands)
        path.symlink_to(os.ttyname(self._slave))

    def move(self, *moves: tuple[int, int]) -> None:
        """Set pins to levels, one right after the other."""
        os.write(self._hands, b"".join(b"%d %d\n" % move for move in moves))

    def pull(self) -> None:
        """Pull the plug."""
        if self.path.is_symlink():
            self.path.unlink()
            self._process.kill()
            self._process.wait()
            for handle in (self._master, self._slave, self._hands):
                os.close(handle)


def garbage_on_the_cable(chance: Random, size: int) -> dict[str, int]:
    """Spoil a head's lines until `size` bytes have passed: every reported edge is true, every other one counts as lost.

    After withdrawn trust the handshake starts again; cubes that fall meanwhile belong to nobody.
    """
    bench = Bench(("lane_1", "lane_2", "wall"))
    passed = {"bytes": 0, "spoilt": 0, "edges": 0, "lost": 0, "distrusted": 0}

    def spoil(data: bytes) -> bytes:
        passed["bytes"] += len(data)
        if chance.random() > 0.05:
            return data
        passed["spoilt"] += 1
        return garble(data, chance)

    while passed["bytes"] < size:
        bench.spoil = bytes
        bench.call()
        bench.ready()
        bench.edges, bench.moved, bench.lost, bench.spoil = [], [], 0, spoil
        for _ in range(30):
            line = chance.choice(bench.lines)
            bench.run(40 * MS, [(MS, "wall", True)] if line == "wall" else fall(line, 1, chance.randint(1, 30)))
            if bench.distrust:
                break
        bench.spoil = bytes
        bench.run(1200 * MS)
        left = iter(bench.moved)
        for edge in bench.edges:
            assert any(
                (name, dark) == (edge.line, edge.active) and abs(edge.at_ns - at_ns) <= edge.off_ns
                for name, dark, at_ns in left
            ), f"nothing moved as {edge} says"
        if bench.distrust:
            passed["distrusted"] += 1
        else:
            assert len(bench.edges) + bench.lost == len(bench.moved)
        passed["edges"] += len(bench.edges)
        passed["lost"] += bench.lost
    return passed
