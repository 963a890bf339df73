"""Dudab Buba: what a refusal says, what is known of hidden hands, and that the cards are all there.

The rules themselves are held by the records in tests/records/dudab-buba, a ruling each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kit.dudab_tables import FIVE, do, drawn_to_five, refusal, table
from umpi.display.answer import answer
from umpi.display.menu import Choice, Menu
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.columns import Column
from umpi.games.dudab_buba.dealer import DudabTable
from umpi.games.dudab_buba.hidden import Hidden
from umpi.kernel import Match, replace
from umpi.kernel.random_games import play, play_out

ALL: list[dict[str, Any]] = [
    {}, {"jungle": True}, {"baby": True}, {"jungle": True, "baby": True, "columns": 2},
    {"track": "score", "baby": True}, {"track": "counts", "jungle": True},
]  # fmt: skip
UNLIKE = "it shares nothing with the card it mirrors above the jungle"
DUDABS = "only a dudab mirrors the dudab above the jungle"
SHAMANS = "only a shaman or a dudab mirrors the shaman above the jungle"
FAR = "the value must be one higher or lower"


def test_a_card_on_the_table_cannot_be_played_and_the_refusal_says_where_it_is() -> None:
    """Issue: a card that has been seen cannot appear again; the refusal says where it is."""
    match = table("red-club-3", "blue-hand-2")
    assert refusal(match, "play", card="blue-hand-2", column=0) == ("blue-hand-2 is already on column 2.")


def test_a_card_that_was_shown_and_kept_cannot_be_played_by_another_seat() -> None:
    """Ruling: nobody else can play the four cards shown and kept."""
    match = drawn_to_five(table("red-club-3", "blue-hand-3"))
    do(match, "draw", shown=FIVE, shed="red-hand-1")
    assert refusal(match, "play", card="red-club-1", column=0) == "red-club-1 is already in Ann’s hand."
    assert refusal(match, "play", card="red-hand-1", column=0) == "red-hand-1 is already in Ann’s pile."


def test_no_other_card_comes_from_a_hand_beyond_its_places() -> None:
    """Ruling: no other card comes from it beyond the places left."""
    match = drawn_to_five(table("red-club-3", "blue-hand-3"))
    do(match, "draw", shown=FIVE, shed="red-hand-1")
    do(match, "play", card="red-hide-2", column=1)
    do(match, "play", card="yellow-hide-2", column=0)  # Ann's fifth card, which nobody knew
    do(match, "play", card="yellow-hand-1", column=1)
    why = refusal(match, "play", card="green-hide-2", column=1)
    assert why == ("green-hide-2 cannot be in Ann’s hand, which is red-club-1, blue-hand-1, blue-club-1, green-hide-1.")


def test_a_card_shown_that_could_be_played_is_named_with_its_column() -> None:
    """Record: `shown` cards of which one could be played: refused, saying which."""
    match = drawn_to_five(table("red-club-3", "blue-hand-3"))
    why = refusal(match, "draw", shown=(*FIVE[:4], "yellow-hide-2"), shed="red-hand-1")
    assert why == "yellow-hide-2 can be played, on column 1."


def test_a_card_that_goes_nowhere_says_why_column_by_column() -> None:
    """A refused act says why in words a player understands."""
    match = table("red-club-3", "shaman-blue")
    why = refusal(match, "play", card="red-hide-4", column=0)
    assert why == (
        "red-hide-4 fits no column. Column 1, red-club-3: colour and symbol must both differ. "
        "Column 2, shaman-blue: its colour is not that of the card there."
    )


def test_only_the_column_that_waits_is_named() -> None:
    """A request stands: all else is off, whatever lies there."""
    match = table("red-club-3", "blue-hand-2", seats=3)
    do(match, "play", card="dudab", column=1, ask="value:4")
    assert refusal(match, "play", card="blue-hide-2", column=0) == (
        "blue-hide-2 fits no column. Column 2, dudab: it is not what the dudab asks for."
    )
    assert refusal(match, "play", card="green-hide-4", column=0) == (
        "Column 1, red-club-3: the dudab on another column asks for a card."
    )


def test_a_shaman_waits_for_a_shaman_or_a_dudab() -> None:
    """Ruling: a seat answering may not do anything else."""
    match = table("red-club-3", "blue-hand-2")
    do(match, "play", card="shaman-red", column=0)
    assert refusal(match, "play", card="red-hide-1", column=0) == (
        "red-hide-1 fits no column. Column 1, shaman-red: only a shaman or a dudab answers the shaman."
    )
    assert refusal(match, "play", card="dudab", column=1) == (
        "Column 2, blue-hand-2: the shaman on another column waits for an answer."
    )


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


def test_an_expansion_that_is_not_in_the_game_is_named() -> None:
    """Options jungle and baby are off."""
    match = table("red-club-3", "blue-hand-2")
    do(match, "play", card="shaman-red", column=0)
    assert refusal(match, "face", turned=("jungle", "red-club-1")) == ("jungle: this expansion is not in this match.")
    match = Match(DudabBuba, ["Ann", "Ben"], {"track": "score"})
    assert refusal(match, "tally", seat=0, hand=(), pile=("baby",)) == "baby: this expansion is not in this match."


def test_a_card_counted_for_two_seats_is_refused() -> None:
    """Record, tally: no card twice among the seats of a round."""
    match = Match(DudabBuba, ["Ann", "Ben"], {"track": "score"})
    do(match, "tally", seat=1, hand=("red-club-3",), pile=())
    assert refusal(match, "tally", seat=0, hand=(), pile=("red-club-3",)) == "red-club-3 has been counted already."
    assert refusal(match, "tally", seat=1, hand=(), pile=()) == "Ben has counted."


def test_more_dudabs_than_there_are_are_refused() -> None:
    """Record, counts: over the seats at most 8 dudabs, hands included."""
    match = Match(DudabBuba, ["Ann", "Ben"], {"track": "counts"})
    given = {"shamans": 0, "jungles": 0, "babies": 0, "numbers": (0, 0, 0, 0)}
    do(match, "counts", seat=0, hand=2, dudabs=3, **given)
    assert refusal(match, "counts", seat=1, hand=1, dudabs=3, **given) == (
        "dudabs: 3 is not a whole number from 0 to 2."
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


def test_the_seat_that_can_be_asked_next_is_shown_with_hand_and_pile() -> None:
    """What the small screen shows: cards in hand, cards in the pile, what lies last, what is asked for."""
    match = table("red-club-3", "blue-hand-2", seats=3)
    do(match, "play", card="dudab", column=0, ask="symbol:club")
    view = match.now.view()
    assert (view.head, view.beside) == ("hand/pile", ("2/0", "3/0", "3/0"))
    assert [(row.label, row.cells) for row in view.rows] == [
        ("asked", ("club",)), ("top", ("dudab", "blue-hand-2")), ("deck 69", ("round 1/3",)),
    ]  # fmt: skip


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


@pytest.mark.parametrize("options", ALL, ids=str)
@pytest.mark.parametrize("seats", DudabBuba.seats)
def test_random_games_keep_every_card_in_its_place(seats: int, options: dict[str, Any]) -> None:
    """Issue: play-outs without a failed audit; the dealer compares with the real cards."""
    match = Match(DudabBuba, [f"P{seat}" for seat in range(seats)], options)
    assert set(play(match, seed=seats)) == {""}
    assert len(match.now.rounds) == seats  # type: ignore[attr-defined]


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
