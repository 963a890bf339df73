"""The document that contains what the table shows, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar, cast

from umpi.display.aloud import aloud
from umpi.display.menu import KEYS
from umpi.display.modes import modes, spoken
from umpi.i18n.translate import LANGUAGES, current_language, game_label, player_label, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import Ask, Game, kind_beside, placed
from umpi.kernel.match import Match
from umpi.kernel.table_setup import table_setup_texts
from umpi.referee.phones import happened
from umpi.referee.view_state import ViewState
from umpi.table.card import TITLES, CardWork
from umpi.table.empty_seat import BoxTurn, now_of_turn, offer_for, why_not
from umpi.table.faults import broke
from umpi.table.joining import Joining
from umpi.table.seating import Level, Seating, judge_of
from umpi.table.seats import COLOURS
from umpi.table.secret import parties, secret_ask
from umpi.table.shelf_work import ShelfWork
from umpi.table.sources import Phone
from umpi.table.telling import of_players
from umpi.web import documents
from umpi.web.boards import shown_board
from umpi.web.forms import ask_form
from umpi.web.photo import race_document
from umpi.web.private import dealt_seats, private_seats

T = TypeVar("T")


def shown_of(view: ViewState, referee: bool = False) -> documents.Shown:
    """Return what the table shows now; `referee` is whether a referee's phone is paired.

    If a game's code fails for one part, `device_errors` contains the reason.
    """
    match = view.match if view.playing else None
    device_errors: list[documents.Trouble] = [
        {"device": tr(device), "text": tr(why)} for device, why in view.state.device_errors.items()
    ]

    def tell(part: Callable[[], T]) -> T | None:
        try:
            return part() if match else None
        except Exception as fault:  # the game's own code may raise anything; the web server continues
            assert match
            text = broke(match, "its part of the table is missing", fault)
            why: documents.Trouble = {"device": tr(match.game.title), "text": text}
            device_errors.extend([] if why in device_errors else [why])
            return None

    return {
        "language": current_language(),
        "screen": "play" if match else "welcome",
        "showing": None if match else _showing(view),
        "match": tell(lambda: _match(view, referee, tell(lambda: _facts(view)) or {})),
        "question": tell(lambda: _question(view)),
        "now": tell(lambda: _now(view)),
        "seen": tell(lambda: _seen(view)),
        "race": tell(lambda: _race(view)),
        "raced": match is not None and view.state.race is not None,
        "slow_motion": tell(lambda: _slow_motion(view)),
        "doubt": tell(lambda: _doubt(view)),
        "paused": view.state.paused,
        "clock": view.state.clock,
        "unsaved": view.state.unsaved,
        "troubles": device_errors,
        "joining": _joining(view.state.joining),
        "hint": _hint(view),
        "joined": [{"button": button, "name": name} for button, name in sorted(view.state.names.own.items())],
        "next": seating_json(view.state.next) if view.state.next else None,
        "referee": referee,
        "card": _card(view.state.card),
        "shelf": _shelf(view.state.shelf),
        "setup": tell(lambda: _setup(view)) or [],
        "calls": tell(lambda: [call_json(call) for call in view.calls]) or [],
        "last": tell(lambda: _last(view)),
    }


def _showing(view: ViewState) -> documents.Showing:
    """Return what the screen of the box shows in words, the choices of its keys, and the lines that explain them."""
    screen = view.screen
    hidden = screen.private or next(modes(screen)).covers
    keys = () if hidden else (screen.menu.under(key, screen.page) for key in range(KEYS))
    return {
        "texts": list(spoken(screen)),
        "keys": list(dict.fromkeys(tr(choice.label) for choice in keys if choice)),
        "help": [] if hidden else tr(screen.menu.help).splitlines(),
    }


def _joining(joining: Joining | None) -> list[documents.Claimant] | None:
    """Return the phones that ask for seats, None unless phones may ask."""
    if joining is None:
        return None
    return [
        {"claim": str(claim.sign), "button": claim.button, "name": claim.name, "instead": claim.instead}
        for claim in joining.claims
    ]


def _card(card: CardWork | None) -> documents.CardWork | None:
    """Return the last task of the card; None on a box without one."""
    if card is None:
        return None
    return {
        "task": card.task,
        "stage": card.stage,
        "title": tr(TITLES[card.task]) if card.task else "",
        "text": tr(card.line),
        "percent": card.percent,
        "agree": tr(card.agree),
    }


def _shelf(shelf: ShelfWork | None) -> documents.ShelfWork | None:
    """Return the last task of the shelves; None on a box that installs no games."""
    if shelf is None:
        return None
    return {
        "task": shelf.task,
        "stage": shelf.stage,
        "text": tr(shelf.text),
        "percent": shelf.percent,
        "looks": shelf.looks,
    }


def shelves_json(shelf: ShelfWork) -> documents.Shelves:
    """Return the shelves and their games."""
    return {
        "shelves": [{"where": each.where, "key": each.key, "trouble": tr(each.trouble)} for each in shelf.shelves],
        "games": [
            {
                "shelf": each.shelf,
                "game": each.game,
                "title": each.title,
                "package": each.package,
                "version": each.version,
                "installed": each.installed,
                "newer": each.newer,
                "players": [each.low, each.high],
                "languages": [LANGUAGES.get(code, code) for code in each.languages],
                "minutes": each.minutes,
                "equal": each.equal,
                "licence": each.licence,
                "check": [*each.check],
                "expands": tr(each.expands),
            }
            for each in shelf.games
        ],
    }


def _hint(view: ViewState) -> documents.Hint | None:
    """Return the hint to the current question, and for which phones it is; None on a box that gives no hints."""
    hint = view.state.hint
    if hint is None:
        return None
    current = hint.question == view.question
    phones = [who.button for who in hint.who if isinstance(who, Phone)]
    asked = ["referee" if button is None else COLOURS[button].lower() for button in phones]
    return {"for": asked if current else [], "text": hint.text if current else ""}


def players_of(
    names: Sequence[str], buttons: Sequence[int], levels: Mapping[int, Level] = MappingProxyType({})
) -> list[documents.Player]:
    """Return the players with their seats and buttons, and where the box plays with its level."""
    players: list[documents.Player] = []
    for seat, (name, button) in enumerate(zip(names, buttons, strict=True)):
        player: documents.Player = {"seat": seat, "name": player_label(name), "button": button}
        players.append({**player, "level": levels[button]} if button in levels else player)
    return players


def seating_json(table: Seating) -> documents.Seating:
    """Return a table: its game, players and rules."""
    return {
        "game": table.game.id,
        "title": game_label(table.game),
        "players": players_of(table.players, table.buttons, table.levels),
        "rules": table.rules,
        "options": dict(table.options),
        "moderator": table.moderator,
    }


def over_of(match: Match) -> documents.Over | None:
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
    return shown_scores(match.now)


def shown_scores(position: Game) -> list[int | None]:
    """Return the score of each seat in a position, None for each while the game hides them."""
    hidden = position.result() is None and position.view().hidden
    return [None if hidden else score for score in position.scores()]


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
    if match.view.hidden:
        return None
    scores, wins = match.now.scores(), match.now.wins
    if wins == "lowest":
        return list(placed(tuple(-score for score in scores)))
    return list(placed(scores)) if wins == "highest" else None


def call_json(call: Call) -> documents.Call:
    """Return a call of the referee."""
    return {**call.line(), "text": tr(call.text)}


def _facts(view: ViewState) -> documents.Options:
    """Return what everybody may see of the position."""
    assert view.match
    return view.match.now.shown_facts()


def _match(view: ViewState, referee: bool, facts: documents.Options) -> documents.Match:
    match, table = view.match, view.table
    assert match
    assert table
    return match_json(match, table, view.number, facts, judge_of(table, referee))


def match_json(match: Match, table: Seating, number: int, facts: documents.Options, judge: str) -> documents.Match:
    """Return a match at its current position; `facts` are those that everybody may see."""
    now, players = match.now, match.players
    shown = match.view
    return {
        "id": number,
        "game": match.game.id,
        "title": match.game.title,
        "kind": tr(kind_beside(match.game)),
        "options": match.options,
        "pieces": cast(Mapping[str, documents.Piece], match.game.pieces),
        "players": players_of(players, table.buttons, table.levels),
        "phase": now.phase,
        "turn": match.seat,
        "scores": scores_of(match),
        "hidden": shown.hidden and bool(match.asks),
        "ranks": ranks_of(match),
        "beside": [tr(text, players) for text in shown.beside] or [""] * len(players),
        "live": shown.large,
        "head": tr(shown.head, players),
        "rows": [[tr(text, players) for text in (row.label, *row.cells)] for row in shown.rows],
        "facts": facts,
        "board": shown_board(now, players, match),
        "over": over_of(match),
        "acts": len(match.acts),
        "moderator": table.moderator,
        "judge": judge,
        "empty_seat": tr(why_not(match.game)),
        "private": private_seats(match),
        "dealt": dealt_seats(match),
    }


def _now(view: ViewState) -> documents.Now | None:
    """Return what the next person must do; None during a dispute, which the players must settle first."""
    return now_json(view.match, view.state.box_turn) if view.match and not view.state.doubt else None


def now_json(match: Match, turn: BoxTurn | None = None) -> documents.Now | None:
    """Return what the next person of a match must do, or at its `turn` what the box does."""
    now = now_of_turn(match, turn) if turn and not turn.given_up else match.next_step
    return {"text": tr(now.text), "seat": now.seat, "voice": aloud(tr(now.aloud))} if now else None


def _question(view: ViewState) -> documents.Question:
    """Return the current question. It has no asks during a dispute or after the game."""
    match = view.match
    assert match
    asks = () if view.state.doubt else of_players(offer_for(match, view.state.box_turn))
    return question_json(match, asks, view.question, view.state.sealed, view.state.again)


def question_json(
    match: Match, asks: Sequence[Ask], id: str, sealed: Collection[int] = (), again: Collection[int] = ()
) -> documents.Question:
    """Return a question with a form for each of its asks.

    The seats in `sealed` have answered it in secret, those in `again` must answer it again.
    """
    secret = secret_ask(asks)
    together = [[*party] for party in parties(match, secret) if len(party) > 1] if secret else []
    usual = [ask for ask in asks if ask.answerable and not ask.rare] or asks or match.asks
    title = " / ".join(tr(ask.text, match.players) for ask in usual)
    forms = [ask_form(ask, match.players) for ask in asks]
    return {
        "id": id,
        "title": title,
        "asks": forms,
        "answered": sorted(sealed),
        "together": together,
        "again": sorted(again),
    }


def _seen(view: ViewState) -> documents.SeenText | documents.SeenOrder | None:
    if not view.screen.seen:
        return None
    if isinstance(view.screen.seen, str):
        return {"text": tr(view.screen.seen)}
    table = view.table
    assert table
    behind_us = _behind([place.margin_us for place in view.screen.seen])
    return {
        "order": [
            {
                "name": tr(place.name),
                "seat": place.seat,
                "button": None if place.seat is None else table.buttons[place.seat],
                "margin_us": place.margin_us,
                "behind_us": after_us,
                "close": place.close,
            }
            for place, after_us in zip(view.screen.seen, behind_us, strict=True)
        ]
    }


def _race(view: ViewState) -> documents.Race | None:
    if not (view.race and view.screen.seen and view.table):
        return None
    return race_document(view.race, view.table.players, view.table.buttons)


def _slow_motion(view: ViewState) -> documents.SlowMotion | None:
    """Return the race that a television shows once more; None after the answer that follows the request."""
    asked, table = view.state.slow_motion, view.table
    if not (asked and table and asked.question == view.question):
        return None
    return {"number": asked.number, "race": race_document(asked.race, table.players, table.buttons)}


def _behind(margins_us: Sequence[int | None]) -> list[int | None]:
    """Return the time of each place after the first; None from the first unknown margin on.

    >>> _behind([60, None, 40])
    [0, 60, None]
    """
    behind_us: list[int | None] = [0]
    for margin_us in margins_us[:-1]:
        last_us = behind_us[-1]
        behind_us.append(None if last_us is None or margin_us is None else last_us + margin_us)
    return behind_us


def _doubt(view: ViewState) -> documents.Doubt | None:
    doubt = view.state.doubt
    return {"text": tr(doubt), "seats": list(view.state.heat)} if doubt else None


def _last(view: ViewState) -> documents.Last | None:
    match, last = view.match, view.last
    return {"who": last[1], "text": happened(match, (last,))} if match and last else None
