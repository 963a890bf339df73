"""Colours and simple pieces for the pictures of the guide."""

from __future__ import annotations

from typing import Any

from hardware.solids.shapes import Colour, Corner, Piece, bars, box

RED: Colour = (206, 62, 56)
ORANGE: Colour = (236, 142, 40)
BLUE: Colour = (62, 104, 190)
GREEN: Colour = (74, 156, 92)
DARK: Colour = (62, 64, 70)
METAL: Colour = (150, 154, 162)
CREAM: Colour = (236, 232, 220)


def block(name: str, colour: Colour, low: Corner, high: Corner, place: Any = None) -> Piece:
    """Return a box from its lowest to its highest corner, in its place."""
    solid = box(low, high)
    return Piece(name, colour, solid.moved(place) if place else solid)


def line(name: str, colour: Colour, points: list[Corner], across: float) -> list[Piece]:
    """Return a wire through points."""
    return [Piece(name, colour, solid) for solid in bars(points, across)]


def rgb(web: str) -> Colour:
    """Return the colour of a number as web pages write it.

    >>> rgb("#e58aa5")
    (229, 138, 165)
    """
    red, green, blue = bytes.fromhex(web.removeprefix("#"))
    return red, green, blue
