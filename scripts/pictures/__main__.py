"""Draw the pictures of the pages again: screens of the box, a turn as a moving picture, and pages in a browser.

Tests compare them with what the box and its page show today, and name this command. Look at what it has drawn.
"""

from __future__ import annotations

import argparse

from scripts.pictures import moving_picture
from scripts.pictures.web_pages import web_pages
from scripts.screens.golden import PICTURES, screens_of, sheets
from umpi.i18n.translate import ENGLISH


def main() -> None:
    """Draw them all into firmware/pictures."""
    argparse.ArgumentParser(prog="./scripts/dev pictures", description=__doc__).parse_args()
    for name, sheet in sheets(screens_of(ENGLISH)).items():
        sheet.save(PICTURES / name, optimize=True)
        print(PICTURES / name)
    moving_picture.write(moving_picture.FILE)
    print(moving_picture.FILE)
    for name, picture in web_pages():
        (PICTURES / name).write_bytes(picture)
        print(PICTURES / name)


if __name__ == "__main__":
    main()
