"""The OpenAPI 3.1 description of the API: requests, responses and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from umpi.web.content import JSON
from umpi.web.documents import COMPONENTS, Error
from umpi.web.operations import Endpoint, Query, Tag
from umpi.web.schema import Json, inline_schema, schema_of

TAGS: Mapping[Tag, str] = {
    "table": "What the table shows",
    "moves": "Answer, undo and correct, with a phone that is paired",
    "start": "Choose and start a game",
    "pairing": "Let a phone or a script act",
    "past": "Past matches, results and statistics",
    "rules": "Rules and lessons",
    "box": "The box itself",
}
WHY = {
    400: "Not the expected JSON, or a key of the query that is unknown or there twice",
    401: "This phone is not paired",
    403: "Not this seat's, or not from the box's own page or name",
    404: "There is none",
    408: "The body came too slowly",
    409: "The question has passed, or a match is on; says what has happened instead",
    413: "Too long: an act or a start has 16 kB at most, all else 4 kB",
    415: "Not application/json",
    422: "The rules refuse it; says why",
    429: "Too soon after a wrong code, or too often; Retry-After says when",
    503: "The box does not answer and has done nothing, or too many look at once",
    504: "The box has taken it, but does not answer in time",
}
SENT = 400, 408, 413, 415  # what may be wrong with any body
PAIRED = 401, 429, 503, 504  # what may be wrong with any request of a paired phone
PATH_KEYS: Mapping[str, Json] = {
    "number": {"type": "integer", "minimum": 1},
    "game": {"type": "string"},
    "index": {"type": "integer", "minimum": 0},
    "step": {"type": "integer", "minimum": 0},
}
PATH_KEY = re.compile(r"{(\w+)(?::\w+)?}")
SCRIPT = {
    "name": "Umpi", "in": "header", "required": False, "schema": {"type": "string", "enum": ["1"]},
    "description": "A script sends this; a page of the box sends Origin instead.",
}  # fmt: skip
ABOUT = (
    "The table of an Umpi box. Anybody on its network may look; a phone that was paired at the box may act. "
    "Texts for players are in the box's language."
)


def describe(endpoints: Iterable[Endpoint], named: Callable[[str], str] = lambda path: path) -> Json:
    """Return the description of these operations; `named` returns a path as the description names it."""
    paths = {
        named(PATH_KEY.sub(r"{\1}", each.operation.path)): {each.operation.method.lower(): _described(each)}
        for each in endpoints
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Umpi, the desk", "version": "1", "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {name: inline_schema(hint, COMPONENTS) for hint, name in COMPONENTS.items()},
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": "umpi"}},
        },
    }  # fmt: skip


def _described(endpoint: Endpoint) -> Json:
    operation, (summary, more) = endpoint.operation, endpoint.texts
    sends = operation.method == "POST"
    examples = {name: {"value": value} for name, value in (operation.examples or {}).items()}
    example: Json = {} if operation.example is None else {"example": operation.example}
    parameters = [
        *([SCRIPT] if sends else ()),
        *map(_path_key, PATH_KEY.findall(operation.path)),
        *map(_query, operation.query),
    ]
    described: Json = {
        "operationId": operation_id(operation.path),
        "tags": [operation.tag],
        "summary": summary,
        "responses": _responses(endpoint, {} if sends else example),
    }
    if more:
        described["description"] = more
    if parameters:
        described["parameters"] = parameters
    if operation.paired:
        described["security"] = [{"phone": []}]
    if sends:
        schema = {"schema": schema_of(endpoint.body, COMPONENTS, closed=True)}
        content = schema | ({"examples": examples} if examples else example)
        described["requestBody"] = {"required": True, "content": {JSON: content}}
    return described


def _path_key(name: str) -> Json:
    return {"name": name, "in": "path", "required": True, "schema": PATH_KEYS[name]}


def _query(query: Query) -> Json:
    name, hint, about = query
    return {"name": name, "in": "query", "required": False, "schema": schema_of(hint, {}), "description": about}


def _responses(endpoint: Endpoint, example: Json) -> Json:
    operation = endpoint.operation
    schema = schema_of(endpoint.document, COMPONENTS) if operation.media == JSON else {"type": "string"}
    sent, paired = SENT if operation.method == "POST" else (), PAIRED if operation.paired else ()
    error = {JSON: {"schema": schema_of(Error, COMPONENTS)}}
    query = (400,) if endpoint.in_api else ()
    refused = sorted({403, *query, *operation.refusals, *sent, *paired})
    responses: Json = {
        "200": {
            "description": endpoint.texts[0],
            "content": {operation.media.partition(";")[0]: {"schema": schema, **example}},
        }
    }
    responses |= {str(status): {"description": WHY[status], "content": error} for status in refused}
    if operation.unwell:
        responses["503"] = {"description": operation.unwell, "content": {JSON: {"schema": schema}}}
    return responses


def operation_id(path: str) -> str:
    """Return the name of the operation at a path, for generators of clients.

    >>> operation_id("/api/matches/{number}/record"), operation_id("/api/stats.csv"), operation_id("/healthz")
    ('matches_number_record', 'stats_csv', 'healthz')
    """
    name = PATH_KEY.sub(r"\1", path).removeprefix("/api").strip("/")
    return re.sub(r"\W", "_", name)
