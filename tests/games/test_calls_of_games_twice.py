"""Calls of Dodéka and Dodekka by a second method: from the states that a trace prints, without the engine's code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.game_tables import names, written
from tests.kit.sampling import examples
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Record, replay
from umpi.kernel.registry import find

RECORDS = Path(__file__).parents[1] / "records"
State = dict[str, Any]
Steps = list[tuple[State, State, State]]  # the state before, the act's line, the state after


def dodeka(steps: Steps, options: State) -> Iterator[list[State]]:
    """Rule on each act of Dodéka by the states alone; `first` is remembered while others play for the last place."""
    first: int | None = None
    for state, line, after in steps:
        old, new, over = state["facts"], after["facts"], after["phase"] == "over"
        if line["do"] == "time-up":
            yield [] if over else [{"kind": "time-up"}]
            continue
        if line["do"] == "throw" and old["throws_left"] > 1:
            yield []
            continue
        seat = state["seat"]
        made, points = [*old["pairtraiz"]], [*old["points"]]
        calls = [{"kind": "scored", **new["last"]}]
        if new["last"]["combination"] == "pairtraiz":
            made.append(seat)
            calls = [{"kind": "pairtraiz", "seat": seat}]
        points[seat] += new["last"]["points"]
        for_last = first is not None
        playing = old["playoff"] or range(len(points))
        if first is None and made:
            first = made[0]
        elif first is None:
            best = [each for each in playing if points[each] == max(points[other] for other in playing)]
            first = best[0] if len(best) == 1 else None
        if len(new["grid"]) > len(old["grid"]):
            left = [each for each in (playing if for_last else range(len(points))) if each != first]
            last = min(left, key=lambda each: (made.index(each) * -1 if each in made else -100, points[each]))
            assert over or after["seat"] == last  # the loser of a part starts the next
            calls.append({"kind": "part", "part": old["part"], "first": first, "last": last, "stake": points[last]})
            assert new["grid"][-1][last] == -points[last]
            calls += [] if over else [{"kind": "begins", "seat": last, "part": old["part"] + 1}]
            first = None
        elif new["playoff"] and new["playoff"] != old["playoff"]:
            place = "last" if first is not None else "first"
            calls.append({"kind": "play-off", "for": place, "seats": sorted(new["playoff"])})
        elif not for_last:
            first = None  # the round goes on
            target = options.get("target", 700)
            won = made or max(points) >= target
            if won and not (old["playoff"] or old["pairtraiz"] or max(old["points"]) >= target):
                calls.append({"kind": "last-round"})
            elif not won and old["points"][seat] < target - 200 <= points[seat] and target > 200:
                calls.append({"kind": "near-end", "seat": seat, "points": points[seat]})
        yield calls


def dodekka(steps: Steps, options: State) -> Iterator[list[State]]:
    """Rule on each turned card by the totals of the line and the sizes of the hands, and on the line at the end."""
    for state, line, after in steps:
        left = len(after["facts"]["line"]) if after["winners"] else 0
        end = [{"kind": "discarded", "cards": left}] if left else []
        if line["do"] != "turn":
            yield end
            continue
        seat, value = state["seat"], int(line["card"][-1])
        total = state["facts"]["total"] + value
        gained = len(after["facts"]["hands"][seat]) - len(state["facts"]["hands"][seat])
        if gained:
            yield [{"kind": "bust", "seat": seat, "total": total, "cards": gained}]
        else:
            matched = [{"kind": "no-bust", "seat": seat, "total": total, "value": value}]
            yield [*(matched if total > options.get("limit", 12) else []), *end]


METHODS: dict[str, Callable[[Steps, State], Iterator[list[State]]]] = {"dodeka": dodeka, "dodekka": dodekka}


def thawed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, (list, tuple)) else value


def compared(record: Record) -> list[str]:
    """Compare the calls of a record's valid acts with those of the second method; returns their kinds."""
    match, called, steps = record.header.match(), [], []
    for act in record.match.acts:
        before = match.state()
        match.play(act)
        steps.append((before, act.line(), match.state()))
        calls = [thawed(call.line()) for call in match.calls()]
        assert all(call.pop("text") for call in calls)
        called.append(calls)
    wanted = list(METHODS[match.game.id](steps, match.options))
    if steps and steps[-1][2]["winners"]:
        (why,) = (call.pop("why") for call in called[-1] if call["kind"] == "over")
        scores = steps[-1][2]["scores"]
        assert ("tied" in why) == (scores.count(max(scores)) > 1)
        wanted[-1].append({"kind": "over", "winners": [*steps[-1][2]["winners"]]})
    assert called == wanted
    return [call["kind"] for calls in called for call in calls]


@pytest.mark.parametrize("game", METHODS)
def test_every_golden_record_has_the_calls_of_the_second_method(game: str) -> None:
    kinds = set()
    for path in sorted((RECORDS / game).glob("*.jsonl")):
        *_, step = replay(path.read_bytes().splitlines(keepends=True), find)
        assert step.record
        kinds |= set(compared(step.record))
    assert (
        kinds
        >= {"dodeka": {"scored", "pairtraiz", "play-off", "part"}, "dodekka": {"bust", "no-bust", "discarded"}}[game]
    )


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(
    seats=st.integers(2, 6), seed=st.integers(0, 10**6),
    choice=st.sampled_from([
        ("dodeka", {"target": 10, "parts": 9}), ("dodeka", {"target": 40, "parts": 5}),
        ("dodeka", {"target": 10, "minutes": 1}), ("dodeka", {"parts": 1}), ("dodekka", {}),
    ]),
)  # fmt: skip
def test_random_games_have_the_calls_of_the_second_method(
    seats: int, seed: int, choice: tuple[str, dict[str, Any]]
) -> None:
    game, options = choice
    match = play_out(find(game), names(seats), options, seed=seed)
    *_, step = replay(written(match), find)
    assert step.record
    compared(step.record)
