"""A phone paired at a whole virtual box: the code by its buttons, off its panel, in injected time."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import zxingcpp

from tests.kit.rig import Rig, Rigs
from umpi.table.commands import AddPhone
from umpi.web.codes import Codes, PhoneSession, WrongCode

PAGE = "http://192.168.178.123:8000/"


@pytest.fixture
def rig(rigs: Rigs, in_play: Any) -> Any:
    """A box with a page, on which Ann and Ben play at the red and the blue button; the codes are 1, 2, 3 …"""
    drawn = iter(range(1, 1000))
    rigs.codes_of = partial(Codes, address=lambda: PAGE, digits=lambda below: next(drawn))
    rig = in_play()
    rig.codes = rig.web_app.codes
    return rig


def pair(rig: Rig, whose: str) -> None:
    rig.press("back", ms=1000)
    rig.choose("Pair a phone")
    rig.choose(whose)


def enter(rig: Rig, digits: str, name: str = "iPhone") -> tuple[str, PhoneSession]:
    """Enter the code on a phone; the referee lets it act."""
    secret, session = rig.codes.redeem(digits, "192.168.178.20", name, rig.now_ns)
    join = AddPhone(session.hash, session.who, session.name)
    rig.loop.request("", join, session.button, enter=lambda: rig.codes.enter(session, digits))
    rig.settle()
    return secret, session


def camera(rig: Rig) -> list[str]:
    """What a phone's camera reads off the panel."""
    return [found.text for found in zxingcpp.read_barcodes(rig.box.picture().convert("L"))]


def test_a_phone_is_paired_by_what_its_camera_reads(rig: Rig) -> None:
    pair(rig, "Referee")
    assert rig.shows("Referee", "60 s"), rig.screen
    [read] = camera(rig)
    assert read == f"{PAGE}#pair=000001"
    _, session = enter(rig, read[-6:])
    assert rig.shows("Final dice"), rig.screen
    rig.press("back", ms=1000)
    rig.choose("Phones")
    assert rig.shows("Referee: iPhone"), rig.screen
    assert session.button is None


def test_the_seconds_run_down_and_the_code_goes_with_the_last(rig: Rig) -> None:
    pair(rig, "Referee")
    rig.wait_ms(30_000)
    assert rig.shows("30 s"), rig.screen
    rig.wait_ms(30_000)
    assert camera(rig) == []
    assert rig.shows("Final dice"), rig.screen
    with pytest.raises(WrongCode):
        rig.codes.redeem("000001", "192.168.178.20", "iPhone", rig.now_ns)


@pytest.mark.parametrize("button", ["red", "ok", "back", "up"])
def test_a_press_removes_the_code_and_makes_it_invalid(rig: Rig, button: str) -> None:
    pair(rig, "Referee")
    lines = rig.lines
    rig.press(button)
    assert rig.shows("Final dice"), rig.screen
    assert rig.lines == lines
    with pytest.raises(WrongCode):
        rig.codes.redeem("000001", "192.168.178.20", "iPhone", rig.now_ns)


def test_a_phone_is_unpaired_at_the_box(rig: Rig) -> None:
    pair(rig, "Referee")
    secret, _ = enter(rig, "000001")
    assert rig.codes.session(secret)
    rig.press("back", ms=1000)
    rig.choose("Phones")
    rig.press("red")
    assert rig.shows("Unpair?"), rig.screen
    rig.press("black")
    assert rig.codes.session(secret) is None
    assert rig.shows("Final dice"), rig.screen
