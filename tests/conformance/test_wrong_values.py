"""What each look says of a bag that returns something else: seen/ has what somebody read.

Each value stands on a line of its own with all that is said of it, "-" if nothing is. Those just inside and just
outside a limit stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from random import Random
from typing import Any

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
from umpi.conformance.flaws import Look
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

LOOKS: Mapping[str, Look] = {
    f"{look.__module__.rpartition('.')[2]}.{look.__name__}": look
    for look in (
        offers.sound, offers.audited, offers.viewed, calls.called, now.instructed, table_setup.described,
        declaration.json_facts, board.boarded, texts.fitting, purity.still, shape.offered,
    )
}  # fmt: skip
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


def value_in(line: str) -> str:
    """Return the value at the begin of a line: it ends where Python can read it."""
    for end in re.finditer(r"( with \d stones)?:( |$)", line):
        with suppress(SyntaxError):
            compile(line[: end.start()], "value", "eval")
            return line[: end.start()]
    raise AssertionError(f"no value: {line}")


def value_lines(lines: list[str]) -> Iterator[str]:
    """Try again each value of some lines, for the look and the member above it, and how many stones are left."""
    look, name, lefts, tried = LOOKS["offers.sound"], "", list[int](), set[str]()
    for line in lines:
        if line.startswith("== "):
            yield line
            which, name, *counts = re.split(r"[:, ]+", line.removeprefix("== "))
            look, lefts, tried = LOOKS[which], [*map(int, counts)], set()
        elif (text := value_in(line)) not in tried:
            tried.add(text)
            for left in lefts:
                when = f" with {left} stones" if len(lefts) > 1 else ""
                yield f"{text}{when}: {said(look, left, name, text)}"


def test_each_value_gets_the_sentences_that_somebody_has_read() -> None:
    """To add a value, write it with a colon below its header in values.txt, and approve what is said of it."""
    check_seen(SEEN / "values.txt", list(value_lines((SEEN / "values.txt").read_text("utf-8").splitlines())))


def unindented(file: Path) -> Iterator[str]:
    return (line for line in file.read_text("utf-8").splitlines() if not line.startswith(" "))


def test_each_ask_gets_the_sentences_that_somebody_has_read() -> None:
    """To add an ask, write it into asks.txt, and approve what is said of it, look by look."""
    lines = []
    for text in unindented(SEEN / "asks.txt"):
        words = {name: said(look, FULL, "asks", f"({text},)") for name, look in OF_ASKS.items()}
        lines += [text, *(f"    {name}: {why}" for name, why in words.items() if why != "-")]
    check_seen(SEEN / "asks.txt", lines)


def test_each_class_gets_the_sentences_that_somebody_has_read() -> None:
    """To add a member of the bag, write it into classes.txt, and approve what is said of the class, look by look."""
    lines = []
    for text in unindented(SEEN / "classes.txt"):
        lines.append(text)
        name, _, value = text.partition("=")
        for look in OF_CLASSES:
            if look is names.known and value != "lambda self: ()":
                continue  # it reads all modules of a class
            made = type("Made", (Bag,), {"__doc__": "A bag of its own.", name: eval(value, NAMED)})
            try:
                words = [flaw.why for flaw in look(made)]
            except Exception as fault:  # another look has told what is wrong with the class
                words = [f"fails with {type(fault).__name__}"]
            if words:
                words = [WHERE.sub("", word).replace(f"{REPO}/", "") for word in words]
                lines.append(f"    {look.__name__}: {' | '.join(words)}")
    check_seen(SEEN / "classes.txt", lines)
