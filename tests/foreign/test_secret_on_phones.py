"""A secret question on two phones in the browser: each answers unseen, and all bids appear together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, a_game
from umpi.kernel import registry

pytestmark = pytest.mark.slow  # it needs a browser

RED, BLUE, OTHER = 2, 3, 4  # the hosts of these phones: cookies are kept by address


@pytest.fixture
def sim(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sim]:
    """A box with a game as pip would install it, Bold bids if none is named, at which Red and Blue have begun it."""
    name, option, asked = getattr(request, "param", ("bold-bids", "rounds=1", "Bid 0 to 1"))
    module = name.replace("-", "_")
    file = Path(__file__).with_name(module) / f"{module}.py"
    site = tmp_path / "site"
    info = site / f"{module}-1.dist-info"
    info.mkdir(parents=True)
    (site / file.name).write_bytes(file.read_bytes())
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[umpi.games]\n{name} = {module}:{name.title().replace('-', '')}\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(site)
    registry.look_again()
    config = tmp_path / "umpi.toml"
    config.write_text("[box]\nsetup_card = false\n")
    try:
        with a_game(name, tmp_path / "games.db", "--config", str(config), "--option", option) as sim:
            sim.sees(asked)
            yield sim
    finally:
        monkeypatch.undo()
        registry.look_again()


def bid(phone: Phone, number: int) -> None:
    """Bid by the form of the phone; the last answer sends it."""
    phone.tap(f'#question [data-key="bid {number}"]')


def test_each_bids_on_their_own_phone_and_nobody_sees_a_bid_before_the_last(sim: Sim, phones: Any) -> None:
    red, blue, other = phones(sim, RED, 0), phones(sim, BLUE, 1), phones(sim, OTHER)
    red.reads("#question", "Red: Bid 0 to 1")
    assert "Blue" not in red.text("#question"), "no button of another seat"
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
    red.reads("#question", "Red: tricks?")
    other.reads("#turn", "Red: tricks?")
    state = sim.get("api/state")["match"]
    assert (state["phase"], state["beside"]) == ("tricks", ["1", "0"])
    assert not [line for phone in (red, blue) for line in phone.complaints()]


@pytest.mark.slow
@pytest.mark.parametrize("sim", [("blind-market", "lots=1", "bid: who?")], indirect=True)
def test_a_phone_asks_for_the_secret_of_its_own_player_and_for_no_seat(sim: Sim, phones: Any) -> None:
    """What is asked follows from the seat; the phone of a player needs no choice of a seat, and offers no other."""
    red = phones(sim, RED, 0)
    red.reads("#question", "Lot of", "How many coins?")
    assert "or others" not in red.text("#question")
    assert "Blue" not in red.text("#question"), red.text("#question")
    red.tap('#question [data-key="coins 3"]')
    red.tap('#question [data-key="send"]')
    red.reads("#question", "Red, you have answered.")
    assert sim.get("api/state")["question"]["answered"] == [0]
    assert "Blue" not in red.text("#question"), red.text("#question")
    assert not red.complaints()


HAND = (
    "return [...document.querySelectorAll('#question button[data-key^=\"card \"]')].map((one) => one.innerText.trim())"
)


@pytest.mark.parametrize(
    ("sim", "together"),
    [(("quiet-high", "rounds=1", "Red only"), False), (("quiet-high", "together=true", "who?"), True)],
    indirect=["sim"],
)
def test_each_phone_shows_its_own_hand_and_chooses_from_it(sim: Sim, phones: Any, together: bool) -> None:
    red, blue, referee, other = phones(sim, RED, 0), phones(sim, BLUE, 1), phones(sim, 5, None), phones(sim, OTHER)
    everyone = red, blue, referee, other
    red.wait(f"{HAND}.length === 3")
    cards = red.here.execute_script(HAND)
    assert not any(card in phone.text("#question") for phone in (referee, other) for card in cards if len(card) == 2)
    red.tap('#held [data-key="held"]')
    red.reads("#held", "Your cards:", *cards)
    blue.tap('#held [data-key="held"]')
    blue.reads("#held", "Your cards:")
    assert [bool(phone.text("#held")) for phone in everyone] == [True, True, False, False]
    if together:
        blue.wait(f"{HAND}.length === 3")
    else:
        assert blue.here.execute_script(HAND) == [], "it is Red's turn"
    red.tap(f'#question [data-key="card {cards[-1]}"]')
    if together:
        blue.tap(f'#question [data-key="card {blue.here.execute_script(HAND)[0]}"]')
    for phone in (blue, other):
        phone.reads("main", "takes the round" if together else cards[-1])
    red.reads("#held", "Your cards:", *cards[:-1])
    red.tap('#held [data-key="held"]')
    assert "Your cards" not in red.text("#held")
    assert not [line for phone in everyone for line in phone.complaints()]
