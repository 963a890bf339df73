"""The virtual panels take bytes as the datasheets say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.oled import device
from PIL import Image

from tests.kit.sampling import examples
from umpi.simulator.chip import COLUMNS, HORIZONTAL, PAGE, ROWS, VERTICAL, Sh1106, Ssd1306, Ssd1309

CHIPS = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
LIGHT = {"ssd1306": (0x8D, 0x14, 0xAF), "ssd1309": (0xAF,), "sh1106": (0xAF,)}
every_chip = pytest.mark.parametrize("name", CHIPS)


def blank(name: str = "ssd1306") -> Ssd1306:
    """A chip with nothing in its memory, mounted and lit as modules are."""
    chip = CHIPS[name]()
    chip.memory[:] = bytes(len(chip.memory))
    chip.command(0xA1, 0xC8, *LIGHT[name])
    return chip


def where(chip: Ssd1306) -> list[tuple[int, int]]:
    """Which dots of the glass are lit, as column and row."""
    return [(place % COLUMNS, place // COLUMNS) for place, dot in enumerate(chip.dots()) if dot]


def written(mode: int, columns: tuple[int, int], pages: tuple[int, int], count: int) -> list[tuple[int, int]]:
    """Write `count` bytes into a window; return the page and column of each."""
    chip = blank()
    chip.command(0xA0, 0x20, mode, 0x21, *columns, 0x22, *pages)
    chip.data([byte + 1 for byte in range(count)])
    return [divmod(chip.memory.index(byte + 1), COLUMNS) for byte in range(count)]


def test_horizontal_addressing_runs_along_the_columns_then_down_a_page() -> None:
    """SSD1306, 10.1.3."""
    assert written(HORIZONTAL, (5, 7), (2, 3), 6) == [(2, 5), (2, 6), (2, 7), (3, 5), (3, 6), (3, 7)]


@pytest.mark.parametrize("name", ["ssd1306", "ssd1309"])
def test_without_a_window_the_whole_memory_is_one(name: str) -> None:
    """SSD1306, 8.5 and 10.1.4: after a reset, columns 0 to 127 and pages 0 to 7."""
    chip = blank(name)
    chip.command(0xA0, 0x20, HORIZONTAL)
    chip.data([1] * len(chip.memory) + [2])
    assert [chip.memory[0], *set(chip.memory[1:])] == [2, 1]
    assert chip.bytes_taken == 2 + len(LIGHT[name]) + 3 + len(chip.memory) + 1


def test_vertical_addressing_runs_down_the_pages_then_to_the_next_column() -> None:
    assert written(VERTICAL, (5, 7), (2, 3), 6) == [(2, 5), (3, 5), (2, 6), (3, 6), (2, 7), (3, 7)]


def test_page_addressing_stays_in_its_page() -> None:
    """SSD1306, 10.1.1, 10.1.2 and 10.1.13: page and column are set apart, the window is not heeded."""
    chip = blank()
    chip.command(0xA0, 0x20, PAGE, 0xB3, 0x0E, 0x17)  # page 3, column 0x7E
    chip.data([1, 2, 3])
    assert [chip.memory.index(byte) for byte in (1, 2, 3)] == [3 * COLUMNS + column for column in (126, 127, 0)]


@given(st.sampled_from([HORIZONTAL, VERTICAL]), st.data())
def test_a_full_window_begins_again_at_its_corner(mode: int, data: st.DataObject) -> None:
    """What the driver relies on: no byte lands outside its window."""
    columns = data.draw(st.tuples(st.integers(0, 127), st.integers(0, 127)).map(sorted))
    pages = data.draw(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted))
    size = (columns[1] - columns[0] + 1) * (pages[1] - pages[0] + 1)
    chip = blank()
    chip.command(0xA0, 0x20, mode, 0x21, *columns, 0x22, *pages)
    chip.data([1] * size)
    assert sum(chip.memory) == size
    chip.data([2])
    assert chip.memory[pages[0] * COLUMNS + columns[0]] == 2


def test_an_sh1106_counts_on_to_its_last_column_and_stops() -> None:
    """SH1106, 1 and 2: "incremented during each access until address 132 is accessed"; the page stays."""
    chip = blank("sh1106")
    chip.command(0xA0, 0xB3, 0x02, 0x18)  # page 3, column 0x82
    chip.data([1, 2, 3])
    assert [place for place, byte in enumerate(chip.memory) if byte] == [3 * 132 + 130, 3 * 132 + 131]


def test_an_sh1106_shows_the_middle_128_of_its_132_columns() -> None:
    """Modules sold as SSD1306 are often SH1106, two columns off."""
    chip = blank("sh1106")
    chip.command(0xB0, 0x00, 0x10)
    chip.data([1] * 3)
    assert where(chip) == [(0, 0)]


@pytest.mark.parametrize("code", [0x21, 0x22, 0x2E, 0xE0])
def test_an_sh1106_knows_no_windows(code: int) -> None:
    """SH1106, table of commands: after 1Fh comes 30h."""
    with pytest.raises(ValueError, match=f"SH1106 knows no command {code:#04x}"):
        Sh1106().command(code)


@every_chip
@pytest.mark.parametrize("code", [0x2F, 0xA8 - 1 + 0x40, 0xB8, 0xFF])
def test_a_command_the_chip_does_not_know_is_a_fault(name: str, code: int) -> None:
    with pytest.raises(ValueError, match=f"{code:#04x}"):
        CHIPS[name]().command(code)


def test_a_command_of_another_chip_is_a_fault() -> None:
    for chip, codes in ((Ssd1306(), (0xC1,)), (Ssd1306(), (0xFD,)), (Ssd1306(), (0xAD,)), (Ssd1309(), (0x30,))):
        with pytest.raises(ValueError, match=f"{codes[0]:#04x}"):
            chip.command(*codes)


@pytest.mark.parametrize("codes", [(0x81,), (0x21, 4), (0xAE, 0x22)])
def test_a_command_without_its_parameters_is_a_fault(codes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="more bytes"):
        Ssd1306().command(*codes)


def test_each_command_takes_as_many_bytes_as_the_datasheet_says() -> None:
    """SSD1306, table 9-1. A byte less, and the next command would be taken for the last one."""
    takes = {
        0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xD3: 1,
        0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
    }  # fmt: skip
    for code in range(0x100):
        for count in range(takes.get(code, 0)):
            with pytest.raises(ValueError, match="more bytes"):
                Ssd1306().command(code, *([0] * count))
    for code in (0x26, 0x27, 0x29, 0x2A, 0xA3, 0xD9):
        chip = Ssd1306()
        chip.command(code, *([0] * takes[code]), 0xAF)
        assert chip.on, hex(code)


def test_a_command_cut_off_by_the_bus_takes_what_comes_next_as_its_rest() -> None:
    chip = blank()
    chip.receive(0x81)
    chip.command(0xAE, 0xA7)
    assert (chip.contrast, chip.on, chip.inverted) == (0xAE, True, True)


@pytest.mark.parametrize("codes", [(0x21, 200, 201), (0x21, 9, 3), (0x22, 8, 9)])
def test_data_for_a_window_off_the_memory_is_a_fault(codes: tuple[int, ...]) -> None:
    """SSD1306, 10.1.4 and 10.1.5: columns 0 to 127, pages 0 to 7, the end not before the start."""
    chip = Ssd1306()
    chip.command(0x20, HORIZONTAL, *codes)
    with pytest.raises(ValueError, match="no window"):
        chip.data([1])


@every_chip
@settings(max_examples=examples(20))
@given(st.binary(min_size=1024, max_size=1024))
def test_lumas_own_driver_shows_the_picture_it_was_given(name: str, bits: bytes) -> None:
    """A driver that is not ours, through its whole start-up: the glass is mounted as modules mount it."""
    chip, image = CHIPS[name](), Image.frombytes("1", (COLUMNS, ROWS), bits)
    with pytest.MonkeyPatch.context() as patch:
        if flattened := getattr(Image.Image, "get_flattened_data", None):  # what luma calls is gone in Pillow 14
            patch.setattr(Image.Image, "getdata", flattened, raising=False)
        panel = getattr(device, name)(chip)
        panel.persist = True
        panel.display(image)
    assert chip.picture().tobytes() == image.tobytes()


def test_an_ssd1306_is_dark_while_its_display_or_its_pump_is_off() -> None:
    """SSD1306, 10.1.12, and 2.1 of the application note behind it."""
    chip = Ssd1306()
    chip.command(0xA5)
    assert not chip.picture().getbbox()
    chip.command(0xAF)
    assert not chip.picture().getbbox()
    chip.command(0x8D, 0x14)
    assert chip.picture().getbbox() == (0, 0, 128, 64)


def test_an_ssd1309_has_no_charge_pump_and_an_sh1106_has_one_that_is_on_by_default() -> None:
    """SH1106, 10: DC-DC, after power-on 8Bh."""
    for chip in (Ssd1309(), Sh1106()):
        chip.command(0xA5, 0xAF)
        assert chip.picture().getbbox() == (0, 0, 128, 64)
    chip.command(0xAD, 0x8A)
    assert not chip.picture().getbbox()
    chip.command(0xAD, 0x8B)
    assert chip.picture().getbbox()


def test_a_locked_ssd1309_takes_neither_commands_nor_data_until_it_is_opened() -> None:
    """SSD1309, table 9-1, FDh: no command but itself, no access to the memory."""
    chip = blank("ssd1309")
    chip.command(0xFD, 0x16, 0xAE, 0x81, 3)
    chip.data([1])
    assert (chip.on, chip.contrast, any(chip.memory)) == (True, 0x7F, False)
    chip.command(0xFD, 0x12, 0x81, 3)
    chip.data([1])
    assert (chip.contrast, any(chip.memory)) == (3, True)


@pytest.mark.parametrize(("chip", "codes"), [(Ssd1309(), (0xFD, 0x13)), (Sh1106(), (0xAD, 0x00))])
def test_a_setting_the_command_does_not_have_is_a_fault(chip: Ssd1306, codes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"{codes[1]:#04x} is neither"):
        chip.command(*codes)


@every_chip
def test_inverted_every_dot_turns(name: str) -> None:
    chip = blank(name)
    chip.command(0x02 if name == "sh1106" else 0x00, 0x10, 0xB0)
    chip.data([1])
    assert where(chip) == [(0, 0)]
    chip.command(0xA7)
    assert sum(chip.dots()) == 128 * 64 - 1


@every_chip
def test_a_column_is_turned_round_as_it_is_written_a_row_as_it_is_shown(name: str) -> None:
    """SSD1306, 10.1.8: what is in the memory already stays; 10.1.14: the picture turns at once."""
    chip = blank(name)
    first = 0x02 if name == "sh1106" else 0x00
    chip.command(first, 0x10, 0xB0)
    chip.data([1])
    chip.command(0xA0, first, 0x10, 0xB0)
    chip.data([2])
    assert where(chip) == [(0, 0), (127, 1)]
    chip.command(0xC0)
    assert where(chip) == [(127, 62), (0, 63)]


@every_chip
def test_start_line_and_offset_move_the_picture_round(name: str) -> None:
    """SSD1306, 10.1.6 and 10.1.15."""
    chip = blank(name)
    chip.command(0x02 if name == "sh1106" else 0x00, 0x10, 0xB1)
    chip.data([1])
    assert where(chip) == [(0, 8)]
    chip.command(0x43)
    assert where(chip) == [(0, 5)]
    chip.command(0x40, 0xD3, 0x09)
    assert where(chip) == [(0, 63)]


@every_chip
def test_rows_that_are_not_driven_are_dark(name: str) -> None:
    """SSD1306, 10.1.11; 16 rows are the fewest."""
    chip = blank(name)
    chip.command(0xA5, 0xA8, 0x0F)
    assert chip.picture().getbbox() == (0, 48, 128, 64)
    with pytest.raises(ValueError, match="rows"):
        chip.command(0xA8, 0x0E)


@every_chip
def test_pulled_it_answers_nothing_and_plugged_in_it_knows_nothing(name: str) -> None:
    """SSD1306, 8.5 and 8.9: off, as after a reset, and a memory that holds whatever it happens to."""
    chip = blank(name)
    chip.command(0x81, 3)
    chip.pull()
    assert not chip.picture().getbbox()
    for transfer in (lambda: chip.command(0xAF), lambda: chip.data([1])):
        with pytest.raises(OSError, match="Remote I/O error"):
            transfer()
    chip.plug()
    assert (chip.on, chip.contrast, chip.mode) == (False, 0x7F, PAGE)
    noise = bytes(chip.memory)
    assert 0.4 < sum(byte.bit_count() for byte in noise) / 8 / len(noise) < 0.6
    chip.pull()
    chip.plug()
    assert bytes(chip.memory) != noise


@every_chip
def test_a_reset_line_leaves_the_memory(name: str) -> None:
    chip = blank(name)
    chip.data([1])
    before = bytes(chip.memory)
    chip.reset()
    assert (chip.on, bytes(chip.memory)) == (False, before)
