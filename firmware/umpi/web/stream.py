"""The stream of document versions as server-sent events, with the most recent versions in memory."""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any

Json = dict[str, Any]
KEPT = 256
KEEP_ALIVE_S = 2.0  # the page assumes a lost connection after 5 s without data
HELLO, STILL_HERE = b": umpi\n\n", b": still here\n\n"
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no time, no name; nothing else follows but deflated data
WINDOW = 32 * 1024 - 512  # bytes that deflated data can refer back to
LEVEL = 6  # of deflate
WAYS = 8  # in which one event is packed; each further client gets it without reference to what it has received


class Stream:
    """Number the documents of one `boot` from 1 on, and keep the last ones. All calls are on one event loop."""

    def __init__(self, boot: str, kept: int = KEPT) -> None:
        self.boot = boot
        self.version = 0
        self.latest: Json = {}
        self.lookers = 0
        self._ring: deque[_Event] = deque(maxlen=kept)
        self._changed: set[asyncio.Event] = set()
        self._closed = False

    def publish(self, document: Mapping[str, Any]) -> int:
        """Give a document the next version if it has changed. Return the version that shows it."""
        if {**self.latest, **document} != self.latest or not self.version:
            before = self._ring[-1].text if self._ring else b""
            self.version += 1
            self.latest = {"boot": self.boot, "version": self.version, **document}
            self._ring.append(_Event(self.version, self._text(self.latest), before))
            self._wake()
        return self.version

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake()

    async def follow(
        self, last: str = "", keep_alive_s: float = KEEP_ALIVE_S, packed: bool = False
    ) -> AsyncGenerator[bytes, None]:
        """Yield all versions after the event id `last`, in order.

        If they are no longer in memory, yields the newest version, which contains the number of skipped versions.
        Without a known `last`, starts with the newest version. Yields a comment if nothing happens for `keep_alive_s`
        seconds. `packed` yields the same as gzip.
        """
        changed = asyncio.Event()
        self._changed.add(changed)
        self.lookers += 1
        known = self._known(last)
        silences: int | None = None  # comments since the version `known`, None if the client has not received it here
        try:
            yield GZIP_HEAD + _deflated(HELLO) if packed else HELLO
            while not self._closed:
                changed.clear()
                if known == self.version:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(keep_alive_s):
                            await changed.wait()
                    if not changed.is_set():
                        silences = None if silences is None else silences + 1
                        yield PACKED_STILL_HERE if packed else STILL_HERE
                elif known is not None and self._ring[0].version <= known + 1:
                    event = self._ring[known + 1 - self._ring[0].version]
                    body = event.packed(silences) if packed else event.text
                    known, silences = event.version, 0
                    yield body
                else:
                    skipped = self.version - known - 1 if known is not None else 0
                    event = self._ring[-1]
                    if skipped:
                        event = _Event(event.version, self._text({**self.latest, "skipped": skipped}), b"")
                    known, silences = event.version, None if skipped else 0
                    yield event.packed(None) if packed else event.text
        finally:
            self.lookers -= 1
            self._changed.discard(changed)

    def _known(self, last: str) -> int | None:
        """Return the version in an event id of this boot, or None for any other id."""
        boot, _, version = last.partition(".")
        known = boot == self.boot and version.isascii() and version.isdecimal() and len(version) < 16
        return int(version) if known and 0 < int(version) <= self.version else None

    def _text(self, document: Mapping[str, Any]) -> bytes:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.boot}.{document['version']}\nevent: state\ndata: {text}\n\n".encode()

    def _wake(self) -> None:
        for changed in self._changed:
            changed.set()


class _Event:
    """An event, and the same packed for clients that have received the event before it, and some comments since.

    It mostly repeats that one, so packed it refers to it. This is done once for all clients, and a few hundred bytes
    remain. A compressor per client would pack as well, but needs memory and time for each of them.
    """

    def __init__(self, version: int, text: bytes, before: bytes) -> None:
        self.version, self.text = version, text
        self._before = before
        self._packed: dict[int | None, bytes] = {}

    def packed(self, silences: int | None) -> bytes:
        """Return the event for a client with so many comments since the one before it; None if it has not got that."""
        if silences in self._packed:
            return self._packed[silences]
        if silences is None or silences * len(STILL_HERE) >= WINDOW or len(self._packed) >= WAYS:
            silences, before = None, b""
        else:
            before = (self._before + STILL_HERE * silences)[-WINDOW:]
        return self._packed.setdefault(silences, _deflated(self.text, before))


def _deflated(text: bytes, before: bytes = b"") -> bytes:
    """Return deflated data that a client can read at once, and that refers to the text `before` it."""
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=before)
    return packing.compress(text) + packing.flush(zlib.Z_SYNC_FLUSH)


PACKED_STILL_HERE = _deflated(STILL_HERE)
