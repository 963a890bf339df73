"""Note which lines of an engine run, and which of them for its rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from umpi.kernel.match import Match

SHOWING = Match.check_position.__code__  # it asks for what screens show


Line = tuple[str, int]  # the file, and the number from 1


class Ran(NamedTuple):
    """Lines that have run: all of them, and those that have run for more than what screens show."""

    every: set[Line]
    ruling: set[Line]


@contextmanager
def noted(modules: Sequence[ModuleType]) -> Iterator[Ran]:
    """Note which lines of these modules run inside. A function that keeps its results is made to forget them."""
    files = {module.__file__ for module in modules}
    ran = Ran(set(), set())
    showing = False

    def called(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal showing
        if frame.f_code is SHOWING:
            showing = True
            return shown
        return stepped if frame.f_code.co_filename in files else None

    def stepped(frame: FrameType, event: str, arg: object) -> Any:
        if event == "line":
            line = frame.f_code.co_filename, frame.f_lineno
            ran.every.add(line)
            if not showing:
                ran.ruling.add(line)
        return stepped

    def shown(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal showing
        if event == "return":
            showing = False
        return shown

    _forget(modules)
    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield ran
    finally:
        sys.settrace(before)


def _forget(modules: Sequence[ModuleType]) -> None:
    """Clear what functions of the modules keep: their lines would not run again."""
    for module in modules:
        for value in vars(module).values():
            for each in vars(value).values() if isinstance(value, type) else (value,):
                function = each.__func__ if isinstance(each, (classmethod, staticmethod)) else each
                if isinstance(function, _lru_cache_wrapper):
                    function.cache_clear()
