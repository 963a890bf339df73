"""The game board on paper, drawn from a profile: twelve spaces with eight circles each, and the scoring track.

The sheet names what is on the board and not where; the places are ours. Forward arrows are filled and back arrows are
hollow, so that a black and white print shows them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, degrees, pi, radians, sin, tan

from umpi.games.dohdles.board import SPACES, Board, code_of
from umpi.games.dohdles.riddle import MOST_RIDDLES
from umpi.kernel import message
from umpi.kernel.fields import Value
from umpi.kernel.printable import (
    BLACK,
    GREEN,
    GREY,
    PALE,
    RED,
    WHITE,
    Label,
    Mark,
    Outline,
    Paragraph,
    Piece,
    Point,
    circle,
    polygon,
)

SIDE = 480.0  # of the board: six tiles on A4 and on Letter
MIDDLE = SIDE / 2
RING = 190.0  # from the middle to the middle of a riddle's space
RIDDLE = 25.0  # the radius of a space
CHIPS = 39.0  # from the middle of a space to the middle of its circles
CHIP = 8.5  # the radius of a circle: a chip of 15 mm fits
REWARD = 27.7  # from the middle of a space to the number beside a circle
INNER, OUTER = 107.0, 139.0  # of the scoring track
GAP = 34.0  # degrees of the ring that the code takes
LONGEST = 60  # spaces; those of a longer track are too narrow for arrows
STACK = 4  # arrows in a space; more are a number
ARROW = (10.0, 3.1)  # the length and width of an arrow
STEP = 3.4  # from arrow to arrow
BACK_AT, FORWARD_AT = 132.4, 119.4  # from the middle to the outermost arrow of both stacks
SIGNS = {"questions": ("??", WHITE), "letter": ("ABC", "#b9bac0"), "either": ("??/ABC", PALE)}
POINT = 25.4 / 72


def drawn(profile: Mapping[str, Value]) -> Piece:
    """Return the board of a profile that has no flaw; raises ValueError if its track has too many spaces."""
    board = Board.of(profile)
    if len(board.track) > LONGEST:
        raise ValueError(f"the track has {len(board.track)} spaces. A board on paper has room for {LONGEST}.")
    code = code_of(profile)
    marks: list[Mark] = []
    for number in range(MOST_RIDDLES):
        marks += _riddle_space(board, number * 2 * pi / MOST_RIDDLES)
    for space in range(len(board.track)):
        marks += _track_space(board, space)
    return Piece((SIDE, SIDE), (*marks, *_middle(), *_code(code), *_corners(code)))


def span_of(space: int, spaces: int) -> tuple[float, float]:
    """Return the angles, in radians clockwise from the right, between which a space of the track lies."""
    first, each = radians(90 + GAP / 2), radians(360 - GAP) / spaces
    return first + space * each, first + (space + 1) * each


def _at(angle: float, out: float, middle: Point = (MIDDLE, MIDDLE)) -> Point:
    return middle[0] + out * cos(angle), middle[1] + out * sin(angle)


def _outward(angle: float) -> float:
    """Return the turn of a text that a player outside the board reads."""
    return degrees(angle) - 90


def _text(angle: float, out: float, text: str, size: float, room: float = 0, bold: bool = True) -> Label:
    """Return a text in the middle of a place on a ray, for the player at its end."""
    return Label(_at(angle, out + 0.36 * size * POINT), text, size, room, "centre", bold, turn=_outward(angle))


def _riddle_space(board: Board, angle: float) -> Iterator[Mark]:
    """Draw a space and its circles: the start of the chip is next to the edge, and the chip goes clockwise."""
    middle = _at(angle, RING)
    yield Outline(circle(RIDDLE), "", BLACK, 0.6, middle)
    for chip in range(SPACES + 1):
        way = angle + chip * 2 * pi / (SPACES + 1)
        at = _at(way, CHIPS, middle)
        if not chip:
            yield Outline(circle(CHIP), "", BLACK, 0.4, at)
            yield Outline(circle(CHIP - 1.2), PALE, GREY, 0.3, at, dashed=True)
            yield Outline(circle(CHIP - 4), "", GREY, 0.3, at)
        else:
            yield from _clue(board.clues[chip - 1], at, angle)
            yield _middled(_at(way, REWARD, middle), str(board.rewards[chip]), 9, angle)
        if chip < SPACES:
            yield _next(_at(way + pi / (SPACES + 1), CHIPS, middle), way + pi / (SPACES + 1))


def _middled(at: Point, text: str, size: float, angle: float, room: float = 0) -> Label:
    """Return a text in the middle of a place, for the player at the end of a ray."""
    return Label(_at(angle, 0.36 * size * POINT, at), text, size, room, "centre", True, turn=_outward(angle))


def _clue(kind: str, at: Point, angle: float) -> Iterator[Mark]:
    sign, ground = SIGNS[kind]
    yield Outline(circle(CHIP), ground, BLACK, 0.4, at)
    if kind != "either":
        yield _middled(at, sign, 12 if kind == "questions" else 10, angle, 2 * CHIP - 3)
        return
    half = [_at(angle + step * pi / 8, CHIP) for step in range(-4, 5)]
    yield Outline(polygon(tuple((x - MIDDLE, y - MIDDLE) for x, y in half)), SIGNS["letter"][1], "", 0, at)
    yield Outline(circle(CHIP), "", BLACK, 0.4, at)
    upper, lower = sign.split("/")
    yield _middled(_at(angle, -3.3, at), upper, 11, angle)
    yield _middled(_at(angle, 3.2, at), lower, 8.5, angle, 2 * CHIP - 4)


def _next(at: Point, way: float) -> Outline:
    """Return the small arrow between two circles."""
    ahead = way + pi / 2
    tip, left, right = (_at(ahead + turn, 2.4, at) for turn in (0, 2.4, -2.4))
    return Outline(polygon((tip, left, right)), BLACK)


def _sector(start: float, end: float) -> str:
    """Return the path of a part of the ring."""
    bend = 4 / 3 * tan((end - start) / 4)

    def arc(out: float, a: float, b: float, bend: float) -> str:
        one = _at(a, out), _at(b, out)
        first = one[0][0] - out * bend * sin(a), one[0][1] + out * bend * cos(a)
        other = one[1][0] + out * bend * sin(b), one[1][1] - out * bend * cos(b)
        return f"C {first[0]} {first[1]} {other[0]} {other[1]} {one[1][0]} {one[1][1]}"

    (x, y), (u, v) = _at(start, INNER), _at(end, OUTER)
    return f"M {x} {y} {arc(INNER, start, end, bend)} L {u} {v} {arc(OUTER, end, start, -bend)} Z"


def _track_space(board: Board, space: int) -> Iterator[Mark]:
    start, end = span_of(space, len(board.track))
    middle = (start + end) / 2
    last, room = space == board.final, (end - start) * INNER - 2.5
    ground = PALE if last or space in (0, board.start) else ""
    yield Outline(_sector(start, end), ground, BLACK, 0.5)
    yield _text(middle, OUTER - 2.2, str(space), 6.5, bold=False)
    if last:
        yield Outline(_star(middle, min(10.5, 0.5 * room)), WHITE, BLACK, 0.6)
        return
    back, forward = board.track[space]
    yield from _arrows(middle, BACK_AT, back, room, False)
    yield from _arrows(middle, FORWARD_AT, forward, room, True)
    if space == board.start:
        yield Outline(_big_arrow(middle), WHITE, BLACK, 0.8)
    if not space:
        yield _text(middle, INNER - 8, "!", 34)


def _arrows(angle: float, out: float, count: int, room: float, forward: bool) -> Iterator[Mark]:
    """Draw a stack of arrows along the track, `room` mm long at most; a large number is written beside one arrow."""
    long = min(ARROW[0], room)
    if count > STACK:
        yield _text(angle, out - 2 * STEP, str(count), min(13, 1.9 * room))
        yield _arrow(_at(angle, out), angle, long, forward)
        return
    for number in range(count):
        yield _arrow(_at(angle, out - number * STEP), angle, long, forward)


def _arrow(at: Point, angle: float, long: float, forward: bool) -> Outline:
    """Return an arrow: forward clockwise and filled, back hollow."""
    ahead = angle + (pi / 2 if forward else -pi / 2)
    half, head, shaft = long / 2, min(4.0, long / 2), 0.27
    shape = (
        (-half, -shaft), (half - head, -shaft), (half - head, -0.5), (half, 0), (half - head, 0.5),
        (half - head, shaft), (-half, shaft),
    )  # fmt: skip
    corners = tuple(_at(ahead, along, _at(ahead + pi / 2, across * ARROW[1], at)) for along, across in shape)
    return Outline(polygon(corners), GREEN if forward else WHITE, BLACK if forward else RED, 0.3 if forward else 0.55)


def _big_arrow(angle: float) -> str:
    """Return the arrow that points at the start from the inside."""
    shape = ((88, -3.5), (97, -3.5), (97, -8), (105.5, 0), (97, 8), (97, 3.5), (88, 3.5))
    return polygon(tuple(_at(angle, out, _at(angle + pi / 2, across)) for out, across in shape))


def _star(angle: float, out: float) -> str:
    middle = _at(angle, (INNER + OUTER) / 2)
    return polygon(
        tuple(_at(angle + number * pi / 5, out * (0.42 if number % 2 else 1), middle) for number in range(10))
    )


def _middle() -> Iterator[Mark]:
    """Draw the place of the funnel, and the middle lines on which its stand is put."""
    yield Outline(circle(62), "", GREY, 0.5, (MIDDLE, MIDDLE), dashed=True)
    for a, b in (((-75, 0), (75, 0)), ((0, -75), (0, 75))):
        yield Outline(f"M {a[0]} {a[1]} L {b[0]} {b[1]}", "", GREY, 0.3, (MIDDLE, MIDDLE), dashed=True)
    yield Label((MIDDLE, MIDDLE + 40), message("Guess funnel"), 16, 80, "centre", bold=True)


def _code(code: str) -> Iterator[Mark]:
    """Write the code into the gap of the track."""
    yield _text(pi / 2, OUTER - 9, message("Board code"), 9, 52, bold=False)
    yield _text(pi / 2, OUTER - 19, code, 26, 52)


def _corners(code: str) -> Iterator[Mark]:
    """Write what the signs mean into the corners of the board, for the players at two sides."""
    texts = (
        (message("Right: forward"), message("Wrong: back"), message(
            "??: two questions. ABC: a letter. The number beside the chip: the sculptor’s reward."
        )),
        (message("Board code {code}", code=code), "", message(
            "At the box, choose this code under Options, board. The box then knows the arrows."
        )),
    )  # fmt: skip
    for number, (first, second, note) in enumerate((*texts, *texts)):
        right, low = number in (0, 3), number in (0, 1)
        turn = 0 if low else 180
        corner = (SIDE - 84 if right else 10.0, SIDE - 56.0)
        if not low:
            corner = (SIDE - 10 if right else 84.0, 56.0)
        for line, text in enumerate((first, second)):
            y = 9.0 + 9 * line
            inset = 15 if second else 0
            if second:
                yield _arrow(_off(corner, (5, y - 1.6), turn), -pi / 2 + radians(turn), 10, not line)
            yield Label(_off(corner, (inset, y), turn), text, 13, 74 - inset, bold=True, turn=turn)
        yield Paragraph(_off(corner, (0, 21 if second else 12), turn), note, 74, 24, 10, turn)


def _off(corner: Point, by: Point, turn: float) -> Point:
    way = -1 if turn else 1
    return corner[0] + way * by[0], corner[1] + way * by[1]
