"""The texts of the page, read from its own code: `say("...")`, `pieces("...")`, `data-say` and `aria-label`."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path

from umpi.i18n.translate import current_language, template

SAY_CALL = re.compile(r'\b(?:say|pieces)\((?:[^"]*\? )?"([^"]+)"(?: : "([^"]+)")?')
HTML = "index.html", "offline.html"
WRITTEN = re.compile(r'data-say[^>]*>([^<]+)<|aria-label="([^"]+)"')


@cache
def page_texts() -> tuple[str, ...]:
    """Return the English texts of the page in alphabetical order, each once."""
    page = files("umpi.web") / "page"
    scripts = [file for folder in (page, page / "fields") for file in folder.iterdir() if file.name.endswith(".js")]
    found = [text for name in HTML for text in WRITTEN.findall((page / name).read_text(encoding="utf-8"))]
    for script in scripts:
        found += SAY_CALL.findall(script.read_text(encoding="utf-8"))
    return tuple(sorted({text for texts in found for text in texts if text}, key=str.lower))


def offline_page(folder: Path) -> str:
    """Return the page of an app without a connection, in the language of the box: there it cannot ask for its texts."""
    html = (folder / "offline.html").read_text(encoding="utf-8")
    html = re.sub(r"(data-say[^>]*>)([^<]+)<", lambda found: f"{found[1]}{escape(template(found[2]), False)}<", html)
    return html.replace('lang="en"', f'lang="{current_language()}"', 1)
