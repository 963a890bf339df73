"""Play games at a virtual box by presses, scans, cubes and taps on a phone, with the devices that work."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import httpx

from umpi.box.config import COLOURS
from umpi.cards.decode import PartialAnswer, answer_of, cards_of
from umpi.display.menu import KEYS, Menu
from umpi.display.panel import Key, Panel
from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.record import dump
from umpi.referee.input_queue import LATE_NS
from umpi.referee.late_inputs import HAMMERED_NS
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.reading import drawn

PRESS_MS = 100
RACE_MS = LATE_NS // 1_000_000  # a tap waits so long, in case a button was first
FALLS_MS = (125, 40, 60, 1275)  # times when cubes enter and leave the beams, and when all have been reported
REST_MS = 1000  # until the rail has reported the cube at its stop
GRANTED = {"hear"}  # the panel asks this and what follows at once, which the typist does not know: for the phone
TOO_OFTEN = 429  # the status of a phone that acts more often than the page lets it
READS = 20  # texts on end, before something is wrong

Nothing = Callable[[], Awaitable[None]]


class PowerCut(Exception):
    """Raised when the box was switched off and on: an incomplete entry is lost."""


class Stuck(AssertionError):
    """Raised if nobody can continue, with what the box shows."""


class Phone:
    """A phone of the referee, or one that only looks on. `client` is its browser with its cookies."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def ask(self, playing: SimulatedPlayer, method: str, path: str, **body: Any) -> httpx.Response:
        """Send a request to the web server while the box runs. Raises httpx.HTTPError if it does not answer."""
        asking = asyncio.ensure_future(self._client.request(method, f"/api/{path}", json=body or None))
        while not asking.done():
            await playing.box.loop.catch_up()
            await asyncio.sleep(0)
            if playing.box.referee.answers:
                await playing.pass_ms(RACE_MS)
        return await asking


class People:
    """The people at a box, from the left, one at each button. They make no mistakes.

    `between` is awaited before each thing they do, and may do to the box what it likes; after a power cut it raises
    PowerCut. `phone` is the phone on the table, if there is one.
    """

    def __init__(self, playing: SimulatedPlayer, between: Nothing, phone: Phone | None = None) -> None:
        self.playing, self.between, self.phone = playing, between, phone
        self.done: dict[str, int] = {"presses": 0, "scans": 0, "cubes": 0, "taps": 0}
        self.doubts: list[str] = []  # what the box was not sure about
        self._scanned: Counter[str] = Counter()
        self._tossed = 0  # the question of the quiz that cubes were tossed for

    @property
    def panel(self) -> Panel:
        """Return the panel, even if the display does not show it."""
        return self.playing.box.referee.panel

    @property
    def match(self) -> Match:
        """Return the match in play."""
        match = self.playing.box.referee.session.match
        assert match
        return match

    def out(self, *names: str) -> bool:
        """Return whether the box has reported an error of one of these devices."""
        return not self.playing.box.loop.view.broken.isdisjoint(names)

    async def begin(self, game: type[Game], seats: int) -> None:
        """Start a match of a game."""
        await self.read()
        if self.panel.table.state.playing:
            await self.press("ok")  # done with the one that is over
        if any(choice.label == "new game" for choice in self._menu.choices):
            await self.choose(lambda menu: [choice.label for choice in menu.choices].index("new game"))
        await self.choose(lambda menu: [choice.value for choice in menu.choices].index(game))
        await self.press(*range(seats))
        while not self.panel.table.state.playing:
            await self.press("ok")

    async def go_on(self) -> None:
        """Resume the match in play after a power cut: OK alone does."""
        while True:
            with suppress(PowerCut):
                await self._clear_rail()
                while not self.panel.table.state.playing:
                    await self.press("ok")
                return

    async def play(self, script: Sequence[Act]) -> None:
        """Play a match to its end, act by act as written."""
        while self.match.asks:
            acts = self.match.acts
            if not alike(acts, script[: len(acts)]):
                raise Stuck(f"{dump(acts[-1].line())} is not what was played.\n{self.screen}")
            try:
                await self.read()
                await self.enter(*script[len(acts) : len(acts) + 2])
            except PowerCut:
                await self.go_on()

    async def quiz(self, orders: Sequence[Sequence[int]]) -> None:
        """Play a quiz: of each question the seats that answer, in their order; the last of them is right."""
        while self.match.asks:
            try:
                await self._question(orders)
            except PowerCut:
                await self.go_on()

    async def _question(self, orders: Sequence[Sequence[int]]) -> None:
        await self.read()
        now: Any = self.match.now
        verbs = {ask.verb for ask in self.match.asks}
        if "open" in verbs:
            await self._clear_rail()
            await self.enter(Act("open"))
            return
        order = orders[now.question - 1]
        seat = order[len(now.locked)]
        if "owner" in verbs:
            if self.playing.config.rail is not None and not self.out("rail"):
                await self.playing.pass_ms(REST_MS)
            if self.match.now is now:
                await self.press(seat)
        elif "judge" in verbs:
            await self.enter(Act("judge", {"right": seat == order[-1]}))
            if self._tossed:
                with suppress(LookupError):
                    self.playing.box.lift()
        elif "buzz" in verbs:
            if self._tossed != now.question and self._funnel:
                await self.toss([COLOURS[each] for each in order[len(now.locked) :]])
                self._tossed = now.question
            else:
                await self.press(seat)

    @property
    def _funnel(self) -> bool:
        box = self.playing.box.box
        return box.funnel is not None and not self.out("head", *box.funnel.lines)

    async def toss(self, cubes: Sequence[str]) -> None:
        """Toss cubes into the funnel."""
        await self._move("cubes")
        self.playing.box.toss(cubes)
        for ms in FALLS_MS:
            await self.playing.pass_ms(ms)
            await self.between()
        await self.read()

    async def _clear_rail(self) -> None:
        tossed, self._tossed = self._tossed, 0
        if tossed:
            with suppress(LookupError):
                while True:
                    self.playing.box.lift()
                    await self.playing.pass_ms(REST_MS)
            await self.read()

    async def enter(self, act: Act, then: Act | None = None) -> None:
        """Enter an act: by scans where it is cards, now and then on the phone, else with the keys.

        Where the keys enter what comes `then` with it, they do. Raises Stuck where nothing enters it.
        """
        before = len(self.match.acts)
        keys = partial(self._keys, then=then)
        ways = (self._tap, keys) if before % 3 == 2 else (keys, self._tap)
        for way in (self._scan, *ways):
            await way(act)
            acts = self.match.acts
            if len(acts) < before:
                return  # the order of cubes was not sure, and has been taken back
            if len(acts) > before:
                if not alike(acts[before : before + 1], [act]):
                    raise Stuck(f"{dump(act.line())} was entered, {dump(acts[before].line())} taken.")
                return
        raise Stuck(f"nothing enters {dump(act.line())}:\n{self.screen}")

    async def _scan(self, act: Act) -> None:
        """Scan the cards of an answer; enter the rest with the keys if the scanner fails."""
        cards, part = _cards(act) if cards_of(self.match.game) else [], None
        found: Act | PartialAnswer | str | None = None
        for card in cards:  # would they make that answer?
            found = answer_of(self.match.asks, card, part, self.match.game)
            part = found if isinstance(found, PartialAnswer) else None
        if not isinstance(found, Act) or not alike([found], [act]) or self.playing.config.scanner is None:
            return
        part = None
        for scanned, card in enumerate(cards):
            await self._move("scans")
            if self.out("scanner"):
                rest = {name: _without(value, cards[:scanned]) for name, value in act.given.items()}
                asks = [part.rest] if part else self.match.asks
                await self.press(*presses(asks, self.match.players, [Act(act.verb, rest)]))
                return
            self._scanned[card] += 1
            self.playing.box.scan(f"{card}#{self._scanned[card] % 10}")  # a copy of it, with its own sticker
            await self.playing.pass_ms(PRESS_MS)
            found = answer_of(self.match.asks, card, part, self.match.game)
            part = found if isinstance(found, PartialAnswer) else None

    async def _keys(self, act: Act, then: Act | None) -> None:
        match = self.match
        if any(ask.verb in GRANTED for ask in match.asks):
            return
        asks, players = match.asks, match.players
        both = (
            [act, then] if then and any((ask.verb, ask.followed_by) == (act.verb, then.verb) for ask in asks) else [act]
        )
        ways: tuple[Callable[[], list[Key]], ...] = (
            lambda: presses(asks, players, both),
            lambda: presses_in_menu(match, [act]),
        )
        for way in ways:
            with suppress(CannotType):
                keys = way()
                if not self.out(*map(_name, keys)):
                    await self.press(*keys, menu=keys[:1] == ["back"])
                return

    async def _tap(self, act: Act) -> None:
        if not self.phone or self.out("desk"):
            return
        await self._move("taps")
        if self.out("desk"):
            return
        question = self.playing.box.referee.session.question
        with suppress(httpx.TransportError):  # as a browser's, its connection may end just then
            asked = partial(self.phone.ask, self.playing, "POST", "act", question=question, act=act.line())
            if (await asked()).status_code == TOO_OFTEN:
                await self.playing.pass_ms(1000)
                await asked()

    async def press(self, *keys: Key, menu: bool = False) -> None:
        """Press keys while the question stays the same; the first key is held if it opens the `menu`."""
        session = self.playing.box.referee.session
        question = session.question
        for number, key in enumerate(keys):
            await self._move("presses")
            await self.read()
            if self.out(_name(key)) or session.question != question:
                return
            await self._press(key, 1000 if menu and number == 0 else PRESS_MS)

    async def choose(self, which: Callable[[Menu], int]) -> None:
        """Press the keys that select one of the choices."""
        index = which(self._menu)
        for _ in range(index // KEYS):
            await self.press("down")
        await self.press(self._menu.key(index))

    async def read(self) -> None:
        """Dismiss messages until the box asks again; confirm a doubtful order by hand."""
        panel = self.panel
        for _ in range(READS):
            if panel.noticing:
                await self._press("back")
            elif panel.table.state.doubt:
                self.doubts.append(panel.table.state.doubt)
                await self._press(self._menu.key(1))
            else:
                return
        raise Stuck(f"it shows message after message:\n{self.screen}")

    @property
    def screen(self) -> str:
        """Return the picture of the panel, drawn with letters."""
        return drawn(self.panel.picture())

    @property
    def _menu(self) -> Menu:
        return self.panel.question[0]

    async def _move(self, what: str) -> None:
        self.done[what] += 1
        await self.between()
        await asyncio.sleep(0)

    async def _press(self, key: Key, for_ms: int = PRESS_MS) -> None:
        await self.playing.press(_name(key), for_ms)
        await self.playing.pass_ms(PRESS_MS)
        if self.panel.table.state.ignored:  # the key had another meaning before: read the question, and press again
            await self.playing.pass_ms(HAMMERED_NS // 1_000_000)
            await self._press(key, for_ms)


def alike(acts: Sequence[Act], others: Sequence[Act]) -> bool:
    """Return whether these are the same acts, without their times and the order within lists."""
    return list(map(_sorted, acts)) == list(map(_sorted, others))


def _sorted(act: Act) -> tuple[str, dict[str, object]]:
    given = act.given.items()
    return act.verb, {name: sorted(map(repr, value)) if isinstance(value, tuple) else value for name, value in given}


def _name(key: Key) -> str:
    return COLOURS[key] if isinstance(key, int) else key


def _cards(act: Act) -> list[str]:
    """Return all words of an act's fields, in their order."""
    words: list[str] = []
    for value in act.given.values():
        for word in value if isinstance(value, tuple) else (value,):
            if not isinstance(word, str):
                return []
            words.append(word)
    return words


def _without(value: Any, cards: Sequence[str]) -> Any:
    return tuple(value[len(cards) :]) if isinstance(value, tuple) else value
