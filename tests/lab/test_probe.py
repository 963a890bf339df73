"""The probe into one decision of a game."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.kernel.redealt import CannotImagine
from umpi.lab.probe import Probe


class Hidden:
    """A world that imagines other hands a number of times, and then raises CannotImagine."""

    def __init__(self, times: int) -> None:
        self.times = times

    def imagined(self, seat: int, chance: Any) -> Hidden:
        if not self.times:
            raise CannotImagine("no other hands agree")
        self.times -= 1
        return self


@pytest.mark.parametrize("times", [0, 1])
def test_a_decision_whose_hands_cannot_be_imagined_is_left_out_and_the_game_goes_on(times: int) -> None:
    probe = Probe(1)
    world: Any = Hidden(times)
    probe.see(world, 0)
    assert probe.examine() is None
    assert not world.times
