"""Write a scenario from a record: play the record on a virtual box, and note each step and what the box then shows."""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from umpi.box.config import COLOURS, Config
from umpi.display.panel import Key
from umpi.display.typist import CannotType, as_it_lies, presses, presses_in_menu
from umpi.kernel.drawn import completed, own_fields
from umpi.kernel.fields import Field, Number, Pick, Some, Value, private_to, same
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match, Refused
from umpi.kernel.nothing import nothing
from umpi.kernel.options import defaults
from umpi.kernel.record import dump
from umpi.referee.late_inputs import HAMMERED_NS
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.script import words_of
from umpi.simulator.steps import StepFault, Steps
from umpi.table.commands import Swap
from umpi.table.lot import Lot, seed_of
from umpi.table.secret import parties
from umpi.table.standing import winners_of
from umpi.timing.units import MS

SEEDS = 1_000_000  # numbers that are tried until the box draws what the record contains: six dice need 46,656
ENOUGH = 20  # seeds for each way to draw, so that one of them is almost surely the right one
TOGETHER = 4  # acts that one answer may enter: usual ones and what follows
PRESS_MS = 200  # a step of a scenario presses for 100 ms, and waits as long


class CannotWrite(ValueError):
    """Report an act of a record that a virtual box cannot do by buttons, and why."""


def write_scenario(match: Match, name: str, config: Config, progress: Callable[[str, float], object] = nothing) -> str:
    """Return the text of a scenario that plays a match on a virtual box as `config` describes it.

    `name` is that of the record. `progress` gets what is done, and how much, from 0 to 1.
    Raises CannotWrite if the box does not come to the same acts.
    """
    with tempfile.TemporaryDirectory(prefix="umpi-") as folder:
        playing = SimulatedPlayer(replace(config, journal=Path(folder) / "games.db"))
        writer = _Writer(match, playing, Path(folder), progress)
        try:
            asyncio.run(writer.write(name))
        except StepFault as fault:
            raise CannotWrite(f"{writer.place}: {fault}") from None
        finally:
            playing.close()
    return "".join(f"{line}\n" for line in writer.lines)


class _Writer:
    """Play a record step by step, and keep the steps in `lines`."""

    def __init__(
        self, match: Match, playing: SimulatedPlayer, folder: Path, progress: Callable[[str, float], object]
    ) -> None:
        self._wanted, self._playing, self._progress = match, playing, progress
        self._steps = Steps(playing, folder)
        self._players = [colour.capitalize() for colour in COLOURS[: len(match.players)]]
        self.lines: list[str] = []

    @property
    def place(self) -> str:
        """Where the writer is in the record."""
        session = self._playing.box.referee.session
        number = len(session.match.acts) + 1 if session.match else 0
        return f"act {number}" if number else "before the first act"

    async def write(self, name: str) -> None:
        """Play the whole record. Raises CannotWrite or StepFault."""
        self.lines.append(f"# From power-on to the end of {name}.")
        await self._playing.wait_until_shown()
        await self._begin()
        acts = self._wanted.acts
        self._quick = all(
            self._wanted.asked(index).followed_by in ("", after.verb) for index, after in enumerate(acts[1:])
        )
        if not self._quick:
            await self._swap()
        while (count := len(self._match.acts)) < len(acts):
            self._progress(f"{count} of {len(acts)} moves are written", count / len(acts))
            await self._play(acts[count:])
            self._compare(count)
        await self._end()

    @property
    def _match(self) -> Match:
        match = self._playing.box.referee.session.match
        if match is None:
            raise CannotWrite(f"{self.place}: the box has no match in play")
        return match

    @property
    def _asked(self) -> object:
        """What the box asks now, with what has been entered."""
        session = self._playing.box.referee.session
        return len(self._match.acts), session.sealed, self._playing.box.question()

    async def _do(self, line: str) -> None:
        """Do a step, and note it."""
        verb, *words = words_of("", line)
        await self._steps.take(verb, words)
        self.lines.append(line)

    async def _begin(self) -> None:
        """Choose the game, the players and the options."""
        game, options = self._wanted.game, self._wanted.options
        usual, wanted = {**defaults(game), **game.at_buttons}, {**defaults(game), **options}
        for key, value in wanted.items():
            if not same(value, usual.get(key)):
                await self._do(f"option {shlex.quote(f'{key}={dump(value)}')}")
        await self._do('expect "Which game?"')
        await self._do(f"game {game.id}")
        if lots := self._lots(Match(game, self._players, options), (), self._wanted.acts):
            await self._do(lots)
        await self._do(f"press {' '.join(COLOURS[: len(self._players)])} ok")
        for _ in range(len(game.options) + 1):  # at most one screen for each option, and one for the setup of the table
            if self._playing.box.referee.session.match is None:
                await self._do("press ok")
        found = {**defaults(game), **self._match.options}
        if not all(same(found.get(key), value) for key, value in wanted.items()):
            raise CannotWrite(f"the box has begun with the options {dump(dict(self._match.options))}")

    async def _swap(self) -> None:
        """Have the box ask for every act by itself, for a record in which the usual next act does not always follow."""
        await self._do("hold back")
        question = self._playing.box.question()
        there = [choice.value for choice in question[0].choices] if question else []
        if Swap() not in there:
            raise CannotWrite("the menu does not offer to enter every act by itself")
        await self._do(f"choose {there.index(Swap()) + 1}")

    async def _play(self, left: Sequence[Act]) -> None:
        """Play the next act of the record, with those that the box takes together with it."""
        match, act = self._match, left[0]
        ask = next((ask for ask in match.asks if ask.verb == act.verb), None)
        if ask is None:
            raise CannotWrite(f'{self.place}: the box does not ask for "{act.verb}"')
        timed = self._playing.box.referee.session.timed
        if timed and timed.verb == act.verb and (ask.of_box or ask.at_ms is not None):
            await self._wait_for(timed.due_ns, left)
            return
        if ask.secret:
            number = len(parties(match, ask))
            lots = self._lots_after(left[:number], left[number:])
            for secret in left[:number]:
                _, keys = self._keys((secret,), 1)
                await self._press(keys, (secret,), lots if secret is left[number - 1] else "", ask)
            return
        both = self._quick and ask.followed_by and len(left) > 1 and left[1].verb == ask.followed_by
        acts, keys = self._keys(left, 1 + bool(both))
        await self._press(keys, acts, self._lots_after(acts, left[len(acts) :]), ask)

    async def _wait_for(self, due_ns: int, left: Sequence[Act]) -> None:
        """Let time pass until the box has done an act by itself."""
        if lots := self._lots_after(left[:1], left[1:]):
            await self._do(lots)
        wait_ms = -(-(due_ns - self._playing.now_ns) // MS)
        if wait_ms > 0:
            await self._do(f"wait {wait_ms} ms")

    def _keys(self, left: Sequence[Act], least: int) -> tuple[Sequence[Act], list[Key]]:
        """Return the acts that one answer enters, and its presses; after a usual answer these are several acts."""
        match = self._match
        for number in range(least, min(TOGETHER, len(left)) + 1):
            try:
                return left[:number], presses(match.asks, self._players, left[:number], self._quick, match.after)
            except CannotType:
                continue
        try:
            return left[:least], presses_in_menu(match, left[:least])
        except CannotType as fault:
            raise CannotWrite(f"{self.place} cannot be entered by buttons: {fault}") from None

    async def _press(self, keys: Sequence[Key], acts: Sequence[Act], lots: str, ask: Ask) -> None:
        """Press what enters an answer; a reaction that the box measures takes as long as in the record."""
        if lots:
            await self._do(lots)
        if keys[:1] == ["back"]:  # the menu opens by a long press
            await self._do("hold back")
            keys = keys[1:]
        await self._react(acts[0], ask, len(keys))
        if keys:
            before, step = self._asked, f"press {' '.join(map(_button, keys))}"
            await self._do(step)
            if self._asked == before:  # the box has taken the press for one of the question before
                await self._do(f"wait {HAMMERED_NS // MS} ms")
                await self._do(step)
        await self._do(f"lamp {' '.join(self._playing.box.lit()) or 'none'}")

    async def _react(self, act: Act, ask: Ask, keys: int) -> None:
        """Wait before a press whose time the box measures."""
        field = next((each for each in own_fields(ask, act.given) if each.source == "clock"), None)
        ms = act.given.get(field.name) if field else None
        if isinstance(ms, int):
            now_ns = self._playing.now_ns
            so_far = self._playing.box.referee.session.clock.measured(now_ns, now_ns).ms
            if (wait_ms := ms - so_far - PRESS_MS * (keys - 1)) > 0:
                await self._do(f"wait {wait_ms} ms")

    def _lots_after(self, acts: Sequence[Act], later: Sequence[Act]) -> str:
        """Return the step for what the box draws with these acts and at once after them, "" if it draws nothing."""
        return self._lots(self._match.copy(), acts, later)

    def _lots(self, ahead: Match, acts: Sequence[Act], later: Sequence[Act]) -> str:
        """Play these acts in a match of their own, then the later ones that the box does at once."""
        numbers = [] if acts else [*_waits(ahead.asks)]
        for index, act in enumerate((*acts, *later)):
            ask = next((ask for ask in ahead.asks if ask.verb == act.verb), None)
            if ask is None or (index >= len(acts) and ask.after_ms != 0):
                break
            numbers += self._drawn(ask, act)
            try:
                ahead.play(act)
            except Refused as refusal:  # the box has completed an act before in another way
                raise CannotWrite(f"{self.place}: {refusal}") from None
            if index >= len(acts) - 1:
                numbers += _waits(ahead.asks)
        return f"lot {' '.join(map(str, numbers))}" if numbers else ""

    def _drawn(self, ask: Ask, act: Act) -> Iterator[int]:
        """Yield the numbers by which the box draws what an act contains, if it draws something."""
        own = own_fields(ask, act.given)
        if not any(field.source == "box" for field in own):
            return
        names = {field.name for field in own}
        given = {name: value for name, value in act.given.items() if name not in names}
        wanted = {field.name: act.given.get(field.name) for field in own if field.source == "box"}
        for seed in _seeds(ask, given, wanted):
            found = completed(ask, given, Lot(seed))
            if all(same(found.get(name), value) for name, value in wanted.items()):
                yield seed
                if any(private_to(field) is not None for field in own):
                    yield from (0, 0)  # the salt of its seal
                return
        raise CannotWrite(f"{self.place}: the box draws {dump(wanted)} too rarely: none of {SEEDS:,} lots is that")

    def _compare(self, count: int) -> None:
        """Check whether the box has done what the record contains. Raises CannotWrite.

        Not compared are the times that the box has measured, and the order of secret answers and of marked values.
        """
        match, wanted = self._match, self._wanted.acts
        if len(match.acts) == count:
            raise CannotWrite(f"{self.place}: the box has not done {dump(wanted[count].line())}")
        done = len(match.acts)
        found, told = ([_told(match.asked(at), act) for at, act in enumerate(acts[count:done], count)]
                       for acts in (match.acts, wanted))  # fmt: skip
        if sorted(found) != sorted(told) or (found != told and not match.asked(count).secret):
            acts = [" ".join(dump(act.line()) for act in acts[count:done]) for acts in (match.acts, wanted)]
            raise CannotWrite(f"act {count + 1}: the box has done {acts[0]}, and the record has {acts[1] or 'nothing'}")

    async def _end(self) -> None:
        """Expect who has won, and the scores."""
        match = self._match
        if match.asks:
            return
        names = winners_of(match)
        await self._do(f"expect {shlex.quote(names)}")
        if match.result and match.result.winners:
            await self._do(f"lamp {' '.join(COLOURS[seat] for seat in match.result.winners)}")
        await self._do("expect " + " ".join(f'"{score}"' for score in match.now.scores()))


def _seeds(ask: Ask, given: Mapping[str, Value], wanted: Mapping[str, Value]) -> Iterator[int]:
    """Yield the seeds to try: small ones, or the one that has the numbers written out if small ones are too few."""
    numbers: list[float] = []
    ways, known = 1, dict[str, Value]()
    for field in ask.walk(known):
        if field.name in wanted:
            known[field.name] = value = wanted[field.name]
            for index, many in _draws(field, value):
                ways *= many
                numbers.append((index + 0.5) / many)
        elif field.name in given:
            known[field.name] = given[field.name]
    yield from range(SEEDS) if ways * ENOUGH <= SEEDS else (seed_of(numbers),)


def _draws(field: Field, value: Value) -> Iterator[tuple[int, int]]:
    """Yield for each number by which a field is drawn which one of how many equal parts it must be in."""
    match field, value:
        case Pick(), _:
            yield next(at for at, each in enumerate(field.pool) if same(each, value)), len(field.pool)
        case Number(), int():
            yield value - field.low, field.high - field.low + 1
        case Some(), tuple():
            if field.least < field.most:
                yield len(value) - field.least, field.most - field.least + 1
            left = list(field.pool)
            for each in value:
                at = next(at for at, other in enumerate(left) if same(other, each))
                yield at, len(left)
                if not field.again:
                    del left[at]
        case _:
            return  # no other field is drawn by numbers that are known


def _waits(asks: Sequence[Ask]) -> Iterator[int]:
    """Yield the number by which the box waits as briefly as it may, if it draws how long it waits."""
    if any(isinstance(ask.after_ms, tuple) for ask in asks):
        yield 0


def _told(ask: Ask, act: Act) -> str:
    """Return what is compared of an act."""
    given, known = dict[str, Value](), dict[str, Value]()
    if ask.verb == act.verb:
        for field in ask.walk(known):
            if field.name in act.given:
                known[field.name] = value = as_it_lies(field, act.given[field.name])
                given |= {} if field.source in ("clock", "bound") else {field.name: value}
    return dump({"do": act.verb, **given})


def _button(key: Key) -> str:
    return COLOURS[key] if isinstance(key, int) else key
