"""Scenarios: a written sequence of presses and expectations, played on the virtual box in injected time.

A line is one step; blank lines and what follows a # are passed over.

    game dodeka              press what this game stands beside on "Which game?", wherever that is
    press red blue ok        press buttons one after the other, 100 ms down, 100 ms apart
    hold back                press one for a second
    wait 600 ms              let time pass (ms, s or min)
    expect "Katy" "610"      each of the texts stands in the picture
    expect not "NOT SAVED"   none of them does
    lamp red blue            these lamps are lit, no other; lamp none
    option board=@FILE       begin games with this option and switch on again
    lanes 6                  change the funnel (0: none, 1, or one a seat) and switch on again
    toss red blue            toss cubes in this order, 60 ms apart; or: toss red blue within 0.8 ms,
                             toss touching red blue, toss turned red, toss stuck red
    jiggle                   what is stuck in the funnel comes loose
    restart                  pull the plug and switch on again
    picture FILE             keep the picture as a PNG
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from umpi.config import COLOURS, BadConfig, Config, read_option
from umpi.panel.menu import KEYS
from umpi.sim.chute import APART_MS
from umpi.sim.reading import drawn, reads
from umpi.sim.virtual import BUTTONS, VirtualBox, with_lanes

MS = 1_000_000
UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000}


class ScriptFault(Exception):
    """A step that cannot be read, or that did not find what it expects: file, line and cause."""

    def __init__(self, place: str, why: str, status: int) -> None:
        super().__init__(f"{place}: {why}")
        self.status = status


@dataclass(slots=True)
class Played:
    """What a scenario did: how many steps, how many presses."""

    steps: int = 0
    presses: int = 0


def play_script(path: Path, config: Config) -> Played:
    """Play a scenario file; raises ScriptFault at the first step that fails (status 1) or makes no sense (2)."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise ScriptFault(str(path), fault.strerror or str(fault), 2) from None
    except UnicodeDecodeError as fault:
        raise ScriptFault(str(path), str(fault), 2) from None
    return asyncio.run(Script(path, config).play(lines))


class Script:
    """One scenario being played."""

    def __init__(self, path: Path, config: Config) -> None:
        self.path, self.config = path, config
        self.now_ns = 1_000_000_000
        self.played = Played()
        self.box: VirtualBox

    async def play(self, lines: list[str]) -> Played:
        """Play all lines."""
        self._switch_on()
        try:
            await self._settle()
            for number, line in enumerate(lines, 1):
                place = f"{self.path.name}, line {number}"
                try:
                    words = shlex.split(line, comments=True)
                except ValueError as fault:
                    raise ScriptFault(place, f"{line.strip()}: {fault}", 2) from None
                if words:
                    await self._step(place, words[0], words[1:])
                    self.played.steps += 1
        finally:
            self.box.close()
        return self.played

    async def _step(self, place: str, verb: str, words: list[str]) -> None:
        steps: dict[str, Callable[[str, list[str]], Awaitable[None]]] = {
            "game": self._game, "press": self._press, "hold": self._hold, "wait": self._wait, "expect": self._expect,
            "lamp": self._lamp, "restart": self._restart, "picture": self._picture, "lanes": self._lanes,
            "option": self._option, "toss": self._toss, "jiggle": self._jiggle,
        }  # fmt: skip
        if verb not in steps:
            raise ScriptFault(place, f"there is no step {verb}; there are: {', '.join(steps)}.", 2)
        await steps[verb](place, words)

    async def _game(self, place: str, words: list[str]) -> None:
        ids = [game.id for game in self.box.referee.panel.games]
        if len(words) != 1 or words[0] not in ids:
            raise ScriptFault(place, f"game: which one? There are: {', '.join(ids)}.", 2)
        page, key = divmod(ids.index(words[0]), KEYS)
        await self._press(place, ["down"] * page + [COLOURS[key]])

    async def _press(self, place: str, words: list[str]) -> None:
        for button in self._buttons(place, words):
            await self._held(button, 100)
            await self._pass(100)

    async def _hold(self, place: str, words: list[str]) -> None:
        for button in self._buttons(place, words):
            await self._held(button, 1000)
            await self._pass(100)

    async def _wait(self, place: str, words: list[str]) -> None:
        match = re.fullmatch(r"(\d+) ?(ms|s|min)", " ".join(words))
        if not match:
            raise ScriptFault(place, f"wait {' '.join(words)}: how long, as in wait 600 ms?", 2)
        await self._pass(int(match[1]) * UNITS_MS[match[2]])

    async def _expect(self, place: str, words: list[str]) -> None:
        wanted = words[:1] != ["not"]
        texts = words if wanted else words[1:]
        if not texts:
            raise ScriptFault(place, "expect: which text?", 2)
        picture = self.box.picture()
        for text in texts:
            if reads(picture, text) != wanted:
                fault = "is not on the screen" if wanted else "is on the screen"
                raise ScriptFault(place, f'"{text}" {fault}:\n{drawn(picture)}', 1)

    async def _lamp(self, place: str, words: list[str]) -> None:
        wanted = [] if words == ["none"] else self._buttons(place, words, COLOURS)
        lit = self.box.lit()
        if sorted(lit) != sorted(wanted):
            raise ScriptFault(place, f"lit: {' '.join(lit) or 'none'}, expected: {' '.join(wanted) or 'none'}.", 1)

    async def _lanes(self, place: str, words: list[str]) -> None:
        if words not in (["0"], ["1"], ["6"]):
            raise ScriptFault(place, "lanes: 0, 1 or 6?", 2)
        self.config = with_lanes(self.config, int(words[0]))
        await self._restart(place, words)

    async def _option(self, place: str, words: list[str]) -> None:
        try:
            told = dict(read_option(word, self.path.parent) for word in words)
        except BadConfig as fault:
            raise ScriptFault(place, f"option {fault}", 2) from None
        self.config = replace(self.config, options={**self.config.options, **told})
        await self._restart(place, words)

    async def _toss(self, place: str, words: list[str]) -> None:
        gap_ms = float(APART_MS)
        if match := re.fullmatch(r"(.*) within (\d+(?:\.\d+)?) ?ms", " ".join(words)):
            words, gap_ms = match[1].split(), float(match[2])
        how: Any = words[0] if words[:1] and words[0] in ("touching", "turned", "stuck") else "apart"
        cubes = self._buttons(place, words if how == "apart" else words[1:], COLOURS)
        try:
            self.box.toss(cubes, how, gap_ms)
        except LookupError as fault:
            raise ScriptFault(place, f"toss: {fault}.", 2) from None
        await self._pass(1000)

    async def _jiggle(self, place: str, words: list[str]) -> None:
        self.box.jiggle()
        await self._pass(500)

    async def _restart(self, place: str, words: list[str]) -> None:
        self.box.close()
        self._switch_on()
        await self._settle()

    async def _picture(self, place: str, words: list[str]) -> None:
        if len(words) != 1:
            raise ScriptFault(place, "picture: into which file?", 2)
        try:
            self.box.picture().save(words[0], "PNG")
        except OSError as fault:
            raise ScriptFault(place, f"picture {words[0]}: {fault}", 2) from None

    def _buttons(self, place: str, words: list[str], known: tuple[str, ...] = BUTTONS) -> list[str]:
        for word in words or [""]:
            if word not in known:
                raise ScriptFault(place, f'there is no "{word}" here; there are: {", ".join(known)}.', 2)
        return words

    async def _held(self, button: str, for_ms: int) -> None:
        self.box.hold(button, True)
        await self._pass(for_ms)
        self.box.hold(button, False)
        await self._settle()
        self.played.presses += 1

    async def _pass(self, ms: int) -> None:
        """Let time pass, stopping wherever the box itself has something to do."""
        until_ns = self.now_ns + ms * MS
        await self._settle()
        while (due_ns := self._due_ns()) is not None and due_ns <= until_ns:
            self.now_ns = max(due_ns, self.now_ns)
            self.box.fly()
            await self._settle()
        self.now_ns = until_ns
        await self._settle()

    def _due_ns(self) -> int | None:
        dues = (self.box.referee.due_ns, self.box.fly())
        return min((due for due in dues if due is not None), default=None)

    async def _settle(self) -> None:
        await self.box.referee.settle()
        oled = self.box.box.oled
        if oled and not oled.wait_shown():
            raise ScriptFault(self.path.name, f"the panel does not answer: {oled.trouble}", 1)

    def _switch_on(self) -> None:
        self.box = VirtualBox(self.config, lambda: self.now_ns)
