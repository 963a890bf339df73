"""The stream of document versions as server-sent events, with the most recent versions in memory."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any

Json = dict[str, Any]
KEPT = 256
KEEP_ALIVE_S = 2.0  # the page assumes a lost connection after 5 s without data


class Stream:
    """Number the documents of one `boot` from 1 on, and keep the last ones. All calls are on one event loop."""

    def __init__(self, boot: str, kept: int = KEPT) -> None:
        self.boot = boot
        self.version = 0
        self.latest: Json = {}
        self.lookers = 0
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=kept)
        self._changed: set[asyncio.Event] = set()
        self._closed = False

    def publish(self, document: Mapping[str, Any]) -> int:
        """Give a document the next version if it has changed. Return the version that shows it."""
        if {**self.latest, **document} != self.latest or not self.version:
            self.version += 1
            self.latest = {"boot": self.boot, "version": self.version, **document}
            self._ring.append((self.version, self._event(self.latest)))
            self._wake()
        return self.version

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake()

    async def follow(self, last: str = "", keep_alive_s: float = KEEP_ALIVE_S) -> AsyncGenerator[bytes, None]:
        """Yield all versions after the event id `last`, in order.

        If they are no longer in memory, yields the newest version, which contains the number of skipped versions.
        Without a known `last`, starts with the newest version. Yields a comment if nothing happens for `keep_alive_s`
        seconds.
        """
        changed = asyncio.Event()
        self._changed.add(changed)
        self.lookers += 1
        known = self._known(last)
        try:
            yield b": umpi\n\n"
            while not self._closed:
                changed.clear()
                if known == self.version:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(keep_alive_s):
                            await changed.wait()
                    if not changed.is_set():
                        yield b": still here\n\n"
                elif known is not None and self._ring[0][0] <= known + 1:
                    known, event = self._ring[known + 1 - self._ring[0][0]]
                    yield event
                else:
                    skipped = self.version - known - 1 if known is not None else 0
                    known = self.version
                    yield self._event({**self.latest, "skipped": skipped}) if skipped else self._ring[-1][1]
        finally:
            self.lookers -= 1
            self._changed.discard(changed)

    def _known(self, last: str) -> int | None:
        """Return the version in an event id of this boot, or None for any other id."""
        boot, _, version = last.partition(".")
        known = boot == self.boot and version.isascii() and version.isdecimal() and len(version) < 16
        return int(version) if known and 0 < int(version) <= self.version else None

    def _event(self, document: Mapping[str, Any]) -> bytes:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.boot}.{document['version']}\nevent: state\ndata: {text}\n\n".encode()

    def _wake(self) -> None:
        for changed in self._changed:
            changed.set()
