"""The clocks of phones that the box keeps: which it forgets, and which readings it takes."""

from __future__ import annotations

import pytest

from umpi.web.clocks import Clocks, WrongReading
from umpi.web.documents import Exchange

FIRST = Exchange(run="r", step_us=1, sent_us=1, last=0, back_us=0)


def test_beyond_256_phones_the_least_recent_one_is_forgotten() -> None:
    clocks = Clocks()
    assert {clocks.received(str(phone), FIRST, 1_000) for phone in range(256)} == {1}
    assert clocks.received("0", FIRST, 2_000) == 2
    assert clocks.received("new", FIRST, 3_000) == 1
    assert [clocks.received(phone, FIRST, 4_000) for phone in ("0", "new", "1")] == [3, 2, 1]


@pytest.mark.parametrize(("part", "most"), [("step_us", 100_000), ("sent_us", 2**53 - 1), ("back_us", 2**53 - 1)])
def test_a_reading_is_taken_up_to_its_limit(part: str, most: int) -> None:
    assert Clocks().received("0", Exchange(**{**FIRST, part: most}), 1_000) == 1  # type: ignore[typeddict-item]
    with pytest.raises(WrongReading):
        Clocks().received("0", Exchange(**{**FIRST, part: most + 1}), 1_000)  # type: ignore[typeddict-item]
