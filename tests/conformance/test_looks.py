"""Each look by itself: what it takes for a flaw, on the bag with one thing changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Literal, overload

import pytest
from made_bags import NAMES, asking, draw, reasons
from planted.around import Onward
from planted.bag import Bag

from tests.kit.seen import check_seen
from umpi.conformance import declaration, identities, keyed, legality, offers, presses, purity, speed, texts
from umpi.conformance.flaws import Flaw
from umpi.conformance.shortest import shortest
from umpi.conformance.still import movable, traced
from umpi.games.quiz import Quiz
from umpi.kernel import Act, Ask, Dice, Each, Match, Number, Pick, Some, Text, View, replace
from umpi.kernel.match import Refused
from umpi.kernel.record import Header
from umpi.kernel.registry import games


def bag(**members: Any) -> type[Any]:
    """Make the bag with some members of its own."""
    return type("Made", (Bag,), {"__doc__": "A bag of its own.", **members})


def match_of(*acts: Act, players=NAMES, **members: Any) -> Match:
    match = Match(bag(**members), players)
    for act in acts:
        match.play(act)
    return match


class Formed(Bag):
    """Its acts have fields that depend on each other: it says so by overloads, which must not overlap."""

    @overload
    def do_draw(self, seat: int, stone: Literal[1, 2]) -> Any: ...
    @overload
    def do_draw(self, seat: int, stone: Literal[2, 3]) -> Any: ...
    def do_draw(self, seat: int, stone: int) -> Any:
        return self


def formed(stone: int) -> Match:
    asks = asking(Ask("draw", "Draw", (Pick("stone", (stone,)),), 0))
    return Match(type("Formed", (Formed,), {"asks": asks, "__doc__": "A bag."}), NAMES)


def asked(*asks: Ask, **members: Any) -> Match:
    return match_of(asks=asking(*asks), **members)


def played(playing: Callable[[Match, Act], object]) -> Match:
    """Return a match of the bag in which an act is played in another way."""
    return type("Playing", (Match,), {"play": playing})(Bag, NAMES)


def wrongly(verb: str, says: str, **given: object) -> Match:
    """Return a match that refuses some acts for a reason of its own."""

    def play(match: Match, act: Act) -> object:
        if act.verb == verb and given.items() <= {**act.given, "by": act.by}.items():
            raise Refused(says)
        return Match.play(match, act)

    return played(play)


def accepting(match: Match, act: Act) -> object:
    return Match.play(match, draw(min(match.now.bag)) if act.verb == "no-such-act" else act)


def failing(match: Match, act: Act) -> object:
    if act.verb == "no-such-act":
        raise legality.Broken("The rules fail on it.")
    return Match.play(match, act)


def marking(self, seat):
    self.facts.__func__.__defaults__[0].append(seat)
    return Bag.do_pass(self, seat)


def turning(self, stone):
    object.__setattr__(self, "turn", self.turn + 2)
    return f"Stone {stone} has been drawn."


def counting(*acts: Act, **members: Any) -> Match:
    """Return a match whose facts are others each time."""
    calls = iter(range(999))
    return match_of(*acts, facts=lambda self: {"n": next(calls)}, **members)


def sliding() -> Match:
    numbers = iter(range(4, 99))
    return match_of(draw(1), scores=lambda self: (next(numbers) // 6,) * 2)


def twice_only() -> Match:
    times = iter((1, 1))
    return match_of(Act("pass"), do_pass=lambda self, seat: Bag.do_pass(self, seat) if next(times, 0) else {}["gone"])


def shuffled() -> Match:
    chance = Random(1)
    return match_of(
        Act("pass"), do_pass=lambda self, seat: replace(self, bag=tuple(chance.sample(self.bag, len(self.bag))))
    )


def rewritten(first: Act) -> Match:
    """Return a match in which another act stands than was played."""
    match = match_of(Act("pass"), draw(2), draw(1))
    match.acts[:] = [first, draw(1), draw(1)]
    return match


def onward() -> Match:
    match = Match(Onward, NAMES)
    for stone in (1, 2, 3):
        match.play(draw(stone))
    return match


def quiz() -> Match:
    match = Match(Quiz, NAMES)
    match.play(Act("open"))
    return match


def said_as(field: Any, value: object) -> Match:
    return match_of(Act("draw", {"stone": value}), asks=asking(Ask("draw", "Draw", (field,), 0)), do_draw=same)


def beside(text: str) -> Match:
    """Return a match of four long names; players choose them, so they may be cut as long as they differ."""
    scores, view = (9_999,) * 4, View(beside=(text,) * 4)
    return match_of(players=("Blaa", "Blab", "Blba", "Blbb"), scores=lambda self: scores, view=lambda self: view)


class Turncoat(Number):
    def refuse(self, value):
        return "Not today."


def same(self, seat, **given):
    return self


STONE = Ask("draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda given: "no" if given["stone"] == 2 else "")
MARKS = Ask("draw", "Draw", (Each("marks", (Number("a", 0, 3), Number("b", 0, 3))),), 0)
SOME = Ask("draw", "Draw", (Some("marks", (1, 2), 1, 2, all_values=(1, 2, 3)),), 0)
WIDE = Ask("draw", "Draw", (Number("stone", 1, 10**6),), 0)
LOOKS: dict[str, tuple[Any, Callable[[], Match]]] = {
    "a value that cannot be written": (
        declaration.answered, lambda: asked(Ask("draw", "Draw", (Pick("stone", (frozenset((1,)),)),), 0)),
    ),
    "an act that the class has not": (declaration.answered, lambda: asked(Ask("sing", "Sing"))),
    "an overload that fits": (declaration.answered, lambda: formed(1)),
    "two overloads that fit": (declaration.answered, lambda: formed(2)),
    "no overload that fits": (declaration.answered, lambda: formed(4)),
    "an act that changes the position it is done in": (
        purity.pure,
        lambda: match_of(Act("pass"), do_pass=marking, facts=lambda self, marks=[]: {"marks": tuple(marks)}),
    ),
    "an act that rolls its own dice": (purity.pure, shuffled),
    "a value that fits no act": (legality.lawful, lambda: asked(STONE)),
    "a pool without values": (legality.lawful, lambda: asked(Ask("draw", "Draw", (Pick("stone", ()),), 0))),
    "an act that fails at an end": (
        legality.lawful,
        lambda: asked(WIDE, do_draw=lambda self, seat, stone, loud=False: self if stone < 10**6 else {}["gone"]),
    ),
    "an act that takes no such field": (
        legality.lawful, lambda: asked(Ask("draw", "Draw", (), 0), Ask("pass", "Pass", (Pick("odd", (1,)),), 0)),
    ),
    "six of a kind, which two random games do not see": (
        legality.lawful,
        lambda: asked(
            Ask("roll", "Roll", (Dice("dice", 6, 6),), 0),
            do_roll=lambda self, seat, dice: {6: {}["gone"]} if dice == (5,) * 6 else self,
        ),
    ),
    "a refusal that changes the position": (legality.refused, lambda: match_of(draw(3), _gone=turning)),
    "what must be refused": (legality.refused, lambda: match_of(draw(3))),
    "what is accepted, though it is not offered": (legality.refused, lambda: played(accepting)),
    "what breaks the rules, though it is not offered": (legality.refused, lambda: played(failing)),
    "another reason for an act": (legality.refused, lambda: wrongly("no-such-act", "It is not your turn.")),
    "another reason for a field": (legality.refused, lambda: wrongly("draw", "No such stone.", no_such_field=1)),
    "another reason for a seat": (legality.refused, lambda: wrongly("draw", "The bag is empty.", by=1)),
    "another reason for a value": (legality.refused, lambda: wrongly("draw", "The bag is empty.", stone=10**9)),
    "a list of objects": (legality.refused, lambda: asked(MARKS, do_draw=same)),
    "a list of values": (legality.refused, lambda: asked(SOME, do_draw=same)),
    "a record that leads elsewhere": (identities.recorded, counting),
    "undone elsewhere": (identities.undone, lambda: counting(draw(1), draw(2))),
    "refused when it is played again": (identities.undone, twice_only),
    "elsewhere when it is played again": (identities.undone, onward),
    "amended elsewhere": (identities.amended, lambda: counting(draw(1), draw(2))),
    "amended by a refused act": (identities.amended, lambda: rewritten(draw(9))),
    "amended with a loss": (identities.amended, lambda: rewritten(Act("pass"))),
    "amended in a copy that is none": (identities.amended, sliding),
    "presses beside the question of another": (presses.Presses().look, quiz),
    "an act that no presses enter": (presses.Presses().look, lambda: said_as(Text("stone", 1, 1), "é")),
    "a number too far to select": (presses.Presses().look, lambda: said_as(Number("stone", 0, 10**7), 10**7 - 1)),
    "a number of one": (presses.Presses().look, lambda: said_as(Number("stone", 3, 3), 3)),
    "names that are cut and differ": (texts.fitting, lambda: beside("1")),
    "names that are cut alike": (texts.fitting, lambda: beside("1234")),
    "a label that fails": (
        keyed.played, lambda: asked(Ask("draw", "Draw", (Pick("stone", (1, 2), label=lambda value: {}["gone"]),), 0)),
    ),
    "an answer that is refused": (keyed.played, lambda: asked(Ask("draw", "Draw", (Turncoat("stone", 1, 3),), 0))),
    "the panel of the bag": (keyed.played, match_of),
}  # fmt: skip


def test_each_look_finds_what_somebody_has_read():
    """To add a look, write it into LOOKS, and approve what it finds."""
    lines = []
    for name, (look, make) in LOOKS.items():
        found = (re.sub(r"/\S*/(\w+\.py), line \d+", r"\1", flaw.why) for flaw in look(make(), Random(1).random))
        lines += [f"== {name}", *found]
    check_seen(Path(__file__).with_name("seen") / "looks.txt", lines)


def test_what_is_declared_wrongly_is_one_flaw():
    untaken = Act("draw", {"stone": 1, "odd": 2})
    assert [flaw.act for flaw in declaration.untaken(untaken, match_of(), Random(1).random)] == [untaken]
    assert list(declaration.untaken(draw(1), match_of(), Random(1).random)) == []
    assert len(list(declaration.declared(bag(seats=3)))) == len(list(declaration.declared(bag(longest=0)))) == 1


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_each_game_is_declared_and_described_as_the_kit_asks(game):
    assert [*declaration.declared(game), *declaration.described(game)] == []


def test_presses_are_counted_beside_the_question_of_another():
    """Quiz: to open the question is OK beside the buttons that buzz."""
    count = presses.Presses()
    assert list(count.look(quiz(), Random(1).random)) == []
    assert count.counts == [1]


def test_a_position_holds_nothing_that_moves():
    """purity: frozen all the way down; an option's own value may be an object."""
    profile = {"track": (1, 2)}
    assert movable((1, "a", None, frozenset((True,)), Bag.setup(2)), {}) == ""
    assert movable(profile, {"board": dict(profile)}) == ""
    assert movable(profile, {}) == "the position is a dict; use a tuple of pairs"
    assert movable(Bag.setup(2), {}) == ""
    assert movable((1, ([],)), {}) == "an item of an item of the position is a list; use a tuple"
    assert traced({"a": {1, 2}}) == traced({"a": {2, 1}}) != traced({"a": frozenset((1, 2))})


def test_modules_are_read_as_far_as_they_belong_to_the_engine(tmp_path, monkeypatch):
    """purity, imports: the engine's package, whichever way it imports; not what only stands beside it."""
    room = tmp_path / "roomy"
    (room / "inner").mkdir(parents=True)
    (room / "__init__.py").write_text("")
    (room / "inner" / "__init__.py").write_text("from ..clock import now\nopen\n")
    (room / "clock.py").write_text(
        "from time import time as now\nlines = open\n\n\ndef read():\n    return open('x')\n"
    )
    (room / "rules.py").write_text(
        "import json\nimport roomy.inner\nfrom planted.bag import Bag\n\n\nclass Roomy(Bag):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from roomy.rules import Roomy  # type: ignore[import-not-found]

    assert [flaw.why for flaw in purity.imports(Roomy)] == [
        "roomy.clock, line 1: it imports time.", "roomy.clock, line 1: it imports time.time.",
        "roomy.clock, line 6: it calls open.",
    ]  # fmt: skip
    made = type("Typed", (Bag,), {"__module__": "__main__"})
    monkeypatch.setattr("sys.modules", {**__import__("sys").modules, "__main__": type(purity)("__main__")})
    assert list(purity.imports(made)) == []
    assert list(purity.imports(type("Gone", (Bag,), {"__module__": "no.such.module"}))) == []


def test_a_sentence_begins_and_ends_as_one():
    """A refusal is read by players."""
    assert legality.no_sentence(" leading.") == "does not begin like a sentence"
    assert legality.no_sentence("Ann's turn") == "does not end like a sentence"
    assert legality.no_sentence('"draw" needs "stone".') == ""


def test_the_acts_per_second_are_those_of_the_time_that_they_took(monkeypatch):
    """speed: of the acts alone, without the time in which their calls are counted."""
    clock = iter((10.0, 12.5, 100.0, 100.25))
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    found = speed.Speed()
    for _ in range(2):
        assert reasons(found.look, match_of(draw(1))) == ""
    assert (found.acts, found.seconds) == (2, 2.75)


def test_calls_are_counted_under_whatever_profile_is_on():
    """speed: a profile that was on is on again afterwards."""
    import cProfile
    import gc
    import sys

    speed.counted(Match(Bag, NAMES), [draw(1)])  # the first match fills the kernel's caches
    sys.setprofile(lambda frame, event, argument: None)
    try:
        mine = sys.getprofile()
        calls = speed.counted(Match(Bag, NAMES), [draw(1)])
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)
    assert 10 < calls < 100
    with cProfile.Profile() as profile:
        assert speed.counted(Match(Bag, NAMES), [draw(1)]) == calls
        reasons(speed.Speed().look, Match(Bag, NAMES))
    assert any(getattr(entry.code, "co_name", "") == "look" for entry in profile.getstats())
    gc.callbacks.append(lambda phase, info: None)
    threshold = gc.get_threshold()
    gc.set_threshold(1)  # a collection at almost every object
    try:
        assert speed.counted(Match(Bag, NAMES), [draw(1)]) == calls
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.pop()
    assert speed.counted(Match(Bag, NAMES), []) == 0
    assert reasons(speed.Speed().look, Match(Bag, NAMES)) == ""


def test_a_game_that_cannot_be_played_again_is_not_made_shorter():
    """shortest.py: where the engine fails on the way, the record stays as it was."""
    header = Header(bag(setup=classmethod(lambda cls, seats, stones=8: 1 // 0)), NAMES)
    flaw = Flaw("It is wrong.")
    assert shortest(header, [draw(1)], flaw, offers.sound, 0) == ([draw(1)], flaw)


@pytest.mark.parametrize(("patience", "looks"), [(0, []), (53, [0]), (54, [0, 2]), (10**6, [0, 2, 2, 2])])
def test_a_game_is_made_shorter_for_so_many_acts(patience, looks, monkeypatch):
    """shortest.py: all acts are left out first, then one after the other; a look costs fifty acts."""
    seen = []

    def look(match, chance):
        seen.append(len(match.acts))
        return iter(())

    monkeypatch.setattr("umpi.conformance.shortest.PATIENCE", patience)
    acts, flaw = [draw(1), draw(2), draw(3)], Flaw("It is wrong.")
    assert shortest(Header(Bag, NAMES), acts, flaw, look, 0) == (acts, flaw)
    assert seen == looks
