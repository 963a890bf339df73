"""Wheels of a small game, whole or with a fault, and shelves with them: without pip, so that nothing takes a second."""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from umpi.box.signing import SigningKey
from umpi.conformance.new_game import write_package
from umpi.kernel.game import API
from umpi.shelf.index import Measured, Package, ShelfGame, write_index
from umpi.shelf.place import INDEX

Umpi = Callable[..., tuple[int, str, str]]  # a command in this process: its status, its output, its errors

KEY = SigningKey.of("1" * 64)
OTHER_KEY = SigningKey.of("2" * 64)
GAME, NAME, MODULE = "night-owls", "umpi-night-owls", "night_owls"
RULES = f"{MODULE}/rules.py"
POINTS = f"[umpi.games]\n{GAME} = {MODULE}.rules:NightOwls\n"
EXPANSION, EXPANDING, LATE = "late-hour", "umpi-late-hour", "late_hour"
EXPANDED = {"dodeka": ("umpi.games.dodeka", "Dodeka"), GAME: (f"{MODULE}.rules", "NightOwls")}
WHEEL = "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
MEASURED = Measured(200, 2, 60.0, (0.5, 0.5), 0.5)


def forget_modules() -> None:
    """Forget the modules of these games, which a test has loaded in this process from a folder that is gone."""
    for name in [name for name in sys.modules if name.partition(".")[0] in (MODULE, LATE)]:
        del sys.modules[name]


def info_of(name: str = NAME, version: str = "0.1") -> str:
    """Return the folder of a wheel's metadata."""
    return f"{name.replace('-', '_')}-{version}.dist-info"


def file_of(version: str = "0.1", name: str = NAME, tag: str = "py3-none-any") -> str:
    """Return the name of a wheel."""
    return f"{name.replace('-', '_')}-{version}-{tag}.whl"


@cache
def game_files() -> Mapping[str, bytes]:
    """Return the files of a game as `umpi new-game` writes them."""
    with TemporaryDirectory() as folder:
        write_package(GAME, Path(folder))
        package = Path(folder, GAME)
        files = sorted(file for file in (package / MODULE).rglob("*") if file.is_file())
        return {str(file.relative_to(package)): file.read_bytes() for file in files}


def wheel_files(version: str = "0.1", name: str = NAME, needs: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the files of a whole wheel, RECORD excepted."""
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {each}\n" for each in needs)
    info = info_of(name, version)
    return {
        **game_files(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": WHEEL.encode(),
        f"{info}/entry_points.txt": POINTS.encode(),
    }


def record_of(files: Mapping[str, bytes], info: str) -> bytes:
    """Return the file RECORD of these files."""
    sums = {path: base64.urlsafe_b64encode(hashlib.sha256(content).digest()) for path, content in files.items()}
    lines = [f"{path},sha256={sums[path].rstrip(b'=').decode()},{len(files[path])}" for path in files]
    return "".join(f"{line}\n" for line in [*lines, f"{info}/RECORD,,"]).encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of these files, whatever their names."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content)
    return made.getvalue()


def wheel(
    version: str = "0.1", changed: Mapping[str, bytes | None] | None = None, name: str = NAME, needs: Sequence[str] = ()
) -> bytes:
    """Return a wheel with a RECORD that fits; `changed` replaces and adds files, or leaves out those that are None."""
    files = wheel_files(version, name, needs)
    for path, content in (changed or {}).items():
        if content is None:
            del files[path]
        else:
            files[path] = content
    return zipped({**files, f"{info_of(name, version)}/RECORD": record_of(files, info_of(name, version))})


def expansion(of: str = "dodeka", version: str = "0.1", needs: Sequence[str] = (), options: str = "base") -> bytes:
    """Return the wheel of an expansion that adds an option to a game."""
    module, base = EXPANDED[of]
    rules = (
        "from dataclasses import dataclass\nfrom typing import ClassVar\n\n"
        f"from umpi.kernel import Number\nfrom {module} import {base} as base\n\n\n"
        "@dataclass(frozen=True)\nclass LateHour(base):\n"
        f'    options: ClassVar = (*{options}.options, Number("late", 0, 9))\n    late: int = 0\n'
    )
    points = f"[umpi.expansions]\n{of} = {LATE}.rules:LateHour\n"
    return wheel(version, {
        **dict.fromkeys(game_files()), f"{LATE}/__init__.py": b"", f"{LATE}/rules.py": rules.encode(),
        f"{info_of(EXPANDING, version)}/entry_points.txt": points.encode(),
    }, EXPANDING, needs)  # fmt: skip


def package_of_expansion(content: bytes, of: str = "dodeka", version: str = "0.1") -> Package:
    """Return what an index says of the wheel of an expansion."""
    package = package_of(content, version, EXPANDING)
    return replace(package, games=(replace(package.games[0], id=EXPANSION, title="Late hour", expands=of),))


def retold(old: str, new: str) -> dict[str, bytes | None]:
    """Return the change of a wheel in whose rules `new` is in place of `old`."""
    text = game_files()[RULES].decode()
    assert old in text
    return {RULES: text.replace(old, new).encode()}


def package_of(content: bytes, version: str = "0.1", name: str = NAME, file: str = "", api: int = API) -> Package:
    """Return what an index says of a wheel of the game."""
    game = ShelfGame(GAME, "Night owls", (2, 6), ("en",), ("ok rules",), MEASURED)
    checksum = hashlib.sha256(content).hexdigest()
    return Package(name, version, file or file_of(version, name), checksum, len(content), api, (game,))


def put_on_shelf(folder: Path, content: bytes, package: Package | None = None, key: SigningKey = KEY) -> Package:
    """Write a shelf with one wheel into a folder, in place of what is there."""
    package = package or package_of(content)
    (folder / package.path).parent.mkdir(parents=True, exist_ok=True)
    (folder / package.path).write_bytes(content)
    (folder / INDEX).write_text(write_index((package,), key), encoding="utf-8")
    return package
