"""Phones that race: a press counts by when it happened, not by when it arrived, and the doubt is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tests.kit.at_table import Phone, Table, laid
from tests.kit.rig import MS, SECOND, Rigs
from umpi.referee.input_queue import LATE_NS
from umpi.timing.edge import Edge
from umpi.timing.phone_clock import BELIEVED_NS

US = 1_000


class Racer:
    """A player's phone, whose clock is off by hours; its ways take `there_ms` and `back_ms` at best."""

    def __init__(self, table: Table, button: int, there_ms: float, back_ms: float) -> None:
        self.table, self.phone = table, table.paired(button)
        self.there_ns, self.back_ns = round(there_ms * MS), round(back_ms * MS)
        self.ahead_us, self.run, self.seat = (button + 1) * 3_600_000_000, "r1", button
        self.last, self.back_us = 0, 0

    def reading(self, at_ns: int) -> int:
        return at_ns // US + self.ahead_us

    def exchange(self, **changed: Any) -> Any:
        rig = self.table.rig
        clock = {"run": self.run, "step_us": 1, "sent_us": self.reading(rig.now_ns), "last": self.last}
        rig.now_ns += self.there_ns
        answer = self.phone.post("clock", **{**clock, "back_us": self.back_us, **changed})
        rig.now_ns += self.back_ns
        if answer.status_code == 200:
            self.last, self.back_us = answer.json()["id"], self.reading(rig.now_ns)
        return answer

    def buzz(self, pressed_ns: int, **stamp: Any) -> Any:
        """Make the request of a buzz for the question that is shown now."""
        stamp = {"run": self.run, "at_us": self.reading(pressed_ns), **stamp}
        return self.asking(stamp=stamp)

    def asking(self, verb: str = "buzz", **more: Any) -> Any:
        body = {"question": self.table.question, "act": {"do": verb, "seat": self.seat}, **more}
        return self.phone.client.post("/api/act", json=body)


def racers(table: Table, *ways_ms: tuple[float, float]) -> list[Racer]:
    found = [Racer(table, button, *ways) for button, ways in enumerate(ways_ms)]
    for racer in found:
        for _ in range(3):
            assert racer.exchange().status_code == 200
    table.rig.now_ns += SECOND
    return found


def arrive(table: Table, *coming: tuple[int, Any]) -> list[Any]:
    """Deliver requests and edges, each at its time; then advance the time until all have replies."""
    rig = table.rig

    async def all_of_them() -> Sequence[Any]:
        asking = []
        for at_ns, what in sorted(coming, key=lambda each: each[0]):
            rig.now_ns = max(rig.now_ns, at_ns)
            await table.loop.catch_up()
            if isinstance(what, Edge):
                table.loop.inbox.post(what)
                continue
            asking.append(asyncio.ensure_future(what))
            for _ in range(50):
                await asyncio.sleep(0)
        while table.referee.answers or not all(each.done() for each in asking):
            assert rig.now_ns < coming[0][0] + SECOND, "somebody is not answered"
            await table.loop.catch_up()
            await asyncio.sleep(0)
            rig.now_ns += MS
        return await asyncio.gather(*asking)

    answers = list(rig.run(all_of_them()))
    rig.settle()
    return answers


def order(table: Table) -> list[tuple[str, bool]]:
    return [(place["name"], place["close"]) for place in table.document["seen"]["order"]]


def queue(table: Table) -> list[Any]:
    return [act.given["seat"] for act in table.referee.session.match.acts if act.verb == "buzz"]


@pytest.fixture
def quiz(rigs: Rigs) -> Table:
    return laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}])


def test_the_press_that_was_first_is_first_though_it_arrives_later(quiz: Table) -> None:
    red, blue = racers(quiz, (2, 2), (2, 2))
    now_ns = quiz.rig.now_ns
    late, early = arrive(
        quiz, (now_ns + 23 * MS, red.buzz(now_ns + 20 * MS)), (now_ns + 14 * MS, blue.buzz(now_ns + 10 * MS))
    )
    assert (late.status_code, early.status_code) == (200, 200), (late.text, early.text)
    assert queue(quiz) == [1, 0]
    assert order(quiz) == [("Tom", False), ("Rosie", False)]


@pytest.mark.parametrize(("way_ms", "first", "close"), [(12, 1, False), (22, 0, True)])
def test_a_press_that_is_overtaken_wins_if_its_way_is_nearly_the_quickest(
    quiz: Table, way_ms: int, first: int, close: bool
) -> None:
    """Blue's way is 8 ms there at best. A delay of 4 ms is believed; one of 14 ms is a doubt."""
    red, blue = racers(quiz, (1, 1), (8, 8))
    pressed_ns = quiz.rig.now_ns
    arrived_ns = pressed_ns + way_ms * MS
    answers = arrive(quiz, (arrived_ns - 1, red.buzz(arrived_ns - MS // 2)), (arrived_ns, blue.buzz(pressed_ns)))
    assert [each.status_code for each in answers] == [200, 200]
    assert queue(quiz) == [first, 1 - first]
    assert {doubt for _, doubt in order(quiz)} == {close}


def test_presses_whose_bounds_overlap_are_too_close_and_both_are_named(quiz: Table) -> None:
    red, blue = racers(quiz, (10, 10), (10, 10))
    now_ns = quiz.rig.now_ns
    arrive(quiz, (now_ns + 13 * MS, red.buzz(now_ns)), (now_ns + 15 * MS, blue.buzz(now_ns + 5 * MS)))
    assert {name for name, close in order(quiz) if close} == {"Rosie", "Tom"}
    assert quiz.rig.shows("Unclear", "Too close to call: Rosie", "Tom"), quiz.rig.screen
    assert len(queue(quiz)) == 2
    quiz.rig.undo()
    assert not quiz.rig.shows("Unclear"), "no press is left about which there could be a doubt"


def test_a_close_race_is_told_once_also_if_a_third_buzzes_or_it_is_over(quiz: Table) -> None:
    red, blue = racers(quiz, (10, 10), (10, 10))
    now_ns = quiz.rig.now_ns
    arrive(quiz, (now_ns + 13 * MS, red.buzz(now_ns)), (now_ns + 15 * MS, blue.buzz(now_ns + 5 * MS)))
    assert quiz.rig.shows("Unclear")
    quiz.rig.press("back")
    quiz.rig.press("yellow")
    assert queue(quiz)[2:] == [2]
    assert not quiz.rig.shows("Unclear"), quiz.rig.screen
    reply = quiz.paired(None).ask(
        "POST", "act", json={"question": quiz.question, "act": {"do": "judge", "right": True}}
    )
    assert reply.status_code == 200, reply.text
    assert not quiz.rig.shows("Unclear"), quiz.rig.screen


@pytest.mark.parametrize(("pressed_ms", "first", "close"), [(-30, 2, False), (5, None, True), (45, 0, False)])
def test_a_phone_and_a_button_race_in_one_order(quiz: Table, pressed_ms: int, first: int | None, close: bool) -> None:
    """The button's own time is exact; the phone presses at 0 ms, and its bound is 10 ms wide to each side."""
    (red,) = racers(quiz, (10, 10))
    now_ns = quiz.rig.now_ns + 40 * MS
    edge = Edge("yellow", True, now_ns + pressed_ms * MS)
    arrive(quiz, (now_ns + 12 * MS, red.buzz(now_ns)), (now_ns + pressed_ms * MS, edge))
    assert order(quiz)[0][1] == order(quiz)[1][1] == close
    assert first is None or queue(quiz)[0] == first


def test_a_press_without_a_stamp_counts_by_its_arrival_and_is_first_only_if_that_is_clear(quiz: Table) -> None:
    """An older page, or a script: only the arrival is known, and that it had seen the question."""
    red, blue = racers(quiz, (2, 2), (2, 2))
    now_ns = quiz.rig.now_ns
    arrive(quiz, (now_ns + 10 * MS, red.asking()), (now_ns + 40 * MS, blue.buzz(now_ns + 37 * MS)))
    assert queue(quiz) == [0, 1]
    assert order(quiz) == [("Rosie", False), ("Tom", False)]


def test_a_press_without_a_stamp_that_arrives_second_may_have_been_first(quiz: Table) -> None:
    red, blue = racers(quiz, (2, 2), (2, 2))
    now_ns = quiz.rig.now_ns
    arrive(quiz, (now_ns + 10 * MS, red.buzz(now_ns + 7 * MS)), (now_ns + 40 * MS, blue.asking()))
    assert queue(quiz) == [0, 1]
    assert order(quiz) == [("Rosie", True), ("Tom", True)]


def test_a_forged_stamp_wins_no_clear_order_beyond_its_bound(quiz: Table) -> None:
    """Blue pressed 30 ms after red, and claims 60 ms less: its bound is 4 ms wide."""
    red, blue = racers(quiz, (2, 2), (2, 2))
    now_ns = quiz.rig.now_ns
    arrive(quiz, (now_ns + 33 * MS, red.buzz(now_ns + 30 * MS)), (now_ns + 62 * MS, blue.buzz(now_ns)))
    assert queue(quiz) == [0, 1]
    assert order(quiz) == [("Rosie", True), ("Tom", True)]


def test_a_stamp_after_its_arrival_is_refused_and_changes_nothing(quiz: Table) -> None:
    (red,) = racers(quiz, (2, 2))
    now_ns = quiz.rig.now_ns
    (answer,) = arrive(quiz, (now_ns, red.buzz(now_ns + 300 * MS)))
    assert answer.status_code == 422
    assert answer.json() == {"error": "The time of this press is impossible. Press again."}
    assert queue(quiz) == []


def test_a_stamp_from_before_the_question_is_refused_and_changes_nothing(quiz: Table) -> None:
    (red,) = racers(quiz, (20, 20))
    assert quiz.paired().post("undo", question=quiz.question, count=1).status_code == 200
    assert quiz.paired().act("open").status_code == 200
    now_ns = quiz.rig.now_ns
    (answer,) = arrive(quiz, (now_ns + 5 * MS, red.buzz(now_ns - 25 * MS)))
    assert answer.status_code == 422
    assert answer.json() == {"error": "The time of this press is impossible. Press again."}
    assert queue(quiz) == []
    (answer,) = arrive(quiz, (quiz.rig.now_ns, red.buzz(quiz.rig.now_ns - 20 * MS)))
    assert answer.status_code == 200


def test_a_page_that_slept_synchronises_again_without_its_old_times(quiz: Table) -> None:
    red, blue = racers(quiz, (2, 2), (2, 2))
    now_ns = quiz.rig.now_ns
    red.ahead_us -= 1_000_000_000  # its clock did not run
    red.run = "r2"
    arrive(quiz, (now_ns + 10 * MS, red.buzz(now_ns + 8 * MS)), (now_ns + 30 * MS, blue.buzz(now_ns + 28 * MS)))
    assert queue(quiz) == [0, 1]
    assert order(quiz) == [("Rosie", False), ("Tom", False)], "it arrived before the other was pressed"


@pytest.mark.parametrize("phones", [False, True])
def test_a_race_waits_until_no_older_press_can_arrive(quiz: Table, phones: bool) -> None:
    """For an edge that is read late; no stamp of a phone is believed as long before its arrival."""
    assert BELIEVED_NS < LATE_NS
    rig = quiz.rig
    if phones:
        quiz.paired(0)
    quiz.loop.inbox.post(Edge("yellow", True, rig.now_ns))
    rig.settle()
    assert quiz.referee.answers.due_ns == rig.now_ns + LATE_NS
    rig.now_ns += LATE_NS
    rig.settle()
    assert queue(quiz) == [2]


def test_a_judged_race_is_over_for_phones_that_still_show_its_question(quiz: Table) -> None:
    red, _ = racers(quiz, (2, 2), (2, 2))
    shown = quiz.question
    referee = quiz.paired()
    arrive(quiz, (quiz.rig.now_ns, red.asking()))
    assert referee.act("judge", right=False).status_code == 200
    late = quiz.paired(1).act("buzz", shown, seat=1)
    assert late.status_code == 409
    assert queue(quiz) == [0]


def test_a_race_that_is_over_is_no_part_of_the_question_but_its_button_says_why(quiz: Table) -> None:
    referee = quiz.paired()
    for seat in range(3):
        assert referee.act("buzz", seat=seat).status_code == 200
    assert quiz.document["question"]["title"] == "Rosie right?"
    (race,) = (ask for ask in quiz.document["question"]["asks"] if ask["verb"] == "buzz")
    assert [option["off"] for option in race["fields"][0]["options"]] == [
        f"{name} has buzzed already." for name in ("Rosie", "Tom", "Ann")
    ]


def test_phones_race_by_cube_in_dohdles(rigs: Rigs) -> None:
    """In place of a cube, a player announces on the phone."""
    lines = [{"do": "clue", "riddle": "B1", "kind": "letter"}]
    table = laid(rigs, "dohdles", ["Rosie", "Tom", "Ann"], lines)
    red, _, yellow = racers(table, (2, 2), (2, 2), (8, 8))
    now_ns = table.rig.now_ns
    answers = arrive(
        table, (now_ns + 24 * MS - 1, red.asking("cube", stamp=stamp(red, now_ns + 24 * MS - MS // 2))),
        (now_ns + 24 * MS, yellow.asking("cube", stamp=stamp(yellow, now_ns + 12 * MS))),
    )  # fmt: skip
    assert [each.status_code for each in answers] == [200, 200], [each.text for each in answers]
    taken = [act.given["seat"] for act in table.referee.session.match.acts if act.verb == "cube"]
    assert taken == [2, 0]
    assert order(table) == [("Ann", False), ("Rosie", False)]


def stamp(racer: Racer, pressed_ns: int) -> dict[str, Any]:
    return {"run": racer.run, "at_us": racer.reading(pressed_ns)}


@pytest.mark.parametrize(
    "changed",
    [{"run": ""}, {"run": "r" * 33}, {"step_us": 0}, {"step_us": 10**6}, {"sent_us": -1}, {"back_us": 2**53}, {"x": 1}],
)
def test_an_exchange_that_no_clock_can_have_is_refused(quiz: Table, changed: dict[str, Any]) -> None:
    assert Racer(quiz, 0, 2, 2).exchange(**changed).status_code == 400


@pytest.mark.parametrize("changed", [{"run": 1}, {"at_us": "now"}, {"at_us": True}, {"at_us": -1}, {"more": 1}])
def test_a_stamp_that_cannot_be_read_is_refused(quiz: Table, changed: dict[str, Any]) -> None:
    (red,) = racers(quiz, (2, 2))
    (answer,) = arrive(quiz, (quiz.rig.now_ns, red.buzz(quiz.rig.now_ns, **changed)))
    assert answer.status_code == 400
    assert queue(quiz) == []


def test_only_paired_phones_exchange_times(quiz: Table) -> None:
    stranger: Phone = quiz.phone(address="192.168.4.99")
    clock = {"run": "r", "step_us": 1, "sent_us": 1, "last": 0, "back_us": 0}
    assert stranger.post("clock", **clock).status_code == 401
