"""Power cuts of a card whose writes wait in its memory: what was not flushed may be lost, in part and in any order.

QEMU's driver `blklogwrites` notes each write and each flush of one run, in the form of Linux's dm-log-writes. A cut at
any place of that log gives one card: all that was flushed before is there, and of each later write some, all or no
sectors. So one run gives as many cuts as wanted.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import BinaryIO

from scripts.card.guest import copy_of
from umpi.appliance.layout import SECTOR

FLUSH, FUA, DISCARD = 1, 2, 4  # flags of an entry; a write with FUA is on the card when it is done
_ENTRY = struct.Struct("<QQQQ")  # sector, sectors, flags, length of a mark


@dataclass(frozen=True, slots=True)
class Entry:
    """A write or a flush: its place on the card, its flags, where its data are in the log, and where it ends there."""

    sector: int
    sectors: int
    flags: int
    data: int
    end: int

    @property
    def flushes(self) -> bool:
        """Whether the card has everything that was written before."""
        return bool(self.flags & FLUSH)


def entries_of(log: Path) -> Iterator[Entry]:
    """Yield the entries of a log that are whole. The power may have failed in the middle of the last one."""
    size = log.stat().st_size
    with log.open("rb") as file:
        at = SECTOR  # behind the first sector, which counts the entries now and then
        while at + SECTOR <= size:
            file.seek(at)
            sector, sectors, flags, _ = _ENTRY.unpack(file.read(_ENTRY.size))
            end = at + SECTOR + (0 if flags & DISCARD else sectors * SECTOR)
            if end > size or not (sectors or flags):
                return
            yield Entry(sector, sectors, flags, at + SECTOR, end)
            at = end


@dataclass(frozen=True, slots=True)
class Cut:
    """A card after a power cut: its number, its image, how much of the log was written, and the writes that waited.

    Of those that waited, `lost` were not written as a whole.
    """

    number: int
    card: Path
    end: int
    waiting: int
    lost: int


def cuts(image: Path, log: Path, places: Sequence[int], work: Path, random: Random) -> Iterator[Cut]:
    """Yield the card after a cut behind each of these places of a log, which go up. Only one of them exists at a time.

    `image` is the card before the run.
    """
    entries = list(entries_of(log))
    flushed, card, done = copy_of(image, work / "flushed.img"), work / "cut.img", 0
    with log.open("rb") as data:
        for number, place in enumerate(places, 1):
            now = [entry for entry in entries if entry.end <= place]
            last = max((at for at, entry in enumerate(now) if entry.flushes), default=-1)
            with flushed.open("r+b") as out:
                for entry in now[done : last + 1]:
                    _write(out, data, entry, entry.sectors)
            done = max(done, last + 1)
            copy_of(flushed, card)
            waiting, lost = [entry for entry in now[done:] if entry.sectors], 0
            with card.open("r+b") as out:
                for entry in waiting:
                    kept = _kept(entry, random)
                    lost += kept < entry.sectors
                    _write(out, data, entry, kept)
            yield Cut(number, card, now[-1].end if now else 0, len(waiting), lost)
    for each in (flushed, card):
        each.unlink(missing_ok=True)


def places_in(entries: Sequence[Entry], times: int, random: Random) -> list[int]:
    """Choose where to cut: behind entries of the log, each equally often, so that small writes count as large ones."""
    return sorted(entry.end for entry in random.choices(entries, k=times))


def _kept(entry: Entry, random: Random) -> int:
    """Choose how many sectors of a write that was not flushed are on the card: all, none, or some."""
    if entry.flags & FUA:
        return entry.sectors
    return random.choice((0, entry.sectors, random.randrange(entry.sectors + 1)))


def _write(out: BinaryIO, data: BinaryIO, entry: Entry, sectors: int) -> None:
    if entry.flags & DISCARD or not sectors:  # what a card returns of forgotten sectors is not sure: they stay
        return
    out.seek(entry.sector * SECTOR)
    for block in _blocks(data, entry.data, sectors * SECTOR):
        out.write(block)


def _blocks(file: BinaryIO, at: int, size: int) -> Iterable[bytes]:
    file.seek(at)
    while size and (block := file.read(min(size, 1 << 20))):
        size -= len(block)
        yield block


def new_log(place: Path) -> Path:
    """Make an empty log for QEMU."""
    place.unlink(missing_ok=True)
    os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o600))
    return place
