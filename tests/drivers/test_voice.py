"""The voice speaks through a program, which is a script here: it writes down what it gets."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from tests.kit.patience import got, wait_for
from umpi.drivers.voice import Voice

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
