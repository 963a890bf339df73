"""The order of an announcement: the first player is shown large, the others below, each with name and mark."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.display import screens
from umpi.display.marks import mark
from umpi.display.menu import Choice, Menu
from umpi.display.picture import Picture
from umpi.display.screens import Place
from umpi.display.sheet import BAR, FOOT, MARK, WIDTH
from umpi.kernel import Match
from umpi.kernel.registry import find
from umpi.simulator.reading import drawn, image_of, reads

ASKED = Menu("First guess", (Choice("yes", True), Choice("no", False)))
LONG = ("Christelle-Marguerite", "Őrsike Űrhajós", "Bartholomew", "Straßburger", "Zoë-Ångström", "Maximilian")
NAMES = st.text(st.characters(codec="iso8859-2", categories=("Lu", "Ll")), min_size=1, max_size=20)


def written(margin_us: int) -> str:
    """Milliseconds, to the tenth below a hundred."""
    return f"{margin_us / 1000:.1f}" if margin_us < 99_950 else f"{(margin_us + 500) // 1000}"


def order(*places: Place, buttons: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> Picture:
    match = Match(find("quiz"), LONG[: len(buttons)])
    return screens.table(match, ASKED, 0, places, buttons)


def rows_of(image: Picture) -> list[bytes]:
    """The dots of each row, a byte each."""
    dots = image_of(image).convert("L").tobytes()
    return [dots[start : start + image.width] for start in range(0, len(dots), image.width)]


def has_mark(image: Picture, button: int, size: int) -> bool:
    wanted, rows = rows_of(mark(button, size)), rows_of(image)
    assert len(wanted) == size
    places = ((x, y) for y in range(BAR, min(FOOT, image.height - size + 1)) for x in range(WIDTH - size))
    return any(all(rows[y + down][x : x + size] == row for down, row in enumerate(wanted)) for x, y in places)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.data(), st.integers(1, 6), st.booleans())
def test_every_name_and_mark_is_to_be_seen(data: st.DataObject, many: int, long: bool) -> None:
    """Names and margins are shown at once; a cut name keeps at least three letters and an ellipsis."""
    seats = data.draw(st.permutations(range(6)))[:many]
    buttons = tuple(data.draw(st.permutations(range(6))))
    names = [LONG[seat] if long else data.draw(NAMES) for seat in seats]
    margins = data.draw(st.lists(st.integers(2000, 999_900), min_size=many, max_size=many))
    margins = [round(margin, -2) for margin in margins]
    shown = order(*map(Place, names, seats, [*margins[:-1], None]), buttons=buttons)
    body = shown.crop((0, BAR, WIDTH, FOOT))
    for place, (seat, name) in enumerate(zip(seats, names, strict=True), start=1):
        number = "" if place == 1 else f"{place} "
        assert reads(body, f"{number}{name}") or reads(body, f"{number}{name[:3].strip()}"), f"{name}\n{drawn(shown)}"
        large = place == 1 and many < 6
        assert has_mark(shown, buttons[seat], 13 if large else MARK), f"{name}\n{drawn(shown)}"
    behind = 0
    for margin in margins[:-1]:
        behind += margin
        assert reads(body, f" +{written(behind)}"), drawn(shown)
    assert reads(body, "first")
    assert reads(shown, "First guess")


def test_a_player_without_a_place_who_must_speak_is_large_and_the_order_is_small() -> None:
    """Without a cube of their own, Red may guess before Yellow: nobody takes Yellow's guess for Red's."""
    match = Match(find("quiz"), ("Red", "Blue", "Yellow", "Green"))
    places = (Place("Yellow", 2, 5200), Place("Green", 3))
    shown = screens.table(match, replace(ASKED, seat=0), 0, places)
    upper = shown.crop((0, BAR + 2, WIDTH, BAR + 18))
    assert reads(upper, "Red"), drawn(shown)
    assert not reads(upper, "Yellow"), drawn(shown)
    for text in ("1 Yellow", "2 Green +5.2"):
        assert reads(shown, text), f"{text}\n{drawn(shown)}"
    assert not reads(shown, "first"), drawn(shown)


def test_the_bar_points_at_nothing_below_it() -> None:
    """A notch for one button pointed at the tile of another seat."""
    match = Match(find("dodeka"), ("Red", "Blue", "Yellow"))
    shown = screens.table(match, ASKED, 0, "", (0, 1, 2))
    assert match.seat is not None
    assert shown.crop((0, BAR, WIDTH, BAR + 2)) == Picture(WIDTH, 2), drawn(shown)
