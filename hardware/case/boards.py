"""The printed circuit board in the box: the body of each of its parts at its place, with what is plugged into it."""

from __future__ import annotations

from collections.abc import Callable

from hardware.board.bodies import Body, bodies, thickness
from hardware.board.plan import plan, source
from hardware.case.numbers import Case
from hardware.case.panels import on_board
from hardware.case.parts import Corner, Part
from hardware.wiring.model import read_wiring


def carrier(case: Case) -> list[tuple[Part, str]]:
    """Return the Umpi HAT on the header of the Pi, part by part, each with its kind."""
    own, made = case.carrier, plan(read_wiring(), "hat")
    under = case.box.sheet + case.pi.stand_off + case.pi.board + own.up

    def at(corner: Corner) -> Corner:
        return (*on_board(case, own, *corner[:2]), under + corner[2])

    return [(_part(body, at), body.kind) for body in (_board(made.size, "carrier"), *bodies(made))]


def plugged(part: Part, kind: str) -> Part:
    """Return a part as high as it is with its plug in it."""
    more = source()["body"][kind]
    x, y, top = part.high
    return part._replace(high=(x, y, top + more.get("mated", more["height"]) - more["height"]))


def _board(size: tuple[float, float], name: str) -> Body:
    return Body(name, "board", (0.0, 0.0, 0.0), (*size, thickness()))


def _part(body: Body, at: Callable[[Corner], Corner]) -> Part:
    ends = [at(body.low), at(body.high)]
    xs, ys, zs = (sorted(each) for each in zip(*ends, strict=True))
    return Part(body.ref, (xs[0], ys[0], zs[0]), (xs[1], ys[1], zs[1]))
