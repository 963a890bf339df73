"""A PettingZoo environment of any game: `env("dodeka")`. It needs the extra `umpi[pettingzoo]`.

A seat is an agent. What it decides takes several actions if it has several parts: first the act, then each field that a
player chooses, value by value. Dice, cards and everything else that nobody decides are drawn by the environment. In a
race, chance says whose finger is the fastest, and this seat presses or waits.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from umpi.kernel.drawn import own_fields
from umpi.kernel.fields import Chance, Each, Field, Forms, Number, Pick, Profile, Some, Text, Value, private_to
from umpi.kernel.game import Act, Ask, Result, override
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import check_options, check_table, dump
from umpi.kernel.registry import find
from umpi.lab.world import Outlook, World, decision
from umpi.table.seating import seat_numbers
from umpi.table.secret import own_ask, parties, secret_ask

ACTIONS = 512  # numbers of an action; each option has its own as long as two do not share one
FEATURES = 256  # numbers of an observation
SEATS = 6  # the most that a box has; an observation begins with the own seat and the scores
BEGINNINGS = 100  # games that are tried until one has a choice
WIDE = 64  # a number with more values than this is entered digit by digit
WAITS = 12  # how often seats may wait in a race before one of them must act
TRIES = 20  # answers that the rules refuse as a whole, until chance decides
DRAWS = 60  # acts that are drawn to see what a hand allows

Options = Sequence[tuple[str, Value]]
"""What can be chosen now: each option as a text, and its value."""
Choosing = Generator[Options, Value, Any]

LETTERS = tuple(chr(ord("A") + index) for index in range(26))


def env(game: str, seats: int | None = None, longest: int | None = None, **options: Value) -> GameEnv:
    """Return an environment of a game, by default with as few seats as it allows.

    `options` are those of the game. After `longest` acts a game is truncated, by default after as many as it may have.
    Raises umpi.kernel.Refused if there is no such game, number of seats or option.
    """
    return GameEnv(game, seats, longest, options)


class GameEnv(AECEnv):  # type: ignore[misc]  # it has no types where it is not installed
    """An environment in which the seats of a game act one after the other, as PettingZoo's AEC describes it.

    An observation has `observation`, numbers from what the seat may see, and `action_mask`, the actions that are
    offered. The reward comes at the end: 1 for a seat that beats all others, -1 for one that all others beat, 0 for a
    tie of two. In a cooperative game it is 1 or -1 for all.
    """

    def __init__(self, game: str, seats: int | None, longest: int | None, options: Mapping[str, Value]) -> None:
        super().__init__()
        self._game = find(game)
        number = self._game.seats[0] if seats is None else seats
        if number not in self._game.seats:
            raise Refused(f"{self._game.title} is for {seat_numbers(self._game)} players, not {number}.")
        self._options = check_options(dict(options), self._game)
        check_table(self._game, number, self._options)
        self._longest = longest or self._game.longest
        self.metadata = {"render_modes": ["ansi"], "name": f"umpi_{game}", "is_parallelizable": False}
        self.render_mode: str | None = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(number)]
        self._actions: Space[Any] = Discrete(ACTIONS)
        self._observations: Space[Any] = Dict(
            {
                "observation": Box(-np.inf, np.inf, (FEATURES,), np.float32),
                "action_mask": Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._seed = 0

    @override
    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of the observations."""
        return self._observations

    @override
    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the actions."""
        return self._actions

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. All chance follows from `seed`; without one, the next game has the next seed."""
        self._seed = self._seed + 1 if seed is None else seed
        for number in range(BEGINNINGS):
            self._begin(Random(f"{self._seed}:{number}").random)
            if self._meanings:
                return
        raise ValueError(f"in {self._game.id}, no seat decides anything")

    def _begin(self, chance: Chance) -> None:
        """Begin a game, and play it to the first choice."""
        self._match = Match(self._game, self.possible_agents, self._options)
        dealer = self._game.dealer(chance, self._match.now) if self._game.dealer else None
        self._chance = chance
        self._world = World(self._match, chance, dealer, [frozenset()] * len(self.possible_agents))
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._meanings: dict[int, tuple[str, Value]] = {}
        self._chosen: list[str] = []
        self._deciding = self._game_course()
        self._advance(None)

    @override
    def step(self, action: int | None) -> None:
        """Do an action of the agent that is selected. Raises ValueError if the mask does not allow it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self._meanings:
            raise ValueError(f"{action} is not among the actions that the mask allows: {sorted(self._meanings)}")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        text, value = self._meanings[int(action)]
        self._chosen.append(text)
        self._advance(value)
        self._accumulate_rewards()

    @override
    def observe(self, agent: str) -> dict[str, Any]:
        """Return what a seat may see, and the actions that are offered to it."""
        seat, match = self.possible_agents.index(agent), self._match
        seen = np.zeros(FEATURES, np.float32)
        seen[seat] = 1.0
        for other, score in enumerate(() if match.view.hidden and match.asks else match.now.scores()):
            seen[SEATS + (other - seat) % len(match.players)] = score / 100
        mine = agent == self.agent_selection
        facts = {"phase": match.now.phase, "facts": match.now.shown_facts(), "hand": match.now.own_hand(seat) or ()}
        for name, number in (*_numbers("", facts), *((text, 1.0) for text in (self._chosen if mine else ()))):
            seen[2 * SEATS + crc32(name.encode()) % (FEATURES - 2 * SEATS)] += number
        mask = np.zeros(ACTIONS, np.int8)
        if mine:
            mask[list(self._meanings)] = 1
        return {"observation": seen, "action_mask": mask}

    @property
    def result(self) -> Result | None:
        """The result of the game, None while it is not over."""
        return self._match.result if not self._match.asks else None

    def meanings(self) -> dict[int, str]:
        """Return the actions that are offered now, each with a text such as "roll", "card=fire-4" or "keep done"."""
        return {action: text for action, (text, _) in self._meanings.items()}

    @override
    def render(self) -> str:
        """Return the scores and what has been done last, as a text, with what everybody at the table may see."""
        match = self._match
        hidden = bool(match.asks) and match.view.hidden
        last = dump(_in_sight(match, len(match.acts) - 1)) if match.acts else "nothing yet"
        return f"{self._game.id} {'' if hidden else match.now.scores()}: {last}"

    @override
    def close(self) -> None:
        """Do nothing: the environment holds nothing."""

    def _advance(self, value: Value | None) -> None:
        """Go on until an agent has a choice, or to the end of the game."""
        try:
            while True:
                seat, options = self._deciding.send(value)
                if len(options) > 1:
                    break
                value = options[0][1]
        except StopIteration:
            self._meanings, self._chosen = {}, []
            self._end()
            return
        self.agent_selection = self.possible_agents[seat]
        self._meanings = {}
        for text, each in options:
            action = crc32(text.encode()) % ACTIONS
            while action in self._meanings:
                action = (action + 1) % ACTIONS
            self._meanings[action] = text, each

    def _end(self) -> None:
        """Give the rewards; all agents end together."""
        result, seats = self.result, len(self.possible_agents)
        for seat in range(seats):
            agent = self.possible_agents[seat]
            self.terminations[agent], self.truncations[agent] = result is not None, result is None
            if result:
                self.rewards[agent] = _reward(result.places, seat, self._match.together or seats == 1)
        self.agent_selection = self.agents[0]

    def _game_course(self) -> Generator[tuple[int, Options], Value, None]:
        """Play the game: yield each choice with its seat, and take what is chosen."""
        match, world = self._match, self._world
        waits = 0  # how often a seat has preferred to wait in this position
        while match.asks and len(match.acts) < self._longest:
            secret = secret_ask(match.asks)
            if secret and not world.reported:  # all decide before anybody's answer is played
                deciders = sorted(party[int(self._chance() * len(party))] for party in parties(match, secret))
                wishes = []
                for seat in deciders:
                    wishes.append((yield from _of_seat(seat, self._decision(seat, secret))))
                    self._chosen = []
                for wish in wishes:
                    world.play(world.complete(wish))
                continue
            act = world.draw()
            decider = world.seat_of(act)
            if decider is None and waits < WAITS and (racer := self._racer(act)) is not None:
                race = [(act.verb, True), (f"{act.verb} not now", False)]
                goes = yield racer, race
                self._chosen = []
                if not goes:
                    waits += 1
                    continue
            waits = 0
            if decider is not None:
                wish = yield from _of_seat(decider, self._decision(decider))
                self._chosen = []
                act = world.complete(wish)
            world.play(act)

    def _racer(self, act: Act) -> int | None:
        """Return the seat that does an act though nobody asks for it, such as a buzz; None if nobody decides that."""
        ask = next(ask for ask in self._match.asks if ask.verb == act.verb)
        seat = act.given.get("seat")
        return seat if isinstance(seat, int) and not (ask.rare or self._world.reported) else None

    def _decision(self, seat: int, secret: Ask | None = None) -> Choosing:
        """Choose an act of a seat as far as the seat decides it. An answer that the rules refuse is chosen again."""
        world, match = self._world, self._match
        if self._game.dealer:
            return (yield from _among(self._held(seat)))
        asks = [own_ask(secret, seat)] if secret else [ask for ask in match.asks if ask.seat == seat]
        for _ in range(TRIES):
            verb = yield [(ask.verb, ask.verb) for ask in asks if ask.answerable]
            try:
                wish = yield from _answer(next(ask for ask in asks if ask.verb == verb))
                match.after(world.complete(wish))
            except (Refused, _NoAnswer):
                self._chosen = []
                continue
            return wish
        return Outlook(world, seat, self._chance).draw() if secret else next(self._drawn(seat))

    def _drawn(self, seat: int) -> Iterator[Act]:
        """Yield acts of a seat as a random player chooses them."""
        while True:
            act = self._world.draw(seat=seat)
            if self._world.seat_of(act) == seat:
                yield act

    def _held(self, seat: int) -> list[Act]:
        """Return the different decisions that the hand of a seat allows, as far as some draws show them."""
        drawn = (act for act, _ in zip(self._drawn(seat), range(DRAWS), strict=False))
        found = dict.fromkeys(decision(self._match, act) for act in drawn)
        return [Act(verb, dict(given)) for verb, given in found]


class _NoAnswer(Exception):
    """Report that a field of an answer has no value to choose."""


def _of_seat(seat: int, choosing: Choosing) -> Generator[tuple[int, Options], Value, Any]:
    """Yield each choice with the seat that takes it."""
    try:
        options = next(choosing)
        while True:
            options = choosing.send((yield seat, options))
    except StopIteration as end:
        return end.value


def _answer(ask: Ask) -> Choosing:
    """Choose the fields of an act that a player decides: those before dice, cards or cubes are seen."""
    given: dict[str, Value] = {}
    for field in ask.walk(given):
        if field.source != "will":
            break
        if isinstance(field, Pick) and field.in_order and field.pool:
            given[field.name] = field.pool[0]
        elif not field.optional or (yield [(f"{field.name} yes", True), (f"{field.name} no", False)]):
            given[field.name] = yield from _value(field, field.name)
    return Act(ask.verb, given)


def _value(field: Field, name: str) -> Choosing:
    """Choose a value of a field, in several steps if it has several parts."""
    match field:
        case Pick():
            return (yield _options(name, field.pool))
        case Number():
            return (yield from _number(field, name))
        case Some():
            return (yield from _some(field, name))
        case Text():
            text = ""
            while len(text) < field.most:
                done = [(f"{name} done", "")] if len(text) >= field.least else []
                letter = yield [*done, *((f"{name}={letter}", letter) for letter in LETTERS)]
                if letter == "":
                    break
                text += str(letter)
            return text
        case Each():
            parts = []
            for part in field.fields:
                parts.append((yield from _value(part, f"{name}.{part.name}")))
            return tuple(parts)
        case Forms():
            return (yield from _forms(field, name))
        case Profile():
            return None


def _number(field: Number, name: str) -> Choosing:
    """Choose a number, or its sign and its digits from left to right if there are many."""
    if field.high - field.low < WIDE:
        nothing = [(f"{name}=null", None)] if field.null else []
        return (yield [*nothing, *((f"{name}={value}", value) for value in range(field.low, field.high + 1))])
    signs: list[tuple[str, Value]] = [(f"{name}=null", None)] if field.null else []
    signs += [(f"{name} {sign}", sign) for sign, there in (("+", field.high >= 0), ("-", field.low < 0)) if there]
    sign = yield signs
    if sign is None:
        return None
    low, high = (max(field.low, 0), field.high) if sign == "+" else (max(-field.high, 1), -field.low)
    number, width = 0, len(str(high))
    for place in range(width - 1, -1, -1):
        step = 10**place
        starts = ((digit, number + digit * step) for digit in range(10))
        digits = [digit for digit, start in starts if start <= high and start + step > low]
        digit = yield [(f"{name} 10^{place}={digit}", digit) for digit in digits]
        assert isinstance(digit, int)
        number += digit * step
    return number if sign == "+" else -number


def _some(field: Some, name: str) -> Choosing:
    """Choose a list, one value after the other."""
    left, chosen = list(field.pool), list[Value]()
    while len(chosen) < field.most:
        if chosen and field.until and field.until(chosen[-1]):
            break
        enough = len(chosen) >= field.least and not (field.until and chosen)
        values = [(f"{name}={dump(value)}", value) for value in dict.fromkeys(left)]
        picked = yield [*([(f"{name} done", _DONE)] if enough else []), *values]
        if picked is _DONE:
            break
        chosen.append(picked)
        if not field.again:
            left.remove(picked)
    return tuple(chosen)


def _forms(field: Forms, name: str) -> Choosing:
    """Choose a list of objects, one after the other."""
    made: list[dict[str, Value]] = []
    while len(made) < field.most:
        if len(made) >= field.least and not (yield [(f"{name} more", True), (f"{name} done", False)]):
            break
        item = {}
        for part in field.fields:
            item[part.name] = yield from _value(part, f"{name}.{part.name}")
        if any(other[field.fields[0].name] == item[field.fields[0].name] for other in made):
            raise _NoAnswer
        made.append(item)
    return tuple(made)


_DONE: Any = object()


def _options(name: str, pool: Sequence[Value]) -> Options:
    """Return the values of a pool as options. Raises _NoAnswer if there is none."""
    options = {f"{name}={dump(value)}": value for value in pool}
    if not options:
        raise _NoAnswer
    return [*options.items()]


def _among(acts: Sequence[Act]) -> Choosing:
    """Choose one of some acts: first the verb, then field by field."""
    verb = yield [*{act.verb: act.verb for act in acts}.items()]
    left = [act for act in acts if act.verb == verb]
    while len(left) > 1:
        names = dict.fromkeys(name for act in left for name in act.given)
        name = next(name for name in names if len({dump(act.given.get(name)) for act in left}) > 1)
        told = yield [*{f"{name}={dump(act.given.get(name))}": dump(act.given.get(name)) for act in left}.items()]
        left = [act for act in left if dump(act.given.get(name)) == told]
    return left[0]


def _numbers(path: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield a number for each part of the facts, with the path that names it."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _numbers(f"{path}.{key}", each)
    elif isinstance(value, (tuple, list)):
        for index, each in enumerate(value):
            yield from _numbers(f"{path}.{index}", each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value / 10
    elif value is not None:
        yield f"{path}={value}", 1.0


def _reward(places: Sequence[int], seat: int, together: bool) -> float:
    """Return the reward of a seat at the end: from -1 to 1."""
    if together or 1 not in places:
        return 1.0 if places[seat] == 1 else -1.0
    others = [place for other, place in enumerate(places) if other != seat]
    return sum((places[seat] < place) - (places[seat] > place) for place in others) / len(others)


def _in_sight(match: Match, index: int) -> dict[str, Value]:
    """Return the line of an act without what the box drew for one seat alone, until the match is over."""
    act = match.acts[index]
    drawn = own_fields(match.asked(index), act.given) if match.asks else []
    alone = [field.name for field in drawn if private_to(field) is not None]
    return {name: value for name, value in act.line().items() if name not in alone}
