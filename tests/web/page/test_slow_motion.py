"""The last race in slow motion on the television, asked for at the box or on the referee's phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Phone
from tests.kit.resumed import SIX, played, toss_all

pytestmark = pytest.mark.slow  # it needs a browser

RED, REFEREE = 2, 3  # the hosts of these phones: cookies are kept by address
MOVES = """
    const track = document.querySelector("#announcement .finish.runs .track");
    return track && getComputedStyle(track).animationName
"""
KEY = "[data-key='slow motion on TV']"


def still(tv: Phone, motion: str) -> None:
    tv.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])


def test_the_referees_phone_and_the_box_start_it_on_the_television(open_at: Any, phones: Any) -> None:
    sim, tv = open_at(played("quiz", SIX, 5), 1280, 720, "box")
    toss_all(tv)
    tv.go("tv")
    still(tv, "no-preference")
    red, referee = phones(sim, RED, 0), phones(sim, REFEREE, None)
    tv.find("#announcement .finish")
    assert tv.here.execute_script(MOVES) is None, "nobody has asked"
    assert not red.here.find_elements("css selector", KEY)
    referee.tap(KEY)
    tv.wait(MOVES + " === 'reveal'")
    for phone in (red, referee):
        assert not phone.here.execute_script("return document.querySelector('.runs')"), "it moves on the television"
    still(tv, "reduce")
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Slow motion on TV")
    tv.wait("return document.querySelector('#announcement .runs')")
    assert tv.here.execute_script(MOVES) == "none", "the picture stands still"
    tv.here.refresh()
    tv.find("#announcement .finish")
    assert tv.here.execute_script(MOVES) is None, "it is an old request"
