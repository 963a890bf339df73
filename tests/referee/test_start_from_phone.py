"""The referee's phone starts a match as the panel does: the same record, the same refusals, nothing half done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rig import Rig, Rigs
from umpi.kernel.registry import find, games
from umpi.recording.names import without_names
from umpi.recording.replay import Replay, described
from umpi.recording.session_file import sealed
from umpi.recording.values import plain, read_value
from umpi.referee.remote import Reply
from umpi.table.commands import Admit, Command, Rematch, StartMatch, TurnAway

SHORT = {"short": {"game": "dodeka", "options": {"target": 300, "parts": 1}}}
DODEKA = StartMatch("dodeka", ("Ann", ""), (0, 2))


def asks(rig: Rig, command: Command, button: int | None = None, question: str = "") -> Reply:
    """A phone asks for a command; its reply."""
    replies: list[Reply] = []
    rig.loop.request(question, command, button, replies.append)
    rig.settle()
    rig.wait_ms(60)  # a press of a race waits for an older one
    (reply,) = replies
    return reply


def header(rig: Rig) -> dict[str, Any]:
    record = rig.referee.session.record
    return {} if record is None else dict(record.header.line())


def test_a_decision_about_a_phone_that_has_gone_says_so(rigs: Rigs) -> None:
    for decision in (Admit("hash"), TurnAway("hash")):
        assert asks(rigs(journal=rigs.folder / f"{decision}.db"), decision) == Reply(
            "passed", "That phone is no longer waiting."
        )


def test_options_change_rules_and_equal_options_have_their_name(rigs: Rigs) -> None:
    rig = rigs(rules=SHORT, options={"target": 500})
    assert asks(rig, replace(DODEKA, rules="", options={"target": 300, "parts": 1})).how == "done"
    assert header(rig)["rules"] == "short"
    rig = rigs(rules=SHORT, options={"target": 500}, journal=rigs.folder / "other.db")
    assert asks(rig, replace(DODEKA, rules="", options={"parts": 1})).how == "done"
    assert (header(rig)["options"], "rules" in header(rig)) == ({"parts": 1}, False)


@pytest.mark.parametrize(("command", "why"), [
    (replace(DODEKA, game="chess"), "There is no game chess."),
    (replace(DODEKA, players=("Ann",), buttons=(0,)), "2–6 players."),
    (replace(DODEKA, buttons=(3, 3)), "Two players cannot share a button."),
    (replace(DODEKA, players=("x" * 25, "")), "A name has 1 to 24 characters"),
    (replace(DODEKA, players=("Ann", "ANN")), "Another player is already called ANN."),
    (replace(DODEKA, players=("Yellow", "")), "Another player is already called Yellow."),
    (replace(DODEKA, first=1), "Choose one of the players to start."),
    (replace(DODEKA, rules="hard"), "no rules called hard."),
    (replace(DODEKA, options={"colour": 1}), "no option colour."),
    (replace(DODEKA, options={"target": 7}), "7 is not a whole number from 10 to 10000."),
    (StartMatch("dohdles", ("", "", ""), (0, 1, 2), options={"lone": 5}), "there is no place 5 among 3 seats"),
    (Rematch(), "No match has been played yet."),
])  # fmt: skip
def test_a_refusal_says_why_and_changes_nothing(rigs: Rigs, command: Command, why: str) -> None:
    rig = rigs()
    before = rig.box.picture().tobytes()
    reply = asks(rig, command)
    assert reply.how == "refused"
    assert why in reply.text
    assert header(rig) == {}
    assert rig.box.picture().tobytes() == before


def test_only_the_referees_phone_may(rigs: Rigs) -> None:
    rig = rigs()
    assert asks(rig, DODEKA, 0).how == asks(rig, Rematch(), 0).how == "forbidden"
    assert header(rig) == {}


def test_a_match_that_is_on_is_not_replaced(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    for command in (DODEKA, Rematch()):
        reply = asks(rig, command)
        assert (reply.how, "Exit match" in reply.text) == ("passed", True)
    assert header(rig)["buttons"] == (0, 1)


def test_the_set_up_card_is_a_notice_at_the_box(rigs: Rigs) -> None:
    rig = rigs()
    table = rig.referee.table
    table.become(replace(table.state, house=replace(table.state.house, card=True)))
    assert asks(rig, replace(DODEKA, game="dodekka")).how == "done"
    assert rig.shows("Set-up"), rig.screen
    rig.press("back")
    assert rig.shows("Deal"), rig.screen


def test_a_lesson_at_the_box_ends(rigs: Rigs) -> None:
    rig = rigs()
    rig.choose("Learn")
    rig.press("red")
    assert not rig.loop.view.playing
    assert asks(rig, DODEKA).how == "done"
    assert rig.loop.view.playing
    assert rig.shows("Ann", "Yellow"), rig.screen


def test_the_flight_recorder_knows_it(rigs: Rigs) -> None:
    rig = rigs(rules=SHORT)
    command = replace(DODEKA, options={"scale": (500, 250, 100, 40, 30, 20, 10), "minutes": None}, rules="short")
    assert read_value(plain(command)) == command
    assert asks(rig, command).how == "done"
    lines = list(sealed([rig.loop._recorder.header("test"), *rig.loop._recorder.lines()]))
    effects = [text for step in Replay(lines, games(), find) for text in described(step.effects)]
    assert any(text.startswith("reply") and "done" in text for text in effects)
    unnamed = b"".join(without_names(lines, games(), find))
    assert (b"Ann" in unnamed, b"Player 1" in unnamed, b"Player 2" in unnamed) == (False, True, False)
