"""Plots as SVG: intervals, histograms and lines. Colours come from the page's style."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from textwrap import wrap

WIDE = 340  # units: a phone of 360 pixels shows a unit as about a pixel
LEFT, RIGHT, ROW, HIGH = 92, 14, 26, 150
BESIDE, ABOVE, LINE = 14, 44, 16  # the most letters of a label beside its row, of a line above it; the height of a line

Row = tuple[str, float, float, float]  # label, value, low and high end of its interval


def number(value: float) -> str:
    """Return a number for a label.

    >>> number(0.5), number(1234.5), number(33.3333)
    ('0.5', '1234', '33.3')
    """
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def intervals(
    rows: Sequence[Row], mark: float | None = None, percent: bool = False, colours: Sequence[str] = ()
) -> str:
    """Draw one value with its interval per row; `mark` is a line to compare with, such as an equal share.

    `colours` are classes of the rows. If a label is too long to be beside its row, all are above their rows.
    """
    above = any(len(label) > BESIDE for label, *_ in rows)
    left, lines = (RIGHT if above else LEFT), [wrap(label, ABOVE) if above else [] for label, *_ in rows]
    ends = [end for _, value, low, high in rows for end in (value, low, high)] + ([mark] if mark is not None else [])
    least, most = min(ends), max(ends)
    gap = (most - least) * 0.06 or abs(most) * 0.1 or 1.0
    least, most = least - gap, most + gap
    high = ROW * len(rows) + LINE * sum(map(len, lines)) + 24

    def x(value: float) -> float:
        return left + (value - least) / (most - least) * (WIDE - left - RIGHT)

    text = [f"{each:.1%}" if percent else number(each) for each in (least + gap, most - gap)]
    parts = [] if mark is None else [f'<path class="mark" d="M{x(mark):.1f} 0V{high - 20}"/>']
    for count, (label, value, low, top) in enumerate(rows):
        start = ROW * count + LINE * sum(map(len, lines[:count]))
        y = start + LINE * len(lines[count]) + ROW // 2
        words = [
            f'<text x="{RIGHT}" y="{start + LINE * number}" class="middle">{escape(line)}</text>'
            for number, line in enumerate(lines[count], 1)
        ]
        words = words or [f'<text x="{LEFT - 8}" y="{y + 4}" class="end">{escape(label)}</text>']
        shown = f"{value:.1%}" if percent else number(value)
        parts.append(
            f'<g class="{colours[count] if colours else ""}"><title>{escape(label)}: {shown}</title>'
            f"{''.join(words)}"
            f'<path class="bar" d="M{x(low):.1f} {y}H{x(top):.1f}"/><circle cx="{x(value):.1f}" cy="{y}" r="5"/></g>'
        )
    parts.append(f'<text x="{x(least + gap):.1f}" y="{high - 4}" class="middle">{text[0]}</text>')
    if text[0] != text[1]:
        parts.append(f'<text x="{x(most - gap):.1f}" y="{high - 4}" class="last">{text[1]}</text>')
    return _svg(high, parts)


def histogram(values: Sequence[int], bins: int = 24) -> str:
    """Draw how often whole numbers occur, in at most so many bins of equal width."""
    least, most = min(values), max(values)
    step = max(1, math.ceil((most - least + 1) / bins))
    bins = (most - least) // step + 1
    counts = [0] * bins
    for value in values:
        counts[(value - least) // step] += 1
    wide, top = (WIDE - 2 * RIGHT) / bins, HIGH - 24
    parts = [
        f'<rect x="{RIGHT + count * wide:.1f}" y="{top - many / max(counts) * (top - 6):.1f}" width="{wide - 1:.1f}" '
        f'height="{many / max(counts) * (top - 6):.1f}"><title>{least + count * step} to '
        f"{least + (count + 1) * step - 1}: {many}</title></rect>"
        for count, many in enumerate(counts)
    ]
    parts.append(f'<path class="axis" d="M{RIGHT} {top}H{WIDE - RIGHT}"/>')
    parts.append(f'<text x="{RIGHT}" y="{HIGH - 6}">{least}</text>')
    parts.append(f'<text x="{WIDE - RIGHT}" y="{HIGH - 6}" class="last">{most}</text>')
    return _svg(HIGH, parts)


def _svg(high: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDE} {high}" role="img">{"".join(parts)}</svg>'
