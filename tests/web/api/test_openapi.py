"""The description: what generators of clients need to make all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.kit.seen import check_seen
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


def bare(part: Any) -> Any:
    """Return a schema without the words beside its fields."""
    if isinstance(part, dict):
        return {key: bare(each) for key, each in part.items() if key != "description" or not isinstance(each, str)}
    return [bare(each) for each in part] if isinstance(part, list) else part


def outline() -> Iterator[str]:
    """Yield each operation with what it takes and answers, on a line each, then what several have, and the schemas."""
    whole, shared = description(), set[str]()
    yield from (f"{key}: {json.dumps(value)}" for key, value in whole.items() if key not in ("paths", "components"))
    told = {"operationId", "tags", "summary", "description", "responses", "parameters", "requestBody"}
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            more = {key: value for key, value in operation.items() if key not in told}
            parameters, body = operation.get("parameters", []), operation.get("requestBody", {})
            answers = dict(operation["responses"])
            ((media, content),) = answers.pop("200")["content"].items()
            yield f"{method} {path}: {operation['operationId']} {operation['tags']} {json.dumps(more)}"
            yield f"  refuses {' '.join(answers)}; parameters {', '.join(each['name'] for each in parameters)}"
            for kind, given in body.get("content", {}).items():
                yield f"  takes {kind} {[*given]}, required {body['required']}: {json.dumps(bare(given['schema']))}"
            yield f"  returns {media} {[*content]}: {json.dumps(bare(content['schema']))}"
            shared |= {f"{status}: {json.dumps(answer)}" for status, answer in answers.items()}
            shared |= {f"parameter {json.dumps(each)}" for each in parameters}
    yield from sorted(shared)
    yield from (f"{name}: {json.dumps(bare(schema))}" for name, schema in whole["components"]["schemas"].items())
    yield json.dumps({key: value for key, value in whole["components"].items() if key != "schemas"})


def test_the_description_is_as_somebody_has_read_it() -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    check_seen(Path(__file__).with_name("openapi.txt"), outline())
