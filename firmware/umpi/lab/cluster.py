"""Play chunks of games on a Dask cluster. Dask gives the chunk of a lost worker to another one.

A chunk always leads to the same games, wherever it is played and however often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import Any, TypeVar
from uuid import uuid4

SCHEME = "dask://"
CONNECT_S = 10.0  # until a scheduler must have answered
LOOK_S = 5.0  # between two looks whether the cluster still has workers

Chunk = TypeVar("Chunk")
Found = TypeVar("Found")


class NoCluster(Exception):
    """Report why a cluster cannot be used."""


class Cluster:
    """A cluster that is connected, by the address of its scheduler, as in "dask://10.0.0.5:8786"."""

    def __init__(self, address: str, connect_s: float = CONNECT_S) -> None:
        """Connect to the cluster, and check that its workers can play.

        Raises NoCluster, or ModuleNotFoundError if distributed is not installed.
        """
        if not address.startswith(SCHEME) or not address.removeprefix(SCHEME).rpartition(":")[2].isdecimal():
            raise NoCluster(f"expected dask://HOST:PORT, got {address}")
        from distributed import Client  # an extra, which takes long to import

        self._address = address
        try:
            self._client: Any = Client(f"tcp://{address.removeprefix(SCHEME)}", timeout=connect_s, set_as_default=False)
        except (OSError, ValueError) as fault:
            raise NoCluster(f"{address}: no scheduler answers ({type(fault).__name__})") from None
        try:
            self._check()
        except NoCluster:
            self.close()
            raise

    @property
    def workers(self) -> int:
        """How many games the cluster can play at once."""
        return sum(self._client.nthreads().values())

    def map(self, play: Callable[[Chunk], Found], chunks: Sequence[Chunk]) -> Iterator[Found]:
        """Yield what `play` returns for each chunk, in order. Raises NoCluster if the cluster goes away meanwhile."""
        run = uuid4().hex  # another experiment must not get these results
        futures = [self._client.submit(play, each, key=f"umpi-{run}-{n}") for n, each in enumerate(chunks)]
        try:
            for future in futures:
                yield self._result(future)
        finally:
            self._client.cancel(futures)

    def close(self) -> None:
        """Leave the cluster. It continues to run."""
        self._client.close()

    def _check(self) -> None:
        """Check that there are workers, and that all have this version of Umpi."""
        self._look()
        own = version("umpi")
        try:
            theirs = {*self._client.run(version, "umpi").values()}
        except ModuleNotFoundError:
            raise NoCluster(f"{self._address}: Umpi is not installed on all of its workers") from None
        if theirs != {own}:
            raise NoCluster(f"{self._address}: its workers have Umpi {', '.join(sorted(theirs))}, here it is {own}")

    def _result(self, future: Any) -> Any:
        """Wait for a chunk, and look from time to time whether anybody still plays."""
        from distributed import CancelledError
        from distributed import TimeoutError as Slow

        while True:
            try:
                return future.result(timeout=LOOK_S)
            except Slow:
                self._look()
            except (CancelledError, OSError):
                raise NoCluster(f"{self._address}: the scheduler is gone") from None

    def _look(self) -> None:
        if not self._client.nthreads():
            raise NoCluster(f"{self._address}: the cluster has no workers")
