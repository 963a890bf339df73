"""Turns changes of the pins and commands of the host into the lines of PROTOCOL.md. Uses no hardware."""

from changes import Changes
from ring import MASK, Clock
from wire import Reader, seal, unseal

PROTOCOL = 1
FIRMWARE = "2.3"

LANES = range(1, 7)
PINS = {  # GP numbers, as in README.md
    "lane_1": 2, "lane_2": 3, "lane_3": 4, "lane_4": 5, "lane_5": 6, "lane_6": 7,
    "second_1": 8, "second_2": 9, "second_3": 10, "second_4": 11, "second_5": 12, "second_6": 13,
    "wall": 14,
    "emitter_1": 16, "emitter_2": 17, "emitter_3": 18, "emitter_4": 19, "emitter_5": 20, "emitter_6": 21,
}  # fmt: skip
NAMES = tuple(f"lane_{lane}" for lane in LANES) + tuple(f"second_{lane}" for lane in LANES) + ("wall",)
COLOUR = (26, 27)  # SDA and SCL of the colour sensor
MOST = 13  # bytes of the colour sensor in one answer
FREE = set(range(29)) - {23, 24, 25}  # the pins at the edge of a Pico

BEAT_US = 500_000
QUICK_US = 20_000  # from beat to beat after a change
LIVELY_US = 1_000_000  # this long after a change, beats are quick
BLINK_US = 3000  # receivers of common modules follow within 2 ms; a cube darkens a beam for longer
SETTLE_US = 20_000  # time for the receivers to react to an emitter


class Head:
    """The sensor head: call `take` with bytes of the host and `step` in turn, until `left`.

    `board` is the hardware: `ring` contains the changes of the pins, `watch(beams, wall)` prepares the pins with these
    numbers, `emit(pin, on)` switches an emitter, `put(register, value)` and `get(register, count)` pass transfers to
    the colour sensor and return what was read, None if it does not answer, `board` is the number of the chip, `boot`
    differs at each start.
    `ticks_us` is the counter for stamps. `write` sends bytes to the host.
    """

    def __init__(self, board, ticks_us, write):
        self.left = False
        self._board = board
        self._ticks_us = ticks_us
        self._write = write
        self._reader = Reader()
        self._clock = Clock(ticks_us())
        self._changes = Changes(board.ring, self._clock)
        self._beaten = 0
        self._changed = -LIVELY_US
        self._settling = []
        self._blinked = None  # when all emitters were switched off for a moment
        self._fading = None  # since when, which lane, its first change in the ring, whether it shines again
        self._names = []
        self._watch(list(NAMES[:-1]), dict(PINS), "low")
        self._commands = {
            "hello": self._hello, "ping": self._ping, "levels": self._say_levels,
            "lines": self._lines, "emit": self._emit, "fade": self._fade, "colour": self._colour, "leave": self._leave,
        }  # fmt: skip

    def step(self):
        """Send everything that has happened since the last step."""
        now = self._drain()
        if self._blinked is not None and now - self._blinked >= BLINK_US:
            self._blinked = None
            self._switch(LANES, True)
            now = self._drain()
        if self._fading:
            self._end_fade(now)
        while self._settling and now - self._settling[0][0] >= SETTLE_US:
            self._tell(f"{self._settling.pop(0)[1]} {self._how()}")
        lively = now - self._changed < LIVELY_US
        if now - self._beaten >= (QUICK_US if lively else BEAT_US):
            self._beaten = now
            self._tell(f"beat {now}")

    def take(self, data):
        """Read bytes of the host and answer the commands that are now complete."""
        for line in self._reader.feed(data):
            text = None if line is None else unseal(line)
            if text is None:
                self._sorry("-", "that line was garbled on its way")
                continue
            words = text.split()
            command = self._commands.get(words[0]) if words else None
            if command:
                command(words[1:])
            elif words:
                self._sorry("-", f"what is that? There are: {', '.join(sorted(self._commands))}")

    def _drain(self):
        """Send every change until now. Return the time, which is not before the stamp of any change that was sent."""
        now = self._clock.now(self._ticks_us())
        changes = self._changes
        while True:
            lines = changes.read()
            if changes.skipped:
                changes.skipped = False
                self._tell(f"levels {self._how()}")
            if lines is None:
                break
            if len(lines):
                self._changed = changes.last_us
                self._write(lines)
            if changes.last_us >= now:
                break
        return max(now, changes.last_us)

    def _tell(self, text):
        self._write((seal(f"{self._changes.number} {text}") + "\n").encode())

    def _sorry(self, command, why):
        self._tell(f"sorry {command} {why}")

    def _hello(self, words):
        spoken = [int(word) if word.isdigit() else 0 for word in words] or [PROTOCOL]
        if not spoken[0] <= PROTOCOL <= spoken[-1]:
            why = f"this head speaks protocol {PROTOCOL}, the box {spoken[0]} to {spoken[-1]}: update the older one"
            self._sorry("hello", why)
            return
        self._switch(LANES, True)
        who = f"board={self._board.board} boot={self._board.boot}"
        self._tell(f"hello umpi-head protocol={PROTOCOL} firmware={FIRMWARE} {who}")

    def _ping(self, words):
        now = self._drain()
        self._tell(f"pong {words[0][:15] if words else '-'} {now}")

    def _say_levels(self, _words):
        self._drain()
        self._tell(f"levels {self._how()}")

    def _how(self):
        pins = self._changes.levels
        levels = [
            f"{name}={'dark' if pins >> self._pins[name] & 1 == self._dark else 'light'}"
            for name in self._names
            if name != "wall"
        ]
        return " ".join(levels)

    def _lines(self, words):
        """Watch other lines: `lines lane_1 second_1=9 wall dark=high`. Without words, only report the lines."""
        names, pins, dark = [], dict(PINS), "low"
        for word in words:
            name, given, value = word.partition("=")
            if name == "dark" and value in ("low", "high"):
                dark = value
            elif name not in PINS:
                return self._sorry("lines", f"there is no {name[:20]}: lane_1, second_1, emitter_1 to 6, and wall")
            elif given and not (value.isdigit() and int(value) in FREE):
                return self._sorry("lines", f"{name} needs one of the pins 0 to 22 or 26 to 28")
            elif name in names:
                return self._sorry("lines", f"{name} stands there twice")
            else:
                if given:
                    pins[name] = int(value)
                if name in NAMES:
                    names.append(name)
        if words:
            used = [pins[name] for name in names] + [pins[f"emitter_{lane}"] for lane in LANES]
            if len(used) != len(set(used)):
                return self._sorry("lines", "one pin cannot serve two lines")
            self._watch(names, pins, dark)
        names = self._names + [f"emitter_{lane}" for lane in LANES]
        pins = [f"{name}={self._pins[name]}" for name in names]
        return self._tell(f"lines {' '.join(pins)} dark={'high' if self._dark else 'low'}")

    def _watch(self, names, pins, dark):
        self._drain()  # changes of the lines watched until now
        self._names, self._pins, self._dark = names, pins, int(dark == "high")
        self._changes.watch({}, 0)  # the pins change while they are prepared
        self._board.watch([pins[name] for name in names if name != "wall"], pins["wall"] if "wall" in names else None)
        self._switch(LANES, True)
        self._drain()
        self._changes.watch({name: pins[name] for name in names}, self._dark)

    def _emit(self, words):
        if words == ["all", "blink"]:
            self._blinked = self._clock.now(self._ticks_us())
            self._switch(LANES, False)
            return self._settling.append((self._blinked, "emit all blink"))
        if len(words) != 2 or words[0] not in NAMES[:6] or words[1] not in ("on", "off"):
            return self._sorry("emit", "it needs a lane, and on or off, as in: emit lane_1 off")
        now = self._clock.now(self._ticks_us())
        self._switch((int(words[0][-1]),), words[1] == "on")
        return self._settling.append((now, f"emit {words[0]} {words[1]}"))

    def _fade(self, words):
        if len(words) != 1 or words[0] not in NAMES[:6]:
            return self._sorry("fade", "it needs a lane, as in: fade lane_1")
        if self._fading:
            return self._sorry("fade", "one lane at a time")
        now, lane = self._drain(), int(words[0][-1])
        self._fading = (now, lane, self._board.ring.out, False)
        return self._switch((lane,), False)

    def _end_fade(self, now):
        began, lane, first, shines = self._fading
        if not shines and now - began >= BLINK_US:
            self._switch((lane,), True)
            self._fading = (began, lane, first, True)
        elif now - began >= SETTLE_US:
            delays = self._delays(lane, first)
            own = [name for name in self._names if name != "wall" and int(name[-1]) == lane]
            told = " ".join(f"{name}={delays.get(name, '-')}" for name in own)
            self._fading = None
            self._tell(f"fade lane_{lane} {told}")

    def _delays(self, lane, first):
        """Return after how many microseconds without its emitter each beam of a lane was dark, from the ring."""
        ring, emitter, off, found = self._board.ring, self._pins[f"emitter_{lane}"], None, {}
        if ring.out - first > ring.size // 2:
            return found  # so many changes may have been overwritten
        for index in range(first, ring.out):
            levels, ticks = ring.levels(index), ring.ticks(index)
            if levels >> emitter & 1:
                if off is not None:
                    break  # it shines again
                continue
            off = ticks if off is None else off
            for name in self._names:
                if name != "wall" and int(name[-1]) == lane and levels >> self._pins[name] & 1 == self._dark:
                    found.setdefault(name, ticks - off & MASK)
        return found

    def _colour(self, words):
        """Pass one transfer to the colour sensor: `colour put 80 3` or `colour get b2 10`, in hexadecimal digits."""
        try:
            how, register, value = words[0], int(words[1], 16), int(words[2], 16)
            fits = len(words) == 3 and how in ("put", "get") and max(register, value) < 256
        except (IndexError, ValueError):
            fits = False
        if not fits or (how == "get" and not 1 <= value <= MOST):
            return self._sorry("colour", f"it needs put, register and value, or get, register and at most {MOST:x}")
        if any(pin in COLOUR for pin in self._pins.values()):
            return self._sorry("colour", "GP26 and GP27 serve lines")
        read = (self._board.put if how == "put" else self._board.get)(register, value)
        data = "-" if read is None else "".join(f"{byte:02x}" for byte in read) or "ok"
        return self._tell(f"colour {how} {words[1]} {data}")

    def _switch(self, lanes, on):
        for lane in lanes:
            self._board.emit(self._pins[f"emitter_{lane}"], on)

    def _leave(self, _words):
        self._tell("leave")
        self.left = True
