"""How a bundle's address is opened: over HTTPS only, also where an answer leads elsewhere, and what else goes wrong."""

from __future__ import annotations

import io
import ssl
import urllib.request
from collections.abc import Callable
from email.message import Message
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any
from urllib.error import URLError
from urllib.response import addinfourl

import pytest

from umpi.appliance import fetch as module
from umpi.appliance.card import CardFault

HERE = "https://umpi.example.org/umpi.bundle"
Answer = Callable[[str], Any]


def test_a_download_has_room_for_the_largest_bundle_and_leaves_some_for_the_matches() -> None:
    """A MiB more than its files is for the manifest and the heads of an archive."""
    assert module.MOST == (448 + 100 + 1) << 20
    assert module.FREE == 64 << 20


class Closing(io.BytesIO):
    """What a server sends; reading fails after `good` bytes if there is a fault."""

    def __init__(self, fault: Exception | None = None) -> None:
        super().__init__(b"bundle")
        self._fault = fault

    def read(self, size: int | None = -1, /) -> bytes:
        if self._fault:
            raise self._fault
        return super().read(size)


def answered(url: str, code: int = 200, why: str = "OK", leads: str = "", body: Closing | None = None) -> Any:
    heads = Message()
    if leads:
        heads["Location"] = leads
    answer: Any = addinfourl(body or Closing(), heads, url, code)
    answer.msg = why
    return answer


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What is asked of servers, in place of a network; `ANSWERS` has what they answer."""
    found: list[tuple[Any, ...]] = []

    def https(self: Any, request: urllib.request.Request) -> Any:
        found.append((request.full_url, request.get_header("User-agent"), request.timeout, self._context.verify_mode))
        answer = ANSWERS.get(request.full_url, answered)
        if isinstance(answer, Exception):
            raise answer
        return answer(request.full_url)

    monkeypatch.setattr(urllib.request.HTTPSHandler, "https_open", https)
    monkeypatch.setattr("urllib.request.getproxies", dict)
    return found


def leading(to: str) -> Answer:
    return lambda url: answered(url, 302, "Found", to)


ANSWERS: dict[str, Any] = {
    f"{HERE}?moved": leading("https://cdn.example.org/1"), f"{HERE}?plain": leading(f"http://{'x' * 80}.example.org"),
    f"{HERE}?gone": lambda url: answered(url, 404, "Not Found"),
    f"{HERE}?unknown": OSError(-2, "Name or service not known"), f"{HERE}?slow": TimeoutError("timed out"),
    f"{HERE}?shy": RemoteDisconnected("Remote end closed connection without response"),
    f"{HERE}?odd": URLError("unknown url type"), f"{HERE}?mute": ConnectionError(),
    f"{HERE}?late": URLError(TimeoutError("timed out")), f"{HERE}?short": IncompleteRead(b""),
    f"{HERE}?nowhere": URLError(OSError(-2, "Name or service not known")),
    f"{HERE}?breaks": lambda url: answered(url, body=Closing(IncompleteRead(b"bu"))),
    f"{HERE}?stalls": lambda url: answered(url, body=Closing(TimeoutError("timed out"))),
}  # fmt: skip


def test_an_address_is_opened_over_https_and_so_is_where_it_leads(asked: list[tuple[Any, ...]]) -> None:
    with module._over_https(HERE) as answer:
        assert (answer.read(3), answer.read(9), answer.read(9)) == (b"bun", b"dle", b"")
    with module._over_https(f"{HERE}?moved") as answer:
        pass
    assert answer._answer.closed  # type: ignore[attr-defined]
    how = ("umpi", 30.0, ssl.CERT_REQUIRED)
    assert asked == [(HERE, *how), (f"{HERE}?moved", *how), ("https://cdn.example.org/1", *how)]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("?plain", f"cannot be reached: it leads to http://{'x' * 53}, which has no https."),
        ("?gone", "answers 404 Not Found."),
        ("?unknown", "cannot be reached: Name or service not known."),
        ("?slow", "cannot be reached: no answer in 30 s."),
        ("?shy", "cannot be reached: Remote end closed connection without response."),
        ("?late", "cannot be reached: no answer in 30 s."),
        ("?nowhere", "cannot be reached: Name or service not known."),
        ("?odd", "cannot be reached: unknown url type."),
        ("?mute", "cannot be reached: ConnectionError."),
        ("?short", "cannot be reached: IncompleteRead(0 bytes read)."),
        ("?breaks", "cannot be reached: IncompleteRead(2 bytes read)."),
        ("?stalls", "cannot be reached: no answer in 30 s."),
    ],
)
def test_an_address_that_cannot_be_read_says_why(asked: list[tuple[Any, ...]], address: str, why: str) -> None:
    with pytest.raises(CardFault) as fault, module._over_https(HERE + address) as answer:
        answer.read(9)
    assert fault.value.reason == f"{HERE}{address} {why}"
