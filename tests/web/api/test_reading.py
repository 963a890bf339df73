"""The one reader of bodies: what is not as declared is refused by a sentence that names the key."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as some

from umpi.i18n.translate import set_language
from umpi.kernel.record import dump, read_line
from umpi.web import documents
from umpi.web.reading import Stop, checked
from umpi.web.schema import schema_of

START = {"game": "dodeka", "players": ({"button": "red", "name": "Ann"},)}


def refusal(document: Any, body: dict[str, Any]) -> str:
    """Why a body is refused, "" if it is not."""
    try:
        checked(body, document)
    except Stop as stop:
        return str(stop)
    return ""


@pytest.mark.parametrize(
    ("document", "body", "why"),
    [
        (documents.Undo, {"question": "a"}, ""),
        (documents.Undo, {"count": 1}, 'Expected "question", "count"; "question" is missing.'),
        (documents.Undo, {"question": "a", "count": True}, 'Expected a whole number for "count", got true.'),
        (documents.Undo, {"question": 7, "count": 1}, 'Expected text for "question", got 7.'),
        (documents.Undo, {"question": "a", "count": 1, "x": 1}, 'Expected "question", "count"; unknown key "x".'),
        (documents.Nothing, {"x": 1}, 'Expected {}; unknown key "x".'),
        (documents.OneAct, {"question": "a", "act": {}}, 'Expected "do", "by"; "act.do" is missing.'),
        (documents.OneAct, {"question": "a", "act": {"do": "turn", "card": ("any", 1)}}, ""),
        (documents.OneAct, {"question": "a", "act": {"do": "turn"}, "stamp": {"run": "r"}},
         'Expected "run", "at_us"; "stamp.at_us" is missing.'),
        (documents.Settling, {"question": "a", "how": "fight"},
         'Expected one of toss again, order by hand, accept for "how", got "fight".'),
        (documents.Start, START, ""),
        (documents.Start, {**START, "players": "Ann"}, 'Expected a list for "players", got "Ann".'),
        (documents.Start, {**START, "rules": None}, 'Expected text for "rules", got null.'),
    ],
)  # fmt: skip
def test_a_refusal_names_the_key_what_was_expected_and_what_came(document: Any, body: dict[str, Any], why: str) -> None:
    assert refusal(document, body) == why


def test_a_refusal_keeps_keys_and_values_in_any_language() -> None:
    set_language("de")
    why = refusal(documents.Join, {"button": "Red", "name": ""})
    assert why == '„button“ ist "Red"; erwartet: eines von red, blue, yellow, green, white, black.'
    assert refusal(documents.Nothing, {"none": 1}) == "Erwartet: {}; „none“ ist unbekannt."


ANY = some.recursive(
    some.none() | some.booleans() | some.integers(-1, 1) | some.sampled_from(["", "red", "accept"]),
    lambda inner: some.lists(inner, max_size=2) | some.dictionaries(some.sampled_from("do run x".split()), inner),
    max_leaves=4,
)
BODIES = [documents.Start, documents.OneAct, documents.Amend, documents.Settling, documents.Join, documents.Answers]
SENT = {
    "game": "dodeka", "players": [{"button": "red", "name": ""}], "question": "a", "act": {"do": "turn"}, "index": 1,
    "try": True, "how": "accept", "button": "red", "name": "", "verb": "turn", "given": {},
}  # fmt: skip


@pytest.mark.parametrize("document", BODIES, ids=lambda each: each.__name__)
@given(changed=some.dictionaries(some.sampled_from([*SENT, "stamp", "options", "first", "x"]), ANY, max_size=2))
def test_the_reader_and_the_described_schema_allow_the_same_bodies(document: Any, changed: dict[str, Any]) -> None:
    schema = schema_of(document, {}, closed=True)
    body = {key: value for key, value in SENT.items() if key in schema["properties"]} | changed
    fits = jsonschema.Draft202012Validator(schema).is_valid(body)
    assert (refusal(document, read_line(dump(body).encode()) or {}) == "") == fits
