"""A hint in the browser: the phone that asks sees it, another does not, and it goes with the question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, a_game_of_dodekka

pytestmark = pytest.mark.slow  # each needs a browser

RED, REFEREE = 2, 3  # the hosts of these phones: cookies are kept by address


@pytest.fixture
def sim(tmp_path: Path) -> Iterator[Sim]:
    config = tmp_path / "umpi.toml"
    config.write_text("[box]\nsetup_card = false\nhint = true\n")
    with a_game_of_dodekka(tmp_path / "games.db", "--config", str(config)) as sim:
        yield sim


def acts(phone: Phone, sim: Sim, verb: str, **given: Any) -> None:
    """Act as a phone's page does, without its form."""
    body = {"question": sim.get("api/state")["question"]["id"], "act": {"do": verb, **given}}
    post = "{method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(arguments[0])}"
    phone.here.execute_script(f"fetch('api/act', {post})", body)


def test_the_phone_that_asks_sees_what_the_box_would_do(sim: Sim, phones: Any) -> None:
    referee, red = phones(sim, REFEREE, None), phones(sim, RED, 0)
    assert referee.text("#hint") == "", "the deal is nobody's turn"
    acts(referee, sim, "deal", cards=["fire-1", "fire-2", "air-1"])
    red.tap("#hint [data-key=hint]")
    red.reads("#hint", "Suggestion: ")
    assert referee.text("#hint") == "What would you do?"
    sim.sees("Hint", "Suggestion:")
    sim.press("ok")
    acts(red, sim, "turn", card="earth-4")
    red.wait("return !document.getElementById('hint').innerText.includes('I would')")
    assert not [line for phone in (red, referee) for line in phone.complaints()]
