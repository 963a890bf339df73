"""Rights of phones: a seat acts for itself, the referee judges, and a phone must be paired."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import DEAL, Phone, laid, verbs
from tests.kit.rig import Rigs
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound
from umpi.table.commands import Occupy

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
