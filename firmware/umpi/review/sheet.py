"""The review of a match on paper: its scores, a table, and for each player a chart of the course and the mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from reportlab.lib.units import mm

from umpi.i18n.translate import Translated, game_label, player_label, tr
from umpi.kernel.messages import Figure, message
from umpi.kernel.printable import BLACK, BLUE, GREY, PALE, RED, Label, Mark, Outline, Point, SeatMark, box
from umpi.kernel.record import Record
from umpi.printing.paper import Page, room_of
from umpi.printing.pen import LEADING, Pen, lines_of
from umpi.printing.sheets import write_pages
from umpi.review.document import choice_text, figure_text, loss_text, points_text
from umpi.review.split import WORST, Mistake, Number, Presses, Review, Share
from umpi.table.seating import Seating
from umpi.table.standing import points_of, winners_of

TEXT = 8.5  # points
LINE = LEADING * TEXT / mm
GAP = 4.0  # mm between two parts
NAMES = 56.0  # mm, the column of the names
ROW = 7.0  # mm, a row of the table
HEAD = 10.0  # mm, a player's mark and name above their part
CHART = (88.0, 46.0)  # mm, the curves without their numbers
NUMBERS = 14.0  # mm, for the numbers at the left of a chart
BESIDE = NUMBERS + CHART[0] + 6  # mm, where the mistakes begin
NUMBER = 2.5  # mm, the height of a number there
FOOT = 11.0  # mm, for the first and last move below a chart, and the legend
CROSS = 0.9  # mm, an arm of the mark of a mistake


class Curve(NamedTuple):
    """How a sum is drawn, also without colours: its name, its colour, its width in mm, and whether it is dashed."""

    name: str
    ink: str
    width: float
    dashed: bool = False


EXPECTED, LUCK = Curve(message("Expected"), BLACK, 0.3), Curve(message("Luck"), BLUE, 0.5, dashed=True)
GIVEN_AWAY = Curve(message("Given away"), RED, 0.8)


class Part(NamedTuple):
    """A part of the sheet that is not divided: its height in mm, and its marks below (0, 0)."""

    high: float
    marks: Sequence[Mark]


def write_review(file: str, record: Record, found: Review, paper: str, replace: bool) -> int:
    """Write the review of a record as PDF in the current language, and return the number of pages.

    Raises OSError if the file cannot be written, FileExistsError if it exists and may not be replaced, MissingFont if
    letters cannot be printed, TooWide if a text does not fit.
    """
    title = tr("{game} · {sheet}", game=game_label(record.match.game), sheet=tr("Luck and skill"))
    (pages,) = write_pages(file, title, lambda: [_pages(title, record, found, paper)], paper, replace)
    return pages


def _pages(title: Translated, record: Record, found: Review, paper: str) -> list[Page]:
    """Arrange the parts on pages, as many as fit on each."""
    wide, high = room_of(paper, False)
    pages = list[list[tuple[float, Part]]]()
    y = high
    for part in _parts(title, record, found, wide):
        if y + part.high > high:
            pages.append([])
            y = 0
        pages[-1].append((y, part))
        y += part.high + GAP
    return [Page(title, False, partial(_draw, parts), to_read=True) for parts in pages]


def _draw(parts: Sequence[tuple[float, Part]], pen: Pen) -> None:
    for y, part in parts:
        with pen.moved((0, y)):
            pen.draw(part.marks)


def _parts(title: Translated, record: Record, found: Review, wide: float) -> Iterator[Part]:
    buttons = Seating.of(record.header).buttons
    yield _head(title, record, wide)
    shares = [each for each in found.players if isinstance(each, Share)]
    presses = [each for each in found.players if isinstance(each, Presses)]
    if shares:
        exact = tr("exact") if found.method == "exact" else tr("about, ± half of a 95 % interval")
        heads = [tr("Points"), *(tr(curve.name) for curve in (EXPECTED, LUCK, GIVEN_AWAY))]
        yield _table(Translated(f"{tr(found.measure)} ({exact})"), heads, list(map(_figures, shares)), buttons, wide)
    if presses:
        heads = [tr("Points"), tr("Presses"), tr("First"), tr("Reaction"), tr("Lead")]
        yield _table(Translated(""), heads, list(map(_races, presses)), buttons, wide)
    if found.why:
        yield _paragraph(tr(found.why), wide)
    if any(step.luck is None for share in shares for step in share.course):
        yield _paragraph(tr("In this game, luck is known only for the whole match."), wide)
    for share in shares:
        yield from _player(share, buttons[share.seat], wide)


def _head(title: Translated, record: Record, wide: float) -> Part:
    """Return the title, a line for the date, which no record has, and the scores."""
    marks: list[Mark] = [
        Label((0, 7), title, 15, wide - 70, bold=True),
        Label((wide - 62, 7), tr("Date:"), 9),
        Outline(f"M {wide - 48} 7.5 L {wide} 7.5", "", GREY, 0.2),
    ]
    match = record.match
    lines = [winners_of(match)] if match.now.result() else []
    y = 10.0
    for text in (*lines, points_of(match)):
        for line in lines_of(text, wide, 10.5):
            y += LEADING * 10.5 / mm
            marks.append(Label((0, y), Translated(line), 10.5, wide))
    return Part(y + 1, marks)


def _figures(share: Share) -> tuple[int, str, Sequence[str]]:
    """Return the seat of a player, the name, and the cells of the row."""
    figures = (figure_text(each) for each in (share.expected, share.luck, share.given_away))
    return share.seat, share.name, (points_text(share), *figures)


def _races(each: Presses) -> tuple[int, str, Sequence[str]]:
    times = ("" if one is None else f"{one:.0f} ms" for one in (each.reaction_ms, each.lead_ms))
    return each.seat, each.name, (str(each.points), str(each.presses), str(each.first), *times)


def _table(
    caption: Translated, heads: Sequence[Translated], rows: Sequence[tuple[int, str, Sequence[str]]],
    buttons: Sequence[int], wide: float,
) -> Part:  # fmt: skip
    marks: list[Mark] = []
    y = 0.0
    if caption:
        marks.append(Label((0, 4), caption, TEXT, wide))
        y = 6.5
    each = (wide - NAMES) / len(heads)
    marks += [Outline(box(0, y, wide, ROW), PALE), Label((1.5, y + 4.8), tr("Player"), TEXT, NAMES - 3, bold=True)]
    for number, head in enumerate(heads, 1):
        marks.append(Label((NAMES + number * each - 1.5, y + 4.8), head, TEXT, each - 3, "right", bold=True))
    for seat, name, cells in rows:
        y += ROW
        marks += _named(buttons[seat], name, (1.5, y + 1), 5, TEXT + 1)
        for number, cell in enumerate(cells, 1):
            marks.append(Label((NAMES + number * each - 1.5, y + 4.8), Translated(cell), TEXT + 1, each - 3, "right"))
        marks.append(Outline(f"M 0 {y + ROW} L {wide} {y + ROW}", "", GREY, 0.2))
    return Part(y + ROW, marks)


def _named(button: int, name: str, at: Point, mark: float, size: float, bold: bool = False) -> tuple[Mark, Mark]:
    """Return the mark and the name of a player."""
    base = at[1] + mark / 2 + 0.13 * size
    return SeatMark(button, at, mark), Label(
        (at[0] + mark + 2, base), player_label(name), size, NAMES - mark - 5, bold=bold
    )


def _paragraph(text: Translated, wide: float) -> Part:
    lines = lines_of(text, wide, TEXT)
    return Part(len(lines) * LINE, list(_lines(lines, (0, 0), wide)))


def _lines(lines: Sequence[str], at: Point, wide: float) -> Iterator[Mark]:
    """Yield lines of text below a point."""
    for number, line in enumerate(lines, 1):
        yield Label((at[0], at[1] + number * LINE - 1), Translated(line), TEXT, wide)


def _player(share: Share, button: int, wide: float) -> Iterator[Part]:
    """Yield a player's name with the chart and the dearest mistakes, then the mistakes that have no room there."""
    listed = [*share.lost, *share.worst]
    marks: list[Mark] = [Outline(f"M 0 0 L {wide} 0", "", GREY, 0.2)]
    marks += _named(button, share.name, (0, 1.5), 6, 11, bold=True)
    left = BESIDE if len(share.course) > 1 else 0.0
    bottom = HEAD
    if left:
        marks += _chart(share, HEAD)
        bottom += 2 + CHART[1] + FOOT
    y = HEAD
    texts = [_mistake(each) for each in listed[:WORST]] or [[tr("No mistake was found.")]]
    for text in texts:
        lines = [line for sentence in text for line in lines_of(sentence, wide - left, TEXT)]
        marks += _lines(lines, (left, y), wide - left)
        y += len(lines) * LINE + 1.5
    yield Part(max(y, bottom), marks)
    for each in listed[WORST:]:
        lines = [line for sentence in _mistake(each) for line in lines_of(sentence, wide, TEXT)]
        yield Part(len(lines) * LINE, list(_lines(lines, (0, 0), wide)))


def _mistake(mistake: Mistake) -> list[str]:
    """Return the sentences on a mistake."""
    move = tr("move {number}", number=mistake.move)
    return [
        tr("{what}: {value}", what=move, value=tr(mistake.situation)) if mistake.situation else move,
        tr("Chosen: {chosen}", chosen=choice_text(mistake.chosen)),
        tr("Better: {best}", best=choice_text(mistake.best)),
        tr("Cost: {loss}", loss=loss_text(mistake)),
    ]


def _chart(share: Share, top: float) -> list[Mark]:
    """Return the chart of a player: what each sum was after each decision, with a cross for each mistake."""
    steps, (wide, high) = share.course, CHART
    last = steps[-1].move
    sums: list[tuple[Curve, list[Number]]] = [(GIVEN_AWAY, [step.given_away for step in steps])]
    for curve, all_sums in ((LUCK, [step.luck for step in steps]), (EXPECTED, [step.expected for step in steps])):
        known = [value for value in all_sums if value is not None]
        if known:
            sums.append((curve, known))
    whole = [value for _, values in sums for value in values]
    least, most = min(0, *whole), max(1, *whole)

    def at(move: int, value: Number) -> Point:
        return round(NUMBERS + move / last * wide, 3), round(top + 2 + float((most - value) / (most - least)) * high, 3)

    marks: list[Mark] = []
    for grid in sorted({least, 0, most}):
        y = at(0, grid)[1]
        marks.append(Outline(f"M {NUMBERS} {y} L {NUMBERS + wide} {y}", "", GREY, 0.15))
        if grid < 0 and y - at(0, 0)[1] < NUMBER:
            continue
        marks.append(Label((NUMBERS - 1.5, y + 0.9), tr(Figure(f"{float(grid):.0f}")), 7, NUMBERS - 1.5, "right"))
    for curve, values in sums:
        points = [at(0, 0), *(at(step.move, value) for step, value in zip(steps, values, strict=True))]
        path = " L ".join(f"{x} {y}" for x, y in points)
        marks.append(Outline(f"M {path}", "", curve.ink, curve.width, dashed=curve.dashed))
    cost = {step.move: step.given_away for step in steps}
    marks += [_cross(at(each.move, cost[each.move])) for each in share.mistakes if each.move in cost]
    base = top + 2 + high + 4
    marks.append(Label((NUMBERS, base), tr("start"), 7))
    marks.append(Label((NUMBERS + wide, base), tr("move {number}", number=last), 7, align="right"))
    return [*marks, *_legend([curve for curve, _ in reversed(sums)], base + 5)]


def _legend(curves: Sequence[Curve], y: float) -> Iterator[Mark]:
    each = (NUMBERS + CHART[0]) / 4
    for number, curve in enumerate(curves):
        x = number * each
        yield Outline(f"M {x} {y - 1} L {x + 5} {y - 1}", "", curve.ink, curve.width, dashed=curve.dashed)
        yield Label((x + 6, y), tr(curve.name), 7, each - 7)
    x = len(curves) * each
    yield _cross((x + 2.5, y - 1))
    yield Label((x + 6, y), tr("Mistake"), 7, each - 7)


def _cross(at: Point) -> Outline:
    x, y = at
    return Outline(
        f"M {x - CROSS} {y - CROSS} L {x + CROSS} {y + CROSS} M {x - CROSS} {y + CROSS} L {x + CROSS} {y - CROSS}",
        "", BLACK, 0.25,
    )  # fmt: skip
