"""The funnel's beams at play: pass their edges on, and take the cubes that have become certain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from umpi.display.panel import Panel
from umpi.i18n.translate import tr
from umpi.referee.command_handler import CommandHandler
from umpi.referee.cubes import Cubes
from umpi.referee.late_inputs import LateInputs
from umpi.table.commands import Do
from umpi.table.state import Table
from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel


class Beams:
    """Pass edges to the funnel, and have the answers of its cubes executed."""

    def __init__(
        self, funnel: Funnel, cubes: Cubes, table: Table, panel: Panel, commands: CommandHandler, late: LateInputs
    ) -> None:
        self.funnel, self._cubes = funnel, cubes
        self._table, self._panel, self._commands, self._late = table, panel, commands, late
        self._lost = 0  # edges lost since the last look at the cubes
        self._light = False  # whether light on the beams was reported since then

    def take(self, edges: Iterable[Edge]) -> None:
        """Pass the edges of the beams to the funnel, in the order of their arrival."""
        for edge in edges:
            if edge.line in self.funnel.lines:
                self.funnel.edge(edge)

    def lose(self, count: int) -> None:
        """Note how many edges were lost."""
        self._lost += count

    def light(self, on: bool) -> None:
        """Note whether there is light on the beams that keeps them from seeing."""
        self.funnel.lit(on)
        self._light = self._light or on

    def stop(self) -> None:
        """Note that the source of the edges is gone or starts again."""
        self.funnel.reported_until(None)

    def begin(self, dark: Sequence[str]) -> None:
        """Note which beams are dark as their source begins to report."""
        self.funnel.began(dark)

    async def look(self, now_ns: int, quiet: bool) -> bool:
        """Take the cubes that have become certain, and name the owners of those at rest.

        If no input waits to be played, it is `quiet`; otherwise only lost edges and light are looked at. Returns
        whether anything changed.
        """
        if not (self._lost or self._light or quiet):
            return False
        lost, light = self._lost, self._light
        self._lost, self._light = 0, False
        changed = await self._late.run_unprompted("cube", self._take_cubes(now_ns, lost, light)) or lost > 0
        if self._table.state.paused:
            return changed
        return await self._late.run_unprompted("cube", self._name_owner(now_ns)) or changed

    async def _take_cubes(self, now_ns: int, lost: int, light: bool) -> bool:
        """Play the cubes that have become certain; return whether one was seen or a stuck one is free again."""
        fell = self._cubes.fell(now_ns, lost)
        if fell or ((lost or light) and self._cubes.open):
            await self._commands.take_cubes()
            return fell
        return await self._cubes.tell_if_freed()

    async def _name_owner(self, now_ns: int) -> bool:
        """Name the owner of the cube at rest, or show what is unclear about it; return whether anything changed."""
        owner = self._cubes.owner_at_rest()
        if isinstance(owner, Do):
            await self._commands.grant(owner, now_ns, "rail")
        elif owner:
            self._panel.tell(tr("Whose cube?"), owner, passing=True)
        return bool(owner)
