"""The sensor head's protocol: the box's side of PROTOCOL.md, without a port. It parses bytes and makes requests."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.timing.clock_sync import ClockWrong, HeadClock
from umpi.timing.edge import Edge
from umpi.timing.events import Lost, Until
from umpi.timing.units import MS

LEAST_PROTOCOL, MOST_PROTOCOL = 1, 1
LONGEST = 300
PING_NS = 500 * MS
AGAIN_NS = 300 * MS  # an unanswered request is repeated after this time
PATIENCE_NS = 3000 * MS  # an unanswered request fails after this time
SILENT_NS = 2000 * MS  # time-out; a working head sends something twice a second
ROUND_TRIPS = 5  # needed before the clock is used
BLINKED_NS = 6 * MS  # a blink darkens a beam for 6 ms at most; a cube of 12 mm takes longer, up to 2 m/s
SETTLE_US = 20_000  # the head answers a blink so long after it began
BLINKS = 2, 1  # the first firmware that can blink
FADES = 2, 2  # the first firmware that measures how fast beams become dark
COLOURS = 2, 3  # the first firmware that reads a colour sensor
STAMPS_AT_ONCE = 2  # the first firmware that stamps edges of one moment alike; older ones do so one after the other

NUMBER = re.compile(r"\d{1,15}")
COLOUR_DATA = re.compile(r"-|ok|([0-9a-f]{2})+")
SHOWN = re.compile(r"[^A-Za-z0-9 .,:;=_?/-]")


class Distrust(Exception):
    """Raised if the device at the port is no sensor head or behaves wrongly; the message is for the players."""


@frozen
class HeadEdge(Edge):
    """An edge stamped by the head. `at_ns` is off by at most `off_ns`, the time between two edges by less."""

    off_ns: int = 0


@frozen
class Emitted:
    """The emitters of a lane have been switched and the receivers have settled; `dark` are the dark lines then."""

    lane: int
    on: bool
    dark: frozenset[str]


@frozen
class Blink:
    """All emitters were off for a moment; `edges` are those of each beam since then, as (dark, at_ns)."""

    edges: Mapping[str, Sequence[tuple[bool, int]]]


@frozen
class Faded:
    """The emitters of a lane were off for a moment: after how many µs each beam was dark, None if it stayed light."""

    lane: int
    delays_us: Mapping[str, int | None]


@frozen
class Coloured:
    """The colour sensor's answer to a request such as "get b2 a": the bytes read, None if it does not answer."""

    request: str
    data: bytes | None


Answer = Emitted | Blink | Faded | Coloured
News = HeadEdge | Lost | Until | Answer

OTHER_PROTOCOL = "the sensor head uses protocol {its}, this box {ours}: copy firmware/sensor_head to it again"


def stamps_at_once(firmware: object) -> bool:
    """Return whether a head with this firmware stamps edges of one moment alike.

    >>> stamps_at_once("1.0"), stamps_at_once("2.0"), stamps_at_once("?")
    (False, True, False)
    """
    major = str(firmware).partition(".")[0]
    return major.isdigit() and int(major) >= STAMPS_AT_ONCE


def blinks(firmware: object) -> bool:
    """Return whether a head with this firmware can switch all emitters off for a moment.

    >>> blinks("2.0"), blinks("2.1"), blinks("10.0"), blinks("?")
    (False, True, True, False)
    """
    return _since(firmware, BLINKS)


def fades(firmware: object) -> bool:
    """Return whether a head with this firmware measures how fast beams become dark.

    >>> fades("2.1"), fades("2.2"), fades("2.x")
    (False, True, False)
    """
    return _since(firmware, FADES)


def colours(firmware: object) -> bool:
    """Return whether a head with this firmware reads a colour sensor.

    >>> colours("2.2"), colours("2.3"), colours("?")
    (False, True, False)
    """
    return _since(firmware, COLOURS)


def _since(firmware: object, first: tuple[int, int]) -> bool:
    parts = str(firmware).split(".")
    return all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= first


class Talk:
    """One conversation with a possible sensor head, from the first hello on. Use a new one for every attempt.

    `receive` parses bytes and yields the news, `send` returns the bytes to write now, `check` detects time-outs.
    `receive` and `check` raise Distrust. `lines` are the lines to watch, as "lane_1=5" if one is not at its default
    pin. Edges are reported once it is `ready`: it has identified itself, watches the lines, and its clock is known.
    """

    def __init__(self, lines: Sequence[str], now_ns: int, dark_low: bool = True) -> None:
        self.lines = frozenset(line.partition("=")[0] for line in lines)
        self.ready = False
        self.who: dict[str, str] = {}
        self.dark: frozenset[str] = frozenset()
        self.clock = HeadClock()
        self.garbled = 0  # lines that could not be parsed
        watch = " ".join(["lines", *lines, f"dark={'low' if dark_low else 'high'}"])
        self._asks = deque([f"hello {LEAST_PROTOCOL} {MOST_PROTOCOL}", watch])  # sent one at a time
        self._ask_ns = self._ping_ns = self._received_ns = now_ns
        self._prompt_shown_ns: int | None = None  # since when the first request is unanswered
        self._deaf_ns: int | None = None  # since when pings are unanswered
        self._token, self._pinged_ns = 0, 0
        self._rest, self._spoilt = b"", False
        self._number: int | None = None
        self._us = 0
        self._muted: set[int] = set()
        self._blink_edges: dict[str, list[tuple[bool, int]]] | None = None  # while emitters are off for a moment
        self._blinked_us: int | None = None  # when a beam was light again after their darkness
        self._blink_asked = False

    def receive(self, data: bytes, now_ns: int) -> Iterator[News]:
        """Parse bytes that were read before `now_ns` and yield the news. Raises Distrust."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.strip() and not self._spoilt:
                yield from self._line(line, now_ns)
            self._spoilt = False
        if len(self._rest) > LONGEST:
            self._rest, self._spoilt = b"", True

    def send(self, now_ns: int) -> bytes:
        """Return the bytes to write now, empty if none."""
        requests = []
        if self._asks and now_ns >= self._ask_ns:
            requests.append(self._asks[0])
            self._prompt_shown_ns = now_ns if self._prompt_shown_ns is None else self._prompt_shown_ns
            self._ask_ns = now_ns + AGAIN_NS
        if self._clocked and now_ns >= self._ping_ns:
            self._token += 1
            self._pinged_ns = now_ns
            self._deaf_ns = now_ns if self._deaf_ns is None else self._deaf_ns
            self._ping_ns = now_ns + (PING_NS if self.clock.round_trips >= ROUND_TRIPS else AGAIN_NS)
            requests.append(f"ping {self._token}")
        if self._blink_asked:
            requests.append("emit all blink")  # no request that is repeated: a second blink would hide more
            self._blink_asked = False
        return b"".join(_sealed(text) for text in requests)

    def check(self, now_ns: int) -> None:
        """Raise Distrust if the head is silent or leaves requests unanswered for too long.

        Pass all bytes that had arrived by `now_ns` to `receive` first.
        """
        if now_ns - self._received_ns >= (SILENT_NS if self.who else PATIENCE_NS):
            raise Distrust(self._silence())
        waiting = [since_ns for since_ns in (self._prompt_shown_ns, self._deaf_ns) if since_ns is not None]
        if waiting and now_ns - min(waiting) >= PATIENCE_NS:
            raise Distrust(message("the sensor head sends data but does not reply: unplug it and plug it back in"))

    @property
    def due_ns(self) -> int:
        """Return when to call `send` and `check` again if no bytes arrive before."""
        dues = [self._received_ns + (SILENT_NS if self.who else PATIENCE_NS)]
        if self._asks:
            dues.append(self._ask_ns)
        if self._clocked:
            dues.append(self._ping_ns)
        if self._blink_asked:
            dues.append(0)
        return min(dues)

    def emit(self, lane: int, on: bool, mute: bool = True) -> None:
        """Request to switch the emitters of a lane; with `mute` its edges are ignored until they are on again."""
        if mute and not on:
            self._muted.add(lane)
        self._asks.append(f"emit lane_{lane} {'on' if on else 'off'}")

    def blink(self) -> None:
        """Request to switch all emitters off for 3 ms. Their edges are reported, and then a `Blink` with them."""
        self._blink_asked, self._blink_edges, self._blinked_us = True, {}, None

    def fade(self, lane: int) -> None:
        """Request to switch the emitters of a lane off for 3 ms; its edges are ignored until the answer."""
        self._muted.add(lane)
        self._asks.append(f"fade lane_{lane}")

    def colour(self, request: str) -> None:
        """Request a transfer of the colour sensor, such as "put 80 3" or "get b2 a". A lost one is repeated."""
        self._asks.append(f"colour {request}")

    @property
    def _clocked(self) -> bool:
        return self._number is not None

    def _line(self, line: bytes, now_ns: int) -> Iterator[News]:
        text = _unsealed(line.removesuffix(b"\r"))
        number, _, rest = (text or "").partition(" ")
        word, *fields = rest.split() or [""]
        if not NUMBER.fullmatch(number) or not word:
            self.garbled += 1
            return
        self._received_ns = now_ns
        if word == "hello":
            self._hello(fields)
        if word == "sorry" and self._asks and fields[:1] == self._asks[0].split(" ")[:1]:
            raise Distrust(message("the sensor head reports: {text}", text=_shown(" ".join(fields[1:]))))
        if not self.who:
            return
        yield from self._counted(int(number), word in ("dark", "light", "hit"))
        match word, fields:
            case (("dark" | "light" | "hit"), [name, stamp]):
                yield from self._edge(name, word != "light", stamp, now_ns)
            case "beat", [stamp]:
                yield from self._until(self._stamp(stamp), now_ns)
                if self._blinked_us is not None and self._us - self._blinked_us > SETTLE_US:
                    yield from self._end_blink()  # the head has answered before this beat, and the answer was lost
            case "pong", [token, stamp]:
                yield from self._pong(token, self._stamp(stamp), now_ns)
            case "lines", _:
                self._watching(fields, int(number), now_ns)
            case "levels", _:
                self.dark = self._levels(fields)
                self.ready |= self._answered("levels")
            case "emit", [lane, ("on" | "off") as how, *levels] if re.fullmatch("lane_[1-6]", lane):
                yield from self._emitted(int(lane[-1]), how, self._levels(levels))
            case "emit", ["all", "blink", *levels]:
                self.dark = self._levels(levels)
                yield from self._end_blink()
            case "fade", [lane, *delays] if re.fullmatch("lane_[1-6]", lane):
                yield from self._faded(int(lane[-1]), delays)
            case "colour", [("put" | "get") as how, register, data] if COLOUR_DATA.fullmatch(data):
                yield from self._coloured(f"{how} {register}", data)
            case (("dark" | "light" | "hit" | "beat" | "pong" | "emit" | "fade" | "colour"), _):
                raise _nonsense(rest)
            case _:
                pass  # a word of a newer sensor head

    def _hello(self, fields: list[str]) -> None:
        who = dict(field.split("=", 1) for field in fields[1:] if "=" in field)
        if fields[:1] != ["umpi-head"] or not NUMBER.fullmatch(who.get("protocol", "")):
            text = _shown(" ".join(fields))
            raise Distrust(message("not an Umpi sensor head: it identifies itself as {text}", text=text))
        if not LEAST_PROTOCOL <= int(who["protocol"]) <= MOST_PROTOCOL:
            raise Distrust(message(OTHER_PROTOCOL, its=int(who["protocol"]), ours=MOST_PROTOCOL))
        if self.who and who != self.who:
            raise Distrust(message("the sensor head restarted"))
        self.who = who
        self._answered("hello")

    def _counted(self, number: int, edge: bool) -> Iterator[News]:
        """Yield `Lost` for a gap in the numbers.

        An edge has the next number; every other message has the number of the last edge.
        """
        if self._number is None:
            return
        if number < self._number + edge:
            raise Distrust(message("the sensor head’s counter went backwards: it restarted, or is unreliable"))
        lost, self._number = number - self._number - edge, number
        if lost and self.ready:
            yield Lost(lost)

    def _stamp(self, stamp: str) -> int:
        if not NUMBER.fullmatch(stamp):
            raise _nonsense(f"{stamp} for a stamp")
        if int(stamp) < self._us:
            raise Distrust(message("the sensor head’s clock went backwards: it restarted, or is unreliable"))
        self._us = int(stamp)
        return self._us

    def _add_reading(self, head_us: int, now_ns: int, sent_ns: int | None = None) -> None:
        try:
            self.clock.add_reading(head_us, now_ns, sent_ns)
        except ClockWrong as fault:
            raise Distrust(message("the sensor head’s clock is unreliable: {fault}", fault=fault)) from None

    def _edge(self, name: str, dark: bool, stamp: str, now_ns: int) -> Iterator[News]:
        head_us = self._stamp(stamp)
        if not self._clocked:
            return
        if name not in self.lines:
            raise Distrust(
                message("the sensor head reports {line}, which it was not asked to watch", line=_shown(name))
            )
        self._add_reading(head_us, now_ns)
        if name != "wall":
            self.dark = self.dark | {name} if dark else self.dark - {name}
        if self.ready and not (name != "wall" and int(name[-1]) in self._muted):
            at_ns, off_ns = self.clock.at(head_us)
            if self._blink_edges is not None and name != "wall":
                seen = self._blink_edges.setdefault(name, [])
                if not dark and seen and seen[-1][0] and at_ns - seen[-1][1] <= BLINKED_NS:
                    self._blinked_us = head_us
                seen.append((dark, at_ns))
            yield HeadEdge(name, dark, at_ns, off_ns)

    def _end_blink(self) -> Iterator[News]:
        if self._blink_edges is not None:
            yield Blink(self._blink_edges)
        self._blink_edges, self._blinked_us = None, None

    def _until(self, head_us: int, now_ns: int) -> Iterator[News]:
        if self._clocked:
            self._add_reading(head_us, now_ns)
        if self.ready:
            yield Until(self.clock.at(head_us, quiet=True)[0])

    def _pong(self, token: str, head_us: int, now_ns: int) -> Iterator[News]:
        if token == str(self._token) and self._deaf_ns is not None:
            self._add_reading(head_us, now_ns, self._pinged_ns)
            self._deaf_ns = None
            if self.clock.round_trips < ROUND_TRIPS:
                self._ping_ns = now_ns
            elif self.clock.round_trips == ROUND_TRIPS:
                self._ask("levels", now_ns)
        yield from self._until(head_us, now_ns)

    def _watching(self, fields: list[str], number: int, now_ns: int) -> None:
        """Start counting edges from this message: earlier edges belong to other lines."""
        if not self._answered("lines"):
            return
        if missing := sorted(self.lines - {field.partition("=")[0] for field in fields}):
            raise Distrust(message("the sensor head does not watch {lines}", lines=", ".join(missing)))
        self._number, self._ping_ns = number, now_ns

    def _levels(self, fields: list[str]) -> frozenset[str]:
        levels = dict(field.partition("=")[::2] for field in fields)
        if not set(levels.values()) <= {"dark", "light"} or (self._clocked and not levels.keys() <= self.lines):
            raise _nonsense(f"levels {' '.join(fields)}")
        return frozenset(name for name, how in levels.items() if how == "dark")

    def _emitted(self, lane: int, how: str, dark: frozenset[str]) -> Iterator[News]:
        if not self._answered(f"emit lane_{lane} {how}"):
            return
        self.dark = dark
        if how == "on":
            self._muted.discard(lane)
        yield Emitted(lane, how == "on", dark)

    def _faded(self, lane: int, fields: list[str]) -> Iterator[News]:
        delays = dict(field.partition("=")[::2] for field in fields)
        if not delays.keys() <= self.lines or not all(us == "-" or NUMBER.fullmatch(us) for us in delays.values()):
            raise _nonsense(f"fade {' '.join(fields)}")
        if self._answered(f"fade lane_{lane}"):
            self._muted.discard(lane)
            yield Faded(lane, {name: None if us == "-" else int(us) for name, us in delays.items()})

    def _coloured(self, start: str, data: str) -> Iterator[News]:
        request = self._asks[0].removeprefix("colour ") if self._asks else ""
        if self._answered(f"colour {start} "):
            yield Coloured(request, None if data == "-" else b"" if data == "ok" else bytes.fromhex(data))

    def _ask(self, text: str, now_ns: int) -> None:
        self._asks.append(text)
        self._ask_ns = min(self._ask_ns, now_ns)

    def _answered(self, start: str) -> bool:
        """Remove the current request if `start` is its beginning; return whether it is."""
        if self._prompt_shown_ns is None or not self._asks[0].startswith(start):
            return False
        self._asks.popleft()
        self._prompt_shown_ns, self._ask_ns = None, 0
        return True

    def _silence(self) -> str:
        if self.who:
            return message("the sensor head went silent: unplug it and plug it back in")
        if self.garbled:
            return message("the data is garbled: this is another device, or the cable of the sensor head is bad")
        return message("this is not a sensor head: is it another device, or a Pico without firmware/sensor_head?")


def _sealed(text: str) -> bytes:
    """Return a line with its checksum, after a line feed that ends any partial line the head has received."""
    return b"\n%s *%08x\n" % (text.encode(), crc32(text.encode()))


def _unsealed(line: bytes) -> str | None:
    text, star, checksum = line.rpartition(b" *")
    if not star or checksum != b"%08x" % crc32(text) or not text.isascii():
        return None
    return text.decode()


def _nonsense(text: str) -> Distrust:
    return Distrust(message("the sensor head sent bad data: {text}", text=_shown(text)))


def _shown(text: str) -> str:
    return SHOWN.sub("?", text)[:60]
