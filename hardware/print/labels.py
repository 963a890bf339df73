"""Labels to cut out: a card for each player, flags for the leads, discs for the caps of the buttons."""

from __future__ import annotations

from pathlib import Path

from hardware.case.numbers import read_case
from hardware.print.paper import BLACK, HEIGHT, MARGIN, WIDTH, Page, width_of
from hardware.print.seats import INKS, ON, WHITE, draw_mark
from umpi.box.config import COLOURS
from umpi.i18n.translate import ENGLISH, languages, player_label, set_language
from umpi.table.seats import COLOURS as NAMES

CARD = (85.0, 50.0)
FLAG = (52.0, 12.0)  # fold it round a lead of up to 6 mm and glue both halves together
FLAGS = 2  # one at each end of a lead


def draw_labels(file: Path) -> Path:
    """Draw the labels of all six seats on one page."""
    page = Page(file, "Umpi: seat labels")
    page.text(
        (MARGIN, HEIGHT - MARGIN),
        "Seat labels: cards for the players, flags for both ends of a lead, discs for the caps of the buttons",
        8,
    )
    left = (WIDTH - 2 * CARD[0]) / 2
    for seat in range(len(COLOURS)):
        low = HEIGHT - MARGIN - 4 - (seat // 2 + 1) * CARD[1]
        _card(page, seat, (left + seat % 2 * CARD[0], low))
    top = HEIGHT - MARGIN - 4 - 3 * CARD[1] - 6
    for seat in range(len(COLOURS)):
        low = top - (seat + 1) * (FLAG[1] + 1.5)
        for flag in range(FLAGS):
            _flag(page, seat, (left + flag * (FLAG[0] + 3), low))
        for disc in range(2):
            _disc(page, seat, (left + FLAGS * (FLAG[0] + 3) + 10 + disc * 18, low + FLAG[1] / 2))
    return page.save()


def names(seat: int) -> list[str]:
    """Return the colour of a seat in all languages of the box."""
    found = []
    for code in languages():
        set_language(code)
        found.append(str(player_label(NAMES[seat])))
    set_language(ENGLISH)
    return found


def _card(page: Page, seat: int, low: tuple[float, float]) -> None:
    colour = COLOURS[seat]
    page.box(low, CARD, INKS[colour], 0.2)
    draw_mark(page, seat, (low[0] + 21, low[1] + CARD[1] / 2), 24, ON[colour], INKS[colour])
    first, *others = names(seat)
    page.text((low[0] + 40, low[1] + 27), first, 18, True, ON[colour])
    size = 9.0
    while width_of(line := " · ".join(others), size) > CARD[0] - 44:
        size -= 0.5
    page.text((low[0] + 40, low[1] + 17), line, size, False, ON[colour])


def _flag(page: Page, seat: int, low: tuple[float, float]) -> None:
    colour, (wide, high) = COLOURS[seat], FLAG
    page.box(low, FLAG, INKS[colour], 0.2)
    for share in (0.165, 0.835):
        draw_mark(page, seat, (low[0] + share * wide, low[1] + high / 2), 8, ON[colour], INKS[colour])
    page.box((low[0] + wide / 2 - 9, low[1]), (18, high), WHITE, 0.2, (1, 1))  # the part round the lead


def _disc(page: Page, seat: int, at: tuple[float, float]) -> None:
    colour, across = COLOURS[seat], read_case().keys.cap - 4.5
    page.round(at, across, INKS[colour], 0.2, BLACK)
    draw_mark(page, seat, at, across * 0.5, ON[colour], INKS[colour])
