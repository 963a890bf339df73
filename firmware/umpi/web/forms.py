"""Asks as JSON forms: the possible values of each field, and the reasons why some are not allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from umpi.i18n.translate import player_label, tr, tr_context
from umpi.kernel.drawn import completed, first_of_pool, is_own
from umpi.kernel.fields import Each, Field, Forms, Given, Number, Pick, Profile, Some, Text, Value, private_to, show
from umpi.kernel.game import Ask, nothing_more
from umpi.kernel.match import refusal
from umpi.kernel.messages import Name
from umpi.referee.phones import refereed
from umpi.table.telling import ACT
from umpi.web import documents


def ask_form(ask: Ask, players: Sequence[str], fields: Sequence[documents.Field] | None = None) -> documents.Ask:
    """Return the form of an ask with its own fields, of which everybody may see the values; `fields` if they are given.

    `more` shows whether further fields depend on the answers. `alone` is the seat whose phone has a field to itself.
    """
    alone = next((seat for field in ask.fields if not is_own(field) and (seat := private_to(field)) is not None), None)
    return {
        "verb": ask.verb,
        "label": tr_context(ACT, ask.verb),
        "text": tr(ask.text, players),
        "help": tr(ask.help, players),
        "seat": ask.seat,
        "rare": ask.rare,
        "referee": refereed(ask),
        "then": ask.followed_by,
        "secret": ask.secret,
        "alone": alone,
        "usual": None if ask.usual is None or alone is not None else dict(ask.usual),
        "more": ask.more is not nothing_more or alone is not None,
        "fields": _everybodys(ask, players) if fields is None else [*fields],
    }


def _everybodys(ask: Ask, players: Sequence[str]) -> list[documents.Field]:
    return [field_form(field, players) for field in ask.fields if not is_own(field) and private_to(field) is None]


def following(ask: Ask, given: Given, players: Sequence[str], seat: int | None = None) -> documents.Form:
    """Return the form of an ask after the given answers for the phone of a seat, and why the act would be refused.

    A field that depends on an answer is included once all earlier answers are given and valid. The reason is "" if the
    act is allowed.
    """
    known: dict[str, Value] = {}
    fields = [field for field in ask.fields if not is_own(field) and private_to(field) in (None, seat)]
    asked = {field.name for field in fields}
    for field in ask.walk(known):
        if is_own(field):
            known[field.name] = field.sample(first_of_pool)
            continue
        if (owner := private_to(field)) not in (None, seat):
            only = tr("Only {who} may see that.", who=Name(players[owner]))
            return {"fields": [field_form(each, players) for each in fields], "refusal": only}
        if field.name not in asked:
            fields.append(field)
        if field.name in given:
            if field.refuse(given[field.name]):
                break
            known[field.name] = given[field.name]
        elif not field.optional:
            break
    refused = tr(refusal(ask, completed(ask, given, first_of_pool)), players)
    return {"fields": [field_form(field, players) for field in fields], "refusal": refused}


def field_form(field: Field, players: Sequence[str]) -> documents.Field:
    """Return the form of a field."""
    name = (field.text if isinstance(field, (Number, Pick, Some, Text, Forms)) else "") or field.name
    source = cast(documents.Source, field.source)  # a field of the box's own is in no form
    form: documents.Field = {
        "name": field.name, "label": tr(name, players), "kind": "text", "source": source, "optional": field.optional,
    }  # fmt: skip
    match field:
        case Pick():
            return form | {
                "kind": "pick", "aside": field.in_menu, "in_order": field.in_order, "options": _options(field, players),
            }  # fmt: skip
        case Number():
            return form | {"kind": "number", "low": field.low, "high": field.high, "null": field.null}
        case Some():
            ends = [kind for kind in _kinds(field) if field.until(kind)] if field.until else []
            return form | {
                "kind": "some", "aside": field.in_menu, "options": _options(field, players), "least": field.least,
                "most": field.most, "again": field.again, "ends": ends,
            }  # fmt: skip
        case Text():
            return form | {"kind": "text", "least": field.least, "most": field.most, "null": field.null}
        case Each():
            return form | {"kind": "each", "fields": [field_form(each, players) for each in field.fields]}
        case Forms():
            fields = [field_form(each, players) for each in field.fields]
            return form | {
                "kind": "forms", "aside": field.in_menu, "fields": fields, "least": field.least, "most": field.most,
            }  # fmt: skip
        case Profile():  # only an option of a table, never part of a question; a form can only send null
            return form | {"kind": "text", "least": 0, "most": 0, "null": True}


def _kinds(field: Pick | Some) -> list[Value]:
    """Return all values that the field may ever have, distinct by type and value."""
    return list({(type(kind), kind): kind for kind in field.all_values or field.pool}.values())


def _options(field: Pick | Some, players: Sequence[str]) -> list[documents.Option]:
    return [_option(field, kind, players, count) for kind, count in _counted(field)]


def _counted(field: Pick | Some) -> list[tuple[Value, int]]:
    """Return each value with its number of copies in the pool. Values of different types are different."""
    there = Counter((type(value), value) for value in field.pool)
    return [(kind, there[type(kind), kind]) for kind in _kinds(field)]


def _option(field: Pick | Some, value: Value, players: Sequence[str], count: int) -> documents.Option:
    """Return one option: its value, label, the parts of a word such as fire-2, its count and why it is off."""
    text, parts = _label(field, value, players)
    off = "" if count else tr(_why(field, value), players)
    return {"value": value, "label": text, "words": parts, "count": count, "off": off}


def _label(field: Pick | Some, value: Value, players: Sequence[str]) -> tuple[str, list[str]]:
    if field.name == "seat" and type(value) is int and value in range(len(players)):
        return player_label(players[value]), [player_label(players[value])]
    if isinstance(value, bool) and field.label is show:
        text = tr(field.name) if value else tr("not {what}", what=field.name)
        return text, [text]
    parts = value.split("-") if isinstance(value, str) else [show(value)]
    return tr(field.label(value), players), [tr(part) for part in parts]


def _why(field: Pick | Some, value: Value) -> str:
    """Return why a value is not available. For a list, ask as if for one value."""
    if isinstance(field, Some):
        return field.objection(value) or Pick(field.name, field.pool, field.all_values, field.objection).refuse(value)
    return field.refuse(value)
