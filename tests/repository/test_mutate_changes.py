"""`./scripts/dev mutate`: which changes there are, and that tests notice them; planted changes with known verdicts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path

import pytest

from scripts import REPO
from scripts.mutate import __main__ as command
from scripts.mutate import choice, javascript, judge, python, reach
from scripts.mutate.explained import EXPLAINED, Explained, explained, line_of, unexplained, unfitting
from scripts.mutate.judge import Verdict, judged, refused_by_types
from scripts.mutate.reach import Reach
from scripts.mutate.tree import Tree, copied
from scripts.mutate.trial import Ran, ran
from umpi.conformance.mutation.changes import Change

SOURCE = '''"""A ladder of 5 rungs."""
import logging

log = logging.getLogger(__name__)
TOP = 5


def climb(at: int, by: int) -> int:
    """Return the rung after a step; at most 5."""
    log.debug("climbs %s", by + 1)
    if by < 1 or not at:
        raise ValueError("no step")
    return min(at + by, TOP)


def rest(kept: dict[str, int]) -> None:
    kept["rests"] += 1
    done(kept, 3)


def wait() -> None:
    while not READY[0]:
        pass


def done(kept: dict[str, int], unused: int) -> bool:
    return not kept


READY = [True]
MS = 1_000_000
'''
TESTS = """import pytest
from rungs import climb, done, rest, wait


def test_climb():
    assert (climb(1, 1), climb(4, 9)) == (2, 5)
    with pytest.raises(ValueError):
        climb(1, 0)


def test_rest():
    kept = {"rests": 0}
    rest(kept)
    assert kept["rests"] == 1


def test_wait():
    wait()


@pytest.mark.parametrize("kept", [0, 1])
def test_done(kept):
    assert done({"rests": 1} if kept else {}, 3) == (not kept)


@pytest.mark.slow
@pytest.mark.parametrize("unused", [0, 1])
def test_slow(unused):
    assert done({}, unused) or not unused
"""
FILE, TEST_FILE = "firmware/umpi/ladder/rungs.py", "tests/ladder/test_rungs.py"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A repository with one module and its tests."""
    for name, text in (
        (FILE, SOURCE),
        (TEST_FILE, TESTS),
        ("pytest.ini", "[pytest]\npythonpath = firmware/umpi/ladder"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(choice, "REPO", tmp_path)
    monkeypatch.setattr(reach, "REPO", tmp_path)
    monkeypatch.setattr(judge, "refused_by_types", lambda *_: "")  # mypy takes seconds
    return Tree(tmp_path)


def changes(tree: Tree) -> dict[str, Change]:
    return {change.text: change for change in python.changes_in(tree.root / FILE, "rungs")}


class Noted(Reach):
    """Each test runs each line."""

    def lines(self, file: str) -> dict[int, set[str]]:
        return {line: set(self.seconds) for line in range(1, 40)}


def noted() -> Noted:
    return Noted({f"{TEST_FILE}::test_{name}": 0.01 for name in ("climb", "rest", "wait", "done[0]", "slow[0]")}, {})


def test_each_kind_of_change_is_made_and_no_text_type_or_log_is_changed(tree: Tree) -> None:
    assert list(changes(tree)) == [
        "`5` becomes `6`",
        "`by < 1 or not at` becomes `by < 1 and (not at)`", "`by < 1` becomes `by <= 1`",
        "`1` becomes `2`",
        "`not at` becomes `at`", 'without `raise ValueError(\'no step\')`',
        "`min(at + by, TOP)` becomes `0`", "`min` becomes `max`", "`at + by` becomes `at - by`",
        "without `kept['rests'] += 1`", "`\"rests\"` becomes `'rests_'`",
        "without `done(kept, 3)`", "`done(kept, 3)` becomes `done(3, kept)`", "`3` becomes `4`",
        "`not READY[0]` becomes `READY[0]`", "`0` becomes `1`",
        "`not kept` becomes `True`", "`not kept` becomes `False`", "`not kept` becomes `kept`",
        "`True` becomes `False`",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("text", "by"), [
    ("`by < 1 or not at` becomes `by < 1 and (not at)`", "test_climb"),
    ("without `kept['rests'] += 1`", "test_rest"),
    ("`done(kept, 3)` becomes `done(3, kept)`", ""),
])  # fmt: skip
def test_a_planted_change_gets_the_verdict_that_it_deserves(tree: Tree, text: str, by: str) -> None:
    verdict = judged(tree, changes(tree)[text], noted(), full=False)
    assert (verdict.killed, verdict.by.rpartition("::")[2]) == (bool(by), by)
    assert verdict.passed == 7 or verdict.killed
    assert (tree.root / FILE).read_text() == SOURCE


@pytest.mark.slow  # it runs pytest
def test_what_the_cases_of_the_quick_tier_let_pass_is_tried_with_all_cases_of_the_same_tests(tree: Tree) -> None:
    """A slow test is none of them: it has its turn in the full tier."""
    as_now = Noted(noted().seconds, {TEST_FILE: reach.print_of(tree.root / TEST_FILE)})
    verdict = judged(tree, changes(tree)["`not kept` becomes `True`"], as_now, full=False)
    assert (verdict.by, verdict.part) == (f"{TEST_FILE}::test_done[1]", "cases")
    assert "Of those killed, 1 by cases that the quick tier leaves out." in command.table([verdict])


@pytest.mark.slow  # it runs mypy
def test_what_no_test_notices_is_read_by_mypy(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "refused_by_types", refused_by_types)
    verdict = judged(tree, changes(tree)["`done(kept, 3)` becomes `done(3, kept)`"], noted(), full=False)
    assert (verdict.by, verdict.part) == ("mypy", "types")
    assert 'Argument 1 to "done" has incompatible type "int"' in verdict.why
    assert "Of those killed, 1 by mypy, and by no test." in command.table([verdict])
    assert not judged(tree, changes(tree)["`3` becomes `4`"], noted(), full=False).killed


@pytest.mark.slow  # it runs pytest
def test_a_trial_ends_when_its_time_is_up(tree: Tree) -> None:
    (tree.root / TEST_FILE).write_text("while True: pass")
    assert ran(tree.root, [TEST_FILE], None, "quick", 3.0, set()) == Ran("", "", 0, late=True)


@pytest.mark.parametrize("ends", [True, False])
def test_tests_that_do_not_end_have_noticed_a_change_if_they_end_without_it(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    """On a busy machine they may not end without it either, which proves nothing."""

    def trial(root: Path, *_: object) -> Ran:
        late = not ends or (root / FILE).read_text() != SOURCE
        return Ran("", "", 0 if late else 7, late)

    monkeypatch.setattr("scripts.mutate.judge.ran", trial)
    verdict = judged(tree, changes(tree)["`not READY[0]` becomes `READY[0]`"], noted(), full=False)
    assert (verdict.killed, verdict.late, verdict.by) == (ends, ends, "")
    assert ("its tests do not end" in command.said(verdict)) == ends


@pytest.mark.slow  # it runs pytest
def test_a_test_that_cannot_be_trusted_is_left_out(tree: Tree) -> None:
    change = changes(tree)["without `kept['rests'] += 1`"]
    assert not judged(tree, change, noted(), full=False, without=frozenset({f"{TEST_FILE}::test_rest"})).killed


@pytest.mark.slow  # it runs pytest
def test_a_file_of_tests_that_is_newer_than_the_copy_does_not_hide_the_others(
    tree: Tree, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Somebody may write tests while changes are tried."""
    change = changes(tree)["without `kept['rests'] += 1`"]
    copy = Tree(tmp_path_factory.mktemp("copy"))
    shutil.copytree(tree.root, copy.root, dirs_exist_ok=True)
    (tree.root / TEST_FILE).with_name("test_new.py").write_text("def test_new(): pass")
    verdict = judged(copy, change, noted(), full=False)
    assert verdict.files[-1] == "tests/ladder/test_new.py"
    assert verdict.by == f"{TEST_FILE}::test_rest"


@pytest.mark.slow
def test_a_file_whose_tests_are_all_slow_hides_no_others(tree: Tree) -> None:
    """The quick tier does not collect it, which ends pytest if it is named. That is no test that fails."""
    slow = (tree.root / TEST_FILE).with_name("test_slow.py")
    slow.write_text("import pytest\npytestmark = pytest.mark.slow\n")
    (slow.parent / "conftest.py").write_text(
        "import os, pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_collect_file(file_path):\n    made = yield\n"
        "    return [] if file_path.name == 'test_slow.py' and os.environ['UMPI_TESTS'] == 'quick' else made\n"
    )
    change = changes(tree)["`done(kept, 3)` becomes `done(3, kept)`"]
    as_now = Noted({**noted().seconds, "tests/ladder/test_slow.py::test_one": 0.1}, {})
    assert not judged(tree, change, as_now, full=False).killed


@pytest.mark.slow
def test_a_change_that_breaks_what_all_tests_load_is_noticed(tree: Tree) -> None:
    (tree.root / TEST_FILE).with_name("conftest.py").write_text("import rungs\nassert rungs.TOP == 5")
    assert judged(tree, changes(tree)["`5` becomes `6`"], noted(), full=False).by == "tests/conftest.py"


def test_what_only_wrong_tests_notice_survives(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is noticed at the second trial may be noticed by a test that fails without the change, too."""
    wrong, also_wrong, right = (f"{TEST_FILE}::test_{name}" for name in ("wrong", "also_wrong", "right"))
    one, other = list(changes(tree).values())[:2]
    notice = {one.text: [wrong, also_wrong], other.text: [wrong, right]}

    def tried(drawn: list[Change], _reach: Reach, _full: bool, _jobs: int, without: frozenset[str]) -> list[Verdict]:
        return [Verdict(each, next((test for test in notice[each.text] if test not in without), "")) for each in drawn]

    def runs(_root: Path, _files: list[str], tests: list[str], _part: str, _s: float, without: set[str]) -> Ran:
        return Ran(next((test for test in tests if test != right and test not in without), ""), "", 0)

    monkeypatch.setattr(command, "REPO", tree.root)
    monkeypatch.setattr(command, "copied", lambda: nullcontext(tree))
    monkeypatch.setattr(command, "_tried", tried)
    monkeypatch.setattr(command, "ran", runs)
    verdicts = command._trusted(tried([one, other], noted(), False, 1, frozenset()), noted(), False)
    assert {verdict.change.text: verdict.by for verdict in verdicts} == {one.text: "", other.text: right}


SCRIPT = """// What 1 < 2 does
import { a } from "./a.js";
function none() { return undefined; } function nothing() { return null; }
const TEXT = "x < 1", PATTERN = /a<1/.exec(`b < ${1 < 2}`);
export function f(x) {
  if (x.some(a) && x < 1) g(x);
  h.i(x);
  return x === 2;
}
"""


def test_the_tokens_of_a_script_are_changed_and_its_texts_are_not(tmp_path: Path) -> None:
    file = tmp_path / "f.js"
    file.write_text(SCRIPT)
    found = javascript.changes_in(file, "f")
    assert [(change.line, change.text) for change in found] == [
        (6, "`(x.some(a) && x < 1)` becomes `(!(x.some(a) && x < 1))` after `if`"),
        (6, "`some` becomes `every` after `if (x.`"),
        (6, "`&&` becomes `||` after `if (x.some(a)`"),
        (6, "`<` becomes `<=` after `if (x.some(a) && x`"),
        (6, "`1` becomes `2` after `if (x.some(a) && x <`"),
        (7, "without `h.i(x)`"),
        (8, "`x === 2` becomes ` undefined` after `return`"),
        (8, "`===` becomes `!==` after `return x`"),
        (8, "`2` becomes `3` after `return x ===`"),
    ]
    assert b"  ;\n  return" in found[5].applied(SCRIPT.encode())


@pytest.mark.slow
def test_changes_of_each_file_compile_and_those_that_are_explained_are_among_all() -> None:
    known, entries = list(command.changes_of(".")), explained()
    for file, found in groupby(known, lambda change: change.file):
        source = Path(file).read_bytes()
        for change in list(found)[::500] if file.endswith(".py") else ():
            compile(change.applied(source), file, "exec")
    assert list(unfitting(entries, known)) == [], EXPLAINED
    assert len({(entry.file, entry.line, entry.change) for entry in entries}) == len(entries)


def test_an_explanation_that_no_longer_fits_is_found(tree: Tree) -> None:
    known = list(changes(tree).values())
    same = Explained(FILE, "done(kept, 3)", "`3` becomes `4`", "It is not used.")
    assert list(unfitting([same], known)) == []
    assert len(unexplained(known, [same])) == len(known) - 1
    old = Explained(FILE, "done(kept, 4)", "`3` becomes `4`", "It is not used.")
    bare = Explained(FILE, "done(kept, 3)", "`3` becomes `4`", " ")
    assert list(unfitting([old, bare], known)) == [
        f"{FILE}: no change `3` becomes `4` in a line done(kept, 4)", f"{FILE}: `3` becomes `4` has no reason",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_copy_is_whole_and_apart() -> None:
    with copied() as tree:
        assert tree.root.stat().st_mode & 0o055 == 0o055, "a test may be of another user meanwhile"
        file = tree.root / "firmware" / "umpi" / "__init__.py"
        before = file.read_bytes()
        with tree.changed("firmware/umpi/__init__.py", b"1"):
            assert file.read_bytes() == b"1"
            changed = file.stat().st_mtime
            assert (REPO / "firmware" / "umpi" / "__init__.py").read_bytes() == before
        assert file.read_bytes() == before
        assert file.stat().st_mtime != changed, "else Python might take what it has compiled of the change"
    assert not tree.root.exists()


def test_the_table_has_a_row_per_room_with_its_interval(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    change = changes(tree)["`3` becomes `4`"]
    verdicts = [Verdict(change, by="t"), Verdict(change, by="t"), Verdict(change, late=True), Verdict(change)]
    assert command.table(verdicts).splitlines() == [
        "room                  killed    of   rate, 95 %",
        "ladder                     3     4   75.0% (30% to 95%)",
        "all                        3     4   75.0% (30% to 95%)",
        "Of those killed, 1 because their tests did not end.",
    ]


def test_a_survivor_is_told_with_its_line_before_and_after(tree: Tree) -> None:
    change = changes(tree)["without `done(kept, 3)`"]
    assert command.told(Verdict(change, passed=3, left=1, files=(TEST_FILE,))).splitlines() == [
        "ladder/rungs.py:18 without `done(kept, 3)`",
        "  - done(kept, 3)",
        "  + (None)",
        f"  3 tests passed, of {TEST_FILE}; 1 that run it were not tried",
    ]
    assert line_of(change, SOURCE.encode()) == "done(kept, 3)"


@pytest.mark.slow
def test_a_room_that_is_none_is_refused() -> None:
    asked = subprocess.run([sys.executable, "-m", "scripts.mutate", "kernle"], cwd=REPO, capture_output=True, text=True)
    assert (asked.returncode, asked.stderr) == (2, "mutate: There is no room kernle in firmware/umpi.\n")
