"""What the README and the pages it leads to say is what happens; test_pages.py holds links and commands."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from scripts.pictures import moving_picture
from tests.kit.pictures import differing
from umpi.box.config import Config
from umpi.box.config_file import read_config
from umpi.kernel.registry import games

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "firmware" / "docs"
PICTURE = 1_000_000  # bytes, at most
CONNECTOR = """
    3V3 5V  2 5V  3 GND  4 14  GND 15  17 18  27 GND  22 23  3V3 24  10 GND
    9 25  11 8  GND 7  0 1  5 GND  6 12  13 GND  19 16  26 20  GND 21
"""
HEADER = dict(enumerate(CONNECTOR.split(), 1))  # position on the 40-pin header: GPIO or supply


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_readme_is_short_and_shows_a_small_moving_picture():
    assert len(README.splitlines()) <= 150
    pictures = re.findall(r"^!\[.*?\]\((.*?)\)", README, re.M)
    assert [Path(picture).suffix for picture in pictures] == [".gif", ".png"]
    assert all((ROOT / picture).stat().st_size < PICTURE for picture in pictures)


def test_the_status_comes_first_and_once():
    assert README.count("never run on a Raspberry Pi") == 1
    assert README.index("**Status.**") < README.index("\n## ")


def test_the_games_of_the_readme_are_those_installed():
    assert sorted(re.findall(r"^\| .* \| `([\w-]+)` \| ", README, re.M)) == sorted(game.id for game in games())


@pytest.mark.slow
def test_the_turn_of_the_moving_picture_still_plays():
    frames = asyncio.run(moving_picture.play())
    assert len(frames) == len(moving_picture.TURN)
    with Image.open(moving_picture.FILE) as drawn:
        assert drawn.n_frames == len(frames)
        for number, frame in enumerate(frames):
            drawn.seek(number)
            kept = frame.quantize(32, dither=Image.Dither.NONE)
            assert differing(drawn, kept) == 0, f"frame {number}: draw it again: ./scripts/dev pictures"


def test_the_engine_of_the_walk_through_is_that_of_a_new_game():
    excerpt = re.search(r"```python\n(.*?)```", page("add-a-game.md"), re.S)[1]
    template = ROOT / "firmware" / "umpi" / "conformance" / "new_game" / "template" / "game.py.txt"
    assert excerpt in template.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["configuration.md", "phones.md"])
def test_the_toml_of_a_page_is_read(name, tmp_path):
    configs = []
    for text in re.findall(r"```toml\n(.*?)```", page(name), re.S):
        (tmp_path / "umpi.toml").write_text(text, encoding="utf-8")
        configs.append(read_config(tmp_path / "umpi.toml"))
    if name == "phones.md":
        assert [(config.desk.port, config.desk.https_port) for config in configs] == [(8000, None), (8000, 8443)]
        return
    pins, head, spi, rules = configs
    assert (pins.players[1], pins.display, pins.silent, pins.rail) == ("Kévin", "sh1106", True, 1)
    assert head.head.lanes == 6
    assert spi.display_spi.dc == 12
    assert rules.rules["evening"] == {"game": "dodeka", "options": {"target": 300, "parts": 5}}


@pytest.mark.slow
def test_the_scenario_of_the_operations_page_plays(tmp_path):
    steps = re.search(r"((?:^    \S.*\n|^\n)+)\nOther steps", page("operations.md"), re.M)[1]
    script = tmp_path / "page.txt"
    script.write_text("game dodeka\n" + re.sub("^    ", "", steps, flags=re.M))
    done = subprocess.run(
        [sys.executable, "-m", "umpi", "sim", "--script", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_wiring_of_the_hardware_page_is_the_default():
    config = Config()
    table = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    rows = [
        (kind, *pin)
        for kind, pins in re.findall(r"^\| ([a-zA-Z ]+) \| (\w+: \d+ \(\d+\).*?) \|", table, re.M)
        for pin in re.findall(r"(\w+): (\d+) \((\d+)\)", pins)
    ]
    listed = {(kind, name): int(pin) for kind, name, pin, _ in rows}
    wanted = {("seat button", name): pin for name, pin in config.seats.items()}
    wanted |= {("lamp", name): pin for name, pin in config.lamps.items()}
    wanted |= {("navigation", name): pin for name, pin in config.navigation.items()}
    wanted |= {("active buzzer", "pin"): config.sounder, ("OLED", "SDA"): 2, ("OLED", "SCL"): 3}
    assert listed == wanted
    assert [row for row in rows if HEADER[int(row[3])] != row[2]] == []
