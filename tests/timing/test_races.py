"""A simulated hall: no clear order of honest presses is wrong, and a forged phone gains at most 5 ms."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.verdicts import races
from umpi.timing.phone_clock import PhoneClock


@pytest.mark.slow
def test_no_clear_order_is_wrong_and_no_forged_phone_gains_more_than_5_ms() -> None:
    count = races.play(400, "test")
    assert not count.failed, races.report(count)
    assert count.clear > 400
    assert count.forged > 50
    close, pairs = sum(count.close.values()), sum(count.pairs.values())
    assert close < 0.7 * pairs, "most of the hall would be too close to call"
    assert races.play(400, "test") == count, "the same seed, the same hall"


@pytest.mark.slow
def test_the_hall_notices_a_wrong_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the round trip as the offset, as if each way took as long as the other."""
    bounds = PhoneClock.bounds

    def middle(clock: PhoneClock, phone_us: int) -> Any:
        found = bounds(clock, phone_us)
        return found and (sum(found) // 2, sum(found) // 2)

    monkeypatch.setattr(PhoneClock, "bounds", middle)
    count = races.play(100, "test")
    assert count.wrong
    assert count.outside
