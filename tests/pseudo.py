"""A language that is none: each text in brackets, so that on a screen shows what has not been told in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from texts import TEMPLATE, compiled, read

from umpi import tongue
from umpi.panel import panel, sheet, wishes
from umpi.panel.lettering import Font

CODE = "xx"
INNERMOST = re.compile(r"«[^«»]*»")
NO_WORDS = re.compile(
    r"\b(OK|Umpi|English|Pseudo|x|[A-Z](-[A-Z])?|[A-F]\d|[A-Z_]{5}|\d+x\d+"  # riddles and their letters, dodes
    r"|[rybg]\w\w\d|dud|jun|bab|blu|yel|gre|han|mam|clu|hid)\b|\bs\.\w\w"  # cards in short
)


def speak_pseudo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the box the language, beside English; a test must choose it by `speak(CODE)`."""
    file = folder / CODE / "LC_MESSAGES" / "umpi.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(_bracketed()))
    monkeypatch.setattr(tongue, "FOLDER", folder)
    monkeypatch.setitem(tongue.LANGUAGES, CODE, "Pseudo")


def untold(text: str, names: Sequence[str]) -> str:
    """What of a shown text stands in no brackets and is neither a name nor a number."""
    before = ""
    while before != text:
        before, text = text, INNERMOST.sub("", text)
    for name in names:
        text = re.sub(rf"\b{name}\b", "", text)
    text = NO_WORDS.sub("", text)
    return text.strip() if any(map(str.isalpha, text)) else ""


@contextmanager
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Hear of every text that reaches the screen, before it is cut or wrapped."""
    texts: set[str] = set()
    wrap, fit, tail, right = sheet.wrapped, Font.fit, Font.tail, sheet.Sheet._right

    def wrapping(text: str) -> list[str]:
        texts.update(text.split("\n"))
        return wrap(text)

    def fitting(font: Font, text: str, width: int) -> str:
        if "…" not in text:  # cut by `tail` already
            texts.add(text)
        return fit(font, text, width)

    def tailing(font: Font, text: str, width: int) -> str:
        texts.add(text)
        return tail(font, text, width)

    def writing(board: Any, x: int, y: int, text: str, font: Font, ink: int) -> None:
        texts.add(text)
        right(board, x, y, text, font, ink)

    with monkeypatch.context() as patch:
        patch.setattr(Font, "fit", fitting)
        patch.setattr(Font, "tail", tailing)
        patch.setattr(sheet.Sheet, "_right", writing)
        for module in (panel, wishes):
            patch.setattr(module, "wrapped", wrapping)
        yield texts


def _bracketed() -> Catalog:
    template = read(TEMPLATE, "en")
    pseudo = Catalog(locale="en", fuzzy=False)
    for message in template:
        if message.id:
            many = isinstance(message.id, tuple)
            pseudo.add(
                message.id,
                tuple(f"«{text}»" for text in message.id) if many else f"«{message.id}»",
                context=message.context,
            )
    return pseudo
