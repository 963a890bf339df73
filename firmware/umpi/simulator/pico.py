"""A virtual Pico: it turns beams and the box's bytes into lines of PROTOCOL.md, in its own microseconds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from zlib import crc32

from umpi.box.config import EMITTER_PINS, HEAD_PINS, WALL_PIN
from umpi.drivers.tcs34725 import ADDRESS, I2cBus

BEAT_US, QUICK_US = 500_000, 20_000  # between beats, and after a change
LIVELY_US = 1_000_000  # how long after a change the quick beat lasts
BLINK_US = 3000  # how long `emit all blink` switches the emitters off
FADE_US = 77  # of a clear beam of a beam board
SETTLE_US = 20_000  # how long receivers may take to follow an emitter

LANES = range(1, 7)
PINS = {**HEAD_PINS, "wall": WALL_PIN, **{name: pin for pin, name in EMITTER_PINS.items()}}


class VirtualPico:
    """Simulate the sensor head's program from its start.

    `us` is always its own time since then in microseconds, and never decreases. `blocked` contains the beams with
    something in them: call `look` after a change. `output` collects its lines with their ends, until the caller removes
    them. `sensor` is the bus of the colour sensor at it, None without one.
    """

    board = "e66160f423782934"
    firmware = "2.3"

    def __init__(self, blocked: Collection[str], boot: str, sensor: I2cBus | None = None) -> None:
        self._sensor = sensor
        self.output: list[bytes] = []
        self._blocked, self._boot = blocked, boot
        self._rest = b""
        self._changes = 0
        self._off: set[int] = set()  # the lanes whose emitters are off
        self._shine_us: int | None = None  # when a blink or a fade ends
        self._shining: set[int] = set()  # the lanes that shine again then
        self._beaten_us, self._lively_us = 0, 0
        self._settling: list[tuple[int, str]] = []
        self._pins, self._watched, self._level = dict(PINS), [line for line in PINS if _lane(line)], "low"
        self._dark = self._seen()
        self._commands: dict[str, Callable[[list[str], int], None]] = {
            "hello": self._hello, "ping": self._ping, "levels": self._levels, "lines": self._lines, "emit": self._emit,
            "fade": self._fade, "colour": self._colour,
        }  # fmt: skip

    def take(self, data: bytes, us: int) -> None:
        """Receive bytes of the box."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in filter(None, lines):
            text = _unsealed(line)
            word, *words = (text or "").split() or [""]
            if text is None:
                self._sorry("-", "that line was garbled on its way")
            elif word not in self._commands:
                self._sorry("-", f"what is that? There are: {', '.join(sorted(self._commands))}")
            else:
                self._commands[word](words, us)

    def look(self, us: int) -> None:
        """Report the beams that have changed."""
        seen = self._seen()
        for line in self._watched:
            if (line in seen) != (line in self._dark):
                self._change("dark" if line in seen else "light", line, us)
        self._dark = seen

    def hit(self, us: int) -> None:
        """Report a hit on the wall if the box watches it."""
        if "wall" in self._watched:
            self._change("hit", "wall", us)

    def step(self, us: int) -> None:
        """Send a beat and the delayed answers that are due."""
        if self._shine_us is not None and us >= self._shine_us:
            self._shine_us = None
            self._off -= self._shining
            self.look(us)
        while self._settling and us >= self._settling[0][0]:
            text = self._settling.pop(0)[1]
            self._send(text if text.startswith("fade") else f"{text} {self._how()}")
        if us >= self._beat_us(us):
            self._beaten_us = us
            self._send(f"beat {us}")

    def due_us(self, us: int) -> int:
        """Return when `step` next has something to do, in microseconds."""
        shines = [] if self._shine_us is None else [self._shine_us]
        return min([self._beat_us(us), *shines, *(due_us for due_us, _ in self._settling)])

    def _beat_us(self, us: int) -> int:
        return self._beaten_us + (QUICK_US if us < self._lively_us else BEAT_US)

    def _seen(self) -> set[str]:
        return {line for line in self._watched if line in self._blocked or _lane(line) in self._off}

    def _change(self, what: str, line: str, us: int) -> None:
        self._changes += 1
        self._lively_us = us + LIVELY_US
        self._send(f"{what} {line} {us}")

    def _send(self, text: str) -> None:
        self.output.append(_sealed(f"{self._changes} {text}") + b"\n")

    def _sorry(self, command: str, why: str) -> None:
        self._send(f"sorry {command} {why}")

    def _hello(self, words: list[str], us: int) -> None:
        spoken = [int(word) if word.isdigit() else 0 for word in words] or [1]
        if not spoken[0] <= 1 <= spoken[-1]:
            why = f"this head speaks protocol 1, the box {spoken[0]} to {spoken[-1]}: update the older one"
            self._sorry("hello", why)
            return
        self._send(f"hello umpi-head protocol=1 firmware={self.firmware} board={self.board} boot={self._boot}")
        self._off.clear()
        self.look(us)

    def _ping(self, words: list[str], us: int) -> None:
        self._send(f"pong {words[0][:15] if words else '-'} {us}")

    def _levels(self, words: list[str], us: int) -> None:
        self._send(f"levels {self._how()}")

    def _how(self) -> str:
        return " ".join(f"{line}={'dark' if line in self._dark else 'light'}" for line in self._watched if _lane(line))

    def _lines(self, words: list[str], us: int) -> None:
        """Watch only these lines. Their present state is not a change."""
        given = {name: value for name, _, value in (word.partition("=") for word in words)}
        self._level = given.pop("dark", "low") if words else self._level
        if unknown := [name for name in given if name not in PINS]:
            why = f"there is no {unknown[0][:20]}: lane_1, second_1, emitter_1 to 6, and wall"
            self._sorry("lines", why)
            return
        if words:
            self._pins = PINS | {name: int(value) for name, value in given.items() if value.isdigit()}
            self._watched = [name for name in given if not name.startswith("emitter_")]
            self._off.clear()
            self._dark = self._seen()
        watched = [*self._watched, *(f"emitter_{lane}" for lane in LANES)]
        self._send(f"lines {' '.join(f'{name}={self._pins[name]}' for name in watched)} dark={self._level}")

    def _emit(self, words: list[str], us: int) -> None:
        if words == ["all", "blink"]:
            self._off.update(LANES)
            self.look(us)
            self._shine_us, self._shining = us + BLINK_US, set(LANES)
            self._settling.append((us + SETTLE_US, "emit all blink"))
            return
        if len(words) != 2 or not words[0].startswith("lane_") or words[0] not in PINS or words[1] not in ("on", "off"):
            self._sorry("emit", "it needs a lane, and on or off, as in: emit lane_1 off")
            return
        (self._off.discard if words[1] == "on" else self._off.add)(_lane(words[0]))
        self.look(us)
        self._settling.append((us + SETTLE_US, f"emit {words[0]} {words[1]}"))

    def _fade(self, words: list[str], us: int) -> None:
        if len(words) != 1 or not words[0].startswith("lane_") or words[0] not in PINS:
            self._sorry("fade", "it needs a lane, as in: fade lane_1")
            return
        lane = _lane(words[0])
        own = [line for line in self._watched if _lane(line) == lane]
        delays = " ".join(f"{line}={0 if line in self._dark else FADE_US}" for line in own)
        self._off.add(lane)
        self.look(us)
        self._shine_us, self._shining = us + BLINK_US, {lane}
        self._settling.append((us + SETTLE_US, f"fade {words[0]} {delays}"))

    def _colour(self, words: list[str], us: int) -> None:
        try:
            how, register, value = words[0], int(words[1], 16), int(words[2], 16)
        except (IndexError, ValueError):
            self._sorry("colour", "it needs put, register and value, or get, register and at most d")
            return
        try:
            if self._sensor is None:
                raise OSError
            if how == "put":
                self._sensor.write_byte_data(ADDRESS, register, value)
                data = "ok"
            else:
                data = bytes(self._sensor.read_i2c_block_data(ADDRESS, register, value)).hex()
        except OSError:
            data = "-"
        self._send(f"colour {how} {words[1]} {data}")


def _lane(line: str) -> int:
    """Return the lane of a beam, or 0 for another line."""
    return int(line[-1]) if line.startswith(("lane_", "second_")) else 0


def _sealed(text: str) -> bytes:
    return f"{text} *{crc32(text.encode()):08x}".encode()


def _unsealed(line: bytes) -> str | None:
    """Return the words of a command, or None if its checksum is wrong. A command may omit the checksum."""
    text, star, _ = line.decode("ascii", "replace").strip("\r").rpartition(" *")
    if not star:
        return None if b"*" in line else line.decode("ascii", "replace").strip("\r")
    return text if _sealed(text) == line.strip(b"\r") else None
