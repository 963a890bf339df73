"""Wheels: one that pip has built is read, and of each fault the sentence names the place and the cause."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tests.kit.wheels import GAME, MODULE, NAME, POINTS, WHEEL, file_of, game_files, info_of, wheel, wheel_files, zipped
from umpi.conformance.new_game import write_package
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


def linked(content: bytes) -> bytes:
    """Return the wheel with a symbolic link in it."""
    made = BytesIO(content)
    with zipfile.ZipFile(made, "a") as archive:
        link = zipfile.ZipInfo(f"{MODULE}/rulebook/fr.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


def doubled(content: bytes) -> bytes:
    made = BytesIO(content)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(zipfile.ZipInfo(f"{MODULE}/__init__.py/x"), "")
    return made.getvalue()


def unnamed(content: bytes) -> bytes:
    """Return the wheel with a file that its RECORD does not name."""
    made = BytesIO(content)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(f"{MODULE}/more.py", "")
    return made.getvalue()


def tampered(content: bytes) -> bytes:
    """Return the wheel with other rules than those of its RECORD."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        files = {path: archive.read(path) for path in archive.namelist()}
    return zipped({**files, f"{MODULE}/rules.py": b"print('evil')\n"})


def short(content: bytes) -> bytes:
    """Return the wheel without a file that its RECORD names."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return zipped({path: archive.read(path) for path in archive.namelist() if not path.endswith("en.md")})


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (linked, f"{MODULE}/rulebook/fr.md in it is no plain file"),
        (doubled, f"it contains {MODULE}/__init__.py/x twice"),
        (unnamed, f"its RECORD has no hash of {MODULE}/more.py"),
        (tampered, f"{MODULE}/rules.py in it is not the file that its RECORD names"),
        (short, f"{MODULE}/rulebook/en.md is in its RECORD but not in the wheel"),
        (lambda content: content[: len(content) // 2], "it is not a wheel, or it is damaged: "),
        (lambda content: b"<html>404</html>", "it is not a wheel, or it is damaged: "),
        (lambda content: zipped(wheel_files()), f"it is not a wheel: it has no {INFO}/RECORD"),
        (lambda content: zipped({f"{number}.py": b"" for number in range(MOST_FILES + 1)}), "it is too large: "),
    ],
    ids=["link", "twice", "unnamed", "tampered", "short", "cut", "page", "no record", "many"],
)
def test_an_archive_with_a_fault(spoil: Callable[[bytes], bytes], why: str) -> None:
    assert refusal(spoil(wheel())).startswith(why)


def test_of_several_missing_files_the_first_by_name_is_said() -> None:
    """The same wheel is refused with the same words each time."""
    with zipfile.ZipFile(BytesIO(wheel())) as archive:
        kept = {path: archive.read(path) for path in archive.namelist() if not path.startswith(MODULE)}
        first = min(path for path in archive.namelist() if path.startswith(MODULE))
    assert len(archive.namelist()) - len(kept) > 5
    assert refusal(zipped(kept)) == f"{first} is in its RECORD but not in the wheel"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"night_owls/fast.so": b""}, "it contains the compiled file night_owls/fast.so."),
        ({"night_owls-0.1.data/scripts/x": b""}, "it has files for other places than its folder: "),
        ({"other-1.dist-info/WHEEL": b""}, "it is not a wheel: it needs one folder "),
        ({f"{INFO}/WHEEL": None}, "it is not a wheel: it needs one folder "),
        ({f"{INFO}/METADATA": None}, f"it is not a wheel: it has no {INFO}/METADATA"),
        ({f"{INFO}/METADATA": b"\xff"}, f"{INFO}/METADATA in it is not UTF-8"),
        ({f"{INFO}/WHEEL": WHEEL.replace("1.0", "2.0").encode()}, "it is a wheel of version 2.0; this Umpi reads"),
        ({f"{INFO}/WHEEL": WHEEL.replace("true", "false").encode()}, "it says of itself that it is compiled."),
        ({f"{INFO}/WHEEL": WHEEL.replace("any", "linux_x86_64").encode()}, "it says of itself that it is compiled."),
        ({f"{INFO}/METADATA": b"Name: x\nVersion: 0.1\n"}, f"its name says {NAME} 0.1, its METADATA x 0.1"),
        ({f"{INFO}/METADATA": b"Name: x\nVersion: one\n"}, "its METADATA cannot be read: "),
        ({f"{INFO}/entry_points.txt": b""}, "it brings no game: "),
        ({f"{INFO}/entry_points.txt": b"[umpi.games]\nowls = !"}, "its entry points cannot be read: owls = !"),
        ({f"{INFO}/entry_points.txt": POINTS.replace("= night", "= umpi.games.night").encode()}, "its game night-owls"),
        ({f"{INFO}/entry_points.txt": POINTS.replace("= night", "= day").encode()}, "its game night-owls is in day"),
        ({f"{INFO}/entry_points.txt": f"{POINTS}[umpi.expansions]\ndodeka = {MODULE}:X\n".encode()},
         "it expands several games, or brings a game too. "),
        ({f"{INFO}/entry_points.txt": f"[umpi.expansions]\ndodeka = {MODULE}:X\nduel = {MODULE}:X\n".encode()},
         "it expands several games, or brings a game too. "),
        ({f"{INFO}/entry_points.txt": b"[umpi.expansions]\ndodeka = umpi.games.dodeka:X\n"}, "its game dodeka is in"),
    ],
)  # fmt: skip
def test_a_content_that_cannot_be_installed(changed: dict[str, bytes | None], why: str) -> None:
    assert refusal(wheel(changed=changed)).startswith(why)


def test_a_game_needs_nothing_but_umpi() -> None:
    assert refusal(wheel(needs=["umpi", "numpy>=2"])) == (
        "it needs the package numpy too. A game of the shelf may need nothing but Umpi"
    )
    assert refusal(wheel(needs=["umpi>=99"])).startswith("it needs Umpi >=99, this is Umpi ")
    read_wheel(file_of(), wheel(needs=["umpi", 'pytest; extra == "test"', 'tomli; python_version < "3.11"']))


def test_another_python_is_named() -> None:
    metadata = f"Name: {NAME}\nVersion: 0.1\nRequires-Python: >=9\n".encode()
    assert refusal(wheel(changed={f"{INFO}/METADATA": metadata})).startswith("it needs Python >=9, this is Python 3.")


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
