"""Dudab Buba: what a refusal says, what is known of hidden hands, and that the cards are all there.

The rules themselves are held by the records in tests/records/dudab-buba, a ruling each.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.dudab_tables import do, refusal, table
from umpi.display.answer import answer
from umpi.display.menu import Choice, Menu
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.cards import deck
from umpi.games.dudab_buba.columns import Column
from umpi.games.dudab_buba.dealer import DudabTable
from umpi.games.dudab_buba.hidden import Hidden
from umpi.kernel import Match, replace
from umpi.kernel.random_games import play, play_out

UNLIKE = "it shares nothing with the card it mirrors above the jungle"
DUDABS = "only a dudab mirrors the dudab above the jungle"
SHAMANS = "only a shaman or a dudab mirrors the shaman above the jungle"
FAR = "the value must be one higher or lower"


@pytest.mark.parametrize(
    ("column", "card", "why"),
    [
        (Column(("red-club-3",), jungle=True), "blue-hide-2", UNLIKE),
        (Column(("red-club-3",), jungle=True), "shaman-blue", UNLIKE),
        (Column(("red-club-3",), jungle=True), "shaman-red", ""),
        (Column(("red-club-3",), jungle=True), "red-club-4", ""),
        (Column(("dudab",), jungle=True), "red-club-4", DUDABS),
        (Column(("dudab",), jungle=True), "dudab", ""),
        (Column(("shaman-red",), jungle=True), "red-club-4", SHAMANS),
        (Column(("shaman-red",), jungle=True), "shaman-green", ""),
        (Column(("red-club-3", "blue-hide-2"), True, ("blue-club-4",)), "red-club-4", FAR),
        (Column(("red-club-3", "blue-hide-2"), True, ("dudab",)), "shaman-red", ""),
        (Column(("red-club-3",), True, ("shaman-red",)), "shaman-blue", "the shaman there is settled"),
        (Column(("red-club-3",), True, ("dudab",)), "shaman-blue", ""),
        (Column(("dudab",)), "shaman-blue", "no shaman goes on a dudab that asks for nothing"),
    ],
)  # fmt: skip
def test_what_goes_on_a_column(column: Column, card: str, why: str) -> None:
    """Page, jungle: the k-th card below shares with the k-th above; the jungle itself asks for nothing."""
    assert column.objection(card) == why


def test_a_hand_that_was_shown_must_be_entered_at_the_end() -> None:
    """Ruling: `hands` must contain the cards shown and kept."""
    match = at_the_end()
    hands = hands_left(match)
    known = match.now.hidden.known  # type: ignore[attr-defined]
    seat = next(seat for seat, cards in enumerate(known) if cards)
    other = (seat + 1) % 2
    wrong = [list(hand) for hand in hands]
    wrong[seat].remove(known[seat][0])
    wrong[other].append(known[seat][0])
    wrong[seat].append(wrong[other].pop(0))
    why = refusal(match, "hands", hands=tuple(map(tuple, wrong)))
    assert "shown but not played" in why or "is already in" in why
    do(match, "hands", hands=hands)


def at_the_end() -> Match:
    """A first round whose deck has run out, with a hand that has been shown."""
    for seed in range(1000):
        match = Match(DudabBuba, ["Ann", "Ben"])
        for _ in play(match, seed):
            if match.now.phase == "hands":
                known = match.now.hidden.known  # type: ignore[attr-defined]
                if any(known):
                    return match
                break
    raise AssertionError("no such round")


def hands_left(match: Match) -> tuple[tuple[str, ...], ...]:
    """Hands that fit what is known."""
    hidden = match.now.hidden  # type: ignore[attr-defined]
    left = list(hidden.unseen)
    return tuple(
        known + tuple(left.pop() for _ in range(number - len(known)))
        for known, number in zip(hidden.known, hidden.hands, strict=True)
    )


def test_a_card_entered_in_two_hands_is_refused() -> None:
    """Record: a card already seen; here by the hand before."""
    match = at_the_end()
    hands = [list(hand) for hand in hands_left(match)]
    hidden = match.now.hidden  # type: ignore[attr-defined]
    free = next(card for card in hands[1] if card in hidden.unseen and hands[0].count(card) + hands[1].count(card) == 1)
    swap = next(card for card in hands[0] if card in hidden.unseen)
    hands[0][hands[0].index(swap)] = free
    assert refusal(match, "hands", hands=tuple(map(tuple, hands))) == (
        f"{free}: you entered more copies than are left."
    )


def test_the_deck_cannot_hold_more_jungles_than_cards() -> None:
    """Ruling: an action after which more jungles and babies were unseen than the deck has cards is refused."""
    match = table("red-club-3", "blue-hand-2", jungle=True)
    position = match.now
    hidden = position.hidden  # type: ignore[attr-defined]
    gone = tuple(card for card in hidden.unseen if card != "jungle")[6:]  # all but two hands and the jungles
    nearly = replace(position, hidden=replace(hidden, deck=8, unseen=hidden.unseen[:6] + ("jungle",) * 8))
    nearly = replace(nearly, discard=gone)
    assert nearly.audit() == ""  # type: ignore[attr-defined]
    match._positions[-1], match.asks = nearly, nearly.asks()
    assert refusal(match, "draw").startswith("Only jungles and babies can be left in the deck, 8 of them")
    do(match, "draw", card="jungle", column=0)


def broken() -> Iterator[DudabBuba]:
    """Positions that cannot be, each in its own way."""
    position: DudabBuba = table("red-club-3", "blue-hand-2").now  # type: ignore[assignment]
    hidden = position.hidden
    yield replace(position, piles=(("red-club-3",), ()))
    yield replace(position, hidden=replace(hidden, unseen=hidden.unseen[1:]))
    yield replace(position, hidden=replace(hidden, deck=hidden.deck - 1))
    yield replace(position, hidden=replace(hidden, unseen=hidden.unseen[4:], known=(hidden.unseen[:4], ())))


@pytest.mark.parametrize("position", tuple(broken()))
def test_the_audit_sees_a_card_that_is_not_in_exactly_one_place(position: DudabBuba) -> None:
    """Issue: audit, cards conserved."""
    assert position.audit() != ""


def test_the_dealer_sees_cards_that_are_not_the_real_ones() -> None:
    """Issue: the dealer for play-outs holds real hands."""
    match = Match(DudabBuba, ["Ann", "Ben"])
    dealer = DudabTable(lambda: 0.3, match.now)  # type: ignore[arg-type]
    assert dealer.audit(match.now) == ""  # type: ignore[arg-type]
    match.play(dealer.act(match.now))  # type: ignore[arg-type]
    position: DudabBuba = match.now  # type: ignore[assignment]
    assert dealer.audit(position) == ""
    hidden = position.hidden
    assert dealer.audit(replace(position, hidden=replace(hidden, deck=1))) != ""
    other = replace(hidden, unseen=("red-club-1", *hidden.unseen[1:]))
    assert dealer.audit(replace(position, hidden=other)) != ""


def test_everything_the_game_knows_happens_in_random_games() -> None:
    """A play-out that never shows a hand or covers a stack proves little."""
    seen = set()
    for seed in range(12):
        match = play_out(DudabBuba, ["Ann", "Ben", "Cat"], {"jungle": True, "baby": True}, seed)
        seen |= {(act.verb, *sorted(act.given)) for act in match.acts}
        assert len(match.acts) <= DudabBuba.longest
    assert {
        ("play", "ask", "card", "column"), ("draw",), ("draw", "card"), ("draw", "card", "column"),
        ("draw", "card", "column", "turned"), ("draw", "shed", "shown"), ("face", "turned"), ("shed", "cards", "to"),
        ("hands", "hands"),
    } <= seen  # fmt: skip


def test_cards_known_twice_are_known_by_their_copies() -> None:
    """Two shamans of a colour: one that is known leaves a hand before one that is not."""
    hidden = Hidden(("shaman-red", "dudab"), (("shaman-red",), ()), (2, 1), 0)
    once = hidden.left(0, ("shaman-red",))
    assert (once.unseen, once.known[0]) == (("shaman-red", "dudab"), ())
    assert once.left(0, ("shaman-red",)).unseen == ("dudab",)
    assert hidden.fits(0, ("shaman-red", "shaman-red"))
    assert not hidden.fits(0, ("dudab", "shaman-red", "shaman-red"))


def test_only_the_cards_of_a_hand_that_nobody_knows_can_be_any() -> None:
    """Ruling: no other card comes from it beyond the places left; here as cards are shed."""
    match = table("red-club-3", "blue-hand-3")
    hidden = match.now.hidden  # type: ignore[attr-defined]
    known = ("red-hand-1", "red-club-1", "blue-hand-1")
    knows = Hidden(tuple(card for card in hidden.unseen if card not in known), (known, ()), (4, 3), hidden.deck - 1)
    match._positions[-1] = position = replace(match.now, hidden=knows, took=True, phase="shed")
    match.asks = position.asks()
    assert position.audit() == ""  # type: ignore[attr-defined]
    assert refusal(match, "shed", cards=("dudab", "green-hide-1"), to="pile") == (
        "Ann holds red-hand-1, red-club-1, blue-hand-1; at most 1 more can be shed."
    )
    do(match, "shed", cards=("dudab", "red-club-1"), to="discard")


def test_a_hand_entered_without_a_card_it_has_shown_is_refused() -> None:
    """Ruling: `hands` must contain the cards shown and kept."""
    match = at_the_end()
    hidden = match.now.hidden  # type: ignore[attr-defined]
    seat = next(seat for seat, cards in enumerate(hidden.known) if cards)
    hands = [list(hand) for hand in hands_left(match)]
    strange = next(card for card in hands[1 - seat] if card in hidden.unseen and card not in hands[seat])
    hands[seat][hands[seat].index(hidden.known[seat][0])] = strange
    why = refusal(match, "hands", hands=tuple(map(tuple, hands)))
    assert "shown but not played" in why or "more were entered" in why


def test_a_column_is_a_key_with_its_number() -> None:
    """Columns count from 0 in records and from 1 at the table."""
    match = table("red-club-3", "blue-hide-3")
    fields = match.asks[0].more({"card": "dudab"})
    assert [fields[0].label(index) for index in (0, 1)] == ["1", "2"]  # type: ignore[union-attr]


def test_the_cards_that_can_be_laid_can_be_counted_and_drawn_from() -> None:
    """A pool that is looked through only as far as needed is a sequence all the same."""
    match = table("red-club-3", "blue-hide-3")
    pool = match.asks[0].fields[0].pool  # type: ignore[union-attr]
    assert len(pool) == len(list(pool)) == 31  # 18 numbers on each, 8 of them on both; two shamans and the dudab
    assert pool[0] in pool
    assert "red-hide-4" not in pool


@pytest.mark.parametrize("verb", ["play", "ask"])
def test_the_button_of_a_colour_means_that_colour(verb: str) -> None:
    """Newcomer 8: the red button meant "blue", the blue one "red"."""
    match = table("red-club-3", "blue-hide-3")
    ask = next(each for each in match.asks if each.verb == "play")
    entering = answer([ask], match.players)
    menu = next(entering)
    for tap in ("dudab", 0, True) if verb == "ask" else ():
        menu = entering.send(tap)
    colours = {choice.label.rpartition(":")[2]: menu.under(button, 0) for button, choice in _by_button(menu).items()}
    assert colours == {"red": menu.under(0, 0), "blue": menu.under(1, 0), "yellow": menu.under(2, 0),
                       "green": menu.under(3, 0)}  # fmt: skip


def _by_button(menu: Menu) -> dict[int, Choice]:
    return {choice.button: choice for choice in menu.choices if choice.button is not None}


def test_the_help_follows_the_readings_in_force() -> None:
    """Options: what may be laid, and what a covered request means, is read behind OK."""
    both = {"jungle": True, "baby": True}
    play, draw = (str(ask.help) for ask in table("red-club-3", "blue-hide-3", **both).asks)
    assert "You shed nothing" in play
    assert "it ends the request" in draw
    assert "any card may follow or mirror it" in draw
    older = {"jungle_place": "free", "cover": "number", "jungle_shed": True, "second_dudab": "same", "request": "may"}
    match = table("red-club-3", "blue-hide-3", **both, **older)
    play, draw = (str(ask.help) for ask in match.asks)
    assert "Then shed down to 2 cards" in play
    assert "cannot go on an open request" in draw
    assert "is covered by the next card" in draw
    do(match, "play", card="dudab", column=0, ask="symbol:club")
    play, draw = (str(ask.help) for ask in match.asks)
    assert "goes only on the one that asks" in play
    assert draw.startswith("You may draw")
    assert match.asks[0].question == "Play club, or draw?"


def test_hands_are_shown_from_the_first_seat_that_holds_any() -> None:
    match = play_out(DudabBuba, ("Ann", "Ben"), seed=3)
    position = next(each for each in map(match.position, range(len(match.acts))) if each.phase == "hands")
    assert isinstance(position, DudabBuba)
    for hands, seat in (((2, 2), 0), ((0, 2), 1), ((0, 0), 0)):
        now = replace(position, hidden=replace(position.hidden, hands=hands)).now()
        assert now is not None
        assert now.text == f"The deck is empty: show the hands. What does seat {seat} hold?"


@pytest.mark.parametrize(("chance", "share"), [(0.0, 0), (0.9999, 1)])
def test_a_pile_that_is_dealt_to_be_counted_has_at_most_the_share_of_its_seat(chance: float, share: int) -> None:
    position = DudabBuba.setup(2, track="score")
    given = DudabTable(lambda: chance, position)._count(position).given
    assert len(given["pile"]) == (len(deck(False, False)) - len(given["hand"])) // 2 * share
