"""A process and its box, game after game, to what grows: memory, threads, handles, tasks, every list of the box."""

from __future__ import annotations

import asyncio
import functools
import gc
import os
import re
import sys
import threading
from array import array
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

OURS = ("umpi.", "gpiozero.")
CONTAINERS = (list, dict, set, deque)
WARM = 320  # games at most, until all that is kept to a limit has reached it
# What is kept to a limit, by its last name: the matches that can be gone on with, what the desk has told of past ones,
# the versions of its stream, the transfers a virtual chip remembers, the events that the recorder has not packed yet,
# and its packs, of which those over 4 MB in all are dropped
LIMITS = {"_resumable": 60, "_told": 300, "_ring": 256, "calls": 10_000, "_recent": 3000, "_packed": 10_000}
# By how much a figure may grow from game to game, and what it may gain in all whatever the games; any other may not
ALLOWED = {"memory in blocks": (5.0, 3000.0), "RSS in KiB": (4.0, 4096.0)}
FIGURES = (*ALLOWED, "threads", "handles", "tasks")


class Growth:
    """Collects a sample a game: figures of the process, and how much lies in each container of the box."""

    def __init__(self) -> None:
        self.samples: list[array[float]] = []  # as small as can be: they grow themselves
        self._columns: dict[str, int] = {name: column for column, name in enumerate(FIGURES)}

    def look(self, root: object) -> None:
        """Take a sample of this process, and of what hangs on `root`."""
        caches = _clear_caches()
        gc.collect()
        found = {
            "memory in blocks": sys.getallocatedblocks(),  # of the interpreter, exact
            "RSS in KiB": _rss_kib(),
            "threads": threading.active_count(),
            "handles": len(os.listdir("/proc/self/fd")),
            "tasks": _tasks(),
            **caches,
            **lengths(root),
        }
        for name in found:
            self._columns.setdefault(name, len(self._columns))
        self.samples.append(array("d", (found.get(name, 0) for name in self._columns)))

    def table(self) -> Iterator[str]:
        """Tell the figures at first, when warm and at the end, and what a game adds."""
        yield f"{'':18}{'first':>12}{'warm':>12}{'end':>12}{'a game':>12}"
        for name in FIGURES:
            begun, end, slope = _course(self._warm(name))
            yield f"{name:18}{self.samples[0][self._columns[name]]:12,.0f}{begun:12,.0f}{end:12,.0f}{slope:12.3f}"

    def faults(self) -> list[str]:
        """Tell what grows: memory beyond what is allowed, and whatever is counted from quarter to quarter."""
        found = []
        for name in self._columns:
            figures = self._warm(name)
            quarter = len(figures) // 4
            if not quarter:
                continue
            begun, end, slope = _course(figures)
            quarters = [figures[part * quarter : (part + 1) * quarter] for part in range(4)]
            if name in ALLOWED:
                a_game, in_all = ALLOWED[name]
                if end - begun > in_all and slope > a_game:
                    found.append(f"{name}: from {begun:,.0f} to {end:,.0f}, {slope:.3f} a game")
            elif all(min(late) > max(early) for early, late in pairwise(quarters)) and not _in_limits(name, end):
                found.append(f"{name}: more and more, from {begun:.0f} to {end:.0f}")
        return found

    def _warm(self, name: str) -> list[float]:
        """A figure of a box that is warm: in the later half, or after so many games that all limits are reached."""
        column = self._columns[name]
        warm = self.samples[min(WARM, len(self.samples) // 2) :]
        return [sample[column] if column < len(sample) else 0 for sample in warm]


def _course(figures: Sequence[float]) -> tuple[float, float, float]:
    """The middle of the first and of the last quarter, and what lies between them a game."""
    part = max(1, len(figures) // 4)
    begun, end = median(figures[:part]), median(figures[-part:])
    return begun, end, (end - begun) / max(1, len(figures) - part)


def lengths(root: object) -> Counter[str]:
    """Count what lies in all containers that hang on `root`, by the attributes that lead there."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    waiting: deque[tuple[str, object]] = deque([(type(root).__name__.lower(), root)])
    while waiting:
        path, value = waiting.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, CONTAINERS):
            found[path] += len(value)
        parts: list[tuple[str, object]] = []
        if isinstance(value, dict):
            parts = [(f"{path}[]", each) for each in [*value.values()]]
        elif isinstance(value, (list, tuple, set, deque)):
            parts = [(f"{path}[]", each) for each in [*value]]
        elif type(value).__module__.startswith(OURS):
            parts = [(f"{path}.{name}", each) for name, each in _attributes(value)]
        waiting.extend((where, part) for where, part in parts if where.count(".") + where.count("[]") < 12)
    return found


def _in_limits(name: str, length: float) -> bool:
    """Tell whether a container is kept to a limit and within it, or lies in one that is."""
    names = re.split(r"\.|(?=\[)", name)
    limited = next((part for part in names if part in LIMITS), None)
    return limited is not None and (names[-1] != limited or length <= LIMITS[limited])


def _clear_caches() -> dict[str, int]:
    """Empty the caches that have a limit, and tell how much the others hold."""
    held: dict[str, int] = {}
    for cache in gc.get_objects():
        if isinstance(cache, functools._lru_cache_wrapper) and cache.__module__.startswith(OURS):
            if cache.cache_parameters()["maxsize"] is None:
                held[f"the cache of {cache.__module__}.{cache.__qualname__}"] = cache.cache_info().currsize
            else:
                cache.cache_clear()
    return held


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    yield from [*getattr(value, "__dict__", {}).items()]
    for kind in type(value).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(value, name) and name != "__weakref__":
                yield name, getattr(value, name)


def _tasks() -> int:
    try:
        return len(asyncio.all_tasks())
    except RuntimeError:  # no loop turns
        return 0


def _rss_kib() -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return float(found[1])
