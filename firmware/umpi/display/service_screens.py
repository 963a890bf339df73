"""Screens beside the game: the codes that phones scan, and the check of the devices."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display.lettering import SMALL, TINY
from umpi.display.menu import KEYS, Choice, Menu
from umpi.display.picture import Picture
from umpi.display.qr import SIDE, draw_qr, title_beside, write_beside
from umpi.display.sheet import HEIGHT, LINE, MARK, TOP, WIDTH, Sheet
from umpi.i18n.translate import tr
from umpi.table.device_check import DeviceCheck
from umpi.table.joining import Claim, Joining
from umpi.timing.lines import COLOURS, NAVIGATION


def code(digits: str, page: str, who: str, seconds: int, sign: str = "") -> Picture:
    """Draw the six digits that pair a phone, with a QR code, the phone's owner and the seconds that they stay valid.

    The QR code leads to the `page` with the digits filled in. Without a page, or if its address is too long, only the
    digits appear.
    """
    sheet = Sheet(sign)
    if page and (qr := draw_qr(f"{page.rstrip('/')}/#pair={digits}")):
        title_beside(sheet, qr, who)
    else:
        sheet.bar(who)
    left, host = SIDE + 2, page.removeprefix("http://").rstrip("/")
    for row, three in enumerate((digits[:3], digits[3:])):
        sheet.digits(WIDTH - 10, TOP + row * 20, three, 12, 18)
    letters, holds = (WIDTH - left) // TINY.width, f"{seconds} s"
    port = host.rfind(":")
    end = port if port <= letters < len(host) else letters
    sheet.text(left, HEIGHT - 13, host[:end], TINY)
    sheet.text(left, HEIGHT - 6, host[end:], TINY, WIDTH - left - SMALL.measure(f" {holds}"))
    sheet.right(WIDTH, HEIGHT - LINE, holds, SMALL)
    return sheet.image


def join(joining: Joining, sign: str = "") -> Picture:
    """Draw the QR code with which all phones join, and beside it those that ask for a seat, each with its mark."""
    sheet, left, top = Sheet(sign), 0, TOP
    if qr := draw_qr(joining.page):
        title_beside(sheet, qr, tr("Join"))
        left = SIDE + 2
    else:
        sheet.bar(tr("Join"))
        address, letters = joining.page.removeprefix("http://").partition("/")[0], WIDTH // SMALL.width
        for begin in range(0, len(address), letters):
            sheet.text(0, top, address[begin : begin + letters], SMALL)
            top += LINE
    hints = (tr("Down: turn away"), tr("Button: let in"))
    for claim in joining.claims:
        rows = 2 if claim.instead else 1
        if top + rows * LINE > HEIGHT - len(hints) * TINY.height:
            break
        sheet.mark(left, top, claim.button)
        room = WIDTH - left - MARK - 2 - SMALL.measure(f" {claim.sign}")
        sheet.text(left + MARK + 2, top, claim.name, SMALL, room)
        sheet.right(WIDTH, top, f"{claim.sign}", SMALL)
        if claim.instead:
            sheet.text(left + MARK + 2, top + LINE, tr("takes over"), SMALL, WIDTH - left - MARK - 2)
        top += rows * LINE
    if joining.claims:
        for row, hint in enumerate(hints, 1):
            sheet.text(left, HEIGHT - row * TINY.height, hint, TINY, WIDTH - left)
        return sheet.image
    text = tr("Scan, choose a colour, then press its button here.")
    write_beside(sheet, text, top) if left else sheet.block(text, top, HEIGHT)
    sheet.right(WIDTH, HEIGHT - LINE, tr("OK close"), SMALL)
    return sheet.image


def rivals(menu: Menu, sign: str = "") -> Picture:
    """Draw the phones that ask for the same seat, each with its sign beside the mark of a button that lets it in."""
    sheet = Sheet(sign)
    sheet.bar(menu.title, tr("Back: no"))
    sheet.rows(menu, 0)
    return sheet.image


def rivals_menu(claims: Sequence[Claim]) -> Menu:
    """Return the phones that ask for the same seat as choices, as many as there are buttons."""
    return Menu(tr("Which phone?"), tuple(Choice(f"{claim.sign}  {claim.name}", claim) for claim in claims[:KEYS]))


def check(check: DeviceCheck, sign: str = "") -> Picture:
    """Draw the state of each input: a full box is a dark beam or a button that is down."""
    sheet = Sheet(sign)
    sheet.bar(tr("Check devices"), tr("Back: end"))
    width = 14
    lanes = max((int(beam[-1]) for beam in check.beams), default=0)
    left = WIDTH - 6 * width
    rows = [("lane", tr("Beams")), ("second", tr("Beams 2"))]
    top = TOP
    for kind, title in rows:
        if any(beam.startswith(kind) for beam in check.beams):
            sheet.text(0, top, title, SMALL, left)
            for lane in range(lanes):
                if f"{kind}_{lane + 1}" in check.beams:
                    _box(sheet, left + lane * width, top, f"{kind}_{lane + 1}" in check.active)
            top += LINE
    sheet.text(0, top, tr("Buttons"), SMALL, left)
    for button, name in enumerate(COLOURS):
        _box(sheet, left + button * width, top, name in check.active)
    for place, name in enumerate(NAVIGATION):
        _box(sheet, left + place * width, top + LINE, name in check.active)
    sheet.text(0, top + LINE, tr("Up…Back"), TINY, left)
    time = (
        tr("Press a button.")
        if check.latest_ms is None
        else tr("Button to screen: {latest} ms, at most {most} ms", latest=check.latest_ms, most=check.most_ms)
    )
    sheet.block(time, top + 2 * LINE, HEIGHT)
    return sheet.image


def _box(sheet: Sheet, x: int, y: int, full: bool) -> None:
    if full:
        sheet.fill(x, y, 8, 7)
    else:
        sheet.frame(x, y, 8, 7)
