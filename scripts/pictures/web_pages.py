"""Play a few turns on the virtual box and take pictures of its page: the box, a phone by day and by night, a TV."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.kit.browsing import Phone, Sim, chromium
from umpi.journal import Journal

DOHDLES = ("Rosie", "Ben", "Katy", "Dov")
DODEKKA = ("Rosie", "Ben", "Katy")
DEAL = {"do": "deal", "cards": ["fire-2", "water-1", "air-1"]}
TURNS: list[dict[str, Any]] = [
    DEAL, {"do": "turn", "card": "earth-3"}, {"do": "take"}, {"do": "turn", "card": "ether-2"}, {"do": "take"},
    {"do": "take"}, {"do": "turn", "card": "air-3"}, {"do": "turn", "card": "water-2"},
]  # fmt: skip
CLUES: list[dict[str, Any]] = [{"do": "clue", "riddle": "B1", "kind": "letter"}]


def web_pages() -> Iterator[tuple[str, bytes]]:
    """Take all four pictures; yield the name of each file and its PNG."""
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "chromium") as browser:
        sim = begun(Path(folder) / "cards.db", "dodekka", DODEKKA, TURNS)
        try:
            phone = Phone(browser, sim.address(2))
            phone.pair(sim.code(1))
            phone.tap("#notice button")
            yield "phone.png", taken(phone)
            television = Phone(browser, sim.address(3), 1920, 1080)
            still(television)
            television.go("tv")
            yield "tv.png", taken(television)
        finally:
            sim.kill()
        sim = begun(Path(folder) / "riddles.db", "dohdles", DOHDLES, CLUES)
        try:
            table = Phone(browser, sim.address(4), 1000, 840)
            still(table)
            table.go("box")
            table.tap("#together")
            for colour in ("yellow", "green", "red"):
                table.tap(f"[data-cube={colour}]")
            table.tap("#toss")
            sim.sees("Guess", "1 Katy")
            phone = Phone(browser, sim.address(5))
            phone.pair(sim.code(None))
            phone.tap("#notice button")
            phone.find(".finish")
            yield "phone-dark.png", taken(phone, dark=True)
            table.here.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
            sim.sees("Guess", "1 Katy")
            yield "box.png", taken(table)
        finally:
            sim.kill()


def begun(journal: Path, game: str, players: tuple[str, ...], lines: list[dict[str, Any]]) -> Sim:
    """Start a box that resumes a game of these players."""
    kept = Journal(journal)
    header = {"umpi": 1, "game": game, "players": players, "options": {}, "buttons": list(range(len(players)))}
    kept.append(kept.begin(header), [{**line, "at": 9000 * at} for at, line in enumerate(lines, 1)], "panel")
    kept.close()
    sim = Sim(journal, "--lanes", "6")
    sim.sees("Resuming")
    sim.press("ok")
    return sim


def still(phone: Phone, dark: bool = False) -> None:
    """Set day or night, and stop all animation."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    phone.cdp("Emulation.setEmulatedMedia", features=[scheme, {"name": "prefers-reduced-motion", "value": "reduce"}])


def taken(phone: Phone, dark: bool = False) -> bytes:
    """Return a picture of a page as a PNG."""
    still(phone, dark)
    phone.find("main")
    phone.wait(
        "for (const motion of document.getAnimations()) motion.finish(); return !document.getAnimations().length"
    )
    return base64.b64decode(phone.cdp("Page.captureScreenshot", format="png")["data"])
