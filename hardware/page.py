"""Fill the tables of a page between their marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path


def filled(page: str, made: Mapping[str, str], others: Collection[str] = ()) -> str:
    """Return a page with its tables; those of `others` stay. Raises ValueError for marks of a table that is not made.

    >>> filled("a <!-- pins -->old<!-- /pins --> b", {"pins": "new"})
    'a <!-- pins -->\\nnew\\n<!-- /pins --> b'
    """

    def table(found: re.Match[str]) -> str:
        if found[1] in others:
            return found[0]
        if found[1] not in made:
            raise ValueError(f"README.md: table {found[1]}: there are {', '.join(made)}.")
        return f"<!-- {found[1]} -->\n{made[found[1]]}\n<!-- /{found[1]} -->"

    return re.sub(r"<!-- ([\w-]+) -->.*?<!-- /\1 -->", table, page, flags=re.DOTALL)


def fill(page: Path, made: Mapping[str, str], others: Collection[str] = ()) -> Path:
    """Write the tables of a page again, but not those of `others`; return its path."""
    page.write_text(filled(page.read_text(encoding="utf-8"), made, others), encoding="utf-8")
    return page
