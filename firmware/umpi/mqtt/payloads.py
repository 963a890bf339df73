"""The payloads of messages: the state of a table and the calls of its referee, and the one reader of all that arrives.

Anybody at the broker may send anything. So a payload is read by the rules of a record, and each field of it is checked
before somebody uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from umpi.box.signing import BadSignature, Purpose, check
from umpi.frozen import frozen
from umpi.kernel import record
from umpi.kernel.record import Unreadable, name_refusal, read_line
from umpi.mqtt.topics import OFFLINE, ONLINE
from umpi.web import documents

Json = dict[str, Any]
LONGEST = 64 * 1024  # bytes of a payload
UID, GAME, SIGNATURE = 64, 60, 128  # characters
GREATEST = 2**31 - 1  # of a revision, a place or the number of a match
AROUND = ("name", "run", "now", "without_luck")  # what the bridge adds to a result after its box has signed it
SIGNED_OFFER = ("box", "number", "key", "signature")  # what a club adds to an offer
TWIN_S = 300.0  # after such a time without a word of it, another box with the same id is forgotten
YEARS = range(1970, 2200)  # in which a clock may be; one that was never set begins in 1970


class BadPayload(ValueError):
    """Report a payload that is not as expected."""


@frozen
class TablePlayer:
    """A player of a table as its screen shows them; `score` is None if the game hides it."""

    name: str
    button: int
    score: int | None


@frozen
class TableState:
    """What a table shows. `run` names the process that publishes it, `now` is its clock, None if that is not known."""

    name: str = ""
    run: str = ""
    now: datetime | None = None
    version: int = 0
    title: str = ""
    players: tuple[TablePlayer, ...] = ()
    turn: str = ""
    moves: int = 0
    winners: tuple[str, ...] = ()
    problem: str = ""


@frozen
class Receipt:
    """What a club says of a result: the revision that is in its database, or why it has `refused` this revision.

    `of` is the signature of the result that is refused. `key` is that of the club, "" if nobody has signed.
    """

    box: str
    uid: str
    revision: int
    refused: str = ""
    of: str = ""
    key: str = ""


@frozen
class Sent:
    """Which result somebody has sent, whatever else is in it."""

    uid: str
    revision: int
    signature: str


@frozen
class ResultPlayer:
    """A player of a match that is over, by seat."""

    name: str
    score: int
    place: int


@frozen
class Offer:
    """The match that a box shall offer, as its API takes it; nothing if it shall offer none.

    `number` grows with each offer of a club. `key` is that of the club, "" if nobody has signed.
    """

    box: str
    number: int
    players: tuple[str, ...]
    match: Json
    key: str


@frozen
class Result:
    """A match that is over, or is no longer `over`: then it has no players. `ended` is by the clock of the box.

    `key` is that of the box, "" if nobody has signed.
    """

    box: str
    uid: str
    revision: int
    match: int
    over: bool
    game: str
    title: str
    rules: str
    ended: datetime | None
    players: tuple[ResultPlayer, ...]
    without_luck: tuple[float, ...] | None  # what each player got without luck, None if nobody has computed it
    text: str  # as it came
    key: str


def state_of(
    document: documents.State, box: documents.Box, uid: str, last: documents.Result | None, problem: str
) -> Json:
    """Return the state of a table from the document of its box; `last` is the last match that was over.

    The bridge adds its run and the time when it publishes the state.
    """
    match = document["match"]
    players, scores = (match["players"], match["scores"]) if match else ([], [])
    names = [player["name"] for player in players]
    over, turn = (match["over"], match["turn"]) if match else (None, None)
    scored = [f"{name} {score}" if score is not None else name for name, score in zip(names, scores, strict=True)]
    return {
        "box": box["id"], "name": box["name"], "boot": document["boot"], "version": document["version"],
        "language": document["language"], "playing": bool(match), "uid": uid,
        "game": match["game"] if match else "", "title": match["title"] if match else "",
        "players": [
            {"seat": player["seat"], "name": player["name"], "button": player["button"], "score": score}
            for player, score in zip(players, scores, strict=True)
        ],
        "turn": names[turn] if turn is not None and not over else "",
        "scores_text": ", ".join(scored), "moves": match["acts"] if match else 0, "paused": document["paused"],
        "over": bool(over), "winners": [names[seat] for seat in over["winners"]] if over else [],
        "last_winner": _winners(last), "problem": problem or _problem(document), "next": document.get("next"),
    }  # fmt: skip


def calls_of(document: documents.State) -> list[Json]:
    """Return what the referee says about the last answer, in order."""
    match = document["match"]
    game, id = (match["game"], match["id"]) if match else ("", None)
    return [{**call, "game": game, "match": id} for call in document["calls"]]


def _problem(document: documents.State) -> str:
    troubles = [f"{trouble['device']}: {trouble['text']}" for trouble in document["troubles"]]
    return "; ".join([*([f"Not saved: {document['unsaved']}"] if document["unsaved"] else []), *troubles])


def _winners(result: documents.Result | None) -> str:
    if not result:
        return ""
    names = {player["seat"]: player["name"] for player in result["players"]}
    return ", ".join(names[seat] for seat in result["winners"])


def read_object(payload: bytes) -> Json:
    """Read the JSON object of a payload, an empty one if the payload is empty. Lists become tuples. Raises BadPayload.

    >>> read_object(b'{"uid": "u1", "scores": [9, 8]}')
    {'uid': 'u1', 'scores': (9, 8)}
    """
    if len(payload) > LONGEST:
        raise BadPayload(f"it has {len(payload)} bytes, {LONGEST} at most can be")
    try:
        return read_line(payload) or {}
    except Unreadable as fault:
        raise BadPayload(str(fault)) from None


def read_online(payload: bytes) -> bool:
    """Read whether somebody is online; nobody is if the topic was cleared. Raises BadPayload."""
    if payload not in (ONLINE.encode(), OFFLINE.encode(), b""):
        raise BadPayload(f'expected "{ONLINE}" or "{OFFLINE}"')
    return payload == ONLINE.encode()


def read_state(payload: bytes) -> TableState:
    """Read what a table shows. What is missing has its default. Raises BadPayload."""
    missing = {
        "name": "",
        "run": "",
        "version": 0,
        "title": "",
        "players": (),
        "turn": "",
        "moves": 0,
        "winners": (),
        "problem": "",
    }
    fields = {**missing, **read_object(payload)}
    return TableState(
        _text(fields, "name"),
        _text(fields, "run", UID),
        _time(fields, "now"),
        _whole(fields, "version"),
        _text(fields, "title"),
        tuple(map(_table_player, _objects(fields, "players"))),
        _text(fields, "turn"),
        _whole(fields, "moves"),
        _texts(fields, "winners"),
        _text(fields, "problem"),
    )


def read_offer(payload: bytes) -> Offer:
    """Read the match that a box shall offer. Raises BadPayload, also if the signature is wrong."""
    match = read_object(payload)
    key = _signer("offer", match)
    fields = {"box": "", "number": 0, "players": (), **match}
    players = tuple(_name(player) for player in _objects(fields, "players"))
    box, number = _text(fields, "box", UID), _whole(fields, "number")
    return Offer(box, number, players, {name: match[name] for name in match if name not in SIGNED_OFFER}, key)


def read_sent(payload: bytes) -> Sent:
    """Read of what a result speaks, so that a refusal can name it. Raises BadPayload."""
    fields = {"signature": "", **read_object(payload)}
    return Sent(_text(fields, "uid", UID, 1), _whole(fields, "revision"), _text(fields, "signature", SIGNATURE))


def read_receipt(payload: bytes) -> Receipt:
    """Read what a club says of a result. Raises BadPayload, also if the signature is wrong."""
    given = read_object(payload)
    fields = {"box": "", "refused": "", "of": "", **given}
    return Receipt(
        _text(fields, "box", UID),
        _text(fields, "uid", UID, 1),
        _whole(fields, "revision"),
        _text(fields, "refused"),
        _text(fields, "of", SIGNATURE),
        _signer("receipt", given),
    )


def read_result(payload: bytes) -> Result:
    """Read a result. Raises BadPayload, also if the signature is wrong."""
    given = read_object(payload)
    fields = {"box": "", "title": "", "rules": "", **given}
    over = fields.get("over")
    if not isinstance(over, bool):
        raise BadPayload('"over" must be true or false')
    return Result(
        _text(fields, "box", UID),
        _text(fields, "uid", UID, 1),
        _whole(fields, "revision"),
        _whole(fields, "match"),
        over,
        _text(fields, "game", GAME),
        _text(fields, "title"),
        _text(fields, "rules"),
        _time(fields, "ended"),
        _result_players(fields) if over else (),
        _without_luck(fields) if over else None,
        payload.decode(),
        _signer("result", {name: value for name, value in given.items() if name not in AROUND}),
    )


def _signer(purpose: Purpose, signed: Json) -> str:
    """Return the key of who has signed, "" if nobody has."""
    try:
        return check(purpose, signed)
    except BadSignature as fault:
        raise BadPayload(str(fault)) from None


def _result_players(fields: Json) -> tuple[ResultPlayer, ...]:
    players = _objects(fields, "players")
    scores, places = _list(fields, "scores"), _list(fields, "places")
    seats = [player.get("seat") for player in players]
    if not players or len(scores) != len(players) or len(places) != len(players):
        raise BadPayload('a match that is over needs "players", and for each of them one of "scores" and of "places"')
    if seats != [*range(len(players))] or any(type(seat) is not int for seat in seats):
        raise BadPayload('the "seat" of each player must be their number, from 0')
    for score in scores:
        if type(score) is not int:
            raise BadPayload('"scores" must be whole numbers')
    for place in places:
        if type(place) is not int or not 1 <= place <= len(players):
            raise BadPayload('"places" must be from 1 to the number of players')
    names = [_name(player) for player in players]
    return tuple(ResultPlayer(*each) for each in zip(names, scores, places, strict=True))


def _without_luck(fields: Json) -> tuple[float, ...] | None:
    found = fields.get("without_luck")
    if found is None:
        return None
    if not isinstance(found, list | tuple) or len(found) != len(_objects(fields, "players")):
        raise BadPayload('"without_luck" must have a number for each player')
    if not all(type(each) in (int, float) and abs(each) <= record.GREATEST for each in found):  # not for NaN either
        raise BadPayload(f'"without_luck" must be numbers, none beyond ±{record.GREATEST}')
    return tuple(map(float, found))


def _table_player(player: Mapping[str, Any]) -> TablePlayer:
    score = player.get("score")
    if score is not None and type(score) is not int:
        raise BadPayload('"score" must be a whole number or null')
    return TablePlayer(_name(player), _whole(player, "button"), score)


def _name(player: Mapping[str, Any]) -> str:
    name = _text(player, "name")
    if refusal := name_refusal(name):
        raise BadPayload(f'"name": {refusal.removesuffix(".")}')
    return name


def _text(fields: Mapping[str, Any], key: str, most: int = LONGEST, least: int = 0) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not least <= len(value) <= most:
        raise BadPayload(f'"{key}" must be a text of {least} to {most} characters')
    if "\0" in value:  # PostgreSQL cannot keep it
        raise BadPayload(f'"{key}" has the character NUL in it')
    return value


def _texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_text({key: each}, key) for each in _list(fields, key))


def _whole(fields: Mapping[str, Any], key: str) -> int:
    value = fields.get(key)
    if type(value) is not int or not 0 <= value <= GREATEST:
        raise BadPayload(f'"{key}" must be a whole number from 0 to {GREATEST}')
    return value


def _list(fields: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    value = fields.get(key)
    if not isinstance(value, tuple):
        raise BadPayload(f'"{key}" must be a list')
    return value


def _objects(fields: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...]:
    found = _list(fields, key)
    if not all(isinstance(each, dict) for each in found):
        raise BadPayload(f'"{key}" must be a list of objects')
    return found


def _time(fields: Mapping[str, Any], key: str) -> datetime | None:
    """Return a time, None if a box has noted something that is none: a match counts also without it."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise BadPayload(f'"{key}" must be a text or null')
    return time_of(value or "")


def time_of(text: str) -> datetime | None:
    """Read a time of a box, None if it is none, or one in which no box was.

    >>> time_of("2026-03-01T12:00:00+01:00"), time_of("yesterday"), time_of("0001-01-01T00:00:00+14:00")
    (datetime.datetime(2026, 3, 1, 11, 0, tzinfo=datetime.timezone.utc), None, None)
    """
    try:
        found = datetime.fromisoformat(text)
        found = (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found if found.year in YEARS else None
