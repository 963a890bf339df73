"""The sheets of a game, written as PDF."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from umpi.i18n.translate import current_language, game_label, tr
from umpi.kernel.game import Game
from umpi.kernel.printable import Deck, Pieces, Scores, Sheet
from umpi.printing.cards import card_of
from umpi.printing.fonts import register_fonts
from umpi.printing.layout import pages_of
from umpi.printing.paper import Page, draw_page, paper_of, room_of
from umpi.printing.pen import Pen
from umpi.printing.scores import score_piece


def pages_of_sheet(sheet: Sheet, game: type[Game], paper: str) -> list[Page]:
    """Return the pages of a sheet. Raises ValueError if the game describes it wrongly."""
    title = tr("{game} · {sheet}", game=game_label(game), sheet=tr(sheet.title))
    match sheet:
        case Scores():
            whole = score_piece(sheet._replace(title=title), game.seats[-1], room_of(paper, False))
            return pages_of([whole], paper, title)
        case Deck():
            return pages_of([card_of(face) for face in sheet.cards], paper, title)
        case Pieces():
            return pages_of(sheet.pieces, paper, title)


def write_sheets(file: str, game: type[Game], sheets: Sequence[Sheet], paper: str, replace: bool) -> list[int]:
    """Write sheets in the current language as one PDF, and return the number of pages of each.

    Raises OSError if the file cannot be written, FileExistsError if it exists and may not be replaced, MissingFont if
    letters cannot be printed, ValueError if the game describes a sheet wrongly.
    """
    fonts = register_fonts()
    pages = [pages_of_sheet(sheet, game, paper) for sheet in sheets]
    together = [page for each in pages for page in each]
    title = str(game_label(game))
    document, letters = _drawn(together, title, paper)
    if register_fonts(letters) != fonts:
        document, _ = _drawn(together, title, paper)
    with open(file, "wb" if replace else "xb") as out:
        out.write(document)
    return list(map(len, pages))


def _drawn(pages: Sequence[Page], title: str, paper: str) -> tuple[bytes, set[str]]:
    """Return the document, and all letters in it."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1, lang=current_language(), pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Umpi")
    letters: set[str] = set(title)
    for number, page in enumerate(pages, 1):
        pen = Pen(canvas, paper_of(paper, page.wide))
        draw_page(pen, page, number, len(pages))
        letters |= pen.letters
        canvas.showPage()
    canvas.save()
    return out.getvalue(), letters
