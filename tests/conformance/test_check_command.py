"""`umpi check`: a line a check, and an exit status."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from planted import FAULTS

from umpi.conformance import command, examine
from umpi.conformance.checks import CHECKS
from umpi.conformance.flaws import Flawed
from umpi.conformance.records import check_records
from umpi.conformance.snapshot import check_snapshot
from umpi.kernel.registry import find

BAG = """\
ok  declaration  108 positions checked
ok  purity       180 positions checked; replayed with other hashes: 3 games
ok  legality     48 positions checked
ok  offers       162 positions checked
ok  end          12 games, 114 acts; the longest 15 of 16; acts of a whole game: 4 to 15, 10 in the middle; \
winner has the highest score in 10 of 10
ok  turns        each seat is asked, each act is offered
ok  record       12 positions checked
ok  undo         12 positions checked
ok  amend        12 positions checked
ok  texts        112 positions checked
ok  screens      126 positions checked
ok  presses      2.7 presses per act, 5 at most; 30 acts entered
ok  audit        126 positions checked
ok  view         126 positions checked
-   board        not there
-   calls        not there
-   now          not there
-   setup        not there
-   hands        not there
-   lesson       not there
-   worths       not there
ok  speed        N Python calls per act (limit 500); here N acts per second
"""


@pytest.mark.slow
def test_each_check_is_a_line_with_its_figures(capsys):
    """Bag has no board, calls and so on; exit status 0 where all hold."""
    assert command.run("planted:Bag", games=1) == 0
    printed = re.sub(r"\d+( Python calls per act .*; here )[\d,]+", r"N\1N", capsys.readouterr().out)
    assert printed == BAG
    assert [line[3:15].strip() for line in BAG.splitlines()] == list(CHECKS)


@pytest.mark.slow
def test_a_flaw_is_printed_with_its_record_and_status_one(capsys):
    """Exit status 1: a flaw."""
    assert command.run("planted.around:Torn", games=1, seed=2) == 1
    printed = capsys.readouterr().out
    assert "\nFAILED audit: Its audit says: the stones are not all there once.\nBag, " in printed
    assert '\n{"umpi": 1, "game": "bag", ' in printed
    assert len(re.findall(r"^(ok |- ) ", printed, re.M)) == len(CHECKS) - 1


def test_an_installed_game_is_found_by_its_id(monkeypatch, capsys):
    """`umpi check GAME`."""
    seen = []
    monkeypatch.setattr(
        command, "examine", lambda game, games, seed, progress: seen.append((game.id, games, seed)) or ()
    )
    monkeypatch.setattr(command, "unrun", lambda *_: "")
    assert command.run("dodekka", 7, 9) == 0
    assert seen == [("dodekka", 7, 9)]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chess", 'No game "chess" is installed'), ("no.such:Game", "no.such:Game does not load: ModuleNotFoundError"),
        ("planted:Nobody", "AttributeError"), (":Bag", "ValueError"), ("leaves:Game", "SystemExit: gone"),
    ],
)  # fmt: skip
def test_an_engine_that_is_not_found_gives_one_line_and_status_two(spec, message, tmp_path, monkeypatch, capsys):
    """Exit status 2: it cannot be found."""
    (tmp_path / "leaves.py").write_text("raise SystemExit('gone')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert command.run(spec, games=1) == 2
    error = capsys.readouterr().err
    assert error.startswith("umpi: ")
    assert message in error
    assert error.count("\n") == 1


def test_a_module_of_the_current_folder_is_found(tmp_path, monkeypatch, capsys):
    """`module:Class` is imported with the current folder on the path; what is no engine fails its declaration."""
    (tmp_path / "mine_alone.py").write_text("class Mine:\n    id = 'mine'\n    umpi_api = 3\n\n\nnumber = 4\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert command.run("mine_alone:Mine", games=1) == 1
    assert command.run("mine_alone:number", games=1) == 1
    printed = capsys.readouterr().out
    assert "FAILED declaration: Mine cannot be an engine: the class Mine does not extend umpi.kernel.Game" in printed
    assert "FAILED declaration: 4 cannot be an engine: the entry point is not a class" in printed


def test_a_long_check_says_how_far_it_has_come(capsys):
    """A game that never ends was silent for ten minutes."""
    now_s = 0.0
    hear = command.Progress(lambda: now_s)
    for now_s in (1.0, 4.9, 5.0, 6.0, 10.0):
        hear(f"act {now_s}", now_s / 40)
    assert capsys.readouterr().err == "umpi: act 5.0, about 35 s left …\numpi: act 10.0, about 30 s left …\n"
    now_s = 20.0
    hear("1,000 lines")
    assert capsys.readouterr().err == "umpi: 1,000 lines …\n"
    now_s = 30.0
    hear("the end", 1.0)
    assert capsys.readouterr().err == "umpi: the end …\n"


@pytest.mark.slow
def test_progress_is_reported_at_the_first_act_of_a_game_and_every_twenty_acts():
    (endless,) = (game for game in FAULTS["end"] if game.__name__ == "Endless")
    messages = []
    long = type("Long", (endless,), {"longest": 250, "__doc__": "Goes on."})
    list(examine(long, 1, options=[{}], progress=lambda *given: messages.append(given)))
    assert [text for text, _ in messages[:2]] == ["game 1, 2 seats, act 1", "game 1, 2 seats, act 21"]
    shares = [share for _, share in messages]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1


@pytest.mark.slow
def test_an_endless_game_is_found_before_anything_else_is_examined():
    """Counted in acts: a game that declares 100,000 acts was silent for 9 minutes and 44 seconds."""
    (endless,) = (game for game in FAULTS["end"] if game.__name__ == "Endless")
    played = 0

    class Counted(endless):
        """Goes on, and counts its acts."""

        longest = 100_000

        def do_draw(self, *given, **named):
            nonlocal played
            played += 1
            return super().do_draw(*given, **named)

    flaws = {found.check: found.flaw for found in examine(Counted, 1, options=[{}]) if found.flaw}
    assert "A random game has not ended after 20,000 acts" in str(flaws["end"])
    assert played < 25_000  # one game without looks, and few acts with looks


HEADER = b'{"umpi": 1, "game": "quiz", "players": ["Ann", "Ben"], %s}\n'


@pytest.mark.parametrize(
    ("look", "content", "why"),
    [
        (check_records, HEADER % b'"totals": 5', ", line 1: `totals` must be a list"),
        (check_records, HEADER % b'"totals": [[0, 0], 1]', ", line 1: `totals` must be a list"),
        (check_records, HEADER % b'"expect": [1]', ", line 1: `expect` must be an object"),
        (check_records, None, ": Is a directory."),
        (check_snapshot, None, " cannot be read: Is a directory."),
        (check_snapshot, b"<<<<<<< HEAD\n", " cannot be read: not JSON"),
        (check_snapshot, "{}".encode("utf-16"), " cannot be read: 'utf-8' codec"),
    ],
)
def test_a_damaged_file_is_named_and_not_the_rules(look, content: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.mkdir() if content is None else file.write_bytes(content)
    with pytest.raises(Flawed, match=f"^{look.__name__[6:]}: {re.escape(f'{file}{why}')}"):
        look(find("quiz"), tmp_path)
