"""PROTOCOL.md from the box's side: whom it trusts, what it asks, what it makes of the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from textwrap import wrap

import pytest

from tests.kit.head_talk import HELLO, MS, US, Head, noise, sealed
from tests.kit.seen import check_seen
from umpi.drivers.head_protocol import Distrust, HeadEdge, News
from umpi.timing.events import Lost, Until

S = 1_000 * MS


def test_the_head_is_identified_configured_timed_and_asked_for_its_levels() -> None:
    head = Head("lane_1=5", "wall").introduce()
    assert head.received == ["hello 1 1", "lines lane_1=5 wall dark=low", *(f"ping {n}" for n in range(1, 6)), "levels"]
    assert head.talk.who["boot"] == "5f3a0c11"


def test_a_head_that_does_not_watch_what_it_was_asked_to_is_not_trusted() -> None:
    lines = [f"{which}_{number}" for which in ("lane", "second") for number in range(1, 7)]
    head = Head(*reversed(lines))
    head.now_ns += MS
    head.listen()
    head.send_lines(HELLO)
    with pytest.raises(Distrust, match=f"does not watch {', '.join(lines[1:])}"):
        head.send_lines("lines lane_1=2")


def test_an_edge_is_reported_in_the_boxs_time_with_its_uncertainty() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    [edge] = head.send_change("dark", "lane_2", 90_000)
    assert isinstance(edge, HeadEdge)
    assert (edge.line, edge.active) == ("lane_2", True)
    assert abs(edge.at_ns - 90 * MS) <= edge.off_ns < 300 * US
    assert head.talk.dark == {"lane_2"}
    [later] = head.send_change("light", "lane_2", 99_123)
    assert later.at_ns - edge.at_ns == 9_123_000


def test_a_gap_is_reported_before_the_next_edge() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    head.number += 3
    reports = head.send_change("dark", "lane_1", 90_000)
    assert [type(item) for item in reports] == [Lost, HeadEdge]
    assert reports[0] == Lost(3)
    head.number += 2
    assert head.send_lines("beat 99000")[0] == Lost(2), "the last ones too"


def test_lines_in_pieces_with_garbage_between_are_understood() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    whole = sealed("1 dark lane_1 90000")
    assert [item for byte in whole for item in head.send_bytes(bytes([byte]))]
    assert head.send_bytes(b"\xff\x00garbage" * 100 + b"\n") == []
    assert head.send_bytes(b"half a li" + sealed("2 light lane_1 95000")) == [], "glued to garbage"
    assert head.send_bytes(sealed("3 dark lane_1 96000"))[0] == Lost(1)
    assert head.talk.garbled == 2


def test_a_line_with_any_bit_wrong_is_no_line() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    whole = sealed("1 dark lane_1 90000").strip()
    for bit in range(8 * len(whole)):
        wrong = bytearray(whole)
        wrong[bit // 8] ^= 1 << bit % 8
        assert head.send_bytes(bytes(wrong) + b"\n") == [], wrong
    assert len(head.send_bytes(whole + b"\n")) == 1


def test_text_after_an_unfinished_bad_line_is_dropped_too() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    assert head.send_bytes(b"x" * 400) == []
    assert head.send_bytes(sealed("1 dark lane_1 90000")) == []
    assert [type(item) for item in head.send_bytes(sealed("2 light lane_1 99000"))] == [Lost, HeadEdge]


def test_another_device_at_the_port_is_named_as_such() -> None:
    silent, noisy, echo = Head(), Head(), Head()
    with pytest.raises(Distrust, match="this is not a sensor head"):
        silent.wait(4 * S)
    noisy.send_bytes(b"start\r\necho:Marlin 1.1.9\r\n")
    with pytest.raises(Distrust, match="garbled"):
        noisy.wait(4 * S)
    with pytest.raises(Distrust):  # noqa: PT012
        for _ in range(40):
            echo.now_ns += 100 * MS
            list(echo.talk.receive(echo.talk.send(echo.now_ns), echo.now_ns))
            echo.talk.check(echo.now_ns)


def test_a_head_that_talks_but_does_not_answer_is_given_up() -> None:
    head = Head().introduce()
    with pytest.raises(Distrust, match="does not reply"):  # noqa: PT012
        for beat in range(1, 100):
            head.now_ns += 400 * MS
            list(head.talk.receive(sealed(f"0 beat {head.now_ns // US - beat * 9}"), head.now_ns))
            head.talk.send(head.now_ns)
            head.talk.check(head.now_ns)


def asked(*what: Callable[[Head], object]) -> Callable[[], Head]:
    """A head that is trusted and has been asked for something; 100 ms after its start."""

    def head() -> Head:
        head = Head("lane_1", "lane_2", "wall").introduce()
        head.now_ns = 100 * MS
        for each in what:
            each(head)
        assert not what or head.talk.due_ns <= head.now_ns or head.number, "it is asked at once"
        head.listen()
        return head

    return head


def pinged() -> Head:
    """A head that is trusted and owes an answer to its sixth ping."""
    head = asked()()
    head.now_ns += 300 * MS
    assert b"ping 6" in head.talk.send(head.now_ns)
    return head


def begun(*lines: str) -> Callable[[], Head]:
    """A head that has said only this since its start."""

    def head() -> Head:
        head = Head("lane_1", "lane_2", "wall")
        head.now_ns = MS
        head.listen()
        for line in lines:
            head.send_lines(line)
        return head

    return head


WATCHED = "lines lane_1=2 lane_2=3 wall=14 dark=low"
STATES = {
    "asked who it is": begun(),
    "asked to watch": begun(HELLO),
    "asked for its levels": begun(HELLO, WATCHED),
    "ready": asked(),
    "lane 1 to be switched off": asked(lambda head: head.talk.emit(1, False)),
    "lane 1 to be switched on": asked(lambda head: head.talk.emit(1, True)),
    "lane 1 to be switched off, and heard": asked(lambda head: head.talk.emit(1, False, mute=False)),
    "lane 2 to fade": asked(lambda head: head.talk.fade(2)),
    "asked for a blink, an edge since": asked(
        lambda head: head.talk.blink(), lambda head: head.send_change("dark", "lane_2", 96_000)
    ),
    "asked for a colour": asked(lambda head: head.talk.colour("get b2 2")),
    "pinged": pinged,
    "asked to set the colour sensor": asked(lambda head: head.talk.colour("put 80 3")),
}  # fmt: skip
SAID = (
    HELLO, HELLO.replace("5f3a", "5f3b"), HELLO.replace("e6616", "e6617"), "hello umpi-head protocol=2",
    "hello umpi-head", "hello other protocol=1", "sorry hello why <so>", "sorry lines why", "sorry emit why",
    "sorry - why", "+dark lane_1 US", "+light lane_2 US", "+hit wall US", "+dark lane_3 US", "+dark ../../etc US",
    "+dark lane_1 FUTURE", "+dark lane_1 PAST", "dark lane_1 US", "+dark lane_1", "++dark lane_1 US", "beat US",
    "beat FUTURE", "beat PAST", "beat soon", "+beat US", "pong 5 US", "pong 6 US", "pong 6 FUTURE", WATCHED,
    "lines lane_1=2 lane_2=3", "levels lane_1=dark lane_2=light", "levels", "levels lane_1=dim", "levels lane_6=dark",
    "emit lane_1 off lane_1=dark lane_2=light", "emit lane_1 on lane_1=light", "emit lane_2 off lane_2=dark",
    "emit lane_7 off", "emit lane_1 off lane_1=dim", "emit all blink lane_2=dark", "emit all off",
    "fade lane_2 lane_2=77", "fade lane_2 lane_2=-", "fade lane_2 lane_2=soon", "fade lane_2 lane_6=7",
    "fade lane_1 lane_1=77", "fade lane_0 lane_1=77", "colour get b2 0aff", "colour get b2 -", "colour get b4 0a",
    "colour put 80 ok", "colour put 80 -", "colour get b2 0", "colour have b2 0a", "colour get b2", "mood good", "mood",
)  # fmt: skip


def told(news: News, now_ns: int) -> str:
    """News in one line, with times before now."""
    match news:
        case HeadEdge(line, active, at_ns, off_ns):
            return f"{line} {'dark' if active else 'light'} {now_ns - at_ns} ns ago ± {off_ns}"
        case Until(at_ns):
            return f"until {now_ns - at_ns} ns ago"
        case _:
            return f"{news}".replace("frozenset", "").replace(f"{96_000}", "…")


def ignored(head: Head) -> list[str]:
    """The lanes whose edges do not reach the box."""
    us = head.now_ns // US
    edges = [*head.send_change("dark", "lane_1", us), *head.send_change("dark", "lane_2", us)]
    return sorted({"lane_1", "lane_2"} - {edge.line for edge in edges})


def heard(state: str, said: str) -> str:
    """What the box makes of a line in a state: news, what it asks, what is dark, and whose edges it ignores then."""
    head = STATES[state]()
    head.received.clear()
    us, dark, garbled, ready = head.now_ns // US, head.talk.dark, head.talk.garbled, head.talk.ready
    trips = head.talk.clock.round_trips
    head.number += said.count("+")
    text = said.lstrip("+").replace("US", f"{us - 100}").replace("FUTURE", f"{us + 10_000}").replace("PAST", "90")
    try:
        found = [told(each, head.now_ns) for each in head.send_lines(text)]
        found += [f"asks {each}" for each in head.received]
        found += [f"dark {sorted(head.talk.dark)}"] * (head.talk.dark != dark)
        found += ["a round trip"] * (head.talk.clock.round_trips - trips)
        found += ["garbled"] * (head.talk.garbled > garbled) + ["ready"] * (head.talk.ready > ready)
        if ready and "FUTURE" not in said and (then := ignored(head)) != ignored(STATES[state]()):
            found.append(f"then ignores {then}")
    except Distrust as fault:
        found = [f"Distrust: {fault}"]
    return "; ".join(found) or "nothing"


def alone(state: str) -> str:
    """What the box says, and when in ms, to a head that says no more."""
    head, said = STATES[state](), list[str]()
    begun_ns = now_ns = head.now_ns
    try:
        while now_ns - begun_ns < 5 * S:
            now_ns = max(now_ns, head.talk.due_ns)
            words = [line.partition(b" *")[0].decode() for line in head.talk.send(now_ns).split(b"\n") if line]
            said += [f"{(now_ns - begun_ns) / MS:g} {text}" for text in words]
            head.talk.check(now_ns)
    except Distrust as fault:
        said.append(f"{(now_ns - begun_ns) / MS:g} Distrust: {fault}")
    return ", ".join(said)


def conversations() -> Iterator[str]:
    """Yield all states, each with what the lines come to; of those after "ready" only what differs from there."""
    usual = {said: heard("ready", said) for said in SAID}
    for place, state in enumerate(STATES):
        came_to: dict[str, list[str]] = {}
        for said in SAID:
            if (what := heard(state, said)) != usual[said] or place < 4:
                came_to.setdefault(what, []).append(said)
        yield f"{state}{':' if place < 4 else ', as if ready but:'}"
        yield from wrap(f"in silence: {alone(state)}", 110, initial_indent="  ", subsequent_indent="  ")
        for what, lines in came_to.items():
            yield from (*wrap(" | ".join(lines), 110, initial_indent="  ", subsequent_indent="  "), f"    -> {what}")


def test_each_line_in_each_state_comes_to_what_somebody_has_read() -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes head_talk.txt; read what is different."""
    check_seen(Path(__file__).with_name("head_talk.txt"), conversations())


def test_no_bytes_make_an_edge_a_trace_or_a_hang() -> None:
    noise(Random(11), 30_000)
