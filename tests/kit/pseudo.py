"""A pseudo-language that puts each text in brackets, so that untranslated text stands out on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from scripts.texts.catalogues import TEMPLATE, compiled, read
from umpi.display.lettering import Font
from umpi.display.sheet import Sheet
from umpi.i18n import translate

CODE = "xx"
INNERMOST = re.compile(r"«[^«»]*»")
CUT = re.compile(r":\.\d(?=})")  # of "{colour:.1}": half a bracket is none
NO_WORDS = re.compile(  # "A1-A3", letters of riddles, the letters on the board, dodes, sums, a name that is being typed
    r"^[^«»]*_$|\b(OK|Umpi|English|Pseudo|[^\W\d_](-[A-Z])?|[A-F]\d|ABC|[A-Z_]{5}|\d+x\d+)\b|Σ"
)


def speak_pseudo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the box the language, beside English; a test must choose it by `speak(CODE)`."""
    file = folder / CODE / "LC_MESSAGES" / "umpi.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(_bracketed()))
    monkeypatch.setattr(translate, "FOLDER", folder)
    monkeypatch.setitem(translate.LANGUAGES, CODE, "Pseudo")


def untranslated(text: str, names: Sequence[str]) -> str:
    """Return the parts of a shown text outside brackets that are neither numbers nor names, whole or short."""
    before = ""
    while before != text:
        before, text = text, INNERMOST.sub("", text)
    for name in names:
        short = "|".join(re.escape(name[:letters]) for letters in range(len(name), min(1, len(name) - 1), -1))
        text = re.sub(rf"(?<!\w)({short})(?!\w)", "", text)
    text = NO_WORDS.sub("", text)
    return text.strip() if any(map(str.isalpha, text)) else ""


@contextmanager
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Hear of every text that reaches the screen, before it is cut or wrapped."""
    texts: set[str] = set()
    wrapped: set[str] = set()  # lines of texts that are translated as a whole
    wrap, fit, apart, tail, right, begin = Font.wrap, Font.fit, Font.apart, Font.tail, Sheet.right, Sheet.__init__

    def wrapping(font: Font, text: str, width: int) -> list[str]:
        texts.update(text.split("\n"))
        lines = wrap(font, text, width)
        wrapped.update(lines)
        return lines

    def note(text: str) -> None:
        if "…" not in text and text not in wrapped:  # not cut already
            texts.add(text)

    def fitting(font: Font, text: str, width: int) -> str:
        note(text)
        return fit(font, text, width)

    def parting(font: Font, name: str, names: Sequence[str], width: int) -> str:
        note(name)
        wrapped.add(left := apart(font, name, names, width))
        return left

    def tailing(font: Font, text: str, width: int) -> str:
        texts.add(text)
        return tail(font, text, width)

    def writing(board: Sheet, x: int, y: int, text: str, font: Font, ink: int = 1) -> None:
        note(text)
        right(board, x, y, text, font, ink)

    def beginning(board: Sheet, sign: str = "") -> None:
        note(sign)
        begin(board, sign)

    with monkeypatch.context() as patch:
        patch.setattr(Font, "wrap", wrapping)
        patch.setattr(Font, "fit", fitting)
        patch.setattr(Font, "apart", parting)
        patch.setattr(Font, "tail", tailing)
        patch.setattr(Sheet, "right", writing)
        patch.setattr(Sheet, "__init__", beginning)
        yield texts


def _bracketed() -> Catalog:
    template = read(TEMPLATE, "en")
    pseudo = Catalog(locale="en", fuzzy=False)
    for message in template:
        if message.id:
            many, whole = isinstance(message.id, tuple), CUT.sub("", str(message.id))
            pseudo.add(
                message.id,
                tuple(f"«{text}»" for text in message.id) if many else f"«{whole}»",
                context=message.context,
            )
    return pseudo
