"""The marks of the six seats as shapes, and their colours as ink."""

from __future__ import annotations

from hardware.print.paper import BLACK, Ink, Page, Point
from umpi.box.config import COLOURS
from umpi.table.seats import SHAPES

WHITE: Ink = (1, 1, 1)
INKS: dict[str, Ink] = {
    "red": (0.8, 0.1, 0.1), "blue": (0.1, 0.3, 0.75), "yellow": (1, 0.82, 0.1), "green": (0.1, 0.55, 0.25),
    "white": WHITE, "black": BLACK,
}  # fmt: skip
ON = {colour: BLACK if colour in ("yellow", "white") else WHITE for colour in COLOURS}  # legible ink


def draw_mark(page: Page, seat: int, at: Point, size: float, ink: Ink, ground: Ink) -> None:
    """Draw the mark of a seat, centred at `at`, as the panel draws it."""
    (x, y), half = at, size / 2
    match SHAPES[seat]:
        case "disc":
            page.round(at, size, ink, 0)
        case "ring":
            page.round(at, size, ink, 0)
            page.round(at, size * 0.56, ground, 0)
        case "square":
            own = 0.88 * half
            page.shape([(x - own, y - own), (x + own, y - own), (x + own, y + own), (x - own, y + own)], ink)
        case "triangle":
            page.shape([(x - half, y - half), (x + half, y - half), (x, y + half)], ink)
        case "diamond":
            page.shape([(x - half, y), (x, y - half), (x + half, y), (x, y + half)], ink)
        case "cross":
            arm, own = 0.16 * size, 0.8 * half
            for way in (1, -1):
                page.shape(
                    [
                        (x - own - arm / 2, y - way * (own - arm / 2)), (x - own + arm / 2, y - way * (own + arm / 2)),
                        (x + own + arm / 2, y + way * (own - arm / 2)), (x + own - arm / 2, y + way * (own + arm / 2)),
                    ],
                    ink,
                )  # fmt: skip
