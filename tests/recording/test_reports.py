"""Reports of a box: at a fault, from the menu and for `umpi report`; a fault is found from the file alone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded import recorded

from tests.kit.patience import soon, wait_for
from tests.kit.rig import Rig, Rigs
from umpi.box.config import COLOURS, Config
from umpi.cli import main
from umpi.display.names import GROUPS
from umpi.journal import claimed
from umpi.kernel.registry import find, games
from umpi.recording.ask import ANSWERS, Unanswered, answering, ask_box
from umpi.recording.names import CannotRename, _pattern, _renamed, without_names
from umpi.recording.replay import Replay, described
from umpi.recording.report import KEPT, reports, write_file, write_report
from umpi.recording.session_file import SessionFault
from umpi.service.run import _run_loop, run_until_signal
from umpi.simulator.script import play_script
from umpi.table.commands import AskToJoin, NamePlayer, StartMatch
from umpi.table.joining import Claim
from umpi.web.codes import Codes


@pytest.fixture(scope="module")
def session() -> list[bytes]:
    return recorded()


def newest(rig: Rig) -> Path:
    """Wait until the reports are written, and return the newest."""
    rig.loop.finish_finding()
    return reports(rig.config.journal.parent / "reports")[-1]


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: the rules of Dodéka fail when the dice are 1, 2, 3."""
    real = find("dodeka").do_throw

    def do_throw(self: Any, *given: Any, **named: Any) -> Any:
        if (1, 2, 3) in (*given, *named.values()):
            raise ZeroDivisionError("planted")
        return real(self, *given, **named)

    monkeypatch.setattr(find("dodeka"), "do_throw", do_throw)


def test_a_planted_fault_is_found_from_the_report_alone(in_play: Any, planted: None) -> None:
    rig = in_play()
    rig.press("red blue yellow")
    texts_shown, fault_at = [], 0
    with newest(rig).open("rb") as lines:
        replay = Replay(lines, games(), find)
        for step in replay:
            texts = described(step.effects)
            texts_shown += texts
            fault_at = fault_at or step.number * any(text.startswith("fault") for text in texts)
    why = 'Dodéka rules failed on "throw": ZeroDivisionError: planted.'
    assert replay.header["why"] == f"fault: {why}"
    assert f"fault {why}" in texts_shown
    assert fault_at


def test_a_fault_that_returns_is_reported_once(in_play: Any, planted: None) -> None:
    rig = in_play()
    for _ in range(3):
        rig.press("red blue yellow")
        rig.press("ok back back back")
    newest(rig)
    assert len(reports(rig.config.journal.parent / "reports")) == 1


def test_a_folder_that_cannot_be_written_is_reported(in_play: Any) -> None:
    rig = in_play()
    (rig.config.journal.parent / "reports").write_text("in the way")
    rig.press("back", ms=1000)
    rig.choose("Report a problem")
    rig.loop.finish_finding()
    rig.settle()
    assert rig.shows("The report cannot be written."), rig.screen


def test_the_newest_reports_are_kept(tmp_path: Path) -> None:
    for _ in range(KEPT + 3):
        write_report(tmp_path, [b"{}\n"])
    assert [path.name for path in reports(tmp_path)] == [f"session-{number}.jsonl" for number in range(4, KEPT + 4)]


def test_a_report_has_no_names_if_asked_and_still_replays(session: list[bytes]) -> None:
    whole = b"".join(session)
    assert b'"Ann"' in whole
    lines = without_names(session, games(), find)
    assert b"Ann" not in b"".join(lines)
    assert b"Player 1" in b"".join(lines)
    assert len(list(Replay(lines, games(), find))) == len(list(Replay(session, games(), find)))
    with pytest.raises(SessionFault):
        without_names(session[:-3], games(), find)


@pytest.mark.parametrize("command", [NamePlayer("Zoë"), AskToJoin(Claim("hash", 0, "Zoë", "Android", "10.0.0.2"))])
def test_a_name_from_a_phone_is_replaced_too(rigs: Rigs, in_play: Any, command: Any) -> None:
    rigs.codes_of = Codes
    rig = in_play()
    rig.loop.request("", command, 0)
    rig.settle()
    rig.press("back", ms=1000)
    rig.choose("Report a problem")
    session = newest(rig).read_bytes().splitlines(keepends=True)
    assert "Zoë".encode() in b"".join(session)
    assert "Zoë".encode() not in b"".join(without_names(session, games(), find))


def played(folder: Path, script: str, players: tuple[str, ...]) -> list[bytes]:
    """A session of a scenario, at a box that knows these players."""
    (folder / "scenario.txt").write_text(script)
    play_script(folder / "scenario.txt", Config(journal=folder / "games.db", players=players), folder / "s.jsonl")
    return (folder / "s.jsonl").read_bytes().splitlines(keepends=True)


def test_names_that_are_words_of_the_format_or_begin_with_a_colour_are_replaced(tmp_path: Path) -> None:
    """ "Green 2" is what the box calls a second player at that button."""
    session = played(tmp_path, "game dodeka\npress red blue\n", ("Green Lantern", "Tick", "ok", "Green 2", "Player 2"))
    lines = without_names(session, games(), find)
    assert len(list(Replay(lines, games(), find))) == len(list(Replay(session, games(), find)))
    box = next(json.loads(line)["box"] for line in lines if b'"box"' in line)
    assert box["known"] == ["Player 1", "Player 2", "Player 3", "Green 2", "Player 4"]


def test_a_name_in_a_field_that_is_called_like_one_of_the_format_is_replaced() -> None:
    pattern, names = _pattern({"Ann": "Player 1"}), {"Ann": "Player 1"}
    act = {"#": "Act", "verb": "vote", "given": {"who": "Ann", "whom": "Ann"}}
    assert _renamed(act, pattern, names)["given"] == {"who": "Player 1", "whom": "Player 1"}
    assert _renamed('{"do": "vote", "who": "Ann"}', pattern, names) == '{"do": "vote", "who": "Player 1"}'
    assert _renamed({"#": "RemoteRequest", "who": "Ann"}, pattern, names)["who"] == "Ann"


def test_a_moderator_gets_another_name_too(in_play: Any, rigs: Rigs) -> None:
    rigs.codes_of = Codes
    rig = rigs()
    rig.loop.request("", StartMatch("quiz", ("Ann", "Ben"), (0, 1), moderator="Zoltan"), None)
    rig.settle()
    rig.press("back", ms=1000)
    rig.choose("Report a problem")
    session = newest(rig).read_bytes().splitlines(keepends=True)
    assert b"Zoltan" in b"".join(session)
    assert b"Zoltan" not in b"".join(without_names(session, games(), find))


def test_a_name_that_presses_spell_is_not_called_replaced(tmp_path: Path) -> None:
    press_maria = " ".join(spelled("MARIA"))
    script = f"game dodeka\npress red blue\npress red\npress ok\npress {press_maria}\npress ok\npress ok ok\n"
    session = played(tmp_path, script, ())
    assert any("Maria" in text for step in Replay(session, games(), find) for text in described(step.effects))
    with pytest.raises(CannotRename, match="typed with the buttons"):
        without_names(session, games(), find)


def spelled(name: str) -> Iterator[str]:
    """The buttons that spell a name."""
    for letter in name:
        group, letters = next((at, each) for at, each in enumerate(GROUPS.values()) if letter in each)
        page, key = divmod(letters.index(letter), 6)
        yield from (COLOURS[group], *["down"] * page, COLOURS[key])


def test_a_box_is_asked_by_a_signal_and_others_are_left_alone(tmp_path: Path) -> None:
    """The signal ends a process that does not expect it."""
    journal = tmp_path / "games.db"
    asked = []

    def answer(*_: object) -> None:
        asked.append(1)
        write_report(tmp_path / "reports", [b"{}\n"])

    before = signal.signal(signal.SIGUSR1, answer)
    try:
        assert ask_box(journal) is None
        with claimed(journal):
            assert ask_box(journal) is None, "a box that does not answer"
            with answering(journal):
                assert ask_box(journal) == tmp_path / "reports" / "session-1.jsonl"
                signal.signal(signal.SIGUSR1, signal.SIG_IGN)
                with pytest.raises(Unanswered, match="has written none"):  # an older report is not the answer
                    ask_box(journal, patience_s=0)
        assert ask_box(journal) is None
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert asked == [1]


def test_a_box_writes_a_report_at_the_signal_and_stops_at_the_other(in_play: Any) -> None:
    rig = in_play()

    async def serve() -> None:
        serving = asyncio.create_task(run_until_signal(rig.loop, None))
        while not rig.loop.turned:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        with claimed(rig.config.journal):
            assert await asyncio.to_thread(ask_box, rig.config.journal) == newest(rig)
        os.kill(os.getpid(), signal.SIGTERM)
        await serving

    asyncio.run(soon(serve()))
    with newest(rig).open("rb") as lines:
        replay = Replay(lines, games(), find)
        assert list(replay)
    assert replay.header["why"] == "umpi report"
    assert any("record" in line for line in replay.aside), "the match in play"


@pytest.mark.slow
def test_a_virtual_box_is_asked_too(tmp_path: Path) -> None:
    journal = str(tmp_path / "games.db")
    command = [sys.executable, "-m", "umpi", "sim", "--port", "0", "--journal", journal]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as box:
        try:
            wait_for((tmp_path / "reports" / ANSWERS).exists)
            assert main(["report", "--journal", journal, "--output", str(tmp_path / "report.jsonl")]) == 0
        finally:
            box.terminate()
    with (tmp_path / "report.jsonl").open("rb") as lines:
        assert list(Replay(lines, games(), find))


def test_a_loop_that_fails_leaves_a_report(in_play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is logged; the report shows what led to it."""
    rig = in_play()

    def fail(now_ns: int) -> int:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(rig.referee, "due_ns", fail)
    with pytest.raises(ZeroDivisionError):
        _run_loop(rig.loop, None)
    with newest(rig).open("rb") as lines:
        assert Replay(lines, games(), find).header["why"] == "crash: ZeroDivisionError: planted"


def test_the_command_copies_the_newest_report(in_play: Any, tmp_path: Path, capsys: Any) -> None:
    journal, copy = tmp_path / "games.db", tmp_path / "copy.jsonl"
    assert main(["report", "--journal", str(journal), "--output", str(copy)]) == 1
    assert "There is no report in" in capsys.readouterr().err
    rig = in_play()
    rig.press("back", ms=1000)
    rig.choose("Report a problem")
    assert newest(rig).stat().st_mode & 0o077 == 0, "as private as the journal"
    assert main(["report", "--journal", str(journal), "--output", str(copy), "--replace-names"]) == 0
    assert main(["replay-session", str(copy)]) == 0
    before = journal.read_bytes()
    assert main(["report", "--journal", str(journal), "--output", str(journal)]) == 2
    assert journal.read_bytes() == before


def test_a_file_is_whole_or_as_before_a_link_stays_one_and_a_pipe_gets_its_lines(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise OSError("No space left on device")

    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    write_file(file, [b"one\n"])
    link.symlink_to(file)
    write_file(link, [b"two\n"])
    assert (link.is_symlink(), file.read_bytes()) == (True, b"two\n")
    with pytest.raises(OSError, match="No space"):
        write_file(file, broken())
    assert file.read_bytes() == b"two\n"
    for folder in (tmp_path, Path("."), Path("")):
        with pytest.raises(IsADirectoryError):
            write_file(folder, [b"three\n"])
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, [b"four\n"])
    assert os.read(reader, 9) == b"four\n"
    os.close(reader)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "link", "pipe"]
