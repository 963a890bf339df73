"""Tables at which every game is played, the calls of each game, and the record of a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpi.kernel import Match
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find

BOARD = {
    "clues": ("questions", "letter", "questions", "either", "letter", "questions", "either"),
    "rewards": (0, 3, 3, 2, 2, 1, 1, 0), "start": 3,
    "track": tuple((min(space, 2), 1 + space % 3) for space in range(20)),
}  # fmt: skip
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "battledodes": [{}, {"target": 1}, {"target": 1000}],
    "dodeka": [
        {"parts": 1}, {"target": 10, "parts": 8}, {"target": 10_000, "parts": 2}, {"minutes": 1, "target": 40},
        {"minutes": 600, "parts": 1, "target": 10},
    ],
    "dodekka": [{}, {"track": "all"}, {"track": "hands"}, {"track": "sums"}],
    "dohdles": [{}, {"riddles": 1}, {"board": BOARD}],
    "dudab-buba": [{}, {"jungle": True, "baby": True}, {"track": "score", "jungle": True}, {"track": "counts"}],
    "quiz": [{"questions": 5}, {"early": "counts", "target": 4}, {"early": "locked", "penalty": 1, "questions": 6}],
    "scorepad": [{}, {"rounds": 3, "minutes": 5}, {"target": 300, "wins": "lowest"}],
}  # fmt: skip
TABLES = [(game, seats, options) for game in OPTIONS for seats in find(game).seats for options in OPTIONS[game]]
KEYS: dict[str, dict[str, set[str]]] = {  # calls.md: the kinds of each game, and their keys beside kind and text
    "dodeka": {
        "scored": {"seat", "combination", "points"}, "pairtraiz": {"seat"}, "play-off": {"for", "seats"},
        "part": {"part", "first", "last", "stake"},
    },
    "dodekka": {"bust": {"seat", "total", "cards"}, "no-bust": {"seat", "total", "value"}},
    "battledodes": {"struck": {"seat", "dode", "by", "left"}, "scored": {"seat", "points"}},
    "dohdles": {"guess": {"seat", "right"}},
    "dudab-buba": {
        "taken": {"seat", "column", "cards"}, "request": {"seat", "ask"}, "round": {"round", "points"},
    },
    "quiz": {},
    "scorepad": {},
}  # fmt: skip
MORE = {  # kinds that the contract leaves to the games
    "dodeka": {"last-round", "time-up", "near-end", "begins"}, "dodekka": {"discarded"},
    "battledodes": {"roll-off", "forfeited", "knocked"},
    "dohdles": {"home", "move", "expired", "solved", "cubes", "rearmost", "unsolved"},
    "dudab-buba": {"deck-out", "void", "shown", "shaman", "faced", "met", "jungle", "baby", "next-round"},
    "quiz": {"too-early", "answer", "closed"},
    "scorepad": {"time-up"},
}  # fmt: skip


def names(seats: int) -> tuple[str, ...]:
    return tuple(f"P{seat + 1}" for seat in range(seats))


def written(match: Match) -> Iterator[bytes]:
    """Write a match as the bytes of a record."""
    yield dump(Header(match.game, match.players, match.options).line()).encode() + b"\n"
    for act in match.acts:
        yield dump(act.line()).encode() + b"\n"
