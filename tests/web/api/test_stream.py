"""The stream sends every version once and in order, catches up missed ones, and reports the gaps of slow clients."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.at_table import DEAL, laid
from tests.kit.patience import soon
from tests.kit.rig import Rigs
from umpi.web.app import LOOKERS
from umpi.web.stream import KEPT, Stream


def go(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(soon(play()))


def document_of(event: bytes) -> dict[str, Any]:
    """Return the document of an event after checking its format."""
    id, kind, data, *end = event.decode().split("\n")
    document: dict[str, Any] = json.loads(data.removeprefix("data: "))
    assert (kind, end) == ("event: state", ["", ""])
    assert id == f"id: {document['boot']}.{document['version']}"
    return document


async def next_of(looker: AsyncIterator[bytes]) -> dict[str, Any]:
    while (event := await anext(looker)).startswith(b":"):
        pass
    return document_of(event)


async def some(looker: AsyncIterator[bytes], number: int) -> list[int]:
    return [(await next_of(looker))["version"] for _ in range(number)]


def test_a_stream_sends_the_newest_version_and_then_every_version() -> None:
    async def play() -> None:
        stream = Stream("b")
        for text in ("a\nb", "b", "c"):
            assert stream.publish({"text": text})
        looker = stream.follow()
        assert await next_of(looker) == {"boot": "b", "version": 3, "text": "c"}
        stream.publish({"text": "d"})
        stream.publish({"text": "e"})
        assert await some(looker, 2) == [4, 5]

    go(play)


def test_an_unchanged_state_is_no_new_version() -> None:
    stream = Stream("b")
    assert [stream.publish({"text": text}) for text in "aabba"] == [1, 1, 2, 2, 3]


def test_a_reconnecting_client_receives_all_missed_versions() -> None:
    async def play() -> None:
        stream = Stream("b")
        for number in range(KEPT + 10):
            stream.publish({"number": number})
        looker = stream.follow(f"b.{11}")
        assert await some(looker, KEPT - 1) == list(range(12, KEPT + 11))

    go(play)


@pytest.mark.parametrize("last", ["b.1", "c.20", "b.99999", "b.-3", "b.x", "b.0", "b." + "9" * 5000, ".", "b", "b.٣"])
def test_a_client_that_reconnects_too_late_receives_the_newest_version_once(last: str) -> None:
    async def play() -> None:
        stream = Stream("b")
        for number in range(KEPT + 10):
            stream.publish({"number": number})
        looker = stream.follow(last)
        document = await next_of(looker)
        assert document["version"] == KEPT + 10
        assert document.get("skipped") == (KEPT + 8 if last == "b.1" else None)
        stream.publish({"number": "next"})
        assert await some(looker, 1) == [KEPT + 11]

    go(play)


def test_a_client_with_the_newest_version_receives_nothing_twice() -> None:
    async def play() -> None:
        stream = Stream("b")
        stream.publish({"number": 1})
        looker = stream.follow("b.1", keep_alive_s=0.001)
        assert [await anext(looker) for _ in range(3)] == [b": umpi\n\n", *[b": still here\n\n"] * 2]
        stream.publish({"number": 2})
        assert await some(looker, 1) == [2]

    go(play)


def test_a_slow_client_falls_out_of_the_buffer_and_learns_how_much_it_missed() -> None:
    async def play() -> None:
        stream = Stream("b")
        stream.publish({"number": 1})
        looker = stream.follow()
        assert await some(looker, 1) == [1]
        for number in range(2, KEPT + 5):
            stream.publish({"number": number})
        document = await next_of(looker)
        assert (document["version"], document["skipped"]) == (KEPT + 4, KEPT + 2)
        assert "skipped" not in stream.latest, "another may have missed none"

    go(play)


def test_a_stream_that_keeps_one_document_skips_all_but_the_newest() -> None:
    async def play() -> None:
        stream = Stream("b", 1)
        stream.publish({"number": 1})
        looker = stream.follow()
        assert await some(looker, 1) == [1]
        for number in range(2, 6):
            stream.publish({"number": number})
        document = await next_of(looker)
        assert (document["number"], document["skipped"]) == (5, 3)

    go(play)


def test_clients_of_any_speed_receive_each_version_once_and_in_order() -> None:
    """No event lost or doubled. What is skipped is counted, so that it all adds up."""

    async def play() -> None:
        stream = Stream("b")
        stream.publish({"number": 0})
        seen: list[list[dict[str, Any]]] = [[] for _ in range(12)]

        async def look(pace: int) -> None:
            last = ""
            while not seen[pace] or seen[pace][-1]["version"] < 1500:
                looker = stream.follow(last)
                for _ in range(40 * pace + 7):  # then the connection is lost
                    seen[pace].append(await next_of(looker))
                    for _ in range(pace):
                        await asyncio.sleep(0)
                    if seen[pace][-1]["version"] == 1500:
                        break
                await looker.aclose()
                last = f"b.{seen[pace][-1]['version']}"

        async def change() -> None:
            for number in range(1, 1500):
                stream.publish({"number": number})
                await asyncio.sleep(0)

        await asyncio.gather(change(), *(look(pace) for pace in range(12)))
        assert stream.lookers == 0
        for events in seen:
            for one, other in pairwise(events):
                assert other["version"] == one["version"] + 1 + other.get("skipped", 0)
                assert other["number"] == other["version"] - 1
        assert any("skipped" in event for event in seen[11]), "the slowest fell out of the ring"
        assert seen[0][0]["version"] + len(seen[0]) == 1501

    go(play)


def test_when_the_box_stops_all_streams_end() -> None:
    async def play() -> None:
        stream = Stream("b")
        stream.publish({"number": 1})
        looker = stream.follow()
        await some(looker, 1)
        waiting = asyncio.ensure_future(anext(looker))
        await asyncio.sleep(0)
        stream.close()
        with pytest.raises(StopAsyncIteration):
            await waiting

    go(play)


class Line:
    """A connection: what it has received, and the same after a browser has unpacked it."""

    def __init__(self, stream: Stream, last: str, packed: bool) -> None:
        self._events = stream.follow(last, 0.0, packed)
        self._unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16) if packed else None  # as gzip
        self.sizes: list[int] = []

    async def receive(self) -> bytes:
        part = await anext(self._events)
        self.sizes.append(len(part))
        return self._unpacking.decompress(part) if self._unpacking else part

    async def close(self) -> None:
        await self._events.aclose()


STEPS = st.lists(
    st.tuples(st.sampled_from(["publish", "receive", "again"]), st.integers(0, 9), st.integers(0, 2)), min_size=8
)


@given(STEPS, st.integers(1, 4))
def test_a_packed_stream_unpacks_to_the_same_as_one_that_is_not(steps: list[tuple[str, int, int]], kept: int) -> None:
    """Part by part, so that a browser shows each event at once: after gaps, silences, reconnections and long texts."""

    async def play() -> None:
        stream = Stream("b", kept)
        stream.publish({"text": ""})
        pairs = [(Line(stream, last, True), Line(stream, last, False)) for last in ("", "b.1", "x.1")]
        for step, number, which in steps:
            packed, plain = pairs[which]
            if step == "publish":
                stream.publish({"text": ["fire", "é", "☎"] * number, "more": ["pick"] * (20_000 if number == 9 else 5)})
            elif step == "again":
                await packed.close()
                await plain.close()
                last = f"b.{max(1, stream.version - number)}"
                pairs[which] = Line(stream, last, True), Line(stream, last, False)
            for _ in range(number if step == "receive" else 0):
                assert await packed.receive() == await plain.receive()
        for pair in pairs:
            for line in pair:
                await line.close()

    go(play)


def test_an_act_costs_an_onlooker_a_few_hundred_bytes(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Ann", "Ben", "Cleo", "Dov", "Eva", "Fay"])
    referee, line = table.paired(), Line(table.desk.stream, "", True)

    async def next_document() -> dict[str, Any]:
        while (event := await line.receive()).startswith(b":"):
            pass
        return document_of(event)

    for points in (0, 5, 12, -3):
        if points:
            assert referee.act("score", seat=points % 6, points=points).status_code == 200
        assert table.rig.run(soon(next_document())) == json.loads(json.dumps(table.document))
    first, *acts = line.sizes[1:]
    assert len(acts) == 3
    assert max(acts) < 500 < first, line.sizes
    table.rig.run(soon(line.close()))


def test_each_change_of_the_table_is_one_version_and_the_last_is_what_it_shows(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    referee, before = table.paired(), table.document["version"]
    assert referee.get("state").json() == json.loads(json.dumps(table.document))
    answered = referee.act("turn", card="earth-4").json()["version"]
    assert answered == before + 1
    table.rig.press("up")
    assert table.document["version"] == answered, "that is the panel's own affair"


def test_the_events_of_the_box_have_a_kind(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])

    async def look() -> tuple[dict[str, str], bytes]:
        """Ask as a server would, and go after the first event."""
        head: dict[str, str] = {}
        body, gone = b"", asyncio.Event()

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal body
            head.update({name.decode(): value.decode() for name, value in message.get("headers", ())})
            body += message.get("body", b"")
            if b"data:" in body:
                gone.set()

        headers = [(b"host", b"127.0.0.1"), (b"last-event-id", b"x")]
        scope = {"type": "http", "method": "GET", "path": "/api/events", "headers": headers, "query_string": b""}
        await table.app({**scope, "asgi": {"version": "3.0"}, "root_path": "", "scheme": "http"}, receive, send)
        return head, body

    head, body = table.rig.run(soon(look()))
    assert head["content-type"].startswith("text/event-stream")
    assert head["cache-control"] == "no-store"
    assert document_of(body.removeprefix(b": umpi\n\n"))["match"]["title"] == "Dodekka"
    assert table.desk.stream.lookers == 0


def test_too_many_clients_are_refused(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    table.desk.stream.lookers = LOOKERS
    assert table.phone().get("events").status_code == 503
