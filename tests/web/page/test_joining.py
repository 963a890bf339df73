"""Joining in the browser: two phones scan one code, choose seats at once, and may act after a press at the box."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, pair, qr
from tests.kit.page_faults import faults

pytestmark = pytest.mark.slow  # each needs a browser

RED, BLUE, REFEREE = 2, 3, 4  # the hosts of these phones: cookies are kept by address


HELD = """
    const real = fetch;
    window.fetch = async (path, how) => {
        const answer = await real(path, how);
        if (path === "api/join") await new Promise((go) => { window.letGo = go; });
        return answer;
    };
"""


def asks(phone: Phone, name: str, seat: int) -> None:
    """Type a name and touch a seat."""
    phone.tap("form.join input")
    phone.type(*name)
    phone.tap(f"form.join [data-key='seat {seat}']")


def waits(phone: Phone, colour: str) -> None:
    """Check that the colour of the seat fills the screen."""
    phone.find(f".waiting.{colour}")
    corners = "[[1, 1], [innerWidth - 2, 1], [1, innerHeight - 2]].every(([x, y]) => document.elementFromPoint(x, y)?"
    phone.wait(f"return {corners}.closest('.waiting'))")


def test_a_second_phone_chooses_whose_it_is_and_the_first_is_told(fresh: Sim, phones: Any) -> None:
    referee, ann, ben = phones(fresh, REFEREE), phones(fresh, RED), phones(fresh, BLUE)
    pair(fresh, referee, None)
    referee.tap("[data-key='open joining']")
    for phone in (ann, ben):
        phone.go("pair")
    asks(ann, "Ann", 1)
    waits(ann, "blue")
    ann.tap("[data-key=cancel]")
    ann.wait("return document.documentElement.dataset.view === 'table'")
    ann.go("pair")
    asks(ann, "Ann", 0)
    waits(ann, "red")
    assert faults(ann) == []
    fresh.press("red")
    ben.tap("form.join input")
    ben.type(*"Ben")
    ben.reads("form.join [data-key='seat 0']", "Ann", "has joined")
    ben.tap("form.join [data-key='seat 0']")
    ben.reads("form.join", "Ann already has this colour.", "Second phone for Ann", "Ben instead of Ann")
    assert faults(ben) == []
    ben.tap("[data-key=instead]")
    waits(ben, "red")
    ann.reads("#notice", "Ben wants to play instead of Ann.")
    fresh.press("red")
    ben.reads("#who", "Ben")
    ann.reads("#notice", "This phone is no longer in the match.")


def test_two_phones_join_at_once_by_one_code(sim: Sim, phones: Any) -> None:
    red, blue, referee = phones(sim, RED), phones(sim, BLUE), phones(sim, REFEREE, None)
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Pair a phone")
    sim.choose("All: one QR code")
    address = sim.look(qr)
    assert address.endswith("/#pair")
    for phone in (red, blue):
        phone.go("pair")
    asks(red, "Katy", 0)
    red.reads(".waiting.red", "Katy, press this button on the box")
    red.tap(".waiting [data-key=another]")
    red.tap("form.join [data-key='seat 1']")
    red.find(".waiting.blue")
    assert [(claim["button"], claim["name"]) for claim in sim.get("api/state")["joining"]] == [(1, "Katy")]
    red.tap(".waiting [data-key=another]")
    red.tap("form.join [data-key='seat 0']")
    red.find(".waiting.red")
    red.here.refresh()
    red.find(".waiting.red")
    blue.here.execute_script(HELD)  # the referee lets it in before it has the reply
    asks(blue, "Max", 1)
    blue.wait("return Boolean(window.letGo)")
    sim.sees("Katy", "Max")
    sim.press("red")
    red.reads("#question", "Deal three, nearest the deck first")
    red.wait("return document.documentElement.dataset.view === 'table'")
    red.reads("#who", "Katy")
    referee.go("pair")
    referee.reads(".claims", "Max wants to play as", "blue")
    referee.tap(".claims .send")
    blue.reads("#who", "Max")
    blue.here.execute_script("letGo()")
    blue.wait("return document.documentElement.dataset.view === 'table'")
    referee.reads("#scores", "Katy", "Max")
    sim.press("ok")
    sim.sees("Deal")
    assert not [line for phone in (red, blue, referee) for line in phone.complaints()]
