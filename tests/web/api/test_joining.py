"""Joining: phones ask for seats while the box allows it; a seat's button or the referee's phone lets them in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Phone, Table, laid, replayed, session
from tests.kit.rig import Rigs
from umpi.simulator.reading import reads

RED, BLUE, YELLOW = "192.168.4.21", "192.168.4.22", "192.168.4.23"
CLOSED = "At the box, choose “Pair a phone”"


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


def named(table: Table) -> list[str]:
    return [player["name"] for player in table.document["match"]["players"]]


def role(phone: Phone) -> tuple[Any, bool]:
    me = phone.get("me").json()
    return me["who"] and me["who"]["button"], me["waiting"]


def test_each_seat_lets_its_own_phone_in(table: Table) -> None:
    assert table.document["joining"] == []
    assert table.rig.shows("Join", "Scan,"), table.rig.screen
    red, blue = asks(table, RED, "red", "Ann"), asks(table, BLUE, "blue", "Ben")
    assert [(each["button"], each["name"]) for each in table.document["joining"]] == [(0, "Ann"), (1, "Ben")]
    assert table.rig.shows("Ann", "Ben"), table.rig.screen
    assert role(red) == role(blue) == (None, True)
    assert red.act("score", seat=0, points=5).status_code == 401
    table.rig.press("blue")
    assert (role(red), role(blue)) == ((None, True), ("blue", False))
    table.rig.press("red ok")
    assert role(red) == ("red", False)
    assert table.document["joining"] is None
    assert named(table) == ["Ann", "Ben"], "under the names with which they asked"
    assert table.rig.acts == []


def test_a_second_phone_at_a_seat_says_whether_it_is_of_the_same_player_or_of_another(table: Table) -> None:
    ann = asks(table, RED, "red", "Ann")
    table.rig.press("red")
    ben = table.phone(address=BLUE)
    refused = ben.post("join", button="red", name="Ben")
    assert (refused.status_code, refused.json()["error"].split(".")[0]) == (422, "Ann has this colour")
    second = asks(table, YELLOW, "red", "Ann")
    table.rig.press("red")
    assert (role(ann), role(second)) == (("red", False), ("red", False)), "both are Ann's"
    assert ben.post("join", button="red", name="Ben", instead=True).status_code == 200
    assert [(each["name"], each["instead"]) for each in table.document["joining"]] == [("Ben", True)]
    assert named(table) == ["Ann", "Blue"], "before somebody lets Ben in"
    table.rig.press("red")
    assert (role(ann), role(second), role(ben)) == ((None, False), (None, False), ("red", False))
    assert named(table) == ["Ben", "Blue"]


def test_a_phone_that_waits_may_withdraw_and_ask_again(table: Table) -> None:
    ann = asks(table, RED, "red", "Ann")
    assert ann.post("withdraw").status_code == 200
    assert (role(ann), table.document["joining"]) == ((None, False), [])
    assert ann.post("withdraw").status_code == 409
    table.rig.press("red")
    assert role(ann) == (None, False)
    ann.post("join", button="blue", name="Ann")
    table.rig.press("blue")
    assert role(ann) == ("blue", False)


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


def test_before_a_match_the_name_of_a_phone_is_for_the_next_one(rigs: Rigs) -> None:
    table = Table(rigs())
    referee = table.paired()
    assert referee.post("joining", open=True).status_code == 200
    asks(table, RED, "red", "Ann")
    (claim,) = table.document["joining"]
    assert referee.post("admit", claim=claim["claim"], admit=True).status_code == 200
    assert table.document["joined"] == [{"button": 0, "name": "Ann"}]


def test_a_name_of_another_player_is_refused_when_asking_and_when_letting_in(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Red", "Tom"])
    referee, phone = table.paired(), table.phone(address=RED)
    opens(table)
    refused = phone.post("join", button="red", name="tom")
    assert (refused.status_code, refused.json()["error"]) == (422, "Another player is already called tom.")
    red, blue = asks(table, RED, "red", "Ann"), asks(table, BLUE, "blue", "Ann")
    first, second = (each["claim"] for each in table.document["joining"])
    assert referee.post("admit", claim=second, admit=True).status_code == 200
    refused = referee.post("admit", claim=first, admit=True)
    assert (refused.status_code, refused.json()["error"]) == (422, "Another player is already called Ann.")
    table.rig.press("red")
    assert table.rig.shows("already called Ann"), table.rig.screen
    table.rig.press("ok")
    assert (role(red), role(blue)) == ((None, True), ("blue", False)), "it still waits"
    assert named(table) == ["Red", "Ann"]
    assert red.post("join", button="red", name="Anna").status_code == 200
    table.rig.press("red")
    assert (role(red), named(table)) == (("red", False), ["Anna", "Ann"])


def test_a_request_to_join_is_refused_until_the_box_is_open_for_it(table: Table) -> None:
    table.rig.press("back")
    refused = table.phone(address=RED).post("join", button="red", name="Ann")
    assert refused.status_code == 422
    assert refused.json()["error"].startswith(CLOSED)
    opens(table)
    red = asks(table, RED, "red", "Ann")
    table.rig.press("ok")
    assert role(red) == (None, False), "it is forgotten"
    opens(table)
    table.rig.press("red")
    assert role(red) == (None, False)


def test_down_refuses_the_oldest_request_until_joining_is_opened_again(table: Table) -> None:
    eve, red = asks(table, BLUE, "red", "Eve"), asks(table, RED, "red", "Ann")
    table.rig.press("down")
    assert role(eve) == (None, False)
    assert eve.post("join", button="red", name="Eve").json() == {"error": "The players have turned this phone away."}
    table.rig.press("red")
    assert role(red) == ("red", False)
    table.rig.press("ok")
    opens(table)
    assert eve.post("join", button="blue", name="Eve").status_code == 200


def test_only_the_referees_phone_accepts_and_refuses_players(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Red", "Blue"])
    referee, seat = table.paired(), table.paired(1, address=BLUE)
    opens(table)
    red, eve = asks(table, RED, "red", "Ann"), asks(table, YELLOW, "red", "Eve")
    first, second = (each["claim"] for each in table.document["joining"])
    assert seat.post("admit", claim=first, admit=True).status_code == 403
    assert referee.post("admit", claim=second, admit=False).status_code == 200
    assert referee.post("admit", claim=first, admit=True).status_code == 200
    assert (role(red), role(eve)) == (("red", False), (None, False))
    assert referee.post("admit", claim=first, admit=True).status_code == 409


@pytest.mark.parametrize(("button", "name", "status"), [
    ("red", "", 422), ("red", "x" * 25, 422), ("red", "\n", 422), ("green", "Ann", 422), ("pink", "Ann", 400),
])  # fmt: skip
def test_a_wrong_request_says_why_and_nobody_waits(table: Table, button: str, name: str, status: int) -> None:
    phone = table.phone(address=RED)
    refused = phone.post("join", button=button, name=name)
    assert refused.status_code == status
    assert refused.json()["error"]
    assert table.document["joining"] == []
    assert role(phone) == (None, False)


def test_a_phone_that_asks_again_takes_one_place(table: Table) -> None:
    red = asks(table, RED, "red", "Ann")
    assert red.post("join", button="blue", name="Anna").status_code == 200
    assert [(each["button"], each["name"]) for each in table.document["joining"]] == [(1, "Anna")]
    table.rig.press("red blue")
    assert role(red) == ("blue", False)


def test_requests_to_join_from_one_address_are_limited(table: Table) -> None:
    red = asks(table, RED, "red", "Ann")
    answers = [
        table.phone(address=YELLOW).post("join", button="red", name=f"Eve {number}").status_code for number in range(10)
    ]
    assert answers == [200] * 8 + [429] * 2
    assert [each["name"] for each in table.document["joining"]] == ["Ann", *(f"Eve {n}" for n in range(2, 8))]
    table.rig.press("red red")
    assert role(red) == ("red", False), "the oldest phone is beside the first button"


def test_a_press_lets_nobody_in_whom_its_player_cannot_tell_from_another(table: Table) -> None:
    """A stranger asks first, under the name of the player who presses."""
    eve, ann = asks(table, YELLOW, "red", "Ann"), asks(table, RED, "red", "Ann")
    signs = [each["claim"] for each in table.document["joining"]]
    assert [phone.get("me").json()["claim"] for phone in (eve, ann)] == signs
    assert len({*signs}) == 2
    assert table.rig.shows(*(f"{sign}" for sign in signs)), table.rig.screen
    table.rig.press("red")
    assert role(eve) == role(ann) == (None, True)
    assert table.rig.shows("Which phone?", *(f"{sign}  Ann" for sign in signs)), table.rig.screen
    table.rig.press("back")
    assert table.rig.shows("Button: let in"), table.rig.screen
    table.rig.press("red white")
    assert (role(eve), role(ann)) == ((None, True), ("red", False)), "the second of the list"
    assert table.rig.shows("Button: let in"), table.rig.screen


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


def test_a_phone_that_was_let_in_stays_so_and_its_session_replays(table: Table) -> None:
    red = asks(table, RED, "red", "Ann")
    table.rig.press("red ok")
    assert [who for _, who, _ in table.loop.journal.phones()] == ["red"]
    assert red.act("score", seat=0, points=5).status_code == 200
    assert [text.split()[2] for text in replayed(session(table)) if text.startswith("reply")] == ["done"] * 2


def test_joining_covers_no_problem_of_the_box(table: Table) -> None:
    asks(table, RED, "red", "Ann")
    table.rig.referee.panel.tell("Problem", "Something is unplugged.")
    assert reads(table.rig.referee.panel.picture(), "Problem")
    table.rig.press("red")
    assert table.rig.shows("Join", "Ann"), table.rig.screen
