"""Templates with named values to sentences a player reads.

A sentence keeps its template and values, so that it can be put into another language, and seats become names
only where the names are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Who(int):
    """A seat inside a sentence: reads as the player's name once the players are known."""


class Words(str):
    """A sentence for players, made of a template and named values.

    >>> words("{card} lies in {who}'s hand.", card="fire-4", who=Who(1))
    "fire-4 lies in seat 1's hand."
    >>> named(words("{card} lies in {who}'s hand.", card="fire-4", who=Who(1)), ["Ann", "Ben"])
    "fire-4 lies in Ben's hand."
    """

    template: str
    values: dict[str, object]


def words(template: str, **values: object) -> Words:
    """Make a sentence of `template`; a value may be a `Who`, a sentence itself, or anything that prints."""
    made = Words(_fill(template, values, lambda seat: f"seat {int(seat)}"))
    made.template = template
    made.values = values
    return made


def named(sentence: str, players: Sequence[str]) -> str:
    """Tell `sentence` with the players' names where it speaks of seats."""
    if not isinstance(sentence, Words):
        return sentence
    return _fill(sentence.template, sentence.values, lambda seat: players[seat])


def listed(parts: Sequence[str]) -> str:
    """Join parts as people do.

    >>> listed(["the line", "a hand", "the discard"])
    'the line, a hand and the discard'
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    return words("{some} and {last}", some=_Comma(parts[:-1]), last=parts[-1])


def spaced(sentences: Sequence[str]) -> str:
    """Put sentences one after the other."""
    return words(" ".join(f"{{_{index}}}" for index in range(len(sentences))), **{
        f"_{index}": sentence for index, sentence in enumerate(sentences)
    })  # fmt: skip


class _Comma(tuple[str, ...]):
    """Sentences side by side, still open for names."""


def _fill(template: str, values: dict[str, object], name: Callable[[Who], str]) -> str:
    def show(value: object) -> object:
        if isinstance(value, Who):
            return name(value)
        if isinstance(value, Words):
            return _fill(value.template, value.values, name)
        if isinstance(value, _Comma):
            return ", ".join(str(show(part)) for part in value)
        return value

    return template.format_map({key: show(value) for key, value in values.items()})
