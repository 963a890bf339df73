"""The face of the box, press by press, read as a player reads it."""

from dataclasses import replace

import pytest

from tests.kit.panels import sees
from umpi.display.notice import Notice
from umpi.display.panel import Panel
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.table.card import FoundNetwork
from umpi.table.commands import Do, Start
from umpi.table.names import PlayerNames
from umpi.table.puzzle import Puzzle
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState


@pytest.fixture
def panel():
    return Panel(
        [find(name) for name in ("dodeka", "dodekka", "dohdles", "quiz")],
        Table(TableState(names=PlayerNames(("Katy", "Kévin")))),
    )


def table(name, *players, options=None):
    return Seating(find(name), players, tuple(range(len(players))), options or {})


def playing(panel, name="dodekka", players=("Andy", "Mathilda", "Thomas", "Rosie"), options=None):
    at = table(name, *players, options=options)
    match = Match(at.game, players, options)
    panel.show(match, at)
    return match, at


def press(panel, *keys):
    commands = [command for key in keys if (command := panel.press(key))]
    return commands[-1] if commands else None


def test_those_who_have_joined_by_phone_play_unless_they_drop_out():
    names = PlayerNames(("Katy",)).given(1, "Ben").given(3, "Cleo")
    for keys, *players in (((), (1, "Ben"), (3, "Cleo")), ((0, 1, 0), (0, "Red"), (3, "Cleo"))):
        panel = Panel([find("dodekka")], Table(TableState(names=names)))
        press(panel, 0)
        assert sees(panel, "Players?", "Ben", "Cleo", "OK 2 joined")
        buttons, called = zip(*players, strict=True)
        assert press(panel, *keys, "ok", "ok") == Start(Seating(find("dodekka"), called, buttons, {}))


def test_a_score_pad_without_a_limit_ends_from_its_main_screen(panel):
    playing(panel, "scorepad")
    assert sees(panel, "Who scores?", "OK finish")
    assert press(panel, "ok", "ok") is None, "who presses OK once too often ends nothing"
    assert sees(panel, "The match is over")
    press(panel, "back")
    assert sees(panel, "Who scores?")
    assert press(panel, "ok", 0) == Do((Act("finish"),))


def test_the_menu_has_one_place_for_each_entry(panel):
    """Whatever the game, whether it runs or is over: an entry without a use is off, and none changes its place.

    Only the moves of the game come first.
    """
    firsts = []
    for name, acts in (("dodekka", ()), ("dodeka", ()), ("dodekka", ("hand", "hand")), ("scorepad", ())):
        match, at = playing(panel, name, ("Andy", "Rosie"), {"track": "hands"} if acts else {})
        for seat, verb in enumerate(acts):
            match.play(Act(verb, {"seat": seat, "cards": ()}))
        later, unsaved = ((Act("deal"),), "the card is full") if acts else ((), "")
        panel.table.become(replace(panel.table.state, later=later, unsaved=unsaved))
        panel.show(match, at)
        panel.press("back", long=True)
        labels = [choice.label for choice in panel.question[0].choices]
        moves = next(number for number, label in enumerate(labels) if label.startswith("Undo"))
        assert labels[:moves] == (["The match is over", "Set score manually"] if name == "scorepad" else [])
        firsts.append([choice.value for choice in panel.question[0].choices[moves + 1 : moves + 6]])
        labels = labels[moves:]
        assert labels[2:7] == ["Exit match", "Correct a move", "Players", "Pause", "Odds"]
        assert labels[12:15] == ["Safe shutdown", "Report a problem", "Where are we?"]
        assert labels[15:17] == ["Luck and skill", "Language: English"]
    assert firsts[0] == firsts[1] == firsts[2] == firsts[3]


def test_a_notice_goes_on_only_while_it_is_on_the_screen(panel):
    networks, puzzle = (
        (FoundNetwork("Café"),),
        Puzzle("uid", 3, "Dodéka: Ann", "4 4 7, second roll", ("roll 4 4", "stop")),
    )
    goes_on = {
        "A network": lambda *notice: panel.ask_network(*notice, networks, ""),
        "The puzzle": lambda *notice: panel.ask_puzzle(*notice, puzzle),
        "Notice": lambda *notice: panel.follow_up(*notice, "Nothing."),
    }
    for ask in goes_on.values():
        before = panel.question
        assert not ask("Search", "Searching.")
        panel.tell("Search", "Searching.")
        for other in (("Search", "Found."), ("Other", "Searching.")):
            assert not ask(*other)
            assert panel.screen().notice == Notice("Search", "Searching.")
        assert panel.question == before
        assert ask("Search", "Searching.")
        assert panel.noticing == (panel.question == before)
    assert panel.screen().notice == Notice("Search", "Nothing.")
    panel.forget("Other")
    assert panel.noticing
    panel.forget("Search")
    assert not panel.noticing
    playing(panel)
    panel.tell("Search", "Searching.")
    assert not goes_on["A network"]("Search", "Searching."), "in a match nobody chooses a network"


def test_what_is_asked_before_a_match_follows_the_table_until_somebody_begins(panel):
    first = panel.question[0]
    panel.table.become(replace(panel.table.state, phones=((1, "Ann's phone"),)))
    assert panel.question[0] != first
