"""Checks of purity: positions never change, acts contain no chance, and the engine imports no impure module.

Only a pure engine replays a record to the same positions every time.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType

from umpi.conformance.flaws import Flaw, shown
from umpi.conformance.still import behaviour, movable, offer
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game
from umpi.kernel.match import Match

IMPURE = frozenset(
    "asyncio ctypes datetime http io locale multiprocessing os pathlib random secrets select selectors shelve shutil "
    "signal socket sqlite3 ssl subprocess tempfile threading time urllib uuid".split()
)
TAKEN = frozenset(("open", "input", "__import__"))  # impure built-in functions
KERNEL = "umpi.kernel"


def imports(game: type[Game]) -> Iterator[Flaw]:
    """Check that an engine's own modules import no chance, no clock, and no input or output."""
    for module in own_modules(game):
        tree = tree_of(module)
        for node in ast.walk(tree) if tree else ():
            for name in _imported(node, module):
                if name.partition(".")[0] in IMPURE:
                    yield Flaw(f"{module.__name__}, line {node.lineno}: it imports {name}.")  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKEN:
                yield Flaw(f"{module.__name__}, line {node.lineno}: it calls {node.func.id}.")


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


def own_modules(game: type[Game]) -> list[ModuleType]:
    """Return the modules of an engine: those of its classes, and their imports from the same package."""
    kinds = [*game.__mro__, *(game.dealer.__mro__ if game.dealer else ())]
    names = list(dict.fromkeys(kind.__module__ for kind in kinds if not _foreign(kind.__module__)))
    rooms = {name.rpartition(".")[0] or name for name in names}
    for name in names:  # the loop below appends to the list
        module = sys.modules.get(name)
        tree = tree_of(module) if module else None
        if module is None or tree is None:
            continue
        for node in ast.walk(tree):
            for found in _imported(node, module):
                near = any(found == room or found.startswith(f"{room}.") for room in rooms)
                if near and found in sys.modules and found not in names and not _foreign(found):
                    names.append(found)
    return [sys.modules[name] for name in names if name in sys.modules]


def tree_of(module: ModuleType) -> ast.Module | None:
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
