"""An engine that fails while the box acts by itself: the loop continues, the menu opens, the log has the reason."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from tests.kit.journals import header
from tests.kit.rig import SECOND, Rig, Rigs
from umpi.conformance.patience import limited
from umpi.journal import Journal
from umpi.kernel import Ask, Field, Game, Result
from umpi.kernel.stuck import watched
from umpi.service import start
from umpi.service.engines import TookTooLong


@dataclass(frozen=True)
class Bomb(Game):
    """A game whose timed act fails, and that fails elsewhere where a test says so."""

    id: ClassVar = "bomb"
    title: ClassVar = "Bomb"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = ()
    fails: ClassVar[str] = ""
    hangs: ClassVar[str] = ""
    n: int = 0

    @classmethod
    def hang(cls, where: str) -> None:
        """Never return, if the test says so."""
        while cls.hangs == where:
            pass

    @classmethod
    def setup(cls, seats: int) -> Self:
        """Begin."""
        return cls()

    @classmethod
    def objection(cls, seats: int) -> str:
        """Object to nothing, or fail."""
        if cls.fails == "objection":
            raise ZeroDivisionError("bomb")
        return ""

    @property
    def phase(self) -> str:
        """The only one."""
        self.hang("phase")
        return "go"

    def asks(self) -> tuple[Ask, ...]:
        """Offer one act, and one that the box does by itself after ten minutes."""
        seat = 9 if self.fails == "seat" and self.n else 0
        return (Ask("go", "Go", (), seat), Ask("time-up", "Time", (), None, at_ms=600_000))

    def do_go(self, seat: int) -> Self:
        """Count."""
        return replace(self, n=self.n + 1)

    def do_time_up(self, seat: None) -> Self:
        """Fail."""
        raise ZeroDivisionError("bomb")

    def scores(self) -> tuple[int, ...]:
        """Count."""
        self.hang("scores")
        if self.fails == "scores" and self.n:
            raise ZeroDivisionError("bomb")
        return (self.n, 0)

    def result(self) -> Result | None:
        """Never end."""
        return None

    def facts(self) -> dict[str, Any]:
        """Say nothing."""
        return {}


@pytest.fixture
def bomb(rigs: Rigs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Switch a box on that has a match of Bomb with these lines, on the table or left."""
    monkeypatch.setattr(start, "find", lambda id: Bomb)  # noqa: A006
    monkeypatch.setattr(start, "ALL_GAMES", [Bomb])
    monkeypatch.setattr(Bomb, "fails", "")

    def switch_on(*lines: dict[str, Any], on: bool = True, fails: str = "") -> Rig:
        journal = Journal(tmp_path / "games.db")
        match = journal.begin(header("bomb", ["Ann", "Ben"]))
        journal.append(match, lines, "panel")
        if not on:
            journal.leave(match)
        journal.close()
        monkeypatch.setattr(Bomb, "fails", fails)
        return rigs()

    return switch_on


def menu_is_reached(rig: Rig) -> bool:
    """Dismiss what the box says, and open the menu."""
    for _ in range(3):
        rig.press("ok")
    rig.press("back", ms=1000)
    return rig.shows("Exit match")


HANGS_S = 0.1  # of processor time
GO = {"do": "go", "at": 10}
UNDO = {"undo": 1, "at": 20}


@pytest.mark.parametrize("on", [True, False])
def test_a_timed_act_that_fails_after_an_undo_does_not_end_the_loop(bomb: Any, on: bool, caplog: Any) -> None:
    rig = bomb(GO, UNDO, on=on)
    rig.press("ok")
    rig.press("ok")
    assert "do_time_up" in caplog.text, "the log has the traceback of the engine's own line"
    assert menu_is_reached(rig), rig.screen


@pytest.mark.slow
def test_a_failing_timed_act_is_tried_once_and_reported(bomb: Any, caplog: Any) -> None:
    rig = bomb(GO, on=False)
    rig.press("ok")
    rig.wait_ms(601_000)
    assert rig.shows("Bomb", "fail"), rig.screen
    due = rig.loop.due_ns
    assert due is None or due > rig.now_ns, "the loop does not spin"
    before = rig.loop.turned
    rig.wait_ms(10_000)
    assert rig.loop.turned - before < 50
    assert menu_is_reached(rig), rig.screen


@pytest.mark.slow
def test_after_the_next_act_the_timed_one_is_tried_again(bomb: Any) -> None:
    rig = bomb(on=False)
    rig.press("ok")
    rig.wait_ms(601_000)
    rig.press("ok")
    rig.press("red")
    assert rig.acts == ["go"]
    assert rig.shows("fail"), rig.screen


@pytest.mark.parametrize("fails", ["scores", "seat", "objection"])
def test_a_restart_with_an_engine_that_fails_leads_to_a_menu(bomb: Any, fails: str) -> None:
    rig = bomb(GO, fails=fails)
    assert rig.loop.turned
    rig.press("ok")
    rig.press("ok")
    assert rig.shows("Exit match") or rig.shows("Which game?") or menu_is_reached(rig), rig.screen


@pytest.mark.parametrize("hangs", ["scores", "phase"])
def test_a_restart_with_an_engine_that_hangs_leads_to_a_menu(
    bomb: Any, hangs: str, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setattr(Bomb, "hangs", hangs)
    with watched(lambda: [Bomb], TookTooLong, HANGS_S, "umpi.service."):
        rig = bomb(GO)
        assert rig.loop.turned
        assert f"{hangs}() did not return within {HANGS_S} s" in caplog.text
        assert rig.shows("did not return"), rig.screen
        rig.press("ok")
        assert rig.shows("rematch", "new game"), rig.screen


def test_whatever_fails_in_a_round_is_logged_and_shown(in_play: Any, monkeypatch: Any, caplog: Any) -> None:
    rig = in_play()

    def fail(now_ns: int) -> bool:
        raise ZeroDivisionError("a fault of the box")

    monkeypatch.setattr(rig.referee._timers, "tick", fail)
    with caplog.at_level(logging.ERROR):
        rig.settle()
    assert rig.shows("Box error"), rig.screen
    assert "in fail" in caplog.text
    monkeypatch.undo()
    rig.now_ns += SECOND
    rig.press("ok")
    rig.press("red blue yellow")
    assert rig.acts == ["throw", "stop"], "the game goes on"


HOOKS = (
    "phase", "asks", "do_go", "scores", "result", "facts", "view", "now", "odds", "calls", "told", "decided",
    "standing", "shown_facts", "shown_board", "own_hand", "teams", "wins",
)  # fmt: skip


def hang() -> object:
    while True:
        pass


def at_once() -> object:
    return [0] * 10**11


def piece_by_piece() -> object:
    return [[each] * 10**6 for each in range(10**6)]


def recurse() -> object:
    return recurse()


def fail() -> object:
    raise ZeroDivisionError("bomb")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit of memory")
@pytest.mark.parametrize(
    ("planted", "limit_s", "says"),
    [(hang, HANGS_S, "did not return"), (at_once, 60, "memory"), (piece_by_piece, 60, "memory")],
)
def test_an_act_whose_rules_hang_or_fill_the_memory_is_refused_and_the_next_one_counts(
    bomb: Any, planted: Callable[[], object], limit_s: float, says: str, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """The unit of systemd has such a limit (LimitDATA)."""
    with watched(lambda: [Bomb], TookTooLong, limit_s, "umpi.service."):
        rig = bomb(on=False)
        for button in ("ok", "red", "red"):  # the first press after a start only shows the match
            rig.press(button)
        done = rig.acts
        with monkeypatch.context() as patch, limited(200 << 20):
            patch.setattr(Bomb, "do_go", lambda *_: planted())
            rig.press("red")
        assert rig.shows(says), rig.screen
        assert planted.__name__ in caplog.text, "the log has the traceback of the engine's own line"
        assert rig.acts == done, "nothing was written"
        rig.press("ok")
        rig.wait_ms(1000)
        rig.press("red")
        assert rig.acts == [*done, "go"], rig.screen


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit of memory")
@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("planted", [hang, recurse, fail, piece_by_piece])
def test_whatever_a_hook_does_the_box_goes_on_and_the_match_keeps_its_acts(
    bomb: Any, hook: str, planted: Callable[[], object], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """A hook fails from the next act on: its menu can be reached, and with other rules the match is as it was."""
    with watched(lambda: [Bomb], TookTooLong, HANGS_S, "umpi.service."):
        rig = bomb(on=False)
        for button in ("ok", "red", "red"):
            rig.press(button)
        done = rig.acts
        bad = property(lambda self: planted()) if hook in ("phase", "wins") else lambda *_: planted()
        with monkeypatch.context() as patch, limited(200 << 20):
            patch.setattr(Bomb, hook, bad, raising=False)
            rig.press("red")
            assert rig.acts in (done, [*done, "go"])
            assert menu_is_reached(rig) or rig.shows("new game"), rig.screen
        before = rig.acts
        rig.press("back")
        for _ in range(3):
            rig.press("ok")
        assert rig.acts[: len(before)] == before
        assert rig.loop.turned
