"""A stranger's package and the kit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from planted import bag

from tests.kit.patience import run_to_end
from umpi.conformance import check_game
from umpi.kernel.game import Game
from umpi.kernel.registry import games


@pytest.mark.slow
def test_a_strangers_package_is_checked_by_one_line(tmp_path):
    """The issue: a stranger's package runs it with one line of pytest."""
    source = Path(bag.__file__).read_text()
    (tmp_path / "sack.py").write_text(source.replace('"bag"', '"sack"'))
    (tmp_path / "test_sack.py").write_text(
        "from sack import Bag\nfrom umpi.conformance import check_game\n\n\ndef test_it_holds(): check_game(Bag)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    ended = run_to_end(command, cwd=tmp_path, text=True)
    assert ended.returncode == 0, ended.stdout
    (tmp_path / "sack.py").write_text(
        source.replace("_next(self) -> int:\n", "_next(self) -> int:\n        import time\n")
    )
    ended = run_to_end(command, cwd=tmp_path, text=True)
    assert ended.returncode == 1
    assert "purity: sack, line" in ended.stdout


# Every game that Umpi ships holds what it asks of a stranger's.


@pytest.mark.slow
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_shipped_game_holds(game: type[Game]) -> None:
    """Ours and a stranger's are put through one kit; `umpi check GAME` plays more of them."""
    check_game(game, games=1, options=[{}, game.at_buttons])
