"""USB sticks: find one, and mount it for as long as something is read or written."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from umpi.appliance.card import CardFault
from umpi.kernel.messages import message

BLOCK_DEVICES = Path("/sys/class/block")
PLACE = Path("/run/umpi-stick")

log = logging.getLogger(__name__)


def partitions_on_usb(listed: Path = BLOCK_DEVICES) -> list[str]:
    """Return the names of what may be mounted: the partitions of USB disks, and USB disks without partitions."""
    there = {each.name: each.resolve() for each in listed.iterdir()} if listed.exists() else {}
    on_usb = {name: at for name, at in there.items() if any(part.startswith("usb") for part in at.parts)}
    divided = {at.parent.name for at in on_usb.values() if (at / "partition").exists()}
    return sorted(name for name in on_usb if name not in divided)


@contextmanager
def stick(writable: bool = False) -> Iterator[Path]:
    """Mount the first stick that can be mounted, and return its folder. Raises CardFault."""
    found = partitions_on_usb()
    if not found:
        raise CardFault(message("There is no USB stick at the box. Plug one in, and try again."))
    PLACE.mkdir(mode=0o700, exist_ok=True)
    how = f"{'rw' if writable else 'ro'},nosuid,nodev,noexec,nosymfollow"
    why = ""
    for name in found:
        done = subprocess.run(["mount", "-o", how, f"/dev/{name}", str(PLACE)], capture_output=True, text=True)
        if done.returncode == 0:
            break
        why = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else str(done.returncode)
    else:
        raise CardFault(message("The USB stick cannot be read: {why}.", why=why))
    try:
        yield PLACE
    finally:
        if writable:
            os.sync()
        done = subprocess.run(["umount", str(PLACE)], capture_output=True, text=True)
        if done.returncode:  # something still uses it: at least nothing new begins to
            log.warning("the stick stays mounted for now: %s", done.stderr.strip())
            subprocess.run(["umount", "--lazy", str(PLACE)], capture_output=True)
