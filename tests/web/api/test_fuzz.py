"""Any request, allowed by the description or not, gets a described answer and causes no traceback."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from jsonschema import Draft202012Validator

from tests.kit.at_table import Phone, Table, codes_of, laid
from tests.kit.rig import SECOND, Rigs
from tests.kit.sampling import examples
from umpi.web.app import description

DESCRIPTION = description()
EXAMPLES = 20  # an operation and a mode
WAYS = [
    (path, method, positive)
    for path, methods in DESCRIPTION["paths"].items()
    for method in methods
    for positive in (True, False)
    if path != "/api/events"  # which does not end
    and (positive or "{game}" not in path)  # any text may name a game
    and (positive or method == "post" or "{" in path)  # there is something to get wrong
]
SETTINGS = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def check(path: str, method: str, answered: Any) -> None:
    """Hold an answer to the description of the request."""
    asked = DESCRIPTION["paths"][path][method]
    assert str(answered.status_code) in {*asked["responses"], "404", "405"}, (answered.status_code, answered.text)
    status = str(answered.status_code) if str(answered.status_code) in asked["responses"] else "403"
    kind = next(iter(asked["responses"][status]["content"]))
    assert answered.headers["content-type"].startswith(kind)
    if kind == "application/json":
        validator(path, method, status).validate(answered.json())
    assert "Traceback" not in answered.text


@cache
def validator(path: str, method: str, status: str) -> Any:
    """Return what checks a document against the description of an answer, which is valid itself."""
    content = DESCRIPTION["paths"][path][method]["responses"][status]["content"]
    schema = {**content["application/json"]["schema"], "components": DESCRIPTION["components"]}
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method", "positive"), WAYS, ids=str)
def test_the_server_answers_as_described(table: Table, path: str, method: str, positive: bool) -> None:
    """Requests made of the description, each of a paired phone and of another; those of its own question, too, so that
    they reach the referee."""
    schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis")
    mode = schemathesis.GenerationMode.POSITIVE if positive else schemathesis.GenerationMode.NEGATIVE
    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    operation = schema[path][method]
    phones = [(phone, phone.client.cookies.get("umpi")) for phone in (table.phone(), table.paired())]

    @SETTINGS
    @given(operation.as_strategy(generation_mode=mode), some.booleans())
    def ask(case: Any, ours: bool) -> None:
        arguments = case.as_transport_kwargs(base_url="http://192.168.4.1:8000")
        headers = {name: str(value) for name, value in arguments["headers"].items() if str(value).isascii()}
        url = arguments["url"].removeprefix("http://192.168.4.1:8000")
        for phone, secret in phones:
            table.rig.now_ns += SECOND  # so that nothing comes too often
            body = arguments.get("json")
            question = table.document["question"]  # none once the match is left
            if ours and question and isinstance(body, dict):
                arguments["json"] = {**body, "question": question["id"]}
            sent = {name: arguments[name] for name in ("json", "data", "params") if arguments.get(name) is not None}
            if isinstance(sent.get("data"), bytes | str):
                sent["content"] = sent.pop("data")
            phone.client.cookies.clear()
            if secret:
                phone.client.cookies.set("umpi", secret)
            answered = phone.ask(arguments["method"], url, headers=headers, **sent)
            check(path, method, answered)
            table.codes.make_code(None, table.rig.now_ns)

    ask()


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-3, 70) | some.sampled_from(["", "earth-4", "fire-4", "é\0", "1.1"]),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.sampled_from(["card", "seat", "do"]), inner),
    max_leaves=6,
)
GIVEN = some.dictionaries(some.sampled_from(["card", "cards", "seat", "by", "at", "note", "undo", "x"]), VALUES)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["battledodes", "dudab-buba", "dodeka", "dodekka", "dohdles", "quiz", "scorepad"])
@settings(max_examples=examples(20), suppress_health_check=[*HealthCheck])
@given(
    answers=some.lists(some.tuples(GIVEN, some.integers(0, 9), some.integers(-1, 2), some.booleans()), max_size=8),
    chance=some.randoms(),
)
def test_whatever_is_answered_to_a_game_changes_it_by_its_rules_or_not_at_all(
    tmp_path_factory: pytest.TempPathFactory, game: str, answers: list[Any], chance: random.Random
) -> None:
    """Each example has a table of its own, so that one that fails fails again, and is made shorter."""
    rigs = Rigs(tmp_path_factory.mktemp("table"), codes_of)
    try:
        table = laid(rigs, game, ["Rosie", "Tom", "Ann"][: 2 if game == "battledodes" else 3])
        phones = [table.paired(), table.paired(0)]
        for given, pick, index, only_try in answers:
            table.rig.now_ns += SECOND
            asks = table.document["question"]["asks"]
            verb = asks[pick % len(asks)]["verb"] if asks and pick < 8 else "dance"
            lines = len(table.referee.session.lines)
            names = [field["name"] for ask in asks if ask["verb"] == verb for field in ask["fields"]]
            line = {chance.choice([*names, name]): value for name, value in given.items()}
            act = {**line, "do": verb}
            expected = (200, 403, 422) if type(act.get("by", 0)) is int else (400,)  # the body says who acts
            phone: Phone = chance.choice(phones)
            formed = phone.post("form", question=table.question, verb=verb, given=line)
            assert formed.status_code in (200, 422), formed.text
            answered = phone.post("act", question=table.question, act=act)
            assert answered.status_code in expected, answered.text
            assert len(table.referee.session.lines) == lines + (answered.status_code == 200)
            tried = phone.post("amend", question=table.question, index=index, act=act, **{"try": only_try})
            assert tried.status_code in expected, tried.text
            json.dumps(table.document)
    finally:
        rigs.switch_off()
