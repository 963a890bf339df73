"""Wheels of games: check the file by the standard before anything of it is used, and unpack it.

Binary distribution format: https://packaging.python.org/specifications/binary-distribution-format/. Only wheels of pure
Python are read, with files for one folder, without packages that would have to be installed too.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import logging
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from email.message import Message
from email.parser import Parser
from importlib.machinery import PathFinder
from importlib.metadata import Distribution, EntryPoint, PathDistribution, distributions
from lzma import LZMAError
from pathlib import Path, PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from umpi import __version__
from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.registry import EXPANSIONS, GROUP, SHIPPED
from umpi.shelf.disk import sync_folder
from umpi.shelf.package_names import id_of_expansion

PURE = "py3-none-any"
MOST_FILES, MOST_BYTES = 2000, 64 * 1024 * 1024  # of a wheel, unpacked
UNSIGNED = ("RECORD", "RECORD.jws", "RECORD.p7s")  # the files that RECORD gives no hash for
LONGEST_LICENCE = 60  # characters
HASHES = ("sha256", "sha384", "sha512")
COMPILED = (".so", ".pyd", ".dll", ".dylib", ".pyc", ".pyo", ".pth")  # the last runs at each start of Python
STARTED = ("sitecustomize", "usercustomize")  # Python imports them at each start


log = logging.getLogger(__name__)


class BadWheel(ValueError):
    """Report a wheel that cannot be installed; `reason` says why to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoWheel(BadWheel):
    """Report a file that is damaged or no wheel of a game. Its text tells the owner of the shelf, in English."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.reason = message(
            "Umpi cannot use this wheel ({what}). Ask the owner of the shelf to publish it again", what=what
        )


@frozen
class Wheel:
    """A checked wheel: the name of its package as registries write it, its version, and the ids of its games.

    `modules` are the names that it brings to Python, `files` the paths in it with their contents, `licence` is the name
    of its licence, "" if it names none. An expansion has one id of its own, and `expands` is that of the game. Then it
    `needs` the package of the game, apart from Umpi.
    """

    name: str
    version: str
    games: tuple[str, ...]
    modules: tuple[str, ...]
    files: dict[PurePosixPath, bytes]
    licence: str = ""
    expands: str = ""
    needs: tuple[Requirement, ...] = ()

    def unpack(self, folder: Path) -> None:
        """Write the files into an empty folder, down to the disk. Raises OSError."""
        folders = {folder}
        for name, content in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            folders |= {folder / parent for parent in name.parents}
            with file.open("xb") as written:
                written.write(content)
                written.flush()
                os.fsync(written.fileno())
        for each in folders:
            sync_folder(each)


def read_wheel(file: str, content: bytes) -> Wheel:
    """Check the wheel that is called `file`, and return what is in it. Raises BadWheel; nothing of it runs."""
    name, version = _read_name(file)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = dict(_files(archive))
            info = _info_of(files, name, version)
            distribution = PathDistribution(zipfile.Path(archive, f"{info}/"))
            _check_wheel_file(_text(files, info / "WHEEL"))
            _check_record(files, info)
            told = Parser().parsestr(_text(files, info / "METADATA"))
            _check_metadata(told, name, version)
            modules = tuple(sorted({_module(path) for path in files} - {""}))
            games, expands = _games(distribution.entry_points, modules, name)
            needs = needs_of(distribution)
            if needs and not expands:
                raise BadWheel(needs_too(needs[0].name))
    except BadWheel:
        raise
    except (zipfile.BadZipFile, zlib.error, LZMAError, OSError, NotImplementedError, EOFError, RuntimeError) as fault:
        raise NoWheel(f"it is not a wheel, or it is damaged: {fault}") from None
    except (ValueError, LookupError, AttributeError) as fault:
        raise NoWheel(f"its entry points cannot be read: {fault}") from None
    return Wheel(name, version, games, modules, files, _licence(told), expands, needs)


def needs_too(package: str) -> str:
    """Return why a wheel that needs another package cannot be installed."""
    return message("it needs the package {package} too. A game of the shelf may need nothing but Umpi", package=package)


def needs_of(distribution: Distribution) -> tuple[Requirement, ...]:
    """Return what a package needs beside Umpi. Raises ValueError if that cannot be read."""
    needs = map(Requirement, distribution.requires or ())
    return tuple(
        each
        for each in needs
        if canonicalize_name(each.name) != "umpi" and (not each.marker or each.marker.evaluate({"extra": ""}))
    )


def brought_by(game: str, places: Sequence[str]) -> Distribution | None:
    """Return the package that brings a game, among those in the folders `places`; None if there is none.

    A damaged package is left out, and the log says why.
    """
    for found in distributions(path=list(places)):
        try:
            if found.name and any(point.group == GROUP and point.name == game for point in found.entry_points):
                return found
        except Exception:
            log.exception("%s has a package that cannot be read", found.locate_file(""))
    return None


def taken_modules(modules: Iterable[str], places: Sequence[str]) -> list[str]:
    """Return the modules that Python has itself or finds in the folders `places`."""
    own = {*sys.stdlib_module_names, *sys.builtin_module_names, *STARTED}
    return [name for name in modules if name in own or PathFinder.find_spec(name, places)]


def is_installed(name: str, places: Sequence[str]) -> bool:
    """Check whether a package is installed in the folders `places`."""
    return any(True for _ in distributions(name=name, path=list(places)))  # by its folder's name: no file is read


def _read_name(file: str) -> tuple[str, str]:
    """Return the package and the version that the name of a wheel contains. Raises BadWheel."""
    try:
        name, version, _, tags = parse_wheel_filename(file)
    except (InvalidWheelFilename, InvalidVersion):
        raise NoWheel(f"its name is not that of a wheel, as in snake_eyes-0.1-{PURE}.whl") from None
    if PURE not in map(str, tags):
        raise BadWheel(
            message(
                "it is compiled for {tags}. Only wheels of pure Python can be installed ({pure})",
                tags=", ".join(sorted(map(str, tags))),
                pure=PURE,
            )
        )
    return name, str(version)


def _files(archive: zipfile.ZipFile) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the files of an archive with their contents. Raises BadWheel for a path that leads out of the folder."""
    entries = archive.infolist()
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise NoWheel(f"it is too large: more than {MOST_FILES} files or {MOST_BYTES // 2**20} MB")
    seen: set[PurePosixPath] = set()
    for entry in entries:
        path = PurePosixPath(entry.orig_filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if path.is_absolute() or not path.parts or ".." in path.parts or set("\\:\0") & {*entry.orig_filename}:
            raise NoWheel(f"the path {entry.orig_filename!r} in it leads out of its folder")
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise NoWheel(f"{path} in it is no plain file")
        if path.parts[0].endswith(".data"):
            raise NoWheel(f"it has files for other places than its folder: {path}")
        if path.suffix in COMPILED:
            raise BadWheel(
                message("it contains the compiled file {file}. Only wheels of pure Python can be installed", file=path)
            )
        if path in seen or any(parent in seen for parent in path.parents):
            raise NoWheel(f"it contains {path} twice")
        if not entry.is_dir():
            seen.add(path)
            yield path, archive.read(entry)


def _info_of(files: dict[PurePosixPath, bytes], name: str, version: str) -> PurePosixPath:
    """Return the folder with the metadata. Raises BadWheel if there is not one, or if it is another package's."""
    found = [path.parent for path in files if len(path.parts) == 2 and path.match("*.dist-info/WHEEL")]
    if len(found) != 1:
        raise NoWheel("it is not a wheel: it needs one folder NAME-VERSION.dist-info with the file WHEEL")
    its_name, _, its_version = found[0].name.removesuffix(".dist-info").partition("-")
    try:
        same = (canonicalize_name(its_name), str(Version(its_version))) == (name, version)
    except InvalidVersion:
        same = False
    if not same:
        raise NoWheel(f"its name says {name} {version}, its content {found[0].name}")
    return found[0]


def _text(files: dict[PurePosixPath, bytes], path: PurePosixPath) -> str:
    try:
        return files[path].decode("utf-8")
    except KeyError:
        raise NoWheel(f"it is not a wheel: it has no {path}") from None
    except UnicodeDecodeError:
        raise NoWheel(f"{path} in it is not UTF-8") from None


def _check_wheel_file(text: str) -> None:
    told: Message = Parser().parsestr(text)
    form = str(told.get("Wheel-Version", ""))
    if form.partition(".")[0] != "1":
        raise NoWheel(f"it is a wheel of version {form or 'unknown'}; this Umpi reads version 1")
    if str(told.get("Root-Is-Purelib", "")).strip().lower() != "true" or PURE not in _tags(told):
        raise BadWheel(
            message(
                "it says of itself that it is compiled. Only wheels of pure Python can be installed ({pure})", pure=PURE
            )
        )


def _tags(told: Message) -> set[str]:
    """Return the tags of a file WHEEL: py2.py3-none-any stands for two."""
    whole = [str(line).strip().split("-") for line in told.get_all("Tag", [])]
    return {f"{python}-{tag[1]}-{tag[2]}" for tag in whole if len(tag) == 3 for python in tag[0].split(".")}


def _check_record(files: dict[PurePosixPath, bytes], info: PurePosixPath) -> None:
    """Compare each file with its hash in RECORD. Raises BadWheel for one that differs, is missing or is not named."""
    try:
        rows = [row for row in csv.reader(io.StringIO(_text(files, info / "RECORD"))) if row]
    except csv.Error as fault:
        raise NoWheel(f"its RECORD cannot be read: {fault}") from None
    if any(len(row) != 3 for row in rows):
        raise NoWheel("its RECORD cannot be read: each line needs a path, a hash and a size")
    named = {PurePosixPath(path): checksum for path, checksum, _ in rows}
    without = {info / name for name in UNSIGNED}
    for path in sorted(named.keys() - files.keys()):
        raise NoWheel(f"{path} is in its RECORD but not in the wheel")
    for path, content in files.items():
        if path in without:
            continue
        how, _, checksum = named.get(path, "").partition("=")
        if how not in HASHES:
            raise NoWheel(f"its RECORD has no hash of {path}")
        found = base64.urlsafe_b64encode(hashlib.new(how, content).digest()).rstrip(b"=").decode()
        if found != checksum.rstrip("="):
            raise NoWheel(f"{path} in it is not the file that its RECORD names")


def _check_metadata(told: Message, name: str, version: str) -> None:
    """Raise BadWheel for other names than the file's, another Python or Umpi, or a package that is needed too."""
    try:
        same = (canonicalize_name(str(told["Name"])), str(Version(str(told["Version"])))) == (name, version)
        python = SpecifierSet(str(told.get("Requires-Python", "")))
        needed = [Requirement(str(line)) for line in told.get_all("Requires-Dist", [])]
    except (InvalidVersion, InvalidSpecifier, InvalidRequirement) as fault:
        first, *_ = f"{fault}".splitlines()  # others show the place
        raise NoWheel(f"its METADATA cannot be read: {first}") from None
    if not same:
        raise NoWheel(f"its name says {name} {version}, its METADATA {told['Name']} {told['Version']}")
    own = ".".join(map(str, sys.version_info[:3]))
    if not python.contains(own, prereleases=True):
        raise BadWheel(message("it needs Python {theirs}, this is Python {own}", theirs=python, own=own))
    for each in needed:
        if each.marker and not each.marker.evaluate({"extra": ""}):
            continue
        if canonicalize_name(each.name) == "umpi" and not each.specifier.contains(__version__, prereleases=True):
            raise BadWheel(
                message("it needs Umpi {theirs}, this is Umpi {own}", theirs=each.specifier, own=__version__)
            )


def _licence(told: Message) -> str:
    """Return the name of the licence that a METADATA gives, in one line, "" if it gives none.

    >>> _licence(Parser().parsestr("License-Expression: MIT"))
    'MIT'
    """
    text = str(told.get("License-Expression") or told.get("License") or "").partition("\n")[0].strip()
    return text[:LONGEST_LICENCE] if text.isprintable() else ""


def _module(path: PurePosixPath) -> str:
    """Return the module of Python to which a file belongs, "" if it is no part of one.

    >>> _module(PurePosixPath("snake_eyes/rulebook/en.md")), _module(PurePosixPath("pig.py"))
    ('snake_eyes', 'pig')
    """
    if len(path.parts) > 1:
        return path.parts[0] if not path.parts[0].endswith(".dist-info") else ""
    return path.stem if path.suffix == ".py" else ""


def _games(points: Sequence[EntryPoint], modules: tuple[str, ...], package: str) -> tuple[tuple[str, ...], str]:
    """Return the ids of what a wheel brings, and the id of the game that it expands. Raises BadWheel."""
    games = [point for point in points if point.group == GROUP]
    expanded = [point for point in points if point.group == EXPANSIONS]
    for point in (*games, *expanded):
        if not point.pattern.match(point.value):  # its `module` would raise, in each version of Python something else
            raise NoWheel(f"its entry points cannot be read: {point.name} = {point.value}")
        if point.value.startswith(SHIPPED) or point.module.partition(".")[0] not in modules:
            raise NoWheel(f"its game {point.name} is in {point.module}, which is not in the wheel")
    if len({point.name for point in expanded}) > 1 or (games and expanded):
        raise NoWheel("it expands several games, or brings a game too. Put each expansion into a package of its own")
    if expanded:
        return (id_of_expansion(package),), expanded[0].name
    if not games:
        raise NoWheel(f'it brings no game: its pyproject.toml needs [project.entry-points."{GROUP}"]')
    return tuple(sorted({point.name for point in games})), ""
