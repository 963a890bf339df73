"""What the READMEs say is what happens: a stranger's game is added by following the page to the letter."""

import re
import subprocess
import sys
from pathlib import Path

from umpi.box.config import Config
from umpi.box.config_file import read_config

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONNECTOR = """
    3V3 5V  2 5V  3 GND  4 14  GND 15  17 18  27 GND  22 23  3V3 24  10 GND
    9 25  11 8  GND 7  0 1  5 GND  6 12  13 GND  19 16  26 20  GND 21
"""
HEADER = dict(enumerate(CONNECTOR.split(), 1))  # position on the 40-pin header: GPIO or supply


def test_the_engine_of_the_readme_is_that_of_a_new_game():
    excerpt = re.search(r"```python\n(.*?)```", README, re.S)[1]
    template = ROOT / "firmware" / "umpi" / "conformance" / "new_game" / "template" / "game.py.txt"
    assert excerpt in template.read_text(encoding="utf-8")


def test_the_toml_of_the_readme_is_read(tmp_path):
    configs = []
    for text in re.findall(r"```toml\n(.*?)```", README, re.S):
        (tmp_path / "umpi.toml").write_text(text, encoding="utf-8")
        configs.append(read_config(tmp_path / "umpi.toml"))
    pins, head = configs
    assert (pins.players[1], pins.display, pins.silent, pins.rail) == ("Kévin", "sh1106", True, 1)
    assert head.head.lanes == 6


def test_the_scenario_of_the_readme_plays(tmp_path):
    steps = re.search(r"((?:^    \S.*\n|^\n)+)\nOther steps", README, re.M)[1]
    script = tmp_path / "readme.txt"
    script.write_text("game dodeka\n" + re.sub("^    ", "", steps, flags=re.M))
    done = subprocess.run(
        [sys.executable, "-m", "umpi", "sim", "--script", script], capture_output=True, text=True, check=False
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
