"""What can go wrong at a gate: announcements with a mishap that the beams cannot see as such, each with its truth.

Times are in milliseconds, lengths in mm. A mishap may turn out harmless by chance, as at a table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from random import Random

from tests.kit.chute import MS, Announcement, Chute, Span, Tossed, merged
from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Settings, Verdict

SMALL_MM = 12
Beams = dict[tuple[int, int], list[Span]]


class Mishaps(Chute):
    """Throws ordinary announcements in which one thing goes wrong.

    `blind` is whether an emitter test shortly before and after the last announcement finds a receiver that sees light.
    """

    def __init__(self, settings: Settings, chance: Random) -> None:
        super().__init__(settings, chance)
        self.blind = False

    def bounce(self) -> Announcement:
        """The last cube jumps back, until its upper edge is up to 60 mm above the first beam, and falls again."""
        cubes = self._cast(rough=False)
        cube, pull = cubes[-1], self.chance.uniform(4000, 9810)
        above, away = self.chance.uniform(0, 60), self.chance.uniform(30, 300)
        beams = self._beams(cubes)
        for beam in range(self.settings.beams):
            height = above + beam * self.settings.beam_gap_mm
            top = cube.spans[0][1] + round((away + _rise_ms(above, pull)) * MS)
            enters, leaves = _rise_ms(height, pull), _rise_ms(max(height - self.settings.cube_mm, 0), pull)
            dark = [(-enters, enters)] if not leaves else [(-enters, -leaves), (leaves, enters)]
            _darken(beams, (cube.lane, beam), [(top + _ns(a), top + _ns(b)) for a, b in dark])
        return self._seen(cubes, beams, shuffled=True)

    def finger(self) -> Announcement:
        """A fingertip comes from above or from below, for 10 to 300 ms, and reaches one beam or both."""
        cubes = self._cast(rough=False)
        beams = self._beams(cubes)
        lane = self.chance.randrange(self.settings.lanes)
        start = self.chance.choice([cube.spans[-1][1] for cube in cubes]) + _ns(self.chance.uniform(20, 400))
        stay, reach = self.chance.uniform(10, 300), self.chance.uniform(0, 1) < 0.5
        order = (0, 1) if self.chance.random() < 0.5 else (1, 0)
        delay = self.chance.uniform(2, 40)
        for place, beam in enumerate(order[: self.settings.beams] if self.settings.beams == 2 else (0,)):
            inside = stay - 2 * delay * place
            if inside > 0 and (reach or not place):
                at = start + _ns(delay * place)
                _darken(beams, (lane, beam), [(at, at + _ns(inside))])
        return self._seen(cubes, beams, shuffled=True)

    def flash(self) -> Announcement:
        """Light blinds the receivers of neighbouring lanes for 300 ms, from before the first cube to after the last."""
        return self._sun(lambda first, last: (self.chance.randint(first - 300 * MS, last), 300 * MS))

    def sun(self) -> Announcement:
        """The same for 2 to 60 s: it begins up to a minute before the first cube, and blinds at least one of them."""
        return self._sun(
            lambda first, last: (
                self.chance.randint(first - 60_000 * MS, last), self.chance.randint(2000, 60_000) * MS,
            )
        )  # fmt: skip

    def _sun(self, shines: Callable[[int, int], Span]) -> Announcement:
        cubes = self._cast(rough=False)
        beams = self._beams(cubes)
        first, last = cubes[0].front_ns, max(cube.spans[-1][1] for cube in cubes)
        begins, lasts = shines(first, last)
        lit = self.chance.randint(1, self.settings.lanes)
        lowest = self.chance.randint(0, self.settings.lanes - lit)
        for (lane, _), spans in beams.items():
            if lowest <= lane < lowest + lit:
                spans[:] = [part for span in spans for part in _without(span, (begins, begins + lasts))]
        tested = first - _ns(self.chance.uniform(500, 5500)), last + _ns(500)
        self.blind = any(begins <= at <= begins + lasts for at in tested)
        return self._seen(cubes, beams, shuffled=True)

    def cross_talk(self) -> Announcement:
        """A receiver sees the emitter of another lane for 60 to 95 % of the time in which its own is blocked."""
        cubes = self._cast(rough=False)
        beams = self._beams(cubes)
        lane, seen = self.chance.choice(cubes).lane, self.chance.uniform(0.6, 0.95)
        for (where, _), spans in beams.items():
            if where == lane:
                spans[:] = [part for span in spans for part in self._flickers(span, seen)]
        return self._seen(cubes, beams, shuffled=True)

    def weak(self) -> Announcement:
        """An emitter is so weak that its beam goes dark by itself, 5 to 30 times a second, for 4 ms on average."""
        cubes = self._cast(rough=False)
        beams = self._beams(cubes)
        lane, beam = self.chance.randrange(self.settings.lanes), self.chance.randrange(self.settings.beams)
        rate, at = self.chance.uniform(5, 30), cubes[0].front_ns - 100 * MS
        while (at := at + _ns(self.chance.expovariate(rate) * 1000)) < cubes[-1].spans[-1][1] + 100 * MS:
            _darken(beams, (lane, beam), [(at, at + 1 + _ns(self.chance.expovariate(1 / 4)))])
        return self._seen(cubes, beams, shuffled=True)

    def mixed(self) -> Announcement:
        """Some cubes have 12 mm instead of 16, and cubes of one lane often touch."""
        cubes = self._cast(rough=False)
        mixed: list[Tossed] = []
        for cube in cubes:
            size = self.chance.choice((SMALL_MM, self.settings.cube_mm)) * self._between(1, self.settings.turned)
            front, speed = cube.front_ns, cube.speed
            before = next((other for other in reversed(mixed) if other.lane == cube.lane), None)
            if before and self.settings.lanes == 1:
                if self.chance.random() < 0.5:
                    front, speed = before.spans[0][1], before.speed
                else:
                    front = max(front, before.spans[1][1])
            mixed.append(Tossed(cube.lane, speed, speed, self._spans(front, size, speed)))
        return self._seen(mixed, self._beams(mixed), shuffled=True)

    def abreast(self) -> Announcement:
        """Two cubes pass the beams of one lane side by side, the second less than a cube's length behind."""
        cubes = self._cast(rough=False)
        cube = self.chance.choice(cubes)
        behind = self._ns(self.chance.uniform(0, self.settings.cube_mm), cube.speed)
        beside = Tossed(
            cube.lane, cube.speed, cube.speed, self._spans(cube.front_ns + behind, self.settings.cube_mm, cube.speed)
        )
        both = [*cubes, beside]
        return self._seen(both, self._beams(both), shuffled=True)

    def rest(self) -> Announcement:
        """The last cube rests in the first beam for 5 to 400 ms before it falls on."""
        cubes = self._cast(rough=False)
        cube, stay = cubes[-1], _ns(self.chance.uniform(5, 400))
        (front, back), (front_below, back_below) = cube.spans
        cube.spans = (front, back + stay), (front_below + stay, back_below + stay)
        return self._seen(cubes, self._beams(cubes), shuffled=True)

    def _flickers(self, span: Span, seen: float) -> list[Span]:
        """What is left dark of a span, if light comes in between for this part of the time, 0.1 to 3 ms at once."""
        parts, at = [], span[0]
        while at < span[1]:
            light = _ns(self.chance.uniform(0.1, 3))
            dark = round(light * (1 - seen) / seen)
            parts.append((at, min(at + max(dark, 1), span[1])))
            at += dark + light
        return parts


MISHAPS: dict[str, Callable[[Mishaps], Announcement]] = {
    "a cube bounces back": Mishaps.bounce,
    "a fingertip goes in and out": Mishaps.finger,
    "light for 300 ms": Mishaps.flash,
    "sun for seconds": Mishaps.sun,
    "another lane's emitter": Mishaps.cross_talk,
    "weak emitters": Mishaps.weak,
    "cubes of 16 and 12 mm mixed": Mishaps.mixed,
    "two cubes side by side": Mishaps.abreast,
    "a cube rests in the beam": Mishaps.rest,
}


def at_the_box(seen: Announcement, settings: Settings, blind: bool) -> Verdict:
    """The verdict of the box, whose emitters are switched: `blind` is what their test found."""
    named = [(("lane", "second")[beam], lane) for beam in range(settings.beams) for lane in range(settings.lanes)]
    chosen = {key: value for key, value in asdict(settings).items() if key not in ("lanes", "beams")}
    funnel = Funnel([f"{kind}_{lane + 1}" for kind, lane in named], chosen)
    for edge in seen.edges:
        funnel.edge(Edge(f"{('lane', 'second')[edge.beam]}_{edge.lane + 1}", edge.dark, edge.t))
    funnel.lit(blind)
    return funnel.verdict


def _rise_ms(height: float, pull: float) -> float:
    """How long something falls that far from rest."""
    return math.sqrt(2 * height / pull) * 1000


def _ns(ms: float) -> int:
    return round(ms * MS)


def _darken(beams: Beams, beam: tuple[int, int], spans: list[Span]) -> None:
    beams[beam] = merged([*beams.get(beam, []), *spans])


def _without(span: Span, light: Span) -> list[Span]:
    """What is left of a darkness outside a time of light."""
    start, end = span
    return [(a, b) for a, b in ((start, min(end, light[0])), (max(start, light[1]), end)) if a < b]
