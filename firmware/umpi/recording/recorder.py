"""The recorder: the events of a box since it was switched on, in bounded memory."""

from __future__ import annotations

import platform
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from umpi import __version__
from umpi.box.running_card import running_card
from umpi.kernel.kept import Kept, Uid
from umpi.kernel.registry import games
from umpi.kernel.seal import SEAL
from umpi.recording.session_file import FORMAT
from umpi.recording.values import SECRET, digest, dumped, plain
from umpi.referee.effects import Effect, JournalCall
from umpi.referee.events import Answered, CardNews, Event, Reach, Tick
from umpi.referee.ports import JournalPort
from umpi.referee.session import SEALED
from umpi.referee.setup import BoxSetup
from umpi.timing.edge import Edge
from umpi.timing.events import Until

MOST = 4 * 1024 * 1024  # bytes of packed events: half a million of them
CHUNK = 500  # events that are packed together


class Recorder:
    """Keep the events of a box as lines of a session file. If they need over `most` bytes, the oldest are dropped.

    A round in which only the sensor head reported its time, and nothing came of it, replaces the one before it if that
    was such a round too. So a box at rest needs no memory.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most, self._packed_bytes = most, 0
        self._packed: deque[tuple[int, bytes]] = deque()  # the number of lines, and the lines
        self._recent: list[tuple[Event | BoxSetup, str]] = []  # with the checksum of the effects
        self._round = 0  # where the current round begins in `_recent`
        self._quiet = True  # whether the current round contains nothing but the head's reports
        self._idle: int | None = None  # where the last round begins, if it was quiet and nothing came of it
        self._dropped = 0
        self._hands, self._answers = set[Uid](), set[Uid]()  # the matches with hidden hands, and with secret answers
        self._unfinished = dict[Uid, int]()  # how many lines a match has that the journal returned unfinished
        self._asked: JournalCall[Any] | None = None  # the call that the journal answers next
        self._password = False  # whether somebody may have typed the password of a Wi-Fi

    @property
    def secret(self) -> bool:
        """Whether the events tell what only one player may know now: a hand, a secret answer, or a password."""
        return bool(self._hands or self._answers or self._password)

    def begin(self, setup: BoxSetup) -> None:
        """Note that a box is switched on."""
        self._recent.append((setup, ""))
        self._round, self._quiet, self._idle = len(self._recent), True, None

    def note(self, event: Event, effects: Sequence[Effect]) -> None:
        """Note an event and the effects that it led to."""
        self._recent.append((_masked(event), digest(list(effects)) if effects else ""))
        if isinstance(event, Answered) and self._asked:
            self._follow_answer(self._asked, event.value)
            self._asked = None
        self._password = self._password or (isinstance(event, CardNews) and bool(event.networks))
        for effect in effects:
            if isinstance(effect, JournalCall):
                self._asked = effect
                self._follow(effect)
        self._quiet = self._quiet and not effects and isinstance(event, Until | Tick)
        if isinstance(event, Tick | Answered):
            self._end_round()
        if len(self._recent) >= CHUNK:
            self._pack()

    def lines(self) -> Iterator[str]:
        """Return the recorded lines, oldest first."""
        packed, recent = list(self._packed), list(self._recent)

        def unpacked() -> Iterator[str]:
            for _, chunk in packed:
                yield from zlib.decompress(chunk).decode().splitlines()
            yield from map(_line, recent)

        return unpacked()

    def header(self, why: str) -> str:
        """Return the first line of a session file."""
        head = {
            "umpi-session": FORMAT,
            "umpi": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "games": {game.id: game.revision for game in games()},
            "why": why,
            "dropped": self._dropped,
        }
        if card := running_card():
            head["card"] = str(card)
        return dumped(plain(head))

    def _follow(self, call: JournalCall[Any]) -> None:
        """Follow what is written of matches: hands that are dealt, secret answers, and the end that opens them."""
        match call:
            case JournalCall(JournalPort.append, (uid, lines, *_, outcome)):
                self._answers.discard(uid)
                if any(SEAL in line for line in lines):  # these are mappings
                    self._hands.add(uid)
                if outcome is not None:
                    self._hands.discard(uid)
            case JournalCall(JournalPort.note, (uid, what, _)) if what == SEALED:
                self._answers.add(uid)
            case JournalCall(JournalPort.close_match, (uid,)):
                self._answers.discard(uid)
                self._hands.discard(uid)
            case _:  # it tells nothing
                pass

    def _follow_answer(self, call: JournalCall[Any], value: object) -> None:
        """Follow what the journal returns of a match from before this start of the box, and the uid of a copy."""
        for kept in value if isinstance(value, list | tuple) else (value,):
            if isinstance(kept, Kept) and kept.hidden:
                self._unfinished[kept.uid] = kept.lines
            elif isinstance(kept, Kept):
                self._unfinished.pop(kept.uid, None)
        match call, value:
            case JournalCall(JournalPort.written, (uid,)), [*lines] if uid in self._unfinished and _sealed(lines):
                self._hands.add(uid)
            case JournalCall(JournalPort.noted, (uid, what)), [count, _] if what == SEALED:
                if count == self._unfinished.get(uid):  # else the match has gone on since
                    self._answers.add(uid)
            case JournalCall(JournalPort.begin, (_, _, lines)), str(uid) if _sealed(lines):
                self._hands.add(Uid(uid))
            case _:  # it tells nothing
                pass

    def _end_round(self) -> None:
        if self._quiet and self._idle is not None:
            del self._recent[self._idle : self._round]
            self._round = self._idle
        self._idle = self._round if self._quiet else None
        self._round, self._quiet = len(self._recent), True

    def _pack(self) -> None:
        """Pack all but the last idle round, and drop the oldest chunks if there are too many."""
        keep = self._round if self._idle is None else self._idle
        keep = keep or len(self._recent)
        lines = "\n".join(map(_line, self._recent[:keep]))
        self._packed.append((keep, zlib.compress(lines.encode(errors="replace"), 1)))
        del self._recent[:keep]
        self._round = max(0, self._round - keep)
        self._idle = None if self._idle is None else max(0, self._idle - keep)
        self._packed_bytes += len(self._packed[-1][1])
        while self._packed_bytes > self._most:
            count, chunk = self._packed.popleft()
            self._packed_bytes -= len(chunk)
            self._dropped += count


def _sealed(lines: Iterable[Any]) -> bool:
    """Return whether one of these lines of the journal hides what the box drew."""
    return any(f'"{SEAL}"' in text for text, *_ in lines)


def _line(noted: tuple[Event | BoxSetup, str]) -> str:
    event, out = noted
    if isinstance(event, Edge) and event.line.replace("_", "").isalnum():  # first, for the sake of a flood
        active = "true" if event.active else "false"
        return f'{{"event":{{"#":"Edge","line":"{event.line}","active":{active},"at_ns":{event.at_ns}}}}}'
    if isinstance(event, BoxSetup):
        return dumped({"box": plain(event)})
    line: dict[str, Any] = {"event": plain(event)}
    return dumped({**line, "out": out} if out else line)


def _masked(event: Event) -> Event:
    """Return an event without a passphrase."""
    if isinstance(event, Reach) and event.passphrase:
        return replace(event, passphrase=SECRET)
    return event
