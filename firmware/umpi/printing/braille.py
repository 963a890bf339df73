"""Sheets in uncontracted braille: a text file of braille ASCII for an embosser or a label maker.

liblouis translates: its program lou_translate must be installed. Files of the type BRF use the letters of North
American braille ASCII for the cells, in every language.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from textwrap import wrap

from umpi.i18n.translate import current_language, player_label, tr
from umpi.kernel.game import Game
from umpi.kernel.printable import Deck, Needs, Pieces, Rows, Scores, Sheet
from umpi.printing.needs import count_of, how_of
from umpi.table.seats import COLOURS

PROGRAM = "lou_translate"
TABLES = {"en": "en-ueb-g1.ctb", "fr": "fr-bfu-comp6.utb", "de": "de-g0.utb", "hu": "hu-hu-g1.ctb"}
CELLS, LINES = 40, 25  # of a page; its first line has the number of the page
ASCII = (
    " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="  # in the order of Unicode's cells of six dots
)
FIRST_CELL = 0x2800  # without dots
BRAILLE_ASCII = {FIRST_CELL + dots: letter for dots, letter in enumerate(ASCII)}
INDENT = 2  # cells before the later lines of a text
NO_SIGN = "\ue000"  # a letter of no script, to see what a table does with a letter that it lacks
PLAIN = str.maketrans({"\n": " ", "\u00a0": " ", "\u202f": " ", "\u2011": "-", "’": "'", "‘": "'", "×": "x", "−": "-"})


class MissingLiblouis(Exception):
    """Report that the program that translates to braille, or its table of a language, is not installed."""


def write_braille(file: str, game: type[Game], sheets: Sequence[Sheet], replace: bool) -> list[int]:
    """Write sheets in the current language as one file, and return the number of pages of each.

    Raises OSError if the file cannot be written, FileExistsError if it exists and may not be replaced, MissingLiblouis
    if the program or its table is not installed, ValueError if a sheet is a drawing or a letter has no braille sign.
    """
    parts = [text_of(sheet, sheets, game.seats[-1]) for sheet in sheets]
    cells = iter(to_braille([line for each in parts for part in each for line in part], current_language()))
    pages: list[str] = []
    counts = []
    for each in parts:
        made = [page for part in each for page in _pages([next(cells) for _ in part])]
        counts.append(len(made))
        pages += made
    numbers = to_braille([str(number) for number in range(1, len(pages) + 1)], current_language())
    whole = [f"{number:>{CELLS}}\r\n{page}\f" for number, page in zip(numbers, pages, strict=True)]
    with open(file, "wb" if replace else "xb") as out:
        out.write("".join(whole).encode("ascii"))
    return counts


def text_of(sheet: Sheet, others: Sequence[Sheet], seats: int) -> list[list[str]]:
    """Return the texts of a sheet in the current language, each part for new pages; "" is an empty line.

    A deck has a line for each card, with an empty line between two, so that the labels can be cut. Raises ValueError if
    the sheet is a drawing.
    """
    title = [str(tr(sheet.title)), ""]
    match sheet:
        case Deck():
            return [[line for face in sheet.cards for line in (_words(face.name, face.detail), "")]]
        case Scores():
            names = ", ".join(player_label(colour) for colour in COLOURS[:seats])
            columns = [", ".join(tr(column) for column in sheet.columns)] if sheet.columns else []
            head = [*title, *([str(tr(sheet.note))] if sheet.note else []), names, *columns, ""]
            rows = [line for group in sheet.groups for line in _rows(group)]
            return [[*head, *rows, *([str(tr(sheet.total))] if sheet.total else [])]]
        case Needs():
            others = [other for other in others if not isinstance(other, Needs)]
            prints = [f"{count_of(other)} {tr(other.title)}, {how_of(other, False)}" for other in others]
            have = [f"{thing.number or ''} {tr(thing.text)}".strip() for thing in sheet.have]
            ready = ["", str(tr("Have these ready")), *have] if have else []
            return [[*title, str(tr("Print")), *prints, *ready]]
        case Pieces(words=()):
            raise ValueError(f'"{tr(sheet.title)}" is a drawing.')
        case Pieces():
            return [list(_rows(rows)) for rows in sheet.words]


def _words(*texts: str) -> str:
    return " ".join(tr(text) for text in texts if text)


def _rows(rows: Rows) -> Iterator[str]:
    yield from (str(tr(text)) for text in (rows.heading, *rows.rows) if text)
    yield ""


def _pages(lines: Sequence[str]) -> Iterator[str]:
    """Divide translated texts into pages, without the line of the number. No page begins or ends with an empty line."""
    page: list[str] = []
    for line in lines:
        broken = wrap(line, CELLS, subsequent_indent=" " * INDENT, break_on_hyphens=False) or [""]
        if len(page) + len(broken) > LINES - 1:
            yield _joined(page)
            page = []
        page += broken if line or page else []
    if page:
        yield _joined(page)


def _joined(page: Sequence[str]) -> str:
    return "\r\n".join(page).rstrip() + "\r\n"


def to_braille(texts: Sequence[str], language: str) -> list[str]:
    """Return texts in braille ASCII; raises MissingLiblouis, and ValueError for a letter that has no braille sign."""
    plain = [text.translate(PLAIN) for text in texts]
    letters = sorted({letter for text in plain for letter in text})
    nothing, *found = _translated([NO_SIGN, *letters], language)
    for letter, cells in zip(letters, found, strict=True):
        unknown = cells == nothing or len(cells) >= len(nothing) > 1  # the code of the letter, or one sign for all
        if (unknown and not letter.isascii()) or not cells.isascii():
            raise ValueError(f'"{letter}" has no braille sign in the table {TABLES[language]}.')
    return _translated(plain, language)


def _translated(lines: Sequence[str], language: str) -> list[str]:
    """Return what liblouis makes of each line, in braille ASCII; a cell of eight dots remains as it is.

    A backslash begins a code in its input.
    """
    asked = "".join(line.replace("\\", "\\\\") + "\n" for line in lines)
    tables = f"unicode.dis,{TABLES[language]}"
    try:
        done = subprocess.run([PROGRAM, "--forward", tables], input=asked, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        raise MissingLiblouis("Braille needs liblouis: sudo apt install liblouis-bin") from None
    cells = done.stdout.translate(BRAILLE_ASCII).removesuffix("\n").split("\n")
    if len(cells) != len(lines):  # its status is 0 even without a table
        raise MissingLiblouis(f"liblouis could not translate with the table {TABLES[language]}: {done.stderr.strip()}")
    return cells
