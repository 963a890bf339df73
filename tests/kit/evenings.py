"""Evenings: the events of a box as a file that people can read, and below each event all that the referee does of it.

    {"box": …}              a box is switched on: its setup
    @1000000000             a tick of the loop
    answered @1000000000    the service has done what the referee asked for
    red down @1100000000    a button or a beam
    {"event": …}            any other event, as in the file of a session
      now = …               what has changed on the screen, at the table and for the phones, or an effect
      due @1500000000       when the referee has work next

So the referee alone plays an evening again, in a tenth of a second, and must do the same. Long values are shortened,
with a checksum of the whole.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from scripts.screens.gallery import PLAYERS, Gallery
from umpi.box.config import Config
from umpi.display.modes import spoken
from umpi.i18n.translate import ENGLISH, set_language
from umpi.kernel.registry import find, games
from umpi.recording.recorder import Recorder
from umpi.recording.values import KIND, dumped, plain, read_value
from umpi.referee.effects import DrawSeed, Effect, JournalCall, LetPhoneIn, PairingCall, Show
from umpi.referee.events import Answered, Event, Tick
from umpi.referee.referee import Referee
from umpi.referee.view_state import ViewState
from umpi.rulebook.shelf import Shelf
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.script import lines_of, words_of
from umpi.simulator.steps import Steps
from umpi.simulator.virtual import with_lanes
from umpi.timing.edge import Edge
from umpi.web.shown import shown_of

EFFECT = 300  # letters of an effect that are shown
ELSEWHERE = ("match", "rules")  # of the state of the table: what phones get has them


def recorded(file: Path) -> list[str]:
    """Play a scenario of tests/scenarios or tests/screens on a virtual box, and return its events as lines."""
    try:
        return asyncio.run(_played(file))
    finally:
        set_language(ENGLISH)


async def _played(file: Path) -> list[str]:
    with TemporaryDirectory() as folder:
        drawn = file.parent.name == "screens"
        config = Config(journal=Path(folder) / "games.db", players=PLAYERS if drawn else ())
        playing = SimulatedPlayer(config if drawn else with_lanes(config, 1))
        steps: Steps = Gallery(playing, file) if drawn else Steps(playing, file.parent)
        try:
            await playing.wait_until_shown()
            for place, line in lines_of(file):
                if words := words_of(place, line):
                    await steps.take(words[0], words[1:])
        finally:
            playing.close()
        return events_of(playing.recorder)


def events_of(recorder: Recorder) -> list[str]:
    """Return what a recorder has kept as the lines of an evening, without what came of it."""
    return [event_line(json.loads(line)) for line in recorder.lines()]


def event_line(line: Mapping[str, Any]) -> str:
    """Return a line of a session as that of an evening."""
    match line:
        case {"event": {"#": "Tick", "at_ns": int(at_ns)}}:
            return f"@{at_ns}"
        case {"event": {"#": "Answered", "at_ns": int(at_ns), **rest}} if not rest:
            return f"answered @{at_ns}"
        case {"event": {"#": "Edge", "line": str(name), "active": bool(active), "at_ns": int(at_ns)}}:
            return f"{name} {'down' if active else 'up'} @{at_ns}"
        case {"event": event}:
            return dumped({"event": event})
        case _:
            return dumped(line)


def retold(lines: Iterable[str]) -> Iterator[str]:
    """Step the referee through the events of an evening; yield each, then all that the referee does of it."""
    core: Referee | None = None
    before: dict[str, str] = {}
    for line in lines:
        if line.startswith("  "):
            continue
        yield line
        if line.startswith('{"box":'):
            core = Referee(read_value(json.loads(line)["box"]), games(), find, Shelf(games()))
            continue
        assert core, "an event comes before the box is switched on"
        event = _event(line)
        effects = core.step(event)
        for effect in effects:
            yield from map("  {}".format, _told(effect, before))
        if effects and isinstance(effects[-1], JournalCall | PairingCall | LetPhoneIn | DrawSeed):
            continue
        if isinstance(event, Tick) and (due := str(core.due_ns(event.at_ns))) != before.get("due"):
            before["due"] = due
            yield f"  due {due if due == 'None' else f'{(int(due) - event.at_ns) / 1e6:+.3f} ms'}"


def _event(line: str) -> Event:
    if line.startswith("{"):
        event: Event = read_value(json.loads(line)["event"])
        return event
    name, _, at_ns = line.rpartition("@")
    if not name:
        return Tick(int(at_ns))
    if name == "answered ":
        return Answered(int(at_ns))
    name, how = name.split()
    return Edge(name, how == "down", int(at_ns))


def _told(effect: Effect, before: dict[str, str]) -> Iterator[str]:
    if not isinstance(effect, Show):
        yield short(dumped(plain(effect)), EFFECT)
        return
    now = {key: short(text) for key, text in flat(_shown(effect.view))}
    yield "show" if effect.picture else "show, no picture"
    yield from map("  {}".format, differences(before, now))
    due = before.get("due", "")
    before.clear()
    before.update(now, due=due)


def differences(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each value that is new, and for each that is gone while nothing has come above or below it."""
    there = {key[:at] for key in now for at in range(len(key)) if key[at] == "."} | {*now}
    for key in sorted({*before, *now} - {"due"}):
        if key in now and before.get(key) != now[key]:
            yield f"{key} = {now[key]}"
        elif key not in there and not any(key[:at] in now for at in range(len(key)) if key[at] == "."):
            yield f"{key} is gone"


def _shown(view: ViewState) -> dict[str, Any]:
    """Return all that a view says, but for the match: what phones get has that."""
    names = [field.name for field in fields(view.state) if field.name not in ELSEWHERE]
    return {
        "phones": shown_of(view, referee=True),
        "state": {name: _plain(getattr(view.state, name)) for name in names},
        "screen": spoken(view.screen),
        "light": plain(view.look),
        "lamps": view.lit,
        "blinking": view.blinking,
        "on": view.on,
        "number": view.number,
        "saved": len(view.saved.lines) if view.saved else None,
        "last": plain(view.last),
        "broken": sorted(view.broken),
    }


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else str(value) if isinstance(value, str) else plain(value)


def flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each value of a document with its path, down to the lists."""
    for key, each in value.items():
        if isinstance(each, Mapping) and each:
            yield from flat(each, f"{path}{key}.")
        elif key != KIND:
            yield f"{path}{key}", dumped(each)


def short(text: str, most: int = 120) -> str:
    """Return a text, or its beginning and a checksum of the whole.

    >>> short("abc" * 20, 20)
    'abcabcab … e191fa2d'
    """
    return text if len(text) <= most else f"{text[: most - 12]} … {crc32(text.encode(errors='replace')):08x}"
