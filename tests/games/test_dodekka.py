"""Dodekka: the line, the busts and the score, against a second implementation of the rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.legal_acts import accepts
from tests.kit.sampling import examples
from umpi.games.dodekka import Dodekka
from umpi.kernel import Act, Match, Refused
from umpi.kernel.random_games import play_out

ELEMENTS = ("fire", "water", "air", "earth", "ether")
COPIES = {4: 1, 3: 3, 2: 3, 1: 4, 0: 1}
CARDS = [f"{element}-{value}" for element in ELEMENTS for value, copies in COPIES.items() for _ in range(copies)]


def value(card: str) -> int:
    return int(card.partition("-")[2])


def table(seats: int = 2, track: str = "all") -> Match:
    return Match(Dodekka, [f"P{seat}" for seat in range(seats)], {"track": track})


def scored(hand: list[str], minus: int = 1) -> tuple[int, str | None]:
    """Score a hand element by element: its values, less `minus` for each card of any other."""
    found = [
        (sum(value(card) if card.startswith(element) else -minus for card in hand), -place, element)
        for place, element in enumerate(ELEMENTS)
    ]
    score, _, element = max(found)
    return (score, element) if hand else (0, None)


class Reference:
    """A game of Dodekka, computed act by act with plain lists."""

    def __init__(self, seats: int, limit: int = 12, minus: int = 1) -> None:
        self.limit, self.minus = limit, minus
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.line: list[str] = []
        self.left = 60
        self.seat = 0
        self.bust: int | None = None

    def apply(self, act: Act) -> None:
        if act.verb == "deal":
            self.line, self.bust = list(act.given["cards"]), None  # type: ignore[call-overload]
            self.left -= len(self.line)
            return
        seat = self.seat
        self.seat = (seat + 1) % len(self.hands)
        if act.verb == "take":
            self.hands[seat].append(self.line.pop(0))
            return
        neighbour = self.line[-1]
        card = str(act.given["card"])
        self.line.append(card)
        self.left -= 1
        if sum(map(value, self.line)) > self.limit and value(card) != value(neighbour):
            self.hands[seat] += self.line
            self.line, self.bust = [], seat

    def state(self) -> dict[str, Any]:
        phase = "over" if not self.left else "turn" if self.line else "deal"
        scores = [scored(hand, self.minus) for hand in self.hands]
        merits = [(score, len(hand)) for (score, _), hand in zip(scores, self.hands, strict=True)]
        return {
            "phase": phase,
            "seat": self.seat if phase == "turn" else None,
            "scores": tuple(score for score, _ in scores),
            "winners": tuple(s for s, merit in enumerate(merits) if phase == "over" and merit == max(merits)),
            "facts": {
                "line": tuple(self.line), "total": sum(map(value, self.line)), "deck": self.left,
                "hands": tuple(map(tuple, self.hands)), "suits": tuple(suit for _, suit in scores), "bust": self.bust,
            },
        }  # fmt: skip


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_game_reads_the_same_in_plain_lists(seats: int) -> None:
    """Play and Score, sentence by sentence, after every act of random games."""
    busts = 0
    for seed in range(12):
        match = play_out(Dodekka, [f"P{seat}" for seat in range(seats)], seed=seed)
        again, reference = table(seats), Reference(seats)
        for act in match.acts:
            again.play(act)
            reference.apply(act)
            assert again.state() == reference.state()
            busts += reference.bust is not None
    assert busts > 12


@settings(max_examples=examples(60), deadline=None, derandomize=True, database=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 6), st.integers(0, 4))
def test_a_game_with_other_numbers_reads_the_same_in_plain_lists(
    seats: int, seed: int, limit: int, line: int, minus: int
) -> None:
    """The experiments: the limit, the cards of a new line, and what a card of another element costs."""
    players, options = [f"P{seat}" for seat in range(seats)], {"limit": limit, "line": line, "minus": minus}
    again, reference = Match(Dodekka, players, options), Reference(seats, limit, minus)
    for act in play_out(Dodekka, players, options, seed=seed).acts:
        if act.verb == "deal":
            assert len(again.now.facts()["line"]) == 0
            assert len(act.given["cards"]) == min(line, again.now.facts()["deck"])  # type: ignore[arg-type]
        again.play(act)
        reference.apply(act)
        assert again.state() == reference.state()


@pytest.mark.parametrize("seed", range(6))
def test_a_card_may_come_exactly_while_copies_are_left(seed: int) -> None:
    """Record: a card with all its copies seen is refused."""
    match, seen = table(3), Counter[str]()
    for act in play_out(Dodekka, ["A", "B", "C"], seed=seed).acts:
        for card in sorted(set(CARDS)):
            left = CARDS.count(card) - seen[card]
            assert accepts(match, Act("turn", {"card": card})) == (act.verb != "deal" and left > 0)
            if act.verb == "deal" and len(CARDS) - seen.total() >= 3:
                two = next(other for other in sorted(set(CARDS) - {card}) if CARDS.count(other) - seen[other])
                assert accepts(match, Act("deal", {"cards": (card, two, card)})) == (left > 1)
        match.play(act)
        seen.update(act.given.get("cards", ()) if act.verb == "deal" else act.given.values())  # type: ignore[arg-type]


def test_a_gone_card_is_refused_by_where_its_copies_are() -> None:
    """Record: "refused, saying where its copies are", with the player's name."""
    match = Match(Dodekka, ["Andy", "Rosie"])
    match.play(Act("deal", {"cards": ("fire-3", "fire-3", "air-4")}))
    match.play(Act("take"))
    match.play(Act("turn", {"card": "fire-3"}))
    with pytest.raises(Refused, match=r"fire-3.*line.*Andy"):
        match.play(Act("turn", {"card": "fire-3"}))


def test_a_reason_says_what_is_so() -> None:
    """An error a player understands names the true hindrance, in words that read."""
    match, none = table(3, "sums"), (0,) * 4
    for seat in (0, 1):
        match.play(Act("sums", {"seat": seat, "counts": (1, *none), "sums": (4, *none)}))
    with pytest.raises(Refused) as few_points:
        match.play(Act("sums", {"seat": 2, "counts": (10, *none), "sums": (16, *none)}))
    assert "only 10 of its 12 cards" not in str(few_points.value)
    with pytest.raises(Refused) as doubled:
        table().play(Act("deal", {"cards": ("fire-4", "fire-4", "air-1")}))
    assert "1 times" not in str(doubled.value)


hands = st.lists(st.sampled_from(range(60)), unique=True).map(lambda places: [CARDS[place] for place in places])


@settings(max_examples=examples(200), deadline=None, derandomize=True, database=None)
@given(hands)
def test_a_hand_scores_its_best_element(hand: list[str]) -> None:
    """Score: the box picks the best element; on equal scores the first in the page's order."""
    by_cards, by_sums = table(track="hands"), table(track="sums")
    by_cards.play(Act("hand", {"seat": 1, "cards": tuple(hand)}))
    of = [[value(card) for card in hand if card.startswith(element)] for element in ELEMENTS]
    by_sums.play(Act("sums", {"seat": 1, "counts": tuple(map(len, of)), "sums": tuple(map(sum, of))}))
    for match in (by_cards, by_sums):
        state = match.state()
        assert (state["scores"][1], state["facts"]["suits"][1]) == scored(hand)
        assert state["facts"]["deck"] == 60 - len(hand)


SUMS: list[set[int]] = [set() for _ in range(14)]  # the sums that so many cards of one element can make
for chosen in range(1 << 12):
    picked = [value(card) for place, card in enumerate(CARDS[:12]) if chosen >> place & 1]
    SUMS[len(picked)].add(sum(picked))


@pytest.mark.parametrize("known", [(0, 0), (1, 4), (2, 1), (5, 11), (11, 22), (12, 23), (7, 9)])
def test_sums_hold_to_what_the_element_has_left(known: tuple[int, int]) -> None:
    """Record, `sums`: what so many cards can make; over the seats at most 12 cards and 23 points an element."""
    match, none = table(3, "sums"), (0,) * 4
    match.play(Act("sums", {"seat": 2, "counts": (*none, known[0]), "sums": (*none, known[1])}))
    for count in range(-1, 14):
        for total in range(-1, 25):
            fits = 0 <= count <= 12 - known[0] and total <= 23 - known[1] and total in SUMS[count]
            act = Act("sums", {"seat": 0, "counts": (*none, count), "sums": (*none, total)})
            assert accepts(match, act) == fits, (count, total)


# Dodekka's odds: the chance to bust, counted by hand and against every card that may be turned.


def odds_texts(game: Dodekka) -> list[str]:
    return [" ".join((row.label, *row.cells)) for row in game.odds()]


def dealt(*cards: str) -> Dodekka:
    return Dodekka.setup(2).do_deal(None, cards)


def test_a_short_line_cannot_bust() -> None:
    """By hand: 8 and at most 4 make 12."""
    assert odds_texts(dealt("fire-2", "earth-2", "air-4")) == ["flip busts 0.0% 0 of 57"]


def test_the_neighbours_value_saves_at_the_limit() -> None:
    """By hand: at 12 beside a 4 a 0 and a 4 are safe; of 57 cards unseen 5 are a 0 and 2 a 4, so 50 bust."""
    assert odds_texts(dealt("fire-4", "water-4", "air-4"))[0] == "flip busts 87.7% 50 of 57"


def test_over_the_limit_only_the_same_value_is_safe_a_zero_not() -> None:
    """Sheet, no-bust example: at 14 beside a 4 only the one 4 left of 56 is safe."""
    game = dealt("fire-4", "water-4", "air-4").do_turn(0, "ether-4")
    assert odds_texts(game)[0] == "flip busts 98.2% 55 of 56"


def test_the_points_of_a_bust_are_the_average_over_the_cards_that_bust() -> None:
    """By hand: 4-4-4 and the turned card are the hand, one 4 the best element, the other cards cost 1 each.

    Fire, water and air each have ten cards from 1 to 3 unseen, 19 points: 4 − 2 and the card's own points.
    Earth and ether each have ten that bust: 4 − 3.
    """
    bring = (3 * (19 + 10 * 2) + 2 * 10 * 1) / 50
    assert odds_texts(dealt("fire-4", "water-4", "air-4"))[1] == f"if bust {bring:+z.1f} points"


def test_the_odds_are_those_of_every_card_turned() -> None:
    """Random games: each unseen card is turned at the table, and taken back."""
    for seed in range(3):
        played = play_out(Dodekka, ("Ann", "Ben", "Cid"), {}, seed)
        match = Match(Dodekka, played.players)
        for act in played.acts:
            match.play(act)
            if match.now.phase != "turn":
                continue
            deck = match.asks[1].fields[0].pool
            seat, before, changes = match.seat, match.now.scores(), []
            for card in deck:
                after = match.play(Act("turn", {"card": card}))
                if after.facts()["bust"] == seat:
                    changes.append(after.scores()[seat] - before[seat])
                match.undo()
            rows = [f"flip busts {len(changes) / len(deck):.1%} {len(changes)} of {len(deck)}"]
            if changes:
                rows.append(f"if bust {sum(changes) / len(changes):+z.1f} points")
            assert odds_texts(match.now) == rows
            assert max(map(len, rows)) <= 25


def test_there_are_no_odds_where_nothing_is_turned() -> None:
    """Before a deal, once it is over, and where only hands or sums are entered."""
    assert Dodekka.setup(2).odds() == ()
    assert play_out(Dodekka, ("Ann", "Ben"), {}, 1).now.odds() == ()
    assert Dodekka.setup(2, track="hands").odds() == Dodekka.setup(2, track="sums").odds() == ()
