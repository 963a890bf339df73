"""The seats' tiles: nothing of a seat is drawn outside its own, and of each the name and the score are to be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from tests.kit.sampling import examples
from umpi.display import tiles
from umpi.display.screens import INFO
from umpi.display.sheet import FOOT, HEIGHT, LINE, TOP, WIDTH, Sheet
from umpi.display.tiles import draw_tiles
from umpi.simulator.reading import drawn, image_of, reads
from umpi.table.standing import Tile

Box = tuple[int, int, int, int]

NAMES = st.text(st.characters(codec="iso8859-2", categories=("Lu", "Ll")), min_size=1, max_size=20)
SCORES = st.integers(-9999, 99999).map(str)
BESIDE = st.sampled_from(["", "x", "+7", "13!", "1234"])


@st.composite
def tables(draw: st.DrawFn, beside: st.SearchStrategy[str] = BESIDE) -> list[Tile]:
    """The tiles of one to six seats at any buttons; a score and what is beside it may change their places."""
    buttons = sorted(draw(st.sets(st.integers(0, 5), min_size=1)))
    live = draw(st.booleans())
    made = []
    for button in buttons:
        short, large = draw(beside), draw(SCORES)
        if live and short:
            short, large = large, short
        made.append(Tile(button, draw(NAMES), short, large, draw(st.booleans())))
    return made


@st.composite
def rooms(draw: st.DrawFn, seats: int) -> tuple[int, int]:
    """Where a screen leaves tiles room: over one row of information, or so many as are free, and who has won."""
    free = INFO - TOP - LINE * seats
    over = FOOT - 1 - LINE * (seats if seats <= 3 else -(-seats // 2)), FOOT - 1
    return draw(st.sampled_from([over, *((TOP, INFO - LINE * more) for more in range(max(0, free // LINE) + 1))]))


@contextmanager
def alone(ground: int) -> Iterator[list[tuple[Box, Image.Image]]]:
    """Draw each tile on a sheet of its own; yield the list of boxes and pictures."""
    drawn: list[tuple[Box, Image.Image]] = []

    def apart(draw: Any) -> Any:
        def one(sheet: Sheet, x: int, y: int, width: int, height: int, *rest: Any) -> None:
            board = Sheet()
            board.image.fill(0, 0, WIDTH, HEIGHT, ground)
            draw(board, x, y, width, height, *rest)
            drawn.append(((x, y, x + width, y + height), image_of(board.image)))
            draw(sheet, x, y, width, height, *rest)

        return one

    with pytest.MonkeyPatch.context() as patch:
        for name in ("_tile", "_line"):
            patch.setattr(tiles, name, apart(getattr(tiles, name)))
        yield drawn


def outside(image: Image.Image, box: Box, ground: int) -> bool:
    """Whether a dot outside the box is not as it was."""
    image = image.copy()
    image.paste(ground, box)
    return ImageChops.logical_xor(image, Image.new("1", image.size, ground)).getbbox() is not None


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(st.data(), tables(BESIDE | st.text("ab 19", max_size=30)), st.sampled_from([0, 1]))
def test_no_tile_is_drawn_outside_its_place(data: st.DataObject, seats: list[Tile], ground: int) -> None:
    """Text beside the scores is cut if there is no room."""
    top, bottom = data.draw(rooms(len(seats)))
    with alone(ground) as pieces:
        draw_tiles(Sheet(), seats, bottom, top)
    assert len(pieces) == len(seats)
    for box, image in pieces:
        assert not outside(image, box, ground), f"{box}\n{drawn(image)}"
        assert box[0] >= 0
        assert box[1] >= top
        assert box[2] <= WIDTH
        assert box[3] <= bottom
    boxes = [box for box, _ in pieces]
    assert all(apart(one, other) for index, one in enumerate(boxes) for other in boxes[:index])


def shown(seats: Sequence[Tile], top: int = TOP, bottom: int = INFO) -> list[Image.Image]:
    """Draw the tiles together, and cut each out."""
    sheet = Sheet()
    with alone(0) as pieces:
        draw_tiles(sheet, seats, bottom, top)
    return [image_of(sheet.image).crop(box) for box, _ in pieces]


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), tables())
def test_every_score_is_to_be_read_whole_and_what_is_beside_it_too(data: st.DataObject, seats: list[Tile]) -> None:
    top, bottom = data.draw(rooms(len(seats)))
    for tile, image in zip(seats, shown(seats, top, bottom), strict=True):
        for text in filter(None, (tile.score, tile.beside)):
            assert reads(image, text), f"{text}\n{drawn(image)}"


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), tables(st.sampled_from(["", "x"])))
def test_every_name_is_to_be_read_or_its_first_letters(data: st.DataObject, seats: list[Tile]) -> None:
    """Players choose their names: four letters and an ellipsis at least."""
    top, bottom = data.draw(rooms(len(seats)))
    for tile, image in zip(seats, shown(seats, top, bottom), strict=True):
        whole = reads(image, tile.name)
        begun = any(reads(image, tile.name[:count]) for count in range(4, len(tile.name)))  # M differs before a capital
        assert whole or (begun and reads(image, "…")), f"{tile.name}\n{drawn(image)}"


def test_scores_of_seats_are_drawn_alike() -> None:
    """A longer name makes no seat's score another kind of number."""
    names = ("Andy", "Mathilda", "Christelle-Marguerite", "Rosie")
    long = shown([Tile(button, name, "", "7", False) for button, name in enumerate(names)])
    short = shown([Tile(button, "A", "", "7", False) for button in range(4)])
    size = (55, 0, *short[0].size)
    assert {image.crop(size).tobytes() for image in (*long, *short)} == {short[0].crop(size).tobytes()}


@pytest.mark.parametrize(("many", "light"), [(1, True), (3, True), (4, True), (4, False)])
def test_a_tile_that_is_light_is_light_on_its_own_ground_only(many: int, light: bool) -> None:
    """A line that is higher than its letters leaves a dark row between itself and the next."""
    seats = [Tile(button, "Ann", "", "120", light) for button in range(many)]
    for image in shown(seats):
        corner = image.getpixel((image.width // 2 - 8, 0))
        assert bool(corner) == light, drawn(image)
        assert not image.getpixel((0, image.height - 1)), drawn(image)


@pytest.mark.parametrize("height", range(LINE + 1, 18))
def test_the_scores_of_two_rows_do_not_touch(height: int) -> None:
    """Every dot row of an 8 at its edge is lit, so two of them that touch look like one figure."""
    sheet = Sheet()
    draw_tiles(sheet, [Tile(button, "Ann", "", "88", False) for button in range(6)], TOP + 3 * height)
    picture = image_of(sheet.image)
    dark = [picture.crop((0, row, WIDTH, row + 1)).getbbox() is None for row in range(TOP, TOP + 3 * height)]
    gaps = sum(now and not before for before, now in pairwise([False, *dark]))
    assert gaps >= 2, f"\n{drawn(picture)}"
