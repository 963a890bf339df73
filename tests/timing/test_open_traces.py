"""The open set of traces: each verdict is as its truth says, and `umpi history --truth` adds one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from umpi.cli import main
from umpi.timing.traces import judge_file

ROOT = Path(__file__).parents[2]
TRACES = sorted((ROOT / "tests/traces").glob("*.jsonl"))
KEYS = ["happened", "from", "lanes", "verdict"]


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
    truths = {path.name.removesuffix(".truth.json") for path in (ROOT / "tests/traces").glob("*.truth.json")}
    assert truths == {path.stem for path in TRACES}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("truth") / "games.db"
    script = ROOT / "tests/scenarios/dohdles-six-lanes.txt"
    assert main(["sim", "--script", str(script), "--journal", str(path)]) == 0
    return str(path)


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
