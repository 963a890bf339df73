"""Cube colours: identify a cube's colour from a sensor reading, with the calibration of this box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from math import dist, isfinite, log10
from statistics import median
from typing import Any

from umpi.drivers.tcs34725 import GAINS, Reading
from umpi.frozen import frozen
from umpi.kernel.messages import message

NOTHING = "nothing"  # the empty rail, which is measured like a colour
LEAST = 5  # readings needed per colour

DARK = 100  # counts added to clear, so that noise in the dark does not look like a colour
LIGHT = 0.3  # weight of a tenfold brightness beside the colour shares; only brightness separates white from black

SAFE = 6  # two colours must be this many times their spread apart
NEAR = 0.06  # a reading farther from a colour than this and than four times its spread is unknown
FINEST = 0.004  # smallest spread that is used

ALIKE = "These colours look too similar: {pairs}. Use cubes of other colours, or shade the rail."

Shade = tuple[float, float, float, float]  # red, green and blue divided by clear, and the brightness


class Unfit(ValueError):
    """Raised if a calibration cannot be used; the message contains the reason."""


@frozen
class Colour:
    """A calibrated colour: the median of its readings, and the distance of the farthest one from it."""

    name: str
    shade: Shade
    spread: float


@frozen
class ColourMatch:
    """The result for a reading: the name of a colour or NOTHING; otherwise None and the reason."""

    name: str | None
    reason: str = ""


@frozen
class ColourProfile:
    """The colours of a box, measured at one gain.

    A reading matches a colour if its distance is at most a third of the distance to the next colour. It is then at
    least twice as near to this colour as to any other.
    """

    gain: int
    colours: tuple[Colour, ...]

    def identify(self, reading: Reading) -> ColourMatch:
        """Return the colour of a reading, or the reason why it cannot be identified."""
        if reading.saturated:
            return ColourMatch(None, message("It is too bright to tell."))
        shade = shade_of(reading)
        nearest, second = sorted(self.colours, key=lambda colour: dist(colour.shade, shade))[:2]
        if dist(nearest.shade, shade) <= self._reach(nearest):
            return ColourMatch(nearest.name)
        if shade[3] < min(colour.shade[3] for colour in self.colours) - LIGHT * log10(2):
            return ColourMatch(None, message("It is too dark to tell: is the sensor’s lamp on?"))
        if dist(nearest.shade, shade) + dist(shade, second.shade) <= 1.2 * dist(nearest.shade, second.shade):
            return ColourMatch(None, message("It may be {one} or {other}.", one=nearest.name, other=second.name))
        return ColourMatch(None, message("It matches no calibrated colour."))

    def written(self) -> dict[str, Any]:
        """Return the profile as a dict for a JSON or TOML file."""
        return {"gain": self.gain, "colours": [{**asdict(each), "shade": list(each.shade)} for each in self.colours]}

    @classmethod
    def read(cls, written: Any) -> ColourProfile:
        """Return the profile from the dict of `written`. Raises Unfit with the reason if it is not valid."""
        try:
            colours = tuple(
                Colour(each["name"], _four(each["shade"]), float(each["spread"])) for each in written["colours"]
            )
            gain = written["gain"]
        except (KeyError, TypeError, ValueError, OverflowError):
            raise Unfit(message("not a colour calibration: run umpi doctor to make one")) from None
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
    """Return a reading's shade: colour and brightness separately. The lamp's strength changes only the last number."""
    clear = reading.clear + DARK
    return reading.red / clear, reading.green / clear, reading.blue / clear, LIGHT * log10(clear)


def calibrate(readings: Mapping[str, Sequence[Reading]], gain: int) -> ColourProfile:
    """Return the profile of the colours in `readings`, including NOTHING for the empty rail.

    Measure each cube with different faces and at different places. Raises Unfit with the names of the colours if
    there are too few readings, if it was too bright, or if colours are too similar.
    """
    colours = []
    for name, seen in readings.items():
        if len(seen) < LEAST:
            raise Unfit(f"{name}: expected {LEAST} readings or more, got {len(seen)}.")
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
        raise Unfit(message("Measure at least one colour, each only once."))
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
