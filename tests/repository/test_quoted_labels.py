"""A label that a page tells people to choose, or to look for on the screen, is one that the box shows."""

from __future__ import annotations

import gettext
import re
from functools import cache
from pathlib import Path

import pytest

from umpi.i18n.translate import FOLDER

pytestmark = pytest.mark.once

PAGES = [Path("README.md"), *sorted(Path("firmware/docs").glob("*.md")), Path("firmware/umpi/games/README.md")]
BUILD = [Path("hardware/README.md"), *sorted(Path("hardware/guide/chapters").glob("*.toml"))]
QUOTED = re.compile(r"(?:[Cc]hooses?|then|[Ww]ait for|says|shows|[Tt]ouch(?:es)?|or) \*([^*\n]+)\*(?!\*)")
SIGN = re.compile(r"(?:screen shows|neither|nor|(?<=SAVED) or|a game:) ((?:[A-Z]+ )*[A-Z]{3,})\b")
PLACE = re.compile(r"({[^}]*})")


@cache
def labels() -> re.Pattern[str]:
    """Match any text of the box, its values left open."""
    found = re.findall(r'^msgid (".*"(?:\n".*")*)', (FOLDER / "umpi.pot").read_text(encoding="utf-8"), re.M)
    texts = {"".join(re.findall(r'"(.*)"', text)) for text in found}
    with (FOLDER / "en" / "LC_MESSAGES" / "umpi.mo").open("rb") as file:
        english = gettext.GNUTranslations(file)
    texts |= {english.gettext(text) for text in texts}
    parts = ("".join(".+" if part.startswith("{") else re.escape(part) for part in PLACE.split(text)) for text in texts)
    return re.compile("|".join(sorted({part for part in parts if re.search(r"[^\W_]{3}", part)})))


def unknown(text: str) -> list[str]:
    """Return the quoted labels in a page that the box does not show."""
    paragraphs = re.sub(r"\n(?=\S)", " ", text)
    return [label for label in QUOTED.findall(paragraphs) if not _shown(label)]


def _shown(label: str) -> bool:
    """Check for a label as it is, and as it begins in lower case inside a sentence, or in upper case at its start."""
    cases = {label, label[:1].lower() + label[1:], label[:1].upper() + label[1:]}
    return any(map(labels().fullmatch, cases))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_label_to_choose_is_on_the_screen(page: Path) -> None:
    assert unknown(page.read_text(encoding="utf-8")) == []


def test_the_pages_quote_labels() -> None:
    text = Path("firmware/docs/manual.md").read_text(encoding="utf-8")
    assert len(QUOTED.findall(re.sub(r"\n(?=\S)", " ", text))) > 5
    assert unknown("Choose *Safe shutdown*, or choose *Unplug the box*.") == ["Unplug the box"]
    assert unknown("Choose *Throw: all of it*.") == ["Throw: all of it"]


@pytest.mark.parametrize("page", BUILD, ids=str)
def test_a_sign_that_a_builder_looks_for_is_on_the_screen(page: Path) -> None:
    found = SIGN.findall(page.read_text(encoding="utf-8"))
    assert [sign for sign in found if not labels().fullmatch(sign)] == []
    assert bool(found) == (page.name in ("README.md", "b-wires.toml", "g-play.toml"))
