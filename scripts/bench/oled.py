"""Measure the bytes of the panel's pictures on the bus, beside luma.oled's own `display` on the same bus."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args
from unittest.mock import patch

import smbus2
from luma.core.interface.serial import i2c, noop
from luma.oled import device
from PIL import Image

from umpi.display.panel import Key, Panel
from umpi.display.picture import Picture
from umpi.display.screens import Place
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.oled_windows import Chip, changes, pack
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find, games
from umpi.simulator.reading import image_of
from umpi.table.seating import Seating

BITS = 9  # a byte and its acknowledgement
ROUNDS = 200
NOTHING = "nothing"
NAMES = ("Andy", "Mathilda", "Thomas", "Rosie")

Change = tuple[str, Picture, Picture]


def oled() -> None:
    """Print bytes and milliseconds of some changes on each chip, then the time to find out what to send."""
    shown = list(_changes())
    for chip in get_args(Chip):
        print(f"\nOne change on an {chip}, I²C: bytes; ms at 100 and 400 kHz; luma's own display() in the same run")
        for name, *pair in shown:
            own, peer = _sent(chip, *pair)
            assert bool(own) == (name != NOTHING), f"{name}: {own} bytes; the case does not measure what it says"
            part = f"{own / peer:6.1%}"
            print(f"  {name:34} {own:5} {_ms(own, 100):6.1f} {_ms(own, 400):6.2f}   {_peer(peer)}  {part}")
    _times([pair for _, *pair in shown])


def _ms(count: int, khz: int) -> float:
    return count * BITS / khz


def _peer(count: int) -> str:
    return f"luma {count:5} {_ms(count, 100):6.1f} {_ms(count, 400):6.2f}"


class CountingBus:
    """A bus for luma's I²C. It counts the bytes on the wire, including the address."""

    sent = 0

    def __init__(self, port: int) -> None:
        """Open nothing."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Count a block: the address, the register, the data."""
        CountingBus.sent += 2 + len(data)

    def i2c_rdwr(self, *messages: Any) -> None:
        """Count messages: the address and the bytes in them."""
        CountingBus.sent += sum(1 + len(message) for message in messages)

    def close(self) -> None:
        """Close nothing."""


def _sent(chip: Chip, before: Picture, after: Picture) -> tuple[int, int]:
    """Count the bytes of a change, ours and luma's."""
    with patch.object(smbus2, "SMBus", CountingBus):
        link = Link(lambda: open_panel(chip, i2c(port=1)), chip, lambda: 0)
        link.step(Wanted(pack(before)))
        panel = _luma(chip, i2c(port=1))
        counts = []
        for show in (lambda: link.step(Wanted(pack(after))), lambda: panel.display(image_of(after))):
            CountingBus.sent = 0
            show()
            counts.append(CountingBus.sent)
    assert not link.trouble, link.trouble
    return counts[0], counts[1]


def _luma(chip: Chip, serial: Any) -> Any:
    if hasattr(Image.Image, "get_flattened_data"):  # what luma calls is gone in Pillow 14
        Image.Image.getdata = Image.Image.get_flattened_data  # type: ignore[method-assign,assignment]
    panel = getattr(device, chip)(serial)
    panel.persist = True  # otherwise it switches itself off at the end
    return panel


def _times(pairs: Sequence[Sequence[Picture]]) -> None:
    """Print the time of our packing and finding, in turn with luma's whole display() on no bus."""
    panel = _luma("ssd1306", noop())
    images = [image_of(after) for _, after in pairs]
    frames = [(pack(before), pack(after)) for before, after in pairs]
    panels = list(_panels())
    ways: dict[str, Callable[[], object]] = {
        "draw": lambda: [panels[index % len(panels)].picture() for index in range(len(pairs))],
        "pack": lambda: [pack(after) for _, after in pairs],
        "find the windows": lambda: [changes("ssd1306", before, after) for before, after in frames],
        "luma's display()": lambda: [panel.display(image) for image in images],
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            begun = time.process_time()
            way()
            times[name].append((time.process_time() - begun) / len(pairs) * 1e6)
    print(f"\nProcessor time of a picture, µs, median of {ROUNDS} (least to most)")
    for name, measured in times.items():
        print(f"  {name:18} {statistics.median(measured):6.0f} ({min(measured):.0f} to {max(measured):.0f})")


def _panels() -> Iterator[Panel]:
    """Return panels that show a game of two and of four players, and a rule."""
    for seats in (2, 4):
        yield (panel := Panel(games()))
        panel.show(_dodeka(120, seats), _table("dodeka", seats))
    yield (panel := Panel(games()))
    panel.show(_dodeka(120), _table("dodeka"))
    panel.press("ok", long=True)


def _changes() -> Iterator[Change]:
    """Draw pictures as they follow each other on the panel."""
    panel = Panel(games())
    first = panel.picture()
    for seats in (4, 2):
        table = _table("dodeka", seats)
        for less, more in ((120, 140), (80, 120), (-40, 140)):
            panel.show(_dodeka(less, seats), table)
            seen = panel.picture()
            panel.show(_dodeka(more, seats), table)
            yield f"one of {seats} scores changed: {less} to {more}", seen, panel.picture()
    table = _table("dodeka")
    dodeka = _dodeka(120)
    panel.show(dodeka, table)
    keys: tuple[Key, ...] = ("down", 2, "down", 4, "up", 3)
    for key in keys:
        before = panel.picture()
        panel.press(key)
        yield f"a menu step: {key if isinstance(key, str) else f'key {key + 1}'}", before, panel.picture()
    panel.show(dodeka, table)
    seen = panel.picture()
    dodeka.play(Act("throw", {"keep": (), "dice": (2, 2, 7)}))
    dodeka.play(Act("stop"))
    panel.show(dodeka, table)
    yield "a turn played", seen, panel.picture()
    riddles, table = Match(find("dohdles"), NAMES, {}), _table("dohdles")
    riddles.play(Act("clue", {"riddle": "C2", "kind": "letter"}))
    riddles.play(Act("asked", {"kind": "letter", "position": 1, "letter": "A"}))
    panel.show(riddles, table)
    seen = panel.picture()
    for seat in (1, 3, 0):
        riddles.play(Act("cube", {"seat": seat}))
    panel.show(riddles, table, (Place("Mathilda", 1, 5_200), Place("Rosie", 3, 31_000), Place("Andy", 0)))
    yield "an announcement", seen, panel.picture()
    seen = panel.picture()
    panel.press("ok", long=True)
    yield "a whole new screen: the rule", seen, panel.picture()
    yield "a whole new screen: from the start", first, seen
    yield NOTHING, seen, seen
    every = Picture(*seen.size, 1)
    every.stamp(seen, 0, 0, 0)
    yield "every dot", seen, every


def _table(name: str, seats: int = len(NAMES)) -> Seating:
    return Seating(find(name), NAMES[:seats], tuple(range(seats)))


def _dodeka(points: int, seats: int = len(NAMES)) -> Match:
    """Play a round or more, then write these points down for the second seat."""
    match = Match(find("dodeka"), NAMES[:seats])
    for thrown in ((3, 3, 8), (2, 2, 9), (4, 4, 4), (6, 7, 8), (1, 1, 2), (2, 5, 11)):
        match.play(Act("throw", {"keep": (), "dice": thrown}))
        match.play(Act("stop"))
    now: Any = match.now
    match._positions[-1] = replace(now, part=replace(now.part, points=(80, points, -40, 0)[:seats]))
    return match


if __name__ == "__main__":
    oled()
