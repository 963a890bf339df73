"""Six players toss a cube each into a lane of their own: the edges of all lanes together, and the true order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from hardware.gate.geometry import SIX, Gate
from scripts.falls.box import at_the_box
from scripts.falls.chance import Kind, Ranges, handful
from scripts.falls.fall import Fall, fall
from umpi.timing.occlusion import BeamEdge, Settings


@dataclass(frozen=True)
class Toss:
    """A fall in each lane, and how much later than the first each cube was tossed."""

    falls: tuple[Fall, ...]
    later_ms: tuple[float, ...]

    @property
    def edges(self) -> tuple[BeamEdge, ...]:
        """Return the edges of all beams as one source without errors stamps them."""
        found = [
            replace(edge, t=edge.t + round(later * 1e6), lane=lane)
            for lane, (seen, later) in enumerate(zip(self.falls, self.later_ms, strict=True))
            for edge in seen.edges
        ]
        return tuple(replace(edge, seq=seq) for seq, edge in enumerate(sorted(found, key=lambda each: each.t), 1))

    @property
    def order(self) -> tuple[tuple[float, int], ...]:
        """Return when each lane's cube met the first beam, in ms, and the lane, by time; without those that stopped."""
        first: dict[int, int] = {}
        for edge in self.edges:
            if edge.beam == 0 and edge.dark:
                first.setdefault(edge.lane, edge.t)
        return tuple(sorted((t / 1e6, lane) for lane, t in first.items()))


def tossed(gate: Gate, kind: Kind, ranges: Ranges, seed: str, number: int) -> Toss:
    """Let six cubes of this kind fall, each in its lane and all within the time of a handful."""
    chance = Random(f"{seed}/{gate.cube}/{kind.name}/{number}")
    falls = tuple(fall(gate, handful(gate, kind, chance, ranges), to_rail=False) for _ in range(SIX))
    return Toss(falls, tuple(chance.uniform(0, ranges.within_ms) for _ in range(SIX)))


def judged(gate: Gate, toss: Toss) -> dict[str, bool]:
    """Return what became of a toss with one and with two beams a lane. A dead heat is no doubt here."""
    code = gate.numbers.code
    lanes = tuple(lane for _, lane in toss.order)
    times = [at for at, _ in toss.order]
    found = {"stuck": len(lanes) < SIX}
    for beams in (1, 2):
        settings = Settings(SIX, beams, gate.cube, code.turned, code.speed_mm_s, code.beam_gap_mm)
        apart = all(after - before > settings.dead_heat_us / 1000 for before, after in pairwise(times))
        box = at_the_box(toss.edges, settings)
        found[f"doubtful {beams}"] = apart and box.doubtful
        found[f"wrong {beams}"] = box.silently_wrong(lanes)
    return found
