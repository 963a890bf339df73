"""An announcement's raw edges: kept with the match, exported and judged again; and the open set of traces.

Each verdict of the set is as its truth says, and `umpi history --truth` adds one.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from umpi.cli import main
from umpi.timing.traces import judge_file

TESTS = Path(__file__).parents[1]
SIX_LANES = TESTS / "scenarios" / "dohdles-six-lanes.txt"
TRACES = sorted((TESTS / "traces").glob("*.jsonl"))
KEYS = ["happened", "from", "lanes", "verdict"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The journal of a whole game with announcements clear, too close, by hand, accepted and stuck."""
    path = tmp_path_factory.mktemp("traces") / "games.db"
    assert main(["sim", "--script", str(SIX_LANES), "--journal", str(path)]) == 0
    return str(path)


def exported(journal: str, number: int, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Path:
    capfdbinary.readouterr()
    assert main(["history", "1", "--trace", str(number), "--journal", journal]) == 0
    file = folder / "trace.jsonl"
    file.write_bytes(capfdbinary.readouterr().out)
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "verdict", "margin_us", "doubts"),
    [(1, "doubtful", 800, ["dead-heat"]), (2, "clear", 5200, []), (4, "doubtful", 1500, ["dead-heat"])],
)
def test_an_exported_trace_is_judged_as_it_was_at_the_table(
    journal: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes],
    number: int, verdict: str, margin_us: int, doubts: list[str],
) -> None:  # fmt: skip
    """Traces are kept so that a verdict can be looked at, disputed and judged again."""
    assert main(["judge", str(exported(journal, number, tmp_path, capfdbinary))]) == 0
    first, second, last = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert (first["lane"], first["margin_us"], first["doubts"]) == (2, margin_us, doubts)
    assert (second["lane"], second["margin_us"]) == (0, None)
    assert last == {"cubes": 2, "verdict": verdict, "notes": []}


def test_the_record_with_its_notes_and_undos_replays(
    journal: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The journal stores the same actions."""
    capfdbinary.readouterr()
    assert main(["history", "1", "--record", "--journal", journal]) == 0
    (tmp_path / "game.jsonl").write_bytes(record := capfdbinary.readouterr().out)
    assert b'{"note": "toss again: Too close to call.' in record
    assert main(["replay", str(tmp_path / "game.jsonl")]) == 0
    assert json.loads(capfdbinary.readouterr().out)["state"]["winners"] == [1]


def test_an_unusable_trace_gives_one_line_and_status_2(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["judge", str(tmp_path / "none.jsonl")]) == 2
    assert json.loads(capfdbinary.readouterr().out)["line"] is None
    (tmp_path / "bad.jsonl").write_text('{"umpi-trace": 1, "lanes": 1, "beams": 1}\n{"seq": 0}\n')
    assert main(["judge", str(tmp_path / "bad.jsonl")]) == 2
    printed = json.loads(capfdbinary.readouterr().out)
    assert (printed["line"], sorted(printed)) == (2, ["error", "line"])


def test_a_missing_trace_is_reported(journal: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["history", "1", "--trace", "99", "--journal", journal]) == 2
    assert b"recorded tosses of cubes" in capfdbinary.readouterr().err


def test_a_picture_of_the_finish_is_written_beside_the_same_verdict(
    journal: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    trace, picture = exported(journal, 1, tmp_path, capfdbinary), tmp_path / "finish.svg"
    assert main(["judge", str(trace)]) == 0
    judged = capfdbinary.readouterr().out
    assert main(["judge", str(trace), "--svg", str(picture)]) == 0
    assert capfdbinary.readouterr().out == judged
    drawn = ElementTree.fromstring(picture.read_text("utf-8"))
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Too close to call: Lane 3 and Lane 1.", "1. Lane 3", "2. Lane 1"} <= set(texts)


@pytest.mark.parametrize(
    ("lines", "out", "status", "why"),
    [
        ("", "finish.svg", 1, "no cube fell, so there is no race to draw"),
        ("toss", "nowhere/finish.svg", 2, "nowhere/finish.svg"),
        ("toss", "trace.jsonl", 2, "is the file with the signals"),
    ],
)
def test_a_picture_that_cannot_be_written_is_refused_and_nothing_is_lost(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], lines: str, out: str, status: int, why: str
) -> None:
    trace = tmp_path / "trace.jsonl"
    edge = '{{"seq": {}, "t": {}, "lane": 1, "beam": 0, "dark": {}}}\n'
    toss = edge.format(1, 0, "true") + edge.format(2, 14_000_000, "false")
    written = '{"umpi-trace": 1, "lanes": 2, "beams": 1}\n' + (toss if lines else "")
    trace.write_text(written)
    assert main(["judge", str(trace), "--svg", str(tmp_path / out)]) == status
    said = capfd.readouterr()
    assert why in said.err
    assert said.out == "", "no verdict before the picture is written"
    assert trace.read_text() == written
    assert not (tmp_path / "finish.svg").exists()


def state(trace: Path, lanes: list[int]) -> str:
    with trace.open("rb") as file:
        *cubes, verdict = judge_file(file)
    if verdict["verdict"] == "doubtful":
        return "doubtful"
    return "clear" if [cube["lane"] for cube in cubes] == lanes else "wrong"


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_each_trace_is_judged_as_its_truth_says(trace: Path) -> None:
    truth = json.loads(trace.with_suffix(".truth.json").read_text())
    assert list(truth) == KEYS
    assert truth["from"] in ("table", "simulator", "model")
    assert state(trace, truth["lanes"]) == truth["verdict"], truth["happened"]


def test_every_file_belongs_to_a_trace() -> None:
    assert len(TRACES) >= 16
    truths = {path.name.removesuffix(".truth.json") for path in (TESTS / "traces").glob("*.truth.json")}
    assert truths == {path.stem for path in TRACES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "answer", "lanes", "verdict"),
    [("2", "3 1", [2, 0], "clear"), ("2", "1, 3", [0, 2], "wrong"), ("1", "3 1", [2, 0], "doubtful"),
     ("2", "", [], "wrong")],
)  # fmt: skip
def test_a_person_adds_what_really_happened(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    number: str, answer: str, lanes: list[int], verdict: str,
) -> None:  # fmt: skip
    answers = iter([answer, "Lane 3 came out first."])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    name = tmp_path / "first"
    command = ["history", "1", "--trace", number, "--truth", str(name), "--journal", journal]
    assert main(command) == 0
    assert "The beams saw: lane 3, lane 1 (" in capsys.readouterr().out
    truth = json.loads((tmp_path / "first.truth.json").read_text())
    assert truth == {"happened": "Lane 3 came out first.", "from": "table", "lanes": lanes, "verdict": verdict}
    assert state(tmp_path / "first.jsonl", lanes) == verdict

    answers = iter(["1", "Another story."])
    assert main(command) == 2, "it overwrites nothing"
    assert json.loads((tmp_path / "first.truth.json").read_text()) == truth


@pytest.mark.slow
@pytest.mark.parametrize("answers", [("7", "Seven."), ("red", "Red."), ("3 1", " ")])
def test_an_answer_that_will_not_do_writes_nothing(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    answers: tuple[str, str],
) -> None:  # fmt: skip
    given = iter(answers)
    monkeypatch.setattr("builtins.input", lambda question: next(given))
    command = ["history", "1", "--trace", "2", "--truth", str(tmp_path / "x"), "--journal", journal]
    assert main(command) == 2
    assert "Nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_truth_without_a_toss_is_refused(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "1", "--truth", "x", "--journal", journal]) == 2
    assert "--trace" in capsys.readouterr().err


def test_without_a_person_nothing_is_written(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    command = ["history", "1", "--trace", "2", "--truth", str(tmp_path / "x"), "--journal", journal]
    assert main(command) == 2
    assert "Nothing was written" in capsys.readouterr().err
