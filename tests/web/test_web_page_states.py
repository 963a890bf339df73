"""Each state of the page, from joining to the podium: axe-core finds nothing wrong, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, a_game_of_dodekka, chromium, opened_phones
from tests.kit.page_faults import faults, in_light
from tests.kit.page_states import TRUSTING, all_states

pytestmark = [pytest.mark.slow, pytest.mark.once]  # it needs a browser
WIDTHS = 320, 360, 768, 1920
WIDER = "return document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium"), TRUSTING) as chrome:
        yield chrome


def test_axe_finds_nothing_in_any_state_and_nothing_is_wider_than_the_screen(trusting: Any, tmp_path: Path) -> None:
    found: list[str] = []
    seen: list[str] = []

    def look(state: str, phone: Phone) -> None:
        seen.append(state)
        for dark in (False, True):
            in_light(phone, dark)
            found.extend(f"{state}, {'night' if dark else 'day'}: {fault}" for fault in faults(phone))
        for width in WIDTHS:
            phone.cdp("Emulation.setDeviceMetricsOverride", width=width, height=740, deviceScaleFactor=1, mobile=False)
            if phone.here.execute_script(WIDER) > 0:
                found.append(f"{state}: wider than {width}")
        phone.cdp("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)

    all_states(trusting, tmp_path, look)
    assert found == []
    assert {"joining", "waiting", "my turn", "not my turn", "buzzer", "refused", "not connected", "podium", "past 1",
            "settings", "offline"} <= set(seen)  # fmt: skip


def test_an_answer_that_was_begun_survives_a_phone_that_throws_the_page_away(trusting: Any, tmp_path: Path) -> None:
    with a_game_of_dodekka(tmp_path / "games.db") as sim, opened_phones(trusting) as open:
        phone = open(sim, 2, 0)
        phone.tap("#question .option:not([aria-disabled=true])")
        phone.wait("return document.querySelectorAll('.chip').length === 1")
        phone.here.refresh()
        phone.wait("return document.querySelectorAll('.chip').length === 1")
        phone.tap("#question .option:not([aria-disabled=true])")
        phone.wait("return document.querySelectorAll('.chip').length === 2")
