"""Trials of the sensor head on an emulated Pico: compare known changes of its pins with what the box received."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median

from scripts.pico.cable import FIRST_EMITTER, LINES, PINS, Cable, Received
from scripts.pico.emulated import MS
from umpi.drivers.head_bus import HeadBus
from umpi.drivers.tcs34725 import ID, IDS, Reading, Tcs34725
from umpi.referee.events import DeviceStatus
from umpi.service.emitter_check import EmitterCheck, HeadSwitch
from umpi.timing.funnel import Funnel

US = 1000
Plan = list[tuple[int, str, bool]]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a trial: its name, the figure, and whether it passed."""

    what: str
    figure: str
    passed: bool


def together(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """All twelve beams go dark at one moment, and light again."""
    times = 2 if short else 20
    starts = [25 * MS * turn + chance.randrange(MS) for turn in range(times)]
    plan = [(at + dark_ns, line, bool(dark_ns)) for at in starts for dark_ns in (0, 8 * MS) for line in LINES]
    received = cable.play(plan)
    stamps = [change.us for change in received.changes]
    groups = [stamps[at : at + 12] for at in range(0, len(stamps), 12)]
    spread = max((max(group) - min(group) for group in groups), default=0)
    complete = len(stamps) == 24 * times == len(received.edges)
    yield Result("twelve edges at one moment: stamps differ by up to", f"{spread} µs", complete and spread <= 2)


def single(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """One edge at a time."""
    times = 10 if short else 100
    plan: Plan = []
    for turn in range(times):
        at, line = 6 * MS * turn + chance.randrange(2 * MS), chance.choice(LINES)
        plan += [(at, line, False), (at + 2 * MS + chance.randrange(MS), line, True)]
    received = cable.play(plan)
    first = received.changes[0].us - cable.plan[0][0] / US
    late = [  # than the nearest such edge, beside the first
        min((change.us - at_ns / US - first for at_ns, on, high in cable.plan if on == change.line), key=abs)
        for change in received.changes
    ]
    off = max((abs(one - median(late)) for one in late), default=0.0)
    passed = _same(cable, received) and off <= 2
    yield Result("a single edge: its stamp differs from the median delay by up to", f"{off:.1f} µs", passed)
    bound = all(
        abs(edge.at_ns - at_ns) <= edge.off_ns for edge, (at_ns, _, _) in zip(received.edges, cable.plan, strict=False)
    )
    most = max((edge.off_ns for edge in received.edges), default=0) / US
    yield Result("on the box's clock: every edge within its stated bound, which is at most", f"{most:.0f} µs", bound)


def pulses(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """Short dark pulses: each is reported once, with its length."""
    for width_us in (5,) if short else (2, 5, 10, 20, 50, 100, 1000):
        plan: Plan = []
        for turn in range(3 if short else 10):
            at, line = 5 * MS * turn + chance.randrange(MS), chance.choice(LINES)
            plan += [(at, line, False), (at + width_us * US, line, True)]
        received = cable.play(plan)
        widths = [
            light.us - dark.us for dark, light in zip(received.changes[::2], received.changes[1::2], strict=False)
        ]
        off = max((abs(width - width_us) for width in widths), default=0)
        found = f"{len(received.changes)} edges of {len(plan)}, width off by up to {off} µs"
        yield Result(f"pulses of {width_us} µs", found, _same(cable, received) and off <= 2)


def flood(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """Many changes per second, while commands come and the wall is hit."""
    rates = ((5000, 0.2),) if short else ((1000, 1.0), (5000, 5.0))
    for rate, seconds in rates:
        step_ns = 10**9 // rate
        lines = [LINES[turn % 12] for turn in range(int(rate * seconds) // 2)]
        plan = [(step_ns * (2 * turn + back), line, bool(back)) for turn, line in enumerate(lines) for back in (0, 1)]
        hits = [int(seconds * 10**9 * part) + 7 * US for part in (0.2, 0.5, 0.8)]
        plan += [(at + ring * 300 * US + back * 100 * US, "wall", not back)
                 for at in hits for ring in range(15) for back in (0, 1)]  # fmt: skip
        asked = cable.pico.now_ns
        cable.say("levels")
        received = cable.play(plan, tail_ms=1500 if not short else 150)
        beams = sum(change.line != "wall" for change in received.changes)
        walls = sum(edge.line == "wall" for edge in received.edges)
        pongs = sum(" pong " in line for line in received.text)
        found = f"{beams} of {2 * len(lines)}, lost {received.lost}, hits {walls} of 3, pings answered {pongs}"
        passed = beams == 2 * len(lines) and walls == 3 and received.lost == 0 and not received.states and bool(asked)
        yield Result(f"{rate} changes per second for {seconds:g} s, and three hits on the wall", found, passed)


def overflow(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """More changes than it can send: it reports how many it lost, and continues."""
    if short:
        return
    changes = 20_000
    plan = [(50 * US * turn, LINES[turn // 2 % 12], turn % 2 == 1) for turn in range(changes)]
    received = cable.play(plan, tail_ms=1500)
    edges = len(received.edges)
    after = cable.play([(0, "lane_1", False), (MS, "lane_1", True)])
    passed = edges + received.lost == changes and _same(cable, after) and not received.states
    yield Result("20000 changes per second for 1 s", f"{edges} reported and {received.lost} reported as lost", passed)


def announcements(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """Six cubes through six lanes of two beams, with chatter: the order of their fronts as the box has it."""
    pairs = turned = worst = 0
    whole = True
    for _ in range(3 if short else 40):
        plan: Plan = []
        fronts: dict[str, int] = {}
        for lane in range(1, 7):
            front, speed = chance.randrange(1000 * US), chance.uniform(950, 1350)
            for line, below in ((f"lane_{lane}", 0.0), (f"second_{lane}", 12.0)):
                at = front + round(below / speed * 1e9)
                plan.append((at, line, False))
                fronts.setdefault(line, at)
                for _ in range(chance.randint(0, 4)):
                    at += chance.randint(10 * US, 160 * US)
                    plan.append((at, line, True))
                    at += chance.randint(10 * US, 160 * US)
                    plan.append((at, line, False))
                plan.append((fronts[line] + round(16 / speed * 1e9), line, True))
        received = cable.play(plan, tail_ms=40)
        whole &= _same(cable, received)
        first: dict[str, int] = {}
        for edge in received.edges:
            first.setdefault(edge.line, edge.at_ns)
        lanes = [line for line in LINES[:6] if line in first]
        for one in lanes:
            for other in lanes:
                if fronts[one] < fronts[other]:
                    pairs += 1
                    if first[one] > first[other]:
                        turned += 1
                        worst = max(worst, fronts[other] - fronts[one])
    found = f"{turned} of {pairs} pairs in the wrong order, true gaps up to {worst / US:.0f} µs"
    yield Result("announcements of six cubes with chatter", found, whole and worst <= 2 * US)


def emitters(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """The box tests the emitters in play: all receivers follow, then one is in the sun."""
    head = cable.head
    blink = partial(head.blink, timeout_s=60)  # the emulated time passes slowly on a busy machine
    switch = HeadSwitch(LINES, Funnel(LINES).settings, lambda: head.dark, partial(asyncio.to_thread, blink))
    test = EmitterCheck(switch, lambda: cable.pico.now_ns)
    cable.sunny = set()
    news = cable.during(lambda: asyncio.run(test.run()))
    stamps = [edge.at_ns for edge in cable.received.edges]
    own = sum(test.own(edge) for edge in cable.received.edges)
    dark = (max(stamps) - min(stamps)) / MS if stamps else 0.0
    found = f"{own} of {len(stamps)} edges are the test's, all within {dark:.1f} ms, reported: {news}"
    yield Result("the emitter test with every receiver well", found, not news and own == len(stamps) == 24)
    cable.sunny = {"second_3"}
    news = cable.during(lambda: asyncio.run(test.run()))
    passed = news == [DeviceStatus("light", "second_3")] and not cable.head.dark
    yield Result("the emitter test with one receiver in the sun", f"reported: {news}", passed)
    cable.sunny = None


def fade(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """Beams of beam boards follow their emitters with known delays; the head measures them by its stamps."""
    delays = {"lane_1": 9 + chance.randrange(5), "second_1": 77, "lane_2": 31, "second_2": 140}
    for line, us in delays.items():
        lane = int(line[-1])
        cable.pico.follow(FIRST_EMITTER + lane - 1, PINS[line], us * US)
    found: dict[str, int | None] = {}
    for lane in (1, 2, 3):
        answer = cable.during(partial(cable.head.fade, lane, timeout_s=60))
        found |= answer or {}
    off = max((abs((found.get(line) or 0) - us) for line, us in delays.items()), default=0)
    passed = off <= 2 and {line for line, us in found.items() if us is None} == {"lane_3", "second_3"}
    yield Result("fades of 9 to 140 µs, and a lane that stays light: off by up to", f"{off} µs", passed)


def colour(cable: Cable, chance: Random, short: bool) -> Iterator[Result]:
    """A colour sensor at the head whose counts are known, read while beams change; then it is unplugged."""
    chip = Tcs34725(HeadBus(cable.head, timeout_s=60), 4, nullcontext())
    counts = Reading(*(chance.randrange(1, 20_000) for _ in range(4)))
    registers = bytearray(32)
    registers[ID], registers[ID + 1] = IDS[0], 1
    registers[ID + 2 : ID + 10] = b"".join(count.to_bytes(2, "little") for count in counts)
    cable.pico.sensor(bytes(registers))
    times = 3 if short else 30
    plan = [
        (25 * MS * turn + part, line, bool(part)) for turn in range(times) for part in (0, 9 * MS) for line in LINES
    ]

    def read() -> list[Reading | None]:
        chip.wake()
        chip.begin()
        return [chip.read() for _ in range(times)]

    found = cable.during(read, 25 * times, plan)
    good = sum(reading == counts for reading in found)
    yield Result(f"colour sensor: right readings of {times}", f"{good}", good == times)
    edges = len(cable.received.edges)
    spread = [change.us for change in cable.received.changes]
    apart = max(max(spread[at : at + 12]) - min(spread[at : at + 12]) for at in range(0, len(spread), 12))
    passed = edges == len(plan) and not cable.received.lost and apart <= 2
    yield Result(f"{len(plan)} edges meanwhile, twelve at a time", f"{edges}, {apart} µs apart", passed)
    cable.pico.sensor(b"")
    yield Result("without the colour sensor", *_refused(cable, chip))


def _refused(cable: Cable, chip: Tcs34725) -> tuple[str, bool]:
    """Return what is said of a sensor that is not there, and whether the head stays ready."""
    try:
        cable.during(chip.wake, 20)
    except OSError as fault:
        return str(fault.strerror), cable.head.state.name == "ready"
    return "it answered", False


TRIALS: dict[str, Callable[[Cable, Random, bool], Iterator[Result]]] = {
    "together": together, "single": single, "pulses": pulses, "announcements": announcements, "flood": flood,
    "overflow": overflow, "emitters": emitters, "fade": fade, "colour": colour,
}  # fmt: skip


def _same(cable: Cable, received: Received) -> bool:
    """Return whether the driver reported the changes of the plan, each once, and in their order for each line."""
    return len(received.edges) == len(cable.plan) and all(
        [edge.active for edge in received.edges if edge.line == line]
        == [not high for _, on, high in cable.plan if on == line]
        for line in LINES
    )
