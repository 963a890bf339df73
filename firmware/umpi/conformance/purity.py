"""Checks of purity: positions never change, acts contain no chance, and the engine imports no impure module.

Only a pure engine replays a record to the same positions every time.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import ModuleType

from umpi.conformance.flaws import Flaw, shown
from umpi.conformance.still import behaviour, movable, offer
from umpi.conformance.tables import others, players
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.record import dump

IMPURE = frozenset(
    "asyncio ctypes datetime http io locale multiprocessing os pathlib random secrets select selectors shelve shutil "
    "signal socket sqlite3 ssl subprocess tempfile threading time urllib uuid".split()
)
TAKEN = frozenset(("open", "input", "__import__"))  # impure built-in functions
KERNEL = "umpi.kernel"
MISSING = object()


def imports(game: type[Game]) -> Iterator[Flaw]:
    """Check that an engine's own modules import no chance, no clock, and no input or output."""
    for module in _own_modules(game):
        tree = _tree(module)
        for node in ast.walk(tree) if tree else ():
            for name in _imported(node, module):
                if name.partition(".")[0] in IMPURE:
                    yield Flaw(f"{module.__name__}, line {node.lineno}: it imports {name}.")  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKEN:
                yield Flaw(f"{module.__name__}, line {node.lineno}: it calls {node.func.id}.")


def kept(game: type[Game]) -> Iterator[Flaw]:
    """Check that setting up a match with other options changes no name of the engine's classes and modules."""
    seats = game.seats[0]
    classes = [kind for kind in game.__mro__ if not _foreign(kind.__module__)]
    owners: list[tuple[str, type | ModuleType]] = [
        *((kind.__name__, kind) for kind in classes),
        *((each.__name__, each) for each in _own_modules(game)),
    ]
    with suppress(Exception):  # other checks report what fails
        Match(game, players(seats))  # what is made once, at the first time, is there now
        before = _names(owners)
        for chosen in others(game, seats):
            Match(game, players(seats), chosen)
            for name, value in _names(owners).items():
                if before.get(name, MISSING) is not value:
                    yield Flaw(
                        f"setup() changes {name}. All matches share it, but each has its own options: keep the option "
                        "in a field of the position."
                    )
                    return


def apart(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check that another match of the game, with other options, changes nothing in this one."""
    game, before = match.game, behaviour(match.now, match.now.asks())
    for chosen in others(game, len(match.players)):
        Match(game, match.players, chosen)
        after = behaviour(match.now, match.now.asks())
        Match(game, match.players, match.options)  # the checks go on with a match that is as it was
        if after != before:
            yield Flaw(
                f"Another match with the options {dump(chosen)} changes this one. Keep every option in a field of the "
                "position, and nothing in the class or in the module."
            )


def _names(owners: Sequence[tuple[str, type | ModuleType]]) -> dict[str, object]:
    """Return what the names in classes and modules stand for, except for modules that are imported meanwhile."""
    return {
        f"{owner}.{name}": value
        for owner, names in owners for name, value in vars(names).items()
        if not name.startswith("__") and not isinstance(value, ModuleType)
    }  # fmt: skip


def still(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether anything in the position could be changed."""
    if reason := movable(match.now, match.options):
        yield Flaw(f"A position must never change, but {reason}.")


def pure(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the last act, done again, gives the same position, and leaves its starting position unchanged."""
    if offer(match.now.asks()) != offer(match.now.asks()):
        yield Flaw("Asked twice, it offers different things.")
    if not match.acts:
        return
    last, reached = match.acts[-1], behaviour(match.now, match.asks)
    match.undo()
    before = behaviour(match.now, match.asks)
    match.play(last)
    again = behaviour(match.now, match.asks)
    match.undo()
    after = behaviour(match.now, match.asks)
    match.play(last)
    if before != after:
        yield Flaw(f"{shown(last)} changes the position it is done in.")
    elif reached != again:
        yield Flaw(f"{shown(last)} done twice in one position leads to two different ones.")


def _own_modules(game: type[Game]) -> list[ModuleType]:
    """Return the modules of an engine: those of its classes, and their imports from the same package."""
    kinds = [*game.__mro__, *getattr(game, "dealer", object).__mro__]
    names = list(dict.fromkeys(kind.__module__ for kind in kinds if not _foreign(kind.__module__)))
    rooms = {name.rpartition(".")[0] or name for name in names}
    for name in names:  # the loop below appends to the list
        module = sys.modules.get(name)
        tree = _tree(module) if module else None
        if module is None or tree is None:
            continue
        for node in ast.walk(tree):
            for found in _imported(node, module):
                near = any(found == room or found.startswith(f"{room}.") for room in rooms)
                if near and found in sys.modules and found not in names and not _foreign(found):
                    names.append(found)
    return [sys.modules[name] for name in names if name in sys.modules]


def _tree(module: ModuleType) -> ast.Module | None:
    """Return the syntax tree of a module, None if it has no source, as in a shell or a compiled module."""
    try:
        return ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return None


def _foreign(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names or f"{module}.".startswith(f"{KERNEL}.")


def _imported(node: ast.AST, module: ModuleType) -> Iterator[str]:
    """Yield the full names of the modules that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = module.__package__ or ""
        for _ in range(node.level - 1):
            base = base.rpartition(".")[0]
        found = ".".join(filter(None, (base if node.level else "", node.module)))
        yield found
        yield from (f"{found}.{alias.name}" for alias in node.names)
