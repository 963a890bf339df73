"""The build guide as a PDF: a page of safety and time, then two steps on each page."""

from __future__ import annotations

from pathlib import Path

from hardware.guide.steps import Guide, Step
from hardware.print.paper import BLACK, HEIGHT, MARGIN, WIDTH, Ink, Page

SIZE, SMALL = 9.0, 8.0
BLUE: Ink = (0.12, 0.3, 0.55)
GREEN: Ink = (0.1, 0.45, 0.2)
RED: Ink = (0.65, 0.1, 0.1)
PALE: Ink = (0.94, 0.95, 0.97)
FIELD = (78.0, 96.0)  # of a picture
STEP = (HEIGHT - 2 * MARGIN) / 2
Checks = list[tuple[str, str, str]]


def write_pdf(guide: Guide, pictures: list[Path], checks: Checks, file: Path) -> Path:
    """Write the guide. Raises ValueError with a step that is longer than its half of a page."""
    page = Page(file, guide.title)
    _first(page, guide)
    for number, (step, picture) in enumerate(zip(guide.steps, pictures, strict=True), 1):
        if number % 2:
            page.turn()
        top = HEIGHT - MARGIN - (0 if number % 2 else STEP)
        low = _step(page, number, step, picture, checks, top)
        if low < top - STEP + 1:
            raise ValueError(f"guide.toml: {step.title}: it is {top - STEP + 1 - low:.0f} mm longer than its place.")
    return page.save()


def _first(page: Page, guide: Guide) -> None:
    y = HEIGHT - MARGIN - 10
    page.text((MARGIN, y), guide.title, 22, True)
    hours = guide.minutes / 60
    y = page.wrapped((MARGIN, y - 4), f"{len(guide.steps)} steps, about {hours:.0f} hours without printing. "
                     f"{guide.status} {guide.colours}", WIDTH - 2 * MARGIN, SIZE)  # fmt: skip
    page.text((MARGIN, y := y - 10), "Safety", 14, True, RED)
    for what, do in guide.safety:
        y -= 8
        page.text((MARGIN, y), what, SIZE, True)
        y = page.wrapped((MARGIN + 38, y + 1.32 * SIZE * 0.3528), do, WIDTH - 2 * MARGIN - 38, SIZE)
    page.text((MARGIN, y := y - 14), "Steps", 14, True)
    y -= 3
    for number, step in enumerate(guide.steps, 1):
        y -= 6.5
        page.text((MARGIN, y), f"{number}", SIZE, True)
        page.text((MARGIN + 9, y), step.title, SIZE)
        page.text((MARGIN + 92, y), f"{step.minutes} min", SIZE)
        page.text((MARGIN + 110, y), step.tools, SMALL)


def _step(page: Page, number: int, step: Step, picture: Path, checks: Checks, top: float) -> float:
    """Draw a step below `top`; return the y below it."""
    page.box((MARGIN, top - 9), (WIDTH - 2 * MARGIN, 9), PALE, 0)
    page.text((MARGIN + 2, top - 6.6), f"{number}", 15, True, BLUE)
    page.text((MARGIN + 13, top - 6.4), step.title, 13, True)
    page.text((MARGIN, top - 14), f"{step.minutes} minutes   Tools: {step.tools}", SMALL)
    left, wide = MARGIN + FIELD[0] + 6, WIDTH - 2 * MARGIN - FIELD[0] - 6
    if not step.check:
        page.photo((MARGIN, top - 18 - FIELD[1]), FIELD, picture)
    else:
        _checks(page, checks, top - 19)
        left, wide = MARGIN + 112, WIDTH - 2 * MARGIN - 112
        page.photo((left, top - STEP + 4), (wide, 36), picture)
    y = top - 17
    for count, words in enumerate(step.do, 1):
        page.text((left, y - 4), f"{count}", SIZE, True, BLUE)
        y = page.wrapped((left + 6, y), words, wide - 6, SIZE) - 1.5
    y = _part(page, (left, y), "You should see", step.see, wide, GREEN)
    for what, do in step.wrong:
        y = _part(page, (left, y), f"If {what}:", do, wide, RED)
    return min(y, top - 18 - (0 if step.check else FIELD[1]))


def _part(page: Page, at: tuple[float, float], head: str, words: str, wide: float, ink: Ink) -> float:
    x, y = at
    page.text((x, y - 5), head, SMALL, True, ink)
    return page.wrapped((x, y - 5.6), words, wide, SMALL)


def _checks(page: Page, checks: Checks, y: float) -> None:
    widths = (0.0, 46.0, 72.0)
    for words, x in zip(("Between header positions", "", "It is right if"), widths, strict=True):
        page.text((MARGIN + x, y - 4), words, SMALL, True)
    for row in checks:
        y -= 5.6
        page.line([(MARGIN, y), (MARGIN + 108, y)], 0.1)
        if len(row[0]) > 40:
            page.text((MARGIN + widths[2], y - 4), row[2], SMALL, False, BLACK)
            y = page.wrapped((MARGIN, y - 0.6), row[0], widths[2] - 4, SMALL) + 4
            continue
        for words, x in zip(row, widths, strict=True):
            page.text((MARGIN + x, y - 4), words, SMALL)
