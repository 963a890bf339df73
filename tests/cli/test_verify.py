"""`umpi verify`: a record from the history is as its box has signed it, and no changed one passes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="pip install cryptography")

from tests.kit.journals import header
from umpi.box.identity import read_identity
from umpi.box.signing import SigningKey, read_key
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.referee.transcript import outcome_of

Edit = Callable[[list[str]], list[str]]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """The folder of a box that has kept a Dodéka and a game on the score pad that is not over."""
    folder = tmp_path / "box"
    folder.mkdir()
    read_identity(folder)
    assert read_key(folder, make=True)
    match = play_out(find("dodeka"), ("Zoë", "Ernő"), {}, 5)
    with closing(Journal(folder / "games.db")) as journal:
        number = journal.begin(header("dodeka", match.players), 1)
        journal.append(number, [act.line() for act in match.acts], "panel", (), outcome_of(match))
        journal.close_match(number)
        number = journal.begin(header("scorepad", ["Ann", "Ben"]), 1)
        journal.append(number, [{"do": "score", "seat": 0, "points": 5}], "panel")
        journal.leave(number)
    return folder


@pytest.fixture
def record(box: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The record of the Dodéka as the history prints it."""
    return printed(box, 1, tmp_path / "game.jsonl", capsys)


def printed(box: Path, number: int, file: Path, out: pytest.CaptureFixture[str]) -> Path:
    assert main(["history", str(number), "--record", "--journal", str(box / "games.db")]) == 0
    file.write_text(out.readouterr().out)
    return file


def test_a_record_is_as_it_was_signed(box: Path, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = read_key(box, make=False)
    assert key
    assert main(["verify", str(record)]) == 0
    said = capsys.readouterr().out
    assert key.public in said
    assert "Zoë" in said
    assert 'run "umpi verify" on the box' in said
    assert main(["verify", str(record), "--key", key.public]) == 0
    assert main(["verify", str(record), "--key", "0" * 64]) == 1
    assert main(["replay", str(record)]) == 0
    assert main(["verify", "--journal", str(box / "games.db")]) == 0
    assert capsys.readouterr().out.endswith(f"{key.public}\n")


def test_a_new_box_gets_its_key_for_the_first_record(
    box: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (box / "box.key").unlink()
    with monkeypatch.context() as patch:
        patch.setattr("os.geteuid", lambda: os.getuid() + 1)
        assert '"signed"' not in printed(box, 1, tmp_path / "theirs.jsonl", capsys).read_text()
        assert not (box / "box.key").exists(), "the box could not read the key of another user"
    assert main(["verify", str(printed(box, 1, tmp_path / "ours.jsonl", capsys))]) == 0


def test_a_match_that_is_not_over_is_verified_too(
    box: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = printed(box, 2, tmp_path / "pad.jsonl", capsys)
    assert main(["verify", str(file)]) == 0
    assert "not over" in capsys.readouterr().out


def resigned(lines: list[str], key: SigningKey, **wrong: Any) -> list[str]:
    """What somebody may write who has a key of their own."""
    head = json.loads(lines[0])
    content = {name: value for name, value in head["signed"].items() if name not in ("key", "signature")}
    return [dump({**head, "signed": key.sign("result", {**content, **wrong})}), *lines[1:]]


def with_tag(lines: list[str], **wrong: Any) -> list[str]:
    head = json.loads(lines[0])
    return [dump({**head, "signed": {**head["signed"], **wrong}}), *lines[1:]]


EVE = SigningKey.of("1" * 64)
CHANGES: dict[str, tuple[Edit, str]] = {
    "a line is lost": (lambda lines: lines[:-1], "not those that were signed"),
    "two lines are swapped": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "not those that were signed"),
    "a line is doubled": (lambda lines: [*lines, lines[-1]], "not those that were signed"),
    "a note is added": (lambda lines: [*lines, '{"note": "well played"}'], "not those that were signed"),
    "a player has another name": (
        lambda lines: [lines[0].replace('"players": ["Zoë"', '"players": ["Eve"', 1), *lines[1:]],
        "not those that were signed",
    ),
    "a time is changed": (lambda lines: [*lines[:-1], lines[-1].replace("{", '{"at": 9, ', 1)], "not those"),
    "the score is changed": (lambda lines: with_tag(lines, scores=[9, 9]), "signature"),
    "the key is changed": (lambda lines: with_tag(lines, key=EVE.public), "signature"),
    "nobody has signed": (lambda lines: with_tag(lines, key="", signature=""), "not signed"),
    "the signature is gone": (
        lambda lines: [dump({k: v for k, v in json.loads(lines[0]).items() if k != "signed"}), *lines[1:]],
        "not signed",
    ),
    "a stranger signs a wrong score": (lambda lines: resigned(lines, EVE, scores=[9, 9]), "another one"),
    "a stranger signs other winners": (lambda lines: resigned(lines, EVE, places=[1, 1]), "another one"),
    "a stranger signs nonsense": (lambda lines: resigned(lines, EVE, players=5), "players"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES.keys())
def test_no_changed_record_passes(record: Path, capsys: pytest.CaptureFixture[str], change: Edit, said: str) -> None:
    changed = change(record.read_text().splitlines())
    record.write_text("".join(line + "\n" for line in changed))
    assert main(["verify", str(record)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\n\n", b"no record\n", b"\xff\n", b"[1]\n"])
def test_what_is_no_record_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert main(["verify", str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_a_computer_without_a_box_has_no_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--journal", str(tmp_path / "games.db")]) == 2
    assert "no box" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
