"""Plots as SVG: intervals, histograms and lines. Colours come from the page's style."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

WIDE = 340  # units: a phone of 360 pixels shows a unit as about a pixel
LEFT, RIGHT, ROW, HIGH = 92, 14, 26, 150

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

    `colours` are classes of the rows.
    """
    ends = [end for _, value, low, high in rows for end in (value, low, high)] + ([mark] if mark is not None else [])
    least, most = min(ends), max(ends)
    gap = (most - least) * 0.06 or abs(most) * 0.1 or 1.0
    least, most = least - gap, most + gap
    high = ROW * len(rows) + 24

    def x(value: float) -> float:
        return LEFT + (value - least) / (most - least) * (WIDE - LEFT - RIGHT)

    text = [f"{each:.1%}" if percent else number(each) for each in (least + gap, most - gap)]
    parts = [] if mark is None else [f'<path class="mark" d="M{x(mark):.1f} 0V{high - 20}"/>']
    for count, (label, value, low, top) in enumerate(rows):
        y = ROW * count + ROW // 2
        shown = f"{value:.1%}" if percent else number(value)
        parts.append(
            f'<g class="{colours[count] if colours else ""}"><title>{escape(label)}: {shown}</title>'
            f'<text x="{LEFT - 8}" y="{y + 4}" class="end">{escape(label[:14])}</text>'
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
