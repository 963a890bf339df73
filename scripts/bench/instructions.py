"""Count instructions with callgrind, and hold them to a table: processor time differs from run to run, they do not."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

from scripts import REPO
from scripts.bench.full_journal import make_journal
from tests.kit.journals import dodeka_header
from umpi.journal import Journal

TABLE = REPO / "scripts" / "bench" / "instructions.tsv"
MATCHES, SHORT = 10_000, ("quiz", 20)  # short matches: a start looks at each match, and not at its lines
MORE = 0.03
AGAIN = 2
TWICE = 10_000  # Callgrind ends a part twice if it changes to another thread there; the second has next to nothing
HEADS = ("part", "instructions", "reason")


class Line(NamedTuple):
    """A line of the table: instructions, and why they are so many."""

    instructions: int
    reason: str


class Table(NamedTuple):
    """What was counted, by part, and the machine on which it was."""

    machine: Mapping[str, str]
    lines: Mapping[str, Line]


def instructions(check: bool = False, reason: str = "") -> None:
    """Print the instructions of a start, a press, acts and a review, beside those of the table."""
    if not shutil.which("valgrind"):
        sys.exit("bench: Callgrind is not installed. On Debian: sudo apt install valgrind")
    here, table = machine(), read_table(TABLE.read_text(encoding="utf-8"))
    differing = [name for name in here if here[name] != table.machine.get(name)]
    if check and differing:
        name = differing[0]
        there = table.machine.get(name, "unknown")
        print(f"Instructions: nothing is compared. {name} is {here[name]} here, and {there} in the table.")
        return
    counts = count()
    for _ in range(AGAIN if check else 0):  # on a busy machine, threads take turns more often: it only adds
        if not faults(counts, table.lines):
            break
        counts = {part: min(number, counts[part]) for part, number in count().items()}
    print("\nInstructions, and those of the table")
    for part, number in counts.items():
        kept = table.lines.get(part)
        print(
            f"  {part:48} {number:13,}"
            + (f" {kept.instructions:13,} {number / kept.instructions - 1:+7.2%}" if kept else "")
        )
    if reason:
        changed = table.lines if not differing else {}
        TABLE.write_text(written(Table(here, renewed(counts, changed, reason))), encoding="utf-8")
    elif check and (found := faults(counts, table.lines)):
        sys.exit("\n".join(found))


def count() -> dict[str, int]:
    """Run the parts under callgrind; return the instructions of each, once done."""
    with tempfile.TemporaryDirectory(prefix="umpi-count-") as made:
        folder = Path(made)
        make_journal(folder / "full.db", MATCHES, *SHORT)
        with contextlib.closing(Journal(folder / "played.db")) as journal:
            journal.begin(dodeka_header())
        (folder / "warm").mkdir()
        for name in ("full.db", "played.db"):
            shutil.copy(folder / name, folder / "warm")
        python = [sys.executable, "-m", "scripts.bench.counted"]
        _run(folder, *python, str(folder / "warm"))  # writes the byte code; otherwise compiling it would count
        out = folder / "counts"
        callgrind = ["valgrind", "-q", "--tool=callgrind", "--dump-before=getpriority", f"--callgrind-out-file={out}"]
        parts = [line.split("\t") for line in _run(folder, *callgrind, *python, made).splitlines()]
        totals = _totals(out)
        assert len(totals) == len(parts), f"{len(parts)} parts, and Callgrind counted {len(totals)}"
        return {part: total // int(times) for (part, times), total in zip(parts, totals, strict=True) if part}


def _totals(out: Path) -> list[int]:
    """Read how many instructions each part took, in order."""
    files = sorted(out.parent.glob(f"{out.name}.*"), key=lambda file: int(file.suffix[1:]))
    found = [re.search(r"^totals: (\d+)$", file.read_text(encoding="utf-8"), re.M) for file in files]
    totals = [int(each[1]) for each in found if each]
    return [total for total in totals if total > TWICE]


def machine() -> dict[str, str]:
    """Return what decides about a count, beside the code."""
    processor = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    installed = sorted(f"{name}=={version(name)}" for name in needed("httpx", needed("umpi", {"httpx"})))
    return {
        "Python": sys.version.replace("\n", " "),
        "the C library": " ".join(platform.libc_ver()),
        "the processor": processor[1] if processor else platform.machine(),
        "valgrind": _run(Path(), "valgrind", "--version").strip(),
        "the list of packages": sha256("\n".join(installed).encode()).hexdigest()[:12],
    }


def needed(package: str, known: set[str]) -> set[str]:
    """Add the packages that one needs here, without extras, and those that these need; return all that are known."""
    for line in requires(package) or ():
        name = re.match(r"[\w.-]+", line)
        if name and "extra ==" not in line and name[0].lower() not in known:
            with contextlib.suppress(PackageNotFoundError):  # it is for another system
                version(name[0])
                known.add(name[0].lower())
                needed(name[0], known)
    return known


def read_table(text: str) -> Table:
    """Read a table. Raises ValueError for a line without its three columns."""
    top, *rest = text.split("\t".join(HEADS) + "\n")
    lines = {}
    for row in "".join(rest).splitlines():
        part, number, reason = row.split("\t")
        lines[part] = Line(int(number.replace(",", "")), reason)
    return Table(dict(row.removeprefix("# ").split(": ", 1) for row in top.splitlines()), lines)


def written(table: Table) -> str:
    """Return a table as text."""
    rows = [f"# {name}: {value}" for name, value in table.machine.items()]
    rows += ["\t".join(HEADS), *(f"{part}\t{line.instructions:,}\t{line.reason}" for part, line in table.lines.items())]
    return "\n".join(rows) + "\n"


def faults(counts: Mapping[str, int], lines: Mapping[str, Line]) -> list[str]:
    """Return a sentence for each part that needs more than the table allows, and for each that is not in both."""
    found = [f"The table has a part that is not counted: {part}." for part in lines if part not in counts]
    for part, number in counts.items():
        if part not in lines:
            found.append(f"The table has no line for this part: {part}.")
        elif number > lines[part].instructions * (1 + MORE):
            more = number / lines[part].instructions - 1
            found.append(f"{part}: {number:,} instructions, {more:.1%} more than in the table.")
    if found:
        found.append('If that must be so: ./scripts/dev bench instructions --reason "why". It changes these lines.')
    return found


def renewed(counts: Mapping[str, int], lines: Mapping[str, Line], reason: str) -> dict[str, Line]:
    """Return the lines with those changed, and their reason, that differ by more than the table allows.

    The other lines stay, so that many small rises add up to one that is refused.
    """
    return {
        part: kept
        if (kept := lines.get(part)) and abs(number / kept.instructions - 1) <= MORE
        else Line(number, reason)
        for part, number in counts.items()
    }


def _run(home: Path, *command: str) -> str:
    """Run a command in an environment that is the same everywhere; return what it prints."""
    environment = {
        "HOME": str(home), "PATH": os.defpath, "PYTHONHASHSEED": "0", "PYTHONPATH": str(REPO), "LC_ALL": "C.UTF-8",
        "PYTHONPYCACHEPREFIX": str(home / "bytecode"),
    }  # fmt: skip
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True, cwd=REPO).stdout
