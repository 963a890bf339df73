"""The paths of plugs, from each socket straight out through its wall, and what stands in their way."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.case.numbers import Case, PiBoard
from hardware.case.panels import on_board, panels
from hardware.case.parts import Part
from hardware.case.shapes import Opening

TOUCH = 0.2  # a plug may not come nearer to anything than this, in mm


def paths(case: Case, board: PiBoard, head: str = "perfboard") -> list[tuple[str, Part]]:
    """Return the room that each plug of a Raspberry Pi and of the Pico needs, with its wall."""
    top = case.box.sheet + case.pi.stand_off + case.pi.board
    found = []
    for kind, middle in board.sockets:
        socket = case.pi.sockets[kind]
        (half, thick), up = (side / 2 for side in socket.plug), top + socket.up
        name = f"plug of {kind} {middle:g}"
        if socket.wall == "rear":
            x, y = on_board(case, board, middle, 0)
            path = Part(name, (x - half, y + socket.out, up - thick), (x + half, case.box.depth, up + thick))
        else:
            x, y = on_board(case, board, board.size[0], middle)
            path = Part(name, (0.0, y - half, up - thick), (x - socket.out, y + half, up + thick))
        found.append((socket.wall, path))
    return [*found, ("rear", _pico(case, head))]


def blocked(case: Case, board: PiBoard, found: Iterable[Part], head: str = "perfboard") -> list[str]:
    """Name every plug that meets a part, or the material of its wall."""
    walls = panels(case, next(iter(case.oleds.values())))
    solids = list(found)
    out = []
    for wall, path in paths(case, board, head):
        low = tuple(edge - TOUCH for edge in path.low)
        high = tuple(edge + TOUCH for edge in path.high)
        wider = Part(path.name, (low[0], low[1], low[2]), (high[0], high[1], high[2]))
        own = path.name.removeprefix("plug of ")
        out += [f"{path.name}: {part.name}" for part in solids if part.name not in (own, "Pi") and part.meets(wider)]
        along = 0 if wall == "rear" else 1
        room = Opening(path.low[along], path.low[2], path.high[along], path.high[2])
        if not any(_holds(cut, room) for cut in walls[wall].cuts if isinstance(cut, Opening)):
            out.append(f"{path.name}: the {wall} wall")
    return out


def _pico(case: Case, head: str) -> Part:
    own, board = case.pico, case.heads[head]
    (half, thick), rear = (side / 2 for side in own.plug), board.at[1] + board.size[1]
    up = case.box.sheet + own.stand_off + own.board + own.socket + own.up
    half += own.aside
    return Part("plug of Pico", (own.at - half, rear, up - thick), (own.at + half, case.box.depth, up + thick))


def _holds(cut: Opening, room: Opening) -> bool:
    return cut.left <= room.left and cut.low <= room.low and room.right <= cut.right and room.top <= cut.top
