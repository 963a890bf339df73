"""The wall's sensor proposes that a roll has missed the wall; it refuses nothing and decides nothing."""

from __future__ import annotations

import pytest

from tests.kit.core import Hand
from tests.kit.rig import MS, SECOND
from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge
from umpi.timing.lines import WALL

MISSED = "Did it miss the wall?"


@pytest.fixture
def hand() -> Hand:
    """Battledodes on a box with the sensor: Red has won the roll-off, and rolls the first dode."""
    hand = Hand(wall=True)
    hand.start("battledodes")
    hand.press("blue red")
    hand.wait_ns(10 * SECOND)
    hand.press("ok")
    hand.wait_ns(10 * SECOND)
    assert hand.core.referee.session.match
    assert hand.core.referee.session.match.now.phase == "roll"
    return hand


def knock(hand: Hand, before_ms: int = 0) -> None:
    """Hit the wall some ms ago."""
    hand.core.give([Edge(WALL, True, hand.now_ns - before_ms * MS)], hand.now_ns)


def landings(hand: Hand) -> int:
    match = hand.core.referee.session.match
    assert match
    return sum(act.verb == "land" for act in match.acts)


@pytest.mark.parametrize(("wait_ms", "proposed"), [(2001, True), (2000, False), (100, False), (None, True)])
def test_a_landing_without_a_hit_before_its_entry_is_noted(hand: Hand, wait_ms: int | None, proposed: bool) -> None:
    if wait_ms is not None:
        knock(hand)
        hand.wait_ns(wait_ms * MS)
    hand.press("red blue")
    assert landings(hand) == 1, "it counts in any case"
    assert hand.shows(MISSED) == proposed


def test_a_slow_entry_counts_from_its_first_press(hand: Hand) -> None:
    knock(hand)
    hand.wait_ns(SECOND)
    hand.press("red")
    hand.wait_ns(5 * SECOND)
    hand.press("blue")
    assert landings(hand) == 1
    assert not hand.shows(MISSED)


def test_a_knock_caused_by_a_button_press_is_no_hit(hand: Hand) -> None:
    hand.press("red")
    knock(hand)
    hand.press("blue")
    assert hand.shows(MISSED)


def test_a_sensor_that_has_failed_proposes_nothing(hand: Hand) -> None:
    hand.core.give([DeviceStatus("head", "unplugged", hand.now_ns)], hand.now_ns)
    hand.press("red red blue")  # the first press closes the notice
    assert landings(hand) == 1
    assert not hand.shows(MISSED)


def test_a_box_without_the_sensor_proposes_nothing() -> None:
    hand = Hand()
    hand.start("battledodes")
    hand.press("blue red ok red blue")
    assert landings(hand) == 1
    assert not hand.shows(MISSED)
