"""Change the package in one place after the other, and print each change that no test notices.

A sample of all changes is drawn. Each is tried in a copy of the repository: the quick tier's tests that run the changed
line, first those of the file that is named like the module, then those of its room, then others. If all pass, all cases
of these tests are run, for 90 seconds at most. A test that fails has noticed the change. Tests that do not end have
noticed it, too, if they end in the same time without it, and the command says so. What no test notices is read by mypy,
as each commit is. What survives is a gap of the tests, or makes no difference: scripts/mutate/explained.toml lists such
changes with their reasons.

To know which tests run which line, the first call runs the quick tier with coverage, which takes eleven minutes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from random import Random
from textwrap import indent

from scripts import REPO
from scripts.mutate import javascript, python
from scripts.mutate.choice import room_of, source_of
from scripts.mutate.explained import explained, unexplained
from scripts.mutate.judge import Verdict, judged
from scripts.mutate.reach import Reach, noted
from scripts.mutate.tree import Tree, copied
from scripts.mutate.trial import PARTS, ran, warm_up
from umpi.conformance.mutation.changes import Change
from umpi.lab.intervals import wilson

SAMPLE = 200
ROOMS = REPO / "firmware" / "umpi"
LEFT_OUT = ("/migrations/", "/template/", "/vendored/")  # of a database, of an author, of others
EXAMPLES = """examples:
  ./scripts/dev mutate --sample 200 --seed 1        200 changes of all rooms; an hour on one processor
  ./scripts/dev mutate journal web --sample 50      50 changes of two rooms
  ./scripts/dev mutate --javascript --sample 120    120 changes of the page and other JavaScript
  ./scripts/dev mutate --python --sample 120        120 changes of Python
  ./scripts/dev mutate --changed                    all changes of the lines that differ from the last commit
  ./scripts/dev mutate --changed main --full        of the lines that differ from main, survivors also by the full tier

The exit status is 1 if a change survives. The same seed draws the same changes of the same sources."""


def main() -> int:
    """Draw changes, try them, and print a table and the survivors."""
    chosen = _parser().parse_args()
    rooms = chosen.rooms or sorted(folder.name for folder in ROOMS.iterdir() if any(folder.glob("*.py")))
    if wrong := [room for room in rooms if not (ROOMS / room / "__init__.py").exists()]:
        print(f"mutate: There is no room {wrong[0]} in firmware/umpi.", file=sys.stderr)
        return 2
    changes = unexplained((change for room in rooms for change in changes_of(room)), explained())
    if chosen.changed is not None:
        lines = set(changed_lines(chosen.changed))
        changes = [change for change in changes if (source_of(change), change.line) in lines]
    if chosen.only:
        changes = [change for change in changes if source_of(change).endswith(chosen.only)]
    sample = chosen.sample or (SAMPLE if chosen.changed is None else len(changes))
    drawn = Random(chosen.seed).sample(changes, sample) if sample < len(changes) else changes
    if not drawn:
        print("There is nothing to change.")
        return 0
    reach = noted()
    if all(source_of(change).endswith(".js") for change in drawn):
        reach = reach or Reach()  # coverage knows nothing of JavaScript
    if reach is None or chosen.again:
        print("Running the quick tier with coverage, to know which tests run which line: about eleven minutes.")
        subprocess.run([sys.executable, "-m", "scripts.mutate.reach"], cwd=REPO, check=False)
        reach = noted()
        assert reach is not None
    print(f"{len(drawn):,} of {len(changes):,} changes, seed {chosen.seed}.", flush=True)
    verdicts = _trusted(_tried(drawn, reach, chosen.full, chosen.jobs), reach, chosen.full)
    print("", table(verdicts), sep="\n")
    survivors = [verdict for verdict in verdicts if not verdict.killed]
    for verdict in survivors:
        print("", told(verdict), sep="\n")
    return int(bool(survivors))


def _parser() -> argparse.ArgumentParser:
    first, rest = (__doc__ or "").split("\n", 1)
    parser = argparse.ArgumentParser(
        prog="./scripts/dev mutate", description=f"{first}\n{rest}", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="folders of firmware/umpi (all of them)")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="try so many changes, drawn at random (200; with --changed all)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed draws other changes (1)")
    parser.add_argument(
        "--changed", nargs="?", const="HEAD", metavar="COMMIT", help="only lines that differ from COMMIT (HEAD)"
    )
    languages = parser.add_mutually_exclusive_group()
    for name, ending in (("JavaScript", ".js"), ("Python", ".py")):
        option = f"--{name.lower()}"
        languages.add_argument(option, dest="only", action="store_const", const=ending, help=f"only changes of {name}")
    parser.add_argument(
        "--full", action="store_true", help="try what survives in the full tier, five minutes at most each"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="try so many changes side by side (1)")
    parser.add_argument(
        "--again", action="store_true", help="run the quick tier with coverage again, after many changes of tests"
    )
    return parser


def changes_of(room: str) -> Iterator[Change]:
    """Yield all changes of a room, file by file."""
    for file in sorted((ROOMS / room).rglob("*")):
        if any(part in str(file) for part in LEFT_OUT):
            continue
        if file.suffix == ".py":
            yield from python.changes_in(file, ".".join(("umpi", *file.relative_to(ROOMS).with_suffix("").parts)))
        elif file.suffix == ".js":
            yield from javascript.changes_in(file, file.stem)


def changed_lines(commit: str) -> Iterator[tuple[str, int]]:
    """Yield the file and the number of each line that differs from a commit."""
    command = ["git", "diff", "--unified=0", "--no-color", "--no-ext-diff", commit, "--", str(ROOMS)]
    file = ""
    for line in subprocess.run(command, cwd=REPO, check=True, capture_output=True, text=True).stdout.splitlines():
        if line.startswith("+++ b/"):
            file = line.removeprefix("+++ b/")
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(found[1]), int(found[2] or 1)
            yield from ((file, number) for number in range(first, first + count))


_tree: Tree


def _begin(trees: SimpleQueue[Path]) -> None:
    global _tree
    _tree = Tree(trees.get())
    warm_up()


def _judge(change: Change, reach: Reach, full: bool, without: frozenset[str]) -> Verdict:
    return judged(_tree, change, reach, full, without)


def _tried(
    drawn: Sequence[Change], reach: Reach, full: bool, jobs: int, without: frozenset[str] = frozenset()
) -> list[Verdict]:
    """Try changes, and print each verdict as it comes."""
    fork = get_context("fork")
    verdicts = []
    with ExitStack() as stack:
        trees: SimpleQueue[Path] = fork.SimpleQueue()
        for _ in range(jobs):
            trees.put(stack.enter_context(copied()).root)
        pool = stack.enter_context(ProcessPoolExecutor(jobs, fork, _begin, (trees,)))
        try:
            judge = partial(_judge, reach=reach, full=full, without=without)
            for number, verdict in enumerate(pool.map(judge, drawn), start=1):
                verdicts.append(verdict)
                print(f"{number:>4}/{len(drawn)} {said(verdict)}", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print(f"\nInterrupted: {len(verdicts)} of {len(drawn)} changes were tried.")
    return verdicts


def _trusted(verdicts: list[Verdict], reach: Reach, full: bool, without: frozenset[str] = frozenset()) -> list[Verdict]:
    """Run each test that failed without any change; try again what was noticed only by one that fails then, too."""
    wrong: set[str] = set()
    with copied() as tree:
        for part in PARTS:
            tests = {verdict.by for verdict in verdicts if verdict.by and verdict.part == part}
            while left := sorted(test for test in tests - wrong if (REPO / test.partition("::")[0]).exists()):
                files = list(dict.fromkeys(test.partition("::")[0] for test in left))
                found = ran(tree.root, files, left, part, 900, wrong | without)
                if not found.failed:
                    break
                print(f"{found.failed} fails without a change, too: {found.why}")
                wrong.add(found.failed)
    if not wrong:
        return verdicts
    without |= wrong
    again = _tried([verdict.change for verdict in verdicts if verdict.by in wrong], reach, full, 1, without)
    return [verdict for verdict in verdicts if verdict.by not in wrong] + _trusted(again, reach, full, without)


def _where(change: Change) -> str:
    return f"{source_of(change).removeprefix('firmware/umpi/')}:{change.line}"


def said(verdict: Verdict) -> str:
    """Return a verdict as one line."""
    by = f"killed by {verdict.by}" if verdict.by else "killed: its tests do not end" if verdict.late else "SURVIVES"
    return f"{_where(verdict.change)} {verdict.change.text}: {by} ({verdict.seconds:.1f} s)"


def told(verdict: Verdict) -> str:
    """Return a survivor: where, its line before and after, and how many tests passed."""
    change = verdict.change
    source = Path(change.file).read_bytes()
    after = change.applied(source).decode().splitlines()
    before = source.decode().splitlines()
    place = change.line - 1
    lines = len(source[change.start : change.end].splitlines()) or 1
    became = lines + len(after) - len(before)
    diff = [f"- {line.strip()}" for line in before[place : place + lines]]
    diff += [f"+ {line.strip()}" for line in after[place : place + became]]
    files = ", ".join(verdict.files[:5]) + (
        f" and {len(verdict.files) - 5} more files" if len(verdict.files) > 5 else ""
    )
    tests = f"{verdict.passed} tests passed, of {files}" if verdict.files else "no test runs it"
    left = f"; {verdict.left} that run it were not tried" if verdict.left else ""
    return f"{_where(change)} {change.text}\n{indent(chr(10).join(diff), '  ')}\n  {tests}{left}"


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the table of rooms: killed, of how many, and the rate with its Wilson interval of 95 %."""
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        file = source_of(verdict.change)
        rows.setdefault(room_of(file) + (", JavaScript" if file.endswith(".js") else ""), []).append(verdict)
    lines = [f"{'room':<20}{'killed':>8}{'of':>6}   rate, 95 %"]
    for name, row in [*sorted(rows.items()), ("all", list(verdicts))]:
        killed = sum(verdict.killed for verdict in row)
        low, high = wilson(killed, len(row))
        rate = f"{killed / len(row):.1%} ({low:.0%} to {high:.0%})" if low is not None and high is not None else ""
        lines.append(f"{name:<20}{killed:>8}{len(row):>6}   {rate}")
    for count, how in (
        (sum(verdict.part == "cases" for verdict in verdicts), "by cases that the quick tier leaves out"),
        (sum(verdict.part == "full" for verdict in verdicts), "by the full tier"),
        (sum(verdict.part == "types" for verdict in verdicts), "by mypy, and by no test"),
        (sum(verdict.late for verdict in verdicts), "because their tests did not end"),
    ):
        if count:
            lines.append(f"Of those killed, {count} {how}.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
