"""What no conversation of the guide shows: pins that are free again, what is logged, a receiver of two lanes."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero import InputDevice
from workbench import LANES, Workbench

from umpi.box.config import Config, HeadPlan, SpiPlan
from umpi.doctor.buttons import free_pins
from umpi.doctor.light import _at_head
from umpi.doctor.visit import Visit


def test_an_unused_pin_is_free_again_after_the_step(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db"))
    bench.guide("buttons")
    InputDevice(9, pin_factory=bench.pins).close()


def test_a_free_pin_that_another_program_holds_is_done_without(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db"))
    with InputDevice(9, pin_factory=bench.pins):
        assert {finding.status for finding in bench.guide("buttons")} == {"ok"}


def test_pins_that_something_uses_are_never_opened_as_an_input() -> None:
    assert not {2, 3} & set(free_pins(Config()))
    assert free_pins(Config(display_bus=4)) == []
    spi = Config(display_spi=SpiPlan(dc=12, select=15), display_reset=14, navigation={})
    assert not {7, 8, 9, 10, 11, 12, 14, 15} & set(free_pins(spi))
    assert not {14, 15} & set(free_pins(Config(scanner={"port": "/dev/serial0"})))
    assert 15 not in free_pins(Config(where=15))


def test_an_exception_of_a_device_is_a_finding_and_is_logged_with_its_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", beams=LANES, emitters=10))

    def burn() -> None:
        raise RuntimeError("smoke")

    bench.box.emitters.off = burn
    (found,) = [finding for finding in bench.guide("beams") if finding.device == "emitters"]
    assert found.what == "RuntimeError: smoke"
    assert "in burn" in caplog.text


class CrossedHead:
    """A head whose receiver of lane 2 also sees the emitter of lane 1, and which may be in the sun."""

    dark: frozenset[str] = frozenset()

    def __init__(self, sun: frozenset[str] = frozenset()) -> None:
        self.on, self.sun = {1, 2}, sun

    def emit(self, lane: int, on: bool, timeout_s: float = 1.0, mute: bool = True) -> frozenset[str]:
        (self.on.add if on else self.on.discard)(lane)
        lit = {f"lane_{each}" for each in self.on} | ({"lane_2"} if 1 in self.on else set()) | self.sun
        return frozenset({"lane_1", "lane_2"} - lit)


@pytest.mark.parametrize(("sun", "found"), [(frozenset(), "lane_2 see the emitter of lane 1"), ({"lane_2"}, "")])
def test_a_receiver_that_sees_another_lane_is_named(tmp_path: Path, sun: frozenset[str], found: str) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", head=HeadPlan(lanes=2, beams=1)))
    visit = Visit(bench.config, bench.box, bench)
    bench.box.head, real = CrossedHead(frozenset(sun)), bench.box.head
    try:
        findings = [finding.what for finding in _at_head(visit, 2)]
        assert (found in findings) if found else findings[0].startswith("lane_2 saw light")
        assert bench.box.head.on == {1, 2}, "all shine again"
    finally:
        bench.box.head = real
