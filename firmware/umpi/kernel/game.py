"""What a game is: the contract an engine is written to, and what it offers, tells and ends with."""

from __future__ import annotations

import dataclasses
import inspect
import keyword
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import CodeType
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

from umpi.kernel.blame import Misshapen
from umpi.kernel.fields import Chance, Field, Given, Value

API = 1  # the kernel's version; an engine written to another says so in `umpi_api`

NamedSeat = Annotated[int, "a field of the act"]
"""The hint of a `seat` that stands in the record as a field: anybody's act, which names whom it is about."""


def nothing_more(given: Given) -> tuple[Field, ...]:
    """Say that no field follows from what has been answered."""
    return ()


def no_objection(given: Given) -> str:
    """Say that the whole act is fine once each field is."""
    return ""


class Ask(NamedTuple):
    """One thing the referee is waiting for, answered by the game's `do_<verb>`.

    `seat` is who answers, None for what is nobody's (the deal) or names its seat in a field. `help` is the rule itself.
    `more(given)` tells all fields that follow from the answers so far; `check(given)` objects to the whole act.
    `then` names the verb that usually follows at once: buttons enter both together. `usual` is what is answered most
    often, wholly or in some fields: the panel takes it for granted and asks the rest, or what follows; another answer
    is one key away, or in the menu. `weight` is how often play-outs choose it beside the others; below a tenth it is
    rare and stands in the menu. `after_ms`: the box does it by itself once the game is that old.
    """

    verb: str
    text: str
    fields: tuple[Field, ...] = ()
    seat: int | None = None
    help: str = ""
    more: Callable[[Given], tuple[Field, ...]] = nothing_more
    check: Callable[[Given], str] = no_objection
    then: str = ""
    usual: Given | None = None
    weight: float = 1.0
    after_ms: int | None = None

    @property
    def rare(self) -> bool:
        """Whether it is a rare act, to be found in the menu rather than under a key."""
        return self.weight < 0.1

    def walk(self, given: Given) -> Iterator[Field]:
        """Yield the fields in the order of asking; the caller puts each answer into `given` before it goes on."""
        yield from self.fields
        if self.more is nothing_more:
            return
        asked = {field.name for field in self.fields}
        while following := [field for field in self._more(given) if field.name not in asked]:
            asked.add(following[0].name)
            yield following[0]

    def _more(self, given: Given) -> tuple[Field, ...]:
        fields = self.more(given)
        if isinstance(fields, Field):
            raise Misshapen(f'`more` of "{self.verb}" returns a single field: {COMMA}', code_of(self.more))
        return fields


@dataclass(frozen=True, slots=True)
class Act:
    """One answer: a verb, its fields, and where a record says so, who acted and when.

    `by` is a seat, `at` whole milliseconds since the game began.
    """

    verb: str
    given: Mapping[str, Value] = field(default_factory=dict)
    by: int | None = None
    at: int | None = None

    def line(self) -> dict[str, Value]:
        """Write it as a record does."""
        line: dict[str, Value] = {"do": self.verb, **self.given}
        if self.by is not None:
            line["by"] = self.by
        if self.at is not None:
            line["at"] = self.at
        return line


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: a place for each seat (1 is first, ties share), and why."""

    places: tuple[int, ...]
    why: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first place, ascending."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of short texts under a label."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What is worth seeing beside the scores: a heading, a short text a seat, rows with the most important first.

    `live`: what stands `beside` is what the table looks at now; it is shown large, and the score beside it.
    """

    head: str = ""
    beside: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    live: bool = False


@runtime_checkable
class Game(Protocol):
    """A position that knows its rules: a frozen dataclass, every `do_<verb>` of which returns a new one.

    Acts are methods `do_<verb>(self, seat, <field>=…)`; a "-" in a verb is "_" there, and a field named as a Python
    keyword gets a trailing "_". Their hints make the schema: `seat` is `int` for the seat that must act, `None` where
    the act is nobody's, `NamedSeat` where the record names it. The options' defaults are those of `setup`.
    Optional beside these: `kind` ("cards"), `longest`, `view()`, `odds()`, `audit()`; `cards`, each copy of those that
    can be scanned; `at_buttons`, the options a box begins with where its players enter everything by buttons; the class
    method `objection(seats, **options)`, which says why such options do not go with so many seats; `dealer`, where
    real cards are hidden or real acts not even; and `revision`, 1 until the rules come to judge some act otherwise.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    options: ClassVar[tuple[Field, ...]]

    @classmethod
    def setup(cls, seats: int, **options: Any) -> Self:
        """Place the game's first position."""
        ...

    @property
    def phase(self) -> str:
        """The step the game waits in; "over" once it has ended."""
        ...

    def asks(self) -> tuple[Ask, ...]:
        """Offer all that may be answered now; empty exactly when there is a result."""
        ...

    def scores(self) -> tuple[int, ...]:
        """Count a number a seat, as the game stands."""
        ...

    def result(self) -> Result | None:
        """Tell how it ended, None while it goes on."""
        ...

    def facts(self) -> dict[str, Any]:
        """Tell what the game keeps, as its page lists it."""
        ...


class Dealer(Protocol):
    """The table of a random game: it shuffles and deals where hands are hidden, and answers as real players could.

    A game names it as `dealer`; made with the source of all chance and the first position.
    """

    def __init__(self, chance: Chance, position: Any) -> None: ...

    def act(self, position: Any) -> Act:
        """Do the next thing, and remember what only the real cards know of it."""
        ...

    def audit(self, position: Any) -> str:
        """Say where the position and the real cards differ, "" where they agree."""
        ...


def defaults(game: type[Game]) -> dict[str, Value]:
    """Read the options' defaults off the game's `setup`."""
    parameters = inspect.signature(game.setup).parameters
    return {option.name: parameters[option.name].default for option in game.options}


def offer_of(position: Game) -> tuple[Ask, ...]:
    """Ask a position for its offer; raises Misshapen where that is not a tuple of Ask, each with a tuple of fields."""
    asks = position.asks()
    if isinstance(asks, Ask):
        raise _misshapen(position, f"returns a single Ask: {COMMA}")
    if not isinstance(asks, tuple):
        raise _misshapen(position, f"returns a {type(asks).__name__}, not a tuple of Ask")
    for ask in asks:
        if not isinstance(ask, Ask):
            raise _misshapen(position, f"returns a {type(ask).__name__} among its Ask")
        if isinstance(ask.fields, Field):
            raise _misshapen(position, f'gives "{ask.verb}" a single field: {COMMA}')
        if not isinstance(ask.fields, tuple):
            raise _misshapen(position, f'gives "{ask.verb}" a {type(ask.fields).__name__}, not a tuple of fields')
    return asks


def _misshapen(position: Game, why: str) -> Misshapen:
    return Misshapen(f"asks() {why}", code_of(type(position).asks))


def view_of(position: Game) -> View:
    """Ask a position for its view; empty where the game has none."""
    look: Callable[[], View] = getattr(position, "view", View)
    return look()


def odds_of(position: Game) -> tuple[Row, ...]:
    """Ask a position what is worth knowing about chance; nothing where the game does not say."""
    odds: Callable[[], tuple[Row, ...]] = getattr(position, "odds", tuple)
    return odds()


def audit(position: Game) -> str:
    """Ask a position for the invariant that broke, "" where all hold or the game keeps none."""
    look: Callable[[], str] = getattr(position, "audit", str)
    return look()


def full_title(game: type[Game]) -> str:
    """Write the title with its kind, so that Dodekka cards and Dodéka dice are told apart."""
    kind = getattr(game, "kind", "")
    return f"{game.title} {kind}".rstrip()


def revision_of(game: type[Game]) -> int:
    """Tell the revision of a game's rules: 1 until an engine says otherwise in `revision`.

    An engine whose rules come to judge some act in another way counts it up, so that a match begun before can say why
    it goes on otherwise.
    """
    revision: int = getattr(game, "revision", 1)
    return revision


def placed(merits: tuple[Any, ...]) -> tuple[int, ...]:
    """Rank seats by merit, the greatest first; equal merits share a place.

    >>> placed((5, 9, 5))
    (2, 1, 2)
    """
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


COMMA = "write (x,) with a comma for a tuple of one"


def code_of(function: object) -> CodeType | None:
    """Find the code of a function; None for what is written in C, or bound to values."""
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


T = TypeVar("T")


def replace(position: T, **changes: object) -> T:
    """Copy a position, or a part of an offer, with some fields changed: `dataclasses.replace` in a quarter of its time.

    The class's `__init__` is not run. A name that is no field raises AttributeError, or of an offer ValueError.

    >>> replace(Row("line", ("4",)), label="last")
    Row(label='last', cells=('4',))
    """
    if isinstance(position, tuple):
        return position._replace(**changes)  # type: ignore[attr-defined, no-any-return]
    new = object.__new__(type(position))
    put = object.__setattr__
    for name in _fields(type(position)):  # type: ignore[arg-type]
        put(new, name, changes.pop(name) if name in changes else getattr(position, name))
    for name in changes:
        raise AttributeError(f"{type(position).__name__} has no field {name}")
    return new


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


@cache
def method(verb: str) -> str:
    """Name the method that answers a verb.

    >>> method("time-up")
    'do_time_up'
    """
    return "do_" + verb.replace("-", "_")


@cache
def parameter(name: str) -> str:
    """Name the parameter that takes a field.

    >>> parameter("with"), parameter("card")
    ('with_', 'card')
    """
    return name + "_" if keyword.iskeyword(name) else name
