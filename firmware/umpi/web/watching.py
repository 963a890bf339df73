"""What programs that watch the box ask for: who it is, whether it is well, and its figures for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from umpi import __version__
from umpi.box.identity import Identity
from umpi.web import documents
from umpi.web.content import FRESH, Answer, fresh
from umpi.web.host import Host
from umpi.web.operations import VERSION, Operation
from umpi.web.stream import Stream

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
BOX = {"id": "3f9ac1d20b7e", "name": "Table 4", "version": "0.1.0", "api": 1, "boot": "9c2ee1f07a3b5d44"}
VITAL = "pins"  # a box without this device cannot play


class Watching:
    """Answer programs that watch the box. All answers are made from what is in memory."""

    def __init__(self, host: Host, identity: Identity, stream: Stream) -> None:
        self._host, self._identity, self._stream = host, identity, stream

    @Operation("GET", "/api/box", "box", example=BOX)
    async def box(self, request: Request) -> Answer[documents.Box]:
        """Return who this box is."""
        who = self._identity
        return fresh(
            {"id": who.id, "name": who.name, "version": __version__, "api": VERSION, "boot": self._stream.boot}
        )

    @Operation(
        "GET", "/healthz", "box", unwell="It cannot, and says why", example={"ok": True, "unsaved": "", "errors": {}}
    )
    async def healthz(self, request: Request) -> Answer[documents.Health]:
        """Return whether the box can play and keep what is played."""
        view = self._host.view
        ok = not view.state.unsaved and VITAL not in view.broken
        errors = {str(device): str(why) for device, why in view.state.device_errors.items()}
        return fresh({"ok": ok, "unsaved": str(view.state.unsaved), "errors": errors}, 200 if ok else 503)

    @Operation("GET", "/metrics", "box", media=PROMETHEUS)
    async def metrics(self, request: Request) -> Response:
        """Return the figures of the box in the text format of Prometheus."""
        return Response("".join(self._lines()), media_type=PROMETHEUS, headers=FRESH)

    def _lines(self) -> Iterator[str]:
        view, who = self._host.view, self._identity
        match = view.match if view.playing else None
        info = {"id": who.id, "name": who.name, "version": __version__}
        yield from _metric("box_info", "gauge", "Who the box is.", 1, info)
        yield from _metric("match_in_play", "gauge", "1 while a match is on the screen.", int(match is not None))
        about = {"game": match.game.id, "players": str(len(match.players))} if match else {}
        yield from _metric("match_moves", "gauge", "Moves of this match.", len(match.acts) if match else 0, about)
        over = match is not None and not match.asks
        yield from _metric("match_over", "gauge", "1 if this match is over.", int(over))
        yield from _metric("paused", "gauge", "1 while the game is paused.", int(view.state.paused))
        yield from _metric("unsaved", "gauge", "1 while moves wait for the disk.", int(bool(view.state.unsaved)))
        errors = view.state.device_errors
        yield from _metric("device_errors", "gauge", "Devices with an error.", len(errors))
        yield from _metric("phones", "gauge", "Names that phones gave for their buttons.", len(view.state.names.own))
        yield from _metric("viewers", "gauge", "Open streams.", self._stream.lookers)
        yield from _metric("states_total", "counter", "States shown since the start.", self._stream.version)
        writes = self._host.journal.writes
        yield from _metric("journal_writes_total", "counter", "Writes to the journal since the start.", writes)
        yield from _metric("journal_bytes", "gauge", "Size of the journal.", _size(self._host.journal.path))


def _metric(name: str, kind: str, about: str, value: float, labels: Mapping[str, str] | None = None) -> Iterator[str]:
    named = ",".join(f'{key}="{_escaped(text)}"' for key, text in (labels or {}).items())
    yield f"# HELP umpi_{name} {about}\n# TYPE umpi_{name} {kind}\n"
    yield f"umpi_{name}{f'{{{named}}}' if named else ''} {value}\n"


def _escaped(text: str) -> str:
    """Return a text as Prometheus wants the value of a label.

    >>> print(_escaped('a "b"'))
    a \\"b\\"
    """
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
