"""What the READMEs say is what happens: a stranger's game is added by following the page to the letter."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from umpi.config import COLOURS, Config, read_config
from umpi.rules.catalog import games

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONNECTOR = """
    3V3 5V  2 5V  3 GND  4 14  GND 15  17 18  27 GND  22 23  3V3 24  10 GND
    9 25  11 8  GND 7  0 1  5 GND  6 12  13 GND  19 16  26 20  GND 21
"""
HEADER = dict(enumerate(CONNECTOR.split(), 1))  # position on the 40-pin header: GPIO or supply


@pytest.fixture(scope="module")
def pig(tmp_path_factory):
    """The package of the walk-through, installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("pig")
    for name, text in re.findall(r"^`(pig/[\w.]+)`\n\n```\w+\n(.*?)^```", README, re.M | re.S):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", folder / "installed", folder / "pig"], check=True, capture_output=True, text=True)
    return folder


def umpi(pig, *words, **more):
    environment = {**os.environ, "PYTHONPATH": str(pig / "installed")}
    command = [sys.executable, "-m", "umpi.cli", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **more)


def test_the_strangers_game_is_listed_beside_ours(pig):
    listed = {game["id"]: game for game in map(json.loads, umpi(pig, "games").stdout.splitlines())}
    assert {"dodeka", "dodekka", "pig"} <= set(listed)
    assert listed["pig"]["seats"] == [2, 6]
    assert listed["pig"]["options"]["goal"]["default"] == 100


def test_the_strangers_game_plays_itself_and_replays(pig):
    record = umpi(pig, "play-out", "pig", "--seed", "1").stdout
    replayed = umpi(pig, "replay", "-", input=record)
    assert replayed.returncode == 0
    assert json.loads(replayed.stdout)["state"]["phase"] == "over"


def test_the_strangers_game_has_a_schema(pig):
    schema = json.loads(umpi(pig, "schema", "pig").stdout)
    throw = next(act for act in schema["oneOf"] if act["properties"]["do"]["const"] == "throw")
    assert throw["properties"]["die"]["prefixItems"] == [{"type": "integer", "minimum": 1, "maximum": 6}]


def test_the_strangers_game_is_played_on_the_box(pig):
    script = pig / "pig.txt"
    row = sorted([*(game.id for game in games()), "pig"]).index("pig")
    script.write_text(
        f'expect "{row + 1} Pig"\npress {COLOURS[row]} red blue ok\nexpect "OK start"\npress ok\nexpect "Throw"\n'
        'press black\nexpect "Bank / Throw" "bank" "throw"\npress red\nlamp blue\nexpect "6"\n'
    )
    played = umpi(pig, "sim", "--script", str(script))
    assert played.returncode == 0, played.stderr


def test_the_toml_of_the_readme_is_read(tmp_path):
    text = re.search(r"```toml\n(\[box\].*?)```", README, re.S)[1]
    (tmp_path / "umpi.toml").write_text(text, encoding="utf-8")
    config = read_config(tmp_path / "umpi.toml")
    assert (config.players[1], config.display, config.silent) == ("Kévin", "sh1106", True)


def test_the_scenario_of_the_readme_plays(tmp_path):
    steps = re.search(r"((?:^    \S.*\n|^\n)+)\nOther steps", README, re.M)[1]
    script = tmp_path / "readme.txt"
    script.write_text("press red\n" + re.sub("^    ", "", steps, flags=re.M))
    done = subprocess.run(
        [sys.executable, "-m", "umpi.cli", "sim", "--script", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_path_of_the_readme_is_there():
    found = re.findall(r"[`(](?:\./)?((?:firmware|scripts|tests|hardware)/[\w./-]*)[`)]", README)
    assert len(found) > 10
    assert [path for path in found if not (ROOT / path).exists()] == []


def test_the_wiring_of_the_hardware_page_is_the_default():
    config = Config()
    table = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-zA-Z ]+) \| (\w+) \| (\d+) \| (\d+) \|", table, re.M)
    told = {(kind, name): int(pin) for kind, name, pin, _ in rows}
    wanted = {("seat button", name): pin for name, pin in config.seats.items()}
    wanted |= {("lamp", name): pin for name, pin in config.lamps.items()}
    wanted |= {("navigation", name): pin for name, pin in config.navigation.items()}
    wanted |= {("active buzzer", "pin"): config.sounder, ("OLED", "SDA"): 2, ("OLED", "SCL"): 3}
    assert told == wanted
    assert [row for row in rows if HEADER[int(row[3])] != row[2]] == []
