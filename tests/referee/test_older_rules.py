"""A match that was begun under older rules continues with the options that keep them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import dodeka_header
from tests.kit.rig import Rigs
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.readings import FORMERLY
from umpi.journal import Journal
from umpi.kernel.kept import LEFT, Kept, KeptLine
from umpi.kernel.record import replay
from umpi.kernel.registry import find
from umpi.referee.transcript import read_transcript
from umpi.table.commands import Rematch

ACTS: list[dict[str, Any]] = [
    {"do": "reveal", "cards": ["red-club-3", "blue-hand-3"]},
    {"do": "draw", "card": "jungle", "column": 1},
    {"do": "draw"},
    {"do": "draw"},
    {"do": "play", "card": "blue-club-4", "column": 1},
    {"do": "play", "card": "red-hide-3", "column": 1},  # it takes the column; revision 1 then waits for a shed card
    {"do": "shed", "cards": ["red-hide-4"], "to": "pile"},
]


def kept(rules: int | None, **options: Any) -> tuple[Kept, list[KeptLine]]:
    header = {"umpi": 1, "game": "dudab-buba", "players": ["Ann", "Ben"], "options": {"jungle": True, **options}}
    lines: list[KeptLine] = [(json.dumps(act), "panel", None) for act in ACTS]
    return Kept(1, json.dumps(header), "", len(lines), LEFT, "", rules), lines


@pytest.mark.parametrize(("rules", "options", "whole"), [
    (1, {}, True), (2, {}, False), (None, {}, False),
    (2, {"jungle_shed": True}, True), (1, {"jungle_shed": False}, False),
])  # fmt: skip
def test_a_match_of_an_older_revision_keeps_its_rules(rules: int | None, options: dict[str, Any], whole: bool) -> None:
    """Page: "Records of revision 1 replay with the last value of each"."""
    transcript = read_transcript(*kept(rules, **options), find)
    assert (transcript.differs == "") == whole
    assert len(transcript.record.match.acts) == (7 if whole else 6)


@pytest.mark.parametrize(("rules", "read"), [(1, 7), (2, 6), (DudabBuba.revision, 6), ("one", 6), (None, 6)])
def test_a_record_with_its_revision_is_replayed_as_the_box_continues_it(rules: object, read: int) -> None:
    """Without the revision, a refusal is not explained by it."""
    match, lines = kept(None)
    header = json.dumps({**json.loads(match.header), **({"revision": rules} if rules else {})})
    *_, step = replay([line.encode() for line in (header, *(text for text, _, _ in lines))], find)
    assert step.n == read
    changed = f"The rules have changed since this match was recorded (revision 2, now {DudabBuba.revision}). "
    assert step.error.startswith(changed) == (rules == 2)


@pytest.mark.parametrize(("rules", "read"), [(1, 7), (DudabBuba.revision, 6), (None, 6)])
def test_a_match_of_an_older_journal_is_replayed_by_its_revision_everywhere(rules: int | None, read: int) -> None:
    """History, statistics and puzzles read the header of the journal, which did not name the revision."""
    match, lines = kept(rules)
    *_, step = replay([line.encode() for line in (match.record_header, *(text for text, _, _ in lines))], find)
    assert step.n == read


@pytest.mark.parametrize(("rules", "options", "winners"), [(1, {}, (0, 1)), (2, {}, (0,)), (1, {"ties": "sets"}, (0,))])
def test_a_set_won_with_a_stake_of_nothing_counts_since_revision_2(
    rules: int, options: dict[str, Any], winners: tuple[int, ...]
) -> None:
    """Ann makes the pairtraiz, Ben scores 0. Revision 1 of Dodéka then named both as winners."""
    dice = ([4, 4, 5], [1, 2, 5])
    acts = [line for thrown in dice for line in ({"do": "throw", "keep": [], "dice": thrown}, {"do": "stop"})]
    header = {"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": {"parts": 1, **options}}
    lines: list[KeptLine] = [(json.dumps(act), "panel", None) for act in acts]
    transcript = read_transcript(Kept(1, json.dumps(header), "", len(lines), LEFT, "", rules), lines, find)
    result = transcript.record.match.now.result()
    assert transcript.differs == ""
    assert result
    assert result.winners == winners


def test_a_rematch_of_an_older_match_has_the_rules_of_today(rigs: Rigs, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    journal.leave(journal.begin(dodeka_header(parts=1), 1))
    journal.close()
    rig = rigs(journal=tmp_path / "games.db")
    rig.press("ok")
    session = rig.referee.session
    assert session.match.options["ties"] == "shared"
    rig.grant(Rematch())
    assert session.match.options == {"parts": 1}


def test_the_record_of_an_older_match_names_the_rules_it_was_played_by() -> None:
    """The record is replayed elsewhere, without the revision."""
    options = read_transcript(*kept(1), find).record.header.options
    assert options == {"jungle": True, **FORMERLY}
    assert set(FORMERLY) <= {option.name for option in DudabBuba.options}


def test_a_dohdles_of_an_older_revision_keeps_the_first_right_without_a_cube() -> None:
    """Revision 2 follows the sheet: the first right needs a cube."""
    acts = [
        {"do": "clue", "riddle": "B1", "kind": "questions"}, {"do": "cube", "seat": 2}, {"do": "hear", "riddle": "B1"},
        {"do": "claim", "take": True},
    ]  # fmt: skip
    header = {"umpi": 1, "game": "dohdles", "players": ["Ann", "Ben", "Cleo"], "options": {}}
    lines: list[KeptLine] = [(json.dumps(act), "panel", None) for act in acts]
    for rules, whole in ((1, True), (2, False), (None, False)):
        transcript = read_transcript(Kept(1, json.dumps(header), "", len(lines), LEFT, "", rules), lines, find)
        assert (transcript.differs == "") == whole
        assert len(transcript.record.match.acts) == (4 if whole else 3)
