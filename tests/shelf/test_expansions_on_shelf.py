"""An expansion on a shelf: its game must be there, both must fit, and a match in play keeps what it started with."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.wheels import (
    EXPANDING,
    EXPANSION,
    GAME,
    NAME,
    Umpi,
    expansion,
    package_of_expansion,
    put_on_shelf,
    wheel,
)
from umpi.box.config_file import read_config
from umpi.box.signing import SigningKey
from umpi.conformance.new_game import left_over, write_package
from umpi.journal import Journal
from umpi.kernel.nothing import nothing
from umpi.kernel.record import Header
from umpi.kernel.registry import find, options_of_expansions
from umpi.shelf import install
from umpi.shelf import publish as publishing
from umpi.shelf.index import read_index
from umpi.shelf.installed import Packages
from umpi.shelf.place import INDEX, Place
from umpi.shelf.settings import settings_for
from umpi.shelf.wheel import read_wheel


@pytest.mark.parametrize("file", ["METADATA", "entry_points.txt"])
def test_a_damaged_game_holds_up_no_other_package(
    file: str, state: Path, packages: Packages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "try_out", lambda folder, wheel: [])
    place, content = Place(str(tmp_path / "shelf")), expansion(GAME)
    package = package_of_expansion(content, GAME)
    install.install(put_on_shelf(tmp_path / "shelf", wheel()), place, packages)
    install.install(put_on_shelf(tmp_path / "shelf", content, package), place, packages)
    for damaged in packages.root.glob(f"*/*.dist-info/{file}"):
        damaged.write_bytes(b"\xff" + damaged.read_bytes())
    with pytest.raises(install.NotInstalled, match=f"it expands the game {GAME}, which is not installed"):
        install.install(put_on_shelf(tmp_path / "shelf", content, package), place, packages)
    again = install.install(put_on_shelf(tmp_path / "shelf", wheel()), place, packages)
    assert packages.read().packages[NAME] == again


def versions(packages: Packages, journal: Path) -> list[str]:
    with packages.in_use(journal) as chosen:
        return sorted(chosen)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the expansion for one that loads: a process of its own would take seconds."""
    monkeypatch.setattr(install, "try_out", lambda folder, wheel: [{"id": id} for id in wheel.games])


def installed(packages: Packages, shelf: Path) -> None:
    content = expansion()
    package = put_on_shelf(shelf, content, package_of_expansion(content))
    install.install(package, Place(str(shelf)), packages)


def begin(journal: Path) -> None:
    """Begin a match of the game; the journal adds its packages."""
    with closing(Journal(journal)) as kept:
        kept.begin(Header(find("dodeka"), ("Ann", "Ben"), {}).line())


def leave(journal: Path) -> None:
    with closing(Journal(journal)) as kept:
        kept.leave(kept.matches()[-1].uid)


def test_a_match_in_play_gets_no_expansion(loads: None, packages: Packages, state: Path, tmp_path: Path) -> None:
    journal = state / "games.db"
    with packages.in_use(journal) as used:
        packages.note(journal, used)
        begin(journal)
    installed(packages, tmp_path / "shelf")
    assert versions(packages, journal) == []
    leave(journal)
    assert versions(packages, journal) == [EXPANDING]


def test_a_match_in_play_keeps_its_expansion(
    loads: None, packages: Packages, umpi: Umpi, state: Path, tmp_path: Path
) -> None:
    """While it is on the table, nobody can remove the expansion; a removal before it counts only after it."""
    journal = state / "games.db"
    installed(packages, tmp_path / "shelf")
    with packages.in_use(journal) as used:
        packages.note(journal, used)
        begin(journal)
        assert umpi("install", EXPANSION, "--remove")[2] == (
            "umpi: A match of dodeka is on the table. Finish or leave it, then remove the expansion.\n"
        )
        leave(journal)
        packages.remove(EXPANDING, journal)
        begin(journal)
    assert versions(packages, journal) == [EXPANDING]
    leave(journal)
    assert versions(packages, journal) == []


def test_an_expansion_that_the_match_names_comes_back_to_it(
    loads: None, packages: Packages, state: Path, tmp_path: Path
) -> None:
    """The folder of the packages was lost, and the box has started without it."""
    journal = state / "games.db"
    installed(packages, tmp_path / "shelf")
    with packages.in_use(journal):
        begin(journal)
    packages.note(journal, {})
    assert versions(packages, journal) == [EXPANDING]


def test_the_settings_may_have_an_option_of_an_expansion(
    loads: None, packages: Packages, state: Path, umpi: Umpi, tmp_path: Path
) -> None:
    installed(packages, tmp_path / "shelf")
    settings = tmp_path / "umpi.toml"
    journal = f'[box]\njournal = "{state / "games.db"}"\n'
    settings.write_text(f'{journal}[options]\nlate = 1\n[rules.late]\ngame = "dodeka"\noptions = {{ late = 2 }}\n')
    with packages.in_use(state / "games.db"):
        assert options_of_expansions("dodeka") == {"late": EXPANDING}
        assert settings_for(read_config(settings)) == [
            ("[rules.late]", ("dodeka",)), ("[rules.late]", (EXPANSION,)), ("[options] late", (EXPANSION,)),
        ]  # fmt: skip
    assert umpi("install", EXPANSION, "--remove", "--config", str(settings))[2] == (
        f"umpi: {settings} has [rules.late] for {EXPANSION}, and would not be valid without it. Delete that first.\n"
    )
    assert options_of_expansions("dodeka") == options_of_expansions("none") == {}


@pytest.mark.slow
def test_an_expansion_is_published_with_the_report_of_its_game(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The laboratory measures the game with the options of the expansion: without them, it is as before."""
    write_package("tea-break", tmp_path, "dodeka")
    asked = []

    def run(folder: Path, *words: str, **how: Any) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        measures = {"games": 2, "players": 2, "acts": {"mean": 9}, "seats": [{"share": 0.5}], "even": None}
        return subprocess.CompletedProcess(words, 0, "ok rules\n" if words[0] == "check" else json.dumps(measures), "")

    monkeypatch.setattr(publishing, "umpi", run)
    publishing.publish(tmp_path / "shelf", [tmp_path / "tea-break"], 2, SigningKey.of("1" * 64), nothing, left_over)
    assert asked == [("check", "dodeka"), ("lab", "dodeka", "--games", "2", "--json", "--option", "tea_break=9")]
    (package,) = read_index((tmp_path / "shelf" / INDEX).read_bytes()).packages
    (game,) = package.games
    assert (game.id, game.title, game.expands, game.check) == ("tea-break", "Tea break", "dodeka", ("ok rules",))
    read = read_wheel(package.file, (tmp_path / "shelf" / package.path).read_bytes())
    assert (read.games, read.expands, read.needs) == (("tea-break",), "dodeka", ())
