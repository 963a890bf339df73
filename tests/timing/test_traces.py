"""Trace files to verdict lines: the traces kept in tests/records, what is refused and in which words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.seen import answered, check_seen
from umpi.timing.gate import BeamEdge, Gate, Settings, judge
from umpi.timing.traces import BadTrace, judge_file, read_trace, verdict_lines, write_trace

TRACES = sorted(
    path for path in (Path(__file__).parents[1] / "records/traces").glob("*.jsonl") if ".verdict" not in path.name
)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_traces_kept_are_judged_as_worked_out_by_hand(path: Path) -> None:
    expected = [json.loads(line) for line in path.with_suffix(".verdict.jsonl").read_text().splitlines()]
    with path.open("rb") as trace:
        assert judge_file(trace) == expected


def said(trace: str) -> str:
    """What is wrong with a trace and where, or its verdict."""
    try:
        return " ".join(map(json.dumps, judge_file(line.encode() for line in trace.splitlines(keepends=True))))
    except BadTrace as fault:
        return str(fault)


def test_each_trace_is_read_or_refused_as_somebody_has_read(tmp_path: Path) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes traces.txt; read what is different."""
    file = Path(__file__).with_name("traces.txt")
    check_seen(file, answered(file, said))


@pytest.mark.parametrize("raw", [b"\xff", b"{"])
def test_a_line_that_is_no_json_is_refused(raw: bytes) -> None:
    with pytest.raises(BadTrace) as refused:
        judge_file([b'{"umpi-trace": 1, "lanes": 2, "beams": 1}\n', raw])
    assert refused.value.line == 2


def test_an_empty_file_lacks_its_header() -> None:
    with pytest.raises(BadTrace, match="there is no header: the trace is empty"):
        judge_file([])


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
