"""What the checks look at, try and report, as somebody has read it in seen/."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from made_bags import NAMES, draw
from planted.bag import Bag
from planted.hands import Hands
from planted.rungs import Rungs
from planted.sixes import Sixes
from planted.small import Dealt, Endless, Forever, Small, Timed

from tests.kit.seen import check_seen
from umpi import kernel
from umpi.conformance import drawing, edges, elsewhere, examine, legality, lesson, perft, said, snapshot, speed, tables
from umpi.conformance.averages import Averages
from umpi.conformance.checks import CHECKS, FOLLOWERS, OPTIONAL, at_the_end, on_the_way
from umpi.conformance.presses import Presses
from umpi.conformance.speed import Speed
from umpi.kernel import Act, Ask, Game, Match, messages
from umpi.kernel.fields import Field
from umpi.kernel.match import Broken, Refused
from umpi.kernel.record import Header, dump
from umpi.lessons.lesson import Lesson, watch, your_move

SEEN = Path(__file__).with_name("seen")
MACHINE = (  # what differs from one machine or version of Python to the other
    (re.compile(r"[\d,]+ Python calls per act"), "SOME Python calls per act"),
    (re.compile(r"here [\d,]+ acts"), "here SOME acts"), (re.compile(r" \[the game's code: [^]]*\]"), ""),
)  # fmt: skip


def same(text: str) -> str:
    for pattern, instead in MACHINE:
        text = pattern.sub(instead, text)
    return text


def numbers(often: Callable[[int], bool]) -> str:
    """Return the numbers that a check examines, runs of them as 1-4."""
    found = [number for number in range(1, 5_100) if often(number)]
    runs = [at for at, number in enumerate(found) if at == 0 or number - found[at - 1] > 1]
    spans = [(found[at], found[end - 1]) for at, end in zip(runs, [*runs[1:], len(found)], strict=True)]
    return " ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in spans[:6])


def test_each_check_examines_the_positions_that_somebody_has_read() -> None:
    """Of each kind the first ones, and then fewer; the kinds are those of four positions of the bag."""
    matches = [
        Match(Bag, NAMES),
        Match(Bag, ("Red", "Blue", "Yellow"), {"stones": 3}),
        Match(Bag, NAMES, {"stones": 3}),
    ]
    matches[1].play(draw(2))
    for stone in (1, 2, 3):
        matches[2].play(draw(stone))
    lines = [f"{name}{' follows' * (name in FOLLOWERS)}{' may be absent' * (name in OPTIONAL)}" for name in CHECKS]
    for check in (*on_the_way(Presses(), Averages()), *at_the_end(Speed())):
        where = f"{check.look.__module__.rpartition('.')[2]}.{check.look.__name__}"
        lines.append(f"{check.name}: {where} of each {check.kind.__name__}: {numbers(check.often)}")
        lines += [f"    {check.kind(match)}" for match in matches]
    check_seen(SEEN / "schedule.txt", lines)


@pytest.mark.parametrize("options", [None, [{"stones": 3}]], ids=["all", "three"])
def test_the_report_of_a_sound_game_and_its_progress_are_what_somebody_has_read(
    options: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(
        elsewhere, "difference", lambda game, matches: lines.append(f"elsewhere: {matches[0].acts[:2]}")
    )
    findings = list(examine(Small, 2, 1, options, lambda text, share: lines.append(f"{text}: {share:.3f}")))
    for finding in findings:
        said = finding.flaw or same(finding.figures)
        lines.append(f"{finding.check}{' (absent)' * finding.absent}: {said}")
    check_seen(SEEN / f"report-{request.node.callspec.id}.txt", lines)


LIMITS = {
    "few": {"ENDLESS": 40, "FEW": 7},
    "many": {"ENDLESS": 99, "FEW": 7},
    "cut": {"ACTS": 9, "LEAST": 4, "EDGES": 3},
}


@pytest.mark.parametrize(
    ("game", "limits"),
    [(Endless, "many"), (Forever, "few"), (Forever, "many"), (Small, "cut"), (Dealt, "cut"), (Timed, "cut")],
    ids=lambda value: getattr(value, "__name__", value).lower(),
)
def test_games_without_end_or_with_a_dealer_are_examined_as_somebody_has_read(
    game: Any, limits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With limits so low that a test is short."""
    module = sys.modules["umpi.conformance.examine"]
    for name, value in LIMITS[limits].items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "OFTEN", 3)
    monkeypatch.setattr(elsewhere, "difference", lambda game, matches: None)
    lines: list[str] = []
    for finding in examine(game, 1, 2, None, lambda text, share: lines.append(f"{text}: {share:.3f}")):
        lines.append(f"{finding.check}: {same(str(finding.flaw or finding.figures))}")
    check_seen(SEEN / f"examined-{game.__name__.lower()}-{limits}.txt", lines)


def unindented(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if not line.startswith(" ")]


def evaluated(text: str) -> Any:
    return eval(text, vars(kernel) | {"Profile": kernel.Profile})


def test_the_values_of_each_field_are_what_somebody_has_read() -> None:
    """Its edges, the values that an option gets, how a snapshot writes it, and each that a count of lines tries."""
    lines = []
    for text in unindented(SEEN / "fields.txt"):
        field: Field = evaluated(text)
        each = list(perft.values(field))
        lines += [
            text, f"    edges {list(edges.edge_values(field))}", f"    as an option {list(tables._values(field))}",
            f"    in a snapshot {snapshot._values(field)}", f"    counted {perft.answers(Ask('say', 'Say', (field,)))}",
            f"    each of {len(each)}: {each[:40]}",
        ]  # fmt: skip
    check_seen(SEEN / "fields.txt", map(str.rstrip, lines))


class Noting(Match):
    """Note which acts are tried, and what becomes of them."""

    tried: list[str]

    def play(self, act: Act) -> Game:
        """Do an act."""
        line = dump(act.line())
        try:
            position = super().play(act)
        except Refused as fault:
            self.tried.append(f"    {line}: {fault}")
            raise
        self.tried.append(f"    {line}")
        return position


class Asked(Bag):
    """Asks for one field."""

    field: ClassVar[Any] = None
    all: ClassVar[tuple[Ask, ...]] = ()

    def asks(self) -> tuple[Ask, ...]:
        """Ask the first seat."""
        return (Ask("say", "Say", (self.field,), 0), Ask("pass", "Pass"))

    def do_say(self, seat: int, x: Any = None) -> Any:
        """Change nothing."""
        return self


def test_the_acts_that_the_checks_of_legality_try_are_what_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is offered with each of its values, and what is not, with one error each."""
    lines = []
    for text in dict.fromkeys(line.rpartition(": ")[0] for line in unindented(SEEN / "legality.txt")):
        monkeypatch.setattr(Asked, "field", evaluated(text))
        for look in (legality.lawful, legality.refused):
            match = Noting(Asked, NAMES)
            match.tried = []
            flaws = [flaw.why for flaw in look(match, Random(1).random)]
            lines += [f"{text}: {look.__name__} {flaws or ''}", *match.tried]
    check_seen(SEEN / "legality.txt", map(str.rstrip, lines))


@pytest.mark.parametrize("game", [Small, Hands, Rungs, Sixes], ids=lambda game: game.__name__.lower())
def test_a_snapshot_is_what_somebody_has_read(game: type[Game], tmp_path: Path) -> None:
    """And one that differs shows the lines around the difference."""
    paths = snapshot.renew_snapshot(game, tmp_path / "new", 1)
    assert snapshot.check_snapshot(game, tmp_path / "new") == f"{len(paths)} play-throughs"
    recorded = paths[0].read_text("utf-8").splitlines()
    changed = [*recorded[:3], recorded[3].replace("totals", "points"), *recorded[4:]]
    early = [line for line in recorded if '"do"' not in line or line != recorded[2]]
    differences = (snapshot.compared(lines, game) for lines in (recorded, changed, early))
    check_seen(SEEN / f"snapshot-{game.__name__.lower()}.txt", [
        *(f"== {path.name}\n{path.read_text('utf-8')}" for path in paths),
        *(f"== differs\n{each}" for each in differences),
    ])  # fmt: skip


def counted(match: Match, limit: int | None, depth: int) -> Iterator[str]:
    said: list[str] = []
    count = perft.perft(match, depth, said.append, limit)
    yield f"limit {limit}, depth {depth}: {count.lines} lines {dict(count.verbs)}, over {count.over}"
    more = "" if count.complete else " and more"
    yield f"    {count.positions} positions{more}; {len(said)} reports, {said[0]}, {said[-1]}"


def test_a_count_of_lines_up_to_a_limit_is_what_somebody_has_read() -> None:
    match = Match(Bag, NAMES, {"stones": 3})
    lines = [
        line for limit in (None, 0, 1, 5, 11, 12, 1000) for depth in (1, 2, 3) for line in counted(match, limit, depth)
    ]
    lines += [f"{dump(act.line())}: {number}" for depth in (1, 2) for act, number in perft.divide(match, depth)]
    lines += [dump(act.line()) for act in perft.legal(match.asks, {"stone": (2, 9), "loud": ()})]
    check_seen(SEEN / "perft.txt", lines)
    failing = Match(type("Failing", (Bag,), {"do_pass": lambda self, seat: {}["turn"]}), NAMES, {"stones": 3})
    with pytest.raises(Broken, match="Bag rules failed on \"pass\": KeyError: 'turn'"):
        perft.perft(failing, 2)


class Words(Small):
    """A small bag whose members a test replaces after its marks are made."""


def test_a_replay_elsewhere_names_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: what the other one is asked, and its answer for a game that says something else there."""
    game = monkeypatch_game(monkeypatch)
    matches = [Match(game, NAMES), Match(game, NAMES, {"stones": 3})]
    for match in matches:
        for stone in (1, 2):
            match.play(draw(stone))
    asked: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    seeds: list[str] = []

    def run(command: list[str], *, input: str, env: dict[str, str], **how: Any) -> Any:
        assert command == [sys.executable, "-P", elsewhere.__file__]
        assert how == {"stdout": subprocess.PIPE, "text": True, "timeout": elsewhere.PATIENCE_S, "check": True}
        asked.append(json.loads(input))
        seeds.append(env["PYTHONHASHSEED"])
        return subprocess.CompletedProcess([], 0, json.dumps(answers.pop(0) if answers else {}))

    monkeypatch.setattr(subprocess, "run", run)
    for own, others in (("", ["1", "2"]), ("1", ["2", "3"]), ("2", ["1", "3"])):
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
        if own:
            monkeypatch.setenv("PYTHONHASHSEED", own)
        seeds.clear()
        assert elsewhere.difference(game, matches) is None
        assert seeds == others
    request = asked[0]
    assert (request["path"], request["module"], request["name"]) == (sys.path, game.__module__, game.__qualname__)
    assert request["records"][1][0] == dump(Header(game, NAMES, {"stones": 3}).line())
    assert elsewhere._difference(request) == {}, "nothing differs where nothing is different"

    lines = []
    for name, changed in CHANGED.items():
        with monkeypatch.context() as here:
            for member, value in changed.items():
                here.setattr(game, member, value)
            there = elsewhere._difference(request)
        answers[:] = [{}, there]
        found = elsewhere.difference(game, matches)
        assert found
        assert found.match is matches[there["record"]]
        lines += [f"== {name}", json.dumps(there, ensure_ascii=False), f"after {found.acts} acts: {same(found.why)}"]
    check_seen(SEEN / "elsewhere.txt", lines)


def monkeypatch_game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the other process find the game in its module."""
    monkeypatch.setattr(sys.modules["planted.small"], "Words", Words, raising=False)
    monkeypatch.setattr(Words, "__module__", "planted.small")
    return Words


def in_second(value: Any, usual: Any) -> Any:
    """Return a member that differs once a second stone is drawn of three."""
    return lambda self, *given: value if (self.stones, len(self.bag)) == (3, 1) else usual(self, *given)


CHANGED: dict[str, dict[str, Any]] = {
    "facts": {"facts": lambda self: {"bag": self.bag[:1], "hands": "x" * 90}},
    "a fact more": {"facts": lambda self: {**Bag.facts(self), "more": 1}},
    "a fact less": {"facts": lambda self: {"hands": self.hands}},
    "later": {"facts": in_second({"bag": 0, "hands": 0}, Bag.facts)},
    "scores": {"scores": lambda self: (7, 7)},
    "view": {"view": lambda self: kernel.View("another head")},
    "told": {"told": lambda self, act: "Another sentence."},
    "calls": {"calls": lambda self, before, act: (kernel.Call("drawn", "A stone."),)},
    "now": {"now": lambda self: kernel.Now("Draw.")},
    "refuses": {"do_draw": lambda self, seat, stone, loud=False: {}["stone"]},
    "fails": {"odds": lambda self: (), "view": lambda self: {}["head"]},
    "offer": {"asks": lambda self: tuple(ask._replace(help="Another.") for ask in Bag.asks(self))},
}

LESSONS: dict[str, Lesson | None] = {
    "none": None,
    "empty": Lesson("bag", 2, ()),
    "right": Lesson("bag", 2, (your_move("You are {red}.", draw(1)), watch("{blue} too.", draw(2)), watch("The end."))),
    "unknown option": Lesson("bag", 2, (watch("Look."),), {"stone": 3}),
    "nothing to enter": Lesson("bag", 2, (watch("Look."), your_move("Enter it."))),
    "refused": Lesson("bag", 2, (watch("Look.", draw(1)), watch("Look again.", draw(1)))),
    "refused answer": Lesson("bag", 2, (your_move("Enter it.", draw(99)),)),
    "nobody": Lesson("bag", 2, (watch("Look at {yellow}."),)),
    "unfit": Lesson("bag", 2, (watch("Look.", Act("draw", {})), watch("Look."))),
}


def test_what_is_said_of_a_lesson_is_what_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []
    for name, found in LESSONS.items():
        monkeypatch.setattr(lesson, "whole_lesson", lambda game, found=found: found)
        flaws = [flaw.why for flaw in lesson.followed(Bag)]
        lines.append(f"{name}: {lesson.has_lesson(Bag)}, {lesson.steps(Bag)} steps, {flaws}")

    def fails(game: object) -> None:
        raise LookupError("no such step")

    monkeypatch.setattr(lesson, "whole_lesson", fails)
    flaws = [flaw.why for flaw in lesson.followed(Bag)]
    lines.append(f"fails: {lesson.has_lesson(Bag)}, {lesson.steps(Bag)} steps, {flaws}")
    check_seen(SEEN / "lessons.txt", lines)


@pytest.mark.parametrize("game", [Small, Hands, Rungs, Sixes], ids=lambda game: game.__name__.lower())
def test_the_texts_of_a_small_game_are_what_somebody_has_read(game: type[Game]) -> None:
    lines = [f"{room.partition(':')[0]} | {tuple(text)}" for text, room in said.heard(game).items()]
    check_seen(SEEN / f"texts-{game.__name__.lower()}.txt", lines)


def test_only_a_game_with_a_file_can_be_replayed_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("made_here")
    monkeypatch.setitem(sys.modules, "made_here", module)
    made = type("Made", (Bag,), {"__module__": "made_here"})
    assert elsewhere.importable(Bag)
    assert not elsewhere.importable(made), "the module has no such name"
    module.__dict__["Made"] = made
    assert not elsewhere.importable(made), "the module comes from no file"
    module.__spec__ = sys.modules[__name__].__spec__
    assert elsewhere.importable(made)
    monkeypatch.setattr(made, "__module__", "__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    assert not elsewhere.importable(made), "another process has another main module"
    monkeypatch.setattr(made, "__module__", "gone")
    assert not elsewhere.importable(made)


def test_an_act_may_cost_as_many_calls_as_the_limit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hundred acts of a game are counted."""
    match = Match(Bag, NAMES, {"stones": 3})
    for stone in (1, 2, 3):
        match.play(draw(stone))
    speed.counted(Match(Bag, NAMES, {"stones": 3}), match.acts)  # the first match fills the kernel's caches
    calls = speed.counted(Match(Bag, NAMES, {"stones": 3}), match.acts)
    for bound, allowed in ((calls / 3, True), ((calls - 1) / 3, False)):
        monkeypatch.setattr(speed, "BOUND", bound)
        found = speed.Speed()
        flaws = [flaw.why for flaw in found.look(match, Random(1).random)]
        assert (flaws == [], found.calls, found.acts) == (allowed, calls, 3)
    assert flaws[0].startswith(f"An act costs {calls // 3} Python calls; the limit is ")
    monkeypatch.setattr(speed, "BOUND", calls)
    monkeypatch.setattr(speed, "MANY", 2)
    found = speed.Speed()
    assert list(found.look(match, Random(1).random)) == []
    assert found.acts == 2


def test_random_acts_are_drawn_with_the_answers_that_are_fixed() -> None:
    """An optional field is answered always, never, or by chance; and after enough draws there is no act."""
    ask = Ask("say", "Say", (kernel.Pick("x", (1, 2)), kernel.Pick("y", (3,), optional=True)), 1)
    chance = Random(1).random
    assert {drawing.drawn(ask, chance, {"x": 2}, True).line()["x"] for _ in range(9)} == {2}  # type: ignore[union-attr]
    for optional, given in ((True, {True}), (False, {False}), (None, {True, False})):
        assert {"y" in drawing.drawn(ask, chance, optional=optional).given for _ in range(30)} == given  # type: ignore[union-attr]
    tries: list[object] = []
    never = ask._replace(objection=lambda given: tries.append(given) or "No.")
    assert drawing.drawn(never, chance) is None
    assert len(tries) == drawing.TRIES == 100
    assert drawing.drawn(Ask("say", "Say", (kernel.Pick("x", ()),)), chance) is None
    assert drawing.seat_of(ask, {}) == 1
    assert drawing.seat_of(ask, {"seat": 0}) == 0
    assert [*drawing.asked(ask, {"x": 1})] == ["x", "y"]
    follows = ask._replace(more=lambda given: (kernel.Number("z", 0, given["x"]),) if "x" in given else ())
    assert [*drawing.asked(follows, {"x": 1})] == ["x", "y", "z"]
    assert [*drawing.asked(follows, {"y": 3})] == ["x", "y"]


def test_the_texts_of_messages_and_asks_are_what_somebody_has_read() -> None:
    """Sentences are translated whole, and words one by one; a player's name and a number are not.

    To add one, write it into heard.txt, and approve what is heard of it.
    """
    known = {**vars(kernel), **vars(messages)}
    lines = []
    for text in unindented(SEEN / "heard.txt"):
        listener = said._Listener(Bag)
        listener.cards = {"fire-4"}
        value = eval(text, known)
        if isinstance(value, Ask):
            listener._of_ask(value, Random(1))
        else:
            listener._text(value, "ROOM")
        lines.append(text)
        lines += [f"    {tuple(each)} {room.partition(':')[0]}" for each, room in listener.heard.items()]
    check_seen(SEEN / "heard.txt", lines)
