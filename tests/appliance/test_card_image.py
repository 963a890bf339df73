"""What builds a card: archives, tables, and what Raspberry Pi Imager reads."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from scripts.card import image
from scripts.card.archive import CARD, Archive, names_in
from scripts.card.boot import FIRMWARE, module_files
from scripts.card.cpio import FILE, FOLDER, cpio
from scripts.card.guest import copy_of
from scripts.card.panel import shown, transfers
from scripts.card.root import INSTALLED, SYSTEM, Tree, card_config
from scripts.card.stages import KEPT, Stages
from scripts.card.tools import Fault
from umpi.appliance.layout import MIB, SECTOR, first_sector, new_partitions
from umpi.box.config_file import read_config

EPOCH_S = 1_763_856_000
# What Imager needs of an entry, after its page doc/json-schema: sizes and both checksums are checked when it writes
ENTRY = {
    "type": "object",
    "required": [
        "name",
        "description",
        "icon",
        "url",
        "extract_size",
        "extract_sha256",
        "image_download_size",
        "release_date",
    ],
    "properties": {
        **{name: {"type": "string", "minLength": 1} for name in ("name", "description")},
        **{name: {"type": "string", "pattern": "^https://"} for name in ("icon", "url", "website")},
        **{name: {"type": "integer", "minimum": 1} for name in ("extract_size", "image_download_size")},
        **{
            name: {"type": "string", "pattern": "^[0-9a-f]{64}$"}
            for name in ("extract_sha256", "image_download_sha256")
        },
        "release_date": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        "init_format": {"enum": ["none", "systemd", "cloudinit", "cloudinit-rpi"]},
        "devices": {"type": "array", "items": {"enum": ["pi5-64bit", "pi4-64bit", "pi3-64bit"]}},
        "architecture": {"enum": ["armv6", "armv7", "armv8"]},
    },
    "additionalProperties": False,
}
OS_LIST = {"type": "object", "required": ["os_list"], "properties": {"os_list": {"type": "array", "items": ENTRY}}}


def test_imager_takes_the_entry(tmp_path: Path) -> None:
    plain, packed = tmp_path / "umpi.img", tmp_path / "umpi.img.xz"
    plain.write_bytes(b"card" * 1000)
    packed.write_bytes(b"packed")
    listed = image.os_list(plain, packed, "https://example.org/umpi/", "2026-11-27")
    Draft202012Validator(OS_LIST).validate(json.loads(json.dumps(listed)))
    entry = listed["os_list"][0]
    assert entry["url"] == "https://example.org/umpi/umpi.img.xz"
    assert entry["extract_sha256"] == hashlib.sha256(b"card" * 1000).hexdigest()
    assert (entry["extract_size"], entry["image_download_size"]) == (4000, 6)


def test_a_card_is_put_together_and_slot_b_is_empty(tmp_path: Path) -> None:
    parts = [tmp_path / name for name in ("boot", "root", "state")]
    for number, part in enumerate(parts, 1):
        part.write_bytes(bytes([number]) * (2 * MIB) + bytes(MIB) + bytes([number]))
    out = tmp_path / "umpi.img"
    image.assemble(*parts, out)
    boot, root, second, state = new_partitions()
    with out.open("rb") as file:
        assert file.read(SECTOR) == first_sector(new_partitions())
        for place, part in ((boot, parts[0]), (root, parts[1]), (state, parts[2])):
            file.seek(place.start * SECTOR)
            assert file.read(3 * MIB + 1) == part.read_bytes()
        file.seek(second.start * SECTOR)
        assert not file.read(4 * MIB).strip(b"\0")
    assert out.stat().st_size == (state.start + state.sectors) * SECTOR
    assert out.stat().st_blocks * 512 < 32 * MIB, "what is empty stays a hole"
    assert copy_of(out, tmp_path / "copy", 2 << 30).stat().st_size == 2 << 30


def test_a_root_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "root").open("wb") as file:
        file.truncate(449 * MIB)
    with pytest.raises(Fault, match="the root has 449 MiB, and a slot 448 MiB"):
        image.assemble(tmp_path / "none", tmp_path / "root", tmp_path / "none", tmp_path / "out")


def test_the_archive_of_the_first_program_has_the_form_that_the_kernel_describes() -> None:
    entries = {"bin": (FOLDER | 0o755, b""), "bin/sh": (FILE | 0o755, b"#!"), "init": (FILE | 0o755, b"x" * 1001)}
    data = cpio(entries, EPOCH_S)
    assert data == cpio(dict(reversed(entries.items())), EPOCH_S)
    assert len(data) % 512 == 0
    found, at = {}, 0
    while True:  # the kernel's Documentation/driver-api/early-userspace/buffer-format.rst
        assert data[at : at + 6] == b"070701"
        number = [int(data[at + 6 + 8 * each : at + 14 + 8 * each], 16) for each in range(13)]
        mode, size, name_size = number[1], number[6], number[11]
        name = data[at + 110 : at + 110 + name_size - 1].decode()
        at = -(-(at + 110 + name_size) // 4) * 4
        if name == "TRAILER!!!":
            break
        found[name] = (mode, data[at : at + size])
        at = -(-(at + size) // 4) * 4
    assert found == entries


def test_modules_come_after_what_they_need_and_once() -> None:
    needs = "fs/a-b.ko.xz: lib/c.ko.xz lib/d.ko.xz\nlib/c.ko.xz: lib/d.ko.xz\nlib/d.ko.xz:\nfs/e.ko.xz: lib/d.ko.xz\n"
    order = module_files(needs, ["a_b", "e", "built_in"])
    assert order == ["lib/d.ko.xz", "lib/c.ko.xz", "fs/a-b.ko.xz", "fs/e.ko.xz"]


def test_a_stage_is_made_once_for_the_same_inputs(tmp_path: Path) -> None:
    lines: list[str] = []
    for value in (b"1", b"1", b"2"):
        stages = Stages(tmp_path, 1, lines.append)
        result = stages.make("root", "the root", [value], lambda new, value=value: new.write_bytes(value))  # type: ignore[misc]
        assert result.read_bytes() == value
    assert [line.partition(":")[0] for line in lines] == [
        "1/1 the root …", "1/1 the root", "1/1 the root", "1/1 the root …", "1/1 the root",
    ]  # fmt: skip
    assert lines[2] == "1/1 the root: as before"


def test_a_stage_that_fails_leaves_nothing_and_old_results_go(tmp_path: Path) -> None:
    def fail(new: Path) -> None:
        new.write_bytes(b"half")
        raise Fault("no network")

    stages = Stages(tmp_path, 9, lambda line: None)
    with pytest.raises(Fault):
        stages.make("root", "the root", [b"1"], fail)
    assert list(tmp_path.iterdir()) == []
    for number in range(KEPT + 3):
        stages.make("root", "the root", [bytes([number])], lambda new: new.write_bytes(b"whole"))
    assert len([*tmp_path.iterdir()]) == KEPT


def test_what_an_ended_build_left_is_no_result_and_goes(tmp_path: Path) -> None:
    """A build may be ended at any moment, and its stage leaves half a file, or a file beside it."""
    stages = Stages(tmp_path, 9, lambda line: None)
    whole = stages.make("root", "the root", [b"1"], lambda new: new.write_bytes(b"whole"))
    for end in (".new", ".list"):
        whole.with_name(f"root-{'f' * 16}{end}").write_bytes(b"half")
    (tmp_path / f"slot-{'f' * 16}.new").mkdir()
    assert stages.newest("root") == whole
    stages.make("root", "the root", [b"1"], lambda new: new.write_bytes(b"not again"))
    assert {each.name for each in tmp_path.iterdir()} == {whole.name, f"slot-{'f' * 16}.new"}


def tar_of(folder: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(folder / "base.tar", "w") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(f"./{name}")
            info.size, info.mtime, info.uid, info.mode = len(data), 7, 5, 0o640
            tar.addfile(info, io.BytesIO(data))
    return folder / "base.tar"


def test_a_root_is_equal_for_equal_files_and_has_no_secrets(tmp_path: Path) -> None:
    """Host keys of a package would be the same on each card."""
    base = tar_of(tmp_path, {
        "etc/passwd": b"root", "etc/ssh/ssh_host_ed25519_key": b"secret", "usr/lib/x/__pycache__/a.pyc": b"",
        "usr/bin/dpkg": b"",
        "etc/systemd/system/multi-user.target.wants/ssh.service": b"", "var/cache/apt/x": b"", "usr/bin/umpi": b"old",
    })  # fmt: skip
    for name in ("one", "two"):
        tree = Tree(EPOCH_S)
        tree.add_tar(base)
        tree.add_file("usr/bin/umpi", b"new")
        tree.add_link("etc/localtime", "../usr/share/zoneinfo/UTC")
        tree.write(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with tarfile.open(tmp_path / "one") as tar:
        found = {each.name: each for each in tar}
    assert [name for name, each in found.items() if not each.isdir()] == ["etc/localtime", "etc/passwd", "usr/bin/umpi"]
    assert {each.mtime for each in found.values()} == {EPOCH_S}
    assert (found["usr/bin/umpi"].uid, found["usr/bin/umpi"].mode) == (5, 0o640), "owner and mode stay"


def test_the_configuration_of_a_card_has_the_page(tmp_path: Path) -> None:
    (tmp_path / "umpi.toml").write_text(card_config(), encoding="utf-8")
    config = read_config(tmp_path / "umpi.toml")
    assert config.desk
    assert config.journal == Path("/var/lib/umpi/games.db")


def test_the_card_has_what_the_script_installs() -> None:
    steps = (SYSTEM / "steps.sh").read_text(encoding="utf-8")
    script = dict(re.findall(r"^  (\S+) (/\S+)$", steps[steps.index("files=(") :], re.M))
    own = {"avahi.service": "/etc/avahi/services/umpi.service"}  # a box with Avahi announces itself
    assert {file: f"/{place}" for file, place in INSTALLED.items()} == {
        file: own.get(file, place) for file, place in script.items() if file != "umpi.1"
    }


def test_the_lists_have_each_name_once() -> None:
    for file in ("packages", "kernel", "tools", "modules", "without"):
        names = names_in(file)
        assert names
        assert len(set(names)) == len(names)
    assert "openssh-server" in names_in("packages")
    assert set(FIRMWARE) >= {"start.elf", "start4.elf"}


def test_an_archive_has_the_lines_of_apt() -> None:
    lines = Archive("https://mirror.example/debian", "https://mirror.example/security").sources.splitlines()
    assert lines[0] == "deb https://mirror.example/debian trixie main non-free-firmware"
    assert [line.split()[2] for line in lines] == ["trixie", "trixie-updates", "trixie-security"]


def test_the_bill_lists_debian_and_python(tmp_path: Path) -> None:
    status = (
        "Package: dash\nStatus: install ok installed\nPriority: required\nVersion: 0.5.12-12\nDescription: x\n\n"
        "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n"
    )
    base = tar_of(tmp_path, {"var/lib/dpkg/status": status.encode()})
    kernel = tmp_path / "kernel.tar"
    with tarfile.open(kernel, "w") as tar:
        info = tarfile.TarInfo("./usr/share/doc/linux-image-6.12.1-arm64/changelog.Debian.gz")
        data = gzip.compress(b"linux-signed-arm64 (6.12.1+1) trixie; urgency=medium\n\n  * x\n")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    bill = json.loads(image.bill_of_materials(base, kernel, "0.1.0"))
    versions = {each["name"]: each["version"] for each in bill["components"]}
    assert (versions["dash"], versions["linux-image-6.12.1-arm64"]) == ("0.5.12-12", "6.12.1+1")
    assert "gone" not in versions
    assert "starlette" in versions
    assert "setuptools" not in versions


@pytest.mark.slow
def test_outputs_stay_outside_the_repository(tmp_path: Path) -> None:
    words = [sys.executable, "-P", "-m", "scripts.card", "build", str(CARD / "out")]
    done = subprocess.run(
        words, cwd=CARD.parents[1], capture_output=True, text=True, env={"PYTHONPATH": str(CARD.parents[1])}
    )
    assert done.returncode == 1
    assert "is inside the repository" in done.stderr
    assert not (CARD / "out").exists()


def test_the_picture_on_the_bus_is_read_from_qemus_trace() -> None:
    lines = ["i2c_event start(addr:0x20)", "i2c_send send(addr:0x20) data:0xff", "i2c_event finish(addr:0x20)"]
    for transfer in (b"\x00\xae\x21\x02\x03\x22\x00\x01", b"\x40\xff\x01\x00\x80"):
        lines += [
            "i2c_event start_send(addr:0x3c)",
            *(f"i2c_send send(addr:0x3c) data:0x{byte:02x}" for byte in transfer),
        ]
        lines += ["noise of another device", "i2c_event finish(addr:0x3c)"]
    picture = shown(transfers(lines))
    lit = {(x, y) for y in range(64) for x in range(128) if picture.getpixel((x, y))}
    assert lit == {*((2, y) for y in range(8)), (3, 0), (3, 15)}
