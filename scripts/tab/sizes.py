"""The sizes of what a tab downloads, part by part."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.tab.build import Built


def table(files: Sequence[Built]) -> str:
    """Return a table of the files: how large each is in the browser, and how much is downloaded for it.

    >>> print(table([Built("umpi.zip", 3_000_000, 1_000_000), Built("tab.css", 900, 900)]))
    file          MB  downloaded
    umpi.zip    3.00        1.00
    tab.css     0.00        0.00
    in all      3.00        1.00
    """
    rows = [*files, Built("in all", sum(file.size for file in files), sum(file.bytes for file in files))]
    width = max(len(row.name) for row in rows)
    lines = [f"{row.name:{width}}  {row.size / 1e6:6.2f}      {row.bytes / 1e6:6.2f}" for row in rows]
    return "\n".join([f"{'file':{width}}      MB  downloaded", *lines])
