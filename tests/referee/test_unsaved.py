"""What is not on disk yet can be read by no route."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.core import Core, Hand
from tests.kit.rig import MS, Rig, Rigs
from umpi.referee.effects import Effect, JournalCall
from umpi.referee.events import Answered, Event, PhonesKnown
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import NamePlayer
from umpi.web.past import entries, record_of


def read(rig: Rig) -> tuple[int, int, str, int]:
    """What phones can read of the match in play: acts, lines of its record, the question, acts that may be amended."""
    session, view = rig.referee.session, rig.loop.view
    match = session.match
    return len(entries(view)), record_of(view).count("\n"), session.question, len(match.acts) if match else -1


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Rig, str], list[Any]]:
    """Read the table whenever the journal is about to write; the list that is filled with what was read."""

    def watch(rig: Rig, method: str) -> list[Any]:
        seen: list[Any] = []
        write = getattr(rig.loop.journal, method)

        def slow(*values: Any) -> Any:
            seen.append((read(rig), rig.referee.session.on, rig.referee.session.table))
            return write(*values)

        monkeypatch.setattr(rig.loop.journal, method, slow)
        return seen

    return watch


def test_an_act_is_readable_only_once_it_is_on_disk(in_play: Any, meanwhile: Any) -> None:
    rig = in_play()
    before = read(rig)
    seen = meanwhile(rig, "append")
    rig.press("red blue yellow")
    assert [each[0] for each in seen] == [before]
    assert read(rig)[:2] == (2, 3)


def test_an_undo_is_readable_only_once_it_is_on_disk(in_play: Any, meanwhile: Any) -> None:
    rig = in_play()
    rig.press("red blue yellow")
    before, seen = read(rig), meanwhile(rig, "append")
    rig.undo()
    assert [each[0] for each in seen] == [before]
    assert read(rig)[:2] == (0, 4)


def test_a_new_name_is_readable_only_once_it_is_on_disk(in_play: Any, meanwhile: Any) -> None:
    from umpi.table.commands import Rename

    rig = in_play()
    table, seen = rig.referee.session.table, meanwhile(rig, "rename")
    rig.grant(Rename(0, "Eva"))
    assert [each[2] for each in seen] == [table]
    assert "Eva" in record_of(rig.loop.view)


def test_a_match_is_on_the_table_only_once_it_is_on_disk(rigs: Rigs, meanwhile: Any) -> None:
    rig = rigs()
    seen = meanwhile(rig, "begin")
    rig.start("dodeka", "red blue ok ok")
    assert [(each[0], each[1]) for each in seen] == [((0, 0, "", -1), False)]
    assert rig.referee.session.on


def test_acts_that_cannot_be_written_are_shown_as_not_saved_and_are_in_no_record(in_play: Any, tmp_path: Path) -> None:
    rig = in_play()
    (tmp_path / "games.db").rename(tmp_path / "elsewhere.db")
    rig.press("red blue yellow")
    assert rig.shows("NOT SAVED"), rig.screen
    assert read(rig)[:2] == (0, 1)
    assert rig.acts == ["throw", "stop"], "the game goes on"
    (tmp_path / "elsewhere.db").rename(tmp_path / "games.db")
    rig.wait_ms(2000)
    assert not rig.shows("NOT SAVED"), rig.screen
    assert read(rig)[:2] == (2, 3)


def test_a_failure_between_hold_and_release_hides_nothing(in_play: Any) -> None:
    """While rows are held, they are not on disk, and the journal says so."""
    rig = in_play()
    journal = rig.loop.journal
    journal.hold()
    journal.note(rig.referee.session.uid, "turn_s", 30)
    assert not journal.saved
    assert not journal.save()
    journal.release()
    assert journal.saved


class FullDisk(Core):
    """A box whose journal cannot write while `full`; each call tries again to write what is left."""

    full = False

    def answered(self, request: Effect, event: Event) -> Answered:
        answer = super().answered(request, event)
        bad = self.full and isinstance(request, JournalCall)
        return replace(answer, saved=not bad, trouble="disk full" if bad else "")


def test_not_saved_ends_whatever_call_has_written_what_was_left() -> None:
    core = FullDisk()
    hand = Hand(core)
    hand.start("dodekka")
    core.step(PhonesKnown(((1, 0, "Ann"),)))
    for core.full, name in ((True, "Ann"), (False, "Anna")):
        named = RemoteRequest(hand.now_ns, core.referee.session.question, NamePlayer(name), 0, id=7)
        core.give([named], hand.now_ns)
        hand.wait_ns(100 * MS)
        assert hand.shows("NOT SAVED") == core.full, hand.screen
