"""The trials of a card in QEMU: what they read there, and what they say where nothing can be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.card.__main__ import CANNOT, main
from scripts.card.boots import bars_in
from scripts.card.menus import MATCH
from scripts.card.pins import in_use, wired
from tests.kit.rig import Rigs
from umpi.appliance.start import STEPS
from umpi.box.config import Config
from umpi.service.first_light import FRAME, with_bar

GPIOINFO = """gpiochip0 - 54 lines:
\tline   4:\t"GPIO_GCLK"     \tinput bias=pull-up edges=both consumer="umpi"
\tline  17:\t"GPIO17"        \tinput bias=pull-up edges=rising consumer="umpi"
\tline  18:\t"GPIO18"        \toutput consumer="umpi"
\tline  47:\t"SD_DATA_R"     \toutput consumer="ACT"
\tline  53:\tunnamed         \tinput
"""


def test_the_match_of_the_menu_counts_20_points(rigs: Rigs) -> None:
    rig = rigs()
    rig.take("Score pad")
    for key in MATCH:
        rig.press(key)
    assert rig.shows("Score pad", "20"), rig.screen


def test_the_pins_of_the_table_are_those_of_the_service() -> None:
    box, pins = Config(), wired()
    assert {pin for pin, use in pins.items() if use == "output"} == {*box.lamps.values(), box.sounder}
    assert {pin for pin, use in pins.items() if use != "output"} == {*box.buttons.values()}


def test_only_lines_of_the_service_count_each_as_the_kernel_has_it() -> None:
    assert in_use(GPIOINFO) == {4: "input pull-up both", 17: "input pull-up rising", 18: "output"}


def test_the_pictures_of_a_start_are_found_among_what_was_sent() -> None:
    sent = [b"\x00\xae", *(b"\x40" + with_bar(done, STEPS) for done in (1, 2)), b"\x00\xaf", b"\x40" + FRAME]
    assert bars_in(sent) == [1, 2]


def test_the_kernel_of_raspberry_pi_is_refused_with_what_each_promises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", str(tmp_path / "out"), "--board-kernel", "rpi"]) == 1
    said = capsys.readouterr().err
    assert "Debian's archive does not have it" in said
    assert "is taken back by hand, in slot.txt" in said
    assert not (tmp_path / "out").exists(), "nothing is written"


def test_without_kept_packages_no_card_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["check"]) == CANNOT
    assert "not tried" in capsys.readouterr().err
