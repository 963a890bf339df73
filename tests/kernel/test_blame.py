"""What an engine gets wrong is said in words, with the file and the line, and whose code it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.kit.seen import check_seen
from umpi.games.dodeka import Dodeka
from umpi.kernel import Act, Ask, Game, Match, Number, Pick, replace
from umpi.kernel.blame import blame
from umpi.kernel.match import Broken
from umpi.kernel.random_games import NeverEnds, sample
from umpi.kernel.record import check_options, check_table
from umpi.kernel.table_setup import table_setup_texts


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


def going(how: str, game: type[Any] = Odd, times: int = 1) -> Callable[[], object]:
    """Return what plays a game that goes wrong in some way."""

    def play() -> None:
        game.how = how
        match = Match(game, ("Ann",))
        for _ in range(times):
            match.play(Act("go", {"card": "a"}))

    return play


def acting(do: Callable[[Any], object]) -> Callable[[], object]:
    """Return what plays a game whose act does this."""
    return going("", type("Acting", (Odd,), {"do_go": lambda self, seat, card: do(self)}))


def endless(self: object) -> object:
    return endless(self)


def full(self: object) -> object:
    raise MemoryError


def unnamed(self: object) -> object:
    return no_such_name  # type: ignore[name-defined] # noqa: F821


def choosing() -> object:
    Odd.options = (Pick("mood", ("calm",), ("calm", "odd"), lambda mood: {}["gone"]),)
    return check_options({"mood": "odd"}, Odd)


def tabled(how: str = "", **options: int) -> Callable[[], object]:
    def check() -> None:
        Odd.how = how
        check_table(Odd, 2, options)

    return check


KEEP = Ask("keep", "Keep", (Pick("card", ("a",)),), objection=lambda given: "Not this one.")
DEAF = type("Deaf", (Odd,), {"do_go": lambda self, seat: self})
WRONG: dict[str, Callable[[], object]] = {
    **{how: going(how) for how in (
        "no return", "one ask", "list", "word", "none", "one field", "list of fields", "own code",
    )},
    "one field that follows": going("one more", times=2),
    "no such field": going("", DEAF),
    "a changed position": acting(lambda self: setattr(self, "step", 2)),
    "methods that call each other": acting(endless),
    "no memory": acting(full),
    "no such name": acting(unnamed),
    "a list as a key": acting(lambda self: {[1]: 2}),
    "a fault of the box": lambda: Match(Dodeka, ("Ann", "Ben")).asked(7),
    "sound options": tabled(),
    "refused options": tabled(rounds=7),
    "an objection that fails": tabled("objection"),
    "an option that fails": choosing,
    "an offer that is refused": lambda: sample([KEEP], lambda: 0.5),
    "an offer without values": lambda: sample([replace(KEEP, fields=(Pick("card", ()),))], lambda: 0.5),
    "a list by default": lambda: dataclass(type("Listed", (), {"__annotations__": {"a": "list"}, "a": []})),
    "then": lambda: Ask("roll", "Roll", then="bank"),  # type: ignore[call-arg]
    "kinds": lambda: Pick("card", (1,), kinds=(1, 2)),  # type: ignore[call-arg]
    "why": lambda: Pick("card", (1,), why=str),  # type: ignore[call-arg]
    "check": lambda: Ask("roll", "Roll", check=str),  # type: ignore[call-arg]
    "aside": lambda: Pick("card", (1,), aside=True),  # type: ignore[call-arg]
    "unheard": lambda: Ask("land", "Landed", unheard="Missed?"),  # type: ignore[call-arg]
    "another word": lambda: Ask("land", "Landed", unseen="Missed?"),  # type: ignore[call-arg]
    "a strategy": lambda: best("a"),
    "no text for an act": lambda: silent(told=told).told(-1),
    "no text for a decision": lambda: silent(decided=decided).decided(Act("go"), False),
    "no text for a whole decision": lambda: silent(told=told).decided(Act("go"), True),
    "calls that are no tuple": lambda: silent(calls=lambda self, before, act: None).calls(),
    "a setup of the table that is no tuple": lambda: table_setup_texts(
        type("Bare", (Odd,), {"table_setup": classmethod(lambda cls, seats: ["x"])}), ("Ann",), {}
    ),
}  # fmt: skip


def told(self: object, act: Act) -> None:
    """Say nothing of an act."""


def decided(self: object, act: Act) -> None:
    """Say nothing of a decision."""


def silent(**members: object) -> Match:
    """Return a match of a game with other members, after one act."""
    match = Match(type("Silent", (Odd,), members), ("Ann",))
    match.play(Act("go", {"card": "a"}))
    return match


def best(card: str) -> object:
    raise NeverEnds("It thinks too long.")


def test_what_goes_wrong_is_said_and_blamed_as_somebody_has_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What goes on is in the log. What Python says is left out: another version says it in other words."""
    lines = []
    for name, do in WRONG.items():
        monkeypatch.setattr(Odd, "how", "")
        monkeypatch.setattr(Odd, "options", Odd.options)
        lines.append(f"== {name}")
        caplog.clear()
        try:
            do()
            lines += [re.sub(r"/\S*/(\w+\.py), line \d+", r"\1", record.getMessage()) for record in caplog.records]
        except Exception as fault:
            if isinstance(fault, Broken | NeverEnds) or name == "refused options":
                lines.append(re.sub(r"((?!Attribute)\b\w+Error): .*", r"\1", str(fault)))
            whose = blame(fault, Dodeka if "box" in name else Odd, *(["the strategy"] if "strategy" in name else []))
            lines.append(re.sub(r"/\S*/(\w+\.py), line \d+", r"\1", whose))
        monkeypatch.undo()
    check_seen(Path(__file__).with_name("blamed.txt"), lines)


def test_a_fault_without_a_place_is_nobodys() -> None:
    assert blame(ValueError("somewhere"), Odd) == "nobody's code"


def test_a_fault_of_an_engine_changes_nothing_and_the_log_has_its_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Odd, "how", "no return")
    match = Match(Odd, ("Ann",))
    with pytest.raises(Broken) as error:
        match.play(Act("go", {"card": "a"}))
    assert match.acts == []
    assert blame(error.value, Odd).startswith(f"the game's code: {__file__}, line ")
    (record,) = caplog.records
    assert f"the game's code: {__file__}, line " in record.getMessage()
    assert record.exc_info


def test_an_undo_that_fails_changes_nothing(monkeypatch):
    match = Match(Odd, ("Ann",))
    match.play(Act("go", {"card": "a"}))
    monkeypatch.setattr(Odd, "asks", lambda self: None)
    with pytest.raises(Broken):
        match.undo()
    assert len(match.acts) == 1
