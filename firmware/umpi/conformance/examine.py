"""The examination of an engine: play random games, run the checks on their positions, and yield a result per check."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from operator import is_
from statistics import median

from umpi.conformance import declaration, elsewhere, idle, legality, lesson, names, offers, purity, texts, wider
from umpi.conformance.averages import Averages
from umpi.conformance.checks import CHECKS, FOLLOWERS, OPTIONAL, Check, at_the_end, on_the_way
from umpi.conformance.drawing import unfit
from umpi.conformance.edges import edge_act
from umpi.conformance.flaws import Flaw, Flawed, Look, at_fault, shown, written
from umpi.conformance.patience import Stuck, watched
from umpi.conformance.presses import MANY, Presses
from umpi.conformance.shortest import found, shortest
from umpi.conformance.speed import BOUND, Speed
from umpi.conformance.tables import tables, variants
from umpi.conformance.turns import Turns
from umpi.conformance.winners import Winners
from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.random_games import Draw, NeverEnds, play
from umpi.kernel.record import Header

ACTS = 2_000  # acts of all games with options other than the usual ones, together
LEAST = 40  # acts of each of these games, unless it ends earlier
EDGES = 200  # acts of a game of edge values, at most
ENDLESS = 20_000  # acts after which a random game counts as endless
FEW = 200  # acts of each game once one is known to be endless
ELSEWHERE = 2_000  # acts of all games that other processes replay, together
OFTEN = 20  # acts between two progress reports

CLASS_LOOKS = (  # looks at the class, each with its check
    ("declaration", declaration.described), ("declaration", wider.limited), ("declaration", names.known),
    ("declaration", idle.idle),
    ("purity", purity.imports), ("purity", purity.kept), ("texts", texts.titled), ("texts", texts.translated),
    ("lesson", lesson.followed),
)  # fmt: skip

Progress = Callable[[str, float], object]  # gets what is played, and the share of the examination that is done


def silent(text: str, share: float) -> None:
    """Report no progress."""


@frozen
class CheckResult:
    """The result of a check: its flaw, None if it passes, and figures for people.

    `absent` is True if there is no result: the check examines an optional member that the engine does not have, or it
    failed because of a flaw that another check names.
    """

    check: str
    flaw: Flawed | None
    figures: str
    absent: bool = False


def examine(
    game: type[Game],
    games: int = 2,
    seed: int = 0,
    options: Sequence[Mapping[str, Value]] | None = None,
    progress: Progress = silent,
) -> Iterator[CheckResult]:
    """Run all checks on an engine and yield the result of each, in their order.

    It plays `games` random games for each number of seats with each of `options`. If `options` is None, it plays them
    with the usual options. It also plays one game with each option's other values, and cuts it short if it is long.
    If the game has no dealer, one more game for each number of seats prefers edge values.
    """
    yield from Examination(game, seed, progress).findings(games, options)


class Examination:
    """Examine one engine: play games, count positions and acts, and keep the first flaw of each check."""

    def __init__(self, game: type[Game], seed: int, progress: Progress = silent) -> None:
        self.game, self.seed, self._progress = game, seed, progress
        self.flaws: dict[str, Flawed] = {}
        self.looks = Counter[str]()
        self._crashed = set[str]()  # followers that crashed: another check should name the cause
        self.depths: list[int] = []  # the number of acts of each game that was played to its end
        self.by_clock = 0  # how many of them ended by an act that the box does in its time
        self.games = self.acts = self.longest = self.cut = self.elsewhere = self._planned = 0
        self._playing: tuple[Header, int, Watched | None] | None = None  # the game in play, None before the first
        self._misshapen = False  # whether a position offers or returns what other checks cannot read
        self._undeclared = False  # whether the class cannot be played at all
        self._turns, self._winners = Turns(), Winners()
        self._seen = Counter[Hashable]()
        self._presses, self._speed, self._averages = Presses(), Speed(), Averages()
        self._on_the_way, self._at_the_end = on_the_way(self._presses, self._averages), at_the_end(self._speed)

    def findings(self, games: int, options: Sequence[Mapping[str, Value]] | None) -> Iterator[CheckResult]:
        """Examine the class, then play; yield one result per check."""
        try:
            with watched(self.game) if isinstance(self.game, type) else nullcontext():
                self._examine(games, options)
        except Stuck as fault:
            self._note_stuck(fault)
        if self._undeclared:
            yield CheckResult("declaration", self.flaws["declaration"], "")
            return
        causes = self.flaws.keys() - self._crashed or self.flaws.keys() & {"screens"} or self.flaws.keys()
        followed = self.flaws.keys() - causes
        self.flaws = {name: flaw for name, flaw in self.flaws.items() if name in causes}
        for name in CHECKS:
            if name in followed:
                others = ", ".join(each for each in CHECKS if each in causes)
                yield CheckResult(name, None, f"not judged: see {others}", True)
                continue
            absent = name not in self.flaws and name in OPTIONAL and not OPTIONAL[name](self.game)
            yield CheckResult(name, self.flaws.get(name), "not there" if absent else self._figures(name), absent)

    def _examine(self, games: int, options: Sequence[Mapping[str, Value]] | None) -> None:
        """Examine the class, then play."""
        for flaw in declaration.declared(self.game):
            self.flaws["declaration"], self._undeclared = Flawed("declaration", flaw.why), True
            return
        for name, look in CLASS_LOOKS:
            for flaw in look(self.game):
                self.flaws.setdefault(name, Flawed(name, flaw.why))
        usual = list(tables(self.game, options if options is not None else [{}]))
        planned = [(header, self.seed + number) for number in range(games) for header in usual]
        self._planned = ACTS + sum(self._bare(header, seed) for header, seed in planned)
        for header, seed in planned:
            self._play(header, seed)
        for header in usual if not self.game.dealer else ():
            self._play(header, self.seed, EDGES, edge_act)
        others = [] if options is not None else list(tables(self.game, list(variants(self.game))))
        left = ACTS
        for index, header in enumerate(others):
            left -= self._play(header, self.seed + index, max(LEAST, left // (len(others) - index)))
        for flaw in self._turns.misspelled(self.game):
            self.flaws.setdefault("declaration", Flawed("declaration", flaw.why))
        for flaw in self._turns.flaws():
            self.flaws.setdefault("turns", Flawed("turns", flaw.why))
        if contrary := self._winners.flaw():
            self._note("end", *contrary, self.seed)
        if wrong := self._averages.flaw():
            self._note("worths", *wrong, self.seed)
        if not self.flaws and elsewhere.importable(self.game):
            self._replay_elsewhere(usual)

    def _replay_elsewhere(self, usual: Sequence[Header]) -> None:
        """Replay a random game of each table in processes with other hashes of words."""
        matches = [header.match() for header in usual]
        for match in matches:
            with suppress(NeverEnds):
                for _ in zip(range(ELSEWHERE // len(matches)), play(match, self.seed, audited=False), strict=False):
                    pass
        self._progress("replaying with other hashes", 1.0)
        if found := elsewhere.difference(self.game, matches):
            header = Header(self.game, found.match.players, found.match.options)
            self._note("purity", Flaw(found.why), header, found.match.acts[: found.acts], self.seed)
        self.elsewhere = len(matches)

    def _note_stuck(self, fault: Stuck) -> None:
        """Note a call of the engine that does not return, with the act that led to it."""
        flaw = Flaw(f"{fault} [{blame(fault, self.game)}]. Does one of its loops never end?")
        if self._playing is None:
            self.flaws["declaration"], self._undeclared = Flawed("declaration", flaw.why), True
            return
        header, seed, match = self._playing
        acts = list(match.acts) if match else []
        if match and match.tried:
            acts.append(match.tried)
        self._note("legality", flaw, header, acts, seed)

    def _bare(self, header: Header, seed: int) -> int:
        """Play one game without looks, so that an endless one is found at once; return its number of acts."""
        if "end" in self.flaws:
            return 0
        with unlogged(), suppress(Exception):  # `_play` meets and reports every other failure
            match = self._begin(header, seed)
            try:
                for _ in play(match, seed, audited=False):
                    if len(match.acts) >= ENDLESS:
                        raise NeverEnds(f"A random game has not ended after {ENDLESS:,} acts.")
            except NeverEnds as fault:
                if len(match.acts) >= min(ENDLESS, self.game.longest):
                    self._note("end", Flaw(f"{fault}"), header, match.acts, seed)
            return len(match.acts)
        return 0

    def _play(self, header: Header, seed: int, most: int = sys.maxsize, draw: Draw | None = None) -> int:
        """Play one game, or `most` acts of it, check its positions, and return its number of acts."""
        with unlogged():
            return self._played(header, seed, min(most, FEW) if "end" in self.flaws else most, draw)

    def _played(self, header: Header, seed: int, most: int, draw: Draw | None) -> int:
        try:
            match = self._begin(header, seed)
        except Broken as fault:
            self._note("declaration", Flaw(f"{fault} [{blame(fault, self.game)}]"), header, [], seed)
            return 0
        self.games += 1
        try:
            self._look(self._on_the_way, match, header, seed)
            for wrong in play(match, seed, draw=draw):
                self._look(self._on_the_way, match, header, seed)
                if wrong:  # a flaw in the position's audit has been noted
                    self._note("audit", Flaw(f"Its dealer says: {wrong}."), header, match.acts, seed)
                if len(match.acts) % OFTEN == 1:
                    text = f"game {self.games}, {len(match.players)} seats, act {len(match.acts):,}"
                    self._progress(text, min(1.0, (self.acts + len(match.acts)) / max(self._planned, 1)))
                if len(match.acts) >= most and match.asks:
                    self.cut += 1
                    break
        except NeverEnds as fault:
            stuck = offers.going if len(match.acts) < self.game.longest else None
            self._note("end", Flaw(f"{fault}"), header, match.acts, seed, stuck)
        except Exception as fault:
            self._stopped(fault, match, header, seed)
        else:
            self._look(self._at_the_end, match, header, seed)
            if not match.asks:
                self.depths.append(len(match.acts))
                last = match.asked(len(match.acts) - 1) if match.acts else None
                self.by_clock += last is not None and (last.at_ms is not None or last.of_box)
                self._turns.add(match)
                with suppress(Exception):  # other checks report what fails
                    self._winners.add(match)
        self.acts += len(match.acts)
        self.longest = max(self.longest, len(match.acts))
        return len(match.acts)

    def _begin(self, header: Header, seed: int) -> Watched:
        """Return a new match, and remember it in case a call of the engine does not return."""
        self._playing = header, seed, None
        match = Watched(header.game, header.players, header.options)
        self._playing = header, seed, match
        return match

    def _stopped(self, fault: Exception, match: Watched, header: Header, seed: int) -> None:
        """Note the fault that stopped a game, unless another check has reported its cause."""
        act = match.tried
        if act is not None and isinstance(fault, Refused):
            if reason := unfit(self.game, act.verb, act.given):
                self._note(
                    "declaration", Flaw(reason, act), header, match.acts, seed, partial(declaration.untaken, act)
                )
            else:
                where = f" [{blame(fault, self.game)}]" if isinstance(fault, Broken) else ""
                flaw = Flaw(f"{shown(act)} is offered, but not accepted: {fault}{where}", act)
                self._note("legality", flaw, header, match.acts, seed, partial(legality.broken, act))
            return
        with suppress(Exception):
            self._look(self._on_the_way, match, header, seed)
        if not self.flaws:
            self._note(
                "legality", Flaw(f"A random game stops: {at_fault(fault, self.game)}."), header, match.acts, seed
            )

    def _look(self, checks: Sequence[Check], match: Match, header: Header, seed: int) -> None:
        """Run the chosen checks on the current position, and restore the match afterwards."""
        acts, now = list(match.acts), match.now
        with suppress(Exception):  # other checks report what fails
            if isinstance(now.phase, str):
                self._turns.phases.add(now.phase)
        kinds: dict[Callable[[Match], Hashable], Hashable] = {}
        done = set[Look]()  # several checks may choose the same look
        for check in checks:
            if check.name in self.flaws or not self._chosen(check, match, kinds):
                continue
            self.looks[check.name] += 1
            if check.look in done:
                continue
            done.add(check.look)
            flaw = found(check.look, match, seed)
            if match.now is not now or match.acts != acts:
                restore(match, acts)
                now = match.now
            if flaw:
                if flaw.crash and (check.name in FOLLOWERS or self._misshapen):
                    self._crashed.add(check.name)
                self._note(check.name, flaw, header, acts, seed, check.look)

    def _chosen(self, check: Check, match: Match, kinds: dict[Callable[[Match], Hashable], Hashable]) -> bool:
        """Choose whether a check looks at a position; `kinds` keeps what the position is, as many checks ask that."""
        try:
            if check.kind not in kinds:
                kinds[check.kind] = check.kind(match)
            kind = (check, kinds[check.kind])
        except Exception:  # the check itself reports what fails
            return True
        self._seen[kind] += 1
        return check.often(self._seen[kind]) or not match.asks

    def _note(
        self, name: str, flaw: Flaw, header: Header, acts: Sequence[Act], seed: int, look: Look | None = None
    ) -> None:
        """Note a check's first flaw, with the shortest record that shows it if a look can find it again."""
        if name in self.flaws:
            return
        self._misshapen |= name == "declaration"
        if look:
            acts, flaw = shortest(header, acts, flaw, look, seed)
        lines = written(header, [*acts, flaw.act] if flaw.act else acts)
        self.flaws[name] = Flawed(name, flaw.why, header, seed, b"".join(lines))

    def _figures(self, name: str) -> str:
        counts, speed = self._presses.counts, self._speed
        if name == "declaration" and (wide := wider.wider_fields(self.game)):
            return f"{self.looks[name]:,} positions checked; the records take more: {', '.join(wide)}"
        if name == "end":
            cut = f", {self.cut} of them cut short" if self.cut else ""
            played = f"{_games(self.games)}, {self.acts:,} acts{cut}"
            deep = f"; acts of a whole game: {min(self.depths):,} to {max(self.depths):,}, " if self.depths else ""
            deep += f"{round(median(self.depths)):,} in the middle" if self.depths else ""
            clock = f"; {self.by_clock} of {len(self.depths)} ended by the box" if self.by_clock else ""
            return (
                f"{played}; the longest {self.longest:,} of {self.game.longest:,}{deep}{clock}{self._winners.figures}"
            )
        if name == "purity" and self.elsewhere:
            return f"{self.looks[name]:,} positions checked; replayed with other hashes: {_games(self.elsewhere)}"
        if name == "lesson":
            return f"steps followed: {lesson.steps(self.game)}"
        if name == "turns":
            unoffered, again = self._turns.unoffered(self.game), self._turns.drawn_again
            twice = f"; can be drawn twice in a row, so must be shuffled back: {', '.join(again)}" if again else ""
            return (
                f"no game offered: {', '.join(unoffered)}" if unoffered else "each seat is asked, each act is offered"
            ) + twice
        if name == "presses" and counts:
            many = self._presses.many
            often = f"; more than {MANY}: {', '.join(sorted(many))}" if many else ""
            mean = sum(counts) / len(counts)
            return f"{mean:.1f} presses per act, {max(counts)} at most{often}; {len(counts)} acts entered"
        if name == "worths" and self._averages.draws:
            return f"{self.looks[name]:,} positions checked; their choices drawn {self._averages.draws:,} times"
        if name == "speed" and speed.acts:
            calls, rate = speed.calls / speed.acts, speed.acts / speed.seconds
            return f"{calls:.0f} Python calls per act (limit {BOUND:,}); here {rate:,.0f} acts per second"
        return f"{self.looks[name]:,} positions checked"


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


@contextmanager
def unlogged() -> Iterator[None]:
    """Turn the log off: a failure during the search is reported as a flaw."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


class Watched(Match):
    """Play a match and remember an act that failed; `tried` is None after an act that was accepted."""

    tried: Act | None = None

    def play(self, act: Act) -> Game:
        """Do `act` and return the new position; raises Refused, with the reason, if the rules do not allow it."""
        self.tried = act
        position = super().play(act)
        self.tried = None
        return position


def restore(match: Match, acts: Sequence[Act]) -> None:
    """Undo and replay acts until the match contains exactly `acts`."""
    same = [*map(is_, match.acts, acts), False].index(False)
    if surplus := len(match.acts) - same:
        match.undo(surplus)
    for act in acts[same:]:
        match.play(act)
