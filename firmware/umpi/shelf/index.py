"""The index of a shelf: `shelf.json`, which lists the wheels with their checksums and reports, and is signed.

    {"shelf": 1, "packages": [
      {"name": "umpi-snake-eyes", "version": "0.1", "file": "umpi_snake_eyes-0.1-py3-none-any.whl", "sha256": "…",
       "bytes": 7120, "umpi_api": 3, "licence": "MIT", "games": [
         {"id": "snake-eyes", "title": "Snake eyes", "seats": [2, 6], "languages": ["en"], "check": ["ok rules …"],
          "lab": {"games": 200, "players": 2, "moves": 31.5, "shares": [0.52, 0.48], "even": 0.57}}]}],
     "key": "…", "signature": "…"}

The signature covers everything, so that also a wheel is the one that the key's owner has published.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from umpi.box.signing import HEX32, BadSignature, SigningKey, check
from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.record import Unreadable, dump, read_line

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024  # of an index
MOST_WHEEL = 32 * 1024 * 1024  # bytes of a wheel
LONGEST = 500  # characters of a text
LANGUAGE = re.compile("[a-z]{2,3}(-[A-Za-z0-9]+)*")


class BadIndex(ValueError):
    """Report an index that cannot be used; `reason` says why to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoIndex(BadIndex):
    """Report a file that is no index. Its text tells the owner of the shelf, in English."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.reason = message(
            "it is not the index of a shelf ({what}). Ask the owner of the shelf to publish it again", what=what
        )


@frozen
class Measured:
    """What the laboratory found in random games: the mean of their moves, the wins of each seat as a part of 1.

    `even` is the probability that equal seats differ so much; None if it cannot be known, as when all win together.
    """

    games: int
    players: int
    moves: float | None
    shares: tuple[float | None, ...]
    even: float | None


@frozen
class ShelfGame:
    """A game of a package: what `umpi games` says of it, the lines of `umpi check`, and its measures.

    An expansion has its own id and title; `expands` is the id of the game, "" for a game. All else is of both together.
    """

    id: str
    title: str
    seats: tuple[int, int]
    languages: tuple[str, ...]
    check: tuple[str, ...]
    lab: Measured
    expands: str = ""


@frozen
class Package:
    """A wheel of a shelf, with the games that it brings.

    `umpi_api` is the version of the kernel that they need, `licence` the name of its licence, "" if it names none.
    """

    name: str
    version: str
    file: str
    sha256: str
    bytes: int
    umpi_api: int
    games: tuple[ShelfGame, ...]
    licence: str = ""

    @property
    def path(self) -> str:
        """Where the wheel is on the shelf: a file is never replaced by another, so each index finds its own."""
        return f"{self.sha256[:16]}/{self.file}"


@frozen
class Index:
    """The packages of a shelf, and the key that has signed it."""

    packages: tuple[Package, ...]
    key: str

    def package_of(self, game: str) -> Package | None:
        """Return the package that brings a game, None if none does."""
        return next((each for each in self.packages if any(own.id == game for own in each.games)), None)


def write_index(packages: tuple[Package, ...], key: SigningKey) -> str:
    """Return the signed index of these packages as a text."""
    return dump(key.sign("shelf", {"shelf": FORMAT, "packages": [asdict(each) for each in packages]})) + "\n"


def read_index(content: bytes) -> Index:
    """Check an index and its signature, and return it. Raises BadIndex."""
    try:
        given = read_line(content)
    except Unreadable as fault:
        raise NoIndex(str(fault)) from None
    form = (given or {}).get("shelf")
    if given is None or type(form) is not int:
        raise NoIndex('it has no "shelf"')
    if form != FORMAT:
        raise BadIndex(
            message(
                "a newer Umpi has written it (format {form}, this Umpi reads {own}): update Umpi", form=form, own=FORMAT
            )
        )
    try:
        key = check("shelf", given)
    except BadSignature as fault:
        raise BadIndex(
            message(
                "its signature does not fit ({what}). Somebody has changed it, or it was copied incompletely",
                what=str(fault),
            )
        ) from None
    if not key:
        raise BadIndex(message("nobody has signed it"))
    packages = tuple(_package(each) for each in _list(given, "packages"))
    ids = [game.id for each in packages for game in each.games]
    names = [each.name for each in packages]
    if len({*ids}) < len(ids) or len({*names}) < len(names):
        raise NoIndex("it names a game or a package twice")
    return Index(packages, key)


def _package(given: Any) -> Package:
    file = _text(given, "file")
    if PurePosixPath(file).name != file or file.startswith(".") or "\\" in file:
        raise NoIndex(f'"file" must be the name of a file beside the index, not {file!r}')
    sha256 = _text(given, "sha256")
    if not HEX32.fullmatch(sha256):
        raise NoIndex('"sha256" must have 64 hexadecimal digits')
    return Package(
        _text(given, "name"),
        _text(given, "version"),
        file,
        sha256,
        _whole(given, "bytes", MOST_WHEEL),
        _whole(given, "umpi_api"),
        tuple(_game(each) for each in _list(given, "games")),
        _text(given, "licence") if given.get("licence") else "",
    )


def _game(given: Any) -> ShelfGame:
    languages = tuple(_texts(given, "languages"))
    if not all(LANGUAGE.fullmatch(each) for each in languages):
        raise NoIndex('"languages" must be codes of languages, as in "fr"')
    seats = _list(given, "seats")
    if len(seats) != 2 or any(type(each) is not int for each in seats):
        raise NoIndex('"seats" must be two whole numbers')
    measures = _object(given, "lab")
    return ShelfGame(
        _text(given, "id"),
        _text(given, "title"),
        (seats[0], seats[1]),
        languages,
        tuple(_texts(given, "check")),
        Measured(
            _whole(measures, "games"),
            _whole(measures, "players"),
            _number(measures.get("moves"), "moves"),
            tuple(_number(each, "shares") for each in _list(measures, "shares")),
            _number(measures.get("even"), "even"),
        ),
        _text(given, "expands") if given.get("expands") else "",
    )


def _object(given: Any, name: str) -> Mapping[str, Any]:
    value = _field(given, name)
    if not isinstance(value, dict):
        raise NoIndex(f'"{name}" must be an object')
    return value


def _list(given: Any, name: str) -> tuple[Any, ...]:
    value = _field(given, name)
    if not isinstance(value, tuple):
        raise NoIndex(f'"{name}" must be a list')
    return value


def _texts(given: Any, name: str) -> list[str]:
    found = _list(given, name)
    if not all(isinstance(each, str) and len(each) <= LONGEST and each.isprintable() for each in found):
        raise NoIndex(f'"{name}" must be a list of texts of one line')
    return [*found]


def _text(given: Any, name: str) -> str:
    value = _field(given, name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST or not value.isprintable():
        raise NoIndex(f'"{name}" must be a text of one line')
    return value


def _whole(given: Any, name: str, most: int = 2**31) -> int:
    value = _field(given, name)
    if type(value) is not int or not 0 <= value <= most:
        raise NoIndex(f'"{name}" must be a whole number up to {most}')
    return value


def _number(value: Any, name: str) -> float | None:
    if value is not None and type(value) not in (int, float):
        raise NoIndex(f'"{name}" must be numbers')
    return None if value is None else float(value)


def _field(given: Any, name: str) -> Any:
    if not isinstance(given, dict) or name not in given:
        raise NoIndex(f'it has no "{name}" where a shelf needs one')
    return given[name]
