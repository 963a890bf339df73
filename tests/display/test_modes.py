"""What covers what on the screen: the mode that is drawn is the one that takes the press."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tests.kit.rig import Rig
from umpi.display.menu import Remedy
from umpi.display.modes import draw
from umpi.display.panel import Key, Panel
from umpi.kernel import Act, Ask, Call, Match, Pick
from umpi.kernel.registry import find
from umpi.table.commands import CloseJoin, Do, EndCheck, InvalidateCode, Leave, Resume
from umpi.table.device_check import DeviceCheck
from umpi.table.joining import Joining
from umpi.table.seating import Seating

JOINING = Joining("http://10.0.0.1:8000/#pair")
ORDER = ("code", "notice", "joining", "check", "paused", "call", "large")
COMMANDS = {
    "code": InvalidateCode(), "notice": None, "joining": CloseJoin(), "check": EndCheck(), "paused": Resume(),
    "large": None,
}  # fmt: skip
CALLS_WAIT = {"code", "notice", "joining", "check", "paused"}


def covered_by(*names: str) -> Panel:
    """Return the panel of a quiz whose question waits for a buzzer, covered by these modes."""
    game = find("quiz")
    table = Seating(game, ("Andy", "Bea", "Carla"), (0, 2, 5))
    match = Match(game, table.players)
    match.play(Act("open"))
    panel = Panel([game])
    panel.show(match, table)
    if "large" in names:
        panel.press("up")
    if "call" in names:
        panel.calls.say([Call("round", "Round 1")])
    if "notice" in names:
        panel.tell("Problem", "The lamp is out.")
    state = replace(
        panel.table.state,
        code=("407123", "", "Ann", 60) if "code" in names else None,
        joining=JOINING if "joining" in names else None,
        check=DeviceCheck() if "check" in names else None,
        paused="paused" in names,
    )
    panel.table.become(state)
    return panel


COVERED = [names for many in range(len(ORDER) + 1) for names in combinations(ORDER, many)]


@pytest.mark.parametrize("names", COVERED, ids="+".join)
def test_what_is_below_the_top_changes_neither_the_picture_nor_the_press(names: tuple[str, ...]) -> None:
    panel, alone = covered_by(*names), covered_by(*names[:1])
    assert draw(panel.screen()).tobytes() == draw(alone.screen()).tobytes()
    assert panel.covered == bool(CALLS_WAIT & {*names[:1]})
    taking = next((name for name in names if name != "call"), "")  # a press ends the calls, and counts below
    assert panel.press("back") == COMMANDS.get(taking)


@pytest.mark.parametrize("names", COVERED, ids="+".join)
def test_a_seat_buzzes_through_calls_and_the_large_score_and_through_a_notice_that_passes(names: Any) -> None:
    panel = covered_by(*names)
    if "notice" in names:
        panel.tell("Not allowed", "Wait.", passing=True)
    taken = {*names} & {"code", "joining", "check", "paused"}
    assert panel.owning == (not taken)
    buzzed = panel.press(2) == Do((Act("buzz", {"seat": 1}),))
    assert buzzed == (not taken)
    assert (panel.calls.current is None) == (buzzed or "call" not in names)


def test_a_remedy_answers_the_question_below_the_notice() -> None:
    panel = covered_by("large")
    panel.tell("Not allowed", "Not you.", remedy=Remedy("Bea", 1))
    assert panel.press("ok") == Do((Act("buzz", {"seat": 1}),))


def test_a_remedy_that_is_a_part_of_an_answer_removes_the_notice() -> None:
    game = find("dodeka")
    panel = Panel([game])
    panel.show(Match(game, ("Ann", "Ben")), Seating(game, ("Ann", "Ben"), (0, 1)))
    die = panel.question[0].choices[0]
    panel.tell("Not allowed", "Not this one.", remedy=Remedy(die.label, die.value))
    assert panel.press("ok") is None
    assert panel.entering
    assert not panel.noticing


@pytest.mark.parametrize(("order", "right"), [(1, {0, 1}), (-1, {2, 3})])
def test_beside_another_act_only_the_keys_of_right_call_an_answer_right(order: int, right: set[int]) -> None:
    asks = (Ask("judge", "Right?", (Pick("right", (True, False)),), 0), Ask("close", "Nobody"))[::order]
    game: Any = type("Beside", (find("quiz"),), {"asks": lambda self: asks, "__slots__": ()})
    panel = Panel([game])
    panel.show(Match(game, ("Ann", "Ben")), Seating(game, ("Ann", "Ben"), (0, 1)))
    keys: tuple[Key, ...] = (*range(6), "ok", "down", "up", "back")
    assert {key for key in keys if panel.awards(key)} == right


def test_the_start_screen_takes_the_presses_after_a_paused_match_is_left(in_play: Any) -> None:
    rig: Rig = in_play()
    rig.press("back", ms=1000)
    rig.choose("Pause")
    rig.drive(rig.referee.commands.execute(Leave(), rig.now_ns, "phone"))
    rig.press("down")
    assert not rig.referee.table.state.playing, rig.screen
    assert rig.shows("Which game?") or rig.shows("resume"), rig.screen
