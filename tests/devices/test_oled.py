"""Pictures to the panel: they arrive exactly, only what changed is sent, and a bus that breaks costs nothing else."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from glass import Bus, Sh1106, picture, pictures, same
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from PIL import Image

from umpi.devices import oled
from umpi.devices.oled import Oled, open_panel
from umpi.sim.chip import Ssd1306


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oled, "PAUSES_S", (0.0,))


def panel_on(bus: Ssd1306) -> Oled:
    return Oled(lambda: open_panel("ssd1306", bus), "ssd1306")


@settings(max_examples=30)
@given(pictures)
def test_every_picture_arrives_dot_by_dot(shown: list[Image.Image]) -> None:
    bus = Bus()
    panel = panel_on(bus)
    for image in shown:
        panel.show(image)
        assert panel.wait_shown()
        assert same(bus.picture(), image)
    panel.close()


@settings(max_examples=40)
@given(pictures, st.integers(0, 4000), st.integers(1, 4), st.sampled_from([OSError, DeviceNotFoundError]))
def test_after_a_bus_has_broken_at_any_byte_the_newest_picture_stands_there(
    shown: list[Image.Image], fails_at: int, failures: int, fault: type[Exception]
) -> None:
    """design.md: a lost OLED is retried quietly."""
    bus = Bus(fails_at, failures, fault)
    panel = panel_on(bus)
    for image in shown:
        panel.show(image)
    assert panel.wait_shown()
    assert same(bus.picture(), shown[-1])
    assert panel.trouble == ""
    panel.close()


def test_a_panel_that_does_not_answer_says_why() -> None:
    bus = Bus(0, 10**9)
    panel = panel_on(bus)
    panel.show(picture())
    assert not panel.wait_shown(0.05)
    assert panel.trouble == "OSError: Remote I/O error"
    panel.close()


@pytest.mark.parametrize(
    ("dots", "sent"),
    [
        ([], 0),
        ([(5, 5)], 7),
        ([(5, 5), (5, 7)], 7),
        ([(5, 5), (9, 5)], 11),
        ([(5, 5), (9, 60)], 14),
        ([(0, 0), (127, 0)], 134),
    ],
)
def test_only_what_changed_goes_over_the_bus(dots: list[tuple[int, int]], sent: int) -> None:
    """facts.md: windows of changed columns by page; six bytes set a window."""
    bus = Bus()
    panel = panel_on(bus)
    panel.show(picture())
    assert panel.wait_shown()
    before = bus.bytes_taken
    panel.show(picture(*dots))
    assert panel.wait_shown()
    assert bus.bytes_taken - before == sent
    panel.close()


def test_show_never_waits_for_a_stuck_bus_and_the_newest_picture_wins() -> None:
    """design.md: a stuck bus can hold a transfer for a second and must not hold the game."""
    free, stuck = threading.Event(), threading.Event()

    def hold() -> None:
        stuck.set()
        assert free.wait(5)

    bus = Ssd1306(hold)
    panel = panel_on(bus)
    panel.show(picture())
    assert stuck.wait(5)
    for column in range(128):
        panel.show(picture((column, 7)))
    before = bus.bytes_taken
    free.set()
    assert panel.wait_shown()
    assert same(bus.picture(), picture((127, 7)))
    assert bus.bytes_taken - before < 4000, "start-up, and at most one picture on the way"
    panel.close()


@settings(max_examples=10)
@given(pictures)
def test_an_sh1106_shows_the_same_two_columns_off(shown: list[Image.Image]) -> None:
    """facts.md: modules sold as SSD1306 are often SH1106 (two columns off)."""
    chip: Any = Sh1106()
    panel = Oled(lambda: chip, "sh1106")
    for image in shown:
        panel.show(image)
        assert panel.wait_shown()
        assert same(chip.picture(), image)
    assert all(len(page) == 132 and not any((*page[:2], *page[130:])) for page in chip.memory)
    panel.close()
