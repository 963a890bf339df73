"""Lamps, sounds and the display are what somebody says they are; scanner and wall what comes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from workbench import SOON_MS, Workbench, statuses

from umpi.box.config import Config, HeadPlan
from umpi.doctor.face import SOUND_TEXTS
from umpi.doctor.finding import Finding


def made(tmp_path: Path, **config: Any) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db", **config))


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return made(tmp_path)


def test_each_lamp_is_lit_alone_and_dark_after_it(bench: Workbench) -> None:
    assert set(statuses(bench.guide("lamps")).values()) == {"ok"}
    assert bench.lit() == []


def test_exchanged_lamps_are_named(bench: Workbench) -> None:
    bench.at("the red lamp", lambda _: bench.press("blue"))
    found = bench.guide("lamps")[0]
    assert found.what == "GPIO24 (header pin 18) lights the blue lamp: are red and blue exchanged?"


def test_a_lamp_that_is_not_lit_is_out(bench: Workbench) -> None:
    bench.at("the red lamp", lambda _: bench.press("back"))
    bench.at("the blue lamp", lambda _: bench.type("n"))
    assert [finding.status for finding in bench.guide("lamps")] == ["failed"] * 2 + ["ok"] * 4


def test_an_answer_may_be_typed(bench: Workbench) -> None:
    bench.at("the red lamp", lambda _: bench.type("y"))
    assert bench.guide("lamps")[0].status == "ok"


def test_an_answer_that_chatters_is_one_answer(bench: Workbench) -> None:
    bench.at("the red lamp", lambda _: bench.press("red", [0, 3, 4, 90, 91, 95, 96, 99]))
    assert set(statuses(bench.guide("lamps")).values()) == {"ok"}


def test_a_step_without_an_answer_is_unproven(bench: Workbench) -> None:
    bench.at("the red lamp", lambda _: None)
    assert bench.guide("lamps")[0].status == "not tested"


def test_every_sound_is_made_and_asked_for(bench: Workbench) -> None:
    findings = bench.guide("sounder")
    assert findings == [Finding("sounder", "ok", f"{sound} was heard") for sound in SOUND_TEXTS]


def test_a_sound_that_nobody_hears_is_out(bench: Workbench) -> None:
    bench.at("Did you hear", lambda _: bench.press("back"))
    assert {finding.status for finding in bench.guide("sounder")} == {"failed"}


def test_a_silent_box_is_asked_nothing_of_its_sounder(tmp_path: Path) -> None:
    bench = made(tmp_path, silent=True)
    assert bench.guide("sounder") == [Finding("sounder", "not tested", "this box has none, by its umpi.toml")]


@pytest.mark.parametrize(("chip", "other"), [("ssd1306", "sh1106"), ("sh1106", "ssd1306"), ("ssd1309", "sh1106")])
def test_the_display_is_looked_at(tmp_path: Path, chip: str, other: str) -> None:
    bench = made(tmp_path, display=chip)
    assert bench.guide("display")[0].status == "ok"
    bench.at("Does the display", lambda _: bench.press("back"))
    assert f'chip = "{other}"' in bench.guide("display")[0].do


def test_a_display_that_does_not_answer_is_out(bench: Workbench) -> None:
    class NoOled:
        trouble = "OSError: Remote I/O error"

        def show(self, image: object) -> None: ...

        def wait_shown(self) -> bool:
            return False

    oled: Any = NoOled()
    bench.box.oled = oled
    found = bench.guide("display")[0]
    assert (found.status, found.what) == ("failed", "OSError: Remote I/O error")


def test_a_scan_is_repeated(tmp_path: Path) -> None:
    bench = made(tmp_path, scanner={"port": "/dev/ttyACM0"})
    assert bench.guide("scanner") == [Finding("scanner", "ok", 'it read "fire-4"')]


def test_lines_that_are_no_codes_are_counted(tmp_path: Path) -> None:
    bench = made(tmp_path, scanner={"port": "/dev/ttyACM0"})
    reader = bench.plugs.of("scanner")
    bench.at("Scan any", lambda _: bench.after(SOON_MS, lambda: reader.lines.feed(b"\xff\xfe\r\n", bench.now_ns)))
    assert bench.guide("scanner")[0].what == "1 lines came that are not codes"


def test_a_scanner_that_says_nothing_is_out(tmp_path: Path) -> None:
    bench = made(tmp_path, scanner={"port": "/dev/ttyACM0"})
    bench.at("Scan any", lambda _: None)
    assert bench.guide("scanner")[0].what == "nothing came of a scan"


def test_a_scanner_that_is_pulled_meanwhile_says_so(tmp_path: Path) -> None:
    bench = made(tmp_path, scanner={"port": "/dev/ttyACM0"})
    bench.at("Scan any", lambda _: bench.after(SOON_MS, bench.plugs.of("scanner").pull))
    found = bench.guide("scanner")[0]
    assert (found.status, "unplugged" in found.what) == ("failed", True)


def test_a_knock_is_felt_or_not(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=1, wall=True))
    assert bench.guide("wall")[0].status == "ok"
    bench.at("Knock", lambda _: None)
    assert bench.guide("wall")[0].status == "failed"
