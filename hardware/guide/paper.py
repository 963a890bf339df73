"""The guide of a build as a PDF: safety, steps, cables, commands, the chapters with drawings, the acceptance sheet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import segno

from hardware.cart.cart import Order
from hardware.guide.measure import Row
from hardware.guide.needs import line, rows
from hardware.guide.steps import COMMAND, Chapter, Guide, Step, commands
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
QR_MM = 35.0
TALL = "nails.png"  # a drawing with small print, which takes a whole page
HAS = {
    "minimal": "Display and buttons: every game, by pressing.",
    "table": "Also lamps, buzzer, sensor head, and one lane behind the funnel.",
    "full": "Also six lanes, colour sensor, the Battledodes wall, leads and a card scanner.",
}
ORDER = (
    "Where you found this guide, the folder hardware/cart/out has a file for each shop. Quantities include spares. "
    "Each step begins with the parts that it uses: put them on the table first. A part that several steps use is named "
    "in the first one."
)
CABLES = (
    "Each row is one wire: its contact or its place at the header, its colour, and the leg where it ends. S1, S3: 2 "
    "means leg 2 of S1 and of S3. Contact 1 of a plug is at the small triangle of its housing."
)
COPY = (
    "Commands are in bold in the steps. Scan the code of a chapter with a phone to copy its commands. Log in to the Pi "
    "from a computer: ssh, your name, @, and the name of the Pi."
)
REDUCED = "Not to scale here, whatever a drawing says: use its figures. Do not measure it, and do not cut it out."
BEFORE = ("safety and orders", "steps", "commands")  # the pages before the steps
CABLE_MM = 150.0  # width of the picture of a cable
FIRST = len(BEFORE) + 1
Checks = dict[str, list[Row]]
Ticks = list[tuple[str, list[str]]]  # the parts of the acceptance sheet with their rows


class Book(NamedTuple):
    """What a guide shows beside its words: pictures of steps by label, checks by board, files, orders, ticks."""

    pictures: dict[str, Path]
    checks: Checks
    cables: list[tuple[Path, float]]  # each with its height in mm
    drawings: dict[str, Path]
    orders: list[Order]
    ticks: Ticks
    settings: tuple[str, ...]  # the lines of the wiring file when all is built


class Sheet(NamedTuple):
    """A page of the guide: one long step, or up to two; or one or two drawings of a chapter."""

    chapter: Chapter
    steps: tuple[Step, ...]
    drawings: tuple[str, ...] = ()


def sheets(guide: Guide, build: str) -> list[Sheet]:
    """Divide the steps of a build into pages. A chapter starts a page, and a step with a list has one of its own."""
    found: list[Sheet] = []
    for chapter in guide.chapters:
        steps = [step for step in chapter.steps if build in step.builds]
        for step in steps:
            last = found[-1] if found and found[-1].chapter is chapter else None
            alone = _alone(step) or bool(last and (last.drawings or _alone(last.steps[0])))
            if last and len(last.steps) == 1 and not alone:
                found[-1] = Sheet(chapter, (*last.steps, step))
            else:
                found.append(Sheet(chapter, (step,)))
            if step.listed and not step.wide:
                found.append(Sheet(chapter, (), (step.picture,)))
        drawings = [file for step in steps for file in step.drawings]
        tall = [file for file in drawings if file.endswith(TALL)]
        pairs = [file for file in drawings if not file.endswith(TALL)]
        found += [Sheet(chapter, (), (file,)) for file in tall]
        found += [Sheet(chapter, (), tuple(pairs[at : at + 2])) for at in range(0, len(pairs), 2)]
    return found


def _alone(step: Step) -> bool:
    return step.listed or step.tall


def write_pdf(guide: Guide, build: str, book: Book, file: Path) -> Path:
    """Write the guide of a build. Raises ValueError with a step that is longer than its place."""
    page = Page(file, f"{guide.title}: {build}")
    _first(page, guide, build, book.orders)
    _table(page, guide, build)
    _commands(page, guide, build)
    for number, sheet in enumerate(sheets(guide, build), FIRST):
        page.turn()
        _head(page, sheet.chapter, build, number)
        if sheet.drawings:
            page.text((MARGIN, TOP + 1), REDUCED, SMALL, True, RED)
        for place, drawing in enumerate(sheet.drawings):
            high = (
                (TOP - MARGIN) / 2 - 4 if len(sheet.drawings) > 1 else TOP - MARGIN if drawing.endswith(TALL) else WIDE
            )
            page.photo((MARGIN, TOP - place * STEP - high), (WIDE, high), book.drawings[drawing])
        for place, step in enumerate(sheet.steps):
            top, room = TOP - place * STEP, STEP * (2 if _alone(step) else 1)
            low = _step(page, step, build, book, top)
            if low < top - room + 1:
                raise ValueError(
                    f"{step.label} {step.title}: it is {top - room + 1 - low:.0f} mm longer than its place."
                )
    _cables(page, book.cables)
    _settings(page, book.settings, _ticks(page, book.ticks) - 10)
    return page.save()


def pages(guide: Guide, build: str, cables: list[tuple[Path, float]]) -> int:
    """Return how many pages the guide of a build has, with cables and acceptance sheet."""
    return len(BEFORE) + len(sheets(guide, build)) + len(_packed(cables)) + 1


def _first(page: Page, guide: Guide, build: str, orders: list[Order]) -> None:
    y = HEIGHT - MARGIN - 10
    page.text((MARGIN, y), f"{guide.title}: {build}", 22, True)
    hours = f"About {guide.minutes(build) / 60:.0f} hours without printing."
    y = page.wrapped((MARGIN, y - 4), f"{HAS[build]} {hours} {guide.status} {guide.colours}", WIDE, SIZE)
    page.text((MARGIN, y := y - 10), "Safety", 14, True, RED)
    y = _pairs(page, guide.dangers(build), y)
    page.text((MARGIN, y := y - 9), "What to order", 14, True)
    y = page.wrapped((MARGIN, y - 1), ORDER, WIDE)
    y = _pairs(page, ((order.title, _order(build, order)) for order in orders), y, 74)
    page.text((MARGIN, y := y - 9), "If you have never soldered", 14, True)
    if (low := _pairs(page, guide.by_hand(build), y)) < MARGIN:
        raise ValueError(f"The first page of the guide {build} is {MARGIN - low:.0f} mm too long.")


def _order(build: str, order: Order) -> str:
    euro = f"{order.euro + order.postage:.0f} €"
    return f"order-{build}-{order.shop}.csv: {len(order.rows)} rows, about {euro} with postage"


def _pairs(page: Page, pairs: Iterable[tuple[str, str]], y: float, aside: float = 38) -> float:
    for what, do in pairs:
        y -= 7.5
        page.text((MARGIN, y), what, SIZE, True)
        y = page.wrapped((MARGIN + aside, y + 1.32 * SIZE * 0.3528), do, WIDE - aside, SIZE)
    return y


def _table(page: Page, guide: Guide, build: str) -> None:
    """Write the second page: all steps of the build, and all tools."""
    page.turn()
    y = HEIGHT - MARGIN - 6
    page.text((MARGIN, y), "Steps", 14, True)
    for words, x in zip(("done", "min", "tools"), (86, 100, 112), strict=True):
        page.text((MARGIN + x, y), words, 7.5, True)
    for chapter in guide.chapters:
        if build not in chapter.builds:
            continue
        y -= 6.8
        page.text((MARGIN, y), f"{chapter.letter}  {chapter.title}", SIZE, True, BLUE)
        for step in chapter.steps:
            if build in step.builds:
                y -= 5.4
                page.text((MARGIN, y), step.label, SMALL, True)
                page.text((MARGIN + 9, y), step.title, SMALL)
                page.box((MARGIN + 88, y - 0.4), (3, 3), None, 0.2)
                page.text((MARGIN + 100, y), f"{step.minutes}", SMALL)
                for row, words in enumerate(wrap(step.tools, WIDE - 112, 7)):
                    y -= 2.9 * (row > 0)
                    page.text((MARGIN + 112, y), words, 7)
                page.line([(MARGIN, y - 1.3), (MARGIN + WIDE, y - 1.3)], 0.08)


def _packed(cables: list[tuple[Path, float]]) -> list[list[tuple[Path, float]]]:
    """Divide the pictures of the cables into pages."""
    found: list[list[tuple[Path, float]]] = [[]]
    for path, high in cables:
        if sum(each + 3 for _, each in found[-1]) + high > HEIGHT - 2 * MARGIN - 20:
            found.append([])
        found[-1].append((path, high))
    return found


def _cables(page: Page, cables: list[tuple[Path, float]]) -> None:
    """Write the cables of the build, one below the other."""
    for own in _packed(cables):
        page.turn()
        y = HEIGHT - MARGIN - 6
        page.text((MARGIN, y), "Cables", 14, True)
        y = page.wrapped((MARGIN, y - 2), CABLES, WIDE) - 3
        for path, high in own:
            page.photo((MARGIN, y := y - high - 3), (CABLE_MM, high), path)


def _commands(page: Page, guide: Guide, build: str) -> None:
    """Write the fourth page: the commands of each chapter, with a code to copy them."""
    page.turn()
    y = HEIGHT - MARGIN - 6
    page.text((MARGIN, y), "Commands", 14, True)
    y = page.wrapped((MARGIN, y - 2), COPY, WIDE) - 3
    for chapter in guide.chapters:
        own = [command for step in chapter.steps if build in step.builds for command in commands(step)]
        if build in chapter.builds and own:
            _code(page, "\n".join(own), (MARGIN, y - QR_MM))
            at = y - 3
            page.text((MARGIN + QR_MM + 5, at), f"{chapter.letter}  {chapter.title}", SIZE, True, BLUE)
            for command in own:
                at = page.wrapped((MARGIN + QR_MM + 5, at - 0.4), command, WIDE - QR_MM - 5, 7)
            y = min(y - QR_MM, at) - 5


def _code(page: Page, words: str, low: tuple[float, float]) -> None:
    """Draw a QR code with a quiet zone of four modules."""
    matrix = segno.make_qr(words, error="l").matrix
    side = QR_MM / (len(matrix) + 8)
    for row, dots in enumerate(matrix):
        for column, dot in enumerate(dots):
            if dot:
                page.box((low[0] + (column + 4) * side, low[1] + QR_MM - (row + 5) * side), (side, side), BLACK, 0)


def _settings(page: Page, lines: tuple[str, ...], y: float) -> None:
    """Write the lines of the wiring file below the acceptance sheet, in two columns."""
    page.text((MARGIN, y), "Your umpi.toml", 14, True)
    page.text(
        (MARGIN, y := y - 6),
        "The commands of the steps write these lines. Compare them if a device is not found.",
        SIZE,
    )
    half = (len(lines) + 1) // 2
    for number, words in enumerate(lines):
        column, row = divmod(number, half)
        page.text((MARGIN + column * WIDE / 2, y - 6 - 4.2 * row), words, SMALL)


def _ticks(page: Page, ticks: Ticks) -> float:
    """Write the last page: the acceptance sheet. Return the y below it."""
    page.turn()
    y = HEIGHT - MARGIN - 6
    page.text((MARGIN, y), "Acceptance sheet", 14, True)
    y = page.wrapped(
        (MARGIN, y - 2), "Tick each row. You need no instrument. If a row fails, repeat the tests of its step.", WIDE
    )
    for title, own in ticks:
        page.text((MARGIN, y := y - 9), title, SIZE, True, BLUE)
        for words in own:
            page.box((MARGIN + 1, y - 6.2), (3.4, 3.4), None, 0.25)
            y = page.wrapped((MARGIN + 8, y - 2.2), words, WIDE - 8, SIZE)
    return y


def _head(page: Page, chapter: Chapter, build: str, number: int) -> None:
    page.text((MARGIN, HEIGHT - MARGIN - 3), f"{chapter.letter}  {chapter.title}", SMALL, True)
    page.text((WIDTH - MARGIN - 40, HEIGHT - MARGIN - 3), f"build: {build}", SMALL)
    page.text((WIDTH - MARGIN - 7, HEIGHT - MARGIN - 3), f"{number}", SMALL, True)


def _step(page: Page, step: Step, build: str, book: Book, top: float) -> float:
    """Draw a step below `top`; return the y below it."""
    picture, checks = book.pictures[step.label], book.checks
    page.box((MARGIN, top - 9), (WIDE, 9), PALE, 0)
    page.text((MARGIN + 2, top - 6.6), step.label, 15, True, BLUE)
    page.text((MARGIN + 16, top - 6.4), step.title, 13, True)
    page.text((MARGIN, top - 13.5), f"{step.minutes} minutes   Tools: {step.tools}", SMALL)
    needs = "" if step.listed else line(step, build)
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
        y = _do(page, (left + 6, y - 0.3), words, wide - 6) - 1.3
    y = _part(page, (left, y), "You should see", step.see, wide, GREEN)
    for what, do in step.wrong:
        y = _part(page, (left, y), f"If {what}:", do, wide, RED)
    low = min(y, start - 3 - deep, top - STEP + 3 if step.check else y)
    if step.listed:
        low = _list(page, step, build, low - 4)
    if step.wide:
        page.photo((MARGIN, low - 8 - WIDE / 2), (WIDE, WIDE / 2), picture)
    return low


def _do(page: Page, at: tuple[float, float], words: str, wide: float) -> float:
    """Write what to do; a command is bold, and breaks only at its spaces."""
    if not words.startswith(COMMAND):
        return page.wrapped(at, words, wide, SIZE)
    (x, y), size = at, SMALL
    y = page.wrapped((x, y), COMMAND.strip(), wide, SIZE)
    for text in wrap(words.removeprefix(COMMAND), wide * 0.86, size):  # bold letters are wider
        y -= 1.35 * size * 0.3528
        page.text((x, y), text, size, True)
    return y


def _part(page: Page, at: tuple[float, float], head: str, words: str, wide: float, ink: Ink) -> float:
    x, y = at
    for count, text in enumerate(wrap(head, wide - 2, SMALL)):
        page.text((x, y - 4.6 - 3.7 * count), text, SMALL, True, ink)
        y -= 3.7 * (count > 0)
    return page.wrapped((x, y - 5.2), words, wide, SMALL) - 0.4


def _list(page: Page, step: Step, build: str, y: float) -> float:
    """Write the parts of a soldering step: how many, and where."""
    for words, x in zip(("part", "number", "designators"), (0.0, 62.0, 80.0), strict=True):
        page.text((MARGIN + x, y - 4), words, SMALL, True)
    y -= 5.2
    for name, count, refs in rows(step, build):
        page.line([(MARGIN, y), (MARGIN + WIDE, y)], 0.08)
        page.text((MARGIN + 62, y - 4), f"{count}", SMALL)
        ends = (
            page.wrapped((MARGIN, y - 0.5), name, 60, SMALL),
            page.wrapped((MARGIN + 80, y - 0.5), " ".join(refs), WIDE - 80, SMALL),
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
