"""What a session file leads to, in the words of `umpi replay-session`: a line for each effect and each event."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args, get_origin

from umpi.display.picture import Picture
from umpi.display.screen import Screen
from umpi.recording.replay import described, event_text
from umpi.recording.values import picture_hash
from umpi.referee.effects import (
    AgreeToTask,
    BeginCardTask,
    BeginShelfTask,
    CountStatistics,
    DrawSeed,
    Effect,
    Fault,
    FindHint,
    FindPuzzle,
    FindReach,
    FindReview,
    JournalCall,
    JudgePuzzle,
    LetPhoneIn,
    PairingCall,
    PlaySound,
    SayAloud,
    SendReply,
    Show,
    TakeRequest,
    TimePicture,
    WriteReport,
)
from umpi.referee.events import Reach, SwitchedOn, Tick
from umpi.referee.ports import JournalPort, PairingPort
from umpi.referee.remote import Reply
from umpi.referee.view_state import START, ViewState
from umpi.timing.edge import Edge

PICTURE = Picture(128, 64)
MATCH = "0123456789abcdef"
SECRET = Screen(START.state, START.menu, private=True)
VIEW = ViewState(lit=(0, 3), blinking=(1,))
WORDS: list[tuple[Effect, list[str]]] = [
    (Show(PICTURE, VIEW), [f"picture {picture_hash(PICTURE)} bright red green blue*"]),
    (Show(PICTURE, replace(VIEW, screen=SECRET)), ["picture private bright red green blue*"]),
    (Show(None, ViewState()), ["picture none bright"]),
    (
        JournalCall(JournalPort.append, (MATCH, [{"do": "roll"}, {"undo": 1}], "panel", 7)),
        ['line 01234567 panel {"do": "roll"}', 'line 01234567 panel {"undo": 1}'],
    ),
    (JournalCall(JournalPort.note, (MATCH, "rules", 3)), [f'journal note "{MATCH}" "rules" 3']),
    (JournalCall(JournalPort.save), ["journal save"]),
    (
        JournalCall(JournalPort.pair, (), {"hash": "ab", "who": "referee", "name": "Ann"}),
        ['journal pair "ab" "referee" "Ann"'],
    ),
    (PairingCall(PairingPort.unpair, (3,)), ["pairing unpair 3"]),
    (PlaySound("cube"), ["sound cube"]),
    (SayAloud("Red is first.", "en"), ["SayAloud Red is first. en"]),
    (SendReply(4, Reply("refused", "Red is next.")), ["reply 4 refused Red is next."]),
    (SendReply(4, Reply("done")), ["reply 4 done"]),
    (TakeRequest(4), ["TakeRequest 4"]),
    (LetPhoneIn(5), ["LetPhoneIn 5"]),
    (DrawSeed(), ["DrawSeed"]),
    (Fault("the display failed"), ["fault the display failed"]),
    (FindHint("m3/0", ("{}",)), ["find a hint to m3/0"]),
    (FindReach(), ["find the network"]),
    (CountStatistics("quiz"), ["count the statistics of quiz"]),
    (CountStatistics(None), ["count the statistics of all games"]),
    (FindReview(("{}",)), ["review the match"]),
    (FindPuzzle(), ["find a puzzle"]),
    (JudgePuzzle(MATCH, 3, 1), ["judge the answer to the puzzle"]),
    (WriteReport(), ["write a report"]),
    (BeginCardTask("back up"), ["card: back up"]),
    (AgreeToTask(), ["card: agree"]),
    (BeginShelfTask("add", "a/b", "quiz"), ["shelf: add a/b quiz"]),
    (BeginShelfTask("look", "", ""), ["shelf: look"]),
    (TimePicture(), ["TimePicture"]),
]


def test_each_effect_has_its_line() -> None:
    for effect, lines in WORDS:
        assert described([effect]) == lines
    effects = [effect for effect, _ in WORDS]
    assert described(effects) == [line for _, lines in WORDS for line in lines]
    assert {type(effect) for effect in effects} == {get_origin(kind) or kind for kind in get_args(Effect)}


def test_each_event_has_its_line_and_time_that_passes_has_none() -> None:
    assert [event_text(event) for event in (
        Edge("red", True, 5), Edge("red", False, 6), Tick(7), Reach(trouble="no Wi-Fi"),
    )] == ["red down", "red up", "", 'Reach {"trouble":"no Wi-Fi"}']  # fmt: skip
    assert event_text(SwitchedOn(3)) == "SwitchedOn"
