"""The patterns of the buzzer, in injected time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from queue import Queue
from typing import get_args

import pytest

from tests.kit.patience import got, wait_for
from umpi.drivers.speaker import Speaker
from umpi.drivers.voice import Voice
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


# The voice speaks through a program, which is a script here: it writes down what it gets.


SPEAKS = """
import pathlib, sys
text = sys.stdin.read()
with open(sys.argv[1], "a", encoding="utf-8") as log:
    log.write(" ".join(sys.argv[2:]) + " | " + text + "\\n")
"""
NO_OUTPUT = """
import sys
sys.stderr.write("ALSA lib: Unknown PCM default\\nerror: No such file or directory\\n")
"""
ENDLESS = """
import signal, sys
open(sys.argv[1], "a").close()
signal.pause()
"""


class Program:
    """A program in place of espeak-ng, in a file that may be replaced; `troubles` are the reports."""

    def __init__(self, folder: Path) -> None:
        self.script, self.spoken = folder / "program.py", folder / "spoken"
        self.faults: Queue[str] = Queue()
        self.does(SPEAKS)
        program = (sys.executable, str(self.script), str(self.spoken))
        self.voice = Voice("plughw:1", 200, self.faults.put, program)

    def does(self, code: str) -> None:
        self.script.write_text(code)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.voice.close()


def test_a_text_is_spoken_in_its_language_at_the_chosen_output(program: Program) -> None:
    program.does(NO_OUTPUT)
    program.voice.say("Wirf!", "de")
    assert got(program.faults)
    program.does(SPEAKS)
    program.voice.say("Würfle: drei Würfel", "de")
    assert got(program.faults) == "", "it speaks again, so the text is whole"
    assert program.spoken.read_text(encoding="utf-8") == "-s 200 -d plughw:1 -v de --stdin | Würfle: drei Würfel\n"


def test_an_output_that_fails_is_reported_once_though_the_program_ends_well(program: Program) -> None:
    program.does(NO_OUTPUT)
    program.voice.say("one", "en")
    assert got(program.faults) == "espeak-ng cannot speak: No such file or directory"
    program.voice.say("two", "en")
    program.voice.close()
    assert program.faults.empty()


def test_a_new_text_ends_the_current_one(program: Program) -> None:
    program.does(ENDLESS)
    program.voice.say("a long story", "en")
    wait_for(program.spoken.exists)
    program.does(NO_OUTPUT)
    program.voice.say("short", "en")
    assert "No such file" in got(program.faults), "killing the first is no fault of its own"


def test_a_text_that_was_cut_short_does_not_show_that_the_program_speaks_again(program: Program) -> None:
    program.does(NO_OUTPUT)
    program.voice.say("one", "en")
    assert got(program.faults)
    program.does(ENDLESS)
    program.voice.say("a long story", "en")
    wait_for(program.spoken.exists)
    program.voice.say("short", "en")
    program.voice.close()
    assert program.faults.empty()


def test_closing_does_not_wait_for_the_end_of_a_text(program: Program) -> None:
    program.does(ENDLESS)
    program.voice.say("a long story", "en")
    program.voice.close()
    assert program.faults.empty()


def test_a_box_without_the_program_says_how_to_get_it(tmp_path: Path) -> None:
    faults: Queue[str] = Queue()
    voice = Voice("", 165, faults.put, (str(tmp_path / "espeak-ng"),))
    voice.say("one", "en")
    assert "apt install espeak-ng" in got(faults)
    voice.close()


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not here; get it with: apt install espeak-ng")
@pytest.mark.parametrize("language", ["en-gb", "fr", "de", "hu"])
def test_the_program_has_a_voice_of_each_language(language: str, tmp_path: Path) -> None:
    file = tmp_path / "speech.wav"
    subprocess.run(["espeak-ng", "-v", language, "-s", "165", "-w", str(file), "--stdin"], input=b"Umpi", check=True)
    assert file.stat().st_size > 10_000
