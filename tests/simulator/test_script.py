"""An error in a scenario is reported with file, line and cause, and with an exit status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from umpi.box.config import Config
from umpi.cli import main
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.script import ScriptFault, play_script
from umpi.simulator.steps import Steps

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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dance", "2: game.txt, line 2: there is no step dance; the steps are game, choose, press, hold, wait"),
        ("Press red", "2: game.txt, line 2: there is no step Press"),
        ("press purple", '2: game.txt, line 2: there is no "purple" here; there are: red, blue, yellow, green, white'),
        ("press", '2: game.txt, line 2: there is no "" here'),
        ("choose", "2: game.txt, line 2: choose : which one? Which game? has 10 choices."),
        ("choose 12", "2: game.txt, line 2: choose 12: which one? Which game? has 10 choices."),
        ("choose red", "2: game.txt, line 2: choose red: which one? Which game? has 10 choices."),
        ("hold 1", '2: game.txt, line 2: there is no "1" here'),
        ("lamp ok", '2: game.txt, line 2: there is no "ok" here; there are: red, blue, yellow, green, white, black.'),
        ("lamp red", "1: game.txt, line 2: lit: none, expected: red."),
        ("lamp blinking", '2: game.txt, line 2: there is no "" here'),
        ("lamp none blinking", '2: game.txt, line 2: there is no "none" here'),
        ("panel", "2: game.txt, line 2: panel: bright, dim, off?"),
        ("panel red", "2: game.txt, line 2: panel: bright, dim, off?"),
        ("panel off", "1: game.txt, line 2: the panel is bright, expected: off."),
        ('expect "Umpi', '2: game.txt, line 2: expect "Umpi: No closing quotation'),
        ("press red\\", "2: game.txt, line 2: press red\\: No escaped character"),
        ("expect", "2: game.txt, line 2: expect: which text?"),
        ("expect not", "2: game.txt, line 2: expect: which text?"),
        ('expect "Which game?" "Chess"', '1: game.txt, line 2: "Chess" is not on the screen:\n'),
        ('expect not "Which game?"', '1: game.txt, line 2: "Which game?" is on the screen:\n'),
        ("wait", "2: game.txt, line 2: wait : how long, as in wait 600 ms?"),
        ("wait long", "2: game.txt, line 2: wait long: how long"),
        ("wait -5 ms", "2: game.txt, line 2: wait -5 ms: how long"),
        ("picture", "2: game.txt, line 2: picture: into which file?"),
        ("lanes 2", "2: game.txt, line 2: lanes: 0, 1 or 6?"),
        ("head", "2: game.txt, line 2: head: 0, 1 or 6?"),
        ("toss red", "2: game.txt, line 2: toss: this box has no funnel."),
        ("lift", "2: game.txt, line 2: lift: this box has no queue rail."),
        ("lay red blue", "2: game.txt, line 2: lay: one cube has room at the stop, not red blue."),
        ("lay crooked", '2: game.txt, line 2: there is no "" here'),
        ("scan", "2: game.txt, line 2: scan: which card?"),
        ("scan fire-1", "2: game.txt, line 2: scan: this box has no card scanner."),
        ("knock", "2: game.txt, line 2: knock: this box has no wall on a sensor head."),
        ("pull rail", "2: game.txt, line 2: pull: this box has no queue rail."),
        ("pull the head", "2: game.txt, line 2: pull: which one? There are: head, rail, scanner, panel."),
        ("plug red", "2: game.txt, line 2: plug: which one? There are: head, rail, scanner, panel."),
        ("picture /nowhere/at/all.png", "2: game.txt, line 2: picture /nowhere/at/all.png: "),
    ],
)
def test_a_failing_or_invalid_step_is_reported_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    """A message with place and cause, and an exit status."""
    assert play(tmp_path, f'expect "Which game?"\n{line}\npress red\n').startswith(message)


def test_the_light_of_the_panel_and_blinking_lamps_are_looked_at(tmp_path: Path) -> None:
    text = (
        TURN
        + """
        panel bright
        wait 5 min
        panel dim
        wait 25 min
        panel off
        lamp blue
        expect not "last run 100"
        press red
        panel bright
        expect "last run 100"
    """
    )
    assert play(tmp_path, text) == "14 steps, 9 presses"


def test_a_choice_is_pressed_on_any_key_and_page(tmp_path: Path) -> None:
    dodeka = 'game dodeka\npress red yellow ok ok\nchoose 11 2 11\nexpect "Yellow" "last pair 40"\n'
    assert play(tmp_path, dodeka + "hold back\nchoose 3\n") == "6 steps, 13 presses"
    shared = 'choose 3 8 1\npress ok\nchoose 1 2\nexpect "wins: lowest"\n'  # new game, whose key is the fifth
    assert play(tmp_path, shared) == "4 steps, 7 presses"
    assert play(tmp_path, "choose 3 3\ngame quiz\n").startswith(
        "1: game.txt, line 2: game quiz: Players? does not offer"
    )
    noticed = play(tmp_path, "choose 3\nhold ok\nchoose 1\n")
    assert noticed.startswith("1: game.txt, line 3: choose 1: a text stands there:\n")


def test_a_hash_begins_a_comment_where_it_begins_a_word(tmp_path: Path) -> None:
    """The number in its middle distinguishes the copies of a card."""
    text = 'scanner # a scanner\n#\n  # nothing\nscan fire-1#1 fire-1#2#3 # three cards\nexpect not "#2" \'# 2\' #"\n'
    assert play(tmp_path, text) == "3 steps, 0 presses"
    assert '"# 2" is not' in play(tmp_path, 'expect "# 2" # is not there')


def test_all_that_can_be_plugged_in_is_played_with(tmp_path: Path) -> None:
    text = """
        head 1
        rail
        scanner
        lay red
        lift
        lay crooked blue
        lift
        toss white
        knock
        scan fire-1
        expect "No card needed"
        pull head
        pull rail
        pull scanner
        pull panel
        expect not "Which game?"
        press ok red
        plug panel
        expect "Players?"
        plug head
        plug rail
        plug scanner
        wait 6 s
        expect "Players?"
    """
    assert play(tmp_path, text) == "24 steps, 2 presses"


def test_a_failed_expectation_shows_the_screen(tmp_path: Path) -> None:
    message = play(tmp_path, 'expect "Chess"')
    assert "▀" in message
    assert len(message.splitlines()) > 10


@pytest.mark.parametrize("text", [b"press \xff\n", b"\xff\xfe"])
def test_a_scenario_that_is_no_text_is_refused(tmp_path: Path, text: bytes) -> None:
    assert play(tmp_path, text).startswith("2: ")


def test_a_power_failure_keeps_the_game_and_the_clock_continues(tmp_path: Path) -> None:
    text = TURN + 'restart\nexpect "Resuming" "Dodéka"\nlamp blue\npress ok\nlamp blue\nexpect "last run 100"'
    assert play(tmp_path, text) == "10 steps, 9 presses"


def test_a_picture_is_kept_as_a_png(tmp_path: Path) -> None:
    assert play(tmp_path, f'picture "{tmp_path / "screen.png"}"') == "1 steps, 0 presses"
    with Image.open(tmp_path / "screen.png") as image:
        assert image.size == (128, 64)


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
