"""A canvas that notes what is drawn on it as lines of text, which `umpi print` then writes in place of a PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.colors import Color

from umpi.kernel.printable import Label, Outline, Paragraph
from umpi.printing.pen import Pen

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def rounded(text: str) -> str:
    """Return a text with its numbers to a hundredth; what is smaller may differ between machines."""
    return NUMBER.sub(lambda number: f"{round(round(float(number[0]), 5), 2) + 0.0:.2f}", text)


class _Path:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *numbers: self.parts.append(f"{name} {' '.join(map(_said, numbers))}".rstrip())


def _said(value: object) -> str:
    if isinstance(value, _Path):
        return "; ".join(value.parts)
    return str(value.hexval()) if isinstance(value, Color) else repr(value)


class NotingCanvas:
    """Notes each call of a canvas of reportlab, and writes the notes when it is saved."""

    def __init__(self, out: BytesIO | str, **settings: object) -> None:
        self._out, self.lines = out, [f"canvas {settings}"]

    def beginPath(self) -> _Path:  # noqa: N802 - the name that reportlab gives it
        """Return a path that notes its parts."""
        return _Path()

    def __getattr__(self, name: str) -> Callable[..., None]:
        def noted(*values: object, **named: object) -> None:
            words = [*map(_said, values), *(f"{key}={_said(value)}" for key, value in named.items())]
            self.lines.append(f"{name} {' '.join(words)}".rstrip())

        return noted

    def save(self) -> None:
        """Write the notes."""
        written = rounded("".join(f"{line}\n" for line in self.lines)).encode()
        if isinstance(self._out, str):
            with open(self._out, "wb") as out:
                out.write(written)
        else:
            self._out.write(written)


class NotingPen(Pen):
    """Notes each mark that it is asked to draw, with the room that a longer text may fill, before it draws it."""

    def outline(self, mark: Outline) -> None:
        """Note a shape, and draw it."""
        self._canvas.lines.append(repr(mark))
        super().outline(mark)

    def label(self, mark: Label) -> None:
        """Note a line of text, and write it."""
        self._canvas.lines.append(repr(mark))
        super().label(mark)

    def paragraph(self, mark: Paragraph) -> None:
        """Note running text, and write it."""
        self._canvas.lines.append(repr(mark))
        super().paragraph(mark)


def note_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have sheets and stickers noted as text where a PDF would be written."""
    monkeypatch.setattr("umpi.printing.sheets.Canvas", NotingCanvas)
    monkeypatch.setattr("umpi.printing.sheets.Pen", NotingPen)
    monkeypatch.setattr("umpi.printing.labels.Canvas", NotingCanvas)


def print_of_notes(file: Path) -> str:
    """Return the number of pages of which a file has notes, and a print of the notes."""
    notes = file.read_bytes()
    return f"{notes.count(b'showPage')} {sha256(notes).hexdigest()[:16]}"
