"""Scenarios: text files of presses and expectations, played on the virtual box in injected time, or on another box.

`STEPS` explains each step.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from umpi.box.config import Config
from umpi.recording.report import report_lines, write_file
from umpi.simulator.player import NoPicture, SimulatedPlayer
from umpi.simulator.steps import Player, StepFault, Steps

STEPS = """\
Each line is one step. Blank lines are ignored, and so is the rest of a line from a # at the start of a word.

    game dodeka              press the button beside this game on "Which game?", on any page
    press red blue ok        press buttons one after the other, 100 ms down, 100 ms apart; if the box ignores a press
                             because its button had another meaning before, read the question and press again
    choose 1 3               press the first, then the third choice, whatever their buttons are, on any page
    hold back                press one button for a second
    wait 600 ms              let time pass (ms, s or min)
    expect "Katy" "610"      the picture contains each of these texts, or does after the calls on it
    expect not "NOT SAVED"   the picture contains none of these texts
    lamp red blue            only these lamps are lit or blink; lamp none; red must blink: lamp red blinking blue
    panel off                the panel is off; or: panel bright, panel dim
    picture FILE             save the picture as a PNG
    restart                  unplug the box and switch it on again

These steps change the box. Each switches it on again:

    option board=@FILE       begin games with this option
    setup-card               show how to set a game up before it begins, which a scenario otherwise leaves out
    lanes 6                  a funnel at the pins (0: none, 1, or one per player)
    head 6                   a funnel on a sensor head, with the wall (0: the wall only, 1, or one per player)
    rail                     a colour sensor at the stop of the queue rail
    scanner                  a card scanner

This step decides what the box draws by lot, such as dice, cards, and how long it waits before it acts:

    lot 1204 0               the next numbers by which it draws; after them, it draws by chance again

These steps use the devices:

    toss red blue            toss cubes in this order, 60 ms apart; or: toss red blue within 0.8 ms,
                             toss touching red blue, toss turned red, toss stuck red; below a funnel of one lane they
                             come to rest in the queue rail; after toss crooked red their colour is not recognisable
    jiggle                   shake the funnel, so that stuck cubes fall
    lift                     remove the cube at the stop of the rail, so that the next rolls down
    lay red                  put a cube at the stop by hand; or: lay crooked red
    scan fire-2 fire-3       scan cards, by their names or complete codes (umpi:dodekka:fire-1#2)
    knock                    knock on the wall
    pull head                unplug the head, rail, scanner or panel
    plug head                plug it in again
"""
COMMENT = re.compile(r"""("[^"]*"|'[^']*')|(?:^|\s)#.*""")  # or text in quotes, which is not a comment


class ScriptFault(Exception):
    """Report a step that is invalid or that did not find what it expects: file, line and cause."""

    def __init__(self, place: str, why: str, status: int) -> None:
        super().__init__(f"{place}: {why}")
        self.status = status


@dataclass(slots=True)
class ScriptResult:
    """Count the steps and the presses of a scenario."""

    steps: int = 0
    presses: int = 0


def play_script(path: Path, config: Config, session: Path | None = None) -> ScriptResult:
    """Play a scenario file on the virtual box, and write the session to a file.

    Raises ScriptFault at the first step that fails (status 1) or is invalid (status 2), or if there is none. The
    session is written even then. Raises OSError if it cannot be written.
    """
    lines = lines_of(path)
    if not any(words_of(place, line) for place, line in lines):
        raise ScriptFault(path.name, "it has no step: nothing would be tried.", 2)

    async def play() -> ScriptResult:
        playing = SimulatedPlayer(config)
        try:
            await playing.wait_until_shown()
            return await play_lines(lines, playing, path.parent)
        except NoPicture as fault:
            raise ScriptFault(path.name, str(fault), 1) from None
        finally:
            playing.close()
            if session:
                write_file(session, report_lines(playing.recorder, "simulator", playing.config))

    return asyncio.run(play())


def lines_of(path: Path) -> list[tuple[str, str]]:
    """Return the lines of a scenario file, each with its place in the file. Raises ScriptFault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise ScriptFault(str(path), fault.strerror or str(fault), 2) from None
    except UnicodeDecodeError as fault:
        raise ScriptFault(str(path), str(fault), 2) from None
    return [(f"{path.name}, line {number}", line) for number, line in enumerate(lines, 1)]


async def play_lines(lines: Sequence[tuple[str, str]], playing: Player, folder: Path) -> ScriptResult:
    """Play the lines of a scenario on a box that is switched on. Raises ScriptFault.

    Paths in the lines are relative to `folder`.
    """
    steps, played = Steps(playing, folder), ScriptResult()
    for place, line in lines:
        if words := words_of(place, line):
            try:
                await steps.take(words[0], words[1:])
            except StepFault as fault:
                raise ScriptFault(place, str(fault), fault.status) from None
            except NoPicture as fault:
                raise ScriptFault(place, str(fault), 1) from None
            played.steps += 1
    played.presses = steps.presses
    return played


def words_of(place: str, line: str) -> list[str]:
    """Return the words of a step, or an empty list if a line contains no step. Raises ScriptFault."""
    try:
        return shlex.split(COMMENT.sub(lambda found: found[1] or "", line))
    except ValueError as fault:
        raise ScriptFault(place, f"{line.strip()}: {fault}", 2) from None
