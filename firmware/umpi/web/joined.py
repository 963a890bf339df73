"""The page for phones with its modules joined into one script, and its stylesheets into one: two requests.

The files in `page/` stay as they are, and a browser can also load them one by one. Each module becomes a function,
after those that it imports:

    const send_js = await (async () => {
    const { say } = words_js;
    …
    return { get, post };
    })();
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

STYLE = re.compile(r'<link rel="stylesheet" href="(.+)">\n')
SCRIPT = re.compile(r'(?<=<script type="module" src=")(.+)(?="></script>)')
IMPORT = re.compile(r'^import (\{[\w, ]+\}) from "(.+)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
OTHER = re.compile(
    r"^(?:import|export)\b.*|\bimport(?:\(|\.meta).*", re.M
)  # what a function cannot contain, or only a module


class CannotJoin(Exception):
    """Raised if a module imports or exports in a form that is not understood; the message contains the place."""


class JoinedPage(NamedTuple):
    """The HTML of the page, and the joined files by the names that it contains."""

    html: str
    files: dict[str, bytes]


@cache
def joined_page(folder: Path) -> JoinedPage:
    """Return the page in a folder, joined. The names of the joined files contain a hash of their content.

    Raises CannotJoin.
    """
    html = (folder / "index.html").read_text(encoding="utf-8")
    names, modules = STYLE.findall(html), dict[str, str]()
    for name in SCRIPT.findall(html):
        _join(folder, name, modules)
    style, styles = _hashed("".join((folder / name).read_text(encoding="utf-8") for name in names), "css")
    script, scripts = _hashed("".join(modules.values()), "js")
    html = STYLE.sub("", html, count=len(names) - 1)
    html = STYLE.sub(f'<link rel="stylesheet" href="{style}">\n', html)
    return JoinedPage(SCRIPT.sub(script, html), {style: styles, script: scripts})


def _join(folder: Path, name: str, modules: dict[str, str], importers: tuple[str, ...] = ()) -> str:
    """Add a module to `modules`, after those that it imports. Return what it is called in the joined script."""
    if name in importers:
        raise CannotJoin(f"{name} imports itself: {' → '.join((*importers, name))}.")
    called = re.sub(r"\W", "_", name)
    if name not in modules:

        def imported(found: re.Match[str]) -> str:
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
            return f"const {found[1]} = {_join(folder, other, modules, (*importers, name))};"

        text = IMPORT.sub(imported, (folder / name).read_text(encoding="utf-8"))
        exported = ", ".join(EXPORT.findall(text))
        text = EXPORT.sub("", text)
        if ("import" in text or "export" in text) and (unknown := OTHER.search(text)):  # the search takes longest
            raise CannotJoin(f"{name}: {unknown[0]}")
        modules[name] = f"const {called} = await (async () => {{\n{text}return {{ {exported} }};\n}})();\n"
    return called


def _hashed(text: str, kind: str) -> tuple[str, bytes]:
    body = text.encode()
    return f"page-{hashlib.sha256(body).hexdigest()[:16]}.{kind}", body
