"""Play an experiment on several processes. The result is the same for any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal

from umpi.lab.games import Experiment, Failed, Played, play_game

CHUNK = 25  # the most games per task


class GameFailed(Exception):
    """Raised if a game of an experiment failed; `failed` is that game."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.why)
        self.failed = failed


def play_chunk(experiment: Experiment, numbers: range) -> list[Played | Failed | None]:
    """Play the games of these numbers; stop after one that fails."""
    played: list[Played | Failed | None] = []
    for number in numbers:
        played.append(play_game(experiment, number))
        if isinstance(played[-1], Failed):
            break
    return played


def play_all(experiment: Experiment, games: int, workers: int, progress: Callable[[int], object] = int) -> list[Played]:
    """Play all games, and return those that ended, in the order of their numbers.

    `progress` is called with the number of games so far. Raises GameFailed with the first game that failed.
    """
    size = max(1, min(CHUNK, games // (4 * workers)))
    chunks = [range(first, min(first + size, games)) for first in range(0, games, size)]
    play = partial(play_chunk, experiment)
    if workers == 1:
        return list(_collected(map(play, chunks), progress))
    with ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
        try:
            return list(_collected(pool.map(play, chunks), progress))
        except BaseException:  # a game that failed, or Ctrl-C
            pool.shutdown(cancel_futures=True)
            raise


def _collected(chunks: Iterator[list[Played | Failed | None]], progress: Callable[[int], object]) -> Iterator[Played]:
    number = 0
    for chunk in chunks:
        for each in chunk:
            if isinstance(each, Failed):
                raise GameFailed(each)
            if each is not None:
                yield each
        number += len(chunk)
        progress(number)
