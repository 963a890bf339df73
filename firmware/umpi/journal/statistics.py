"""Statistics of the matches in a journal: totals, wins, mean and best scores, head-to-head results."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from umpi.frozen import frozen
from umpi.journal import Kept, open_to_read, read_lines, read_matches, read_outcome
from umpi.kernel.messages import Figure, Message, Name, message, message_n
from umpi.kernel.record import Find, Unreadable, dump, replay

WINS = "wins"  # the option of a game for which scores win, "highest" or "lowest"


@frozen
class PlayedMatch:
    """Describe one match: its game, players and outcome.

    `places` and `scores` are by seat. Both are empty if the match is not over. If all have lost, no place is 1. `wins`
    is the match's option WINS as JSON. `rules` is the name of the rule set that the table chose, "" if it chose none.
    `together` is whether the winners are one team.
    """

    game: str
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    wins: str = ""
    rules: str = ""
    together: bool = False

    @property
    def compares(self) -> bool:
        """Whether the match shows who is better: not if all have lost, or have won as one team."""
        return 1 in self.places and not (self.together and {*self.places} == {1})


@frozen
class Figures:
    """Count the results of one player in finished matches.

    `won` counts first places without a tie, `shared` counts tied first places. No match is in both. The players of a
    team that wins are not tied. A match with one player counts as neither. `mean` is the mean score to two decimals,
    `best` the best score. Both are None in the totals of all games. `best` is also None if it is unknown whether high
    or low scores win.
    """

    name: str
    matches: int
    won: int
    shared: int
    mean: float | None
    best: int | None


@frozen
class HeadToHead:
    """Compare two players: how often each was placed `ahead` of the other, and how often they were `level`."""

    names: tuple[str, str]
    ahead: tuple[int, int]
    level: int


@frozen
class RulesPlayed:
    """Count the finished matches that were played by a rule set."""

    name: str
    matches: int


@frozen
class PlayerTotals:
    """Collect the figures of one game, or of all games if `game` is None.

    `matches` counts finished matches, `open` the others. Open matches count nowhere else.
    """

    game: str | None
    matches: int
    open: int
    players: tuple[Figures, ...]  # by wins, then shared first places, then order of appearance
    pairs: tuple[HeadToHead, ...]
    rules: tuple[RulesPlayed, ...] = ()  # of one game: its rule sets by name


@frozen
class Unread:
    """A match that is not counted because its outcome cannot be read: its number and the reason."""

    match: int
    why: str


@frozen
class Stats:
    """Collect the totals of all games together, then of each game by id, and the unreadable matches."""

    tallies: tuple[PlayerTotals, ...]
    unread: tuple[Unread, ...] = ()

    def of(self, game: str | None) -> PlayerTotals:
        """Return the totals of a game, or of all games if None. They are empty if it was never played."""
        return next((tally for tally in self.tallies if tally.game == game), PlayerTotals(game, 0, 0, (), ()))


def read_stats(path: Path, find: Find) -> Stats:
    """Read the statistics of a journal.

    Raises the exceptions of `open_to_read`, and sqlite3.Error if the file is damaged.
    """
    played: list[PlayedMatch] = []
    unread: list[Unread] = []
    found = cache(find)
    with closing(open_to_read(path)) as file:
        for kept in list(read_matches(file)):
            try:
                played.append(read_played(file, kept, found))
            except ValueError as fault:  # invalid JSON, an invalid record, or moves that today's rules refuse
                unread.append(Unread(kept.id, str(fault)))
    return Stats(count(played), tuple(unread))


def count(played: Sequence[PlayedMatch]) -> tuple[PlayerTotals, ...]:
    """Count matches in the order in which they began. Equal names are the same player."""
    fewest = _fewest(played)
    games = sorted({each.game for each in played})
    return (
        _tally(None, played, fewest),
        *(_tally(game, [each for each in played if each.game == game], fewest) for game in games),
    )


def lines(stats: Stats, game: str | None) -> list[Message]:
    """Return the totals of a game, or of all games if None, as lines that fit on the panel."""
    tally = stats.of(game)
    rows = [message_n("{number} match", "{number} matches", tally.matches)]
    if tally.open:
        rows.append(message("{number} ongoing", number=tally.open))
    if stats.unread and game is None:
        rows.append(message("Unreadable matches: {number}", number=len(stats.unread)))
    rows += [message("{number} with rules {name}", number=each.matches, name=each.name) for each in tally.rules]
    for one in tally.players:
        rows.append(message("{who}: {won} of {matches} won", who=Name(one.name), won=one.won, matches=one.matches))
        if one.shared:
            rows.append(message_n("{number} tie for first", "{number} ties for first", one.shared))
        if one.best is not None:
            rows.append(message("best {best}, avg {mean}", best=one.best, mean=Figure(f"{one.mean:.1f}")))
        elif one.mean is not None:
            rows.append(message("avg {mean}", mean=Figure(f"{one.mean:.1f}")))
    for pair in tally.pairs:
        names = {"one": Name(pair.names[0]), "other": Name(pair.names[1])}
        rows.append(message("{one}-{other} {ahead}:{behind}", **names, ahead=pair.ahead[0], behind=pair.ahead[1]))
        if pair.level:
            rows.append(message_n("{number} tie", "{number} ties", pair.level))
    return rows


def _tally(game: str | None, played: Sequence[PlayedMatch], fewest: dict[tuple[str, str], bool | None]) -> PlayerTotals:
    over = [each for each in played if each.places]
    seats: dict[str, list[tuple[PlayedMatch, int]]] = {}
    for each in over:
        for seat, name in enumerate(each.players):
            seats.setdefault(name, []).append((each, seat))
    figures = [_figures(name, sat, fewest, game is not None) for name, sat in seats.items()]
    figures.sort(key=lambda one: (-one.won, -one.shared))
    pairs = _pairs(over, [one.name for one in figures])
    sets = Counter(each.rules for each in over if each.rules) if game is not None else Counter[str]()
    rules = tuple(RulesPlayed(name, matches) for name, matches in sorted(sets.items()))
    return PlayerTotals(game, len(over), len(played) - len(over), tuple(figures), tuple(pairs), rules)


def _figures(
    name: str, sat: Sequence[tuple[PlayedMatch, int]], fewest: dict[tuple[str, str], bool | None], one_game: bool
) -> Figures:
    first = [
        1 if each.together else each.places.count(1)
        for each, seat in sat if each.places[seat] == 1 and len(each.places) > 1
    ]  # fmt: skip
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
    for each in filter(lambda each: each.compares, over):
        placed = sorted(zip(each.players, each.places, strict=True), key=lambda one: rank[one[0]])
        for (one, place), (other, others) in combinations(placed, 2):
            level[one, other] += place == others
            ahead[(one, other) if place < others else (other, one)] += place != others
    for one, other in sorted(level, key=lambda pair: (rank[pair[0]], rank[pair[1]])):
        yield HeadToHead((one, other), (ahead[one, other], ahead[other, one]), level[one, other])


def _fewest(played: Iterable[PlayedMatch]) -> dict[tuple[str, str], bool | None]:
    """Find out for each game, and each value of its option WINS, whether low scores win.

    Each pair of seats with different scores and places is evidence. The value is None if the evidence is missing or
    contradictory.
    """
    rows: dict[tuple[str, str], set[bool]] = {}
    for each in played:
        seats = list(zip(each.places, each.scores, strict=True))
        ways = {score < others for (place, score), (beaten, others) in permutations(seats, 2)
                if place < beaten and score != others}  # fmt: skip
        rows.setdefault((each.game, each.wins), set()).update(ways)
    return {game: next(iter(ways)) if len(ways) == 1 else None for game, ways in rows.items()}


def read_played(file: sqlite3.Connection, kept: Kept, find: Find) -> PlayedMatch:
    """Read one match of the journal. Raises ValueError with the reason if it cannot be read."""
    given = json.loads(kept.header)  # the journal wrote it: `read_line` would cost more than all the rest
    header = given if isinstance(given, dict) else {}
    game, options = header.get("game"), header.get("options")
    names: Any = header.get("players")
    named = isinstance(names, list) and all(isinstance(name, str) for name in names)
    players = tuple(names) if named else ()
    if not isinstance(game, str) or not named or len(set(players)) < len(players):
        raise Unreadable("line 1: the header does not say which game was played, and by whom")
    wins = dump(options[WINS]) if isinstance(options, dict) and WINS in options else ""
    tag = header.get("rules")
    rules = tag if isinstance(tag, str) else ""
    outcome = read_outcome(kept)
    if outcome is None and kept.rules is None:  # an old Umpi wrote neither
        outcome = _replayed(file, kept, find)
    if outcome is None:
        return PlayedMatch(game, players, wins=wins, rules=rules)
    places, scores = _whole(outcome, "places", len(players)), _whole(outcome, "scores", len(players))
    return PlayedMatch(game, players, places, scores, wins, rules, outcome.get("together") is True)


def _whole(outcome: Any, what: str, seats: int) -> tuple[int, ...]:
    numbers = outcome.get(what) if isinstance(outcome, dict) else None
    if not isinstance(numbers, list | tuple) or len(numbers) != seats or {*map(type, numbers)} != {int}:
        raise Unreadable(f"its outcome does not give {what} to each seat, whole numbers")
    return tuple(numbers)


def _replayed(file: sqlite3.Connection, kept: Kept, find: Find) -> dict[str, Any] | None:
    """Replay a match and return its outcome, or None if it is not over.

    Raises Unreadable if the rules refuse a line or fail.
    """
    raw = [line.encode() for line in (kept.record_header, *read_lines(file, kept.id))]
    *_, step = replay(raw, find)
    if step.error or step.record is None:
        raise Unreadable(f"line {step.line}: {step.error}")
    try:
        match = step.record.match
        result, scores = match.result, match.now.scores()
        return {"places": result.places, "scores": scores, "together": match.together} if result else None
    except Exception as fault:  # the game's own code may raise anything
        raise Unreadable(f"its rules fail: {type(fault).__name__}: {fault}") from fault
