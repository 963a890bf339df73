"""Mistakes of a newcomer, planted in the game of `umpi new-game`: each sentence names the place and the cure."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

from umpi.conformance import examine
from umpi.conformance.command import run
from umpi.conformance.new_game import _texts

GAME = _texts("snake-eyes")["snake_eyes/rules.py"].replace("range(2, 7)", "range(2, 3)", 1)
OFFER = "return (bank, roll) if self.pot else (roll,)"
ROLL = 'self.turn, "A 1 loses the pot and the turn."'
DO = "return replace(self, banked=banked, pot=0, turn=self._next)"
DICE = '(Dice("die", 1, SIDES),)'
OBJECTION = "    @classmethod\n    def objection(cls, seats, goal):\n        return {}\n\n    def asks(self)"
PROPERTY = "    @property\n    def _next"
HOOK = "    @override\n    def {}:\n        return {}\n\n" + PROPERTY

MISTAKES = [  # what stands in the game, what a newcomer writes, and parts of the sentence
    (OFFER, OFFER.replace("(roll,)", "(roll)"), "asks() returns a single Ask: write (x,) with a comma"),
    (DICE, DICE.replace(",)", ")"), 'asks() gives "roll" a single field: write (x,) with a comma'),
    (DICE, DICE.replace("(", "[", 1).replace(",)", "]"), 'gives "roll" a list, not a tuple of fields: write tuple(…)'),
    ('(Number("goal", 10, 1000),)', '(Number("goal", 10, 1000))', "Its options must be a tuple of fields: write (x,)"),
    ("(str(self.pot),)", "(str(self.pot))", "write (x,) with a comma for a tuple of one"),
    (DO, DO.removeprefix("return "), "do_bank must return a position, not None: perhaps a `return` is missing."),
    (DO, DO.removeprefix("return "), "the game's code: snake_eyes.py, line "),
    (OFFER, OFFER.removeprefix("return "), "returns a NoneType, not a tuple of Ask: perhaps a `return`"),
    (OFFER, "yield from (bank, roll)", "write `return`, not `yield`"),
    (OFFER, "return [bank, roll]", "asks() returns a list, not a tuple of Ask: write tuple(…)"),
    ("return cls((0,) * seats, goal)", "cls((0,) * seats, goal)", "setup must return a position, not None"),
    ("return self.banked\n", "self.banked\n", "Its scores must be a whole number a seat, they are None: perhaps"),
    ('return {"pot"', '{"pot"', "Its facts must be a dict, not None: perhaps a `return` is missing"),
    ("def do_bank(self, seat: int)", "def do_bank(seat: int)", "do_bank must begin with `self, seat`"),
    ("def scores(self)", "def scores()", "scores() must take the position and nothing else"),
    ("pot=self.pot + die", "pott=self.pot + die", "no field pott. [the game's code: snake_eyes.py, line"),
    ("        banked = (", "        self.pot = 0\n        banked = (", "A position never changes: return replace"),
    ("cls((0,) * seats, goal)", "cls([0] * seats, goal)", 'but "banked" is a list; use a tuple.'),
    ("    @property\n    @override\n    def phase", "    def phase", "Its phase is a method: write @property above"),
    ("    @classmethod\n    @override\n    def setup", "    def setup",
     "setup must be a class method: write @classmethod"),
    ("goal: int = 100)", "goal: int)", "setup() gives the option goal no default"),
    ("    def asks(self)", OBJECTION.format("True"), 'objection() returns True; it needs a text, ""'),
    ("    def asks(self)", OBJECTION.format('""').replace("goal", "gaol=0"),
     "objection() has a parameter gaol, which is no option; the options: goal."),
    ("    def asks(self)", OBJECTION.format('""').replace("    @classmethod\n", ""),
     "objection must be a class method"),
    (ROLL, f"{ROLL}, objection=lambda given: None",
     '`objection` of "roll" returns None (perhaps a `return` is missing)'),
    (ROLL, f"{ROLL}, objection=lambda: ''", '`objection` of "roll" must take one value'),
    (ROLL, f"{ROLL}, more=lambda given: None", '`more` of "roll" returns a NoneType, not a tuple of fields'),
    (ROLL, f"{ROLL}, more=lambda given: (Number('coins', 0, self.pot - 20),)",
     'the field "coins" of "roll" begins at 0 and'),
    (ROLL, f"{ROLL}, more=lambda given: (5,)", '`more` of "roll" returns 5 among its fields'),
    (DICE, '("die",)', "asks() gives \"roll\" the field 'die'; it needs Pick, Number"),
    (DICE, '(Dice("die", 1, SIDES), Number("n", 9, 3))', "begins at 9 and ends at 3: the lower number comes first"),
    (DICE, '(Dice("die", 1, SIDES)._replace(pool={1, 2}),)',
     "is a set; it needs a tuple or a range, because the order"),
    ("seats: ClassVar = range(2, 3)", "seats: ClassVar = (2, 3)", "its seats must be a range such as range(2, 5)"),
    ("    longest: ", '    option_help: ClassVar = {"gaol": "The points that win."}\n    longest: ',
     'Its help of "gaol" is for an option it has not.'),
    ("    longest: ", '    dealer: ClassVar = "Dealer"\n    longest: ',
     "Its `dealer` must be a class or None, not 'Dealer'."),
    ("    longest: ", '    at_buttons: ClassVar = ("goal",)\n    longest: ',
     "Its `at_buttons` must be a dict of values by"),
    ("    longest: ", "    kind: ClassVar = None\n    longest: ", "its kind must be a text, not None."),
    ("to {goal}", "to {gaol}", 'needs a value gaol=…, as the template names {gaol}'),
    ("return Result(placed(self.banked), ", "return (placed(self.banked), ",
     "Its result must be a Result or None, not"),
    ('"to {goal}", goal=self.goal', '"{who} Bone", who=Who(9)', 'the message "{who} Bone" names seat 9; the last seat'),
    (PROPERTY, HOOK.format("told(self, act)", 'message("{who} did.", who=Who(self.turn + 1))'),
     'In told() for "roll", the message "{who} did." names seat 2; the last seat is 1.'),
    (PROPERTY, HOOK.format("teams(self)", "((0, 9),)"), "tuples of seats, the last seat is 1; they are ((0, 9),)"),
]  # fmt: skip


def loaded(source: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    module = types.ModuleType("snake_eyes")
    monkeypatch.setitem(sys.modules, "snake_eyes", module)
    exec(compile(source, "snake_eyes.py", "exec"), module.__dict__)
    return module.SnakeEyes  # type: ignore[attr-defined]


@pytest.mark.parametrize(("right", "wrong", "flaw"), MISTAKES, ids=[flaw[:40] for _, _, flaw in MISTAKES])
def test_a_mistake_gets_its_own_sentence(right: str, wrong: str, flaw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert right in GAME
    game = loaded(GAME.replace(right, wrong, 1), monkeypatch)
    flaws = " ".join(str(found.flaw) for found in examine(game, 1, options=[{"goal": 10}]) if found.flaw)
    assert flaw in flaws
    assert "Umpi's own code" not in flaws


def test_a_mutable_default_names_the_tuple(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mutable_game.py").write_text(GAME.replace("    pot: int = 0", "    seen: list = []\n    pot: int = 0"))
    monkeypatch.syspath_prepend(tmp_path)
    assert run("mutable_game:SnakeEyes", games=1) == 2
    assert "use a tuple, such as ()" in capsys.readouterr().err


def test_a_check_that_fails_for_the_flaw_of_another_one_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash in `shown_board` is a flaw of its own beside a help for no option; a screen needs the view."""
    unrelated = GAME.replace("    longest: ", '    option_help: ClassVar = {"gaol": "The points."}\n    longest: ', 1)
    for member in ("shown_board", "view"):
        source = unrelated.replace(PROPERTY, HOOK.format(f"{member}(self)", "self.pots"), 1)
        if member == "view":
            source = source.replace("    def view(self)", "    def viewed(self)", 1)
        findings = {found.check: found for found in examine(loaded(source, monkeypatch), 1, options=[{"goal": 10}])}
        failed = {name for name, found in findings.items() if found.flaw}
        assert {"declaration", member.removeprefix("shown_")} <= failed
        left = [found.figures for found in findings.values() if "not judged: see" in found.figures]
        assert bool(left) == (member == "view")
        assert all("view" in figures for figures in left)
