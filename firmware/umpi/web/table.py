"""What the table shows, as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.display.commands import broke
from umpi.display.panel import Panel
from umpi.i18n.translate import called, spoken, told
from umpi.kernel.game import view_of
from umpi.kernel.match import Match
from umpi.referee.phones import happened
from umpi.referee.session import Sitting
from umpi.web.forms import ask_form

Json = dict[str, Any]


def document(sitting: Sitting, panel: Panel) -> Json:
    """Tell what the table shows now; where an engine fails to tell its part, `troubles` says so in its place."""
    match = sitting.match if panel.playing else None
    troubles: list[Json] = [{"device": told(device), "text": told(why)} for device, why in panel.troubles.items()]

    def tell(part: Any) -> Any:
        try:
            return part() if match else None
        except Exception as fault:  # the engine's own code runs in it; the desk goes on
            assert match
            why = {"device": told(match.game.title), "text": broke(match, "its part of the table is missing", fault)}
            troubles.extend([] if why in troubles else [why])
            return None

    return {
        "language": spoken(),
        "screen": "play" if match else "welcome",
        "match": tell(lambda: _match(sitting)),
        "question": tell(lambda: _question(sitting, panel)),
        "seen": tell(lambda: _seen(sitting, panel)),
        "doubt": tell(lambda: _doubt(panel)),
        "paused": panel.paused,
        "clock": panel.clock,
        "unsaved": panel.unsaved,
        "troubles": troubles,
        "last": tell(lambda: {"who": sitting.lines[-1][1], "text": happened(sitting)} if sitting.lines else None),
    }


def players_of(names: Sequence[str], buttons: Sequence[int]) -> list[Json]:
    """Tell who sits where."""
    pairs = enumerate(zip(names, buttons, strict=True))
    return [{"seat": seat, "name": called(name), "button": button} for seat, (name, button) in pairs]


def over_of(match: Match) -> Json | None:
    """Tell how a match ended, None while it goes on."""
    result = match.now.result()
    if result is None:
        return None
    why = told(result.why, match.players)
    return {"winners": list(result.winners), "places": list(result.places), "why": why}


def _match(sitting: Sitting) -> Json:
    match, table = sitting.match, sitting.table
    assert match
    assert table
    now, players = match.now, match.players
    view = view_of(now)
    return {
        "id": sitting.number,
        "game": match.game.id,
        "title": match.game.title,
        "kind": told(getattr(match.game, "kind", "")),
        "options": match.options,
        "players": players_of(players, table.buttons),
        "phase": now.phase,
        "turn": match.seat,
        "scores": list(now.scores()),
        "beside": [told(text, players) for text in view.beside] or [""] * len(players),
        "live": view.live,
        "head": told(view.head, players),
        "rows": [[told(text, players) for text in (row.label, *row.cells)] for row in view.rows],
        "over": over_of(match),
        "acts": len(match.acts),
    }


def _question(sitting: Sitting, panel: Panel) -> Json:
    """The question on the table; while something is in doubt, or once the game is over, nothing is asked in it."""
    match = sitting.match
    assert match
    asks = () if panel.unsure[0] else match.asks
    title = " / ".join(told(ask.text, match.players) for ask in [a for a in asks if not a.rare] or asks)
    return {"id": sitting.question, "title": title, "asks": [ask_form(ask, match.players) for ask in asks]}


def _seen(sitting: Sitting, panel: Panel) -> Json | None:
    if not panel.seen:
        return None
    if isinstance(panel.seen, str):
        return {"text": told(panel.seen)}
    table = sitting.table
    assert table
    return {
        "order": [
            {
                "name": told(place.name),
                "seat": place.seat,
                "button": None if place.seat is None else table.buttons[place.seat],
                "margin_us": place.margin_us,
            }
            for place in panel.seen
        ]
    }


def _doubt(panel: Panel) -> Json | None:
    text, seats = panel.unsure
    return {"text": told(text), "seats": list(seats)} if text else None
