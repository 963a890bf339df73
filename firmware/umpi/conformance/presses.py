"""Checks of button presses: count the presses that enter the acts of random games."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from umpi.conformance.drawing import asked
from umpi.conformance.flaws import Flaw, shown
from umpi.display.entering import Asker
from umpi.display.key_values import usual_fields
from umpi.display.typist import CannotType, as_it_lies, presses
from umpi.kernel.fields import Chance, Each, Field, Forms, Given, Pick, Some, Value, same
from umpi.kernel.game import Act, Ask, nothing_more, replace
from umpi.kernel.match import Match
from umpi.table.seats import COLOURS

MOST = 40  # the most presses for one answer
MANY = 6  # more presses for one answer are reported with its verb
EACH = 4  # the most presses per value of a long answer
DEVICES = ("cube", "scan")  # sources that need no buttons


class Form(dict[str, Value]):
    """Make a small object hashable, because the value of a button must be."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


class Presses:
    """Count the presses of each act that is checked."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.many: set[str] = set()  # the verbs of which an act has taken more than MANY presses

    def look(self, match: Match, chance: Chance) -> Iterator[Flaw]:
        """Check whether buttons can enter the last act, and with how many presses."""
        if not match.acts or len(match.players) > len(COLOURS):
            return
        act = match.acts[-1]
        ask = match.asked(len(match.acts) - 1)
        if ask.rare or ask.of_box or _in_menu(ask, act.given):
            return
        match.undo()
        asks = match.asks
        match.play(act)
        try:
            count = cost(asks, match.players, act)
        except RecursionError:  # a number that is too many presses away
            count = None
        if count is None:
            yield Flaw(f"No presses enter {shown(act)}, or ever so many.")
            return
        if count == 0:
            yield Flaw(f"{shown(act)} costs no press: the panel asks nothing, and nobody could answer.")
            return
        self.counts.append(count)
        if count > MANY:
            self.many.add(act.verb)
        borne = max(MOST, EACH * _values(tuple(act.given.values())))
        if count > borne:
            yield Flaw(f"{shown(act)} costs {count} presses, at most {borne} are allowed.")


def _values(value: Value) -> int:
    if isinstance(value, Mapping):
        return sum(map(_values, value.values()))
    return sum(map(_values, value)) if isinstance(value, tuple) else 1


def answered(match: Match) -> Hashable:
    """Return the number of players, and the verb and the fields of the last act."""
    act = match.acts[-1] if match.acts else Act("")
    return len(match.players), act.verb, tuple(sorted(act.given))


def cost(asks: Sequence[Ask], players: Sequence[str], act: Act) -> int | None:
    """Return the number of presses that enter `act`, None if it cannot be entered; lists are counted part by part."""
    ask = next(ask for ask in asks if ask.verb == act.verb)
    fields = {name: field for name, field in asked(ask, act.given).items() if name in act.given}
    act = Act(act.verb, {name: _as_it_lies(field, act.given[name]) for name, field in fields.items()})
    lists = [name for name, field in fields.items() if isinstance(field, (Each, Forms))]
    apart = [_apart(fields[name], act.given[name], players) for name in lists]
    if None in apart:
        return None
    short = [_keyed(each, act.given, lists) if each is ask else each for each in asks]
    try:
        whole = len(presses(short, players, [act], quick=False))
    except CannotType:
        return None
    if whole == 0:
        return 0
    return max(1, whole + sum(count - 1 for count in apart if count is not None))  # `whole` counts one press per list


def _as_it_lies(field: Field, value: Value) -> Value:
    """Return a value as the buttons enter it: marked values in the pool's order, and objects hashable."""
    if isinstance(field, Forms) and isinstance(value, tuple):
        return tuple(Form(form) for form in value if isinstance(form, Mapping))
    return as_it_lies(field, value)


def _in_menu(ask: Ask, given: Given) -> bool:
    """Check whether an act needs the menu: it has an unusual answer, a field with `in_menu`, or a value of a device."""
    usual = usual_fields(ask)
    if any(name in given and not same(given[name], value) for name, value in usual.items()):
        return True
    met = {name: field for name, field in asked(ask, given).items() if name in given}
    return any(
        field.source in DEVICES or (isinstance(field, (Pick, Some, Forms)) and field.in_menu) for field in met.values()
    )


def _keyed(ask: Ask, given: Given, names: Collection[str]) -> Ask:
    """Return the ask with each of these fields replaced by a choice of one value, the one that was answered."""

    def key(field: Field) -> Field:
        return Pick(field.name, (given[field.name],), optional=field.optional) if field.name in names else field

    fields = tuple(map(key, ask.fields))
    if ask.more is nothing_more:
        return replace(ask, fields=fields)
    return replace(ask, fields=fields, more=lambda known: tuple(map(key, ask.more(known))))


def _apart(field: Field, value: Value, players: Sequence[str]) -> int | None:
    """Return the number of presses for a list of answers, None if it cannot be entered.

    The parts are searched one by one, because a search of the whole list would take too long.
    """
    assert isinstance(field, (Each, Forms))
    assert isinstance(value, tuple)
    ok = 0
    if isinstance(field, Each):
        parts = list(zip(field.fields, value, strict=True))
    else:
        parts = [(each, form[each.name]) for form in value for each in field.fields]
        ok = int(len(value) < field.most)
    counts = [_part(Ask("answer", "", (each,)), players, Act("answer", {each.name: part})) for each, part in parts]
    return None if None in counts else ok + sum(count for count in counts if count is not None)


def _part(ask: Ask, players: Sequence[str], act: Act) -> int | None:
    """Return the number of presses for a part of a list, 0 if it leaves no choice, None if it cannot be entered."""
    return cost([ask], players, act) if next(Asker(players).fill(ask), None) else 0
