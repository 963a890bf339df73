"""How commands end that run for long or are cut off, and how they tell on a terminal how far they are."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import header
from tests.kit.patience import run_to_end
from umpi.cli import lab, main, review, shelf, update
from umpi.cli.terminal import Problem
from umpi.cli.truth import keep_truth
from umpi.journal import Foreign, InUse, Journal
from umpi.service.run import NoHeader, NoPins


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("fault", "status", "why"),
    [
        (None, 0, ""), (KeyboardInterrupt(), 130, ""), (NoPins("no pins"), 2, "umpi: no pins\n"),
        (NoHeader("no header"), 78,
         "umpi: no header. Without pins, play on the virtual box: umpi sim. With [desk] in umpi.toml, this box has a "
         "page, and phones can play on it.\n"),
        (InUse(Path("games.db"), "7", Path("own.db")), 1,
         "umpi: games.db is in use by another box (process 7). Stop that box, or start this one with a journal of its "
         "own: --journal own.db\n"), (Foreign("it is foreign"), 78, "umpi: it is foreign\n"),
    ],
)  # fmt: skip
def test_a_box_ends_with_a_status_by_which_its_service_starts_it_again_or_not(
    fault: BaseException | None, status: int, why: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], tmp_path: Path,
) -> None:  # fmt: skip
    ran: list[tuple[object, ...]] = []

    def run(config: Any, ready: Callable[[], object]) -> None:
        ran.append((config.journal.relative_to(tmp_path), config.own_journal, gc.isenabled()))
        ready()
        if fault:
            raise fault

    noted: list[Any] = []
    monkeypatch.setattr("umpi.service.run.run", run)
    monkeypatch.setattr("umpi.shelf.installed.Packages.note", lambda *given: noted.append(given[1:]))
    assert main(["run", "--journal", str(tmp_path / "games.db")]) == status
    assert (ran, gc.isenabled()) == ([(Path("games.db"), False, False)], True)
    assert [journal.name for journal, _ in noted] == ["games.db"]
    assert capsys.readouterr().err == why
    ran.clear()
    main(["run"])
    assert ran == [(Path("data/umpi/games.db"), True, False)]


def test_a_command_whose_reader_has_gone_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python still flushes at its end goes nowhere."""
    done: list[tuple[object, ...]] = []

    def broken(*given: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr("umpi.cli.games.run_games", broken)
    monkeypatch.setattr("os.open", lambda *given: done.append(given) or 77)
    monkeypatch.setattr("os.dup2", lambda *given: done.append(given))
    monkeypatch.setattr("sys.stdout", type("Out", (), {"fileno": lambda self: 1, "isatty": lambda self: False})())
    assert main(["games"]) == 0
    assert done == [(os.devnull, os.O_WRONLY), (77, 1)]


@pytest.mark.parametrize(
    "words", ["games", "schema dodeka", "rules dodeka", "play-out dodeka --seed 1", "replay it.jsonl",
              "replay --trace it.jsonl", "replay nowhere.jsonl", "judge it.jsonl", "history", "lab dodeka --games 1",
              "sim --steps", "sim --port 0", "--help",
              "history --help", "--version"],
)  # fmt: skip
def test_output_that_cannot_be_written_has_one_line_and_a_status_of_its_own(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1 and 2 would say something of the rules, or of the file that is read."""
    Path("it.jsonl").write_text('{"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"]}\n')
    with closing(Journal(Path("data/umpi/games.db"))) as journal:
        journal.begin(header("dodeka", ("Ann", "Ben")))
    for output, why in (("/dev/full", "No space left on device."), (None, "standard output is closed.")):
        with open(output or os.devnull, "w") as full:
            monkeypatch.setattr("sys.stdout", full if output else None)
            assert main(words.split()) == 74
        assert capsys.readouterr().err == f"umpi: {'standard output: ' if output else ''}{why}\n"


def test_what_a_check_or_a_new_package_says_on_a_full_disk_is_no_fault_of_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ("new-game mine", "check dodeka --renew --snapshot kept"):
        with open("/dev/full", "w") as full:
            monkeypatch.setattr("sys.stdout", full)
            assert main(words.split()) == 74
        assert capsys.readouterr().err == "umpi: standard output: No space left on device.\n"


def test_a_full_disk_ends_the_whole_process_with_the_same_status() -> None:
    """At its end, Python writes what is left in its buffers. That must not fail again."""
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "umpi", "play-out", "dodeka", "--seed", "1"]
        done = run_to_end(command, stdout=full, text=True)
    assert (done.returncode, done.stderr) == (74, "umpi: standard output: No space left on device.\n")


class Screen:
    """A terminal at standard error, and a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
        self.now_s, self.text, self.flushed = 100.0, "", 0
        self._terminal = terminal
        monkeypatch.setattr("time.monotonic", lambda: self.now_s)
        monkeypatch.setattr(sys, "stderr", self)

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        self.flushed += 1


def test_games_and_reviews_tell_on_a_terminal_how_long_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal in (True, False):
        screen = Screen(monkeypatch, terminal)
        games, moves = lab._Progress(3, {"target": 50}, ["target=50,60"]), review._Progress()
        for number in (1, 2, 3):
            screen.now_s += 60.0
            games(number)
            moves(number, 3)
        expected = (
            "\rtarget=50 1 of 3 games, 2:00 left \r1 of 3 moves, 2:00 left "
            "\rtarget=50 2 of 3 games, 1:00 left \r2 of 3 moves, 1:00 left "
            "\rtarget=50 3 of 3 games, 0:00 left \n\r3 of 3 moves, 0:00 left \n"
        )
        assert (screen.text, bool(screen.flushed)) == ((expected, True) if terminal else ("", False))


def test_an_update_tells_each_tenth_and_on_a_terminal_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal, text in (
        (True, "\rWriting: 0 %\rWriting: 10 %\rWriting: 29 %\rWriting: 100 %\n"),
        (False, "Writing: 0 %\nWriting: 10 %\nWriting: 29 %\nWriting: 100 %\n"),
    ):
        screen = Screen(monkeypatch, terminal)
        show = update._progress("Writing")
        for done in (0, 9, 10, 19, 29, 100):
            show(done, 100)
        assert screen.text == text
        update._progress("Reading")(0, 0)
        assert screen.text.removeprefix(text).startswith("\rReading: 0 %" if terminal else "Reading: 0 %\n")
        shelf._say("fetching it")
        assert ("umpi: fetching it …\n" in screen.text) == terminal


def test_what_a_person_checks_by_hand_is_listed_as_it_comes_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from umpi.doctor.finding import Finding

    found = [Finding("lamps", "ok", "they shine")]
    asked: list[object] = []

    @contextmanager
    def opened(config: Any, clock: Any, post: Any) -> Any:
        asked.append((type(config).__name__, clock.__name__, post.__name__))
        yield "the box", "the pins"

    class Bench:
        def clock(self) -> int:
            return 0

        def post(self, event: object) -> None: ...

    monkeypatch.setattr("umpi.doctor.bench.Terminal", Bench)
    monkeypatch.setattr("umpi.cli.doctor._opened", opened)

    def checked(config: Any, box: str, bench: Any, steps: object = "all") -> list[Finding]:
        asked.append((box, steps))
        return found

    monkeypatch.setattr("umpi.doctor.steps.guide", checked)
    monkeypatch.setattr("umpi.doctor.steps.factory", checked)
    for words in (["--guide"], ["--guide", "lamps", "beams"], ["--factory"]):
        main(["doctor", *words])
        told = capsys.readouterr().out
        assert told.count("they shine") == 2, told
        assert "\n\n" in told
    assert asked[1::2] == [("the box", []), ("the box", ["lamps", "beams"]), ("the box", "all")]
    assert set(asked[::2]) == {("Config", "clock", "post")}
    monkeypatch.setattr("sys.stdin", None)
    assert [main(["doctor", word]) for word in ("--guide", "--factory")] == [2, 2]
    assert capsys.readouterr().err.count("asks you to act and look: run it in a terminal.") == 2


TRACES = Path(__file__).parents[1] / "traces"
QUESTIONS = "Lanes of the cubes as they really came out, 1 to 6, like 3 1: ", "What happened, in one sentence: "
SAW = "The beams saw: lane 6, lane 3, lane 2 (clear)\n"


@pytest.mark.parametrize(
    ("typed", "truth", "told"),
    [
        ("6 3, 2\nthey ran\n", {"happened": "they ran", "from": "table", "lanes": [5, 2, 1], "verdict": "clear"},
         f"{SAW}Wrote it.jsonl and it.truth.json. The verdict is clear.\n"),
        ("6 2 3\n they ran \n", {"happened": "they ran", "from": "table", "lanes": [5, 1, 2], "verdict": "wrong"},
         f"{SAW}Wrote it.jsonl and it.truth.json. The verdict is wrong.\n"),
        ("1 7 0 x\n", None, f"{SAW}Nothing was written: expected lanes from 1 to 6, got 7 0 x."),
        ("6\n \n", None, f"{SAW}Nothing was written: describe in one sentence what happened."),
        ("6\n", None, f"{SAW}Nothing was written: describe in one sentence what happened."),
        ("", None, f"{SAW}Nothing was written: describe in one sentence what happened."),
    ],
)  # fmt: skip
def test_the_truth_about_a_toss_is_kept_beside_its_trace(
    typed: str, truth: dict[str, object] | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    trace = (TRACES / "free-fall-two-beams.jsonl").read_text()
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    why = ""
    try:
        assert keep_truth(trace, "it") == 0
    except Problem as problem:
        why = str(problem)
    asked = capsys.readouterr().out
    for question in QUESTIONS:
        asked = asked.replace(question, "")
    assert asked + why == told
    files = {file.name: file.read_text() for file in tmp_path.glob("it*")}
    assert files == ({} if truth is None else {"it.jsonl": trace, "it.truth.json": f"{json.dumps(truth)}\n"})
    if truth:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(Problem, match=r"^it\.jsonl: File exists$"):
            keep_truth(trace, "it")


def test_a_doubtful_toss_says_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rest, none = (TRACES / "rest-one-beam.jsonl").read_text(), '{"umpi-trace": 1, "lanes": 1, "beams": 1}\n'
    for name, trace, saw, verdict in (
        ("rest", rest, "lane 1 (doubtful: long)", "doubtful"), ("none", none, "no cube (clear)", "wrong"),
    ):  # fmt: skip
        monkeypatch.setattr("sys.stdin", io.StringIO("1\nit lay there\n"))
        keep_truth(trace, name)
        told = capsys.readouterr().out
        assert told.startswith(f"The beams saw: {saw}\n"), told
        assert told.endswith(f"The verdict is {verdict}.\n")
