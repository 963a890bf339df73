"""Each press that was asked for is judged: right, elsewhere, nowhere, everywhere, without end or in tatters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import InputDevice
from workbench import Workbench

from umpi.box.config import Config, SpiPlan
from umpi.doctor.buttons import free_pins
from umpi.doctor.finding import Finding


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db"))


def pressed(bench: Workbench, name: str, habit: Callable[[], object]) -> Finding:
    """What is found of a button where something else is done than pressing it."""
    bench.at(f"Press {name}", lambda _: habit())
    return next(finding for finding in bench.guide("buttons") if finding.device == f"button {name}")


def test_every_button_that_reacts_on_its_own_pin_is_well(bench: Workbench) -> None:
    findings = bench.guide("buttons")
    assert [finding.status for finding in findings] == ["ok"] * 10
    assert findings[0] == Finding("button red", "ok", "GPIO16 (header pin 36)")


def test_a_wrong_finger_may_try_again(bench: Workbench) -> None:
    bench.at("Press red.$", lambda _: bench.press("blue"))
    bench.at("Press red once more", lambda _: bench.press("red"))
    assert bench.guide("buttons")[0].status == "ok"


def test_a_button_wired_to_an_unused_pin_is_found_there(bench: Workbench) -> None:
    found = pressed(bench, "ok", lambda: bench.pulse(9))
    assert found.status == "failed"
    assert "GPIO9 (header pin 21)" in found.what
    assert "write ok = 9 under [navigation]" in found.do


def test_an_unused_pin_is_free_again_after_the_step(bench: Workbench) -> None:
    bench.guide("buttons")
    InputDevice(9, pin_factory=bench.pins).close()


def test_a_free_pin_that_another_program_holds_is_done_without(bench: Workbench) -> None:
    with InputDevice(9, pin_factory=bench.pins):
        assert {finding.status for finding in bench.guide("buttons")} == {"ok"}


def test_the_bus_of_the_display_is_never_opened_as_an_input() -> None:
    assert not {2, 3} & set(free_pins(Config()))
    assert free_pins(Config(display_bus=4)) == []
    spi = Config(display_spi=SpiPlan(dc=12, select=15), display_reset=14, navigation={})
    assert not {7, 8, 9, 10, 11, 12, 14, 15} & set(free_pins(spi))
    assert not {14, 15} & set(free_pins(Config(scanner={"port": "/dev/serial0"})))


def test_a_button_that_is_down_from_the_start_is_not_asked_for(bench: Workbench) -> None:
    bench.pins.pin(16).drive_low()
    assert "down before anybody presses" in bench.guide("buttons")[0].what
    assert "Press red." not in bench.messages


def test_tolerated_chatter_is_fine_and_reported_only_if_there_is_much(bench: Workbench) -> None:
    few = [0, 1, 2, 100, 101, 102]
    assert pressed(bench, "red", lambda: bench.press("red", few)).what == "GPIO16 (header pin 36)"
    much = [0.5 * edge for edge in range(15)] + [100 + 0.5 * edge for edge in range(7)]
    found = pressed(bench, "blue", lambda: bench.press("blue", much))
    assert found.status == "ok"
    assert "22 edges" in found.what


def test_chatter_beyond_it_counts_as_presses_and_is_doubtful(bench: Workbench) -> None:
    found = pressed(bench, "red", lambda: bench.press("red", [0, 20, 40, 60, 80, 100]))
    assert (found.status, found.what.partition(":")[0]) == ("warning", "one press counts as 3")


def test_a_button_for_where_we_are_is_tested_as_the_others_and_its_pin_is_not_free(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", where=15))
    findings = bench.guide("buttons")
    assert findings[-1] == Finding("button where", "ok", "GPIO15 (header pin 10)")
    assert 15 not in free_pins(bench.config)


def test_a_trembling_finger_is_well_if_the_box_takes_it_for_one_press(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", repeat_ms=50))
    assert pressed(bench, "red", lambda: bench.press("red", [0, 20, 40, 60, 80, 100])).status == "ok"


def test_pins_that_are_joined_are_both_named(bench: Workbench) -> None:
    def both() -> None:
        bench.press("red")
        bench.press("blue", [0.01, 100])

    found = pressed(bench, "red", both)
    assert found.status == "failed"
    assert "red on GPIO16 (header pin 36), blue on GPIO17 (header pin 11)" in found.what


def test_a_pin_that_cannot_be_opened_is_out_with_the_reason(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db")
    config = replace(config, seats={**config.seats, "red": 17})
    found = Workbench(config).guide("buttons")
    assert (found[1].device, found[1].status) == ("button blue", "failed")
    assert "GPIO17" in found[1].what


def test_enter_skips_one_button(bench: Workbench) -> None:
    assert pressed(bench, "red", lambda: bench.type("")) == Finding("button red", "not tested", "skipped")
    assert bench.messages[-1] == "Press back."


def test_q_ends_the_guide(bench: Workbench) -> None:
    bench.at("Press blue", lambda _: bench.type("q"))
    assert [finding.device for finding in bench.guide()] == ["button red"]
