"""Phones that act: one answer per question, each seat for itself, and the replies to the others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.kit.at_table import Table, laid, verbs
from tests.kit.rig import MS, Rigs
from umpi.box.config import Config
from umpi.simulator.virtual import with_lanes
from umpi.timing.edge import Edge

TURN = {"do": "turn", "card": "earth-4"}


def at_once(table: Table, *asked: Any) -> list[Any]:
    """Send requests of several phones before the referee looks."""

    async def race() -> list[Any]:
        return await asyncio.gather(*asked)

    return table.rig.run(race())


def test_of_two_phones_and_a_button_exactly_one_answers_and_the_others_learn_it(dodekka: Table) -> None:
    """Exactly one wins, and the others learn what happened."""
    red, referee, question = dodekka.paired(0), dodekka.paired(), dodekka.question
    answers = {"question": question, "act": TURN}
    one, other = at_once(dodekka, *(phone.asked("POST", "act", json=answers) for phone in (red, referee)))
    assert sorted((one.status_code, other.status_code)) == [200, 409]
    late = one if one.status_code == 409 else other
    assert "Rosie flips earth-4." in late.json()["error"]
    assert verbs(dodekka) == ["deal", "turn"]
    assert red.act("turn", question, card="fire-1").status_code == 409, "nor ever after"


@pytest.mark.parametrize(("pressed_ms", "status", "verb"), [(-5, 409, "take"), (5, 200, "turn")])
def test_the_earlier_of_tap_and_press_counts_in_any_order_of_arrival(
    dodekka: Table, pressed_ms: int, status: int, verb: str
) -> None:
    """What decides who was first is the stamps, never the order in which they are read."""
    rig, red = dodekka.rig, dodekka.paired(0)
    question = dodekka.question
    rig.now_ns += 10 * MS

    async def tap() -> Any:
        tapping = asyncio.ensure_future(red.client.post("/api/act", json={"question": question, "act": TURN}))
        while not dodekka.loop.inbox:
            await asyncio.sleep(0)
        dodekka.loop.inbox.post(Edge("red", True, rig.now_ns + pressed_ms * MS))
        rig.now_ns += 10 * MS
        return await dodekka.answered(tapping)

    assert rig.run(tap()).status_code == status
    assert verbs(dodekka)[:2] == ["deal", verb]


def test_a_press_meant_for_the_question_a_phone_has_answered_answers_no_other(dodekka: Table) -> None:
    """Nobody can act on a question that has passed."""
    red, rig = dodekka.paired(0), dodekka.rig
    rig.now_ns += 40 * MS
    assert red.act("turn", card="earth-4").status_code == 200
    rig.settle()
    screen = rig.screen
    dodekka.loop.inbox.post(Edge("red", True, rig.now_ns - 1 * MS))
    rig.settle()
    assert rig.shows("Too late", "flip"), rig.screen
    assert verbs(dodekka) == ["deal", "turn"]
    dodekka.loop.inbox.post(Edge("red", False, rig.now_ns))
    rig.wait_ms(100)
    rig.press("back")
    assert rig.screen == screen, "nothing has been entered"


def test_a_buzz_by_button_during_a_buzz_by_phone_is_in_the_order(rigs: Rigs) -> None:
    table = laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}])
    tom, rig = table.paired(1), table.rig
    rig.now_ns += 10 * MS
    tapped_ns = rig.now_ns
    assert tom.act("buzz", seat=1).status_code == 200
    table.loop.inbox.post(Edge("yellow", True, tapped_ns - MS))
    rig.settle()
    order = table.document["seen"]["order"]
    assert [(place["name"], place["margin_us"]) for place in order] == [("Ann", 1000), ("Tom", None)]


@pytest.fixture
def dodeka(rigs: Rigs) -> Table:
    """Two turns of Dodéka: a suite of 100 and a pair of 40."""
    throws = [
        {"do": "throw", "keep": [], "dice": [1, 2, 3], "at": 10}, {"do": "stop", "at": 20},
        {"do": "throw", "keep": [], "dice": [5, 5, 1], "at": 30}, {"do": "stop", "at": 40},
    ]  # fmt: skip
    return laid(rigs, "dodeka", ["Rosie", "Tom"], throws)


def test_an_amend_says_first_what_would_be_lost_and_then_is_written_as_records_have_it(dodeka: Table) -> None:
    """Undo, the new act, then each later act that still holds, all with the `at` of the amending."""
    referee, rig = dodeka.paired(), dodeka.rig
    other = {"do": "throw", "keep": [], "dice": [4, 4, 4]}
    asked = {"question": dodeka.question, "index": 0, "act": other}
    before = dodeka.document
    assert referee.post("amend", **asked, **{"try": True}).json() == {"lost": []}
    assert dodeka.document == before
    amended = referee.post("amend", **asked, **{"try": False})
    assert amended.json() == {"lost": [], "version": dodeka.document["version"]}
    lines = [line for line, _ in dodeka.referee.session.lines[4:]]
    assert [line.get("do") or line["undo"] for line in lines] == [4, "throw", "stop", "throw", "stop"]
    assert lines[1]["dice"] == (4, 4, 4)
    assert len({line["at"] for line in lines}) == 1
    assert rig.lines == 9, "all on disk"


def dead_heat(rigs: Rigs) -> Table:
    """A Dohdles of three whose first two cubes came too close to call."""
    table = Table(rigs(beams=with_lanes(Config(), 6).beams))
    table.rig.start("dohdles", "red blue yellow ok ok red red")
    table.rig.box.toss(["yellow", "red"], gap_ms=0.1)
    table.rig.wait_ms(1000)
    assert table.rig.shows("Unclear"), table.rig.screen
    return table


def test_a_doubt_is_settled_by_the_referee_and_nothing_else_is_answered_before(rigs: Rigs) -> None:
    table = dead_heat(rigs)
    doubt, question = table.document["doubt"], table.document["question"]
    assert "Too close to call." in doubt["text"]
    assert sorted(doubt["seats"]) == [0, 2]
    assert question["asks"] == []
    referee, red = table.paired(), table.paired(0)
    assert red.post("settle", question=question["id"], how="accept").status_code == 403
    assert referee.act("home").status_code == 422
    assert referee.post("settle", question=question["id"], how="as I like").status_code == 400
    other = referee.post("settle", question=question["id"], how="accept", doubt="Another one.")
    assert (other.status_code, other.json()["error"]) == (409, f"Unclear: {doubt['text']} Settle this first.")
    assert table.document["doubt"] == doubt
    settled = referee.post("settle", question=question["id"], how="accept", doubt=doubt["text"])
    assert settled.status_code == 200
    assert table.document["doubt"] is None
    assert table.document["question"]["asks"]
    assert referee.post("settle", question=table.question, how="accept").status_code == 409


def test_a_doubtful_toss_is_tossed_again(rigs: Rigs) -> None:
    table = dead_heat(rigs)
    assert "cube" in verbs(table)
    assert table.paired().post("settle", question=table.question, how="toss again").status_code == 200
    assert table.document["doubt"] is None
    assert "cube" not in verbs(table)


def test_whatever_fails_on_an_answer_costs_that_answer_only(
    dodekka: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    red = dodekka.paired(0)

    async def falls_over(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    with monkeypatch.context() as fault:
        fault.setattr(dodekka.referee.session, "do", falls_over)
        failed = red.act("turn", card="earth-4")
    assert (failed.status_code, "of all things" in failed.json()["error"]) == (500, True)
    assert "ZeroDivisionError" in caplog.text
    assert red.act("turn", card="earth-4").status_code == 200


def test_a_press_that_waits_behind_a_tap_is_no_answer_to_what_that_leads_to(rigs: Rigs) -> None:
    """A key beside the end of a game would take back the act that won it."""
    lines = [{"do": "open"}, {"do": "buzz", "seat": 1}]
    table = laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], lines, target=1)
    rig, referee, question = table.rig, table.paired(), table.question
    rig.now_ns += 10 * MS

    async def tap() -> Any:
        tapping = asyncio.ensure_future(
            referee.client.post("/api/act", json={"question": question, "act": {"do": "judge", "right": True}})
        )
        while not table.referee.answers:
            await table.loop.catch_up()
            await asyncio.sleep(0)
        table.loop.inbox.post(Edge("red", True, rig.now_ns + 5 * MS))
        rig.now_ns += 30 * MS
        return await table.answered(tapping)

    assert rig.run(tap()).status_code == 200
    assert verbs(table) == ["open", "buzz", "judge"]
    rig.settle()
    assert rig.shows("Too late", "A phone was first"), rig.screen


def test_a_phone_that_is_paired_makes_no_press_late(dodekka: Table) -> None:
    """It changes no question."""
    dodekka.paired(0)
    rig = dodekka.rig
    dodekka.loop.inbox.post(Edge("red", True, rig.now_ns - 1 * MS))
    rig.settle()
    assert not rig.shows("Too late"), rig.screen


def test_a_key_held_for_the_menu_is_no_answer_and_never_late(dodekka: Table) -> None:
    """Its stamp is that of its first edge, and a phone may well answer before it has been held long enough."""
    red, rig = dodekka.paired(0), dodekka.rig
    dodekka.loop.inbox.post(Edge("back", True, rig.now_ns))
    rig.wait_ms(100)
    assert red.act("turn", card="earth-4").status_code == 200
    rig.wait_ms(600)
    assert rig.shows("Menu"), rig.screen
