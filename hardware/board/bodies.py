"""The bodies of a board in mm: the board itself, the body of each part, and the Pico on its sockets.

x is to the right, y upwards on the drawing (away from the lower edge of the board), z up from its lower face.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.board.plan import PICO_ROWS, Placed, Plan, footprints, source

Corner = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Body:
    """A part as a box, from its lowest to its highest corner."""

    ref: str
    kind: str  # a name of [body] in board.toml
    low: Corner
    high: Corner


def colour_of(kind: str) -> tuple[int, int, int]:
    """Return the colour of a kind of part."""
    red, green, blue = bytes.fromhex(source()["body"][kind]["colour"].removeprefix("#"))
    return red, green, blue


def thickness() -> float:
    """Return how thick the boards are."""
    return float(source()["body"]["board"]["height"])


def holes(plan: Plan) -> list[tuple[float, float, float]]:
    """Return the holes for legs and screws: x, y and diameter. Vias are left out: mask covers them."""
    return [(pad.at[0], round(plan.size[1] - pad.at[1], 4), pad.drill) for _, pad in plan.pads() if pad.drill]


def bodies(plan: Plan) -> list[Body]:
    """Return the body of every part, from the outline in its footprint and its height in board.toml."""
    found = [_body(plan, part, kind) for part in plan.parts if (kind := _kind(part)) in source()["body"]]
    return found + (list(_pico(plan, found)) if plan.side == "head" else [])


def _kind(part: Placed) -> str:
    """Return the key of a footprint in board.toml."""
    plug, *_ = source()["footprint"]["plug"].split("{n}")
    known = {name: key for key, name in source()["footprint"].items()}
    return "plug" if part.footprint.startswith(plug) else str(known[part.footprint])


def _body(plan: Plan, part: Placed, kind: str) -> Body:
    left, top, right, low = footprints()[part.footprint]["body"]
    corners = [part.moved((left, top)), part.moved((right, low))]
    (x1, x2), (y1, y2) = (sorted(each) for each in zip(*corners, strict=True))
    height, above = source()["body"][kind]["height"], thickness()
    z1, z2 = (-height, 0.0) if part.below else (above, above + height)
    return Body(part.ref, kind, (x1, plan.size[1] - y2, z1), (x2, plan.size[1] - y1, z2))


def _pico(plan: Plan, found: list[Body]) -> list[Body]:
    """Return the Pico and its USB socket, as they are on the two sockets of the gate board."""
    pico, socket = source()["body"]["pico"], source()["body"]["usb"]
    ends = [part.pads[0].at for part in plan.parts if part.ref in PICO_ROWS]  # legs 1 and 21
    left = min(x for x, _ in ends) - pico["to_leg"]
    middle = plan.size[1] - sum(y for _, y in ends) / 2
    low = max(body.high[2] for body in found if body.kind == "head") + pico["plastic"]
    (long, wide), (usb_long, usb_wide) = pico["size"], socket["size"]
    top, out = low + pico["height"], left - socket["out"]
    return [
        Body("Pico", "pico", (left, middle - wide / 2, low), (left + long, middle + wide / 2, top)),
        Body(
            "USB of the Pico", "usb",
            (out, middle - usb_wide / 2, top), (out + usb_long, middle + usb_wide / 2, top + socket["height"]),
        ),
    ]  # fmt: skip
