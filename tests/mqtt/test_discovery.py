"""Discovery for Home Assistant: its own schemas take each payload, and all entities belong to one device.

The variable UMPI_HOMEASSISTANT names a folder with a Home Assistant, which has 400 MB:

    pip install --target FOLDER homeassistant==2024.3.3    # the last one for Python 3.11

Its schemas run in a process of their own, because its packages are older than ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from umpi.mqtt.discovery import discovery
from umpi.mqtt.payloads import state_of
from umpi.mqtt.topics import BIRTH

FOLDER = Path(os.environ.get("UMPI_HOMEASSISTANT", "no"))
BOX = {"id": "0123456789ab", "name": "Table 4", "version": "0.1.0"}
JUDGE = """
import importlib, json, sys
LATER = {"default_entity_id"}  # of 2025.10
for kind, payload in json.load(sys.stdin):
    platform = importlib.import_module(f"homeassistant.components.mqtt.{kind}")
    try:
        if unknown := {*payload} - {*platform.DISCOVERY_SCHEMA(payload)} - LATER:
            print(f"{kind}: unknown {unknown}")
    except Exception as fault:
        print(f"{kind}: {fault}")
"""


def payloads(start: bool = True) -> list[tuple[str, Any]]:
    return [(topic.split("/")[1], payload) for topic, payload in discovery(BOX, start).items()]


def judged(messages: list[tuple[str, Any]]) -> list[str]:
    here = {**os.environ, "PYTHONPATH": str(FOLDER)}
    done = subprocess.run(
        [sys.executable, "-c", JUDGE], input=json.dumps(messages), env=here, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(not (FOLDER / "homeassistant").exists(), reason="UMPI_HOMEASSISTANT names none")
def test_the_schemas_of_home_assistant_take_each_payload() -> None:
    messages = payloads()
    assert {kind for kind, _ in messages} == {"sensor", "binary_sensor", "button"}
    assert judged(messages) == []
    wrong = {**messages[0][1], "state_topic": ""}
    assert len(judged([("sensor", wrong), ("sensor", {**messages[0][1], "colour": "red"})])) == 2, (
        "the judge can say no"
    )


def test_all_entities_are_of_one_device_and_have_names_of_their_own() -> None:
    messages = [payload for _, payload in payloads()]
    assert {json.dumps(each["device"]["identifiers"]) for each in messages} == {'["umpi_0123456789ab"]'}
    assert len({each["unique_id"] for each in messages}) == len(messages) == 6
    assert BIRTH == "homeassistant/status"


def test_each_entity_asks_for_an_id_of_its_own_kind_by_the_key_that_home_assistant_reads() -> None:
    """Home Assistant ignores object_id since 2026.4."""
    messages = payloads()
    assert [each["default_entity_id"] for _, each in messages] == [
        f"{kind}.{each['unique_id']}" for kind, each in messages
    ]
    assert all("object_id" not in each for _, each in messages)


def test_without_a_pairing_the_button_is_removed() -> None:
    assert [payload for kind, payload in payloads(start=False) if kind == "button"] == [None]


def test_each_template_names_a_key_of_the_state() -> None:
    document = {
        "boot": "b", "version": 1, "language": "en", "match": None, "paused": False, "unsaved": "", "troubles": [],
    }  # fmt: skip
    state = state_of(document, BOX, "", None, "")
    for _, payload in payloads():
        template = payload.get("value_template", "value_json.problem")
        assert template.partition("value_json.")[2].replace("[", " ").split()[0] in state
