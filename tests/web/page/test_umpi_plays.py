"""A seat of the box in the browser: the referee's phone gives it at the start, enters its dice, and takes it back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Sim, pair
from tests.kit.page_faults import faults

pytestmark = pytest.mark.slow  # each needs a browser

REFEREE = 4  # the host of this phone: cookies are kept by address
CHOOSE = "const [what, value] = arguments, one = document.querySelector(what); one.value = value; "
CHOOSE += "one.dispatchEvent(new Event('change'))"


def test_the_referees_phone_plays_against_the_box(fresh: Sim, phones: Any, tmp_path: Any) -> None:
    phone = phones(fresh, REFEREE)
    pair(fresh, phone, None)
    phone.reads("#start h2", "Start a match")
    phone.tap("form.start [value=quiz]")
    assert phone.here.find_element("css selector", "[data-key='level 1']").get_attribute("disabled")
    phone.tap("form.start [value=dodeka]")
    phone.here.execute_script(CHOOSE, "[data-key='level 1']", "strong")
    assert not phone.here.find_element("css selector", "[data-key='name 1']").is_displayed()
    assert faults(phone) == []
    phone.tap("[data-key=start]")
    phone.reads("#scores", "Red", "Umpi")
    question = fresh.get("api/state")["question"]["id"]
    send = "fetch('api/act', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: arguments[0]})"
    act = '{"do": "throw", "keep": [], "dice": [1, 2, 3]}'
    phone.here.execute_script(send, f'{{"question": "{question}", "act": {act}}}')
    phone.reads("#question", "2 of 3")
    question = fresh.get("api/state")["question"]["id"]
    phone.here.execute_script(send, f'{{"question": "{question}", "act": {{"do": "stop"}}}}')
    phone.reads("#question", "Roll all 3 dice for Umpi.")
    assert faults(phone) == []
    phone.tap("#start details.seats > summary")
    phone.here.execute_script(CHOOSE, "[data-key='occupy 1']", "person")
    phone.reads("#scores", "Red", "Blue")
    assert fresh.get("api/state")["match"]["players"][1] == {"seat": 1, "name": "Blue", "button": 1}
    assert not phone.complaints()
