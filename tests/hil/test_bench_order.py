"""What the guest tells of each round is counted as it was, and what misses the aim is named."""

from __future__ import annotations

from typing import Any

import pytest
from bench_order import TIMES
from hil_order.cost import missed_cost
from hil_order.puller import HELD_MOST_NS, HELD_NS, steady
from hil_order.sums import UMPI_WAYS, WAYS, counted, margins, missed, remarks, share, verdicts

PULLED = [[4, 1_000_000], [5, 1_500_000], [6, 2_000_000]]


def told(order: str, doubts: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A round in which lines 4, 5, 6 were pulled half a millisecond apart; told in this order, 20 µs late each."""
    late = {line: at_ns + 20_000 for line, at_ns in PULLED}
    told = [[int(line), late[int(line)]] for line in order.split()]
    usual = {"way": "umpi 100 quick", "busy": 0, "gap_us": 500, "pulled": PULLED, "steady": True}
    return usual | {"order": told, "doubts": list(doubts), "lost": 0} | more


def aim(*rounds: dict[str, Any], of: int = 0) -> list[str]:
    """What some rounds of the quick setting miss, `of` so many, where the other ways of Umpi were right in all."""
    others = [way for way in UMPI_WAYS if way != "umpi 100 quick"]
    right = [told("4 5 6", way=way, gap_us=rounds[0]["gap_us"]) for way in others for _ in rounds]
    return missed(counted([*rounds, *right]), of or len(rounds))


def only(*rounds: dict[str, Any]) -> Any:
    """The one cell of some rounds."""
    (count,) = counted(rounds).values()
    return count


@pytest.mark.parametrize(
    ("order", "doubts", "right", "wrong", "close", "unsure"),
    [
        ("4 5 6", (), 1, 0, 0, 0),
        ("5 4 6", (), 0, 1, 0, 0),
        ("4 5 6", ("dead-heat",), 0, 0, 1, 0),
        ("5 4 6", ("dead-heat", "late"), 0, 0, 1, 0),
        ("5 4 6", ("late",), 0, 0, 0, 1),
        ("4 6", (), 0, 0, 0, 0),  # one is lost: the others are in order
        ("6 4", (), 0, 1, 0, 0),
        ("4 5 5 6", (), 0, 1, 0, 0),  # one is told twice
        ("", (), 0, 0, 0, 0),
    ],
)
def test_a_round_is_right_wrong_or_left_to_the_table(order, doubts, right, wrong, close, unsure):
    count = only(told(order, doubts))
    assert count.rounds == 1
    assert (count.right, count.wrong, count.close, count.unsure) == (right, wrong, close, unsure)


def test_a_margin_is_off_by_how_far_two_moments_lie_apart_not_by_how_late_they_are():
    assert only(told("4 5 6")).errors_us == [0, 0]
    late = told("4 5 6")
    late["order"][1][1] += 7_000
    assert only(late).errors_us == [7, 7]


def test_a_lost_edge_has_no_margin_and_is_counted():
    count = only(told("4 6", lost=2))
    assert (count.errors_us, count.lost) == ([], 2)


def test_where_the_emulator_stood_still_only_what_is_wrong_or_lost_counts():
    rounds = [told("4 5 6", steady=False), told("5 4 6", steady=False), told("4 5 6", ("count",), steady=False, lost=2)]
    count = only(*rounds)
    assert (count.rounds, count.right, count.wrong, count.close, count.unsteady) == (0, 0, 1, 0, 3)
    assert count.lost == 2
    assert count.errors_us == []


def test_cells_are_kept_apart():
    rounds = [told("4 5 6"), told("4 5 6", busy=4), told("4 5 6", gap_us=1000), told("5 4 6", way="gpiozero")]
    counts = counted(rounds)
    assert len(counts) == 4
    assert sum(count.right for count in counts.values()) == 3


def test_the_tables_have_a_row_a_way_and_a_column_a_gap():
    rounds = [told("4 5 6"), told("5 4 6", busy=4, lost=3), told("4 5 6", way="gpiozero")]
    rounds += [
        told("4 5 6", gap_us=1000),
        told("4 5 6", gap_us=1000, busy=4),
        told("4 5 6", gap_us=1000, way="gpiozero"),
    ]
    counts = counted(rounds)
    lines = verdicts(counts).splitlines()
    assert lines[0].endswith("| 0.5 ms | 1 ms | lost edges |")
    assert lines[2:] == [
        f"| {WAYS['umpi 100 quick']} | 1 / 0 / 0 / 0 | 1 / 0 / 0 / 0 | 0 |",
        f"| {WAYS['gpiozero']} | 1 / 0 / 0 / 0 | 1 / 0 / 0 / 0 | 0 |",
        f"| {WAYS['umpi 100 quick']}, 4 busy | 0 / **1** / 0 / 0 | 1 / 0 / 0 / 0 | 3 |",
    ]


def test_margins_are_listed_of_those_that_differ():
    text = margins(counted([told("4 5 6", way=way) for way in WAYS]))
    assert [line.count("| 0.0 / 0.0 |") for line in text.splitlines()] == [0, 0, 1, 1, 1, 1]
    assert "as it comes" not in text, "an order alone has no margin"


def test_one_wrong_verdict_misses_the_aim_and_a_peers_does_not():
    right = [told("4 5 6", way=way) for way in UMPI_WAYS]
    assert missed(counted([*right, told("5 4 6", way="gpiozero"), told("5 4 6", way="gpiod")]), 1) == []
    for way in UMPI_WAYS:
        assert missed(counted([*right, told("5 4 6", way=way)]), 1) == [f"{WAYS[way]}, 0 busy, 0.5 ms: wrong in 1 of 2"]


def test_one_of_a_hundred_may_be_too_close_from_half_a_millisecond_on():
    some = [told("4 5 6")] * 99
    assert aim(*some, told("4 5 6", ("dead-heat",))) == []
    assert "2 of 101" in aim(*some, *[told("4 5 6", ("dead-heat",))] * 2)[0]
    assert aim(told("4 5 6", ("dead-heat",), gap_us=200)) == []


def test_fewer_good_rounds_than_asked_for_miss_the_aim():
    assert "only 3 of 20 rounds" in aim(*[told("4 5 6")] * 3, of=20)[0]
    assert "only 0 of 1 rounds" in aim(told("4 5 6", steady=False))[0]


def test_a_way_that_tells_of_no_round_misses_the_aim():
    silent = [told("4 5 6", way=way) for way in WAYS if way != "umpi presses"]
    assert missed(counted(silent), 1) == ["Umpi, presses, 0 busy, 0.5 ms: only 0 of 1 rounds"]
    assert missed({}, 1) == ["there are no results of any round"]


@pytest.mark.parametrize("order", ["", "4 6"])
def test_what_is_not_told_though_no_edge_was_lost_misses_the_aim(order):
    assert "not all reported in 1 of 2" in aim(told("4 5 6"), told(order))[0]
    assert aim(told("4 5 6"), told(order, lost=1)) == []
    assert aim(told("4 5 6"), told(order, ("lost",))) == [], "and nobody is sure of it"


def test_umpi_may_be_unsure_in_one_of_twenty():
    for rounds, allowed in ((3, 1), (20, 1), (60, 3)):
        unsure, more = [told("4 5 6", ("late",))] * allowed, [told("4 5 6")] * (rounds - allowed)
        assert aim(*unsure, *more) == [], "the emulator stands still now and then"
        assert f"unsure in {allowed + 1} of {rounds}" in aim(*unsure, *more[1:], unsure[0])[0]


@pytest.mark.parametrize(("wakes", "misses"), [("0.0", False), ("4.9", False), ("5.0", True), ("1824.1", True)])
def test_five_wake_ups_a_second_miss_the_aim_and_a_peers_do_not(wakes, misses):
    assert bool(missed_cost({"umpi": {"wakes": wakes}, "lgpio": {"wakes": "1824.1"}})) == misses


def test_what_the_tables_do_not_show_is_remarked():
    rounds = [told("4 5 6", ("late",)), told("4 5 6", way="umpi presses", steady=False)]
    text = " ".join(remarks(counted(rounds)))
    assert "late 1" in text
    assert "emulator stopped: 1" in text
    assert "0.5 ms: 500 / 500" in text


def test_the_share_of_few_values_is_one_of_them():
    assert (share([], 0.5), share([3], 0.99), share([1, 2], 0.5)) == (None, 3, 2)


def test_a_line_held_longer_than_a_cube_would_is_unsteady():
    assert steady([(4, 0, HELD_NS), (5, 500_000, 500_000 + HELD_NS)])
    assert not steady([(4, 0, HELD_NS), (5, 500_000, 500_001 + HELD_MOST_NS)])


def test_both_ways_are_run():
    assert [exact for _, exact in TIMES.values()] == [False, True]
