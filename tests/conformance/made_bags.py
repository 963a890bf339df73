"""Reasons that a check gives for a match, and acts and asks of the bag."""

from __future__ import annotations

from random import Random

from umpi.kernel import Act, Ask, Match

NAMES = ("Red", "Blue")


def reasons(look, match: Match) -> str:
    return " ".join(flaw.why for flaw in look(match, Random(1).random))


def draw(stone: int) -> Act:
    return Act("draw", {"stone": stone})


def asking(*asks: Ask):
    return lambda self: asks
