"""Values of a session keep their class, because a replayed picture depends on it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints

import pytest

from umpi.i18n.translate import Translated
from umpi.kernel import messages
from umpi.kernel.messages import Figure, Member, Message, Name, Parts, Who, message, message_n
from umpi.kernel.seal import Seal
from umpi.recording.values import KINDS, digest, dumped, plain, read_value
from umpi.referee.effects import JournalCall
from umpi.referee.events import Event
from umpi.referee.ports import JournalPort
from umpi.table.commands import RemoteCommand

VALUES = {
    Message: message("{points} for {who}.", points=3, who=Who(1)),
    Translated: Translated("3 Punkte"),
    Name: Name("Ann"),
    Figure: Figure("212.4"),
    Parts: Parts([Who(0), Name("Ben"), Figure("87.5%")]),
    Who: Who(2),
    Member: Member(2, 1),
}


def test_a_message_keeps_both_forms_and_its_number() -> None:
    sent = message_n("{who} has a card", "{who} has {number} cards", 3, who=Who(1))
    read = read_value(json.loads(dumped(plain(sent))))
    assert (read, read.template, read.many, read.values) == (sent, sent.template, sent.many, sent.values)


def test_each_class_of_message_is_known_here() -> None:
    own = {kind for _, kind in inspect.getmembers(messages, inspect.isclass) if kind.__module__ == messages.__name__}
    assert {*own, Translated} == set(VALUES)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_is_read_as_the_class_that_was_written(kind: type) -> None:
    inside = message("{value}", value=VALUES[kind])
    read = read_value(json.loads(dumped(plain(inside))))
    assert type(read.values["value"]) is kind
    assert read == inside
    assert str(read.values["value"]) == str(VALUES[kind])
    assert vars(read.values["value"]) == vars(VALUES[kind]) if kind is Member else True


def classes_in(hint: Any, apart: Collection[type]) -> set[type]:
    """Find all dataclasses that a type names, and leave some apart."""
    if not is_dataclass(hint):
        return {kind for each in get_args(hint) for kind in classes_in(each, apart)}
    assert isinstance(hint, type)
    if hint in apart:
        return set()
    return {hint, *(kind for each in get_type_hints(hint).values() for kind in classes_in(each, apart))}


def test_each_class_that_an_event_of_a_box_contains_can_be_read() -> None:
    """No phone gives the commands that are apart; a seal is read from the text of its line."""
    apart = {Seal, *(kind for kind in get_args(RemoteCommand) if kind.phones == "none")}
    found = {kind for each in get_args(Event) for kind in classes_in(each, apart)}
    assert len(found) > len(get_args(Event))
    assert found - {*KINDS.values()} == set()


def test_a_call_of_the_journal_is_noted_by_its_method_and_values() -> None:
    """The checksum of a session must not depend on where a method lies in memory."""
    call: JournalCall[None] = JournalCall(JournalPort.speak, ("hu",))
    assert plain(call) == {"#": "JournalCall", "method": "speak", "values": ["hu"]}
    assert digest([call]) == "dfd467dc"
