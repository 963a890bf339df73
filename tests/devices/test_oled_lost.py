"""A panel that is lost for hours: each attempt to reach it leaves nothing behind."""

from __future__ import annotations

import atexit

import pytest

from umpi.devices import oled
from umpi.devices.oled import Oled, open_panel
from umpi.panel.sheet import Sheet
from umpi.sim.chip import Ssd1306

ATTEMPTS = 5


class Bus(Ssd1306):
    """A bus where nobody answers; it counts who lets go of it."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = 0

    def command(self, *told: int) -> None:
        raise OSError("Remote I/O error")

    def cleanup(self) -> None:
        self.closed += 1


def test_a_bus_where_no_panel_answers_is_let_go() -> None:
    """A file descriptor each: at one attempt in 5 s the 1,024 of a process are gone in an hour and a half."""
    bus = Bus()
    with pytest.raises(OSError, match="Remote"):
        open_panel("ssd1306", bus)
    assert bus.closed == 1


def test_attempts_do_not_pile_up_what_is_done_at_exit() -> None:
    """facts.md: each device rebuilt leaks about 130 KiB through atexit."""
    before = atexit._ncallbacks()
    for _ in range(ATTEMPTS):
        with pytest.raises(OSError, match="Remote"):
            open_panel("ssd1306", Bus())
    assert atexit._ncallbacks() - before < ATTEMPTS


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_nobody_thought_of_is_told_as_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """design.md: each device has a status and a reason; a thread that ended unheard has none."""
    monkeypatch.setattr(oled, "PAUSES_S", (0.0,))
    attempts = iter([ModuleNotFoundError("No module named 'smbus2'")])
    bus = Ssd1306()

    def open_it() -> object:
        for fault in attempts:
            raise fault
        return open_panel("ssd1306", bus)

    panel = Oled(open_it, "ssd1306")
    panel.show(Sheet().image)
    assert panel.wait_shown(1) or "smbus2" in panel.trouble
    panel.close()
