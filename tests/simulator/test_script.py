"""An error in a scenario is reported with file, line and cause, and with an exit status."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.kit.seen import check_seen
from umpi.box.config import Config
from umpi.cli import main
from umpi.display import screens
from umpi.display.menu import Choice, Menu
from umpi.kernel.registry import find
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.reading import image_of
from umpi.simulator.script import ScriptFault, play_script
from umpi.simulator.steps import StepFault, Steps, UnknownQuestion

TURN = 'game dodeka\npress red blue ok ok  # Dodéka, two players\nexpect "Red" "set 1/3"\npress red blue yellow\n'


def play(folder: Path, text: str | bytes) -> str:
    """Play a scenario; how it went, as a sentence."""
    file = folder / "game.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        played = play_script(file, Config(journal=folder / "games.db"))
    except ScriptFault as fault:
        return f"{fault.status}: {fault}"
    return f"{played.steps} steps, {played.presses} presses"


def test_a_turn_is_played_in_injected_time(tmp_path: Path) -> None:
    text = TURN + 'lamp blue\nwait 600 min\npress up\nexpect "last run 100"\nexpect not "Winner"\n'
    assert play(tmp_path, text) == "9 steps, 9 presses"


def test_the_printed_list_has_each_step_and_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--steps"]) == 0
    listed = {line.split()[0] for line in capsys.readouterr().out.splitlines() if re.match(r"    \S", line)}
    box = SimulatedPlayer(Config(journal=tmp_path / "games.db"))
    assert listed == Steps(box, tmp_path).verbs.keys()


class Noted:
    """A player and a box that only note what is done with them; the second page of a question is on the screen.

    At first it has no device: `lacking` raises LookupError, as a box does. `title` is the question.
    """

    def __init__(self, folder: Path, lacking: bool = False, title: str = "Which game?") -> None:
        self.config, self.done, self.lacking = Config(journal=folder / "games.db"), list[str](), lacking
        choices = [Choice(f"choice {at}", at) for at in range(9)] + [Choice("Quiz", find("quiz"))]
        self.menu: Menu | None = Menu(title, tuple(choices), rows=True) if title else None

    @property
    def box(self) -> Noted:
        return self

    def question(self) -> tuple[Menu, int] | None:
        if self.menu and self.menu.title == "unknown":
            raise UnknownQuestion("only the panel shows it")
        return None if self.menu is None else (self.menu, 1)

    def picture(self) -> Image.Image:
        return image_of(screens.question(self.menu or Menu("A text", ()), 0))

    def light(self) -> str:
        return "dim"

    def lit(self) -> list[str]:
        return ["red", "blue"]

    def blinking(self) -> list[str]:
        return ["blue"]

    async def see(self, look: Callable[[], None]) -> None:
        self.done.append("see")
        look()

    async def restart(self) -> None:
        usual = Config(journal=self.config.journal)
        names = [
            field.name for field in fields(Config) if getattr(self.config, field.name) != getattr(usual, field.name)
        ]
        self.done.append(f"restart with { ({name: getattr(self.config, name) for name in names}) }")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def note(*args: Any) -> Any:
            self.done.append(f"{name} {' '.join(map(str, args))}".strip())
            if self.lacking:
                raise LookupError("this box has none")

        async def wait(*args: Any) -> None:
            note(*args)

        return wait if name in ("press", "pass_ms") else note


STEPS = (
    "dance", "Press red", "press purple", "press", "press red ok", "hold back", "hold 1", "game", "game chess",
    "game quiz", "game dodeka", "choose", "choose 1", "choose 7 12", "choose 10", "choose 0", "choose red", "wait",
    "wait long", "wait -5 ms", "wait 5 ms", "wait 2s", "wait 3 min", "wait 3 h", "expect", "expect not",
    'expect "Which game?" "choice 3"', 'expect "Chess"', 'expect not "Chess" "Go"', 'expect not "Chess" "choice 1"',
    "lamp red blue", "lamp blue blinking red", "lamp red", "lamp red blinking blue", "lamp none", "lamp ok",
    "lamp blinking", "lamp none blinking", "panel dim", "panel off", "panel", "panel red", "panel dim off", "picture",
    "picture a.png", "picture a.png b.png", "picture no/a.png", "restart", "setup-card", "option target=500 x=[1]",
    "option target", "lanes 6", "lanes 1", "lanes 0", "lanes 2", "head 6", "head 0", "head 2", "head 1 6", "rail",
    "scanner", "toss red blue", "toss red blue within 12.5 ms", "toss touching red", "toss stuck red within 3 ms",
    "toss turned", "toss tumbling red", "jiggle", "lift", "lay red", "lay crooked red", "lay red blue", "lay crooked",
    "scan", "scan fire-1 air-2", "lot 17 0", "lot", "lot x", "knock", "pull head", "pull", "pull the head", "plug rail",
    "plug red", 'expect "Umpi', "press red\\",
)  # fmt: skip


def noted(step: str, box: Noted, folder: Path) -> str:
    """What a step does, and why it fails, with its status; of a picture only the first line."""
    try:
        steps = Steps(box, folder)  # type: ignore[arg-type]
        verb, *words = shlex.split(step)
        asyncio.run(steps.take(verb, words))
        box.done += [f"{steps.presses} presses"] * bool(steps.presses)
    except StepFault as fault:
        box.done.append(f"{fault.status}: {str(fault).partition(chr(10))[0]}")
    except ValueError as fault:
        return f"{fault}"
    return "; ".join(box.done).replace(str(folder), "~")


def test_each_step_does_what_somebody_has_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes steps.txt; read what is different."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{step}: {noted(step, Noted(tmp_path), tmp_path)}" for step in STEPS]
    for step in ("toss red", "lift", "scan fire-1", "knock", "pull rail", "press red"):
        lines.append(f"{step}, without the device: {noted(step, Noted(tmp_path, lacking=True), tmp_path)}")
    for title in ("IGNORED", "", "unknown"):
        for step in ("press red", "choose 1", "game quiz"):
            lines.append(f'{step} at "{title}": {noted(step, Noted(tmp_path, title=title), tmp_path)}')
    check_seen(Path(__file__).with_name("steps.txt"), lines)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dance", "2: game.txt, line 2: there is no step dance; the steps are game, choose, press, hold, wait"),
        ("lamp red", "1: game.txt, line 2: lit: none, expected: red."),
        ("panel off", "1: game.txt, line 2: the panel is bright, expected: off."),
        ('expect "Umpi', '2: game.txt, line 2: expect "Umpi: No closing quotation'),
        ("press red\\", "2: game.txt, line 2: press red\\: No escaped character"),
        ('expect "Which game?" "Chess"', '1: game.txt, line 2: "Chess" is not on the screen:\n'),
        ("toss red", "2: game.txt, line 2: toss: this box has no funnel."),
        ("lift", "2: game.txt, line 2: lift: this box has no queue rail."),
        ("scan fire-1", "2: game.txt, line 2: scan: this box has no card scanner."),
        ("knock", "2: game.txt, line 2: knock: this box has no wall on a sensor head."),
        ("pull rail", "2: game.txt, line 2: pull: this box has no queue rail."),
    ],
)
def test_a_failing_or_invalid_step_is_reported_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    """A message with place and cause, and an exit status."""
    assert play(tmp_path, f'expect "Which game?"\n{line}\npress red\n').startswith(message)


def test_a_hash_begins_a_comment_where_it_begins_a_word(tmp_path: Path) -> None:
    """The number in its middle distinguishes the copies of a card."""
    text = 'scanner # a scanner\n#\n  # nothing\nscan fire-1#1 fire-1#2#3 # three cards\nexpect not "#2" \'# 2\' #"\n'
    assert play(tmp_path, text) == "3 steps, 0 presses"
    assert '"# 2" is not' in play(tmp_path, 'expect "# 2" # is not there')


def test_a_failed_expectation_shows_the_screen(tmp_path: Path) -> None:
    message = play(tmp_path, 'expect "Chess"')
    assert "▀" in message
    assert len(message.splitlines()) > 10


@pytest.mark.parametrize("text", [b"press \xff\n", b"\xff\xfe"])
def test_a_scenario_that_is_no_text_is_refused(tmp_path: Path, text: bytes) -> None:
    assert play(tmp_path, text).startswith("2: ")


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    return out + err


def test_umpi_sim_plays_a_script_and_says_how_it_went(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "turn.txt"
    file.write_text(TURN, encoding="utf-8")
    assert main(["sim", "--script", str(file), "--journal", str(tmp_path / "games.db")]) == 0
    assert printed(capsys) == f"{file}: 4 steps, 8 presses, all as expected\n"
    assert (tmp_path / "games.db").exists()


def test_umpi_sim_without_a_journal_leaves_none_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file = tmp_path / "turn.txt"
    file.write_text(TURN, encoding="utf-8")
    assert main(["sim", "--script", str(file)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["turn.txt"]


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("dance\n", 2, "umpi: turn.txt, line 1: there is no step dance"),
        ('\nexpect "Chess"\n', 1, "umpi: turn.txt, line 2: "),
        ("\n# only a comment\n", 2, "umpi: turn.txt: it has no step: nothing would be tried."),
    ],
)
def test_umpi_sim_ends_with_the_status_of_the_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, message: str
) -> None:
    file = tmp_path / "turn.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["sim", "--script", str(file)]) == status
    assert printed(capsys).startswith(message)


def test_a_missing_scenario_is_reported_without_an_error_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault is reported as text, never as a number."""
    missing = tmp_path / "none.txt"
    assert main(["sim", "--script", str(missing)]) == 2
    message = printed(capsys)
    assert message.startswith(f"umpi: {missing}: ")
    assert "No such file" in message
    assert "Errno" not in message
