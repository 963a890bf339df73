"""`check_game`: which games are played, what is reported of them, and what a failing engine's author reads."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from planted.bag import Bag, Stone

from umpi.conformance import check_game, examine
from umpi.conformance.checks import Check
from umpi.conformance.examine import Examination
from umpi.conformance.tables import players, tables, variants
from umpi.kernel import Match, Number, Pick, Profile, Some, Text, replace
from umpi.kernel.game import Act
from umpi.kernel.random_games import sample
from umpi.kernel.record import Header


def flaws(game, **more):
    return {finding.check: str(finding.flaw) for finding in examine(game, **{"games": 1, **more}) if finding.flaw}


def figures(game, **more):
    return {finding.check: finding.figures for finding in examine(game, **more)}


@pytest.mark.slow
def test_every_number_of_seats_is_played_at_the_usual_options():
    """The issue: end within `longest` for every number of seats."""
    assert [len(header.players) for header in tables(Bag, [{}])] == [2, 3, 4]
    assert figures(Bag, games=3, options=[{}])["end"].startswith("12 games, ")  # three of edge values


def test_other_options_are_tried_one_at_a_time():
    """Each option's other values: of a pick all, of a number the ends and null."""

    class Optional(Bag):
        options: ClassVar = (
            Number("stones", 3, 12), Pick("mood", ("calm", "wild")), Profile("board", str), Text("name", 1, 3),
            Number("goal", 1, 9, null=True), Some("cards", (1, 2), 1, 1),
        )  # fmt: skip
        at_buttons: ClassVar = {"stones": 5}

        @classmethod
        def setup(cls, seats, stones=8, mood="calm", board=None, name="x", goal=None, cards=(1,)):
            return super().setup(seats, stones)

    assert list(variants(Optional)) == [
        {"stones": 5}, {"stones": 3}, {"stones": 12}, {"mood": "wild"}, {"name": "V"}, {"goal": 1}, {"goal": 9},
        {"cards": (2,)},
    ]  # fmt: skip


def test_a_table_the_game_objects_to_is_left_out():
    """game.py: `objection` says why such options do not go with so many seats."""

    class Small(Bag):
        @classmethod
        def objection(cls, seats, stones=8):
            return "too few stones" if stones < seats * 2 else ""

    assert [len(header.players) for header in tables(Small, [{"stones": 6}])] == [2, 3]


def test_seats_bear_the_colours_of_the_box_and_then_numbers():
    """setup.py, COLOURS."""
    assert players(8)[4:] == ("White", "Black", "P7", "P8")


@pytest.mark.slow
def test_long_games_with_other_options_are_cut_short_with_a_notice():
    """A run takes seconds, whatever a match of a hundred parts would take."""

    class Long(Bag):
        """Can be made to go on and on."""

        longest: ClassVar = 20_000
        options: ClassVar = (Number("stones", 3, 12), Pick("long", (False, True)))

        @classmethod
        def setup(cls, seats, stones=8, long=False):
            return cls(((),) * seats, -stones if long else stones, tuple(range(1, stones + 1)))

        def do_draw(self, seat, stone, loud=False):
            return self if self.stones < 0 else Bag.do_draw(self, seat, stone, loud)

        def _gone(self, stone):
            return "No."

        def audit(self):
            return ""

    assert "of them cut short" in figures(Long, games=1)["end"]
    assert "cut short" not in figures(Long, games=1, options=[{}])["end"]


@pytest.mark.slow
def test_a_long_record_is_shown_in_part_and_kept_whole():
    """A record of thousands of lines buries its own message."""

    class Talkative(Bag):
        """Goes on for ever."""

        longest: ClassVar = 100

        def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Any:
            return replace(self, turn=self._next)

        def do_pass(self, seat: int) -> Any:
            return replace(self, turn=self._next)

    (flaw,) = (finding.flaw for finding in examine(Talkative, games=1, options=[{}]) if finding.flaw)
    assert flaw.check == "end"
    assert len(flaw.record.splitlines()) == 101
    assert str(flaw).endswith("… and 41 lines more, in the error's `record`.")


@pytest.mark.parametrize(
    ("method", "error", "check"),
    [
        ("view", "ZeroDivisionError", "view"), ("audit", "ZeroDivisionError", "audit"),
        ("facts", "ZeroDivisionError", "declaration"), ("scores", "ZeroDivisionError", "purity"),
        ("_next", "ZeroDivisionError", "legality"), ("odds", "ZeroDivisionError", "view"),
        ("calls", "ZeroDivisionError", "calls"), ("table_setup", "ZeroDivisionError", "setup"),
    ],
)  # fmt: skip
def test_an_engine_that_fails_is_named_and_never_fails_the_kit(method, error, check):
    """Whatever an engine raises is a flaw of its own."""

    def fails(*given, **options):
        raise ZeroDivisionError("a bug")

    made = {"_next": property(fails), "table_setup": classmethod(fails)}.get(method, fails)
    broken = type("Broken", (Bag,), {"__doc__": "Fails.", method: made})
    found = flaws(broken)
    assert check in found
    assert error in found[check]
    assert not {"texts", "presses", "undo", "amend"} & set(found)


@pytest.mark.slow
def test_a_game_that_cannot_be_set_up_at_an_option_is_a_flaw_of_its_declaration():
    """An option's value that its own field allows must work."""

    class Fragile(Bag):
        """Fails on three stones."""

        @classmethod
        def setup(cls, seats, stones=8):
            return super().setup(seats, 1 // (stones - 3) + stones)

        def audit(self):
            return ""

    assert "failed to set up" in flaws(Fragile)["declaration"]
    assert '"options": {"stones": 3}' in flaws(Fragile)["declaration"]


class Dealing:
    def __init__(self, chance, position):
        self.chance = chance

    def act(self, position):
        return sample(position.asks(), self.chance)

    def audit(self, position):
        return ""


class Stubborn(Dealing):
    def act(self, position):
        return Act("draw", {"stone": 1})


class Absent(Dealing):
    def act(self, position):
        raise LookupError("nobody deals")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dealt", "why"),
    [(Dealing, None), (Stubborn, "Stone 1 has been drawn."), (Absent, "A random game stops: LookupError")],
)
def test_a_dealer_is_part_of_its_engine(dealt, why):
    """game.py, Dealer: it answers the offers as real players could."""
    found = flaws(type("Dealt", (Bag,), {"__doc__": "Is dealt.", "dealer": dealt}), options=[{}])
    assert (why is None) == (found == {})
    assert why is None or why in found["legality"]


def test_an_engine_that_takes_its_own_act_back_is_impure():
    """An act done once can be done again."""
    taken = []

    class Moody(Bag):
        """Does everything four times."""

        def do_draw(self, seat, stone, loud=False):
            taken.append(stone)
            return Bag.do_draw(self, seat, stone) if len(taken) % 5 else 1 // 0

    assert set(flaws(Moody)) & {"purity", "legality"}


@pytest.mark.slow
def test_a_position_of_another_kind_is_reported():
    """A game is one frozen dataclass."""

    @dataclass
    class Soft:
        at: int = 0

    class Loose(Bag):
        """Keeps what is not frozen."""

        def do_pass(self, seat):
            return replace(Bag.do_pass(self, seat), passed=(*self.passed, Soft(seat)))

    assert "is a Soft, a dataclass that is not frozen" in flaws(Loose)["purity"]


def test_a_match_is_left_where_it_stood_whatever_a_look_has_done():
    """A look that fails half way leaves acts of its own behind: as many as there were, or more."""
    match, header = Match(Bag, ["Ann", "Ben"]), Header(Bag, ("Ann", "Ben"), {})
    match.play(Act("pass"))
    (act,) = match.acts
    for left in ([], [Act("draw", {"stone": 2})], [Act("draw", {"stone": 2}), Act("pass")]):

        def look(match, seed, left=left):
            match.undo()
            for other in left:
                match.play(other)

        Examination(Bag, 1)._look([Check("purity", look)], match, header, 1)
        assert len(match.acts) == 1
        assert match.acts[0] is act


def test_two_games_are_played_and_the_seed_is_0_if_nothing_else_is_said(monkeypatch):
    asked = []

    class Noting:
        def __init__(self, game, seed, progress):
            asked.append((game, seed))

        def findings(self, games, options):
            asked.append((games, options))
            return iter(())

    monkeypatch.setattr(sys.modules["umpi.conformance.examine"], "Examination", Noting)
    assert list(examine(Bag)) == []
    assert check_game(Bag).findings == ()
    assert asked == [(Bag, 0), (2, None)] * 2
