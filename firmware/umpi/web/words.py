"""The texts of the page, read from its own code: `say("...")`, `pieces("...")`, `data-say` and `aria-label`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path

from umpi.i18n.translate import current_language, template, template_n

SAY_CALL = re.compile(r'\b(?:say|pieces)\((?:[^"]*\? )?"([^"]+)"(?: : "([^"]+)")?')
SAY_N_CALL = re.compile(r'\bsayN\("([^"]+)", "([^"]+)"')
HTML = "index.html", "offline.html"
WRITTEN = re.compile(r'data-say[^>]*>([^<]+)<|aria-label="([^"]+)"')


@cache
def page_texts() -> tuple[str, ...]:
    """Return the English texts of the page in alphabetical order, each once."""
    page = files("umpi.web") / "page"
    found = [text for name in HTML for text in WRITTEN.findall((page / name).read_text(encoding="utf-8"))]
    said = [text for script in _scripts() for text in texts_in(script)]
    return _sorted([*said, *(text for texts in found for text in texts)])


def texts_in(script: str) -> tuple[str, ...]:
    """Return the English texts that a script says, each once.

    >>> texts_in('say("Read {name}", { name }) + say(many ? "Teams" : "Team")')
    ('Read {name}', 'Team', 'Teams')
    """
    return _sorted(text for texts in SAY_CALL.findall(script) for text in texts)


def _sorted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({text for text in texts if text}, key=lambda text: (text.lower(), text)))


@cache
def page_plurals() -> tuple[tuple[str, str], ...]:
    """Return the English texts of the page that depend on a number: singular and plural, each pair once."""
    return tuple(sorted({pair for script in _scripts() for pair in SAY_N_CALL.findall(script)}))


def words_of_page() -> dict[str, str]:
    """Return the texts of the page in the language of the box, by their English."""
    words = {text: template(text) for text in page_texts()}
    for one, many in page_plurals():
        words |= {one: template_n(one, many, 1), many: template_n(one, many, 2)}
    return words


@cache
def _scripts() -> tuple[str, ...]:
    page = files("umpi.web") / "page"
    found = [file for folder in (page, page / "fields", page / "boards") for file in folder.iterdir()]
    return tuple(file.read_text(encoding="utf-8") for file in found if file.name.endswith(".js"))


def offline_page(folder: Path) -> str:
    """Return the page of an app without a connection, in the language of the box: there it cannot ask for its texts."""
    html = (folder / "offline.html").read_text(encoding="utf-8")
    html = re.sub(r"(data-say[^>]*>)([^<]+)<", lambda found: f"{found[1]}{escape(template(found[2]), False)}<", html)
    return html.replace('lang="en"', f'lang="{current_language()}"', 1)
