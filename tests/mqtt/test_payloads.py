"""The one reader of messages: what it reads, what it refuses, and that it does nothing else, whatever it gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.fake_boxes import playing, result
from tests.kit.hostile import UNREADABLE, WRONG
from umpi.mqtt.payloads import (
    LONGEST,
    BadPayload,
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


def test_the_state_names_each_player_with_seat_button_and_score() -> None:
    """What a display of the house shows; a score that the game hides is none."""
    document = playing(3, acts=7)
    document["match"]["scores"][1] = None
    state = state_of(document, BOX, "uid", None, "")
    assert state["players"] == [
        {"seat": 0, "name": "Ann", "button": 0, "score": 7}, {"seat": 1, "name": "Ben", "button": 1, "score": None},
    ]  # fmt: skip
    assert (state["scores_text"], state["turn"], state["moves"], state["playing"]) == ("Ann 7, Ben", "Ann", 7, True)


READERS = read_online, read_state, read_offer, read_sent, read_receipt, read_result
STATE = {**state_of(playing(1, acts=3), BOX, "u1", None, ""), "run": "r1", "now": "2026-03-01T12:00:00.000+00:00"}
RESULT: dict[str, Any] = result("u1", 1)
Reader = Callable[[bytes], Any]


def encoded(fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_what_a_bridge_publishes_is_read() -> None:
    state = read_state(encoded(STATE))
    assert (state.title, state.turn, state.moves, state.run) == ("Score pad", "Ann", 3, "r1")
    assert [(each.name, each.button, each.score) for each in state.players] == [("Ann", 0, 3), ("Ben", 1, 0)]
    assert state.now == datetime(2026, 3, 1, 12, tzinfo=UTC)
    hidden = playing(1)
    hidden["match"]["scores"] = [None, None]
    assert [each.score for each in read_state(encoded(state_of(hidden, BOX, "", None, ""))).players] == [None, None]
    match = read_result(encoded(RESULT))
    assert (match.uid, match.revision, match.over, match.ended) == (
        "u1",
        10,
        True,
        datetime(2026, 11, 22, 19, 30, tzinfo=UTC),
    )
    assert [(each.name, each.score, each.place) for each in match.players] == [("Ann", 9, 1), ("Ben", 8, 2)]


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


@pytest.mark.parametrize(("key", "value", "said"), [
    *[("uid", value, "uid") for value in ("", "x" * 65, "a\0b", 1)],
    *[("revision", value, "revision") for value in (-1, 2**31, True, 1.0)],
    ("match", 2**40, "match"), ("over", 1, "over"), ("over", None, "over"), ("game", "g" * 61, "game"),
    ("title", None, "title"), ("rules", 5, "rules"), ("ended", 5, "ended"),
    *[("players", value, "players") for value in ([], None, [1, 2], RESULT["players"][:1])],
    *[("players", value, "seat") for value in (RESULT["players"][::-1], [RESULT["players"][0]] * 2)],
    ("players", [{"seat": False, "name": "Ann"}, {"seat": True, "name": "Ben"}], "seat"),
    *[("players", [{"seat": 0, "name": name}, {"seat": 1, "name": "Ben"}], "name") for name in ("x" * 61, "a\0b", 5)],
    ("players", [{"seat": 0, "name": ""}, {"seat": 1}], "name"), ("players", [{"seat": 0}, {"seat": 1}], "name"),
    *[("scores", value, "scores") for value in ([1], [1.5, 2], ["9", "8"], None)],
    *[("places", value, "places") for value in ([0, 1], [1, 3], [1, None], 1)],
    *[("without_luck", value, "without_luck") for value in ([1.5], [1, None], [True, 2], ["1", 2], 7, {})],
    *[("without_luck", [value, 0], "without_luck") for value in (1e300, -1e300)],
])  # fmt: skip
def test_a_result_with_a_wrong_field_is_refused_by_its_name(key: str, value: Any, said: str) -> None:
    with pytest.raises(BadPayload, match=f'"{said}"'):
        read_result(encoded({**RESULT, key: value}))


def test_a_result_with_a_whole_number_that_no_float_holds_is_refused() -> None:
    with pytest.raises(BadPayload):
        read_result(encoded({**RESULT, "without_luck": [10**400, 0]}))


@pytest.mark.parametrize(("key", "value"), [
    ("name", 5), ("run", "r" * 65), ("now", 5), ("title", None), ("turn", 0), ("winners", 5), ("winners", None),
    ("winners", [0]), ("problem", ["a"]), ("moves", "3"), ("version", -1), ("players", {"name": "Ann"}),
    ("players", [{"name": "Ann"}]), ("players", [{"name": "Ann", "button": "red"}]), ("players", [{"button": 0}]),
    ("players", [{"name": "Ann", "button": 0, "score": "3"}]), ("players", [{"name": "Ann", "button": 10**10}]),
])  # fmt: skip
def test_a_state_with_a_wrong_field_is_refused(key: str, value: Any) -> None:
    with pytest.raises(BadPayload):
        read_state(encoded({**STATE, key: value}))


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
