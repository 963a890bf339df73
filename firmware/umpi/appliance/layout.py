"""The partitions of a card: boot files, two slots with a root each, and the state, which grows to the end of the card.

The table is an MBR, because a Pi 3 and a Zero 2 W start from no other. All sizes are in sectors of 512 bytes.
"""

from __future__ import annotations

import struct

from umpi.frozen import frozen

SECTOR = 512
MIB = 1 << 20
DISK_ID = 0x756D7069  # "umpi"; the partitions are PARTUUID=756d7069-01 to -04
BOOT, SLOT_A, SLOT_B, STATE = 1, 2, 3, 4  # the numbers of the partitions
BOOT_MIB, SLOT_MIB, STATE_MIB = 256, 448, 64
START_MIB = 1
FAT32, LINUX = 0x0C, 0x83
_ENTRY = struct.Struct("<B3sB3sII")
_TABLE, _SIGNATURE = 446, b"\x55\xaa"
_BEYOND = b"\xfe\xff\xff"  # cylinder, head and sector of everything that they cannot express: nobody reads them


@frozen
class Partition:
    """A partition: its type, its first sector, and its sectors."""

    kind: int
    start: int
    sectors: int


def new_partitions() -> tuple[Partition, ...]:
    """Return the four partitions of a new card.

    >>> [each.sectors * SECTOR // MIB for each in new_partitions()]
    [256, 448, 448, 64]
    """
    at, found = START_MIB, []
    for kind, mib in ((FAT32, BOOT_MIB), (LINUX, SLOT_MIB), (LINUX, SLOT_MIB), (LINUX, STATE_MIB)):
        found.append(Partition(kind, at * MIB // SECTOR, mib * MIB // SECTOR))
        at += mib
    return tuple(found)


def first_sector(partitions: tuple[Partition, ...]) -> bytes:
    """Return the first sector of a card with these four partitions."""
    entries = b"".join(
        _ENTRY.pack(0x80 if number == BOOT else 0, _BEYOND, each.kind, _BEYOND, each.start, each.sectors)
        for number, each in enumerate(partitions, 1)
    )
    return bytes(440) + struct.pack(">I", DISK_ID)[::-1] + bytes(2) + entries + _SIGNATURE
