"""Commands of Umpi, forked from a process that has imported what a box imports: that takes most of a box's start."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import IO

from tests.kit.patience import patiently
from umpi.cli import main
from umpi.kernel.registry import SHIPPED, games

FORKS = get_context("forkserver")
SERVING = (
    "umpi.cli.box", "umpi.simulator.page", "umpi.web.https", "luma.oled.device", "uvicorn.lifespan.on",
    "anyio._backends._asyncio",
)  # fmt: skip


class Forked:
    """Run `umpi` with these words, with the environment of the moment; at the latest, it ends with this process."""

    def __init__(self, words: Sequence[str]) -> None:
        FORKS.set_forkserver_preload([*SERVING, *filter(_shipped, {game.__module__ for game in games()})])
        reader, writer = FORKS.Pipe(duplex=False)
        with reader, writer:
            self._process = FORKS.Process(target=_run, args=(words, dict(os.environ), writer), daemon=True)
            self._process.start()
            self.output: IO[str] = os.fdopen(os.dup(reader.fileno()))

    def send(self, signal: int) -> None:
        """Send it a signal."""
        assert self._process.pid
        os.kill(self._process.pid, signal)

    def wait(self) -> int:
        """Wait until it has ended. Return its exit status."""
        patiently(lambda turn_s: wait([self._process.sentinel], turn_s) or None)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def kill(self) -> None:
        """Be rid of it, whatever it does."""
        self._process.kill()
        self._process.join()
        self.output.close()


def _shipped(module: str) -> bool:
    return module.startswith(SHIPPED)


def _run(words: Sequence[str], environment: Mapping[str, str], writer: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(writer.fileno(), sys.stdout.fileno())
    writer.close()
    sys.exit(main(words))
