"""What each look says of a bag that returns something else: seen/ has what somebody read.

Each value stands on a line of its own with all that is said of it, "-" if nothing is. Those just inside and just
outside a limit stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from pathlib import Path
from random import Random
from typing import Any

import pytest
from made_bags import NAMES, draw
from planted.bag import Bag

from scripts import REPO
from tests.kit.seen import check_seen
from umpi import kernel
from umpi.conformance import (
    board,
    calls,
    declaration,
    everywhere,
    keyed,
    names,
    now,
    offers,
    purity,
    shape,
    table_setup,
    texts,
    wider,
)
from umpi.conformance.flaws import Flaw, Look
from umpi.kernel import Match
from umpi.kernel import board as boards
from umpi.kernel.match import Broken
from umpi.kernel.messages import Who, message
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.nothing import nothing

SEEN = Path(__file__).with_name("seen")
FULL, LEFT, OVER = 3, 2, 0  # stones in the bag: before the first act, after it, and at the end
WHERE = re.compile(r" \[(the game's|Umpi's own|its author's)? ?code[^]]*\]|, line \d+|0x[0-9a-f]+")


class Level(IntEnum):
    """A number that is more than a number."""

    ONE = 1


NAMED = {**vars(kernel), **vars(boards), "message": message, "Who": Who, "Level": Level, "nothing": nothing}

VALUES = """
== offers.sound: phase, 3 0
"turn"
"over"
""
None
7
str.title
== offers.sound: wins, 3
"highest"
"lowest"
None
"most"
""
0
== offers.sound: scores, 3
(1, 2)
(1,)
(1, 2, 3)
[1, 2]
(1, True)
(1, 2.0)
(Level.ONE, 1)
None
== offers.sound: result, 3 0
None
Result((1, 2), "why")
Result((1, 1), "why")
Result((2, 1), "why")
Result((1, 3), "why")
Result((2, 2), "why")
Result((0, 1), "why")
Result([1, 2], "why")
Result((1,), "why")
Result((1, 2, 3), "why")
Result((), "why")
Result((1, 2), "")
Result((1, 2), " ")
Result((1, 2), None)
Result((1, 2), 7)
(1, 2)
"over"
== offers.sound: teams, 3 0
()
((0, 1),)
((0,), (1,))
== offers.sound: asks, 3 0
()
== offers.audited: audit, 3
""
"a stone is lost"
== offers.viewed: view, 3
None
View()
View(7)
View(beside=("a",))
View(beside=("a", "b"))
View(beside=("a", "b", "c"))
View(beside=["a", "b"])
View(beside=("a", 1))
View(large=True)
View(beside=("7", ""), large=True)
View(beside=("7", "8"), large=True)
View(rows=(Row("a", ("b",)),))
View(rows=[Row("a", ("b",))])
View(rows=(Row("a", ["b"]),))
View(rows=(Row("a", (1,)),))
View(rows=(Row(1, ("b",)),))
View(rows=("a",))
== offers.viewed: odds, 3
None
()
(Row("a", ("b",)),)
[]
(Row("a", ("b")),)
(7,)
== calls.called: calls, 2
()
None
(Call("drawn", "A stone"),)
(Call("over", "The end"),)
(Call("Drawn", "A stone"),)
(Call("drawn-", "A stone"),)
(Call("9drawn", "A stone"),)
(Call("drawn-9", "A stone"),)
(Call("drawn", ""),)
(Call("drawn", " "),)
(Call("drawn", "A stone →"),)
(Call("drawn", message("{who}", who=Who(1))),)
(Call("drawn", "x", {"seat": 1}),)
(Call("drawn", "x", {"seat": 2}),)
(Call("drawn", "x", {"seat": -1}),)
(Call("drawn", "x", {"seat": "0"}),)
(Call("drawn", "x", {"kind": 1}),)
(Call("drawn", "x", {"text": 1}),)
(Call("drawn", "x", {7: 1}),)
(Call("drawn", "x", {"seats": (0, 1)}),)
(Call("drawn", "x", {"seats": (1, 0)}),)
(Call("drawn", "x", {"seats": (0, 0)}),)
(Call("drawn", "x", {"seats": (0, 2)}),)
(Call("drawn", "x", {"seats": ()}),)
(Call("drawn", "x", {"seats": [0, 1]}),)
(Call("a", " "), Call("b", " "))
== calls.called: told, 2
"A stone."
None
7
""
== now.instructed: now, 3 0
None
Now("Red draws.", 0)
Now("Red draws.")
Now("", 0)
Now(" ")
Now("Draw.", 0)
Now("Blue draws.", 0)
Now("Red draws.", 2)
Now("Red draws.", -1)
Now("Red " + "a" * 66, 0)
Now("Red " + "a" * 67, 0)
Now("Red → draws.", 0)
Now("Red → draws.", 0, "Red draws.")
Now("Red draws.", 0, "→")
Now(message("{who} draws.", who=Who(0)), 0)
== table_setup.described: table_setup, 3
()
(message("Fill the bag."),)
("Fill the bag.",)
(message(" "),)
(message(""),)
(message("Fill the bag. " * 5),)
(message("Fill the bag. " * 6),)
(message("Fill the 袋."),)
(message("{who} begins.", who=Who(1)),)
== declaration.json_facts: facts, 3 2
{}
None
[]
{"bag": 1}
{"bag": 1, "hands": 2}
{"bag": 1, "hands": 2, "odd": 3}
{1: 2}
{"bag": [1, (2, None)], "hands": True}
{"bag": 0.5, "hands": "x"}
{"bag": float("nan"), "hands": 0}
{"bag": float("inf"), "hands": 0}
{"bag": {"a": [{1}]}, "hands": 0}
{"bag": {"a": {2: 3}}, "hands": 0}
{"bag": b"", "hands": object}
{"bag": [1, {2}], "hands": {3}}
== board.boarded: shown_board, 3 2
None
Board(())
Board((Line((Card("a"),)),))
Board((Line((Card("a"), Card("a"))),))
7
== texts.fitting: view, 3 0
View("a" * 14)
View("a" * 15)
View("a" * 24)
View("a" * 25)
View(beside=("a" * 9, "b"))
View(beside=("a" * 16, "b"))
View(rows=(Row("a" * 11, ("b" * 12,)),))
View(rows=(Row("a" * 12, ("b" * 14,)),))
View("漢字")
View("?")
View("Red")
View(beside=("12", "3"), large=True)
View(beside=("a" * 12, "3"), large=True)
== texts.fitting: odds, 3
(Row("a" * 12, ("b" * 12,)),)
(Row("a" * 12, ("b" * 13,)),)
(Row("a" * 5, ("b" * 6, "c" * 12)),)
(Row("a" * 5, ("b" * 6, "c" * 13)),)
== texts.fitting: calls, 2
(Call("drawn", "a" * 16),)
(Call("drawn", "a" * 26),)
(Call("drawn", "A stone " * 12),)
(Call("drawn", "袋"),)
== purity.still: passed, 3
(0,)
[0]
{0}
{0: 1}
((0, [1]),)
(frozenset((1,)),)
range(3)
b""
(Level.ONE, None, 1.5, "a")
(Act("draw"),)
object
nothing
"""  # after "==" the look, the member, and how many stones are left; then values of the member
ASKS = """
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 2)
Ask("draw", "Draw", (Pick("stone", (1, 2)),))
Ask("draw", "Draw", (Pick("stone", ()),), 0)
Ask("draw", "Draw", (Pick("stone", {1, 2}),), 0)
Ask("draw", "Draw", (Pick("stone", [1, 2]),), 0)
Ask("draw", "Draw", (Pick("stone", (Level.ONE,)),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 13)),), 0)
Ask("draw", "Draw", (Pick("stone", (frozenset((1,)),)),), 0)
Ask("draw", "Draw", (Pick("stone", ("a" * 22, "b")),), 0)
Ask("draw", "Draw", (Pick("stone", ("a" * 23, "b")),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), label=lambda value: None),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), label=lambda: ""),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), objection=lambda value: None),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), objection=lambda value: "" if value == 1 else "No."),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), objection=lambda value: 7),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2), (1, 2, 3), lambda value: "It is gone."),), 0)
Ask("draw", "Draw", (Number("stone", 1, 3),), 0)
Ask("draw", "Draw", (Number("stone", 3, 3),), 0)
Ask("draw", "Draw", (Number("stone", 3, 2),), 0)
Ask("draw", "Draw", (Number("stone", 1, 9999),), 0)
Ask("draw", "Draw", (Some("stone", (1, 2), 1, 2),), 0)
Ask("draw", "Draw", (Some("stone", (1, 2), 2, 1),), 0)
Ask("draw", "Draw", (Some("stone", {1, 2}, 1, 2),), 0)
Ask("draw", "Draw", (Text("stone", 2, 2),), 0)
Ask("draw", "Draw", (Text("stone", 2, 1),), 0)
Ask("draw", "Draw", (Forms("stone", (Pick("a", (1,)),), 0, 2),), 0)
Ask("draw", "Draw", (Forms("stone", (Pick("a", {1}),), 2, 1),), 0)
Ask("draw", "Draw", (Each("stone", (Pick("a", {1}), Number("b", 2, 1))),), 0)
Ask("draw", "Draw", (Each("stone", (Number("a", 1, 2), Number("b", 1, 2))),), 0)
Ask("draw", "Draw", ("stone",), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("stone", (1, 2))), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("odd", (1, 2))), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("odd", (1, 2), optional=True)), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("loud", (1, 2), optional=True)), 0)
Ask("draw", "Draw", (Pick("seat", (0, 1)), Pick("stone", (1, 2))))
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda given: None)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda: "")
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda given: "No." if given["stone"] == 2 else "")
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda given: "No.")
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, usual={"stone": 1})
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, followed_by="pass")
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, followed_by="sing")
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, followed_by=None)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, weight=0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, weight=-0.1)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, if_refused="pass"), Ask("pass", "Pass", (), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, if_refused="pass"), Ask("pass", "Pass", (Pick("a", (1,)),), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, if_refused="sing"), Ask("pass", "Pass", (), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, if_refused=7)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, rare=True), Ask("pass", "Pass", (), 0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0), Ask("pass", "Pass, and never again for good", (), 0, rare=True)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, after_ms=0)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, help=None)
Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, question=7)
Ask("draw", None, (Pick("stone", (1, 2)),), 0)
Ask("draw", "", (Pick("stone", (1, 2)),), 0)
Ask("draw", " ", (Pick("stone", (1, 2)),), 0)
Ask("draw", "a" * 20, (Pick("stone", (1, 2)),), 0)
Ask("draw", "a" * 40, (Pick("stone", (1, 2)),), 0)
Ask("pass", "Pass", (), 0)
Ask("pass", "Pass", (), 1)
Ask("pass", "Pass")
Ask("pass", "Pass", (Pick("by", (1,)),), 0)
Ask("pass", "Pass", (Pick("note", (1,)),), 0)
Ask("pass", "Pass", (Pick("umpi", (1,)),), 0)
Ask("sing", "Sing", (), 0)
Ask("do-nothing", "Nothing", (), 0)
Ask("draw", "Draw", (Number("stone", 1, 3),), 0), Ask("pass", "Pass", (), 1)
Ask("draw", "Draw", (Number("stone", 1, 3),), 0), Ask("pass", "Pass")
Ask("draw", "Draw", (Number("stone", 1, 3),), 0), Ask("draw", "Again", (Number("stone", 1, 3),), 0)
Ask("draw", "Draw", (Number("stone", 1, 3),), secret=True)
Ask("draw", "Draw", (Number("stone", 1, 3), Pick("seat", (0, 1))), secret=True)
Ask("draw", "Draw", (Number("seat", 0, 1), Number("stone", 1, 3)), secret=True)
Ask("draw", "Draw", (Pick("seat", (0, 1)), Number("stone", 1, 3)), secret=True)
Ask("draw", "Draw", (Pick("seat", ("a",)), Number("stone", 1, 3)), secret=True)
Ask("draw", "Draw", (Pick("seat", (0, 1)), Number("stone", 1, 3)), 0, secret=True)
Ask("draw", "Draw", (Number("stone", 1, 3),), 0, as_team=True)
"""
LOOKS: Mapping[str, Look] = {
    f"{look.__module__.rpartition('.')[2]}.{look.__name__}": look
    for look in (
        offers.sound, offers.audited, offers.viewed, calls.called, now.instructed, table_setup.described,
        declaration.json_facts, board.boarded, texts.fitting, purity.still,
    )
}  # fmt: skip
CLASSES = """
longest=0
longest=1
longest=True
longest=2.0
longest=None
id=""
id=7
title=""
title=" "
title="a" * 21
title="a" * 22
title="a" * 26
title=None
title=7
id=None
seats=range(2, 2)
seats=(2, 3)
seats=2
umpi_api=2
options=[]
options=Number("stones", 3, 12)
options=(Number("stones", 3, 12), 7)
options=(Number("stones", 3, 7),)
options=(Number("stones", 3, 12), Number("more", 1, 2))
options=(Number("pebbles", 3, 12),)
option_help={"stones": "How many."}
option_help={"stone": "How many."}
experiments={"stone": (1,)}
at_buttons={"stones": 3}
at_buttons={"stones": 2}
at_buttons={"stone": 3}
setup=lambda cls, seats, stones=8: None
setup=classmethod(lambda cls: None)
setup=classmethod(lambda cls, seats: None)
setup=classmethod(lambda cls, seats, stones: None)
setup=classmethod(lambda cls, seats, stones=8: None)
objection=lambda cls, seats, stones: ""
objection=classmethod(lambda cls, seats: "")
objection=classmethod(lambda cls: "")
objection=classmethod(lambda cls, seats, stones: "")
objection=classmethod(lambda cls, seats, stones: "No." if seats == 2 else "")
objection=classmethod(lambda cls, seats, **options: "")
objection=classmethod(lambda cls, seats, stone=1: "")
table_setup=lambda cls, seats, stones: ()
table_setup=classmethod(lambda cls, seats: ())
table_setup=classmethod(lambda cls, seats, stone=1: ())
asks=lambda: ()
asks=lambda self, more: ()
asks=lambda self, more=1: ()
audit=lambda: ""
teams=lambda self, more: ()
shown_facts=lambda: {}
standing=lambda: {}
own_hand=lambda self: None
own_hand=lambda self, seat: None
told=lambda self: ""
told=lambda self, act: ""
calls=lambda self, act: ()
calls=lambda self, before, act: ()
do_sing=lambda self: self
do_sing=lambda self, seat: self
do_sing=lambda self, *given: self
do_sing=lambda *given: self
do_sing=lambda self, seat, word: self
do_sing=len
wins="most"
score=lambda self: ()
scorse=lambda self: ()
helper=lambda self: ()
_helper=lambda self: ()
facts=7
__doc__=None
__doc__=" "
__doc__="Made(hands, stones)"
"""  # a member of the bag, and what it is instead
OF_CLASSES = (declaration.declared, declaration.described, wider.limited, names.known, texts.titled)
OF_ASKS: Mapping[str, Look] = {
    "offers": offers.sound, "end": offers.going, "shape": shape.offered, "declaration": declaration.answered,
    "texts": texts.fitting, "screens": everywhere.shown_everywhere, "presses": keyed.played,
}  # fmt: skip


def member(name: str, value: Any, left: int) -> Any:
    """Return a member of the bag that returns a value while so many stones are in the bag."""
    if name == "wins":
        return value
    if name == "told":
        return lambda self, act: value
    if name == "table_setup":
        return classmethod(lambda cls, seats, **options: value)
    if name == "phase":
        return property(lambda self: value if len(self.bag) == left else Bag.phase.__get__(self))
    usual: Callable[..., Any] = getattr(Bag, name)
    return lambda self, *given: value if len(self.bag) == left else usual(self, *given)


def match_at(left: int, **members: Any) -> Match:
    """Return a match of a bag with these members, in which so many stones are left."""
    match = Match(type("Made", (Bag,), {"__doc__": "A bag of its own.", **members}), NAMES, {"stones": FULL})
    for stone in range(1, FULL + 1 - left):
        match.play(draw(stone))
    return match


def said(look: Look, left: int, name: str, text: str) -> str:
    """Return all that a look says of a bag with this value of a member, or how the kernel or the look ends."""
    try:
        value = eval(text, NAMED)
        if name == "passed":  # a field of the position
            match = match_at(left)
            object.__setattr__(match.now, name, value)
        else:
            match = match_at(left, **{name: member(name, value, left)})
        words = [flaw.why for flaw in look(match, Random(1).random)]
    except (Broken, Misshapen) as fault:
        words = [f"{type(fault).__name__}: {fault}"]
    except Exception as fault:  # another look has told what is wrong with the ask
        words = [f"fails with {type(fault).__name__}"]
    return WHERE.sub("", " | ".join(" ".join(word.split()) for word in words)) or "-"


def value_lines() -> Iterator[str]:
    look, name, lefts = LOOKS["offers.sound"], "", list[int]()
    for text in VALUES.strip().splitlines():
        if text.startswith("== "):
            yield text
            which, name, *counts = re.split(r"[:, ]+", text.removeprefix("== "))
            look, lefts = LOOKS[which], [*map(int, counts)]
            continue
        for left in lefts:
            when = f" with {left} stones" if len(lefts) > 1 else ""
            yield f"{text}{when}: {said(look, left, name, text)}"


def test_each_value_gets_the_sentences_that_somebody_has_read() -> None:
    check_seen(SEEN / "values.txt", value_lines())


@pytest.mark.parametrize("name", OF_ASKS)
def test_each_ask_gets_the_sentences_that_somebody_has_read(name: str) -> None:
    """The file has the asks of which something is said."""
    words = ((text, said(OF_ASKS[name], FULL, "asks", f"({text},)")) for text in ASKS.strip().splitlines())
    check_seen(SEEN / f"asks-{name}.txt", (f"{text}\n    {why}" for text, why in words if why != "-"))


@pytest.mark.parametrize("look", OF_CLASSES, ids=lambda look: look.__name__)
def test_each_class_gets_the_sentences_that_somebody_has_read(look: Callable[[type[Any]], Iterator[Flaw]]) -> None:
    """The file has the classes of which something is said."""
    lines = []
    for text in CLASSES.strip().splitlines():
        name, _, value = text.partition("=")
        if look is names.known and value != "lambda self: ()":
            continue  # it reads all modules of a class
        made = type("Made", (Bag,), {"__doc__": "A bag of its own.", name: eval(value, NAMED)})
        try:
            words = [flaw.why for flaw in look(made)]
        except Exception as fault:  # another look has told what is wrong with the class
            words = [f"fails with {type(fault).__name__}"]
        if words:
            lines.append(f"{text}\n    {WHERE.sub('', ' | '.join(words)).replace(f'{REPO}/', '')}")
    check_seen(SEEN / f"classes-{look.__name__}.txt", lines)
