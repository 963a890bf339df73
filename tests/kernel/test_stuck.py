"""A call of an engine that does not return is interrupted, in whatever thread it runs."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

import pytest

from umpi.kernel.nothing import nothing
from umpi.kernel.stuck import watched

CALL_S = 0.1  # of processor time


class TookTooLong(Exception):
    """Raised in a call that takes too long."""


class Engine:
    """It has a method that never returns, and one that is called very often."""

    def hang(self) -> None:
        """Never return."""
        while True:
            pass

    def wait(self, event: threading.Event) -> str:
        """Return when somebody else sets an event."""
        assert event.wait(60)
        return "waited"

    def add(self, number: int) -> int:
        """Return at once."""
        return number + 1


def outcomes(*calls: Callable[[], object]) -> list[object]:
    """Run calls on one thread each while the main thread waits, as that of the service does, and once more one."""

    async def run() -> list[object]:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, nothing)  # so that any signal wakes the loop
        with ThreadPoolExecutor(len(calls)) as pool:
            found: list[object] = await asyncio.gather(
                *(loop.run_in_executor(pool, call) for call in calls), return_exceptions=True
            )
            return [*found, await loop.run_in_executor(pool, Engine().add, 1)]

    with watched(lambda: [Engine], TookTooLong, CALL_S, "asyncio."):
        return asyncio.run(run())


def test_a_call_that_hangs_in_another_thread_fails_there_and_the_next_one_counts() -> None:
    fault, following = outcomes(Engine().hang)
    assert isinstance(fault, TookTooLong)
    assert str(fault) == "hang() did not return within 0.1 s of processor time"
    assert following == 2


def test_two_threads_that_hang_are_both_freed() -> None:
    assert [type(each).__name__ for each in outcomes(Engine().hang, Engine().hang)] == ["TookTooLong"] * 2 + ["int"]


@pytest.mark.slow
def test_many_short_calls_are_not_one_long_call() -> None:
    """The thread calls the engine for several times as long as one call may take."""
    assert outcomes(partial(sum, map(Engine().add, range(5_000_000))))[1] == 2
    assert outcomes(partial(len, range(3))) == [3, 2]


@pytest.mark.slow
def test_a_call_that_waits_is_not_charged_with_the_work_of_others() -> None:
    """One thread waits inside rules while another makes short calls for three times as long as one call may take."""
    over = threading.Event()

    def worked(_call: int) -> bool:
        if time.thread_time() < 3 * CALL_S:
            return False
        over.set()
        return True

    assert outcomes(partial(Engine().wait, over), partial(any, map(worked, count()))) == ["waited", True, 2]


def test_a_tick_that_comes_after_the_watch_does_not_end_the_process() -> None:
    """The kernel may give it to a thread that wakes only then."""
    assert signal.getsignal(signal.SIGPROF) is not signal.SIG_IGN, "programs that are started would inherit this"
    with watched(lambda: [Engine], TookTooLong, CALL_S, "asyncio."):
        pass
    assert callable(signal.getsignal(signal.SIGPROF)), "the default ends the process"
    signal.raise_signal(signal.SIGPROF)
