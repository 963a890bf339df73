"""Ask a person what really happened at the funnel, and write a trace with its truth: `umpi history --truth`."""

from __future__ import annotations

from pathlib import Path

from umpi.cli.terminal import Problem, why_not
from umpi.kernel.output import put
from umpi.kernel.record import dump
from umpi.timing.gate import Verdict, judge
from umpi.timing.traces import read_trace


def keep_truth(trace: str, name: str) -> int:
    """Ask for the truth about a trace, and write NAME.jsonl and NAME.truth.json. Raises Problem."""
    settings, edges = read_trace(trace.encode().splitlines(keepends=True))
    verdict = judge(edges, settings)
    put(f"The beams saw: {_seen(verdict)}")
    try:
        answer = input(f"Lanes of the cubes as they really came out, 1 to {settings.lanes}, like 3 1: ")
        lanes = _lanes(answer, settings.lanes)
        happened = input("What happened, in one sentence: ").strip()
    except EOFError:
        happened = ""
    if not happened:
        raise Problem("Nothing was written: describe in one sentence what happened.")
    right = [cube.lane for cube in verdict.cubes] == lanes
    truth = {"happened": happened, "from": "table", "lanes": lanes, "verdict": _state(verdict, right)}
    files = {Path(f"{name}.jsonl"): trace, Path(f"{name}.truth.json"): dump(truth) + "\n"}
    try:
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as fault:
        raise Problem(why_not(fault, path)) from None
    put(f"Wrote {' and '.join(map(str, files))}. The verdict is {truth['verdict']}.")
    return 0


def _seen(verdict: Verdict) -> str:
    cubes = ", ".join(f"lane {cube.lane + 1}" for cube in verdict.cubes) or "no cube"
    doubts = dict.fromkeys([*(doubt for cube in verdict.cubes for doubt in cube.doubts), *verdict.notes])
    return f"{cubes} ({'clear' if verdict.clear else 'doubtful: ' + ', '.join(doubts)})"


def _state(verdict: Verdict, right: bool) -> str:
    return ("clear" if right else "wrong") if verdict.clear else "doubtful"


def _lanes(answer: str, lanes: int) -> list[int]:
    """Return the lanes of an answer, counted from 0 as in a trace."""
    numbers = answer.replace(",", " ").split()
    wrong = [number for number in numbers if not number.isdecimal() or not 1 <= int(number) <= lanes]
    if wrong:
        raise Problem(f"Nothing was written: expected lanes from 1 to {lanes}, got {' '.join(wrong)}.")
    return [int(number) - 1 for number in numbers]
