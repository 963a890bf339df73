"""All screens of a language, its golden sheet, and the pictures of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from scripts import REPO
from scripts.screens.full import fullest
from scripts.screens.gallery import FOLDER, Screen, gallery
from scripts.screens.sheets import contact_sheet

SAID = FOLDER / "said.list"  # of the English screens
PICTURES = REPO / "firmware" / "pictures"
FACE = (  # a selection for the README
    "who-plays", "dodeka-kept", "dodekka-turn",
    "order-three", "battledodes-attack", "quiz-right",
    "dead-heat", "large-score", "winners-two",
)  # fmt: skip


def golden_of(language: str) -> Path:
    """Name the golden sheet of a language."""
    return FOLDER / f"{language}.png"


def said_of(screens: Mapping[str, Screen]) -> list[str]:
    """List each screen with a print of what phones get, and what the voice says."""
    return [f"{name}: {screen.line}" for name, screen in sorted(screens.items())]


def screens_of(language: str) -> dict[str, Image.Image]:
    """Draw all screens of a language: those of the scenarios, and in another than English the fullest."""
    return {name: screen.image for name, screen in gallery(language).items()} | fullest(language)


def sheets(screens: dict[str, Image.Image]) -> dict[str, Image.Image]:
    """Draw the pictures of the pages, by the names of their files: all screens, and the selection."""
    face = {name: screens[name] for name in FACE}
    return {"screens.png": contact_sheet(screens, 4, 4), "face.png": contact_sheet(face, 3, 3, titled=False)}
