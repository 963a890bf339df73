"""Measure what the page reads of past matches, by the number of matches in the journal."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.bench.full_journal import make_journal
from umpi.web.past import Past
from umpi.web.results import read_results

ROUNDS = 5
MATCHES = (100, 1_000, 10_000)  # making the last ones takes half a minute


def history() -> None:
    """Print the processor time of each list and page of past matches, by the number of matches in the journal."""
    times: dict[str, list[float]] = {}
    for matches in MATCHES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.db"
            make_journal(path, matches)
            for name, read in _readings(path, matches).items():
                times.setdefault(name, []).append(_ms(read))
    print(f"\nPast matches: ms of the processor, median of {ROUNDS}, by matches in the journal")
    print(f"  {'':32}" + "".join(f"{matches:10,}" for matches in MATCHES))
    for name, measured in times.items():
        print(f"  {name:32}" + "".join(f"{each:10.1f}" for each in measured))


def _readings(path: Path, matches: int) -> dict[str, Callable[[], object]]:
    """Return each reading; none keeps what another has read."""
    middle = str(matches // 2)
    return {
        "the newest hundred": lambda: Past(path).matches(),
        "one match": lambda: Past(path).match(middle),
        "the moves of one match": lambda: Past(path).moves(middle),
        "the record of one match": lambda: Past(path).record(middle),
        "the statistics of all players": lambda: Past(path).stats(),
        "the last results for programs": lambda: read_results(path, matches - 10),
    }


def _ms(read: Callable[[], object]) -> float:
    spent = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        assert read()
        spent.append((time.process_time() - begun) * 1000)
    return statistics.median(spent)
