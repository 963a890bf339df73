"""Bundles: what is refused, and with which sentence."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from umpi.appliance.bundle import (
    MANIFEST,
    ROOT,
    BadBundle,
    Version,
    check_fit,
    opened,
    read_manifest,
    write_bundle,
)
from umpi.appliance.journals import journal_schema
from umpi.appliance.layout import SLOT_MIB
from umpi.appliance.slots import BoardKernel
from umpi.box.signing import SigningKey
from umpi.journal import Journal
from umpi.journal.schema import SCHEMA

KEY, OTHER = SigningKey.of("1" * 64), SigningKey.of("2" * 64)
VERSION = Version("umpi", "1.1", "abc", 1_763_856_000, BoardKernel.DEBIAN, SCHEMA)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "root").write_bytes(b"r" * 3_000_000)
    (tmp_path / "vmlinuz").write_bytes(b"kernel")
    write_bundle(tmp_path / "umpi.bundle", VERSION, tmp_path / "root", {"vmlinuz": tmp_path / "vmlinuz"}, KEY)
    return tmp_path / "umpi.bundle"


def whole(file: Path, key: str = KEY.public) -> Version:
    """Open and check a bundle, as `umpi update` does before it writes anything."""
    with opened(file, key) as bundle:
        bundle.check(lambda done, size: None)
        return bundle.manifest.version


def test_a_bundle_is_what_was_written_and_the_same_each_time(file: Path, tmp_path: Path) -> None:
    assert whole(file) == VERSION
    again = tmp_path / "again"
    write_bundle(again, VERSION, tmp_path / "root", {"vmlinuz": tmp_path / "vmlinuz"}, KEY)
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.slow
def test_each_flipped_byte_is_refused(file: Path) -> None:
    """Every byte of the manifest, and some of each file; the rest of a tar is padding that nobody reads."""
    good = file.read_bytes()
    with tarfile.open(file) as tar:
        members = tar.getmembers()
    manifest, root, kernel = members
    places = [*range(manifest.offset_data, manifest.offset_data + manifest.size, 7)]
    places += [root.offset_data, root.offset_data + root.size - 1, kernel.offset_data + 3]
    for at in places:
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(BadBundle):
            whole(file)
    file.write_bytes(good)
    assert whole(file) == VERSION


@pytest.mark.parametrize("length", [0, 100, 600, 2000, 1_000_000])
def test_a_bundle_that_was_cut_is_refused(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(BadBundle):
        whole(file)


def test_a_card_without_a_key_takes_no_update(file: Path) -> None:
    with pytest.raises(BadBundle, match="without a key"):
        whole(file, "")


def test_a_bundle_without_a_signature_is_refused(tmp_path: Path) -> None:
    """Not even where the card would trust the empty key."""
    text = json.dumps({"umpi_update": 1, **VERSION.as_json(), "parts": [{"name": ROOT, "size": 1, "sha256": "0" * 64}]})
    made = packed(tmp_path, text)
    with pytest.raises(BadBundle, match="not signed"):
        whole(made)
    with pytest.raises(BadBundle, match="without a key"):
        whole(made, "")


def test_a_manifest_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadBundle, match="cannot be read"):
        whole(packed(tmp_path, "[" * 60_000))


def packed(folder: Path, manifest: str) -> Path:
    with tarfile.open(folder / "made", "w") as tar:
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(manifest.encode())
        tar.addfile(info, io.BytesIO(manifest.encode()))
    return folder / "made"


@pytest.mark.parametrize("name", ["../vmlinuz", "boot/../x", "boot/", "other", "boot/A B", "boot//x"])
def test_a_signed_bundle_writes_only_boot_files(tmp_path: Path, name: str) -> None:
    parts = [{"name": each, "size": 1, "sha256": "0" * 64} for each in (ROOT, name)]
    signed = KEY.sign("update", {"umpi_update": 1, **VERSION.as_json(), "parts": parts})
    with pytest.raises(BadBundle, match="has no file"):
        whole(packed(tmp_path, json.dumps(signed)))


def test_a_newer_and_an_equal_version_fit() -> None:
    check_fit(VERSION, VERSION, SCHEMA)
    check_fit(replace(VERSION, version="9.0", journal_schema=SCHEMA + 1), VERSION, SCHEMA)
    check_fit(VERSION, VERSION, 0)


def test_the_schema_is_that_of_the_journal(tmp_path: Path) -> None:
    assert journal_schema(tmp_path / "games.db") == 0
    Journal(tmp_path / "games.db").close()
    assert journal_schema(tmp_path / "games.db") == SCHEMA
    (tmp_path / "damaged.db").write_bytes(b"dear diary" * 1000)
    with pytest.raises(BadBundle, match="nothing is changed"):
        journal_schema(tmp_path / "damaged.db")


# What a signed manifest may say, at the edge of each bound


def manifest(parts: list[tuple[str, int]], **other: object) -> bytes:
    """A signed manifest of parts by their names and sizes."""
    listed = [{"name": name, "size": size, "sha256": "0" * 64} for name, size in parts]
    return json.dumps(KEY.sign("update", {"umpi_update": 1, **VERSION.as_json(), "parts": listed, **other})).encode()


BOOT_FILES_MIB = 100
FULL, SLOT = BOOT_FILES_MIB << 20, SLOT_MIB << 20
ONCE = "A bundle has root.erofs, then boot files, each once; this one has: "


@pytest.mark.parametrize(
    ("parts", "other", "sentence"),
    [
        ([(ROOT, 1)], {}, ""), ([(ROOT, SLOT), ("boot/a", FULL), ("boot/b", 0)], {}, ""),
        ([], {}, f"{ONCE}."), ([("boot/a", 1), (ROOT, 1)], {}, f"{ONCE}boot/a, root.erofs."),
        ([(ROOT, 1), (ROOT, 1)], {}, f"{ONCE}root.erofs, root.erofs."),
        ([(ROOT, 1), *((f"boot/{each}", 1) for each in "abcdea")], {},
         f"{ONCE}root.erofs, boot/a, boot/b, boot/c, boot/d."),
        ([(ROOT, 0)], {}, "The new version has 0 MiB, and a slot of the card has 448 MiB."),
        ([(ROOT, SLOT + 1)], {}, "The new version has 449 MiB, and a slot of the card has 448 MiB."),
        ([(ROOT, 1), ("boot/a", FULL), ("boot/b", 1)], {}, f"The boot files have more than {BOOT_FILES_MIB} MiB."),
        ([(ROOT, 1), ("boot/a", 1), ("boot/b", -1)], {}, f"The boot files have more than {BOOT_FILES_MIB} MiB."),
        ([(ROOT, 1)], {"umpi_update": 2},
         "The bundle has form 2, and this Umpi reads form 1. Update to a version between."),
        ([(ROOT, 1)], {"umpi_update": "x" * 30},
         f"The bundle has form {'x' * 20}, and this Umpi reads form 1. Update to a version between."),
        ([(ROOT, 1)], {"built_s": True},
         "The manifest of the bundle cannot be read: TypeError a version has texts and whole numbers."),
        ([(ROOT, 1)], {"product": 5},
         "The manifest of the bundle cannot be read: TypeError a version has texts and whole numbers."),
        ([(ROOT, 1)], {"kernel": "hurd"},
         "The manifest of the bundle cannot be read: ValueError 'hurd' is not a valid BoardKernel."),
    ],
)  # fmt: skip
def test_a_signed_manifest_is_read_or_refused_with_a_sentence(
    parts: list[tuple[str, int]], other: dict[str, object], sentence: str
) -> None:
    if not sentence:
        read = read_manifest(manifest(parts, **other), KEY.public)
        assert [(each.name, each.size, each.sha256) for each in read.parts] == [(*each, "0" * 64) for each in parts]
        assert (read.version, read.size) == (VERSION, sum(size for _, size in parts))
        return
    with pytest.raises(BadBundle) as refused:
        read_manifest(manifest(parts, **other), KEY.public)
    assert refused.value.reason == sentence


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ([(MANIFEST, None), (ROOT, b"rr")], "root.erofs of the bundle has another length than its manifest says."),
        ([(MANIFEST, None)],
         "root.erofs of the bundle cannot be read: \"filename 'root.erofs' not found\". Copy or download it again."),
        ([(MANIFEST, None), (ROOT, b"r")], "root.erofs of the bundle is damaged. Copy or download it again."),
        ([(ROOT, b"r")], "The file is no bundle of Umpi: it does not start with a manifest.json."),
        ([(MANIFEST, b" " * 65_537)],
         "The file is no bundle of Umpi: it does not start with a manifest.json."),
        ([], "The file is no bundle of Umpi: it does not start with a manifest.json."),
    ],
)  # fmt: skip
def test_an_archive_that_differs_from_its_manifest_is_refused_with_a_sentence(
    members: list[tuple[str, bytes | None]], sentence: str, tmp_path: Path
) -> None:
    with tarfile.open(tmp_path / "made", "w") as tar:
        for name, content in members:
            data = manifest([(ROOT, 1)]) if content is None else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    with pytest.raises(BadBundle) as refused:
        whole(tmp_path / "made")
    assert refused.value.reason == sentence


def test_a_manifest_may_be_as_long_as_its_bound(tmp_path: Path) -> None:
    text = manifest([(ROOT, 1)])
    with tarfile.open(tmp_path / "made", "w") as tar:
        info = tarfile.TarInfo(MANIFEST)
        info.size = 65_536
        tar.addfile(info, io.BytesIO(text.ljust(65_536)))
    with opened(tmp_path / "made", KEY.public) as bundle:
        assert bundle.manifest.version == VERSION


def test_a_bundle_is_an_archive_of_public_files_in_a_fixed_order(tmp_path: Path) -> None:
    names = [f"{letter}.dtb" for letter in "qwertyuiop"]
    for name in ("root", *names):
        (tmp_path / name).write_bytes(name.encode())
    write_bundle(tmp_path / "made", VERSION, tmp_path / "root", {name: tmp_path / name for name in names}, KEY)
    with tarfile.open(tmp_path / "made") as tar:
        members = [(each.name, each.size, each.mtime, each.mode, each.uid, each.uname) for each in tar.getmembers()][1:]
    how = (VERSION.built_s, 0o644, 0, "")
    assert members == [(ROOT, 4, *how), *((f"boot/{name}", 5, *how) for name in sorted(names))]
