"""Payloads that nobody should send, and that anybody at a broker can."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
MIB = 2**20
WRONG: tuple[Any, ...] = (
    None, True, -1, 1.5, 1e300, 2**31, 2**53, "", "x", "9" * 61, [], [None], [1, [2]], ["a\0b"], {}, {"a": {}},
)  # fmt: skip

# Each is refused whatever it is for.
UNREADABLE: dict[str, bytes] = {
    "lists nested 100,000 deep": b"[" * 100_000,
    "lists nested 60,000 deep": b"[" * 60_000,
    "lists nested and closed": b'{"a": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "objects nested 50,000 deep": b'{"a":' * 50_000,
    "objects nested 10,000 deep": b'{"a":' * 10_000,
    "a little too deep": b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}",
    "half a surrogate pair": b'{"name": "\\ud800", "uid": "\\ud800", "revision": 1}',
    "half a pair as a key": b'{"\\udfff": 1}',
    "a surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "an infinite number": b'{"match": 1e999, "revision": 1e999}',
    "a negative infinite number": b'{"places": [-1e400, 2]}',
    "NaN": b'{"revision": NaN}',
    "Infinity": b'{"revision": Infinity}',
    "a number of 5,000 digits": b'{"revision": 1' + b"0" * 5000 + b"}",
    "a number beyond 2^53": b'{"revision": 9007199254740993}',
    "a key twice": b'{"uid": "a", "uid": "b", "revision": 1}',
    "no UTF-8": b"\xff\xfe\x00",
    "UTF-16": '{"uid": "u1"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"uid": "u1"}',
    "a raw NUL": b'{"uid": "a\x00b"}',
    "10 MB": b'{"name": "' + b"x" * 10 * MIB + b'"}',
    "10 MB of blanks": b" " * 10 * MIB,
    "a text without an end": b"[" * 40 + b'"' + b'\\"' * 10_000,
    "half an object": b'{"uid": "u1", "revision"',
    "a list": b"[]",
    "a number": b"5",
    "a word": b'"online"',
    "null": b"null",
    "no JSON": b"<xml/>",
    "two objects": b"{} {}",
}


def wrong_fields(good: Json) -> Iterator[bytes]:
    """Yield a message with each wrong value under each of its keys."""
    for key in good:
        for value in WRONG:
            yield json.dumps({**good, key: value}).encode()
