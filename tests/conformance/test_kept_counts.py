"""What the checks count over many positions, and what they compare, as somebody has read it in seen/."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from made_bags import NAMES, draw
from planted import FAULTS
from planted.bag import Bag
from planted.hands import Hands
from planted.sixes import Sixes
from planted.small import Small
from planted.worth import Stones

from tests.kit.seen import check_seen
from umpi import kernel
from umpi.conformance import averages, hands, presses, purity, unrun, unseen
from umpi.conformance.averages import Averages
from umpi.conformance.mutation.lines import noted
from umpi.conformance.still import movable, offer, traced
from umpi.conformance.turns import Turns
from umpi.conformance.winners import Winners
from umpi.kernel import Act, Ask, Draw, Game, Match, Number, Pick, Result, Some, Text, replace
from umpi.kernel.random_games import play, play_out

SEEN = Path(__file__).with_name("seen")
CODE = re.compile(r" \[the game's code: [^]]*\]")


def over(scores: Any, result: Any, wins: str | None) -> Match:
    """Return a match of the bag that is over, with these scores, result and direction."""
    members = {
        "scores": lambda self: scores if not self.bag else Bag.scores(self), "wins": wins,
        "result": lambda self: None if self.bag else result,
    }  # fmt: skip
    match = Match(type("Made", (Bag,), members), NAMES[:2], {"stones": 3})
    for stone in (3, 2, 1) if result is BOTH else (1, 2, 3):
        match.play(draw(stone))
    return match


FIRST, SECOND, BOTH, LOST = Result((1, 2), "why"), Result((2, 1), "why"), Result((1, 1), "why"), Result.lost("why")
GAMES: dict[str, list[tuple[Any, Any, str | None]]] = {  # the ends of games: scores, result and direction
    "none": [],
    "highest": [((5, 3), FIRST, "highest"), ((1, 2), SECOND, "highest")],
    "highest, seldom": [((5, 3), FIRST, "highest"), ((1, 2), FIRST, "highest")],
    "highest, never": [((3, 5), FIRST, "highest"), ((2, 1), SECOND, "highest")],
    "highest, two to one": [((3, 5), FIRST, "highest"), ((2, 1), SECOND, "highest"), ((2, 1), FIRST, "highest")],
    "highest, three to one": [((3, 5), FIRST, "highest")] * 3 + [((2, 1), FIRST, "highest")],
    "both, then never": [((5, 3), BOTH, "highest")] + [((3, 5), FIRST, "highest")] * 3,
    "lowest": [((5, 3), SECOND, "lowest")],
    "lowest, never": [((5, 3), FIRST, "lowest")],
    "both": [((5, 3), BOTH, "highest")],
    "open": [((5, 3), FIRST, None), ((3, 5), FIRST, None)],
    "equal": [((5, 5), FIRST, "lowest")],
    "lost": [((5, 3), LOST, "highest"), ((5, 3), LOST, None), ((5, 3), FIRST, None)],
    "no result": [((5, 3), (1, 2), "highest"), ([5, 3], FIRST, "highest")],
    "mixed": [((5, 3), FIRST, "highest"), ((5, 3), SECOND, "lowest"), ((5, 3), FIRST, None)],
}  # fmt: skip


def test_winners_and_their_scores_are_counted_as_somebody_has_read() -> None:
    lines = []
    for name, ends in GAMES.items():
        winners = Winners()
        for each in ends:
            winners.add(over(*each))
        flaw = winners.flaw()
        lines.append(f"{name}{winners.figures}")
        lines += [f"    {flaw[0].why} {flaw[1].players} {[act.given for act in flaw[2]]}"] if flaw else []
    check_seen(SEEN / "winners.txt", lines)


class Again(Small):
    """Draws cards that come back at once, or do not."""

    pools: ClassVar[tuple[Any, Any]] = ((), ())
    count: ClassVar = 2

    def asks(self) -> tuple[Ask, ...]:
        """Draw two cards, then from the next pool."""
        pool = self.pools[min(len(self.passed), 1)]
        return (
            (Ask("turn", "Turn", (Draw("cards", pool, self.count),), None),) if len(self.passed) < 3 else Bag.asks(self)
        )

    def do_turn(self, seat: Any, cards: Any) -> Any:
        """Count the cards."""
        return replace(self, passed=(*self.passed, 0))


POOLS = {"other cards": ("abc", "def"), "the same cards": (("a", "b"), ("a", "b")),
         "one less": (tuple("aab"), tuple("ab")),
         "as often": (tuple("aab"), tuple("aabb")), "a range": (range(3), range(3))}  # fmt: skip


def test_seats_acts_and_cards_are_counted_as_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []

    def add(name: str, game: Any, *counts: int) -> None:
        turns = Turns()
        for number in counts:
            turns.add(play_out(game, ("Red", "Blue", "Yellow", "Green")[:number], seed=number))
        lines.append(f"{name} of {counts}: {turns.drawn_again}, not offered {turns.unoffered(game)}")
        lines.extend(f"    {flaw.why}" for flaw in turns.flaws())

    add("Bag", Bag, 2, 3)
    for game in (*FAULTS["turns"], *FAULTS["offers"][3:]):
        add(game.__name__, game, 2)
    add("Skipping", FAULTS["turns"][0], 4, 3, 2)
    add("Hands", Hands, 2, 3)
    add("Sixes", Sixes, 2)
    for name, pools in POOLS.items():
        monkeypatch.setattr(Again, "pools", tuple(map(tuple, pools)) if name != "a range" else pools)
        add(name, Again, 2)
    check_seen(SEEN / "turns.txt", lines)


class Biased(Stones):
    """Says that a stone is worth more, or less."""

    by: ClassVar = Fraction(0)

    def choices(self, position: Any) -> Any:
        """Return the choices with other averages."""
        return [each._replace(average=each.average + self.by) for each in super().choices(position)]


def test_averages_are_judged_after_enough_draws_as_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []
    for worths in (None, Biased, *(fault.worths for fault in FAULTS["worths"])):
        game = type("Weighed", (Small,), {"worths": worths})
        for by in (Fraction(0), Fraction(1), Fraction(-2)) if worths is Biased else (Fraction(0),):
            monkeypatch.setattr(Biased, "by", by)
            counted, said = Averages(), list[str]()
            for seed in range(4):
                match = Match(game, NAMES)
                for _ in play(match, seed):
                    said += [flaw.why for flaw in counted.look(match, Random(1).random)]
            flaw = counted.flaw()
            lines.append(f"{getattr(worths, '__name__', 'none')} {by}: {counted.draws} draws {sorted({*said})}")
            lines += [f"    {flaw[0].why} {[act.verb for act in flaw[2]]}"] if flaw else []
            for more in (0, 1) if flaw else ():  # as many draws are enough, and one less is not
                drawn = max(len(each.differences) for each in counted._sums.values())
                monkeypatch.setattr(averages, "LEAST", drawn + more)
                assert bool(counted.flaw()) is not bool(more)
            monkeypatch.undo()
    check_seen(SEEN / "averages.txt", lines)


def positions(game: Any, seats: int, seed: int = 3) -> Iterator[Match]:
    match = Match(game, ("Red", "Blue", "Yellow")[:seats])
    yield match
    for _ in play(match, seed):
        yield match


def test_secrets_and_hands_are_compared_as_somebody_has_read() -> None:
    lines = []
    for look, games in (
        (unseen.independent, (Bag, *FAULTS["offers"][3:])),
        (hands.unseen, (Bag, Hands, *FAULTS["hands"])),
    ):
        for game in games:
            for seats in (2, 3):
                lines.append(f"{game.__name__} of {seats}: {look.__name__}")
                for number, match in enumerate(positions(game, seats)):
                    lines += [f"    after {number} acts: {flaw.why}" for flaw in look(match, Random(1).random)]
    check_seen(SEEN / "secrets.txt", lines)


PRESSED: tuple[tuple[Any, Any], ...] = (  # a field, and its answer
    (Pick("x", (1, 2, 3)), 2), (Pick("x", (1,)), 1), (Pick("x", tuple(range(30))), 29), (Number("x", 0, 9), 7),
    (Number("x", 0, 999), 107), (Some("x", (1, 2, 3), 1, 3), (3, 1)),
    (Some("x", range(1, 7), 6, 6, again=True), (1, 2, 3, 4, 5, 6)), (Text("x", 1, 3), "AB"),
    (Text("x", 1, 2), "Z"), (Text("x", 1, 1), "é"), (Pick("x", (1, 2), in_menu=True, optional=True), 2),
    (Pick("x", (1, 2), source="cube"), 2), (Pick("x", (1, 2), source="scan"), 2),
    (kernel.Each("x", (Number("a", 0, 99), Pick("b", (1, 2)))), (42, 1)),
    (kernel.Forms("x", (Pick("a", (1, 2, 3)), Number("b", 0, 5)), 0, 3), ({"a": 3, "b": 1}, {"a": 1, "b": 5})),
    (kernel.Forms("x", (Pick("a", (1, 2, 3)),), 0, 3, in_menu=True, optional=True), ({"a": 3},)),
    (Number("x", 5, 5), 5), (Number("x", 0, 999, null=True), None), (Text("x", 3, 3), "ABC"), (Text("x", 1, 1), "Q"),
    (kernel.Each("x", (Number("a", 0, 5), Number("b", 0, 999))), (3, 100)),
    (kernel.Each("x", (Some("a", (1, 2, 3), 0, 3),)), ((3, 1),)), (kernel.Each("x", (Text("a", 1, 1),)), ("é",)),
    (kernel.Forms("x", (Pick("a", (1, 2, 3)), Number("b", 0, 5)), 0, 1), ({"a": 3, "b": 1},)),
)  # fmt: skip


def test_presses_are_counted_as_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the limits of the check, and with lower ones."""
    lines = []
    for most in (presses.MOST, 5):
        monkeypatch.setattr(presses, "MOST", most)
        for field, value in PRESSED:
            asks = lambda self, field=field: (Ask("say", "Say", (field,), 0), Ask("pass", "Pass", (), 0))  # noqa: E731
            game = type("Asking", (Bag,), {"asks": asks, "do_say": lambda self, seat, x=None: self})
            match = Match(game, NAMES)
            match.play(Act("say", {"x": value}))
            counted = presses.Presses()
            flaws = [flaw.why for flaw in counted.look(match, Random(1).random)]
            many = " many" * bool(counted.many)
            lines.append(
                f"{most} {type(field).__name__} {value!r}: {counted.counts}{many} {' | '.join(flaws)}".rstrip()
            )
            assert [act.given for act in match.acts] == [{"x": value}]
    check_seen(SEEN / "presses.txt", lines)


class Keeping(Small):
    """Keeps an option beside the position: in the class, in the module or nowhere."""

    where: ClassVar = "nowhere"
    kept: ClassVar = 0

    @classmethod
    def setup(cls, seats: int, stones: int = 4) -> Any:
        """Keep the option."""
        if cls.where == "class":
            cls.kept = stones
        if cls.where == "module":
            module_kept["stones"] = stones
        if cls.where == "name":
            sys.modules[cls.__module__].__dict__["module_name"] = stones
        return super().setup(seats, stones)

    def facts(self) -> dict[str, Any]:
        """Tell what is kept."""
        return {**super().facts(), "kept": (self.kept, module_kept.get("stones"), module_name)}


module_kept: dict[str, int] = {}
module_name = 0


@pytest.mark.parametrize(("where", "kept", "apart"), [
    ("nowhere", "", ""), ("class", "setup() changes Keeping.kept. All matches share it", "stones"),
    ("module", "", "stones"), ("name", "setup() changes test_kept_counts.module_name. All matches", "stones"),
])  # fmt: skip
def test_an_option_that_is_kept_beside_the_position_is_found(
    where: str, kept: str, apart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Keeping, "where", where)
    said = [flaw.why for flaw in purity.kept(Keeping)]
    assert (len(said), kept in "".join(said)) == (bool(kept), True), said
    match = Match(Keeping, NAMES)
    said = [flaw.why for flaw in purity.apart(match, Random(1).random)]
    assert [re.sub(r"\{.*\}", apart, why).split(". ")[0] for why in said] == [
        f"Another match with the options {apart} changes this one" for _ in said
    ]
    assert bool(said) == bool(apart)


OFFERS = """
Ask("a", "A", (Pick("x", (1, 2)),), 0)
Ask("b", "A", (Pick("x", (1, 2)),), 0)
Ask("a", "B", (Pick("x", (1, 2)),), 0)
Ask("a", "A", (Pick("x", (1, 2)),), 1)
Ask("a", "A", (Pick("x", (1, 2)),))
Ask("a", "A", (Pick("x", (1, 2)),), 0, "help")
Ask("a", "A", (Pick("x", (1, 2)),), 0, followed_by="b")
Ask("a", "A", (Pick("x", (1, 2)),), 0, usual={"x": 1})
Ask("a", "A", (Pick("x", (1, 2)),), 0, usual={"x": 2})
Ask("a", "A", (Pick("x", (1, 2)),), 0, weight=2)
Ask("a", "A", (Pick("x", (1, 2)),), 0, at_ms=1)
Ask("a", "A", (Pick("x", (1, 2)),), 0, after_ms=1)
Ask("a", "A", (Pick("x", (1, 2)),), 0, if_refused="b")
Ask("a", "A", (Pick("x", (1, 2)),), 0, question="B")
Ask("a", "A", (Pick("x", (1, 2)),), 0, note_if_no_hit="B")
Ask("a", "A", (Pick("x", (1, 2)),), 0, secret=True)
Ask("a", "A", (Pick("x", (1, 2)),), 0, as_team=True)
Ask("a", "A", (Pick("x", (1, 2)),), 0, rare=True)
Ask("a", "A", (), 0)
Ask("a", "A", (Pick("x", (1, True)),), 0)
Ask("a", "A", (Pick("x", (1, 1.0)),), 0)
Ask("a", "A", (Pick("x", (1, 2), (1, 2, 3)),), 0)
Ask("a", "A", (Pick("x", (1, 2), source="table"),), 0)
Ask("a", "A", (Pick("y", (1, 2)),), 0)
Ask("a", "A", (Pick("x", (1, 2), optional=True),), 0)
Ask("a", "A", (Some("x", (1, 2), 1, 2),), 0)
Ask("a", "A", (Some("x", (1, 2), 1, 1),), 0)
Ask("a", "A", (Each("x", (Pick("a", (1,)),)),), 0)
Ask("a", "A", (Each("x", (Pick("a", (2,)),)),), 0)
Ask("a", "A", (Forms("x", (Pick("a", (1,)),), 0, 1),), 0)
Ask("a", "A", (Forms("x", (Pick("a", (2,)),), 0, 1),), 0)
"""


def test_two_offers_are_the_same_only_if_all_their_parts_are() -> None:
    """A function is no part: it is new each time."""
    made = [offer((eval(text, vars(kernel)),)) for text in OFFERS.strip().splitlines()]
    again = [offer((eval(text, vars(kernel)),)) for text in OFFERS.strip().splitlines()]
    assert made == again
    assert [(one, other) for one, other in combinations(made, 2) if one == other] == []
    assert len({*map(hash, made)}) == len(made)
    with_functions = Ask(
        "a", "A", (Pick("x", (1, 2), objection=lambda value: "", label=str),), 0, more=lambda given: ()
    )
    assert offer((with_functions,)) == made[0]
    assert offer(()) != offer((with_functions,)) != offer((with_functions, with_functions))


VALUES = (
    0, False, 0.0, "0", b"0", None, (0,), [0], (), [], {0}, frozenset((0,)), {0: 0}, {0: 1}, {}, range(1), (0, 0),
    ((0,),), Bag.setup(2), Bag.setup(3), Small.setup(2, 8), Number("x", 0, 1), Number("x", 0, 2),
)  # fmt: skip


def test_two_values_have_the_same_trace_only_if_they_are_the_same() -> None:
    traces = [traced(value) for value in VALUES]
    same = [
        (VALUES[one], VALUES[other])
        for one, other in combinations(range(len(VALUES)), 2)
        if traces[one] == traces[other]
    ]
    assert same == []
    assert traced({1: {2}, 3: 4}) == traced({1: {2}, 3: 4})
    for value in VALUES:
        assert (movable(value, {}) == "") is (not isinstance(value, (list, set, dict))), value


def shown_lines(names: set[tuple[str, int]], source: str) -> list[str]:
    return [source.splitlines()[number - 1].strip() for _, number in sorted(names)]


LINES = """
from functools import lru_cache
from planted.small import Small

class Lined(Small):
    def view(self):
        shown = super().view()
        return shown

    def audit(self):
        ruled = self.learnt(len(self.bag))
        return ""

    @classmethod
    @lru_cache
    def learnt(cls, number):
        return number + 1
"""


@pytest.fixture
def lined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module whose lines run for the rules, or for the screens."""
    file = tmp_path / "lined.py"
    file.write_text(LINES)
    module = types.ModuleType("lined")
    module.__file__ = str(file)
    exec(compile(LINES, str(file), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "lined", module)
    return module


def test_lines_are_noted_for_the_rules_and_for_the_screens(lined: types.ModuleType) -> None:
    """What a function has kept is forgotten, so that its lines run again; a trace that was on is on again."""
    before = sys.gettrace()
    for _ in range(2):
        with noted([lined]) as ran:
            match = Match(lined.Lined, NAMES)
            match.check_position()
            match.now.audit()
        assert sys.gettrace() is before
        ruled = ["ruled = self.learnt(len(self.bag))", 'return ""', "return number + 1"]
        assert shown_lines(ran.ruling, LINES) == ruled
        assert shown_lines(ran.every, LINES) == ["shown = super().view()", "return shown", *ruled]
    with noted([]) as ran:
        Match(lined.Lined, NAMES).now.audit()
    assert (ran.every, ran.ruling) == (set(), set())


MANY = "class Many(Small):\n    def scores(self):\n        if self.stones == 99:\n" + "            x = 0\n" * 10


@pytest.mark.parametrize(("lines", "more"), [(7, ""), (8, ""), (9, " and 1 more"), (10, " and 2 more")])
def test_eight_lines_that_nothing_runs_are_named(
    lines: int, more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = MANY[: len(MANY) - (10 - lines) * len("            x = 0\n")] + "        return super().scores()\n"
    (tmp_path / "many.py").write_text(f"from planted.small import Small\n{source}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "many", raising=False)
    game: type[Game] = __import__("many").Many
    monkeypatch.setattr(unrun, "ACTS", 12)
    said: list[str] = []
    named = unrun.unrun(game, 0, None, lambda text, share: said.append(f"{text} {share}"))
    assert named == ", ".join(f"many.py:{number}" for number in range(5, 5 + min(lines, 8))) + more
    assert said == [f"looking for lines that nothing runs {share}" for share in (0.0, 1 / 3, 2 / 3)]
