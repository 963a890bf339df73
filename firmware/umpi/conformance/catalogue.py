"""The catalogue of a package in one language: the texts that its game says beside those in the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from umpi.conformance.said import Said
from umpi.i18n.packages import TEXTS, WORDS, Key, file_of, read
from umpi.i18n.translate import LANGUAGES

HEADER = """# Texts of {title}: {language}. Write your translations to the right of "=".
# Keep every word in braces, such as {{who}}. The comments say where the texts appear, and how much room they have.
# A text that depends on a number has two forms: ["one card", "{{number}} cards"].
"""
UNUSED = "No random match has shown these. Delete them if your game no longer says them."


class Catalogue:
    """The texts of a game and their translations. `faults` says what in the file cannot be used."""

    def __init__(self, title: str, folder: Path, code: str, texts: Mapping[Said, str]) -> None:
        """Read the file of a package; `texts` are those that its game says, with their rooms."""
        self._title, self._code, self._texts = title, code, texts
        self._file = file_of(folder, code)
        self._known, self.faults = read(folder, code)
        self._used = set(map(_key, texts))

    @property
    def missing(self) -> list[Said]:
        """Return the texts without a translation."""
        return [text for text in self._texts if _key(text) not in self._known]

    @property
    def figures(self) -> str:
        """Return how many texts are translated."""
        return f"{len(self._texts) - len(self.missing)} of {len(self._texts)} texts are translated"

    def write(self) -> None:
        """Write the file, with all translations that it had. Raises OSError."""
        self._file.parent.mkdir(exist_ok=True)
        new = self._file.with_suffix(".new")
        new.write_text("\n".join(self._lines()), encoding="utf-8")
        new.replace(self._file)

    def _lines(self) -> Iterator[str]:
        yield HEADER.format(title=self._title, language=LANGUAGES[self._code])
        yield f"[{TEXTS}]"
        yield from self._table("")
        contexts = [*(text.context for text in self._texts), *(context for context, _ in self._known)]
        for context in dict.fromkeys(filter(None, contexts)):
            yield f"[{WORDS}.{_text(context)}]"
            yield from self._table(context)

    def _table(self, context: str) -> Iterator[str]:
        """Yield the texts of a context, those with the same room together."""
        rooms: dict[str, list[str]] = {}
        for text, room in self._texts.items():
            if text.context == context:
                forms = self._known.get(_key(text), ("", "") if text.many else ("",))
                rooms.setdefault(room, []).append(_line(text.english, forms))
        for key, forms in self._known.items():
            if key[0] == context and key not in self._used:
                rooms.setdefault(UNUSED, []).append(_line(key[1], forms))
        for room, lines in rooms.items():
            yield from (f"# {room}", *lines, "")


def _key(text: Said) -> Key:
    return text.context, text.english


def _line(english: str, forms: tuple[str, ...]) -> str:
    """Return a line of TOML: its strings are written as those of JSON.

    >>> _line("pot", ("cagnotte",))
    '"pot" = "cagnotte"'
    """
    texts = ", ".join(map(_text, forms))
    return f"{_text(english)} = {texts}" if len(forms) == 1 else f"{_text(english)} = [{texts}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
