"""The sheet trace: every statement of the five rule sheets, with the places that prove, say, explain and print it.

`tests/sheets/GAME.tsv` has a row per statement. `tests/sheets/GAME.mutations.tsv` breaks a rule on purpose: its record
must fail then.
"""

from __future__ import annotations

import csv
import importlib
import importlib.abc
import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from umpi.kernel.game import Game
from umpi.kernel.match import Broken, Refused
from umpi.kernel.record import replay
from umpi.kernel.registry import find

REPO = Path(__file__).parents[2]
SHEETS = REPO / "tests" / "sheets"
GAMES = ("dodekka", "battledodes", "dodeka", "dudab-buba", "dohdles")
COLUMNS = ("id", "statement", "kind", "record", "said", "help", "lesson", "print", "why")
PLACES = COLUMNS[3:8]
NONE = "-"
NEEDS: Mapping[str, tuple[str, ...]] = {  # what a statement of each kind must have
    "rule": ("record", "said", "help"),
    "setup": ("said", "help"),
    "component": ("print",),
    "option": ("record", "help"),
    "advice": (),  # help or lesson
    "story": (),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """One row of the trace; `line` is its line in the file. A place that has none is empty."""

    line: int
    id: str
    text: str
    kind: str
    places: Mapping[str, tuple[str, ...]]
    why: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of an engine's source that breaks one rule."""

    id: str
    file: str
    old: str
    new: str


def statements(game: str) -> list[Statement]:
    """Read the trace of a game. Raises ValueError with row and column if it is not of the form of the contract."""
    rows = _rows(SHEETS / f"{game}.tsv", COLUMNS)
    return [_statement(game, line, row) for line, row in rows]


def mutations(game: str) -> list[Mutation]:
    """Read the changes that break the rules of a game."""
    rows = _rows(SHEETS / f"{game}.mutations.tsv", ("id", "file", "old", "new"))
    return [Mutation(row["id"], row["file"], _unescaped(row["old"]), _unescaped(row["new"])) for _, row in rows]


def _rows(file: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    with file.open(encoding="utf-8", newline="") as text:
        head, *rows = csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(head) != tuple(columns):
        raise ValueError(f"{file.name}, row 1: expected the columns {', '.join(columns)}; got {', '.join(head)}.")
    for number, row in enumerate(rows, 2):
        if len(row) != len(columns):
            raise ValueError(f"{file.name}, row {number}: expected {len(columns)} cells, got {len(row)}.")
        if "" in row[:-1]:  # the last may be: no reason is needed, or a text is taken away
            raise ValueError(f"{file.name}, row {number}, column {columns[row.index('')]}: the cell is empty.")
    return [(number, dict(zip(columns, row, strict=True))) for number, row in enumerate(rows, 2)]


def _statement(game: str, line: int, row: Mapping[str, str]) -> Statement:
    reasons = [reason for reason in row["why"].split("; ") if reason not in ("", NONE)]
    why = {column: reason for column, _, reason in (each.partition(": ") for each in reasons)}
    places = {column: () if row[column] == NONE else tuple(row[column].split(" | ")) for column in PLACES}
    return Statement(line, row["id"], row["statement"], row["kind"], places, why)


def _unescaped(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t")


@contextmanager
def broken(game: str, mutation: Mutation) -> Iterator[type[Game]]:
    """Load the engine of a game with one change of its source, beside the engine that is installed."""
    find(game)  # first, so that the registry knows the installed engine
    package = f"umpi.games.{game.replace('-', '_')}"
    parent = importlib.import_module("umpi.games")
    own = {name: module for name, module in sys.modules.items() if name == package or name.startswith(f"{package}.")}
    module = mutation.file.removesuffix(".py").replace("/", ".")
    finder = _Changed(package if module == "__init__" else f"{package}.{module}", mutation)
    for name in own:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield _engine(importlib.import_module(package), game)
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        sys.modules.update(own)
        if package in own:
            setattr(parent, package.rpartition(".")[2], own[package])


def _engine(module: ModuleType, id: str) -> type[Game]:
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Game))
    return next(each for each in found if vars(each).get("id") == id)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Find one module, and run it with a change of its source."""

    def __init__(self, name: str, mutation: Mutation) -> None:
        self._name, self._mutation = name, mutation

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the changed module only."""
        if name != self._name or path is None:
            return None
        file = Path(path[0]) / self._mutation.file
        return importlib.util.spec_from_loader(name, self, origin=str(file))

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source. Raises ValueError if the text to change is not there exactly once."""
        assert module.__spec__
        assert module.__spec__.origin
        file = Path(module.__spec__.origin)
        source, change = file.read_text(encoding="utf-8"), self._mutation
        if source.count(change.old) != 1:
            raise ValueError(f"{change.id}: {file.name} has {source.count(change.old)} times: {change.old}")
        module.__file__ = str(file)
        exec(compile(source.replace(change.old, change.new), str(file), "exec"), vars(module))


def failing_line(file: Path, engine: type[Game]) -> int | None:
    """Return the line at which a record does not replay as it says, None if it replays to its end.

    A final state other than the one that its header expects counts as the last line.
    """
    lines = file.read_bytes().splitlines(keepends=True)
    expected = json.loads(lines[0]).get("expect")
    step = None
    try:
        for step in replay(lines, lambda _: engine):
            if step.error:
                return step.line
        assert step
        assert step.record
        state = json.loads(json.dumps(step.record.match.state()))
    except (Refused, Broken):
        return step.line if step else 1
    return None if expected in (None, state) else len(lines)


def calls_in(file: Path, find: Any) -> set[str]:
    """Return the kinds of all calls that a record makes."""
    kinds: set[str] = set()
    for step in replay(file.read_bytes().splitlines(keepends=True), find):
        if step.record and step.record.match.acts:
            kinds.update(call.kind for call in step.record.match.calls())
    return kinds
