"""A new game is there in five minutes: the package that `umpi new-game` writes installs, plays, replays and checks."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.sampling import SOAK
from tests.kit.seen import check_seen
from umpi import __version__
from umpi.conformance import check_game, new_game
from umpi.conformance.lesson import followed
from umpi.conformance.new_game import BadName, run, write_package
from umpi.kernel import Refused
from umpi.kernel.registry import games

ROOT = Path(__file__).parents[2]
FILES = [
    "README.md", "pyproject.toml", "snake_eyes/__init__.py", "snake_eyes/lesson.py", "snake_eyes/printables.py",
    "snake_eyes/rulebook/a-game-of-two.jsonl", "snake_eyes/rulebook/en.md", "snake_eyes/rules.py",
    "snake_eyes/strategy.py", "tests/a-game-of-two.jsonl", "tests/test_snake_eyes.py",
]  # fmt: skip
STRICT = ["--strict", "--config-file", os.devnull]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package of a game snake-eyes, and where it is installed."""
    folder = tmp_path_factory.mktemp("new")
    write_package("snake-eyes", folder)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    target = ["--target", folder / "installed", folder / "snake-eyes"]
    subprocess.run([*pip, *target], check=True, capture_output=True, text=True)
    return folder / "snake-eyes"


@pytest.fixture(scope="module")
def types_of_umpi(tmp_path_factory):
    """What mypy keeps of Umpi's own types, for all packages of this file."""
    return tmp_path_factory.mktemp("types")


def python(package, *words, env=(), **more):
    """Run a module with the package installed."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent / "installed"), **dict(env)}
    command = [sys.executable, "-m", *map(str, words)]
    more = {"cwd": package} | more
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **more)


def test_the_files_of_a_package(tmp_path):
    written = write_package("snake-eyes", tmp_path)
    assert sorted(str(file.relative_to(tmp_path / "snake-eyes")) for file in written) == FILES
    assert sorted(file for file in (tmp_path / "snake-eyes").rglob("*") if file.is_file()) == sorted(written)
    assert "$" not in "".join(file.read_text() for file in written)


@pytest.mark.slow
def test_a_new_game_is_listed_with_its_title_and_options(package):
    listed = {game["id"]: game for game in map(json.loads, python(package, "umpi", "games").stdout.splitlines())}
    assert "error" not in listed["snake-eyes"]
    assert (listed["snake-eyes"]["title"], listed["snake-eyes"]["seats"]) == ("Snake eyes", [2, 6])


@pytest.mark.slow
def test_a_new_game_is_played_on_the_box(package, tmp_path):
    script = tmp_path / "new.txt"
    script.write_text(
        'game snake-eyes\npress red blue ok\nexpect "OK start"\npress ok\nexpect "Roll"\n'
        'press black\nexpect "Bank / Roll" "bank" "roll"\npress red\nlamp blue\nexpect "6"\n'
    )
    played = python(package, "umpi", "sim", "--script", script)
    assert played.returncode == 0, played.stderr


@pytest.mark.slow
def test_its_lesson_its_sheets_and_its_player_are_found(package, tmp_path):
    learned = python(package, "umpi", "learn", "snake-eyes", input="\n5\n")
    assert "Lesson 2/7" in learned.stdout
    assert "The pot is 5." in learned.stdout
    printed = python(package, "umpi", "print", "snake-eyes", "scores", "--output", tmp_path / "sheet.pdf")
    assert printed.returncode == 0, printed.stderr
    measured = python(package, "umpi", "lab", "snake-eyes", "--games", "40", "--match", "snake-eyes-bank", "random")
    assert measured.returncode == 0, measured.stderr


@pytest.mark.slow
def test_its_lesson_is_followed_and_an_option_that_the_game_lost_is_named_by_its_line(tmp_path, monkeypatch):
    """Not the rules are to blame: the option is in the lesson."""
    for name in ("kept-goal", "lost-goal"):
        write_package(name, tmp_path)
        monkeypatch.syspath_prepend(tmp_path / name)
    report = check_game(importlib.import_module("kept_goal.rules").KeptGoal, games=1, options=[{"goal": 50}])
    assert {found.check: found.figures for found in report.findings}["lesson"] == "steps followed: 7"
    lesson = tmp_path / "lost-goal" / "lost_goal" / "lesson.py"
    before = lesson.read_text()
    lesson.write_text(before.replace('{"goal": 10}', '{"aim": 10}'))
    (flaw,) = followed(importlib.import_module("lost_goal.rules").LostGoal)
    line = 1 + before.split('"goal"')[0].count("\n")
    assert f'{lesson}, line {line}: the lesson sets the option "aim", which Lost goal does not have' in flaw.why


@pytest.mark.slow
def test_its_own_tests_and_its_doctest_pass(package):
    done = python(package, "pytest", "-q", "--doctest-modules", "--import-mode=importlib", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    ["ruff", "check", "--no-cache", "--config", ROOT / "pyproject.toml", "."],
    ["ruff", "format", "--check", "--no-cache", "--config", ROOT / "pyproject.toml", "."],
    ["mypy", *STRICT, "snake_eyes", "tests"],
], ids=["style", "format", "types"])  # fmt: skip
def test_it_is_written_as_umpi_is(package, words, types_of_umpi):
    done = python(package, *words, env={"MYPY_CACHE_DIR": str(types_of_umpi)})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["dice", "result", "ask", "pig", "a-2-b", "abcdefghijklmnopqrst"])
def test_a_class_bears_the_name_of_its_game_and_none_of_the_kernels(tmp_path, monkeypatch, name):
    file = next(file for file in write_package(name, tmp_path) if file.name == "rules.py")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, file.stem, module)  # where a dataclass looks its names up
    spec.loader.exec_module(module)
    kind = "".join(map(str.capitalize, name.split("-")))
    game = getattr(module, kind + "Game" if kind in ("Dice", "Result", "Ask") else kind)
    assert (game.id, game.setup(3).scores()) == (name, (0, 0, 0))


@pytest.mark.parametrize(("name", "why"), [
    ("Pig", "lower-case letters"), ("", "lower-case letters"), ("a_b", "lower-case letters"),
    ("../pig", "lower-case letters"), ("pig-", "lower-case letters"), ("2pig", "lower-case letters"),
    ("pig\n", "lower-case letters"), ("a" * 21, "at most 20"), ("quiz", "installed already"), ("class", "another name"),
    ("json", "another name"), ("umpi", "another name"), ("there", "there already"),
])  # fmt: skip
def test_a_name_that_will_not_do_is_refused_and_nothing_is_written(tmp_path, name, why):
    (tmp_path / "there").mkdir()
    with pytest.raises(BadName, match=why):
        write_package(name, tmp_path)
    assert [file.name for file in tmp_path.rglob("*")] == ["there"]


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(BadName, match="is not a folder"):
        write_package("pig", tmp_path / "nowhere")


def test_a_disk_that_fails_leaves_nothing_half_done(tmp_path, monkeypatch):
    def full(name):
        return {"README.md": "# Pig", "README.md/rules.py": ""}

    monkeypatch.setattr(new_game, "_texts", full)
    with pytest.raises(OSError, match="README"):
        write_package("pig", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_written_files_and_the_next_commands_are_printed(tmp_path, capsys):
    assert run("pig", tmp_path) == 0
    printed = capsys.readouterr().out
    assert str(tmp_path / "pig" / "pig" / "rules.py") in printed
    assert f"pip install -e {tmp_path / 'pig'}\n  umpi check pig\n" in printed
    assert run("pig", tmp_path) == 2
    assert capsys.readouterr().err == f"umpi: {tmp_path / 'pig'} is there already.\n"


@pytest.fixture(scope="module", params=[("dodeka", 15), ("bold-bids", 9), ("scorepad", 9)])
def expansion(request, tmp_path_factory):
    """The package of an expansion with a name of some letters, and where it and the game are installed."""
    game, letters = request.param
    folder = tmp_path_factory.mktemp("expansion")
    needed = ROOT / "tests" / "foreign" / game.replace("-", "_")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    pip += ["--target", folder / "installed"]
    if needed.exists():
        shutil.copytree(needed, folder / "game")
        subprocess.run([*pip, folder / "game"], check=True, capture_output=True, text=True)
    name = "tea-break" + "s" * (letters - 9)
    written = python(folder / name, "umpi", "new-game", name, "--expands", game, "--folder", folder, cwd=folder)
    assert written.returncode == 0, written.stderr
    assert f"  umpi check {game}\n" in written.stdout
    subprocess.run([*pip, folder / name], check=True, capture_output=True, text=True)
    return game, folder / name


@pytest.mark.slow
def test_an_expansion_is_found_checked_and_replayed(expansion):
    """What the author has at once: the option in the list, a check that passes, and tests of their own that pass."""
    game, package = expansion
    listed = {each["id"]: each for each in map(json.loads, python(package, "umpi", "games").stdout.splitlines())}
    assert listed[game]["options"][package.name.replace("-", "_")]["default"] == 0
    if game == "bold-bids" or SOAK:  # the tests below check each game; the command is the same for all
        checked = python(package, "umpi", "check", game, "--games", "1", "--records", "tests")
        assert checked.returncode == 0, checked.stdout
    done = python(package, "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider")
    assert "5 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_an_expansion_is_written_as_umpi_is(expansion, types_of_umpi):
    game, package = expansion
    config = ["--no-cache", "--config", ROOT / "pyproject.toml", "."]
    commands = [["ruff", "check", *config], ["ruff", "format", "--check", *config]]
    if game != "bold-bids":  # that package has no types
        commands.append(["mypy", *STRICT, package.name.replace("-", "_")])
    for words in commands:
        done = python(package, *words, env={"MYPY_CACHE_DIR": str(types_of_umpi)})
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_files_of_an_expansion(tmp_path):
    written = write_package("tea-break", tmp_path, "dodeka")
    assert sorted(str(file.relative_to(tmp_path / "tea-break")) for file in written) == [
        "README.md", "pyproject.toml", "tea_break/__init__.py", "tea_break/rules.py",
        "tests/a-game-with-a-break.jsonl", "tests/test_tea_break.py",
    ]  # fmt: skip
    assert "$" not in "".join(file.read_text() for file in written)


@pytest.mark.parametrize(("name", "game", "fault", "why"), [
    ("turn", "dodeka", BadName, "Dodéka has a member turn already"),
    ("throw", "dodeka", BadName, "Dodéka has a member throw already"),
    ("part", "dodeka", BadName, "Dodéka has a member part already"),
    ("a" * 16, "dodeka", BadName, "at most 15"),
    ("tea-break", "dodek", Refused, "Did you mean dodeka"),
])  # fmt: skip
def test_an_expansion_that_cannot_be_is_refused_and_nothing_is_written(tmp_path, name, game, fault, why):
    with pytest.raises(fault, match=why):
        write_package(name, tmp_path, game)
    assert list(tmp_path.iterdir()) == []
    assert run(name, tmp_path, game) == 2


def test_what_the_package_of_an_expansion_says_of_its_game_is_what_somebody_has_read():
    """Its dependencies, its imports, and its record of a random game with a break."""
    lines = []
    for game in games():
        lines.append(f"== {game.id}")
        try:
            texts = new_game._expansion_texts("tea-break", game.id)
        except BadName as fault:
            lines.append(f"{fault}")
            continue
        lines += [line for line in texts["pyproject.toml"].splitlines() if "dependencies" in line or game.id in line]
        lines += [line for line in texts["tea_break/rules.py"].splitlines() if "import" in line or "class " in line]
        lines += texts["tests/a-game-with-a-break.jsonl"].splitlines()
    check_seen(
        Path(__file__).with_name("seen") / "expansions.txt", [line.replace(__version__, "OWN") for line in lines]
    )


def test_the_names_of_a_new_game_are_what_somebody_has_read():
    """Of its package, module, class and title; a class is not named like one of the kernel or of the game itself."""
    lines = [f"{name}: {new_game._names(name)}" for name in ("pig", "snake-eyes", "a-2-b")]
    for name in ("dice", "pig", "dodeka", "number"):
        rules = new_game._texts(name)[f"{name}/rules.py"]
        lines.append(f"{name}: {[line for line in rules.splitlines() if line.startswith('class ')]}")
    for name in ("dodeka", "tea-break", "ask"):
        rules = new_game._expansion_texts(name, "dodeka")[f"{name.replace('-', '_')}/rules.py"]
        lines.append(f"{name} of dodeka: {[line for line in rules.splitlines() if line.startswith('class ')]}")
    check_seen(Path(__file__).with_name("seen") / "names.txt", lines)
