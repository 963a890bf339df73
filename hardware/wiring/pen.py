"""A sheet for one circuit: parts with the values of wiring.toml, wires, rails, pins and texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import schemdraw
from schemdraw import elements as elm

from hardware.wiring.model import Wiring

GREY = "#888888"
UNIT = 2.0  # length of a part


class Sheet:
    """One schematic: the drawing of schemdraw, and a count of the parts that were drawn."""

    def __init__(self, wiring: Wiring, canvas: str) -> None:
        elm.style(elm.STYLE_IEC)
        self.wiring = wiring
        self.used: Counter[str] = Counter()
        self.drawing = schemdraw.Drawing(
            canvas=canvas, show=False, unit=UNIT, fontsize=11, font="DejaVu Sans", margin=0.6
        )

    def add(self, element: elm.Element) -> elm.Element:
        """Draw an element."""
        return self.drawing.add(element)

    def value(self, part: str) -> str:
        """Return the label of a part, and count the part as drawn."""
        self.used[part] += 1
        what = self.wiring.part[part].what.split(",")[0]
        words = ("resistor ", "capacitor ", "diode ", "Schottky ", "NPN transistor ")
        for word in words:
            what = what.removeprefix(word)
        return what.removeprefix("diode ")

    def line(self, *points: tuple[float, float]) -> None:
        """Draw a wire through these points."""
        for start, end in pairwise(points):
            self.add(elm.Line().at(start).to(end))

    def dot(self, at: tuple[float, float]) -> None:
        """Join wires."""
        self.add(elm.Dot().at(at))

    def text(self, at: tuple[float, float], words: str, size: float = 9, colour: str = "black") -> None:
        """Write text to the right of `at`, with its first line at that height."""
        self.add(elm.Label().at(at).label(words, loc="center", fontsize=size, color=colour, halign="left"))

    def resistor(self, start: tuple[float, float], end: tuple[float, float], part: str, loc: str = "top") -> None:
        """Draw a resistor with its value."""
        self.add(elm.Resistor().at(start).to(end).label(self.value(part), loc=loc, fontsize=9))

    def rail(self, at: tuple[float, float], name: str = "3.3 V") -> None:
        """Draw the positive end of a supply."""
        self.add(elm.Vdd().at(at).label(name, fontsize=9))

    def ground(self, at: tuple[float, float]) -> None:
        """Draw ground."""
        self.add(elm.Ground().at(at))

    def box(self, left: float, low: float, right: float, high: float, words: str) -> None:
        """Draw a module, its name inside."""
        self.line((left, low), (right, low), (right, high), (left, high), (left, low))
        self.add(elm.Label().at(((left + right) / 2, (low + high) / 2)).label(words, loc="center", fontsize=9))

    def pin(self, at: tuple[float, float], words: str, side: str = "left") -> None:
        """Draw a pin of the board."""
        self.add(elm.Dot(open=True).at(at).label(words, loc=side, fontsize=9))

    def plug(self, at: tuple[float, float]) -> None:
        """Draw a contact of a plug on a wire."""
        self.add(elm.Dot(open=True).at(at).color(GREY))

    def clamp(self, x: float, y: float, part: str, colour: str = "black") -> None:
        """Draw two diodes from the wire at `x`, `y` to 3.3 V and from ground to it."""
        for start, end in (((x, y), (x, y + UNIT)), ((x, y - UNIT), (x, y))):
            diode = elm.Schottky().at(start).to(end).color(colour)
            self.add(diode.label(self.value(part), loc="bottom", fontsize=8, color=colour))
        self.rail((x, y + UNIT))
        self.ground((x, y - UNIT))

    def transistor(self, at: tuple[float, float]) -> tuple[float, float]:
        """Draw the transistor with its base at `at` and its emitter at ground; return the place of its collector."""
        npn = self.add(elm.BjtNpn(circle=True).at(at).anchor("base").label(self.value("npn"), loc="right", fontsize=8))
        self.ground(tuple(npn.emitter))
        collector = tuple(npn.collector)
        return float(collector[0]), float(collector[1])
