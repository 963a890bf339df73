"""The JSON Schemas of the API's responses: the document, its forms, acts and matches."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
BOOLEAN: Json = {"type": "boolean"}
SEAT: Json = {"type": "integer", "minimum": 0, "maximum": 5}
VALUE: Json = {"description": "null, a boolean, a whole number, a text, an object, or a list of these"}

_CALLS: Json = {"type": "array", "items": STRING, "description": "what the referee says about the act, in order"}


def shape(name: str) -> Json:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def one_of(*texts: str) -> Json:
    """Return the schema of one of these texts."""
    return {**STRING, "enum": list(texts)}


def array(items: Json) -> Json:
    """Return the schema of a list of `items`."""
    return {"type": "array", "items": items}


def maybe(schema: Json) -> Json:
    """Return a schema that also allows null."""
    return {"anyOf": [schema, {"type": "null"}]}


def object_of(**properties: Json) -> Json:
    """Return the schema of an object that has all of these properties."""
    return {"type": "object", "properties": properties, "required": list(properties)}


ACT = {
    "type": "object", "properties": {"do": {**STRING, "description": "the verb of an ask"}}, "required": ["do"],
    "additionalProperties": True,
    "description": 'An act as a record has it, "do" and a value a field; `umpi schema GAME` has those of a game.',
}  # fmt: skip


def schemas() -> Json:
    """Return all schemas by name."""
    return _forms() | _state() | {
        "Error": object_of(error={**STRING, "description": "a sentence a player understands"}),
        "Done": object_of(version={**INTEGER, "description": "the first version that shows it"}),
        "Who": maybe(
            {
                "type": "object",
                "properties": {
                    "role": one_of("referee", "seat"), "button": STRING, "seat": maybe(SEAT), "name": STRING,
                },
                "required": ["role"],
            }
        ),
        "Entry": object_of(
            index=INTEGER, seat=maybe(SEAT), text=STRING, calls=_CALLS, line=ACT, at_ms=maybe(INTEGER),
            who=shape("Acted"),
        ),
        "Player": object_of(seat=SEAT, name=STRING, button=SEAT),
        "Over": object_of(
            winners={**array(SEAT), "description": "empty if all have lost"},
            together={**BOOLEAN, "description": "the winners are one team"},
            places={**array(INTEGER), "description": "by seat; if all have lost, each is 2"}, why=STRING,
        ),
        "Acted": {**STRING, "description": "panel, phone:Red, phone:referee, funnel, rail, scanner, table or box"},
        "Past": _past(),
        "Result": _result(),
        "Stats": _stats(),
        "Rules": _rules(),
        "Lesson": _lesson(),
        "Games": _games(),
    }  # fmt: skip


def _past() -> Json:
    past = object_of(
        id=INTEGER, uid={**STRING, "description": "the same on every box, \"\" in the journal of an old Umpi"},
        game=maybe(STRING), title=maybe(STRING), began=STRING, players=array(shape("Player")),
        ended={**maybe(STRING), "description": "when it was last over, by the clock of the box; null if it is not"},
        rules={**STRING, "description": "the rule set that was chosen, \"\" for the rule sheet or options of its own"},
        over=maybe(shape("Over")), scores=maybe(array(maybe(INTEGER))), winners=array(SEAT),
        open={**BOOLEAN, "description": "the players have not finished with it"},
        error={**STRING, "description": 'where and why it no longer replays, "" where it does'},
    )  # fmt: skip
    progress = "the scores after each act that stands; empty while the game hides them"
    past["properties"]["progress"] = {**array(array(INTEGER)), "description": progress}
    return past


def _result() -> Json:
    return object_of(
        uid={**STRING, "description": "the same on every box"},
        match={**INTEGER, "description": "its number on this box"},
        revision={**INTEGER, "description": "grows whenever the match or its names change"},
        game=STRING, title=STRING, rules=STRING, began=STRING, ended=maybe(STRING), over=BOOLEAN,
        players=array(object_of(seat=INTEGER, name=STRING, button=INTEGER)),
        scores={**array(INTEGER), "description": "by seat; empty if it is not over"},
        places={**array(INTEGER), "description": "by seat, empty if it is not over; if all have lost, each is 2"},
        winners={**array(INTEGER), "description": "empty if it is not over, or if all have lost"},
        error={**STRING, "description": "why it cannot be read, \"\" if it can"},
    )  # fmt: skip


def _table() -> Json:
    options: Json = {"type": "object", "additionalProperties": True}
    return object_of(
        game=STRING, title=STRING, players=array(shape("Player")), rules=STRING, options=options, moderator=STRING
    )


def _games() -> Json:
    options: Json = {"type": "object", "additionalProperties": True}
    option: Json = object_of(
        name=STRING, label=STRING, help=STRING,
        experiment={**BOOLEAN, "description": "a number of the rules, for play-testing"},
        kind=one_of("pick", "number", "each", "fixed"),
    )  # fmt: skip
    option["properties"] |= {
        "values": {**array(object_of(value=VALUE, label=STRING)), "description": "pick: all there are"},
        "low": INTEGER,
        "high": INTEGER,
        "null": {**BOOLEAN, "description": "number: null is a value too"},
        "none": {**STRING, "description": "number: the label of null"},
        "fields": {**array(shape("Field")), "description": "each: a number for each place of the list"},
    }
    name = {**STRING, "description": 'the name in umpi.toml, "" for the rule sheet'}
    usual = object_of(
        rules={**maybe(STRING), "description": "null if no rule set has these options"}, options=options
    )  # fmt: skip
    game = object_of(
        game=STRING, title=STRING, seats={**array(INTEGER), "description": "the possible numbers of players"},
        judged={**BOOLEAN, "description": "somebody judges answers, so there may be a moderator"},
        chooses_first={**BOOLEAN, "description": "false if the game itself decides who starts"},
        rules=array(object_of(name=name, label=STRING, options=options)),
        usual={**usual, "description": "what the box offers first"}, options=array(option),
    )  # fmt: skip
    last = _table()
    return object_of(
        games=array(game), last={**maybe(last), "description": "the table that plays again, null if there is none"}
    )


def _lesson() -> Json:
    step = object_of(
        text=STRING, question={**STRING, "description": 'what the learner is asked, "" if they only watch'},
        expected={**STRING, "description": "the acts of the lesson, in words"},
        answers={**array(STRING), "description": "acts to choose from, that of the lesson among them"},
        scores={**array(INTEGER), "description": "before the acts"}, calls=array(shape("Call")),
    )  # fmt: skip
    return object_of(game=STRING, title=STRING, players=array(shape("Player")), steps=array(step))


def _stats() -> Json:
    shared = {**INTEGER, "description": "first places shared with others; these are not among those won"}
    best = {**maybe(INTEGER), "description": "null where it cannot be told whether the most or the fewest points win"}
    figures = object_of(
        name=STRING, matches=INTEGER, won=INTEGER, shared=shared, mean=maybe({"type": "number"}), best=best
    )
    ahead = {**array(INTEGER), "description": "how often each of them was placed ahead of the other"}
    tally = object_of(
        game={**maybe(STRING), "description": "null: all games; means and best scores are null there"},
        title=maybe(STRING), matches=INTEGER, open={**INTEGER, "description": "not over: they count nowhere else"},
        players=array(figures), pairs=array(object_of(names=array(STRING), ahead=ahead, level=INTEGER)),
        rules={**array(object_of(name=STRING, matches=INTEGER)), "description": "matches by a named rule set"},
    )  # fmt: skip
    unread = {**array(object_of(match=INTEGER, why=STRING)), "description": "matches whose end cannot be read"}
    return object_of(tallies=array(tally), unread=unread)


def _rules() -> Json:
    block: Json = object_of(kind=one_of("paragraph", "list", "table", "example"))
    step = object_of(
        act={**STRING, "description": 'the act that led to the position, "" at the beginning'}, calls=array(STRING),
        notes=array(STRING), turn=maybe(SEAT), scores=array(INTEGER), beside=array(STRING), head=STRING,
        rows=array(array(STRING)),
    )  # fmt: skip
    block["properties"] |= {
        "text": STRING,
        "items": array(STRING),
        "numbered": BOOLEAN,
        "head": array(STRING),
        "rows": array(array(STRING)),
        "name": STRING,
        "title": STRING,
        "players": array(STRING),
        "steps": {**array(step), "description": "example: its positions, the first before any act"},
        "error": {**STRING, "description": 'example: why it cannot be shown, "" if it can'},
    }
    return object_of(
        game=STRING, title=STRING, language=STRING, sections=array(object_of(title=STRING, blocks=array(block))),
        missing={**STRING, "description": 'that these are the English rules for want of others, "" if not'},
    )  # fmt: skip


def _forms() -> Json:
    field: Json = object_of(
        name=STRING, label=STRING, kind=one_of("pick", "number", "some", "text", "each", "forms"),
        source=one_of("will", "table", "cube", "buzz", "scan"), optional=BOOLEAN,
    )  # fmt: skip
    field["properties"] |= {
        "aside": {**BOOLEAN, "description": "seldom answered: it may be left to a second step"},
        "options": {**array(shape("Option")), "description": "pick, some: all there ever are"},
        "low": INTEGER,
        "high": INTEGER,
        "null": {**BOOLEAN, "description": "number, text: null is an answer too"},
        "least": INTEGER,
        "most": INTEGER,
        "again": {**BOOLEAN, "description": "some: a value may come any number of times"},
        "ends": {**array(VALUE), "description": "some: the values that end the list"},
        "fields": {**array(shape("Field")), "description": "each: one a place; forms: those of every object"},
    }
    option = object_of(
        value=VALUE, label=STRING, off={**STRING, "description": 'why it cannot be chosen, "" where it can'},
        words={**array(STRING), "description": "the parts of a word such as fire-2"},
        count={**INTEGER, "description": "how often it is there"},
    )  # fmt: skip
    ask = object_of(
        verb=STRING, label=STRING, text=STRING, help={**STRING, "description": "the rule itself"}, rare=BOOLEAN,
        referee={**BOOLEAN, "description": "only the referee's phone and the box may give this act"},
        seat={**maybe(SEAT), "description": "who is asked; null: nobody, or anybody"},
        then={**STRING, "description": "the verb that usually follows at once"},
        secret={**BOOLEAN, "description": "each seat answers unseen, and all answers appear together"},
        usual=maybe({"type": "object", "additionalProperties": True}),
        more={**BOOLEAN, "description": "fields may follow from the answers: /api/form tells them"},
        fields=array(shape("Field")),
    )  # fmt: skip
    return {"Field": field, "Option": option, "Ask": ask}


def _state() -> Json:
    match = object_of(
        id=INTEGER, game=STRING, title=STRING, kind=STRING, options={"type": "object", "additionalProperties": True},
        players=array(shape("Player")), phase=STRING, turn=maybe(SEAT),
        pieces={
            "type": "object", "additionalProperties": one_of("card", "die", "dode"),
            "description": "the fields whose values are pieces, by their names",
        },
        scores={**array(maybe(INTEGER)), "description": "null each while the game hides them"}, hidden=BOOLEAN,
        ranks={**maybe(array(INTEGER)), "description": "places by the scores now; null where unknown or hidden"},
        beside=array(STRING),
        live={**BOOLEAN, "description": "what stands beside the scores is what the table looks at now"}, head=STRING,
        rows={**array(array(STRING)), "description": "a label and its cells each"}, over=maybe(shape("Over")),
        acts=INTEGER, moderator={**STRING, "description": "who judges the answers and does not play"},
        judge={**STRING, "description": 'says who judges the answers, "" if nobody does'},
    )  # fmt: skip
    question = object_of(
        id={**STRING, "description": "names this question in every POST: another with each line of the record"},
        title=STRING, asks=array(shape("Ask")),
        answered={**array(SEAT), "description": "the seats that have answered a secret question; others have not yet"},
    )  # fmt: skip
    margin = {**maybe(INTEGER), "description": "microseconds to the next"}
    close = {**BOOLEAN, "description": "too close to call with another place"}
    place = object_of(name=STRING, seat=maybe(SEAT), button=maybe(SEAT), margin_us=margin, close=close)
    state = object_of(
        boot=STRING, version={"type": "integer", "minimum": 1}, language=STRING, screen=one_of("welcome", "play"),
        showing={
            **maybe(object_of(texts=array(STRING), keys=array(STRING))),
            "description": "what the screen of the box shows, and the choices of its keys; null during a match",
        },
        match=maybe(match), question=maybe(question), paused=BOOLEAN, clock=STRING,
        seen=maybe({"anyOf": [object_of(text=STRING), object_of(order=array(place))]}),
        doubt={**maybe(object_of(text=STRING, seats=array(SEAT))), "description": "to be settled before all else"},
        unsaved={**STRING, "description": 'why nothing can be written, "" where all is on disk'},
        troubles=array(object_of(device=STRING, text=STRING)),
        joining={
            **maybe(array(object_of(claim=STRING, button=SEAT, name=STRING))),
            "description": "the phones that ask for seats, null unless players have opened that at the box",
        },
        hint={
            **maybe(object_of(**{"for": array(STRING), "text": STRING})),
            "description": 'what the box would do, "" until it is found; null if it gives no hints; "for": who asked',
        },
        joined={
            **array(object_of(button=SEAT, name=STRING)),
            "description": "the names that phones gave for their buttons: those of the next match",
        },
        next={**maybe(_table()), "description": "the table of the match that a club offers next, null if none"},
        referee={**BOOLEAN, "description": "whether a referee's phone is paired; if not, judgements are for the box"},
        setup={**array(STRING), "description": "how to set the game up, as long as no act has been made"},
        calls={**array(shape("Call")), "description": "what the referee says about the last answer, in order"},
        last=maybe(object_of(who=shape("Acted"), text=STRING)),
    )  # fmt: skip
    state["properties"]["skipped"] = {**INTEGER, "description": "in a stream: the versions that this looker missed"}
    call = {
        **object_of(kind=STRING, text=STRING), "additionalProperties": True,
        "description": "a sentence of the referee, and the facts that its kind has",
    }  # fmt: skip
    return {"State": state, "Call": call}
