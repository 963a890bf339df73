"""What an engine gets wrong is said in words, with the file and the line, and whose code it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from umpi.games.dodeka import Dodeka
from umpi.kernel import Act, Ask, Game, Match, Number, Pick, replace
from umpi.kernel.blame import blame
from umpi.kernel.match import Broken
from umpi.kernel.random_games import NeverEnds, sample
from umpi.kernel.record import check_options, check_table


@dataclass(frozen=True, slots=True)
class Odd(Game):
    """A game that goes wrong as `how` says."""

    id: ClassVar = "odd"
    title: ClassVar = "Odd"
    seats: ClassVar = range(1, 3)
    options: ClassVar = (Number("rounds", 1, 9),)
    phase: ClassVar = "turn"
    how: ClassVar = ""
    step: int = 0

    @classmethod
    def setup(cls, seats, rounds=3):
        return cls()

    @classmethod
    def objection(cls, seats, rounds):
        if cls.how == "objection":
            return 1 // 0
        return "Too many rounds." if rounds > 5 else ""

    def asks(self) -> Any:
        ask = Ask("go", "Go", (Pick("card", ("a",)),))
        if self.step:
            return {
                "one ask": ask, "list": [ask], "word": ("go",), "none": None,
                "one field": (replace(ask, fields=ask.fields[0]),),
                "list of fields": (replace(ask, fields=[*ask.fields]),),
                "one more": (replace(ask, more=lambda given: Number("n", 1, 2)),),
            }.get(self.how, (ask,))  # fmt: skip
        return (ask,)

    def do_go(self, seat, card):
        if self.how == "no return":
            return None
        return replace(self, step=1, **({"no_field": 1} if self.how == "own code" else {}))

    def scores(self):
        return (0,)

    def result(self):
        return None

    def facts(self):
        return {}


REASONS = {
    "no return": "do_go must return a position, not None: is a `return` missing?",
    "one ask": "asks\\(\\) returns a single Ask: write \\(x,\\) with a comma",
    "list": "asks\\(\\) returns a list, not a tuple of Ask",
    "word": "asks\\(\\) returns a str among its Ask",
    "none": "asks\\(\\) returns a NoneType, not a tuple of Ask",
    "one field": 'asks\\(\\) gives "go" a single field: write \\(x,\\) with a comma',
    "list of fields": 'asks\\(\\) gives "go" a list, not a tuple of fields: write tuple',
    "own code": "Odd has no field no_field",
}  # fmt: skip


@pytest.mark.parametrize("how", REASONS)
def test_a_wrong_return_value_of_an_engine_is_reported_with_its_line(how, monkeypatch, caplog):
    monkeypatch.setattr(Odd, "how", how)
    match = Match(Odd, ("Ann",))
    with pytest.raises(Broken, match=REASONS[how]) as error:
        match.play(Act("go", {"card": "a"}))
    assert match.acts == []
    where = "do_go" if how in ("no return", "own code") else "asks"
    assert blame(error.value, Odd).startswith(f"the game's code: {__file__}, line ")
    assert blame(error.value, Odd).endswith(f"in {where}")
    (record,) = caplog.records
    assert f"the game's code: {__file__}, line " in record.getMessage()
    assert record.exc_info


def test_a_field_that_follows_needs_its_comma_too(monkeypatch):
    monkeypatch.setattr(Odd, "how", "one more")
    match = Match(Odd, ("Ann",))
    match.play(Act("go", {"card": "a"}))
    with pytest.raises(Broken, match='`more` of "go" returns a single field'):
        match.play(Act("go", {"card": "a"}))


def test_a_method_that_does_not_take_its_fields_is_the_games_fault():
    class Deaf(Odd):
        def do_go(self, seat):
            return self

    with pytest.raises(Broken, match="unexpected keyword argument 'card'") as error:
        Match(Deaf, ("Ann",)).play(Act("go", {"card": "a"}))
    assert blame(error.value, Deaf).endswith("in do_go")


def test_a_fault_of_the_box_is_its_own():
    with pytest.raises(IndexError) as error:
        Match(Dodeka, ("Ann", "Ben")).asked(7)
    assert blame(error.value, Dodeka).startswith("Umpi's own code: ")
    assert "match.py, line " in blame(error.value, Dodeka)


def test_objections_are_asked_with_the_defaults_and_their_failure_is_a_refusal(monkeypatch):
    check_table(Odd, 2, {})
    with pytest.raises(ValueError, match=r"^Too many rounds\.$"):
        check_table(Odd, 2, {"rounds": 7})
    monkeypatch.setattr(Odd, "how", "objection")
    with pytest.raises(Broken, match="Odd rules failed to set up: ZeroDivisionError"):
        check_table(Odd, 2, {})


def test_an_option_whose_own_code_fails_is_a_refusal(monkeypatch):
    monkeypatch.setattr(Odd, "options", (Pick("mood", ("calm",), ("calm", "odd"), lambda mood: 1 // 0),))
    with pytest.raises(Broken, match="failed to set up"):
        check_options({"mood": "odd"}, Odd)


def test_an_offer_that_cannot_be_drawn_says_why_and_what_to_do():
    ask = Ask("keep", "Keep", (Pick("card", ("a",)),), objection=lambda given: "Not this one.")
    with pytest.raises(NeverEnds, match=r"keep in 100 tries; `objection` refused the last with: Not this one\. Offer"):
        sample([ask], lambda: 0.5)
    with pytest.raises(NeverEnds, match=r"a pool is empty\. Offer only what can be done"):
        sample([replace(ask, fields=(Pick("card", ()),))], lambda: 0.5)


def test_an_undo_that_fails_changes_nothing(monkeypatch):
    match = Match(Odd, ("Ann",))
    match.play(Act("go", {"card": "a"}))
    monkeypatch.setattr(Odd, "asks", lambda self: None)
    with pytest.raises(Broken):
        match.undo()
    assert len(match.acts) == 1


@pytest.mark.parametrize(
    ("write", "cure"),
    [
        (lambda: Ask("roll", "Roll", then="bank"), "Write followed_by in place of then."),
        (lambda: Pick("card", (1,), kinds=(1, 2)), "Write all_values in place of kinds."),
        (lambda: Pick("card", (1,), aside=True), "Write in_menu in place of aside."),
        (lambda: Ask("land", "Landed", unheard="Missed?"), "Write note_if_no_hit in place of unheard."),
    ],
)
def test_an_earlier_name_is_answered_with_the_name_of_today(write, cure):
    with pytest.raises(TypeError) as fault:
        write()
    assert blame(fault.value, Odd).endswith(cure)
