"""The place of a shelf: a folder of this computer, or an address of the web."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from socket import gaierror
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing

INDEX = "shelf.json"
PART = 1 << 16  # bytes that are read at once
PATIENCE_S = 20.0  # for an answer, and for each part of it


class NoPlace(ValueError):
    """Report a place that cannot be that of a shelf."""


class Unreached(Exception):
    """Report that a file of a shelf cannot be read now; `reason` says why to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Place:
    """Where a shelf is: the address of its folder without a slash at its end, or the absolute path of its folder."""

    where: str

    @classmethod
    def read(cls, text: str) -> Place:
        """Return the place that somebody has typed. Raises NoPlace.

        >>> Place.read("https://games.example/shelf/shelf.json").where
        'https://games.example/shelf'
        """
        scheme, colon, _ = text.partition("://")
        whole = text.strip().removesuffix(INDEX).rstrip("/")
        if not colon:
            if not whole.strip():
                raise NoPlace("A shelf is a folder or an address.")
            return cls(os.path.abspath(Path(whole).expanduser()))
        if scheme not in ("http", "https"):
            raise NoPlace(f"{text}: expected a folder, or an address with http or https.")
        try:
            parts = urlsplit(whole)
            known = bool(parts.hostname) and parts.port != 0
        except ValueError:
            known = False
        if not known or parts.query or parts.fragment or not whole.isascii() or not whole.isprintable() or " " in whole:
            raise NoPlace(f"{text}: expected the address of a folder, as in https://games.example/shelf.")
        return cls(whole)

    def fetch(self, name: str, most: int, progress: Callable[[int], object] = nothing) -> bytes:
        """Return the content of a file of the shelf. Raises Unreached, also if it has more than `most` bytes.

        `progress` is called with the bytes that are there.
        """
        try:
            if not self.is_address:
                with Path(self.where, name).open("rb") as file:
                    content = _read(file, most + 1, progress)
            else:
                with urllib.request.urlopen(f"{self.where}/{quote(name)}", timeout=PATIENCE_S) as answer:
                    content = _read(answer, most + 1, progress)
        except HTTPError as fault:
            why: str = message("the server answers {answer}", answer=f"{fault.code} {fault.reason}")
        except URLError as fault:
            why = _reason(fault.reason)
        except HTTPException as fault:
            why = message("the answer broke off ({what})", what=type(fault).__name__)
        except OSError as fault:
            why = _reason(fault)
        else:
            if len(content) <= most:
                return content
            why = message("it is larger than {most} bytes", most=most)
        raise Unreached(message("{file}: {why}", file=f"{self.where}/{name}", why=why))

    @property
    def is_address(self) -> bool:
        """Whether it is an address, not a folder."""
        return "://" in self.where


def _read(file: IO[bytes], most: int, progress: Callable[[int], object]) -> bytes:
    """Return the content of a file, at most so many bytes. Raises OSError, and HTTPException if it breaks off."""
    parts, size = list[bytes](), 0
    while part := file.read(min(PART, most - size)):
        parts.append(part)
        size += len(part)
        progress(size)
    return b"".join(parts)


def _reason(fault: str | BaseException) -> str:
    if isinstance(fault, TimeoutError):
        return message("no answer in {seconds} s", seconds=f"{PATIENCE_S:.0f}")
    if isinstance(fault, gaierror):
        return message("the network of the box does not know this address ({why})", why=fault.strerror)
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
