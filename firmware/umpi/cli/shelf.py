"""Games from a shelf: list, install and publish them: `umpi shelf | install | publish`."""

from __future__ import annotations

import argparse
import os
import pwd
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from umpi.box.config import BadConfig
from umpi.box.config_file import find_journal, read_config
from umpi.cli.parser import PLAY, WRITE, AddParser, did_you_mean
from umpi.cli.terminal import (
    INSTALLED,
    Problem,
    config_of,
    counted,
    for_people,
    needing,
    put_json,
    settings_of,
    using,
    why_not,
)
from umpi.kernel.output import put
from umpi.kernel.registry import is_shipped
from umpi.lab.further import SECONDS
from umpi.shelf.installed import BadList, Expanded, InPlay, Installed, State
from umpi.shelf.settings import needed_by, settings_for

if TYPE_CHECKING:  # they need packages that not everybody has
    from umpi.box.signing import SigningKey
    from umpi.shelf.index import ShelfGame
    from umpi.shelf.known import Shelf
    from umpi.shelf.offers import Found

GAMES = 200  # of the laboratory, if --games is not given
NO_SHELF = "No shelf has been added yet. Add one, a folder or an address: umpi shelf add FOLDER"
SHELF = "the folder or the address of a shelf"
EQUAL = {None: "?", True: "equal", False: "unequal"}
ACTIONS = {"add": SHELF, "remove": SHELF, "show": "a game"}  # and what each needs


def run_shelf(options: argparse.Namespace) -> int:
    """`umpi shelf [add|remove PLACE | show GAME]`: list the games of the shelves, or change the shelves."""
    _need(options, "umpi shelf")
    if options.action and options.what is None:
        raise Problem(f"umpi shelf {options.action} needs {ACTIONS[options.action]}.")
    try:
        match options.action:
            case "add":
                return _add(options)
            case "remove":
                return _remove_shelf(options)
            case "show":
                return _show(options)
            case _:
                return _list(options)
    except (BadList, OSError) as fault:
        raise _problem(fault) from None


def run_install(options: argparse.Namespace) -> int:
    """`umpi install GAME [--remove]`: install a game, bring it up to date, or remove it."""
    _need(options, "umpi install")
    try:
        return _remove(options) if options.remove else _install(options)
    except (BadList, OSError) as fault:
        raise _problem(fault) from None


def run_publish(options: argparse.Namespace) -> int:
    """`umpi publish SHELF PACKAGE ...`: check games, measure them, and put them on a shelf."""
    _need(options, "umpi publish")
    from umpi.conformance.new_game import left_over
    from umpi.shelf.publish import NotPublished, publish, withdraw

    if options.games < 1:
        raise Problem(f"--games: expected a number from 1, got {options.games}.")
    if bool(options.remove) == bool(options.packages):
        raise Problem("Give the packages to publish, or --remove with the game to take off the shelf.")
    key = _own_key(options)
    try:
        if options.remove:
            gone = withdraw(options.shelf, options.remove, key)
            put(f"{gone.name} {gone.version} is no longer on the shelf {options.shelf}. Who has installed it keeps it.")
            return 0
        for package in publish(options.shelf, options.packages, options.games, key, _say, left_over):
            for game in package.games:
                put(f"{game.title} {package.version} is on the shelf {options.shelf}.")
                for line in _report(game):
                    put(f"  {line}")
    except NotPublished as fault:
        raise Problem(f"{fault}" if "\n" in f"{fault}" else f"{fault}.", 1) from None
    except OSError as fault:
        raise Problem(why_not(fault)) from None
    put(f"The key of the shelf: {key.public}")
    return 0


def _add(options: argparse.Namespace) -> int:
    from umpi.shelf.known import BadShelf, Shelf, look, write_shelves
    from umpi.shelf.place import NoPlace, Place

    try:
        place = Place.read(options.what)
    except NoPlace as fault:
        raise Problem(str(fault)) from None
    shelves = _shelves(options)
    try:
        known = next((shelf for shelf in shelves if shelf.place == place), None)
        index = known.look() if known else look(place)
    except BadShelf as fault:
        raise Problem(f"{fault}.", 1) from None
    if not known:
        write_shelves(_shelves_file(options), [*shelves, Shelf(place, index.key)])
    put(f"The shelf {place.where} is {'already there' if known else 'added'}. Its key: {index.key}")
    put("Compare the key with the one that its owner gives. Umpi accepts no other from now on.")
    games = [game.id for package in index.packages for game in package.games]
    put(f"{counted(len(games), 'game')}: {', '.join(games)}" if games else "There is no game on it yet.")
    if games:
        put(f"To install one: umpi install {games[0]}")
    return 0


def _remove_shelf(options: argparse.Namespace) -> int:
    from umpi.shelf.known import write_shelves
    from umpi.shelf.place import NoPlace, Place

    try:
        place = Place.read(options.what)
    except NoPlace as fault:
        raise Problem(str(fault)) from None
    shelves = _shelves(options)
    left = [shelf for shelf in shelves if shelf.place != place]
    if len(left) == len(shelves):
        there = f"There are: {', '.join(shelf.place.where for shelf in shelves)}." if shelves else NO_SHELF
        raise Problem(f"{place.where} is not among the shelves. {there}")
    write_shelves(_shelves_file(options), left)
    put(f"The shelf {place.where} is removed. Games that were installed from it stay.")
    return 0


def _list(options: argparse.Namespace) -> int:
    """Print the games of all shelves, and the installed ones that no shelf has; 1 if a shelf cannot be used."""
    state: State = options.installed.read()
    shelves = _shelves(options)
    found, faults = _look(shelves)
    on_shelves = {each.game.id for each in found}
    others = [(name, own) for name, own in state.packages.items() if not on_shelves & {*own.games}]
    if not for_people() or options.json:
        for each in found:
            put_json(_as_json(each, state))
        for name, own in others:
            put_json({"shelf": own.shelf, "package": name, "games": own.games, "installed": own.version})
    else:
        for line in _table(found, state):
            put(line)
        for name, own in others:
            put(f"{', '.join(own.games)}: {name} {own.version} is installed, and on none of these shelves.")
        if not shelves:
            put(NO_SHELF)
    _put_faults(faults)
    return 1 if faults else 0


def _show(options: argparse.Namespace) -> int:
    shelves = _shelves(options)
    if not shelves:
        raise Problem(NO_SHELF)
    found, faults = _look(shelves)
    _put_faults(faults)
    shown = [each for each in found if each.game.id == options.what]
    if not shown:
        raise Problem(_not_found(options.what, found, bool(faults)), 1)
    for each in shown:
        seats = _seats(each.game)
        put(f"{_title(each.game)}: {each.package.name} {each.package.version}, for {seats} players")
        put(f"  shelf: {each.shelf.place.where}")
        put(f"  licence: {each.package.licence or 'not named'}")
        for line in _report(each.game):
            put(f"  {line}")
        put("  umpi check:")
        for line in each.game.check:
            put(f"    {line}")
    return 0


def _install(options: argparse.Namespace) -> int:
    from umpi.shelf.install import NotInstalled, install

    state: State = options.installed.read()
    id = options.game
    if is_shipped(id):
        raise Problem(f"{id} is one of the games that Umpi contains. It is there already.")
    shelves = _shelves(options)
    if not shelves:
        raise Problem(NO_SHELF)
    found, faults = _look(shelves)
    each = _chosen(id, found, faults, state)
    _put_faults(faults)
    before = state.packages.get(each.package.name)
    if before and not options.installed.has(before):
        before = None  # its files are lost
    if before and before.sha256 == each.package.sha256:
        put(f"{each.game.title} {before.version} is installed already, and the shelf has no other version.")
        return 0
    _say(f"fetching {each.package.file} and trying it out")
    try:
        installed = install(each.package, each.shelf.place, options.installed)
    except NotInstalled as fault:
        raise Problem(f"{fault}. Nothing was installed.", 1) from None
    put(f"{each.game.title} {installed.version} is installed{f' in place of {before.version}' if before else ''}.")
    if before:
        put("A match in play keeps the version with which it has begun.")
    put(_next(options))
    return 0


def _chosen(id: str, found: Sequence[Found], faults: Sequence[str], state: State) -> Found:
    """Return the game that is meant: that of its shelf if it is installed, else that of the only shelf with it."""
    having = [each for each in found if each.game.id == id]
    if not having:
        raise Problem(" ".join([*(f"{fault}." for fault in faults), _not_found(id, found, bool(faults))]), 1)
    owner = state.packages.get(state.name_of(id))
    same = [each for each in having if owner and each.shelf.place.where == owner.shelf]
    if owner and not same:
        raise Problem(
            f"{id} was installed from {owner.shelf}, and only that shelf may update it. To take it from another one, "
            f"first: umpi install {id} --remove", 1,
        )  # fmt: skip
    if not owner and len(having) > 1:
        places = ", ".join(each.shelf.place.where for each in having)
        raise Problem(f"Several shelves have {id}: {places}. Remove all but one of them: umpi shelf remove …", 1)
    return (same or having)[0]


def _remove(options: argparse.Namespace) -> int:
    state: State = options.installed.read()
    name = state.name_of(options.game)
    if not name:
        there = sorted(game for own in state.packages.values() for game in own.games)
        rest = f"Installed from a shelf: {', '.join(there)}." if there else "No game is installed from a shelf."
        shipped = " It comes with Umpi, and stays." if is_shipped(options.game) else ""
        raise Problem(f"{options.game} was not installed from a shelf.{shipped} {rest}", 1)
    own: Installed = state.packages[name]
    if used := needed_by(settings_for(config_of(options)), own.games):
        where = settings_of(options)
        raise Problem(
            f"{where} has {used} for {options.game}, and would not be valid without it. Delete that first.", 1
        )
    try:
        options.installed.remove(name, find_journal(settings_of(options)))
    except InPlay:
        what = "expansion" if own.expands else "game"
        why = f"A match of {own.expands or options.game} is on the table. Finish or leave it, then remove the {what}."
        raise Problem(why, 1) from None
    except Expanded as fault:
        why = f"{fault.expansion} expands {options.game}. First: umpi install {fault.expansion} --remove"
        raise Problem(why, 1) from None
    for game in own.games:
        put(f"{game} {own.version} is removed.")
    put("Its matches stay in the journal. They can be read again when the game is installed again.")
    put(_next(options, gone=True))
    return 0


def _look(shelves: Sequence[Shelf]) -> tuple[list[Found], list[str]]:
    """Return the games of the shelves, and why a shelf cannot be used."""
    from umpi.shelf.offers import look_at

    found, faults = look_at(shelves)
    return found, [str(each) for each in faults.values()]


def _not_found(id: str, found: Sequence[Found], unsure: bool) -> str:
    """Return that no shelf has a game, and which one may be meant."""
    ids = sorted({each.game.id for each in found})
    if not ids:
        return f"There is no game on the shelves{' that can be read' if unsure else ''}."
    which = "No shelf that can be read" if unsure else "No shelf"
    return f"{which} has a game {id}.{did_you_mean(id, ids)} There are: {', '.join(ids)}."


def _table(found: Sequence[Found], state: State) -> Iterator[str]:
    from umpi.shelf.offers import equal_of, minutes_of

    rows = [("GAME", "TITLE", "PLAYERS", "MINUTES", "SEATS", "LANGUAGES", "VERSION", "INSTALLED")]
    for each in found:
        game, own = each.game, state.packages.get(each.package.name)
        equal, minutes = EQUAL[equal_of(game.lab)], minutes_of(game.lab)
        rows.append((
            game.id, _title(game), _seats(game), "?" if minutes is None else f"{minutes:.0f}", equal,
            " ".join(game.languages), each.package.version, _standing(each, own),
        ))  # fmt: skip
    if not found:
        return
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()


def _standing(each: Found, own: Installed | None) -> str:
    """Return the installed version of a game, "" if it is not installed, with a star if the shelf has another one."""
    if own is None:
        return ""
    if each.newer_than(own):
        return f"{own.version}, can be updated"
    return own.version


def _as_json(each: Found, state: State) -> dict[str, object]:
    from umpi.shelf.offers import minutes_of

    own = state.packages.get(each.package.name)
    return {
        "shelf": each.shelf.place.where, "package": each.package.name, "version": each.package.version,
        "licence": each.package.licence, "installed": own.version if own else None, **asdict(each.game),
        "minutes": minutes_of(each.game.lab),
    }  # fmt: skip


def _report(game: ShelfGame) -> Iterator[str]:
    """Yield the report of a game as lines: its languages, its length and its fairness."""
    from umpi.shelf.offers import equal_of, minutes_of

    lab = game.lab
    yield f"languages: {', '.join(game.languages)}"
    yield f"laboratory: {counted(lab.games, 'random game')} of {lab.players} players"
    minutes = minutes_of(lab)
    if minutes is not None:
        yield f"  {lab.moves:.0f} moves, about {counted(round(minutes), 'minute')} at {SECONDS} seconds per move"
    if shares := [f"seat {seat} {share:.0%}" for seat, share in enumerate(lab.shares) if share is not None]:
        yield f"  wins: {', '.join(shares)}"
    if lab.even is not None:
        found = "no difference between the seats is shown" if equal_of(lab) else "the seats are not equal"
        yield f"  {found} (p = {lab.even:.2f})"


def _title(game: ShelfGame) -> str:
    """Return the title of a game, or that of an expansion with that of its game."""
    from umpi.shelf.offers import title_of

    return f"{game.title}, expands {title_of(game.expands)}" if game.expands else game.title


def _seats(game: ShelfGame) -> str:
    low, high = game.seats
    return f"{low}-{high}" if low < high else str(low)


def _next(options: argparse.Namespace, gone: bool = False) -> str:
    """Return what to do so that a change counts."""
    if settings_of(options) == INSTALLED:
        return "The box follows at its next start: sudo systemctl restart umpi"
    return "The box follows at its next start." if gone else "The box has it from its next start on: umpi sim --open"


def _shelves_file(options: argparse.Namespace) -> Path:
    from umpi.shelf.known import FILE

    file: Path = options.installed.root.parent / FILE
    return file


def _shelves(options: argparse.Namespace) -> list[Shelf]:
    from umpi.shelf.known import BadShelf, read_shelves

    try:
        return read_shelves(_shelves_file(options))
    except BadShelf as fault:
        raise Problem(f"{fault}.") from None


def _own_key(options: argparse.Namespace) -> SigningKey:
    """Return the key of this computer; the first call makes it. Raises Problem."""
    from umpi.box.signing import FILE, read_key

    folder = options.installed.root.parent
    with using():
        folder.mkdir(parents=True, exist_ok=True)
    key = read_key(folder, make=True)
    if key is None:
        raise Problem(f"{folder / FILE}: there is no key to sign with.")
    return key


def _need(options: argparse.Namespace, what: str) -> None:
    """Raise Problem if packages are missing, if umpi.toml cannot be read, or if root would write files of the box."""
    with needing(what, "shelf"):
        import cryptography  # noqa: F401  # the modules of the shelf import both late
        import packaging  # noqa: F401
    folder = options.installed.root.parent
    if os.geteuid() == 0 and folder.is_dir() and (owner := folder.stat().st_uid):
        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = f"#{owner}"  # as sudo takes it
        raise Problem(f"{folder} belongs to {name}. Run the command as {name}: sudo -u {name} {what} …")
    try:
        read_config(settings_of(options), games=False)  # else the games, the shelves and the key of another box count
    except BadConfig as fault:
        raise Problem(str(fault)) from None


def _problem(fault: Exception) -> Problem:
    return Problem(f"{fault}." if isinstance(fault, BadList) else why_not(fault))


def _put_faults(faults: Sequence[str]) -> None:
    for fault in faults:
        print(f"umpi: {fault}.", file=sys.stderr, flush=True)


def _say(text: str) -> None:
    """Print what takes long, on standard error if it is a terminal."""
    if sys.stderr.isatty():
        print(f"umpi: {text} …", file=sys.stderr, flush=True)


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "shelf", run_shelf, group=PLAY,
        purpose="List the games that can be installed, and add a shelf.",
        description="List the games of the shelves. A shelf is a folder or an address where somebody publishes games. "
        "The list shows the length of a match, whether the seats are equal in random games, and what is installed. "
        "It is a table on a terminal, else one JSON line per game.",
        examples=(
            "umpi shelf add https://games.example/shelf",
            "umpi shelf",
            "umpi shelf show snake-eyes     # with the report of umpi check",
        ),
        statuses={
            0: "The shelves could be read.",
            1: "A shelf cannot be read, or is not the one that was added.",
            2: "Wrong usage, or a file that cannot be read.",
        },
    )  # fmt: skip
    _add_config(command)
    command.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), metavar="ACTION",
        help="add or remove a shelf, or show a game; without it, list all games",
    )  # fmt: skip
    command.add_argument(
        "what", nargs="?", metavar="SHELF|GAME", help="folder or address of the shelf, or the game to show"
    )
    command.add_argument("--json", action="store_true", help="print JSON lines on a terminal too")

    command = add(
        "install", run_install, group=PLAY,
        purpose="Install a game from a shelf, update or remove it.",
        description="Install a game from a shelf, beside the matches of the box and without root. If it is installed, "
        "bring it to the version of the shelf. The box has it from its next start on. A match in play keeps its "
        "version. Only install games of people whom you trust: a game is a program.",
        examples=("umpi install snake-eyes", "umpi install snake-eyes --remove"),
        statuses={
            0: "The game is installed or removed.",
            1: "The game cannot be installed or removed. Nothing has changed.",
            2: "Wrong usage, or a file that cannot be read.",
        },
    )  # fmt: skip
    _add_config(command)
    command.add_argument("game", metavar="GAME", help='name of the game, as "umpi shelf" lists it')
    command.add_argument("--remove", action="store_true", help="remove the game; its matches stay")

    command = add(
        "publish", run_publish, group=WRITE,
        purpose="Put games of your own on a shelf for others.",
        description="Build the wheels of packages, check and measure their games, and write them into a folder with a "
        "signed index. Others add the folder as a shelf: copy it to a memory stick or to a web server. A game that "
        "fails a check is not published, and the shelf stays as it was.",
        examples=(
            "umpi publish ~/shelf snake-eyes",
            "umpi publish ~/shelf snake-eyes lucky-seven --games 1000",
            "umpi publish ~/shelf --remove snake-eyes",
        ),
        statuses={
            0: "All packages are on the shelf.",
            1: "A package cannot be published. The shelf is as it was.",
            2: "Wrong usage, or a file that cannot be read.",
        },
    )  # fmt: skip
    _add_config(command)
    command.add_argument("shelf", type=Path, metavar="SHELF", help="folder of the shelf; it is made if there is none")
    command.add_argument(
        "packages", nargs="*", type=Path, metavar="PACKAGE",
        help="folder of a package with pyproject.toml, or a wheel of pure Python",
    )  # fmt: skip
    command.add_argument(
        "--games", type=int, default=GAMES, metavar="N",
        help="games that the laboratory plays per game (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--remove", metavar="GAME", help="take the package of a game off the shelf")


def _add_config(command: argparse.ArgumentParser) -> None:
    """Add --config: the box for which the games are."""
    help = f"file with the settings of the box (default: {INSTALLED} if that file exists, else the built-in ones)"
    command.add_argument("--config", type=Path, metavar="UMPI.TOML", help=help)
    command.set_defaults(virtual=False)
