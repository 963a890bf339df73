"""A plain picture of boxes, lines, dots and words, written as SVG and PNG. Units are pixels, y downwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont

from hardware.drawing.fonts import font_file
from hardware.drawing.origin import save_png

FONT = font_file("DejaVuSans")
EDGE = 4  # width of the edge of words
TWICE = 2  # the PNG is drawn larger, so that its lines are smooth

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A line through points, a filled box or dot, or words."""

    kind: str  # line, box, dot, text
    points: tuple[Point, ...]
    colour: str = "black"
    fill: str = "none"
    size: float = 1.0  # width of a line, radius of a dot, height of the words
    words: str = ""
    anchor: str = "start"  # start, middle, end
    upright: bool = False  # words from below upwards


@dataclass
class Picture:
    """Shapes on a white page."""

    width: int
    height: int
    shapes: list[Shape] = field(default_factory=list)

    def line(self, *points: Point, colour: str = "black", width: float = 1.0) -> None:
        """Draw a line through points."""
        self.shapes.append(Shape("line", points, colour, size=width))

    def box(self, corner: Point, size: Point, colour: str = "black", fill: str = "none", width: float = 1.0) -> None:
        """Draw a box from its upper left corner."""
        (x, y), (w, h) = corner, size
        self.shapes.append(Shape("box", ((x, y), (x + w, y + h)), colour, fill, width))

    def dot(self, at: Point, radius: float, fill: str = "black", colour: str = "black") -> None:
        """Draw a filled circle."""
        self.shapes.append(Shape("dot", (at,), colour, fill, radius))

    def text(
        self, at: Point, words: str, size: float = 13, anchor: str = "start", colour: str = "black",
        around: str = "none", upright: bool = False,
    ) -> None:  # fmt: skip
        """Write words; `at` is on their base line. `around` is the colour of an edge that sets them off from lines."""
        self.shapes.append(Shape("text", (at,), colour, around, size, words, anchor, upright))

    def svg(self) -> str:
        """Return the picture as SVG."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, sans-serif">',
                 f'<rect width="{self.width}" height="{self.height}" fill="white"/>']  # fmt: skip
        return "\n".join([*lines, *map(_svg, self.shapes), "</svg>", ""])

    def save(self, folder: Path, name: str) -> list[Path]:
        """Write `name`.svg and `name`.png; return the paths."""
        paths = [folder / f"{name}.svg", folder / f"{name}.png"]
        paths[0].write_text(self.svg(), encoding="utf-8")
        image = Image.new("RGB", (self.width * TWICE, self.height * TWICE), "white")
        pen = ImageDraw.Draw(image)
        for shape in self.shapes:
            _ink(image, pen, shape)
        flat = image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        save_png(flat.quantize(128, Image.Quantize.FASTOCTREE), paths[1], self.svg())
        return paths


def _svg(shape: Shape) -> str:
    (x, y), *rest = shape.points
    if shape.kind == "line":
        points = " ".join(f"{px:g},{py:g}" for px, py in shape.points)
        return f'<polyline points="{points}" fill="none" stroke="{shape.colour}" stroke-width="{shape.size:g}"/>'
    if shape.kind == "box":
        size = f'width="{rest[0][0] - x:g}" height="{rest[0][1] - y:g}"'
        pen = f'fill="{shape.fill}" stroke="{shape.colour}" stroke-width="{shape.size:g}"'
        return f'<rect x="{x:g}" y="{y:g}" {size} {pen}/>'
    if shape.kind == "dot":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{shape.size:g}" fill="{shape.fill}" stroke="{shape.colour}"/>'
    pen = f'font-size="{shape.size:g}" text-anchor="{shape.anchor}" fill="{shape.colour}"'
    if shape.fill != "none":
        pen += f' stroke="{shape.fill}" stroke-width="{EDGE}" paint-order="stroke"'
    if shape.upright:
        pen += f' transform="rotate(-90 {x:g} {y:g})"'
    return f'<text x="{x:g}" y="{y:g}" {pen}>{escape(shape.words)}</text>'


def _ink(image: Image.Image, pen: ImageDraw.ImageDraw, shape: Shape) -> None:
    points = [(x * TWICE, y * TWICE) for x, y in shape.points]
    width = max(1, round(shape.size * TWICE))
    fill = None if shape.fill == "none" else shape.fill
    if shape.kind == "line":
        pen.line(points, fill=shape.colour, width=width, joint="curve")
    elif shape.kind == "box":
        pen.rectangle([*points[0], *points[1]], fill=fill, outline=shape.colour, width=width)
    elif shape.kind == "dot":
        (x, y), r = points[0], shape.size * TWICE
        pen.ellipse([x - r, y - r, x + r, y + r], fill=fill, outline=shape.colour, width=TWICE)
    else:
        _write(image, pen, shape, points[0])


def _write(image: Image.Image, pen: ImageDraw.ImageDraw, shape: Shape, at: Point) -> None:
    font = ImageFont.truetype(str(FONT), shape.size * TWICE)
    edge = 0 if shape.fill == "none" else EDGE * TWICE // 2
    side = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
    if not shape.upright:
        pen.text(at, shape.words, font=font, fill=shape.colour, anchor=side, stroke_width=edge, stroke_fill=shape.fill)
        return
    long, high = round(font.getlength(shape.words)) + 4 * edge, round(2 * shape.size * TWICE)
    mask, around = (Image.new("L", (long, high)) for _ in range(2))
    place = (2 * edge, high * 3 // 4)
    ImageDraw.Draw(mask).text(place, shape.words, font=font, fill=255, anchor="ls")
    ImageDraw.Draw(around).text(place, shape.words, font=font, fill=255, anchor="ls", stroke_width=edge)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * font.getlength(shape.words) + 2 * edge
    corner = round(at[0] - place[1]), round(at[1] - long + before)
    if edge:
        image.paste(shape.fill, corner, around.transpose(Image.Transpose.ROTATE_90))
    image.paste(shape.colour, corner, mask.transpose(Image.Transpose.ROTATE_90))
