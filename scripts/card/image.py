"""The image of a card: its partitions in one file, packed for Raspberry Pi Imager, with its checksums and its parts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.card.tools import Fault, Tools
from tests.kit.locks import locked
from umpi.appliance.layout import BOOT, MIB, SECTOR, SLOT_A, SLOT_MIB, STATE, first_sector, new_partitions

BLOCK = 1 << 20
STATE_ID, STATE_SEED = "756d7069-0000-4000-8000-000000000004", "756d7069-0000-4000-8000-000000000005"
DEVICES = ("pi4-64bit", "pi3-64bit")  # as Imager names them; a Zero 2 W counts as a Pi 3


def make_state(tools: Tools, out: Path) -> None:
    """Write the empty state partition."""
    with out.open("wb") as file:
        file.truncate(new_partitions()[STATE - 1].sectors * SECTOR)
    tools.run(
        "sbin/mke2fs", "-q", "-t", "ext4", "-L", "umpi-state", "-U", STATE_ID,
        "-E", f"hash_seed={STATE_SEED},lazy_itable_init=0,root_owner=0:0", out,
    )  # fmt: skip


def assemble(boot: Path, root: Path, state: Path, out: Path) -> None:
    """Write the image of a whole card; slot B is empty. Raises Fault if the root is too large for a slot."""
    if root.stat().st_size > SLOT_MIB * MIB:
        raise Fault(f"the root has {root.stat().st_size // MIB} MiB, and a slot {SLOT_MIB} MiB")
    partitions = new_partitions()
    with out.open("wb") as file:
        file.truncate((partitions[-1].start + partitions[-1].sectors) * SECTOR)
        file.write(first_sector(partitions))
        for number, part in ((BOOT, boot), (SLOT_A, root), (STATE, state)):
            file.seek(partitions[number - 1].start * SECTOR)
            for block in blocks(part):
                if block.strip(b"\0"):
                    file.write(block)
                else:  # stays a hole
                    file.seek(len(block), 1)


def pack(tools: Tools, image: Path, out: Path) -> None:
    """Pack an image: the same bytes for each number of processors, as the blocks have a fixed size."""
    tools.run("bin/xz", "-q", "-2", "--threads=2", "--block-size=64MiB", "--keep", "--force", image)
    image.with_name(f"{image.name}.xz").replace(out)


def blocks(file: Path) -> Iterator[bytes]:
    """Yield the contents of a file, piece by piece."""
    with file.open("rb") as opened:
        while block := opened.read(BLOCK):
            yield block


def sha256(file: Path) -> str:
    """Return the checksum of a file."""
    found = hashlib.sha256()
    for block in blocks(file):
        found.update(block)
    return found.hexdigest()


def os_list(image: Path, packed: Path, url: str, date: str) -> dict[str, Any]:
    """Return what Raspberry Pi Imager reads of an image that will be at `url`; `date` is that of its release.

    `cloudinit` lets Imager ask for name, Wi-Fi and key of the owner; the box reads what Imager then writes.
    """
    base = url.rstrip("/")
    return {
        "os_list": [{
            "name": "Umpi",
            "description": "A referee box for board games: whose turn, who was first, what counts, who won",
            "icon": f"{base}/umpi.png",
            "url": f"{base}/{packed.name}",
            "extract_size": image.stat().st_size,
            "extract_sha256": sha256(image),
            "image_download_size": packed.stat().st_size,
            "image_download_sha256": sha256(packed),
            "release_date": date,
            "init_format": "cloudinit",
            "devices": list(DEVICES),
            "architecture": "armv8",
        }]
    }  # fmt: skip


def bill_of_materials(base: Path, kernel: Path, version: str) -> str:
    """Return every package of a card (CycloneDX 1.6): of Debian those that are installed, of PyPI those of the lock."""
    debian = [*installed(base), *unpacked(kernel)]
    python = [(each.name, each.version) for each in locked("box") if each.name != "setuptools"]
    found = [f"pkg:deb/debian/{name}@{version}?arch=arm64&distro=trixie" for name, version in debian]
    components = [
        {"type": "library", "bom-ref": ref, "name": name, "version": number, "purl": ref}
        for ref, (name, number) in [
            *zip(found, debian, strict=True),
            *((f"pkg:pypi/{name}@{number}", (name, number)) for name, number in python),
        ]
    ]
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "operating-system", "bom-ref": "card", "name": "umpi-card", "version": version}
        },
        "components": components,
    }  # fmt: skip
    return json.dumps(bill, indent=1) + "\n"


def installed(base: Path) -> list[tuple[str, str]]:
    """Return the installed packages of a root and their versions, by name."""
    with tarfile.open(base) as opened:
        file = opened.extractfile("./var/lib/dpkg/status")
        status = file.read().decode() if file else ""
    found = re.findall(r"^Package: (\S+)\nStatus: install ok installed\n(?:.+\n)*?Version: (\S+)$", status, re.M)
    return sorted(found)


def unpacked(kernel: Path) -> list[tuple[str, str]]:
    """Return the packages of kernel and firmware with their versions: the first line of their changelogs."""
    found = []
    with tarfile.open(kernel) as opened:
        for each in opened:
            name = re.fullmatch(
                r"\./usr/share/doc/(linux-image-[^/]*\d[^/]*|raspi-firmware)/changelog\.Debian\.gz", each.name
            )
            file = opened.extractfile(each) if name and each.isreg() else None
            if name and file:
                first = gzip.decompress(file.read()).decode().partition("\n")[0]
                found.append((name[1], re.findall(r"\(([^)]+)\)", first)[0]))
    return sorted(found)
