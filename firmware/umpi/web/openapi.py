"""The OpenAPI 3.1 description of the API: requests, responses and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.web.catalogue import EXAMPLES, TAGS, operation_id, tag_of
from umpi.web.clocks import COARSEST_US, LAST_US, LONGEST_RUN
from umpi.web.shapes import ACT, BOOLEAN, INTEGER, STRING, array, object_of, one_of, schemas, shape
from umpi.web.starting import BUTTONS

Json = dict[str, Any]

WHY = {
    "400": "Not JSON as it is needed",
    "401": "This phone is not paired",
    "403": "Not this seat's, or not from the box's own page or name",
    "404": "There is none",
    "408": "The body came too slowly",
    "409": "The question has passed, or a match is on; says what has happened instead",
    "413": "Too long: an act or a start has 16 kB at most, all else 4 kB",
    "415": "Not application/json",
    "422": "The rules refuse it; says why",
    "429": "Too soon after a wrong code, or too often; Retry-After says when",
    "503": "The box does not answer and has done nothing, or too many look at once",
    "504": "The box has taken it, but does not answer in time",
}
RECORD = "application/x-ndjson"
CSV = "text/csv"
TIME: Json = {"type": "integer", "minimum": 0, "exclusiveMaximum": LAST_US}
RUN = {
    **STRING, "minLength": 1, "maxLength": LONGEST_RUN,
    "description": "a name for the time in which the clock of this phone has not stopped; another after a sleep",
}  # fmt: skip
QUESTION = {**STRING, "description": "the id of the question that is meant"}
MATCH: Json = {**INTEGER, "description": "the id of a match"}
NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
GAME = {"name": "game", "in": "path", "required": True, "schema": STRING}
INDEX = {"name": "index", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
GIVEN = {
    "name": "given", "in": "query", "required": False, "schema": STRING,
    "description": "answers as JSON, by field; without it those of the act",
}  # fmt: skip
SCRIPT = {
    "name": "Umpi", "in": "header", "required": False, "schema": one_of("1"),
    "description": "A script sends this; a page of the box sends Origin instead.",
}  # fmt: skip
PLAYERS: Json = {
    **array({
        **object_of(
            button=one_of(*BUTTONS),
            name={**STRING, "maxLength": 24, "description": 'of the player, "" for the colour of the button'},
        ),
        "additionalProperties": False,
    }),
    "description": "the box seats them clockwise, by their buttons from the left",
}  # fmt: skip
START: Json = {
    "game": {**STRING, "description": "the id of a game in /api/games"},
    "players": PLAYERS,
    "first": {**one_of(*BUTTONS), "description": "who starts; without it the leftmost"},
    "rules": {**STRING, "description": 'a rule set, "" for the rule sheet; without it what the box offers first'},
    "options": {
        "type": "object", "additionalProperties": True, "description": "change these rules, option by option",
    },
    "moderator": {
        **STRING, "maxLength": 24, "description": 'who judges the answers and does not play; "" or left out: nobody',
    },
}  # fmt: skip
STARTS: Json = {
    "by the sheet": {
        "value": {
            "game": "dodeka", "rules": "",
            "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}],
        },
    },
    "with options": {
        "value": {
            "game": "quiz", "first": "blue", "options": {"questions": 10, "early": "locked"},
            "players": [{"button": "red", "name": ""}, {"button": "blue", "name": "Ben"}],
        },
    },
}  # fmt: skip
ABOUT = (
    "The table of an Umpi box. Anybody on its network may look; a phone that was paired at the box may act. "
    "Texts for players are in the box's language."
)


def description() -> Json:
    """Return the description of the API."""
    paths = {f"/api/{path}": methods for path, methods in (_looking() | _results() | _acting()).items()} | _watching()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Umpi, the desk", "version": "1", "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": {path: _catalogued(path, methods) for path, methods in paths.items()},
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": "umpi"}},
        },
    }  # fmt: skip


def _catalogued(path: str, methods: Json) -> Json:
    """Return the methods of a path with an operation id, a tag and the example of a request or response."""
    name = operation_id(path)
    for method, asked in methods.items():
        asked |= {"operationId": name, "tags": [tag_of(path)]}
        held = asked["requestBody"] if method == "post" else asked["responses"]["200"]
        (content,) = held["content"].values()
        if path in EXAMPLES and "examples" not in content:
            content["example"] = EXAMPLES[path]
    return methods


def _results() -> Json:
    after = {
        "name": "after", "in": "query", "required": False, "description": "the number of a match",
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    }  # fmt: skip
    box = object_of(id=STRING, name=STRING, version=STRING, api=INTEGER, boot=STRING)
    return {
        "box": _get("Who this box is", box),
        "results": _get(
            "The matches after one, oldest first, 200 at most", array(shape("Result")), "400", "503", of=(after,)
        ),
        "matches.csv": _get("All matches as CSV, a row per player", STRING, "503", kind=CSV),
        "stats.csv": _get("The statistics of all players as CSV", STRING, "503", kind=CSV),
    }


def _watching() -> Json:
    well = object_of(ok=BOOLEAN, unsaved=STRING, errors={"type": "object", "additionalProperties": STRING})
    health = _get("Whether the box can play and keep what is played", well)
    ill = {"description": "It cannot, and says why", "content": {"application/json": {"schema": well}}}
    health["get"]["responses"]["503"] = ill
    return {"/healthz": health, "/metrics": _get("Figures of the box for Prometheus", STRING, kind="text/plain")}


def _looking() -> Json:
    events = (
        'The same as server-sent events: each with id BOOT.VERSION, event "state" and a State as data. '
        "Last-Event-ID goes on from there."
    )
    return {
        "state": _get("What the table shows", shape("State")),
        "words": _get(
            "What the page says, in the language of the box", object_of(language=STRING, words={"type": "object"})
        ),
        "events": _get(events, STRING, "503", kind="text/event-stream"),
        "me": _get(
            "Whose phone this is; whether it waits to be let in, and its claim in the state, \"\" if it does not wait",
            object_of(who=shape("Who"), waiting=BOOLEAN, claim=STRING),
        ),
        "app": _get(
            "The port of HTTPS, 0 if there is none; for which hosts; the SHA-256 of what phones install for it",
            object_of(port=INTEGER, hosts=array(STRING), fingerprint=STRING),
        ),
        "names": _get("The names of players that the box knows, for a paired phone", object_of(names=array(STRING))),
        "games": _get("The games with their options and rule sets, and the last table", shape("Games"), "503"),
        "history": _get("The acts that stand in the match in play", array(shape("Entry"))),
        "history/{index}": _get(
            "The question that an act answered, for the referee's phone",
            object_of(ask=shape("Ask"), fields=array(shape("Field")), refusal=STRING), "400", "404", "422",
            of=(INDEX, GIVEN),
        ),
        "record": _get("The match in play as JSON Lines", STRING, "404", kind=RECORD),
        "matches": _get("The newest hundred matches, the newest first", array(shape("Past"))),
        "matches/{number}": _get("One match, and its scores act by act", shape("Past"), "404", of=(NUMBER,)),
        "matches/{number}/record": _get("One match as JSON Lines", STRING, "404", kind=RECORD, of=(NUMBER,)),
        "stats": _get("Who has played and won how much: in all games, then in each", shape("Stats")),
        "rules": _get("The games that have rules", array(object_of(game=STRING, title=STRING))),
        "rules/{game}": _get(
            "The rules of a game, in English if there are no others", shape("Rules"), "404", "503", of=(GAME,)
        ),
        "lessons": _get("The games that have a lesson", array(object_of(game=STRING, title=STRING))),
        "lessons/{game}": _get("A lesson with all its steps", shape("Lesson"), "404", of=(GAME,)),
        "openapi.json": _get("This description", {"type": "object"}),
    }  # fmt: skip


def _acting() -> Json:
    given = {"type": "object", "additionalProperties": True}
    form = object_of(
        fields=array(shape("Field")),
        refusal={**STRING, "description": 'why the whole would be refused as it stands, "" where it would not'},
    )
    lost = {**array(shape("Entry")), "description": "the later acts that no longer hold"}
    amended = {"type": "object", "properties": {"version": INTEGER, "lost": lost}, "required": ["lost"]}
    ways = one_of("toss again", "order by hand", "accept")
    me = object_of(who=shape("Who"))
    amend = {"question": QUESTION, "index": INTEGER, "act": ACT, "try": {"type": "boolean"}}
    codes = "409", "422"
    stamp = {
        **object_of(run=RUN, at_us={**TIME, "description": "when the player pressed, on the clock of this phone"}),
        "additionalProperties": False,
    }
    exchange = {
        "run": RUN,
        "step_us": {"type": "integer", "minimum": 1, "maximum": COARSEST_US},
        "sent_us": {**TIME, "description": "the clock of this phone before it sends this"},
        "last": {**INTEGER, "description": "the id in the last reply, 0 if there was none in this run"},
        "back_us": {**TIME, "description": "the clock of this phone when the last reply had arrived"},
    }
    return {
        "form": _post(
            "How a question goes on from what has been answered",
            {"question": QUESTION, "verb": STRING, "given": given}, form, *codes, "503", paired=True,
        ),
        "act": _post(
            "Answer the question; in a race, the stamp says when the player pressed",
            {"question": QUESTION, "act": ACT, "stamp": stamp}, shape("Done"), *codes, paired=True, optional=("stamp",),
        ),
        "undo": _post(
            "Take the last acts back", {"question": QUESTION, "count": INTEGER}, shape("Done"), *codes, paired=True
        ),
        "amend": _post(
            'Put another act in the place of one; "try" only tells what would be lost', amend, amended, *codes,
            paired=True,
        ),
        "settle": _post(
            "Settle a doubtful announcement", {"question": QUESTION, "how": ways}, shape("Done"), *codes, paired=True
        ),
        "hint": _post(
            "Ask what the box would do; the state then contains it", {"question": QUESTION}, shape("Done"), *codes,
            paired=True,
        ),
        "pair": _post("Pair this phone by the six digits on the box", {"code": STRING}, me, "429", "503"),
        "join": _post(
            "Ask for a seat; somebody at the box or the referee's phone lets this phone in",
            {"button": one_of(*BUTTONS), "name": STRING}, object_of(who={"type": "null"}, waiting=BOOLEAN),
            "422", "429", "503", "504",
        ),
        "joining": _post(
            "Let phones ask for seats, or end that, for the referee's phone", {"open": BOOLEAN}, shape("Done"), "422",
            paired=True,
        ),
        "admit": _post(
            "Let a phone in that asks for a seat, or turn it away", {"claim": STRING, "admit": BOOLEAN},
            shape("Done"), "409", paired=True,
        ),
        "name": _post(
            "Name the player of this phone; before a match, for the next one", {"name": STRING}, me, "422", paired=True
        ),
        "start": _post(
            "Start a match, for the referee's phone; 409 while another one is on", START, shape("Done"), *codes,
            paired=True, optional=("first", "rules", "options", "moderator"), examples=STARTS,
        ),
        "rematch": _post(
            "Start a match at the last table, for the referee's phone; 409 while one is on", {}, shape("Done"), *codes,
            paired=True,
        ),
        "next": _post(
            "Offer a match as the next one, for the referee's phone; an empty offer withdraws it",
            {"offer": {"type": "object", "additionalProperties": True}}, shape("Done"), "409", "422", paired=True,
        ),
        "leave": _post(
            "Leave the match in play, for the referee's phone; it can be resumed", {"match": MATCH}, shape("Done"),
            "409", paired=True,
        ),
        "resume": _post(
            "Resume an earlier match, for the referee's phone; 409 while another one is on", {"match": MATCH},
            shape("Done"), *codes, paired=True,
        ),
        "unpair": _post(
            "Forget this phone; a seat's phone gives its seat back", {}, object_of(who={"type": "null"}), paired=True
        ),
        "clock": _post(
            "Exchange times, so that the box can turn the stamp of a press into its own time", exchange,
            object_of(id=INTEGER), paired=True,
        ),
    }  # fmt: skip


def _get(summary: str, schema: Json, *errors: str, kind: str = "application/json", of: Sequence[Json] = ()) -> Json:
    asked: Json = {"summary": summary, "responses": _responses(summary, schema, "403", *errors, kind=kind)}
    return {"get": asked | ({"parameters": list(of)} if of else {})}


def _post(
    summary: str, body: Json, schema: Json, *errors: str, paired: bool = False, optional: Sequence[str] = (),
    examples: Json | None = None,
) -> Json:  # fmt: skip
    errors = ("400", "403", "408", "413", "415", *errors, *(("401", "429", "503", "504") if paired else ()))
    required = [key for key in body if key not in optional]
    bears = {**object_of(**body), "required": required, "additionalProperties": False}
    content = {"schema": bears} | ({"examples": examples} if examples else {})
    asked: Json = {
        "summary": summary,
        "parameters": [SCRIPT],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": _responses(summary, schema, *errors),
    }
    return {"post": asked | ({"security": [{"phone": []}]} if paired else {})}


def _responses(summary: str, schema: Json, *errors: str, kind: str = "application/json") -> Json:
    error = {"application/json": {"schema": shape("Error")}}
    refusals = {status: {"description": WHY[status], "content": error} for status in sorted(errors)}
    return {"200": {"description": summary, "content": {kind: {"schema": schema}}}, **refusals}
