"""Values of a session keep their class, because a replayed picture depends on it."""

from __future__ import annotations

import inspect
import json

import pytest

from umpi.i18n.translate import Translated
from umpi.kernel import messages
from umpi.kernel.messages import Figure, Member, Message, Name, Parts, Who, message, message_n
from umpi.recording.values import digest, dumped, plain, read_value
from umpi.referee.effects import JournalCall
from umpi.referee.ports import JournalPort

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


def test_a_call_of_the_journal_is_noted_by_its_method_and_values() -> None:
    """The checksum of a session must not depend on where a method lies in memory."""
    call: JournalCall[None] = JournalCall(JournalPort.speak, ("hu",))
    assert plain(call) == {"#": "JournalCall", "method": "speak", "values": ["hu"]}
    assert digest([call]) == "dfd467dc"
