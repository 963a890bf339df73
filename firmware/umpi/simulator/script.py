"""Scenarios: a written sequence of presses and expectations, played on the virtual box in injected time, or on another.

A line is one step; blank lines and what follows a # at the beginning of a word are passed over.

    game dodeka              press what this game stands beside on "Which game?", wherever that is
    press red blue ok        press buttons one after the other, 100 ms down, 100 ms apart
    choose 1 3               answer by the first, then the third choice, whatever keys these stand over, on any page
    hold back                press one for a second
    wait 600 ms              let time pass (ms, s or min)
    expect "Katy" "610"      each of the texts stands in the picture
    expect not "NOT SAVED"   none of them does
    lamp red blue            these lamps are lit or blink, no other; lamp none; red has to blink: lamp red blinking blue
    panel off                the panel is off; or: panel bright, panel dim
    picture FILE             keep the picture as a PNG
    restart                  pull the plug of the box and switch on again

What the box has; each switches it on again:

    option board=@FILE       begin games with this option
    lanes 6                  a funnel at the pins (0: none, 1, or one a seat)
    head 6                   a funnel on a sensor head, with the wall (0: the wall only, 1, or one a seat)
    rail                     a colour sensor at the stop of the queue rail
    scanner                  a card scanner

And what happens to that:

    toss red blue            toss cubes in this order, 60 ms apart; or: toss red blue within 0.8 ms,
                             toss touching red blue, toss turned red, toss stuck red; below a funnel of one lane they
                             come to rest in the queue rail, after toss crooked red so that no colour can be told
    jiggle                   what is stuck in the funnel comes loose
    lift                     take the cube at the stop of the rail out, the next rolls down
    lay red                  put a cube to the stop by hand; or: lay crooked red
    scan fire-2 fire-3       hold cards before the scanner, by their names or whole codes (umpi:dodekka:fire-1#2)
    knock                    hit the wall
    pull head                pull the plug of the head, rail, scanner or panel
    plug head                plug it in again
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from umpi.box.config import Config
from umpi.simulator.player import NoPicture, SimulatedPlayer
from umpi.simulator.steps import Player, StepFault, Steps

COMMENT = re.compile(r"""("[^"]*"|'[^']*')|(?:^|\s)#.*""")  # or what stands in quotes, which is none


class ScriptFault(Exception):
    """A step that cannot be read, or that did not find what it expects: file, line and cause."""

    def __init__(self, place: str, why: str, status: int) -> None:
        super().__init__(f"{place}: {why}")
        self.status = status


@dataclass(slots=True)
class ScriptResult:
    """What a scenario did: how many steps, how many presses."""

    steps: int = 0
    presses: int = 0


def play_script(path: Path, config: Config) -> ScriptResult:
    """Play a scenario file on the virtual box.

    Raises ScriptFault at the first step that fails (status 1) or makes no sense (2).
    """
    lines = lines_of(path)

    async def play() -> ScriptResult:
        playing = SimulatedPlayer(config)
        try:
            await playing.settle()
            return await play_lines(lines, playing, path.parent)
        except NoPicture as fault:
            raise ScriptFault(path.name, str(fault), 1) from None
        finally:
            playing.close()

    return asyncio.run(play())


def lines_of(path: Path) -> list[tuple[str, str]]:
    """Read a scenario file, each line with the place where it stands; raises ScriptFault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise ScriptFault(str(path), fault.strerror or str(fault), 2) from None
    except UnicodeDecodeError as fault:
        raise ScriptFault(str(path), str(fault), 2) from None
    return [(f"{path.name}, line {number}", line) for number, line in enumerate(lines, 1)]


async def play_lines(lines: Sequence[tuple[str, str]], playing: Player, folder: Path) -> ScriptResult:
    """Play lines of a scenario on a box that is switched on, files by `folder`; raises ScriptFault."""
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
    """Read the words of a step, none where a line has no step; raises ScriptFault."""
    try:
        return shlex.split(COMMENT.sub(lambda found: found[1] or "", line))
    except ValueError as fault:
        raise ScriptFault(place, f"{line.strip()}: {fault}", 2) from None
