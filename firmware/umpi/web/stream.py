"""Versions of a document, the last of them kept, told to all who look as server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any

Json = dict[str, Any]
KEPT = 256
KEEP_ALIVE_S = 2.0  # the page takes a line for dead that is silent for 5 s


class Stream:
    """Numbers the documents of one `boot`, from 1 on, and keeps the last 256; all on one event loop."""

    def __init__(self, boot: str) -> None:
        self.boot = boot
        self.version = 0
        self.latest: Json = {}
        self.lookers = 0
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._changed: set[asyncio.Event] = set()
        self._closed = False

    def publish(self, document: Json) -> int:
        """Give a document the next version, unless it is as the last one; returns the version that shows it."""
        if {**self.latest, **document} != self.latest or not self.version:
            self.version += 1
            self.latest = {"boot": self.boot, "version": self.version, **document}
            self._ring.append((self.version, self._event(self.latest)))
            self._wake()
        return self.version

    def close(self) -> None:
        """Let all who look go."""
        self._closed = True
        self._wake()

    async def follow(self, last: str = "", keep_alive_s: float = KEEP_ALIVE_S) -> AsyncGenerator[bytes, None]:
        """Yield all versions after the event id `last` in their order, or the newest first where they are not kept.

        Who has fallen out of the ring is told how many versions were skipped. A comment goes out where nothing
        happens for `keep_alive_s`.
        """
        changed = asyncio.Event()
        self._changed.add(changed)
        self.lookers += 1
        told = self._known(last)
        try:
            yield b": umpi\n\n"
            while not self._closed:
                changed.clear()
                if told == self.version:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(keep_alive_s):
                            await changed.wait()
                    if not changed.is_set():
                        yield b": still here\n\n"
                elif told is not None and self._ring[0][0] <= told + 1:
                    told, event = self._ring[told + 1 - self._ring[0][0]]
                    yield event
                else:
                    skipped = self.version - told - 1 if told is not None else 0
                    told = self.version
                    yield self._event({**self.latest, "skipped": skipped}) if skipped else self._ring[-1][1]
        finally:
            self.lookers -= 1
            self._changed.discard(changed)

    def _known(self, last: str) -> int | None:
        """The version that an event id of this boot names, None for any other."""
        boot, _, version = last.partition(".")
        known = boot == self.boot and version.isascii() and version.isdecimal() and len(version) < 16
        return int(version) if known and 0 < int(version) <= self.version else None

    def _event(self, document: Json) -> bytes:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.boot}.{document['version']}\nevent: state\ndata: {text}\n\n".encode()

    def _wake(self) -> None:
        for changed in self._changed:
            changed.set()
