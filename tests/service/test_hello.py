"""A new box says hello once it is in a network, and no other box does."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from threading import Event

import pytest

from tests.kit.journals import header
from tests.kit.patience import got
from umpi.journal import Journal
from umpi.referee.events import Reach
from umpi.service.hello import is_new, say_hello
from umpi.wifi.nmcli import NoNetwork

OWN = Path("/own")


def test_it_tells_how_phones_reach_the_box() -> None:
    said: SimpleQueue[Reach] = SimpleQueue()
    say_hello(OWN, said.put, lambda wait_s: "wlan0", lambda own: Reach("den", "secret"))
    assert got(said) == Reach("den", "secret", hello=True)


def none(wait_s: float) -> None:
    return None


def fails(wait_s: float) -> None:
    raise NoNetwork("nmcli is missing")


@pytest.mark.parametrize("in_network", [none, fails])
def test_without_a_network_it_says_nothing_by_itself(
    in_network: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended = Event()
    caplog.set_level("INFO")
    monkeypatch.setattr("umpi.service.hello.log.info", lambda *_: ended.set())
    say_hello(OWN, pytest.fail, in_network)  # type: ignore[arg-type]
    assert ended.wait(30)


def test_who_has_played_or_paired_a_phone_needs_no_hello(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.db")
    assert is_new(journal)
    journal.begin(header("scorepad", ["Ann", "Ben"]))
    assert not is_new(journal)
    journal.close()
    journal = Journal(tmp_path / "b.db")
    journal.pair(hash="hash", who="referee", name="Ann's phone")
    assert not is_new(journal)
    journal.close()
