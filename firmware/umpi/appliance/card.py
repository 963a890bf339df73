"""The card that this box started from: its files and partitions, and how each step of an update changes them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from umpi.appliance.bundle import BOOT, ROOT, BadBundle, Bundle, Progress, Version, read_version
from umpi.appliance.slots import (
    Restart,
    Slot,
    Step,
    Trial,
    WriteBootFiles,
    WriteRoot,
    WriteSlot,
    WriteTrial,
    WriteTryboot,
    command_line,
    read_slot,
    read_trial,
    running_slot,
    slot_file,
    trial_file,
)
from umpi.frozen import frozen
from umpi.kernel.messages import message

SLOT, TRIAL, CONFIG, TRYBOOT, COMMAND_LINE = "slot.txt", "trial.txt", "config.txt", "tryboot.txt", "cmdline.txt"
SAYS, SAYS_BYTES = "umpi-says.txt", 2048
SHARE = Path("/usr/share/umpi")
BLOCK = 1 << 20


class NoCard(Exception):
    """This computer has not started from a card of Umpi; the message says so."""


class CardFault(Exception):
    """The card cannot be read or written; `reason` says where and why to the players."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class Card:
    """A card: the folder of its boot partition, the files or devices of its roots, and the slot that runs."""

    boot: Path
    roots: dict[Slot, Path]
    running: Slot

    def slot(self) -> Slot:
        """Return the slot that starts next. Raises BadBootFile and OSError."""
        return read_slot((self.boot / SLOT).read_bytes())

    def trial(self) -> tuple[Trial, Slot | None]:
        """Return how far which slot is on trial. Raises BadBootFile and OSError."""
        return read_trial((self.boot / TRIAL).read_bytes())

    def do(self, step: Step, bundle: Bundle | None, progress: Progress) -> None:
        """Do one step and let nothing of it wait in memory. Raises CardFault, BadBundle and OSError.

        The boot partition must be writable. A restart is not done here.
        """
        match step:
            case WriteRoot(slot):
                self._write_root(slot, _given(bundle), progress)
            case WriteBootFiles(slot):
                self._write_boot_files(slot, _given(bundle))
            case WriteSlot(slot):
                overwrite(self.boot / SLOT, slot_file(slot))
            case WriteTrial(trial, slot):
                overwrite(self.boot / TRIAL, trial_file(trial, slot))
            case WriteTryboot(slot):
                text = (self.boot / CONFIG).read_text(encoding="utf-8")
                include, prefix = f"include {SLOT}\n", slot_file(slot).decode()
                if include not in text:
                    template = "{file} has no line “include {slot}”: write it again, before the line kernel="
                    raise CardFault(message(template, file=CONFIG, slot=SLOT))
                _write(self.boot / TRYBOOT, [text.replace(include, prefix).encode()])
            case Restart():
                pass

    def _write_root(self, slot: Slot, bundle: Bundle, progress: Progress) -> None:
        part = bundle.manifest.parts[0]
        with self.roots[slot].open("r+b") as device:
            done = 0
            for block in bundle.read(part):
                device.write(block)
                done += len(block)
                progress(done, bundle.manifest.size)
            device.flush()
            os.fsync(device.fileno())
            os.posix_fadvise(device.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            device.seek(0)
            _compare(device, part.size, part.sha256, f"slot {slot}")

    def _write_boot_files(self, slot: Slot, bundle: Bundle) -> None:
        folder = self.boot / slot
        folder.mkdir(exist_ok=True)
        wanted = {part.name.removeprefix(BOOT) for part in bundle.manifest.parts if part.name != ROOT}
        for old in sorted(folder.iterdir()):  # first, so that two kernels never need room beside each other
            if old.name not in wanted:
                old.unlink()
        common = (self.boot / self.running / COMMAND_LINE).read_text(encoding="utf-8")
        own = set(command_line("", self.running).split())
        line = " ".join(word for word in common.split() if word not in own)
        for part in bundle.manifest.parts[1:]:
            file = folder / part.name.removeprefix(BOOT)
            _write(file, bundle.read(part))
            with file.open("rb") as written:
                os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                _compare(written, part.size, part.sha256, f"{slot}/{file.name}")
        _write(folder / COMMAND_LINE, [command_line(line, slot).encode()])


def _given(bundle: Bundle | None) -> Bundle:
    if bundle is None:
        raise BadBundle(message("This step needs a bundle."))
    return bundle


def _compare(file: IO[bytes], size: int, sha256: str, where: str) -> None:
    """Read back what was written. Raises CardFault if the card returns something else."""
    found, left = hashlib.sha256(), size
    while left and (block := file.read(min(BLOCK, left))):
        found.update(block)
        left -= len(block)
    if left or found.hexdigest() != sha256:
        template = "The card does not return what was written into {where}: it is worn out. Use a new card."
        raise CardFault(message(template, where=where))


def overwrite(file: Path, data: bytes) -> None:
    """Write a small file in its place: one sector changes, and nothing else. If an editor has changed its length, the
    whole file is written.
    """
    if file.stat().st_size != len(data):
        _write(file, [data])
        return
    with file.open("r+b", buffering=0) as opened:
        opened.write(data)
        os.fsync(opened.fileno())


def _write(file: Path, blocks: Iterable[bytes]) -> None:
    with file.open("wb") as opened:
        for block in blocks:
            opened.write(block)
        opened.flush()
        os.fsync(opened.fileno())


def sentences(lines: list[str]) -> bytes:
    """Return sentences for the owner as `umpi-says.txt` has them; the length of that file stays."""
    text = "".join(f"{line}\r\n" for line in lines).encode()[: SAYS_BYTES - 2]
    return text.ljust(SAYS_BYTES - 2) + b"\r\n"


def say(boot: Path, lines: list[str]) -> None:
    """Write sentences for the owner onto the boot partition. Raises CardFault and OSError."""
    overwrite(boot / SAYS, sentences(lines))


def this_card() -> Card:
    """Return the card that this computer has started from. Raises NoCard."""
    slot = running_slot(Path("/proc/cmdline").read_text(encoding="utf-8"))
    if slot is None:
        raise NoCard("This computer has not started from a card of Umpi.")
    roots = {each: Path(f"/dev/disk/by-partuuid/756d7069-{each.number:02d}") for each in Slot}
    return Card(Path("/boot/firmware"), roots, slot)


def this_version() -> Version:
    """Return the version of the running root. Raises CardFault."""
    try:
        return read_version(json.loads((SHARE / "card.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise CardFault(message("{file}: {why}.", file=str(SHARE / "card.json"), why=str(fault))) from None


def trusted_key() -> str:
    """Return the public key whose updates this card accepts, "" if it has none."""
    try:
        return (SHARE / "update.pub").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@contextmanager
def writable(boot: Path) -> Iterator[None]:
    """Make the boot partition writable for as long as something is written. Raises CardFault."""
    _mount("rw", boot)
    try:
        yield
    finally:
        os.sync()
        _mount("ro", boot)


def _mount(how: str, boot: Path) -> None:
    done = subprocess.run(["mount", "-o", f"remount,{how}", str(boot)], capture_output=True, text=True)
    if done.returncode:
        template = "{folder} cannot be mounted: {why}."
        raise CardFault(message(template, folder=str(boot), why=f"{how}: {done.stderr.strip()}"))


def restart(step: Restart) -> None:
    """Restart the Pi."""
    subprocess.run(["systemctl", "reboot", *(["--reboot-argument=0 tryboot"] if step.once else [])], check=True)
