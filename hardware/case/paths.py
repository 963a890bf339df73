"""The paths of plugs, from each socket straight out through its wall."""

from __future__ import annotations

from hardware.case.numbers import Case, PiBoard
from hardware.case.panels import on_board
from hardware.case.parts import Part


def paths(case: Case, board: PiBoard) -> list[tuple[str, Part]]:
    """Return the room that each plug of a Raspberry Pi needs, with its wall."""
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
    return found
