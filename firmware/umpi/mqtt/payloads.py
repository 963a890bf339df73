"""What the bridge publishes: the state of a table for clubs and homes, and the calls of its referee."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def state_of(document: Json, box: Json, uid: str, last: Json | None, problem: str) -> Json:
    """Return the state of a table from the document of its box; `last` is the last match that was over.

    The bridge adds its run and the time when it publishes the state.
    """
    match = document["match"] or {}
    players = match.get("players", [])
    scores = match.get("scores") or [None] * len(players)
    names = [player["name"] for player in players]
    over, turn = match.get("over"), match.get("turn")
    scored = [f"{name} {score}" if score is not None else name for name, score in zip(names, scores, strict=True)]
    return {
        "box": box["id"], "name": box["name"], "boot": document["boot"], "version": document["version"],
        "language": document["language"], "playing": bool(match), "uid": uid, "game": match.get("game", ""),
        "title": match.get("title", ""),
        "players": [
            {"seat": player["seat"], "name": player["name"], "button": player["button"], "score": score}
            for player, score in zip(players, scores, strict=True)
        ],
        "turn": names[turn] if isinstance(turn, int) and turn < len(names) and not over else "",
        "scores_text": ", ".join(scored), "moves": match.get("acts", 0), "paused": document["paused"],
        "over": bool(over), "winners": [names[seat] for seat in over["winners"]] if over else [],
        "last_winner": _winners(last), "problem": problem or _problem(document), "next": document.get("next"),
    }  # fmt: skip


def calls_of(document: Json) -> list[Json]:
    """Return what the referee says about the last answer, in order."""
    match = document["match"] or {}
    return [{**call, "game": match.get("game", ""), "match": match.get("id")} for call in document["calls"]]


def _problem(document: Json) -> str:
    troubles = [f"{trouble['device']}: {trouble['text']}" for trouble in document["troubles"]]
    return "; ".join([*([f"Not saved: {document['unsaved']}"] if document["unsaved"] else []), *troubles])


def _winners(result: Json | None) -> str:
    if not result:
        return ""
    names = {player["seat"]: player["name"] for player in result["players"]}
    return ", ".join(names[seat] for seat in result["winners"])


def read_object(payload: bytes) -> Json:
    """Read the JSON object of a message; an empty one if the message contains something else."""
    try:
        found = json.loads(payload or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
