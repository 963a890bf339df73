"""`umpi profile`: a board's form, as it was typed, to a profile; what is wrong in it is reported with its line."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.box.config_file import read_option
from umpi.cli import main
from umpi.games.dohdles import Dohdles
from umpi.games.dohdles.board import KINDS, flaw
from umpi.games.dohdles.form import BadForm, read_form
from umpi.kernel.record import check_options

Capture = pytest.CaptureFixture[bytes]
SIGNS = {"questions": "??", "letter": "ABC", "either": "??/ABC"}
FORM = """\
# Our board
clues:   ?? abc ?? ABC questions either ??/ABC
rewards: 0 3 3 2 2 1 1 0
start:   1

0: 0 3     # the hindmost
1: 1 3
2: 0 0     # the final
"""
PROFILE = {
    "clues": ["questions", "letter", "questions", "letter", "questions", "either", "either"],
    "rewards": [0, 3, 3, 2, 2, 1, 1, 0],
    "track": [[0, 3], [1, 3], [0, 0]],
    "start": 1,
}


def test_a_form_becomes_the_profile_that_a_game_takes(tmp_path: Path, capfdbinary: Capture) -> None:
    (tmp_path / "ours.txt").write_text(FORM, encoding="utf-8")
    assert main(["profile", str(tmp_path / "ours.txt")]) == 0
    output = capfdbinary.readouterr().out
    assert json.loads(output) == PROFILE
    (tmp_path / "ours.json").write_bytes(output)
    key, value = read_option("board=@ours.json", tmp_path)
    assert check_options({key: value}, Dohdles)
    assert Dohdles.setup(3, **check_options({key: value}, Dohdles)).tokens == (1, 1, 1)


@pytest.mark.parametrize("text", ["\ufeff" + FORM, FORM.replace("\n", "\r\n"), FORM.replace(":", " :  ")])
def test_a_form_saved_by_common_editors_is_read(text: str, tmp_path: Path, capfdbinary: Capture) -> None:
    (tmp_path / "ours.txt").write_bytes(text.encode())
    assert main(["profile", str(tmp_path / "ours.txt")]) == 0
    assert json.loads(capfdbinary.readouterr().out) == PROFILE


boards = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=80).flatmap(
    lambda track: st.fixed_dictionaries(
        {
            "clues": st.tuples(*[st.sampled_from(KINDS)] * 7),
            "rewards": st.tuples(*[st.integers(0, 3)] * 8),
            "track": st.just(tuple(track)),
            "start": st.integers(0, len(track) - 2),
        }
    )
)


@given(boards)
def test_every_board_can_be_written_as_a_form(board: dict[str, tuple[int, ...]]) -> None:
    lines = [
        "clues: " + " ".join(SIGNS[str(kind)] for kind in board["clues"]),
        "rewards: " + " ".join(map(str, board["rewards"])),
        f"start: {board['start']}",
        *(f"{space}: {back} {forward}" for space, (back, forward) in enumerate(board["track"])),  # type: ignore[misc]
    ]
    assert read_form("\n".join(lines)) == board


@given(st.lists(st.sampled_from([*FORM.splitlines(), "3: 1", "start:", ":", "0:", "clues: ??", "²: 1 2", "x: 1"])))
def test_whatever_is_typed_is_a_profile_or_refused(lines: list[str]) -> None:
    try:
        profile = read_form("\n".join(lines))
    except BadForm:
        return
    assert flaw(profile) == ""


@pytest.mark.parametrize(
    ("was", "typed", "message"),
    [
        ("clues:", "clue:", 'line 2: there is no "clue": did you mean clues?'),
        (
            "start:   1", "colour: red",
            'line 4: there is no "colour": there are clues, rewards, start, and spaces by number.',
        ),
        ("abc ??", "abc xy", 'line 2: clues: "xy" is none of ??, ABC, ??/ABC.'),
        ("?? abc", "abc", "line 2: clues: expected 7, one per clue space; got 6."),
        ("rewards: 0", "rewards: 4", 'line 3: rewards: "4" is not a number from 0 to 3.'),
        ("1 1 0", "1 0", "line 3: rewards: expected 8, one for the chip's start and one per clue space; got 7."),
        ("start:   1", "start:", "line 4: start: expected a space before the last, 0 to 1; got nothing."),
        ("start:   1", "start: 2", 'line 4: start: expected a space before the last, 0 to 1; got "2".'),
        ("start:   1\n", "\n", 'the line "start: …" is missing.'),
        ("1: 1 3", "1 3", 'line 7: expected a name or the number of a space, and a colon, as in 4: 1 3; got "1 3".'),
        ("1: 1 3", "1: 1", 'line 7: space 1: expected two numbers, red arrows and green arrows; got "1".'),
        ("1: 1 3", "1: 1 -3", 'line 7: space 1: expected two numbers, red arrows and green arrows; got "1 -3".'),
        ("1: 1 3", "1:", "line 7: space 1: expected two numbers, red arrows and green arrows; got nothing."),
        ("1: 1 3\n", "", "line 7: space 2: space 1 is missing before it."),
        ("1: 1 3", "0: 1 3", "line 7: space 0 is already in line 6."),
        ("1: 1 3", "00: 1 3", "line 7: space 0: space 1 is due."),
        (
            "1: 1 3\n2: 0 0     # the final\n", "",
            "expected 2 or more spaces of the track, with one line per space, as in 0: 0 3; got 1.",
        ),
        ("rewards:", "start: 1\nstart:", "line 4: start is already in line 3."),
    ],
)  # fmt: skip
def test_an_error_is_reported_with_its_line(
    was: str, typed: str, message: str, tmp_path: Path, capfdbinary: Capture
) -> None:
    assert was in FORM
    (tmp_path / "ours.txt").write_text(FORM.replace(was, typed, 1), encoding="utf-8")
    assert main(["profile", str(tmp_path / "ours.txt")]) == 2
    out, err = capfdbinary.readouterr()
    assert (out.decode(), err.decode()) == ("", f"umpi: {tmp_path}/ours.txt, {message}\n")


def test_a_form_comes_from_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfdbinary: Capture
) -> None:
    (tmp_path / "ours.txt").write_text(FORM, encoding="utf-8")
    with (tmp_path / "ours.txt").open("rb") as typed:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(fileno=typed.fileno))
        assert main(["profile", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == PROFILE
