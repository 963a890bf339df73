"""The one reader of messages: what it reads, what it refuses, and that it does nothing else, whatever it gets."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.fake_boxes import WELL, playing, result
from tests.kit.hostile import UNREADABLE, WRONG
from tests.kit.seen import check_seen
from umpi.mqtt.payloads import (
    LONGEST,
    BadPayload,
    calls_of,
    read_offer,
    read_online,
    read_receipt,
    read_result,
    read_sent,
    read_state,
    state_of,
    time_of,
)

BOX = {"id": "0123456789ab", "name": "Table 1"}


READERS = read_online, read_state, read_offer, read_sent, read_receipt, read_result
STATE = {**state_of(playing(1, acts=3), BOX, "u1", None, ""), "run": "r1", "now": "2026-03-01T12:00:00.000+00:00"}
RESULT: dict[str, Any] = result("u1", 1)
Reader = Callable[[bytes], Any]


def encoded(fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_a_match_that_is_no_longer_over_has_no_players() -> None:
    again = read_result(encoded({**RESULT, "over": False, "ended": None, "scores": [], "places": []}))
    assert (again.over, again.players, again.ended) == (False, (), None)


def test_an_empty_message_clears_a_topic() -> None:
    assert (read_online(b""), read_offer(b"").match, read_state(b"").title) == (False, {}, "")


@pytest.mark.parametrize("payload", UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize("read", READERS)
def test_what_cannot_be_read_is_refused_by_each_reader(read: Reader, payload: bytes) -> None:
    with pytest.raises(BadPayload):
        read(payload)


@pytest.mark.parametrize(("players", "said"), [
    (RESULT["players"][:1], "players"), ([{"seat": 0, "name": ""}, {"seat": 1}], "name"),
    *[(players, "seat") for players in (RESULT["players"][::-1], [RESULT["players"][0]] * 2)],
    ([{"seat": False, "name": "Ann"}, {"seat": True, "name": "Ben"}], "seat"), ([{"seat": 0}, {"seat": 1}], "name"),
    *[([{"seat": 0, "name": name}, {"seat": 1, "name": "Ben"}], "name") for name in ("x" * 61, "a\0b", 5)],
])  # fmt: skip
def test_a_result_with_wrong_players_is_refused_by_the_name_of_the_field(players: Any, said: str) -> None:
    """payloads.txt has all other fields."""
    with pytest.raises(BadPayload, match=f'"{said}"'):
        read_result(encoded({**RESULT, "players": players}))


def test_a_result_with_a_whole_number_that_no_float_holds_is_refused() -> None:
    with pytest.raises(BadPayload):
        read_result(encoded({**RESULT, "without_luck": [10**400, 0]}))


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(WRONG),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*STATE, *RESULT]), inner, max_size=6),
)


@given(st.binary() | any_json.map(encoded), st.sampled_from([STATE, RESULT, {}]), st.data())
def test_nothing_but_a_refusal_comes_of_any_bytes(payload: bytes, good: dict[str, Any], data: st.DataObject) -> None:
    if good:
        key = data.draw(st.sampled_from(sorted(good)))
        payload = encoded({**good, key: data.draw(any_json)})
    for read in READERS:
        with suppress(BadPayload):
            read(payload)


def test_a_payload_has_an_end() -> None:
    filler = LONGEST - len(encoded({**RESULT, "error": ""}))
    assert read_result(encoded({**RESULT, "error": "x" * filler})).uid == "u1"
    with pytest.raises(BadPayload, match="bytes"):
        read_result(encoded({**RESULT, "error": "x" * (filler + 1)}))


@pytest.mark.parametrize(
    "text", ["", "now", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "1969-12-31T23:59:59+00:00",
             "2200-01-01", "2026-02-30", "9" * 1000],
)  # fmt: skip
def test_a_time_in_which_no_box_was_is_none(text: str) -> None:
    assert time_of(text) is None


@given(st.datetimes(timezones=st.timezones() | st.none()).map(datetime.isoformat) | st.text())
def test_a_time_is_in_a_sane_range_or_none(text: str) -> None:
    found = time_of(text)
    assert found is None or (1970 <= found.year < 2200 and found.tzinfo == UTC)


# Each field of each message, with each value

SEEN = Path(__file__).with_name("payloads.txt")
LEFT_OUT = object()
VALUES: tuple[Any, ...] = (
    LEFT_OUT, None, True, False, -1, 0, 7, 1.5, 2**31 - 1, 2**31, "", "x", "x" * 24, "x" * 25, "x" * 60, "x" * 61,
    "x" * 64, "x" * 65, "x" * 128, "x" * 129, "a\0b", "2026-03-01T13:00:00+01:00", [], [None], [5], [{}], ["Zoe"], {},
    {"a": 1}, [3, 4], [0, 1], [2, 2], [1, 3], [1.5, 2], [True, 2], ["a", "b"], [1, None], [1e300, 0], [1, -1e300],
)  # fmt: skip
FIRST, SECOND = {"seat": 0, "name": "Ann", "button": 2, "score": 5}, {"seat": 1, "name": "Ben", "button": 3, "score": 4}
MESSAGES: dict[str, tuple[Reader, dict[str, Any]]] = {
    "state": (read_state, {
        "name": "Table 1", "run": "r1", "now": "2026-03-01T12:00:00+00:00", "version": 3, "title": "Dodéka",
        "players": [FIRST, SECOND], "turn": "Ann", "moves": 4, "winners": ["Ben"], "problem": "none",
    }),
    "player of a state": (lambda text: read_state(encoded({"players": [json.loads(text)]})), FIRST),
    "offer": (read_offer, {"box": "b1", "number": 3, "players": [{"name": "Ann"}], "game": "quiz", "size": 2}),
    "result sent": (read_sent, {"uid": "u1", "revision": 3, "signature": "5"}),
    "receipt": (read_receipt, {"box": "b1", "uid": "u1", "revision": 3, "refused": "why", "of": "5"}),
    "result": (read_result, {
        "box": "b1", "uid": "u1", "revision": 3, "match": 4, "over": True, "game": "quiz", "title": "Quiz",
        "rules": "r", "ended": "2026-03-01T12:00:00+00:00", "players": [FIRST, SECOND], "scores": [5, 4],
        "places": [1, 2], "without_luck": [1, 2.5],
    }),
}  # fmt: skip


def as_read(found: Any) -> dict[str, Any]:
    fields = {each.name: getattr(found, each.name) for each in dataclasses.fields(found) if each.name != "text"}
    return {name: str(value) if isinstance(value, datetime) else value for name, value in fields.items()}


def shown(value: Any) -> str:
    if value is LEFT_OUT:
        return "left out"
    return f"{value[0]} × {len(value)}" if isinstance(value, str) and value.count("x") > 1 else json.dumps(value)


def readings() -> Iterator[str]:
    """Yield what each reader makes of a whole message, and of each value of each field: what is otherwise, or why."""
    for title, (read, good) in MESSAGES.items():
        usual = as_read(read(encoded(good)))
        yield title
        yield from (f"  {name} = {value!r}" for name, value in usual.items())
        for field in good:
            found: dict[str, list[str]] = {}
            for value in VALUES:
                given = {name: each for name, each in {**good, field: value}.items() if each is not LEFT_OUT}
                try:
                    now = as_read(read(encoded(given)))
                    changed = {name: each for name, each in now.items() if each != usual[name]}
                    outcome = ", ".join(f"{name} = {each!r}" for name, each in changed.items()) or "the same"
                    outcome = "as it is" if changed == {field: value} else outcome
                except BadPayload as fault:
                    outcome = f"refused: {fault}"
                outcome = re.sub(r"x{20,}", lambda run: f"x × {len(run[0])}", outcome)
                found.setdefault(outcome, []).append(shown(value))
            yield from (f"    {field}: {'; '.join(values)} → {outcome}" for outcome, values in found.items())


def states() -> Iterator[str]:
    """Yield the state of tables as a bridge publishes it, and what their referees say."""
    ended, hidden = playing(3, acts=7, over=True), playing(3, acts=7)
    trouble = [{"device": "display", "text": "it is dark"}, {"device": "beams", "text": "no light"}]
    documents = {
        "nothing is played": WELL, "a match": {**playing(3, acts=7), "paused": True, "next": {"game": "quiz"}},
        "a match is over": {**ended, "calls": [{"kind": "over"}, {"kind": "won", "seat": 0}]},
        "two have won": {**ended, "match": {**ended["match"], "over": {"winners": [0, 1]}}},
        "nothing is saved": {**WELL, "unsaved": "disk full", "troubles": trouble, "calls": [{"kind": "hint"}]},
        "a device does not work": {**WELL, "troubles": trouble[:1]},
        "a score is hidden": {**hidden, "match": {**hidden["match"], "scores": [7, None]}},
    }  # fmt: skip
    for title, document in documents.items():
        yield title
        box: Any = {**BOX, "version": "0.1"}
        for last, problem in ((None, ""), (result("u1", 1, winners=[1, 0]), "a twin")):
            fields = state_of(document, box, "u1", last, problem)  # type: ignore[arg-type]
            yield "  " + json.dumps(fields, ensure_ascii=False)
        yield from (f"  call {json.dumps(call)}" for call in calls_of(document))  # type: ignore[arg-type]


def test_each_value_of_each_field_is_read_or_refused_as_somebody_has_read() -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    lines = [*readings(), *states()]
    check_seen(SEEN, lines)
