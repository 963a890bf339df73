"""The catalog: games found by entry point; a broken one is listed with its reason and costs no other anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from tests.kit.patience import HELD_S, got, patiently, run_to_end
from umpi.games.dodeka import Dodeka
from umpi.kernel import registry as catalog
from umpi.kernel.match import Refused

GOOD = """
from umpi.games.dodekka import Dodekka
class Game(Dodekka):
    id = "{id}"
"""
SETUP = (
    GOOD
    + """
    options = experiments = ()
    @classmethod
    def setup(cls, seats):
        """
)
BROKEN = {
    "import-error": ("import no_such_module", "no_such_module"),
    "syntax-error": ("def", "SyntaxError"),
    "leaves": ("raise SystemExit(3)", "SystemExit"),
    "no-class": ("Game = 5", "not a class"),
    "nothing": ("", "Game"),
    "no-game": ("class Game:\n    id = 'no-game'\n    umpi_api = 3", "extend umpi.kernel.Game"),
    "other-id": (GOOD.format(id="else"), "else"),
    "other-api": (GOOD + "    umpi_api = 4", "version 4"),
    "later-api": ("class Game:\n    id = 'later-api'\n    umpi_api = 4", "version 4"),
    "second-api": ("class Game:\n    id = 'second-api'\n    umpi_api = 2", "derive it from umpi.kernel.Game"),
    "first-api": ("class Game:\n    id = 'first-api'", "after_ms of an Ask is at_ms"),
    "setup-fails": (SETUP + "raise ValueError('no table')", "no table"),
    "setup-leaves": (SETUP + "raise SystemExit(3)", "SystemExit"),
    "asks-fails": (GOOD + "    def asks(self): return 1 / 0", "ZeroDivisionError"),
    "no-seats": (GOOD + "    seats = range(0)", ""),
    "odd-option": (GOOD + "    options = (5,)", ""),
    "odd-field": ("class Field:\n    name = 'track'\n" + GOOD + "    options = (Field(),)", ""),
    "odd-kind": (GOOD + "    kind = object()", ""),
    "no-parameter": (
        GOOD + "    options = (Dodekka.options[0]._replace(name='trail'),)",
        "setup() has no parameter trail",
    ),
    "no-default": (GOOD + "    @classmethod\n    def setup(cls, seats, track): return super().setup(seats)", ""),
}  # fmt: skip


def package(folder: Path, name: str, code: str, points: str) -> None:
    """Lay an installed package into a folder: one module and its dist-info."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[umpi.games]\n{points}\n")
    (folder / f"{name}.py").write_text(code)


def umpi(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "umpi", *arguments]
    return run_to_end(command, stdin, text=True, env=os.environ | {"PYTHONPATH": path})


def listed(folder: Path) -> dict[str, dict[str, Any]]:
    process = umpi(folder, "games")
    assert process.returncode == 0
    return {line["id"]: line for line in map(json.loads, process.stdout.splitlines())}


@pytest.mark.slow
def test_a_foreign_game_is_found_and_played_as_the_shipped_ones(tmp_path: Path) -> None:
    """Anybody can add a game; shipped ones are installed exactly as foreign ones."""
    package(tmp_path, "foreign", GOOD.format(id="foreign"), "foreign = foreign:Game")
    games = listed(tmp_path)
    assert list(games) == sorted(games)
    assert {"dodeka", "dodekka", "foreign"} <= set(games)
    assert set(games["foreign"]) == set(games["dodekka"]) == {"id", "title", "kind", "seats", "options", "expansions"}
    written = umpi(tmp_path, "play-out", "foreign", "--seed", "3").stdout
    replayed = umpi(tmp_path, "replay", "-", stdin=written)
    assert (replayed.returncode, json.loads(replayed.stdout)["state"]["phase"]) == (0, "over")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The list of games where all that do not load are installed together."""
    folder = tmp_path_factory.mktemp("broken")
    for id, (code, _) in BROKEN.items():
        name = id.replace("-", "_")
        package(folder, name, code.replace("{id}", id), f"{id} = {name}:Game")
    return listed(folder)


@pytest.mark.parametrize(("id", "reason"), [(id, reason) for id, (_, reason) in BROKEN.items()], ids=list(BROKEN))
def test_a_broken_game_is_listed_with_its_reason(id: str, reason: str, broken: dict[str, dict[str, Any]]) -> None:
    """A game that does not load is listed as `{"id", "error"}`."""
    assert set(broken[id]) == {"id", "error"}
    assert reason in broken[id]["error"]


def test_broken_games_cost_no_other(broken: dict[str, dict[str, Any]]) -> None:
    assert [list(broken[other]) for other in ("dodeka", "dodekka")] == [
        ["id", "title", "kind", "seats", "options", "expansions"]
    ] * 2


@pytest.mark.parametrize("points", ["just words", "odd = not a : module!!", "= nothing", "odd ="])
def test_entry_points_that_cannot_be_read_cost_no_other_game(points: str, tmp_path: Path) -> None:
    """A broken game is listed with its reason."""
    package(tmp_path, "scribble", "", points)
    games = listed(tmp_path)
    assert all("error" not in games[shipped] for shipped in ("dodeka", "dodekka"))


@pytest.mark.parametrize(
    ("files", "name", "reason"),
    [
        (["METADATA"], "foreign", "the METADATA of its package cannot be read: UnicodeDecodeError"),
        (["entry_points.txt"], "foreign", "its entry points cannot be read: UnicodeDecodeError"),
        (["METADATA", "entry_points.txt"], "", "its entry points cannot be read: UnicodeDecodeError"),
    ],
    ids=["name", "points", "both"],
)
def test_a_package_with_a_damaged_file_costs_no_other_game(
    files: list[str], name: str, reason: str, tmp_path: Path
) -> None:
    package(tmp_path, "foreign", GOOD.format(id="foreign"), "foreign = foreign:Game")
    for file in files:
        damaged = tmp_path / "foreign-1.0.dist-info" / file
        damaged.write_bytes(b"\xff" + damaged.read_bytes())
    games = listed(tmp_path)
    assert reason in games[name or str(tmp_path)]["error"]
    assert "title" in games["dodeka"]


def test_an_expansion_with_a_damaged_file_is_left_out(tmp_path: Path) -> None:
    package(tmp_path, "foreign", GOOD.format(id="foreign"), "foreign = foreign:Game")
    info = tmp_path / "foreign-1.0.dist-info"
    (info / "entry_points.txt").write_text("[umpi.expansions]\ndodekka = foreign:Game\n")
    (info / "METADATA").write_bytes(b"\xff")
    process = umpi(tmp_path, "games")
    entries = [each for each in map(json.loads, process.stdout.splitlines()) if each["id"] == "dodekka"]
    assert [entry.get("expansions") for entry in entries] == [[], None], process.stderr
    why = "the expansion foreign:Game: the METADATA of its package cannot be read"
    assert entries[1]["error"].startswith(why)


@pytest.mark.slow
def test_a_broken_game_is_refused_by_its_reason(tmp_path: Path) -> None:
    """An unknown game is refused, listing the ids; a broken one with its reason."""
    package(tmp_path, "torn", "import no_such_module", "torn = torn:Game")
    process = umpi(tmp_path, "replay", "-", stdin='{"umpi": 1, "game": "torn", "players": ["A", "B"]}\n')
    assert (process.returncode, "no_such_module" in json.loads(process.stdout)["error"]) == (2, True)
    for arguments in (["schema", "torn"], ["play-out", "torn", "--seed", "1"]):
        process = umpi(tmp_path, *arguments)
        assert (process.returncode, process.stdout, "no_such_module" in process.stderr) == (2, "", True)


def test_two_packages_with_one_id_are_reported_and_neither_is_used(tmp_path: Path) -> None:
    """Which of two games a record means cannot be known; the same entry point twice is one."""
    for name in ("left", "right"):
        package(tmp_path / name, name, GOOD.format(id="twin"), f"twin = {name}:Game")
    for copy in ("one", "two"):
        package(tmp_path / copy, "same", GOOD.format(id="same"), "same = same:Game")
    games = listed(Path(os.pathsep.join(str(tmp_path / name) for name in ("left", "right", "one", "two"))))
    assert "left:Game" in games["twin"]["error"]
    assert "right:Game" in games["twin"]["error"]
    assert "error" not in games["same"]


EXPANSION = """
from dataclasses import dataclass
from umpi.games.scorepad import ScorePad
from umpi.kernel import Pick
@dataclass(frozen=True)
class Wider(ScorePad):
    options = (*ScorePad.options, Pick("{option}", (False, True)))
    {option}: bool = False
"""


def test_several_expansions_of_a_game_are_used_together(tmp_path: Path) -> None:
    """One that does not go together with another is listed with the reason, and the others stay."""
    for name, option in (("chimes", "bell"), ("gongs", "gong"), ("tolls", "bell")):
        package(tmp_path, name, EXPANSION.format(option=option), "")
        points = f"[umpi.expansions]\nscorepad = {name}:Wider\n"
        (tmp_path / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(points)
    process = umpi(tmp_path, "games")
    lines = [json.loads(line) for line in process.stdout.splitlines()]
    whole, refused = (line for line in lines if line["id"] == "scorepad")
    assert list(whole["options"])[-2:] == ["bell", "gong"]
    assert refused["error"].startswith("the expansion tolls:Wider: ")
    assert refused["error"].endswith("both bring bell")


@pytest.mark.slow
def test_a_record_names_the_packages_that_it_needs(tmp_path: Path) -> None:
    """On a computer without them, the reason is complete."""
    package(tmp_path, "foreign", GOOD.format(id="foreign") + "    revision = 4\n", "foreign = foreign:Game")
    package(tmp_path, "gongs", EXPANSION.format(option="gong"), "")
    (tmp_path / "gongs-1.0.dist-info" / "entry_points.txt").write_text("[umpi.expansions]\nscorepad = gongs:Wider\n")
    played = umpi(tmp_path, "play-out", "foreign", "--seed", "1").stdout
    header = json.loads(played.splitlines()[0])
    assert (header["revision"], header["package"], header["version"]) == (4, "foreign", "1.0")
    scored = umpi(tmp_path, "play-out", "scorepad", "--seed", "1", "--option", "gong=true").stdout
    assert json.loads(scored.splitlines()[0])["expansions"] == ["gongs 1.0"]
    (tmp_path / "empty").mkdir()
    for record, end in ((played, "foreign 1.0."), (scored, "gongs 1.0.")):
        process = umpi(tmp_path / "empty", "replay", "-", stdin=record)
        assert process.returncode == 2
        assert json.loads(process.stdout)["error"].endswith(f" It was recorded with {end}")


class Point:
    """An entry point that loads as a test says."""

    dist = None
    value = "far.away:Game"

    def __init__(self, load: Any) -> None:
        self.load = load


def installed(monkeypatch: pytest.MonkeyPatch, **loads: Any) -> None:
    points = {id: [Point(load)] for id, load in loads.items()}
    monkeypatch.setattr(catalog, "_points", lambda: (points, []))
    monkeypatch.setattr(catalog, "_loaded", {})


def test_installed_packages_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty matches of before are listed by the titles of their games at every leave."""
    catalog.find("dodeka")
    monkeypatch.setattr(catalog, "entry_points", lambda: pytest.fail("it is looked for again"))
    monkeypatch.setattr(catalog, "flaw", lambda name, game: pytest.fail("it is looked at again"))
    assert catalog.find("dodeka") is Dodeka


def test_installed_packages_are_read_once_for_games_and_expansions(monkeypatch: pytest.MonkeyPatch) -> None:
    """To read the entry points of a hundred packages takes a tenth of a start."""
    really, reads = catalog.entry_points, []
    monkeypatch.setattr(catalog, "entry_points", lambda: reads.append("all") or really())
    catalog.look_again()
    assert catalog.find("dodeka").id == "dodeka"
    assert reads == ["all"]


def test_two_threads_that_load_games_leave_standard_output_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a package prints while it loads goes elsewhere, whichever of the two is done first."""
    before, entered = sys.stdout, threading.Event()

    def first_game() -> type:
        entered.wait(0.2)  # the other would be let in meanwhile
        return Dodeka

    def other_game() -> type:
        entered.set()
        first.join()
        return Dodeka

    installed(monkeypatch, one=first_game, two=other_game)
    first = threading.Thread(target=lambda: catalog._load("one"))
    first.start()
    other = threading.Thread(target=lambda: catalog._load("two"))
    other.start()
    first.join()
    other.join()
    assert sys.stdout is before


def test_a_known_game_does_not_wait_for_one_that_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a start, the others load on a thread while somebody plays."""
    entered, goes_on, found = threading.Event(), threading.Event(), SimpleQueue[type]()

    def slow_game() -> type:
        entered.set()
        goes_on.wait(HELD_S)
        return Dodeka

    installed(monkeypatch, known=lambda: type("Known", (Dodeka,), {"id": "known"}), slow=slow_game)
    known = catalog.find("known")
    slow = threading.Thread(target=lambda: catalog._load("slow"))
    slow.start()
    patiently(entered.wait)
    asking = threading.Thread(target=lambda: found.put(catalog.find("known")))
    asking.start()
    try:
        assert got(found) is known
    finally:
        goes_on.set()
        slow.join()
        asking.join()


def test_why_a_game_does_not_load_is_logged_with_its_place(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    installed(monkeypatch, torn=lambda: 1 // 0)
    with pytest.raises(Refused, match="torn does not load: ZeroDivisionError"):
        catalog.find("torn")
    assert "The game torn does not load" in caplog.text
    assert f'File "{__file__}"' in caplog.text


def test_the_guide_names_the_limit_of_a_game_without_one() -> None:
    guide = Path(catalog.__file__).parents[1] / "games" / "README.md"
    assert f"Without it, the limit is {catalog.Game.longest:,}." in guide.read_text(encoding="utf-8")
