"""What is on each page of a PDF is what somebody has looked at: pages.txt has a print of each document.

The pages are read back by PDFium, which shares no code with what writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_uint
from hashlib import sha256
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdfium2 import raw

from umpi.cli import main
from umpi.i18n.translate import set_language
from umpi.kernel.registry import games
from umpi.rulebook.shelf import read_shelf

SEEN = Path(__file__).with_name("pages.txt")
BLUR = 2  # points; what is smaller may differ between machines
DOCUMENTS = {
    f"{game.id} {kind}": words
    for game in games()
    for kind, words in {
        "sheets": ["print", game.id, "--output"],
        "large": ["print", game.id, "--large", "--paper", "letter", "--output"],
    }.items()
} | {
    f"{game} rules {language}": ["rules", game, "--language", language, "--pdf"]
    for game, language in sorted(read_shelf(games()).books)
}


def marks_on(page: Any) -> Iterator[str]:
    """Describe each thing on a page: what it is, from where to where, and its colours; then the text."""
    yield "page " + " ".join(f"{length:.0f}" for length in page.get_size())
    for part in page.get_objects(max_depth=4):
        ends = " ".join(f"{round(end / BLUR) + 0:d}" for end in part.get_bounds())
        inks = []
        for ink_of in (raw.FPDFPageObj_GetFillColor, raw.FPDFPageObj_GetStrokeColor):
            colour = [c_uint() for _ in range(4)]
            ink_of(part.raw, *colour)
            inks.append("".join(f"{one.value:02x}" for one in colour[:3]))
        yield f"{part.type} {ends} {' '.join(inks)}"
    yield page.get_textpage().get_text_range()


def print_of(file: Path) -> str:
    """Return the number of pages of a document, and a print of what is on them."""
    pages = [list(marks_on(page)) for page in pypdfium2.PdfDocument(file)]
    return f"{len(pages)} {sha256(repr(pages).encode()).hexdigest()[:16]}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_as_somebody_has_seen_it(name: str, tmp_path: Path, capfd: Any) -> None:
    """After a change on purpose: look at the PDF, then copy the new line into pages.txt."""
    file = tmp_path / "seen.pdf"
    try:
        assert main([*DOCUMENTS[name], str(file)]) == 0
    finally:
        set_language("en")
    seen = dict(line.rsplit(": ", 1) for line in SEEN.read_text(encoding="utf-8").splitlines())
    assert print_of(file) == seen[name]
    assert seen.keys() == DOCUMENTS.keys()
