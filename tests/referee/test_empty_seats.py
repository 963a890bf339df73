"""Empty seats: the box plays a seat and says what hands do for it; undo and a restart keep its decision."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.core import Hand
from tests.kit.rig import Rig, Rigs
from umpi.i18n.translate import set_language
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import Message
from umpi.kernel.random_games import sample
from umpi.kernel.registry import find
from umpi.lab import advice
from umpi.lab.advice import NoAdvice, answer, decide
from umpi.lab.world import completed, decision
from umpi.referee.effects import FindHint, JournalCall, SendReply
from umpi.referee.events import HintFound
from umpi.referee.phones import happened
from umpi.referee.remote import RemoteRequest, Reply
from umpi.referee.seat_notes import box_plays, person_plays
from umpi.service.hints import hint_of
from umpi.table.commands import Command, Do, GoOn, Leave, Occupy, Pause, Rename, Start, TakeBack
from umpi.table.empty_seat import UMPI, BoxTurn, free_name, left_to_hands, legal, part_of, why_not, why_not_at
from umpi.table.names import PlayerNames
from umpi.table.seating import LEVELS, Level, Seating
from umpi.table.seats import COLOURS

READ_MS = 6000  # longer than it takes to read what the box does


def advised(rig: Rig, seed: int = 1) -> list[FindHint]:
    """Let the box find its decisions at once, in this process; return what it wants to find."""
    wanted: list[FindHint] = []
    chance = Random(seed).random

    def found(wish: FindHint) -> None:
        wanted.append(wish)
        lines = [line.encode() for line in wish.record]
        rig.loop.inbox.post(hint_of(wish, json.loads(json.dumps(answer(lines, find, chance)))))

    rig.loop._find_hint = found
    return wanted


def thinking(rig: Rig) -> list[FindHint]:
    """Let the box find nothing by itself; return what it wants to find."""
    wanted: list[FindHint] = []
    rig.loop._find_hint = wanted.append
    return wanted


def against_umpi(rig: Rig, game: str = "dodeka", level: str = "yellow") -> Rig:
    """Start a match of Red against the box, which sits at Yellow."""
    rig.start(game, "red yellow yellow")
    rig.choose("Umpi plays")
    rig.press(f"{level} ok ok")
    return rig


def give(rig: Rig, command: Command) -> None:
    """Give a command, and release the button."""
    rig.grant(command)
    rig.wait_ms(200)


def turn(rig: Rig) -> BoxTurn | None:
    return rig.referee.table.state.box_turn


def who(rig: Rig) -> list[str]:
    return [done.who for done in rig.referee.session.done]


def test_a_menu_or_a_pause_holds_the_box_back(rigs: Rigs) -> None:
    rig = rigs()
    advised(rig)
    against_umpi(rig, "dodekka")
    rig.press("red blue " * 3 + "red")
    rig.press("back", ms=1000)
    rig.wait_ms(READ_MS)
    assert rig.acts == ["deal", "take"], "somebody reads the menu"
    rig.choose("Keep playing")
    give(rig, Pause())
    rig.wait_ms(READ_MS)
    assert rig.acts == ["deal", "take"], "the match is paused"
    rig.press("ok")
    rig.wait_ms(READ_MS)
    assert rig.acts == ["deal", "take", "take"]


def test_undo_goes_past_what_the_box_did_alone(rigs: Rigs) -> None:
    rig = rigs()
    advised(rig)
    against_umpi(rig, "dodekka")
    rig.press("red blue " * 3 + "red")
    rig.wait_ms(READ_MS)
    rig.undo()
    assert rig.acts == ["deal"], "Red’s move and that of the box"
    rig.press("red")
    rig.wait_ms(READ_MS)
    assert rig.acts == ["deal", "take", "take"]


def test_undo_leads_back_to_the_same_decision(rigs: Rigs) -> None:
    rig = rigs()
    wanted = advised(rig)
    against_umpi(rig)
    rig.press("red blue yellow blue blue black")
    before = turn(rig)
    assert before
    assert before.act == Act("throw", {"keep": (2, 2)})
    rig.press("green")
    asked = len(wanted)
    rig.undo()
    after = turn(rig)
    assert after
    assert after.act == before.act, "hands may have kept these dice"
    assert len(wanted) == asked, "it is not decided again"


def test_after_an_undo_the_box_waits_for_ok(rigs: Rigs) -> None:
    rig = rigs()
    advised(rig)
    against_umpi(rig, "dodekka")
    rig.press("red blue " * 3 + "red")
    rig.wait_ms(READ_MS)
    give(rig, TakeBack(1))
    assert rig.acts == ["deal", "take"]
    rig.wait_ms(10 * READ_MS)
    assert rig.acts == ["deal", "take"], "else nobody could take it back"
    rig.press("ok")
    assert rig.acts == ["deal", "take", "take"]


def test_nobody_else_decides_for_the_box(rigs: Rigs) -> None:
    rig = rigs()
    wanted = thinking(rig)
    against_umpi(rig)
    rig.press("red blue yellow")
    assert rig.shows("Umpi is thinking"), rig.screen
    give(rig, Do((Act("throw", {"keep": (), "dice": (1, 1, 1)}),)))
    assert rig.shows("Umpi is thinking. Wait"), rig.screen
    rig.press("ok")
    rig.loop.inbox.post(HintFound(wanted[-1].question, Act("throw", {"keep": ()})))
    rig.settle()
    rig.press("blue blue black")
    rig.loop.inbox.post(HintFound(wanted[-1].question, Act("throw", {"keep": (2, 2)})))
    rig.settle()
    for other in (Act("stop"), Act("throw", {"keep": (), "dice": (1, 1, 1)})):
        give(rig, Do((other,)))
        assert rig.shows("Umpi plays for Umpi and"), rig.screen
        rig.press("ok")
    assert rig.acts == ["throw", "stop", "throw"]
    give(rig, Do((Act("throw", {"dice": (5,)}),)))
    assert rig.referee.session.match
    assert rig.referee.session.match.acts[-1].given == {"keep": (2, 2), "dice": (5,)}


@pytest.mark.parametrize("found", [{"why": "failed"}, {"act": Act("throw", {"keep": (9,)})}, {"act": Act("bank")}])
def test_where_it_cannot_decide_people_enter_a_move_for_it(rigs: Rigs, found: dict[str, Any]) -> None:
    rig = rigs()
    wanted = thinking(rig)
    against_umpi(rig)
    rig.press("red blue yellow")
    rig.loop.inbox.post(HintFound(wanted[-1].question, **found))
    rig.settle()
    rig.pass_calls()
    assert rig.shows("Umpi cannot decide."), rig.screen
    rig.press("ok red red red")
    assert rig.acts == ["throw", "stop", "throw", "stop"]


def test_a_restart_keeps_the_seats_and_the_open_decision(rigs: Rigs) -> None:
    rig = rigs()
    advised(rig)
    against_umpi(rig)
    rig.press("red blue yellow blue blue black")
    before = turn(rig)
    assert before
    rigs.switch_off()
    again = rigs()
    wanted = thinking(again)
    again.settle()
    after = turn(again)
    assert after
    assert after.act == before.act
    assert wanted == []
    again.press("ok red")
    assert who(again)[-1] == "box"


def test_an_undo_after_a_restart_leads_back_to_the_same_decision(rigs: Rigs) -> None:
    """Hands have kept its dice on the table."""
    rig = rigs()
    advised(rig)
    against_umpi(rig)
    rig.press("red blue yellow blue blue black")
    before = turn(rig)
    assert before
    rig.press("red")
    rigs.switch_off()
    again = rigs()
    wanted = advised(again, seed=9)
    again.settle()
    again.press("ok")
    give(again, TakeBack(1))
    after = turn(again)
    assert after
    assert after.act == before.act
    assert all(wish.question != after.question for wish in wanted)


def test_a_match_that_was_left_while_the_box_thought_is_played_on(rigs: Rigs) -> None:
    """What is found meanwhile is for nobody, so the box asks again."""
    rig = rigs()
    wanted = thinking(rig)
    against_umpi(rig)
    rig.press("red blue yellow")
    asked = len(wanted)
    assert asked
    give(rig, Leave())
    rig.loop.inbox.post(HintFound(wanted[-1].question, None, "failed"))
    rig.settle()
    give(rig, GoOn())
    rig.settle()
    assert rig.shows("Umpi is thinking"), rig.screen
    assert len(wanted) > asked


def test_a_seat_given_in_the_match_is_the_boxs_after_a_restart(rigs: Rigs) -> None:
    rig = rigs()
    thinking(rig)
    rig.start("dodeka", "red blue ok ok")
    give(rig, Occupy(1, "", "medium"))
    rigs.switch_off()
    again = rigs()
    assert again.referee.session.table
    assert again.referee.session.table.levels == {1: "medium"}
    assert again.referee.session.table.players == ("Red", "Umpi")


def test_a_player_who_takes_a_seat_back_has_the_name_of_their_phone(rigs: Rigs) -> None:
    rig = rigs()
    thinking(rig)
    rig.start("dodeka", "red blue ok ok")
    names = PlayerNames().given(COLOURS.index("Blue"), "Jörg")
    rig.referee.table.become(replace(rig.referee.table.state, names=names))
    give(rig, Occupy(1, "", "medium"))
    give(rig, Occupy(1, "", None))
    assert rig.referee.session.table
    assert rig.referee.session.table.players == ("Red", "Jörg")
    for command in (Occupy(1, "", "medium"), Rename(0, "Jörg"), Occupy(1, "", None)):
        give(rig, command)
    assert rig.referee.session.table.players == ("Jörg", "Blue")


def test_the_name_of_a_phone_is_kept_while_the_box_plays_its_seat_from_the_beginning(rigs: Rigs) -> None:
    rig = rigs()
    thinking(rig)
    blue = COLOURS.index("Blue")
    rig.referee.table.become(replace(rig.referee.table.state, names=PlayerNames().given(blue, "Jörg")))
    give(rig, Start(Seating(find("dodeka"), ("Red", "Umpi"), (0, blue), levels={blue: "easy"})))
    give(rig, Occupy(1, "", None))
    assert rig.referee.session.table
    assert rig.referee.session.table.players == ("Red", "Jörg")


def test_a_rematch_has_the_box_at_its_seat(rigs: Rigs) -> None:
    table = Seating(find("dodeka"), ("Ann", "Umpi"), (0, 4), levels={4: "easy"})
    assert Seating.of(table.header()) == table
    assert table.begun_by(1).header().tags["box"] == ("easy", "")
    assert table.named({0: "Zoe", 4: "Ben"}).players == ("Zoe", "Umpi")
    assert table.without(1).header().tags.get("box") is None
    assert Seating.of(table.header(box="strong")).levels == {}


@pytest.mark.parametrize("game", ["dohdles", "quiz", "dudab_buba", "scorepad"])
def test_games_in_which_the_box_sees_too_little_say_so(rigs: Rigs, game: str) -> None:
    id = {"dudab_buba": "dudab-buba"}.get(game, game)
    assert why_not(find(id)).startswith("Umpi cannot play this game:")
    rig = rigs()
    rig.start(id, "red yellow yellow")
    rig.choose("Umpi plays")
    assert rig.shows("Umpi cannot play this"), rig.screen


@pytest.mark.parametrize("track", ["hands", "sums"])
def test_rules_by_which_the_box_does_not_follow_the_game_say_so(rigs: Rigs, track: str) -> None:
    table = Seating(find("dodekka"), ("Ann", "Umpi"), (0, 1), {"track": track}, levels={1: "strong"})
    assert why_not_at(table) == "Umpi cannot play by these rules: the box does not ask for each move."
    rig = rigs()
    rig.start("dodekka", "red blue ok ok")
    assert not why_not_at(Seating(find("dodekka"), ("Ann", "Umpi"), (0, 1), levels={1: "strong"}))


def test_a_name_is_free() -> None:
    assert free_name([UMPI, "Umpi 2"]) == "Umpi 3"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches be short."""
    monkeypatch.setattr(advice, "THINK_S", 0.0)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", ["dodeka", "dodekka", "battledodes"])
def test_a_decision_is_always_legal(quick: None, game: str, level: Level) -> None:
    chance = Random(game + level).random
    match = Match(find(game), ["Ann", "Ben"])
    decided = 0
    while match.asks and len(match.acts) < 60:
        if match.seat is None or match.now.phase in match.game.reported:
            with pytest.raises(NoAdvice):
                decide(match, level, chance)
            match.play(sample(match.asks, chance))
            continue
        act = decide(match, level, chance)
        assert legal(match, match.seat, act), act
        part = part_of(match, act)
        assert part
        decided += 1
        assert not legal(match, 1 - match.seat, act)
        match.play(played_by_hands(match, act, chance))
    assert decided > 5


def played_by_hands(match: Match, act: Act, chance: Any) -> Act:
    """Return an act with dice and cards, as hands roll and turn them."""
    whole = completed(match, act, chance)
    assert decision(match, whole) == decision(match, act)
    return whole


@pytest.mark.parametrize("game", ["dodeka", "dodekka", "battledodes"])
def test_a_whole_match_against_the_box(rigs: Rigs, quick: None, game: str) -> None:
    """Red plays at random, hands roll and turn for the box, and enter what happened; the match ends with a result."""
    rig = rigs()
    advised(rig)
    options = {"dodeka": {"target": 300, "parts": 1}, "battledodes": {}, "dodekka": {}}[game]
    table = Seating(find(game), ("Red", "Umpi"), (0, 2), options, levels={2: "strong"})
    give(rig, Start(table))
    chance, alone, handed = Random(7).random, 0, 0
    session = rig.referee.session
    for _ in range(2000):
        match = session.match
        assert match
        if not match.asks:
            break
        before = len(match.acts)
        box = turn(rig)
        if box is None:
            give(rig, Do((sample(match.asks, chance),)))
        else:
            assert box.act, "it decides at once here"
            part = part_of(match, box.act)
            assert part
            if left_to_hands(part):
                whole = played_by_hands(match, box.act, chance)
                left = {name: value for name, value in whole.given.items() if name not in box.act.given}
                give(rig, Do((Act(whole.verb, left),)))
                handed += 1
            else:
                rig.pass_calls()
                rig.wait_ms(READ_MS)
                alone += 1
        assert session.match
        assert len(session.match.acts) > before, (rig.screen, box)
        rig.pass_calls()
    assert session.match
    assert session.match.result
    own = [done for done in session.done if done.who == "box"]
    assert len(own) == alone + handed > 4
    assert {done.seat for done in own} == {1}
    if game != "battledodes":
        assert handed
    if game != "dodeka":
        assert alone


def test_a_seat_whose_game_the_box_cannot_play_is_refused(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("quiz", "red blue ok ok")
    with pytest.raises(Refused, match="Umpi cannot play this game"):
        rig.drive(rig.referee.commands.execute(Occupy(1, "", "easy"), rig.now_ns, "panel"))
    with pytest.raises(Refused, match="already called Red"):
        rig.drive(rig.referee.commands.execute(Occupy(1, "Red", None), rig.now_ns, "panel"))
    assert rig.referee.session.table
    assert rig.referee.session.table.levels == {}


@pytest.mark.parametrize("note", [box_plays("Ann"), person_plays("Ann")])
def test_after_a_restart_a_seat_that_changed_hands_is_told_in_the_language_of_the_box(note: Message) -> None:
    set_language("de")
    match = Match(find("quiz"), ("Ann", "Ben"))
    before, after = (happened(match, [({"note": said}, "box")]) for said in (note, str(note)))
    assert before == after != note
    assert "Ann" in after


def test_a_seat_of_a_match_that_was_left_cannot_be_given_to_the_box() -> None:
    hand = Hand()
    hand.start("dodeka")
    hand.grant(Leave())
    before, session = hand.screen, hand.core.referee.session
    hand.core.effects.clear()
    hand.core.give([RemoteRequest(hand.now_ns, "", Occupy(1, "", "strong"), None, 1)], hand.now_ns)
    assert [each for each in hand.core.effects if isinstance(each, JournalCall)] == []
    assert SendReply(1, Reply("refused", "No active match.")) in hand.core.effects
    assert session.table is not None
    assert session.table.levels == {}
    assert hand.screen == before
