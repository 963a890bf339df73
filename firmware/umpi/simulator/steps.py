"""The steps of a scenario: what each word does at a box, and what it expects of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, get_args

from PIL import Image

from umpi.box.config import COLOURS, BadConfig, Config
from umpi.box.config_file import read_option
from umpi.display.menu import KEYS, Menu
from umpi.display.screen_saver import Light
from umpi.display.setup import set_table
from umpi.i18n.translate import tr
from umpi.kernel.registry import find, games
from umpi.referee.late_inputs import HAMMERED_NS
from umpi.simulator.chute import APART_MS, How
from umpi.simulator.plugs import NAMES
from umpi.simulator.reading import drawn, reads
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner
from umpi.table.state import TableState
from umpi.timing.lines import BUTTONS
from umpi.timing.units import MS

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000}


class StepFault(Exception):
    """Report why a step fails: an expectation is not met (status 1), or the step is invalid (2)."""

    def __init__(self, why: str, status: int = 2) -> None:
        super().__init__(why)
        self.status = status


class UnknownQuestion(StepFault):
    """Report that a step needs the question, and that the box shows it on its panel alone."""


class ScriptedBox(Protocol):
    """The interface of a box for scenarios.

    A method raises LookupError with the device's name if the box does not have the device.
    """

    def question(self) -> tuple[Menu, int] | None:
        """Return the current question and its page on the panel, or None if the panel shows a text.

        Raises UnknownQuestion if only the panel shows it.
        """

    def picture(self) -> Image.Image:
        """Return the picture on the panel."""

    def light(self) -> Light:
        """Return the brightness of the panel."""

    def lit(self) -> list[str]:
        """List the lamps that are lit or blink."""

    def blinking(self) -> list[str]:
        """List the lamps that blink."""

    def toss(self, cubes: Sequence[str], how: How, gap_ms: float) -> None:
        """Toss cubes into the funnel in this order."""

    def jiggle(self) -> None:
        """Shake the funnel, so that stuck cubes fall."""

    def lift(self) -> None:
        """Remove the cube at the stop."""

    def lay(self, colour: str, crooked: bool) -> None:
        """Put a cube at the stop."""

    def scan(self, code: str) -> None:
        """Scan a card."""

    def lot(self, numbers: Sequence[int]) -> None:
        """Have the box draw its next lots by these numbers, then by chance again."""

    def knock(self) -> None:
        """Knock on the wall."""

    def pull(self, name: str) -> None:
        """Unplug a device."""

    def plug(self, name: str) -> None:
        """Plug a device in again."""


class Player(Protocol):
    """The interface of a player who operates a box in its time. The next restart uses `config`."""

    config: Config

    @property
    def box(self) -> ScriptedBox:
        """Return the box. It is switched on."""

    async def press(self, button: str, for_ms: int) -> None:
        """Press a button for `for_ms` milliseconds, then release it."""

    async def pass_ms(self, ms: int) -> None:
        """Let time pass, in ms."""

    async def restart(self) -> None:
        """Unplug the box. It is switched on again when it is needed."""

    async def see(self, look: Callable[[], None]) -> None:
        """Look at the box until `look` no longer raises StepFault, as long as the box may need."""


class Steps:
    """Run the steps on one box. `presses` counts the pressed buttons. Each step raises StepFault if it fails."""

    def __init__(self, playing: Player, folder: Path) -> None:
        self.playing, self.folder = playing, folder
        self.presses = 0
        self.verbs: dict[str, Callable[[list[str]], Awaitable[None]]] = {
            "game": self._game, "choose": self._choose, "press": self._press, "hold": self._hold, "wait": self._wait,
            "expect": self._expect, "lamp": self._lamp, "restart": self._restart, "picture": self._picture,
            "setup-card": self._setup_card, "option": self._option, "lanes": self._lanes, "head": self._head,
            "rail": self._rail, "scanner": self._scanner, "toss": self._toss,
            "jiggle": self._jiggle, "lift": self._lift, "lay": self._lay,
            "scan": self._scan, "knock": self._knock, "pull": self._pull, "plug": self._plug, "panel": self._panel,
            "lot": self._lot,
        }  # fmt: skip

    async def take(self, verb: str, words: list[str]) -> None:
        """Run one step."""
        if verb not in self.verbs:
            raise StepFault(f"there is no step {verb}; the steps are {', '.join(self.verbs)}.")
        try:
            await self.verbs[verb](words)
        except LookupError as fault:  # the box does not have the device, or there is no cube
            raise StepFault(f"{verb}: {fault}.") from None

    async def _game(self, words: list[str]) -> None:
        ids = [game.id for game in games()]
        if len(words) != 1 or words[0] not in ids:
            raise StepFault(f"game: which one? There are: {', '.join(ids)}.")
        try:
            menu, page = self._question(f"game {words[0]}")
        except UnknownQuestion:  # the first question of a box is known
            menu, page = next(set_table(games(), TableState())), 0
        there = [choice.value for choice in menu.choices]
        if find(words[0]) not in there:
            raise StepFault(f"game {words[0]}: {menu.title} does not offer it.", 1)
        await self._tap(menu, page, there.index(find(words[0])))

    async def _choose(self, words: list[str]) -> None:
        for word in words or [""]:
            menu, page = self._question(f"choose {word}")
            if not word.isdecimal() or not 1 <= int(word) <= len(menu.choices):
                raise StepFault(f"choose {word}: which one? {menu.title} has {len(menu.choices)} choices.")
            await self._tap(menu, page, int(word) - 1)

    def _question(self, step: str) -> tuple[Menu, int]:
        """Return the question on the panel and its page. Raises StepFault if there is none."""
        if (question := self.playing.box.question()) is None:
            raise StepFault(f"{step}: a text stands there:\n{drawn(self.playing.box.picture())}", 1)
        return question

    async def _tap(self, menu: Menu, page: int, index: int) -> None:
        """Press the choice at this place of a menu, from the page that is shown."""
        await self._press(["down"] * ((index // KEYS - page) % menu.pages) + [COLOURS[menu.key(index)]])

    async def _press(self, words: list[str]) -> None:
        await self._held(words, 100)

    async def _hold(self, words: list[str]) -> None:
        await self._held(words, 1000)

    async def _held(self, words: list[str], for_ms: int) -> None:
        for button in _known(words, BUTTONS):
            await self._pressed(button, for_ms)
            if reads(self.playing.box.picture(), tr("IGNORED")):  # read the new question, as people do, and press again
                await self.playing.pass_ms(HAMMERED_NS // MS)
                await self._pressed(button, for_ms)
            self.presses += 1

    async def _pressed(self, button: str, for_ms: int) -> None:
        await self.playing.press(button, for_ms)
        await self.playing.pass_ms(100)

    async def _wait(self, words: list[str]) -> None:
        match = re.fullmatch(r"(\d+) ?(ms|s|min)", " ".join(words))
        if not match:
            raise StepFault(f"wait {' '.join(words)}: how long, as in wait 600 ms?")
        await self.playing.pass_ms(int(match[1]) * UNITS_MS[match[2]])

    async def _expect(self, words: list[str]) -> None:
        wanted = words[:1] != ["not"]
        texts = words if wanted else words[1:]
        if not texts:
            raise StepFault("expect: which text?")

        def look() -> None:
            picture = self.playing.box.picture()
            for text in texts:
                if reads(picture, text) != wanted:
                    fault = "is not on the screen" if wanted else "is on the screen"
                    raise StepFault(f'"{text}" {fault}:\n{drawn(picture)}', 1)

        await self.playing.see(look)

    async def _lamp(self, words: list[str]) -> None:
        colours = [word for word in words if word != "blinking"]
        wanted = [] if words == ["none"] else _known(colours, COLOURS)
        to_blink = {word for word, next_word in pairwise([*words, ""]) if next_word == "blinking"}

        def look() -> None:
            lit, blinking = self.playing.box.lit(), self.playing.box.blinking()
            if sorted(lit) != sorted(wanted) or not to_blink <= {*blinking}:
                lamps = " ".join(f"{name} blinking" if name in blinking else name for name in lit)
                raise StepFault(f"lit: {lamps or 'none'}, expected: {' '.join(words)}.", 1)

        await self.playing.see(look)

    async def _panel(self, words: list[str]) -> None:
        if len(words) != 1 or words[0] not in get_args(Light):
            raise StepFault(f"panel: {', '.join(get_args(Light))}?")

        def look() -> None:
            light = self.playing.box.light()
            if light != words[0]:
                raise StepFault(f"the panel is {light}, expected: {words[0]}.", 1)

        await self.playing.see(look)

    async def _picture(self, words: list[str]) -> None:
        if len(words) != 1:
            raise StepFault("picture: into which file?")
        try:
            self.playing.box.picture().save(words[0], "PNG")
        except OSError as fault:
            raise StepFault(f"picture {words[0]}: {fault.strerror or fault}") from None

    async def _restart(self, words: list[str]) -> None:
        await self.playing.restart()

    async def _option(self, words: list[str]) -> None:
        try:
            given = dict(read_option(word, self.folder) for word in words)
        except BadConfig as fault:
            raise StepFault(f"option {fault}") from None
        config = self.playing.config
        await self._built(replace(config, options={**config.options, **given}))

    async def _setup_card(self, words: list[str]) -> None:
        await self._built(replace(self.playing.config, setup_card=True))

    async def _lanes(self, words: list[str]) -> None:
        await self._built(with_lanes(self.playing.config, _lanes("lanes", words)))

    async def _head(self, words: list[str]) -> None:
        await self._built(with_head(self.playing.config, _lanes("head", words)))

    async def _rail(self, words: list[str]) -> None:
        await self._built(with_rail(self.playing.config))

    async def _scanner(self, words: list[str]) -> None:
        await self._built(with_scanner(self.playing.config))

    async def _built(self, config: Config) -> None:
        """Build the box again with `config` and switch it on. Give its devices time to answer."""
        self.playing.config = config
        await self.playing.restart()
        await self.playing.pass_ms(500)

    async def _toss(self, words: list[str]) -> None:
        gap_ms = float(APART_MS)
        if match := re.fullmatch(r"(.*) within (\d+(?:\.\d+)?) ?ms", " ".join(words)):
            words, gap_ms = match[1].split(), float(match[2])
        how: Any = words[0] if words[:1] and words[0] in ("touching", "turned", "stuck", "crooked") else "apart"
        cubes = _known(words if how == "apart" else words[1:], COLOURS)
        self.playing.box.toss(cubes, how, gap_ms)
        await self.playing.pass_ms(1000)

    async def _jiggle(self, words: list[str]) -> None:
        self.playing.box.jiggle()
        await self.playing.pass_ms(500)

    async def _lift(self, words: list[str]) -> None:
        self.playing.box.lift()
        await self.playing.pass_ms(1000)

    async def _lay(self, words: list[str]) -> None:
        crooked = words[:1] == ["crooked"]
        cube, *more = _known(words[crooked:], COLOURS)
        if more:
            raise StepFault(f"lay: one cube has room at the stop, not {' '.join(words)}.")
        self.playing.box.lay(cube, crooked)
        await self.playing.pass_ms(1000)

    async def _scan(self, words: list[str]) -> None:
        if not words:
            raise StepFault("scan: which card?")
        for code in words:
            self.playing.box.scan(code)
            await self.playing.pass_ms(100)

    async def _lot(self, words: list[str]) -> None:
        if not words or not all(word.isdecimal() for word in words):
            raise StepFault("lot: by which numbers, as in lot 17 0?")
        self.playing.box.lot([int(word) for word in words])

    async def _knock(self, words: list[str]) -> None:
        self.playing.box.knock()
        await self.playing.pass_ms(100)

    async def _pull(self, words: list[str]) -> None:
        self.playing.box.pull(_device("pull", words))
        await self.playing.pass_ms(1000)

    async def _plug(self, words: list[str]) -> None:
        self.playing.box.plug(_device("plug", words))
        await self.playing.pass_ms(1000)


def _known(words: Sequence[str], known: tuple[str, ...]) -> list[str]:
    for word in words or [""]:
        if word not in known:
            raise StepFault(f'there is no "{word}" here; there are: {", ".join(known)}.')
    return list(words)


def _lanes(verb: str, words: list[str]) -> int:
    if words not in (["0"], ["1"], ["6"]):
        raise StepFault(f"{verb}: 0, 1 or 6?")
    return int(words[0])


def _device(verb: str, words: list[str]) -> str:
    if len(words) != 1 or words[0] not in NAMES:
        raise StepFault(f"{verb}: which one? There are: {', '.join(NAMES)}.")
    return words[0]
