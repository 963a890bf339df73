"""The program that installs games for the service of a box: one task on each connection, as the user of the box.

It reads one line of JSON from standard input, and prints `ShelfNews` as lines. What it installs or removes counts from
the next start of the box.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, assert_never, get_args

from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.recording.values import dumped, plain
from umpi.referee.events import ShelfNews
from umpi.service.shelf_line import LONGEST, Wish, read_wish
from umpi.shelf.faults import why_not
from umpi.shelf.install import NotInstalled, install, only_its_shelf
from umpi.shelf.installed import FOLDER, BadList, Expanded, InPlay, Packages
from umpi.shelf.known import FILE, BadShelf, SetAside, Shelf, look, read_shelves, write_shelves
from umpi.shelf.offers import Found, equal_of, look_at, minutes_of, title_of
from umpi.shelf.place import NoPlace, Place
from umpi.shelf.settings import needed_by
from umpi.table.shelf_work import KnownShelf, OnShelf, ShelfStage, ShelfTask

NICE = 10  # the referee goes first

log = logging.getLogger(__name__)


class NotDone(Exception):
    """Report why a task cannot be done; `reason` says so to the players. Nothing has changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class Looked:
    """The games that the shelves have, and the shelves."""

    found: Sequence[Found]
    shelves: tuple[KnownShelf, ...]


class Work:
    """One task on the games beside a journal; `told` gets the news."""

    def __init__(self, wish: Wish, told: IO[bytes]) -> None:
        self._wish, self._told = wish, told
        self._journal = Path(wish.journal)
        self._packages = Packages(Path(wish.folder) / FOLDER)
        self._file = Path(wish.folder) / FILE

    def tell(self, news: ShelfNews) -> None:
        """Tell the service how far the task is. If it does not listen any more, the task goes on."""
        try:
            self._told.write(f"{dumped(plain(news))}\n".encode())
            self._told.flush()
        except OSError as fault:
            log.info("the service does not listen: %s", fault)

    def do(self) -> None:
        """Do the task, and tell what has become of it with all that the shelves then have."""
        looked: Looked | None = None
        games: tuple[OnShelf, ...] | None = None
        try:
            task = next((each for each in get_args(ShelfTask) if each == self._wish.task), None)
            if task is None:
                raise NotDone(message("The box knows no task {word}", word=repr(self._wish.task[:40])))
            with self._packages.in_use(self._journal):
                text = self._changed(task)
                looked = self._look()
                text = text or self._worked(task, looked)
            stage: ShelfStage = "done"
        except SetAside as fault:
            text, stage = fault.told, "failed"
        except (NotDone, NotInstalled, BadShelf, BadList) as fault:
            log.warning("the task failed: %s", fault)
            text, stage = message("{why}. Nothing has changed.", why=fault.reason), "failed"
        except OSError as fault:
            log.warning("the task failed", exc_info=True)
            text, stage = message("The box cannot work on its games: {why}.", why=why_not(fault)), "failed"
        except Exception as fault:
            log.exception("the task failed")
            why = f"{type(fault).__name__}: {fault}"
            text, stage = message("The box cannot work on its games: {why}.", why=why), "failed"
        if looked:
            try:
                with self._packages.in_use(self._journal):  # for the titles of games that are expanded
                    games = tuple(self._listed(looked.found))
            except (BadList, OSError):
                log.exception("the installed games are not known")
        self.tell(ShelfNews(stage, text, None, looked.shelves if looked else None, games))

    def _changed(self, task: ShelfTask) -> str:
        """Add or remove a shelf; return what has become of it, "" for another task. Raises NotDone, BadShelf."""
        if task not in ("add", "forget"):
            return ""
        shelves = read_shelves(self._file)
        if task == "forget":
            left = [each for each in shelves if each.place.where != self._wish.shelf]
            if len(left) == len(shelves):
                raise NotDone(message("{shelf} is not among the shelves", shelf=self._wish.shelf))
            write_shelves(self._file, left)
            return message("The shelf is removed. Games from it stay installed.")
        try:
            place = Place.read(self._wish.shelf)
        except NoPlace:
            place = Place("")
        if not place.is_address:  # a phone names no folder of the box
            raise NotDone(message("A shelf needs an address, as in {example}", example="https://games.example/shelf"))
        if any(each.place == place for each in shelves):
            raise NotDone(message("This shelf is there already"))
        self.tell(ShelfNews("busy", message("Reading {shelf}", shelf=place.where)))
        write_shelves(self._file, [*shelves, Shelf(place, look(place).key)])
        return message("The shelf is added. Compare its key with the one that its owner gives.")

    def _look(self) -> Looked:
        shelves = read_shelves(self._file)
        found, faults = look_at(
            shelves, lambda each: self.tell(ShelfNews("busy", message("Reading {shelf}", shelf=each.place.where)))
        )
        known = (
            KnownShelf(each.place.where, each.key, faults[each].reason if each in faults else "") for each in shelves
        )
        return Looked(found, tuple(known))

    def _worked(self, task: ShelfTask, looked: Looked) -> str:
        """Install or remove a game; return what has become of it. Raises NotDone, NotInstalled, BadList, OSError."""
        match task:
            case "look" | "add" | "forget":
                return ""
            case "install":
                return self._install(looked)
            case "remove":
                return self._remove()
        assert_never(task)

    def _install(self, looked: Looked) -> str:
        wish, state = self._wish, self._packages.read()
        each = next(
            (one for one in looked.found if (one.shelf.place.where, one.game.id) == (wish.shelf, wish.game)), None
        )
        if each is None:
            trouble = next((one.trouble for one in looked.shelves if one.where == wish.shelf), "")
            raise NotDone(trouble or message("This shelf has no game {game}", game=wish.game))
        owner = state.packages.get(state.name_of(wish.game))
        if owner and owner.shelf != wish.shelf:
            raise NotDone(only_its_shelf(each.game.title, owner.shelf))
        if owner and owner.sha256 == each.package.sha256 and self._packages.has(owner):
            raise NotDone(message("{game} {version} is installed already", game=each.game.title, version=owner.version))
        fetching, title = message("Fetching {game}:", game=each.game.title), each.game.title
        installed = install(
            each.package,
            each.shelf.place,
            self._packages,
            lambda done, whole: self.tell(ShelfNews("busy", fetching, 100 * done // max(1, whole))),
            lambda: self.tell(ShelfNews("busy", message("Trying {game} out …", game=title))),
        )
        if owner:
            return message(
                "{game} {version} will be available after the next start of the box. A match in play keeps its "
                "version.", game=title, version=installed.version,
            )  # fmt: skip
        return message(
            "{game} {version} will be available after the next start of the box.", game=title, version=installed.version
        )

    def _remove(self) -> str:
        game, state = self._wish.game, self._packages.read()
        name = state.name_of(game)
        if not name:
            raise NotDone(message("{game} was not installed from a shelf", game=game))
        own = state.packages[name]
        if used := needed_by(self._wish.settings, own.games):
            raise NotDone(
                message("The settings have {what} for {game}, and would not be valid without it", what=used, game=game)
            )
        try:
            self._packages.remove(name, self._journal)
        except InPlay:
            raise NotDone(
                message("A match of {game} is on the table. Finish or leave it, then remove the game", game=game)
                if not own.expands
                else message(
                    "A match of {game} is on the table. Finish or leave it, then remove the expansion",
                    game=title_of(own.expands),
                )
            ) from None
        except Expanded as fault:
            raise NotDone(
                message("{expansion} expands {game}. Remove {expansion} first", expansion=fault.expansion, game=game)
            ) from None
        return message(
            "{game} will be removed at the next start of the box. A match that starts before then keeps it. The saved "
            "matches of the game stay.", game=game,
        )  # fmt: skip

    def _listed(self, found: Sequence[Found]) -> Iterator[OnShelf]:
        """Yield the games of the shelves, and the installed ones that no shelf has."""
        state = self._packages.read()
        for each in found:
            own, game, package, where = (
                state.packages.get(each.package.name),
                each.game,
                each.package,
                each.shelf.place.where,
            )
            if own and own.shelf != where:
                own = None  # another shelf has a package of the same name
            yield OnShelf(
                where,
                game.id,
                game.title,
                package.name,
                package.version,
                own.version if own else "",
                each.newer_than(own),
                *game.seats,
                game.languages,
                minutes_of(game.lab),
                equal_of(game.lab),
                package.licence,
                game.check,
                title_of(game.expands) if game.expands else "",
            )
        there = {(each.shelf.place.where, each.game.id) for each in found}
        for name, installed in state.packages.items():
            for id in installed.games:
                if (installed.shelf, id) not in there:
                    expands = title_of(installed.expands) if installed.expands else ""
                    yield OnShelf(installed.shelf, id, id, name, "", installed.version, expands=expands)


def main() -> int:
    """Do the task of one connection."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    if os.getpriority(os.PRIO_PROCESS, 0) < NICE:  # its unit sets that, and forbids it afterwards
        os.nice(NICE)
    line = sys.stdin.buffer.readline(LONGEST)
    try:
        wish = read_wish(line)
    except (ValueError, LookupError, TypeError) as fault:
        log.error("this is no task: %s", fault)
        return 1
    Work(wish, sys.stdout.buffer).do()
    return 0


if __name__ == "__main__":
    sys.exit(main())
