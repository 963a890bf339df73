"""Trace files: read and judge them, and write an announcement's edges as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from difflib import get_close_matches
from typing import Any

from umpi.kernel.record import Unreadable, dump, read_line
from umpi.timing.gate import BeamEdge, Settings, Verdict, judge

VERSION = 1
HEADER = ("umpi-trace", "lanes", "beams", "settings")
EDGE = ("seq", "t", "lane", "beam", "dark")
SETTINGS = tuple(field.name for field in fields(Settings) if field.name not in HEADER)


class BadTrace(ValueError):
    """Raised if a trace cannot be read: the `line`, counted from 1, and `why`."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


def judge_file(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the verdict of a trace: one line per cube in finish order, then the verdict. Raises BadTrace.

    >>> judge_file([b'{"umpi-trace": 1, "lanes": 1, "beams": 1}'])
    [{'cubes': 0, 'verdict': 'clear', 'notes': []}]
    """
    settings, edges = read_trace(lines)
    return verdict_lines(judge(edges, settings))


def read_trace(lines: Iterable[bytes]) -> tuple[Settings, list[BeamEdge]]:
    """Return a trace's settings and its edges in order of arrival. Raises BadTrace."""
    settings: Settings | None = None
    edges: list[BeamEdge] = []
    for number, raw in enumerate(lines, 1):
        try:
            line = read_line(raw)
            if line is None:
                continue
            if settings is None:
                settings = _settings(line)
            else:
                edges.append(_edge(line, settings))
        except (Unreadable, _Wrong) as fault:
            raise BadTrace(number, str(fault)) from None
    if settings is None:
        raise BadTrace(1, "there is no header: the trace is empty")
    return settings, edges


def write_trace(settings: Settings, edges: Iterable[BeamEdge], counted: int = 0) -> Iterator[str]:
    """Yield the lines of a trace for an announcement's edges, in order of arrival.

    `counted` is the number of the source's last edge before this announcement. It is subtracted from every number, so
    every gap is kept, including one at the start. The edges of `Gate.trace` are already numbered from 1.
    """
    chosen = {name: getattr(settings, name) for name in SETTINGS}
    yield dump({"umpi-trace": VERSION, "lanes": settings.lanes, "beams": settings.beams, "settings": chosen})
    for edge in edges:
        yield dump({**asdict(edge), "seq": edge.seq - counted})


def verdict_lines(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the lines that `umpi judge` prints for a verdict."""
    cubes: list[dict[str, Any]] = [
        {"cube": number, "lane": cube.lane, "t": cube.t, "margin_us": cube.margin_us, "doubts": list(cube.doubts)}
        for number, cube in enumerate(verdict.cubes, 1)
    ]
    clear = "clear" if verdict.clear else "doubtful"
    return [*cubes, {"cubes": len(cubes), "verdict": clear, "notes": list(verdict.notes)}]


class _Wrong(ValueError):
    """Raised if a line is a JSON object with a wrong key or value."""


def _settings(line: dict[str, Any]) -> Settings:
    if "umpi-trace" not in line:
        raise _Wrong('the first line must be the header, with "umpi-trace", "lanes" and "beams"')
    version = line["umpi-trace"]
    if type(version) is not int or version != VERSION:
        raise _Wrong(f'"umpi-trace": {_short(version)} is a format this Umpi does not read; it reads {VERSION}')
    _known("the header", line, HEADER)
    for name in ("lanes", "beams"):
        if name not in line:
            raise _Wrong(f'"{name}" is missing from the header')
    chosen = line.get("settings", {})
    if not isinstance(chosen, dict):
        raise _Wrong(f'"settings" must be an object, not {_short(chosen)}')
    _known('"settings"', chosen, SETTINGS)
    settings = Settings(line["lanes"], line["beams"], **chosen)
    if refusal := settings.refusal():
        raise _Wrong(refusal)
    return settings


def _edge(line: dict[str, Any], settings: Settings) -> BeamEdge:
    _known("an edge", line, EDGE)
    for name in EDGE:
        if name not in line:
            raise _Wrong(f'"{name}" is missing from the edge')
    if type(line["seq"]) is not int or line["seq"] < 1:
        raise _Wrong(f'"seq" must be a whole number from 1 on, not {_short(line["seq"])}')
    if type(line["t"]) is not int:
        raise _Wrong(f'"t" must be whole nanoseconds, not {_short(line["t"])}')
    for name, count in (("lane", settings.lanes), ("beam", settings.beams)):
        if type(line[name]) is not int or not 0 <= line[name] < count:
            there = "0" if count == 1 else f"a whole number from 0 to {count - 1}"
            plural = "s" * (count > 1)
            raise _Wrong(f'"{name}" must be {there} in a trace of {count} {name}{plural}, not {_short(line[name])}')
    if type(line["dark"]) is not bool:
        raise _Wrong(f'"dark" must be true or false, not {_short(line["dark"])}')
    return BeamEdge(**line)


def _known(where: str, given: dict[str, Any], names: tuple[str, ...]) -> None:
    for key in given:
        if key not in names:
            near = get_close_matches(key, names, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"it has: {', '.join(names)}"
            raise _Wrong(f"{where} has no {_short(key)}; {hint}")


def _short(value: object) -> str:
    return dump(value)[:60]
