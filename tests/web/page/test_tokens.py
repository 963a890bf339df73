"""The tokens: one set of colours on the page and on paper, with legible text, and apart for each kind of eye."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from umpi.kernel.printable import BLACK, GREY, PALE, PURPLE
from umpi.printing.seats import INKS, ON, RIM
from umpi.table.seats import COLOURS

PAGE = Path(__file__).parents[3] / "firmware/umpi/web/page"
AA = 4.5  # contrast of small text, by WCAG 2
APART = 0.15  # least distance of two seats in OKLab; black and white are 1 apart
Rgb = tuple[float, float, float]

# How eyes without one kind of cone see linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
EYES: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def tokens(night: bool = False) -> dict[str, str]:
    """Return the colours of the tokens by name, each as "#rrggbb"."""
    day, _, dark = (PAGE / "tokens.css").read_text().partition("@media (prefers-color-scheme: dark)")
    found = re.findall(r"--([\w-]+): (#\w+);", day + (dark if night else ""))
    return {
        name: colour if len(colour) > 4 else "#" + "".join(2 * digit for digit in colour[1:]) for name, colour in found
    }


def linear(colour: str) -> Rgb:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def contrast(one: str, other: str) -> float:
    weights = 0.2126, 0.7152, 0.0722
    lights = sorted(sum(w * part for w, part in zip(weights, linear(each), strict=True)) for each in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def oklab(rgb: Rgb) -> Rgb:
    long = (0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]) ** (1 / 3)
    middle = (0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]) ** (1 / 3)
    short = (0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def seen(colour: str, eyes: str) -> Rgb:
    """Return how these eyes see a colour, in OKLab."""
    rgb = linear(colour)
    red, green, blue = (max(0.0, sum(a * b for a, b in zip(row, rgb, strict=True))) for row in EYES[eyes])
    return oklab((min(1, red), min(1, green), min(1, blue)))


def apart(one: str, other: str, eyes: str) -> float:
    pairs = zip(seen(one, eyes), seen(other, eyes), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def in_contrast() -> dict[str, str]:
    """Return the colours by name for those who want more contrast, by day; the seats have them by night too."""
    day, _, _ = (PAGE / "contrast.css").read_text().partition("prefers-color-scheme: dark")
    return tokens() | dict(re.findall(r"--([\w-]+): (#\w{6});", day))


@pytest.mark.parametrize("colours", [tokens(), in_contrast()], ids=["usual", "more contrast"])
@pytest.mark.parametrize("eyes", EYES)
def test_the_seats_are_apart_for_each_kind_of_eyes(eyes: str, colours: dict[str, str]) -> None:
    close = {
        (one, other): apart(colours[one.lower()], colours[other.lower()], eyes)
        for one, other in combinations(COLOURS, 2)
    }
    assert not {pair: far for pair, far in close.items() if far < APART}


@pytest.mark.parametrize("night", [False, True])
def test_text_is_legible_on_each_colour(night: bool) -> None:
    colours = tokens(night)
    pairs = [(f"on-{seat.lower()}", seat.lower()) for seat in COLOURS]
    pairs += [(ink, ground) for ink in ("ink", "soft", "accent", "off") for ground in ("paper", "card")]
    pairs += [("ink", "key"), ("ink", "tint"), ("soft", "tint"), ("warn", "warn-tint"), ("on-accent", "accent")]
    faint = {pair: contrast(*(colours[name] for name in pair)) for pair in pairs}
    assert not {pair: value for pair, value in faint.items() if value < AA}
    assert contrast(colours["rim"], colours["paper"]) > 3, "it bounds a seat whose colour is that of the paper"


def test_printed_sheets_have_the_colours_of_the_page() -> None:
    colours = tokens()
    for seat in COLOURS:
        assert INKS[seat] == colours[seat.lower()]
        assert ON[seat] == colours[f"on-{seat.lower()}"]
    assert (colours["rim"], colours["ink"]) == (RIM, BLACK)
    assert [colours[name] for name in ("purple", "grey", "pale")] == [PURPLE, GREY, PALE]
    icon = (PAGE / "icon.svg").read_text()
    assert all(colours[seat] in icon for seat in ("red", "yellow", "green"))


def test_a_colour_of_a_seat_is_in_the_tokens_only() -> None:
    seats = {tokens()[seat.lower()] for seat in COLOURS} - {"#ffffff"}
    for path in [*PAGE.glob("*.css"), *PAGE.rglob("*.js")]:
        if path.name != "tokens.css":
            assert not seats & set(re.findall(r"#\w{6}\b", path.read_text())), path.name


def test_nothing_moves_for_those_who_want_no_motion() -> None:
    """Each duration is a token, and the tokens are 0 under reduced motion."""
    text = (PAGE / "tokens.css").read_text()
    still = text.partition("prefers-reduced-motion: reduce")[2]
    assert set(re.findall(r"(--[\w-]+): [\d.]+s", text)) == set(re.findall(r"(--[\w-]+): 0s", still))
    for path in PAGE.glob("*.css"):
        for moves in re.findall(r"(?:animation|transition)[^;]*;", path.read_text()):
            assert not re.search(r"\d(?:s|ms)\b", moves), f"{path.name}: {moves}"
