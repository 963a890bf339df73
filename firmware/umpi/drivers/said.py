"""What a device says of itself to a sentence that keeps its template and values, for whoever tells it in a language."""

from __future__ import annotations


class Said(str):
    """A sentence of a device, in English; `template` and `values` are what it is made of."""

    template: str
    values: dict[str, object]


def said(template: str, **values: object) -> Said:
    """Make a sentence of `template`; a value may be such a sentence itself, or anything that prints.

    >>> said("Pin {pin} is taken.", pin=17)
    'Pin 17 is taken.'
    """
    made = Said(template.format_map(values))
    made.template, made.values = template, values
    return made


def said_by(fault: Exception) -> str:
    """Tell what a fault says: a device's own sentence, else the system's words with their kind."""
    own = fault.args[0] if fault.args else ""
    return own if isinstance(own, Said) else f"{type(fault).__name__}: {fault}"
