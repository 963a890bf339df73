"""The matches of a journal to figures: how many each player has played and won, mean, best, and head to head."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from umpi.journal import Kept, open_to_read, read_lines, read_matches, read_outcome
from umpi.kernel.messages import Message, Name, message
from umpi.kernel.record import Find, Unreadable, dump, read_line, replay

WINS = "wins"  # the option of a game that says which scores win, "highest" or "lowest"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match: its game, who sat where, and how it ended, `places` and `scores` by seat; both empty: it is not over.

    `wins` is what its options say of the scores that win, as JSON.
    """

    game: str
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    wins: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a player has done in the matches that are over.

    `won` are first places alone, `shared` those shared with others; one is never counted as the other, and whoever
    plays alone wins against nobody. `mean` (to two places) and `best` are of the scores, None over all games. `best` is
    None as well where it cannot be told whether the most or the fewest points win.
    """

    name: str
    matches: int
    won: int
    shared: int
    mean: float | None
    best: int | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two who sat at one table: in how many matches each was placed `ahead` of the other, in how many neither was."""

    names: tuple[str, str]
    ahead: tuple[int, int]
    level: int


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """The figures of a game, None: of all. `matches` are over; those `open` are not, and count nowhere else."""

    game: str | None
    matches: int
    open: int
    players: tuple[Figures, ...]  # who has won most first, else who came first
    pairs: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A match that counts nowhere, because how it ended cannot be read: its number in the journal, and why."""

    match: int
    why: str


@dataclass(frozen=True, slots=True)
class Stats:
    """The tallies, that of all games first, then by the games' ids; and the matches that could not be read."""

    tallies: tuple[PlayerTotals, ...]
    unread: tuple[Unread, ...] = ()

    def of(self, game: str | None) -> PlayerTotals:
        """The tally of a game, None: of all; an empty one where it has not been played."""
        return next((tally for tally in self.tallies if tally.game == game), PlayerTotals(game, 0, 0, (), ()))


def read_stats(path: Path, find: Find) -> Stats:
    """Read the figures of a journal; raises what `open_to_read` does, sqlite3.Error where its file is damaged."""
    played: list[PlayedMatch] = []
    unread: list[Unread] = []
    found = cache(find)
    with closing(open_to_read(path)) as file:
        for kept in list(read_matches(file)):
            try:
                played.append(_read(file, kept, found))
            except ValueError as fault:  # no JSON, no record, or refused by today's rules
                unread.append(Unread(kept.id, str(fault)))
    return Stats(count(played), tuple(unread))


def count(played: Sequence[PlayedMatch]) -> tuple[PlayerTotals, ...]:
    """Count matches, in the order they were begun; names are the same where they are written the same."""
    fewest = _fewest(played)
    games = sorted({each.game for each in played})
    return (
        _tally(None, played, fewest),
        *(_tally(game, [each for each in played if each.game == game], fewest) for game in games),
    )


def lines(stats: Stats, game: str | None) -> list[Message]:
    """Tell the tally of a game, None: of all, in lines short enough for the panel."""
    tally = stats.of(game)
    told = [message("matches: {number}", number=tally.matches)]
    if tally.open:
        told.append(message("not over: {number}", number=tally.open))
    if stats.unread and game is None:
        told.append(message("not readable: {number}", number=len(stats.unread)))
    for one in tally.players:
        told.append(message("{who}: {won} of {matches} won", who=Name(one.name), won=one.won, matches=one.matches))
        if one.shared:
            told.append(message("first place shared: {number}", number=one.shared))
        if one.best is not None:
            told.append(message("best {best}, mean {mean}", best=one.best, mean=f"{one.mean:.1f}"))
        elif one.mean is not None:
            told.append(message("mean {mean}", mean=f"{one.mean:.1f}"))
    for pair in tally.pairs:
        names = {"one": Name(pair.names[0]), "other": Name(pair.names[1])}
        told.append(message("{one}-{other} {ahead}:{behind}", **names, ahead=pair.ahead[0], behind=pair.ahead[1]))
        if pair.level:
            told.append(message("level: {number}", number=pair.level))
    return told


def _tally(game: str | None, played: Sequence[PlayedMatch], fewest: dict[tuple[str, str], bool | None]) -> PlayerTotals:
    over = [each for each in played if each.places]
    seats: dict[str, list[tuple[PlayedMatch, int]]] = {}
    for each in over:
        for seat, name in enumerate(each.players):
            seats.setdefault(name, []).append((each, seat))
    figures = [_figures(name, sat, fewest, game is not None) for name, sat in seats.items()]
    figures.sort(key=lambda one: (-one.won, -one.shared))
    pairs = _pairs(over, [one.name for one in figures])
    return PlayerTotals(game, len(over), len(played) - len(over), tuple(figures), tuple(pairs))


def _figures(
    name: str, sat: Sequence[tuple[PlayedMatch, int]], fewest: dict[tuple[str, str], bool | None], one_game: bool
) -> Figures:
    first = [each.places.count(1) for each, seat in sat if each.places[seat] == 1 and len(each.places) > 1]
    scores = [each.scores[seat] for each, seat in sat]
    ways = {fewest.get((each.game, each.wins)) for each, _ in sat}
    best = max(scores) if ways == {False} else min(scores) if ways == {True} else None
    mean = round(sum(scores) / len(scores), 2)
    won = first.count(1)
    return Figures(name, len(sat), won, len(first) - won, mean if one_game else None, best if one_game else None)


def _pairs(over: Iterable[PlayedMatch], names: Sequence[str]) -> Iterator[HeadToHead]:
    rank = {name: index for index, name in enumerate(names)}
    ahead: Counter[tuple[str, str]] = Counter()
    level: Counter[tuple[str, str]] = Counter()
    for each in over:
        placed = sorted(zip(each.players, each.places, strict=True), key=lambda one: rank[one[0]])
        for (one, place), (other, others) in combinations(placed, 2):
            level[one, other] += place == others
            ahead[(one, other) if place < others else (other, one)] += place != others
    for one, other in sorted(level, key=lambda pair: (rank[pair[0]], rank[pair[1]])):
        yield HeadToHead((one, other), (ahead[one, other], ahead[other, one]), level[one, other])


def _fewest(played: Iterable[PlayedMatch]) -> dict[tuple[str, str], bool | None]:
    """Tell of each game, and each way to win it that its options name, whether the fewest points win.

    Each two seats with unlike scores and places tell; None where they gainsay each other.
    """
    told: dict[tuple[str, str], set[bool]] = {}
    for each in played:
        seats = list(zip(each.places, each.scores, strict=True))
        ways = {score < others for (place, score), (beaten, others) in permutations(seats, 2)
                if place < beaten and score != others}  # fmt: skip
        told.setdefault((each.game, each.wins), set()).update(ways)
    return {game: next(iter(ways)) if len(ways) == 1 else None for game, ways in told.items()}


def _read(file: sqlite3.Connection, kept: Kept, find: Find) -> PlayedMatch:
    """Read a match of the journal; raises ValueError, saying why it cannot be."""
    header = read_line(kept.header.encode()) or {}
    game, options = header.get("game"), header.get("options")
    players: Any = header.get("players")
    named = isinstance(players, tuple) and all(isinstance(name, str) for name in players)
    if not isinstance(game, str) or not named or len(set(players)) < len(players):
        raise Unreadable("line 1: the header does not say which game was played, and by whom")
    wins = dump(options[WINS]) if isinstance(options, dict) and WINS in options else ""
    outcome = read_outcome(file, kept)
    if outcome is None and kept.rules is None:  # of an Umpi that kept neither
        outcome = _replayed(file, kept, find)
    if outcome is None:
        return PlayedMatch(game, players, wins=wins)
    places, scores = _whole(outcome, "places", len(players)), _whole(outcome, "scores", len(players))
    return PlayedMatch(game, players, places, scores, wins)


def _whole(outcome: Any, what: str, seats: int) -> tuple[int, ...]:
    numbers = outcome.get(what) if isinstance(outcome, dict) else None
    if not isinstance(numbers, list | tuple) or len(numbers) != seats or {*map(type, numbers)} != {int}:
        raise Unreadable(f"its outcome does not give {what} to each seat, whole numbers")
    return tuple(numbers)


def _replayed(file: sqlite3.Connection, kept: Kept, find: Find) -> dict[str, Any] | None:
    """Play a match again; returns its outcome, None where it is not over."""
    raw = [line.encode() for line in (kept.header, *read_lines(file, kept.id))]
    *_, step = replay(raw, find)
    if step.error or step.record is None:
        raise Unreadable(f"line {step.line}: {step.error}")
    try:
        now = step.record.match.now
        result = now.result()
        return {"places": result.places, "scores": now.scores()} if result else None
    except Exception as fault:  # the engine's own code
        raise Unreadable(f"its rules fail: {type(fault).__name__}: {fault}") from fault
