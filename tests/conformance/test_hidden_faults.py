"""Faults that no position shows by itself: hashes of words, options on the class, calls that hang, names, winners."""

from __future__ import annotations

import importlib
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from umpi.conformance import examine, patience
from umpi.conformance.checks import CHECKS
from umpi.conformance.new_game import _texts

GAME = _texts("snake-eyes")["snake_eyes/rules.py"].replace("range(2, 7)", "range(2, 4)", 1)
SETUP = "        return cls((0,) * seats, goal)"
POT = "pot=self.pot + die[0]"
REACHED = "if max(self.banked) < self.goal"
PLACED = "Result(placed(self.banked)"
API = "    umpi_api: ClassVar = 3"
FACTS = 'return {"pot"'
WINS = '    wins: ClassVar = "highest"  # who has the most points leads\n'
LAST = "    pot: int = 0"
FIELD = "    Number,\n"
HANG = "while True:\n            pass"
SCORES = "        return self.banked\n"
SEAT = 'Ask("bank", "Bank", (), self.turn,'

FAULTS: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "hash": ("purity", {POT: f"{POT} + hash(str(self.pot)) % 2"}, ("PYTHONHASHSEED, line", "facts.pot is")),
    "set": ("purity", {FACTS: 'return {"first": next(iter({*"abcdefgh"})), "pot"'}, ("line 1 of", "facts.first is")),
    "class": (
        "purity", {SETUP: f"        cls.GOAL = goal\n{SETUP}", REACHED: "if max(self.banked) < self.GOAL"},
        ("setup() changes SnakeEyes.GOAL",),
    ),
    "module": (
        "purity", {SETUP: f"        KEPT['goal'] = goal\n{SETUP}", REACHED: "if max(self.banked) < KEPT['goal']",
                   "SIDES = 6": "SIDES = 6\nKEPT = {}"},
        ("Another match with the options", "changes this one"),
    ),
    "contrary wins": (
        "end", {'wins: ClassVar = "highest"': 'wins: ClassVar = "lowest"'},
        ("`wins` says that the lowest score leads, but the winner has it in 0 of",),
    ),
    "named seat": (
        "declaration",
        {SEAT: 'Ask("bank", "Bank", (Pick("seat", (self.turn,)),), None,', FIELD: f"{FIELD}    Pick,\n"},
        ("do_bank types seat as int; the line names the seat, so write NamedSeat (from umpi.kernel).",),
    ),
    "wins as a number": (
        "offers", {WINS: "", LAST: f"{LAST}\n    wins: int = 0"},
        ("Its `wins` must be \"highest\", \"lowest\" or None, not 0.",),
    ),
}  # fmt: skip


MEMBERS = ("dealer", "kind", "teams", "cards", "reported", "pieces", "standing", "formerly", "judged", "view", "id")


@pytest.mark.parametrize("name", MEMBERS)
def test_a_field_named_like_a_member_is_one_sentence(name: str, load: Any) -> None:
    why = rf"the field {name} has the name of a member of umpi\.kernel\.Game: rename it"
    with pytest.raises(TypeError, match=why):
        load(GAME.replace(LAST, f"{LAST}\n    {name}: int = 0"))


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import the game from a file, as another process can, after a change of its text."""

    def loaded(source: str) -> Any:
        (tmp_path / "hidden_eyes.py").write_text(source, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "hidden_eyes", raising=False)
        importlib.invalidate_caches()
        return importlib.import_module("hidden_eyes").SnakeEyes

    return loaded


def flaws_of(game: Any) -> dict[str, str]:
    return {found.check: str(found.flaw) for found in examine(game, 1) if found.flaw}


@pytest.mark.slow
def test_the_sound_game_holds_and_says_who_wins(load: Any) -> None:
    figures = {found.check: found.figures for found in examine(load(GAME), 1) if not found.flaw}
    assert set(figures) == set(CHECKS)
    assert "replayed with other hashes: 2 games" in figures["purity"]
    assert "winner has the highest score in" in figures["end"]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_hidden_fault_is_caught_by_one_sentence(fault: str, load: Any) -> None:
    check, changes, parts = FAULTS[fault]
    source = GAME
    for right, wrong in changes.items():
        assert right in source, right
        source = source.replace(right, wrong, 1)
    flaws = flaws_of(load(source))
    assert list(flaws) == [check], flaws
    assert all(part in flaws[check] for part in parts), flaws
    assert "Umpi's own code" not in flaws[check]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "check", "part"),
    [
        (f"return replace(self, {POT})", HANG, "legality", "do_roll() did not"),
        (SETUP, f"        {HANG}\n{SETUP}", "declaration", "setup() did not"),
        (SCORES, f"        {HANG.replace('True', 'max(self.banked) > 3')}\n{SCORES}", "legality", "scores() did not"),
    ],
    ids=["act", "setup", "scores"],
)  # fmt: skip
def test_a_call_that_does_not_return_is_named(
    right: str, wrong: str, check: str, part: str, load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is processor time: a busy machine changes nothing."""
    monkeypatch.setattr(patience, "CALL_S", 0.4)
    assert right in GAME
    flaw = flaws_of(load(GAME.replace(right, wrong, 1)))[check]
    assert f"{part} return within 0.4 s of processor time [the game's code: " in flaw
    assert "hidden_eyes.py, line " in flaw


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
@pytest.mark.parametrize("greed", ["[0] * 10**11", "[[each] * 10**6 for each in range(10**6)]"], ids=["one", "many"])
def test_a_call_that_fills_the_memory_is_named(greed: str, load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, or piece by piece; then the check goes on with what it had."""
    monkeypatch.setattr(patience, "MEMORY", 200 << 20)
    right = f"return replace(self, {POT})"
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    flaw = flaws_of(load(GAME.replace(right, f"return replace(self, pot=len({greed}))", 1)))["legality"]
    assert "MemoryError: there is not enough memory" in flaw
    assert "hidden_eyes.py, line " in flaw
    assert "It takes more memory than there is." in flaw
    assert resource.getrlimit(resource.RLIMIT_DATA) == limits
