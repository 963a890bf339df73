"""A scanned card answers the question on the table: Dodekka's deal and turn, a card of Dudab Buba and its column."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.cards.decode import PartialAnswer, answer_of, cards_of, codes_of
from umpi.display.answer import answer
from umpi.display.answer_progress import AnswerProgress
from umpi.display.menu import Menu, MenuEntry
from umpi.games.dodekka import Dodekka
from umpi.games.dudab_buba import DudabBuba
from umpi.kernel import Act, Ask, Game, Match, Pick, Some
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import games

PLAYERS = ("Ann", "Ben")


def dodekka(*acts: Act) -> Match:
    return after(Match(Dodekka, PLAYERS), *acts)


def dudab(*opened: str, **options: Any) -> Match:
    match = Match(DudabBuba, PLAYERS, options)
    return after(match, Act("reveal", {"cards": opened})) if opened else match


def after(match: Match, *acts: Act) -> Match:
    for act in acts:
        match.play(act)
    return match


def scan(match: Match, *codes: str, part: PartialAnswer | None = None) -> Any:
    """Scan cards one after the other; a refused one leaves what had come before."""
    scanned: Any = None
    for code in codes:
        scanned = answer_of(match.asks, code, part, match.game)
        part = scanned if isinstance(scanned, PartialAnswer) else part
    return scanned


class Panel:
    """What is left of a question, at the panel: taps by their labels."""

    def __init__(self, part: PartialAnswer) -> None:
        self.part, self.progress = part, AnswerProgress()
        self.entry: MenuEntry[Any] = MenuEntry(lambda: answer([part.rest], PLAYERS, True, self.progress))

    @property
    def menu(self) -> Menu:
        assert self.entry.menu
        return self.entry.menu

    def tap(self, *labels: str) -> Panel:
        for label in labels:
            if label == "OK":
                self.entry.tap(self.menu.ok)
            else:
                self.entry.tap(next(choice.value for choice in self.menu.choices if choice.label == label))
        return self

    @property
    def so_far(self) -> PartialAnswer:
        return self.part.entered(self.progress.given, self.progress.field)

    @property
    def act(self) -> Act:
        assert self.entry.result
        return self.part.whole(self.entry.result[0])


DEALT = Act("deal", {"cards": ("fire-2", "earth-2", "air-1")})


def test_a_turned_card_is_turned_by_its_scan() -> None:
    assert scan(dodekka(DEALT), "air-3") == Act("turn", {"card": "air-3"})


@pytest.mark.parametrize("code", ["air-3", "umpi:dodekka:air-3", "umpi:dodekka:air-3#2", "air-3#1"])
def test_a_code_may_contain_its_game_and_its_copy(code: str) -> None:
    assert scan(dodekka(DEALT), code) == Act("turn", {"card": "air-3"})


def test_the_deal_is_gathered_until_three_have_come() -> None:
    match = dodekka()
    part = scan(match, "fire-2", "earth-2")
    assert part.cards == ("fire-2", "earth-2")
    whole = scan(match, "air-1", part=part)
    assert whole == DEALT
    match.play(whole)


def test_the_rest_of_a_deal_may_come_by_buttons() -> None:
    """A sticker that has gone."""
    panel = Panel(scan(dodekka(), "fire-2", "earth-2"))
    assert "fire-2 earth-2" in panel.menu.title
    panel.tap("air", "1")
    assert panel.act == DEALT


def test_a_deal_may_begin_with_buttons_and_continue_with_scans() -> None:
    match = dodekka()
    panel = Panel(PartialAnswer(match.asks[0])).tap("fire", "2")
    assert scan(match, "earth-2", "air-1", part=panel.so_far) == DEALT


def test_scans_and_buttons_may_take_turns() -> None:
    match = dodekka()
    panel = Panel(scan(match, "fire-2")).tap("earth", "2")
    assert scan(match, "air-1", part=panel.so_far) == DEALT


def test_a_card_that_cannot_come_says_why_in_the_fields_own_words() -> None:
    match = dodekka(Act("deal", {"cards": ("fire-4", "earth-2", "air-1")}))
    assert scan(match, "fire-4") == "fire-4 is already in the line."
    assert scan(dodekka(), "fire-4", "fire-4") == "cards: fire-4 appears only once."


def test_a_refused_scan_leaves_the_others() -> None:
    match = dodekka()
    part = scan(match, "fire-4")
    assert scan(match, "fire-4", "earth-2", "air-1", part=part) == Act(
        "deal", {"cards": ("fire-4", "earth-2", "air-1")}
    )


def test_one_copy_of_a_card_does_not_count_as_two() -> None:
    """A reader that sees the same card again, seconds later."""
    match = dodekka()
    assert scan(match, "air-1#1", "air-1#1") == "air-1: already scanned."
    assert scan(match, "air-1#1", "air-1#1", "air-1#2", "air-1#4") == Act("deal", {"cards": ("air-1",) * 3})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("umpi:dudab-buba:dudab", "dudab is from another game, not Dodekka cards."),
        ("dudab", "dudab is not needed now. Expected: Take, Flip"),
        ("4006381333931", "4006381333931 is not needed now. Expected: Take, Flip"),
        ("umpi::", "is not needed now"),
        ("#1", "is not needed now"),
        ("fire-2\n", "is not needed now"),
    ],
)
def test_an_unknown_card_gets_a_message(code: str, expected: str) -> None:
    assert expected in scan(dodekka(DEALT), code)


def test_once_the_game_is_over_a_scan_is_no_answer() -> None:
    assert answer_of((), "fire-2") == "fire-2 is not needed now. Expected: nothing"


@settings(max_examples=examples(200))
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")))
def test_any_code_is_an_answer_or_a_sentence(code: str) -> None:
    assert isinstance(scan(dodekka(DEALT), code), str | Act | PartialAnswer)


def test_a_card_of_dudab_buba_is_scanned_and_its_column_asked_for() -> None:
    match = dudab("red-club-3", "dudab")
    panel = Panel(scan(match, "umpi:dudab-buba:blue-hide-2"))
    assert panel.menu.title == "On which column?"
    assert [choice.label for choice in panel.menu.choices] == ["1", "2"]
    panel.tap("1")
    assert panel.act == Act("play", {"card": "blue-hide-2", "column": 0})
    match.play(panel.act)


def test_a_dudab_asks_for_its_column_and_for_what_it_asks() -> None:
    match = dudab("red-club-3", "blue-hand-2")
    panel = Panel(scan(match, "dudab#3")).tap("2", "yes", "value:4")
    assert panel.act == Act("play", {"card": "dudab", "column": 1, "ask": "value:4"})
    match.play(panel.act)


def test_a_card_that_goes_nowhere_says_why_column_by_column() -> None:
    assert scan(dudab("red-club-3", "shaman-blue"), "red-hide-4") == (
        "red-hide-4 fits no column. Column 1, red-club-3: colour and symbol must both differ. "
        "Column 2, shaman-blue: its colour is not that of the card there."
    )


def test_a_jungle_that_was_drawn_is_scanned_and_its_column_asked_for() -> None:
    match = dudab("red-club-3", "blue-hand-2", jungle=True)
    panel = Panel(scan(match, "jungle#8")).tap("1")
    assert panel.act == Act("draw", {"card": "jungle", "column": 0})
    match.play(panel.act)


def test_turned_cards_end_with_the_one_that_ends_them() -> None:
    """To face a shaman cards are turned until a number comes; a shaman or dudab answers it as well."""
    match = after(dudab("red-club-3", "blue-hand-2"), Act("play", {"card": "shaman-red", "column": 0}))
    assert scan(match, "dudab") == "dudab fits Play or Face it: choose first, then scan again."
    face = PartialAnswer(next(ask for ask in match.asks if ask.verb == "face"))
    assert scan(match, "dudab", "green-hide-4", part=face) == Act("face", {"turned": ("dudab", "green-hide-4")})
    assert scan(match, "green-hide-4") == Act("face", {"turned": ("green-hide-4",)})


def test_a_hand_is_counted_by_scans_and_ok_ends_each_list() -> None:
    """The seat is usual; the hand ends when the players say so, then the pile."""
    match = dudab(track="score")
    panel = Panel(scan(match, "dudab#1", "red-club-3")).tap("OK")
    assert panel.menu.title.endswith(": pile")
    panel = Panel(scan(match, "blue-hand-1", "dudab#2", part=panel.so_far)).tap("OK")
    assert panel.act == Act("tally", {"seat": 0, "hand": ("dudab", "red-club-3"), "pile": ("blue-hand-1", "dudab")})
    match.play(panel.act)


def test_a_refusal_of_the_whole_act_is_shown() -> None:
    pair = Some("pair", ("a-1", "a-2", "b-1"), 2, 2, source="table")
    ask = Ask(
        "pair", "A pair", (pair,), objection=lambda given: "Both must be of one letter." * ("b-1" in given["pair"])
    )
    part = answer_of([ask], "a-1")
    assert isinstance(part, PartialAnswer)
    assert answer_of([ask], "b-1", part) == "Both must be of one letter."
    assert answer_of([ask], "a-2", part) == Act("pair", {"pair": ("a-1", "a-2")})


def test_a_scanned_name_does_not_answer_a_buzz() -> None:
    ask = Ask("claim", "Claim", (Pick("who", ("ann", "ben"), source="buzz"),))
    assert isinstance(answer_of([ask], "ann"), str)


@pytest.mark.parametrize(
    ("game", "options"), [(Dodekka, {}), (DudabBuba, {}), (DudabBuba, {"jungle": True, "baby": True})]
)
def test_every_card_of_a_whole_game_can_be_scanned(game: type[Game], options: dict[str, Any]) -> None:
    """What cards show is scanned, card by card in the order of the record; the rest is left to the panel."""
    match, scans = Match(game, PLAYERS, options), 0
    for act in play_out(game, PLAYERS, options, 5).acts:
        scanned: Any = PartialAnswer(next(ask for ask in match.asks if ask.verb == act.verb))
        lists = [value if isinstance(value, tuple) else (value,) for value in act.given.values()]
        for card in [card for cards in lists for card in cards if card in cards_of(game)]:
            scanned = answer_of(match.asks, card, scanned, game)
            assert not isinstance(scanned, str), (act, card, scanned)
            scans += 1
        answers = dict(scanned.given)
        if isinstance(scanned, PartialAnswer) and scanned.name:
            answers[scanned.name] = scanned.cards
        assert answers == {name: value for name, value in act.given.items() if name in answers}
        assert scans == 0 or isinstance(scanned, PartialAnswer) or scanned == Act(act.verb, act.given)
        match.play(act)
    assert scans > 55


def test_dodekka_has_sixty_cards_and_dudab_buba_ninety_six() -> None:
    """Sixteen of them are the expansions', of which eight and eight."""
    assert len(cards_of(Dodekka)) == 60
    found = Counter(cards_of(DudabBuba))
    assert (found.total(), found["dudab"], found["jungle"], found["baby"]) == (96, 8, 8, 8)
    assert all(not cards_of(game) for game in games() if game.id not in ("dodekka", "dudab-buba"))


@pytest.mark.parametrize("game", [Dodekka, DudabBuba])
def test_each_copy_has_a_code_of_its_own(game: type[Game]) -> None:
    codes = codes_of(game)
    assert len({code for code, _ in codes}) == len(codes)
    assert Counter(card for _, card in codes) == Counter(cards_of(game))


def test_every_code_of_a_game_is_read_as_its_card() -> None:
    assert [scan(dodekka(), code).cards for code, _ in codes_of(Dodekka)] == [(card,) for card in cards_of(Dodekka)]
