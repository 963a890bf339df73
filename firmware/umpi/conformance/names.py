"""Check of names: a public name of an engine is a member of the contract, a field or an act, or the engine uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, cast

from umpi.conformance.flaws import Flaw
from umpi.conformance.purity import own_modules, tree_of
from umpi.kernel.game import Game

MEMBERS = frozenset(name for name in (*dir(Game), *Game.__annotations__, "phase") if not name.startswith("_"))


def known(game: type[Game]) -> Iterator[Flaw]:
    """Yield a flaw with all public names of the class that nothing will ever use, and what each may mean."""
    strange = []
    taken = MEMBERS | {field.name for field in fields(cast(Any, game))} | set(_used(game))
    for kind in game.__mro__:
        for name in vars(kind) if issubclass(kind, Game) and kind is not Game else ():
            if name.startswith(("_", "do_")) or name in taken:
                continue
            if close := get_close_matches(name, MEMBERS, 1, 0.75):
                strange.append(f"`{name}`: did you mean `{close[0]}`?")
            else:
                strange.append(
                    f"`{name}` is no member of umpi.kernel.Game, and the engine does not use it: "
                    "begin its name with _, or delete it."
                )
    if strange:
        yield Flaw(" ".join(strange))


def _used(game: type[Game]) -> Iterator[str]:
    """Yield the names that the engine's own modules use."""
    for module in own_modules(game):
        for node in ast.walk(tree_of(module) or ast.Module([], [])):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id
