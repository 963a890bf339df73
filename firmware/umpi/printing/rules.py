"""The rules on paper: a PDF in two columns, with tables, and with examples in grey boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    ListFlowable,
    ListItem,
    PageTemplate,
    TableStyle,
)
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid
from reportlab.platypus.doctemplate import LayoutError

from umpi.printing.fonts import BOLD, PLAIN, register_fonts
from umpi.printing.paper import PAPERS, write_document
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Section, Table

MARGIN = 13 * mm
GUTTER = 7 * mm
BAR = 14 * mm  # the height of the title bar on the first page
BETWEEN = 8  # points between two columns of a table
GREY, LINE = HexColor("#eeeeee"), HexColor("#999999")

Examples = Mapping[str, Sequence[tuple[str, bool]]]  # by name, the lines; each is an act, or is said about one


def write_pdf(file: str, book: Rulebook, examples: Examples, paper: str, heading: str, replace: bool) -> int:
    """Write the rules as PDF, and return the number of pages.

    `examples` contains the lines of each example. `heading` is the template above an example, with {title}.
    Raises OSError if the file cannot be written, FileExistsError if it exists and may not be replaced, MissingFont if
    letters cannot be printed, ValueError if the rules do not fit on paper.
    """
    wide, high = PAPERS[paper]
    register_fonts(f"{book}{examples}")
    column = (wide - 2 * MARGIN - GUTTER) / 2
    story = [part for section in book.sections for part in _section(section, examples, heading, column)]

    def columns(id: str, top: float) -> PageTemplate:
        frames = [Frame(x, MARGIN, column, high - MARGIN - top, 0, 0, 0, 0) for x in (MARGIN, MARGIN + column + GUTTER)]
        return PageTemplate(id, frames, onPage=_page(book.title), autoNextPageTemplate="later")

    out = BytesIO()
    document = BaseDocTemplate(
        out, pagesize=(wide, high), title=book.title, lang=book.language, creator="Umpi", invariant=1,
        pageTemplates=[columns("first", MARGIN + BAR + 4 * mm), columns("later", MARGIN)],
    )  # fmt: skip
    try:
        document.build(story)
    except LayoutError:
        raise ValueError("something is higher than a column of a page, such as a row of a table.") from None
    write_document(file, out.getvalue(), replace)
    return int(document.page)


def _page(title: str) -> Any:
    def draw(canvas: Canvas, document: BaseDocTemplate) -> None:
        wide, high = document.pagesize
        if document.page == 1:
            canvas.setFillColor(black)
            canvas.rect(MARGIN, high - MARGIN - BAR, wide - 2 * MARGIN, BAR, stroke=0, fill=1)
            canvas.setFillColor(white)
            canvas.setFont(BOLD, 20)
            canvas.drawString(MARGIN + 4 * mm, high - MARGIN - BAR + 4.4 * mm, title)
            canvas.setFont(PLAIN, 9)
            canvas.drawRightString(wide - MARGIN - 4 * mm, high - MARGIN - BAR + 4.8 * mm, "Umpi")
        canvas.setFillColor(black)
        canvas.setFont(PLAIN, 7)
        canvas.drawRightString(wide - MARGIN, MARGIN - 5 * mm, f"{title} · {document.page}")

    return draw


def _style(name: str, font: str = PLAIN, size: float = 8.3, **settings: Any) -> ParagraphStyle:
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=1.35 * size, spaceAfter=1.4 * mm, **settings)


def _section(section: Section, examples: Examples, heading: str, column: float) -> Iterator[Flowable]:
    yield CondPageBreak(22 * mm)  # no heading alone at the foot of a column
    yield Text(escape(section.title), _style("heading", BOLD, 11, spaceBefore=1 * mm))
    for block in section.blocks:
        yield from _block(block, examples, heading, column)


def _block(block: Block, examples: Examples, heading: str, column: float) -> Iterator[Flowable]:
    body = _style("body")
    match block:
        case Paragraph(text):
            yield Text(escape(text), body)
        case Items(items, numbered):
            tight = _style("item")
            tight.spaceAfter = 0.5 * mm
            yield ListFlowable(
                [ListItem(Text(escape(item), tight)) for item in items], bulletFontName=PLAIN, bulletFontSize=8.3,
                bulletType="1" if numbered else "bullet", start="1" if numbered else "•", leftIndent=4 * mm,
                bulletFormat="%s." if numbered else None, spaceAfter=1.4 * mm,
            )  # fmt: skip
        case Table(head, rows):
            yield _table(head, rows, column)
        case Example(name, title):
            yield _box(heading.format(title=title), examples[name])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], room: float) -> Flowable:
    cell, bold = _style("cell"), _style("head", BOLD)
    lines = [[Text(escape(text), bold) for text in head], *([Text(escape(text), cell) for text in row] for row in rows)]
    columns = list(zip(head, *rows, strict=True))
    grid = Grid(lines, _widths(columns, room, cell.fontSize), hAlign="LEFT", spaceAfter=2 * mm)
    grid.setStyle(
        TableStyle([
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, black), ("LINEBELOW", (0, 1), (-1, -1), 0.25, LINE),
            ("LEFTPADDING", (0, 0), (-1, -1), 0), ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2), ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ])
    )  # fmt: skip
    return grid


def _widths(columns: Sequence[Sequence[str]], room: float, size: float) -> list[float]:
    """Return the width of each column: of its lines, and the widest has the rest of the room; or its share of that.

    Where the lines are too wide together, each column has the width of its longest word, and what is left is shared as
    the columns would need it for whole lines. If nothing is left, the columns share the room by their longest words.
    """

    def widest(texts: Iterable[str]) -> float:
        return float(max((pdfmetrics.stringWidth(text, BOLD, size) for text in texts), default=0)) + BETWEEN

    wide = [widest(texts) for texts in columns]
    if (rest := room - sum(wide)) >= 0:
        wide[wide.index(max(wide))] += rest
        return wide
    least = [widest(word for text in texts for word in text.split()) for texts in columns]
    if sum(least) >= room:  # long words go on in the next line
        gaps = BETWEEN * len(least)
        part = (room - gaps) / (sum(least) - gaps)
        return [BETWEEN + part * (narrow - BETWEEN) for narrow in least]
    share = (room - sum(least)) / (sum(wide) - sum(least))
    return [narrow + share * (whole - narrow) for narrow, whole in zip(least, wide, strict=True)]


def _box(title: str, lines: Sequence[tuple[str, bool]]) -> Flowable:
    """Return an example in a grey box, which may continue in the next column."""
    bold, act, remark = (
        _style("example", BOLD, 7.5),
        _style("act", size=7.5),
        _style("remark", size=7.5, leftIndent=4 * mm),
    )
    rows = [[Text(escape(title), bold)], *([Text(escape(text), act if is_act else remark)] for text, is_act in lines)]
    grid = Grid(rows, ["100%"], spaceBefore=1 * mm, spaceAfter=2.5 * mm)
    grid.setStyle(
        TableStyle([
            ("BACKGROUND", (0, 0), (-1, -1), GREY), ("TOPPADDING", (0, 0), (-1, -1), 0.8),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 0.8), ("LEFTPADDING", (0, 0), (-1, -1), 5),
        ])
    )  # fmt: skip
    return grid
