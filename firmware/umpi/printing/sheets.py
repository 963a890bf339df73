"""The sheets of a game, written as PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import accumulate

from reportlab.pdfgen.canvas import Canvas

from umpi.i18n.translate import current_language, game_label, tr
from umpi.kernel.game import Game
from umpi.kernel.printable import Deck, Needs, Pieces, Scores, Sheet
from umpi.printing.cards import card_of
from umpi.printing.fonts import register_fonts
from umpi.printing.large import large_needs, large_pages
from umpi.printing.layout import pages_of
from umpi.printing.needs import Printed, needs_piece
from umpi.printing.paper import Page, draw_page, paper_of, room_of, write_document
from umpi.printing.pen import Pen
from umpi.printing.scores import score_piece


def pages_of_sheet(sheet: Pieces | Deck | Scores, game: type[Game], paper: str, large: bool = False) -> list[Page]:
    """Return the pages of a sheet, or those in large print. Raises ValueError if the game describes it wrongly."""
    title = title_of(sheet, game)
    if large:
        return large_pages(sheet, title, game.seats[-1], paper)
    match sheet:
        case Scores():
            whole = score_piece(sheet._replace(title=title), game.seats[-1], room_of(paper, False))
            return pages_of([whole], paper, title)
        case Deck():
            return pages_of([card_of(face) for face in sheet.cards], paper, title)
        case Pieces():
            return pages_of(sheet.pieces, paper, title)


def write_sheets(
    file: str, game: type[Game], sheets: Sequence[Sheet], paper: str, replace: bool, large: bool = False
) -> list[int]:
    """Write sheets in the current language as one PDF, and return the number of pages of each.

    Raises OSError if the file cannot be written, FileExistsError if it exists and may not be replaced, MissingFont if
    letters cannot be printed, ValueError if the game describes a sheet wrongly.
    """
    return write_pages(file, str(game_label(game)), lambda: _pages_of(sheets, game, paper, large), paper, replace)


def write_pages(
    file: str, title: str, make: Callable[[], Sequence[Sequence[Page]]], paper: str, replace: bool
) -> list[int]:
    """Write the pages of each sheet that `make` returns as one PDF, and return the number of pages of each.

    `make` is called again if a letter needs another font. Raises OSError if the file cannot be written, FileExistsError
    if it exists and may not be replaced, MissingFont if letters cannot be printed, and what `make` raises.
    """
    fonts = register_fonts()
    pages = make()
    document, letters = _drawn(pages, title, paper)
    if register_fonts(letters) != fonts:  # the widths of the letters change too
        pages = make()
        document, _ = _drawn(pages, title, paper)
    write_document(file, document, replace)
    return list(map(len, pages))


def title_of(sheet: Sheet, game: type[Game]) -> str:
    """Return the title of a sheet with the name of its game, in the current language."""
    return tr("{game} · {sheet}", game=game_label(game), sheet=tr(sheet.title))


def _pages_of(sheets: Sequence[Sheet], game: type[Game], paper: str, large: bool) -> list[list[Page]]:
    """Return the pages of each sheet. The pages of what a game needs name the pages of all others."""
    made = [[] if isinstance(sheet, Needs) else pages_of_sheet(sheet, game, paper, large) for sheet in sheets]
    for _ in range(3):  # the page numbers on the needs can change how many pages the needs have
        counts = [(sheet, len(pages) or 1) for sheet, pages in zip(sheets, made, strict=True)]
        made = [
            _needs_pages(sheet, game, counts, paper, large) if isinstance(sheet, Needs) else pages
            for sheet, pages in zip(sheets, made, strict=True)
        ]
    return made


def _needs_pages(
    needs: Needs, game: type[Game], counts: Sequence[tuple[Sheet, int]], paper: str, large: bool
) -> list[Page]:
    ends = accumulate(number for _, number in counts)
    printed = [
        Printed(sheet, end - number + 1, end)
        for (sheet, number), end in zip(counts, ends, strict=True)
        if not isinstance(sheet, Needs)
    ]
    title = title_of(needs, game)
    if large:
        return large_needs(needs, title, printed, paper)
    return pages_of([needs_piece(needs, title, printed, room_of(paper, False))], paper, title)


def _drawn(sheets: Sequence[Sequence[Page]], title: str, paper: str) -> tuple[bytes, set[str]]:
    """Return the document, and all letters in it."""
    pages = [page for each in sheets for page in each]
    out = BytesIO()
    canvas = Canvas(out, invariant=1, lang=current_language(), pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Umpi")
    letters: set[str] = set(title)
    for number, page in enumerate(pages, 1):
        pen = Pen(canvas, paper_of(paper, page.wide), page.large)
        draw_page(pen, page, number, len(pages))
        letters |= pen.letters
        canvas.showPage()
    canvas.save()
    return out.getvalue(), letters
