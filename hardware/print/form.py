"""The form for measuring your own Dohdles board: fill it in at the board, then type it for `umpi profile`."""

from __future__ import annotations

from pathlib import Path

from hardware.print.paper import HEIGHT, MARGIN, WIDTH, Page
from umpi.games.dohdles.board import REWARDS, SPACES

SIGNS = ("??", "ABC", "??/ABC")  # as printed on the board
ROWS, COLUMNS = 20, 3  # of the table for the scoring track
EXAMPLE = """\
# Our board
clues: ?? ABC ?? ABC ?? ABC ??/ABC
rewards: 0 3 3 2 2 1 1 0
start: 2
0: 0 3
1: 1 3
2: 1 2
3: 2 2
# ... and so on to the final space: red, green
"""
COMMANDS = ("umpi profile ours.txt > ours.json", "umpi run --option board=@ours.json")
ROW = 5.8


def draw_form(file: Path) -> Path:
    """Draw the form, one page."""
    page = Page(file, "Umpi: the form for a Dohdles board")
    full = WIDTH - 2 * MARGIN
    page.text((MARGIN, HEIGHT - MARGIN - 4), "Our Dohdles board", 18, True)
    y = page.wrapped(
        (MARGIN, HEIGHT - MARGIN - 6),
        "Measure your board once. After that, the box does not ask for arrows and rewards again. Fill in this form at "
        "the board. Then type it as the example shows.",
        full,
    )
    y = _clues(page, y - 9)
    y = _rewards(page, y - 9)
    y = _track(page, y - 9)
    _typed(page, y - 9)
    return page.save()


def _clues(page: Page, y: float) -> float:
    page.text((MARGIN, y), "1  Clue spaces", 11, True)
    page.text(
        (MARGIN + 38, y),
        "start at the arrow from the chip's start and go round one Dohdle. Tick the sign of each space.",
        8,
    )
    low = y - 3
    for row, sign in enumerate(("", *SIGNS)):
        low -= ROW
        page.text((MARGIN, low + 1.6), sign, 9, True)
        for space in range(SPACES):
            x = MARGIN + 30 + space * 18
            if not row:
                page.middle((x + 4, low + 2.6), f"{space + 1}", 9, True)
            else:
                page.box((x + 2, low + 0.6), (4, 4))
            if space == SPACES - 1 and sign == SIGNS[-1]:
                page.middle((x + 4, low + 2.6), "×", 11)
    return low


def _rewards(page: Page, y: float) -> float:
    page.text((MARGIN, y), "2  Rewards", 11, True)
    page.text(
        (MARGIN + 38, y),
        f"the number beside the chip, {REWARDS[0]} to {REWARDS[-1]}: at its start (or 0), then at spaces 1 to 7.",
        8,
    )
    low = y - 3 - 2 * ROW
    for space in range(SPACES + 1):
        x = MARGIN + 12 + space * 18
        page.middle((x + 4, low + ROW + 2.6), "start" if not space else f"{space}", 9, True)
        page.box((x, low), (8, ROW))
    return low


def _track(page: Page, y: float) -> float:
    page.text((MARGIN, y), "3  Scoring track", 11, True)
    page.text(
        (MARGIN + 38, y),
        "count the arrows on every space. The hindmost space (marked !) is 0. End with the final space.",
        8,
    )
    y = (
        page.wrapped(
            (MARGIN, y - 1),
            "Cross out the numbers after the final space. If the track is longer, continue with 60 on a second sheet.",
            180,
            8,
        )
        - 2
    )
    wide = (WIDTH - 2 * MARGIN) / COLUMNS
    for column in range(COLUMNS):
        x = MARGIN + column * wide
        page.text((x, y - 4), "space", 7)
        page.text((x + 14, y - 4), "red, back", 7)
        page.text((x + 32, y - 4), "green, forward", 7)
        for row in range(ROWS):
            low = y - 5 - (row + 1) * ROW
            page.text((x + 2, low + 1.7), f"{column * ROWS + row}", 9, True)
            page.box((x + 13, low), (16, ROW))
            page.box((x + 31, low), (16, ROW))
    low = y - 5 - ROWS * ROW - 8
    page.text((MARGIN, low + 1.5), "start: the space with the large white arrow is number", 9, True)
    page.box((MARGIN + 98, low), (16, ROW))
    return low


def _typed(page: Page, y: float) -> None:
    page.text((MARGIN, y), "4  Type it", 11, True)
    page.text((MARGIN + 38, y), "into the file ours.txt, one line per space. Text after # is a comment.", 8)
    low = y - 2
    for line in EXAMPLE.splitlines():
        low -= 3.9
        page.text((MARGIN + 3, low), line, 8)
    page.text((MARGIN + 95, y - 6), "Then, on the box:", 8)
    for index, command in enumerate(COMMANDS):
        page.text((MARGIN + 98, y - 11 - index * 4.5), command, 8, True)
    page.wrapped((MARGIN + 95, y - 18), "If a line is wrong, umpi names the line. It does not guess.", 85, 8)
