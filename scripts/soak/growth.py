"""Find what grows from game to game: memory, threads, handles, tasks, and every list of the box."""

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
WARM = 320  # games at most until everything with a limit has reached it
# Containers with a limit, by the last part of their name: resumable matches, past matches of the web page, versions
# of its stream, transfers in the memory of a virtual chip, events that the recorder has not packed yet, its packs
LIMITS = {"_resumable": 60, "_summaries": 300, "_ring": 256, "calls": 10_000, "_recent": 3000, "_packed": 10_000}
# How much a figure may grow per game, and in all; any other figure may not grow
ALLOWED = {"memory in blocks": (5.0, 3000.0), "RSS in KiB": (4.0, 4096.0)}
FIGURES = (*ALLOWED, "threads", "handles", "tasks")


class Growth:
    """Collects one sample per game: figures of the process, and the size of each container of the box."""

    def __init__(self) -> None:
        self.samples: list[array[float]] = []  # compact, because the samples themselves grow
        self._columns: dict[str, int] = {name: column for column, name in enumerate(FIGURES)}

    def look(self, root: object) -> None:
        """Take a sample of this process, and of everything that `root` refers to."""
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
        """Report the figures at the start, when warm and at the end, and their growth per game."""
        yield f"{'':18}{'first':>12}{'warm':>12}{'end':>12}{'a game':>12}"
        for name in FIGURES:
            begun, end, slope = _course(self._warm(name))
            yield f"{name:18}{self.samples[0][self._columns[name]]:12,.0f}{begun:12,.0f}{end:12,.0f}{slope:12.3f}"

    def faults(self) -> list[str]:
        """List what grows: memory beyond its allowance, and every count from quarter to quarter."""
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
        """Return a figure of the warm box: in the later half, or after all limits are reached."""
        column = self._columns[name]
        warm = self.samples[min(WARM, len(self.samples) // 2) :]
        return [sample[column] if column < len(sample) else 0 for sample in warm]


def _course(figures: Sequence[float]) -> tuple[float, float, float]:
    """Return the medians of the first and the last quarter, and the growth per game between them."""
    part = max(1, len(figures) // 4)
    begun, end = median(figures[:part]), median(figures[-part:])
    return begun, end, (end - begun) / max(1, len(figures) - part)


def lengths(root: object) -> Counter[str]:
    """Return the sizes of all containers that `root` refers to, by the attributes that lead there."""
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
    """Return whether a container has a limit and keeps it, or is inside such a container."""
    names = re.split(r"\.|(?=\[)", name)
    limited = next((part for part in names if part in LIMITS), None)
    return limited is not None and (names[-1] != limited or length <= LIMITS[limited])


def _clear_caches() -> dict[str, int]:
    """Empty the caches that have a limit, and return the sizes of the others."""
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
    except RuntimeError:  # no event loop runs
        return 0


def _rss_kib() -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return float(found[1])
