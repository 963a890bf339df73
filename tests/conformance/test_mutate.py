"""`umpi check GAME --mutate`: changes of a planted game, and the records that notice them."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, ClassVar, Self

import pytest
from planted import rungs
from planted.bag import Bag
from planted.rungs import Rungs

from tests.kit.sampling import SOAK
from tests.kit.seen import check_seen
from umpi import kernel
from umpi.cli import main
from umpi.conformance.command import INCOMPLETE
from umpi.conformance.flaws import Flawed
from umpi.conformance.mutation import trial
from umpi.conformance.mutation.changes import Change, changes_of
from umpi.conformance.mutation.command import UNNOTICED, _shortened, run_mutate, written
from umpi.conformance.mutation.question import Played, Question, first_difference, said
from umpi.conformance.mutation.run import Mutation
from umpi.conformance.mutation.trial import ENDS, TOO_LONG, TOO_MUCH, Noticed, Open, Outcome, Same, tried
from umpi.conformance.new_game import write_package
from umpi.conformance.patience import Stuck
from umpi.conformance.records import mismatches
from umpi.kernel import Ask, Game, override
from umpi.kernel.match import Match
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import games

RECORDS = Path(__file__).parents[1] / "records"
HEADER = '{"umpi": 1, "game": "rungs", "players": ["Ann", "Ben"], "options": {}'
WHOLE = f"""{HEADER}, "totals": [[2, 0], [2, 1], [1, 1]], "expect": {{"seat": 1, "winners": [], "phase": "climb"}}}}
{{"refuse": {{"do": "climb", "up": 0}}}}
{{"refuse": {{"do": "climb", "up": 3}}}}
{{"do": "climb", "up": 2, "by": 0}}
{{"do": "climb", "up": 1, "by": 1}}
{{"do": "climb", "up": 1}}
"""
END = f"""{HEADER}, "expect": {{"scores": [5, 0], "winners": [0]}}}}
"""


def lines_of(change: Change) -> str:
    return f"{Path(change.file).name}:{change.line} {change.text}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record of the loose rung."""
    (tmp_path / "loose-rung.jsonl").write_text(WHOLE)
    return tmp_path


def run(records: Path | None, limit: int | None = None, confirm: bool = False, seed: int = 0, limit_s: int = 1) -> int:
    return run_mutate("planted.rungs:Rungs", 2, seed, records, limit, limit_s, confirm)


def answers(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person at the terminal answer so, and then close it."""

    def answer(question: str) -> str:
        print(question)
        if not given:
            raise EOFError
        return given.pop(0)

    monkeypatch.setattr("builtins.input", answer)


SEEN = Path(__file__).with_name("seen")
CODE = re.compile(r" \[the game's code: [^]]*\]")
LOOPS = "`left - 1` becomes `left + 1`"  # it never comes to 0


@pytest.fixture
def within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try each change in this process, apart from the one that loops: a copy of the process is for what may hang."""

    def look(outcome: Callable[[], Outcome], limit_s: int) -> Outcome:
        (change,) = outcome.args  # type: ignore[attr-defined]
        return Noticed("limit", f"{TOO_LONG} ({limit_s} s)") if change.text == LOOPS else outcome()

    monkeypatch.setattr("umpi.conformance.mutation.run.tried", look)


def told(outcome: Outcome) -> Iterator[str]:
    """Yield what is found of a change: what has noticed it, or the question with its record."""
    match outcome:
        case Noticed(by, why):
            yield f"    noticed by {by}: {CODE.sub('', why)}"
        case Same():
            yield "    no difference"
        case Open(question):
            yield f"    {question.text} -> {question.name}"
            yield from (f"        {line}" for line in question.lines)


@pytest.mark.parametrize("game", [Rungs, Bag], ids=["rungs", "bag"])
def test_what_is_found_of_each_change_is_what_somebody_has_read(game: type[Game], within: None) -> None:
    """Without a record, each change of the rules is a question, or a random game fails."""
    lines: list[str] = []
    mutation = Mutation(
        game, None, 0 if game is Bag else 1, 0, None, 1, lambda text, share: lines.append(f"{text}, {share:.2f} done")
    )
    for change, outcome in mutation.found():
        lines += [change.text, *told(outcome)]
    check_seen(SEEN / f"changes-{game.id}.txt", [f"{mutation.games} random games, {mutation.left} left", *lines])


ANSWERED: dict[str, tuple[list[str] | None, int | None, bool]] = {  # the answers, the limit, and whether with a record
    "unasked": (None, None, True), "limit": (None, 3, False), "yes": (["y"] * 50, None, True),
    "no": (["n", "", "Yes, it is.", "Nonsense", "q"], None, False), "closed": ([], None, True),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERED)
def test_what_the_command_prints_is_what_somebody_has_read(
    case: str, within: None, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, limit, recorded = ANSWERED[case]
    monkeypatch.chdir(folder)
    if not recorded:
        Path("loose-rung.jsonl").unlink()
    if given is not None:
        answers(given, monkeypatch)
    status = run(Path(), limit, confirm=given is not None)
    printed = re.sub(r"\S*/(rungs\.py):\d+", r"\1", capsys.readouterr().out)
    kept = [f"== {path.name}\n{path.read_text('utf-8')}" for path in sorted(Path().glob("*.jsonl"))]
    check_seen(SEEN / f"mutate-{case}.txt", [f"status {status}", *map(str.rstrip, printed.split("\n")), *kept])


def test_a_copy_of_a_record_gets_a_name_of_its_own(tmp_path: Path) -> None:
    question = Question("At this position Red: climb 3 is refused (“No.”): is that so?", ("{}", "{}"))
    names = [written(question, tmp_path).name for _ in range(3)]
    assert names == [f"red-climb-3-is-refused{end}.jsonl" for end in ("", "-2", "-3")]
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"{}\n{}\n"}
    assert Question(f"Now {'abc ' * 20}: is that so?", ()).name == "-".join(["abc"] * 10)


def test_a_long_record_is_printed_without_its_middle() -> None:
    short, long = (tuple(f"line {number}" for number in range(size)) for size in (12, 15))
    assert tuple(_shortened(short)) == short
    assert tuple(_shortened(long)) == (long[0], "… 3 lines …", *long[4:])


SOURCE = '''
LIMIT: int = 3
NAMES = ("a", 1)


class Sample(Game):
    """Text 7."""

    seats: ClassVar = range(2, 5)
    left: int = 4
    high = 9
    free: tuple[int, ...] = (1,)

    def one(self, seat: int, most: int = 6, *, least=2) -> Literal[1]:
        """Text 8."""
        assert most > 5
        if self.left and seat in self.free or not most:
            raise Refused(f"{most + 1} is too much")
        if self.done(seat):
            return replace(self, left=self.left - 1, label=1, turn=seat)
        while self.open and self.left != 0:
            self.left -= 1
        return min(a + 1 for a in self.free if a is not None and self.fits(a) if a >= 2)

    def two(self, other):
        kept: bool = other <= self.left < 7
        row = (*self.free, 1) + (2,)
        text = f"{other + 1}" + "x"
        same = other is None, other not in row, other == 1.5, -other, other * 2, [a for a in row if not a]
        return max(row) if any(row) else all(kept for kept in row if self.ok)

    def asks(self, seat):
        if seat == 1:
            return (Ask("a", "A", (Number("x", 1, 2),), self.turn, "help", weight=1.5, secret=True),)
        match seat:
            case 2 if seat > 1:
                return (Ask("b", message("B {n}", n=1 + 2), seat=self.turn), Ask("c", "C", (), *self.rest))
            case _:
                return (Ask("d", "D", (Pick("x", (1,), label=lambda v: v + 1),), seat), Ask("e", "E", (), None))

    def view(self):
        return View("head", Row("a", 1 + 1))
'''


def test_each_change_of_a_source_with_all_kinds_is_what_somebody_has_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its line and the lines of its statement, "-" for what is computed as the module loads."""
    (tmp_path / "sample.py").write_text(SOURCE)
    module = ModuleType("sample")
    module.__file__ = str(tmp_path / "sample.py")
    lines = []
    for change in changes_of(module):
        where = f"{change.lines.start}-{change.lines.stop - 1}" if change.lines else "-"
        lines.append(f"{change.line} of {where}: {change.text}")
        compile(change.applied(SOURCE.encode()), "sample.py", "exec")
    check_seen(SEEN / "changes.txt", lines)
    module.__file__ = str(tmp_path / "sample.so")
    assert changes_of(module) == []
    module.__file__ = None
    assert changes_of(module) == []


class Asking(Rungs):
    """Asks for one field."""

    field: ClassVar[Any] = None

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the second seat."""
        return (Ask("say", "Say", (self.field,), 1),)

    def do_say(self, seat: int, x: Any = None) -> Self:
        """Change nothing."""
        return self


def test_the_acts_that_are_tried_in_a_position_are_those_that_somebody_has_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some that are drawn, those at the edges of each field, and those just outside, with what the rules say.

    To add a field, write it into tried.txt, and approve what is tried.
    """
    lines = []
    for text in (line for line in (SEEN / "tried.txt").read_text("utf-8").splitlines() if not line.startswith(" ")):
        monkeypatch.setattr(Asking, "field", eval(text, vars(kernel)))
        known = said(Match(Asking, ("Ann", "Ben")), Random(1).random, None)
        lines += [text, *(f"    {dump(act.line())}: {reason or 'allowed'}" for act, reason in known.verdicts)]
    check_seen(SEEN / "tried.txt", lines)


class Leaping(Rungs):
    """Rungs with one way more to climb."""

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        return (*super().asks(), Ask("leap", "Leap?", (), self.turn))

    def do_leap(self, seat: int) -> Self:
        """Climb by two rungs."""
        return self.do_climb(seat, 2)


def test_rules_that_allow_more_lead_to_a_question_about_it() -> None:
    match = Match(Rungs, ("Ann", "Ben"), {})
    known = said(match, Random(1).random, None)
    header = Header(Rungs, match.players, match.options)
    question = first_difference(Played(header, (), (known,), frozenset()), Leaping, 0, 1)
    assert question
    assert "Ann: leap is refused" in question.text
    assert json.loads(question.lines[-1])["refuse"] == {"do": "leap", "by": 0}
    assert first_difference(Played(header, (), (known,), frozenset()), Rungs, 0, 1) is None


def test_a_change_is_another_source_that_python_reads() -> None:
    source = Path(rungs.__file__).read_bytes()
    for change in changes_of(rungs):
        assert change.applied(source) != source
        compile(change.applied(source), change.file, "exec")


@pytest.mark.slow
def test_a_confirmed_position_is_a_record_that_notices_the_change(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After all questions are answered with yes, nothing is left to ask."""
    answers(["y"] * 50, monkeypatch)
    assert run(folder, confirm=True) == 0
    wrote = [Path(name) for name in re.findall(r"^Wrote (.*)\.$", capsys.readouterr().out, re.M)]
    assert wrote
    assert {*wrote} == {*folder.glob("*.jsonl")} - {folder / "loose-rung.jsonl"}
    for path in wrote:
        content = path.read_bytes().splitlines(keepends=True)
        assert list(mismatches(content, Rungs)) == [], "the rules as they are"
    assert run(folder) == 0
    printed = capsys.readouterr().out
    assert "not noticed 0; without a difference 1." in printed
    assert re.search(r"^no difference   .*rungs\.py:\d+: `5` becomes `6`$", printed, re.M), "setup has the same default"


def test_a_record_that_cannot_be_written_leaves_the_question_open(
    within: None, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object, **named: object) -> int:
        raise OSError(28, "No space left on device", "a.jsonl")

    answers(["y", "y", "y"], monkeypatch)
    monkeypatch.setattr(Path, "write_text", full)
    assert run(folder, confirm=True) == UNNOTICED
    printed = capsys.readouterr().out
    assert printed.count("The record was not written: a.jsonl: No space left on device.\n\n") == 2
    assert "; not noticed 2; " in printed
    assert "confirmed" not in printed


@pytest.mark.parametrize(
    ("fault", "printed"),
    [
        (Flawed("records", "a.jsonl, line 3: no."), "FAILED records: a.jsonl, line 3: no.\n"),
        (Stuck("do_climb() did not return"), "FAILED legality: do_climb() did not return [PLACE].\n"),
        (LookupError("no rung"),
         "FAILED legality: The rules fail: LookupError: no rung [PLACE]. Run umpi check without --mutate first.\n"),
    ],
    ids=["record", "stuck", "broken"],
)  # fmt: skip
def test_rules_that_fail_without_a_change_are_reported(
    fault: BaseException, printed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise fault

    monkeypatch.setattr("umpi.conformance.mutation.command.Mutation", fails)
    assert run(None) == 1
    assert re.sub(r"\[[^]]*\]", "[PLACE]", capsys.readouterr().out) == printed


class Sour(Rungs):
    """Has a fault that a random game meets."""

    @override
    def audit(self) -> str:
        """Find a fault."""
        return "a rung is missing" if self.rungs[0] else ""


class Endless(Rungs):
    """Never ends."""

    @override
    def do_climb(self, seat: int, up: Any) -> Self:
        """Stay."""
        return kernel.replace(self, turn=1 - seat)


@pytest.mark.parametrize(("game", "why"), [
    (Sour, "Its audit says: a rung is missing."),
    (Endless, "rungs did not end within the 200 acts it declares as its longest."),
])  # fmt: skip
def test_a_game_with_a_fault_is_not_changed(game: type[Game], why: str) -> None:
    with pytest.raises(Flawed) as flaw:
        Mutation(game, None, 1, 0, None, 1, nothing_more)
    assert (flaw.value.check, flaw.value.why) == ("random games", f"{why} Run umpi check without --mutate first.")


def test_the_seed_chooses_as_many_changes_as_the_limit_allows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of them noticed is not all: some are left."""
    tries = [Mutation(Rungs, folder, 1, seed, 5, 1, nothing_more).changes for seed in (1, 1, 2)]
    assert tries[0] == tries[1] != tries[2]
    assert [len(each) for each in tries] == [5, 5, 5]
    while_all_noticed = next(seed for seed in range(20) if run(folder, limit=1, seed=seed) != UNNOTICED)
    assert run(folder, limit=1, seed=while_all_noticed) == 3
    assert capsys.readouterr().out.rstrip().endswith("not tried 28.")


def nothing_more(text: str, share: float) -> None:
    """Hear no progress."""


def outcomes(folder: Path) -> Iterator[tuple[str, Outcome]]:
    mutation = Mutation(Rungs, folder, 1, 0, None, 1, nothing_more)
    return ((lines_of(change), outcome) for change, outcome in mutation.found())


@pytest.mark.slow
def test_a_change_that_loops_for_ever_is_ended_and_noticed(folder: Path) -> None:
    """`left + 1` never comes to 0."""
    (found,) = (outcome for text, outcome in outcomes(folder) if "becomes `left + 1`" in text)
    assert found == Noticed("limit", TOO_LONG)


def test_rules_that_fail_their_own_records_are_reported_before_any_change(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.jsonl").write_text(END)
    assert run(folder) == 1
    assert re.search(r"FAILED records: .*wrong\.jsonl, at the end `scores` is \[0, 0\]", capsys.readouterr().out)


def test_a_file_that_is_no_record_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "notes.jsonl").write_text("no record\n")
    assert run(folder) == 1
    assert re.search(
        r"FAILED records: .*notes\.jsonl, line 1: expected the header of a record", capsys.readouterr().out
    )


def test_a_game_that_is_not_there_or_has_no_file_cannot_be_changed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_mutate("chess", 1, 0, None, None, 20, False) == 2
    monkeypatch.setattr(
        sys.modules["planted.rungs"], "Made", type("Made", (Rungs,), {"__doc__": "Made."}), raising=False
    )
    assert run_mutate("planted.rungs:Made", 1, 0, None, None, 20, False) == 2
    assert "has no file of its own" in capsys.readouterr().err


@pytest.mark.slow
def test_the_package_of_an_author_is_changed_as_our_games_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game of `umpi new-game`, not installed: its record does not notice a turn that goes the other way."""
    write_package("wild-nine", tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "wild-nine")
    monkeypatch.chdir(tmp_path / "wild-nine")
    status = main(["check", "wild_nine.rules:WildNine", "--mutate", "--games", "1", "--records", "."])
    printed = capsys.readouterr().out
    assert status == UNNOTICED
    assert "records: 2; " in printed
    assert re.search(
        r"wild_nine/rules.py:\d+: `self.turn \+ 1` becomes `self.turn - 1`\n.*\n(.*\n)+?Now Blue must act: is",
        printed,
    )
    assert import_module("wild_nine.rules").WildNine.setup(2)._next == 1, "the game itself is as it was"


def forever() -> Outcome:
    while True:
        pass


def in_c() -> Outcome:
    sum(range(10**12))
    return Same()


def greedy() -> Outcome:
    kept = bytearray(8 << 30)  # at once: to fill it would take longer than a change may
    return Noticed("nothing", str(len(kept)))


def killed() -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return Same()


def leaves() -> Outcome:
    raise SystemExit("gone")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "why"),
    [(forever, TOO_LONG), (in_c, TOO_LONG), (greedy, TOO_MUCH), (killed, ENDS), (leaves, ENDS)],
)
def test_a_change_can_hurt_nothing_but_its_own_process(look: Callable[[], Outcome], why: str) -> None:
    assert tried(look, 1) == Noticed("limit", why)


@pytest.mark.slow
def test_a_change_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def waits() -> Outcome:
        threading.Event().wait()
        return Same()

    monkeypatch.setattr(trial, "WAITS", 1)
    assert tried(waits, 1) == Noticed("limit", TOO_LONG)


def test_what_a_change_prints_is_not_seen(capfd: pytest.CaptureFixture[str]) -> None:
    def loud() -> Outcome:
        print("hello", flush=True)
        return Same()

    assert tried(loud, 5) == Same()
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in games()] if SOAK else ["dodekka", "scorepad"])
def test_the_records_of_our_games_notice_each_change(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A soak tries all changes of all games. Before there was this test, 28 were not noticed."""
    status = run_mutate(game, 1, 0, RECORDS / game, None if SOAK else 20, None, False)
    assert status == (0 if SOAK else INCOMPLETE), capsys.readouterr().out
