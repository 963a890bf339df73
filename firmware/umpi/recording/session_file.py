"""The file of a session: JSON Lines, each with a checksum over itself and all lines before it.

{"umpi-session":2,"umpi":"0.1.0","python":"3.11.7","games":{"dodeka":2},"why":"report","dropped":0,...}
{"config":...}  {"log":...}  {"record":...}     what a person reads: settings, messages, the match in play
{"box":...}                                     a box is switched on: its setup
{"hidden":...}                                  why no events follow: they tell what only one player may know
{"event":...,"out":"1f0c9a3e"}                  an event, and the checksum of the effects that it led to
{"end":1234}                                    how many lines come before
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from umpi.recording.values import dumped

FORMAT = 2
HEADER = {"umpi": str, "python": str, "games": dict, "why": str, "dropped": int}  # what the first line has to say
SEALED = re.compile(rb'^(\{.*),"crc":"([0-9a-f]{8})"\}$')


class SessionFault(Exception):
    """Report where a session file cannot be read further, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def sealed(lines: Iterable[str]) -> Iterator[bytes]:
    """Return the lines with their checksums, and the last line."""
    crc = count = 0
    for line in lines:
        crc, text = _seal(line, crc)
        count += 1
        yield text
    yield _seal(dumped({"end": count}), crc)[1]


def read_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines of a session file with their numbers, without the last one.

    Raises SessionFault at the first line that is missing, was changed, or is no line of a session.
    """
    crc = number = 0
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        found = SEALED.match(line.rstrip(b"\n"))
        if not found:
            cut = number > 1 and not line.endswith(b"\n")
            raise SessionFault(number, "the file was cut here" if cut else _foreign(number))
        body = found[1] + b"}"
        crc = crc32(body, crc)
        if f"{crc:08x}".encode() != found[2]:
            raise SessionFault(number, "this line, or one before it, was changed")
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            raise SessionFault(number, _foreign(number)) from None
        if number == 1:
            _check_format(content)
        if "end" in content:
            if content["end"] != number - 1:
                raise SessionFault(number, "lines are missing")
            if any(numbered):
                raise SessionFault(number + 1, "more follows after the end")
            return
        yield number, content
    raise SessionFault(number + 1, "the file was cut here" if number else "the file is empty")


def _seal(line: str, crc: int) -> tuple[int, bytes]:
    body = line.encode(errors="replace")
    crc = crc32(body, crc)
    return crc, body[:-1] + f',"crc":"{crc:08x}"}}\n'.encode()


def _check_format(content: dict[str, Any]) -> None:
    if "umpi-session" not in content:
        raise SessionFault(1, _foreign(1))
    if content["umpi-session"] != FORMAT:
        raise SessionFault(1, f"another Umpi wrote it: format {content['umpi-session']}, this Umpi reads {FORMAT}")
    for key, kind in HEADER.items():
        if type(content.get(key)) is not kind:
            raise SessionFault(1, f'"{key}" is missing or of another kind')


def _foreign(number: int) -> str:
    return "this is not a session of Umpi" if number == 1 else "this is not a line of a session"
