"""Load an engine with a change: its modules are imported again, one of them from other source."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType
from typing import Any

from umpi.conformance.mutation.changes import Change, source_of


def changed(game: type[Any], modules: Sequence[ModuleType], change: Change) -> type[Any]:
    """Import the modules of an engine again with a change, and return its class; raises what the import raises.

    `sys.modules` keeps the engine as it is.
    """
    source = change.applied(source_of(change.file))
    finder = _Finder(change, compile(source, change.file, "exec", dont_inherit=True))
    unchanged = {module.__name__: sys.modules.pop(module.__name__) for module in modules}
    sys.meta_path.insert(0, finder)
    try:
        again: type[Any] = getattr(import_module(game.__module__), game.__qualname__)
        return again
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(unchanged)


class _Finder(MetaPathFinder):
    """Find the changed module; every other is found as ever."""

    def __init__(self, change: Change, code: CodeType) -> None:
        self._change, self._code = change, code

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the changed module, None for another."""
        if fullname != self._change.module:
            return None
        return spec_from_file_location(
            fullname, self._change.file, loader=_Loader(fullname, self._change.file, self._code)
        )


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, code: CodeType) -> None:
        super().__init__(fullname, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the code with the change."""
        return self._code
