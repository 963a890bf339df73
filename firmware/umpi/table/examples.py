"""Examples of the rules, act by act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from umpi.i18n.translate import Translated, tr
from umpi.kernel.game import Game
from umpi.kernel.match import Refused
from umpi.rulebook.book import Example
from umpi.rulebook.example import replay_example
from umpi.table.telling import sentence_of


class ExampleLine(NamedTuple):
    """A line of an example: an act, or what is said about it."""

    text: str
    act: bool = False


def example_lines(example: Example, game: type[Game]) -> Iterator[ExampleLine]:
    """Yield an example as lines: each act, then the calls and the notes about it."""
    try:
        match, steps = replay_example(example, game)
    except (Refused, ValueError) as fault:
        yield ExampleLine(broken_example(example, fault))
        return
    for step in steps:
        if step.count:
            yield ExampleLine(f"{step.count}. {sentence_of(match, step.count - 1)}", act=True)
        yield from (ExampleLine(f"» {tr(call.text)}") for call in step.calls)
        yield from map(ExampleLine, step.notes)


def broken_example(example: Example, fault: Exception) -> Translated:
    """Return why an example cannot be shown: the installed game has other rules than its text."""
    return tr("The example {name} cannot be shown: {fault}", name=Translated(example.name), fault=Translated(fault))
