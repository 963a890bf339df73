"""Remember the English that each translation was made from, where the key of the text is not the English itself.

This is so for the words of records (firmware/umpi/i18n/catalogues/en), the sections of rulebooks, and the quick guide.
A file per language, catalogues/LANGUAGE/made_from.tsv, has a line per text: its name, and a hash of the English and of
the translation. If the English changes and the translation does not, the translation is stale.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hardware.print.guide import TEXTS
from scripts import REPO
from scripts.texts.catalogues import po_files, read
from umpi.i18n.translate import ENGLISH, FOLDER, LANGUAGES

GAMES = REPO / "firmware" / "umpi" / "games"
OTHERS = tuple(code for code in LANGUAGES if code != ENGLISH)
HEADING = re.compile(r"^(?=#+ )", re.M)


class Pair(NamedTuple):
    """The hashes of an English text and of its translation."""

    english: str
    own: str


def now(language: str) -> dict[str, Pair]:
    """Return the hashes of today's texts in a language, by name."""
    english, own = dict(_texts(ENGLISH)), dict(_texts(language))
    return {name: Pair(_hash(text), _hash(own[name])) for name, text in english.items() if name in own}


def kept(language: str) -> dict[str, Pair]:
    """Return the hashes that were written when the translations were made."""
    rows = (line.split("\t") for line in file_of(language).read_text(encoding="utf-8").splitlines())
    return {name: Pair(english, own) for name, english, own in rows}


def stale(today: Mapping[str, Pair], before: Mapping[str, Pair]) -> list[str]:
    """Return the names of texts whose English has changed and whose translation has not."""
    return [
        name
        for name, pair in today.items()
        if name in before and before[name].english != pair.english and before[name].own == pair.own
    ]


def unwritten(today: Mapping[str, Pair], before: Mapping[str, Pair]) -> list[str]:
    """Return the names of texts that are new, gone, or translated again since the file was written."""
    old = set(stale(today, before))
    return sorted(
        name for name in today.keys() | before.keys() if name not in old and today.get(name) != before.get(name)
    )


def write(language: str, still_right: frozenset[str] = frozenset()) -> list[str]:
    """Write the hashes of today's texts, but those of stale ones as they were; return the names of these.

    A translation in `still_right` is not stale: somebody has read it beside the new English.
    """
    today, before = now(language), kept(language) if file_of(language).exists() else {}
    old = [name for name in stale(today, before) if name not in still_right]
    lines = today | {name: before[name] for name in old}
    text = "".join(f"{name}\t{pair.english}\t{pair.own}\n" for name, pair in sorted(lines.items()))
    file_of(language).write_text(text, encoding="utf-8")
    return old


def file_of(language: str) -> Path:
    """Return the file with the hashes of a language."""
    return FOLDER / language / "made_from.tsv"


def _texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a language whose key is not the English, each with its name."""
    files = dict(po_files())
    words = {(entry.id, entry.context) for entry in read(files[ENGLISH], ENGLISH) if entry.id}
    for entry in read(files[language], language):
        if (entry.id, entry.context) in words:
            yield f"word {entry.context + '/' if entry.context else ''}{entry.id}", str(entry.string)
    for book in sorted(GAMES.glob("*/rulebook")):
        headings = [section.splitlines()[0].lstrip("# ") for section in _sections(book / f"{ENGLISH}.md")]
        for number, (heading, section) in enumerate(zip(headings, _sections(book / f"{language}.md"), strict=False), 1):
            yield f"rulebook {book.parent.name} {number:02} {heading}", section
    guide = tomllib.loads((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))
    yield from ((f"guide {place}", text) for place, text in _leaves(guide, ""))


def _sections(file: Path) -> list[str]:
    return [section for section in HEADING.split(file.read_text(encoding="utf-8")) if section.strip()]


def _leaves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield place, value
        case list():
            for number, each in enumerate(value, 1):
                yield from _leaves(each, f"{place}.{number}")
        case dict():
            for key, each in value.items():
                yield from _leaves(each, f"{place}.{key}" if place else key)
        case _:
            raise TypeError(f"{place} is neither a text nor a list of texts.")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
