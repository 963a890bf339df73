"""Publishing: build the wheels of packages, check and measure their games, and write a signed shelf into a folder."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from packaging.version import Version

from umpi.box.signing import SigningKey
from umpi.i18n.packages import read
from umpi.i18n.translate import LANGUAGES
from umpi.kernel.game import API
from umpi.kernel.registry import own_point
from umpi.shelf.disk import replace_file
from umpi.shelf.index import (
    MOST_BYTES,
    MOST_WHEEL,
    BadIndex,
    Index,
    Measured,
    Package,
    ShelfGame,
    read_index,
    write_index,
)
from umpi.shelf.install import try_out, umpi
from umpi.shelf.place import INDEX
from umpi.shelf.wheel import BadWheel, Wheel, read_wheel

ENGLISH = "en"
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")  # of a folder that is built
Say = Callable[[str], object]  # shows how far it is
LeftOver = Callable[
    [Mapping[PurePosixPath, bytes]], Sequence[str]
]  # the files that still describe the rules of the template


class NotPublished(Exception):
    """Report why a package cannot be published. The shelf is as it was."""


def read_own(folder: Path, key: SigningKey) -> Index:
    """Return the index in a folder, an empty one if there is none. Raises NotPublished if it is not ours."""
    file = folder / INDEX
    if not file.exists():
        return Index((), key.public)
    try:
        index = read_index(file.read_bytes()[: MOST_BYTES + 1])
    except (OSError, BadIndex) as fault:
        raise NotPublished(f"{file}: {fault}") from None
    if index.key != key.public:
        raise NotPublished(
            f"{file}: another key has signed this shelf. Publish with the computer that did, or take its box.key; "
            f"whoever has added the shelf accepts no other key"
        )
    return index


def publish(
    folder: Path, sources: Sequence[Path], games: int, key: SigningKey, say: Say, left_over: LeftOver
) -> tuple[Package, ...]:
    """Add packages to the shelf in a folder, in place of their older versions, and return them.

    A source is the folder of a package or a wheel. The laboratory plays so many `games`. A package with files that are
    `left_over` is refused. The index comes last, and in one step. Raises NotPublished or OSError.
    """
    index = read_own(folder, key)
    with TemporaryDirectory(prefix="umpi-") as temporary:
        wheels = [_built(source, Path(temporary) / f"wheel-{number}", say) for number, source in enumerate(sources)]
        for file in wheels:
            _check_newer(file, folder, index)
        added = tuple(
            _described(file, Path(temporary) / f"files-{number}", games, say, left_over)
            for number, file in enumerate(wheels)
        )
        names = {each.name for each in added}
        packages = (*(each for each in index.packages if each.name not in names), *added)
        _check_ids(packages, len(names) < len(added))
        for each, file in zip(added, wheels, strict=True):
            (folder / each.path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(folder / each.path, file.read_bytes())
        _write(folder, index, packages, key)
    return added


def withdraw(folder: Path, game: str, key: SigningKey) -> Package:
    """Take the package of a game off a shelf, and return it. Raises NotPublished or OSError."""
    index = read_own(folder, key)
    package = index.package_of(game)
    if package is None:
        there = ", ".join(own.id for each in index.packages for own in each.games)
        rest = f" {game} on this shelf. There are: {there}" if there else " on this shelf"
        raise NotPublished(f"{folder}: there is no game{rest}")
    _write(folder, index, tuple(each for each in index.packages if each is not package), key)
    return package


def _write(folder: Path, before: Index, packages: tuple[Package, ...], key: SigningKey) -> None:
    """Write the index, and then remove the wheels that only the index before names. Raises NotPublished or OSError."""
    content = write_index(packages, key).encode()
    try:
        read_index(content)
    except BadIndex as fault:  # a title of two lines, for example
        raise NotPublished(f"The index would not be valid: {fault}") from None
    if len(content) > MOST_BYTES:
        raise NotPublished(f"The index would have {len(content)} bytes, and no more than {MOST_BYTES} are read")
    replace_file(folder / INDEX, content)
    for path in {each.path for each in before.packages} - {each.path for each in packages}:
        (folder / path).unlink(missing_ok=True)
        with suppress(OSError):  # something of the owner's is in it
            (folder / path).parent.rmdir()


def _check_ids(packages: Sequence[Package], twice: bool) -> None:
    ids = [game.id for package in packages for game in package.games]
    double = next((id for id in ids if ids.count(id) > 1), "")
    if double or twice:
        raise NotPublished(f"Two packages of the shelf bring {f'a game {double}' if double else 'the same name'}")


def _check_newer(file: Path, folder: Path, index: Index) -> None:
    """Raise NotPublished if the shelf has a newer version of a wheel, or other files under its version.

    A record names the version of the rules that judged it, so two sets of rules may not share one. The same files may
    be published again.
    """
    try:
        wheel = read_wheel(file.name, file.read_bytes())
    except BadWheel:  # its description, which comes next, says why
        return
    for there in index.packages:
        if there.name != wheel.name or Version(there.version) < Version(wheel.version):
            continue
        if Version(there.version) > Version(wheel.version):
            why = f"the shelf has version {there.version}, which is newer than {wheel.version}"
        else:
            with suppress(OSError, BadWheel):  # what is damaged may be replaced
                if _content(read_wheel(there.file, (folder / there.path).read_bytes())) == _content(wheel):
                    continue
            why = f"the shelf has other files as version {there.version}"
        raise NotPublished(f"{file.name}: {why}. Raise `version` in pyproject.toml, or remove the game first: --remove")


def _content(wheel: Wheel) -> dict[PurePosixPath, bytes]:
    """Return the files that a package brings and its entry points, without what else a builder writes about them."""
    return {
        path: content
        for path, content in wheel.files.items()
        if path.name == "entry_points.txt" or not path.parts[0].endswith(".dist-info")
    }


def _built(source: Path, into: Path, say: Say) -> Path:
    """Return the wheel of a source, which pip builds from a copy of the folder. Raises NotPublished."""
    if source.is_file():
        return source
    if not (source / "pyproject.toml").is_file():
        raise NotPublished(f"{source}: expected the folder of a package, with pyproject.toml, or a wheel")
    say(f"building {source.resolve().name}")
    copy = into / "source"
    shutil.copytree(source, copy, ignore=LEFT_OUT)
    command = [sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(into), str(copy)], capture_output=True, encoding="utf-8", errors="replace",
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    found = [*into.glob("*.whl")]
    if done.returncode or len(found) != 1:
        lines = [line for line in (done.stderr.strip() or done.stdout).splitlines() if line.strip()]
        raise NotPublished("\n".join([f"{source}: the wheel cannot be built. pip says:", *lines[-12:]]))
    return found[0]


def _described(file: Path, into: Path, games: int, say: Say, left_over: LeftOver) -> Package:
    """Check a wheel and measure its games. Raises NotPublished."""
    content = file.read_bytes()
    try:
        wheel = read_wheel(file.name, content)
    except BadWheel as fault:
        raise NotPublished(f"{file.name}: {fault}") from None
    if len(content) > MOST_WHEEL:
        raise NotPublished(f"{file.name}: it has {len(content)} bytes, a wheel of a shelf at most {MOST_WHEEL}")
    into.mkdir()
    wheel.unpack(into)
    listed = {each["id"]: each for each in try_out(into, wheel)}
    for id, game in listed.items():
        if "error" in game:
            raise NotPublished(f"{file.name}: {id} does not load: {game['error']}")
    if left := left_over(wheel.files):
        raise NotPublished(
            f"{file.name}: you have changed the rules that umpi new-game wrote, but not what it wrote about them in "
            f"{' and '.join(left)}. Write your own there, or delete what you do not need"
        )
    described = tuple(_game(listed[id], wheel, into, games, say) for id in wheel.games)
    checksum = hashlib.sha256(content).hexdigest()
    return Package(wheel.name, wheel.version, file.name, checksum, len(content), API, described, wheel.licence)


def _game(listed: dict[str, Any], wheel: Wheel, folder: Path, games: int, say: Say) -> ShelfGame:
    """Check a game and measure it, for an expansion the game with its options. Raises NotPublished if a check fails."""
    own, id = listed["id"], wheel.expands or listed["id"]
    say(f"umpi check {id}, which takes up to a minute")
    checked = umpi(folder, "check", id)
    if checked.returncode:
        raise NotPublished(f"{id} is not published, because umpi check fails:\n{_said(checked)}")
    say(f"umpi lab {id} --games {games}")
    chosen = [word for option in _chosen(listed, wheel) for word in ("--option", option)]
    played = umpi(folder, "lab", id, "--games", str(games), "--json", *chosen)
    if played.returncode:
        raise NotPublished(f"{id} is not published, because umpi lab fails:\n{_said(played)}")
    measures = json.loads(played.stdout.splitlines()[0])
    lab = Measured(
        measures["games"],
        measures["players"],
        measures["acts"]["mean"],
        tuple(seat["share"] for seat in measures["seats"]),
        measures["even"],
    )
    check = tuple(" ".join(line.split()) for line in checked.stdout.splitlines() if line.strip())
    title = own.replace("-", " ").capitalize() if wheel.expands else listed["title"]
    return ShelfGame(own, title, tuple(listed["seats"]), _languages(wheel, folder), check, lab, wheel.expands)


def _chosen(listed: dict[str, Any], wheel: Wheel) -> Iterator[str]:
    """Yield the options of an expansion as the laboratory measures them: switched, and numbers at their highest."""
    if not wheel.expands:
        return
    own = {option.name for option in own_point(wheel.expands).load().options}
    for name, form in listed["options"].items():
        if name not in own and form.get("type") == "boolean":
            yield f"{name}={json.dumps(not form['default'])}"
        elif name not in own and "maximum" in form:
            yield f"{name}={form['maximum']}"


def _said(done: subprocess.CompletedProcess[str]) -> str:
    return f"{done.stdout}{done.stderr}".strip()


def _languages(wheel: Wheel, folder: Path) -> tuple[str, ...]:
    """Return the languages of a package: English, and those into which at least one of its texts is translated."""
    files = [path for path in wheel.files if path.match("*/texts/*.toml") and path.stem in LANGUAGES]
    translated = {path.stem for path in files if read(folder / path.parent.parent, path.stem)[0]}
    return (ENGLISH, *sorted(translated - {ENGLISH}))
