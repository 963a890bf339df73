"""The face of the box, press by press, read as a player reads it."""

from dataclasses import replace

import pytest

from tests.kit.panels import sees
from umpi.display.notice import Notice
from umpi.display.panel import Panel
from umpi.display.sheet import LINE, TOP, WIDTH
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.simulator.reading import reads
from umpi.table.card import FoundNetwork
from umpi.table.commands import Do, GoOn, Leave, Start, TakeBack
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


def row(panel, number):
    """Return one of the numbered rows without the text before its label."""
    top = TOP + (number - 1) * LINE
    return panel.picture().crop((11, top, WIDTH, top + LINE))


def press(panel, *keys):
    commands = [command for key in keys if (command := panel.press(key))]
    return commands[-1] if commands else None


def test_the_first_game_begins_by_pressing_buttons_alone(panel):
    assert sees(panel, "Which game?", "Dodéka dice", "Dodekka cards")
    command = press(panel, 1, 0, 3, "ok", "ok")
    assert command == Start(Seating(find("dodekka"), ("Red", "Green"), (0, 3), {}))


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


def test_too_few_players_cannot_begin(panel):
    assert press(panel, 1, 0, "ok", "ok") is None
    assert sees(panel, "Players?")


def test_pressing_the_own_button_again_offers_known_players(panel):
    press(panel, 0, 0, 1, 1)
    assert sees(panel, "Blue:", "not playing", "Katy")
    press(panel, 2)
    assert sees(panel, "OK 2 joined")
    assert reads(row(panel, 2), "Katy")
    press(panel, 1, 0)
    assert reads(row(panel, 2), "Blue")


def test_options_can_be_changed_before_the_start_and_only_differences_are_listed(panel):
    command = press(panel, 0, 0, 1, "ok", 0, 4, 5, "ok", "ok")
    assert command.table.options == {"target": 820}


def test_a_rematch_is_one_press(panel):
    at = table("dodeka", "Katy", "Kévin")
    panel.welcome(None, at)
    assert sees(panel, "OK rematch", "Katy, Kévin")
    assert press(panel, "ok") == Start(at)


def test_a_match_that_lay_open_is_offered_first(panel):
    match, at = playing(panel)
    panel.welcome(match, at)
    assert sees(panel, "Dodekka cards", "In play: Andy, Mathilda, Thomas, Rosie", "resume", "rematch", "new game")
    assert press(panel, "ok") == GoOn()


def test_whose_turn_and_all_scores_are_in_sight(panel):
    match, at = playing(panel)
    match.play(Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    panel.show(match, at)
    assert sees(panel, "Andy", "Mathilda", "Thomas", "Rosie", "8 of 12 🔥2 ⛰2 💨4", "deck 57", "Take", "Water")


def test_a_card_that_is_off_says_where_it_is(panel):
    match, at = playing(panel)
    match.play(Act("deal", {"cards": ("fire-4", "earth-2", "air-4")}))
    panel.show(match, at)
    assert press(panel, 1, 4) is None
    assert sees(panel, "Not allowed", "Fire-4 is already in the line.")
    press(panel, "up")
    assert sees(panel, "fire?")


def test_a_refusal_speaks_of_players_by_name(panel):
    match, at = playing(panel)
    match.play(Act("deal", {"cards": ("fire-4", "earth-2", "air-4")}))
    match.play(Act("take"))
    panel.show(match, at)
    press(panel, 1, 4)
    assert sees(panel, "is already in Andy’s hand.")


def test_holding_ok_shows_the_rule_page_by_page(panel):
    playing(panel, "dodeka")
    assert panel.press("ok", long=True) is None
    assert sees(panel, "Rules", "Roll all three dice.")
    press(panel, "ok", "ok", "ok")
    assert sees(panel, "Final dice")


def test_an_answer_is_wished_as_acts(panel):
    playing(panel, "dodeka")
    command = press(panel, 0, 1, 2)
    assert command == Do((Act("throw", {"keep": (), "dice": (1, 2, 3)}), Act("stop")))


def test_each_throw_can_be_entered_by_itself(panel):
    playing(panel, "dodeka")
    press(panel, "back", "up")
    assert sees(panel, "Menu", "Enter every roll")
    press(panel, 5)
    assert sees(panel, "Roll 1 of 3")
    assert press(panel, 0, 1, 2) == Do((Act("throw", {"keep": (), "dice": (1, 2, 3)}),))


def test_the_menu_takes_back_and_leaves(panel):
    match, at = playing(panel)
    match.play(Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    panel.show(match, at)
    panel.press("back", long=True)
    assert sees(panel, "Undo: deal", "OK undo")
    assert press(panel, "ok") == TakeBack()
    panel.press("back", long=True)
    assert press(panel, 2) == Leave()


def test_undo_without_any_act_shows_a_message(panel):
    playing(panel)
    press(panel, "back", 0)
    assert sees(panel, "Nothing to undo yet")


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


def test_time_up_is_in_the_menu(panel):
    playing(panel, "dodeka", options={"minutes": 5})
    press(panel, "back")
    assert sees(panel, "Time is up", "Undo")
    assert press(panel, 0) == Do((Act("time-up"),))


def test_the_winner_is_shown_with_undo_and_rematch(panel):
    match, at = playing(panel, players=("Andy", "Mathilda"), options={"track": "hands"})
    for seat in (0, 1):
        match.play(Act("hand", {"seat": seat, "cards": ("air-4",)[:seat]}))
    panel.show(match, at)
    assert sees(panel, "Winner", "Mathilda wins!", "undo", "rematch", "done")
    assert press(panel, 0) == TakeBack()
    assert press(panel, 2) == Start(at)
    assert press(panel, "ok") == Leave()


def test_the_menu_is_whole_once_the_game_is_over(panel):
    match, at = playing(panel, players=("Andy", "Mathilda"), options={"track": "hands"})
    for seat in (0, 1):
        match.play(Act("hand", {"seat": seat, "cards": ("air-4",)[:seat]}))
    panel.show(match, at)
    panel.press("back", long=True)
    assert sees(panel, "Menu", "Undo: hand", "Exit match")


def test_shared_victory_names_all(panel):
    match, at = playing(panel, players=("Andy", "Rosie"), options={"track": "hands"})
    for seat in (0, 1):
        match.play(Act("hand", {"seat": seat, "cards": ()}))
    panel.show(match, at)
    assert sees(panel, "Winners", "Andy and Rosie win!")


def test_not_saved_is_drawn_on_every_screen(panel):
    panel.table.become(replace(panel.table.state, unsaved="the card is full"))
    assert sees(panel, "NOT SAVED")
    playing(panel)
    assert sees(panel, "NOT SAVED")
    panel.refuse("because")
    assert sees(panel, "NOT SAVED")


def test_six_long_names_with_accents_fit(panel):
    players = ("Christelle-Marguerite", "Őrsike Űr", "Émile", "Straßburger", "Zoë", "Ångström")
    playing(panel, players=players)
    assert sees(panel, "Őrsike Űr", "Émile", "Straßbur", "Zoë", "Ångström")


def test_a_total_is_marked_beside_the_points_of_the_set(panel):
    """Two numbers a player: which is which?"""
    match, at = playing(panel, "dodeka", ("Katy", "Kévin"), {"target": 500})
    assert not reads(panel.picture(), "Σ0"), "no total yet"
    for dice in ((4, 4, 4), (5, 5, 9), (3, 4, 5)):
        match.play(Act("throw", {"keep": (), "dice": dice}))
        match.play(Act("stop"))
    panel.show(match, at)
    assert sees(panel, "Σ40", "Σ-40", "set 2/3")


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
