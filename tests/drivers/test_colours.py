"""Where a reading begins and ceases to be a colour: at points whose distances are worked out by hand.

All readings but the dark ones have a clear count of 900. With the 100 counts that are added to it, a count of red is a
thousandth of a shade, and the brightness is 0.3 × log10(1000) = 0.9.
"""

from __future__ import annotations

import pytest

from umpi.drivers.colours import NOTHING, Colour, ColourProfile, Unfit, calibrate
from umpi.drivers.tcs34725 import BRIGHT, Reading

AFAR = Colour(NOTHING, (0.0, 0.0, 0.9, 1.1), 0.004)


def red(count: int, green: int = 0, clear: int = 900) -> Reading:
    return Reading(clear, count, green, 0)


def profile(spread: float = 0.01, apart: float = 0.3) -> ColourProfile:
    """Return "grey" at no red at all and "rust" so far from it, with the empty rail far away from both."""
    return ColourProfile(
        4, (Colour("grey", (0.0, 0.0, 0.0, 0.9), spread), Colour("rust", (apart, 0.0, 0.0, 0.9), 0.004), AFAR)
    )


@pytest.mark.parametrize(
    ("spread", "reach"),
    [(0.01, 60), (0.0149, 60), (0.02, 80), (0.05, 100)],  # at least 0.06, then four spreads, at most a third of the gap
)
def test_a_colour_reaches_four_spreads_but_a_third_of_the_gap_at_most(spread: float, reach: int) -> None:
    box = profile(spread)
    assert box.identify(red(reach - 1)).name == "grey"
    assert box.identify(red(reach + 1)).name is None
    assert box.identify(red(300 - 59)).name == "rust"
    assert box.identify(red(300 - 61)).name is None


@pytest.mark.parametrize(
    ("reading", "reason"),
    [
        # on the line between two colours; off it, with ways to both of 1.2 times their gap: 2 × √(150² + 99.5²) = 360
        (red(150), "It may be grey or rust."),
        (red(151), "It may be rust or grey."),
        (red(150, 99), "It may be grey or rust."),
        (red(150, 100), "It matches no calibrated colour."),
        (red(500), "It matches no calibrated colour."),
        # half the brightness of the darkest colour: 500 of its 1,000 counts, of which 100 are added
        (red(600, clear=401), "It matches no calibrated colour."),
        (red(600, clear=399), "It is too dark to tell: is the sensor’s lamp on?"),
        (red(0, clear=BRIGHT), "It is too bright to tell."),
        (red(BRIGHT), "It is too bright to tell."),
    ],
)
def test_a_reading_that_is_no_colour_says_why(reading: Reading, reason: str) -> None:
    match = profile().identify(reading)
    assert (match.name, match.reason) == (None, reason)


def test_a_count_below_too_bright_is_a_reading() -> None:
    assert profile().identify(red(0, clear=BRIGHT - 1)).reason == "It matches no calibrated colour."
    assert BRIGHT == 16128  # 21 cycles count to 21,504, and the last quarter is not linear


def five(*counts: int) -> list[Reading]:
    return [red(count) for count in counts]


def test_a_calibrated_colour_is_the_median_and_its_farthest_reading() -> None:
    found = calibrate({"rust": five(500, 510, 500, 490, 530), NOTHING: five(100, 100, 100, 100, 100)}, 16)
    assert found.gain == 16
    assert [colour.name for colour in found.colours] == ["rust", NOTHING]
    rust, nothing = found.colours
    assert rust.shade == pytest.approx((0.5, 0.0, 0.0, 0.9))
    assert rust.spread == pytest.approx(0.03)
    assert nothing.spread == 0.004, "readings that are all the same have the smallest spread"


def test_two_colours_must_be_six_of_the_larger_spread_apart() -> None:
    flat, wide = five(100, 100, 100, 100, 100), five(200, 200, 200, 200, 210)
    calibrate({"a": five(125, 125, 125, 125, 125), NOTHING: flat}, 4)
    with pytest.raises(Unfit, match=r"a and nothing \(0\.023 apart, 0\.024 needed\)"):
        calibrate({"a": five(123, 123, 123, 123, 123), NOTHING: flat}, 4)
    calibrate({"a": wide, NOTHING: five(139, 139, 139, 139, 139)}, 4)
    for seen in (
        {"a": wide, NOTHING: five(141, 141, 141, 141, 141)},
        {NOTHING: five(141, 141, 141, 141, 141), "a": wide},
    ):
        with pytest.raises(Unfit, match=r"\(0\.059 apart, 0\.060 needed\)"):
            calibrate(seen, 4)


def test_four_readings_are_too_few_and_five_are_enough() -> None:
    with pytest.raises(Unfit, match=r"^rust: expected 5 readings or more, got 4\.$"):
        calibrate({"rust": five(500, 500, 500, 500), NOTHING: five(0, 0, 0, 0, 0)}, 4)
    calibrate({"rust": five(500, 500, 500, 500, 500), NOTHING: five(0, 0, 0, 0, 0)}, 4)


def test_a_colour_twice_or_alone_is_refused() -> None:
    rust = Colour("rust", (0.5, 0.0, 0.0, 0.9), 0.004)
    for colours in ((AFAR,), (AFAR, rust, Colour("rust", (0.2, 0.0, 0.0, 0.9), 0.004))):
        with pytest.raises(Unfit, match="Measure at least one colour, each only once"):
            ColourProfile.read(ColourProfile(4, colours).written())
    assert ColourProfile.read(ColourProfile(4, (AFAR, rust)).written()).colours == (AFAR, rust)
