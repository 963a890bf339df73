"""Wheels: one that pip has built is read, and of each fault the sentence names the place and the cause."""

from __future__ import annotations

import base64
import hashlib
import re
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tests.kit.seen import check_seen
from tests.kit.wheels import (
    EXPANDING,
    GAME,
    MODULE,
    NAME,
    expansion,
    file_of,
    game_files,
    info_of,
    wheel,
    wheel_files,
    zipped,
)
from umpi import __version__
from umpi.conformance.new_game import write_package
from umpi.shelf import wheel as wheels
from umpi.shelf.wheel import MOST_FILES, BadWheel, is_installed, read_wheel, taken_modules

INFO = info_of()


def refusal(content: bytes, file: str = file_of()) -> str:
    """Return why a wheel is not read."""
    with pytest.raises(BadWheel) as refused:
        read_wheel(file, content)
    return str(refused.value)


@pytest.mark.slow
def test_a_wheel_that_pip_builds_is_read_and_unpacked(tmp_path: Path) -> None:
    write_package(GAME, tmp_path)
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", tmp_path, tmp_path / GAME], check=True, capture_output=True)
    found = read_wheel(file_of(), (tmp_path / file_of()).read_bytes())
    assert (found.name, found.version, found.games, found.modules) == (NAME, "0.1", (GAME,), (MODULE,))
    (tmp_path / "there").mkdir()
    found.unpack(tmp_path / "there")
    written = {str(file.relative_to(tmp_path / "there")): file.read_bytes() for file in files_in(tmp_path / "there")}
    assert {path: content for path, content in written.items() if not path.startswith(INFO)} == dict(game_files())


def files_in(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_the_wheel_of_the_tests_has_no_fault() -> None:
    assert read_wheel(file_of(), wheel()).games == (GAME,)


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_wheel_that_is_damaged_within_a_file_says_so(kind: int) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        for path, content in wheel_files("0.1").items():
            archive.writestr(path, content)
        archive.writestr("data", bytes(range(256)) * 400)
        at = archive.getinfo("data").header_offset
    content = bytearray(packed.getvalue())
    content[at + 44 : at + 64] = bytes(byte ^ 0x5A for byte in content[at + 44 : at + 64])
    assert refusal(bytes(content)).startswith("it is not a wheel, or it is damaged: ")


@pytest.mark.parametrize("record", [b"a\rb,c,d\re", b"a" * 140_000])
def test_a_record_that_is_no_table_says_so(record: bytes) -> None:
    content = zipped({**wheel_files("0.1"), f"{INFO}/RECORD": record})
    assert refusal(content).startswith("its RECORD cannot be read: ")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("night_owls.zip", "its name is not that of a wheel"),
        ("night_owls-x.y-py3-none-any.whl", "its name is not that of a wheel"),
        (file_of(tag="cp311-cp311-linux_aarch64"), "it is compiled for cp311-cp311-linux_aarch64. Only wheels of pure"),
        (file_of(tag="py3-none-linux_x86_64"), "it is compiled for py3-none-linux_x86_64"),
        (file_of("0.2"), f"its name says {NAME} 0.2, its content {INFO}"),
        (file_of(name="umpi-day-owls"), f"its name says umpi-day-owls 0.1, its content {INFO}"),
    ],
)
def test_a_name_that_is_not_that_of_the_wheel(file: str, why: str) -> None:
    assert refusal(wheel(), file).startswith(why)


@pytest.mark.parametrize("path", ["../evil.py", "/evil.py", "night_owls/../../evil.py", "a\\..\\evil.py", "C:evil.py"])
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    assert refusal(wheel(changed={path: b""})) == f"the path {path!r} in it leads out of its folder"


def doubled(content: bytes) -> bytes:
    made = BytesIO(content)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(zipfile.ZipInfo(f"{MODULE}/__init__.py/x"), "")
    return made.getvalue()


def test_of_several_missing_files_the_first_by_name_is_said() -> None:
    """The same wheel is refused with the same words each time."""
    with zipfile.ZipFile(BytesIO(wheel())) as archive:
        kept = {path: archive.read(path) for path in archive.namelist() if not path.startswith(MODULE)}
        first = min(path for path in archive.namelist() if path.startswith(MODULE))
    assert len(archive.namelist()) - len(kept) > 5
    assert refusal(zipped(kept)) == f"{first} is in its RECORD but not in the wheel"


def test_a_module_may_not_hide_another_one(tmp_path: Path) -> None:
    (tmp_path / "pigeons").mkdir()
    (tmp_path / "owls.py").touch()
    assert taken_modules(["json", "sys", "owls", "pigeons", "crows"], [str(tmp_path)]) == [
        "json",
        "sys",
        "owls",
        "pigeons",
    ]


def test_a_package_that_pip_has_installed_is_found(tmp_path: Path) -> None:
    (tmp_path / "Umpi_Day.Owls-1.dist-info").mkdir()
    (tmp_path / "Umpi_Day.Owls-1.dist-info" / "METADATA").write_text("Name: Umpi_Day.Owls\nVersion: 1\n")
    assert is_installed("umpi-day-owls", [str(tmp_path)])
    assert not is_installed(NAME, [str(tmp_path)])
    assert is_installed("umpi", sys.path)


def metadata(*lines: str, name: str = NAME, version: str = "0.1") -> dict[str, bytes | None]:
    return {f"{INFO}/METADATA": "\n".join((f"Name: {name}", f"Version: {version}", *lines, "", "")).encode()}


def told(*lines: str) -> dict[str, bytes | None]:
    return {f"{INFO}/WHEEL": "\n".join((*lines, "")).encode()}


def points(*lines: str) -> dict[str, bytes | None]:
    return {f"{INFO}/entry_points.txt": "\n".join((*lines, "")).encode()}


def recorded(change: Callable[[list[str]], list[str]]) -> bytes:
    """Return the wheel with other lines in its RECORD."""
    with zipfile.ZipFile(BytesIO(wheel())) as archive:
        files = {path: archive.read(path) for path in archive.namelist()}
    lines = files[f"{INFO}/RECORD"].decode().splitlines()
    return zipped({**files, f"{INFO}/RECORD": "\n".join(change(lines)).encode()})


def hashed(how: str, padding: str = "") -> Callable[[list[str]], list[str]]:
    """Give the first file of a RECORD a hash of another kind."""

    def change(lines: list[str]) -> list[str]:
        path = lines[0].partition(",")[0]
        found = base64.urlsafe_b64encode(hashlib.new(how, wheel_files()[path]).digest()).decode().rstrip("=")
        return [f"{path},{how}={found}{padding},1", *lines[1:]]

    return change


def with_entry(path: str, kind: int, content: bytes = b"", named: bool = True) -> bytes:
    """Return the wheel with an entry of a kind, such as a link, that its RECORD may name."""
    made = BytesIO(wheel(changed={path.rstrip("/"): content} if named else {}))
    with zipfile.ZipFile(made) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name != path.rstrip("/")}
    entry = zipfile.ZipInfo(path)
    entry.external_attr = kind << 16
    made = BytesIO(zipped(files))
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(entry, content)
    return made.getvalue()


ROOT, OWLS = "Root-Is-Purelib: true", f"{GAME} = {MODULE}.rules:NightOwls"
EXPANDS = "[umpi.expansions]"
WHEELS: dict[str, Callable[[], bytes]] = {
    "whole": wheel,
    "licence expression": lambda: wheel(changed=metadata("License-Expression: MIT", "License: other")),
    "licence of two lines": lambda: wheel(changed=metadata("License: MIT", "  and more")),
    "licence of 60 letters": lambda: wheel(changed=metadata(f"License: {'x' * 60}")),
    "licence of 61 letters": lambda: wheel(changed=metadata(f"License: {'x' * 61}")),
    "licence with a sign of control": lambda: wheel(changed=metadata("License: a\x1bb")),
    "name in other letters": lambda: wheel(changed=metadata(name="Umpi_Night.Owls")),
    "another name": lambda: wheel(changed=metadata(name="umpi-day-owls")),
    "another version": lambda: wheel(changed=metadata(version="0.2")),
    "version in other letters": lambda: wheel(changed=metadata(version="v0.1")),
    "no version": lambda: wheel(changed=metadata(version="one")),
    "this Python": lambda: wheel(changed=metadata("Requires-Python: >=3.11,<4")),
    "no such Python": lambda: wheel(changed=metadata("Requires-Python: <3")),
    "no Python at all": lambda: wheel(changed=metadata("Requires-Python: three")),
    "this Umpi": lambda: wheel(needs=["Umpi>=0.0.1"]),
    "no such Umpi": lambda: wheel(needs=["umpi<0.0.1"]),
    "another Umpi elsewhere": lambda: wheel(needs=['umpi<0.0.1; python_version < "3"']),
    "a need that is none": lambda: wheel(needs=["!"]),
    "a need": lambda: wheel(needs=["umpi", "chess>=1"]),
    "a need of an extra": lambda: wheel(needs=['chess>=1; extra == "more"']),
    "a need of an old Python": lambda: wheel(needs=['chess>=1; python_version < "3"']),
    "a need of this Python": lambda: wheel(needs=['chess>=1; python_version > "3"']),
    "wheel of version 1.9": lambda: wheel(changed=told("Wheel-Version: 1.9", ROOT, "Tag: py3-none-any")),
    "wheel of version 11": lambda: wheel(changed=told("Wheel-Version: 11.0", ROOT, "Tag: py3-none-any")),
    "wheel of no version": lambda: wheel(changed=told(ROOT, "Tag: py3-none-any")),
    "pure in other letters": lambda: wheel(
        changed=told("Wheel-Version: 1.0", "Root-Is-Purelib:  TRUE ", "Tag: py2.py3-none-any")
    ),
    "not pure": lambda: wheel(changed=told("Wheel-Version: 1.0", "Root-Is-Purelib: no", "Tag: py3-none-any")),
    "pure or not": lambda: wheel(changed=told("Wheel-Version: 1.0", "Tag: py3-none-any")),
    "several tags": lambda: wheel(changed=told("Wheel-Version: 1.0", ROOT, "Tag: py2-none-any", "Tag: py3-none-any")),
    "another tag": lambda: wheel(changed=told("Wheel-Version: 1.0", ROOT, "Tag: py2-none-any")),
    "long tag": lambda: wheel(changed=told("Wheel-Version: 1.0", ROOT, "Tag: py3-none-any-more")),
    "no tag": lambda: wheel(changed=told("Wheel-Version: 1.0", ROOT)),
    "more modules": lambda: wheel(changed={"pig.py": b"", "pig.txt": b"", "data/pig.txt": b"", "a.data.py": b""}),
    "compiled": lambda: wheel(changed={f"{MODULE}/a.pyc": b""}),
    "started": lambda: wheel(changed={"owls.pth": b""}),
    "two games": lambda: wheel(changed=points("[umpi.games]", OWLS, f"day-owls = {MODULE}:Day")),
    "a strategy too": lambda: wheel(changed=points("[umpi.games]", OWLS, "[umpi.strategies]", "best = chess:Best")),
    "no game": lambda: wheel(changed=points("[umpi.strategies]", f"best = {MODULE}:Best")),
    "game of Umpi": lambda: wheel(changed=points("[umpi.games]", "owls = umpi.games.dodeka:Dodeka")),
    "game of another module": lambda: wheel(changed=points("[umpi.games]", "owls = chess.rules:Chess")),
    "no point": lambda: wheel(changed=points("[umpi.games]", "owls = ?")),
    "no points": lambda: wheel(changed=points("owls = a:b")),
    "expansion": expansion,
    "expansion that needs its game": lambda: expansion(GAME, needs=[f"{NAME}>=0.1", "umpi"]),
    "expansion twice": lambda: wheel(changed=points(EXPANDS, f"dodeka = {MODULE}:A", f"duel = {MODULE}:B")),
    "expansion and game": lambda: wheel(changed=points("[umpi.games]", OWLS, EXPANDS, f"dodeka = {MODULE}:A")),
    "without a size": lambda: recorded(lambda lines: [lines[0].rpartition(",")[0], *lines[1:]]),
    "with empty lines": lambda: recorded(lambda lines: ["", *lines, ""]),
    "hash of 384 bits": lambda: recorded(hashed("sha384")),
    "hash of 512 bits, filled up": lambda: recorded(hashed("sha512", "==")),
    "old hash": lambda: recorded(hashed("md5")),
    "another hash": lambda: recorded(lambda lines: [lines[0].replace("sha256=", "sha256=A"), *lines[1:]]),
    "no hash": lambda: recorded(lambda lines: [f"{lines[0].partition(',')[0]},,", *lines[1:]]),
    "no line": lambda: recorded(lambda lines: lines[1:]),
    "line too many": lambda: recorded(lambda lines: [*lines, "owls.py,,"]),
    "signed": lambda: with_entry(f"{INFO}/RECORD.jws", 0, b"signature", named=False),
    "folder": lambda: with_entry(f"{MODULE}/more/", stat.S_IFDIR | 0o755, named=False),
    "plain file": lambda: with_entry("owls.py", stat.S_IFREG | 0o644),
    "link": lambda: with_entry("owls.py", stat.S_IFLNK | 0o777),
    "pipe": lambda: with_entry("owls.py", stat.S_IFIFO | 0o644),
    "file twice": lambda: doubled(wheel()),
    "cut": lambda: wheel()[: len(wheel()) // 2],
    "page of the web": lambda: b"<html>404</html>",
    "no record": lambda: zipped(wheel_files()),
    "too many files": lambda: zipped({f"{number}.py": b"" for number in range(MOST_FILES + 1)}),
    "library": lambda: wheel(changed={f"{MODULE}/fast.so": b""}),
    "script": lambda: wheel(changed={"night_owls-0.1.data/scripts/x": b""}),
    "two descriptions": lambda: wheel(changed={"other-1.dist-info/WHEEL": b""}),
    "no WHEEL": lambda: wheel(changed={f"{INFO}/WHEEL": None}),
    "no METADATA": lambda: wheel(changed={f"{INFO}/METADATA": None}),
    "METADATA that are no text": lambda: wheel(changed={f"{INFO}/METADATA": b"\xff"}),
    "empty points": lambda: wheel(changed=points()),
    "expansion of Umpi": lambda: wheel(changed=points(EXPANDS, "dodeka = umpi.games.dodeka:X")),
}


def test_what_is_said_of_each_wheel_is_what_somebody_has_read() -> None:
    own = (".".join(map(str, sys.version_info[:3])), __version__)
    lines = []
    for name, make in WHEELS.items():
        content = make()
        package = EXPANDING if make is expansion or name == "expansion that needs its game" else NAME
        try:
            found = read_wheel(file_of(name=package), content)
            assert {str(path) for path in found.files} <= set(zipfile.ZipFile(BytesIO(content)).namelist())
            needs = ", ".join(map(str, found.needs))
            parts = (found.name, found.version, found.games, found.modules, found.licence, found.expands, needs)
            said = f"{len(found.files)} files, {parts}"
        except BadWheel as fault:
            said = fault.reason
        for each in own:
            said = said.replace(f" {each}", " OWN")
        said = re.sub("(METADATA cannot be read: |is damaged: ).*([)])", r"\1…\2", said)  # the words of a library
        lines.append(f"{name}: {said}")
    check_seen(Path(__file__).with_name("seen") / "wheels.txt", lines)


def test_a_wheel_may_have_so_many_files_and_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(BytesIO(wheel())) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        number = len(archive.infolist())
    assert (wheels.MOST_FILES, wheels.MOST_BYTES) == (2000, 64 * 2**20)
    for files, most, fits in ((number, size, True), (number - 1, size, False), (number, size - 1, False)):
        monkeypatch.setattr(wheels, "MOST_FILES", files)
        monkeypatch.setattr(wheels, "MOST_BYTES", most)
        if fits:
            read_wheel(file_of(), wheel())
        else:
            assert refusal(wheel()) == f"it is too large: more than {files} files or {most // 2**20} MB"
