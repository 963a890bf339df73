"""What the commands say to people: one wording for one error, no JSON on a terminal, no raw error numbers."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import header
from tests.kit.patience import run_to_end
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel import Act, Match
from umpi.kernel.extras import packages, pip_install
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.referee.transcript import outcome_of
from umpi.simulator.page import serve

HEADER = {"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": {}}


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


@pytest.mark.slow
def test_games_are_a_table_on_a_terminal() -> None:
    """A real terminal; as JSON lines where --json asks for them, as a pipe has them."""
    ours, theirs = os.openpty()
    try:
        for arguments, first in (["games"], "GAME "), (["games", "--json"], '{"id": "battledodes"'):
            command = [sys.executable, "-m", "umpi", *arguments]
            done = run_to_end(command, stdout=theirs, check=True)
            assert done.stderr == b""
            assert os.read(ours, 1 << 16).decode().startswith(first)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("command", "what", "extra", "hidden"),
    [
        ("mqtt --broker localhost", "umpi mqtt", "mqtt", "paho"),
        ("mqtt --broker localhost", "umpi mqtt", "mqtt", "cryptography"),
        *(
            ("club", "umpi club", "club", name)
            for name in ("sqlalchemy", "alembic", "openskill", "paho", "cryptography")
        ),
        ("club --round dodeka --players Ann,Ben", "umpi club", "club", "openskill"),
        ("https", "HTTPS", "https", "cryptography"),
        ("verify", "umpi verify", "https", "cryptography"),
        *(
            (f"shelf{rest}", "umpi shelf", "shelf", "packaging")
            for rest in ("", " add .", " remove .", " show night-owl")
        ),
        ("install night-owl", "umpi install", "shelf", "cryptography"),
        ("publish .", "umpi publish", "shelf", "packaging"),
        ("publish . --remove night-owl", "umpi publish", "shelf", "cryptography"),
        ("lab dodekka --executor dask://127.0.0.1:8786", "--executor", "lab", "distributed"),
    ],
)
def test_a_missing_package_has_one_wording_and_the_pip_of_this_python(
    command: str, what: str, extra: str, hidden: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Each command that needs an extra says so before it does anything, and names all packages of the extra."""
    nothing: Any = None
    for name in {hidden, *(name for name in sys.modules if name.partition(".")[0] == hidden)}:
        monkeypatch.setitem(sys.modules, name, nothing)  # also what another test has imported
    for name in [name for name in sys.modules if name in ("umpi.mqtt.broker", "umpi.club.store")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(command.split()) == 2
    pip = pip_install(*packages(extra))
    assert capsys.readouterr() == ("", f"umpi: {what} needs more Python packages. To install them: {pip}\n")
    assert not [*tmp_path.iterdir()]


def test_the_number_one_takes_the_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path / "games.db")
    match = journal.begin(HEADER)
    journal.append(match, [{"do": "throw", "keep": [], "dice": [1, 4, 8], "at": 7}], "panel")
    journal.close()
    assert main(["history", "--journal", str(tmp_path / "games.db")]) == 0
    assert "(not over, 1 move)" in capsys.readouterr().out
    exported = str(tmp_path / "all.jsonl")
    assert main(["history", "--export", exported, "--journal", str(tmp_path / "games.db")]) == 0
    assert capsys.readouterr().out.startswith(f"Exported 1 match to {exported}. ")
    assert main(["history", "1", "--trace", "1", "--journal", str(tmp_path / "games.db")]) == 2
    assert "Match 1 has 0 recorded tosses of cubes." in capsys.readouterr().err


def test_the_list_of_matches_reads_what_is_kept_of_their_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replaying ten thousand matches would take minutes. It says the same as their moves."""
    where = ("--journal", str(tmp_path / "games.db"))
    with closing(Journal(tmp_path / "games.db")) as journal:
        for seed, game in enumerate(("dodeka", "battledodes", "quiz")):
            match = play_out(find(game), ("Ann", "Ben"), seed=seed)
            uid = journal.begin(header(game, match.players))
            journal.append(uid, [act.line() for act in match.acts], "panel", (), outcome_of(match))
    with monkeypatch.context() as patch:
        patch.setattr("umpi.cli.history.replay", None)
        assert main(["history", *where]) == 0
    kept = capsys.readouterr().out
    assert [main(["history", str(number), *where]) for number in (1, 2, 3)] == [0, 0, 0]
    assert capsys.readouterr().out == kept
    assert (kept.count("won by"), kept.count("shared by")) == (2, 1)


def test_a_tie_is_no_win_of_a_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A team may be called "Ann & Ben"."""
    match = Match(find("quiz"), ("Ann & Ben", "Cleo"), {"questions": 1})
    for verb in ("open", "close"):
        match.play(Act(verb))
    with closing(Journal(tmp_path / "games.db")) as journal:
        uid = journal.begin(header("quiz", match.players, questions=1))
        journal.append(uid, [act.line() for act in match.acts], "panel", (), outcome_of(match))
    for arguments in (["history"], ["history", "1"]):
        assert main([*arguments, "--journal", str(tmp_path / "games.db")]) == 0
        assert "Ann & Ben 0, Cleo 0 (shared by Ann & Ben and Cleo)" in capsys.readouterr().out


def test_a_busy_port_gets_a_clear_message(tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--port", str(port), "--journal", str(tmp_path / "games.db")]) == 2
    printed = capsys.readouterr().err
    assert printed == f"umpi: Port {port} is in use, by another box perhaps. Choose another: --port {port + 1}\n"


def test_an_invalid_host_gets_a_clear_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """192.0.2.0/24 is for documentation: no machine has such an address."""
    assert main(["sim", "--host", "192.0.2.1", "--port", "0", "--journal", str(tmp_path / "games.db")]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("umpi: The page cannot be served at 192.0.2.1: ")
    assert printed.endswith("Choose an address of this machine: --host 127.0.0.1\n")
    assert "Errno" not in printed


@pytest.mark.parametrize("writable", [True, False])
def test_only_commands_that_use_the_journal_print_its_place(
    writable: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A free port: the line says the real one."""
    from umpi.box.config import Config

    async def serve_nobody(page: Any, listening: Any, stop: asyncio.Event) -> None:
        stop.set()

    monkeypatch.setattr("umpi.simulator.page.Page.serve", serve_nobody)
    path = tmp_path / "games.db"
    if not writable:
        path.mkdir()
    serve(Config(journal=path), tmp_path, "127.0.0.1", 0)
    where, phones, games, stop = capsys.readouterr().out.splitlines()
    assert where.startswith("Umpi runs at http://127.0.0.1:")
    assert int(where.rpartition(":")[2].strip("/")) > 0
    assert (phones, stop) == (
        "Only this computer can open it. For phones, start it with --lan.",
        "Press Ctrl-C to stop.",
    )
    if writable:
        assert games == f"Matches are saved in {path}."
    else:
        assert games.startswith(f"Matches are NOT SAVED: {path}: ")


@pytest.mark.parametrize("kind", [PermissionError, IsADirectoryError])
def test_no_error_number_reaches_people(
    kind: type[OSError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path) -> Any:
        raise kind(13, "It may not be read", str(path))

    monkeypatch.setattr("umpi.cli.history.open_to_read", refuse)
    assert main(["history", "--journal", "games.db"]) == 2
    assert capsys.readouterr().err.startswith("umpi: games.db: It may not be read")
