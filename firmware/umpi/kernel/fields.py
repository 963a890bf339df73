"""Fields: the small closed set of answer types that every screen can draw, check and sample.

Values are JSON values, with tuples for lists. They are compared by type and value: `true` is not 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from umpi.kernel.messages import message
from umpi.kernel.values import Value as Value
from umpi.kernel.values import holds as holds
from umpi.kernel.values import ranged, span, times, written
from umpi.kernel.values import same as same
from umpi.kernel.values import show as show

TRIES = 100  # draws of each object before a list of different ones stays shorter

Given = Mapping[str, Any]
"""The answers so far, by the names of their fields. Each has the type that its field accepts."""
Chance = Callable[[], float]  # returns a number from 0 up to, but not including, 1
Source = Literal["will", "table", "cube", "buzz", "scan", "box", "clock", "bound"]
"""Where the value of a field comes from.

- "will": a choice of the player. "table": dice and cards of the table.
- "cube", "buzz", "scan": a cube in the funnel, the button of a seat, a scanned card.
- "box": the box draws the value, each entry of the pool equally likely.
- "clock": the box measures the milliseconds from its last own act to the press; for a Number.
- "bound": by how many milliseconds that measurement may differ from the press, at most; for a Number.
"""


def no_objection(value: Any) -> str:
    """Object to nothing: the answer is allowed, or refused for its standard reason."""
    return ""


class Pick(NamedTuple):
    """Accept one value of a pool: a word, a number, a boolean or null.

    `pool` contains the values that may be chosen now. It contains one entry for each copy on the table, so it gives
    the odds of a draw. `all_values` contains all values of the game, if a menu shall also show the unavailable ones.
    `objection(value)` returns why one of them is unavailable. `label(value)` returns the text of its button.
    `likely` is how often play-outs answer an optional field (0 to 1). The buttons offer a field with `in_menu` set only
    in the menu.
    `text` is its text in a question, in place of its name; with a question mark at its end it is the whole question.
    `to` is the seat that alone may see the field; see `private_to`.
    The buttons show the values of an optional field with `beside` set next to those of the next field. They do not ask
    for a field with `in_order` set: they take the first value of its pool, as for dice that nobody can tell apart.

    >>> Pick("card", ("air-1", "air-1", "fire-4")).refuse("fire-9")
    'card: fire-9 is not in air-1, fire-4.'
    """

    name: str
    pool: Sequence[Value]
    all_values: Sequence[Value] = ()
    objection: Callable[[Any], str] = no_objection
    source: Source = "will"
    optional: bool = False
    likely: float = 0.5
    in_menu: bool = False
    label: Callable[[Any], str] = show
    text: str = ""
    beside: bool = False
    in_order: bool = False
    to: int | None = None

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if holds(self.pool, value):
            return ""
        return _unknown(self.name, self.pool, self.all_values, self.objection, value)

    def sample(self, chance: Chance) -> Value:
        """Draw one entry of the pool, each equally likely."""
        return self.pool[int(chance() * len(self.pool))]


class Number(NamedTuple):
    """Accept a whole number from `low` to `high`, and null if `null` is set. `text` is its text in a question.

    >>> Number("target", 10, 10000).refuse(7)
    'target: 7 is not a whole number from 10 to 10000.'
    """

    name: str
    low: int
    high: int
    null: bool = False
    source: Source = "will"
    optional: bool = False
    text: str = ""
    likely: float = 0.5

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if (type(value) is int and self.low <= value <= self.high) or (value is None and self.null):
            return ""
        template = "{field}: {value} is not a whole number from {low} to {high}."
        if self.low == self.high:
            template = "{field}: expected {low} here, got {value}."
        if self.null:
            template = "{field}: {value} is neither null nor a whole number from {low} to {high}."
        if self.source == "clock" and type(value) is int:
            template = "{field}: the box measured {value} ms. This game accepts {low} to {high} ms."
        return message(template, field=self.name, value=written(value), low=self.low, high=self.high)

    def sample(self, chance: Chance) -> int:
        """Draw a number, each equally likely."""
        return self.low + int(chance() * (self.high - self.low + 1))


class Some(NamedTuple):
    """Accept a list of `least` to `most` values from one pool.

    If `again` is set, a value may occur any number of times, as with dice. Otherwise it may occur as often as the pool
    contains it. If `until` is set, the list ends with the first value for which `until` returns true. A list of `most`
    values may end without such a value. `text` is its text in a question, in place of its name. `to` is the seat that
    alone may see the field; see `private_to`.

    >>> Some("keep", (3, 3, 9), 0, 2).refuse((9, 9))
    'keep: 9 appears only once.'
    """

    name: str
    pool: Sequence[Value]
    least: int
    most: int
    all_values: Sequence[Value] = ()
    objection: Callable[[Any], str] = no_objection
    source: Source = "will"
    optional: bool = False
    again: bool = False
    likely: float = 0.5
    in_menu: bool = False
    label: Callable[[Any], str] = show
    until: Callable[[Any], bool] | None = None
    text: str = ""
    to: int | None = None

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if type(value) is not tuple:
            return message("{field}: expected a list, got {value}.", field=self.name, value=written(value))
        for item in value:
            if not holds(self.pool, item):
                return _unknown(self.name, self.pool, self.all_values, self.objection, item)
        if not self.least <= len(value) <= self.most:
            return message(
                "{field}: expected {wanted}, got {number}.",
                field=self.name, number=len(value), wanted=span(self.least, self.most),
            )  # fmt: skip
        if not self.again and value:
            for item in value if len(value) > 1 else ():
                if value.count(item) > (there := self.pool.count(item)):
                    return message(
                        "{field}: {item} appears only {times}.",
                        field=self.name, item=written(item), times=times(there),
                    )  # fmt: skip
        return self._ends(value) if self.until else ""

    def _ends(self, value: tuple[Value, ...]) -> str:
        """Return why a list ends before or after the value that `until` marks as the last, "" if it ends there."""
        assert self.until
        for item in value[:-1]:
            if self.until(item):
                return message("{field}: nothing may follow {item}.", field=self.name, item=written(item))
        if value and len(value) < self.most and not self.until(value[-1]):
            return message("{field}: more must follow {item}.", field=self.name, item=written(value[-1]))
        return ""

    def sample(self, chance: Chance) -> Value:
        """Draw a list as at the table: dice roll, and cards leave the pool.

        Each length from `least` to `most` is equally likely. If `until` is set, it decides the length instead.
        """
        if self.until:
            return self._sample_until(self.until, chance)
        number = self.least
        if self.most > self.least:
            number += int(chance() * (self.most - self.least + 1))
        size = len(self.pool)
        if self.again:
            return tuple([self.pool[int(chance() * size)] for _ in range(number)])
        left = list(self.pool)
        return tuple([left.pop(int(chance() * len(left))) for _ in range(number)])

    def _sample_until(self, until: Callable[[Any], bool], chance: Chance) -> Value:
        left, drawn = list(self.pool), list[Value]()
        while len(drawn) < self.most:
            drawn.append(left.pop(int(chance() * len(left))))
            if until(drawn[-1]):
                break
        return tuple(drawn)


class Text(NamedTuple):
    """Accept a text of `least` to `most` code points, unchanged, and null if `null` is set. `text` is its question.

    >>> Text("letter", 1, 1).refuse("AB")
    'letter: expected 1 character, got "AB".'
    """

    name: str
    least: int
    most: int
    null: bool = False
    source: Source = "will"
    optional: bool = False
    text: str = ""
    likely: float = 0.5

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if (value is None and self.null) or (isinstance(value, str) and self.least <= len(value) <= self.most):
            return ""
        template = "{size} character" if self.most == 1 else "{size} characters"
        size = message(template, size=span(self.least, self.most))
        return message(
            "{field}: expected {size}, got {value}.",
            field=self.name, size=size, value=f'"{value}"' if isinstance(value, str) else written(value),
        )  # fmt: skip

    def sample(self, chance: Chance) -> Value:
        """Draw `least` letters from A to Z."""
        return "".join([chr(ord("A") + int(chance() * 26)) for _ in range(self.least)])


class Profile(NamedTuple):
    """Accept an option's value that is an object, measured once and kept in a file, or null.

    `objection(value)` returns what is wrong with the object, "" if nothing is. `ready` contains objects that come with
    the game, by their names in the options. `code(value)` returns the code that is printed on a thing with these
    measures; then a code is accepted in place of the object, also one that nobody knows. `form` is the
    regular expression of all codes; by default, they are letters and digits.
    """

    name: str
    objection: Callable[[Mapping[str, Value]], str]
    source: Source = "will"
    optional: bool = False
    ready: Mapping[str, Mapping[str, Value]] = MappingProxyType({})
    code: Callable[[Mapping[str, Value]], str] | None = None
    likely: float = 0.5
    form: str = "[A-Za-z0-9]+"

    def called(self, value: Value, own: Value = None) -> Value:
        """Return the object with this code, of those that are ready and the box's `own`; any other value as it is."""
        if not isinstance(value, str) or not self.code:
            return value
        known = [each for each in (*self.ready.values(), own) if isinstance(each, Mapping)]
        return next((each for each in known if self.code(each) == value.upper()), value)

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if value is None or (isinstance(value, str) and self.code and re.fullmatch(self.form, value)):
            return ""
        wanted = message("expected an object, a code or null") if self.code else message("expected an object or null")
        reason = self.objection(value) if isinstance(value, Mapping) else wanted
        return message("{field}: {reason}", field=self.name, reason=reason) if reason else ""

    def sample(self, chance: Chance) -> Value:
        """Return None: random games play without a profile."""
        return None


class Each(NamedTuple):
    """Accept a list with one answer for each of `fields`, in their order: one number per element, one list per seat.

    >>> Each("counts", (Number("fire", 0, 12), Number("water", 0, 12))).refuse((3, 13))
    'counts: water: 13 is not a whole number from 0 to 12.'
    """

    name: str
    fields: tuple[Field, ...]
    source: Source = "will"
    optional: bool = False
    likely: float = 0.5

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if type(value) is not tuple or len(value) != len(self.fields):
            return message("{field}: expected a list of {number}.", field=self.name, number=len(self.fields))
        for field, item in zip(self.fields, value, strict=True):
            if reason := field.refuse(item):
                return message("{field}: {reason}", field=self.name, reason=reason)
        return ""

    def sample(self, chance: Chance) -> Value:
        """Draw each answer independently."""
        return tuple(field.sample(chance) for field in self.fields)


class Forms(NamedTuple):
    """Accept a list of `least` to `most` objects, each with an answer for each of `fields`.

    The answers to the first field must differ. `text` is its text in a question, in place of its name.

    >>> Forms("moved", (Pick("dode", (1, 2)), Number("hex", 0, 5)), 0, 2).refuse(({"dode": 1, "hex": 6},))
    'moved: hex: 6 is not a whole number from 0 to 5.'
    """

    name: str
    fields: tuple[Field, ...]
    least: int
    most: int
    source: Source = "will"
    optional: bool = False
    likely: float = 0.5
    in_menu: bool = False
    text: str = ""

    def refuse(self, value: Value) -> str:
        """Return why `value` is refused, "" if it is accepted."""
        if type(value) is not tuple or not self.least <= len(value) <= self.most:
            wanted = span(self.least, self.most)
            return message("{field}: expected a list of {wanted} objects.", field=self.name, wanted=wanted)
        names = {field.name for field in self.fields}
        first, seen = self.fields[0].name, list[Value]()
        for item in value:
            if not isinstance(item, Mapping) or item.keys() != names:
                needed = ", ".join(field.name for field in self.fields)
                return message("{field}: each needs exactly {needed}.", field=self.name, needed=needed)
            for field in self.fields:
                if reason := field.refuse(item[field.name]):
                    return message("{field}: {reason}", field=self.name, reason=reason)
            if holds(seen, item[first]):
                shown = written(item[first])
                return message("{field}: {first} {value} appears twice.", field=self.name, first=first, value=shown)
            seen.append(item[first])
        return ""

    def sample(self, chance: Chance) -> Value:
        """Draw different objects; each length from `least` to `most` is equally likely.

        They are fewer if the first field has not so many answers.
        """
        number = self.least + int(chance() * (self.most - self.least + 1))
        drawn: dict[Value, dict[str, Value]] = {}
        for _ in range(number * TRIES):
            item = {field.name: field.sample(chance) for field in self.fields}
            drawn.setdefault(item[self.fields[0].name], item)
            if len(drawn) == number:
                break
        return tuple(drawn.values())


Field = Pick | Number | Some | Text | Profile | Each | Forms
"""Any field. `options: ClassVar[tuple[Field, ...]]` is the type of a game's options."""


def private_to(field: Field) -> int | None:
    """Return the seat that alone may see a field, None if everybody may.

    A value that the box draws for it is hidden until the match is over. Of a choice, only that seat sees what may be
    chosen; what it has chosen lies on the table.

    >>> private_to(Draw("hand", ("ace", "king", "queen"), 2, source="box", to=1))
    1
    """
    return field.to if isinstance(field, (Pick, Some)) else None


def Dice(name: str, count: int, sides: int, text: str = "", source: Source = "table") -> Some:  # noqa: N802 - reads as the kind of field it makes
    """Return the field for `count` dice with faces from 1 to `sides`: rolled on the table, or by the box.

    >>> Dice("dice", 3, 12).refuse((1, 4, 13))
    'dice: 13 is not in 1 to 12.'
    """
    return Some(name, range(1, sides + 1), count, count, source=source, again=True, text=text)


def Draw(  # noqa: N802 - reads as the kind of field it makes
    name: str,
    pool: Sequence[Value],
    count: int,
    all_values: Sequence[Value] = (),
    objection: Callable[[Any], str] = no_objection,
    label: Callable[[Any], str] = show,
    text: str = "",
    source: Source = "table",
    to: int | None = None,
) -> Some:
    """Return the field for `count` cards drawn from `pool` without replacement: on the table, or by the box.

    `to` is the seat that alone may see them.
    """
    return Some(name, pool, count, count, all_values, objection, source=source, label=label, text=text, to=to)


def _unknown(name: str, pool: Sequence[Value], values: Sequence[Value], why: Callable[[Any], str], value: Value) -> str:
    if holds(values or pool, value) and (reason := why(value)):
        return reason
    if not pool and (not values or holds(values, value)):
        return message(
            "{field}: {value} is not possible; there is nothing to choose from.", field=name, value=written(value)
        )
    if holds(values, value):
        template = "{field}: {value} is not possible now; possible: {pool}."
        return message(template, field=name, value=written(value), pool=ranged(pool))
    among = values or pool
    return message("{field}: {value} is not in {pool}.", field=name, value=written(value), pool=ranged(among))
