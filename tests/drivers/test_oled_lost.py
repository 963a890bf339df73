"""A panel that is lost for hours: each attempt to reach it leaves nothing behind."""

from __future__ import annotations

import atexit
import gc
import tracemalloc

import pytest

from tests.kit.glass import Wire, picture
from tests.kit.patience import patiently
from umpi.drivers import oled_link as link
from umpi.drivers.oled import Oled
from umpi.drivers.oled_panel import OledPanel, open_panel
from umpi.simulator.chip import Ssd1306

REBUILT = 200


def test_a_bus_without_an_answering_panel_is_released() -> None:
    """A file descriptor each: at one attempt in 5 s the 1,024 of a process are gone in an hour and a half."""
    bus = Wire(Ssd1306(), failures=1)
    with pytest.raises(OSError, match="Remote"):
        open_panel("ssd1306", bus)
    assert bus.closed == 1


@pytest.mark.slow
def test_a_panel_built_200_times_leaves_nothing() -> None:
    """Each luma device rebuilt leaks about 130 KiB through atexit."""

    def rebuild() -> None:
        for _ in range(REBUILT):
            open_panel("ssd1306", Wire(Ssd1306())).close()
            with pytest.raises(OSError, match="Remote"):
                open_panel("ssd1306", Wire(Ssd1306(), failures=1))

    def kept() -> int:
        """Return how many bytes are left of it. Other threads of this process may add some in one round."""
        tracemalloc.start()
        rebuild()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return after

    rebuild()
    gc.collect()
    hooks = atexit._ncallbacks()
    assert min(kept() for _ in range(3)) < REBUILT * 100, "bytes, over 400 panels, in each of three rounds"
    assert atexit._ncallbacks() == hooks


def test_an_unexpected_exception_is_reported_as_a_device_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each device has a status and a reason; a thread that ended unheard has none."""
    monkeypatch.setattr(link, "PAUSES_MS", (0,))
    reasons: list[str] = []
    attempts = iter([ModuleNotFoundError("No module named 'smbus2'")])

    def open_it() -> OledPanel:
        for fault in attempts:
            raise fault
        return open_panel("ssd1306", Ssd1306())

    panel = Oled(open_it, "ssd1306", reasons.append)
    panel.show(picture())
    patiently(panel.wait_shown)
    assert reasons == ["ModuleNotFoundError: No module named 'smbus2'", ""]
    panel.close()
