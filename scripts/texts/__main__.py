"""Collect the texts that players see into gettext catalogues, compile these, and find texts that do not fit."""

from __future__ import annotations

import argparse

from scripts.texts.catalogues import (
    TEMPLATE,
    collected,
    compiled,
    new,
    only_words,
    po_files,
    read,
    translated,
    write,
)  # fmt: skip
from scripts.texts.fit import cut_texts
from scripts.texts.made_from import OTHERS
from scripts.texts.made_from import write as write_made_from
from scripts.texts.terms import all_faults
from umpi.i18n.translate import ENGLISH, LANGUAGES, languages


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="./scripts/dev texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="update the .po of each language from the template")
    parser.add_argument("--compile", action="store_true", help="compile each .po with translations to a .mo")
    parser.add_argument("--fit", metavar="LANGUAGE", choices=LANGUAGES, help="list the texts that the screen cuts")
    parser.add_argument(
        "--still-right", metavar="NAME", nargs="+", help="these translations also fit the English that has changed"
    )
    parser.add_argument("--check", action="store_true", help="list banned words, plural dodges and wrong marks")
    options = parser.parse_args()
    if options.fit and options.fit not in languages():
        parser.error(f"{options.fit} has no catalogue yet: translate some, then ./scripts/dev texts --compile.")
    if options.fit:
        print("\n".join(cut_texts(options.fit)) or "The screen cuts none.")
    elif options.still_right:
        _write_made_from(frozenset(options.still_right))
    elif options.check:
        print("\n".join(all_faults()) or "No faults.")
    elif options.compile:
        for code, file in po_files():
            catalogue = read(file, code)
            count = sum(1 for message in catalogue if message.id and translated(message) and not message.fuzzy)
            mo = file.with_suffix(".mo")
            mo.write_bytes(compiled(catalogue)) if count else mo.unlink(missing_ok=True)
            print(f"{code}: {count} of {len(catalogue)} texts")
    else:
        template = collected()
        write(TEMPLATE, template, "the template, written by ./scripts/dev texts")
        print(f"{TEMPLATE}: {len(template)} texts")
        for code, file in po_files() if options.update else ():
            catalogue = read(file, code) if file.exists() else new(code)
            catalogue.update(template, no_fuzzy_matching=code == ENGLISH)
            if code == ENGLISH:
                catalogue = only_words(catalogue)
            kept = {key: message for key, message in catalogue.obsolete.items() if translated(message)}
            catalogue.obsolete.clear()
            catalogue.obsolete.update(kept)
            write(file, catalogue, LANGUAGES[code])
        if options.update:
            _write_made_from()


def _write_made_from(still_right: frozenset[str] = frozenset()) -> None:
    for code in OTHERS:
        for name in write_made_from(code, still_right):
            print(f"{code}: the English of “{name}” has changed. Translate it again, or: --still-right {name!r}")


if __name__ == "__main__":
    main()
