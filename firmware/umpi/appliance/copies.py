"""Copies of the state: a file on a stick with everything that the box keeps, and its way onto another card.

A copy is a tar of `manifest.json` and the files that it lists, each with its length and checksum. It has matches,
configuration, keys and Wi-Fi, so whoever has it can act as this box.

To restore one, its files are first written beside the state, as `restored`. The next start puts them into their places,
before anything uses these. The power may fail at any time: the state is then the old one or the new one.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from umpi.appliance.bundle import MANIFEST, Progress, Version, read_version
from umpi.appliance.card import CardFault
from umpi.appliance.journals import BESIDE, journal_schema
from umpi.frozen import frozen
from umpi.kernel.messages import message

FORM = 1  # of a copy
FOLDERS = {"umpi": "umpi", "umpi-mqtt": "umpi-mqtt", "etc-umpi": "root", "connections": "root", "ssh": "root"}  # owners
OWNERS = ("root", "umpi", "umpi-mqtt")  # of files; a copy knows no other users of a card
OPEN = "etc-umpi"  # whose subfolders everybody may enter, as itself: what is secret there is so by its own mode
COPIES = "umpi-backup-*.tar"  # in the top folder of a stick
MADE = re.compile(r"-(\d{8}-\d{6})")  # when a copy was made, in its name, whatever a computer has added
RESTORED, COMING, ASIDE = "restored", "restored.new", "before-restore"  # in the state
HELD = "for-copy"  # there too: what a copy is made from
MANIFEST_BYTES = 16 << 20  # of some 70,000 files
BLOCK = 1 << 20
ENTRY = 2048  # bytes of a tar around each file: its header, that of a long name, and the rest of its last block
FREE = 32 << 20  # bytes of the state that stay free
_NAME = re.compile(rf"(?:{'|'.join(FOLDERS)})(?:/[^/\0]{{1,255}})+")  # as the file system has them


@frozen
class Kept:
    """A file of a copy: its name below the state, its bytes, their SHA-256, its mode, its owner and its group."""

    name: str
    size: int
    sha256: str
    mode: int
    owner: str
    group: str


@frozen
class Copy:
    """What a copy says of itself: the box and its version, when it was made, its files, and the matches in it."""

    box: str
    made_s: int
    version: Version
    matches: int
    files: tuple[Kept, ...]

    @property
    def date(self) -> str:
        """The day on which it was made."""
        return datetime.fromtimestamp(self.made_s, UTC).date().isoformat()

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)


def count_matches(journal: Path) -> int:
    """Return how many matches a journal has; 0 if there is none, or it cannot be read."""
    if not journal.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
            return int(file.execute("SELECT count(*) FROM match").fetchone()[0])
    except sqlite3.Error:
        return 0


def back_up(state: Path, journal: Path, box: str, made_s: int, version: Version, folder: Path, show: Progress) -> Path:
    """Write a copy of the state into a folder, and read it back. Return its file. Raises CardFault and OSError.

    The journal may be in use: SQLite copies it as it is at one moment. What is not whole gets no name of a copy.
    """
    name = re.sub(r"[^A-Za-z0-9-]", "-", box)[:40] or "umpi"
    moment = datetime.fromtimestamp(made_s, UTC)
    file = folder / f"umpi-backup-{name}-{moment:%Y%m%d-%H%M%S}.tar"
    coming, held = file.with_suffix(".new"), state / HELD
    inside = state / "umpi" / journal.name
    try:
        still = _hold(state, inside, held)
        names = [each.relative_to(held).as_posix() for each in sorted(held.rglob("*")) if each.is_file()]
        files = tuple(_kept(each, held / each, *_owners(each, state / each)) for each in names)
        sources = {each.name: held / each.name for each in files}
        copy = Copy(box, made_s, version, count_matches(still), files)
        manifest = _manifest(copy)
        needed = copy.size + len(files) * ENTRY + len(manifest) + BLOCK
        if shutil.disk_usage(folder).free < needed:
            raise CardFault(message("The stick is full: the copy needs {needed} MB.", needed=(needed >> 20) + 1))
        with coming.open("wb") as out:
            _write(out, manifest, copy, sources, show)
            out.flush()
            os.fsync(out.fileno())
            os.posix_fadvise(out.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        read_copy(coming, check=True)
        coming.replace(file)
    except sqlite3.Error as fault:
        raise CardFault(message("The matches cannot be copied: {why}.", why=str(fault))) from None
    finally:
        shutil.rmtree(held, ignore_errors=True)
        coming.unlink(missing_ok=True)
    return file


def _hold(state: Path, journal: Path, held: Path) -> Path:
    """Copy the files of the state as they are now, as the box goes on to write them. Return the copy of the journal.

    A file that vanishes in between is not in the copy. Raises CardFault if the state has no room, sqlite3.Error and
    OSError.
    """
    shutil.rmtree(held, ignore_errors=True)
    held.mkdir(mode=0o700)
    sources = [*_sources(state, journal)]
    needed, free = _size(journal) + sum(_size(file) for _, file in sources), shutil.disk_usage(state).free
    if free < needed + FREE:
        template = "The card is full: it has {free} MB free, and the copy needs {needed} MB."
        raise CardFault(message(template, free=free >> 20, needed=(needed + FREE) >> 20))
    for name, file in sources:
        to = held / name
        to.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            shutil.copyfile(file, to)
            to.chmod(file.stat().st_mode & 0o777)
    still = held / "umpi" / journal.name
    if journal.exists():
        still.parent.mkdir(exist_ok=True)
        _copy_journal(journal, still)
    return still


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _copy_journal(journal: Path, to: Path) -> None:
    with closing(sqlite3.connect(journal)) as file, closing(sqlite3.connect(to)) as written:
        file.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it


def _sources(state: Path, journal: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of the state by name, without the journal and what belongs to a running box alone."""
    own = {journal, *(journal.with_name(journal.name + end) for end in BESIDE)}
    for folder in FOLDERS:
        for file in sorted((state / folder).rglob("*")):
            if file.is_file() and not file.is_symlink() and file not in own and file.suffix not in (".lock", ".new"):
                yield file.relative_to(state).as_posix(), file


def _owners(name: str, file: Path) -> tuple[str, str]:
    """Return the owner and the group of a file of the state; if a copy does not know one, that of its folder."""
    own = FOLDERS[name.partition("/")[0]]
    try:
        owner, group = file.owner(), file.group()
    except (OSError, KeyError):  # it has vanished, or one of them has no name
        return own, own
    return owner if owner in OWNERS else own, group if group in OWNERS else own


def _kept(name: str, file: Path, owner: str, group: str) -> Kept:
    with file.open("rb") as opened:
        sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
    return Kept(name, file.stat().st_size, sha256, file.stat().st_mode & 0o777, owner, group)


def _manifest(copy: Copy) -> bytes:
    files = [asdict(each) for each in copy.files]
    head = {
        "umpi_copy": FORM, "box": copy.box, "made_s": copy.made_s, "version": copy.version.as_json(),
        "matches": copy.matches, "files": files,
    }  # fmt: skip
    return json.dumps(head, indent=1).encode()


def _write(out: IO[bytes], manifest: bytes, copy: Copy, sources: dict[str, Path], show: Progress) -> None:
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, MANIFEST, len(manifest), copy.made_s, io.BytesIO(manifest))
        done = 0
        for each in copy.files:
            with sources[each.name].open("rb") as file:
                _add(tar, each.name, each.size, copy.made_s, file)
            done += each.size
            show(done, copy.size)


def _add(tar: tarfile.TarFile, name: str, size: int, time_s: int, file: IO[bytes]) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = size, time_s, 0o600
    tar.addfile(info, file)


def newest_copy(folder: Path) -> Path:
    """Return the newest copy in a folder, by the time in its name. Raises CardFault if there is none."""
    found = sorted(folder.glob(COPIES), key=lambda file: MADE.findall(file.stem)[-1:])  # one without a time is old
    if not found:
        raise CardFault(message("The stick has no copy of a box: umpi-backup-….tar in its top folder."))
    return found[-1]


def read_copy(file: Path, check: bool = False) -> Copy:
    """Read what a copy says of itself; with `check`, compare all its files with that. Raises CardFault."""
    try:
        with tarfile.open(file, "r:") as tar:
            copy = _copy_of(tar)
            for each in copy.files if check else ():
                for _ in _read(tar, each):
                    pass
            return copy
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError, TypeError, RecursionError) as fault:
        raise CardFault(_unreadable(file.name, fault)) from None


def _plain(member: tarfile.TarInfo) -> bool:
    """Return whether a member is a file with all its bytes: a sparse one may say that it is larger than any card."""
    return member.isreg() and not member.issparse()


def _copy_of(tar: tarfile.TarFile) -> Copy:
    member = tar.next()
    file = tar.extractfile(member) if member and _plain(member) and member.size <= MANIFEST_BYTES else None
    if member is None or member.name != MANIFEST or file is None:
        raise ValueError(f"it does not start with a {MANIFEST}")
    given: dict[str, Any] = json.loads(file.read())
    if given["umpi_copy"] != FORM:
        raise ValueError(f"it has form {given['umpi_copy']}, and this Umpi reads form {FORM}")
    files = tuple(map(_kept_as, given["files"]))
    for each in files:
        if (
            not {each.owner, each.group} <= {*OWNERS}
            or not _NAME.fullmatch(each.name)
            or {".", ".."} & {*each.name.split("/")}
            or each.size < 0
        ):
            raise ValueError(f"it has a file {each.name[:60]!r}")
    if len({each.name for each in files}) != len(files):
        raise ValueError("it has a file twice")
    return Copy(str(given["box"]), int(given["made_s"]), read_version(given["version"]), int(given["matches"]), files)


def _kept_as(listed: dict[str, Any]) -> Kept:
    name, mode = str(listed["name"]), int(listed["mode"]) & 0o777
    owner = str(listed.get("owner", FOLDERS.get(name.partition("/")[0])))  # older copies name no owner and no group
    return Kept(name, int(listed["size"]), str(listed["sha256"]), mode, owner, str(listed.get("group", owner)))


def _read(tar: tarfile.TarFile, kept: Kept) -> Iterator[bytes]:
    """Yield the bytes of a file of a copy. Raises ValueError at its end if they are others than its manifest says."""
    member = tar.getmember(kept.name)
    file = tar.extractfile(member) if _plain(member) and member.size == kept.size else None
    if file is None:
        raise ValueError(f"{kept.name} has another length")
    found = hashlib.sha256()
    while block := file.read(BLOCK):
        found.update(block)
        yield block
    if found.hexdigest() != kept.sha256:
        raise ValueError(f"{kept.name} is damaged")


def _unreadable(name: str, fault: object) -> str:
    return message("The copy {file} cannot be read: {why}. Nothing has changed.", file=name, why=str(fault))


def check_copy(copy: Copy, present: Version) -> None:
    """Check that this version can read a copy. Raises CardFault."""
    if copy.version.journal_schema > present.journal_schema:
        template = "The copy is of version {new}, and this box has {present}. Update the box first."
        raise CardFault(message(template, new=copy.version.name, present=present.name))


def unpack(file: Path, journal: Path, state: Path, owners: bool, show: Progress) -> None:
    """Write the files of a copy beside the state, for the next start. Raises CardFault and OSError.

    `owners` is whether the files get their owners, which only root can give.
    """
    copy, coming = read_copy(file), state / COMING
    shutil.rmtree(coming, ignore_errors=True)
    free = shutil.disk_usage(state).free
    if free < copy.size + FREE:
        template = "The card is too small: it has {free} MB free, and the copy needs {needed} MB."
        raise CardFault(message(template, free=free >> 20, needed=(copy.size + FREE) >> 20))
    try:
        with tarfile.open(file, "r:") as tar:
            done = 0
            for each in copy.files:
                to = coming / each.name
                _make_folder(to.parent, coming, owners)
                with to.open("wb") as out:
                    for block in _read(tar, each):
                        out.write(block)
                    out.flush()
                    os.fsync(out.fileno())
                to.chmod(each.mode)
                if owners:
                    shutil.chown(to, each.owner, each.group)
                done += each.size
                show(done, copy.size)
        inside = coming / "umpi" / journal.name
        if inside.exists():
            journal_schema(inside)
            _check_journal(inside)
        _sync(coming)
    except (tarfile.TarError, EOFError, ValueError, KeyError) as fault:
        shutil.rmtree(coming, ignore_errors=True)
        raise CardFault(_unreadable(file.name, fault)) from None
    except BaseException:
        shutil.rmtree(coming, ignore_errors=True)
        raise
    shutil.rmtree(state / RESTORED, ignore_errors=True)
    shutil.rmtree(state / ASIDE, ignore_errors=True)  # of an earlier restore: the new one is whole now
    coming.rename(state / RESTORED)  # from now on, the next start uses it
    _sync(state)


def _make_folder(folder: Path, top: Path, owners: bool) -> None:
    if folder == top or folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        return
    _make_folder(folder.parent, top, owners)
    first = folder.relative_to(top).parts[0]
    folder.mkdir(mode=0o750)
    folder.chmod(0o755 if first == OPEN else 0o750)  # whatever the mask of who restores
    if owners:
        shutil.chown(folder, FOLDERS[first], FOLDERS[first])


def _check_journal(journal: Path) -> None:
    """Check the matches of a copy. Raises ValueError."""
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
            found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as fault:
        raise ValueError(f"{journal.name}: {fault}") from None
    if found != "ok":
        raise ValueError(f"{journal.name}: {found}")


def _sync(folder: Path) -> None:
    for each in (folder, *(below for below in folder.rglob("*") if below.is_dir())):
        handle = os.open(each, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def take_restored(state: Path) -> bool:
    """At the start: put restored files into their places, and what was there aside. Return whether there were any.

    A folder is in its place once it is no longer among the restored ones, so that a start that is cut off goes on.
    """
    shutil.rmtree(state / COMING, ignore_errors=True)
    restored, aside = state / RESTORED, state / ASIDE
    if not restored.exists():
        return False
    aside.mkdir(mode=0o700, exist_ok=True)
    for folder in FOLDERS:
        if not (restored / folder).exists():
            continue
        if (state / folder).exists() and not (aside / folder).exists():
            (state / folder).rename(aside / folder)
        if (state / folder).exists():  # cut off before, and somebody has made it again
            shutil.rmtree(state / folder)
        (restored / folder).rename(state / folder)
    _sync(state)
    shutil.rmtree(restored)
    return True
