"""Wakes one coroutine from any thread."""

from __future__ import annotations

import asyncio
import contextlib


class Waker:
    """Let the coroutine in `wait` go on, from any thread. Make what it is to see before the call of `wake`."""

    def __init__(self) -> None:
        self._woken = False  # since the last wait
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def wake(self) -> None:
        """Let `wait` return, or the next one if nobody waits."""
        self._woken = True
        if waiting := self._waiting:
            loop, woken = waiting
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(woken.set)

    async def wait(self, timeout_s: float | None = None) -> None:
        """Wait to be woken, at most `timeout_s` seconds; not at all if that has happened since the last wait."""
        woken = asyncio.Event()
        self._waiting = asyncio.get_running_loop(), woken
        try:
            if not self._woken:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), timeout_s)
        finally:
            self._waiting, self._woken = None, False
