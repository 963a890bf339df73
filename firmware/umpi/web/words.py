"""The texts of the page, read from its own code: `say("...")`, `pieces("...")`, `data-say` and `aria-label`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

SAID = re.compile(r'\b(?:say|pieces)\((?:[^"]*\? )?"([^"]+)"(?: : "([^"]+)")?')
WRITTEN = re.compile(r'data-say[^>]*>([^<]+)<|aria-label="([^"]+)"')


@cache
def page_texts() -> tuple[str, ...]:
    """Return the English texts of the page in alphabetical order, each once."""
    page = files("umpi.web") / "page"
    scripts = [file for folder in (page, page / "fields") for file in folder.iterdir() if file.name.endswith(".js")]
    found = WRITTEN.findall((page / "index.html").read_text(encoding="utf-8"))
    for script in scripts:
        found += SAID.findall(script.read_text(encoding="utf-8"))
    return tuple(sorted({text for texts in found for text in texts if text}, key=str.lower))
