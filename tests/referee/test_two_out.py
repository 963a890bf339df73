"""Any two devices fail while a quiz and a Dodekka are played to their winners: the games continue, each fault is named.

The whole service on the virtual box in injected time, with people who do what the box tells them to do instead.
"""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from gpiozero.exc import PinInvalidPin

from scripts.soak.people import People, Phone, PowerCut, alike
from tests.kit.glass import SteppedOled
from tests.kit.sampling import QUICK, sampled
from umpi.box.config import LAMP_PINS, SEAT_PINS, Config
from umpi.drivers.oled_link import Link
from umpi.drivers.oled_panel import open_panel
from umpi.journal import open_to_read, read_lines, read_matches
from umpi.kernel.random_games import play_out
from umpi.kernel.record import dump, replay
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay
from umpi.recording.session_file import sealed
from umpi.referee.events import DeviceStatus
from umpi.referee.health import DEVICES, device_label
from umpi.simulator.pins import VirtualPins
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.plugs import VirtualPlugs
from umpi.simulator.reading import reads
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner
from umpi.web.codes import Codes

SEATS = 3
ORDERS = ((2, 0), (1,), (0, 2, 1))  # who answers in each question of the quiz, the last of them right
POINTS = (1, 2, 0)
DODEKKA = play_out(find("dodekka"), "ABC", seed=1492)
EMITTERS = 15
START_NS = 1_000_000_000
HERE = "http://192.168.4.1:8000"
PARTS = {"quiz": {"head", "rail", "torn beam", "lane_1", "second_1"}, "dodekka": {"scanner"}}  # what which game needs
MOVES = {"quiz": 30, "dodekka": 60}  # what people do in each, at the least
# How far the evening is when what happens: one goes, the other, both come back; both at once; both stay out at the end
MOMENTS = ((0, "a"), (7, "b"), (20, "A"), (28, "B"), (36, "b"), (36, "a"), (44, "A"), (48, "B"), (60, "b"), (75, "a"))


class ScreenPlugs(VirtualPlugs):
    """Virtual plugs whose panel has no thread."""

    screen: SteppedOled | None = None

    def oled(self, pins: Any, on_trouble: Callable[[str], object]) -> Any:
        link = Link(lambda: open_panel("ssd1306", self.virtual_panel), "ssd1306", self._clock)
        self.screen = SteppedOled(link, self._clock, on_trouble)
        return self.screen

    def step(self) -> int | None:
        dues = (super().step(), self.screen.step() if self.screen else None)
        return min((due for due in dues if due is not None), default=None)


class Evening:
    """Three people at a box with all that can be had, whose devices fail and come back as the plan says."""

    def __init__(self, folder: Path, pins_refused: set[int], config: Config) -> None:
        self.refused, self.out = pins_refused, dict[str, Fault]()
        self.plan: list[tuple[int, Fault, bool]] = []  # at which thing they do, what, whether it fails
        self.now = self.longest = 0
        self.journal = folder / "games.db"
        config = replace(config, journal=self.journal, options={"questions": len(ORDERS)})
        self.playing = SimulatedPlayer(config, partial(Codes, address=lambda: HERE + "/"))
        self.people = People(self.playing, self.between)
        self.client: httpx.AsyncClient | None = None

    @property
    def box(self) -> Any:
        return self.playing.box

    async def play(self, *names: str) -> None:
        """Play these games to their ends, a phone on the table."""
        codes = self.open_desk()
        await self.playing.pass_ms(1000)
        code, _ = codes.make_code(None, self.playing.now_ns)
        assert self.people.phone
        assert (await self.people.phone.ask(self.playing, "POST", "pair", code=code)).status_code == 200
        if "quiz" in names:
            await self.begin("quiz")
            await self.people.quiz(ORDERS)
            await self.over(POINTS, (2, 1, 3))
        if "dodekka" in names:
            await self.begin("dodekka")
            await self.people.play(DODEKKA.acts)
            result = DODEKKA.now.result()
            assert result
            await self.over(DODEKKA.now.scores(), result.places)

    async def begin(self, game: str) -> None:
        while True:
            try:
                await self.people.begin(find(game), SEATS)
                return
            except PowerCut:
                continue

    async def over(self, scores: tuple[int, ...], places: tuple[int, ...]) -> None:
        """Check that the match ended as planned, and that spectators see the winner."""
        result = self.people.match.now.result()
        assert result
        assert (self.people.match.now.scores(), result.places) == (scores, places)
        while self.people.panel.calls.current:  # the last calls are read before the end is shown
            await self.playing.pass_ms(1000)
        picture = self.people.panel.picture()
        assert all(reads(picture, self.people.match.players[seat]) for seat in result.winners), self.people.screen
        assert self.box.box.lamps.blinking == set(result.winners)

    async def between(self) -> None:
        """Before each thing they do: what is shown is on disk or said not to be, and what is due fails."""
        self.now += 1
        session = self.box.referee.session
        if session.match and self.people.panel.table.state.playing and not self.people.panel.table.state.unsaved:
            assert self.on_disk(session.number) == [dump(line) for line, _ in session.lines]
        while self.plan and self.plan[0][0] <= self.now:
            _, fault, fails = self.plan.pop(0)
            await self.change(fault, fails)

    def on_disk(self, number: int) -> list[str]:
        """The lines of a match as another process reads them."""
        with closing(open_to_read(self.journal)) as file:
            return read_lines(file, number)

    async def change(self, fault: Fault, fails: bool) -> None:
        """Make a device fail or recover, and check that the box reports this and nothing else."""
        if fails:
            self.out[fault.name] = fault
        else:
            del self.out[fault.name]
        if fault.at_start:
            fault.change(self, fails)
            await self.restart()
        else:
            fault.change(self, fails)
        await self.playing.pass_ms(fault.gone_ms if fails else fault.back_ms)
        self.look()
        if fault.at_start:
            raise PowerCut

    async def restart(self) -> None:
        """Switch the box off and on, where it finds again what is out."""
        saved = not self.people.panel.table.state.unsaved
        session = self.box.referee.session
        before = list(session.match.acts) if session.match and session.match.asks else None
        self.playing.now_ns = START_NS  # as after every start of a Pi
        await self.playing.restart()
        self.open_desk()
        for fault in self.out.values():
            if not fault.at_start and fault.name != "journal":
                fault.change(self, True)
        await self.playing.pass_ms(max((fault.gone_ms for fault in self.out.values()), default=0))
        again = self.box.referee.session.match
        if before is not None:
            assert again
            assert alike(again.acts, before if saved else before[: len(again.acts)])

    def open_desk(self) -> Codes:
        """Serve phones; the one on the table remembers its earlier documents."""
        desk = self.box.web_app
        assert desk
        transport = httpx.ASGITransport(desk.app())
        known = self.client.cookies if self.client else None
        self.client = httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}, cookies=known)
        self.people.phone = Phone(self.client)
        return desk.codes

    async def mend(self) -> None:
        """Make all devices recover; check that all acts are on disk and lead to the same position."""
        for fault in sorted(self.out.values(), key=lambda fault: fault.at_start):  # a full card before the plug
            with suppress(PowerCut):
                await self.change(fault, False)
        with closing(open_to_read(self.journal)) as file:
            for kept in read_matches(file):
                lines = [kept.header, *read_lines(file, kept.id)]
                *_, last = replay([line.encode() for line in lines], find)
                assert last.error == ""
                assert last.record
                assert last.record.match.now.result()

    def look(self) -> None:
        """Check that the box names exactly the failed devices, with what to do instead, and shows their signs."""
        panel, picture = self.people.panel, self.people.panel.picture()
        named = {fault.device for fault in self.out.values() if fault.device}
        assert set(self.box.loop.view.broken) == named
        assert set(panel.table.state.device_errors) == {device_label(device) for device in named}
        assert all(map(str.strip, panel.table.state.device_errors.values()))
        assert reads(picture, "ERR") == (bool(named) and not panel.table.state.unsaved), self.people.screen
        assert reads(picture, "NOT SAVED") == bool(panel.table.state.unsaved), self.people.screen
        assert not panel.table.state.unsaved or "journal" in self.out


@dataclass(frozen=True)
class Fault:
    """A way to fail. `device` is what the box calls what is out, "" where it cannot know before it is needed."""

    name: str
    device: str
    change: Callable[[Evening, bool], object]
    gone_ms: int = 0  # until the box notices
    back_ms: int = 0  # until it has found it again
    at_start: bool = False  # only a box that is switched on notices


def plugged(name: str) -> Callable[[Evening, bool], object]:
    return lambda evening, fails: (evening.box.pull if fails else evening.box.plug)(name)


def pin(number: int) -> Callable[[Evening, bool], object]:
    return lambda evening, fails: (evening.refused.add if fails else evening.refused.discard)(number)


def voice(evening: Evening, fails: bool) -> None:
    evening.box.box.speaker.trouble = "Pin 18 may not play tones." if fails else ""


def disk(evening: Evening, fails: bool) -> None:
    """A full card."""
    full = "CREATE TRIGGER full BEFORE INSERT ON line BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    with closing(sqlite3.connect(evening.journal)) as file:
        file.execute(full if fails else "DROP TRIGGER full")


def phones(evening: Evening, fails: bool) -> None:
    evening.box.loop.inbox.post(DeviceStatus("desk", "0.0.0.0:8000: Address already in use" if fails else ""))


def no_https(evening: Evening, fails: bool) -> None:
    evening.box.loop.inbox.post(DeviceStatus("https", "The certificate has expired." if fails else ""))


def sun(evening: Evening, fails: bool) -> None:
    evening.box.loop.inbox.post(DeviceStatus("light", "light reaches lane 1." if fails else ""))


def mute(evening: Evening, fails: bool) -> None:
    evening.box.loop.inbox.post(DeviceStatus("voice", "espeak-ng is not installed." if fails else ""))


def damaged(evening: Evening, fails: bool) -> None:
    evening.box.loop.inbox.post(DeviceStatus("journal", "table line: other than written, 1" if fails else ""))


def measures(evening: Evening, fails: bool) -> None:
    path = evening.playing.config.calibration
    path.write_text("no measures") if fails else path.unlink()


def torn(evening: Evening, fails: bool) -> None:
    """The second beam's wire is torn: it sees light whatever falls."""
    box, beam = evening.box, type(evening.box).beam
    box.beam = lambda line, *level: None if fails and line == "second_1" else beam(box, line, *level)


BOTH = with_scanner(with_rail(replace(Config(), emitters=EMITTERS)))
AT_PINS = with_lanes(BOTH, 1)
AT_HEAD = with_head(BOTH, 1)
FAULTS = [
    Fault("display", "display", plugged("panel"), 16_000, 1000),
    Fault("head", "head", plugged("head"), 100, 3000),
    Fault("rail", "rail", plugged("rail"), 100, 5500),
    Fault("scanner", "scanner", plugged("scanner")),
    Fault("sounder", "sounder", voice),
    Fault("journal", "", disk, 0, 1100),
    Fault("desk", "desk", phones),
    Fault("voice", "voice", mute),
    Fault("https", "https", no_https),
    Fault("saved games", "journal", damaged),
    Fault("light", "light", sun),
    Fault("torn beam", "", torn),
    Fault("lamp", "lamps", pin(LAMP_PINS["red"]), at_start=True),
    Fault("emitters", "emitters", pin(EMITTERS), at_start=True),
    Fault("measures", "measures", measures, at_start=True),
    Fault("key", "white", pin(SEAT_PINS["white"]), at_start=True),
    *(Fault(line, line, pin(number), at_start=True) for line, number in AT_PINS.beams.items()),
]
ON_PINS = {*AT_PINS.beams}
PAIRS = [
    pair
    for pair in itertools.combinations(FAULTS, 2)
    if pair[0].device != pair[1].device or not pair[0].device
    if not (pair[0].name == "head" and pair[1].name in ON_PINS)  # beams hang on one of them
]
SOME = sampled(PAIRS, 6)


@pytest.fixture
def evenings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Evening]]:
    """Boxes whose panel hangs on a bus in injected time, and whose pins can be refused."""
    refused: set[int] = set()

    class Pins(VirtualPins):
        def pin(self, name: int) -> Any:
            if name in refused:
                raise PinInvalidPin(f"pin {name} is not to be had")
            return super().pin(name)

    monkeypatch.setattr("umpi.simulator.virtual.VirtualPlugs", ScreenPlugs)
    monkeypatch.setattr("umpi.simulator.virtual.VirtualPins", Pins)
    made: list[Evening] = []

    def make(config: Config) -> Evening:
        made.append(Evening(tmp_path, refused, config))
        return made[-1]

    yield make
    for evening in made:
        evening.playing.close()


def test_every_device_a_box_names_is_among_those_that_fail() -> None:
    others = {"pins", "buttons", "settings"}
    assert {fault.device for fault in FAULTS} - {""} == {*DEVICES, *ON_PINS, "white"} - others, (
        "the box restarts if no pin works, a computer that has none is tested in test_late_page.py, and settings that "
        "are left out in test_settings_left_out.py"
    )
    if not QUICK:
        assert {fault.name for pair in SOME for fault in pair} == {fault.name for fault in FAULTS}


@pytest.mark.slow
@pytest.mark.parametrize("config", [AT_HEAD, AT_PINS], ids=["head", "pins"])
def test_untroubled_every_device_has_its_part(evenings: Any, config: Config) -> None:
    evening = evenings(config)
    asyncio.run(evening.play("quiz"))
    assert evening.now >= MOVES["quiz"]
    asyncio.run(evening.play("dodekka"))
    assert evening.now >= sum(MOVES.values())
    with closing(sqlite3.connect(evening.journal)) as file:
        who = {row[0] for row in file.execute("SELECT who FROM line")}
    assert who == {"panel", "funnel", "rail", "scanner", "phone:referee"}
    assert not evening.box.loop.view.broken


@pytest.mark.slow
def test_a_torn_beam_is_named_when_cubes_fall(evenings: Any) -> None:
    evening = evenings(AT_HEAD)
    torn(evening, True)
    asyncio.run(evening.play("quiz"))
    assert set(evening.people.doubts) == {"Only one of two beams saw it."}


@pytest.mark.slow
@pytest.mark.parametrize("pair", SOME, ids=lambda pair: f"{pair[0].name} and {pair[1].name}")
def test_two_that_fail_cost_their_own_function_only(evenings: Any, pair: tuple[Fault, Fault]) -> None:
    names = {fault.name for fault in pair}
    evening = evenings(AT_PINS if names & ON_PINS else AT_HEAD)
    played = [game for game, part in PARTS.items() if names & part] or ["dodekka"]
    whole, chance = sum(MOVES[game] for game in played), Random(" ".join(sorted(names)))
    for moment, what in MOMENTS:
        at = 1 + moment * whole // 100 + int(chance.random() * 3)
        evening.plan.append((at, pair[what.lower() == "b"], what.islower()))
    evening.plan.sort(key=lambda event: event[0])
    asyncio.run(evening.play(*played))
    recorder = evening.playing.recorder
    assert list(Replay(sealed([recorder.header("test"), *recorder.lines()]), games(), find)), "and it replays"
    assert not evening.plan, "all of it has happened"
    assert evening.out.keys() == names
    asyncio.run(evening.mend())
