"""The build guide as a PDF: safety, the way of each build, then the chapters with two steps on each page."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hardware.guide.measure import Row
from hardware.guide.needs import line, rows
from hardware.guide.steps import Chapter, Guide, Step
from hardware.print.paper import BLACK, HEIGHT, MARGIN, WIDTH, Ink, Page, wrap

SIZE, SMALL = 9.0, 8.0
BLUE: Ink = (0.12, 0.3, 0.55)
GREEN: Ink = (0.05, 0.36, 0.15)
RED: Ink = (0.6, 0.05, 0.05)
PALE: Ink = (0.92, 0.93, 0.95)
FIELD = (78.0, 84.0)  # of a picture
HEAD = 9.0  # height of the line above a page
TOP = HEIGHT - MARGIN - HEAD
STEP = (TOP - MARGIN) / 2
WIDE = WIDTH - 2 * MARGIN
BUILDS = ("minimal", "table", "full")
HAS = {
    "minimal": "Display and buttons.",
    "table": "Also lamps, buzzer, sensor head, and one lane behind the funnel.",
    "full": "Also six lanes, colour sensor, the Battledodes wall, leads and a card scanner.",
}
ORDER = (
    "hardware/cart/out/cart.csv has every part of each build. Each step begins with the parts that it uses: put them "
    "on the table first. Each part is used in exactly one step."
)
Checks = dict[str, list[Row]]


class Sheet(NamedTuple):
    """A page of the guide: one long step, or up to two."""

    chapter: Chapter
    steps: tuple[Step, ...]


def sheets(guide: Guide) -> list[Sheet]:
    """Divide the steps into pages. A chapter starts a page, and a step with a list has one of its own."""
    found: list[Sheet] = []
    for chapter in guide.chapters:
        for step in chapter.steps:
            last = found[-1] if found and found[-1].chapter is chapter else None
            if last and len(last.steps) == 1 and not step.listed and not last.steps[0].listed:
                found[-1] = Sheet(chapter, (*last.steps, step))
            else:
                found.append(Sheet(chapter, (step,)))
    return found


def pages(guide: Guide, build: str) -> str:
    """Say which pages a build needs, such as "1 to 5, 8".

    >>> ranges([1, 2, 3, 5])
    '1 to 3, 5'
    """
    numbers = [
        number for number, sheet in enumerate(sheets(guide), 3) if any(build in step.builds for step in sheet.steps)
    ]
    return ranges([1, 2, *numbers])


def ranges(numbers: list[int]) -> str:
    """Join numbers that follow each other."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts)


def write_pdf(guide: Guide, pictures: dict[str, Path], checks: Checks, file: Path) -> Path:
    """Write the guide. Raises ValueError with a step that is longer than its place."""
    page = Page(file, guide.title)
    _first(page, guide)
    _table(page, guide)
    for number, sheet in enumerate(sheets(guide), 3):
        page.turn()
        _head(page, sheet.chapter, number)
        for place, step in enumerate(sheet.steps):
            top, room = TOP - place * STEP, STEP * (2 if step.listed else 1)
            low = _step(page, step, pictures[step.label], checks, top)
            if low < top - room + 1:
                raise ValueError(
                    f"{step.label} {step.title}: it is {top - room + 1 - low:.0f} mm longer than its place."
                )
    return page.save()


def _first(page: Page, guide: Guide) -> None:
    y = HEIGHT - MARGIN - 10
    page.text((MARGIN, y), guide.title, 22, True)
    y = page.wrapped((MARGIN, y - 4), f"{guide.status} {guide.colours}", WIDE, SIZE)
    page.text((MARGIN, y := y - 10), "Safety", 14, True, RED)
    y = _pairs(page, guide.safety, y)
    page.text((MARGIN, y := y - 12), "Your way", 14, True)
    y = page.wrapped(
        (MARGIN, y - 1), "Choose a build. A larger build contains the smaller one, so you can continue later.", WIDE
    )
    rows = [(build, _way(guide, build)) for build in BUILDS]
    y = _pairs(page, rows, y)
    page.text((MARGIN, y := y - 12), "What to order", 14, True)
    page.wrapped((MARGIN, y - 1), ORDER, WIDE)


def _way(guide: Guide, build: str) -> str:
    letters = ", ".join(chapter.letter for chapter in guide.chapters if build in chapter.builds)
    hours = f"About {guide.minutes(build) / 60:.0f} hours without printing."
    return f"{HAS[build]} Chapters {letters}. Print pages {pages(guide, build)}. {hours}"


def _pairs(page: Page, pairs: object, y: float) -> float:
    for what, do in pairs:  # type: ignore[attr-defined]
        y -= 7.5
        page.text((MARGIN, y), what, SIZE, True)
        y = page.wrapped((MARGIN + 38, y + 1.32 * SIZE * 0.3528), do, WIDE - 38, SIZE)
    return y


def _table(page: Page, guide: Guide) -> None:
    """Write the second page: all steps, and which builds have them."""
    page.turn()
    y = HEIGHT - MARGIN - 6
    page.text((MARGIN, y), "Steps", 14, True)
    for words, x in zip((*BUILDS, "min", "tools"), (82, 97, 108, 117, 129), strict=True):
        page.text((MARGIN + x, y), words, 7.5, True)
    for chapter in guide.chapters:
        y -= 6.8
        page.text((MARGIN, y), f"{chapter.letter}  {chapter.title}", SIZE, True, BLUE)
        for step in chapter.steps:
            y -= 5.4
            page.line([(MARGIN, y - 1.3), (MARGIN + WIDE, y - 1.3)], 0.08)
            page.text((MARGIN, y), step.label, SMALL, True)
            page.text((MARGIN + 9, y), step.title, SMALL)
            for build, x in zip(BUILDS, (87, 101, 110), strict=True):
                if build in step.builds:
                    page.text((MARGIN + x, y), "✓", SMALL, True)
            page.text((MARGIN + 117, y), f"{step.minutes}", SMALL)
            page.text((MARGIN + 129, y), wrap(step.tools, WIDE - 129, 7)[0].rstrip(","), 7)


def _head(page: Page, chapter: Chapter, number: int) -> None:
    page.text((MARGIN, HEIGHT - MARGIN - 3), f"{chapter.letter}  {chapter.title}", SMALL, True)
    page.text((WIDTH - MARGIN - 66, HEIGHT - MARGIN - 3), f"builds: {', '.join(chapter.builds)}", SMALL)
    page.text((WIDTH - MARGIN - 7, HEIGHT - MARGIN - 3), f"{number}", SMALL, True)


def _step(page: Page, step: Step, picture: Path, checks: Checks, top: float) -> float:
    """Draw a step below `top`; return the y below it."""
    page.box((MARGIN, top - 9), (WIDE, 9), PALE, 0)
    page.text((MARGIN + 2, top - 6.6), step.label, 15, True, BLUE)
    page.text((MARGIN + 16, top - 6.4), step.title, 13, True)
    page.text((MARGIN, top - 13.5), f"{step.minutes} minutes   Tools: {step.tools}", SMALL)
    needs = "" if step.listed else line(step)
    y = page.wrapped((MARGIN, top - 14.2), f"Parts: {needs}", WIDE, SMALL) - 1.5 if needs else top - 15
    left, wide, start = MARGIN + FIELD[0] + 6, WIDE - FIELD[0] - 6, y
    deep = FIELD[1]
    if step.check:
        deep = start - 3 - _checks(page, checks[step.check], start - 2)
        left, wide = MARGIN + 112, WIDE - 112
        page.photo((left, top - STEP + 3), (wide, 30), picture)
    elif step.wide:
        deep, left, wide = 0, MARGIN, WIDE
    else:
        page.photo((MARGIN, start - 3 - deep), FIELD, picture)
    for count, words in enumerate(step.do, 1):
        page.text((left, y - 4), f"{count}", SIZE, True, BLUE)
        y = page.wrapped((left + 6, y - 0.3), words, wide - 6, SIZE) - 1.3
    y = _part(page, (left, y), "You should see", step.see, wide, GREEN)
    for what, do in step.wrong:
        y = _part(page, (left, y), f"If {what}:", do, wide, RED)
    low = min(y, start - 3 - deep, top - STEP + 3 if step.check else y)
    if step.listed:
        low = _list(page, step, low - 4)
    if step.wide:
        page.photo((MARGIN, low - 8 - WIDE / 2), (WIDE, WIDE / 2), picture)
    return low


def _part(page: Page, at: tuple[float, float], head: str, words: str, wide: float, ink: Ink) -> float:
    x, y = at
    for count, text in enumerate(wrap(head, wide - 2, SMALL)):
        page.text((x, y - 4.6 - 3.7 * count), text, SMALL, True, ink)
        y -= 3.7 * (count > 0)
    return page.wrapped((x, y - 5.2), words, wide, SMALL) - 0.4


def _list(page: Page, step: Step, y: float) -> float:
    """Write the parts of a soldering step: how many for each build, and where."""
    columns = (0.0, 62.0, 76.0, 90.0)
    builds = [build for build in BUILDS if build in step.builds]
    for words, x in zip(
        ("part", *builds, "designators"), (columns[0], *columns[1 : 1 + len(builds)], columns[-1]), strict=True
    ):
        page.text((MARGIN + x, y - 4), words, SMALL, True)
    y -= 5.2
    for name, counts, refs in rows(step):
        page.line([(MARGIN, y), (MARGIN + WIDE, y)], 0.08)
        for build, x in zip(builds, columns[1:], strict=False):
            page.text((MARGIN + x, y - 4), f"{counts.get(build, '–')}", SMALL)
        ends = (
            page.wrapped((MARGIN, y - 0.5), name, 60, SMALL),
            page.wrapped((MARGIN + 90, y - 0.5), " ".join(refs), WIDE - 90, SMALL),
        )
        y = min(*ends, y - 4.2) - 1.3
    return y


def _checks(page: Page, checks: list[Row], y: float) -> float:
    widths = (0.0, 42.0, 66.0)
    for words, x in zip(("Between positions", "", "It is right if"), widths, strict=True):
        page.text((MARGIN + x, y - 4), words, SMALL, True)
    y -= 0.2
    for row in checks:
        y -= 5.3
        page.line([(MARGIN, y), (MARGIN + 108, y)], 0.1)
        if len(row[0]) > 40:
            page.text((MARGIN + widths[2], y - 4), row[2], SMALL, False, BLACK)
            y = page.wrapped((MARGIN, y - 0.6), row[0], widths[2] - 4, SMALL) + 4
            continue
        for words, x in zip(row, widths, strict=True):
            page.text((MARGIN + x, y - 4), words, SMALL)
    return y - 4
