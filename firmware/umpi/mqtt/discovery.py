"""Discovery for Home Assistant: one device with sensors for game, turn, scores and problems, and a button."""

from __future__ import annotations

from typing import Any

from umpi.mqtt.topics import OFFLINE, ONLINE, of
from umpi.web.documents import Box

Json = dict[str, Any]
PREFIX = "homeassistant"


def discovery(box: Box, start: bool) -> dict[str, Json | None]:
    """Return the configuration of each entity by its topic; None removes an entity.

    `box` is who the box is. With `start`, there is a button that starts the last table again.
    """
    id = box["id"]
    entities: dict[tuple[str, str], Json | None] = {
        ("sensor", "game"): _sensor(id, "game", "Game", "mdi:dice-multiple", "title", attributes=True),
        ("sensor", "turn"): _sensor(id, "turn", "Turn", "mdi:account-arrow-right", "turn"),
        ("sensor", "scores"): _sensor(id, "scores", "Scores", "mdi:counter", "scores_text"),
        ("sensor", "last_winner"): _sensor(id, "last_winner", "Last winner", "mdi:trophy", "last_winner"),
        ("binary_sensor", "problem"): {
            "name": "Problem",
            "state_topic": of(id, "state"),
            "device_class": "problem",
            "entity_category": "diagnostic",
            "payload_on": "ON",
            "payload_off": "OFF",
            "value_template": "{{ 'ON' if value_json.problem else 'OFF' }}",
            "json_attributes_topic": of(id, "state"),
            "json_attributes_template": "{{ {'problem': value_json.problem} | tojson }}",
        },
        ("button", "start"): {
            "name": "Start a rematch",
            "command_topic": of(id, "start"),
            "payload_press": "rematch",
            "icon": "mdi:play",
        }
        if start
        else None,
    }
    return {
        f"{PREFIX}/{kind}/umpi_{id}/{name}/config": None if entity is None else _whole(box, kind, name, entity)
        for (kind, name), entity in entities.items()
    }


def _sensor(id: str, name: str, label: str, icon: str, key: str, attributes: bool = False) -> Json:
    fields: Json = {
        "name": label,
        "state_topic": of(id, "state"),
        "icon": icon,
        "value_template": f"{{{{ value_json.{key}[:255] }}}}",
    }
    return fields | ({"json_attributes_topic": of(id, "state")} if attributes else {})


def _whole(box: Box, kind: str, name: str, entity: Json) -> Json:
    id = box["id"]
    device = {
        "identifiers": [f"umpi_{id}"],
        "name": box["name"],
        "manufacturer": "Umpi",
        "model": "Referee box",
        "sw_version": box["version"],
    }
    return {
        **entity,
        "unique_id": f"umpi_{id}_{name}",
        "default_entity_id": f"{kind}.umpi_{id}_{name}",
        "device": device,
        "availability_topic": of(id, "online"),
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "qos": 1,
    }
