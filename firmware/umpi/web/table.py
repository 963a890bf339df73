"""The document that contains what the table shows, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.display.menu import KEYS
from umpi.display.spoken import spoken
from umpi.i18n.translate import current_language, game_label, player_label, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import placed
from umpi.kernel.match import Match
from umpi.kernel.table_setup import table_setup_texts
from umpi.referee.phones import happened
from umpi.referee.view_state import ViewState
from umpi.table.faults import broke
from umpi.table.joining import Joining
from umpi.table.seating import TableSetup, judge_of
from umpi.table.seats import COLOURS
from umpi.table.sources import Phone
from umpi.table.telling import of_players
from umpi.web.forms import ask_form

Json = dict[str, Any]


def document(view: ViewState, referee: bool = False) -> Json:
    """Return what the table shows now; `referee` is whether a referee's phone is paired.

    If a game's code fails for one part, `device_errors` contains the reason.
    """
    match = view.match if view.playing else None
    device_errors: list[Json] = [
        {"device": tr(device), "text": tr(why)} for device, why in view.state.device_errors.items()
    ]

    def tell(part: Any) -> Any:
        try:
            return part() if match else None
        except Exception as fault:  # the game's own code may raise anything; the web server continues
            assert match
            why = {"device": tr(match.game.title), "text": broke(match, "its part of the table is missing", fault)}
            device_errors.extend([] if why in device_errors else [why])
            return None

    return {
        "language": current_language(),
        "screen": "play" if match else "welcome",
        "showing": None if match else _showing(view),
        "match": tell(lambda: _match(view, referee)),
        "question": tell(lambda: _question(view)),
        "seen": tell(lambda: _seen(view)),
        "doubt": tell(lambda: _doubt(view)),
        "paused": view.state.paused,
        "clock": view.state.clock,
        "unsaved": view.state.unsaved,
        "troubles": device_errors,
        "joining": _joining(view.state.joining),
        "hint": _hint(view),
        "joined": [{"button": button, "name": name} for button, name in sorted(view.state.names.own.items())],
        "next": table_json(view.state.next) if view.state.next else None,
        "referee": referee,
        "setup": tell(lambda: _setup(view)) or [],
        "calls": tell(lambda: [_call(call) for call in view.calls]) or [],
        "last": tell(lambda: {"who": view.last[1], "text": happened(match, (view.last,))} if view.last else None),
    }


def _showing(view: ViewState) -> Json:
    """Return what the screen of the box shows in words, and the choices of its keys."""
    screen = view.screen
    hidden = screen.notice or screen.private or screen.state.code or screen.state.joining or screen.state.check
    keys = () if hidden else (screen.menu.under(key, screen.page) for key in range(KEYS))
    return {"texts": list(spoken(screen)), "keys": list(dict.fromkeys(tr(choice.label) for choice in keys if choice))}


def _joining(joining: Joining | None) -> list[Json] | None:
    """Return the phones that ask for seats, None unless phones may ask."""
    if joining is None:
        return None
    return [{"claim": claim.hash, "button": claim.button, "name": claim.name} for claim in joining.claims]


def _hint(view: ViewState) -> Json | None:
    """Return the hint to the current question, and for which phones it is; None on a box that gives no hints."""
    hint = view.state.hint
    if hint is None:
        return None
    current = hint.question == view.question
    phones = [who.button for who in hint.who if isinstance(who, Phone)]
    asked = ["referee" if button is None else COLOURS[button].lower() for button in phones]
    return {"for": asked if current else [], "text": hint.text if current else ""}


def players_of(names: Sequence[str], buttons: Sequence[int]) -> list[Json]:
    """Return the players with their seats and buttons."""
    pairs = enumerate(zip(names, buttons, strict=True))
    return [{"seat": seat, "name": player_label(name), "button": button} for seat, (name, button) in pairs]


def table_json(table: TableSetup) -> Json:
    """Return a table: its game, players and rules."""
    return {
        "game": table.game.id,
        "title": game_label(table.game),
        "players": players_of(table.players, table.buttons),
        "rules": table.rules,
        "options": dict(table.options),
        "moderator": table.moderator,
    }


def over_of(match: Match) -> Json | None:
    """Return how a match ended, or None if it is not over."""
    result = match.result
    if result is None:
        return None
    why = tr(result.why, match.players)
    return {
        "winners": list(result.winners), "together": match.together, "places": list(result.places), "why": why,
    }  # fmt: skip


def scores_of(match: Match) -> list[int | None]:
    """Return the score of each seat, None for each while the game hides them."""
    hidden = match.asks and match.now.view().hidden
    return [None if hidden else score for score in match.now.scores()]


def _setup(view: ViewState) -> list[str]:
    """Return how to set the game up, as long as no act has been made."""
    match = view.match
    assert match
    return [] if match.acts else [tr(each) for each in table_setup_texts(match.game, match.players, match.options)]


def ranks_of(match: Match) -> list[int] | None:
    """Return the place of each seat by its score now, or at the end.

    None while the scores are hidden, if the game does not say which scores win, and if all have lost.
    """
    if result := match.result:
        return list(result.places) if result.winners else None
    if match.now.view().hidden:
        return None
    scores, wins = match.now.scores(), match.now.wins
    if wins == "lowest":
        return list(placed(tuple(-score for score in scores)))
    return list(placed(scores)) if wins == "highest" else None


def _call(call: Call) -> Json:
    return {**call.line(), "text": tr(call.text)}


def _match(view: ViewState, referee: bool) -> Json:
    match, table = view.match, view.table
    assert match
    assert table
    now, players = match.now, match.players
    shown = now.view()
    return {
        "id": view.number,
        "game": match.game.id,
        "title": match.game.title,
        "kind": tr(match.game.kind),
        "options": match.options,
        "pieces": dict(match.game.pieces),
        "players": players_of(players, table.buttons),
        "phase": now.phase,
        "turn": match.seat,
        "scores": scores_of(match),
        "hidden": shown.hidden and bool(match.asks),
        "ranks": ranks_of(match),
        "beside": [tr(text, players) for text in shown.beside] or [""] * len(players),
        "live": shown.large,
        "head": tr(shown.head, players),
        "rows": [[tr(text, players) for text in (row.label, *row.cells)] for row in shown.rows],
        "over": over_of(match),
        "acts": len(match.acts),
        "moderator": table.moderator,
        "judge": judge_of(table, referee),
    }


def _question(view: ViewState) -> Json:
    """Return the current question. It has no asks during a dispute or after the game."""
    match = view.match
    assert match
    asks = () if view.state.doubt else of_players(match.asks)
    usual = [ask for ask in asks if ask.answerable and not ask.rare] or asks or match.asks
    title = " / ".join(tr(ask.text, match.players) for ask in usual)
    forms = [ask_form(ask, match.players) for ask in asks]
    return {"id": view.question, "title": title, "asks": forms, "answered": sorted(view.state.sealed)}


def _seen(view: ViewState) -> Json | None:
    if not view.screen.seen:
        return None
    if isinstance(view.screen.seen, str):
        return {"text": tr(view.screen.seen)}
    table = view.table
    assert table
    return {
        "order": [
            {
                "name": tr(place.name),
                "seat": place.seat,
                "button": None if place.seat is None else table.buttons[place.seat],
                "margin_us": place.margin_us,
                "close": place.close,
            }
            for place in view.screen.seen
        ]
    }


def _doubt(view: ViewState) -> Json | None:
    doubt = view.state.doubt
    return {"text": tr(doubt), "seats": list(view.state.heat)} if doubt else None
