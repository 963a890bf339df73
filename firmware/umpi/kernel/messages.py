"""Templates with named values to sentences a player reads.

A sentence keeps its template and values, so that it can be put into another language, and seats become names
only where the names are known.
"""

from __future__ import annotations

from collections.abc import Sequence


class Who(int):
    """A seat inside a sentence: reads as the player's name once the players are known."""


class Name(str):
    """A player's name inside a sentence: no word of any language."""


class Message(str):
    """A sentence for players, made of a template and named values.

    >>> message("{card} lies in {who}'s hand.", card="fire-4", who=Who(1))
    "fire-4 lies in seat 1's hand."
    >>> named(message("{card} lies in {who}'s hand.", card="fire-4", who=Who(1)), ["Ann", "Ben"])
    "fire-4 lies in Ben's hand."
    """

    template: str
    values: dict[str, object]


def message(template: str, **values: object) -> Message:
    """Make a sentence of `template`; a value may be a `Who`, a sentence itself, or anything that prints."""
    made = Message(template.format_map({key: _shown(value) for key, value in values.items()}))
    made.template = template
    made.values = values
    return made


def named(sentence: str, players: Sequence[str]) -> str:
    """Tell `sentence` with the players' names where it speaks of seats; it stays a sentence of template and values."""
    if not isinstance(sentence, Message):
        return sentence

    def name(value: object) -> object:
        if isinstance(value, Who):
            return Name(players[value])
        if isinstance(value, Parts):
            return Parts(name(part) for part in value)
        return named(value, players) if isinstance(value, Message) else value

    return message(sentence.template, **{key: name(value) for key, value in sentence.values.items()})


def listed(parts: Sequence[str], template: str = "{some} and {last}") -> str:
    """Join parts as people do.

    >>> listed(["the line", "a hand", "the discard"])
    'the line, a hand and the discard'
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    return message(template, some=Parts(parts[:-1]), last=parts[-1])


def spaced(sentences: Sequence[str]) -> str:
    """Put sentences one after the other."""
    return message(" ".join(f"{{_{index}}}" for index in range(len(sentences))), **{
        f"_{index}": sentence for index, sentence in enumerate(sentences)
    })  # fmt: skip


def fault_text(fault: BaseException) -> str:
    """Return what a fault says: its own message if it has one, else the system's words after their kind."""
    own = fault.args[0] if fault.args else ""
    return own if isinstance(own, Message) else f"{type(fault).__name__}: {fault}"


class Parts(tuple[object, ...]):
    """Sentences side by side, with commas between them; still open for names."""


def _shown(value: object) -> object:
    if isinstance(value, Who):
        return f"seat {int(value)}"
    return ", ".join(str(_shown(part)) for part in value) if isinstance(value, Parts) else value
