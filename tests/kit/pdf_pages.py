"""What is on the pages of a PDF, as PDFium reads it, which shares no code with what writes them."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_uint
from hashlib import sha256
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

BLUR = 0.5  # points; what is smaller may differ between machines
OFF = 0.123  # points, so that no round number lies between two steps


def marks_on(page: Any) -> Iterator[str]:
    """Describe each thing on a page: what it is, from where to where, and its colours; then the text."""
    yield "page " + " ".join(f"{length:.0f}" for length in page.get_size())
    for part in page.get_objects(max_depth=4):
        ends = " ".join(f"{round((end + OFF) / BLUR) + 0:d}" for end in part.get_bounds())
        inks = []
        for ink_of in (raw.FPDFPageObj_GetFillColor, raw.FPDFPageObj_GetStrokeColor):
            colour = [c_uint() for _ in range(4)]
            ink_of(part.raw, *colour)
            inks.append("".join(f"{one.value:02x}" for one in colour[:3]))
        yield f"{part.type} {ends} {' '.join(inks)}"
    yield page.get_textpage().get_text_range()


def print_of(file: Path) -> str:
    """Return the number of pages of a document, and a print of its title, its maker and what is on its pages."""
    document = pypdfium2.PdfDocument(file)
    pages = [list(marks_on(page)) for page in document]
    about = [document.get_metadata_value(key) for key in ("Title", "Creator")]
    return f"{len(pages)} {sha256(repr((about, pages)).encode()).hexdigest()[:16]}"
