"""Trace files to verdict lines: the traces kept in tests/records, what is refused and in which words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.timing.gate import BeamEdge, Gate, Settings, judge
from umpi.timing.traces import BadTrace, judge_file, read_trace, verdict_lines, write_trace

TRACES = sorted(
    path for path in (Path(__file__).parents[1] / "records/traces").glob("*.jsonl") if ".verdict" not in path.name
)
HEADER: dict[str, Any] = {"umpi-trace": 1, "lanes": 2, "beams": 1}
EDGE: dict[str, Any] = {"seq": 1, "t": 5, "lane": 0, "beam": 0, "dark": True}


def lines(*objects: object) -> list[bytes]:
    return [json.dumps(line).encode() + b"\n" for line in objects]


def why(*raw: bytes) -> tuple[int, str]:
    with pytest.raises(BadTrace) as refused:
        judge_file(raw)
    return refused.value.line, refused.value.why


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_traces_kept_are_judged_as_worked_out_by_hand(path: Path) -> None:
    expected = [json.loads(line) for line in path.with_suffix(".verdict.jsonl").read_text().splitlines()]
    with path.open("rb") as trace:
        assert judge_file(trace) == expected


def test_the_keys_of_the_lines_are_those_of_the_contract() -> None:
    cube, verdict = judge_file(lines(HEADER, EDGE))
    assert list(cube) == ["cube", "lane", "t", "margin_us", "doubts"]
    assert list(verdict) == ["cubes", "verdict", "notes"]


def test_blank_lines_are_skipped_and_counted() -> None:
    assert judge_file([b"\n", *lines(HEADER), b" \t\r\n"]) == [{"cubes": 0, "verdict": "clear", "notes": []}]
    assert why(b"\n", *lines(HEADER), b"\n", b"{}")[0] == 4


@pytest.mark.parametrize("raw", [[], [b"\n", b" "]])
def test_an_empty_file_lacks_its_header(raw: list[bytes]) -> None:
    assert why(*raw) == (1, "there is no header: the trace is empty")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"umpi-trace": 2}, '"umpi-trace": 2 is a format'), ({"umpi-trace": True}, '"umpi-trace": true is a format'),
        ({"lanes": 0}, '"lanes" must be'), ({"lanes": 7}, '"lanes" must be'), ({"lanes": "2"}, '"lanes" must be'),
        ({"beams": 0}, '"beams" must be'), ({"beams": 1.0}, '"beams" must be'), ({"lane": 1}, 'did you mean "lanes"?'),
        ({"settings": []}, '"settings" must be an object'), ({"settings": {"cube": 16}}, 'did you mean "cube_mm"?'),
        ({"settings": {"lanes": 6}}, '"settings" has no "lanes"'), ({"settings": {"cube_mm": None}}, '"cube_mm" must'),
        ({"settings": {"cube_mm": -16}}, '"cube_mm" must'), ({"settings": {"turned": 0.5}}, '"turned" must'),
        ({"settings": {"speed_mm_s": [900]}}, '"speed_mm_s" must'), ({"settings": {"late_ms": -1}}, '"late_ms" must'),
        ({"settings": {"speed_mm_s": [1400, 900]}}, '"speed_mm_s" must'),
        ({"settings": {"glitch_us": 12_000}}, '"glitch_us" must be below 11428'),
        ({"settings": {"stuck_ms": True}}, '"stuck_ms" must'), ({"settings": {"cube_mm": 1e400}}, ""),
    ],
)  # fmt: skip
def test_a_header_that_will_not_do_is_refused_by_name(change: dict[str, Any], word: str) -> None:
    line, reason = why(*lines(HEADER | change))
    assert line == 1
    assert word in reason


@pytest.mark.parametrize("name", ["lanes", "beams"])
def test_a_header_says_lanes_and_beams(name: str) -> None:
    assert why(*lines({key: value for key, value in HEADER.items() if key != name})) == (
        1, f'"{name}" is missing from the header',
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seq": 0}, '"seq" must be a whole number from 1 on, not 0'), ({"seq": 1.0}, '"seq" must'),
        ({"t": "5"}, '"t" must be whole nanoseconds, not "5"'), ({"t": 5.5}, '"t" must'), ({"t": True}, '"t" must'),
        ({"lane": 2}, '"lane" must be a whole number from 0 to 1 in a trace of 2 lanes, not 2'),
        ({"lane": -1}, '"lane" must'), ({"beam": 1}, '"beam" must be 0 in a trace of 1 beam, not 1'),
        ({"dark": 1}, '"dark" must be true or false, not 1'), ({"at": 5}, 'an edge has no "at"'),
    ],
)  # fmt: skip
def test_an_edge_that_will_not_do_is_refused_by_name(change: dict[str, Any], word: str) -> None:
    line, reason = why(*lines(HEADER, EDGE, EDGE | change))
    assert line == 3
    assert word in reason


@pytest.mark.parametrize("name", list(EDGE))
def test_an_edge_lacks_nothing(name: str) -> None:
    short = {key: value for key, value in EDGE.items() if key != name}
    assert why(*lines(HEADER, short)) == (2, f'"{name}" is missing from the edge')


@pytest.mark.parametrize("raw", [b"\xff", b"[1]", b"{", b'{"seq": 1, "seq": 1}', b'{"t": NaN}'])
def test_a_line_that_is_not_a_json_object_is_refused(raw: bytes) -> None:
    assert why(*lines(HEADER), raw)[0] == 2


def test_an_edge_line_first_is_no_header() -> None:
    assert "the first line must be the header" in why(*lines(EDGE))[1]


@given(
    st.lists(
        st.builds(BeamEdge, st.integers(3, 40), st.integers(0, 10**15), st.integers(0, 5), st.just(0), st.booleans())
    )
)
def test_a_written_trace_is_read_back(edges: list[BeamEdge]) -> None:
    settings = Settings(lanes=6, speed_mm_s=(1000, 1500), dead_heat_us=500)
    gate = Gate(settings, counted=2)
    for edge in edges:
        gate.edge(edge)
    written = [line.encode() for line in write_trace(settings, gate.trace())]
    assert written == [line.encode() for line in write_trace(settings, edges, counted=2)]
    assert read_trace(written) == (settings, list(gate.trace()))
    assert judge_file(written) == verdict_lines(gate.verdict()) == verdict_lines(judge(gate.trace(), settings))
