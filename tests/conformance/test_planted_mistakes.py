"""Mistakes that an author planted in games of their own, planted again in the game of `umpi new-game`.

Each is named by one sentence of `umpi check`, or only a record of the rules can notice it: then the check says nothing.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from umpi.conformance import examine, patience
from umpi.conformance.new_game import _texts

GAME = _texts("snake-eyes")["snake_eyes/rules.py"].replace("range(2, 7)", "range(2, 4)", 1)
POT = "return replace(self, pot=self.pot + die[0])"
REACHED = "if max(self.banked) < self.goal"
OFFER = "return (bank, roll) if self.pot else (roll,)"
NEXT = "return (self.turn + 1) % len(self.banked)"
SETUP = "return cls((0,) * seats, goal)"
CALLS = 'if act.given.get("die") != (1,) or not before.pot:'
API = "    umpi_api: ClassVar = 3"
PLACED = "Result(placed(self.banked)"
PHASE = 'return "over" if self.result() else "turn"'
OVER = "        if self.result():\n            return ()\n        roll = Ask"
RESET = "return replace(self, banked=banked, pot=0, turn=self._next)"
ONLY_A_RECORD = ""

MISTAKES = {  # the name, what stands in the game, what stands there instead, and what the check says
    "wrong points": (POT, POT.replace("die[0]", "die[0] + (die == (3,))"), ONLY_A_RECORD),
    "a game never ends": (REACHED, "if True", "end: "),
    "a seat is never asked": (NEXT, "return (self.turn + 1) % 2", "it never asks seat 2"),
    "a mutable list": (SETUP, "return cls([0] * seats, goal)", "is a list; use a tuple"),
    "random numbers": (POT, f"import random\n        {POT}", "it imports random"),
    "a tie is decided by the seat": (PLACED, "Result(placed(tuple(zip(self.banked, range(9))))", ONLY_A_RECORD),
    "an act that is not allowed is offered": (OFFER, "return (bank, roll)", ONLY_A_RECORD),
    "an endless loop": (POT, "while True:\n            pass", "do_roll() did not return"),
    "a clock": (POT, f"import time\n        {POT}", "it imports time"),
    "hashes of words": (POT, POT.replace("die[0]", "die[0] + hash(str(self.pot)) % 2"), "PYTHONHASHSEED"),
    "an option on the class": (SETUP, f"cls.GOAL = goal\n        {SETUP}", "setup() changes SnakeEyes.GOAL"),
    "the phase is not over": (PHASE, 'return "turn"', 'it must be "over" exactly when there is a result'),
    "acts after the end": (OVER, "        roll = Ask", "It asks though there is a result."),
    "no act and no result": (OFFER, f"if self.pot > 20:\n            return ()\n        {OFFER}", "It asks nothing"),
    "wins against the result": (
        'wins: ClassVar = "highest"', 'wins: ClassVar = "lowest"', "`wins` says that the lowest",
    ),
    "points of a team": (
        "    @property\n    def _next", "    @override\n    def teams(self) -> tuple[tuple[int, ...], ...]:\n"
        '        """Say that two play together."""\n        return ((0, 1),)\n\n    @property\n    def _next',
        "must have one score and one place",
    ),
    "calls that fail": (CALLS, f"1 / (self.pot - 4)\n        {CALLS}", "ZeroDivisionError"),
    "a default outside its range": ("goal: int = 100", "goal: int = 5", "goal"),
    "a rule of a later turn is forgotten": ("if die == (1,)", "if die == (1,) and not any(self.banked)", ONLY_A_RECORD),
    "a field that is not reset": (RESET, RESET.replace("pot=0, ", ""), ONLY_A_RECORD),
    "the wrong seat": (NEXT, "return self.turn + 1", "seat"),
    "a file is read": (POT, f"open('/etc/hostname')\n        {POT}", "open"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_named_or_needs_a_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, wrong, says = MISTAKES[name]
    assert right in GAME
    monkeypatch.setattr(patience, "CALL_S", 0.5)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted_eyes", raising=False)
    (tmp_path / "planted_eyes.py").write_text(GAME.replace(right, wrong, 1), encoding="utf-8")
    game: Any = importlib.import_module("planted_eyes").SnakeEyes
    flaws = [str(found.flaw) for found in examine(game, 1, options=[{"goal": 30}]) if found.flaw]
    if says == ONLY_A_RECORD:
        assert flaws == []
    else:
        assert any(says in flaw for flaw in flaws), flaws
