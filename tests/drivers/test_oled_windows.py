"""Pictures as the chip's memory, and which of it has to be sent."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.kit.glass import CHIPS, chips, images, noise, picture
from umpi.display.picture import Picture
from umpi.drivers.oled_windows import Chip, Transfer, changes, length, pack

FULL = {"ssd1306": 1034, "ssd1309": 1034, "sh1106": 1080}  # what luma sends for each picture


def written(chip: Chip, *sent: list[Transfer]) -> bytes:
    """Return the middle 128 columns after these transfers to a chip with luma's addressing."""
    panel = CHIPS[chip]()
    if chip != "sh1106":
        panel.command(0x20, 0x00)
    for transfers in sent:
        for transfer in transfers:
            panel.command(*transfer.command)
            panel.data(transfer.data)
    edge = (panel.columns - 128) // 2
    return b"".join(panel.memory[page * panel.columns :][edge : edge + 128] for page in range(8))


@given(noise)
def test_a_page_holds_eight_rows_the_lowest_bit_on_top(image: Picture) -> None:
    """SSD1306 datasheet, 8.7."""
    frame = pack(image)
    for page in range(8):
        for x in (0, 1, 64, 127):
            assert frame[page * 128 + x] == sum(image.dot(x, 8 * page + bit) << bit for bit in range(8))


@given(noise)
def test_upside_down_is_half_a_turn(image: Picture) -> None:
    turned = image.copy()
    turned.rows = [int(f"{row:0128b}"[::-1], 2) for row in reversed(image.rows)]
    assert pack(image, upside_down=True) == pack(turned)


def test_a_picture_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="128 × 64"):
        pack(Picture(64, 128))


@given(chips, images, images)
def test_the_sent_windows_turn_the_old_picture_into_the_new_one(chip: Chip, old: Picture, new: Picture) -> None:
    first = changes(chip, None, pack(old))
    assert written(chip, first, changes(chip, pack(old), pack(new))) == pack(new)


@given(chips, images, images)
def test_no_change_costs_more_than_lumas_full_frame(chip: Chip, old: Picture, new: Picture) -> None:
    assert length(changes(chip, pack(old), pack(new))) <= length(changes(chip, None, pack(new))) == FULL[chip]


@given(images, images)
def test_windows_cost_no_more_than_one_around_everything_nor_than_spans_of_pages(old: Picture, new: Picture) -> None:
    """Six bytes tell a window, four begin its two transfers (SSD1306 datasheet, 8.1.5.2, 10.1.4 and 10.1.5)."""
    before, after = pack(old), pack(new)
    sent = length(changes("ssd1306", before, after))
    differing = [divmod(place, 128) for place in range(1024) if before[place] != after[place]]
    if not differing:
        assert sent == 0
        return
    pages, columns = [page for page, _ in differing], [column for _, column in differing]
    assert sent <= 10 + (max(pages) - min(pages) + 1) * (max(columns) - min(columns) + 1)
    spans = [[column for page, column in differing if page == wanted] for wanted in set(pages)]
    assert sent <= sum(10 + max(span) - min(span) + 1 for span in spans)


@pytest.mark.parametrize(
    ("dots", "ssd130x", "sh1106"),
    [
        ([], 0, 0),
        ([(5, 5)], 6 + 4 + 1, 3 + 4 + 1),
        ([(5, 5), (5, 7)], 6 + 4 + 1, 3 + 4 + 1),
        ([(5, 5), (12, 5)], 6 + 4 + 8, 3 + 4 + 1 + 2 + 4 + 1),  # a gap of six: a second window costs seven, or six
        ([(5, 5), (13, 5)], 6 + 4 + 9, 3 + 4 + 1 + 2 + 4 + 1),
        ([(5, 5), (14, 5)], 6 + 4 + 1 + 3 + 4 + 1, 3 + 4 + 1 + 2 + 4 + 1),
        ([(5, 7), (5, 8)], 6 + 4 + 2, 2 * (3 + 4 + 1)),  # over two pages: one window where the chip knows them
        (
            [(5, 7), (5, 8), (11, 7), (11, 8)],
            6 + 4 + 2 + 3 + 4 + 2,
            2 * (3 + 4 + 7),
        ),  # a gap of ten bytes
        ([(5, 0), (5, 63)], 6 + 4 + 8, 2 * (3 + 4 + 1)),  # over all of them, even
        ([(5, 0), (6, 0), (5, 63), (6, 63)], 6 + 4 + 2 + 3 + 4 + 2, 2 * (3 + 4 + 2)),  # the same columns, sent once
        ([(0, 0), (127, 0)], 6 + 4 + 1 + 3 + 4 + 1, 3 + 4 + 1 + 2 + 4 + 1),
    ],
)
def test_only_what_changed_goes_over_the_bus(dots: list[tuple[int, int]], ssd130x: int, sh1106: int) -> None:
    """Commands, the four bytes that begin two transfers, data."""
    before, after = pack(picture()), pack(picture(*dots))
    assert length(changes("ssd1306", before, after)) == ssd130x
    assert length(changes("ssd1309", before, after)) == ssd130x
    assert length(changes("sh1106", before, after)) == sh1106
