"""The quick guide: one page for players in each language of the box, with the labels of its screens."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from PIL.Image import Image

from hardware.case.numbers import read_case
from hardware.case.panels import lamps, lines, navigation_keys, seat_keys, window
from hardware.print.paper import BLACK, HEIGHT, LEADING, MARGIN, POINT, WIDTH, Ink, Page
from hardware.print.seats import WHITE, draw_mark
from umpi.display.menu import Choice, Menu
from umpi.display.screens import question
from umpi.i18n.translate import ENGLISH, set_language, tr
from umpi.simulator.reading import image_of
from umpi.table.commands import LIMITS_S
from umpi.table.labels import clock_time

TEXTS = Path(__file__).with_name("texts")
GREY: Ink = (0.93, 0.93, 0.93)
SIZE, HEAD, SMALL = 10.5, 13.0, 9.0  # letters, in points
BETWEEN = 8.0  # the columns
SCALE = 0.62  # of the front's picture
LABELS = {  # texts of the screens, as firmware/umpi/i18n/catalogues/umpi.pot has them
    "who_plays": "Players?", "new_game": "new game", "past": "Past matches",
    "not_sure": "Unclear", "again": "toss again", "by_hand": "by hand", "accept": "keep order",
    "correct": "Correct a move", "players": "Players", "odds": "Odds", "pause": "Pause", "clock": "Turn timer",
    "not_saved": "NOT SAVED", "out": "ERR", "safe": "Safe to unplug",
}  # fmt: skip
LIMITS_TITLE = "Time limit per turn"  # the screen in the picture


def draw_guide(file: Path, language: str) -> Path:
    """Draw the guide in a language. Raises ValueError if its text is longer than the page."""
    words: dict[str, Any] = tomllib.loads((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))
    labels, screen = _of_the_box(language)
    page = Page(file, words["title"])
    page.text((MARGIN, HEIGHT - MARGIN - 5), words["title"], 20, True)
    top = page.wrapped((MARGIN, HEIGHT - MARGIN - 8), words["under"], WIDTH - 2 * MARGIN, 10)
    top = _front(page, top - 6, words["keys"], screen)
    wide = (WIDTH - 2 * MARGIN - BETWEEN) / 2
    parts = [(part["head"], [text.format_map(labels) for text in part["text"]]) for part in words["part"]]
    for column, own in enumerate((parts[:3], parts[3:])):
        x, y = MARGIN + column * (wide + BETWEEN), top
        for head, texts in own:
            y -= LEADING * HEAD * POINT + 3
            page.text((x, y), head, HEAD, True)
            y -= 0.6
            for text in texts:
                y = page.wrapped((x, y), text, wide, SIZE) - 1.2
        if y < MARGIN + 4:
            raise ValueError(
                f"texts/{language}.toml: column {column + 1} is {MARGIN + 4 - y:.0f} mm longer than the page."
            )
    return page.save()


def _of_the_box(language: str) -> tuple[dict[str, str], Image]:
    """Return the labels in a language, and a screen that shows a choice above each button."""
    set_language(language)
    try:
        limits = tuple(Choice(tr("off") if not limit else clock_time(limit), limit) for limit in (0, *LIMITS_S))
        screen = question(Menu(tr(LIMITS_TITLE), limits), 0)
        return {name: str(tr(text)) for name, text in LABELS.items()}, image_of(screen)
    finally:
        set_language(ENGLISH)


def _front(page: Page, top: float, keys: list[str], screen: Image) -> float:
    """Draw the front of the box with a number at each button and its explanation; return the y below."""
    case = read_case()
    oled = case.oleds["2.42"]
    width, depth = case.box.width * SCALE, case.box.depth * SCALE
    left, low = MARGIN, top - depth

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return left + point[0] * SCALE, low + point[1] * SCALE

    page.box((left, low), (width, depth), GREY, 0.4)
    hole = window(case, oled)
    page.box(at((hole.left, hole.low)), ((hole.right - hole.left) * SCALE, (hole.top - hole.low) * SCALE), BLACK, 0)
    (x, y), (wide, high) = case.window.centre, oled.active
    page.picture(at((x - wide / 2, y - high / 2)), (wide * SCALE, high * SCALE), screen)
    for line in lines(case, oled):
        page.line([at(point) for point in line], 0.2)
    for seat, (lamp, key) in enumerate(zip(lamps(case), seat_keys(case), strict=True)):
        page.round(at(lamp), 5 * SCALE, WHITE)
        page.round(at(key), case.keys.cap * SCALE, WHITE)
        draw_mark(page, seat, at((key[0], case.keys.mark[0])), 5 * SCALE, BLACK, GREY)
    navigation = navigation_keys(case)
    for number, key in enumerate(navigation.values(), 1):
        page.round(at(key), case.keys.cap * SCALE, WHITE)
        page.middle(at(key), f"{number}", 9, True)
    page.middle(at(seat_keys(case)[0]), "5", 9, True)
    page.middle(at((lamps(case)[0][0] - 8, lamps(case)[0][1])), "6", 9, True)
    x, y = left + width + 6, top - 1
    for number, text in enumerate(keys, 1):
        page.text((x, y - LEADING * SMALL * POINT), f"{number}", SMALL, True)
        y = page.wrapped((x + 5, y), text, WIDTH - MARGIN - x - 5, SMALL) - 2
    return min(low, y) - 1
