"""The shelves that somebody has added, in `shelves.json` beside the journal, each with the key that signed it then.

The first look at a shelf fixes its key, as with the hosts of ssh. A shelf that another key has signed is not used.
"""

from __future__ import annotations

import json
import logging
from itertools import count
from pathlib import Path

from umpi.box.signing import HEX32
from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.shelf.disk import replace_file
from umpi.shelf.faults import why_not
from umpi.shelf.index import MOST_BYTES, BadIndex, Index, read_index
from umpi.shelf.place import INDEX, Place, Unreached

FILE = "shelves.json"
ASIDE = ".damaged-{number}"  # what the name of a file that cannot be read gets at its end

log = logging.getLogger(__name__)


class BadShelf(Exception):
    """Report a shelf that cannot be used; `reason` says what to do to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SetAside(BadShelf):
    """Report that the list of the shelves was damaged, and is now beside its place; `told` is the whole sentence."""

    def __init__(self, told: str) -> None:
        super().__init__(told.removesuffix("."))
        self.told = told


@frozen
class Shelf:
    """A shelf: its place, and the public key of its owner."""

    place: Place
    key: str

    def look(self) -> Index:
        """Read the index. Raises BadShelf if it cannot be read, is not one, or if another key has signed it."""
        index = look(self.place)
        if index.key != self.key:
            where = self.place.where
            raise BadShelf(
                message(
                    "{shelf}: another key has signed this shelf than when you added it, so it is not used. Ask its "
                    "owner whether their key is now {key}. If so, remove the shelf and add it again",
                    shelf=where, key=index.key,
                )
            )  # fmt: skip
        return index


def look(place: Place) -> Index:
    """Read the index at a place, whoever has signed it. Raises BadShelf."""
    try:
        return read_index(place.fetch(INDEX, MOST_BYTES))
    except Unreached as fault:
        raise BadShelf(message("The shelf cannot be read: {why}", why=fault.reason)) from None
    except BadIndex as fault:
        raise BadShelf(message("{file}: {why}", file=f"{place.where}/{INDEX}", why=fault.reason)) from None


def read_shelves(file: Path) -> list[Shelf]:
    """Return the shelves in a file, none if there is no file. Raises BadShelf or OSError.

    If it is damaged, set it aside, so that the next call finds none, and raise SetAside.
    """
    try:
        shelves = [Shelf(Place(str(where)), str(key)) for where, key in json.loads(file.read_text("utf-8")).items()]
        if all(HEX32.fullmatch(each.key) for each in shelves):
            return shelves
        why = "a key in it has not 64 hexadecimal digits"
    except FileNotFoundError:
        return []
    except PermissionError:
        raise
    except OSError as fault:
        raise BadShelf(message("{file}: {why}", file=file, why=why_not(fault))) from None
    except (ValueError, AttributeError) as fault:
        why = str(fault)
    names = (file.name + ASIDE.format(number=number) for number in count(1))
    aside = next(free for name in names if not (free := file.with_name(name)).exists())
    log.warning("%s is damaged: %s", file, why)
    file.replace(aside)
    raise SetAside(
        message("The list of your shelves was damaged. It is now {file}. Add your shelves again.", file=aside)
    )


def write_shelves(file: Path, shelves: list[Shelf]) -> None:
    """Write the shelves into a file, in one step. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, (json.dumps({each.place.where: each.key for each in shelves}, indent=1) + "\n").encode())
