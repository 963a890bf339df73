"""Programs that watch the box: who it is, whether it is well, its figures, and the version in the path."""

from __future__ import annotations

import jsonschema
import pytest

from tests.kit.at_table import Table, laid
from tests.kit.rig import Rigs
from umpi.web.app import description

parser = pytest.importorskip("prometheus_client.parser", reason="pip install prometheus-client reads the figures")


def figures(text: str) -> dict[str, float]:
    families = list(parser.text_string_to_metric_families(text))
    assert all(family.documentation and family.type in ("gauge", "counter") for family in families)
    return {sample.name: sample.value for family in families for sample in family.samples}


def test_the_box_says_who_it_is(rigs: Rigs) -> None:
    table = Table(rigs())
    reply = table.phone().get("/api/1/box").json()
    assert reply == {**reply, "api": 1, "boot": table.document["boot"]}
    again = Table(rigs()).phone().get("/api/1/box").json()
    assert (again["id"], again["boot"] != reply["boot"]) == (reply["id"], True)


def test_today_s_paths_and_those_of_the_version_are_the_same(rigs: Rigs) -> None:
    phone = laid(rigs, "scorepad", ["Ann", "Ben"]).paired()
    assert phone.get("/api/1/state").json() == phone.get("/api/state").json()
    question = phone.get("/api/1/state").json()["question"]["id"]
    act = {"do": "score", "seat": 0, "points": 5}
    assert phone.post("/api/1/act", question=question, act=act).status_code == 200
    numbered = phone.get("/api/1/openapi.json").json()["paths"]
    assert {"/api/1/state", "/api/1/results", "/healthz"} < {*numbered}
    assert [path.replace("/api/1/", "/api/") for path in numbered] == [*description()["paths"]]


def test_figures_are_read_by_the_parser_of_prometheus(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Ann", "Ben"])
    phone = table.paired()
    before = figures(phone.get("/metrics").text)
    assert (before["umpi_match_in_play"], before["umpi_match_moves"], before["umpi_unsaved"]) == (1, 0, 0)
    assert phone.act("score", seat=0, points=5).status_code == 200
    after = figures(phone.get("/metrics").text)
    assert after["umpi_match_moves"] == 1
    assert after["umpi_states_total"] > before["umpi_states_total"]
    assert {*before} == {*after}


def test_a_box_that_cannot_save_is_not_well(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    table = laid(rigs, "scorepad", ["Ann", "Ben"])
    phone = table.paired()
    assert (phone.get("/healthz").status_code, phone.get("/healthz").json()["ok"]) == (200, True)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("umpi.journal.journal.write_deeds", full)
    phone.act("score", seat=0, points=5)
    reply = phone.get("/healthz")
    assert (reply.status_code, reply.json()["ok"], bool(reply.json()["unsaved"])) == (503, False, True)
    assert figures(phone.get("/metrics").text)["umpi_unsaved"] == 1


def test_each_operation_has_a_name_a_tag_and_an_example_that_fits() -> None:
    whole = description()
    asked = [(path, method, of) for path, methods in whole["paths"].items() for method, of in methods.items()]
    assert len({of["operationId"] for _, _, of in asked}) == len(asked)
    tags = {tag["name"] for tag in whole["tags"]}
    for path, method, of in asked:
        assert {*of["tags"]} <= tags, path
        held = of["requestBody"] if method == "post" else of["responses"]["200"]
        (content,) = held["content"].values()
        examples = [each["value"] for each in content.get("examples", {}).values()]
        examples += [content["example"]] if "example" in content else []
        assert examples or method == "get", path
        for example in examples:
            jsonschema.validate(example, {**content["schema"], "components": whole["components"]})
