"""The screens of 128 × 64 dots: one function draws each kind of screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from umpi.display.facts import GAP, draw_facts, draw_seats, facts_of, first, fits
from umpi.display.lettering import LARGE, NORMAL, SMALL, TINY, Font, largest
from umpi.display.menu import NOTHING, Menu
from umpi.display.picture import Picture
from umpi.display.qr import draw_qr, title_beside, write_beside
from umpi.display.sheet import ACROSS, BAR, FOOT, HEIGHT, LINE, MARK, TOP, WIDTH, Sheet, pages
from umpi.display.symbols import PAUSE
from umpi.display.tiles import LETTERS, WHOLE, draw_tiles
from umpi.frozen import frozen
from umpi.i18n.translate import capitalised, player_label, tr, tr_n
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.kernel.messages import Figure
from umpi.table.standing import tiles_of, winners_of

QUESTION = FOOT - NORMAL.height
INFO = QUESTION - LINE  # the row under the scores
NOTICE = HEIGHT - TOP  # the height in dots of a notice's text
REMEDIED = FOOT - TOP  # the same above a line that says what OK and Back do
PLACES = 7  # the most places of an order that have room
VERDICTS = (LARGE, NORMAL), (LARGE, SMALL), (LARGE, TINY), (NORMAL, SMALL), (NORMAL, TINY)  # who has won, and why
SMALL_VERDICTS = (SMALL, TINY), (TINY, TINY)
LONG = 4  # the most rows that leave room for a few facts above them
LEAST = 3  # the fewest letters of a name in the row under the scores
NOTED = 12  # letters of what has been entered that stay visible, however long the question is


@frozen
class Place:
    """A place in the finish order: the name, the seat if known, and the microseconds to the next place.

    `close` is whether it is too close to call with another place.
    """

    name: str
    seat: int | None
    margin_us: int | None = None
    close: bool = False


UNSURE = "?"  # in place of a margin that is too close to call
Seen = str | tuple[Place, ...]  # what the funnel saw: a short text, or the order


def question(menu: Menu, page: int, sign: str = "") -> Picture:
    """Draw a question on its own screen: its text and keys if the labels are short, otherwise rows."""
    sheet = Sheet(sign)
    if menu.qr and (qr := draw_qr(menu.qr)):
        title_beside(sheet, qr, menu.title)
        write_beside(sheet, menu.text, TOP)
        sheet.right(WIDTH, HEIGHT - LINE, _ok(menu), SMALL)
        return sheet.image
    number = _pages(menu, page)
    sheet.bar(menu.title, " ".join(filter(None, (_ok(menu), number))), short=number)
    if menu.rows:
        sheet.rows(menu, page)
        return sheet.image
    if menu.texts:
        sheet.block(menu.texts[page], TOP, HEIGHT)
        return sheet.image
    top = TOP
    if menu.head:
        font = largest(menu.head, WIDTH, LARGE, NORMAL, SMALL)
        sheet.text((WIDTH - font.measure(menu.head)) // 2, TOP, menu.head, font)
        top += font.height
    for index, button in enumerate(menu.heat):
        left = (WIDTH + 9) // 2 - len(menu.heat) * 11 + index * 22
        sheet.mark(left, TOP, button, 13)
        sheet.text(left - 9, TOP - 1, "=" if index else "", LARGE)
        top = TOP + 14
    if menu.wheel is not None:
        sheet.number(f"{menu.wheel}", TOP + 2, FOOT - 2)
    sheet.block(menu.text, top, FOOT, centred=top > TOP)
    sheet.keys(menu, page)
    return sheet.image


def table(
    match: Match,
    menu: Menu,
    page: int,
    seen: Seen = "",
    buttons: Sequence[int] = (),
    clock: str = "",
    sign: str = "",
) -> Picture:
    """Draw the game: whose turn, the scores or the finish order, the most important facts, the question and its keys.

    A question with a text, or with labels that are too long for keys, gets its own screen.
    """
    if menu.rows or menu.text:
        return question(menu, page, sign)
    sheet = Sheet(sign)
    view = match.view
    seat = match.seat if menu.seat is None else menu.seat
    buttons = buttons or range(len(match.players))
    who = tr(match.game.title) if seat is None else player_label(match.players[seat])
    sheet.bar(who, clock or tr(view.head, match.players), None if seat is None else buttons[seat])
    if isinstance(seen, tuple):
        sentence = _sentence(menu, who, page, 2 if len(seen) <= 3 else 1)
        _order(sheet, seen, buttons, None if seat is None else Place(who, seat))
    else:
        tiles = tiles_of(match, buttons, () if seat is None else (seat,))
        free = INFO - TOP - LINE * len(tiles)
        sentence = _sentence(menu, who, page, 2 if free >= LINE or menu.less or not (seen or view.rows) else 1)
        above = LINE * (len(sentence) - 1) if sentence else 0
        facts = _facts(match, free - above)
        board = bool(facts) and not view.rows  # it is more important than large scores
        if seen and not menu.private:  # how many have answered helps nobody to decide
            facts = [seen, *(facts if board else ())]
        bottom = INFO + LINE - above if board else _info(sheet, facts, free - above, INFO - above if facts else INFO)
        draw_seats(sheet, facts if board else (), tiles, TOP, bottom)
    _question(sheet, menu, page, sentence)
    sheet.keys(menu, page)
    return sheet.image


def listed(
    match: Match, menu: Menu, page: int, seen: Seen = "", buttons: Sequence[int] = (), sign: str = ""
) -> Picture:
    """Draw a question of the game whose choices are rows, below its facts: they stay visible while it asks.

    The facts are what has been entered, what the funnel saw, and the rows or the board of the game. Short choices stand
    in two columns if they are many, or if the facts have no room otherwise.
    """
    sheet, number = Sheet(sign), _pages(menu, page)
    sheet.bar(menu.title, " ".join(filter(None, (_ok(menu), number))), short=number)
    news = "" if menu.private else seen if isinstance(seen, str) else _places(seen)
    above = [fact for fact in (TINY.tail(menu.note, ACROSS), news) if fact]
    many = len(menu.page(page))
    top = HEIGHT - LINE * many
    facts = above + _facts(match, top - BAR - LINE)
    columns = 1
    if (many >= LONG or not fits(facts, BAR + 1, top + 1)) and sheet.halves(menu, page):
        columns, top = 2, HEIGHT - LINE * -(-many // 2)
    seat = match.seat if menu.seat is None else menu.seat
    tiles = tiles_of(match, buttons or range(len(match.players)), () if seat is None else (seat,))
    if columns > 1 or many <= LONG:
        sheet.dotted(top - 1)
        draw_facts(sheet, facts, tiles, BAR + 1, top - 1)
    else:  # the last line may touch the rows
        draw_facts(sheet, facts, tiles, BAR + 1, top + 1)
    sheet.list(menu, page, top, columns)
    return sheet.image


def _places(order: Sequence[Place]) -> str:
    """Return a finish order on one line."""
    return GAP.join(f"{place}. {cube.name}" for place, cube in enumerate(order, 1))


def over(match: Match, menu: Menu, page: int, buttons: Sequence[int] = (), sign: str = "") -> Picture:
    """Draw the winners, the reason and the scores. If the reason needs the room of the winners, the bar names them."""
    sheet = Sheet(sign)
    result = match.now.result()
    winners = result.winners if result else ()
    won = winners_of(match)
    why = capitalised(tr(result.why if result else "", match.players))
    tiles = tiles_of(match, buttons or range(len(match.players)), winners)
    top = FOOT - 1 - LINE * (len(tiles) if len(tiles) <= 3 else -(-len(tiles) // 2))
    title = _outcome(winners)
    fits = (TINY if sign else SMALL).measure(won) < WIDTH - 8 - TINY.measure(sign)  # in the bar
    if _reason(sheet, won, why, top, VERDICTS if fits else VERDICTS + SMALL_VERDICTS):
        sheet.bar(title, tr(match.game.title))
    else:
        sheet.bar(won if fits else title)
        sheet.block(why, BAR, top, centred=True)
    draw_tiles(sheet, tiles, FOOT - 1, top)
    sheet.keys(menu, page)
    return sheet.image


def _outcome(winners: Sequence[object]) -> str:
    """Return the title above the end of a game."""
    return tr_n("Winner", "Winners", len(winners)) if winners else tr("Defeat")


def _reason(sheet: Sheet, won: str, why: str, bottom: int, fonts: Sequence[tuple[Font, Font]]) -> bool:
    """Write who has won, and why, above `bottom` in the first `fonts` with room; return False if none has."""
    for large, small in fonts:
        lines = [(large, line) for line in large.wrap(won, WIDTH)] + [(small, line) for line in small.wrap(why, WIDTH)]
        free = bottom - BAR - 1 - sum(font.height for font, _ in lines)
        if free >= 0 and all(font.measure(line) <= WIDTH for font, line in lines):
            y = BAR + 1 + free // 2
            for font, line in lines:
                sheet.text((WIDTH - font.measure(line)) // 2, y, line, font)
                y += font.height
            return True
    return False


def call(match: Match, call: Call, buttons: Sequence[int], sign: str = "") -> Picture:
    """Draw a call of the referee as large as possible, under the player that it is about, or under its game."""
    sheet, seat, title = Sheet(sign), call.keys.get("seat"), tr(match.game.title)
    buttons, winners = buttons or range(len(match.players)), call.keys.get("winners")
    if isinstance(seat, int) and seat in range(len(match.players)):
        sheet.bar(player_label(match.players[seat]), title, buttons[seat])
    elif isinstance(winners, tuple):
        sheet.bar(_outcome(winners), title)
    else:
        sheet.bar(title)
    sheet.block(tr(call.text), TOP, HEIGHT, centred=True)
    return sheet.image


def number(match: Match, seat: int, buttons: Sequence[int], sign: str = "") -> Picture:
    """Draw one seat's score as large as possible."""
    sheet, tile = Sheet(sign), tiles_of(match, buttons or range(len(match.players)))[seat]
    sheet.bar(tile.name, tile.beside, tile.button)
    sheet.number(tile.score or tr("hidden until the end"), TOP + 2, HEIGHT - 1)
    return sheet.image


def paused(title: str, clock: str, sign: str = "") -> Picture:
    """Draw the screen of a paused game."""
    sheet = Sheet(sign)
    sheet.bar(title, clock)
    sheet.block(f"{PAUSE} {tr('Pause')}", TOP, FOOT, centred=True)
    text = tr("Press any button")
    sheet.text((WIDTH - SMALL.measure(text)) // 2, FOOT, text)
    return sheet.image


def notice(title: str, text: str, page: int, sign: str = "", ok: str = "") -> Picture:
    """Draw a page of running text: the reason of a refusal, or a rule. `ok` is what OK does, and Back then does not."""
    sheet, high = Sheet(sign), REMEDIED if ok else NOTICE
    many = pages(text, high)
    sheet.bar(title, f"{page + 1}/{many}" if many > 1 else "")
    sheet.block(text, TOP, TOP + high, page)
    if ok:
        ways = f"OK {ok}", tr("Back: no")
        font = largest("  ".join(ways), ACROSS, SMALL, TINY)
        sheet.text(1, HEIGHT - font.height, ways[0], font)
        sheet.right(WIDTH - 1, HEIGHT - font.height, ways[1], font)
    return sheet.image


def _order(sheet: Sheet, order: Sequence[Place], buttons: Sequence[int], turn: Place | None) -> None:
    """Draw a finish order: one player large, the others below, each with their place.

    The large player is the one whose `turn` it is, perhaps without a place in the order. Otherwise it is the first cube
    without an owner, because the question is whose it is, or the first player.

    Every margin is the time behind the first cube.
    """
    behind = [0]
    for place in order[:-1]:
        behind.append(behind[-1] + (place.margin_us or 0))
    ranked = list(enumerate(zip(order, behind, strict=True), 1))[:PLACES]
    at = next(
        (index for index, (_, (place, _)) in enumerate(ranked) if place.seat == (turn.seat if turn else None)), None
    )
    if at is None and turn:
        number, large, margin_us = 0, turn, 0
    else:
        number, (large, margin_us) = ranked.pop(at or 0)
    many = len(ranked) > 4
    size, below = (MARK, TOP + LINE) if many else (13, QUESTION - 2 * LINE)
    fonts = (SMALL,) if many else (LARGE, NORMAL, SMALL)
    margin = tr("+{margin} ms", margin=_ms(margin_us)) if number > 1 else ""
    margin = UNSURE if large.close else margin
    rank = tr("first") if number == 1 else f"{number}." if number else ""
    lines = [f"{rank} {margin}".strip()] if many else [rank, margin]
    for row, text in enumerate(lines):
        sheet.right(WIDTH - 1, TOP + row * LINE, text, SMALL)
    start = 1
    if large.seat is not None:
        sheet.mark(1, TOP + (below - TOP - size) // 2, buttons[large.seat], size)
        start += size + 3
    room = WIDTH - start - 2 - max(map(SMALL.measure, lines))
    font = largest(large.name, room, *fonts)
    sheet.text(start, TOP + (below - TOP - font.height) // 2, large.name, font, room)
    for index, (number, (place, margin_us)) in enumerate(ranked):
        row, column = divmod(index, 2)
        gap = f" {UNSURE}" if place.close else "" if number == 1 else f" +{_ms(margin_us)}"
        room = WIDTH // (1 if len(ranked) == 1 else 2) - MARK - 3
        _follower(sheet, column * WIDTH // 2, below + row * LINE, room, number, place, gap, buttons)


def _ms(margin_us: int) -> str:
    """Format a margin in milliseconds, with tenths below 99.95 ms."""
    return tr(Figure(f"{margin_us / 1000:.1f}" if margin_us < 99_950 else f"{(margin_us + 500) // 1000}"))


def _follower(
    sheet: Sheet, x: int, y: int, room: int, number: int, place: Place, gap: str, buttons: Sequence[int]
) -> None:
    if place.seat is not None:
        sheet.mark(x + 1, y, buttons[place.seat])
    if gap.startswith(" +") and TINY.measure(f"{number} {place.name}{gap} ms") <= room:
        gap += " ms"
    font = largest(f"{number} {place.name}{gap}", room, SMALL, TINY)
    name = font.fit(place.name, room - font.measure(f"{number} {gap}"))
    sheet.text(x + MARK + 3, y + (LINE - font.height) // 2, f"{number} {name}{gap}", font)


def _facts(match: Match, free: int) -> list[str]:
    """Return the most important facts, with names as long as the room permits and long enough to differ."""
    rows: list[str] = []
    for letters in (WHOLE, LETTERS, LEAST):
        names = [player_label(name)[:letters] for name in match.players]
        if not rows or len(set(names)) == len(names):
            rows = facts_of(match, names)
        lines = rows if LINE * (len(rows) - 1) <= free else ["  ".join(rows)]
        if all(TINY.measure(line) < WIDTH for line in lines):
            break
    return rows


def _info(sheet: Sheet, rows: Sequence[str], free: int, last: int) -> int:
    """Write the facts on one line, or on more if they are too long and `free` dots are enough; return the top.

    `last` is the top of their last line.
    """
    lines, most = [GAP.join(rows)], 1 + max(0, free) // LINE
    if SMALL.measure(lines[0]) >= WIDTH and len(rows) <= most:
        lines = list(rows)
    elif TINY.measure(lines[0]) >= WIDTH:
        lines = first(rows, most)
    top = last - LINE * (len(lines) - 1)
    for index, line in enumerate(lines):
        sheet.text(1, top + LINE * index, line, largest(line, WIDTH - 1, SMALL, TINY))
    return top


def _sentence(menu: Menu, who: str, page: int, most: int) -> list[str]:
    """Return what the next person must do, in at most so many lines; empty if it has no room or the menu has none.

    Where Down answers too, nothing else says which key means what: then the answers of both keys stay beside it. What
    has been entered stays beside it too, so then the question may need the lines instead.
    The title bar already names `who`, so the sentence does not begin with the name.
    """
    texts = [capitalised(re.sub(rf"^{re.escape(who)}\s*:\s*", "", tr(menu.now.text)))] if menu.now else []
    note = f"{_kept(menu)} " if _kept(menu) else ""
    for text in [*texts, menu.title] if note else texts:
        for right in _beside_question(menu, page)[: 1 if menu.less else 2]:
            right = f"{note}{right}"
            room = WIDTH - 4 - NORMAL.width - SMALL.measure(right) if right else ACROSS
            if TINY.measure(text) <= room:
                return [text]
            for font, wide in ((SMALL, ACROSS), (SMALL, room), (TINY, ACROSS), (TINY, room)):
                lines = font.wrap(text, wide) if room > 0 else []
                if lines and len(lines) <= most and font.measure(lines[-1]) <= room:
                    return lines
    return []


def _beside_question(menu: Menu, page: int) -> tuple[str, str]:
    """Return what OK and Down answer with the number of the page, and that number alone."""
    less = f"▼ {menu.less}" if menu.less else ""
    number = _pages(menu, page)
    return " ".join(filter(None, (_ok(menu), less, number))), number


def _kept(menu: Menu) -> str:
    """Return the end of what has been entered that stays visible; "" as long as there are only blanks."""
    return menu.note[-NOTED:] if menu.note.strip("_ ") else ""


def _question(sheet: Sheet, menu: Menu, page: int, sentence: Sequence[str]) -> None:
    right, number = _beside_question(menu, page)
    title = sentence[-1] if sentence else menu.title
    kept = _kept(menu)
    within = f"{kept} {right}" if kept and sentence else right
    beside = TINY.measure(title) <= WIDTH - 4 - NORMAL.width - SMALL.measure(within)
    right = right if beside or menu.less else number  # the question is more important
    small = SMALL
    if menu.note:  # what has been entered so far: show its end, next to the whole question if both have room
        lefts = [WIDTH - font.measure(title) - SMALL.measure(f"    {right}") for font in (SMALL, TINY)]
        left = next((left for left in lefts if left >= SMALL.measure(menu.note)), max(lefts[-1], SMALL.measure(kept)))
        small = largest(menu.note, left, SMALL, TINY) if kept else SMALL
        right = f"{small.tail(menu.note, left)} {right}" if left > 0 else right
    room = WIDTH - 2 - small.measure(right)
    font = largest(title, room - NORMAL.width, NORMAL, SMALL, TINY)
    if sentence[:-1]:
        font = SMALL if SMALL.measure(sentence[0]) <= ACROSS and SMALL.measure(title) <= room - 2 else TINY
        sheet.text(1, INFO, sentence[0], font)
    sheet.text(1, QUESTION + (NORMAL.height - font.height) // 2, title, font, room - 2)
    sheet.right(WIDTH, QUESTION + 1 + (SMALL.height - small.height) // 2, right, small)


def _ok(menu: Menu) -> str:
    return "" if menu.ok is NOTHING else f"OK {menu.done}" if menu.done != "OK" else "OK"


def _pages(menu: Menu, page: int) -> str:
    return f"{page + 1}/{menu.pages}" if menu.pages > 1 else ""
