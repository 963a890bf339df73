"""Joining where somebody means harm, or the box has something else to say; conversations/joining*.txt have the rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Phone, Table, laid
from tests.kit.rig import Rigs
from umpi.simulator.reading import reads

RED, BLUE, YELLOW = "192.168.4.21", "192.168.4.22", "192.168.4.23"


@pytest.fixture
def table(rigs: Rigs) -> Table:
    """A box that lets phones ask for seats."""
    table = laid(rigs, "scorepad", ["Red", "Blue"])
    opens(table)
    return table


def opens(table: Table) -> None:
    table.rig.press("back", ms=1000)
    table.rig.choose("Pair a phone")
    table.rig.choose("All: one QR code")


def asks(table: Table, address: str, button: str, name: str) -> Phone:
    phone = table.phone(address=address)
    assert phone.post("join", button=button, name=name).status_code == 200
    return phone


def role(phone: Phone) -> tuple[Any, bool]:
    me = phone.get("me").json()
    return me["who"] and me["who"]["button"], me["waiting"]


def test_a_hammered_buzzer_lets_no_phone_in_when_joining_is_opened_from_a_phone(rigs: Rigs) -> None:
    """Over a race the button of a seat, still its buzzer a moment ago, lets in whoever asks for that seat."""
    table = laid(rigs, "quiz", ["Red", "Blue"], [{"do": "open"}])
    assert table.paired().post("joining", open=True).status_code == 200
    stranger = asks(table, RED, "red", "Eve")
    table.rig.press("red")
    assert (role(stranger), table.rig.shows("IGNORED")) == ((None, True), True), table.rig.screen
    table.rig.wait_ms(500)
    table.rig.press("red")
    assert role(stranger) == ("red", False)


def test_requests_to_join_from_one_address_are_limited(table: Table) -> None:
    red = asks(table, RED, "red", "Ann")
    answers = [
        table.phone(address=YELLOW).post("join", button="red", name=f"Eve {number}").status_code for number in range(10)
    ]
    assert answers == [200] * 8 + [429] * 2
    assert [each["name"] for each in table.document["joining"]] == ["Ann", *(f"Eve {n}" for n in range(2, 8))]
    table.rig.press("red red")
    assert role(red) == ("red", False), "the oldest phone is beside the first button"


def test_no_address_pushes_others_off_the_list(rigs: Rigs) -> None:
    """All that the screen lists can be let in."""
    table = laid(rigs, "scorepad", ["Red", "Blue"])
    referee = table.paired()
    opens(table)
    honest = [asks(table, f"192.168.4.{number}", "blue", "Ben") for number in range(4)]
    for number in range(8):
        asks(table, YELLOW, "red", f"Eve {number}")
    table.rig.wait_ms(30_000)
    for number in range(4):
        asks(table, YELLOW, "red", f"Eva {number}")
    claims = table.document["joining"]
    assert [each["name"] for each in claims].count("Ben") == 4
    answers = [referee.post("admit", claim=each["claim"], admit=True).status_code for each in claims]
    assert 409 not in answers, "none has left without a word"
    assert [role(phone) for phone in honest] == [("blue", False)] * 4


def test_a_stranger_reads_nothing_of_a_secret(table: Table) -> None:
    ann = asks(table, RED, "red", "Ann")
    (waiting,) = table.rig.referee.table.state.joining.claims
    shown = table.phone(address=YELLOW).get("state").text + ann.get("me").text
    assert waiting.hash not in shown


def test_a_box_without_an_address_for_phones_says_so(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Ann", "Ben"])
    table.codes._address = str
    refused = table.paired().post("joining", open=True)
    assert refused.status_code == 422
    assert refused.json()["error"].startswith("Phones cannot reach this page. Connect the box to a network, or ")


def test_joining_covers_no_problem_of_the_box(table: Table) -> None:
    asks(table, RED, "red", "Ann")
    table.rig.referee.panel.tell("Problem", "Something is unplugged.")
    assert reads(table.rig.referee.panel.picture(), "Problem")
    table.rig.press("red")
    assert table.rig.shows("Join", "Ann"), table.rig.screen
