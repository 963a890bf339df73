"""Save pictures of every screen of the box, compare them with the golden pictures, and show the differences.

The virtual box plays the scenarios of tests/screens in injected time. A step `picture NAME` saves the present screen,
and `call NAME` the call of the referee that passes over it.
`choose 3` presses the third choice, whatever button it has, so that one scenario works in all languages. `hammer red`
presses a button once, also if the box ignores that. `disk gone`
and `disk back` remove and restore the journal. `phones at` and `phones away` start and stop the page for phones,
and `asks red Ann` is a phone that asks for a seat. `card in` has the box start from a card. Then
`card finds FR` reports some networks and the country, and `card refuses` a wrong password.

  ./scripts/dev screens             draw firmware/pictures/screens.png, all of them, and face.png, some of them
  ./scripts/dev screens --differ    draw each changed screen: the golden picture, the new one, and the difference
  ./scripts/dev screens --golden    accept the current screens as golden: tests/screens/{en,fr,hu,de}.png, and said.list

After you change a text or a screen: run --differ, look at the pictures in the folder that it names, then run --golden.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from scripts.screens.gallery import gallery
from scripts.screens.golden import FACE, PICTURES, SAID, golden_of, said_of, screens_of, sheets
from scripts.screens.sheets import compared, differing, read_golden, write_golden
from umpi.i18n.translate import LANGUAGES
from umpi.simulator.script import ScriptFault


def main() -> None:
    """Play, then draw, compare or keep."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev screens", description=__doc__, formatter_class=formatter)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--golden", action="store_true", help="accept the current screens as golden")
    way.add_argument("--differ", action="store_true", help="draw the changed screens")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="languages to compare (default: all)")
    options = parser.parse_args()
    if unknown := set(options.languages) - set(LANGUAGES):
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(LANGUAGES)}.")
    languages = options.languages or list(LANGUAGES)
    try:
        if options.golden:
            for language in languages:
                write_golden(golden_of(language), screens_of(language))
                print(golden_of(language))
            SAID.write_text("".join(f"{line}\n" for line in said_of(gallery())), encoding="utf-8")
        elif options.differ:
            sys.exit(_differ(languages))
        else:
            _draw(options.languages[0] if options.languages else "en")
    except ScriptFault as fault:
        sys.exit(f"./scripts/dev screens: {fault}")


def _draw(language: str) -> None:
    screens = {name: screen.image for name, screen in gallery(language).items()}
    if lacking := [name for name in FACE if name not in screens]:
        sys.exit(f"./scripts/dev screens: no scenario has a picture {', '.join(lacking)}.")
    for name, sheet in sheets(screens).items():
        sheet.save(PICTURES / name, optimize=True)
        print(PICTURES / name)


def _differ(languages: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="umpi-screens-"))
    many = 0
    for language in languages:
        golden, now = read_golden(golden_of(language)), screens_of(language)
        for name in differing(golden, now):
            compared(golden.get(name), now.get(name)).save(folder / f"{language}-{name}.png")
            many += 1
    print(f"{many} screens differ: {folder}" if many else "All screens are golden.")
    return int(many > 0)


if __name__ == "__main__":
    main()
