"""Cubes tossed into the virtual funnel, to the beams they break and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from umpi.config import COLOURS
from umpi.devices.gate import Settings

MS = 1_000_000
SPEED_MM_S = 1150  # in the middle of what a chute has been measured to do
FALL_MS = 120  # from the hand to the first beam
APART_MS = 60

How = Literal["apart", "touching", "turned", "stuck"]
HOWS: tuple[How, ...] = ("apart", "touching", "turned", "stuck")
Flight = tuple[int, str, bool]  # when, which line, whether it goes dark


def toss(
    cubes: Sequence[str], settings: Settings, now_ns: int, how: How = "apart", gap_ms: float = APART_MS
) -> Iterator[Flight]:
    """Tell what the beams will see of these cubes, tossed in this order, `gap_ms` from front to front.

    With one lane all go down it; with more each colour has its own. A stuck cube never leaves its beam.
    """
    length_mm = settings.cube_mm * (settings.turned if how == "turned" else 1.0)
    dark_ns = round(length_mm / SPEED_MM_S * 1e9)
    step_ns = dark_ns if how == "touching" else round(gap_ms * MS)
    for index, colour in enumerate(cubes):
        lane = 0 if settings.lanes == 1 else COLOURS.index(colour)
        for beam in range(settings.beams):
            front_ns = now_ns + FALL_MS * MS + index * step_ns + round(beam * settings.beam_gap_mm / SPEED_MM_S * 1e9)
            line = f"{'second' if beam else 'lane'}_{lane + 1}"
            touched = how == "touching" and settings.lanes == 1
            if not touched or index == 0:
                yield front_ns, line, True
            if how != "stuck" and (not touched or index == len(cubes) - 1):
                yield front_ns + dark_ns, line, False
            if how == "stuck":
                break
