"""Devices missing, pulled, wrong or lying: the game goes on, the panel says what to do instead, all comes back."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Rig
from umpi.box import Trouble
from umpi.config import Config
from umpi.devices.edges import Edge
from umpi.devices.rail import Seen
from umpi.sim.virtual import with_head, with_lanes, with_rail, with_scanner

DOHDLES = "red blue yellow ok ok red"  # to the first question: Red has moved B1, so Blue may not guess
BOARD = {"board": json.loads((Path(__file__).parent / "scenarios" / "board.json").read_text())}


@pytest.fixture
def six(rigs: Any) -> Rig:
    """Six lanes at a sensor head, the first question of a Dohdles on the screen."""
    rig: Rig = rigs(head=with_head(Config(), 6).head, options=BOARD)
    rig.wait_ms(1000)
    rig.start("dohdles", DOHDLES)
    return rig


@pytest.fixture
def chute(rigs: Any) -> Rig:
    """One chute with a colour sensor under the stop of its queue rail, the first question of a Dohdles."""
    rig: Rig = rigs(head=with_head(Config(), 1).head, rail=with_rail(Config()).rail, options=BOARD)
    rig.wait_ms(1000)
    rig.start("dohdles", DOHDLES)
    return rig


def toss(rig: Rig, *cubes: str, gap_ms: float = 60) -> None:
    rig.box.toss(cubes, gap_ms=gap_ms)
    rig.wait_ms(1500)


def test_a_pulled_head_says_what_to_do_instead_and_that_is_what_works(six: Rig) -> None:
    six.box.pull("head")
    six.wait_ms(3000)
    assert six.says("Sensor head", "Press OK, then your", "order"), six.screen
    six.press("back")
    assert six.says("OUT", "Asked: kind"), six.screen
    six.press("ok yellow")
    assert six.acts[-1] == "cube"
    assert six.says("B1 First right"), six.screen
    six.box.plug("head")
    six.wait_ms(3000)
    assert not six.says("OUT"), six.screen


def test_a_head_that_comes_back_takes_its_notice_away(six: Rig) -> None:
    six.box.pull("head")
    six.wait_ms(3000)
    assert six.says("Sensor head")
    six.box.plug("head")
    six.wait_ms(3000)
    assert six.says("Asked: kind"), six.screen
    toss(six, "yellow", "red", gap_ms=5.2)
    assert six.says("Yellow +5.2", "Red"), six.screen


def test_what_is_out_stands_in_the_menu_with_the_reason(six: Rig) -> None:
    six.box.pull("head")
    six.wait_ms(3000)
    six.press("back")
    six.press("back", ms=1000)
    six.press("down")
    assert six.says("Sensor head is out"), six.screen


def test_a_head_missing_from_the_start_is_told_when_cubes_may_fall_not_before(rigs: Any) -> None:
    rig = rigs(head=with_head(Config(), 6).head, options=BOARD)
    rig.box.pull("head")
    rig.wait_ms(3000)
    assert rig.says("OUT"), rig.screen
    assert not rig.says("Sensor head"), rig.screen
    rig.start("dohdles", "red blue yellow ok ok")
    assert rig.says("Sensor head", "Press OK"), rig.screen


def test_a_notice_nobody_asked_for_swallows_no_buzz(rigs: Any) -> None:
    """A quiz with cubes and buttons: the head goes in the moment in which somebody presses."""
    rig = rigs(head=with_head(Config(), 6).head, options=BOARD)
    rig.wait_ms(1000)
    rig.start("quiz", "red blue ok ok")
    rig.press("ok")
    assert rig.says("Who buzzed?"), rig.screen
    rig.box.pull("head")
    rig.wait_ms(3000)
    assert rig.says("Sensor head"), rig.screen
    rig.press("blue")
    assert rig.acts[-1] == "buzz"


@pytest.mark.parametrize("pull_ms", range(0, 400, 25))
def test_a_head_pulled_at_any_moment_never_makes_an_order_up(six: Rig, pull_ms: int) -> None:
    """Before, in and after three cubes: what stands there is their true order, or said to be unsure, or nothing."""
    six.box.toss(["yellow", "red"], gap_ms=60)
    six.wait_ms(pull_ms)
    six.box.pull("head")
    six.wait_ms(3000)
    if six.says("Sensor head", "Press OK"):
        six.press("back")
    acts = [(act.verb, act.given) for act in six.referee.sitting.record.match.acts if act.verb == "cube"]
    assert acts == [("cube", {"seat": seat}) for seat in (2, 0)][: len(acts)]
    unsure = six.says("Not sure")
    assert unsure or len(acts) in (0, 2), six.screen
    six.box.plug("head")
    six.wait_ms(3000)
    if unsure:
        six.press("red")  # again
    elif acts:
        six.undo()
        six.undo() if six.acts[-1] == "cube" else None
    toss(six, "red", "yellow", gap_ms=7.5)
    assert six.says("Red +7.5", "Yellow"), six.screen


STATES: dict[str, list[str]] = {"asked": [], "doubt": ["0.8"], "first right": ["5.2"], "guess": ["5.2", "red"]}


@pytest.mark.parametrize("state", STATES)
def test_a_head_pulled_and_plugged_in_every_state_of_an_announcement_leaves_it_standing(six: Rig, state: str) -> None:
    for step in STATES[state]:
        if step[0].isdigit():
            toss(six, "yellow", "red", gap_ms=float(step))
        else:
            six.press(step)
    before, acts = six.screen, six.acts
    six.box.pull("head")
    six.wait_ms(2000)
    six.box.plug("head")
    six.wait_ms(4000)
    assert six.acts == acts
    if six.screen != before:  # what was lost on the way may have belonged to it
        assert six.says("Not sure"), six.screen


def test_the_rails_colour_names_the_owner(chute: Rig) -> None:
    toss(chute, "yellow", "red")
    chute.wait_ms(1500)
    assert chute.acts[-1] == "owner"
    assert chute.says("Yellow"), chute.screen


def test_a_cube_left_over_in_the_rail_names_nobody(chute: Rig) -> None:
    chute.box.lay("red")
    chute.wait_ms(2000)
    toss(chute, "yellow")
    assert chute.acts[-1] == "cube"
    chute.press("yellow")
    assert chute.acts[-1] == "owner"


def test_a_colour_nobody_plays_is_everybodys_to_claim(chute: Rig) -> None:
    toss(chute, "white")
    chute.wait_ms(1500)
    assert chute.acts[-1] == "cube"
    assert chute.says("Whose cube?", "white"), chute.screen
    chute.press("yellow")
    assert chute.acts[-1] == "owner"


def test_a_press_is_sooner_than_the_sensor_and_the_sensor_names_nobody_twice(chute: Rig) -> None:
    chute.box.toss(["yellow", "red"])
    chute.wait_ms(330)
    assert chute.acts[-2:] == ["cube", "cube"], chute.acts
    chute.press("yellow")
    chute.wait_ms(3000)
    assert chute.acts.count("owner") == 1


def test_a_lying_sensor_is_undone_and_its_owner_presses(chute: Rig) -> None:
    toss(chute, "yellow")
    chute.wait_ms(1500)
    assert chute.acts[-1] == "owner"
    chute.undo()
    assert chute.acts[-1] == "cube"
    chute.wait_ms(3000)
    assert chute.acts[-1] == "cube", "it names a cube once"
    chute.press("red")
    assert chute.acts[-1] == "owner"


def test_without_the_sensor_owners_press(chute: Rig) -> None:
    chute.box.pull("rail")
    chute.wait_ms(8000)
    assert chute.says("Colour sensor", "Press your own"), chute.screen
    toss(chute, "yellow")
    chute.press("yellow")
    assert chute.acts[-1] == "owner"
    chute.box.plug("rail")
    chute.wait_ms(8000)
    assert not chute.says("OUT"), chute.screen


def test_a_scanner_that_goes_leaves_the_keys(rigs: Any) -> None:
    rig = rigs(scanner=with_scanner(Config()).scanner)
    rig.start("dodekka", "red blue ok ok")
    rig.box.scan("air-4")
    rig.settle()
    assert rig.says("air-4"), rig.screen
    rig.box.pull("scanner")
    rig.settle()
    assert rig.says("Card scanner", "Enter the cards"), rig.screen
    rig.press("ok")
    assert rig.says("air-4"), "what was scanned stands"
    rig.box.plug("scanner")
    rig.settle()
    assert not rig.says("OUT"), rig.screen


def test_a_scan_that_cannot_be_is_refused_aloud(rigs: Any) -> None:
    rig = rigs(scanner=with_scanner(Config()).scanner)
    rig.start("dodekka", "red blue ok ok")
    rig.box.scan("umpi:dudab-buba:air-4")
    rig.settle()
    assert rig.says("Not so", "another game"), rig.screen
    assert rig.box.sounding()
    assert rig.acts == []


def test_a_hit_on_the_wall_is_shown_and_heard(rigs: Any) -> None:
    rig = rigs(head=with_head(Config(), 0).head)
    rig.wait_ms(1000)
    rig.start("battledodes", "red blue ok ok")
    rig.box.knock()
    rig.wait_ms(100)
    assert rig.says("Wall hit"), rig.screen
    rig.wait_ms(1000)


def test_a_sounder_that_fails_in_play_is_told_and_costs_the_voice_only(six: Rig) -> None:
    six.box.box.speaker.trouble = "Pin 18 may not play tones."  # type: ignore[union-attr]
    six.press("red")
    assert six.says("OUT"), six.screen
    assert "Pin 18" in six.referee.panel.troubles["Sounder"]
    six.box.box.speaker.trouble = ""  # type: ignore[union-attr]
    six.press("red")
    assert not six.says("OUT"), six.screen


def test_devices_that_flap_cost_no_press_twice(six: Rig) -> None:
    for _ in range(20):
        six.referee.post(Trouble("head", "loose"))
        six.settle()
        six.referee.post(Trouble("head", ""))
        six.settle()
    assert six.says("Asked: kind"), six.screen


def test_any_event_in_any_order_leaves_a_box_that_answers(rigs: Any) -> None:
    """Lying devices: every kind of event at a box that has none of them, before and in a game."""
    rig = rigs(beams=with_lanes(Config(), 1).beams)
    events = [
        Edge("wall", True, 5), Edge("nobody", True, 6), Seen("cube", "red", "", 7), Seen("out", None, "gone", 8),
        Trouble("rail", "no answer"), Trouble("rail", ""), Trouble("scanner", ""),
    ]  # fmt: skip
    for one, other in itertools.permutations(events, 2):
        rig.referee.post(one)
        rig.referee.post(other)
        rig.settle()
    rig.start("dodeka", "red blue ok ok")
    for event in events:
        rig.referee.post(event)
        rig.settle()
    rig.press("red blue yellow")
    assert rig.acts[:1] == ["throw"]
