"""The check of the devices on the panel: inputs as they change, and the time from a press to its picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.rig import Rig
from umpi.box.config import Config
from umpi.referee.effects import TimePicture
from umpi.referee.events import PictureShown
from umpi.service.shown import time_picture
from umpi.simulator.virtual import with_head, with_lanes

MS = 1_000_000


@pytest.fixture
def rig(tmp_path: Path) -> Any:
    rig = Rig(with_lanes(Config(journal=tmp_path / "games.db"), 2))
    rig.loop._time_picture = int  # the test says when the picture is shown
    rig.choose("Check devices")
    yield rig
    rig.close()


def check(rig: Rig) -> Any:
    return rig.referee.panel.table.state.check


def test_beams_and_buttons_are_shown_as_they_change(rig: Rig) -> None:
    assert rig.shows("Check devices")
    assert (check(rig).beams, check(rig).active) == (("lane_1", "lane_2"), frozenset())
    light = rig.screen
    rig.box.beam("lane_2", True)
    rig.settle()
    assert check(rig).active == {"lane_2"}
    dark = rig.screen
    assert dark != light
    rig.press("red")
    assert check(rig).active == {"lane_2"}, "the button is up again"
    rig.box.beam("lane_2", False)
    rig.settle()
    assert check(rig).active == frozenset()


def test_a_press_is_shown_and_does_nothing_else_until_back_ends_the_check(rig: Rig) -> None:
    rig.press("red blue ok up down")
    assert check(rig)
    rig.press("back")
    assert check(rig) is None
    assert not rig.shows("Check devices")
    rig.choose("Check devices")
    assert check(rig).latest_ms is None


def test_the_time_from_a_press_to_its_picture_is_asked_for_once_and_shown(rig: Rig) -> None:
    wanted: list[int] = []
    rig.loop._time_picture = lambda: wanted.append(rig.now_ns)
    rig.press("red", ms=100)
    assert wanted, "the picture of a press is timed"
    check_ = rig.referee._check
    pressed_ns = check_._pressed_ns
    rig.loop.inbox.post(PictureShown(pressed_ns + 37 * MS + 1))
    rig.settle()
    assert (check(rig).latest_ms, check(rig).most_ms) == (38, 38)
    assert not check_.ask()
    rig.loop.inbox.post(PictureShown(pressed_ns + 90 * MS))
    rig.settle()
    assert check(rig).latest_ms == 38, "nothing was pressed since"
    rig.press("red")
    rig.loop.inbox.post(PictureShown(check_._pressed_ns + 20 * MS))
    rig.settle()
    assert (check(rig).latest_ms, check(rig).most_ms) == (20, 38)


def test_a_display_that_is_out_times_no_picture_and_is_asked_once(rig: Rig) -> None:
    """Else the first picture after it is back would have taken all the time since the press."""
    wanted: list[int] = []
    rig.loop._time_picture = lambda: wanted.append(rig.now_ns)
    rig.press("red blue yellow")
    assert len(wanted) == 1, "no thread for each picture"
    rig.loop.inbox.post(PictureShown(None))
    rig.settle()
    rig.wait_ms(5000)
    rig.box.beam("lane_1", True)  # another picture, which no press has asked for
    rig.wait_ms(100)
    assert len(wanted) == 1
    rig.press("red", ms=100)
    assert len(wanted) == 2
    rig.loop.inbox.post(PictureShown(wanted[-1] + 20 * MS))
    rig.settle()
    assert (check(rig).latest_ms, check(rig).most_ms) == (20, 20)


def test_an_answer_of_a_check_that_was_closed_times_no_press_of_the_next_one(rig: Rig) -> None:
    rig.press("red")
    rig.press("back")
    rig.choose("Check devices")
    rig.press("red")
    rig.loop.inbox.post(PictureShown(rig.now_ns))
    rig.settle()
    assert check(rig).latest_ms is None


def test_outside_the_check_no_picture_is_timed(rig: Rig) -> None:
    rig.press("back")
    timed = [effect for effect in rig.referee.step(PictureShown(rig.now_ns)) if isinstance(effect, TimePicture)]
    assert timed == []
    rig.settle()
    assert check(rig) is None


def test_beams_of_a_head_are_those_that_are_dark_when_it_is_connected(tmp_path: Path) -> None:
    rig = Rig(with_head(Config(journal=tmp_path / "games.db"), 2))
    rig.wait_ms(3000)
    rig.choose("Check devices")
    rig.box.beam("lane_1", True)
    rig.wait_ms(200)
    assert check(rig).active == {"lane_1"}
    rig.box.plugs.of("head").pull()
    rig.wait_ms(3000)
    rig.box.beam("lane_1", False)
    rig.box.beam("lane_2", True)
    rig.box.plugs.of("head").plug()
    rig.wait_ms(5000)
    assert check(rig).active == {"lane_2"}
    rig.close()


def test_the_service_reports_when_the_display_shows_the_picture() -> None:
    class Display:
        def wait_shown(self, timeout_s: float) -> bool:
            return True

    class Box:
        oled: Any = Display()

    box: Any = Box()
    posted: list[Any] = []
    time_picture(box, lambda: 5, posted.append).join()
    assert posted == [PictureShown(5)]
    box.oled = None
    time_picture(box, lambda: 5, posted.append).join()
    assert posted.pop() == PictureShown(None), "a box without a display times none"
    box.oled = Display()
    box.oled.wait_shown = lambda timeout_s: False
    time_picture(box, lambda: 5, posted.append).join()
    assert posted == [PictureShown(5), PictureShown(None)], "nor one whose display is out"
