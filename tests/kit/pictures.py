"""Compare pictures that another machine drew: its arithmetic may differ in the last digit."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageChops


def differing(one: Path | Image.Image, other: Path | Image.Image) -> float:
    """Return the share of dots that differ by more than an eighth of the brightness; 1 if the sizes differ."""
    a, b = (Image.open(each) if isinstance(each, Path) else each for each in (one, other))
    if a.size != b.size:
        return 1.0
    dots = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).convert("L").histogram()
    return sum(dots[32:]) / (a.width * a.height)
