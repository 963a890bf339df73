"""Installing a game: fetch its wheel, check it, try whether its games load, and put it on the list."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from umpi.kernel.game import API
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import is_shipped
from umpi.shelf.index import MOST_WHEEL, Package
from umpi.shelf.installed import INHERITED, Installed, Packages, State
from umpi.shelf.package_names import canonical
from umpi.shelf.place import Place, Unreached
from umpi.shelf.wheel import (
    BadWheel,
    Wheel,
    brought_by,
    is_installed,
    needs_of,
    needs_too,
    read_wheel,
    taken_modules,
)

log = logging.getLogger(__name__)

TRIED_S = 120.0  # in which the games must load
SHOWN = 80  # characters of a line that no game may write


class NotInstalled(Exception):
    """Report why a package was not installed; `reason` says it to the players. Nothing has changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def install(
    package: Package,
    place: Place,
    packages: Packages,
    fetched: Callable[[int, int], object] = nothing,
    trying: Callable[[], object] = nothing,
) -> Installed:
    """Install a package of a shelf, in place of another version of it. Raises NotInstalled, BadList, OSError.

    From the next start on, it counts. `fetched` gets how many bytes are there, and of how many. `trying` is called
    before the games are loaded, which takes seconds.
    """
    if package.umpi_api != API:
        told = {"package": f"{package.name} {package.version}", "theirs": package.umpi_api, "own": API}
        raise NotInstalled(
            message(
                "{package} is for version {theirs} of the kernel, which is newer than that of this Umpi, {own}. "
                "Update Umpi", **told,
            ) if package.umpi_api > API else message(
                "{package} is for version {theirs} of the kernel, which is older than that of this Umpi, {own}. "
                "Its author must adapt it", **told,
            )
        )  # fmt: skip
    try:
        content = place.fetch(package.path, MOST_WHEEL, lambda done: fetched(done, package.bytes))
    except Unreached as fault:
        raise NotInstalled(message("The wheel cannot be read: {why}", why=fault.reason)) from None
    if hashlib.sha256(content).hexdigest() != package.sha256:
        damaged = message(
            "its checksum is not the one that the owner of the shelf has signed. Try again later, or ask the owner to "
            "publish it again"
        )
        raise _refused(package, damaged)
    try:
        wheel = read_wheel(package.file, content)
    except BadWheel as fault:
        raise _refused(package, fault.reason) from None
    state = packages.read()
    if objection := _objection(wheel, package, place, state, packages):
        raise _refused(package, objection)
    trying()
    with packages.new_folder() as new:
        wheel.unpack(new)
        for game in try_out(new, wheel):
            if "error" in game:
                raise _refused(package, message("{game} does not load: {why}", game=game["id"], why=game["error"]))
        folder = f"{wheel.name}-{wheel.version}-{new.name.rpartition('-')[2]}"
        installed = Installed(wheel.version, folder, package.sha256, place.where, wheel.games, wheel.expands)
        if why := packages.add(
            wheel.name, installed, new, lambda now: _objection(wheel, package, place, now, packages)
        ):
            raise _refused(package, why)
    return installed


def _refused(package: Package, why: str) -> NotInstalled:
    return NotInstalled(message("{file}: {why}", file=package.file, why=why))


def try_out(folder: Path, wheel: Wheel) -> list[dict[str, Any]]:
    """Load the games of an unpacked wheel in a process of its own, and return what `umpi games` says of each.

    A game that does not load has an "error". For an expansion, that is its game with the expansion.
    """
    try:
        done = umpi(folder, "games", "--json", timeout_s=TRIED_S)
    except subprocess.TimeoutExpired:
        return [
            {"id": id, "error": message("it did not end within {seconds} s", seconds=f"{TRIED_S:.0f}")}
            for id in wheel.games
        ]
    try:
        listed = [_entry(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []
    except ValueError as fault:  # what it prints goes elsewhere, but a module of C or another process writes there too
        why = message("it writes to standard output while it loads: {line}", line=str(fault))
        return [{"id": id, "error": why} for id in wheel.games]
    said = (done.stderr.strip().splitlines() or [f"the process ends with status {done.returncode}"])[-1]
    if wheel.expands:
        return [_expanded(listed, wheel, said)]
    found = [each for each in listed if each["id"] in wheel.games]
    missing = {*wheel.games} - {each["id"] for each in found}
    return [*found, *({"id": id, "error": said} for id in sorted(missing))]


def _entry(line: str) -> dict[str, Any]:
    """Return what a line of `umpi games` says of a game. Raises ValueError with the line if it is another one."""
    with suppress(ValueError):
        entry = json.loads(line)
        if isinstance(entry, dict) and "id" in entry:
            return entry
    raise ValueError(line[:SHOWN])


def _expanded(listed: Sequence[dict[str, Any]], wheel: Wheel, said: str) -> dict[str, Any]:
    """Return what `umpi games` says of the game with the expansion of a wheel, under the id of the expansion."""
    own = [each for each in listed if each["id"] == wheel.expands]
    for each in own:
        if wheel.name in (canonical(name.partition(" ")[0]) for name in each.get("expansions", ())):
            return each | {"id": wheel.games[0]}
    its = tuple(f"the expansion {module}{end}" for module in wheel.modules for end in ".:")
    why = [each["error"] for each in own if each.get("error", "").startswith(its)]
    return {"id": wheel.games[0], "error": (why or [said])[0]}


def umpi(folder: Path, *words: str, timeout_s: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command of Umpi in which Python finds the package that is unpacked in a folder before any other."""
    places = os.pathsep.join([str(folder), *filter(None, [os.environ.get(INHERITED)])])
    environment = {**os.environ, INHERITED: places, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "umpi", *words], env=environment, capture_output=True, encoding="utf-8",
        errors="replace", stdin=subprocess.DEVNULL, check=False, timeout=timeout_s,
    )  # fmt: skip


def only_its_shelf(name: str, shelf: str) -> str:
    """Return why a game or package from this shelf cannot come from another one."""
    return message(
        "{game} was installed from {shelf}, and only that shelf may update it. To take it from another one, remove it "
        "first", game=name, shelf=shelf,
    )  # fmt: skip


def _objection(wheel: Wheel, package: Package, place: Place, state: State, packages: Packages) -> str:
    """Return why a wheel of a shelf cannot be installed beside what is there, "" if it can."""
    if (wheel.name, wheel.version) != (package.name, package.version) or {*wheel.games} != {
        game.id for game in package.games
    }:
        return message("the index describes another package")
    if (own := state.packages.get(wheel.name)) and own.shelf != place.where:
        return only_its_shelf(wheel.name, own.shelf)
    for game in wheel.games:
        if is_shipped(game):
            return message(
                "the game {game} is one of those that Umpi contains, and no package may replace it", game=game
            )
        if (owner := state.name_of(game)) and owner != wheel.name:
            return message(
                "the package {package} brings a game {game} already. Remove that first", package=owner, game=game
            )
    own_places = [each for each in sys.path if not Path(each).is_relative_to(packages.root)]
    if why := _unfit(wheel, state, packages, own_places):
        return why
    others = [str(packages.root / each.folder) for name, each in state.packages.items() if name != wheel.name]
    if is_installed(wheel.name, own_places):
        return message(
            "{package} is among the Python packages of Umpi already. First: pip uninstall {package}", package=wheel.name
        )
    if taken := taken_modules(wheel.modules, [*own_places, *others]):
        return message("Python has another module {module} already, which would hide that of the game", module=taken[0])
    return ""


def _unfit(wheel: Wheel, state: State, packages: Packages, own_places: Sequence[str]) -> str:
    """Return why an expansion and its game do not go together, "" if they do."""
    for other in state.expansions_of(wheel.games).values():
        for need in _its_needs(packages.root / other.folder):
            if canonical(need.name) == wheel.name and not need.specifier.contains(wheel.version, prereleases=True):
                return message(
                    "{expansion} expands it, and needs {theirs}. Update or remove {expansion} first",
                    expansion=other.games[0], theirs=need,
                )  # fmt: skip
    if not wheel.expands:
        return ""
    installed = [str(packages.root / each.folder) for each in state.packages.values()]
    base = brought_by(wheel.expands, [*own_places, *installed])
    if base is None:
        return message("it expands the game {game}, which is not installed. Install that first", game=wheel.expands)
    for need in wheel.needs:
        if canonical(need.name) != canonical(base.name):
            return needs_too(need.name)
        if not need.specifier.contains(base.version, prereleases=True):
            return message(
                "it expands {game} {theirs}, and {own} is installed. Update the game, or ask the author of the "
                "expansion", game=wheel.expands, theirs=need.specifier, own=base.version,
            )  # fmt: skip
    return ""


def _its_needs(folder: Path) -> list[Requirement]:
    """Return what the package in a folder needs beside Umpi, nothing if it is damaged: no game waits for it."""
    try:
        return [need for each in distributions(path=[str(folder)]) for need in needs_of(each)]
    except Exception:
        log.exception("%s has a package that cannot be read", folder)
        return []
