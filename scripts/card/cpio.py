"""Archives of the form that the kernel unpacks at its start (newc), equal for equal contents."""

from __future__ import annotations

from collections.abc import Mapping

FILE, FOLDER = 0o100000, 0o040000
_TRAILER = "TRAILER!!!"


def cpio(entries: Mapping[str, tuple[int, bytes]], epoch_s: int) -> bytes:
    """Return an archive of files and folders, by name, each with its mode and its bytes; all belong to root."""
    out = bytearray()
    for number, (name, (mode, data)) in enumerate(sorted(entries.items()), 1):
        out += _entry(number, name, mode, data, epoch_s)
    out += _entry(0, _TRAILER, 0, b"", 0)
    return bytes(out.ljust(-(-len(out) // 512) * 512, b"\0"))


def _entry(number: int, name: str, mode: int, data: bytes, epoch_s: int) -> bytes:
    """Return header (13 numbers of eight hexadecimal digits), name and bytes, filled to multiples of four."""
    named = name.encode() + b"\0"
    links = 2 if mode & FOLDER else 1
    numbers = (number, mode, 0, 0, links, epoch_s, len(data), 0, 0, 0, 0, len(named), 0)
    head = b"070701" + b"".join(b"%08X" % each for each in numbers) + named
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
