"""Calls of the shipped games: the kinds and keys of the contract, the same from a record, gone after an undo."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.game_tables import BOARD, KEYS, MORE, TABLES, names, written
from tests.kit.sampling import examples
from umpi.games.dohdles import Dohdles
from umpi.kernel import Act, Call, Match, Refused
from umpi.kernel.random_games import play_out
from umpi.kernel.record import replay
from umpi.kernel.registry import find

Line = dict[str, Any]
SEATS = ("seat", "first", "last")


def lines(calls: tuple[Call, ...]) -> list[Line]:
    return [call.line() for call in calls]


def checked(game: str, players: tuple[str, ...], call: Line) -> None:
    """Check a call against the contract."""
    kind, seats = call["kind"], range(len(players))
    if kind in (keys := {**KEYS[game], "over": {"winners", "why"}}):
        assert set(call) == {"kind", "text"} | keys[kind]
    else:
        assert kind in MORE[game]
    assert "{" not in call["text"]
    assert "seat " not in call["text"]
    assert all(call[key] in seats and players[call[key]] in call["text"] for key in SEATS if key in call)
    for key in ("seats", "winners"):
        assert list(call.get(key, ())) == sorted(set(call.get(key, ())))
        assert all(players[seat] in call["text"] for seat in call.get(key, ()))


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 2**32))
def test_calls_are_as_the_contract_says_and_the_same_from_the_record(table: tuple[str, int, Any], seed: int) -> None:
    """calls.md: never stored, and replaying a record gives the same calls for ever."""
    game, seats, options = table
    match = play_out(find(game), names(seats), options, seed=seed)
    live, played = Match(match.game, match.players, match.options), []
    for act in match.acts:
        live.play(act)
        played.append(lines(live.calls()))
        for call in played[-1]:
            checked(game, match.players, call)
    assert [call["kind"] for calls in played for call in calls].count("over") == 1
    assert played[-1][-1]["kind"] == "over"
    replayed = [lines(step.record.match.calls()) for step in replay(written(match), find) if step.record]
    assert replayed == [[], *played]
    for count in range(len(played), 0, -1):
        assert lines(live.calls()) == played[count - 1] == lines(match.calls(count - 1))
        live.undo()
    assert live.calls() == ()


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.data())
def test_an_edit_in_the_past_derives_all_calls_again(
    table: tuple[str, int, Any], seed: int, data: st.DataObject
) -> None:
    """An amended match has the calls of a match that was played that way."""
    game, seats, options = table
    match = play_out(find(game), names(seats), options, seed=seed)
    index = data.draw(st.integers(0, len(match.acts) - 1))
    other = play_out(find(game), names(seats), options, seed=seed + 1)
    act = next((each for each in other.acts if each.verb == match.acts[index].verb), match.acts[index])
    try:
        amended, _ = match.amended(index, act)
    except Refused:
        return
    again = Match(match.game, match.players, match.options)
    for number, each in enumerate(amended.acts):
        again.play(each)
        assert again.calls() == amended.calls(number)


def calls_of(match: Match, *acts: Act) -> list[Line]:
    """Play acts and return the calls of the last one."""
    for act in acts:
        match.play(act)
    return lines(match.calls())


def test_a_measured_board_calls_how_far_tokens_move() -> None:
    """With a profile nobody at the table has counted the arrows."""
    match = Match(Dohdles, ("Ann", "Ben", "Cleo"), {"board": BOARD})
    calls_of(
        match,
        Act("clue", {"riddle": "B1"}),
        Act("cube", {"seat": 2}),
        Act("cube", {"seat": 0}),
        Act("hear", {"riddle": "B1"}),
    )
    wrong = calls_of(match, Act("claim", {"take": True}), Act("guess", {"right": False}))
    assert [(call["kind"], call.get("seat"), call.get("steps")) for call in wrong] == [
        ("guess", 0, None), ("move", 0, -2),
    ]  # fmt: skip
    right = calls_of(match, Act("guess", {"right": True}))
    assert [(call["kind"], call.get("seat"), call.get("steps")) for call in right] == [
        ("guess", 2, None), ("move", 2, 1), ("move", 1, 3), ("solved", 1, None), ("cubes", None, None),
    ]  # fmt: skip
