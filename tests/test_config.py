"""umpi.toml: defaults that run anywhere; whatever is wrong is told with file, line and what would be right."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from umpi.config import COLOURS, SECTIONS, BadConfig, Config, read_config


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "umpi.toml"


def refusal(file: Path, text: str | bytes) -> str:
    """Why a configuration is refused, "" where it is not."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        read_config(file)
    except BadConfig as fault:
        return str(fault)
    return ""


def test_without_a_file_and_with_an_empty_one_everything_has_a_default(file: Path) -> None:
    file.write_text("# nothing\n")
    assert read_config(None) == read_config(file) == Config()
    pins = [*Config().seats.values(), *Config().lamps.values(), *Config().navigation.values(), Config().sounder]
    assert len({*pins, 2, 3}) == len(pins) + 2, "no pin twice, none of the display's"
    assert all(pin >= 9 for pin in Config().lamps.values()), "facts.md: lamps on 9 to 27, which pull down at boot"


def test_the_journal_lies_where_the_desktop_keeps_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert read_config(None).journal == tmp_path / "umpi" / "games.db"


def test_what_the_file_says_counts_and_the_rest_stays(file: Path) -> None:
    file.write_text(
        '[box]\njournal = "~/games.db"\nplayers = ["Zoë", "Ernő"]\n[seats]\nred = 8\n[display]\nchip = "sh1106"\n'
        'address = 0x3D\ncontrast = 255\nbus = 0\n[sounder]\npin = 9\nsilent = true\n[pins]\nfactory = "rpigpio"\n'
    )
    config = read_config(file)
    assert config.journal == Path.home() / "games.db"
    assert config.players == ("Zoë", "Ernő")
    assert config.seats == {**Config().seats, "red": 8}
    assert (config.display, config.display_address, config.display_bus) == ("sh1106", 0x3D, 0)
    assert (config.contrast, config.sounder, config.silent, config.factory) == (255, 9, True, "rpigpio")


WHOLE_PIN = "a whole number from 0 to 27 is needed."
BAD = [
    ("[seat]\nred = 8\n", "line 1: there is no section [seat]. Did you mean seats?"),
    ("\n[wheels]\n", "line 2: there is no section [wheels]. There are: box, pins, seats, lamps, navigation"),
    ("red = 8\n", "line 1: there is no section [red]."),
    ("[seats]\n\nrde = 8\n", "line 3: [seats] has no rde. Did you mean red?"),
    ("[seats]\npink = 8\n", "line 2: [seats] has no pink. There are: red, blue, yellow, green, white, black."),
    ('[display]\ncolour = "red"\n', "line 2: [display] has no colour. There are: chip, bus, address, contrast."),
    ("[sounder]\nslient = true\n", "line 2: [sounder] has no slient. Did you mean silent?"),
    ("[seats]\nred = 28\n", f"line 2: [seats] red = 28: {WHOLE_PIN}"),
    ("[seats]\nred = -1\n", f"line 2: [seats] red = -1: {WHOLE_PIN}"),
    ('[seats]\nred = "16"\n', f"line 2: [seats] red = '16': {WHOLE_PIN}"),
    ("[seats]\nred = 16.0\n", f"line 2: [seats] red = 16.0: {WHOLE_PIN}"),
    ("[lamps]\nred = true\n", f"line 2: [lamps] red = True: {WHOLE_PIN}"),
    ("[seats]\nred = 8\n[lamps]\nred = 28\n", f"line 4: [lamps] red = 28: {WHOLE_PIN}"),
    ("[seats]\nred = 20\n", "line 2: [seats] red = 20: pin 20 is already seats.yellow. Pin 8 is free."),
    ("[lamps]\nred = 16\n", "line 2: [lamps] red = 16: pin 16 is already seats.red. Pin 8 is free."),
    ("[sounder]\npin = 4\n", "line 2: [sounder] pin = 4: pin 4 is already navigation.up. Pin 8 is free."),
    ("[seats]\nred = 2\n", "line 2: [seats] red = 2: pin 2 is already the display's I²C (SDA). Pin 8 is free."),
    ("[seats]\nred = 9\n[lamps]\nblue = 9\n", "pin 9 is already "),
    ('[display]\nchip = "ssd1305"\n', "line 2: [display] chip = 'ssd1305': one of ssd1306, ssd1309, sh1106 is needed."),
    ("[display]\naddress = 0\n", "line 2: [display] address = 0: a whole number from 8 to 119 is needed."),
    ("[display]\ncontrast = 256\n", "line 2: [display] contrast = 256: a whole number from 0 to 255 is needed."),
    ('[pins]\nfactory = "mock"\n', "line 2: [pins] factory = 'mock': one of "),
    ("[sounder]\nsilent = 1\n", "line 2: [sounder] silent = 1: true or false is needed."),
    ("[box]\njournal = 7\n", "line 2: [box] journal = 7: a path in quotes is needed."),
    ('[box]\njournal = ""\n', "line 2: [box] journal = '': a path in quotes is needed."),
    ('[box]\nplayers = "Ann"\n', "line 2: [box] players = 'Ann': a list of names is needed"),
    ('[box]\nplayers = ["Ann", 7]\n', "line 2: [box] players = ['Ann', 7]: a list of names is needed"),
    ('[box]\nplayers = [""]\n', "line 2: [box] players = ['']: a name has 1 to 24 characters"),
    ('[box]\nplayers = ["   "]\n', "line 2: [box] players = ['   ']: a name cannot be white space alone."),
    ('[box]\nplayers = ["Ann\\n"]\n', "has a control character in it."),
    ("seats = 8\n", "line 1: seats = 8: a section is needed: [seats]."),
    ("[seats\n", "not TOML: "),
    ("[seats]\nred = 8\nred = 9\n", "not TOML: "),
    (b"[box]\n# \xff\n", ""),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_wrong_is_told_with_its_place_and_what_would_be_right(file: Path, text: str, said: str) -> None:
    """style.md: what was wrong, where, what would be right."""
    told = refusal(file, text)
    assert "umpi.toml" in told.split(":")[0]
    assert said in told
    assert "\n" not in told


@pytest.mark.parametrize(
    "text",
    ["seats.red = 99\n", "seats = { red = 99 }\n", '["seats"]\nred = 99\n', "[[seats]]\nred = 9\n", "[seats.a]\n"],
)
def test_however_toml_is_written_the_line_is_told(file: Path, text: str) -> None:
    assert ", line " in refusal(file, text)


def test_a_file_that_is_not_there_is_said_without_a_number_for_a_code(file: Path) -> None:
    with pytest.raises(BadConfig, match=r"umpi\.toml: ") as told:
        read_config(file)
    assert "Errno" not in str(told.value)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="directory"):
        read_config(tmp_path)


keys = st.sampled_from([*SECTIONS, *(key for section in SECTIONS.values() for key in section), "x", "ő", ""])
scalars = st.sampled_from(
    ["0", "8", "28", "-1", "1.5", "nan", "true", '""', '"~nobody-of-this-name/x"', '"a\\u0000b"', "1979-05-27", "'8'"]
) | st.integers().map(str)
values = (
    scalars
    | st.lists(scalars, max_size=3).map(lambda items: f"[{', '.join(items)}]")
    | scalars.map("{{a = {}}}".format)
)
parts = st.builds("[{}]".format, keys) | st.builds("{} = {}".format, keys, values) | st.text(max_size=12)


@settings(max_examples=300)
@given(st.lists(parts, max_size=6).map("\n".join))
@example('[box]\njournal = "~nobody-of-this-name/x"\n')
@example('[box]\njournal = "a\\u0000b"\n')
@example("x = " + "[" * 2000)
@example("x = " + "9" * 5000)
def test_no_configuration_does_more_than_be_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Issue 2, bad input: a message with place and cause, no traceback."""
    file = tmp_path_factory.getbasetemp() / "umpi.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(BadConfig):
        config = read_config(file)
        assert set(config.seats) == set(COLOURS)
        assert "\0" not in str(config.journal)
