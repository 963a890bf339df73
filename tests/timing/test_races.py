"""A simulated hall: no clear order of honest presses is wrong, and a forged phone gains at most 5 ms."""

from __future__ import annotations

import pytest

from scripts.verdicts import races


@pytest.mark.slow
def test_no_clear_order_is_wrong_and_no_forged_phone_gains_more_than_5_ms() -> None:
    count = races.play(400, "test")
    assert not count.failed, races.report(count)
    assert count.clear > 400
    assert count.forged > 50
    close, pairs = sum(count.close.values()), sum(count.pairs.values())
    assert close < 0.7 * pairs, "most of the hall would be too close to call"
    assert races.play(400, "test") == count, "the same seed, the same hall"
