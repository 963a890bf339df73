"""How often a client may ask: a burst at once, then so many per second; and the clients that are remembered."""

from __future__ import annotations

from umpi.web.rates import Rate

S = 1_000_000_000


def test_a_client_may_ask_in_a_burst_and_then_so_often_per_second() -> None:
    rate = Rate(3, 0.5)
    assert [rate.wait_s("Ann", 0) for _ in range(5)] == [0, 0, 0, 2, 2]
    assert [rate.wait_s("Ann", at) for at in (2 * S - 1, 2 * S, 2 * S, 9 * S, 9 * S, 9 * S, 9 * S)] == [
        1, 0, 2, 0, 0, 0, 2,
    ]  # fmt: skip
    assert [rate.wait_s("Ben", 9 * S) for _ in range(4)] == [0, 0, 0, 2]


def test_1024_clients_are_remembered_and_the_least_recent_one_is_forgotten() -> None:
    rate = Rate(1, 1)
    assert [rate.wait_s(client, 0) for client in range(1024)] == [0] * 1024
    assert rate.wait_s(0, 0) == 1, "it is still remembered, and now the most recent one"
    assert rate.wait_s("new", 0) == 0
    assert [rate.wait_s(client, 0) for client in (0, 2, 1)] == [1, 1, 0]
