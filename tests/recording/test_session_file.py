"""A session file that was cut, changed, or is none: how far it replays, where it stops and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import recorded

from umpi.cli import main
from umpi.cli.session_view import entries, walk
from umpi.kernel.registry import find, games
from umpi.recording.replay import Diverged, Replay
from umpi.recording.session_file import SessionFault, read_lines, sealed
from umpi.recording.values import dumped


@pytest.fixture(scope="module")
def session() -> list[bytes]:
    return recorded()


def replayed(lines: list[bytes]) -> tuple[int, SessionFault | None]:
    """How many events replay, and what stops them."""
    count = 0
    try:
        for step in Replay(lines, games(), find):
            count = step.number
    except SessionFault as fault:
        return count, fault
    return count, None


def test_a_whole_session_replays_to_its_end(session: list[bytes]) -> None:
    count, fault = replayed(session)
    assert count > 40
    assert fault is None


@pytest.mark.parametrize(("hold_ms", "repeat_ms"), [(1500, 0), (600, 300)])
def test_a_session_replays_with_the_buttons_of_its_box(hold_ms: int, repeat_ms: int) -> None:
    """Without its setting the same edges make other presses, so the replay would leave the session."""
    session = recorded(hold_ms, repeat_ms)
    assert replayed(session)[1] is None
    plain = [json.loads(line) for line in session]
    for line in plain:
        line.pop("crc")
        for setting in ("hold_ms", "repeat_ms"):
            line.get("box", {}).pop(setting, None)
    assert isinstance(replayed(list(sealed(map(dumped, plain))))[1], Diverged)


@given(st.data())
def test_a_session_that_was_cut_replays_up_to_the_cut(session: list[bytes], data: Any) -> None:
    whole = b"".join(session)
    cut = data.draw(st.integers(0, len(whole) - 1))
    lines = whole[:cut].splitlines(keepends=True)
    if cut >= len(whole) - 1:  # only the last line break is missing
        assert len(list(read_lines(lines))) == len(session) - 1
        return
    with pytest.raises(SessionFault) as fault:
        list(read_lines(lines))
    complete = whole[:cut].count(b"\n") + (whole[cut : cut + 1] == b"\n")
    assert fault.value.line == complete + 1


@given(st.data())
def test_a_changed_byte_stops_at_its_line(session: list[bytes], data: Any) -> None:
    at = data.draw(st.integers(0, len(session) - 1))
    line = bytearray(session[at])
    byte = data.draw(st.integers(0, len(line) - 2))
    line[byte] ^= data.draw(st.integers(1, 255))
    if b"\n" in line[:-1]:
        return
    with pytest.raises(SessionFault) as fault:
        list(read_lines([*session[:at], bytes(line), *session[at + 1 :]]))
    assert fault.value.line == at + 1


def test_nothing_may_follow_the_end(session: list[bytes]) -> None:
    with pytest.raises(SessionFault, match="more follows after the end") as fault:
        list(read_lines([*session, session[0]]))
    assert fault.value.line == len(session) + 1


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.sampled_from((2**80, -1, 1e308)),
    st.lists(st.integers(), max_size=2), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@given(st.data())
def test_a_file_with_odd_values_and_right_checksums_is_refused_or_replays(session: list[bytes], data: Any) -> None:
    """Whoever writes a file can also write its checksums."""
    plain = [json.loads(line) for line in session[:-1]]
    for line in plain:
        line.pop("crc")
    place: Any = plain[data.draw(st.integers(0, min(40, len(plain) - 1)))]
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(ODD)
    replayed(list(sealed(map(dumped, plain))))


def test_a_line_that_is_missing_is_noticed(session: list[bytes]) -> None:
    count, fault = replayed([*session[:10], *session[11:]])
    assert fault
    assert fault.line == 11
    assert str(fault) == "this line, or one before it, was changed"
    assert count


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "the file is empty"),
        ([b"# Umpi\n"], "this is not a session of Umpi"),
        ([b'{"game":"dodeka"}\n'], "this is not a session of Umpi"),
        (list(sealed(['{"game":"dodeka"}'])), "this is not a session of Umpi"),
        (list(sealed(['{"umpi-session":1}'])), "another Umpi wrote it: format 1, this Umpi reads 2"),
        (list(sealed(['{"umpi-session":2,"umpi":"0.1.0","python":"3.11","games":null}'])), '"games" is missing'),
    ],
)
def test_a_file_that_is_not_a_session_of_this_version_is_refused(lines: list[bytes], why: str) -> None:
    with pytest.raises(SessionFault, match=why) as fault:
        list(read_lines(lines))
    assert fault.value.line == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"event":{"#":"Wish","at_ns":1}}', "this Umpi does not know 'Wish'"),
        ('{"event":{"#":"Tick"}}', "this Umpi does not know 'Tick'"),
        ('{"event":{"#":"Tick","at_ns":"now"}}', "Tick: \"at_ns\": expected int, got 'now'"),
        ('{"event":{"#":"Answered","at_ns":1}}', "the event does not fit: AssertionError: nothing was asked"),
    ],
)
def test_an_event_that_the_referee_does_not_know_stops_there(session: list[bytes], line: str, why: str) -> None:
    head = [each.decode().rpartition(',"crc"')[0] + "}" for each in session[:11]]
    count, fault = replayed(list(sealed([*head, line])))
    assert fault
    assert (fault.line, str(fault)[: len(why)]) == (12, why)
    assert count == 8


def test_a_box_with_a_setting_that_this_umpi_lacks_is_named_by_its_line(session: list[bytes]) -> None:
    """Between two versions, the settings of a funnel may differ."""
    lines = [each.decode().rpartition(',"crc"')[0] + "}" for each in session[:-1]]
    at = next(number for number, line in enumerate(lines) if line.startswith('{"box"'))
    box = json.loads(lines[at])
    box["box"] |= {"beams": ["lane_1"], "gate": {"frob": 1}}
    count, fault = replayed(list(sealed([*lines[:at], json.dumps(box)])))
    assert (count, fault and fault.line) == (0, at + 1)
    assert str(fault).startswith("the box does not fit: TypeError: ")


def test_changed_rules_are_reported_at_the_first_differing_event(
    session: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark of the position after a throw is a value of the line that the journal gets."""
    real, then = find("dodeka").scores, find("dodeka").revision
    monkeypatch.setattr(find("dodeka"), "scores", lambda self: tuple(score + 1 for score in real(self)))
    monkeypatch.setattr(find("dodeka"), "revision", 99)
    _, fault = replayed(session)
    assert isinstance(fault, Diverged)
    assert fault.step.number > 20
    first, second, *_ = str(fault).splitlines()
    assert first.endswith(" leads to something else than at the box. Here:")
    assert second == f"dodeka: revision {then} then, 99 now", "and of no other game"


def test_the_command_says_how_far_and_why(session: list[bytes], tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "session.jsonl"
    file.write_bytes(b"".join(session)[:-300])
    assert main(["replay-session", str(file)]) == 1
    printed = capsys.readouterr().err
    assert "the file was cut here" in printed
    assert "events replayed." in printed
    file.write_text("nothing\n")
    assert main(["replay-session", str(file)]) == 2
    assert "this is not a session of Umpi; nothing can be replayed." in capsys.readouterr().err


def test_a_line_is_cut_to_the_terminal_unless_all_is_asked_for(
    session: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    """What a box was set up with may be one line of some thousand letters."""
    file = tmp_path / "session.jsonl"
    file.write_bytes(b"".join(session))

    def longest(*options: str) -> int:
        assert main(["replay-session", str(file), *options]) == 0
        return max(map(len, capsysbinary.readouterr().out.decode().splitlines()))

    monkeypatch.setenv("COLUMNS", "60")
    whole = longest()
    assert whole > 60, "a pipe gets all"
    monkeypatch.setattr("umpi.cli.session.for_people", lambda: True)
    assert longest() == 60
    assert longest("--full") == whole


def test_a_walk_moves_forward_back_and_to_a_number(session: list[bytes], tmp_path: Path) -> None:
    messages: list[str] = []
    typed = iter(["\n", "\n", "b\n", "30\n", "q\n"])
    walk(entries(Replay(session, games(), find)), lambda: next(typed), messages.append)
    numbers = [int(text[:6]) for text in messages if text[:6].strip().isdecimal()]
    first, second, third = numbers[:3]
    assert first < second < third
    assert numbers[3] == second
    assert numbers[4] >= 30
    assert len(numbers) == 5
    assert next(typed, None) is None
