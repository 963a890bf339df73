"""The boot files of a card: firmware, configuration, and in the folder of each slot a kernel with its first program."""

from __future__ import annotations

import lzma
import os
import shutil
import tempfile
from pathlib import Path

from scripts.card.archive import CARD, names_in, unfold
from scripts.card.cpio import FILE, FOLDER, cpio
from scripts.card.root import Tree, kernel_of
from scripts.card.tools import Fault, Tools
from umpi.appliance.card import SAYS, SAYS_BYTES
from umpi.appliance.layout import BOOT_MIB
from umpi.appliance.slots import Slot, Trial, command_line, slot_file, trial_file

BOARDS = (  # of Debian's kernel: a Zero 2 W, 3 and 4
    "bcm2837-rpi-zero-2-w", "bcm2837-rpi-3-a-plus", "bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus", "bcm2711-rpi-4-b",
    "bcm2711-rpi-400", "bcm2711-rpi-cm4-io",
)  # fmt: skip
FIRMWARE = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
I2C = "/soc/i2c@7e804000"
I2C_HZ = 400_000
IN_INITRD = ("bin", "boot", "dev", "proc", "sys", "run", "root", "modules")


def initrd(tools: Tools, tree: Tree, out: Path) -> None:
    """Write the initial RAM disk: one static program, the modules that reach the card, and firmware/card/init."""
    version = kernel_of(tree)
    entries = dict.fromkeys(IN_INITRD, (FOLDER | 493, b""))
    entries["bin/busybox"] = (FILE | 0o755, tree.read("usr/bin/busybox"))
    entries["init"] = (FILE | 0o755, (CARD / "init").read_bytes())
    order = []
    for file in module_files(tree.read(f"usr/lib/modules/{version}/modules.dep").decode(), names_in("modules")):
        name = Path(file).name.removesuffix(".xz")
        packed = tree.read(f"usr/lib/modules/{version}/{file}")
        entries[f"modules/{name}"] = (FILE | 0o644, lzma.decompress(packed) if file.endswith(".xz") else packed)
        order.append(name)
    entries["modules/order"] = (FILE | 0o644, "".join(f"{name}\n" for name in order).encode())
    with tempfile.TemporaryDirectory() as name:
        plain = Path(name, "initrd")
        plain.write_bytes(cpio(entries, tools.epoch_s))
        tools.run("bin/zstd", "-q", "-19", "--single-thread", "-f", plain, "-o", out)


def module_files(dependencies: str, names: list[str]) -> list[str]:
    """Return the files of modules in an order in which each finds what it needs, without those that are built in.

    >>> module_files("fs/ext4.ko.xz: fs/jbd2.ko.xz\\nfs/jbd2.ko.xz:\\n", ["ext4", "i2c"])
    ['fs/jbd2.ko.xz', 'fs/ext4.ko.xz']
    """
    needs = dict(line.split(":", 1) for line in dependencies.splitlines())
    by_name = {Path(file).name.partition(".")[0].replace("-", "_"): file for file in needs}
    found: list[str] = []
    for name in names:
        file = by_name.get(name.replace("-", "_"))
        for each in [*reversed(needs[file].split()), file] if file else []:
            if each not in found:
                found.append(each)
    return found


def slot_files(tools: Tools, kernel: Path, tree: Tree, folder: Path) -> None:
    """Write the files of a slot's folder, without the command line, which names the slot."""
    version = kernel_of(tree)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        unfold(kernel, Path(name), "boot/")
        unfold(kernel, Path(name), f"usr/lib/linux-image-{version}/broadcom/")
        shutil.copy(Path(name, "boot", f"vmlinuz-{version}"), folder / "vmlinuz")
        for board in BOARDS:
            shutil.copy(Path(name, "usr/lib", f"linux-image-{version}", "broadcom", f"{board}.dtb"), folder)
    for each in sorted(folder.glob("*.dtb")):  # Debian's trees lack what dtparam needs, and have the bus at 100 kHz
        tools.run("bin/fdtput", "-t", "u", each, I2C, "clock-frequency", str(I2C_HZ))
    initrd(tools, tree, folder / "initrd.img")


def boot_files(kernel: Path, slot: Path, folder: Path) -> None:
    """Write all boot files of a new card: those of slot A, and none yet for slot B."""
    shutil.copytree(slot, folder / Slot.A)
    line = (CARD / "cmdline.txt").read_text(encoding="utf-8").strip()
    (folder / Slot.A / "cmdline.txt").write_text(command_line(line, Slot.A))
    (folder / "cmdline.txt").write_text(command_line(line, Slot.A))  # Raspberry Pi Imager looks for it here
    shutil.copy(CARD / "config.txt", folder)
    (folder / "slot.txt").write_bytes(slot_file(Slot.A))
    (folder / "trial.txt").write_bytes(trial_file(Trial.NONE, Slot.A))
    (folder / SAYS).write_bytes(b"The box has not started yet.".ljust(SAYS_BYTES - 2) + b"\r\n")
    with tempfile.TemporaryDirectory() as name:
        unfold(kernel, Path(name), "usr/lib/raspi-firmware/")
        for file in FIRMWARE:
            shutil.copy(Path(name, "usr/lib/raspi-firmware", file), folder)


def make_fat(tools: Tools, folder: Path, out: Path) -> None:
    """Write a folder as a FAT file system of the size of the boot partition, equal for equal files. Raises Fault."""
    total = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    if total > (BOOT_MIB << 20) * 9 // 20:  # two slots
        raise Fault(f"the boot files have {total >> 20} MiB: two slots do not fit into {BOOT_MIB} MiB")
    with out.open("wb") as file:
        file.truncate(BOOT_MIB << 20)
    tools.run("sbin/mkfs.fat", "--invariant", "-F", "32", "-n", "UMPI-BOOT", "-i", "756d7069", out)
    for each in sorted(folder.rglob("*")):
        os.utime(each, (tools.epoch_s, tools.epoch_s))
        name = f"::{each.relative_to(folder)}"
        if each.is_dir():
            tools.run("bin/mtools", "-i", out, name, name="mmd")
        else:
            tools.run("bin/mtools", "-m", "-i", out, each, name, name="mcopy")
