"""Values of a session keep their class, because a replayed picture depends on it."""

from __future__ import annotations

import inspect
import json

import pytest

from umpi.i18n.translate import Translated
from umpi.kernel import messages
from umpi.kernel.messages import Figure, Member, Message, Name, Parts, Who, message
from umpi.recording.values import dumped, plain, read_value

VALUES = {
    Message: message("{points} for {who}.", points=3, who=Who(1)),
    Translated: Translated("3 Punkte"),
    Name: Name("Ann"),
    Figure: Figure("212.4"),
    Parts: Parts([Who(0), Name("Ben"), Figure("87.5%")]),
    Who: Who(2),
    Member: Member(2, 1),
}


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
