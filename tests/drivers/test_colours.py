"""Colours of cubes at the edge of each rule: how near, how dark, how alike, and what a calibration file may contain."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

import pytest

from umpi.drivers.colours import DARK, FINEST, LIGHT, NOTHING, Colour, ColourProfile, Unfit, calibrate, shade_of
from umpi.drivers.tcs34725 import Reading

CLEAR = 9_900  # counts; with DARK, 10,000
BRIGHT = LIGHT * log10(CLEAR + DARK)  # 1.2


def reading(red: float, green: float, blue: float = 0.2, clear: float = CLEAR) -> Reading:
    """A reading with these shares of its clear light."""
    whole = clear + DARK
    return Reading(round(clear), round(red * whole), round(green * whole), round(blue * whole))


def colour(name: str, red: float, green: float, spread: float = 0.01) -> Colour:
    """A calibrated colour of full brightness."""
    return Colour(name, (red, green, 0.2, BRIGHT), spread)


def box(spread: float = 0.01) -> ColourProfile:
    """Three colours on a line, each 0.3 from the next."""
    return ColourProfile(4, (colour("red", 0.7, 0.1, spread), colour("green", 0.4, 0.1), colour(NOTHING, 0.1, 0.1)))


def test_a_shade_is_the_shares_of_the_clear_light_and_its_brightness() -> None:
    assert shade_of(Reading(CLEAR, 5_000, 3_000, 2_000)) == pytest.approx((0.5, 0.3, 0.2, 1.2))
    assert shade_of(Reading(0, 0, 0, 0)) == pytest.approx((0, 0, 0, 0.6))


@pytest.mark.parametrize(
    ("spread", "off", "name"),
    [
        (0.01, 0.059, "red"), (0.01, 0.061, None),  # NEAR
        (0.02, 0.079, "red"), (0.02, 0.081, None),  # four times its spread
        (0.09, 0.099, "red"), (0.09, 0.101, None),  # a third of the way to the next colour
    ],
)  # fmt: skip
def test_a_reading_is_of_a_colour_up_to_its_reach(spread: float, off: float, name: str | None) -> None:
    assert box(spread).identify(reading(0.7 + off, 0.1)).name == name


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (reading(0.55, 0.1), "It may be {one} or {other}."),
        (reading(0.55, 0.1 + 0.097), "It may be {one} or {other}."),  # the way over it is 1.19 times as long
        (reading(0.55, 0.1 + 0.102), "It matches no calibrated colour."),  # 1.21 times
        (reading(0.55, 0.1, clear=4_950), "It may be {one} or {other}."),  # a little more than half as bright
        (reading(0.55, 0.1, clear=4_850), "It is too dark to tell: is the sensor’s lamp on?"),
        (Reading(65_535, 7_000, 1_000, 2_000), "It is too bright to tell."),
    ],
)
def test_a_reading_of_no_colour_says_why(seen: Reading, reason: str) -> None:
    found = box().identify(seen)
    assert found.name is None
    assert getattr(found.reason, "template", found.reason) == reason


def measured(**shares: float) -> Mapping[str, list[Reading]]:
    """Five equal readings of each colour, of this share of red."""
    return {name: [reading(red, 0.1)] * 5 for name, red in shares.items()}


def test_a_calibration_is_the_median_and_the_farthest_reading() -> None:
    seen = [reading(0.7 + off, 0.1) for off in (-0.02, -0.01, 0, 0.03, 0.01)]
    red, nothing = calibrate({"red": seen, **measured(nothing=0.2)}, 16).colours
    assert red.shade == pytest.approx((0.7, 0.1, 0.2, BRIGHT))
    assert red.spread == pytest.approx(0.03)
    assert (nothing.name, nothing.spread) == (NOTHING, FINEST)


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ({**measured(nothing=0.2), "red": [reading(0.7, 0.1)] * 4}, "red: expected 5 readings or more, got 4."),
        ({**measured(nothing=0.2), "red": [Reading(65_535, 1, 1, 1)] * 5}, "red: it is too bright"),
        (measured(red=0.7, blue=0.3), "The empty rail has not been measured."),
        (measured(nothing=0.2), "Measure at least one colour"),
        (measured(nothing=0.2, red=0.223), r"nothing and red \(0.023 apart, 0.024 needed\)"),
    ],
)
def test_a_calibration_that_cannot_be_used_says_why(seen: Mapping[str, list[Reading]], says: str) -> None:
    with pytest.raises(Unfit, match=says):
        calibrate(seen, 4)


def test_two_colours_six_spreads_apart_can_be_used() -> None:
    assert len(calibrate(measured(nothing=0.2, red=0.225), 4).colours) == 2


def test_a_profile_is_read_as_it_was_written() -> None:
    assert ColourProfile.read(box().written()) == box()


def damaged(**changes: Any) -> Any:
    """A written profile with changes of its first colour, or of the whole."""
    written = box().written()
    first = {name: changes.pop(name) for name in ("name", "shade", "spread") if name in changes}
    written["colours"][0] |= first
    return written | changes


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({}, "not a colour calibration"),
        (None, "not a colour calibration"),
        (damaged(shade=[1, 2, 3]), "not a colour calibration"),
        (damaged(shade="word"), "not a colour calibration"),
        (damaged(spread=10**400), "not a colour calibration"),
        (damaged(gain=5), "this calibration is damaged"),
        (damaged(spread=0), "this calibration is damaged"),
        (damaged(spread=float("inf")), "this calibration is damaged"),
        (damaged(shade=[0, 0, float("nan"), 0]), "this calibration is damaged"),
        (damaged(name=3), "this calibration is damaged"),
        (damaged(name="green"), "each only once"),
        (damaged(spread=0.051), "red and green"),
    ],
)
def test_a_damaged_profile_is_refused(written: Any, says: str) -> None:
    with pytest.raises(Unfit, match=says):
        ColourProfile.read(written)


def test_the_larger_spread_of_two_colours_counts() -> None:
    wide = [reading(red, 0.1) for red in (0.7, 0.7, 0.7, 0.7, 0.71)]
    assert calibrate({"red": wide, **measured(nothing=0.639)}, 4)
    for seen in ({"red": wide, **measured(nothing=0.641)}, {**measured(nothing=0.641), "red": wide}):
        with pytest.raises(Unfit, match=r"\(0\.059 apart, 0\.060 needed\)"):
            calibrate(seen, 4)


def test_a_count_below_too_bright_is_a_reading() -> None:
    """21 cycles count to 21,504, and the last quarter is not linear."""
    assert not Reading(16_127, 0, 0, 0).saturated
    assert Reading(0, 0, 0, 16_128).saturated
