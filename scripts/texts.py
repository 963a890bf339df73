"""Collect the texts that players see into gettext catalogues, compile these, and find texts that do not fit."""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from texts_fit import cut_texts
from texts_source import texts
from texts_words import option_values, words_met

from umpi.i18n.translate import ENGLISH, FOLDER, LANGUAGES, languages
from umpi.table.seats import COLOURS

TEMPLATE = FOLDER / "umpi.pot"
WIDTH = 110
CHANGING = re.compile(rb'^"(Project|Report|POT-Creation|PO-Revision|Generated-By|Last-Tr|Language-Team).*\n', re.M)
HEADER = "# Texts of Umpi for players: {what}. How to translate them: firmware/umpi/i18n/README.md"
PLURALS = {"hu": "nplurals=2; plural=(n != 1);"}  # Babel has one form: so it is after a number, but not without one
SEAT = "The name of a player who gave none: the colour of the button. 10 letters."
VALUE = 'A value of the option "{option}": as short as can be.'
WORD = "A word: of a card, an option, an answer, or in the row under the scores; as short as can be."


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="update the .po of each language from the template")
    parser.add_argument("--compile", action="store_true", help="compile each .po with translations to a .mo")
    parser.add_argument("--fit", metavar="LANGUAGE", choices=LANGUAGES, help="list the texts that the screen cuts")
    options = parser.parse_args()
    if options.fit and options.fit not in languages():
        parser.error(f"{options.fit} has no catalogue yet: translate some, then scripts/texts --compile.")
    if options.fit:
        print("\n".join(cut_texts(options.fit)) or "The screen cuts none.")
    elif options.compile:
        for code, file in po_files():
            catalogue = read(file, code)
            count = sum(1 for message in catalogue if message.id and any(message.string) and not message.fuzzy)
            mo = file.with_suffix(".mo")
            mo.write_bytes(compiled(catalogue)) if count else mo.unlink(missing_ok=True)
            print(f"{code}: {count} of {len(catalogue)} texts")
    else:
        template = collected()
        write(TEMPLATE, template, "the template, written by scripts/texts")
        print(f"{TEMPLATE}: {len(template)} texts")
        for code, file in po_files() if options.update else ():
            catalogue = read(file, code) if file.exists() else new(code)
            catalogue.update(template, no_fuzzy_matching=code == ENGLISH)
            if code == ENGLISH:
                catalogue = only_words(catalogue)
            kept = {key: message for key, message in catalogue.obsolete.items() if any(message.string)}
            catalogue.obsolete.clear()
            catalogue.obsolete.update(kept)
            write(file, catalogue, LANGUAGES[code])


def collected() -> Catalog:
    """Collect all texts, each with its places in the code and its room on the screen."""
    template = Catalog(fuzzy=False)
    singles: set[str] = set()
    for text in texts():
        template.add(text.id, context=text.context, locations=[(text.file, 0)], auto_comments=[text.comment])
        if not text.context:
            singles.update([text.id] if isinstance(text.id, str) else text.id)
    for option, value, game in option_values():
        template.add(value, context=option, auto_comments=[VALUE.format(option=option), game])
    for word, used in words_met(singles):
        template.add(word, auto_comments=[WORD, used])
    for colour in COLOURS:
        template.add(colour.lower(), auto_comments=[WORD, "Cubes"])
        template.add(colour, context="player", auto_comments=[SEAT])
    return template


def only_words(english: Catalog) -> Catalog:
    """Keep the texts that have a translation, and translate each other word by itself."""
    kept = new(ENGLISH)
    for message in english:
        word = any(comment.startswith(WORD) for comment in message.auto_comments)
        if message.id and (any(message.string or ()) or word):
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
    write_mo(written, catalogue)
    return written.getvalue()


if __name__ == "__main__":
    main()
