"""The partitions of a card, as sfdisk reads them, and how the state grows."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from umpi.appliance.layout import (
    BOOT,
    MIB,
    SECTOR,
    SLOT_A,
    SLOT_B,
    STATE,
    first_sector,
    new_partitions,
)
from umpi.appliance.slots import Slot, command_line
from umpi.appliance.start import too_small

CARD = Path(__file__).parents[2] / "firmware" / "card"
END = new_partitions()[-1].start + new_partitions()[-1].sectors
sfdisk = pytest.mark.skipif(not shutil.which("sfdisk", path="/usr/sbin:/sbin:/usr/bin"), reason="sfdisk is needed")


def read_by_sfdisk(sector: bytes, sectors: int, folder: Path) -> dict[str, object]:
    disk = folder / "disk"
    with disk.open("wb") as file:
        file.truncate(sectors * SECTOR)
        file.write(sector)
    path = {"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"}
    done = subprocess.run(["sfdisk", "--json", str(disk)], capture_output=True, text=True, check=True, env=path)
    table: dict[str, object] = json.loads(done.stdout)["partitiontable"]
    return table


@sfdisk
def test_sfdisk_reads_the_table(tmp_path: Path) -> None:
    table = read_by_sfdisk(first_sector(new_partitions()), END, tmp_path)
    assert (table["label"], table["id"]) == ("dos", "0x756d7069")
    parts = table["partitions"]
    assert isinstance(parts, list)
    assert [(each["type"], each["start"] * SECTOR // MIB, each["size"] * SECTOR // MIB) for each in parts] == [
        ("c", 1, 256), ("83", 257, 448), ("83", 705, 448), ("83", 1153, 64),
    ]  # fmt: skip
    assert parts[0]["bootable"]


def grow(disk: Path, sectors: int) -> bool:
    """Run the part of firmware/card/init that grows the state, on a file; return whether it changed the table."""
    text = (CARD / "init").read_text(encoding="utf-8")
    part = text[text.index("number_at()") : text.index("disk=/dev/")]
    done = subprocess.run(["sh", "-u"], input=f"{part}\ngrow {disk} {sectors}", text=True, capture_output=True)
    assert done.stderr == ""
    return done.returncode == 0


@sfdisk
@pytest.mark.parametrize("gib", [2, 8, 64, 512])
def test_the_state_grows_to_the_end_of_the_card(tmp_path: Path, gib: int) -> None:
    sectors = (gib << 30) // SECTOR - 777  # no card has a round size
    disk = tmp_path / "card"
    disk.write_bytes(first_sector(new_partitions()) + b"after")
    assert grow(disk, sectors)
    sector = disk.read_bytes()[:SECTOR]
    parts = read_by_sfdisk(sector, sectors, tmp_path)["partitions"]
    assert isinstance(parts, list)
    end = parts[STATE - 1]["start"] + parts[STATE - 1]["size"]
    assert 0 <= sectors - end < MIB // SECTOR
    changed = {at for at in range(SECTOR) if sector[at] != first_sector(new_partitions())[at]}
    assert changed <= set(range(506, 510)), "nothing else changes"
    assert disk.read_bytes()[SECTOR:] == b"after"
    assert not grow(disk, sectors), "once"


@pytest.mark.parametrize("sectors", [END, END + 100, END - 100_000])
def test_a_card_without_more_room_stays_as_it_is(tmp_path: Path, sectors: int) -> None:
    disk = tmp_path / "card"
    disk.write_bytes(first_sector(new_partitions()))
    assert not grow(disk, sectors)
    assert disk.read_bytes() == first_sector(new_partitions())


def test_firmware_fstab_and_first_program_speak_of_these_partitions() -> None:
    assert "include slot.txt" in (CARD / "config.txt").read_text().splitlines()
    fstab = (CARD / "root/etc/fstab").read_text()
    places = dict(re.findall(r"^PARTUUID=756d7069-0(\d) (\S+) ", fstab, re.M))
    assert places == {str(BOOT): "/boot/firmware", str(STATE): "/state"}
    lines = [line for line in fstab.splitlines() if not line.startswith("#")]
    assert all("nofail" in line for line in lines), "a box without a keyboard must never wait for somebody to repair"
    init = (CARD / "init").read_text()
    assert f"b) number={SLOT_B} other=a" in init
    assert f"*) number={SLOT_A} other=b" in init
    assert "ipmu" in init, "0x756d7069, as the bytes are on the disk"
    assert [command_line("x", slot).split()[0] for slot in Slot] == [
        "root=PARTUUID=756d7069-02",
        "root=PARTUUID=756d7069-03",
    ]


@pytest.mark.parametrize(
    ("sectors", "sentence"),
    [(END, ""), (END - 1, "and Umpi needs 1276 MB"), (2 << 20, "it has 1074 MB, and Umpi needs 1276 MB")],
)
def test_a_card_that_ends_before_its_partitions_is_too_small(tmp_path: Path, sectors: int, sentence: str) -> None:
    disk = tmp_path / "devices" / "mmcblk0"
    (disk / "mmcblk0p1").mkdir(parents=True)
    (disk / "size").write_text(f"{sectors}\n")
    (tmp_path / "mmcblk0p1").symlink_to(disk / "mmcblk0p1")
    (tmp_path / "first").symlink_to(tmp_path / "dev" / "mmcblk0p1")
    assert too_small(tmp_path / "first", tmp_path) == "", "its device has not appeared"
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "mmcblk0p1").touch()
    assert sentence in too_small(tmp_path / "first", tmp_path)
    assert bool(too_small(tmp_path / "first", tmp_path)) == bool(sentence)
