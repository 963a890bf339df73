"""Notes that a seat has changed hands: the record has them in English, players see them in the language of the box."""

from __future__ import annotations

from umpi.kernel.messages import Message, Name, message


def box_plays(name: str) -> Message:
    """Return the note that the box plays a seat."""
    return message("The box plays for {who} from here.", who=Name(name))


def person_plays(name: str) -> Message:
    """Return the note that a person plays a seat."""
    return message("{who} plays from here.", who=Name(name))


def read_note(text: str) -> str:
    """Return the note of a record as a message, so that it can be translated; another text stays as it is.

    >>> read_note("The box plays for Ann from here.").values
    {'who': 'Ann'}
    """
    for note in (box_plays, person_plays):
        before, _, after = note("\0").partition("\0")
        if text.startswith(before) and text.endswith(after):
            return note(text[len(before) : len(text) - len(after)])
    return text
