"""Collect the texts that players see into gettext catalogues, and compile these."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from scripts.texts.source import texts
from scripts.texts.words import heard_in_play, option_values, words_met
from umpi.i18n.translate import ENGLISH, FOLDER, LANGUAGES
from umpi.table.seats import COLOURS

TEMPLATE = FOLDER / "umpi.pot"
WIDTH = 110
CHANGING = re.compile(rb'^"(Project|Report|POT-Creation|PO-Revision|Generated-By|Last-Tr|Language-Team).*\n', re.M)
SIGNATURE = re.compile(r"^Generated-By: .*\n", re.M)
HEADER = "# Texts of Umpi for players: {what}. How to translate them: firmware/umpi/i18n/README.md"
PLURALS = {"hu": "nplurals=2; plural=(n != 1);"}  # Babel has one form: so it is after a number, but not without one
SEAT = "The name of a player who gave none: the colour of the button. 10 letters."
VALUE = 'A value of the option "{option}": as short as can be.'
WORD = "A word: of a card, an option, an answer, or in the row under the scores; as short as can be."


def collected() -> Catalog:
    """Collect all texts, each with its places in the code and its room on the screen."""
    template = Catalog(fuzzy=False)
    singles: set[str] = set()
    for text in texts():
        template.add(text.id, context=text.context, locations=[(text.file, 0)], auto_comments=[text.comment])
        if not text.context:
            singles.update([text.id] if isinstance(text.id, str) else text.id)
    played = heard_in_play()
    for option, value, game in option_values(played):
        template.add(value, context=option, auto_comments=[VALUE.format(option=option), game])
    for word, used in words_met(played, singles):
        template.add(word, auto_comments=[WORD, used])
    for colour in COLOURS:
        template.add(colour.lower(), auto_comments=[WORD, "Cubes"])
        template.add(colour, context="player", auto_comments=[SEAT])
    return template


def translated(message: Message) -> bool:
    """Return whether a message has a translation, or one of its plural forms has."""
    return any(message.string or ())


def only_words(english: Catalog) -> Catalog:
    """Keep the texts that have a translation, and translate each other word by itself."""
    kept = new(ENGLISH)
    for message in english:
        word = any(comment.startswith(WORD) for comment in message.auto_comments)
        if message.id and (translated(message) or word):
            kept.add(
                message.id, message.string or message.id, context=message.context, auto_comments=message.auto_comments
            )
    return kept


def po_files() -> Iterator[tuple[str, Path]]:
    """Name the .po file of each language."""
    yield from ((code, FOLDER / code / "LC_MESSAGES" / "umpi.po") for code in LANGUAGES)


def new(code: str) -> Catalog:
    """Make the catalogue of a language without a translation."""
    catalogue = Catalog(locale=code, fuzzy=False)
    if code in PLURALS:
        catalogue.mime_headers = [("Plural-Forms", PLURALS[code])]
    return catalogue


def read(file: Path, code: str) -> Catalog:
    """Read a .po file."""
    with file.open("rb") as lines:
        return read_po(lines, locale=code, abort_invalid=True)


def write(file: Path, catalogue: Catalog, what: str) -> None:
    """Write a .po file, with nothing in it that changes though no text does."""
    catalogue.header_comment = HEADER.format(what=what)
    written = io.BytesIO()
    write_po(written, catalogue, width=WIDTH, include_lineno=False, sort_by_file=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(CHANGING.sub(b"", written.getvalue()))


def compiled(catalogue: Catalog) -> bytes:
    """Make the .mo of a catalogue."""
    catalogue.creation_date = datetime(2000, 1, 1, tzinfo=UTC)  # else it would change though no text does
    written = io.BytesIO()
    write_mo(written, _Unsigned(catalogue))
    return written.getvalue()


class _Unsigned(Catalog):
    """A catalogue whose header does not name the version of Babel. Else the .mo would change with each version."""

    def __init__(self, signed: Catalog) -> None:
        super().__init__(charset=signed.charset)
        self._signed = signed

    def __iter__(self) -> Iterator[Message]:
        for message in self._signed:
            yield message if message.id else Message("", SIGNATURE.sub("", str(message.string)))
