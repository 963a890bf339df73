"""Draw the printed pages: seat labels, the quick guide in each language, the form for a Dohdles board."""

from __future__ import annotations

from pathlib import Path

import pypdfium2

from hardware.print.form import draw_form
from hardware.print.guide import TEXTS, draw_guide
from hardware.print.labels import draw_labels

PREVIEW_DPI = 110


def render(folder: Path) -> list[Path]:
    """Write all pages into `folder` as PDF, each with a preview as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [draw_labels(folder / "seat-labels.pdf"), draw_form(folder / "dohdles-board.pdf")]
    pages += [
        draw_guide(folder / f"guide-{code}.pdf", code) for code in sorted(text.stem for text in TEXTS.glob("*.toml"))
    ]
    return [path for page in pages for path in (page, _preview(page))]


def _preview(page: Path) -> Path:
    [drawn] = pypdfium2.PdfDocument(page)
    picture = page.with_suffix(".png")
    drawn.render(scale=PREVIEW_DPI / 72, grayscale=page.stem != "seat-labels").to_pil().save(picture, optimize=True)
    return picture
