"""Readings of a colour sensor to the name of a cube, by what the cubes of this box were measured to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import dist, isfinite, log10
from statistics import median
from typing import Any

from umpi.drivers.tcs34725 import GAINS, Reading
from umpi.kernel.messages import message

NOTHING = "nothing"  # the empty rail, which is measured like a colour
LEAST = 5  # readings a colour

DARK = 100  # counts added to clear, so that the noise of the dark does not look like a colour
LIGHT = 0.3  # what ten times as light is worth beside the shares of the colours: white is told from black by it alone

SAFE = 6  # two colours must lie this many times their spread apart
NEAR = 0.06  # what is farther from a colour than this, or than four times its spread, is a stranger
FINEST = 0.004  # no spread counts as smaller

ALIKE = "These cannot be told apart: {pairs}. Take cubes of other colours, or shade the rail."

Shade = tuple[float, float, float, float]  # red, green and blue by clear, and how light


class Unfit(ValueError):
    """A calibration that cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour as it was measured: the middle of its readings, and how far the farthest of them lay off."""

    name: str
    shade: Shade
    spread: float


@dataclass(frozen=True, slots=True)
class ColourMatch:
    """What a reading says: the name of a colour or NOTHING; else None, and why it cannot be said."""

    name: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ColourProfile:
    """The colours of a box, measured at one gain.

    A reading is a colour's where it lies within a third of the way to the next colour: twice as near as to any other.
    """

    gain: int
    colours: tuple[Colour, ...]

    def tell(self, reading: Reading) -> ColourMatch:
        """Name the colour of a reading, or say why it cannot be named."""
        if reading.saturated:
            return ColourMatch(None, message("It is too bright to tell."))
        shade = shade_of(reading)
        nearest, second = sorted(self.colours, key=lambda colour: dist(colour.shade, shade))[:2]
        if dist(nearest.shade, shade) <= self._reach(nearest):
            return ColourMatch(nearest.name)
        if shade[3] < min(colour.shade[3] for colour in self.colours) - LIGHT * log10(2):
            return ColourMatch(None, message("It is too dark to tell: is the sensor's lamp on?"))
        if dist(nearest.shade, shade) + dist(shade, second.shade) <= 1.2 * dist(nearest.shade, second.shade):
            return ColourMatch(None, message("It may be {one} or {other}.", one=nearest.name, other=second.name))
        return ColourMatch(None, message("It is like no colour that was measured."))

    def written(self) -> dict[str, Any]:
        """Write it for a JSON or TOML file."""
        return {"gain": self.gain, "colours": [{**asdict(each), "shade": list(each.shade)} for each in self.colours]}

    @classmethod
    def read(cls, written: Any) -> ColourProfile:
        """Read what `written` wrote; raises Unfit, saying what is wrong."""
        try:
            colours = tuple(
                Colour(each["name"], _four(each["shade"]), float(each["spread"])) for each in written["colours"]
            )
            gain = written["gain"]
        except (KeyError, TypeError, ValueError, OverflowError):
            raise Unfit(message("this is no calibration of colours: measure them with umpi doctor")) from None
        names = [colour.name for colour in colours]
        numbers = [number for colour in colours for number in (*colour.shade, colour.spread)]
        sensible = all(map(isfinite, numbers)) and all(colour.spread > 0 for colour in colours)
        if gain not in GAINS or not sensible or not all(isinstance(name, str) for name in names):
            raise Unfit(message("this calibration is damaged: measure the colours again with umpi doctor"))
        return _checked(cls(gain, colours))

    def _reach(self, colour: Colour) -> float:
        gap = min(dist(colour.shade, other.shade) for other in self.colours if other is not colour)
        return min(gap / 3, max(NEAR, 4 * colour.spread))


def shade_of(reading: Reading) -> Shade:
    """Tell a reading's colour apart from its light: what the lamp's strength changes is in the last number only."""
    clear = reading.clear + DARK
    return reading.red / clear, reading.green / clear, reading.blue / clear, LIGHT * log10(clear)


def calibrate(readings: Mapping[str, Sequence[Reading]], gain: int) -> ColourProfile:
    """Learn the colours from readings of each, NOTHING among them for the empty rail.

    Of each cube its different faces and places should be among the readings. Raises Unfit, naming the colours, where
    too little was measured, it was too bright, or some cannot be told apart.
    """
    colours = []
    for name, seen in readings.items():
        if len(seen) < LEAST:
            raise Unfit(f"{name}: {len(seen)} readings are not enough, {LEAST} are needed.")
        if any(reading.saturated for reading in seen):
            raise Unfit(f"{name}: it is too bright: take a weaker lamp, or shade the rail.")
        shades = list(map(shade_of, seen))
        middle = _four([median(parts) for parts in zip(*shades, strict=True)])
        colours.append(Colour(name, middle, max(FINEST, *(dist(middle, shade) for shade in shades))))
    return _checked(ColourProfile(gain, tuple(colours)))


def _checked(profile: ColourProfile) -> ColourProfile:
    names = [colour.name for colour in profile.colours]
    if NOTHING not in names:
        raise Unfit(message("The empty rail has not been measured."))
    if len(set(names)) < len(names) or len(names) < 2:
        raise Unfit(message("At least one colour must be measured, each once."))
    if alike := list(_alike(profile.colours)):
        raise Unfit(message(ALIKE, pairs="; ".join(alike)))
    return profile


def _alike(colours: Sequence[Colour]) -> Iterator[str]:
    for one, other in combinations(colours, 2):
        gap, spread = dist(one.shade, other.shade), max(one.spread, other.spread)
        if gap < SAFE * spread:
            yield f"{one.name} and {other.name} ({gap:.3f} apart, {SAFE * spread:.3f} needed)"


def _four(numbers: Sequence[float]) -> Shade:
    red, green, blue, light = map(float, numbers)
    return red, green, blue, light
