"""Find banned words, plural dodges and wrong marks wherever somebody reads.

The words are in firmware/umpi/i18n/terms.toml.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hardware.print.guide import TEXTS
from scripts import REPO, pages
from scripts.pictures.moving_picture import TURN
from scripts.texts.catalogues import po_files, read
from umpi.cli import build_parser
from umpi.i18n.translate import ENGLISH, FOLDER, LANGUAGES
from umpi.kernel.registry import games

TERMS = FOLDER.parent / "terms.toml"
GAMES = REPO / "firmware" / "umpi" / "games"
GUIDE = REPO / "hardware" / "guide"
PAGES = [page for page in pages() if "rulebook" not in page.parent.name]
MADE = {"umpi/cli/README.md", "docs/connected.md"}  # of the help, and of the description of the API
PLAYERS = {
    "README.md",
    *(f"firmware/docs/{page.name}" for page in PAGES if page.name.startswith("manual.")),
    "firmware/docs/phones.md",
    "firmware/docs/recovery.md",
}
HISTORY = {"CHANGELOG.md"}  # it may name what a thing was called before

CODE = re.compile(r"^```(?s:.*?)^```|^ {4,}\S.*$|`[^`\n]*`|\]\([^)\s]*\)|<!--(?s:.*?)-->", re.M)
OPTION = re.compile(r"{[\w.]+!?=[^:}]*:")  # {limit=12: …} in a rulebook: the text after it is read
PLACEHOLDER = re.compile(r"{[^{}]*}")
DODGE = re.compile(r"[,.] [^\W\d_][\w ]*s(?: \w+)?: {\w+}(?=[.,]|$)")
STRAIGHT = re.compile(r"(?<=[\w}])'(?=[\w{]|\s|$)")
FRENCH = re.compile(
    r"(?<=[^\s\u00a0?!])[:;?!]+(?=[\s\u00a0»*]|$)|[^\S\u00a0][:;?!](?=[\s\u00a0]|$)|«(?!\u00a0)|(?<!\u00a0)»"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that somebody reads: where it is, its language, whether players read it, and whether the box says it."""

    place: str
    language: str
    text: str
    players: bool = True
    entry: bool = False  # of a catalogue


def passages() -> Iterator[Passage]:
    """Yield every text that somebody reads."""
    yield from catalogue_texts()
    yield from _books()
    yield from _guides()
    yield from _help()
    for page in PAGES:
        name = str(page.relative_to(REPO))
        if name not in HISTORY and not name.endswith(tuple(MADE)):
            yield from _lines(
                page, CODE.sub(_blank, page.read_text(encoding="utf-8")), language_of(page), name in PLAYERS
            )
    for number, (_, _, caption) in enumerate(TURN, 1):
        yield Passage(f"scripts/pictures/moving_picture.py, caption {number}", ENGLISH, caption)


def language_of(page: Path) -> str:
    """Return the language of a page: that of its name, as in manual.fr.md, or else English."""
    code = page.stem.rpartition(".")[2]
    return code if code in LANGUAGES else ENGLISH


def catalogue_texts() -> Iterator[Passage]:
    """Yield the texts of the catalogues: the English of all, and each translation."""
    for code, file in po_files():
        for entry in read(file, code):
            place = f"{file.relative_to(REPO)}:{entry.lineno}"
            if entry.id:
                yield from (Passage(place, code, text, entry=True) for text in _forms(entry.string) if text)
            if entry.id and code == "fr":  # any catalogue has all of the English
                yield from (
                    Passage(place, ENGLISH, text, entry=True) for text in _forms(entry.id) if not _is_word(entry)
                )


def faults(passage: Passage) -> list[str]:
    """Return what is wrong with a text, each as a sentence."""
    said, terms = PLACEHOLDER.sub("…", passage.text), _terms(passage.language)
    found = [
        f"“{match[0]}”: say “{term[passage.language]}”"
        for term, banned in (terms if _any(passage.language).search(said) else ())
        if passage.players or not term.get("players")
        for match in banned.finditer(said)
    ]
    text = PLACEHOLDER.sub("X", passage.text)
    if passage.language == "fr":
        found += [f"“{match[0]}” needs a no-break space" for match in FRENCH.finditer(_without(text))]
    if (
        passage.language == "fr" or (passage.players and ".md" not in passage.place) or "rulebook" in passage.place
    ) and STRAIGHT.search(passage.text):
        found.append("straight apostrophe: write ’")
    if passage.entry and passage.language == ENGLISH and DODGE.search(passage.text):
        found.append("plural dodge: use tr_n")
    return found


def all_faults() -> list[str]:
    """Return all faults, each with its place."""
    return [f"{passage.place}: {fault}: {passage.text[:90]}" for passage in passages() for fault in faults(passage)]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(TERMS.read_text(encoding="utf-8"))


@cache
def _terms(language: str) -> list[tuple[dict[str, Any], re.Pattern[str]]]:
    """Return the terms with a banned form in a language, each with the pattern of these forms."""
    banned = [(term, term.get("never", {}).get(language, ())) for term in _table()["term"]]
    return [(term, re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.I)) for term, forms in banned if forms]


@cache
def _any(language: str) -> re.Pattern[str]:
    """Match any banned form of a language, to look closer only where there is one."""
    return re.compile("|".join(pattern.pattern for _, pattern in _terms(language)), re.I)


@cache
def _titles() -> re.Pattern[str]:
    """Match the marks that belong to no sentence: titles of games, addresses, the sign ?! of the funnel, clues."""
    titles = "|".join(re.escape(game.title) for game in games())
    return re.compile(rf"(?:{titles})(?=\W|$)|https?://\S+|\?!|\?\?(?:/ABC)?|Umpi: 1")


def _without(text: str) -> str:
    return _titles().sub("X", text)


def _forms(text: Any) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (text,)


def _is_word(entry: Any) -> bool:
    """Return whether an entry is a word of records: players read its translation, also in English."""
    return (
        bool(entry.context)
        or any(comment.startswith("A word") for comment in entry.auto_comments)
        or "_" in str(entry.id)
    )


def _books() -> Iterator[Passage]:
    """Yield the rulebooks of the games."""
    for code in LANGUAGES:
        for file in sorted(GAMES.glob(f"*/rulebook/{code}.md")):
            text = re.sub(
                r"`[^`\n]*`?", _blank, OPTION.sub(lambda found: " " * len(found[0]), file.read_text(encoding="utf-8"))
            )
            yield from _lines(file, text, code)


def _guides() -> Iterator[Passage]:
    """Yield the texts of the quick guide and of the build guide."""
    for code in LANGUAGES:
        yield from _of_toml(TEXTS / f"{code}.toml", code)
    for file in (GUIDE / "guide.toml", *sorted((GUIDE / "chapters").glob("*.toml"))):
        yield from _of_toml(file, ENGLISH, players=False)


def _of_toml(file: Path, language: str, players: bool = True) -> Iterator[Passage]:
    lines = file.read_text(encoding="utf-8").splitlines()
    for text in _strings(tomllib.loads("\n".join(lines))):
        number = next((number for number, line in enumerate(lines, 1) if text[:40] in line), 0)
        yield Passage(f"{file.relative_to(REPO)}:{number}", language, text, players)


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            yield from (text for each in value for text in _strings(each))
        case dict():
            yield from (text for each in value.values() for text in _strings(each))
        case _:
            pass  # a number or a yes is no text


def _help() -> Iterator[Passage]:
    """Yield the help of each command."""
    parser = build_parser()
    for action in parser._actions:
        for name, command in (action.choices or {}).items() if isinstance(action.choices, dict) else ():
            for text in _said(command):
                yield Passage(f"umpi {name} --help", ENGLISH, text, players=False)


def _said(command: argparse.ArgumentParser) -> Iterator[str]:
    yield from (text for text in (command.description, command.epilog) if text)
    yield from (action.help for action in command._actions if action.help)


def _lines(file: Path, text: str, language: str, players: bool = True) -> Iterator[Passage]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield Passage(f"{file.relative_to(REPO)}:{number}", language, line, players)


def _blank(found: re.Match[str]) -> str:
    """Return as many lines as there were, without their text."""
    return re.sub(r"[^\n]", " ", found[0])
