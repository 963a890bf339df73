"""Keep in a picture and in a PDF what it was drawn from: a digest of the same drawing as SVG.

So git needs no SVG, and a test sees without drawing again that a file is out of date.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pypdfium2
from PIL import Image
from PIL.PngImagePlugin import PngInfo

KEY = "Drawn from"


def origin(svg: str) -> str:
    """Return the digest of a drawing."""
    return sha256(svg.encode()).hexdigest()[:16]


def save_png(image: Image.Image, path: Path, svg: str) -> None:
    """Write a picture with the digest of its drawing."""
    words = PngInfo()
    words.add_text(KEY, origin(svg))
    image.save(path, optimize=True, pnginfo=words)


def origin_of(path: Path) -> str:
    """Return the digest that is in a PNG or a PDF, or "" if there is none."""
    if path.suffix == ".pdf":
        return str(pypdfium2.PdfDocument(path).get_metadata_value("Keywords"))
    with Image.open(path) as image:
        return str(image.info.get(KEY, ""))
