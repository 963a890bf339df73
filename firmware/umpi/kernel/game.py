"""The contract of a game: the protocol of an engine, and the types of its offers, acts, views and results."""

from __future__ import annotations

import inspect
import keyword
import sys
from abc import ABC, abstractmethod  # Game has no metaclass: it would hide in which module a class is made
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import field
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args

from umpi.frozen import frozen
from umpi.kernel.fields import Chance, Field, Given, Pick, Value
from umpi.kernel.fields import no_objection as no_objection
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.replacing import replace as replace
from umpi.kernel.seal import SEAL, Seal

if sys.version_info >= (3, 12):
    from typing import override as override
else:
    from typing_extensions import override as override

if TYPE_CHECKING:
    from umpi.kernel.board import Board
    from umpi.kernel.calls import Call
    from umpi.kernel.now import Now
    from umpi.kernel.scope import Scope
    from umpi.kernel.worths import Worths

API = 3  # the version of the contract; an engine names the version for which it is written as `umpi_api`

HOME = "home"  # the verb by which a game discards the next cube without an owner
NOT_GIVEN = ("do", "by", "at", SEAL)  # the keys of an act's line that are no fields
FIELDS = get_args(Field)

Wins = Literal["highest", "lowest"]
NamedSeat = Annotated[int, "a field of the act"]
"""The hint of a `seat` that stands in the record as a field: anybody's act, which names whom it is about."""


def nothing_more(given: Given) -> tuple[Field, ...]:
    """Return no further fields."""
    return ()


class Ask(NamedTuple):
    """One act that the referee waits for; the game's `do_<verb>` performs it.

    `seat` is the seat that must answer. It is None if no seat must (the deal), or if a field names the seat.
    `help` is the text of the rule.
    `more(given)` returns all fields that follow from the answers so far.
    `objection(given)` returns an objection to the whole act, "" if there is none.
    `followed_by` is the verb that usually follows at once: the buttons enter both together.
    `question` is the question in place of `text` if the buttons ask for more than this act: for other acts beside it,
    or together with the act that follows it.
    `usual` contains the most frequent answers to all or some fields. The display assumes them and asks only for the
    rest. Another answer needs one more button, or the menu. If they answer the whole ask and contain a yes or no, it
    assumes nothing, because a player decides that.
    `weight` is how often play-outs choose this act, relative to the others: by default 1, and 0.02 with
    `at_ms`, because random games would end too early. A `rare` act is in the menu, on no button.
    `at_ms` is the age of the game, in milliseconds, at which the box does the act by itself.
    `after_ms` counts from the question instead. The box then does the act, and nobody else can. With two numbers, the
    box draws the time between them and shows no clock: nobody knows when a start signal comes. 0 means at once.
    `secret` asks each seat of the field `seat`, the first field, for an answer that nobody else sees. The box keeps the
    answers until every seat of its pool has answered; then it does them all at once, in the order of the seats.
    With `as_team`, one answer of a secret ask counts for all seats of a team; see `Game.teams`. The pool contains the
    seats of every team that has not answered. A seat without a team answers for itself.
    `note_if_no_hit` is what the box notes after the act if the sensor of its wall heard no hit before it.
    `if_refused` is the verb of an act without fields that the box offers with the reason if it refuses a seat's button,
    for example that the player takes their cube back.
    """

    verb: str
    text: str
    fields: tuple[Field, ...] = ()
    seat: int | None = None
    help: str = ""
    more: Callable[[Given], tuple[Field, ...]] = nothing_more
    objection: Callable[[Given], str] = no_objection
    followed_by: str = ""
    usual: Given | None = None
    weight: float | None = None
    at_ms: int | None = None
    question: str = ""
    note_if_no_hit: str = ""
    after_ms: int | tuple[int, int] | None = None
    secret: bool = False
    as_team: bool = False
    rare: bool = False
    if_refused: str = ""

    @property
    def answerable(self) -> bool:
        """Check whether the ask has an answer. A buzz without one only says why no seat's button counts."""
        return all(field.pool or field.optional for field in self.fields if isinstance(field, Pick))

    @property
    def of_box(self) -> bool:
        """Check whether only the box does the act, when its time has come."""
        return self.after_ms is not None

    def walk(self, given: Given) -> Iterator[Field]:
        """Yield the fields in the order of asking; the caller puts each answer into `given` before the next field."""
        yield from self.fields
        asked = {each.name for each in self.fields}
        while following := self.following(given, asked):
            asked.add(following[0].name)
            yield following[0]

    def following(self, given: Given, asked: Container[str]) -> tuple[Field, ...]:
        """Return the next field that follows from the answers, in a tuple of one; empty if all have been asked."""
        if self.more is nothing_more:
            return ()
        fields = self.more(given)
        if type(fields) is not tuple:
            self._check_more(fields)
        for each in fields:
            if not isinstance(each, FIELDS):
                why = f'`more` of "{self.verb}" returns {each!r} among its fields'
                raise Misshapen(why, code_of(self.more))
            if each.name not in asked:
                return (each,)
        return ()

    def _check_more(self, fields: object) -> None:
        """Raise Misshapen if `more` has not returned a tuple."""
        if isinstance(fields, Field):
            raise Misshapen(f'`more` of "{self.verb}" returns a single field: {COMMA}', code_of(self.more))
        if not isinstance(fields, tuple):
            raise Misshapen(f'`more` of "{self.verb}" returns {_no_tuple(fields, "fields")}', code_of(self.more))


@frozen
class Act:
    """One move: a verb and its fields, and if the record contains them, who acted and when.

    `by` is a seat. `at` is in whole milliseconds since the game began. `seal` names the fields that only one seat may
    see until the match is over.
    """

    verb: str
    given: Given = field(default_factory=dict)
    by: int | None = None
    at: int | None = None
    seal: Seal | None = None

    @classmethod
    def read(cls, line: Mapping[str, Any]) -> Act:
        """Return the act of a line of a record; `line` has "do". Raises ValueError if its seal does not hold."""
        given = {key: value for key, value in line.items() if key not in NOT_GIVEN}
        return cls(line["do"], given, line.get("by"), line.get("at"), Seal.read(line) if SEAL in line else None)

    def line(self) -> dict[str, Value]:
        """Return the line that a record contains for it."""
        line: dict[str, Value] = {"do": self.verb, **self.given}
        if self.by is not None:
            line["by"] = self.by
        if self.at is not None:
            line["at"] = self.at
        if self.seal is not None:
            line[SEAL] = self.seal.line()
        return line

    def shown(self) -> Act:
        """Return the act without what its seal hides."""
        if self.seal is None:
            return self
        given = {name: value for name, value in self.given.items() if name not in self.seal.fields}
        return Act(self.verb, given, self.by, self.at)


@frozen
class Result:
    """The end of a game: a place for each seat (1 is first, equal seats share a place), and the reason.

    If all have lost, as in a cooperative game, write `Result.lost(why)`; it has no places.
    """

    places: tuple[int, ...]
    why: str

    @classmethod
    def lost(cls, why: str) -> Result:
        """Return the end of a game that all have lost: nobody wins.

        >>> Result.lost("the last life is gone").winners
        ()
        """
        return cls((), why)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that share the first place, ascending; empty if all have lost."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@frozen
class Row:
    """A line of short texts with a label."""

    label: str
    cells: tuple[str, ...]


@frozen
class View:
    """The texts that the display shows in addition to the scores.

    `head` is a heading. `beside` contains one short text per seat. `rows` starts with the most important row; the box
    shows as many as have room while it asks, and without rows the lines of `shown_board`.
    If `large` is set, the texts of `beside` matter most now: the display shows them large, and the score next to them.
    If `hidden` is set, neither the display nor the phones show the scores until the game ends.
    `lamps` contains the seats whose lamps are lit; without it, the lamp of the seat that must act, or all.
    """

    head: str = ""
    beside: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    large: bool = False
    hidden: bool = False
    lamps: tuple[int, ...] | None = None


class Game:
    """A position with its rules: derive a frozen dataclass from it. Each `do_<verb>` returns a new position.

    Acts are methods `do_<verb>(self, seat, <field>=…)`. A "-" in a verb is "_" in the method's name. A field named
    like a Python keyword gets a trailing "_". The hints make the schema. The hint of `seat` is `int` for the seat
    that must act, `None` if no seat must, and `NamedSeat` if the record names the seat. The options' defaults are
    the defaults of `setup`, or of the field if `setup` has no parameter of that name.

    A member that you leave out has the value or the behaviour shown here. Mark what you replace with `@override`: the
    type checker then finds a misspelled name. `umpi check` finds it too. A field of the dataclass may not have the name
    of a member, except `phase` and `wins`.
    """

    __slots__ = ()

    id: ClassVar[str]
    """The id: the name of the entry point, and the game in records."""
    title: ClassVar[str]
    """The title that players read."""
    umpi_api: ClassVar[int]
    """The version of this contract for which the engine is written."""
    seats: ClassVar[range]
    """The numbers of seats: `range(2, 5)` for two to four players."""
    options: ClassVar[tuple[Field, ...]] = ()
    """The options; each is a parameter of `setup`, or a field of the position."""
    longest: ClassVar[int] = 10_000
    """The number of acts that no game passes."""
    kind: ClassVar[str] = ""
    """What players play with, such as "cards"; it follows the title."""
    revision: ClassVar[int] = 1
    """The number of the rules: one more with each change that judges some act differently.

    So an older match can explain why it continues differently.
    """
    formerly: ClassVar[Mapping[int, Mapping[str, Value]]] = {}
    """For an older revision, the options by which it judged."""
    at_buttons: ClassVar[Mapping[str, Value]] = {}
    """The initial options of a box whose players enter everything by buttons."""
    option_help: ClassVar[Mapping[str, str]] = {}
    """For an option's name, the text that explains it."""
    experiments: ClassVar[tuple[str, ...]] = ()
    """The names of the options for play-testing, such as a number of the rules.

    The box lists them only if their value differs from the rule sheet.
    """
    pieces: ClassVar[Mapping[str, str]] = {}
    """What a player holds or sees if a field's value is a piece: "card", "die" or "dode", by the field's name."""
    cards: ClassVar[tuple[str, ...]] = ()
    """Each copy of the cards that can be scanned."""
    dealer: ClassVar[type[Dealer] | None] = None
    """For a game with hidden cards, or with acts that are not equally likely: who plays random games like a table."""
    worths: ClassVar[type[Worths] | None] = None
    """For a game whose rules can compute what each choice is worth: how. `umpi review` is exact then."""
    rolls_off: ClassVar[bool] = False
    """Whether the players roll to see who begins, so that the box does not ask it before the game."""
    judged: ClassVar[bool] = False
    """Whether somebody judges the answers of players; a table may then have a moderator."""
    reported: ClassVar[tuple[str, ...]] = ()
    """The phases in which an act says what happened at the table, so that no player decides it."""
    scopes: ClassVar[tuple[Scope, ...]] = ()
    """The parts of the game that `umpi check --exhaustive` enumerates."""
    at_will: ClassVar[tuple[str, ...]] = ()
    """The verbs of acts that nobody asks for, but that the seat of their only field, `seat`, decides."""

    def __init_subclass__(cls, **named: Any) -> None:
        """Refuse a field with the name of a member, which would take the member's value as its default."""
        super().__init_subclass__(**named)
        for name, hint in inspect.get_annotations(cls).items():
            if name in (*Game.__annotations__, *vars(Game)) and name != "wins" and "ClassVar" not in str(hint):
                raise TypeError(f"the field {name} has the name of a member of umpi.kernel.Game: rename it")

    @classmethod
    @abstractmethod
    def setup(cls, seats: int, *_: Any, **options: Any) -> Self:
        """Return the first position of a game; the engine names its options."""

    if TYPE_CHECKING:  # each may be a field: at run time, a dataclass would take a property as the default of the field

        @property
        def phase(self) -> str:
            """The current step of the game, "over" if it has ended: a property or a field."""

        @property
        def wins(self) -> Wins | None:
            """Which scores lead, None if nothing ranks the seats before the end: a class variable or a field."""
    else:
        wins = None

    @abstractmethod
    def asks(self) -> tuple[Ask, ...]:
        """Return the acts that are allowed now; empty if and only if there is a result."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Return the current score of each seat."""

    @abstractmethod
    def result(self) -> Result | None:
        """Return the result of the game, None until it ends."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return the facts that the game's page lists."""

    def shown_facts(self) -> dict[str, Any]:
        """Return what everybody at the table may see, for the drawings on screens; by default the facts.

        While `view` hides the scores, the facts could tell them. So there are none until the game ends, unless the game
        itself says what its players see.
        """
        return {} if self.view().hidden and self.result() is None else self.facts()

    def shown_board(self) -> Board | None:
        """Return what the screens draw, only of what everybody at the table sees; by default nothing."""
        return None

    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return what the player of a seat may hear of their own hand, one sentence each; by default no hand is known.

        Only the phone of that seat gets it. Return it as long as the box knows the hand, also an empty one.
        """
        return None

    def standing(self) -> tuple[int, ...]:
        """Return the scores with the points so far of the round in play; by default the scores."""
        return self.scores()

    def view(self) -> View:
        """Return what the screens show beside the question; by default only the scores."""
        return View()

    def odds(self) -> tuple[Row, ...]:
        """Return the odds that the menu shows; by default none."""
        return ()

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return what the referee says about the act that led from `before` to this position; by default nothing."""
        return ()

    def told(self, act: Act) -> str:
        """Return a sentence about a valid act that is done in this position; by default its verb and its fields.

        The page shows it after "Last:" and in the history, before the calls. It tells what somebody did, and the calls
        tell what follows from it.
        """
        return ""

    def decided(self, act: Act) -> str:
        """Return a sentence about an act of which only the decision is known; by default its verb and its fields.

        It says what the player has decided, and what hands do now: roll the other dice, or turn a card. The box shows
        it for a seat that it plays. An act without dice and cards is told by `told`.
        """
        return ""

    def now(self) -> Now | None:
        """Return what the next person must do, in one sentence; by default made from the questions of the offer."""
        return None

    def teams(self) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each team, which have one score and one place; by default no teams."""
        return ()

    def audit(self) -> str:
        """Return the invariant that the position breaks, "" if it breaks none."""
        return ""

    @classmethod
    def objection(cls, seats: int, *_: Any, **options: Any) -> str:
        """Return why these options do not suit this number of seats, "" if they do.

        Its parameters are the options that it needs. What the class that an expansion extends objects to counts too.
        """
        return ""

    @classmethod
    def table_setup(cls, seats: int, *_: Any, **options: Any) -> tuple[str, ...]:
        """Return how to set the table up, one sentence each; by default nothing.

        Its parameters are the options that it needs. The sentences of the class that an expansion extends come first.
        """
        return ()


class Dealer(ABC):
    """Play a random game like a real table: shuffle and deal hidden hands, and choose acts that real players could.

    A game names its class as `dealer`. The constructor takes the source of all chance and the first position.
    """

    @abstractmethod
    def __init__(self, chance: Chance, position: Any) -> None: ...

    @abstractmethod
    def act(self, position: Any) -> Act:
        """Return the next act, and remember the hidden cards that follow from it."""

    def audit(self, position: Any) -> str:
        """Return where the position and the real cards differ, "" if they agree."""
        return ""

    def redrawn(self, position: Any, seat: int, chance: Chance) -> Self:
        """Return a dealer whose hidden cards are drawn again, as `seat` may expect them.

        Without it, no strategy can look ahead: it would see the hidden hands.
        """
        raise NotImplementedError(f"{type(self).__name__} has no redrawn()")


def gives(kind: type[object], member: Callable[..., object]) -> bool:
    """Return whether a class replaces an optional member, written as `Game.view`.

    >>> class Mute(Dealer): ...
    >>> gives(Mute, Dealer.redrawn)
    False
    """
    own = getattr(kind, member.__name__)
    return getattr(own, "__func__", own) is not getattr(member, "__func__", member)


def offer_of(position: Game, seats: int) -> tuple[Ask, ...]:
    """Return a position's offer.

    Raises Misshapen if the offer is not a tuple of Ask, each with a tuple of fields, or if it asks a seat that a match
    of so many seats does not have.
    """
    asks = position.asks()
    if type(asks) is not tuple:
        asks = _checked_offer(position, asks)
    for ask in asks:
        if not isinstance(ask, Ask):
            raise _misshapen(position, f"returns a {type(ask).__name__} among its Ask")
        if type(ask.fields) is not tuple:
            _check_fields(position, ask)
        if (seat := ask.seat) is not None and not 0 <= seat < seats:
            raise _misshapen(position, f'asks "{ask.verb}" of seat {seat}; there are seats 0 to {seats - 1}')
    return asks


def _checked_offer(position: Game, asks: object) -> tuple[Ask, ...]:
    """Return what an engine offers as a type of its own, if it is a tuple; raises Misshapen if it is not."""
    if isinstance(asks, Ask):
        raise _misshapen(position, f"returns a single Ask: {COMMA}")
    if not isinstance(asks, tuple):
        raise _misshapen(position, f"returns {_no_tuple(asks, 'Ask')}")
    return asks


def _check_fields(position: Game, ask: Ask) -> None:
    """Raise Misshapen if the fields of an ask are no tuple of fields."""
    if isinstance(ask.fields, Field):
        raise _misshapen(position, f'gives "{ask.verb}" a single field: {COMMA}')
    if not isinstance(ask.fields, tuple):
        raise _misshapen(position, f'gives "{ask.verb}" {_no_tuple(ask.fields, "fields")}')


def _misshapen(position: Game, why: str) -> Misshapen:
    return Misshapen(f"asks() {why}", code_of(type(position).asks))


def _no_tuple(value: object, what: str) -> str:
    """Return what an engine returned in place of a tuple, and the cure."""
    cure = {"NoneType": ": perhaps a `return` is missing", "generator": ": write `return`, not `yield`"}
    name = type(value).__name__
    return f"a {name}, not a tuple of {what}{cure.get(name, ': write tuple(…) or (…, …)')}"


def full_title(game: type[Game]) -> str:
    """Return the title with its kind, so that Dodekka cards and Dodéka dice differ."""
    return f"{game.title} {kind_beside(game)}".rstrip()


def kind_beside(game: type[Game]) -> str:
    """Return the kind of a game, "" if its title contains it: nobody plays "Team quiz quiz".

    >>> kind_beside(type("TeamQuiz", (Game,), {"title": "Team quiz", "kind": "quiz"}))
    ''
    """
    return "" if game.kind.casefold() in game.title.casefold().split() else game.kind


def placed(merits: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the place of each seat by merit, the greatest first; equal merits share a place.

    >>> placed((5, 9, 5))
    (2, 1, 2)
    """
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


COMMA = "write (x,) with a comma for a tuple of one"


def code_of(function: object) -> CodeType | None:
    """Return the code of a function, None for a function in C or a partial function."""
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


@cache
def method(verb: str) -> str:
    """Return the name of the method for a verb.

    >>> method("time-up")
    'do_time_up'
    """
    return "do_" + verb.replace("-", "_")


def act_methods(game: type[Game]) -> list[str]:
    """List the names of the methods that do the acts of a game, in the order of the alphabet."""
    return [name for name in dir(game) if name.startswith("do_")]


def verb(act: str) -> str:
    """Return the verb of the act that a method does."""
    return act.removeprefix("do_").replace("_", "-")


def verbs(game: type[Game]) -> set[str]:
    """Return the verbs of the acts that a game has, offered or not."""
    return set(map(verb, act_methods(game)))


@cache
def parameter(name: str) -> str:
    """Return the name of the parameter for a field.

    >>> parameter("with"), parameter("card")
    ('with_', 'card')
    """
    return name + "_" if keyword.iskeyword(name) else name
