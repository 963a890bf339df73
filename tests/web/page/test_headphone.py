"""By headphone: the phone of a seat speaks that seat's hand and question on request, and no other screen does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, deal
from tests.kit.voices import DUMB, spoken, with_voices

pytestmark = pytest.mark.slow  # it needs a browser

RED, BLUE, REFEREE, LOOKER = 2, 3, 4, 5  # the hosts of these phones: cookies are kept by address
BUTTON = "#headphone button"
SEEN = "return [...document.querySelectorAll('#headphone button')].filter((one) => one.checkVisibility()).length"


def offers(phone: Phone) -> bool:
    """Return whether a phone shows the button."""
    return bool(phone.here.execute_script(SEEN))


def test_only_the_phone_of_a_seat_speaks_its_hand_and_only_after_a_press(sim: Sim, phones: Any) -> None:
    red, blue, referee, looker = (
        phones(sim, RED, 0),
        phones(sim, BLUE, 1),
        phones(sim, REFEREE, None),
        phones(sim, LOOKER),
    )
    everyone = red, blue, referee, looker
    for phone in everyone:
        with_voices(phone, "en-GB")
    deal(red, "fire-4", "water-1", "air-0")
    red.tap("[data-verb=take]")
    blue.reads("#question", "Blue: take")
    red.find(BUTTON)
    assert [offers(phone) for phone in everyone] == [True, True, False, False]
    assert [spoken(phone) for phone in everyone] == [[], [], [], []], "nobody has pressed"
    red.find(BUTTON).send_keys("\ue007")  # Enter
    turn = "Blue: take water-1, or flip. After a flip, press its element."
    red.wait("return window.spoken.length > 1")
    assert spoken(red) == ["You hold 1 card.", "fire: 4.", "Your hand scores 4 now.", turn]
    blue.tap(BUTTON)
    blue.wait("return window.spoken.length > 1")
    assert spoken(blue) == ["Your hand is empty.", turn]
    assert spoken(referee) == spoken(looker) == []
    described = red.here.execute_script(
        f"return document.querySelector('{BUTTON}').ariaDescribedByElements[0].innerText"
    )
    assert "headphone" in described
    assert "You hold" not in red.text("body"), "it is for the ear, and others see this screen"
    for view in ("tv", "overlay", "history"):
        red.here.execute_script("location.hash = arguments[0]", view)
        red.wait("return document.documentElement.dataset.view === arguments[0]", view.replace("overlay", "tv"))
        assert not offers(red), view
    assert not [line for phone in everyone for line in phone.complaints()]


def test_a_device_without_a_voice_says_so_and_one_without_speech_offers_nothing(sim: Sim, phones: Any) -> None:
    red, blue = phones(sim, RED, 0), phones(sim, BLUE, 1)
    with_voices(red, "de-DE")
    red.tap(BUTTON)
    red.reads("#notice", "This device has no voice for this language: English.")
    assert spoken(red) == []
    blue.cdp("Page.addScriptToEvaluateOnNewDocument", source=DUMB)
    blue.here.refresh()
    blue.find("#question.mine h2, .score")
    assert not offers(blue)
