"""Play an experiment on several processes, or on a cluster. The result is the same for any number of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal

from umpi.kernel.nothing import nothing
from umpi.lab.cluster import Cluster
from umpi.lab.games import Experiment, Failed, Played, play_game
from umpi.lab.progress import PlayedFile

CHUNK = 25  # the most games per task

log = logging.getLogger(__name__)


class GameFailed(Exception):
    """Raised if games of an experiment failed; `failed` is the first of them. `kept` games are in the file."""

    def __init__(self, failed: Failed, kept: int = 0) -> None:
        super().__init__(failed.why)
        self.failed, self.kept = failed, kept


def play_chunk(experiment: Experiment, numbers: Sequence[int], stop: bool = True) -> list[Played | Failed | None]:
    """Play the games of these numbers; `stop` after one that fails."""
    played: list[Played | Failed | None] = []
    for number in numbers:
        played.append(play_game(experiment, number))
        if stop and isinstance(played[-1], Failed):
            break
    return played


def play_all(
    experiment: Experiment,
    games: int,
    workers: int,
    progress: Callable[[int], object] = nothing,
    kept: PlayedFile | None = None,
    failing: Callable[[Failed], object] = nothing,
    cluster: Cluster | None = None,
) -> list[Played]:
    """Play all games, and return those that ended, in the order of their numbers.

    `progress` is called with the number of games so far. Games of `kept` are not played again; the others
    are added to it.
    Raises GameFailed after the first game that failed. With `kept`, plays the other games first; `failing` is called
    with each game that fails, and it is not added, so that it is played again next time.
    With a `cluster`, its workers play. Raises NoCluster if it goes away.
    """
    done = kept.games(experiment) if kept else {}
    left = [number for number in range(games) if number not in done]
    workers = cluster.workers if cluster else workers
    size = max(1, min(CHUNK, len(left) // (4 * workers)))
    chunks = [left[first : first + size] for first in range(0, len(left), size)]
    play = partial(play_chunk, experiment, stop=kept is None)
    number, first = games - len(left), None
    for chunk, played in zip(chunks, _mapped(play, chunks, workers, cluster), strict=True):
        pairs = zip(chunk, played, strict=False)  # a chunk may have stopped early
        new = {number: each for number, each in pairs if not isinstance(each, Failed)}
        if kept:
            kept.add(experiment, new)
        done |= new
        for each in played:
            if isinstance(each, Failed):
                log.error("Game %d failed: %s", each.number, each.trace)  # it may have been played by another process
                first = first or each
                failing(each)
                if kept is None:
                    raise GameFailed(each)
        number += len(chunk)
        progress(number)
    if first:
        raise GameFailed(first, len(done))
    return [each for each in map(done.get, range(games)) if each]


def _mapped(
    play: Callable[[Sequence[int]], list[Played | Failed | None]],
    chunks: Sequence[Sequence[int]],
    workers: int,
    cluster: Cluster | None,
) -> Iterator[list[Played | Failed | None]]:
    """Yield the games of each chunk, in order."""
    if cluster:
        yield from cluster.map(play, chunks)
        return
    if workers == 1 or len(chunks) < 2:
        yield from map(play, chunks)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
        try:
            yield from pool.map(play, chunks)
        except BaseException:  # a game that failed, or Ctrl-C
            pool.shutdown(cancel_futures=True)
            raise
