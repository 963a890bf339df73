"""Publish games: what `umpi publish` writes can be installed, and a package with a fault leaves the shelf as it was."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.killed import killed_at
from tests.kit.seen import check_part
from tests.kit.shelf_stories import STAND, Step, Story, told, writes
from tests.kit.tabs import served
from tests.kit.wheels import (
    EXPANDING,
    EXPANSION,
    GAME,
    KEY,
    MODULE,
    NAME,
    OTHER_KEY,
    RULES,
    Umpi,
    expansion,
    file_of,
    game_files,
    package_of,
    put_on_shelf,
    retold,
    wheel,
)
from umpi.box.signing import FILE
from umpi.conformance.new_game import ABOUT_THE_RULES, left_over, write_package
from umpi.kernel.game import API
from umpi.kernel.nothing import nothing
from umpi.shelf import publish as publishing
from umpi.shelf.index import Index, Measured, Package, ShelfGame, read_index
from umpi.shelf.place import INDEX
from umpi.shelf.publish import NotPublished, publish

SEEN = Path(__file__).with_name("seen") / "published.txt"
ABOUT = tuple(file.replace("$module", MODULE) for file in ABOUT_THE_RULES)
FRENCH = '[texts]\n"{who} loses the pot: {pot}" = "{who} perd la cagnotte : {pot}"\n'


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe each game without a check, which takes half a minute."""

    def describe(file: Path, *_: object) -> Any:
        content = file.read_bytes()
        _, version, *_ = file.name.split("-")
        return replace(package_of(content, version), file=file.name)

    monkeypatch.setattr(publishing, "_described", describe)


def written(folder: Path, version: str, **change: Any) -> Path:
    """Write a wheel into a folder, and return it."""
    folder.mkdir(exist_ok=True)
    (folder / file_of(version)).write_bytes(wheel(version, **change))
    return folder / file_of(version)


def versions(shelf: Path) -> list[str]:
    """Return the versions on a shelf, all of whose wheels must be there as they were signed."""
    index = read_index((shelf / INDEX).read_bytes())
    for package in index.packages:
        content = (shelf / package.path).read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (package.sha256, package.bytes)
    return [package.version for package in index.packages]


@pytest.mark.slow
def test_a_package_is_published_and_installed(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    """From the folder of `umpi new-game`, by way of a web server, with the real checks."""
    write_package(GAME, tmp_path)
    (tmp_path / GAME / "night_owls" / "texts").mkdir()
    (tmp_path / GAME / "night_owls" / "texts" / "fr.toml").write_text(FRENCH)
    before = sorted(tmp_path.rglob("*"))
    status, out, err = umpi("publish", "shelf", GAME, "--games", "40")
    assert (status, err) == (0, "")
    assert [path for path in sorted((tmp_path / GAME).rglob("*")) if path not in before] == [], "it was built in a copy"
    key = json.loads((tmp_path / "shelf" / INDEX).read_text())["key"]
    assert f"The key of the shelf: {key}" in out
    assert not (tmp_path / "shelf" / FILE).exists()
    with served(tmp_path / "shelf") as address:
        assert key in umpi("shelf", "add", address)[1]
        shown = json.loads(umpi("shelf")[1])
        assert umpi("install", GAME)[0] == 0
    assert (shown["title"], shown["seats"], shown["languages"]) == ("Night owls", [2, 6], ["en", "fr"])
    assert (shown["lab"]["games"], shown["lab"]["players"], sum(shown["lab"]["shares"])) == (40, 2, pytest.approx(1))
    assert 5 < shown["minutes"] < 60
    assert len(shown["check"]) > 15
    assert all(line.startswith(("ok ", "- ")) for line in shown["check"])
    assert "perd la cagnotte" in (next((state / "packages").glob("umpi-*")) / "night_owls/texts/fr.toml").read_text()


@pytest.mark.slow
def test_a_game_that_fails_a_check_is_not_published(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    """And what was on the shelf stays."""
    put_on_shelf(tmp_path / "shelf", wheel())
    state.mkdir(parents=True)
    (state / FILE).write_text(KEY.secret)
    changed = retold("return replace(self, pot=0, turn=self._next)", "return replace(self, pot=0, turn=9)")
    faulty = wheel("0.2", changed | dict.fromkeys(ABOUT))
    (tmp_path / file_of("0.2")).write_bytes(faulty)
    status, out, err = umpi("publish", "shelf", file_of("0.2"), "--games", "4")
    assert (status, out) == (1, "")
    assert f"{GAME} is not published, because umpi check fails:" in err
    assert "FAILED " in err
    assert versions(tmp_path / "shelf") == ["0.1"]


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", "0.1"])
def test_a_killed_process_leaves_the_old_or_the_new_shelf(before: str, described: None, tmp_path: Path) -> None:
    shelf, new, number = tmp_path / "shelf", written(tmp_path, "0.2"), 0
    again, seen = True, []
    while again:
        shutil.rmtree(shelf, ignore_errors=True)
        if before:
            publish(shelf, [written(tmp_path, before)], 1, KEY, nothing, left_over)
        again = killed_at(number, lambda: publish(shelf, [new], 1, KEY, nothing, left_over))
        seen.append(versions(shelf) if (shelf / INDEX).exists() else [])
        number += 1
    old = [before] if before else []
    assert seen == sorted(seen, key=["0.2"].__eq__)
    assert {*map(tuple, seen)} == {tuple(old), ("0.2",)}


def test_an_index_that_nobody_could_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(package_of(wheel()).games[0], title="Night\nowls")
    monkeypatch.setattr(publishing, "_described", lambda *_: replace(package_of(wheel()), games=(game,)))
    with pytest.raises(NotPublished, match='The index would not be valid: "title" must be a text of one line'):
        publish(tmp_path / "shelf", [written(tmp_path, "0.1")], 1, KEY, nothing, left_over)
    assert not (tmp_path / "shelf" / INDEX).exists()


def makes(version: str, folder: str = "", **change: Any) -> Step:
    """Return the step that makes a wheel in a folder."""
    what = "another wheel" if change else "a wheel"
    return f"somebody makes {what}: {file_of(version)}", lambda at: written(at / folder, version, **change)


def says(**change: Any) -> Step:
    """Return the step after which a process that loads, checks or measures a game says something else."""
    return f"a process says {change}", lambda at: SAID.update(change)


def puts_on(folder: str) -> Step:
    return "somebody else publishes there", lambda at: put_on_shelf(at / folder, wheel(), key=OTHER_KEY)


def puts_notes(at: Path) -> None:
    (wheel_on_shelf,) = (at / STAND).glob("*/*.whl")
    wheel_on_shelf.with_name("notes.txt").write_text("mine")


def deletes_wheel(at: Path) -> None:
    (wheel_on_shelf,) = (at / STAND).glob("*/*.whl")
    wheel_on_shelf.unlink()


FIRST, SECOND = file_of("0.1"), file_of("0.2")
PUBLISH, WITHDRAW = f"publish {STAND}", f"publish {STAND} --remove"
TOLD = dict.fromkeys(ABOUT[1:3]) | {ABOUT[0]: game_files()[ABOUT[0]].replace(b"Night owls", b"Other owls")}
CHANGED = retold("if die == (1,):", "if die == (6,):") | TOLD
STORIES: dict[str, Story] = {  # nothing loads, checks or measures the games
    "a newer version takes the place of the older one": (
        makes("0.1"), f"{PUBLISH} {FIRST}", makes("0.2"), f"{PUBLISH} {SECOND}", f"{WITHDRAW} chess",
        f"{WITHDRAW} {GAME}", f"{WITHDRAW} {GAME}",
    ),
    "other files of one version, and an older version": (
        makes("0.2"), f"{PUBLISH} {SECOND}", makes("0.2", changed=retold("if die == (1,):", "if die == (6,):")),
        f"{PUBLISH} {SECOND}", makes("0.1"), f"{PUBLISH} {FIRST}", makes("0.2"), f"{PUBLISH} {SECOND}",
    ),
    "something is beside a wheel": (
        makes("0.1"), f"{PUBLISH} {FIRST}", ("the owner puts notes beside it", puts_notes), f"{WITHDRAW} {GAME}",
    ),
    "a wheel is gone already": (
        makes("0.1"), f"{PUBLISH} {FIRST}", ("the owner deletes it", deletes_wheel), f"{WITHDRAW} {GAME}",
    ),
    "the shelf is of somebody else, or none": (
        puts_on(STAND), makes("0.2"), f"{PUBLISH} {SECOND}", f"{WITHDRAW} {GAME}",
        writes(f"{STAND}/{INDEX}", "{}"), f"{PUBLISH} {SECOND}",
    ),
    "two packages bring one game": (
        makes("0.1", "one"), makes("0.2", "two"), f"{PUBLISH} one/{FIRST} two/{SECOND}",
    ),
    "what is no package": (
        f"{PUBLISH} .", f"{PUBLISH} {FIRST}", makes("0.1", needs=["numpy"]), f"{PUBLISH} {FIRST}",
        makes("0.1", changed=CHANGED), f"{PUBLISH} {FIRST}",
    ),
    "the check fails": (makes("0.1"), says(check=(1, "FAILED end\n", "!\n")), f"{PUBLISH} {FIRST}"),
    "the laboratory fails": (makes("0.1"), says(lab=(2, "", "umpi: no\n")), f"{PUBLISH} {FIRST}"),
    "it does not load": (makes("0.1"), says(games=[{"id": GAME, "error": "a fault"}]), f"{PUBLISH} {FIRST}"),
}  # fmt: skip
BUILT: dict[str, Story] = {  # in which pip builds a wheel, or a process loads a game
    "pip cannot build it": (writes("pyproject.toml", "[project]\nname = \n"), f"{PUBLISH} ."),
    "it cannot load": (makes("0.1", changed={RULES: b"1 / 0"}), f"{PUBLISH} {FIRST}"),
}


CHECKED = "ok  rules   3 positions\n\n-   board        not there\n"
SAID: dict[str, Any] = {}  # what the processes print
LAB = {"games": 9, "players": 3, "acts": {"mean": 31.5}, "seats": [{"share": 0.5}, {"share": None}], "even": 0.25}


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Answer in place of the processes that load, check and measure a game; the fixture is what they print."""
    SAID.clear()
    SAID.update({
        "games": [{"id": GAME, "title": "Night owls", "seats": [2, 6]}], "check": (0, CHECKED, ""),
        "lab": (0, f"{json.dumps(LAB)}\nmore words\n", "a warning"), "asked": [],
    })  # fmt: skip

    def answer(folder: Path, command: str, *words: str) -> Any:
        assert (folder / "night_owls").is_dir() or (folder / "late_hour").is_dir()
        SAID["asked"].append(" ".join((command, *words)))
        return subprocess.CompletedProcess([], *SAID[command])

    monkeypatch.setattr(publishing, "try_out", lambda folder, wheel: SAID["games"])
    monkeypatch.setattr(publishing, "umpi", answer)
    return SAID


@pytest.mark.parametrize("name", STORIES)
def test_each_story_of_a_publisher_is_what_somebody_has_read(
    name: str, processes: dict[str, Any], state: Path, umpi: Umpi, tmp_path: Path
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    check_part(SEEN, name, told(STORIES[name], umpi, tmp_path), [*STORIES, *BUILT], "== ")


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT)
def test_what_cannot_be_built_is_what_somebody_has_read(name: str, state: Path, umpi: Umpi, tmp_path: Path) -> None:
    text = re.sub(r"(?<=pip says:)(\n .*)+(?=\n  new)", " …", told(BUILT[name], umpi, tmp_path))
    check_part(SEEN, name, text, [*STORIES, *BUILT], "== ")


def texts_of(*languages: str) -> dict[str, bytes | None]:
    """Return the files of the translations of a package, and three that are none: one of them is still empty."""
    texts = {f"{MODULE}/texts/{language}.toml": FRENCH.encode() for language in (*languages, "xx", "more/de")}
    return texts | {f"{MODULE}/texts/de.toml": b'[texts]\n"Roll" = ""\n'}


def test_a_game_is_described_by_what_its_processes_print(processes: dict[str, Any], tmp_path: Path) -> None:
    said: list[str] = []
    source = written(tmp_path, "0.1", changed=texts_of("hu", "en", "fr"))
    (package,) = publish(tmp_path / "shelf", [source], 9, KEY, said.append, lambda files: ())
    content = source.read_bytes()
    measured = Measured(9, 3, 31.5, (0.5, None), 0.25)
    lines = ("ok rules 3 positions", "- board not there")
    game = ShelfGame(GAME, "Night owls", (2, 6), ("en", "fr", "hu"), lines, measured)
    sha256 = hashlib.sha256(content).hexdigest()
    assert package == Package(NAME, "0.1", file_of(), sha256, len(content), API, (game,))
    assert read_index((tmp_path / "shelf" / INDEX).read_bytes()) == Index((package,), KEY.public)
    assert (tmp_path / "shelf" / package.path).read_bytes() == content
    assert processes["asked"] == [f"check {GAME}", f"lab {GAME} --games 9 --json"]
    assert said == [f"umpi check {GAME}, which takes up to a minute", f"umpi lab {GAME} --games 9"]


OPTIONS = {
    "target": {"type": "integer", "minimum": 1, "maximum": 9}, "late": {"type": "integer", "maximum": 9},
    "loud": {"type": "boolean", "default": False}, "quiet": {"type": "boolean", "default": True},
    "name": {"type": "string"},
}  # fmt: skip


def test_an_expansion_is_measured_with_its_options_switched_and_highest(
    processes: dict[str, Any], tmp_path: Path
) -> None:
    """Those of the game itself stay as they are."""
    (tmp_path / file_of(name=EXPANDING)).write_bytes(expansion())
    processes["games"] = [{"id": EXPANSION, "title": "Dodéka", "seats": [2, 6], "options": OPTIONS}]
    (package,) = publish(tmp_path / "shelf", [tmp_path / file_of(name=EXPANDING)], 9, KEY, nothing, lambda files: ())
    (game,) = package.games
    assert (game.id, game.title, game.expands, game.languages) == (EXPANSION, "Late hour", "dodeka", ("en",))
    own = "--option late=9 --option loud=true --option quiet=false"
    assert processes["asked"] == ["check dodeka", f"lab dodeka --games 9 --json {own}"]


def test_a_wheel_or_an_index_that_is_too_large_is_not_published(
    processes: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path, "0.1")
    size = source.stat().st_size
    monkeypatch.setattr(publishing, "MOST_WHEEL", size - 1)
    with pytest.raises(NotPublished, match=f": it has {size} bytes, a wheel of a shelf at most {size - 1}$"):
        publish(tmp_path / "shelf", [source], 9, KEY, nothing, lambda files: ())
    monkeypatch.setattr(publishing, "MOST_WHEEL", size)
    publish(tmp_path / "shelf", [source], 9, KEY, nothing, lambda files: ())
    length = (tmp_path / "shelf" / INDEX).stat().st_size
    monkeypatch.setattr(publishing, "MOST_BYTES", length - 1)
    package = read_index((tmp_path / "shelf" / INDEX).read_bytes()).packages
    with pytest.raises(NotPublished, match=f"^The index would have {length} bytes, and no more than {length - 1} are"):
        publishing._write(tmp_path / "shelf", Index((), KEY.public), package, KEY)
    monkeypatch.setattr(publishing, "MOST_BYTES", length)
    publishing._write(tmp_path / "shelf", Index((), KEY.public), package, KEY)


def test_the_wheel_of_a_folder_is_built_by_pip_from_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, said, ran = tmp_path / "owls", list[str](), list[Any]()
    for file in ("pyproject.toml", "a.py", ".git/x", "build/x", "dist/x", "a.egg-info/x", "__pycache__/x", "sub/b.py"):
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        (source / file).write_text(file)

    def build(command: list[str], **how: Any) -> Any:
        ran.append((command, how))
        copy = Path(command[-1])
        found = sorted(str(file.relative_to(copy)) for file in copy.rglob("*") if file.is_file())
        assert found == ["a.py", "pyproject.toml", "sub/b.py"]
        for name in made[0]:
            (copy.parent / name).write_text("wheel")
        return subprocess.CompletedProcess([], *printed[0])

    monkeypatch.setattr(subprocess, "run", build)
    made, printed = [["owls.whl"]], [(0, "", "")]
    assert publishing._built(source, tmp_path / "one", said.append) == tmp_path / "one" / "owls.whl"
    assert said == ["building owls"]
    ((command, how),) = ran
    options = ["--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    assert command[1:] == ["-m", "pip", "wheel", *options, str(tmp_path / "one"), str(tmp_path / "one" / "source")]
    assert how == {
        "capture_output": True, "encoding": "utf-8", "errors": "replace", "stdin": subprocess.DEVNULL, "check": False,
    }  # fmt: skip
    lines = [f"line {number}" for number in range(14)]
    cases: list[tuple[list[str], int, str, str, list[str]]] = [
        (["a.whl"], 1, "out", "first\n\nlast\n", ["first", "last"]), ([], 0, "out\n", " \n", ["out"]),
        (["a.whl", "b.whl"], 0, "", "two", ["two"]), (["a.whl"], 1, "", "\n".join(lines), lines[2:]),
    ]  # fmt: skip
    for number, (files, status, out, err, shown) in enumerate(cases):
        made[0], printed[0] = files, (status, out, err)
        with pytest.raises(NotPublished) as refused:
            publishing._built(source, tmp_path / f"case {number}", nothing)
        assert str(refused.value).splitlines() == [f"{source}: the wheel cannot be built. pip says:", *shown]
