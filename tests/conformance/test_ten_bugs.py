"""Ten mistakes of authors, of which `umpi check` once missed all: each is caught, and the sentence leads to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from planted.sixes import BUGS, RECORD, Sixes, WrongScore

from umpi.conformance import Flawed, check_records, check_snapshot, command, examine, renew_snapshot
from umpi.conformance.records import mismatches


@pytest.fixture(scope="module")
def oracles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record that was written by hand from the rules, and a snapshot of the sound game."""
    folder = tmp_path_factory.mktemp("sixes")
    (folder / "records").mkdir()
    (folder / "records" / "a-game-of-two.jsonl").write_bytes(RECORD)
    renew_snapshot(Sixes, folder / "snapshot")
    return folder


def caught(game: Any, oracles: Path) -> dict[str, str]:
    flaws = {found.check: str(found.flaw) for found in examine(game, 1, options=[{"goal": 100}]) if found.flaw}
    for name, look in (("records", check_records), ("snapshot", check_snapshot)):
        try:
            look(game, oracles / name)
        except Flawed as flaw:
            flaws[name] = str(flaw)
    return flaws


@pytest.mark.slow
def test_the_sound_game_holds(oracles: Path) -> None:
    assert caught(Sixes, oracles) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "checks"), BUGS.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_each_bug_is_caught(game: Any, checks: tuple[str, ...], oracles: Path) -> None:
    flaws = caught(game, oracles)
    assert set(checks) <= set(flaws), flaws


def test_a_wrong_total_is_reported_with_its_line(oracles: Path) -> None:
    with pytest.raises(Flawed) as error:
        check_records(WrongScore, oracles / "records")
    why = 'line 8: after {"do": "bank", "by": 0} the totals are 450 0; the record expects 1150 0.'
    assert why in str(error.value)


def test_a_difference_of_a_snapshot_shows_both_sides(oracles: Path) -> None:
    with pytest.raises(Flawed) as error:
        check_snapshot(WrongScore, oracles / "snapshot")
    flaw = str(error.value)
    assert "2-players.jsonl differs from the rules of today" in flaw
    assert "run it again with --renew" in flaw
    assert [line for line in flaw.splitlines() if line.startswith(('-{"note"', '+{"note"'))]


@pytest.mark.parametrize(("header", "why"), [
    ('"totals": [[0, 0]]', "line 1: `totals` has 1 entries for 2 acts"),
    ('"totals": [null, [9, 0]]', 'line 3: after {"do": "bank"} the totals are 100 0; the record expects 9 0.'),
    ('"expect": {"winner": 1}', "line 1: `expect` has 'winner'; a state has phase, seat, scores, winners, facts."),
    ('"expect": {"seat": 0}', "at the end `seat` is 1; the record expects 0."),
    ('"totlas": [[0, 0]]', "line 1: `totlas`: did you mean `totals`?"),
    ('"expected": {"seat": 0}', "line 1: `expected`: did you mean `expect`?"),
    ('"options": {"goals": 1}', 'line 1: Sixes has no option "goals"'),
])  # fmt: skip
def test_a_wrong_expectation_in_a_record_is_reported(header: str, why: str, tmp_path: Path) -> None:
    lines = ['{"do": "roll", "dice": [1, 2, 2, 3, 3, 4]}', '{"do": "bank"}']
    record = "\n".join([f'{{"umpi": 1, "game": "sixes", "players": ["Ann", "Ben"], {header}}}', *lines])
    (tmp_path / "game.jsonl").write_text(record)
    with pytest.raises(Flawed) as error:
        check_records(Sixes, tmp_path)
    assert why in str(error.value)


def test_a_refusal_of_an_act_that_the_game_has_not_needs_its_reason(tmp_path: Path) -> None:
    for line, why in (
        ('{"refuse": {"do": "bnak"}}', 'line 2: the game has no "bnak" to refuse.'), ('{"refuse": {"do": "bank"}}', ""),
        ('{"refuse": {"do": "bnak"}, "why": "Sixes has no \\"bnak\\"; expected: roll."}', ""),
    ):  # fmt: skip
        header = '{"umpi": 1, "game": "sixes", "players": ["Ann", "Ben"], "about": "x", "event": "y"}'
        found = list(mismatches([f"{header}\n".encode(), line.encode()], Sixes))
        assert [each.partition(" Correct")[0] for each in found] == ([why] if why else [])


def test_a_folder_without_records_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(Flawed, match="has no record"):
        check_records(Sixes, tmp_path)
    with pytest.raises(Flawed, match=r"has no snapshot\. Make it: umpi check sixes --snapshot"):
        check_snapshot(Sixes, tmp_path)


def test_rules_that_fail_are_a_sentence_and_no_traceback(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    (tmp_path / "a.jsonl").write_bytes(RECORD)
    monkeypatch.setattr(Sixes, "facts", lambda self: 1 // 0)
    monkeypatch.setattr(command, "examine", lambda *given, **named: ())
    assert command.run("planted.sixes:Sixes", games=1, snapshot=tmp_path / "new", renew=True) == 1
    assert command.run("planted.sixes:Sixes", games=1, records=tmp_path, snapshot=tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["FAILED snapshot", "FAILED records", "FAILED snapshot"]
    assert all("ZeroDivisionError" in line for line in lines)


def test_the_command_compares_and_renews(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    (tmp_path / "a.jsonl").write_bytes(RECORD)
    snapshot = tmp_path / "snapshot"
    assert command.run("planted.sixes:Sixes", games=1, snapshot=snapshot, renew=True) == 0
    assert capsys.readouterr().out.splitlines() == [str(snapshot / f"{seats}-players.jsonl") for seats in (2, 3)]
    monkeypatch.setattr(command, "examine", lambda *given, **named: ())
    assert command.run("planted.sixes:Sixes", games=1, records=tmp_path, snapshot=snapshot) == 0
    assert capsys.readouterr().out == "ok  records      3 records, 8 totals\nok  snapshot     2 play-throughs\n"
    assert command.run("planted.sixes:WrongScore", games=1, records=tmp_path, snapshot=snapshot) == 1
    assert capsys.readouterr().out.count("FAILED") == 2
