"""What several rooms' tests share: a virtual box in injected time, with a hand on its buttons."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from PIL import Image

from driven import drive
from patience import patiently
from sampling import QUICK, SOAK, examples, quick
from skips import without_other_skips
from umpi.box.config import COLOURS, Config
from umpi.display.menu import KEYS
from umpi.display.setup import set_table
from umpi.display.sheet import LINE, TOP, WIDTH
from umpi.i18n.translate import ENGLISH, set_language
from umpi.journal import Journal, open_to_read, read_lines
from umpi.kernel.registry import find, games
from umpi.simulator.reading import drawn, reads
from umpi.simulator.virtual import VirtualBox
from umpi.table.state import TableState

MS = 1_000_000

# No example fails for being slow: a busy machine is no fault. CI tries the same examples every time; other examples are
# tried at a developer's desk and in a soak.
steady: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("dev", max_examples=examples(50), **steady)
hypothesis.settings.register_profile("ci", max_examples=examples(50), derandomize=True, **steady)
hypothesis.settings.register_profile("soak", max_examples=examples(50), **steady)
hypothesis.settings.load_profile("soak" if SOAK else "ci" if os.environ.get("CI") else "dev")
SECOND = 1000 * MS


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the quick tier, run a part of the tests. Where workers share them, begin with the files that take longest."""
    if QUICK:
        kept = quick(items, config.rootpath / "tests")
        config.hook.pytest_deselected(items=list(set(items).difference(kept)))
        items[:] = kept
    if hasattr(config, "workerinput"):
        slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
        items.sort(key=lambda item: -slow[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """In CI, let nothing be skipped but what may be."""
    return without_other_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """In CI, let no whole file be skipped either."""
    return without_other_skips((yield))


def keys_of(game: str) -> str:
    """The presses that choose a game on "Which game?"."""
    menu = next(set_table(games(), TableState()))
    page, key = divmod([choice.value for choice in menu.choices].index(find(game)), KEYS)
    return " ".join(["down"] * page + [COLOURS[key]])


def row_of(picture: Image.Image, text: str) -> int | None:
    """Find the row of a menu that shows a text, counted from 0; its key is the button of that number."""
    rows = (picture.crop((0, TOP + LINE * row, WIDTH, TOP + LINE * (row + 1))) for row in range(KEYS))
    return next((row for row, dots in enumerate(rows) if reads(dots, text)), None)


class Rig:
    """A virtual box, the clock in `now_ns`; time passes only where a method says so."""

    def __init__(self, config: Config) -> None:
        self.config = replace(config, setup_card=False)
        self.now_ns = SECOND
        self._runner = asyncio.Runner()
        self.box = VirtualBox(self.config, lambda: self.now_ns)
        self.settle()

    @property
    def referee(self) -> Any:
        return self.box.referee

    @property
    def loop(self) -> Any:
        return self.box.loop

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

    def settle(self) -> None:
        self._runner.run(self.loop.settle())
        oled = self.box.box.oled
        if oled is not None:
            patiently(oled.wait_shown)

    def wait_ms(self, ms: int) -> None:
        """Advance the time as the loop does: it processes whatever is due."""
        until_ns = self.now_ns + ms * MS
        self.settle()
        while (due_ns := self._due_ns()) is not None and due_ns <= until_ns:
            self.now_ns = max(due_ns, self.now_ns)
            self.box.fly()
            self.settle()
        self.now_ns = until_ns
        self.box.fly()
        self.settle()

    def _due_ns(self) -> int | None:
        dues = (self.loop.due_ns, self.box.fly())
        return min((due for due in dues if due is not None), default=None)

    def grant(self, command: Any) -> None:
        """Make the panel return this command at the next press, whatever its buttons mean there."""
        panel = self.referee.panel
        panel.press = lambda key, long: command
        self.box.hold("red", True)
        self.settle()
        del panel.press
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
        self.wait_ms(-(-(self.referee.panel.calls.due_ns - self.now_ns) // MS))

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
    """Boxes of one test: `rigs(**config)` switches one on, its journal that of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[Rig] = []

    def __call__(self, **config: Any) -> Rig:
        self.made.append(Rig(replace(Config(journal=self.folder / "games.db"), **config)))
        return self.made[-1]

    def switch_off(self) -> None:
        """Switch all of them off."""
        while self.made:
            self.made.pop().close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Debian's Chromium, started once for all tests of a file."""
    from browsing import chromium  # it imports this module

    with chromium(tmp_path_factory.mktemp("chromium")) as chrome:
        yield chrome


@pytest.fixture
def phones(browser: Any) -> Iterator[Any]:
    """Open phones: `phones(sim, RED, 0)` pairs one for a seat, None is the referee's, "" pairs none."""
    from browsing import opened_phones

    with opened_phones(browser) as open:
        yield open


@pytest.fixture
def rigs(tmp_path: Path) -> Iterator[Rigs]:
    """Virtual boxes; all are switched off at the end."""
    rigs = Rigs(tmp_path)
    yield rigs
    rigs.switch_off()
    set_language(ENGLISH)  # whatever its journals said


def dodeka_header(**options: Any) -> dict[str, Any]:
    """The header of a Dodéka that Ann and Ben play at the red and the blue button."""
    return {"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": options, "buttons": [0, 1]}


@pytest.fixture
def in_play(rigs: Any, tmp_path: Path) -> Any:
    """Switch on a box that resumes a Dodéka of Ann and Ben: `in_play(minutes=1)`."""

    def go_on(file: str = "games.db", **options: Any) -> Rig:
        journal = Journal(tmp_path / file)
        journal.leave(journal.begin(dodeka_header(**options)))
        journal.close()
        rig: Rig = rigs(journal=tmp_path / file)
        rig.press("ok")
        assert rig.shows("Ann", "Ben", "Final dice"), rig.screen
        return rig

    return go_on


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say of each tool that is not there how to get it, a line each."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped}
    for reason in sorted(reasons):
        terminalreporter.write_line(f"skipped: {reason}")
