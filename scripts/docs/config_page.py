"""Write firmware/docs/configuration.md: every key of umpi.toml, its value and its default, from the key table.

./scripts/dev config-page           write the page
./scripts/dev config-page --check   exit with status 1 if the page is not up to date
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import groupby
from textwrap import fill

from scripts import REPO
from umpi.box.config import Config, HeadPlan, MqttPlan, WebPlan
from umpi.box.config_keys import SECTIONS, Key
from umpi.drivers.scanner import Reader
from umpi.timing.gate import Settings

PAGE = REPO / "firmware" / "docs" / "configuration.md"

TOP = """\
# Configuration

*`./scripts/dev config-page` writes this page from the key table, `firmware/umpi/box/config_keys.py`.
Do not edit it by hand.*

One file, `umpi.toml`, says how a box is wired and where it keeps its games. On an installed box it is
`/etc/umpi/umpi.toml`. The file is yours: no update overwrites it. Restart the service after a change. Elsewhere, name
the file:

    sudo systemctl restart umpi
    umpi run --config umpi.toml

- You may leave out every key. The box then uses the default.
- The box refuses an unknown key and suggests the nearest one. It refuses a wrong value, and says what it expects. It
  refuses a pin that is used twice, and names a free one. `journalctl -u umpi` shows the file, the line and the reason.
- Pins are GPIO numbers, not positions on the header. [The hardware page](../../hardware/README.md) shows both.

## An example

```toml
[box]
players = ["Katy", "Kévin", "Christelle"]
[options]                      # what games that have such an option begin with
target = 500
# board = "@ours.json"         # a file beside this one: the measured Dohdles board
[display]
chip = "sh1106"
[sounder]
silent = true
[beams]                        # lane_1 alone is one chute for all
lane_1 = 8
emitters = 11
[desk]                         # without [desk] there is no page for phones
[rail]
bus = 1
```

With a sensor head, `[head]` takes the place of `[beams]`:

```toml
[head]
lanes = 6
beams = 1
wall = true
```

A display on SPI takes three lines. GPIO 7 to 11 then belong to SPI, so *back* moves to another pin:

```toml
[navigation]
back = 14
[display]
spi = 0
dc = 12
```

## Every key

Each key is shown with its default, if it has one, and in brackets with what it may be. Numbers are whole, except where
the page says "a number".
"""

PLAIN = {"true or false", "text in quotes", "a path in quotes"}  # what a default shows, too
ABOUT = {
    "box": "The box itself.",
    "pins": "How the box reaches its pins. On a 32-bit system, use `lgpio` from the distribution. "
    "`rpigpio` is for a box whose other programs need RPi.GPIO, or rpi-lgpio since Linux 6.6. "
    "It reads the clock after the press, so it refuses `[beams]`; a funnel at a sensor head works.",
    "seats": "The pins of the seat buttons.",
    "lamps": "The pin of each seat's lamp.",
    "navigation": "The pins of the four other buttons.",
    "buttons": "A spare button, and how long a press is. **OK**, **Back** and, with a voice, the seat buttons outside "
    "a race may be held.",
    "display": "The OLED. It is on I²C (`bus`, `address`) or on SPI (`spi`, `device`, `dc`, `select`), never on both.",
    "voice": "The voice: espeak-ng through any ALSA output; `aplay -L` lists them. Install it by "
    "`sudo apt install espeak-ng`.",
    "sounder": "The buzzer. With `tones`, the pin must have hardware PWM: 12, 13, 18 or 19.",
    "beams": "The light beams of the funnel at the Pi's own pins. Without this section the box has no funnel there. "
    "`lane_1` alone is one chute for all players. With more lanes, each seat has its own. Lanes have no gap.",
    "gate": "How the box judges the cubes in the funnel. `umpi doctor --guide` compares your chute with them. "
    "A `dead_heat_us` below the default needs a smaller `glitch_us` beside it. "
    "A sensor head with firmware 1 needs `dead_heat_us` of 1000 or more.",
    "head": "The sensor head: a Raspberry Pi Pico at a USB port that stamps the beams. "
    "[Its page](../sensor_head/README.md) explains how to make one.",
    "rail": "The colour sensor (TCS34725) under the stop of the queue rail.",
    "desk": "The page for phones. Without this section there is none.",
    "update": "Updates of a box that started from [a card](card.md#update).",
    "mqtt": "The MQTT broker of a club or a home, for `umpi mqtt`. [Connected](connected.md) explains it.",
    "scanner": "The card scanner: any reader that sends one line per scan.",
}
SCANNER = Reader(None)  # type: ignore[arg-type]  # its port has no default
# The others: Config
PLANS = {"gate": Settings(), "head": HeadPlan(), "desk": WebPlan(), "mqtt": MqttPlan(), "scanner": SCANNER}


def page() -> str:
    """Return the whole page. Raises KeyError for a section without an explanation."""
    parts = [TOP]
    for section, keys in SECTIONS.items():
        about = fill(ABOUT[section], 130, break_on_hyphens=False)
        parts.append(f"\n### [{section}]\n\n{about}\n\n")
        plan = PLANS.get(section, Config())
        texts = [(_about(name, key), _value(key), name) for name, key in keys.items()]
        for (what, value), alike in groupby(texts, lambda text: text[:2]):
            names = [name for *_, name in alike]
            lines = [_line(name, keys[name], plan) for name in names]
            has_default = " = " in lines[0]
            shown = "" if has_default and value in PLAIN else f" ({value})"
            if len(names) > 1 and not has_default:
                lines[1:-1] = ["…"]
            parts.append(f"- {', '.join(lines)}{shown}: {what if len(names) > 1 else keys[names[0]].about}\n")
    parts.append(OPTIONS)
    return "".join(parts)


def _about(name: str, key: Key) -> str:
    """Return the label of a key, with … in place of the colour or number in which it differs from its neighbours."""
    return re.sub(rf"\b{name.removeprefix(name.rstrip('123456')) or name}\b", "…", key.about)


def _value(key: Key) -> str:
    return re.sub(r"^expected (a whole number from )?", "", key.check(object()))


def _line(name: str, key: Key, plan: object) -> str:
    """Return the line of a key as umpi.toml has it, with its default; only the key if it has none."""
    default = getattr(plan, key.field or name, None) if key.default is None else key.default
    return f"`{name}`" if default is None else f"`{name} = {_toml(name, default)}`"


OPTIONS = """
### [options]

The keys are options of games, as `umpi games` lists them. A game that has the option begins with this value.
`--option KEY=VALUE` on the command line overrides the file.
The value `"@FILE"` is the JSON in a file beside `umpi.toml`.

### [rules.NAME]

A rule set: options of one game under a name of 1 to 14 characters. Before a match of this game, the row *rules* among
the options offers the rule sheet and each set. `base` names another set, whose game and options it takes, unless
`options` changes them. The record names the set in its header, and `umpi stats` counts the matches of each set.

`options` may contain experiments: numbers of the rules, for play-testing. `umpi games` lists them apart. The rules text
on the box, on phones and on paper follows all options. `umpi rules --diff dodeka short` compares two sets.

A set for a game that was installed from a shelf may become wrong, if an update of the game has changed its options. The
box then leaves the set out, and shows *Settings* with the reason. It does so with such a key of `[options]`, too.

```toml
[rules.short]
game = "dodeka"
options = {target = 300, parts = 1}

[rules.evening]
base = "short"
options = {parts = 5}
```
"""


def _toml(key: str, value: object) -> str:
    return hex(value).upper().replace("X", "x") if key == "address" and isinstance(value, int) else json.dumps(value)


def main() -> None:
    """Write the page, or check it."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev config-page", description=__doc__, formatter_class=formatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1: the page is out of date")
    text = page()
    if not parser.parse_args().check:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
        print(PAGE)
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit("configuration.md is not up to date. Run ./scripts/dev config-page.")


if __name__ == "__main__":
    main()
