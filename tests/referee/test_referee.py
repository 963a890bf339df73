"""The loop: edges by their stamps, refusals, undo, time and lamps, on the virtual box in injected time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from tests.kit.journals import dodeka_header
from tests.kit.rig import MS, SECOND, Rig, Rigs
from umpi.box.config import Config
from umpi.journal import Journal
from umpi.kernel import Act, Ask, Game, Result
from umpi.simulator.virtual import with_lanes
from umpi.table.commands import Do
from umpi.timing import gate
from umpi.timing.edge import Edge
from umpi.timing.events import Lost


def later(rig: Rig, *edges: tuple[str, bool, int]) -> None:
    """Deliver edges together, each stamped this many milliseconds from now; the loop reads them after the last."""
    start_ns = rig.now_ns
    for button, down, ms in edges:
        rig.loop.inbox.post(Edge(button, down, start_ns + ms * MS))
    rig.now_ns = start_ns + max(ms for *_, ms in edges) * MS
    rig.settle()


def test_edges_that_arrive_out_of_order_are_taken_by_their_stamps(in_play: Any) -> None:
    """On a real kernel: 66 to 119 inversions in 960 edges by reading order, none by stamp."""
    rig = in_play()
    later(rig, ("yellow", True, 30), ("red", True, 10), ("blue", True, 20))
    assert rig.shows("last run 100")
    assert next(act.given for act in rig.referee.session.record.match.acts)["dice"] == (1, 2, 3)


def test_an_edge_that_comes_late_does_not_leave_its_key_down(in_play: Any) -> None:
    """A tap of 3 ms whose two edges are read in the wrong order, in two batches."""
    rig = in_play()
    later(rig, ("ok", False, 3))
    rig.loop.inbox.post(Edge("ok", True, rig.now_ns - 3 * MS))
    rig.wait_ms(1000)
    assert not rig.shows("Rules"), "nobody holds the key"


def test_a_loop_that_was_held_up_leads_where_a_prompt_one_leads(in_play: Any) -> None:
    """A key held for the menu, then a seat button, while a slow card holds the loop."""
    held, prompt = in_play(file="held.db"), in_play(file="prompt.db")
    edges = (("back", True, 0), ("blue", True, 900), ("blue", False, 950), ("back", False, 1000))
    later(held, *edges)
    start_ns = prompt.now_ns
    for button, down, ms in edges:
        prompt.wait_ms((start_ns - prompt.now_ns) // MS + ms)
        prompt.box.hold(button, down)
    prompt.settle()
    assert held.screen == prompt.screen


def test_a_press_while_the_journal_writes_is_taken(in_play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop waits for the disk and still receives edges."""
    rig = in_play()
    append = rig.loop.journal.append

    def slow_append(*arguments: Any) -> None:
        rig.loop.inbox.post(Edge("white", True, rig.now_ns))
        append(*arguments)

    monkeypatch.setattr(rig.loop.journal, "append", slow_append)
    later(rig, ("red", True, 10), ("blue", True, 20), ("yellow", True, 30))
    assert rig.shows("last run 100", "5 _ _")


def test_fields_that_are_not_asked_for_are_left_out(in_play: Any) -> None:
    rig = in_play()
    rig.grant(Do((Act("throw", {"keep": (), "dice": (1, 2, 3)}), Act("bank"))))
    assert rig.acts == ["throw"]
    assert rig.lines == 1


def test_an_unreadable_match_is_reported_and_skipped(rigs: Rigs, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    journal.begin(dodeka_header())
    journal.append(journal.begin({**dodeka_header(), "game": "chess"}), [{"do": "castle"}], "panel")
    journal.close()
    rig = rigs()
    assert rig.shows("Problem"), rig.screen
    rig.press("back")  # not to its second page
    assert rig.shows("resume"), rig.screen


@dataclass(frozen=True)
class Moody(Game):
    """A game whose author has tried it with two players only."""

    id: ClassVar = "moody"
    title: ClassVar = "Moody"
    seats: ClassVar = range(1, 4)
    options: ClassVar = ()
    phase: ClassVar = "mood"

    @classmethod
    def setup(cls, seats: int) -> Self:
        if seats == 1:
            raise ZeroDivisionError("nobody to play with")
        return cls()

    def asks(self) -> tuple[Ask, ...]:
        return (Ask("frown", "Frown", (), 0),)

    def do_frown(self, seat: int) -> Self:
        return self

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def result(self) -> Result | None:
        return None

    def facts(self) -> dict[str, Any]:
        return {}


def test_an_engine_that_cannot_set_its_table_does_not_affect_others(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken plug-in does not affect other games."""
    monkeypatch.setattr("umpi.service.start.ALL_GAMES", [Moody])
    rig = rigs()
    rig.press("red red ok ok")
    assert not rig.referee.session.record
    assert rig.loop.journal.matches() == []
    rig.wait_ms(SECOND // MS)
    assert rig.shows("ZeroDivisionError"), rig.screen


def test_edges_lost_after_the_last_cube_make_a_clear_order_doubtful(rigs: Rigs) -> None:
    """Events that may have been lost void the verdict and say so; a loss comes to light late."""
    rig = rigs(beams=with_lanes(Config(), 6).beams)
    rig.start("dohdles", "red blue yellow ok ok red red")
    rig.box.toss(["yellow", "red"])
    for _ in range(4):
        rig.wait_ms((rig.box.flights[0][0] - rig.now_ns) // MS + 1)
        rig.box.fly()
    rig.wait_ms(500)
    assert rig.shows("Red", "2.", "1 Yellow"), rig.screen
    rig.loop.inbox.post(Lost(2))
    rig.settle()
    assert rig.shows("Unclear", "2 signals lost."), rig.screen


def test_more_cubes_than_the_box_keeps_are_unclear_and_once_accepted_the_next_is_seen(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never silently wrong: that the box can take no more cubes is shown, also after the players accepted an order."""
    monkeypatch.setattr(gate, "MOST_EDGES", 24)
    rig = rigs(beams=with_lanes(Config(), 6).beams)
    rig.start("dohdles", "red blue yellow ok ok red red")
    for _ in range(2):
        for number in range(14):
            rig.box.toss(["yellow"])
            rig.wait_ms(300)
            assert rig.referee.panel.table.state.doubt == ("Too many signals." if number >= 11 else "")
        assert len(rig.referee._beams.funnel.verdict.cubes) == 12, "two were not seen"
        rig.press("down")  # the box has said that Yellow has guessed already
        assert rig.shows("Unclear", "Too many signals."), rig.screen
        rig.press("black")
        assert not rig.shows("Unclear"), rig.screen


def test_cubes_on_hold_that_are_too_many_are_reported(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    """No riddle is on the start, so the match has not taken one of them."""
    monkeypatch.setattr(gate, "MOST_EDGES", 24)
    rig = rigs(beams=with_lanes(Config(), 6).beams)
    rig.start("dohdles", "red blue yellow ok ok")
    for _ in range(12):
        assert rig.referee.panel.table.state.doubt == ""
        rig.box.toss(["yellow"])
        rig.wait_ms(300)
    assert rig.shows("Cube on hold"), rig.screen
    rig.press("down")
    assert rig.shows("Unclear", "Too many signals."), rig.screen


def test_a_box_that_looks_late_takes_no_virtual_cube_for_a_stuck_one(rigs: Rigs) -> None:
    """All events up to a time are reported before the referee judges at that time."""
    rig = rigs(beams=with_lanes(Config(), 6).beams)
    rig.start("dohdles", "red blue yellow ok ok red red")
    rig.box.toss(["yellow"])
    rig.now_ns = rig.box.flights[0][0]
    rig.box.fly()
    rig.now_ns += 500 * MS
    rig.settle()
    verdict = rig.referee._beams.funnel.verdict
    assert [cube.doubts for cube in verdict.cubes] == [()], rig.screen
    assert not rig.shows("Unclear"), rig.screen
