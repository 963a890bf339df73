"""The referee's phone in the browser: it opens joining, exits a game and resumes it; a player gives a seat back."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.kit.browsing import Sim, pair
from tests.kit.page_faults import faults

pytestmark = pytest.mark.slow  # each needs a browser

RED, REFEREE = 2, 4  # the hosts of these phones: cookies are kept by address
TOUCHES = 3
COUNT = "document.touches = 0; addEventListener('pointerdown', () => document.touches++, true)"


def test_a_table_of_phones_only(fresh: Sim, phones: Any) -> None:
    referee, red = phones(fresh, REFEREE), phones(fresh, RED)
    pair(fresh, referee, None)
    referee.tap("[data-key='open joining']")
    referee.wait("return document.querySelector('.hosting img')?.naturalWidth > 0")
    assert faults(referee) == []
    begun_s = time.monotonic()
    red.here.get(fresh.address(RED) + "#pair")
    red.here.execute_script(COUNT)
    red.tap("form.join input")
    red.type("Katy")
    red.tap("form.join [data-key='seat 0']")
    referee.tap(".claims .send")
    red.reads("#who", "Katy")
    print("seconds from the scan until this phone may act:", round(time.monotonic() - begun_s, 2))
    assert red.here.execute_script("return document.touches") <= TOUCHES
    referee.tap("[data-key='close joining']")
    referee.tap("form.start [value=scorepad]")
    referee.wait("return document.querySelector('form.start li:nth-child(1) input[list]').value === 'Katy'")
    referee.tap("[data-key=start]")
    red.reads("#scores", "Katy")
    referee.tap("[data-key=exit]")
    referee.reads(".confirm", "You can resume it later.")
    assert faults(referee) == []
    assert fresh.get("api/state")["match"], "the first touch only asks"
    referee.tap("[data-key='yes exit']")
    referee.tap("[data-key='resume 1']")
    red.reads("#scores", "Katy")
    red.go("pair")
    red.tap("[data-key=unpair]")
    red.tap("[data-key='yes unpair']")
    red.wait("return document.getElementById('who').textContent === 'Pair'")
    red.complaints()  # an exchange of times was perhaps on its way when the pairing went
    assert referee.complaints() == []
