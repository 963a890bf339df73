"""A label that a page, the build guide or a text quotes is one that the box shows.

Pages mark labels by *italics* and nothing else by italics. The build guide writes them “in quotation marks”, as texts
of the catalogues do.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scripts import REPO
from scripts.texts.catalogues import TEMPLATE, po_files, read
from scripts.texts.terms import CODE, PAGES, language_of
from umpi.i18n.translate import FOLDER, languages

HISTORY = {"CHANGELOG.md"}  # it quotes labels that are gone
CHAPTERS = sorted((REPO / "hardware" / "guide" / "chapters").glob("*.toml"))
DRAWN = {"catch", "queue", "No wire"}  # kinds of rail, and a note in a picture: no labels of the box
BROWSER = {  # what a browser shows
    "Add to home screen", "Install", "Ajouter à l’écran d’accueil", "Installer", "Zum Startbildschirm", "Installieren",
    "Hozzáadás a kezdőképernyőhöz", "Telepítés",
}  # fmt: skip
ITALIC = re.compile(r"(?<![*\w])\*([^*\n ](?:[^*\n]*[^*\n ])?)\*(?![*\w])")
QUOTED = re.compile(r"[“„«]\s?([^“”„«»{}]+?)\s?[”“»]")
SIGN = re.compile(r"(?:screen shows|neither|nor|(?<=SAVED) or|a game:) ((?:[A-Z]+ )*[A-Z]{3,})\b")
PLACE = re.compile(r"({[^}]*})")


@cache
def labels(code: str = "en") -> re.Pattern[str]:
    """Match any text of the box in a language, its values left open."""
    with (FOLDER / code / "LC_MESSAGES" / "umpi.mo").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    texts = set[str]()
    for entry in read(TEMPLATE, "en"):
        if entry.id:
            one = entry.id if isinstance(entry.id, str) else entry.id[0]
            texts |= {spoken.pgettext(entry.context, one) if entry.context else spoken.gettext(one)}
            texts |= {one} if code == "en" else set()
    whole = {re.escape(text) for text in texts if "{" not in text}
    parts = ("".join(".+" if part.startswith("{") else re.escape(part) for part in PLACE.split(text)) for text in texts)
    return re.compile("|".join(sorted(whole | {part for part in parts if re.search(r"[^\W_]{3}", part)})))


def unknown(text: str, code: str = "en") -> Iterator[str]:
    """Yield each label in italics that the box does not show, with the number of its line."""
    blanked = CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    joined = re.sub(r"\n(?=\S)", " ", blanked)  # of the same length: a label may end on the next line
    for found in ITALIC.finditer(joined):
        if not _shown(found[1], code):
            yield f"line {blanked.count(chr(10), 0, found.start()) + 1}: {found[1]}"


def _shown(label: str, code: str = "en") -> bool:
    """Check for a label as it is, and as it begins in lower case inside a sentence, or in upper case at its start."""
    cases = {label, label[:1].lower() + label[1:], label[:1].upper() + label[1:]}
    return any(map(labels(code).fullmatch, cases))


@pytest.mark.slow
def test_a_label_in_italics_is_on_the_screen() -> None:
    pages = [page for page in PAGES if page.name not in HISTORY]
    found = [
        f"{page.relative_to(REPO)}, {label}"
        for page in pages
        for label in unknown(page.read_text("utf-8"), language_of(page))
    ]
    assert found == []
    assert len(pages) > 30


def test_a_label_that_no_screen_shows_is_found_with_its_line() -> None:
    assert list(unknown("Hold Back.\nChoose *Safe shutdown*, or choose *Unplug\nthe box*.")) == [
        "line 2: Unplug the box"
    ]
    assert list(unknown("Choose *Throw: all of it*.")) == ["line 1: Throw: all of it"]
    assert list(unknown("    *in code*, `*too*`, and **bold**")) == []


@pytest.mark.parametrize("page", [REPO / "hardware" / "README.md", *CHAPTERS], ids=lambda page: page.name)
def test_a_sign_that_a_builder_looks_for_is_on_the_screen(page: Path) -> None:
    found = SIGN.findall(page.read_text(encoding="utf-8"))
    assert [sign for sign in found if not labels().fullmatch(sign)] == []
    assert bool(found) == (page.name in ("README.md", "b-wires.toml", "g-play.toml"))


def test_what_the_build_guide_quotes_is_a_label_or_a_heading() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    known = {*re.findall(r"^#+ (.+)$|!\[(\w+)", text, re.M)}
    headings = DRAWN | {part for pair in known for part in pair}
    quoted = {label for page in CHAPTERS for label in QUOTED.findall(page.read_text(encoding="utf-8"))}
    assert [label for label in sorted(quoted) if label not in headings and not _shown(label)] == []
    assert "Score pad" in quoted


@pytest.mark.parametrize("code", languages())
def test_a_label_that_a_text_of_the_box_quotes_is_on_the_screen(code: str) -> None:
    lost = []
    for entry in read(dict(po_files())["fr" if code == "en" else code], code):
        if "“" not in str(entry.id):
            continue  # it quotes nothing, or "words" of a record
        told = entry.id if code == "en" else entry.string
        for text in (told,) if isinstance(told, str) else told:
            labels_in = [label.strip("\u00a0") for label in QUOTED.findall(text)]
            lost += [f"{text}: {label}" for label in labels_in if label not in BROWSER and not _shown(label, code)]
    assert lost == []
