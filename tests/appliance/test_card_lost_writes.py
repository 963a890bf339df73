"""A card after a power cut that loses what was not flushed: from a log of writes, as QEMU notes them."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import pytest

from scripts.card.cuts import DISCARD, FLUSH, FUA, cuts, entries_of, places_in
from umpi.appliance.layout import SECTOR

Noted = tuple[int, bytes, int]  # sector, the byte of each sector, flags


def write_log(place: Path, noted: list[Noted]) -> Path:
    """Write a log as Linux's dm-log-writes has it: a first sector, and for each entry a sector and its data."""
    log = struct.pack("<QQQI", 0x6A736677736872, 1, len(noted), SECTOR).ljust(SECTOR, b"\0")
    for sector, data, flags in noted:
        log += struct.pack("<QQQQ", sector, len(data), flags, 0).ljust(SECTOR, b"\0")
        log += b"" if flags & DISCARD else b"".join(bytes([each]) * SECTOR for each in data)
    place.write_bytes(log)
    return place


@pytest.fixture
def image(tmp_path: Path) -> Path:
    (tmp_path / "image").write_bytes(bytes(16 * SECTOR))
    return tmp_path / "image"


def after(image: Path, log: Path, seed: int, place: int | None = None) -> bytes:
    """Return a byte for each sector of the card after a cut."""
    ends = [entry.end for entry in entries_of(log)]
    for cut in cuts(image, log, [ends[-1] if place is None else ends[place]], image.parent, Random(seed)):
        card = cut.card.read_bytes()
    assert all(card[at : at + SECTOR] == card[at : at + 1] * SECTOR for at in range(0, len(card), SECTOR))
    return card[::SECTOR]


@pytest.mark.slow
def test_what_was_flushed_is_there_and_what_was_not_may_be_lost_in_part(image: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [(0, b"ab", 0), (4, b"c", 0), (0, b"", FLUSH), (1, b"xyz", 0), (8, b"p", FUA)])
    found = {after(image, log, seed) for seed in range(60)}
    assert {each[0:1] + each[4:5] + each[8:9] for each in found} == {b"acp"}
    assert {each[1:4] for each in found} == {b"b\0\0", b"x\0\0", b"xy\0", b"xyz"}


def test_later_writes_may_be_there_without_earlier_ones(image: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [(0, b"a", 0), (1, b"b", 0)])
    assert {after(image, log, seed)[:2] for seed in range(40)} == {b"\0\0", b"a\0", b"\0b", b"ab"}


def test_a_cut_before_a_flush_has_nothing_of_later(image: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [(0, b"a", FUA), (0, b"b", 0), (2, b"", DISCARD), (0, b"", FLUSH)])
    assert after(image, log, 1, 0)[:1] == b"a"
    assert {after(image, log, seed, 1)[:1] for seed in range(20)} == {b"a", b"b"}
    assert {after(image, log, seed)[:1] for seed in range(20)} == {b"b"}


def test_cuts_of_one_run_go_on_from_each_other(image: Path, tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log", [step for each in b"abcdefgh" for step in ((0, bytes([each]), 0), (0, b"", FLUSH))]
    )
    places = [entry.end for entry in entries_of(log) if entry.flushes]
    found = [
        (cut.number, cut.waiting, cut.card.read_bytes()[:1]) for cut in cuts(image, log, places, tmp_path, Random(1))
    ]
    assert found == [(number, 0, bytes([each])) for number, each in enumerate(b"abcdefgh", 1)]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["image", "log"]
    assert image.read_bytes() == bytes(16 * SECTOR)


def test_an_entry_that_is_not_whole_is_none(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [(0, b"a", 0), (3, b"bc", 0)])
    whole = log.read_bytes()
    assert [entry.sector for entry in entries_of(log)] == [0, 3]
    log.write_bytes(whole[:-1])
    assert [entry.sector for entry in entries_of(log)] == [0]
    log.write_bytes(whole + bytes(SECTOR))  # room that QEMU has not written yet
    assert [entry.sector for entry in entries_of(log)] == [0, 3]


def test_places_are_chosen_by_entries_and_not_by_bytes(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [(0, b"a" * 200, 0), (1, b"b", 0)])
    entries = list(entries_of(log))
    chosen = places_in(entries, 200, Random(1))
    assert chosen == sorted(chosen)
    assert 70 < chosen.count(entries[1].end) < 130
