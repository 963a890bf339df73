"""PROTOCOL.md from the box's side: whom it trusts, what it asks, what it makes of the lines."""

from __future__ import annotations

from random import Random

import pytest

from tests.kit.head_talk import HELLO, MS, US, Head, noise, sealed
from umpi.drivers.head_protocol import Distrust, HeadEdge
from umpi.timing.events import Lost, Until

S = 1_000 * MS


def test_the_head_is_identified_configured_timed_and_asked_for_its_levels() -> None:
    head = Head("lane_1=5", "wall").introduce()
    assert head.received == ["hello 1 1", "lines lane_1=5 wall dark=low", *(f"ping {n}" for n in range(1, 6)), "levels"]
    assert head.talk.who["boot"] == "5f3a0c11"


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


def test_a_hit_of_the_wall_is_an_edge_and_leaves_nothing_dark() -> None:
    head = Head("wall").introduce()
    head.now_ns = 100 * MS
    assert [(edge.line, edge.active) for edge in head.send_change("hit", "wall", 90_000)] == [("wall", True)]
    assert head.talk.dark == frozenset()


def test_a_beat_confirms_all_edges_up_to_its_time() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    [until] = head.send_lines("beat 99000")
    assert isinstance(until, Until)
    assert abs(until.at_ns - 99 * MS) < 300 * US


def test_a_gap_is_reported_before_the_next_edge() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    head.number += 3
    reports = head.send_change("dark", "lane_1", 90_000)
    assert [type(item) for item in reports] == [Lost, HeadEdge]
    assert reports[0] == Lost(3)
    head.number += 2
    assert head.send_lines("beat 99000")[0] == Lost(2), "the last ones too"


def test_beams_dark_before_the_start_are_known() -> None:
    head = Head()
    head.now_ns += MS
    head.listen()
    head.send_lines(HELLO)
    head.send_lines("lines lane_1=2 lane_2=3")
    head.send_lines("levels lane_1=dark lane_2=light")
    assert head.talk.dark == {"lane_1"}


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


def test_an_unanswered_command_is_sent_again() -> None:
    head = Head()
    head.listen()
    head.wait(S)
    assert head.received.count("hello 1 1") == 4


def test_an_unknown_word_of_a_newer_head_is_ignored() -> None:
    head = Head().introduce()
    assert head.send_lines("mood splendid") == []


LIES = {
    "numbers that go back": (sealed("5 dark lane_1 90000", "5 light lane_1 91000"), "counter went back"),
    "a beat from before": (sealed("5 dark lane_1 90000", "4 beat 91000"), "counter went back"),
    "stamps that go back": (sealed("1 dark lane_1 90000", "2 light lane_1 89999"), "clock went back"),
    "a line nobody asked for": (sealed("1 dark lane_6 90000"), "not asked to watch"),
    "a line that is none": (sealed("1 dark ../../etc 90000"), "not asked to watch"),
    "a stamp that is none": (sealed("1 dark lane_1 soon"), "bad data"),
    "a stamp too many": (sealed("1 dark lane_1 90000 90001"), "bad data"),
    "a stamp from the future": (sealed("1 dark lane_1 9000000"), "clock"),
    "levels that are none": (sealed("0 levels lane_1=dim"), "bad data"),
    "another board": (sealed("0 " + HELLO.replace("e6616", "e6617")), "restarted"),
    "another start": (sealed("0 " + HELLO.replace("5f3a", "5f3b")), "restarted"),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_inconsistent_head_is_not_trusted_and_the_box_says_why(lie: str) -> None:
    line, why = LIES[lie]
    head = Head().introduce()
    head.now_ns = 100 * MS
    with pytest.raises(Distrust, match=why):
        head.send_bytes(line)


STRANGERS = {
    "a head of tomorrow": (sealed("0 " + HELLO.replace("protocol=1", "protocol=2")), "uses protocol 2, this box 1"),
    "a head that refuses": (
        sealed("0 sorry hello this head speaks protocol 3, the box 1 to 1: update the older one"),
        "speaks protocol 3",
    ),
    "somebody else who says hello": (sealed("0 hello world"), "not an Umpi sensor head"),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_stranger_is_not_trusted_and_the_box_says_why(stranger: str) -> None:
    line, why = STRANGERS[stranger]
    head = Head()
    head.listen()
    with pytest.raises(Distrust, match=why):
        head.send_bytes(line)


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


def test_a_head_that_does_not_watch_what_it_was_asked_to_is_not_trusted() -> None:
    lines = [f"{which}_{number}" for which in ("lane", "second") for number in range(1, 7)]
    head = Head(*reversed(lines))
    head.now_ns += MS
    head.listen()
    head.send_lines(HELLO)
    with pytest.raises(Distrust, match=f"does not watch {', '.join(lines[1:])}"):
        head.send_lines("lines lane_1=2")


def test_a_head_that_talks_but_does_not_answer_is_given_up() -> None:
    head = Head().introduce()
    with pytest.raises(Distrust, match="does not reply"):  # noqa: PT012
        for beat in range(1, 100):
            head.now_ns += 400 * MS
            list(head.talk.receive(sealed(f"0 beat {head.now_ns // US - beat * 9}"), head.now_ns))
            head.talk.send(head.now_ns)
            head.talk.check(head.now_ns)


def test_late_replies_to_old_pings_do_not_change_the_clock() -> None:
    head = Head().introduce()
    trips = head.talk.clock.round_trips
    head.now_ns = 100 * MS
    head.send_lines("pong 2 99000", "pong 77 99500", "pong x 99600")
    assert head.talk.clock.round_trips == trips


def test_edges_of_a_lane_are_ignored_while_its_emitters_are_off() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    head.talk.emit(1, False)
    head.listen()
    assert head.send_change("dark", "lane_1", 90_000) == []
    assert head.send_change("dark", "lane_2", 91_000), "its neighbour's are not"
    [off] = head.send_lines("emit lane_1 off lane_1=dark lane_2=dark")
    assert (off.lane, off.on, off.dark) == (1, False, {"lane_1", "lane_2"})
    head.talk.emit(1, True)
    head.listen()
    assert head.send_change("light", "lane_1", 95_000) == []
    head.send_lines("emit lane_1 on lane_1=light lane_2=dark")
    assert head.send_change("dark", "lane_1", 99_000)


def test_edges_of_a_lane_are_ignored_until_its_fade_is_answered() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    head.talk.fade(1)
    head.listen()
    assert head.send_change("dark", "lane_1", 90_000) == []
    assert head.send_change("light", "lane_1", 93_000) == []
    [faded] = head.send_lines("fade lane_1 lane_1=77")
    assert (faded.lane, faded.delays_us) == (1, {"lane_1": 77})
    assert head.send_change("dark", "lane_1", 99_000)
    assert head.send_lines("fade lane_1 lane_1=77") == [], "nobody asked"


@pytest.mark.parametrize("words", ["lane_1 lane_1=soon", "lane_1 lane_6=7", "lane_1 lane_1", "lane_9", ""])
def test_a_fade_that_makes_no_sense_ends_the_trust(words: str) -> None:
    head = Head().introduce()
    with pytest.raises(Distrust):
        head.send_lines(f"fade {words}".strip())


def test_edges_during_an_unmuted_emitter_test_are_reported() -> None:
    head = Head().introduce()
    head.now_ns = 100 * MS
    head.talk.emit(1, False, mute=False)
    head.listen()
    assert head.send_change("dark", "lane_1", 90_000)


def test_no_bytes_make_an_edge_a_trace_or_a_hang() -> None:
    noise(Random(11), 30_000)
