"""Each look by itself: what it takes for a flaw, on the bag with one thing changed."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, overload

import pytest
from made_bags import NAMES, asking, draw, reasons
from planted.around import Onward
from planted.bag import Bag

from umpi.conformance import declaration, identities, legality, offers, presses, purity, speed
from umpi.conformance.flaws import Flaw
from umpi.conformance.shortest import shortest
from umpi.conformance.still import movable, offer, traced
from umpi.games.quiz import Quiz
from umpi.kernel import Act, Ask, Dice, Each, Match, Number, Pick, Some, replace
from umpi.kernel.match import Refused
from umpi.kernel.record import Header


def bag(**members: Any) -> type[Any]:
    """Make the bag with some members of its own."""
    return type("Made", (Bag,), {"__doc__": "A bag of its own.", **members})


def match_of(*acts: Act, players=NAMES, **members: Any) -> Match:
    match = Match(bag(**members), players)
    for act in acts:
        match.play(act)
    return match


def test_values_that_cannot_be_written_are_reported():
    """An act is a line of JSON."""
    odd = asking(Ask("draw", "Draw", (Pick("stone", (frozenset((1,)),)),), 0))
    assert "cannot be written" in reasons(declaration.answered, match_of(asks=odd))
    untaken = Act("draw", {"stone": 1, "odd": 2})
    assert [flaw.act for flaw in declaration.untaken(untaken, match_of(), Random(1).random)] == [untaken]
    assert list(declaration.untaken(draw(1), match_of(), Random(1).random)) == []
    assert "has no do_sing" in reasons(declaration.answered, match_of(asks=asking(Ask("sing", "Sing"))))
    assert len(list(declaration.declared(bag(seats=3)))) == len(list(declaration.declared(bag(longest=0)))) == 1


def test_overloads_are_forms_that_do_not_overlap():
    """schema.py: an act whose fields depend on each other says so by overloads."""

    class Formed(Bag):
        @overload
        def do_draw(self, seat: int, stone: Literal[1, 2]) -> Any: ...
        @overload
        def do_draw(self, seat: int, stone: Literal[2, 3]) -> Any: ...
        def do_draw(self, seat: int, stone: int) -> Any:
            return self

    def offered(stone):
        return asking(Ask("draw", "Draw", (Pick("stone", (stone,)),), 0))

    found = [reasons(declaration.answered, Match(type("F", (Formed,), {"asks": offered(n)}), NAMES)) for n in (1, 2, 4)]
    assert found[0] == ""
    assert "several of the act's overloads" in found[1]
    assert "is not in 2, 3" in found[2]


def test_a_position_holds_nothing_that_moves():
    """purity: frozen all the way down; an option's own value may be an object."""
    profile = {"track": (1, 2)}
    assert movable((1, "a", None, frozenset((True,)), Bag.setup(2)), {}) == ""
    assert movable(profile, {"board": dict(profile)}) == ""
    assert movable(profile, {}) == "the position is a dict; use a tuple of pairs"
    assert movable(Bag.setup(2), {}) == ""
    assert movable((1, ([],)), {}) == "an item of an item of the position is a list; use a tuple"
    assert traced({"a": {1, 2}}) == traced({"a": {2, 1}}) != traced({"a": frozenset((1, 2))})


def test_offers_are_compared_in_all_but_their_functions():
    """purity: asking twice gives the same offer; functions are new each time."""

    def numbers(high):
        return (
            Ask(
                "draw", "Draw", (Each("marks", (Number("a", 0, high),)), Pick("b", (1,), objection=lambda value: "")), 0
            ),
        )

    assert offer(numbers(3)) == offer(numbers(3)) != offer(numbers(4))


def test_an_act_that_changes_the_old_position_or_rolls_its_own_dice_is_reported():
    """purity: the same act played twice gives equal positions; nothing about the old position changes."""
    chance = Random(1)

    def mark(self, seat):
        self.facts.__func__.__defaults__[0].append(seat)
        return Bag.do_pass(self, seat)

    changes = match_of(do_pass=mark, facts=lambda self, marks=[]: {"marks": tuple(marks)})
    changes.play(Act("pass"))
    assert "changes the position it is done in" in reasons(purity.pure, changes)
    rolls = match_of(do_pass=lambda self, seat: replace(self, bag=tuple(chance.sample(self.bag, len(self.bag)))))
    rolls.play(Act("pass"))
    assert "leads to two different ones" in reasons(purity.pure, rolls)


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


def test_a_pool_with_a_value_that_fits_no_act_is_reported():
    """legality: every value of every pool completes to an accepted act."""
    never = Ask(
        "draw", "Draw", (Pick("stone", (1, 2)),), 0, objection=lambda given: "no" if given["stone"] == 2 else ""
    )
    assert '"draw" offers 2 for stone, but nothing beside it makes an act.' in reasons(
        legality.lawful, match_of(asks=asking(never))
    )
    empty = Ask("draw", "Draw", (Pick("stone", ()),), 0)
    assert reasons(legality.lawful, match_of(asks=asking(empty))) == ""


def test_ends_of_ranges_are_tried_too():
    """legality: a method that fails only at an end."""
    wide = asking(Ask("draw", "Draw", (Number("stone", 1, 10**6),), 0))

    def fails(self, seat, stone, loud=False):
        return self if stone < 10**6 else 1 // 0

    assert "is offered, but not accepted" in reasons(legality.lawful, match_of(asks=wide, do_draw=fails))
    deaf = asking(Ask("draw", "Draw", (), 0), Ask("pass", "Pass", (Pick("odd", (1,)),), 0))
    assert reasons(legality.lawful, match_of(asks=deaf)) == ""


def test_a_refusal_that_changes_the_position_or_crashes_is_reported():
    """legality: everything else refused and nothing changed."""
    match = match_of(draw(3))
    match.now.facts()

    def marks(self, stone):
        object.__setattr__(self, "turn", self.turn + 2)
        return f"Stone {stone} has been drawn."

    assert "is refused, but changes the position" in reasons(legality.refused, match_of(draw(3), _gone=marks))
    assert "should not" not in reasons(legality.refused, match)

    class Open(Match):
        def play(self, act):
            return super().play(draw(min(self.now.bag)) if act.verb == "no-such-act" else act)

    assert "is accepted, though it is not offered" in reasons(legality.refused, Open(Bag, NAMES))

    class Failing(Match):
        def play(self, act):
            if act.verb == "no-such-act":
                raise legality.Broken("The rules fail on it.")
            return super().play(act)

    assert "is not offered, and breaks the rules: The rules fail on it." in reasons(
        legality.refused, Failing(Bag, NAMES)
    )


def test_a_refusal_that_gives_another_reason_is_reported():
    """legality: each near miss is refused for the reason it has."""

    def reason_of(verb, says, **given):
        class Wrong(Match):
            def play(self, act):
                if act.verb == verb and given.items() <= {**act.given, "by": act.by}.items():
                    raise Refused(says)
                return super().play(act)

        return reasons(legality.refused, Wrong(Bag, NAMES))

    assert 'but the reason is: "no-such-act"' in reason_of("no-such-act", "It is not your turn.")
    assert 'but the reason is: "no_such_field"' in reason_of("draw", "No such stone.", no_such_field=1)
    assert "but the reason is: not for seat" in reason_of("draw", "The bag is empty.", by=1)
    assert "but the reason is: " in reason_of("draw", "The bag is empty.", stone=10**9)


def test_a_sentence_begins_and_ends_as_one():
    """A refusal is read by players."""
    assert legality.no_sentence(" leading.") == "does not begin like a sentence"
    assert legality.no_sentence("Ann's turn") == "does not end like a sentence"
    assert legality.no_sentence('"draw" needs "stone".') == ""


def test_lists_are_spoiled_item_by_item():
    """legality: a list one longer or shorter, and with an item of another type or out of range."""
    marks = asking(Ask("draw", "Draw", (Each("marks", (Number("a", 0, 3), Number("b", 0, 3))),), 0))
    some = asking(Ask("draw", "Draw", (Some("marks", (1, 2), 1, 2, all_values=(1, 2, 3)),), 0))
    for asks in (marks, some):
        assert reasons(legality.refused, match_of(asks=asks, do_draw=lambda self, seat, marks: self)) == ""


def test_a_record_that_leads_to_another_position_is_reported():
    """record: written and read, the game stands where it stood."""
    calls = iter(range(99))
    assert "leads to another position" in reasons(
        identities.recorded,
        match_of(facts=lambda self: {"n": next(calls)}),
    )


def test_undo_and_amend_are_identities():
    """undo and amend: where one of them leads to another position, that is reported."""
    calls = iter(range(999))
    jumping = match_of(draw(1), draw(2), facts=lambda self: {"n": next(calls)})
    assert "stands elsewhere than it did" in reasons(identities.undone, jumping)
    assert "leads to another position" in reasons(identities.amended, jumping)
    tired = []

    def once(self, seat):
        tired.append(seat)
        return Bag.do_pass(self, seat) if len(tired) < 3 else 1 // 0

    refusing = match_of(Act("pass"), do_pass=once)
    assert '{"do": "pass"} is refused' in reasons(identities.undone, refusing)
    losing = match_of(Act("pass"), draw(2), draw(1))
    losing.acts[1:] = [draw(1), draw(1)]
    assert "loses 1 of the acts after it" in reasons(identities.amended, losing)
    losing.acts[0] = draw(9)
    assert "act 1, is refused: stone: 9 is not in 1 to 8." in reasons(identities.amended, losing)
    sliding = iter(range(4, 99))
    changing = match_of(draw(1), scores=lambda self: (next(sliding) // 6,) * 2)
    assert "amended in a copy, act 1, changes the match itself" in reasons(identities.amended, changing)


def test_each_act_played_again_must_lead_where_it_led():
    """undo: an engine that remembers beside its positions stands elsewhere the second time."""
    match = Match(Onward, NAMES)
    for stone in (1, 2, 3):
        match.play(draw(stone))
    assert "leads elsewhere" in reasons(identities.undone, match)


def test_an_act_beside_a_question_of_another_is_found():
    """Quiz: to open the question is OK beside the buttons that buzz."""
    quiz = Match(Quiz, NAMES)
    quiz.play(Act("open"))
    count = presses.Presses()
    assert reasons(count.look, quiz) == ""
    assert count.counts == [1]


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


def test_all_dice_alike_are_tried():
    """legality: six of a kind, which two random games do not see."""

    def roll(self, seat, dice):
        return {6: 1 // 0} if dice == (5,) * 6 else self

    asks = asking(Ask("roll", "Roll", (Dice("dice", 6, 6),), 0))
    why = reasons(legality.lawful, match_of(asks=asks, do_roll=roll))
    assert '"dice": [5, 5, 5, 5, 5, 5]} is offered, but not accepted' in why
    assert "ZeroDivisionError" in why
    assert "in roll]" in why


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
