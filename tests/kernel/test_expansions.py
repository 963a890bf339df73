"""Expansions of a game: an option without a new `setup`, several at once, and those that do not go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import pytest

from umpi.conformance.game import check_game
from umpi.games.dodeka import Dodeka
from umpi.games.scorepad import ScorePad
from umpi.kernel import Act, Ask, Field, Match, Pick, Refused, message, override, replace
from umpi.kernel.expansions import combined, packages_of
from umpi.kernel.game import Game
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.options import defaults
from umpi.kernel.record import check_options, check_table
from umpi.kernel.table_setup import table_setup_of
from umpi.lessons.found import lesson_of
from umpi.printing.found import own_sheets
from umpi.rulebook.shelf import read_books


@dataclass(frozen=True, slots=True)
class Pad(ScorePad):
    """The game: a score pad that needs a target if nobody watches the time."""

    @classmethod
    @override
    def objection(cls, seats: int, target: int | None, rounds: int | None, minutes: int | None) -> str:
        """Object to a game without an end."""
        return "" if target or rounds or minutes else message("Choose how it ends.")

    @classmethod
    @override
    def table_setup(cls, seats: int) -> tuple[str, ...]:
        """Say where the pad lies."""
        return (message("Put the pad where all can see it."),)


@dataclass(frozen=True)
class Bells(Pad):
    """A pad with a bell, which may be rung once."""

    options: ClassVar[tuple[Field, ...]] = (*Pad.options, Pick("bell", (False, True)))

    bell: bool = False
    rung: bool = False

    @classmethod
    @override
    def objection(cls, seats: int, bell: bool) -> str:
        """Object to a bell at a table of one."""
        return message("A bell needs two players.") if bell and seats == 1 else ""

    @classmethod
    @override
    def table_setup(cls, seats: int, bell: bool) -> tuple[str, ...]:
        """Say where the bell stands."""
        return (message("Put the bell in the middle."),) if bell else ()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the bell too."""
        ring = Ask("ring", "Ring", help=message("The bell rings once."), rare=True, weight=0.05)
        asks = super().asks()
        return (*asks, ring) if asks and self.bell and not self.rung else asks

    def do_ring(self, seat: None) -> Self:
        """Ring the bell."""
        return replace(self, rung=True)


@dataclass(frozen=True)
class Gongs(Pad):
    """A pad with a gong, which may be struck once."""

    options: ClassVar[tuple[Field, ...]] = (*Pad.options, Pick("gong", (False, True)))

    gong: bool = True
    struck: bool = False

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the gong too."""
        strike = Ask("strike", "Strike", help=message("The gong sounds once."), rare=True, weight=0.05)
        asks = super().asks()
        return (*asks, strike) if asks and self.gong and not self.struck else asks

    def do_strike(self, seat: None) -> Self:
        """Strike the gong."""
        return replace(self, struck=True)


@dataclass(frozen=True)
class Rings(Pad):
    """A pad with another act of the name `ring`."""

    def do_ring(self, seat: None) -> Self:
        """Do nothing."""
        return self


@dataclass(frozen=True, slots=True)
class Slim(Pad):
    """A pad with a field and slots."""

    slim: bool = False


@dataclass(frozen=True, slots=True)
class Small(Pad):
    """A pad with another field and slots."""

    small: bool = False


@dataclass(frozen=True)
class Fewer(Pad):
    """A pad that leaves out the first option."""

    options: ClassVar[tuple[Field, ...]] = Pad.options[1:]


def verbs(match: Match) -> list[str]:
    return [ask.verb for ask in match.asks]


def test_an_option_of_an_expansion_is_a_field_and_setup_stays_that_of_the_game() -> None:
    assert defaults(Bells) == {**defaults(Pad), "bell": False}
    assert defaults(Gongs)["gong"] is True
    assert verbs(Match(Bells, ("Ann", "Ben"))) == verbs(Match(Pad, ("Ann", "Ben")))
    match = Match(Bells, ("Ann", "Ben"), {"bell": True, "target": 10})
    assert match.now.facts() == Match(Pad, ("Ann", "Ben"), {"target": 10}).now.facts()
    match.play(Act("ring"))
    with pytest.raises(Refused, match="ring"):
        match.play(Act("ring"))
    with pytest.raises(Refused, match="its options"):
        check_options({"gong": True}, Bells)


def test_an_expansion_says_only_what_it_adds() -> None:
    """What the game says counts too, and comes first."""
    with pytest.raises(Refused, match="how it ends"):
        check_table(Bells, 2, {})
    with pytest.raises(Refused, match="two players"):
        check_table(Bells, 1, {"bell": True, "rounds": 1})
    check_table(Bells, 1, {"rounds": 1})
    both = ("Put the pad where all can see it.", "Put the bell in the middle.")
    assert table_setup_of(Bells, 2, {"bell": True}) == both
    assert table_setup_of(Bells, 2, {}) == both[:1]


def test_two_expansions_work_together() -> None:
    both = combined(Pad, (Bells, Gongs))
    assert [option.name for option in both.options[len(Pad.options) :]] == ["bell", "gong"]
    match = Match(both, ("Ann", "Ben"), {"bell": True})
    assert verbs(match)[-2:] == ["ring", "strike"]
    match.play(Act("ring"))
    match.play(Act("strike"))
    assert not {"ring", "strike"} & set(verbs(match))
    with pytest.raises(Refused, match="two players"):
        check_table(both, 1, {"bell": True, "target": 9})


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (Bells, Rings, "Bells and Rings both bring do_ring"),
        (Bells, Fewer, "`options` of Fewer must begin with those of Pad"),
        (Slim, Small, "without slots"),
    ],
)
def test_expansions_that_do_not_go_together_say_why(one: type[Game], other: type[Game], why: str) -> None:
    with pytest.raises(Misshapen, match=why):
        combined(Pad, (one, other))


@dataclass(frozen=True)
class Coins(Pad):
    """A pad that calls its points coins, for revision 1."""

    pieces: ClassVar = {"points": "coin"}
    formerly: ClassVar = {1: {"target": 50}}


@dataclass(frozen=True)
class Chips(Pad):
    """A pad that calls its points chips."""

    pieces: ClassVar = {"points": "chip"}


@dataclass(frozen=True)
class Taken(Pad):
    """A pad with an option that has the name of a field of the game."""

    options: ClassVar[tuple[Field, ...]] = (*Pad.options, Pick("turn", (0, 1)))


def test_what_one_expansion_changes_another_does_not_undo() -> None:
    both = combined(Pad, (Coins, Bells))
    assert (both.pieces, both.formerly) == ({"points": "coin"}, {1: {"target": 50}})
    with pytest.raises(Misshapen, match="changes points"):
        combined(Pad, (Coins, Chips))


def test_an_option_of_an_expansion_overwrites_no_field_of_the_game() -> None:
    with pytest.raises(Misshapen, match="Taken has an option turn, which is a field of Pad: rename it"):
        combined(Pad, (Taken,))


def test_an_expansion_keeps_the_rules_the_sheets_and_the_lesson_of_the_game() -> None:
    wider = type("Wider", (Dodeka,), {"__module__": __name__, "__doc__": Dodeka.__doc__})
    assert [book.language for book in read_books(wider)] == [book.language for book in read_books(Dodeka)] != []
    assert own_sheets(wider, "en") == own_sheets(Dodeka, "en") != ()
    assert packages_of(wider)[-1] == "umpi.games.dodeka"
    assert lesson_of(wider)


@pytest.mark.slow
def test_a_combined_game_passes_every_check() -> None:
    check_game(combined(Pad, (Bells, Gongs)), games=1, options=({"rounds": 2}, {"rounds": 2, "bell": True}))
