"""The life of a game of a shelf, command by command: what they print is what somebody has read, shelf_commands.txt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="pip install 'umpi[https]'")
pytest.importorskip("packaging", reason="pip install 'umpi[shelf]'")

from tests.kit.seen import check_seen
from tests.kit.wheels import (
    EXPANSION,
    GAME,
    NAME,
    OTHER_KEY,
    expansion,
    forget_modules,
    package_of,
    package_of_expansion,
    put_on_shelf,
    wheel,
)  # fmt: skip
from umpi.cli import main, terminal
from umpi.shelf.index import Measured

SEEN = Path(__file__).with_name("shelf_commands.txt")
FAIR = Measured(200, 2, 60.0, (0.25, 0.75), 0.01)


def offers_a_newer_version(folder: Path) -> None:
    content = wheel("0.2")
    package = package_of(content, "0.2")
    game = replace(package.games[0], lab=FAIR, languages=("en", "fr"), seats=(2, 2))
    put_on_shelf(folder / "games", content, replace(package, games=(game,), licence="MIT"))


def has_another_key(folder: Path) -> None:
    put_on_shelf(folder / "games", wheel("0.2"), package_of(wheel("0.2"), "0.2"), OTHER_KEY)


def cannot_be_read(folder: Path) -> None:
    (folder / "games/shelf.json").write_text("[]")


def is_damaged(folder: Path) -> None:
    (folder / "data/umpi/shelves.json").write_text("{")


LIFE: tuple[str | Callable[[Path], None], ...] = (
    "shelf", "shelf --json", "shelf add games", "shelf add games", "shelf add empty", "shelf add more", "shelf",
    "shelf --json", f"shelf show {GAME}", f"shelf show {EXPANSION}", "shelf show nothing", "install nothing",
    "install nightowls", "shelf show nightowls",
    "install night-owl", f"install {EXPANSION}", f"install {GAME}", f"install {GAME}", f"install {EXPANSION}", "shelf",
    "games", f"install {GAME} --remove", offers_a_newer_version, "shelf", f"shelf show {GAME}", f"install {GAME}",
    f"install {EXPANSION} --remove", f"install {GAME}", f"install {EXPANSION}", "shelf", "shelf add twin",
    f"install {GAME}",
    "shelf remove games", f"install {GAME}", "shelf", f"install {GAME} --remove", "shelf add games", f"install {GAME}",
    "shelf remove twin", "shelf remove twin", "install dodeka --remove", has_another_key, "shelf", f"install {GAME}",
    "shelf add games", "shelf remove games", "shelf add games", f"install {GAME}",
    cannot_be_read, "shelf", "shelf add games", f"shelf show {GAME}", is_damaged, "shelf", "shelf remove more",
)  # fmt: skip


def lived(folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    put_on_shelf(folder / "games", wheel())
    put_on_shelf(folder / "twin", wheel())
    content = expansion(GAME, needs=[f"{NAME}<0.2"])
    put_on_shelf(folder / "more", content, package_of_expansion(content, GAME))
    (folder / "empty").mkdir()
    for step in LIFE:
        if not isinstance(step, str):
            step(folder)
            yield f"the shelf {step.__name__.replace('_', ' ')}"
            continue
        for people in (True, False) if step == "shelf" else (True,):
            monkeypatch.setattr("sys.stdout.isatty", lambda people=people: people)
            forget_modules()
            status = main(step.split())
            said = capsys.readouterr()
            yield f"$ umpi {step}{'' if people else '  # for programs'}"
            yield f"  status {status}"
            yield from (f"  {line}".rstrip() for line in f"{said.out}{said.err}".splitlines())


@pytest.mark.slow
def test_the_life_of_a_game_of_a_shelf(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(terminal, "INSTALLED", tmp_path / "no box")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("umpi.shelf.install.try_out", lambda folder, wheel: [])  # test_shelf_install tries each wheel
    try:
        text = "\n".join(lived(tmp_path, capsys, monkeypatch)).replace(f"{tmp_path}/", "")
    finally:
        forget_modules()
    lines = re.sub(r"\b[0-9a-f]{64}\b", "HEX", text).splitlines()
    check_seen(SEEN, lines)
