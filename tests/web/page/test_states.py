"""Each state of the page, from joining to the podium: what eyes, a zoom, a screen reader or a keyboard need."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, a_game_of_dodekka, chromium, opened_phones
from tests.kit.by_keyboard import tab_faults
from tests.kit.page_faults import faults, in_light
from tests.kit.page_states import TRUSTING, all_states
from tests.kit.words_on_page import SIZES, broken_words

pytestmark = pytest.mark.slow  # it needs a browser


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium"), TRUSTING) as chrome:
        yield chrome


def test_every_state_can_be_read_by_everybody(trusting: Any, tmp_path: Path) -> None:
    """axe-core is the engine of Lighthouse's accessibility score. Sizes include a laptop at 200 % and at 400 %."""
    found: list[str] = []
    seen: list[str] = []

    def look(state: str, phone: Phone) -> None:
        seen.append(state)
        for dark, more in product((False, True), ({}, {"prefers_contrast": "more"})):
            in_light(phone, dark, **more)
            light, first = "night" if dark else "day", not dark and not more
            by = faults(phone, enhanced=bool(more), only_colours=not first)  # all else is the same in each light
            found.extend(f"{state}, {light} {more}: {fault}" for fault in by)
        in_light(phone, False)
        for size, (width, height) in SIZES.items():
            phone.resize(width, height)
            found.extend(f"{state}, {size}: {fault}" for fault in broken_words(phone))
            if size in ("phone", "laptop at 400 %"):
                found.extend(f"{state}, {size}, by keyboard: {fault}" for fault in tab_faults(phone))
        phone.resize(*SIZES["phone"])

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
