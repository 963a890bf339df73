"""Dodekka's odds: the chance to bust, counted by hand and against every card that may be turned."""

from __future__ import annotations

from umpi.games.dodekka import Dodekka
from umpi.kernel import Act, Match
from umpi.kernel.random_games import play_out


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
