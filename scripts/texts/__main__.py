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
from umpi.i18n.translate import ENGLISH, LANGUAGES, languages


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="./scripts/dev texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="update the .po of each language from the template")
    parser.add_argument("--compile", action="store_true", help="compile each .po with translations to a .mo")
    parser.add_argument("--fit", metavar="LANGUAGE", choices=LANGUAGES, help="list the texts that the screen cuts")
    options = parser.parse_args()
    if options.fit and options.fit not in languages():
        parser.error(f"{options.fit} has no catalogue yet: translate some, then ./scripts/dev texts --compile.")
    if options.fit:
        print("\n".join(cut_texts(options.fit)) or "The screen cuts none.")
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


if __name__ == "__main__":
    main()
