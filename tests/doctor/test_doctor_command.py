"""`umpi doctor` on the command line: its output and its exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from glob import glob
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import run_to_end
from umpi.cli import main
from umpi.doctor.finding import Finding
from umpi.doctor.report import exit_status, lines, summary
from umpi.service.run import NoPins
from umpi.simulator.pins import VirtualPins
from umpi.simulator.plugs import VirtualPlugs

WELL, OUT = Finding("games", "ok", "7"), Finding("head", "failed", "gone", "Plug it in.")
DOUBTFUL, UNPROVEN = Finding("stamps", "warning", "coarse"), Finding("lamps", "not tested", "6")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the box of this test keeps its games; its pins and plugs are virtual, unless a test says otherwise."""
    monkeypatch.setattr("umpi.service.run.pin_factory", lambda name, *_: VirtualPins(lambda: 7))
    monkeypatch.setattr("umpi.service.run.RealPlugs", VirtualPlugs)
    return tmp_path


def typed(folder: Path, *more: str, toml: str = "") -> int:
    (folder / "umpi.toml").write_text(toml)
    return main(["doctor", "--config", str(folder / "umpi.toml"), "--journal", str(folder / "games.db"), *more])


def printed_lines(capfd: Any) -> str:
    return str(capfd.readouterr().out)


# The report


@pytest.mark.parametrize(
    ("findings", "status"), [([], 0), ([WELL, UNPROVEN], 0), ([WELL, DOUBTFUL], 1), ([OUT, UNPROVEN], 1)]
)
def test_the_exit_status_is_1_where_something_is_out_or_doubtful(findings: list[Finding], status: int) -> None:
    assert exit_status(findings) == status


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([WELL], "Everything is ok."),
        ([], "Nothing has been looked at."),
        ([OUT, OUT, DOUBTFUL], "2 failed, 1 warning."),
        ([DOUBTFUL, DOUBTFUL], "2 warnings."),
        ([OUT, UNPROVEN], "1 failed, 1 not tested: umpi doctor --guide tests them by hand."),
    ],
)
def test_the_last_line_counts(findings: list[Finding], expected: str) -> None:
    assert summary(findings) == expected


def test_each_finding_is_followed_by_its_advice() -> None:
    assert list(lines(OUT)) == ["failed      head: gone", "            Plug it in."]
    assert list(lines(WELL)) == ["ok          games: 7"]


def test_a_reason_of_many_lines_is_one_line() -> None:
    assert list(lines(Finding("game", "failed", "a\n  b\x1b[2J"))) == ["failed      game: a b\x1b[2J"]


def test_at_a_terminal_the_word_is_coloured_and_nothing_else() -> None:
    assert list(lines(OUT, coloured=True)) == ["\x1b[1;31mfailed      \x1b[0mhead: gone", "            Plug it in."]


# The command


@pytest.mark.slow
def test_a_box_where_all_is_well_is_0(folder: Path, capfd: Any) -> None:
    assert typed(folder) == 0
    printed = printed_lines(capfd).splitlines()
    assert [line[12:].split()[0] for line in printed if not line.startswith(" ")][:-1] == [
        "pins:", "stamps:", "buttons:", "lamps:", "sounder:", "display:", "journal:", "games:", "time:",
    ]  # fmt: skip
    assert printed[-1].endswith("not tested: umpi doctor --guide tests them by hand.")
    assert not (folder / "games.db").exists()


@pytest.mark.slow
def test_a_box_with_a_fault_is_1(folder: Path, capfd: Any) -> None:
    (folder / "games.db").mkdir()
    assert typed(folder) == 1
    assert f"failed      journal: {folder / 'games.db'} is a folder" in printed_lines(capfd)


@pytest.mark.slow
@pytest.mark.parametrize(("terminal", "no_color"), [(True, None), (True, ""), (True, "1"), (False, None)])
def test_only_a_terminal_that_wants_colours_gets_them(
    terminal: bool, no_color: str | None, folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    typed(folder)
    assert ("\x1b" in capsys.readouterr().out) == (terminal and not no_color)


def test_a_bad_configuration_is_2(folder: Path, capfd: Any) -> None:
    assert typed(folder, toml="[seats]\nred = 28\n") == 2
    assert capfd.readouterr().err.startswith("umpi: umpi.toml, line 2: [seats] red = 28: ")


def factory(fault: Exception) -> Callable[..., Any]:
    """A pin factory of which nothing can be had."""

    class Pins(VirtualPins):
        def pin(self, name: Any) -> Any:
            raise fault

    return lambda name, *_: Pins(lambda: 7)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (OSError("pin GPIO16 is held outside this program, by umpi"), "Is umpi running? sudo systemctl stop umpi"),
        (OSError(16, "Device or resource busy"), "Is umpi running? sudo systemctl stop umpi"),
        (RuntimeError("'GPIO busy'"), "Is umpi running? sudo systemctl stop umpi"),
        (OSError("broken off"), "broken off"),
    ],
)
def test_without_any_button_the_exit_status_is_2_with_one_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any, fault: Exception, expected: str
) -> None:
    """lgpio's errors are neither gpiozero's nor the system's."""
    monkeypatch.setattr("umpi.service.run.pin_factory", factory(fault))
    assert typed(folder) == 2
    error = capfd.readouterr().err
    assert error.startswith("umpi: no button can be had: ")
    assert error.endswith(f"{expected}\n")
    assert error.count("\n") == 1


def test_pins_that_are_not_for_this_user_name_the_group(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    def denied(name: str, *_: object) -> None:
        raise NoPins("no GPIO chip here (/dev/gpiochip0: Permission denied). Play on the virtual box: umpi sim")

    monkeypatch.setattr("umpi.service.run.pin_factory", denied)
    assert typed(folder) == 2
    assert "umpi sim. Add your user to the group gpio" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(bool(glob("/dev/gpiochip*")), reason="there are GPIO chips here")
def test_on_a_machine_without_pins_it_is_2_with_the_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "umpi", "doctor", "--journal", str(tmp_path / "games.db")]
    ran = run_to_end(command, text=True, env={**os.environ, "UMPI_GPIO_CHIP": ""})
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("umpi: ")
    assert ran.stderr.endswith("umpi sim\n")
    assert "Traceback" not in ran.stderr
    assert not list(tmp_path.iterdir())


def test_the_steps_that_help_names_are_those_of_the_guide() -> None:
    from umpi.cli import doctor
    from umpi.doctor import steps

    assert tuple(steps.STEPS) == doctor.STEPS
