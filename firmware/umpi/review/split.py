"""A review as data: points = expected + luck - given away, for each player, and the choices that cost most."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.lab.world import Decision

WORST = 3  # mistakes that a review lists for each player

Number = Fraction | float


@frozen
class About:
    """A figure, and half of its 95 % interval: None if it is exact."""

    value: Number
    error: float | None = None

    def line(self) -> Value:
        """Return it as JSON, to 0.1.

        >>> About(Fraction(1, 3)).line(), About(-0.01, 2.5).line()
        ('0.3', {'value': '0.0', '±': '2.5'})
        """
        return tenths(self.value) if self.error is None else {"value": tenths(self.value), "±": tenths(self.error)}


class Words(NamedTuple):
    """A choice in words: its verb, what is given with it by name, and its name in a report if the game has one."""

    verb: str
    given: tuple[tuple[str, str], ...] = ()
    name: str = ""

    def reported(self) -> str:
        """Return it in English, with the words of records.

        >>> Words("attack", (("with", "3 5"), ("on", "hex-2"))).reported()
        'attack: with 3 5, on hex-2'
        """
        given = ", ".join(f"{name} {value}" for name, value in self.given)
        return self.name or ": ".join(filter(None, (self.verb, given)))


def words_of(key: Decision, name: str = "") -> Words:
    """Return a decision in words.

    >>> words_of(("keep", (("dodes", ()),))).reported()
    'keep: dodes nothing'
    """
    verb, given = key
    values = {field: value if isinstance(value, tuple) else (value,) for field, value in given}
    return Words(verb, tuple((field, " ".join(map(str, value)) or "nothing") for field, value in values.items()), name)


@frozen
class Mistake:
    """A choice after which a player could expect less than after the best one.

    `move` counts the acts that stand, from 1. `line` is that of the record. `situation` says what the player saw; it is
    "" if the rules cannot say it. The loss of a mistake in the `match` is the least chance to win that it cost, in
    percent.
    """

    move: int
    line: int
    chosen: Words
    best: Words
    loss: About
    situation: str = ""
    match: bool = False

    def jsonable(self) -> dict[str, Value]:
        """Return it as JSON."""
        error: dict[str, Value] = {} if self.loss.error is None else {"±": tenths(self.loss.error)}
        return {
            "line": self.line, "chosen": self.chosen.reported(), "best": self.best.reported(),
            "loss": rounded_down(self.loss.value) if self.match else tenths(self.loss.value), **error, "sure": True,
        }  # fmt: skip


class Step(NamedTuple):
    """What a player's sums are after an act, counted from 1. `expected` and `luck` are None if only the match has them.

    Where they are exact, points = expected + luck - given_away at the end of each turn.
    """

    move: int
    expected: Number | None
    luck: Number | None
    given_away: Number


def by_loss(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Return mistakes with the one that cost most first."""
    return sorted(mistakes, key=lambda each: (-each.loss.value, each.line))


@dataclass(slots=True)
class Share:
    """What one player got, and where it came from; `course` are the sums after each decision.

    `lost` are the mistakes that cost a chance to win the match, where the rules can compute it.
    """

    seat: int
    name: str
    points: Number
    expected: About
    luck: About
    given_away: About
    decisions: int
    mistakes: list[Mistake] = field(default_factory=list)
    course: list[Step] = field(default_factory=list)
    lost: list[Mistake] = field(default_factory=list)

    @property
    def worst(self) -> list[Mistake]:
        """Return the mistakes that cost most, the dearest first."""
        return by_loss(self.mistakes)[:WORST]

    def jsonable(self) -> dict[str, Value]:
        """Return it as JSON."""
        return {
            "seat": self.seat,
            "name": self.name,
            "points": self.points if isinstance(self.points, int) else round(float(self.points), 1),
            "expected": self.expected.line(),
            "luck": self.luck.line(),
            "given_away": self.given_away.line(),
            "decisions": self.decisions,
            "worst": tuple(each.jsonable() for each in self.worst),
            **({"match": tuple(each.jsonable() for each in self.lost)} if self.lost else {}),
        }  # fmt: skip


@frozen
class Presses:
    """How a player did in races: the score, presses or cubes, how many were first, and two medians in ms.

    These are the reaction, and by how much the player's first presses were before the next one.
    """

    seat: int
    name: str
    points: int
    presses: int
    first: int
    reaction_ms: float | None
    lead_ms: float | None

    def jsonable(self) -> dict[str, Value]:
        """Return it as JSON."""
        return {
            "seat": self.seat, "name": self.name, "points": self.points, "presses": self.presses,
            "first": self.first, "reaction_ms": self.reaction_ms,
            "lead_ms": self.lead_ms,
        }  # fmt: skip


@frozen
class Review:
    """A whole review. `why` says what it leaves out, or why there is no split; "" if nothing is to be said."""

    game: str
    method: Literal["exact", "sampled", "none"]
    measure: str
    players: Sequence[Share | Presses]
    why: str = ""

    def jsonable(self) -> dict[str, Value]:
        """Return it as one JSON object."""
        return {
            "umpi_review": 1, "game": self.game, "method": self.method, "measure": self.measure,
            "players": tuple(each.jsonable() for each in self.players), **({"why": self.why} if self.why else {}),
        }  # fmt: skip


def tenths(value: Number) -> str:
    """Return a number to 0.1, without a minus before zero."""
    text = f"{float(value):.1f}"
    return "0.0" if text == "-0.0" else text


def rounded_down(value: Number) -> str:
    """Return a positive number that is said with "at least": to 0.1, or to its first digit if it is smaller.

    >>> rounded_down(Fraction(1999, 100)), rounded_down(Fraction(479, 10_000)), rounded_down(Fraction(3, 10))
    ('19.9', '0.04', '0.3')
    """
    exact, digits = Fraction(value), 1
    while exact * 10**digits < 1 and digits < 12:
        digits += 1
    return f"{math.floor(exact * 10**digits) / 10**digits:.{digits}f}"
