"""Rights of phones: a seat acts for itself, the referee judges, and a phone must be paired."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import DEAL, Phone, Table, laid, verbs
from tests.kit.rig import Rigs
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound
from umpi.table.commands import Occupy

TURN = {"do": "turn", "card": "earth-4"}


def test_a_seat_answers_for_itself_alone(dodekka: Table) -> None:
    refused = dodekka.paired(1).act("turn", card="earth-4")
    assert (refused.status_code, refused.json()) == (403, {"error": "Rosie’s turn, not Tom’s."})
    assert dodekka.paired(5).act("turn", card="earth-4").status_code == 403, "nobody sits there"
    assert verbs(dodekka) == ["deal"]


def test_any_seat_may_answer_a_question_without_a_seat(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"])
    assert table.paired(1).act("deal", cards=DEAL["cards"]).status_code == 200


def test_a_seat_buzzes_for_itself_alone(rigs: Rigs) -> None:
    table = laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}])
    buzz = next(ask for ask in table.document["question"]["asks"] if ask["fields"][:1])
    assert buzz["fields"][0]["source"] == "buzz"
    tom = table.paired(1)
    assert tom.act(buzz["verb"], seat=0).json() == {"error": "This phone plays only for Tom."}
    assert tom.act(buzz["verb"], seat=1).status_code == 200
    assert table.document["seen"] == {
        "order": [{"name": "Tom", "seat": 1, "button": 1, "margin_us": None, "behind_us": 0, "close": False}]
    }


def test_no_seat_makes_another_leave(rigs: Rigs) -> None:
    table = laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}])
    assert table.paired(1).act("leave", seat=0).status_code == 403
    assert table.paired(1).act("leave", seat=1).status_code == 200
    assert table.paired().act("leave", seat=0).status_code == 200


def test_a_seat_neither_scores_for_another_nor_sets_a_score_nor_ends_the_game(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Rosie", "Tom"], target=100)
    red, referee = table.paired(0), table.paired()
    for verb, given in (
        ("score", {"seat": 1, "points": -999}), ("set", {"seat": 1, "total": -999}), ("set", {"seat": 0, "total": 999}),
        ("finish", {}), ("score", {"points": 5}),
    ):  # fmt: skip
        assert red.act(verb, **given).status_code == 403, verb
    assert verbs(table) == []
    assert red.act("score", seat=0, points=5).status_code == 200
    assert referee.act("score", seat=1, points=7).status_code == 200
    assert referee.act("set", seat=0, total=9).status_code == 200
    assert table.document["match"]["scores"] == [9, 7]


def test_whether_an_answer_was_right_is_the_referees_to_say(rigs: Rigs) -> None:
    table = laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}, {"do": "buzz", "seat": 1}])
    judged = table.paired(1).act("judge", right=True)
    assert (judged.status_code, judged.json()) == (403, {"error": "Only the referee’s phone or the box can do that."})
    assert table.paired().act("judge", right=True).status_code == 200


REFEREES = "Only the referee’s phone or the box can do that."


def until(game: str, verb: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A random game of three as far as an act, and that act."""
    for seed in range(9):
        match = Match(find(game), ("Rosie", "Tom", "Ann"), {})
        for _ in play(match, seed, audited=False):
            if match.acts[-1].verb == verb:
                *before, last = (act.line() for act in match.acts)
                return before, last
    pytest.fail(f"{game} never comes to {verb}")


@pytest.mark.parametrize(
    ("game", "verb"), [("quiz", "open"), ("quiz", "close"), ("dohdles", "expire"), ("dudab-buba", "hands")]
)
def test_hidden_questions_without_a_seat_are_the_referees(rigs: Rigs, game: str, verb: str) -> None:
    """A player could otherwise end a question for the others, or say what they have in hand."""
    lines, act = until(game, verb)
    table = laid(rigs, game, ["Rosie", "Tom", "Ann"], lines)
    red, before = table.paired(0), verbs(table)
    refused = red.post("act", question=table.question, act=act)
    assert (refused.status_code, refused.json()) == (403, {"error": REFEREES})
    assert verbs(table) == before
    asks = {ask["verb"]: ask["referee"] for ask in table.document["question"]["asks"]}
    assert asks[verb], "the page does not offer it to players"
    assert not any(asks.get(race) for race in ("buzz", "cube", "leave")), "these are for players"
    taken = table.paired().post("act", question=table.question, act=act)
    assert taken.status_code == 200, taken.text
    assert verbs(table) == [*before, verb]


def test_any_seat_may_enter_open_information(rigs: Rigs) -> None:
    table = laid(rigs, "battledodes", ["Rosie", "Tom"])
    assert table.document["question"]["asks"][0]["referee"] is False
    assert table.paired(1).act("roll-off", faces=[3, 9]).status_code == 200


def test_the_table_says_whether_a_referees_phone_is_paired(rigs: Rigs) -> None:
    table = laid(rigs, "quiz", ["Rosie", "Tom"])
    table.paired(0)
    assert table.document["referee"] is False
    referee = table.paired()
    assert table.document["referee"] is True
    assert referee.post("unpair").status_code == 200
    assert table.document["referee"] is False


def test_no_seat_may_undo_an_act_of_the_box(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Rosie", "Tom"], [{"do": "score", "seat": 0, "points": 5}], minutes=1)
    table.rig.press("ok")  # it was paused while the box was off
    table.rig.wait_ms(61_000)
    assert verbs(table)[-1] == "time-up"
    assert table.paired(0).post("undo", question=table.question, count=1).status_code == 403


def test_a_phone_that_is_not_paired_only_looks(dodekka: Table) -> None:
    phone = dodekka.phone()
    for post, body in (
        ("act", {"act": TURN}), ("undo", {"count": 1}), ("settle", {"how": "accept"}),
        ("amend", {"index": 0, "act": DEAL, "try": False}),
    ):  # fmt: skip
        answered = phone.post(post, question=dodekka.question, **body)
        assert answered.status_code == 401, post
    assert phone.post("unpair").status_code == 401
    assert phone.get("state").json()["match"]["title"] == "Dodekka"
    assert phone.get("me").json() == {"who": None, "waiting": False, "claim": ""}
    assert verbs(dodekka) == ["deal"]


def test_a_seat_takes_back_its_own_last_act_and_no_other(dodekka: Table) -> None:
    red = dodekka.paired(0)
    assert red.post("undo", question=dodekka.question, count=1).status_code == 403, "the deal was not its own"
    red.act("turn", card="earth-4")
    assert dodekka.paired(1).post("undo", question=dodekka.question, count=1).status_code == 403
    assert red.post("undo", question=dodekka.question, count=2).status_code == 403
    assert red.post("undo", question=dodekka.question, count=1).status_code == 200
    assert verbs(dodekka) == ["deal"]
    assert dodekka.document["last"] == {"who": "phone:Red", "text": "1 move undone."}
    assert red.post("undo", question=dodekka.question, count=0).status_code == 422


def test_the_referee_takes_back_as_much_as_there_is(dodekka: Table) -> None:
    referee = dodekka.paired()
    referee.act("turn", card="earth-4")
    assert referee.post("undo", question=dodekka.question, count=3).status_code == 422
    assert referee.post("undo", question=dodekka.question, count=2).status_code == 200
    assert verbs(dodekka) == []


def test_any_seat_takes_back_what_hands_entered_for_the_box(rigs: Rigs) -> None:
    """Undo goes back to what somebody entered, past what the box has done by itself since."""
    table = laid(rigs, "dodekka", ["Rosie", "Umpi", "Tom"], [DEAL])
    wanted: list[FindHint] = []
    table.loop._find_hint = wanted.append
    table.rig.grant(Occupy(1, "Umpi", "easy"))
    rosie, tom = table.paired(0), table.paired(2)

    def rosie_turns_and_umpi(decides: Act) -> None:
        assert rosie.act("turn", card="earth-4").status_code == 200
        table.rig.loop.inbox.post(HintFound(wanted[-1].question, decides))
        table.rig.settle()
        table.rig.press("ok")

    def undo(phone: Phone, **count: int) -> int:
        return phone.post("undo", question=table.question, **count).status_code

    def entered() -> list[bool]:
        return [entry["entered"] for entry in tom.get("history").json()]

    rosie_turns_and_umpi(Act("take", {}))
    assert (verbs(table), entered()) == (["deal", "turn", "take"], [True, True, False])
    assert (undo(tom), undo(rosie, count=1)) == (403, 403), "the turn was Rosie’s, and Umpi would take again"
    assert (undo(rosie), verbs(table)) == (200, ["deal"])
    rosie_turns_and_umpi(Act("turn", {}))
    assert rosie.act("turn", card="air-1").status_code == 200
    assert (verbs(table), entered()) == (["deal", "turn", "turn"], [True, True, True])
    assert undo(rosie, count=2) == 403, "one answer at a time"
    assert (undo(tom), verbs(table)) == (200, ["deal", "turn"]), "anybody’s hands play for Umpi"
