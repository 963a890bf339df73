"""Replay records in processes with other hashes of words, and compare what the game says after each act.

The order of a set of words, and their `hash`, differ from process to process. `difference` starts this file as a
program. It then imports the kernel and the engine only, so that it takes a fraction of a second.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

if __name__ == "__main__":
    _asked = json.load(sys.stdin)
    sys.path[:] = _asked["path"]

from importlib import import_module

from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.board import board_of
from umpi.kernel.fields import Field
from umpi.kernel.game import Ask, Game
from umpi.kernel.match import Match
from umpi.kernel.now import now_of
from umpi.kernel.record import Header, dump, replay

SEEDS = ("1", "2", "3")  # two of them are tried; that of this process is not
SHOWN = 80  # letters of a value
PATIENCE_S = 600.0  # by the clock, for a process on a busy machine


def importable(game: type[Any]) -> bool:
    """Check whether another process can import the class: not one that a test or a shell has made."""
    module = sys.modules.get(game.__module__)
    named = getattr(module, game.__qualname__, None) is game
    return named and getattr(module, "__spec__", None) is not None and game.__module__ != "__main__"


@frozen
class Difference:
    """A match that continues differently elsewhere, after how many of its acts, and what differs."""

    match: Match
    acts: int
    why: str


def difference(game: type[Any], matches: Sequence[Match]) -> Difference | None:
    """Replay the records of matches in two processes with other hashes of words; return the first difference."""
    asked = {
        "path": sys.path, "module": game.__module__, "name": game.__qualname__,
        "records": [[dump(line) for line in _lines(match)] for match in matches],
        "marks": [[_marks(described(match, count)) for count in range(len(match.acts) + 1)] for match in matches],
    }  # fmt: skip
    own = os.environ.get("PYTHONHASHSEED", "random")
    for seed in [seed for seed in SEEDS if seed != own][:2]:
        ended = subprocess.run(
            [sys.executable, "-P", __file__], input=json.dumps(asked), stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed}, timeout=PATIENCE_S, check=True,
        )  # fmt: skip
        if found := json.loads(ended.stdout):
            match, acts = matches[found["record"]], found["acts"]
            return Difference(match, acts, _sentence(match, acts, found["fields"], found["error"]))
    return None


def _lines(match: Match) -> Iterator[Mapping[str, Any]]:
    yield Header(match.game, match.players, match.options).line()
    yield from (act.line() for act in match.acts)


def _sentence(match: Match, acts: int, there: Mapping[str, str], error: str) -> str:
    here = described(match, acts)
    parts = [f"{name} is {_short(text)}, here {_short(here.get(name, ''))}" for name, text in there.items()]
    return (
        f"In a process with another PYTHONHASHSEED, line {acts + 1} of its record leads elsewhere: "
        f"{error.removesuffix('.') or '; '.join(parts)}. Does the game use the hash of a word, or the order of a set?"
    )


def _short(text: str) -> str:
    return textwrap.shorten(text, SHOWN, placeholder=" …") or "missing"


def described(match: Match, count: int) -> dict[str, str]:
    """Return all that a game says after its first `count` acts, by name, as JSON."""
    now, asks = match.position(count), match.offered(count)
    said: dict[str, Any] = {"phase": now.phase, "scores": now.scores()}
    if result := now.result():
        said |= {"places": result.places, "why": result.why}
    said |= {f"facts.{name}": value for name, value in now.facts().items()}
    view = now.view()
    said |= {"view.head": view.head, "view.beside": view.beside, "view.rows": [[*row.cells] for row in view.rows]}
    said["board"] = repr(board_of(now))
    said |= {f"offer.{ask.verb}": _ask(ask) for ask in asks}
    said["now"] = sentence.line() if (sentence := now_of(now, asks)) else None
    said["told"] = match.told(count - 1) if count else ""
    said["calls"] = [call.line() for call in match.calls(count - 1)] if count else []
    return {name: json.dumps(value, default=_unwritten, ensure_ascii=False) for name, value in said.items()}


def _unwritten(value: object) -> object:
    """Return a value that JSON has not: a pool of an engine's own type as a list, an object by its type."""
    return list(value) if isinstance(value, Sequence) else type(value).__name__


def _ask(ask: Ask) -> list[Any]:
    return [ask.seat, ask.text, ask.help, *map(_field, ask.fields)]


def _field(field: Field) -> dict[str, Any]:
    parts: dict[str, Any] = field._asdict()
    nested = {"fields": [*map(_field, parts["fields"])]} if "fields" in parts else {}
    return {name: value for name, value in parts.items() if not callable(value)} | nested


def _marks(said: Mapping[str, str]) -> dict[str, int]:
    return {name: crc32(text.encode(errors="backslashreplace")) for name, text in said.items()}


def _difference(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Replay all records, and return the first difference from their marks, {} if there is none."""
    game: type[Game] = getattr(import_module(asked["module"]), asked["name"])
    for record, (lines, marks) in enumerate(zip(asked["records"], asked["marks"], strict=True)):
        for line, found in _compared(game, lines, marks):
            return {"record": record, "acts": line, **found}
    return {}


def _compared(game: type[Game], lines: Sequence[str], marks: Sequence[Mapping[str, int]]) -> Iterator[tuple[int, Any]]:
    for line, step in enumerate(replay((line.encode() for line in lines), lambda name: game)):
        if step.record is None or step.error:
            yield line, {"fields": {}, "error": step.error}
            return
        try:
            said = described(step.record.match, len(step.record.match.acts))
        except Exception as fault:  # the engine's own code runs
            yield line, {"fields": {}, "error": f"{type(fault).__name__}: {fault} [{blame(fault, game)}]"}
            return
        now = _marks(said)
        if names := [name for name in {**marks[line], **now} if now.get(name) != marks[line].get(name)]:
            yield line, {"fields": {name: said.get(name, "") for name in names}, "error": ""}
            return


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):  # an engine may print
        _found = _difference(_asked)
    print(json.dumps(_found))
