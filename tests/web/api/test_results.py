"""Results for other programs: by uid, with the time of their end and their rule set, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import jsonschema

from tests.kit.at_table import Table
from tests.kit.journals import header
from tests.kit.rig import Rigs
from umpi.journal import Journal
from umpi.web.app import description

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def kept(path: Path, *players: list[str], rules: str = "", over: bool = True) -> None:
    with closing(Journal(path, lambda: NOON)) as journal:
        for names in players:
            head = header("scorepad", names) | ({"rules": rules} if rules else {})
            number = journal.begin(head, 1)
            outcome = {"places": [1, 2], "scores": [7, 3]} if over else None
            journal.append(number, [{"do": "finish"}], "panel", (), outcome)
            journal.close_match(number)


def test_a_result_has_a_uid_its_end_and_its_rule_set(rigs: Rigs) -> None:
    kept(rigs.folder / "games.db", ["Ann", "Ben"], rules="short")
    kept(rigs.folder / "games.db", ["Ann", "Cid"], over=False)
    phone = Table(rigs()).phone()
    over, still = phone.get("results").json()
    assert (over["ended"], over["rules"], over["winners"], over["over"]) == (NOON.isoformat(), "short", [0], True)
    assert (still["ended"], still["over"], still["scores"]) == (None, False, [])
    assert len({over["uid"], still["uid"], ""}) == 3
    assert [each["match"] for each in phone.get("results?after=1").json()] == [2]
    assert {phone.get(f"results?after={wrong}").status_code for wrong in ("x", "-1", "9" * 19)} == {400}
    past = {each["id"]: each for each in phone.get("matches").json()}
    assert (past[1]["uid"], past[1]["ended"], past[1]["rules"]) == (over["uid"], NOON.isoformat(), "short")
    assert past[2]["ended"] is None
    answer = description()["paths"]["/api/results"]["get"]["responses"]["200"]["content"]["application/json"]
    jsonschema.validate([over, still], {**answer["schema"], "components": description()["components"]})


def test_a_key_of_a_query_that_is_misspelled_or_given_twice_is_named(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    for path, why in {
        "results?aftr=3": 'Unknown query key "aftr". Expected: "after".',
        "results?after=3&after=4": 'Query key "after" appears twice.',
        "state?after=3": 'Unknown query key "after". This path has none.',
        "results?=3": 'Unknown query key "". Expected: "after".',
    }.items():
        answer = phone.get(path)
        assert (answer.status_code, answer.json()) == (400, {"error": why})
    assert phone.post("unpair?seat=1").json() == {"error": 'Unknown query key "seat". This path has none.'}


def test_a_new_name_makes_a_later_revision(rigs: Rigs) -> None:
    path = rigs.folder / "games.db"
    kept(path, ["Ann", "Ben"])
    (before,) = Table(rigs()).phone().get("results").json()
    rigs.switch_off()
    with closing(Journal(path)) as journal:
        journal.rename(journal.matches()[0].uid, ["Anna", "Ben"])
    (after,) = Table(rigs()).phone().get("results").json()
    assert after["revision"] > before["revision"]
    assert (after["uid"], after["players"][0]["name"]) == (before["uid"], "Anna")


def test_csv_has_a_row_for_each_player_and_no_formula(rigs: Rigs) -> None:
    kept(rigs.folder / "games.db", ["=1+1", "Ben, the 2nd"])
    phone = Table(rigs()).phone()
    rows = list(csv.DictReader(io.StringIO(phone.get("matches.csv").text)))
    assert [(row["player"], row["score"], row["place"], row["won"]) for row in rows] == [
        ("'=1+1", "7", "1", "1"), ("Ben, the 2nd", "3", "2", "0"),
    ]  # fmt: skip
    figures = list(csv.DictReader(io.StringIO(phone.get("stats.csv").text)))
    assert {(row["game"], row["player"], row["won"]) for row in figures} == {
        ("scorepad", "'=1+1", "1"), ("scorepad", "Ben, the 2nd", "0"),
    }  # fmt: skip


def test_without_a_journal_there_are_no_results(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    assert phone.get("results").json() == []
    assert phone.get("matches.csv").text.startswith("uid,match,")
