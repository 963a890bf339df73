"""Write pages as PDF, true to size, as SVG, and as a picture of the printed PDF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from hardware.drawing.ink import Fill, Ink, Letters, Ring, Stroke
from hardware.drawing.letters import BOLD, NARROW, PLAIN
from hardware.drawing.origin import origin, save_png
from hardware.drawing.pages import Page
from hardware.drawing.sheet import LAYERS, Sheet

POINTS = 72 / 25.4  # a millimetre in a PDF's points
DOTS_PER_MM = 6
DOTS_AT_MOST = 2400  # a side of a picture, however large the drawing
ANCHORS = {"left": "start", "centre": "middle", "right": "end"}


def write_pdf(sheet: Sheet, pages: list[Page], path: Path, svg: str) -> None:
    """Write pages, each as large as it is; no date, so that the same drawing gives the same file."""
    path.write_bytes(_pdf(sheet, pages, origin(svg)))


def write_png(sheet: Sheet, page: Page, path: Path, svg: str) -> None:
    """Write one page as a picture, at 6 dots a millimetre or fewer."""
    dots_per_mm = min(DOTS_PER_MM, DOTS_AT_MOST / max(page.width, page.height))
    document = pypdfium2.PdfDocument(_pdf(sheet, [page]))
    picture = document[0].render(scale=dots_per_mm / POINTS, grayscale=True).to_pil()
    save_png(picture.quantize(16), path, svg)


def svg_of(page: Page) -> str:
    """Return one page as SVG, its units millimetres of paper."""
    wide, high = _number(page.width), _number(page.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
        ' font-family="DejaVu Sans Condensed, Helvetica, Arial, sans-serif" fill="none" stroke="black">\n'
        '<rect width="100%" height="100%" fill="white" stroke="none"/>\n'
        + "".join(f"{_svg(ink, page.height, *page.shift)}\n" for ink in page.drawing)
        + "".join(f"{_svg(ink, page.height, 0, 0)}\n" for ink in page.frame)
        + "</svg>\n"
    )


def _pdf(sheet: Sheet, pages: list[Page], keywords: str = "") -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pageCompression=1, invariant=1, initialFontName=PLAIN)
    canvas.setTitle(f"{sheet.number} {sheet.title}")
    canvas.setKeywords(keywords)
    for page in pages:
        canvas.setPageSize((page.width * POINTS, page.height * POINTS))
        canvas.scale(POINTS, POINTS)
        canvas.saveState()
        left, bottom, right, top = page.window
        window = canvas.beginPath()
        window.rect(left, bottom, right - left, top - bottom)
        canvas.clipPath(window, stroke=0, fill=0)
        canvas.translate(*page.shift)
        for ink in page.drawing + page.crosses:
            _draw(canvas, ink)
        canvas.restoreState()
        for ink in page.frame:
            _draw(canvas, ink)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _draw(canvas: Canvas, ink: Ink) -> None:
    match ink:
        case Letters(at, text, _, align, turned, bold):
            canvas.saveState()
            canvas.translate(*at)
            canvas.rotate(turned)
            canvas.scale(NARROW, 1)
            canvas.setFont(BOLD if bold else PLAIN, ink.size_mm)
            {"left": canvas.drawString, "centre": canvas.drawCentredString, "right": canvas.drawRightString}[align](
                0, 0, text
            )
            canvas.restoreState()
        case Fill(points):
            canvas.drawPath(_path(canvas, points, True), stroke=0, fill=1)
        case Stroke(points, closed, layer):
            _take(canvas, layer)
            canvas.drawPath(_path(canvas, points, closed))
        case Ring((x, y), radius, layer):
            _take(canvas, layer)
            canvas.circle(x, y, radius)


def _take(canvas: Canvas, layer: str) -> None:
    canvas.setLineWidth(LAYERS[layer].width_mm)
    canvas.setDash(list(LAYERS[layer].dashes_mm))


def _path(canvas: Canvas, points: tuple[tuple[float, float], ...], closed: bool) -> object:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    if closed:
        path.close()
    return path


def _svg(ink: Ink, height: float, right: float, up: float) -> str:
    def at(points: tuple[tuple[float, float], ...]) -> Iterator[str]:
        for x, y in points:
            yield f"{_number(x + right)},{_number(height - y - up)}"

    match ink:
        case Letters(where, text, _, align, turned, bold):
            weight = ' font-weight="bold"' if bold else ""
            spot = next(at((where,))).replace(",", " ")
            turn = f" rotate({_number(-turned)})" if turned else ""
            return (
                f'<text transform="translate({spot}){turn}" font-size="{_number(ink.size_mm)}"'
                f' text-anchor="{ANCHORS[align]}"{weight} fill="black" stroke="none">{escape(text)}</text>'
            )
        case Fill(points):
            return f'<polygon points="{" ".join(at(points))}" fill="black" stroke="none"/>'
        case Stroke(points, closed, layer):
            return f'<{"polygon" if closed else "polyline"} points="{" ".join(at(points))}"{_pen(layer)}/>'
        case Ring(centre, radius, layer):
            x, y = next(at((centre,))).split(",")
            return f'<circle cx="{x}" cy="{y}" r="{_number(radius)}"{_pen(layer)}/>'


def _pen(layer: str) -> str:
    pen = LAYERS[layer]
    dashes = f' stroke-dasharray="{" ".join(map(_number, pen.dashes_mm))}"' if pen.dashes_mm else ""
    return f' class="{layer}" stroke-width="{_number(pen.width_mm)}"{dashes}'


def _number(value: float) -> str:
    return f"{round(value, 3) + 0:g}" if abs(value) < 1000 else f"{round(value, 3)}"
