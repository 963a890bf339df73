"""The place of a shelf: a folder of this computer, or an address of the web."""

from __future__ import annotations

import os
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage, IncompleteRead
from io import BufferedIOBase
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.shelf.faults import why_not

INDEX = "shelf.json"
PART = 1 << 16  # bytes that are read at once
PATIENCE_S = 20.0  # for an answer, and for each part of it
LONGEST_S = 300.0  # for a whole file


class NoPlace(ValueError):
    """Report a place that cannot be that of a shelf."""


class Unreached(Exception):
    """Report that a file of a shelf cannot be read now; `reason` says why to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class Place:
    """Where a shelf is: the address of its folder without a slash at its end, or the absolute path of its folder."""

    where: str

    @classmethod
    def read(cls, text: str) -> Place:
        """Return the place that somebody has typed. Raises NoPlace.

        >>> Place.read("https://games.example/shelf/shelf.json").where
        'https://games.example/shelf'
        """
        scheme, colon, rest = text.strip().partition("://")
        scheme = scheme.lower()
        whole = f"{scheme}://{rest}" if colon else text.strip()
        whole = whole.removesuffix(INDEX).rstrip("/")
        if not colon:
            if not whole.strip():
                raise NoPlace("A shelf is a folder or an address.")
            return cls(os.path.abspath(Path(whole).expanduser()))
        if scheme not in ("http", "https"):
            raise NoPlace(f"{text}: expected a folder, or an address with http or https.")
        try:
            parts = urlsplit(whole)
            known = bool(parts.hostname) and parts.port != 0 and parts.username is None and parts.password is None
            (parts.hostname or "").encode("idna")  # raises a ValueError if a part of the name has no letters
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
                with _OPENER.open(f"{self.where}/{quote(name)}", timeout=PATIENCE_S) as answer:
                    content = _read(answer, most + 1, progress)
                    if answer.length and len(content) <= most:
                        raise IncompleteRead(b"", answer.length)
        except HTTPError as fault:
            missing = fault.code in (404, 410)
            why: str = (
                message("the server has no such file")
                if missing
                else message("the server answers with the error {number}", number=fault.code)
            )
        except URLError as fault:
            why = _reason(fault.reason)
        except (HTTPException, ValueError) as fault:  # ValueError: the server sends to what is no address
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


class _AtHome(urllib.request.HTTPRedirectHandler):
    """Follow a shelf only to another path of its own server: the box calls nothing else for it."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request to the new address. Raises URLError if it is that of another server."""
        if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            raise URLError(message("the server redirects to another address"))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(_AtHome)


def _read(file: BufferedIOBase, most: int, progress: Callable[[int], object]) -> bytes:
    """Return the content of a file, at most so many bytes. Raises OSError, TimeoutError after LONGEST_S."""
    parts, size, until_s = list[bytes](), 0, time.monotonic() + LONGEST_S
    while part := file.read1(min(PART, most - size)):
        if time.monotonic() > until_s:
            raise TimeoutError
        parts.append(part)
        size += len(part)
        progress(size)
    return b"".join(parts)


def _reason(fault: str | BaseException) -> str:
    if isinstance(fault, str):
        return fault
    if isinstance(fault, TimeoutError):
        return message("no answer in {seconds} s", seconds=f"{PATIENCE_S:.0f}")
    return why_not(fault) if isinstance(fault, OSError) else str(fault)
