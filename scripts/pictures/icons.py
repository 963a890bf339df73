"""Draw the icons of the page and write its manifest, in the colours of tokens.css.

./scripts/dev icons    write icon.svg, the PNGs and manifest.webmanifest beside the page
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import NamedTuple

from PIL import Image, ImageDraw

from scripts import REPO

PAGE = REPO / "firmware" / "umpi" / "web" / "page"
SIDE = 32  # units of the drawing
ROUND = 7
FINE = 4  # the PNGs are drawn so many times as large, then reduced
SAFE = 0.78  # of a maskable icon: phones cut its edges off
PNGS = (("icon-192.png", 192, False), ("icon-512.png", 512, False), ("icon-maskable-512.png", 512, True))


class Bar(NamedTuple):
    """A rectangle of the drawing, with round corners."""

    left: float
    top: float
    width: float
    height: float
    round: float
    fill: str


class Cap(NamedTuple):
    """The cap of a button."""

    x: float
    y: float
    radius: float
    fill: str


def tokens() -> dict[str, str]:
    """Return the colours of tokens.css by day; those by night have names that begin with "night-"."""
    day, _, rest = (PAGE / "tokens.css").read_text(encoding="utf-8").partition("@media (prefers-color-scheme: dark)")
    found = {f"{more}{name}": colour for more, text in (("", day), ("night-", rest.partition("@media")[0]))
             for name, colour in re.findall(r"--([\w-]+): (#\w+);", text)}  # fmt: skip
    return {
        name: colour if len(colour) > 4 else "#" + "".join(2 * one for one in colour[1:])
        for name, colour in found.items()
    }


def drawing(colours: dict[str, str]) -> list[Bar | Cap]:
    """Return the shapes of the icon without its ground: a panel with two lines of text, and three buttons."""
    seats = (8.5, "red"), (16, "yellow"), (23.5, "green")
    panel, text = colours["night-felt-edge"], colours["felt"]
    return [
        Bar(5, 7, 22, 11, 2, panel), Bar(8, 10, 7, 2, 0, text), Bar(8, 13, 11, 2, 0, text),
        *(Cap(x, 24, 2.5, colours[seat]) for x, seat in seats),
    ]  # fmt: skip


def svg(colours: dict[str, str]) -> str:
    """Return the icon as SVG."""
    inside = [f'<rect width="{SIDE}" height="{SIDE}" rx="{ROUND}" fill="{colours["accent"]}"/>']
    for shape in drawing(colours):
        if isinstance(shape, Bar):
            left, top, width, height, round, fill = shape
            inside.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="{round}" fill="{fill}"/>')
        else:
            inside.append(f'<circle cx="{shape.x}" cy="{shape.y}" r="{shape.radius}" fill="{shape.fill}"/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{"".join(inside)}</svg>\n'


def png(colours: dict[str, str], size: int, maskable: bool) -> Image.Image:
    """Return the icon in dots. If it is maskable, the ground fills it and the drawing keeps clear of the edges."""
    large, unit = size * FINE, size * FINE / SIDE
    image = Image.new("RGBA", (large, large), colours["accent"] if maskable else (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    if not maskable:
        draw.rounded_rectangle((0, 0, large - 1, large - 1), ROUND * unit, colours["accent"])
    scale = unit * (SAFE if maskable else 1)
    edge = (large - SIDE * scale) / 2
    for shape in drawing(colours):
        if isinstance(shape, Bar):
            left, top = edge + shape.left * scale, edge + shape.top * scale
            corner = left + shape.width * scale - 1, top + shape.height * scale - 1
            draw.rounded_rectangle((left, top, *corner), shape.round * scale, shape.fill)
        else:
            x, y, radius = edge + shape.x * scale, edge + shape.y * scale, shape.radius * scale
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), shape.fill)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def manifest(colours: dict[str, str]) -> str:
    """Return the manifest, by which phones install the page."""
    icons = [{"src": "icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}]
    icons += [
        {"src": name, "type": "image/png", "sizes": f"{size}x{size}", "purpose": "maskable" if maskable else "any"}
        for name, size, maskable in PNGS
    ]
    return json.dumps({
        "id": "umpi", "name": "Umpi", "short_name": "Umpi", "description": "The table of an Umpi box.",
        "start_url": "./#table", "scope": "./", "display": "standalone",
        "background_color": colours["paper"], "theme_color": colours["accent"], "icons": icons,
    }, indent=2) + "\n"  # fmt: skip


def main() -> int:
    """Write the files."""
    formatter = argparse.RawDescriptionHelpFormatter
    argparse.ArgumentParser(prog="./scripts/dev icons", description=__doc__, formatter_class=formatter).parse_args()
    colours = tokens()
    (PAGE / "icon.svg").write_text(svg(colours), encoding="utf-8")
    (PAGE / "manifest.webmanifest").write_text(manifest(colours), encoding="utf-8")
    for name, size, maskable in PNGS:
        png(colours, size, maskable).save(PAGE / name, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
