"""The names of the API's operations for generators of clients, their tags, and examples."""

from __future__ import annotations

from typing import Any

TAGS = {
    "table": "What the table shows",
    "moves": "Answer, undo and correct, with a phone that is paired",
    "start": "Choose and start a game",
    "pairing": "Let a phone or a script act",
    "past": "Past matches, results and statistics",
    "rules": "Rules and lessons",
    "box": "The box itself",
}
_TAG_OF = {
    "table": ("state", "events", "words", "history", "record"),
    "moves": ("form", "act", "undo", "amend", "settle", "hint", "clock"),
    "start": ("games", "start", "rematch", "next", "leave", "resume", "names"),
    "pairing": ("me", "pair", "unpair", "join", "joining", "admit", "name"),
    "past": ("matches", "results", "stats", "matches.csv", "stats.csv"),
    "rules": ("rules", "lessons"),
    "box": ("box", "app", "openapi.json", "healthz", "metrics"),
}
_MATCH = {
    "uid": "5f0e0a3c9b7d4c1e8a2b6d9f00112233", "match": 3, "revision": 41, "game": "dodeka", "title": "Dodéka",
    "rules": "", "began": "2026-11-22T19:02:11+00:00", "ended": "2026-11-22T19:31:40+00:00", "over": True,
    "players": [{"seat": 0, "name": "Ann", "button": 0}, {"seat": 1, "name": "Ben", "button": 1}],
    "scores": [3, 1], "places": [1, 2], "winners": [0], "error": "",
}  # fmt: skip
_QUESTION = "b7c1.12"
EXAMPLES: dict[str, Any] = {
    "/api/box": {"id": "3f9ac1d20b7e", "name": "Table 4", "version": "0.1.0", "api": 1, "boot": "9c2ee1f07a3b5d44"},
    "/api/results": [_MATCH],
    "/healthz": {"ok": True, "unsaved": "", "errors": {}},
    "/api/me": {"who": {"role": "seat", "button": "red", "seat": 0, "name": "Ann"}, "waiting": False, "claim": ""},
    "/api/names": {"names": ["Ann", "Ben"]},
    "/api/form": {"question": _QUESTION, "verb": "turn", "given": {}},
    "/api/act": {"question": _QUESTION, "act": {"do": "turn", "card": "fire-2"}},
    "/api/undo": {"question": _QUESTION, "count": 1},
    "/api/amend": {"question": _QUESTION, "index": 4, "act": {"do": "turn", "card": "fire-3"}, "try": True},
    "/api/settle": {"question": _QUESTION, "how": "accept"},
    "/api/hint": {"question": _QUESTION},
    "/api/pair": {"code": "407123"},
    "/api/join": {"button": "red", "name": "Ann"},
    "/api/admit": {"claim": "0123456789abcdef", "admit": True},
    "/api/name": {"name": "Ann"},
    "/api/rematch": {},
    "/api/leave": {"match": 3},
    "/api/resume": {"match": 3},
    "/api/joining": {"open": True},
    "/api/next": {
        "offer": {
            "game": "dodeka",
            "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}],
        }
    },
    "/api/unpair": {},
    "/api/clock": {"run": "r1", "step_us": 100, "sent_us": 1000, "last": 0, "back_us": 0},
}


def operation_id(path: str) -> str:
    """Return the name of the operation at a path.

    >>> operation_id("/api/matches/{number}/record"), operation_id("/api/stats.csv"), operation_id("/healthz")
    ('matches_number_record', 'stats_csv', 'healthz')
    """
    name = path.removeprefix("/api").strip("/")
    return "".join(letter if letter.isalnum() else "_" for letter in name.replace("{", "").replace("}", ""))


def tag_of(path: str) -> str:
    """Return the tag of a path.

    >>> tag_of("/api/matches/{number}"), tag_of("/metrics")
    ('past', 'box')
    """
    first = path.removeprefix("/api").strip("/").partition("/")[0]
    return next(tag for tag, paths in _TAG_OF.items() if first in paths)
