"""How often a client may ask, and how many clients the box remembers: of more, it forgets the least recent one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from umpi.web.clocks import Clocks, WrongReading
from umpi.web.codes import Codes, TooSoon, WrongCode
from umpi.web.rates import Rate

S = 1_000_000_000


def test_a_client_may_ask_in_a_burst_and_then_so_often_per_second() -> None:
    rate = Rate(3, 0.5)
    assert [rate.wait_s("Ann", 0) for _ in range(5)] == [0, 0, 0, 2, 2]
    assert [rate.wait_s("Ann", at) for at in (2 * S - 1, 2 * S, 2 * S, 9 * S, 9 * S, 9 * S, 9 * S)] == [
        1, 0, 2, 0, 0, 0, 2,
    ]  # fmt: skip
    assert [rate.wait_s("Ben", 9 * S) for _ in range(4)] == [0, 0, 0, 2]


EXCHANGE: dict[str, Any] = {"run": "r1", "step_us": 100, "sent_us": 1000, "last": 0, "back_us": 0}


def limited() -> Callable[[str], bool]:
    """Whether a client has asked within this second."""
    rate = Rate(1, 1)
    return lambda client: rate.wait_s(client, 0) > 0


def clocked() -> Callable[[str], bool]:
    """Whether a phone has exchanged times."""
    clocks = Clocks()
    exchange: Any = EXCHANGE
    return lambda phone: clocks.received(phone, exchange, 0) > 1


def guessed() -> Callable[[str], bool]:
    """Whether an address has guessed a code."""
    codes = Codes()

    def again(address: str) -> bool:
        with pytest.raises((TooSoon, WrongCode)) as fault:
            codes.redeem("123456", address, "phone", 0)
        return fault.type is TooSoon

    return again


@pytest.mark.parametrize(("many", "memory"), [(1024, limited), (256, clocked), (1024, guessed)])
def test_so_many_are_remembered_and_of_more_the_least_recent_one_is_forgotten(
    many: int, memory: Callable[[], Callable[[str], bool]]
) -> None:
    seen = memory()
    assert [seen(f"client {number}") for number in range(many)] == [False] * many
    assert seen("client 0"), "it is now the most recent one"
    assert not seen("new")
    assert [seen(f"client {number}") for number in (0, 2, 1)] == [True, True, False]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"step_us": 1}, {"step_us": 0}),
        ({"step_us": 100_000}, {"step_us": 100_001}),
        ({"run": "r"}, {"run": ""}),
        ({"run": "r" * 32}, {"run": "r" * 33}),
        ({"sent_us": 0}, {"sent_us": -1}),
        ({"back_us": 2**53 - 1}, {"back_us": 2**53}),
    ],
)
def test_a_reading_that_no_clock_shows_is_refused(right: dict[str, Any], wrong: dict[str, Any]) -> None:
    shown: list[Any] = [EXCHANGE | right, EXCHANGE | wrong]
    clocks = Clocks()
    assert clocks.received("phone", shown[0], 0) == 1
    with pytest.raises(WrongReading):
        clocks.received("phone", shown[1], 0)
