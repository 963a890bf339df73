"""The files of DejaVu Sans, which matplotlib brings. It is not imported for them, because that takes a while."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def font_file(name: str) -> Path:
    """Return the TrueType file of a font. Raises ImportError without matplotlib.

    >>> font_file("DejaVuSans-Bold").read_bytes()[:4].hex()
    '00010000'
    """
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise ImportError("There is no matplotlib here, whose letters are needed: ./scripts/setup")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / f"{name}.ttf"
