"""A virtual box in injected time, with a hand on its buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image

from tests.kit.driven import drive
from tests.kit.panels import granting
from tests.kit.patience import patiently
from umpi.box.config import COLOURS, Config
from umpi.display.menu import KEYS
from umpi.display.picture import Picture
from umpi.display.setup import set_table
from umpi.display.sheet import LINE, TOP, WIDTH
from umpi.journal import open_to_read, read_lines
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find, games
from umpi.referee.referee import Referee
from umpi.service.card_line import CardLine
from umpi.service.loop import Loop
from umpi.service.shelf_line import ShelfLine
from umpi.service.start import CodesOf
from umpi.simulator.reading import drawn, image_of, reads
from umpi.simulator.virtual import VirtualBox
from umpi.table.commands import Command
from umpi.table.state import TableState
from umpi.web.app import WebApp

MS = 1_000_000
SECOND = 1000 * MS

T = TypeVar("T")


def keys_of(game: str) -> str:
    """The presses that choose a game on "Which game?"."""
    menu = next(set_table(games(), TableState()))
    page, key = divmod([choice.value for choice in menu.choices].index(find(game)), KEYS)
    return " ".join(["down"] * page + [COLOURS[key]])


def row_of(picture: Image.Image | Picture, text: str) -> int | None:
    """Find the row of a menu that shows a text, counted from 0; its key is the button of that number."""
    image = image_of(picture) if isinstance(picture, Picture) else picture
    rows = (image.crop((0, TOP + LINE * row, WIDTH, TOP + LINE * (row + 1))) for row in range(KEYS))
    return next((row for row, dots in enumerate(rows) if reads(dots, text)), None)


class Rig:
    """A virtual box, the clock in `now_ns`; time passes only where a method says so.

    `codes_of` makes the codes that pair phones; without it, the box has no page for them. `card` is the socket of the
    program that may write its card; without it, the box did not start from one. `shelf` leads to the program that
    installs games, if it does.
    """

    def __init__(
        self, config: Config, codes_of: CodesOf | None = None, card: Path | None = None, shelf: ShelfLine | None = None
    ) -> None:
        self.config = replace(config, setup_card=False)
        self.now_ns = SECOND
        self._runner = asyncio.Runner()
        card_of = partial(CardLine, place=card) if card else nothing
        self.box = VirtualBox(
            self.config, lambda: self.now_ns, codes_of=codes_of, card_of=card_of, shelf_of=lambda post: shelf
        )
        self.settle()

    @property
    def referee(self) -> Referee:
        return self.box.referee

    @property
    def loop(self) -> Loop:
        return self.box.loop

    @property
    def web_app(self) -> WebApp:
        """The server of the page for phones."""
        assert self.box.web_app, "the box has no page for phones"
        return self.box.web_app

    @property
    def acts(self) -> list[str]:
        """Return the verbs of the valid acts in the match in play."""
        record = self.referee.session.record
        return [act.verb for act in record.match.acts] if record else []

    @property
    def lines(self) -> int:
        """How many lines the record in play has in the journal."""
        with closing(open_to_read(self.loop.journal.path)) as file:
            return len(read_lines(file, self.referee.session.number))

    def drive(self, part: Any) -> Any:
        """Run a coroutine of the referee to its end, between two rounds."""
        return drive(self.loop.journal, part, self.now_ns)

    def run(self, part: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the loop of the box; `Runner.run` would also set the handler of Ctrl-C, each time."""
        return self._runner.get_loop().run_until_complete(part)

    def settle(self) -> None:
        self.run(self.loop.catch_up())
        oled = self.box.box.oled
        if oled is not None:
            patiently(oled.wait_shown)

    def wait_ms(self, ms: int) -> None:
        """Advance the time as the loop does: it processes whatever is due."""
        until_ns = self.now_ns + ms * MS
        self.settle()
        while self.box.fly_on(until_ns, self._go_to):
            self.settle()
        self.now_ns = until_ns
        self.box.fly()
        self.settle()

    def _go_to(self, now_ns: int) -> None:
        self.now_ns = now_ns

    def grant(self, command: Command) -> None:
        """Make the panel return this command at the next press, whatever its buttons mean there."""
        with granting(self.referee.panel, command):
            self.box.hold("red", True)
            self.settle()
        self.box.hold("red", False)
        self.settle()

    def choose(self, text: str) -> None:
        """Press the key of the row that shows a text, on whichever page of the menu it is."""
        for _ in range(4):
            row = row_of(self.box.picture(), text)
            if row is not None:
                return self.press(COLOURS[row])
            self.press("down")
        raise AssertionError(f"{text} not in\n{self.screen}")

    def take(self, label: str) -> None:
        """Press the key of the choice whose label begins so, on whichever page of the menu it is."""
        menu, _ = self.referee.panel.question
        index = next(at for at, choice in enumerate(menu.choices) if choice.label.startswith(label))
        self.press(" ".join(["down"] * (index // KEYS) + [COLOURS[menu.key(index)]]))

    def menu(self, label: str) -> None:
        """Take a choice of the menu."""
        self.press("back", ms=1000)
        self.take(label)

    def press(self, buttons: str, ms: int = 100) -> None:
        """Press these buttons one after the other."""
        for button in buttons.split():
            self.box.hold(button, True)
            self.wait_ms(ms)
            self.box.hold(button, False)
            self.wait_ms(100)

    def start(self, game: str, rest: str) -> None:
        """Choose a game from power-on, then press the rest."""
        self.press(f"{keys_of(game)} {rest}")

    def undo(self) -> None:
        """Take the last answer back, as the menu offers it first."""
        self.press("back", ms=1000)
        self.press("ok")

    def shows(self, *texts: str) -> bool:
        """Return whether all these texts are on the screen, now or after the referee's calls have passed."""
        self.settle()
        while not all(reads(self.box.picture(), text) for text in texts):
            if self.referee.panel.calls.due_ns is None:
                return False
            self.pass_call()
        return True

    def pass_call(self) -> None:
        """Wait until the call on the screen has passed."""
        due_ns = self.referee.panel.calls.due_ns
        assert due_ns is not None, "there is no call on the screen"
        self.wait_ms(-(-(due_ns - self.now_ns) // MS))

    def pass_calls(self) -> None:
        """Wait until all calls of the last answer have passed."""
        while self.referee.panel.calls.due_ns is not None:
            self.pass_call()

    @property
    def screen(self) -> str:
        """The screen drawn with letters, for a message."""
        self.settle()
        return drawn(self.box.picture())

    def close(self) -> None:
        self.box.close()
        self._runner.close()


class Rigs:
    """Boxes of one test: `rigs(**config)` switches one on, its journal that of the test.

    Set `codes_of` for boxes with a page for phones, `card` for those that started from a card, and `shelf` for those
    that install games.
    """

    def __init__(self, folder: Path, codes_of: CodesOf | None = None) -> None:
        self.folder, self.codes_of = folder, codes_of
        self.card: Path | None = None
        self.shelf: ShelfLine | None = None
        self.made: list[Rig] = []

    def __call__(self, **config: Any) -> Rig:
        self.made.append(
            Rig(replace(Config(journal=self.folder / "games.db"), **config), self.codes_of, self.card, self.shelf)
        )
        return self.made[-1]

    def switch_off(self) -> None:
        """Switch all of them off."""
        while self.made:
            self.made.pop().close()
