"""Pictures as the chip's memory, and which of it has to be sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from umpi.devices.oled import changes, pack

noise = st.binary(min_size=1024, max_size=1024).map(lambda bits: Image.frombytes("1", (128, 64), bits))


@given(noise)
def test_a_page_holds_eight_rows_the_lowest_bit_on_top(image: Image.Image) -> None:
    """SSD1306 datasheet, 8.7."""
    dot = image.load()
    assert dot
    for page, row in enumerate(pack(image)):
        assert len(row) == 128
        for x in (0, 1, 64, 127):
            assert row[x] == sum((dot[x, 8 * page + bit] != 0) << bit for bit in range(8))


@given(noise, noise)
def test_what_is_sent_makes_the_old_picture_the_new_one(old: Image.Image, new: Image.Image) -> None:
    memory, wanted = [bytearray(page) for page in pack(old)], pack(new)
    for page, first, last in changes(pack(old), wanted):
        assert memory[page][first] != wanted[page][first]
        assert memory[page][last] != wanted[page][last]
        memory[page][first : last + 1] = wanted[page][first : last + 1]
    assert tuple(map(bytes, memory)) == wanted
