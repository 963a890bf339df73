"""A secret question on two phones in the browser: each answers unseen, and all bids appear together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import Phone, Sim
from conftest import keys_of
from umpi.kernel import registry

pytestmark = pytest.mark.slow  # it needs a browser

RED, BLUE, OTHER = 2, 3, 4  # the hosts of these phones: cookies are kept by address
BIDS = Path(__file__).with_name("bold_bids") / "bold_bids.py"


@pytest.fixture
def sim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sim]:
    """A box with Bold bids, as pip would install it, at which Red and Blue have begun a game of one round."""
    site = tmp_path / "site"
    info = site / "bold_bids-1.dist-info"
    info.mkdir(parents=True)
    (site / BIDS.name).write_bytes(BIDS.read_bytes())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bold-bids\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[umpi.games]\nbold-bids = bold_bids:BoldBids\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(site)
    registry.look_again()
    config = tmp_path / "umpi.toml"
    config.write_text("[box]\nsetup_card = false\n")
    sim = Sim(tmp_path / "games.db", "--lanes", "0", "--config", str(config), "--option", "rounds=1")
    try:
        sim.sees("Which game?")
        sim.press(keys_of("bold-bids"))
        sim.sees("Players?")
        sim.press("red blue ok")
        sim.sees("Options")
        sim.press("ok")
        sim.sees("Bid 0 to 1")
        yield sim
    finally:
        sim.kill()
        monkeypatch.undo()
        registry.look_again()


def bid(phone: Phone, number: int) -> None:
    """Bid by the form of the phone; the last answer sends it."""
    phone.tap(f'#question [data-key="bid {number}"]')


def test_each_bids_on_their_own_phone_and_nobody_sees_a_bid_before_the_last(sim: Sim, phones: Any) -> None:
    red, blue, other = phones(sim, RED, 0), phones(sim, BLUE, 1), phones(sim, OTHER)
    bid(red, 1)
    for phone in (red, blue, other):
        phone.reads("#announcement", "Answers: 1 of 2")
        assert "Bids:" not in phone.text("body")
    red.reads("#question", "Red, you have answered.")
    assert "you have answered" not in blue.text("#question")
    assert sim.get("api/state")["question"]["answered"] == [0]
    assert sim.get("api/state")["match"]["phase"] == "bid"
    assert "'bid': 1" not in str(sim.get("api/state"))
    bid(blue, 0)
    for phone in (red, other):
        phone.reads("#question", "Red: tricks?")
    state = sim.get("api/state")["match"]
    assert (state["phase"], state["beside"]) == ("tricks", ["1", "0"])
    assert not [line for phone in (red, blue) for line in phone.complaints()]
