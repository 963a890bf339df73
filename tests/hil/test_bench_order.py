"""The reports of the rounds are counted correctly, and missed aims are listed."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.order.__main__ import TIMES
from scripts.order.cost import missed_cost
from scripts.order.puller import HELD_MOST_NS, HELD_NS, steady
from scripts.order.summary import UMPI_WAYS, WAYS, counted, margins, missed, remarks, share, verdicts

PULLED = [[4, 1_000_000], [5, 1_500_000], [6, 2_000_000]]


def report(order: str, doubts: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A round with lines 4, 5, 6 pulled half a millisecond apart; reported in this order, each 20 µs late."""
    late = {line: at_ns + 20_000 for line, at_ns in PULLED}
    report = [[int(line), late[int(line)]] for line in order.split()]
    usual = {"way": "umpi 100 quick", "busy": 0, "gap_us": 500, "pulled": PULLED, "steady": True}
    return usual | {"order": report, "doubts": list(doubts), "lost": 0} | more


def aim(*rounds: dict[str, Any], of: int = 0) -> list[str]:
    """The missed aims of these rounds with the quick setting; Umpi's other settings are right in all."""
    others = [way for way in UMPI_WAYS if way != "umpi 100 quick"]
    right = [report("4 5 6", way=way, gap_us=rounds[0]["gap_us"]) for way in others for _ in rounds]
    return missed(counted([*rounds, *right]), of or len(rounds))


def only(*rounds: dict[str, Any]) -> Any:
    """The count of rounds that belong to one cell."""
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
        ("4 6", (), 0, 0, 0, 0),  # one line is lost, the others are in order
        ("6 4", (), 0, 1, 0, 0),
        ("4 5 5 6", (), 0, 1, 0, 0),  # one line is reported twice
        ("", (), 0, 0, 0, 0),
    ],
)
def test_a_round_counts_as_right_wrong_too_close_or_unsure(order, doubts, right, wrong, close, unsure):
    count = only(report(order, doubts))
    assert count.rounds == 1
    assert (count.right, count.wrong, count.close, count.unsure) == (right, wrong, close, unsure)


def test_an_equal_delay_of_all_lines_is_no_error_of_the_margins():
    assert only(report("4 5 6")).errors_us == [0, 0]
    late = report("4 5 6")
    late["order"][1][1] += 7_000
    assert only(late).errors_us == [7, 7]


def test_a_lost_edge_has_no_margin_and_is_counted():
    count = only(report("4 6", lost=2))
    assert (count.errors_us, count.lost) == ([], 2)


def test_if_the_emulator_stopped_only_wrong_orders_and_lost_edges_count():
    rounds = [
        report("4 5 6", steady=False),
        report("5 4 6", steady=False),
        report("4 5 6", ("count",), steady=False, lost=2),
    ]
    count = only(*rounds)
    assert (count.rounds, count.right, count.wrong, count.close, count.unsteady) == (0, 0, 1, 0, 3)
    assert count.lost == 2
    assert count.errors_us == []


def test_ways_gaps_and_loads_are_counted_separately():
    rounds = [report("4 5 6"), report("4 5 6", busy=4), report("4 5 6", gap_us=1000), report("5 4 6", way="gpiozero")]
    counts = counted(rounds)
    assert len(counts) == 4
    assert sum(count.right for count in counts.values()) == 3


def test_the_tables_have_one_row_per_way_and_one_column_per_gap():
    rounds = [report("4 5 6"), report("5 4 6", busy=4, lost=3), report("4 5 6", way="gpiozero")]
    rounds += [
        report("4 5 6", gap_us=1000),
        report("4 5 6", gap_us=1000, busy=4),
        report("4 5 6", gap_us=1000, way="gpiozero"),
    ]
    counts = counted(rounds)
    lines = verdicts(counts).splitlines()
    assert lines[0].endswith("| 0.5 ms | 1 ms | lost edges |")
    assert lines[2:] == [
        f"| {WAYS['umpi 100 quick']} | 1 / 0 / 0 / 0 | 1 / 0 / 0 / 0 | 0 |",
        f"| {WAYS['gpiozero']} | 1 / 0 / 0 / 0 | 1 / 0 / 0 / 0 | 0 |",
        f"| {WAYS['umpi 100 quick']}, 4 busy | 0 / **1** / 0 / 0 | 1 / 0 / 0 / 0 | 3 |",
    ]


def test_the_table_of_margins_has_one_row_per_clock():
    text = margins(counted([report("4 5 6", way=way) for way in WAYS]))
    assert [line.count("| 0.0 / 0.0 |") for line in text.splitlines()] == [0, 0, 1, 1, 1, 1]
    assert "as it comes" not in text, "an order alone has no margin"


def test_a_wrong_order_of_umpi_misses_the_aim_but_one_of_another_program_does_not():
    right = [report("4 5 6", way=way) for way in UMPI_WAYS]
    assert missed(counted([*right, report("5 4 6", way="gpiozero"), report("5 4 6", way="gpiod")]), 1) == []
    for way in UMPI_WAYS:
        assert missed(counted([*right, report("5 4 6", way=way)]), 1) == [
            f"{WAYS[way]}, 0 busy, 0.5 ms: wrong in 1 of 2"
        ]


def test_one_percent_may_be_too_close_at_gaps_of_half_a_millisecond():
    some = [report("4 5 6")] * 99
    assert aim(*some, report("4 5 6", ("dead-heat",))) == []
    assert "2 of 101" in aim(*some, *[report("4 5 6", ("dead-heat",))] * 2)[0]
    assert aim(report("4 5 6", ("dead-heat",), gap_us=200)) == []


def test_fewer_good_rounds_than_asked_for_miss_the_aim():
    assert "only 3 of 20 rounds" in aim(*[report("4 5 6")] * 3, of=20)[0]
    assert "only 0 of 1 rounds" in aim(report("4 5 6", steady=False))[0]


def test_a_way_without_any_report_misses_the_aim():
    silent = [report("4 5 6", way=way) for way in WAYS if way != "umpi presses"]
    assert missed(counted(silent), 1) == ["Umpi, presses, 0 busy, 0.5 ms: only 0 of 1 rounds"]
    assert missed({}, 1) == ["there are no results of any round"]


@pytest.mark.parametrize("order", ["", "4 6"])
def test_a_line_missing_from_a_report_without_a_lost_edge_misses_the_aim(order):
    assert "not all reported in 1 of 2" in aim(report("4 5 6"), report(order))[0]
    assert aim(report("4 5 6"), report(order, lost=1)) == []
    assert aim(report("4 5 6"), report(order, ("lost",))) == [], "the round is doubtful"


def test_umpi_may_be_unsure_in_one_round_of_twenty():
    for rounds, allowed in ((3, 1), (20, 1), (60, 3)):
        unsure, more = [report("4 5 6", ("late",))] * allowed, [report("4 5 6")] * (rounds - allowed)
        assert aim(*unsure, *more) == [], "the emulator stops now and then"
        assert f"unsure in {allowed + 1} of {rounds}" in aim(*unsure, *more[1:], unsure[0])[0]


@pytest.mark.parametrize(("wakes", "misses"), [("0.0", False), ("4.9", False), ("5.0", True), ("1824.1", True)])
def test_five_idle_wake_ups_per_second_miss_the_aim_whatever_another_program_needs(wakes, misses):
    assert bool(missed_cost({"umpi": {"wakes": wakes}, "lgpio": {"wakes": "1824.1"}})) == misses


def test_doubts_unsteady_rounds_and_true_gaps_are_remarked():
    rounds = [report("4 5 6", ("late",)), report("4 5 6", way="umpi presses", steady=False)]
    text = " ".join(remarks(counted(rounds)))
    assert "late 1" in text
    assert "emulator stopped: 1" in text
    assert "0.5 ms: 500 / 500" in text


def test_a_quantile_of_few_values_is_one_of_the_values():
    assert (share([], 0.5), share([3], 0.99), share([1, 2], 0.5)) == (None, 3, 2)


def test_a_line_held_longer_than_a_cube_would_is_unsteady():
    assert steady([(4, 0, HELD_NS), (5, 500_000, 500_000 + HELD_NS)])
    assert not steady([(4, 0, HELD_NS), (5, 500_000, 500_001 + HELD_MOST_NS)])


def test_both_ways_are_run():
    assert [exact for _, exact in TIMES.values()] == [False, True]
