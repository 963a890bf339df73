"""The photo finish: a race as a picture on one time axis, with the bounds of each arrival and the verdict in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor
from textwrap import wrap
from typing import NamedTuple

from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.messages import Figure, listed
from umpi.kernel.printable import BLACK, GREY, Outline
from umpi.printing.seats import INKS, seat_marks
from umpi.referee.announcement import reason_text
from umpi.table.seats import COLOURS
from umpi.timing.race import Arrival, Race
from umpi.timing.units import MS, US, S
from umpi.web import documents

REACH_NS = 300 * MS  # how far a bound is drawn beyond the first and the last arrival, at least
MARGIN = 8.0  # per cent of the width on either side of the axis: room for half a number
STEPS = 4  # the most ticks of the axis
# Lengths in em: a text keeps its size, however wide the picture is.
CAPTION, LANE, AXIS, MARK, BAND, LINE = 1.3, 1.4, 1.6, 1.2, 1.0, 1.5
LETTERS = 80  # in a line of text in a file
WIDE, EM = 720, 16  # of a file, in its own units
INK = """
    svg { color: #1d1f24; font-family: system-ui, sans-serif; } .paper { fill: #fff; }
    @media (prefers-color-scheme: dark) { svg { color: #edebe4; } .paper { fill: #1d2025; } }
"""


class Runner(NamedTuple):
    """Who arrived: a name in the language of the box, and a button from the left, None if nobody knows whose it was."""

    name: str
    button: int | None


def race_document(race: Race, players: Sequence[str], buttons: Sequence[int]) -> documents.Race:
    """Return a race with its words and its picture, for a table of these players and buttons."""
    runners = [_runner(one.seat, players, buttons) for one in race.arrivals]
    first_ns = race.arrivals[0].at_ns
    return {
        "before": race.before,
        "arrivals": [
            {
                "by": one.by, "seat": one.seat, "button": runner.button, "name": runner.name,
                "at_ns": one.at_ns - first_ns, "from_ns": one.earliest_ns - first_ns, "to_ns": one.latest_ns - first_ns,
                "close": place in race.close, "behind": gap_text(race, place), "bound": bound_text(race, place),
            }
            for place, (one, runner) in enumerate(zip(race.arrivals, runners, strict=True))
        ],
        "verdict": verdict_text(race, runners),
        "svg": picture(race, runners),
    }  # fmt: skip


def _runner(seat: int | None, players: Sequence[str], buttons: Sequence[int]) -> Runner:
    return Runner("?", None) if seat is None else Runner(player_label(players[seat]), buttons[seat])


# The words


def gap_text(race: Race, place: int) -> str:
    """Return how long after the first an arrival came, "?" if it is too close to call, "" for the first."""
    if place in race.close:
        return "?"
    return f"+{time_text(race.arrivals[place].at_ns - race.arrivals[0].at_ns)}" if place else ""


def bound_text(race: Race, place: int) -> str:
    """Return by how much an arrival may differ from its stamp: of each phone, and of those too close to call."""
    one = race.arrivals[place]
    if one.by == "phone" and one.earliest_ns < one.at_ns:
        return tr("or up to {time} earlier", time=Translated(time_text(one.at_ns - one.earliest_ns)))
    if place in race.close and one.at_ns < one.latest_ns:
        return tr("or up to {time} later", time=Translated(time_text(one.latest_ns - one.at_ns)))
    return ""


def verdict_text(race: Race, runners: Sequence[Runner]) -> str:
    """Return who was first and by how much, or what is in doubt."""
    close = [Translated(runners[place].name) for place in sorted(race.close)]
    doubts = [reason_text(reason) for reason in dict.fromkeys(race.reasons) if reason != "dead-heat" or not close]
    said = [tr("Too close to call: {names}.", names=listed(close))] if close else []
    if len(runners) > 1 and 0 not in race.close and not doubts and runners[0].button is not None:
        said.insert(0, _first(race, runners))
    return " ".join([*said, *map(tr, doubts)])


def _first(race: Race, runners: Sequence[Runner]) -> Translated:
    first, second = race.arrivals[:2]
    who = Translated(runners[0].name)
    if "phone" in (first.by, second.by):
        least = Translated(time_text(second.earliest_ns - first.latest_ns))
        return tr("{who} was first, by at least {time}.", who=who, time=least)
    return tr("{who} was first, by {time}.", who=who, time=Translated(time_text(second.at_ns - first.at_ns)))


def time_text(span_ns: int) -> str:
    """Return a length of time as players read it.

    >>> [time_text(span) for span in (0, 20_000, 5_240_000, 120_000_000, 3_000_000_000)]
    ['0.00 ms', '0.02 ms', '5.2 ms', '120 ms', '3.00 s']
    """
    if span_ns >= S:
        return tr("{number} s", number=Figure(f"{span_ns / S:.2f}"))
    decimals = 2 if span_ns < MS else 1 if span_ns < 100 * MS else 0
    return tr("{number} ms", number=Figure(f"{span_ns / MS:.{decimals}f}"))


# The axis


class Axis(NamedTuple):
    """The part of time that the picture shows, in nanoseconds after the first arrival."""

    low_ns: int
    high_ns: int

    def at(self, time_ns: int) -> float:
        """Return where a time is, in per cent of the width. What is beyond the axis is at the edge of the picture."""
        if time_ns < self.low_ns:
            return 0
        if time_ns > self.high_ns:
            return 100
        return MARGIN + (100 - 2 * MARGIN) * (time_ns - self.low_ns) / (self.high_ns - self.low_ns)

    def ticks(self) -> list[int]:
        """Return the times with a tick: round ones, and the first arrival."""
        least = (self.high_ns - self.low_ns) / STEPS
        step = next(n * 10**zeros for zeros in range(20) for n in (1, 2, 5) if n * 10**zeros >= least)
        return [n * step for n in range(ceil(self.low_ns / step), floor(self.high_ns / step) + 1)]


def axis_of(race: Race) -> Axis:
    """Return the axis of a race: all arrivals, and their bounds as far as REACH_NS or the length of the race."""
    first_ns = race.arrivals[0].at_ns
    last_ns = race.arrivals[-1].at_ns - first_ns
    reach_ns = max(last_ns, REACH_NS)
    low_ns = max(min(one.earliest_ns for one in race.arrivals) - first_ns, -reach_ns)
    high_ns = min(max(one.latest_ns for one in race.arrivals) - first_ns, last_ns + reach_ns)
    return Axis(low_ns, max(high_ns, low_ns + US))


def _tick_text(time_ns: int, step_ns: int) -> str:
    if not time_ns:
        return "0"
    sign = "+" if time_ns > 0 else "−"
    if step_ns >= S:
        return sign + tr("{number} s", number=Figure(f"{abs(time_ns) / S:g}"))
    if step_ns >= MS:
        return sign + tr("{number} ms", number=Figure(f"{abs(time_ns) / MS:g}"))
    return sign + tr("{number} µs", number=Figure(f"{abs(time_ns) / US:g}"))


# The picture. Places are in per cent and sizes in em, so it fits every width. Its ink is the colour of the text around
# it, so it follows light and dark.


def picture(race: Race, runners: Sequence[Runner]) -> str:
    """Return the picture of a race as SVG for a page: a lane for each runner from above, with room for a name over it.

    A bar is the time in which the arrival lies, a line its stamp. A shade covers the times that several bars share.
    """
    named = _tag("title", escape(tr("Who was first"))) + _tag("desc", escape(description(race, runners)))
    high = _height(race)
    return _svg(named + "".join(_drawn(race, runners, 0)), high, width="100%")


def file_picture(race: Race, runners: Sequence[Runner]) -> str:
    """Return the picture of a race as an SVG file, with names, times and verdict."""
    text = wrap(verdict_text(race, runners), LETTERS)
    top, title = 2.2 + LINE * len(text), tr("Who was first")
    drawn = [
        _tag("title", escape(title)), _tag("desc", escape(description(race, runners))), _tag("style", INK),
        _tag("rect", class_="paper", width="100%", height="100%"),
        _text(title, "2%", 1.5, 1.2, font_weight="bold"),
        *(_text(line, "2%", 1.5 + LINE * nth) for nth, line in enumerate(text, 1)),
    ]  # fmt: skip
    for place, runner in enumerate(runners):
        base = top + (CAPTION + LANE) * place + 1
        behind = ", ".join(filter(None, (gap_text(race, place), bound_text(race, place))))
        drawn.append(_text(f"{place + 1}. {runner.name}", "2%", base, font_weight="bold"))
        drawn.append(_text(behind, "98%", base, text_anchor="end"))
    drawn += _drawn(race, runners, top)
    high = round((top + _height(race)) * EM)
    return _svg("".join(drawn), 0, viewBox=f"0 0 {WIDE} {high}", width=WIDE, height=high, font_size=EM) + "\n"


def _height(race: Race) -> float:
    return len(race.arrivals) * (CAPTION + LANE) + AXIS


def description(race: Race, runners: Sequence[Runner]) -> str:
    """Return what the picture shows in words: each arrival in order, then the verdict."""
    each = [
        ", ".join(filter(None, (f"{place + 1}. {runner.name}", gap_text(race, place), bound_text(race, place))))
        for place, runner in enumerate(runners)
    ]
    return f"{'; '.join(each)}. {verdict_text(race, runners)}".strip()


def _drawn(race: Race, runners: Sequence[Runner], top: float) -> Iterator[str]:
    """Yield the shapes of a picture that begins at `top`, in em from above."""
    axis, bottom = axis_of(race), top + _height(race) - AXIS
    lanes = [top + (CAPTION + LANE) * place + CAPTION + LANE / 2 for place in range(len(runners))]
    yield from _axis(axis, top, bottom)
    for middle in lanes:
        yield _line("0%", "100%", middle, middle, opacity=0.25)
    whole = _tag("rect", width="100%", height=_em(bottom), fill="none")  # slow motion goes over the whole width
    shapes = [whole, *_shades(race, axis, top, bottom)]
    for place, (one, runner, middle) in enumerate(zip(race.arrivals, runners, lanes, strict=True)):
        shapes.append(_tag("g", *_arrival(race, place, one, runner, axis, middle), class_="arrival"))
    yield _tag("g", *shapes, class_="track")
    yield _tag("line", class_="sweep", x1="0%", x2="0%", y1=_em(top), y2=_em(bottom))


def _axis(axis: Axis, top: float, bottom: float) -> Iterator[str]:
    ticks = axis.ticks()
    step_ns = min((later - earlier for earlier, later in pairwise(ticks)), default=axis.high_ns - axis.low_ns)
    for time_ns in ticks:
        x = axis.at(time_ns)
        yield _line(_percent(x), _percent(x), top, bottom + 0.3, opacity=0.25)
        yield _text(_tick_text(time_ns, step_ns), _percent(x), bottom + 1.4, 0.85, text_anchor="middle")


def _shades(race: Race, axis: Axis, top: float, bottom: float) -> Iterator[str]:
    """Yield a shade over each time that lies in several bars of those too close to call."""
    first_ns = race.arrivals[0].at_ns
    shared: list[tuple[int, int]] = []
    bars = sorted((race.arrivals[place].earliest_ns, race.arrivals[place].latest_ns) for place in race.close)
    for number, (_, latest) in enumerate(bars):
        for later_from, later_to in bars[number + 1 :]:
            if later_from < latest:
                shared.append((later_from, min(latest, later_to)))
    for begin, end in _merged(shared):
        left, right = axis.at(begin - first_ns), axis.at(end - first_ns)
        yield _tag(
            "rect", class_="shared", x=_percent(left), width=_percent(right - left), y=_em(top),
            height=_em(bottom - top), fill="currentColor", fill_opacity=0.13,
        )  # fmt: skip


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of spans.

    >>> _merged([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def _arrival(race: Race, place: int, one: Arrival, runner: Runner, axis: Axis, middle: float) -> Iterator[str]:
    first_ns = race.arrivals[0].at_ns
    ink = GREY if runner.button is None else INKS[COLOURS[runner.button]]
    left, right = axis.at(one.earliest_ns - first_ns), axis.at(one.latest_ns - first_ns)
    if left < right:
        dashes = {"stroke_dasharray": "5 3"} if place in race.close else {}
        yield _tag(
            "rect", class_="bound", x=_percent(left), width=_percent(right - left), y=_em(middle - BAND / 2),
            height=_em(BAND), rx=3, fill=ink, fill_opacity=0.4, stroke="currentColor", stroke_width=1.5, **dashes,
        )  # fmt: skip
    x = _percent(axis.at(one.at_ns - first_ns))
    yield _line(x, x, middle - LANE / 2, middle + LANE / 2, stroke_width=2)
    yield _tag("svg", _mark(runner.button, place, middle), x=x, overflow="visible", class_="at")


def _mark(button: int | None, place: int, middle: float) -> str:
    """Draw the mark of a button on its colour, or the place of a cube whose owner nobody knows."""
    if button is None:
        inside = _tag("rect", x=-5, y=-5, width=10, height=10, fill=GREY)
        inside += _tag("text", str(place + 1), y=2.6, text_anchor="middle", font_size=7, fill=BLACK)
    else:
        inside = "".join(map(_outline, seat_marks(button, (-5, -5), 10)))
    return _tag(
        "svg", inside, x=_em(-MARK / 2), y=_em(middle - MARK / 2), width=_em(MARK), height=_em(MARK),
        viewBox="-5 -5 10 10", overflow="visible",
    )  # fmt: skip


def _outline(shape: Outline) -> str:
    (x, y), scale = shape.at, shape.scale
    pen = {"stroke": shape.pen, "stroke_width": 1, "vector_effect": "non-scaling-stroke"} if shape.pen else {}
    place = f"translate({x:g} {y:g}) scale({scale:g})"
    return _tag("path", d=shape.path, fill=shape.fill or "none", fill_rule="evenodd", transform=place, **pen)


def _svg(inside: str, high: float, **more: object) -> str:
    sized = {"height": _em(high), **more}
    return _tag("svg", inside, xmlns="http://www.w3.org/2000/svg", role="img", **sized)


def _line(x1: str, x2: str, y1: float, y2: float, **more: object) -> str:
    return _tag("line", x1=x1, x2=x2, y1=_em(y1), y2=_em(y2), stroke="currentColor", **more)


def _text(text: str, x: str, y: float, size: float = 1, **more: object) -> str:
    """Draw a line of text; SVG measures its place in em of its own letters, which are `size` em high."""
    return _tag("text", escape(text), x=x, y=_em(y / size), font_size=_em(size), fill="currentColor", **more)


def _tag(name: str, /, *inside: str, **attributes: object) -> str:
    """Write an element; `class_` is its class."""
    named = {"class" if key == "class_" else key.replace("_", "-"): value for key, value in attributes.items()}
    written = (f'{key}="{escape(str(value))}"' for key, value in named.items())
    return f"<{' '.join((name, *written))}>{''.join(inside)}</{name}>"


def _em(length: float) -> str:
    return f"{length:.4g}em"


def _percent(share: float) -> str:
    return f"{share:.6g}%"
