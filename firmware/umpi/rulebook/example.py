"""Examples: replay a record step by step, with what the referee says and the notes for people."""

from __future__ import annotations

from umpi.frozen import frozen
from umpi.kernel.calls import Call
from umpi.kernel.game import Game
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import Header, Record, read_line
from umpi.rulebook.book import Example


@frozen
class ExampleStep:
    """The position after `count` acts of an example, with the calls of the last act and the notes about it."""

    count: int
    calls: tuple[Call, ...]
    notes: tuple[str, ...]


def replay_example(example: Example, game: type[Game]) -> tuple[Match, tuple[ExampleStep, ...]]:
    """Play an example and return its match and its steps, the first before any act.

    Raises Refused if the rules of the installed game do not allow the record, ValueError if it is not readable.
    """
    lines = [line for line in map(read_line, example.record) if line is not None]

    def find(id: str) -> type[Game]:
        if id != game.id:
            raise Refused(f"The example is a match of {id}.")
        return game

    if not lines:
        raise ValueError(f"the record {example.name} is empty")
    record = Record(Header.read(lines[0], find))
    translated = iter(example.notes)
    steps = [ExampleStep(0, (), ())]
    for line in lines[1:]:
        record.take(line)
        if "note" in line:
            last = steps[-1]
            note = next(translated, line["note"])
            steps[-1] = ExampleStep(last.count, last.calls, (*last.notes, note))
        elif "refuse" not in line:  # what is refused changes nothing
            steps.append(ExampleStep(len(record.match.acts), record.match.calls(), ()))
    return record.match, tuple(steps)
