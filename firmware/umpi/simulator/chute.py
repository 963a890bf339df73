"""Simulated falls of cubes: when they break which beams, and when they come to rest in the queue rail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from umpi.box.config import COLOURS
from umpi.timing.gate import Settings
from umpi.timing.units import MS

SPEED_MM_S = 1150  # the middle of the measured range of chutes
FALL_MS = 120  # from the hand to the first beam
APART_MS = 60
REST_MS = 300  # from the first beam to the queue rail

How = Literal["apart", "touching", "turned", "stuck", "crooked"]  # "crooked": comes to rest at an angle
HOWS: tuple[How, ...] = ("apart", "touching", "turned", "stuck", "crooked")
Flight = tuple[int, str, bool]  # time in ns, line, whether it becomes dark


def toss(
    cubes: Sequence[str], settings: Settings, now_ns: int, how: How = "apart", gap_ms: float = APART_MS
) -> Iterator[Flight]:
    """Yield the beam changes that these cubes cause, tossed in this order, `gap_ms` from front to front.

    With one lane, all cubes use it. With more lanes, each colour has its own. A stuck cube never leaves its beam.
    """
    dark_ns = _dark_ns(settings, how)
    for index, colour in enumerate(cubes):
        lane = 0 if settings.lanes == 1 else COLOURS.index(colour)
        for beam in range(settings.beams):
            front_ns = _front_ns(index, settings, now_ns, how, gap_ms)
            front_ns += round(beam * settings.beam_gap_mm / SPEED_MM_S * 1e9)
            line = f"{'second' if beam else 'lane'}_{lane + 1}"
            touched = how == "touching" and settings.lanes == 1
            if not touched or index == 0:
                yield front_ns, line, True
            if how != "stuck" and (not touched or index == len(cubes) - 1):
                yield front_ns + dark_ns, line, False
            if how == "stuck":
                break


def rests(
    cubes: Sequence[str], settings: Settings, now_ns: int, how: How = "apart", gap_ms: float = APART_MS
) -> Iterator[tuple[int, str]]:
    """Yield when each of these cubes comes to rest below a funnel with one lane: time in ns, colour."""
    for index, colour in enumerate(cubes):
        yield _front_ns(index, settings, now_ns, how, gap_ms) + REST_MS * MS, colour


def _front_ns(index: int, settings: Settings, now_ns: int, how: How, gap_ms: float) -> int:
    """Return when a cube meets the first beam, in ns."""
    step_ns = _dark_ns(settings, how) if how == "touching" else round(gap_ms * MS)
    return now_ns + FALL_MS * MS + index * step_ns


def _dark_ns(settings: Settings, how: How) -> int:
    length_mm = settings.cube_mm * (settings.turned if how == "turned" else 1.0)
    return round(length_mm / SPEED_MM_S * 1e9)
