"""Missing, unplugged or faulty devices: the game continues, the panel says what to do instead, and they recover."""

from __future__ import annotations

import itertools

import pytest

from tests.kit.core import Hand
from tests.kit.dohdles_tables import BOARD, DOHDLES, toss
from tests.kit.rig import MS, Rig, Rigs
from umpi.box.config import Config
from umpi.referee.events import DeviceStatus
from umpi.service.emitter_check import EmitterCheck
from umpi.simulator.virtual import with_head, with_lanes, with_scanner
from umpi.timing.edge import Edge
from umpi.timing.events import QueueDetection


def test_a_pulled_head_says_what_to_do_instead_and_that_is_what_works(six: Rig) -> None:
    six.box.pull("head")
    six.wait_ms(3000)
    assert six.shows("Sensor head", "Press OK, then your", "order"), six.screen
    six.press("back")
    assert six.shows("ERR", "Ask Blue"), six.screen
    six.press("ok yellow")
    assert six.acts[-1] == "cube"
    assert six.shows("Guess Blue 1."), six.screen
    six.box.plug("head")
    six.wait_ms(3000)
    assert not six.shows("ERR"), six.screen


def test_a_notice_does_not_swallow_a_buzz(rigs: Rigs) -> None:
    """A quiz with cubes and buttons: the head goes in the moment in which somebody presses."""
    rig = rigs(head=with_head(Config(), 6).head, options=BOARD)
    rig.wait_ms(1000)
    rig.start("quiz", "red blue ok ok")
    rig.press("ok")
    assert rig.shows("Buzz or toss a cube"), rig.screen
    rig.box.pull("head")
    rig.wait_ms(3000)
    assert rig.shows("Sensor head"), rig.screen
    rig.press("blue")
    assert rig.acts[-1] == "buzz"


@pytest.mark.parametrize("pull_ms", range(0, 400, 25))
def test_a_head_pulled_at_any_moment_never_makes_an_order_up(six: Rig, pull_ms: int) -> None:
    """Before, in and after three cubes: the panel shows their true order, a doubt, or nothing."""
    six.box.toss(["yellow", "red"], gap_ms=60)
    six.wait_ms(pull_ms)
    six.box.pull("head")
    six.wait_ms(3000)
    if six.shows("Sensor head", "Press OK"):
        six.press("back")
    acts = [(act.verb, act.given) for act in six.referee.session.record.match.acts if act.verb == "cube"]
    assert acts == [("cube", {"seat": seat}) for seat in (2, 0)][: len(acts)]
    unsure = six.shows("Unclear")
    assert unsure or len(acts) in (0, 2), six.screen
    six.box.plug("head")
    six.wait_ms(3000)
    if unsure:
        six.press("red")  # again
    elif acts:
        six.undo()
        six.undo() if six.acts[-1] == "cube" else None
    toss(six, "red", "yellow", gap_ms=7.5)
    assert six.shows("Red", "first", "+7.5 ms", "2 Yellow"), six.screen


STATES: dict[str, list[str]] = {"asked": [], "doubt": ["0.8"], "first guess": ["5.2"], "guess": ["5.2", "red"]}


@pytest.mark.parametrize("state", STATES)
def test_a_head_pulled_and_plugged_in_every_state_of_an_announcement_leaves_it_standing(six: Rig, state: str) -> None:
    for step in STATES[state]:
        if step[0].isdigit():
            toss(six, "yellow", "red", gap_ms=float(step))
        else:
            six.press(step)
    while six.referee.panel.calls.current:
        six.wait_ms(100)
    before, acts = six.screen, six.acts
    six.box.pull("head")
    six.wait_ms(2000)
    six.box.plug("head")
    six.wait_ms(4000)
    assert six.acts == acts
    if six.screen != before:  # what was lost on the way may have belonged to it
        assert six.shows("Unclear"), six.screen


def test_a_failing_sounder_is_reported_and_affects_only_sound(six: Rig) -> None:
    six.box.box.speaker.trouble = "Pin 18 may not play tones."  # type: ignore[union-attr]
    six.press("red")
    assert six.shows("ERR"), six.screen
    assert "Pin 18" in six.referee.panel.table.state.device_errors["Buzzer"]
    six.box.box.speaker.trouble = ""  # type: ignore[union-attr]
    six.press("red")
    assert not six.shows("ERR"), six.screen


def failing(*_: object) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("device", ["lamps", "sounder"])
def test_an_output_that_fails_costs_what_it_shows_or_sounds_and_never_the_match(
    rigs: Rigs, device: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rig = rigs()
    outputs = [rig.config.sounder] if device == "sounder" else rig.config.lamps.values()
    for output in outputs:
        monkeypatch.setattr(rig.box.pins.pin(output), "_set_state", failing)
    rig.start("dodeka", "red blue ok ok")
    rig.press("red blue yellow")
    assert rig.acts[:1] == ["throw"]
    assert rig.loop.view.broken == {device}
    assert rig.shows("ERR"), rig.screen
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [f"{device} failed"]


def test_emitters_that_fail_are_reported_and_the_match_goes_on(rigs: Rigs) -> None:
    class Failing:
        names = ("lane_1",)
        dark = staticmethod(lambda: False)

        async def test(self) -> None:
            failing()

    rig = rigs()
    rig.loop._emitter_check = EmitterCheck(Failing(), lambda: rig.now_ns)
    rig.start("dodeka", "red blue ok ok")
    rig.wait_ms(11_000)
    rig.press("red blue yellow")
    assert (rig.acts[:1], rig.loop.view.broken) == (["throw"], {"emitters"})


def test_lamps_that_fail_leave_the_display_its_rest(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = rigs(dim_after_s=10)
    monkeypatch.setattr(rig.box.box.lamps, "show", failing)
    rig.press("red")
    rig.wait_ms(11_000)
    assert rig.box.light() == "dim"


def test_any_event_in_any_order_leaves_a_box_that_answers(rigs: Rigs) -> None:
    """Lying devices: every kind of event at a box that has none of them, before and in a game."""
    rig = rigs(beams=with_lanes(Config(), 1).beams)
    events = [
        Edge("wall", True, 5), Edge("nobody", True, 6), QueueDetection("cube", "red", "", 7),
        QueueDetection("out", None, "gone", 8),
        DeviceStatus("rail", "no answer"), DeviceStatus("rail", ""), DeviceStatus("scanner", ""),
    ]  # fmt: skip
    for one, other in itertools.permutations(events, 2):
        rig.loop.inbox.post(one)
        rig.loop.inbox.post(other)
        rig.settle()
    rig.start("dodeka", "red blue ok ok")
    for event in events:
        rig.loop.inbox.post(event)
        rig.settle()
    rig.press("red blue yellow")
    assert rig.acts[:1] == ["throw"]


def test_a_new_match_has_nothing_of_the_cubes_before(rigs: Rigs) -> None:
    rig = rigs(head=with_head(Config(), 6).head, options={**BOARD, "early": "counts"})
    rig.wait_ms(1000)
    rig.start("quiz", "red blue yellow ok ok")
    toss(rig, "yellow", "red", gap_ms=0.8)
    assert rig.shows("Unclear"), rig.screen
    rig.press("back", ms=1000)
    assert rig.shows("Menu"), rig.screen
    rig.choose("Exit match")
    rig.press("yellow")  # rematch
    assert rig.referee.session.match.acts == []
    toss(rig, "blue")
    assert not rig.shows("Unclear"), rig.screen
    assert rig.shows("Blue", "first"), rig.screen
    assert not rig.shows("Yellow"), rig.screen


def test_scans_and_presses_count_in_the_order_of_their_stamps(rigs: Rigs) -> None:
    rig = rigs(scanner=with_scanner(Config()).scanner)
    rig.start("dodekka", "red blue ok ok")
    for card in ("air-4", "fire-4"):
        rig.box.scan(card)
        rig.settle()
    rig.now_ns += 5 * MS
    rig.box.scan("water-4")
    rig.now_ns += 50 * MS
    rig.box.hold("red", True)  # take, of the turn that follows the deal
    rig.settle()
    assert rig.acts == ["deal", "take"], rig.screen


def test_a_cube_that_falls_as_somebody_presses_does_not_vanish_without_a_word(six: Rig) -> None:
    toss(six, "yellow")
    six.box.toss(["red"])
    six.wait_ms(122)  # its front is in the beam
    six.press("red", ms=1)  # first right
    six.wait_ms(1000)
    assert six.shows("A cube", "Toss it"), six.screen


def test_light_that_is_found_after_the_cubes_makes_their_order_unsure(six: Rig) -> None:
    """The emitter test found it: a blinded receiver may have missed a cube that fell before the others."""
    toss(six, "yellow", "red")
    assert six.shows("Red", "1 Yellow"), six.screen
    six.loop.inbox.post(DeviceStatus("light", "lane_2"))
    six.wait_ms(100)
    assert six.shows("Beams", "Light blinds the beams:"), six.screen
    six.press("back")
    assert six.shows("Unclear", "Light shone on a beam."), six.screen
    six.press("red")  # again
    toss(six, "red", "yellow")
    assert six.shows("Unclear"), six.screen
    six.press("red")
    six.loop.inbox.post(DeviceStatus("light", ""))
    toss(six, "red", "yellow")
    assert six.shows("Red", "first", "2 Yellow"), six.screen


def test_what_is_pressed_or_blocked_as_the_box_is_switched_on_is_named() -> None:
    """A cube that lies in a beam, or a button that is stuck: nobody would find out why it does nothing."""
    hand = Hand(held=("red", "lane_1"))
    assert hand.shows("Stuck", "Pressed or blocked", "red, lane_1"), hand.screen
    hand.press("ok")
    assert not hand.shows("Stuck"), hand.screen
    assert not Hand().shows("Stuck")


def test_a_beam_that_is_dark_as_a_head_first_becomes_ready_is_named_and_makes_cubes_unsure(rigs: Rigs) -> None:
    """A cube is stuck in a lane as the box is switched on: there was no device error from which the head recovers."""
    rig = rigs(head=with_head(Config(), 6).head, options=BOARD)
    rig.box.beam("lane_1", True)
    rig.wait_ms(3000)
    assert rig.shows("Stuck", "Pressed or blocked", "lane_1"), rig.screen
    rig.press("ok")
    rig.start("dohdles", DOHDLES)
    toss(rig, "yellow")
    assert rig.shows("Unclear", "A beam was blocked before."), rig.screen


def test_a_beam_that_was_named_at_the_start_is_not_named_again_as_its_head_says_it() -> None:
    hand = Hand(held=("red", "lane_1"), beams=("lane_1", "lane_2"))
    hand.press("ok")
    hand.core.give([DeviceStatus("head", "", ("lane_1",))], hand.now_ns)
    assert not hand.shows("Stuck"), hand.screen


def test_edges_that_come_with_the_first_word_of_a_head_are_newer_than_it() -> None:
    """The box was busy: it is told in one batch that a beam is dark, and that it is light again."""
    hand = Hand(beams=("lane_1", "lane_2"))
    ready_ns = hand.now_ns
    cube = [Edge("lane_2", True, ready_ns + 20 * MS), Edge("lane_2", False, ready_ns + 34 * MS)]
    freed = Edge("lane_1", False, ready_ns + 10 * MS)
    hand.core.give([DeviceStatus("head", "", ("lane_1",)), freed, *cube], ready_ns + 40 * MS)
    assert hand.core.referee._beams is not None
    assert hand.core.referee._beams.funnel.verdict.notes == ()
