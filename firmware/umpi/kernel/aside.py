"""Work beside the loop: on a thread of its own, or where there are no threads, between two rounds of the loop.

In a browser, Python has one thread and one event loop (https://pyodide.org/en/stable/usage/wasm-constraints.html).
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = sys.platform != "emscripten"


def run_aside(work: Callable[[], object], name: str) -> threading.Thread | None:
    """Begin to do some work on a thread called `name`, and return it; without threads, do it once the loop is idle."""
    if not THREADS:
        asyncio.get_event_loop().call_soon(work)
        return None
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def worker(name: str) -> Executor:
    """Return a thread called `name` that does what it is given in turn; without threads, that is done at once."""
    return ThreadPoolExecutor(1, name) if THREADS else AtOnce()


class AtOnce(Executor):
    """Do at once what it is given.

    >>> AtOnce().submit(divmod, 7, 2).result()
    (3, 1)
    """

    def submit(self, work: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        """Do some work, and return a future that is done."""
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **named))
        except Exception as fault:
            done.set_exception(fault)
        return done
