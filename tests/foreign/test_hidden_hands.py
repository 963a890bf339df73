"""Hands that the box deals: only their owners see them, nobody else can get them, and at the end a hash proves them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.foreign_table import Table
from umpi.box.config import Config
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.random_games import play
from umpi.kernel.record import dump, replay
from umpi.kernel.redealt import redealt
from umpi.kernel.registry import find
from umpi.lab.games import Experiment, Played, play_game
from umpi.lab.world import World
from umpi.recording.recorder import Recorder
from umpi.recording.report import report_lines
from umpi.referee.effects import JournalCall
from umpi.referee.events import Tick
from umpi.table.commands import Leave, Start
from umpi.table.hint import Hint
from umpi.table.seating import Seating
from umpi.web.past import entries, question_of, record_of
from umpi.web.private import private_texts
from umpi.web.shown import shown_of

pytestmark = pytest.mark.usefixtures("foreign")
WAYS = pytest.mark.parametrize("together", [False, True])


def dealt(together: bool = False, rounds: int = 2) -> Table:
    table = Table("quiet-high", ("Ann", "Ben", "Cleo"), rounds=rounds, together=together)
    table.wait(50)
    return table


def view(table: Table) -> Any:
    return table.referee._viewer.view(table.referee._look)


def everything(table: Table) -> str:
    """All that a screen, a phone, an onlooker, a broker or a report can get of the match now."""
    look = view(table)
    reported = b"".join(report_lines(Recorder(), "test", Config(), (), look.saved)).decode()
    parts = shown_of(look), entries(look), record_of(look), reported, table.referee.panel.screen().menu
    return json.dumps(parts, default=str)


def numbers_in(text: str, hand: Sequence[int]) -> bool:
    return any(part in text for part in (str(list(hand)), str(tuple(hand)), ", ".join(map(str, hand))))


def play_on(table: Table) -> None:
    """Let each seat play its lowest card until the match is over."""
    while table.match.asks:
        now = table.match.now
        for seat in range(3):
            if table.match.now.table[seat] is None and table.match.asks:
                verb = "choose" if now.together else "play"
                own = {"seat": seat} if now.together else {}
                assert table.phone(seat, verb, card=table.match.now.hands[seat][0], **own).how == "done"
        table.wait(50)


@WAYS
def test_the_box_deals_at_once_and_nobody_else_gets_a_hand(together: bool) -> None:
    table = dealt(together)
    assert [act.verb for act in table.match.acts] == ["deal"] * 3
    seen = everything(table)
    for act in table.match.acts:
        assert act.seal is not None
        assert act.seal.salt not in seen
        assert not numbers_in(seen, act.given["cards"])
        assert act.seal.hash in seen, "everybody may note what will be proved at the end"
    for hand in table.match.now.hands:
        assert not numbers_in(seen, hand)
    assert "The events are left out" in seen, "a report has no draw of the box"
    heard = [private_texts(view(table), seat) for seat in range(3)]
    assert [texts[0] for texts in heard] == [
        f"Your cards: {', '.join(map(str, hand))}" for hand in table.match.now.hands
    ]


@WAYS
def test_at_the_end_all_hands_are_open_and_each_hash_is_that_of_its_hand(together: bool) -> None:
    table = dealt(together)
    sealed = [json.loads(line) for line in record_of(view(table)).splitlines()[1:]]
    play_on(table)
    lines = record_of(view(table)).splitlines()
    opened = [json.loads(line) for line in lines[1:]]
    for before, after in zip(sealed, opened, strict=False):
        text = json.dumps({"cards": after["cards"], "salt": after["seal"]["salt"]})
        assert before["seal"] == {"fields": ["cards"], "hash": hashlib.sha256(text.encode()).hexdigest()}
        assert "cards" not in before
    *_, last = replay([line.encode() for line in lines], find)
    assert (last.error, last.record and last.record.match.result) == ("", table.match.result)


def test_a_record_is_not_replayed_while_hands_are_hidden_nor_with_another_hand() -> None:
    table = dealt()
    *_, last = replay([line.encode() for line in record_of(view(table)).splitlines()], find)
    assert last.error.startswith("What was drawn is hidden until the match is over.")
    play_on(table)
    lines = [json.loads(line) for line in record_of(view(table)).splitlines()]
    lines[1]["cards"][0] = next(card for card in range(1, 61) if card not in lines[1]["cards"])
    *_, last = replay([dump(line).encode() for line in lines], find)
    assert last.error == "cards: this is not what the hash was made of. Somebody has changed the record."


def test_only_the_phone_of_its_owner_may_choose_from_a_hand() -> None:
    table = dealt()
    card = table.match.now.hands[0][0]
    assert table.phone(1, "play", card=card).how == "forbidden"
    referee = table.phone(None, "play", card=card)
    assert (referee.how, referee.text) == ("forbidden", "Only Ann may see that.")
    wrong = next(card for card in range(1, 61) if card not in table.match.now.hands[0])
    assert table.phone(0, "play", card=wrong).how == "refused"
    assert table.phone(0, "play", card=card).how == "done"
    assert table.match.now.table == (card, None, None)
    assert str(card) in everything(table), "what is played lies on the table"


def test_what_was_dealt_or_chosen_from_a_hand_is_undone_and_not_edited() -> None:
    table = dealt()
    assert table.phone(0, "play", card=table.match.now.hands[0][0]).how == "done"
    for index in (0, 3):
        with pytest.raises(ValueError, match="Only one player may see that"):
            question_of(view(table), index)
    play_on(table)
    assert question_of(view(table), 3) is not None


def test_the_box_is_passed_round_if_there_are_no_phones() -> None:
    table = dealt()
    hand = table.match.now.hands[0]
    menu = table.referee.panel.question[0]
    assert (menu.text, menu.private) == ("Ann only: the others look away.", False)
    assert not any(str(card) in [choice.label for choice in menu.choices] for card in hand)
    table.press("ok")
    menu = table.referee.panel.question[0]
    assert (menu.private, [choice.label for choice in menu.choices]) == (True, [str(card) for card in hand])
    table.press("red")
    assert table.match.now.table[0] == hand[0]
    assert table.referee.panel.question[0].text == "Ben only: the others look away."


@pytest.mark.slow
def test_imagined_hands_keep_what_was_seen_and_are_equally_likely() -> None:
    """Ben's other three cards may be each of the 55 that Ann has not seen."""
    match = Match(find("quiet-high"), ("Ann", "Ben"), {"rounds": 2})
    for act in (Act("deal", {"cards": (10, 20, 30)}), Act("deal", {"cards": (11, 21, 60)})):
        match.play(act)
    match.play(Act("play", {"card": 10}, 0))
    match.play(Act("play", {"card": 60}, 1))
    match.play(Act("deal", {"cards": (40,)}))
    match.play(Act("deal", {"cards": (1,)}))
    chance, counts = Random(1).random, Counter[int]()
    for _ in range(1100):
        other = redealt(match, 0, chance)
        assert (other.now.hands[0], other.now.points) == ((20, 30, 40), match.now.points)
        assert 60 in other.acts[1].given["cards"]
        counts.update(other.now.hands[1])
    unseen = {*range(1, 61)} - {10, 20, 30, 40, 60}
    assert set(counts) == unseen
    expected = 3 * 1100 / 55
    assert sum((counts[card] - expected) ** 2 / expected for card in unseen) < 92, "chi-square, 54 degrees, p = 0.001"


@pytest.mark.slow
def test_the_laboratory_needs_no_dealer_and_its_search_sees_no_hand() -> None:
    match = Match(find("quiet-high"), ("Ann", "Ben"), {})
    for _ in zip(range(4), play(match, 3), strict=False):
        pass
    world = World(match, Random(2).random, None, [frozenset()] * 2)
    hands = {world.imagined(0, Random(each).random).match.now.hands[1] for each in range(20)}
    assert len(hands) == 20
    played = play_game(Experiment("quiet-high", {}, ("search", "random"), 0), 0)
    assert isinstance(played, Played)


def test_the_environment_for_learners_shows_no_hand() -> None:
    pettingzoo = pytest.importorskip("umpi.lab.pettingzoo")
    env = pettingzoo.env("quiet-high")
    env.reset(seed=1)
    for _ in range(6):
        match = env.unwrapped._match
        for seat, hand in enumerate(match.now.hands):
            assert not numbers_in(env.render(), hand), seat
        assert '"cards"' not in env.render(), "dealt, in the order of the deck"
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


def test_a_report_hides_hands_also_while_another_match_is_on_the_table() -> None:
    """Until the match with the hands is over, the events tell them."""
    table, recorder = dealt(), Recorder()
    recorder.note(Tick(0), [each for each in table.effects if isinstance(each, JournalCall)])
    assert recorder.secret
    table.grant(Leave())
    table.grant(Start(Seating(find("dodeka"), ("Ann", "Ben"), (0, 1), {})))
    recorder.note(Tick(0), [each for each in table.effects if isinstance(each, JournalCall)])
    reported = b"".join(report_lines(recorder, "test", Config(), (), view(table).saved)).decode()
    assert "The events are left out" in reported
    over, recorder = dealt(), Recorder()
    play_on(over)
    recorder.note(Tick(0), [each for each in over.effects if isinstance(each, JournalCall)])
    assert not recorder.secret, "at the end all may see them"


def test_a_hint_would_tell_everybody_a_card() -> None:
    table = dealt()
    table.referee.table.become(replace(table.referee.table.state, hint=Hint("")))
    with pytest.raises(Refused, match="everybody would see what is in a hand"):
        table.referee.commands._hints.ask("panel")
