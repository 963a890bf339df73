"""Play game after game on a virtual box, with phones and failing devices; the exit status is 1 if anything grows.

It plays a week of injected time and switches the box off every night. With --real it plays at full speed for that many
seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import httpx

from scripts import REPO
from scripts.soak.growth import Growth
from scripts.soak.people import People, Phone
from umpi.box.config import Config
from umpi.kernel.fields import Chance, Pick
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play as play_at_random
from umpi.kernel.random_games import sample
from umpi.kernel.registry import games
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner
from umpi.web.codes import Codes
from umpi.web.serving import serve

HERE = "127.0.0.1"
LOOKERS = 4
MINUTE_NS = 60_000_000_000
BOARD = REPO / "tests/scenarios/board.json"
SHORT = {"questions": 5, "parts": 1, "columns": 2, "rounds": 5, "target": 200}  # of what a house may choose
NAMES = ("Red", "Blue", "Yellow", "Green", "White", "Black")
EXPECTED = {"box.json", "box.key", "games.db", "games.db-wal", "games.db-shm", "games.db.saved"}
DEVICES = ("panel", "head", "rail", "scanner")
FULL = "CREATE TRIGGER full BEFORE INSERT ON line BEGIN SELECT RAISE(ABORT, 'disk full'); END"


@dataclass
class Tally:
    """What has been done so far."""

    games: Counter[str] = field(default_factory=Counter)
    acts: int = 0
    done: Counter[str] = field(default_factory=Counter)  # presses, scans …
    failed: Counter[str] = field(default_factory=Counter)  # which device how often
    seen: int = 0  # versions by those who look on
    starts_ms: list[float] = field(default_factory=list)


class Day:
    """A box from the moment it is switched on until it is switched off."""

    def __init__(self, folder: Path, chance: Random, tally: Tally, thinks: bool, day: int) -> None:
        self.chance, self.tally, self.thinks = chance, tally, thinks
        self.whims = Random(day)  # of those who look on, whenever their turn comes
        options = {**SHORT, "board": json.loads(BOARD.read_text())}
        config = with_scanner(Config(journal=folder / "games.db", options=options))
        self.config = with_rail(with_head(config, 1)) if day % 2 == 0 else with_lanes(config, 6)
        self.out: dict[str, int] = {}  # device: at which thing they do it comes back
        self.now = 0

    async def play(self, growth: Growth, go_on: Callable[[SimulatedPlayer], bool]) -> None:
        """Play while `go_on`, and have a look at what has grown after each game."""
        began = time.monotonic()
        port = _free_port()
        url = f"http://{HERE}:{port}"
        playing = SimulatedPlayer(self.config, partial(Codes, address=lambda: url))
        self.tally.starts_ms.append((time.monotonic() - began) * 1000)
        stop = asyncio.Event()
        self.playing, web_app = playing, playing.box.web_app
        assert web_app
        codes = web_app.codes
        tasks = [asyncio.create_task(serve(web_app, HERE, port, stop, print))]
        tasks += [asyncio.create_task(self._look_on(url, stop)) for _ in range(LOOKERS)]
        try:
            async with httpx.AsyncClient(base_url=url, headers={"Origin": url}) as client:
                phone = Phone(client)
                people = People(playing, self.between, phone)
                await self._pair(phone, codes)
                while go_on(playing):
                    await self._game(people)
                    with contextlib.suppress(httpx.TransportError):
                        await phone.ask(playing, "GET", self.chance.choice(["matches", "history", "state", "record"]))
                    growth.look((playing.box, web_app))
                self.tally.done.update(people.done)
        finally:
            await self._mend()
            stop.set()
            web_app.close()
            await asyncio.gather(*tasks)
            playing.close()

    async def _pair(self, phone: Phone, codes: Codes) -> None:
        """Pair the phone on the table; revoke the phones of earlier days."""
        for number, *_ in codes.paired():
            hash = codes.unpair(number)
            self.playing.box.loop.journal.revoke(hash)
        code, _ = codes.make_code(None, self.playing.now_ns)
        for _ in range(100):
            with contextlib.suppress(httpx.HTTPError):
                if (await phone.ask(self.playing, "POST", "pair", code=code)).status_code == 200:
                    return
            await asyncio.sleep(0.02)
        raise RuntimeError("the web server does not answer")

    async def _game(self, people: People) -> None:
        """Play one game to its end; check that its end is that of the planned game."""
        chance = self.chance
        game = chance.choice(games())
        seats = min(max(game.seats[0], chance.choice((2, 3, 3, 4))), game.seats[-1])
        if game.id == "quiz" and self.config.rail is not None:
            orders = [chance.sample(range(seats), chance.randint(1, seats)) for _ in range(SHORT["questions"])]
            await people.begin(game, seats)
            await people.quiz(orders)
            won = Counter(order[-1] for order in orders)
            scores: Sequence[int] = [won[seat] for seat in range(seats)]
        else:
            house = {name: value for name, value in self.config.options.items() if name in defaults(game)}
            options = {**game.at_buttons, **house}
            script = Match(game, NAMES[:seats], options)
            for _ in play_at_random(script, chance.randrange(10**9), audited=False, draw=_as_entered):
                pass
            await people.begin(game, seats)
            await people.play(script.acts)
            scores = script.now.scores()
        assert tuple(people.match.now.scores()) == tuple(scores), (game.id, people.match.now.scores(), scores)
        self.tally.games[game.id] += 1
        self.tally.acts += len(people.match.acts)

    async def between(self) -> None:
        """Think before each thing that people do, and let devices fail and come back."""
        self.now += 1
        chance, box = self.chance, self.playing.box
        if self.thinks:
            await self.playing.pass_ms(int(chance.expovariate(1 / 6000)))
        for name in [name for name, until in self.out.items() if until <= self.now]:
            await self._back(name)
        if chance.random() > 0.004 or self.out:
            return
        there = [name for name in DEVICES if getattr(box.plugs, f"virtual_{name}")]
        name = chance.choice([*there, "card"])
        self.out[name] = self.now + chance.randint(1, 30)
        self.tally.failed[name] += 1
        if name == "card":
            with closing(sqlite3.connect(self.config.journal)) as file:
                file.execute(FULL)
        else:
            box.pull(name)
        await self.playing.pass_ms(200)

    async def _back(self, name: str) -> None:
        del self.out[name]
        if name == "card":
            with closing(sqlite3.connect(self.config.journal)) as file:
                file.execute("DROP TRIGGER full")
        else:
            self.playing.box.plug(name)
        await self.playing.pass_ms(6000)

    async def _mend(self) -> None:
        for name in list(self.out):
            await self._back(name)

    async def _look_on(self, url: str, stop: asyncio.Event) -> None:
        """Look on with a phone that sometimes sleeps; check that it misses nothing."""
        last = ""
        while not stop.is_set():
            headers = {"last-event-id": last} if last else {}
            async with httpx.AsyncClient(base_url=url, timeout=None) as client:
                with contextlib.suppress(httpx.HTTPError):
                    last = await self._follow(client, headers, last)
            await asyncio.sleep(0.01)

    async def _follow(self, client: httpx.AsyncClient, headers: dict[str, str], last: str) -> str:
        """Read versions until the phone sleeps, the box is switched off or the stream ends; return the last one."""
        async with client.stream("GET", "/api/events", headers=headers) as stream:
            async for line in stream.aiter_lines():
                if not line.startswith("id: "):
                    continue
                version, before = (int(id.rpartition(".")[2] or 0) for id in (line, last))
                if last and version != before + 1:
                    raise RuntimeError(f"a phone saw version {version} after {before}")
                last = line.removeprefix("id: ")
                self.tally.seen += 1
                if self.whims.random() < 0.001:
                    break
        return last


def _as_entered(asks: Sequence[Ask], chance: Chance) -> Act:
    """Draw an act of an offer that the keys can enter: they take the first value of a field `in_order`."""
    act = sample(asks, chance)
    given = dict(act.given)
    for each in next(ask for ask in asks if ask.verb == act.verb).walk(given):
        if isinstance(each, Pick) and each.in_order and each.name in given:
            given[each.name] = each.pool[0]
    return Act(act.verb, given)


def _free_port() -> int:
    with socket.socket() as some:
        some.bind((HERE, 0))
        return int(some.getsockname()[1])


def journal_faults(folder: Path, acts: int) -> tuple[str, list[str]]:
    """Report the disk space of the games, and unexpected files."""
    strays = sorted({path.name for path in folder.iterdir()} - EXPECTED)
    with closing(sqlite3.connect(folder / "games.db")) as file:
        texts = sum(
            file.execute(f"SELECT coalesce(sum(length({what})), 0) FROM {table}").fetchone()[0]
            for what, table in (("text", "line"), ("header", "match"), ("text", "trace"))
        )
        (problem,) = file.execute("PRAGMA integrity_check").fetchone()
    size = (folder / "games.db").stat().st_size
    faults = [f"an unexpected file: {name}" for name in strays]
    faults += [f"the journal: {problem}"] if problem != "ok" else []
    faults += [f"the journal is {size:,} bytes for {texts:,} of lines"] if size > 2 * texts + 200_000 else []
    return f"journal: {size / 1e6:.2f} MB, {size / max(1, acts):.0f} bytes an act, {texts:,} of them the lines", faults


@dataclass(frozen=True)
class Plan:
    """The length of a run: `days` with `hours` of injected time each, or with real `seconds` at full speed.

    `games` is how many a day at the most.
    """

    days: int = 7
    hours: float = 12.0
    seconds: float | None = None
    games: int | None = None


async def play(folder: Path, plan: Plan, chance: Random, tally: Tally, growth: Growth, nights: Growth) -> None:
    """Play day after day; `growth` looks after each game, `nights` while the box is off."""
    for day in range(plan.days):
        began, before = time.monotonic(), sum(tally.games.values())

        def go_on(playing: SimulatedPlayer) -> bool:
            spent_s, played = time.monotonic() - began, sum(tally.games.values()) - before  # noqa: B023
            _progress(f"day {day + 1}: {played} games, {playing.now_ns / 60 / MINUTE_NS:.2f} h, {spent_s:.0f} s")  # noqa: B023
            if plan.games is not None and played >= plan.games:
                return False
            if plan.seconds is not None:
                return spent_s < plan.seconds
            return playing.now_ns < plan.hours * 60 * MINUTE_NS

        await Day(folder, chance, tally, plan.seconds is None, day).play(growth, go_on)
        nights.look(())
        print(
            f"day {day + 1}: {sum(tally.games.values())} games, {tally.acts} acts so far; "
            f"switched on in {tally.starts_ms[-1]:.0f} ms; {time.monotonic() - began:.0f} s",
            flush=True,
        )


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="\r", file=sys.stderr, flush=True)


def run(plan: Plan, seed: int = 1) -> list[str]:
    """Play, print the figures, and return what is wrong."""
    tally, growth, nights = Tally(), Growth(), Growth()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(play(folder, plan, Random(seed), tally, growth, nights))
        figures, faults = journal_faults(folder, tally.acts)
    number = sum(tally.games.values())
    print(f"\n{number} games, {tally.acts} acts in {time.monotonic() - began:.0f} s: {dict(tally.games)}")
    print(f"done: {dict(tally.done)}; out: {dict(tally.failed)}; seen by {LOOKERS} who look on: {tally.seen} versions")
    print(figures, *growth.table(), sep="\n")
    return [*faults, *growth.faults(), *(f"at night: {fault}" for fault in nights.faults())]


def main() -> int:
    """Run the games; return 1 if something grows."""
    parser = argparse.ArgumentParser(prog="./scripts/dev long-run", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--days", type=int, help="days of injected time (7; with --real 1)")
    parser.add_argument("--hours", type=float, default=12, help="hours of play per day (12)")
    parser.add_argument("--real", type=float, metavar="SECONDS", help="play at full speed for that long per day")
    parser.add_argument("--games", type=int, help="most games per day")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other games (1)")
    chosen = parser.parse_args()
    days = chosen.days or (7 if chosen.real is None else 1)
    faults = run(Plan(days, chosen.hours, chosen.real, chosen.games), chosen.seed)
    print(*(faults or ["Nothing grows."]), sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
