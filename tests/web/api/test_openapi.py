"""The description: what generators of clients need to make all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpi.web.app import RESULT, description

KINDS = {"const", "enum"}


def schemas(part: Any) -> Iterator[dict[str, Any]]:
    """All that is in a description, whatever it is."""
    if isinstance(part, dict):
        yield part
        for inner in part.values():
            yield from schemas(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from schemas(inner)


def test_whatever_has_only_some_values_says_of_which_type_they_are() -> None:
    """Generators leave an operation out, without a word, where a parameter has no type."""
    found = [part for part in schemas(description()) if KINDS & {*part}]
    assert found
    for part in found:
        assert "const" not in part
        assert part["type"] == "string"
        assert all(isinstance(value, str) for value in part["enum"])


def test_each_request_that_acts_has_a_body_an_answer_and_its_refusals() -> None:
    posts = {path: methods["post"] for path, methods in description()["paths"].items() if "post" in methods}
    assert {path.removeprefix("/api/") for path in posts} == {
        "form", "act", "undo", "amend", "settle", "hint", "pair", "join", "joining", "admit", "name", "start",
        "rematch", "next", "leave", "resume", "unpair", "withdraw", "clock", "hand", "puzzle", "seat", "slow-motion",
        "card", "card-agree", "shelf", "shelf-games",
    }  # fmt: skip
    for path, post in posts.items():
        assert post["requestBody"]["content"]["application/json"]["schema"]["type"] == "object"
        assert {"200", "400", "403", "413", "415", "429"} <= {*post["responses"]}, path
        assert (
            ("401" in post["responses"])
            == ("security" in post)
            == (path not in ("/api/pair", "/api/join", "/api/withdraw"))
        )


def test_the_example_of_a_result_has_a_key_and_a_signature_as_long_as_real_ones() -> None:
    """Ed25519, RFC 8032: 32 and 64 bytes; SHA-256: 32. Who writes a client takes their lengths from it."""
    lengths = {name: len(bytes.fromhex(str(RESULT[name]))) for name in ("key", "signature", "chain")}
    assert lengths == {"key": 32, "signature": 64, "chain": 32}
