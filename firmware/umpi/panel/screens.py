"""What stands on the 128 × 64 dots: one function a kind of screen, from what is to be shown to a picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from umpi.panel.lettering import NORMAL, SMALL, TINY
from umpi.panel.menu import NOTHING, Menu
from umpi.panel.sheet import BAR, FOOT, LINE, WIDTH, Sheet
from umpi.rules.game import view_of
from umpi.rules.match import Match
from umpi.tongue import Told, called, told, told_n

SCORES = BAR + 2
INFO = SCORES + 3 * LINE  # the row under the scores
QUESTION = FOOT - LINE - 1


def question(menu: Menu, page: int) -> Image.Image:
    """Show a question on a screen of its own: its text and keys where the labels are short, else rows."""
    sheet = Sheet()
    sheet.bar(menu.title, _ok(menu) or _pages(menu, page))
    if menu.rows:
        sheet.rows(menu, page)
    else:
        sheet.notice(menu.text.split("\n"))
        sheet.keys(menu, page)
    return sheet.image


def table(match: Match, menu: Menu, page: int, news: str = "") -> Image.Image:
    """Show the game: whose turn, the scores, what matters (`news` before all), the question and its keys.

    A question whose labels are too long for keys, or that has a text, stands on a screen of its own.
    """
    if menu.rows or menu.text:
        return question(menu, page)
    sheet = Sheet()
    view = view_of(match.now)
    seat = match.seat
    who = told(match.game.title) if seat is None else called(match.players[seat])
    sheet.bar(who, told(view.head, match.players))
    _scores(sheet, match)
    rows = [" ".join(told(text, match.players) for text in (row.label, *row.cells)) for row in view.rows]
    _info(sheet, [news] if news else rows, 3 - min(3, len(match.players)))
    less = f"▼ {menu.less}" if menu.less else ""
    right = " ".join(filter(None, (_ok(menu), less, _pages(menu, page))))
    if menu.note:  # what has been entered so far: its end, beside the whole question
        left = WIDTH - SMALL.measure(f"{menu.title}    {right}")
        right = f"{SMALL.tail(menu.note, left)} {right}" if left > 0 else right
    room = WIDTH - 2 - SMALL.measure(right)
    sheet.text(1, QUESTION, menu.title, width=room - SMALL.width)
    sheet.text(WIDTH - SMALL.measure(right), QUESTION, right)
    sheet.keys(menu, page)
    return sheet.image


def _info(sheet: Sheet, rows: Sequence[str], free: int) -> None:
    """Write what matters on one line, or each row on one of its own where so many under the scores are free."""
    lines = ["  ".join(rows)]
    if TINY.measure(lines[0]) >= WIDTH and len(rows) <= 1 + free:
        lines = list(rows)
    top = INFO - (len(lines) - 1) * LINE
    for index, line in enumerate(lines):
        sheet.text(1, top + index * LINE, line, SMALL if SMALL.measure(line) < WIDTH else TINY)


def over(match: Match, menu: Menu, page: int) -> Image.Image:
    """Show who won, and the scores."""
    sheet = Sheet()
    result = match.now.result()
    winners = [called(match.players[seat]) for seat in result.winners] if result else []
    sheet.bar(told_n("Winner", "Winners", len(winners)), told(match.game.title))
    won = told_n("{names} wins!", "{names} win!", len(winners), names=Told(" & ".join(winners)))
    if len(match.players) <= 3 and len(winners) == 1:
        sheet.text(1, INFO + 4, won, NORMAL, WIDTH - 2)
    else:
        sheet.text(1, QUESTION - 2, won)
    _scores(sheet, match, result.winners if result else ())
    sheet.keys(menu, page)
    return sheet.image


def notice(title: str, lines: Sequence[str], more: bool) -> Image.Image:
    """Show running text: a refusal's reason, a rule."""
    sheet = Sheet()
    sheet.bar(title, told("more") if more else "")
    sheet.notice(lines)
    return sheet.image


def signed(image: Image.Image, text: str) -> Image.Image:
    """Put a warning on a picture."""
    sheet = Sheet()
    sheet.image.paste(image)
    sheet.sign(text)
    return sheet.image


def _scores(sheet: Sheet, match: Match, marked: Sequence[int] = ()) -> None:
    seats = len(match.players)
    columns = 1 if seats <= 3 else 2
    width = WIDTH // columns
    beside = view_of(match.now).beside or ("",) * seats
    marks = marked or ((match.seat,) if match.seat is not None else ())
    for seat, (name, score) in enumerate(zip(match.players, match.now.scores(), strict=True)):
        column, row = divmod(seat, 3)
        short = told(beside[seat], match.players)
        text = f"{short}  {score}" if columns == 1 else f"{short} {score}"
        sheet.score(column * width, SCORES + row * LINE, width, called(name), text.strip(), seat in marks)


def _ok(menu: Menu) -> str:
    return "" if menu.ok is NOTHING else f"OK {menu.done}" if menu.done != "OK" else "OK"


def _pages(menu: Menu, page: int) -> str:
    return f"{page + 1}/{menu.pages}" if menu.pages > 1 else ""
