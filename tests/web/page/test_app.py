"""The page as an app: its files fit together, and an answer that was begun survives a reload."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image, ImageChops

from scripts.pictures import icons

PAGE = Path(__file__).parents[3] / "firmware/umpi/web/page"


def test_the_icons_and_the_manifest_have_the_colours_of_the_tokens() -> None:
    colours = icons.tokens()
    assert (PAGE / "icon.svg").read_text() == icons.svg(colours), "draw it again: ./scripts/dev icons"
    assert (PAGE / "manifest.webmanifest").read_text() == icons.manifest(colours), "write it again: ./scripts/dev icons"
    for name, size, maskable in icons.PNGS:
        kept, drawn = Image.open(PAGE / name).convert("RGBA"), icons.png(colours, size, maskable)
        most = max(high for _, high in ImageChops.difference(kept, drawn).getextrema())
        assert most < 16, f"draw {name} again: ./scripts/dev icons"


def test_each_icon_of_the_manifest_is_there_in_its_size() -> None:
    icons = json.loads((PAGE / "manifest.webmanifest").read_text())["icons"]
    kinds = {(icon["sizes"], icon["purpose"]) for icon in icons}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= kinds
    for icon in icons:
        if icon["type"] == "image/png":
            assert "{}x{}".format(*Image.open(PAGE / icon["src"]).size) == icon["sizes"]


def test_a_maskable_icon_keeps_its_drawing_clear_of_the_edges() -> None:
    """A phone cuts off all outside a circle of 80 % of its width."""
    image = Image.open(PAGE / "icon-maskable-512.png").convert("RGB")
    ground = image.getpixel((0, 0))
    away = [
        (x, y)
        for x in range(0, 512, 4)
        for y in range(0, 512, 4)
        if (x - 256) ** 2 + (y - 256) ** 2 > (0.4 * 512) ** 2 and image.getpixel((x, y)) != ground
    ]
    assert away == []
