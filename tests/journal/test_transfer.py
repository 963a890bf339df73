"""Matches carried from one box to another: all there, none twice, and a bad file brings nothing in."""

from __future__ import annotations

import json
import re
import time
from contextlib import closing
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import HEADER, STOP, THROW, header
from umpi.cli import main
from umpi.journal import Journal, open_to_read, read_matches
from umpi.journal.judging import judged
from umpi.journal.queries import ended_of, read_all_meta
from umpi.journal.transfer import BadExport, export, read_export
from umpi.kernel.kept import RACE
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.referee.transcript import outcome_of
from umpi.timing.race import Arrival, Race


def box(path: Path, *lines: int) -> Path:
    """A box with a match for each number, which is how many lines it has."""
    with closing(Journal(path)) as journal:
        for count in lines:
            match = journal.begin(HEADER, 1)
            journal.append(match, [THROW, STOP] * (count // 2), "panel", [5, 6] * (count // 2))
            journal.keep_trace(match, ['{"umpi-trace": 1}'])
            journal.close_match(match)
    return path


def exported(path: Path) -> list[str]:
    with closing(open_to_read(path)) as file:
        return list(export(file))


def merged(path: Path, lines: list[str]) -> dict[str, int]:
    with closing(Journal(path)) as journal:
        done = dict(journal.merge(read_export([line.encode() for line in lines])))
        assert journal.trouble == ""
        return done


def test_imported_matches_equal_the_exported_ones(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 2, 8), tmp_path / "other.db"
    assert merged(other, exported(one)) == {"new": 2}
    assert exported(other) == exported(one)


def race(before: int, at_ns: int = 5) -> Race:
    return Race(before, (Arrival("button", 1, 0, 0, 0), Arrival("phone", 0, at_ns, 2, 8)), ("dead-heat",))


def run(path: Path, *races: Race) -> None:
    """Keep races of the only match of a box."""
    with closing(Journal(path)) as journal:
        for each in races:
            journal.note(journal.matches()[0].uid, RACE, each.line())


def races_of(path: Path) -> list[Race]:
    with closing(open_to_read(path)) as file:
        return [Race.read(noted) for noted in read_all_meta(file, 1, RACE)]


def test_races_travel_with_their_match_and_none_is_there_twice(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 4), tmp_path / "other.db"
    run(one, race(1), race(3))
    merged(other, exported(one))
    assert races_of(other) == [race(1), race(3)]
    with closing(Journal(other)) as journal:
        journal.append(journal.matches()[0].uid, [THROW], "panel")
    run(other, race(3, 6))
    assert merged(one, exported(other)) == {"longer": 1}
    assert races_of(one) == races_of(other) == [race(1), race(3), race(3, 6)]


def test_tosses_travel_with_the_lines_of_a_match_that_continued_elsewhere(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 4), tmp_path / "other.db"
    merged(other, exported(one))
    with closing(Journal(other)) as journal:
        match = journal.matches()[0].uid
        journal.append(match, [THROW], "panel")
        journal.keep_trace(match, ['{"umpi-trace": 2}'])
    assert merged(one, exported(other)) == {"longer": 1}
    assert exported(one) == exported(other)


def test_an_export_of_an_older_umpi_has_neither_races_nor_renames(tmp_path: Path) -> None:
    first, match = exported(box(tmp_path / "one.db", 4))
    older = json.dumps({key: value for key, value in json.loads(match).items() if key not in ("races", "renamed")})
    assert merged(tmp_path / "other.db", [first, older]) == {"new": 1}


def played(path: Path) -> tuple[str, dict[str, Any]]:
    """Keep a quiz that is over in a journal; return the first line of its export, and the match."""
    match = play_out(find("quiz"), ("Ann", "Ben"), seed=1)
    with closing(Journal(path)) as journal:
        uid = journal.begin(header("quiz", match.players), find("quiz").revision)
        journal.append(uid, [act.line() for act in match.acts], "panel", (), outcome_of(match))
        journal.close_match(uid)
    first, line = exported(path)
    return first, json.loads(line)


def brought(folder: Path, *lines: str | dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    """Import lines with the command into a new journal; return its status, and what the journal exports."""
    folder.mkdir()
    file, journal = folder / "export", folder / "games.db"
    file.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines))
    status = main(["history", "--journal", str(journal), "--import", str(file)])
    return status, [json.loads(line) for line in exported(journal)[1:]]


def test_an_imported_match_ended_as_its_moves_say_and_not_as_its_file_says(tmp_path: Path) -> None:
    first, match = played(tmp_path / "one.db")
    forged = {**match, "outcome": {"places": [2, 1], "scores": [-999, 999]}}
    assert brought(tmp_path / "forged", first, forged) == (0, [match])
    assert brought(tmp_path / "none", first, {**match, "outcome": None}) == (0, [match])
    cut = {**match, "lines": match["lines"][:-1]}
    assert brought(tmp_path / "cut", first, cut) == (0, [{**cut, "outcome": None, "ended": None}])


def test_a_match_with_a_move_that_its_rules_refuse_is_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, match = played(tmp_path / "one.db")
    other = {**deepcopy(match), "uid": "another"}
    match["lines"][2][0] = {"do": "fly"}
    assert brought(tmp_path / "new", first, match, other) == (0, [other])
    said = capsys.readouterr()
    assert "export, line 2: this match is left out, because the rules refuse it. Move 3: " in said.err
    assert "1 new" in said.out
    assert "Left out: 1." in said.out


def test_a_match_whose_rules_are_not_here_is_imported_as_it_is(tmp_path: Path) -> None:
    first, match = played(tmp_path / "one.db")
    match["lines"][2][0] = {"do": "fly"}
    match["outcome"] = {"places": [2, 1], "scores": [-999, 999]}
    later, unknown = {**match, "rules": 99}, {**match, "rules": None, "uid": "unknown"}
    gone = {**match, "uid": "gone", "header": {**match["header"], "game": "gone"}}
    assert brought(tmp_path / "new", first, later, unknown, gone) == (0, [later, unknown, gone])


def test_a_match_of_an_older_revision_is_judged_by_the_options_that_keep_its_rules(tmp_path: Path) -> None:
    first, match = played(tmp_path / "one.db")
    (old,) = read_export([first.encode(), json.dumps({**match, "rules": 7}).encode()])[:1]
    assert judged(old, find) == old
    game = type("Older", (find("quiz"),), {"formerly": {7: {"points": 50}}})
    outcome = json.loads(judged(old, lambda name: game).outcome or "")
    assert max(outcome["scores"]) > max(match["outcome"]["scores"])


def test_none_is_there_twice_however_often_it_is_brought_in(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 2, 8), box(tmp_path / "other.db", 4)
    assert merged(other, exported(one)) == {"new": 2}
    assert merged(other, exported(one)) == {"there": 2}
    assert merged(one, exported(other)) == {"new": 1, "there": 2}
    assert sorted(exported(one)) == sorted(exported(other))


def test_a_match_that_continued_elsewhere_continues_here(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 4), tmp_path / "other.db"
    merged(other, exported(one))
    with closing(Journal(other)) as journal:
        journal.append(journal.matches()[0].uid, [THROW], "panel")
    assert merged(one, exported(other)) == {"longer": 1}
    assert merged(other, exported(one)) == {"there": 1}
    assert exported(one) == exported(other)


def test_a_match_that_went_on_differently_is_kept_beside_and_once_only(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 4), tmp_path / "other.db"
    merged(other, exported(one))
    for path, line in ((one, THROW), (other, STOP)):
        with closing(Journal(path)) as journal:
            journal.append(journal.matches()[0].uid, [line], "panel")
    theirs = exported(other)
    assert merged(one, theirs) == {"beside": 1}
    assert merged(one, theirs) == {"there": 1}
    with closing(Journal(one)) as journal:
        assert [kept.lines for kept in journal.matches()] == [5, 5]


def test_the_match_on_the_table_stays_there(tmp_path: Path) -> None:
    one, other = box(tmp_path / "one.db", 2), tmp_path / "other.db"
    with closing(Journal(other)) as journal:
        mine = journal.begin(HEADER)
    merged(other, exported(one))
    with closing(Journal(other)) as journal:
        assert journal.on_table() == mine


def test_the_match_on_the_table_stays_there_if_it_went_on_elsewhere(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    with closing(Journal(one)) as journal:
        mine = journal.begin(HEADER)
        journal.append(mine, [THROW], "panel")
    merged(other, exported(one))
    with closing(Journal(other)) as journal:
        journal.append(mine, [STOP], "panel")
    assert merged(one, exported(other)) == {"longer": 1}
    with closing(Journal(one)) as journal:
        assert journal.on_table() == mine
        assert [kept.lines for kept in journal.matches()] == [2]


def test_when_a_match_ended_arrives_with_its_outcome(tmp_path: Path) -> None:
    one, other, older = tmp_path / "one.db", tmp_path / "other.db", tmp_path / "older.db"
    then = datetime(2025, 5, 4, 19, 30, tzinfo=UTC)
    with closing(Journal(one, lambda: then)) as journal:
        match = journal.begin(HEADER)
        journal.append(match, [THROW], "panel")
        merged(other, exported(one))  # before it was over
        journal.append(match, [STOP], "panel", outcome={"places": [1, 2], "scores": [9, 8]})
        journal.close_match(match)
    assert merged(other, exported(one)) == {"longer": 1}
    before, line = map(json.loads, exported(one))
    assert line.pop("ended") == then.isoformat()
    merged(older, [json.dumps(each) for each in (before, line)])  # as an older Umpi exports it
    for path, ended in ((one, then.isoformat()), (other, then.isoformat()), (older, None)):
        with closing(open_to_read(path)) as file:
            (kept,) = read_matches(file)
        assert kept.outcome
        assert ended_of(kept) == ended


MATCH = {"uid": "a", "began": "", "rules": 1, "how": "left", "header": {}, "lines": [], "outcome": None, "traces": []}
SPOILT: tuple[tuple[tuple[object, ...], str], ...] = (  # lines in place of all or after the others, and what is said
    (("{",), "line 1: "),
    (({"umpi": 1},), "line 1: an export begins with"),
    ((), "it is empty"),
    *(
        ((None, {**MATCH, **wrong}), "line ")
        for wrong in (
            {"traces": None}, {"lines": [[1, "panel", None]]}, {"lines": [[{}, "panel"]]}, {"rules": True},
            {"traces": [1]}, {"races": [1]}, {"uid": ""}, {"renamed": -1}, {"renamed": True},
            {"ended": "yesterday"}, {"ended": "2025-05-04T19:30:00"}, {"ended": 1},
        )
    ),
)  # fmt: skip


def test_a_bad_file_is_reported_with_its_line_and_imports_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = exported(box(tmp_path / "one.db", 2))
    read_export([each.encode() for each in (*whole, json.dumps(MATCH))])
    file, journal = tmp_path / "export", tmp_path / "other.db"
    for spoilt, said in SPOILT:
        lines = whole if spoilt[:1] == (None,) else []
        lines = [*lines, *(each if isinstance(each, str) else json.dumps(each) for each in spoilt if each)]
        said = f"line {len(lines)}: " if said == "line " else said
        with pytest.raises(BadExport, match=f"^{re.escape(said)}"):
            read_export([each.encode() for each in lines])
        file.write_text("".join(each + "\n" for each in lines))
        assert main(["history", "--journal", str(journal), "--import", str(file)]) == 2
        printed = capsys.readouterr().err
        assert str(file) in printed
        assert "Nothing was imported" in printed
        assert not journal.exists()


def test_the_commands_export_and_import_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other, file = box(tmp_path / "one.db", 2, 4), tmp_path / "other.db", tmp_path / "games.jsonl"
    assert main(["history", "--journal", str(one), "--export", str(file)]) == 0
    assert "2 matches" in capsys.readouterr().out
    assert main(["history", "--journal", str(other), "--import", str(file)]) == 0
    assert "2 matches: 2 new" in capsys.readouterr().out
    assert main(["history", "--journal", str(one), "--export", "-"]) == 0
    assert capsys.readouterr().out == file.read_text()
    assert main(["history", "--journal", str(one)]) == 0
    listed = capsys.readouterr().out.splitlines()
    when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    assert [bool(re.match(f"   {number}  {when}  ", line)) for number, line in enumerate(listed, 1)] == [True, True]
    assert main(["history", "--journal", str(one), "--export", str(tmp_path / "no" / "folder")]) == 2
    assert main(["history", "--journal", str(other), "--import", str(tmp_path / "none")]) == 2


@pytest.mark.parametrize(
    ("began", "listed"), [("2025-05-04T21:30:00+00:00", "2025-05-05 00:30"), ("yesterday", "yesterday")]
)
def test_a_list_of_matches_has_the_local_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], began: str, listed: str
) -> None:
    one, journal = box(tmp_path / "one.db", 2), tmp_path / "journal.db"
    first, match = map(json.loads, exported(one))
    merged(journal, [json.dumps(each) for each in (first, {**match, "began": began})])
    with monkeypatch.context() as context:
        context.setenv("TZ", "EAT-3")
        time.tzset()
        assert main(["history", "--journal", str(journal)]) == 0
    time.tzset()
    assert capsys.readouterr().out.startswith(f"   1  {listed}  ")


def test_an_export_replaces_no_database_and_no_matches_by_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, none, file = box(tmp_path / "one.db", 2, 4), box(tmp_path / "none.db"), tmp_path / "games.jsonl"
    before = one.read_bytes()
    (tmp_path / "link").symlink_to(one)
    for name in ("one.db", "link"):
        assert main(["history", "--journal", str(one), "--export", str(tmp_path / name)]) == 2
        assert f"{tmp_path / name}: a database is there" in capsys.readouterr().err
        assert one.read_bytes() == before
    for _ in range(2):  # as each night
        assert main(["history", "--journal", str(none), "--export", str(file)]) == 0
    for _ in range(2):
        assert main(["history", "--journal", str(one), "--export", str(file)]) == 0
    matches = file.read_text()
    assert main(["history", "--journal", str(none), "--export", str(file)]) == 2
    assert f"{none} has no match to export" in capsys.readouterr().err
    assert file.read_text() == matches


def test_a_match_with_hands_is_exported_when_it_is_over_and_until_then_the_export_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = box(tmp_path / "one.db", 2)
    seal = {"fields": ["cards"], "salt": "5f2a", "hash": "ef0e"}
    with closing(Journal(path)) as journal:
        dealt = journal.begin(HEADER, 1)
        journal.append(dealt, [{"do": "deal", "cards": [3, 9], "seal": seal}], "box")
        assert main(["history", "--export", str(tmp_path / "out"), "--journal", str(path)]) == 0
        told = capsys.readouterr()
        assert told.out.startswith("Exported 1 match to ")
        assert told.err == "Left out: 2. Only their owners may see the hands of a match until it is over.\n"
        assert json.loads(exported(path)[0])["hidden"] == [2]
        assert merged(tmp_path / "other.db", exported(path)) == {"new": 1}
        journal.close_match(dealt)
    assert [json.loads(line).get("hidden") for line in exported(path)] == [None] * 3
