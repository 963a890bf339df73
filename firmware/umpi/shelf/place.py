"""The place of a shelf: a folder of this computer, or an address of the web."""

from __future__ import annotations

import os
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

INDEX = "shelf.json"
PATIENCE_S = 20.0  # for an answer, and for each part of it


class NoPlace(ValueError):
    """Report a place that cannot be that of a shelf."""


class Unreached(Exception):
    """Report that a file of a shelf cannot be read now; the text gives the reason."""


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

    def fetch(self, name: str, most: int) -> bytes:
        """Return the content of a file of the shelf. Raises Unreached, also if it has more than `most` bytes."""
        try:
            if not self._is_address:
                with Path(self.where, name).open("rb") as file:
                    content = file.read(most + 1)
            else:
                with urllib.request.urlopen(f"{self.where}/{quote(name)}", timeout=PATIENCE_S) as answer:
                    content = answer.read(most + 1)
        except HTTPError as fault:
            raise Unreached(f"{self.where}/{name}: the server answers {fault.code} {fault.reason}") from None
        except URLError as fault:
            raise Unreached(f"{self.where}/{name}: {_reason(fault.reason)}") from None
        except HTTPException as fault:
            raise Unreached(f"{self.where}/{name}: the answer broke off ({type(fault).__name__})") from None
        except OSError as fault:
            raise Unreached(f"{self.where}/{name}: {_reason(fault)}") from None
        if len(content) > most:
            raise Unreached(f"{self.where}/{name}: it is larger than {most} bytes")
        return bytes(content)

    @property
    def _is_address(self) -> bool:
        return "://" in self.where


def _reason(fault: str | BaseException) -> str:
    if isinstance(fault, TimeoutError):
        return f"no answer in {PATIENCE_S:.0f} s"
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
