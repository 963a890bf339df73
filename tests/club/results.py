"""Results as boxes publish them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from umpi.box.signing import check
from umpi.club.store import Store
from umpi.mqtt.payloads import read_result

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)


def result(
    uid: str, *players: str, box: str = "box1", revision: int = 10, ago_min: int = 5, **other: Any
) -> dict[str, Any]:
    """A match that the first player has won."""
    return {
        "uid": uid, "box": box, "match": 1, "revision": revision, "game": "dodeka", "title": "Dodéka", "rules": "",
        "began": "", "ended": (NOW - timedelta(minutes=ago_min)).isoformat(), "over": True,
        "players": [{"seat": seat, "name": name, "button": seat} for seat, name in enumerate(players)],
        "scores": [9 - seat for seat in range(len(players))], "places": [1 + seat for seat in range(len(players))],
        "winners": [0], "error": "", **other,
    }  # fmt: skip


def keep(store: Store, fields: dict[str, Any], received: datetime = NOW) -> int:
    """Keep a result as if its box had published it."""
    return store.keep(fields["box"], read_result(json.dumps(fields).encode()), received)


STATE = {
    "name": "Table 1", "run": "r1", "now": NOW.isoformat(), "title": "Dodéka", "turn": "<Ann>", "winners": [],
    "players": [
        {"seat": 0, "name": "<Ann>", "button": 0, "score": 3}, {"seat": 1, "name": "Ben", "button": 1, "score": 1},
    ],
    "problem": "",
}  # fmt: skip


class Published:
    def __init__(self) -> None:
        self.messages: list[tuple[str, str]] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        self.messages.append((topic, payload if isinstance(payload, str) else payload.decode()))
        return len(self.messages)

    def receipt(self) -> dict[str, Any]:
        """The last message, which is a signed receipt, without its signature."""
        topic, payload = self.messages[-1]
        fields = json.loads(payload)
        assert topic == f"umpi/{fields['box']}/kept"
        assert check("receipt", fields)
        return {name: value for name, value in fields.items() if name not in ("key", "signature")}

    def subscribe(self, *topics: str) -> None:
        pass
