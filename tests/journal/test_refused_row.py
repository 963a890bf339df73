"""A row that is refused: its match waits with the sign or continues in a copy, and nothing else waits with it."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, STOP, THROW, mend, on_disk, refuse
from umpi.journal import Journal, open_to_read, read_matches
from umpi.journal.queries import read_outcome
from umpi.kernel.kept import Uid

OTHER = {**HEADER, "players": ["Ernő", "Ann"]}


def test_a_refused_row_holds_back_its_match_and_nothing_else(path: Path) -> None:
    journal = Journal(path)
    first = journal.begin(HEADER)
    refuse(path, "NEW.match = 1")
    journal.append(first, [THROW, STOP], "panel")
    journal.leave(first)
    assert journal.trouble == f"{path}, match 1: disk full"
    second = journal.begin(OTHER)
    journal.append(second, [THROW], "panel")
    journal.speak("hu")
    journal.pair(hash="hash", who="red", name="Ann's phone")
    assert on_disk(path) == {first: [], second: [THROW]}
    assert (journal.spoken(), journal.phones()) == ("hu", [("hash", "red", "Ann's phone")])
    assert journal.trouble == f"{path}, match 1: disk full", "it is not saved yet, and the table is to know"
    mend(path)
    assert journal.save()
    assert on_disk(path) == {first: [THROW, STOP], second: [THROW]}
    assert journal.on_table() == second, "that the first was left is written last, and happened first"
    journal.close()


def test_a_refused_transaction_writes_nothing_in_any_match(path: Path) -> None:
    """A match that continues in a copy is closed with the copy's beginning, or not at all."""
    journal = Journal(path)
    first = journal.begin(HEADER)
    refuse(path, "true")
    journal.hold()
    journal.close_match(first)
    journal.begin(HEADER, 1, [('{"do":"stop"}', "panel", None)])
    journal.release()
    assert [kept.how for kept in journal.matches()] == ["on"]
    assert journal.trouble
    mend(path)
    assert journal.save()
    assert [kept.how for kept in journal.matches()] == ["closed", "on"]
    journal.close()


def test_a_text_that_cannot_be_written_is_trouble_of_its_match_only(path: Path) -> None:
    journal = Journal(path)
    first = journal.begin(HEADER)
    journal.append(first, [{"note": "half a \ud83d"}], "panel")
    assert journal.trouble
    second = journal.begin(OTHER)
    assert on_disk(path) == {first: [], second: []}
    journal.close()


def both(path: Path) -> tuple[Journal, Journal, Uid]:
    """Two boxes that have the same match on the table."""
    one, other = Journal(path), Journal(path)
    match = one.begin(HEADER, 3)
    one.append(match, [THROW], "panel", [77])
    other.take_up(match, 1)
    return one, other, match


def test_a_match_that_another_box_has_continued_continues_in_a_copy(path: Path) -> None:
    """Nothing is lost of either, nothing of one is mixed into the other, and the players hear of it."""
    one, other, match = both(path)
    other.note(match, "turn_s", 30)
    one.append(match, [STOP], "panel")
    other.append(match, [{"undo": 1}], "phone:Red", [5], {"places": [1, 2], "scores": [9, 0]})
    copy = other.take_news().copies[match]
    assert (one.trouble, other.trouble) == ("", "")
    assert other.notice == "Another box has continued match 1 too. Here it continues as match 2."
    found = on_disk(path)
    assert found[match] == [THROW, STOP]
    assert [line for line in found[copy] if "note" not in line] == [THROW, {"undo": 1}]
    assert found[copy][1] == {"note": "match 1 continues here, as another box has continued it too"}
    with closing(open_to_read(path)) as file:
        kept = list(read_matches(file))[-1]
        assert (kept.uid, kept.id, kept.rules, kept.how, json.loads(kept.header)) == (copy, 2, 3, "on", HEADER)
        assert read_outcome(kept) == {"places": [1, 2], "scores": [9, 0]}
    assert other.written(copy)[0] == other.written(match)[0]
    assert [mark for _, _, mark in other.written(copy)] == [77, 77, 5], "the note changes no position"
    assert other.noted(copy, "turn_s") == 30
    other.append(copy, [THROW], "panel")
    one.append(match, [{"undo": 2}], "panel")
    found = on_disk(path)
    assert (found[match][2:], found[copy][3:]) == ([{"undo": 2}], [THROW])
    assert (one.trouble, other.trouble) == ("", "")
    assert other.merge([]) == {}
    one.close()
    other.close()


def test_a_match_of_which_a_box_knows_no_line_continues_in_a_copy(path: Path) -> None:
    one, other = Journal(path), Journal(path)
    match = one.begin(HEADER)
    other.take_up(match, 0)
    one.append(match, [THROW], "panel", [77])
    other.append(match, [STOP], "panel", [5])
    copy = other.take_news().copies[match]
    assert [mark for _, _, mark in other.written(copy)] == [None, 5]
    assert on_disk(path)[copy][1:] == [STOP]
    one.close()
    other.close()


def test_acts_played_during_the_fault_are_in_the_copy(path: Path) -> None:
    one, other, match = both(path)
    one.append(match, [STOP], "panel")
    with closing(sqlite3.connect(path, isolation_level=None)) as busy:
        other._file.execute("PRAGMA busy_timeout = 1")  # type: ignore[union-attr]
        busy.execute("BEGIN IMMEDIATE")
        other.append(match, [{"undo": 1}], "panel")
        other.append(match, [THROW], "panel")
        other.leave(match)
        assert other.trouble
    assert other.save()
    copy = other.take_news().copies[match]
    assert [line for line in on_disk(path)[copy] if "note" not in line] == [THROW, {"undo": 1}, THROW]
    assert [kept.how for kept in other.matches()] == ["on", "left"]
    one.close()
    other.close()


def test_a_transaction_of_two_parts_is_complete_in_the_copy(path: Path) -> None:
    one, other, match = both(path)
    one.append(match, [STOP], "panel")
    other.hold()
    other.append(match, [{"undo": 1}], "panel")
    other.note(match, "later", [THROW])
    other.release()
    copy = other.take_news().copies[match]
    assert other.noted(copy, "later") == [THROW]
    assert other.noted(match, "later") is None
    one.close()
    other.close()


def test_unwritten_acts_are_not_reported_as_saved(path: Path) -> None:
    journal = Journal(path)
    match = journal.begin(HEADER)
    journal.hold()
    journal.append(match, [THROW], "panel")
    assert not journal.save()
    journal.release()
    assert journal.save()
    journal.close()


def test_unsaved_acts_are_logged_in_one_line_at_the_end(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(path)
    match = journal.begin(HEADER)
    refuse(path, "true")
    journal.append(match, [THROW, STOP], "panel")
    caplog.clear()
    journal.close()
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage() == f"NOT SAVED at the end: entries: 2, of match: 1. {path}, match 1: disk full"


def test_the_last_try_at_the_end_saves_what_can_be(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(path)
    match = journal.begin(HEADER)
    refuse(path, "true")
    journal.append(match, [THROW, STOP], "panel")
    mend(path)
    caplog.clear()
    journal.close()
    assert on_disk(path) == {match: [THROW, STOP]}
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
