"""A chute with cubes in it: an announcement as it really was, and the edges its beams would give.

Everything stays within the gate's settings; how near to their limits is a matter of chance. Lengths are in mm,
moments in nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from umpi.timing.gate import BeamEdge, Settings

MS, US = 1_000_000, 1_000
START_NS = 81_203_417_000

Span = tuple[int, int]


@dataclass(slots=True)
class Tossed:
    """A cube on its way: its lane, how fast its front and its back pass beam 0, and when it darkens each beam."""

    lane: int
    speed: float
    leaving: float
    spans: tuple[Span, Span]

    @property
    def front_ns(self) -> int:
        return self.spans[0][0]


@dataclass(frozen=True, slots=True)
class Announcement:
    """The lanes of the cubes in the order they truly came out, and the edges in the order they arrived."""

    lanes: tuple[int, ...]
    fronts_ns: tuple[int, ...]
    edges: tuple[BeamEdge, ...]
    arrivals_ns: tuple[int, ...]


class Chute:
    """Throws cubes: `ordinary` as people do when nothing goes wrong, `rough` as a foe of the gate would.

    `pulls` are the least and the greatest acceleration in mm/s²; friction on a slope makes it negative. The cubes of an
    announcement share one, and keep to the speeds of the settings on the whole way.
    """

    def __init__(self, settings: Settings, chance: Random, pulls: tuple[float, float] = (0, 0)) -> None:
        self.settings, self.chance, self.pulls = settings, chance, pulls
        self.pull = 0.0

    def ordinary(self) -> Announcement:
        """Cubes well apart, none turned; here and there the sensor chatters or a glitch falls in."""
        cubes = self._cast(rough=False)
        beams = self._beams(cubes)
        for spans in beams.values():
            rims = [moment for span in spans for moment in span]
            spans[:] = self._chattered(spans, most=2 if self.chance.random() < 0.3 else 0)
            self._glitch(spans, rims, 0.02)
        return self._seen(cubes, beams, shuffled=True)

    def rough(self) -> Announcement:
        """Touching, turned, stuck; dead heats; chatter and glitches where they hurt most; edges lost or doubled."""
        cubes = self._cast(rough=True)
        beams = self._beams(cubes)
        for spans in beams.values():
            rims = [moment for span in spans for moment in span]
            spans[:] = self._chattered(spans, most=self.chance.choice((0, 0, 1, 3, 8)))
            self._glitch(spans, rims, self.chance.choice((0, 0, 0.3, 1)))
        seen = self._seen(cubes, beams, shuffled=self.chance.random() < 0.5)
        return self._lossy(seen) if self.chance.random() < 0.15 else seen

    def _cast(self, rough: bool) -> list[Tossed]:
        if self.pulls == (0, 0):
            return self._thrown(rough)
        for _ in range(10_000):
            self.pull = self._between(*self.pulls) if rough else self.chance.uniform(*self.pulls)
            cubes = self._thrown(rough)
            if all(map(self._in_range, cubes)):
                return cubes
        raise AssertionError("these speeds and pulls leave no throw")

    def _in_range(self, cube: Tossed) -> bool:
        """Whether a cube keeps to the speeds of the settings until its back has passed the last beam."""
        slow, fast = self.settings.speed_mm_s
        end = cube.leaving**2 + 2 * self.pull * self.settings.beam_gap_mm
        return slow <= cube.speed <= fast and (slow * 0.999999) ** 2 <= end <= (fast * 1.000001) ** 2

    def _thrown(self, rough: bool) -> list[Tossed]:
        s, chance = self.settings, self.chance
        number = chance.randint(1, 6)
        if s.lanes == 1 or chance.random() < 0.1:  # a seat has one cube, but may toss it again
            lanes = chance.choices(range(s.lanes), k=number)
        else:
            lanes = chance.sample(range(s.lanes), min(number, s.lanes))
        cubes: list[Tossed] = []
        for index, lane in enumerate(lanes):
            length = s.cube_mm * (self._between(1, s.turned) if rough else 1)
            speed = self._between(*s.speed_mm_s) if rough else chance.uniform(*s.speed_mm_s)
            before = next((cube for cube in reversed(cubes) if cube.lane == lane), None)
            front = START_NS if not cubes else cubes[-1].front_ns + self._lead(rough)
            if before and s.lanes == 1:
                light, speed = self._light(before, speed, rough)
                front = before.spans[0][1] + light
            elif before:
                front = max(front, before.spans[0][1] + round(s.cube_mm / s.speed_mm_s[0] * 1e9))
            if before and front + self._ns(s.beam_gap_mm, speed) < before.spans[1][1]:
                speed = before.leaving  # it cannot fall through the one before it
                front = max(front, before.spans[1][1] - self._ns(s.beam_gap_mm, speed))
            cube = Tossed(lane, speed, self._reached(length, speed), self._spans(front, length, speed))
            if rough and chance.random() < 0.03:
                self._stick(cube, length, last=lane not in lanes[index + 1 :])
            cubes.append(cube)
        return cubes

    def _spans(self, front: int, length: float, speed: float) -> tuple[Span, Span]:
        gap = self.settings.beam_gap_mm
        back, travel = front + self._ns(length, speed), self._ns(gap, speed)
        return (front, back), (front + travel, front + self._ns(length + gap, speed) if self.pull else back + travel)

    def _ns(self, way: float, speed: float) -> int:
        """How long a cube of this speed needs for a way."""
        return round(2 * way / (speed + self._reached(way, speed)) * 1e9)

    def _reached(self, way: float, speed: float) -> float:
        """How fast a cube of this speed is after a way."""
        return speed if not self.pull else max(speed**2 + 2 * self.pull * way, 1) ** 0.5

    def _stick(self, cube: Tossed, length: float, last: bool) -> None:
        """Make a cube stay for a while in beam 0, in both, or in beam 1 if no cube follows."""
        gap = self.settings.beam_gap_mm
        stay = self.chance.randint(self.settings.stuck_ms + 1, 2 * self.settings.stuck_ms) * MS
        way = self.chance.uniform(0.1, length + (gap if last and self.settings.beams == 2 else 0) - 0.1)
        (front, back), (front_below, back_below) = cube.spans
        cube.spans = (
            (front, back + stay * (way < length)), (front_below + stay * (way < gap), back_below + stay),
        )  # fmt: skip

    def _light(self, before: Tossed, speed: float, rough: bool) -> tuple[int, float]:
        """How much light there is behind a cube of the same lane, and how fast the next one comes."""
        s, chance = self.settings, self.chance
        if not rough:
            return round(s.cube_mm / min(speed, before.leaving) * 1e9 * chance.uniform(1, 6)), speed
        match chance.randrange(5):
            case 0 | 1:
                return 0, before.leaving
            case 2:
                return round(chance.random() * s.chatter_us * US), chance.choice((speed, before.leaving))
            case 3:
                return round(chance.random() * (s.glitch_us + 2 * s.chatter_us) * US), chance.choice(
                    (speed, before.leaving)
                )
            case _:
                return chance.randint(0, 40 * MS), speed

    def _lead(self, rough: bool) -> int:
        """How far the next lane's front is behind."""
        window = self.settings.dead_heat_us * US
        if not rough:
            return window + 1 + round(self.chance.expovariate(1 / (40 * MS)))
        shift = (self.settings.glitch_us + self.settings.chatter_us) * US
        return self.chance.choice((
            self.chance.randint(0, 2 * US), self.chance.randint(0, shift), self.chance.randint(0, window + shift),
            self.chance.randint(0, 30 * MS), self.chance.randint(0, 300 * MS),
        ))  # fmt: skip

    def _beams(self, cubes: list[Tossed]) -> dict[tuple[int, int], list[Span]]:
        """What each beam would see of the cubes if it were perfect; touching ones are one."""
        beams: dict[tuple[int, int], list[Span]] = {}
        for cube in cubes:
            for beam in range(self.settings.beams):
                beams.setdefault((cube.lane, beam), []).append(cube.spans[beam])
        for spans in beams.values():
            spans[:] = merged(spans)
        return beams

    def _chattered(self, spans: list[Span], most: int) -> list[Span]:
        """Put up to `most` lights, each shorter than chatter, into each darkness."""
        limit = self.settings.chatter_us * US
        made = []
        for front, back in spans:
            for _ in range(self.chance.randint(0, most) if limit > 1 else 0):
                reach = self.chance.choice((back - front, 2 * MS))  # rims chatter more than middles
                start = front + self.chance.randint(1, max(1, min(reach, back - front)))
                end = start + self._near(limit)
                if end >= back:
                    break
                made.append((front, start))
                front = end
            made.append((front, back))
        return made

    def _glitch(self, spans: list[Span], rims: list[int], how_often: float) -> None:
        """Add glitches at, across or beside edges, some in a chain, and now and then anywhere."""
        limit, chatter = self.settings.glitch_us * US, self.settings.chatter_us * US
        if limit < 2:
            return
        glitches: list[Span] = []
        for index, rim in enumerate(rims):
            for _ in range(2):
                if self.chance.random() >= how_often:
                    break
                width, light = self._near(limit), self.chance.choice((0, 0, self._near(chatter), chatter + US))
                width, light = max(width, 1), min(light, 2 * chatter)
                overlap = self.chance.choice((0, 1, width // 2)) if not light else 0
                start = rim - light - width + overlap if index % 2 == 0 else rim + light - overlap
                rim = start if index % 2 == 0 else start + width  # the next one of a chain
                glitches.append((start, start + width))
        if self.chance.random() < how_often:
            start = START_NS + self.chance.randint(-50 * MS, 400 * MS)
            glitches.append((start, start + self._near(limit)))
        apart: list[Span] = []
        for glitch in sorted(glitches):  # two that run into each other would be one beyond the limit
            if not apart or glitch[0] > apart[-1][1]:
                apart.append(glitch)
        spans[:] = merged(spans + apart)

    def _seen(self, cubes: list[Tossed], beams: dict[tuple[int, int], list[Span]], shuffled: bool) -> Announcement:
        moments = sorted(
            (moment, lane, beam, dark)
            for (lane, beam), spans in beams.items()
            for span in spans
            for moment, dark in zip(span, (True, False), strict=True)
        )
        edges = [BeamEdge(number, *moment) for number, moment in enumerate(moments, 1)]
        late = self.settings.late_ms * MS if shuffled else 0
        arrived = sorted(((edge.t + self.chance.randint(0, late), edge) for edge in edges), key=lambda pair: pair[0])
        if self.chance.random() < 0.5:  # some sources count as they hand on, not as they stamp
            arrived = [(at, replace(edge, seq=number)) for number, (at, edge) in enumerate(arrived, 1)]
        order = sorted(cubes, key=lambda cube: cube.front_ns)
        return Announcement(
            tuple(cube.lane for cube in order), tuple(cube.front_ns for cube in order),
            tuple(edge for _, edge in arrived), tuple(at for at, _ in arrived),
        )  # fmt: skip

    def _lossy(self, seen: Announcement) -> Announcement:
        """Lose some edges, never the last number, for that would leave no gap; or hand one on twice."""
        last = max(edge.seq for edge in seen.edges)
        lost = {self.chance.randint(1, last) for _ in range(self.chance.randint(1, 4))} - {last}
        if self.chance.random() < 0.4:
            first = self.chance.randint(1, last)
            lost = set(range(first, min(first + 2, last)))
        pairs = [(e, at) for e, at in zip(seen.edges, seen.arrivals_ns, strict=True) if e.seq not in lost]
        if pairs and self.chance.random() < 0.3:
            pairs.append((self.chance.choice(pairs)[0], pairs[-1][1]))
        return replace(seen, edges=tuple(e for e, _ in pairs), arrivals_ns=tuple(at for _, at in pairs))

    def _between(self, least: float, most: float) -> float:
        return self.chance.choice((least, most, self.chance.uniform(least, most)))

    def _near(self, limit: int) -> int:
        """Something below a limit, often just below."""
        if limit < 2:
            return 0
        return self.chance.choice((limit - 1, self.chance.randint(1, limit - 1)))


def merged(spans: list[Span]) -> list[Span]:
    """What darkens a beam together: spans that touch are one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


def configurations(settings: Settings) -> Iterator[Settings]:
    """The same gate with one lane and six, one beam and two."""
    for lanes in (1, 6):
        for beams in (1, 2):
            yield replace(settings, lanes=lanes, beams=beams)
