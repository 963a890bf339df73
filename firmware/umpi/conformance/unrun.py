"""The lines of an engine that random games do not run: what its author should write a record of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from umpi.conformance.examine import Progress, Watched, silent, unlogged
from umpi.conformance.flaws import Flawed, fault_words, written
from umpi.conformance.mutation.changes import lines_of
from umpi.conformance.mutation.lines import Line, noted
from umpi.conformance.patience import Stuck, watched
from umpi.conformance.purity import own_modules, tree_of
from umpi.conformance.records import records_of
from umpi.conformance.tables import tables, variants
from umpi.kernel.blame import blame
from umpi.kernel.game import Game
from umpi.kernel.match import Broken, Match
from umpi.kernel.random_games import NeverEnds, play
from umpi.kernel.record import Header, replay

ACTS = 2_000  # of all games together
MOST = 8  # lines that are named


def unrun(game: type[Game], seed: int, records: Path | None = None, progress: Progress = silent) -> str:
    """Return which lines neither ACTS acts of random games nor the records run, "" if they run all. Raises Flawed.

    Only functions count of which a part has run. What refuses an act is left out: random games only do what is offered.
    """
    modules = own_modules(game)
    headers = [*tables(game, [{}]), *tables(game, list(variants(game)))]
    with watched(game), noted(modules) as ran:
        for number, header in enumerate(headers):
            progress("looking for lines that nothing runs", number / len(headers))
            _play(header, seed + number, max(1, ACTS // len(headers)))
        for _, lines in records_of(game, records) if records else ():
            with suppress(Exception, Stuck):  # another check reports what fails
                for step in replay(lines, lambda _: game):
                    if step.record:
                        _show(step.record.match)
    left = [place for module in modules for place in _left(module, ran.every)]
    more = f" and {len(left) - MOST} more" if len(left) > MOST else ""
    return f"{', '.join(left[:MOST])}{more}"


def _play(header: Header, seed: int, most: int) -> None:
    """Play a random game, or so many acts of it, and show each position. Raises Flawed if the engine fails.

    The examination has played with other seeds, so it need not have met the fault.
    """
    match: Watched | None = None
    try:
        with unlogged():
            match = Watched(header.game, header.players, header.options)
            _show(match)
            for _ in zip(range(most), play(match, seed, audited=False), strict=False):
                _show(match)
    except NeverEnds:
        pass
    except (Exception, Stuck) as fault:
        acts = [*match.acts, *([match.tried] if match.tried else [])] if match else []
        said = f"{fault}".removesuffix(".") if isinstance(fault, (Broken, Stuck)) else fault_words(fault)
        why = f"A further random game stops: {said} [{blame(fault, header.game)}]."
        raise Flawed("legality", why, header, seed, b"".join(written(header, acts))) from None


def _show(match: Match) -> None:
    match.check_position()
    match.calls()


def _left(module: ModuleType, ran: set[Line]) -> Iterator[str]:
    """Yield the places of statements that have not run, in functions that have."""
    tree, file = tree_of(module), module.__file__
    if tree is None or file is None:
        return
    for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        states = [(each, any((file, line) in ran for line in lines_of(each))) for each in _statements(function.body)]
        if any(done for _, done in states):
            yield from (f"{Path(file).name}:{each.lineno}" for each, done in states if not done and _counts(each))


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function, with those inside others; functions inside it are functions of their own."""
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            continue
        yield each
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(each, name, ()))
        for part in (*getattr(each, "handlers", ()), *getattr(each, "cases", ())):
            yield from _statements(part.body)


def _counts(statement: ast.stmt) -> bool:
    """Check whether a statement does something: no text, no `pass`, and no refusal."""
    if isinstance(statement, ast.Raise | ast.Pass | ast.Try | ast.Nonlocal):
        return False
    return not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
