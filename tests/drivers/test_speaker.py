"""The patterns of the buzzer, in injected time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import get_args

import pytest

from umpi.drivers.speaker import Speaker
from umpi.kernel.calls import Sound
from umpi.simulator.pins import VirtualPins
from umpi.timing.tune import PATTERNS_MS
from umpi.timing.units import MS


class Recording:
    """A speaker, and at which millisecond it went on or off."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.changes: list[int] = []
        self.pins = VirtualPins(lambda: self.now_ns, lambda: self.changes.append(self.now_ns // MS))
        self.speaker = Speaker(18, self.pins)

    @property
    def sounding(self) -> bool:
        return bool(self.pins.pin(18).state)

    def until_silent(self) -> None:
        while (due_ns := self.speaker.due_ns) is not None:
            self.now_ns = due_ns
            self.speaker.tick(self.now_ns)


@pytest.mark.parametrize("sound", PATTERNS_MS)
def test_a_pattern_sounds_as_written_and_ends_silent(sound: Sound) -> None:
    recording = Recording()
    recording.speaker.play(sound, 0)
    recording.until_silent()
    pattern = PATTERNS_MS[sound]
    assert recording.changes == [sum(pattern[:count]) for count in range(len(pattern) + 1)]
    assert not recording.sounding


@pytest.mark.parametrize("after_ms", [10, 130, 200])
def test_a_new_sound_breaks_off_the_one_before(after_ms: int) -> None:
    recording = Recording()
    recording.speaker.play("refused", 0)
    recording.now_ns = after_ms * MS
    recording.speaker.tick(recording.now_ns)
    recording.speaker.play("accepted", recording.now_ns)
    assert recording.sounding
    recording.until_silent()
    assert recording.changes[-1] == after_ms + 25
    assert not recording.sounding


def test_a_late_loop_leaves_no_buzzer_on() -> None:
    recording = Recording()
    recording.speaker.play("winner", 0)
    recording.now_ns = 10_000 * MS
    recording.speaker.tick(recording.now_ns)
    assert not recording.sounding
    assert recording.speaker.due_ns is None


@pytest.mark.parametrize(("one", "other"), list(combinations(get_args(Sound), 2)))
def test_two_sounds_differ_within_150_ms(one: Sound, other: Sound) -> None:
    """A refusal can be recognised by ear: its number of beeps differs, or it is half as long again."""
    (beeps, on_ms), (beeps_too, on_too_ms) = _beginning(PATTERNS_MS[one]), _beginning(PATTERNS_MS[other])
    assert beeps != beeps_too or max(on_ms, on_too_ms) >= 1.5 * min(on_ms, on_too_ms)


def _beginning(pattern: Sequence[int], first_ms: int = 150) -> tuple[int, int]:
    """How many beeps begin in the first moments of a pattern, and how long it is on in them."""
    on = [max(0, min(long, first_ms - sum(pattern[:index]))) for index, long in enumerate(pattern)][::2]
    return sum(map(bool, on)), sum(on)


def test_switched_off_in_the_middle_of_a_sound_it_is_silent() -> None:
    recording = Recording()
    recording.speaker.play("winner", 0)
    recording.speaker.close()
    assert recording.pins.pin(18).function == "input", "nothing drives it"
