"""umpi.toml: the defaults run anywhere; an error names the file, the line and the correct form."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from tests.kit.seen import answered, check_seen
from umpi.box import config_keys
from umpi.box.config import COLOURS, BadConfig, Config, HeadPlan, MqttPlan, SpiPlan, WebPlan
from umpi.box.config_file import find_journal, place_of, read_config
from umpi.box.config_keys import SECTIONS
from umpi.drivers.scanner import Reader
from umpi.i18n import translate
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Settings

WITH_SPI = "[navigation]\nback = 14\n[display]\nspi = 0\ndc = 12\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "umpi.toml"


def refusal(file: Path, text: str | bytes) -> str:
    """Why a configuration is refused, "" where it is not."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode(errors="surrogatepass"))
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
    assert all(pin >= 9 for pin in Config().lamps.values()), "lamps on 9 to 27, which pull down at boot"


def test_the_journal_is_in_the_data_folder_of_the_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert read_config(None).journal == tmp_path / "umpi" / "games.db"


def test_a_language_is_taken_once_it_has_a_catalogue(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translate, "FOLDER", tmp_path)
    assert Config().language == "en"
    assert refusal(file, '[box]\nlanguage = "en"\n') == ""
    text = '[box]\nlanguage = "fr"\n'
    assert refusal(file, text) == "umpi.toml, line 2: [box] language = 'fr': expected one of en."
    (tmp_path / "fr" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "fr" / "LC_MESSAGES" / "umpi.mo").touch()
    assert refusal(file, text) == ""
    assert read_config(file).language == "fr"


READ: list[tuple[str, dict[str, Any]]] = [
    (
        '[box]\njournal = "~/games.db"\nplayers = ["Zoë", "Ernő"]\n[seats]\nred = 8\n[display]\nchip = "sh1106"\n'
        'address = 0x3D\ncontrast = 255\nbus = 0\n[sounder]\npin = 9\nsilent = true\n[pins]\nfactory = "rpigpio"\n'
        "[buttons]\nwhere = 15\nhold_ms = 1200\nrepeat_ms = 0\n",
        {"journal": Path.home() / "games.db", "players": ("Zoë", "Ernő"), "seats": {**Config().seats, "red": 8},
         "display": "sh1106", "display_address": 0x3D, "display_bus": 0, "contrast": 255, "sounder": 9, "silent": True,
         "factory": "rpigpio", "where": 15, "hold_ms": 1200, "repeat_ms": 0},
    ),
    (
        '[head]\n[rail]\n[scanner]\nport = "/dev/ttyACM0"\n',
        {"head": HeadPlan(), "rail": 1, "scanner": {"port": "/dev/ttyACM0"},
         "beam_lines": tuple(f"lane_{lane}" for lane in range(1, 7))},
    ),
    (
        '[sounder]\ntones = true\npin = 12\n[beams]\nlane_1 = 8\nemitters = 11\ndark = "high"\n[rail]\nbus = 0\n'
        '[scanner]\nport = "/dev/ttyUSB*"\nbaud = 115200\npattern = "(?P<code>[0-9]+)"\nagain_ms = 0\n'
        "[gate]\nspeed_mm_s = [700, 1500]\nglitch_us = 500\n",
        {"tones": True, "sounder": 12, "beams": {"lane_1": 8}, "emitters": 11, "dark_low": False, "rail": 0,
         "gate": {"speed_mm_s": (700, 1500), "glitch_us": 500},
         "scanner": {"port": "/dev/ttyUSB*", "baud": 115200, "pattern": "(?P<code>[0-9]+)", "again_ms": 0}},
    ),
    ("[gate]\nspeed_mm_s = [1000, 1000]\n", {"gate": {"speed_mm_s": (1000, 1000)}}),  # all cubes may be equally fast
    ("[head]\nboards = true\n", {"head": HeadPlan(boards=True)}),
    (
        '[head]\nport = "/dev/ttyACM1"\nlanes = 2\nbeams = 2\nwall = true\ndark = "high"\nlane_2 = 28\nsecond_1 = 15\n',
        {"head": HeadPlan("/dev/ttyACM1", 2, 2, True, False, {"lane_2": 28, "second_1": 15}),
         "beam_lines": ("lane_1", "lane_2", "second_1", "second_2")},
    ),
    (
        WITH_SPI + "device = 1\nselect = 15\nreset = 0\nupside_down = true\ndim_after_s = 60\noff_after_s = 0\n",
        {"display_spi": SpiPlan(dc=12, port=0, device=1, select=15), "display_reset": 0, "upside_down": True,
         "dim_after_s": 60, "off_after_s": 0, "display_pins": {12, 15, 0}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "read"), READ)
def test_settings_in_the_file_replace_the_defaults(file: Path, text: str, read: dict[str, Any]) -> None:
    file.write_text(text)
    config = read_config(file)
    assert {name: getattr(config, name) for name in read} == read
    assert config.scanner is None or Reader(**config.scanner) == Reader(**read["scanner"])


PLANS = {"gate": Settings, "head": HeadPlan, "desk": WebPlan, "mqtt": MqttPlan, "scanner": Reader}


def test_every_key_has_a_field_and_its_value_is_checked() -> None:
    """Pins are entries of a table of pins, and [display] has a plan of its own for SPI."""
    pins = config_keys.PIN, config_keys.PICO_PIN
    for section, keys in SECTIONS.items():
        names = {field.name for plan in (PLANS.get(section, Config), SpiPlan) for field in fields(plan)}
        for name, key in keys.items():
            assert key.check in pins or (key.field or name) in names or section == "rail", (section, name)
            assert key.check(object()), (section, name)


def test_a_head_without_a_scanner_is_read_without_the_serial_ports_library() -> None:
    """pyserial takes long to import, and is looked for only where a scanner's speed is to be checked."""
    program = "import sys, umpi.box.config_file; print('serial' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


NUMBERS = sorted({
    *range(-1, 130), *(edge + step for step in (-1, 0, 1) for edge in (
        200, 255, 450, 1000, 2000, 3000, 9999, 10_000, 60_000, 65_535, 86_400, 100_000, 10**6, 3_600_000, 4_000_000))
})  # fmt: skip
VALUES: tuple[Any, ...] = (
    True, False, 0.9, 1.0, 1.5, 2.0, 2.1, "", "a", "a\nb", "a\0b", "~/x", "~nobody-of-this-name/x", "low", "high",
    "head", "gpiod", "lgpio", "rpigpio", "ssd1306", "ssd1309", "sh1106", "en", "xx", "localhost", "0.0.0.0", "::1",
    "10.0.0.0/8", "10.0.0.1/8", "https://a.example/b", "http://a.example/b", "https://", "https://a:0/",
    "https://a:99999/", "https://a/b c", "https://é.example/", "https://a/\x7f", ["Ann", "Ben"], [""], [7], [],
    ["a-b.example"], ["A.b"], ["-a"], ["a-"], ["a_b"], ["a:80"], ["a..b"], ["x" * 63], ["x" * 64], [900, 1400], [1, 1],
    [0, 1], [9999, 10_000], [1, 10_001], [2, 1], [1, 2, 3], [1.0, 2], None, {},
)  # fmt: skip


def spans(numbers: list[int]) -> str:
    """Numbers without their gaps, as far as they are next to each other in NUMBERS."""
    spans: list[list[int]] = []
    for place, number in enumerate(NUMBERS):
        if number in numbers:
            if spans and place and NUMBERS[place - 1] == spans[-1][-1]:
                spans[-1].append(number)
            else:
                spans.append([number])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 1 else f"{span[0]}" for span in spans)


def checked() -> Iterator[str]:
    """Each check with what it takes and its message; below it each key that has it, its field, and a value as read."""
    keys = [(section, name, key) for section, keys in SECTIONS.items() for name, key in keys.items()]
    for check in dict.fromkeys(key.check for _, _, key in keys):
        taken = [value for value in VALUES if not check(value)]
        said = dict.fromkeys(check(value) for value in (None, [""], ["  "], ["a\0"]))
        shown = [spans([number for number in NUMBERS if not check(number)]), *map(shortened, taken)]
        yield f"{'; '.join(filter(None, said))}:"
        yield from wrap(", ".join(filter(None, shown)), 110, initial_indent="  ", subsequent_indent="  ")
        for section, name, key in (each for each in keys if each[2].check is check):
            sample = "~/x" if "~/x" in taken else ["a"] if [] in taken else [*taken, 9][0]
            read = shortened(key.read(sample))
            default = "" if key.default is None else f", usually {key.default}"
            yield f"- {section}.{name} as {key.field or name}: {read}{default}"


def shortened(value: object) -> str:
    """A value in one line, the same on each system."""
    return f"{value!r}".replace("x" * 60, "x…").replace("PosixPath", "Path")


def test_each_key_takes_what_somebody_has_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes config_keys.txt; read what is different."""
    monkeypatch.setattr(translate, "FOLDER", tmp_path)
    monkeypatch.setenv("HOME", "/home/umpi")
    check_seen(Path(__file__).with_name("config_keys.txt"), checked())


REFUSALS = Path(__file__).with_name("refusals.txt")


def test_each_refusal_is_one_that_somebody_has_read(file: Path) -> None:
    """What was wrong, where, what would be right. After a change on purpose: UMPI_APPROVE=1 writes refusals.txt."""
    check_seen(REFUSALS, answered(REFUSALS, partial(refusal, file)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[box]\n# \xff\n", "umpi.toml, line 2: not UTF-8. Save the file as UTF-8."),
        ("[box]\nname = 'Den'\n".encode("utf-16"), "umpi.toml, line 1: not UTF-8. Save the file as UTF-8."),
        ("\ufeff[seats]\r\nred = 28\r\n", "umpi.toml, line 2: [seats] red = 28: expected a whole number from 0 to 27."),
        ("[seats\n", "umpi.toml: not TOML: "),
        ("[seats]\nred = 8\nred = 9\n", "umpi.toml: not TOML: "),
        ("# a\u2028b\n[seats]\nred = 28\n", "line 3: [seats] red = 28: expected a whole number from 0 to 27."),
        ("seats.red" + 5000 * ".a" + " = 1\n", "…: expected a whole number from 0 to 27."),
        (f"[seats]\nred = 0x{5000 * 'f'}\n", "line 2: [seats] red = …: expected a whole number from 0 to 27."),
    ],
)
def test_what_is_hardly_a_configuration_is_refused_too(file: Path, text: str | bytes, message: str) -> None:
    error = refusal(file, text)
    assert "umpi.toml" in error.split(":")[0]
    assert message in error
    assert "\n" not in error


def test_a_file_as_windows_saves_it_is_read_like_any_other(file: Path, tmp_path: Path) -> None:
    """Its editors may begin it with a mark, and end its lines in two characters."""
    (tmp_path / "target.json").write_bytes(b"\xef\xbb\xbf300\r\n")
    text = f'[options]\ntarget = "@target.json"\n[box]\njournal = "{tmp_path}/of-windows.db"\nname = "Műhely"\n'
    file.write_text(text, encoding="utf-8-sig", newline="\r\n")
    config = read_config(file)
    assert (config.options, config.name) == ({"target": 300}, "Műhely")
    assert find_journal(file) == config.journal == tmp_path / "of-windows.db"
    assert place_of(file, "options", "target") == "umpi.toml, line 2"


def test_on_spi_the_pins_of_i2c_are_free(file: Path) -> None:
    assert refusal(file, WITH_SPI + "[seats]\nred = 2\n") == ""
    assert set(read_config(file).bus_pins) == {7, 8, 9, 10, 11}


def test_a_missing_file_is_reported_without_an_error_number(file: Path) -> None:
    with pytest.raises(BadConfig, match=r"umpi\.toml: ") as error:
        read_config(file)
    assert "Errno" not in str(error.value)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="directory"):
        read_config(tmp_path)


KEYS = [*SECTIONS, *(key for section in SECTIONS.values() for key in section), "x", "ő", "", "\n"]
keys = st.sampled_from(KEYS)
scalars = st.sampled_from(
    ["0", "8", "28", "-1", "1.5", "nan", "true", '""', '"~nobody-of-this-name/x"', '"a\\u0000b"', "1979-05-27", "'8'"]
) | st.integers().map(str)
values = (
    scalars
    | st.lists(scalars, max_size=3).map(lambda items: f"[{', '.join(items)}]")
    | scalars.map("{{a = {}}}".format)
)
parts = st.builds("[{}]".format, keys) | st.builds("{} = {}".format, keys, values) | st.text(max_size=12)


def reads_or_refuses(file: Path, text: str) -> None:
    """Whatever is read, a box can be built of; whatever is not is refused in one line that names the file."""
    message = refusal(file, text)
    if message:
        assert "umpi.toml" in message.split(":")[0]
        assert "\n" not in message
        return
    config = read_config(file)
    assert set(config.seats) == set(COLOURS)
    assert "\0" not in str(config.journal)
    pins = [*config.seats.values(), *config.lamps.values(), *config.navigation.values(), config.sounder]
    pins += [*config.beams.values(), *([] if config.emitters is None else [config.emitters]), *config.bus_pins]
    assert len(pins) == len(set(pins))
    assert Funnel(config.beam_lines or ["lane_1"], config.gate).settings.refusal() == ""
    assert config.scanner is None or Reader(**config.scanner).refusal() == ""


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(st.lists(parts, max_size=6).map("\n".join))
@example('[box]\njournal = "~nobody-of-this-name/x"\n')
@example('[box]\njournal = "a\\u0000b"\n')
@example("x = " + "[" * 2000)
@example("x = " + "9" * 5000)
def test_no_configuration_does_more_than_be_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """A message with place and cause, no traceback."""
    reads_or_refuses(tmp_path_factory.getbasetemp() / "umpi.toml", text)


LIKELY: dict[str, list[Any]] = {  # so that much of it is read, and what fits alone meets what does not fit with it
    "journal": ["games.db"], "players": [["Ann", "Ben"]], "factory": ["gpiod", "mock"], "chip": ["sh1106"],
    "port": ["/dev/ttyACM0", ""], "pattern": ["(?P<code>.+)", "(?", "(?<\n"], "baud": [9600, 115200, 51],
    "dark": ["low", "high"], "wall": [True], "tones": [True], "silent": [False], "emitters": [8, 11],
    "speed_mm_s": [[900, 1400], [1, 9000]], "contrast": [0], "late_ms": [20], "bus": [0, 1], "lanes": [1, 6],
    "pin": [9, 12, 13], "lane_1": [3, 8, 9],
}  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=8)
leaves = texts | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.integers(0, 32)
shapes = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=2))


def keys_of(section: str) -> st.SearchStrategy[dict[str, Any]]:
    keys = st.lists(st.sampled_from(list(SECTIONS[section])), max_size=3, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: value_of(key) for key in chosen}))


def value_of(key: str) -> st.SearchStrategy[Any]:
    likely = st.sampled_from(LIKELY.get(key, [8, 9, 15, 50]))
    return st.integers(0, 9).flatmap(lambda die: likely if die else shapes)


def as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_toml(key)} = {as_toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


sections = st.lists(st.sampled_from(list(SECTIONS)), max_size=3, unique=True).flatmap(
    lambda chosen: st.fixed_dictionaries({section: keys_of(section) for section in chosen})
)


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(sections | st.dictionaries(keys | texts, shapes, max_size=3))
def test_whatever_the_keys_hold_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, Any]
) -> None:
    text = "".join(f"{as_toml(key)} = {as_toml(value)}\n" for key, value in content.items())
    reads_or_refuses(tmp_path_factory.getbasetemp() / "umpi.toml", text)
