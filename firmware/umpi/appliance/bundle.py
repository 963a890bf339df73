"""A bundle: the file of an update. It has a signed manifest, and a root with its boot files.

It is a tar of these members, in this order: `manifest.json`, then the files that the manifest lists. The signature is
in the manifest and covers it; the manifest has the length and the checksum of each file.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from umpi.appliance.layout import MIB, SLOT_MIB
from umpi.appliance.slots import BoardKernel
from umpi.box.signing import BadSignature, SigningKey, check
from umpi.frozen import frozen
from umpi.kernel.messages import message

MANIFEST, ROOT = "manifest.json", "root.erofs"
BOOT = "boot/"  # before the name of each boot file
FORM = 1  # of a bundle
PRODUCT = "umpi"
BLOCK = 1 << 20
MANIFEST_BYTES = 1 << 16
BOOT_FILES_MIB = 100
_BOOT_NAME = re.compile(r"boot/[a-z0-9][a-z0-9.-]{0,60}")

Progress = Callable[[int, int], object]  # gets how many bytes are done, and how many there are


class BadBundle(ValueError):
    """Raised if a bundle cannot be used; `reason` says why to the players, and nothing has been written."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class Part:
    """A file of a bundle: its name, its bytes, and their SHA-256 in hexadecimal digits."""

    name: str
    size: int
    sha256: str


@frozen
class Version:
    """What identifies the contents of a slot: card.json of a root, and the head of a manifest."""

    product: str
    version: str
    commit: str
    built_s: int
    kernel: BoardKernel
    journal_schema: int

    @property
    def name(self) -> str:
        """How people call it.

        >>> Version("umpi", "0.1.0", "31ce06dc4a", 0, BoardKernel.DEBIAN, 4).name
        '0.1.0 (31ce06dc4a)'
        """
        return f"{self.version} ({self.commit})"

    def as_json(self) -> dict[str, Any]:
        """Return it as `read_version` reads it."""
        return {
            "product": self.product, "version": self.version, "commit": self.commit, "built_s": self.built_s,
            "kernel": self.kernel.value, "journal_schema": self.journal_schema,
        }  # fmt: skip


def read_version(given: Mapping[str, Any]) -> Version:
    """Read a version. Raises ValueError, KeyError or TypeError."""
    numbers = given["built_s"], given["journal_schema"]
    texts = given["product"], given["version"], given["commit"]
    if not all(type(each) is int for each in numbers) or not all(isinstance(each, str) for each in texts):
        raise TypeError("a version has texts and whole numbers")
    return Version(*texts, numbers[0], BoardKernel(given["kernel"]), numbers[1])


@frozen
class Manifest:
    """What a bundle says of itself: its version, and its files in their order."""

    version: Version
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(part.size for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as a bundle contains it, without its signature."""
        parts = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in self.parts]
        return {"umpi_update": FORM, **self.version.as_json(), "parts": parts}


def read_manifest(text: bytes, key: str) -> Manifest:
    """Read a manifest that the holder of `key` has signed; `key` is the public one. Raises BadBundle."""
    try:
        given = json.loads(text)
        if not isinstance(given, dict) or check("update", given) != key:
            raise BadBundle(message("The bundle is not signed by the makers of this card."))
        form = given["umpi_update"]
        if form != FORM:
            template = "The bundle has form {form}, and this Umpi reads form {known}. Update to a version between."
            raise BadBundle(message(template, form=str(form)[:20], known=FORM))
        parts = tuple(Part(str(each["name"]), int(each["size"]), str(each["sha256"])) for each in given["parts"])
        manifest = Manifest(read_version(given), parts)
    except BadSignature:
        raise BadBundle(message("The bundle is not signed by the makers of this card, or it is damaged.")) from None
    except BadBundle:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        why = f"{type(fault).__name__} {fault}"
        raise BadBundle(message("The manifest of the bundle cannot be read: {why}.", why=why)) from None
    _check_parts(manifest.parts)
    return manifest


def _check_parts(parts: Sequence[Part]) -> None:
    names = [part.name for part in parts]
    if names[:1] != [ROOT] or len(set(names)) != len(names):
        template = "A bundle has {root}, then boot files, each once; this one has: {names}."
        raise BadBundle(message(template, root=ROOT, names=", ".join(names[:5])))
    for part in parts[1:]:
        if not _BOOT_NAME.fullmatch(part.name):
            raise BadBundle(message("A bundle has no file {name}.", name=repr(part.name[:80])))
    if not 0 < parts[0].size <= SLOT_MIB * MIB:
        template = "The new version has {size} MiB, and a slot of the card has {slot} MiB."
        raise BadBundle(message(template, size=-(-parts[0].size // MIB), slot=SLOT_MIB))
    if sum(part.size for part in parts[1:]) > BOOT_FILES_MIB * MIB or any(part.size < 0 for part in parts):
        raise BadBundle(message("The boot files have more than {size} MiB.", size=BOOT_FILES_MIB))


def check_fit(new: Version, present: Version, journal_schema: int) -> None:
    """Check that a signed bundle fits this card and its journal. Raises BadBundle, with a sentence for its owner."""
    if new.product != PRODUCT:
        raise BadBundle(message("The bundle is one of {product}, not of Umpi.", product=new.product[:40]))
    if new.kernel is not present.kernel:
        template = "The bundle has the kernel of {new}, and this card starts that of {present}."
        raise BadBundle(message(template, new=new.kernel.value, present=present.kernel.value))
    if new.journal_schema < journal_schema:
        template = (
            "The bundle, {name}, is too old for the saved matches of this box: it reads schema {new} of the journal, "
            "and they have {present}. Take a newer bundle."
        )
        raise BadBundle(message(template, name=new.name[:60], new=new.journal_schema, present=journal_schema))


class Bundle:
    """An opened bundle whose signature has been checked."""

    def __init__(self, tar: tarfile.TarFile, manifest: Manifest) -> None:
        self._tar, self.manifest = tar, manifest

    def check(self, progress: Progress) -> None:
        """Read every file to its end and compare it with the manifest. Raises BadBundle."""
        done = 0
        for part in self.manifest.parts:
            for block in self.read(part):
                done += len(block)
                progress(done, self.manifest.size)

    def read(self, part: Part) -> Iterator[bytes]:
        """Yield the bytes of a file. Raises BadBundle at its end if they are not those of the manifest."""
        try:
            member = self._tar.getmember(part.name)
            file = self._tar.extractfile(member) if member.isreg() else None
            if file is None or member.size != part.size:
                template = "{name} of the bundle has another length than its manifest says."
                raise BadBundle(message(template, name=part.name))
            found = hashlib.sha256()
            while block := file.read(BLOCK):
                found.update(block)
                yield block
        except (KeyError, tarfile.TarError, OSError, EOFError) as fault:
            template = "{name} of the bundle cannot be read: {why}. Copy or download it again."
            raise BadBundle(message(template, name=part.name, why=str(fault))) from None
        if found.hexdigest() != part.sha256:
            raise BadBundle(message("{name} of the bundle is damaged. Copy or download it again.", name=part.name))


@contextmanager
def opened(file: Path, key: str) -> Iterator[Bundle]:
    """Open a bundle that the holder of a key has signed; `key` is the public one. Raises BadBundle."""
    if not key:
        raise BadBundle(message("This card accepts no updates: it was built without a key for them."))
    try:
        with tarfile.open(file, "r:") as tar:
            yield Bundle(tar, read_manifest(_manifest_text(tar), key))
    except tarfile.TarError as fault:
        raise BadBundle(message("{file} is no bundle of Umpi: {why}.", file=file.name, why=str(fault))) from None
    except OSError as fault:
        raise BadBundle(message("{file}: {why}.", file=str(file), why=fault.strerror or str(fault))) from None


def _manifest_text(tar: tarfile.TarFile) -> bytes:
    member = tar.next()
    file = tar.extractfile(member) if member and member.isreg() and member.size <= MANIFEST_BYTES else None
    if member is None or member.name != MANIFEST or file is None:
        raise BadBundle(message("The file is no bundle of Umpi: it does not start with a {name}.", name=MANIFEST))
    return file.read()


def write_bundle(out: Path, version: Version, root: Path, boot: Mapping[str, Path], key: SigningKey) -> Manifest:
    """Write a signed bundle of a root and of boot files, by name. The same inputs give the same bytes."""
    files = {ROOT: root, **{BOOT + name: boot[name] for name in sorted(boot)}}
    manifest = Manifest(version, tuple(Part(name, each.stat().st_size, _sha256(each)) for name, each in files.items()))
    text = json.dumps(key.sign("update", manifest.as_json()), indent=1).encode()
    read_manifest(text, key.public)
    with tarfile.open(out, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, MANIFEST, len(text), version.built_s, io.BytesIO(text))
        for part in manifest.parts:
            with files[part.name].open("rb") as file:
                _add(tar, part.name, part.size, version.built_s, file)
    return manifest


def _add(tar: tarfile.TarFile, name: str, size: int, time_s: int, file: IO[bytes]) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = size, time_s, 0o644
    tar.addfile(info, file)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
