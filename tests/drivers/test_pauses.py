"""How long drivers wait: longer after each failure, and never longer than a person at the table has patience."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from umpi.drivers import buses, head_link, oled, oled_link, queue_rail, scanner, tcs34725
from umpi.drivers.head import open_port


@pytest.mark.parametrize(
    ("pauses_s", "most_s"),
    [
        (scanner.PAUSES_S, 2),
        (head_link.PAUSES_S, 2),
        (queue_rail.PAUSES_S, 5),
        ([ms / 1000 for ms in oled_link.PAUSES_MS], 1),
    ],
)
def test_a_device_is_tried_again_soon_and_then_less_often(pauses_s: Sequence[float], most_s: float) -> None:
    assert 0.1 <= pauses_s[0] <= 0.5
    assert all(before <= after <= 2.5 * before for before, after in pairwise(pauses_s))
    assert pauses_s[-1] <= most_s


def test_a_chip_has_the_time_that_its_datasheet_wants_and_little_more() -> None:
    """TCS34725, ENABLE: 2.4 ms after PON. SSD1306, 8.9: 3 µs of reset."""
    assert 2.4e-3 <= tcs34725.WAKE_S <= 10e-3
    assert 3e-6 <= buses.RESET_S <= 50e-3
    assert oled.CLOSE_S <= 2.5


def test_a_port_of_a_head_reads_at_once_and_gives_up_a_write_that_hangs() -> None:
    """A head that reads nothing must not hold the box up."""
    far, near = os.openpty()
    try:
        port: Any = open_port(os.ttyname(near))
        assert port.read(10) == b""
        assert port.timeout == 0
        assert 0 < port.write_timeout < 1
        assert port.baudrate in port.BAUDRATES
        with pytest.raises(OSError, match="exclusively"):
            open_port(os.ttyname(near))
        port.close()
    finally:
        os.close(far)
        os.close(near)
