"""Messages: sentences for players, made from templates with named values.

A message keeps its template and values, so that it can be translated. A seat is replaced by the player's name as soon
as the names are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import is_

from umpi.kernel.misshapen import Misshapen

TEAM = " & "  # between the names of the people who share a seat


class Who(int):
    """Mark a seat inside a message; `named` replaces it by the player's name."""

    def __format__(self, spec: str) -> str:
        """Return the text of the seat as long as nobody knows the player's name."""
        return format(f"seat {int(self)}", spec)


class Member(Who):
    """Mark one person of a seat inside a message: of "Ann & Ben", number 1 is Ann, 2 is Ben and 3 is Ann again."""

    number: int

    def __new__(cls, seat: int, number: int) -> Member:
        """Return the mark of the person with this number, counted from 1."""
        made = super().__new__(cls, seat)
        made.number = number
        return made

    def of(self, name: str) -> str:
        """Return the person's part of a seat's `name`; the whole name if it names one person."""
        people = [own for own in name.split(TEAM) if own.strip()]
        return people[(self.number - 1) % len(people)] if people else name


class Name(str):
    """Mark a player's name inside a message, so that it is not translated."""


class Figure(str):
    """Mark a number written as text, such as "87.7%", so that the screen shows the decimal mark of its language."""


class Message(str):
    """A sentence for players, made from a template and named values.

    >>> message("{card} lies in {who}’s hand.", card="fire-4", who=Who(1))
    'fire-4 lies in seat 1’s hand.'
    >>> named(message("{card} lies in {who}’s hand.", card="fire-4", who=Who(1)), ["Ann", "Ben"])
    'fire-4 lies in Ben’s hand.'
    """

    template: str
    values: dict[str, object]
    many: str = ""  # the template for numbers other than one, "" if the text does not depend on a number


def message(template: str, **values: object) -> Message:
    """Return a message made from `template`; a value may be a `Who`, a message, or anything that prints."""
    try:
        made = Message(template.format_map(values))
    except KeyError as fault:
        name = fault.args[0]
        raise KeyError(f'message("{template}") needs a value {name}=…, as the template names {{{name}}}') from None
    made.template = template
    made.values = values
    return made


def message_n(one: str, many: str, number: int, /, **values: object) -> Message:
    """Return a message that depends on a number: `one` for 1, else `many`; `{number}` in them is the number.

    A language may have other plural forms than English, so both are whole sentences, written inside this call. Raises
    TypeError if `number` is not a whole number.

    >>> message_n("{who} draws a card.", "{who} draws {number} cards.", 2, who=Who(1))
    'seat 1 draws 2 cards.'
    """
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f'message_n("{one}", …): expected a whole number, got {number!r}')
    if "number" in values:
        raise TypeError(f'message_n("{one}", …): the number is the third argument, not number=…')
    return filled(one, many, {"number": number, **values})


def filled(template: str, many: str, values: Mapping[str, object]) -> Message:
    """Return the message with these templates and values; `many` is "" if it does not depend on a number."""
    made = message(many if many and values["number"] != 1 else template, **values)
    made.template, made.many = template, many
    return made


def named(sentence: str, players: Sequence[str]) -> str:
    """Return `sentence` with the players' names in place of seats; a message stays a message.

    Raises Misshapen if it names a seat that is not there.
    """
    if not isinstance(sentence, Message):
        return sentence

    def name(value: object) -> object:
        if isinstance(value, Who):
            return Name(player_of(value, players, sentence.template))
        if isinstance(value, Parts):
            return Parts(name(part) for part in value)
        return named(value, players) if isinstance(value, Message) else value

    values = {key: name(value) for key, value in sentence.values.items()}
    if all(map(is_, values.values(), sentence.values.values())):
        return sentence  # it names nobody
    return filled(sentence.template, sentence.many, values)


def player_of(seat: Who, players: Sequence[str], template: str) -> str:
    """Return the name that a mark stands for, in a message with this template; raises Misshapen if there is none."""
    if not 0 <= seat < len(players):
        raise Misshapen(f'the message "{template}" names seat {int(seat)}; the last seat is {len(players) - 1}')
    return seat.of(players[seat]) if isinstance(seat, Member) else players[seat]


def listed(parts: Sequence[str], template: str = "{some} and {last}") -> str:
    """Join parts into an enumeration.

    >>> listed(["the line", "a hand", "the discard"])
    'the line, a hand and the discard'
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    return message(template, some=Parts(parts[:-1]), last=parts[-1])


def names_of(seats: Iterable[int]) -> str:
    """Return the names of these players as an enumeration.

    >>> named(names_of([0, 2]), ["Ann", "Ben", "Cleo"])
    'Ann and Cleo'
    """
    return listed([message("{who}", who=Who(seat)) for seat in seats])


def spaced(sentences: Sequence[str]) -> str:
    """Join sentences with a space between them."""
    return _joined(sentences, " ")


def lined(lines: Sequence[str]) -> str:
    """Join texts so that each begins on a line of its own."""
    return _joined(lines, "\n")


def paged(pages: Sequence[str]) -> str:
    """Join texts so that each begins on a page of its own: an empty line ends a page of the screen."""
    return _joined(pages, "\n\n")


def _joined(texts: Sequence[str], between: str) -> str:
    values = {f"_{index}": text for index, text in enumerate(texts)}
    return message(between.join(f"{{{name}}}" for name in values), **values)


def fault_text(fault: BaseException) -> str:
    """Return a fault's own Message if it has one, else its type and text."""
    own = fault.args[0] if fault.args else ""
    return own if isinstance(own, Message) else f"{type(fault).__name__}: {fault}"


class Parts(tuple[object, ...]):
    """Sentences that are joined by commas; `named` can still replace the seats in them."""

    def __format__(self, spec: str) -> str:
        """Return the sentences as one text."""
        return format(", ".join([format(part) for part in self]), spec)
