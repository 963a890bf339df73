"""Give the edges of a throw to the timing and the announcement of a box, and read what its players would see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from umpi.referee.announcement import Announcement
from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel
from umpi.timing.occlusion import BeamEdge, Settings
from umpi.timing.units import S

KINDS = "lane", "second"  # the lines of the first and of the second beams


@dataclass(frozen=True, slots=True)
class Seen:
    """What a box makes of a throw: the lanes of its cubes in their order, and whether it asks the players about them.

    `played` are the cubes as the match got them, one by one; `lanes` as they are at the end.
    """

    lanes: tuple[int, ...]
    played: tuple[int, ...]
    doubtful: bool

    def silently_wrong(self, lanes: Sequence[int]) -> bool:
        """Return whether the players hear of no doubt, although these lanes are the truth."""
        return not self.doubtful and not self.lanes == self.played == tuple(lanes)


def at_the_box(edges: Sequence[BeamEdge], settings: Settings) -> Seen:
    """Let a box see edges in the order of their stamps, as they come."""
    lanes, beams = range(settings.lanes), range(settings.beams)
    chosen = {key: value for key, value in asdict(settings).items() if key not in ("lanes", "beams")}
    funnel = Funnel([f"{KINDS[beam]}_{lane + 1}" for beam in beams for lane in lanes], chosen)
    announcement = Announcement(funnel)
    for edge in edges:
        if edge.beam in beams:
            announcement.kept += funnel.tick(edge.t)
            funnel.edge(Edge(f"{KINDS[edge.beam]}_{edge.lane + 1}", edge.dark, edge.t))
    if edges:
        announcement.kept += funnel.tick(edges[-1].t + S // 2)
    found = tuple(cube.lane for cube in funnel.verdict.cubes)
    return Seen(found, tuple(cube.lane for cube in announcement.kept), announcement.doubt is not None)
