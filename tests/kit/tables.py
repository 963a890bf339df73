"""Positions of real matches as the page gets them: of the records, and of random games of any number of players."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.record import replay
from umpi.kernel.registry import find
from umpi.web.shown import players_of, scores_of

RECORDS = Path(__file__).parents[1] / "records"
GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
NAMES = ("Maximiliane", "Jo", "Anne-Catherine", "Bartholomew", "Éva", "Konstantin")
EVERY = 7  # of a random game, this position and its multiples


def table(match: Match) -> dict[str, Any]:
    """Return what a board gets of a match, as the page reads it."""
    document = {
        "id": 1,
        "game": match.game.id,
        "players": players_of(match.players, range(len(match.players))),
        "phase": match.now.phase,
        "turn": match.seat,
        "scores": scores_of(match),
        "facts": match.now.shown_facts(),
    }
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def recorded(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the last position of each record of a game, by its name."""
    for path in sorted((RECORDS / game).glob("*.jsonl")):
        with path.open("rb") as lines:
            *_, step = replay(lines, find)
        assert step.record
        yield path.stem, table(step.record.match)


def random_tables(game: str, seats: int, **options: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield positions of a random match, and its end, by the number of their acts."""
    match = Match(find(game), NAMES[:seats], options)
    yield f"{seats} players, 0", table(match)
    for number, _ in enumerate(play(match, 5), 1):
        if number % EVERY == 0:
            yield f"{seats} players, {number}", table(match)
        if number > 40 * EVERY:
            break
    yield f"{seats} players, {len(match.acts)}", table(match)
