"""A start leaves out settings of games of a shelf that are wrong by now, and the box says so."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.kit.wheels import GAME, Umpi, forget_modules, package_of, put_on_shelf, retold, wheel
from umpi.cli import terminal
from umpi.shelf.install import install
from umpi.shelf.installed import LIST, Packages
from umpi.shelf.place import Place


def test_a_start_leaves_out_settings_that_an_update_or_a_lost_list_has_made_wrong(
    packages: Packages, state: Path, tmp_path: Path, umpi: Umpi, caplog: pytest.LogCaptureFixture
) -> None:
    """The box plays without them, and no removal makes umpi.toml invalid. A typing error for a game of Umpi is told."""
    place, settings = Place(str(tmp_path / "shelf")), tmp_path / "umpi.toml"
    own = f'[box]\njournal = "{state}/games.db"\n'
    text = f'{own}[options]\ngoal = 30\n[rules.short]\ngame = "{GAME}"\noptions = {{ goal = 30 }}\n'
    settings.write_text(text + '[rules.shorter]\nbase = "short"\n')

    def starts() -> tuple[set[str], set[str]]:
        """Return the rule sets and options of a start, and what it leaves out."""
        options = argparse.Namespace(config=settings)
        with terminal.installed_games(options):
            config = terminal.config_of(options)
            return {*config.rules, *config.options}, {each.setting for each in config.left_out}

    for version, changed in (("0.1", None), ("0.2", retold("goal", "target"))):
        forget_modules()
        content = wheel(version, changed)
        install(put_on_shelf(tmp_path / "shelf", content, package_of(content, version)), place, packages)
        forget_modules()
        if version == "0.1":
            assert starts() == ({"short", "shorter", "goal"}, set())
    assert starts() == (set(), {"[rules.short]", "[options] goal"})
    assert "[rules.short]: Night owls has no option" in caplog.text
    status, _, said = umpi("install", GAME, "--remove", "--config", str(settings))
    assert (status, "would not be valid without it" in said) == (1, True)
    settings.write_text(f'{own}[rules.short]\ngame = "dodeka"\noptions = {{ gaol = 30 }}\n')
    with pytest.raises(terminal.Problem, match="gaol"):
        starts()
    settings.write_text(text)
    (packages.root / LIST).write_text("{")
    forget_modules()
    assert starts() == (set(), {"[rules.short]", "[options] goal"})
