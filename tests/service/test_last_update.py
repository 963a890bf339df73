"""What has become of the last update: it is told once, as soon as it is known."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from threading import Event

import pytest

from tests.kit.patience import got, wait_for
from umpi.kernel.messages import message
from umpi.recording.values import dumped, plain
from umpi.referee.events import LastUpdate
from umpi.service import last_update
from umpi.service.last_update import _follow, last_update_told

HOUR_NS = 3600 * 10**9


def leave(place: Path, last: object) -> None:
    new = place.with_suffix(".new")
    new.write_text(dumped(plain(last)), encoding="utf-8")
    new.replace(place)


def told(place: Path, began_ns: int) -> list[LastUpdate]:
    """What is told of a file that is there."""
    found: list[LastUpdate] = []
    _follow(found.append, place, began_ns, Event())
    return found


def test_it_is_told_as_soon_as_it_is_known_and_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_update, "LOOK_S", 0.01)
    found: SimpleQueue[LastUpdate] = SimpleQueue()
    works = LastUpdate(True, message("The update works: version {name} is in use.", name="1.1"), 2 * HOUR_NS)
    place = tmp_path / "settled.json"
    began_ns, before = time.monotonic_ns(), threading.enumerate()
    with last_update_told(found.put, place):
        (following,) = (each for each in threading.enumerate() if each.name == "umpi-settled" and each not in before)
        assert found.empty()
        leave(place, LastUpdate(works.worked, works.text, began_ns + HOUR_NS))
        last = got(found)
        wait_for(lambda: not following.is_alive())
    assert found.empty()
    assert (last.worked, last.text) == (True, works.text)
    assert last.text.template == works.text.template, "so that it can be translated"


def test_a_service_that_begins_again_does_not_tell_it_again(tmp_path: Path) -> None:
    leave(tmp_path / "settled.json", LastUpdate(True, "It works.", HOUR_NS))
    assert len(told(tmp_path / "settled.json", HOUR_NS - 1)) == 1
    assert told(tmp_path / "settled.json", HOUR_NS + 1) == []


def test_without_an_update_nothing_is_told(tmp_path: Path) -> None:
    leave(tmp_path / "settled.json", LastUpdate(True, "", HOUR_NS))
    assert told(tmp_path / "settled.json", 0) == []


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"#": "Tick", "at_ns": 1})])
def test_a_damaged_file_is_logged_and_costs_nothing_else(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "settled.json").write_text(text)
    assert told(tmp_path / "settled.json", 0) == []
    assert "cannot be read" in caplog.text


def test_a_box_that_ends_before_tells_nothing(tmp_path: Path) -> None:
    stop = Event()
    stop.set()
    _follow(pytest.fail, tmp_path / "settled.json", 0, stop)
