"""Measure who was first at true gaps of 0.1 to 5 ms: Umpi, gpiozero and a plain gpiod reader on an emulated Linux.

The script pulls six simulated lines one after the other, idle and beside four busy processes. Each way reports the
order. On two emulated processors edges arrive out of order. On one, in virtual time, gaps and stamps are exact.
Then it measures what the service costs while nothing happens, and how soon it shows a press. It prints Markdown tables.

With `--firmware FILE` it also pulls the pins of an emulated Pico that runs the sensor head's program under this
MicroPython (see ./scripts/dev pico). No emulated Linux has a USB port for it, so its stamps pass through the box's own
driver over a pty on this machine. Its rows are beside the others.

The aim: Umpi is never wrong, reports every line whose edges arrived, and is unsure in at most 5 % of the rounds, or in
one. With `dead_heat_us` 100 and `glitch_us` 100, it calls at most 1 % too close at gaps of half a millisecond and more.
A smaller `dead_heat_us` alone does not separate smaller gaps, because a glitch may hide a front for up to `glitch_us`
(by default 800). Idle, `umpi run` wakes fewer than five times per second.

The exit status is 1 if an aim is missed or too few rounds were good. It is 77 if the guest cannot run here: it needs
Debian 12 on amd64, and root.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts import REPO
from scripts.guest.guest import Guest, GuestFault, NoGuest, default_work, guarded
from scripts.order.cost import cost_table, missed_cost
from scripts.order.summary import counted, margins, missed, remarks, verdicts

CANNOT = 77  # the exit status of `scripts.order.head` if the emulated Pico cannot run here
KINDS, LOADS = ("umpi", "stock", "reader"), (0, 4)
LIMIT_S = 5400  # of this machine's time, a guest
TIMES = {
    "ordinary": ("two emulated processors, in time as it comes", False),
    "virtual": ("one processor in virtual time, 2 ns an instruction", True),
}


def main() -> int:
    """Run the command line; return the exit status."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev bench-order", description=__doc__, formatter_class=raw)
    parser.add_argument("--rounds", type=int, default=500, help="rounds per cell (%(default)s); 20 is a short run")
    parser.add_argument("--exact-rounds", type=int, help="the same in virtual time (a fifth of --rounds)")
    parser.add_argument("--firmware", type=Path, metavar="FILE", help="MicroPython for the Pico: also measure the head")
    parser.add_argument("--head-rounds", type=int, default=60, help="rounds per cell with the head (%(default)s)")
    parser.add_argument(
        "--only", choices=[*TIMES, "head", "cost"], action="append", help="measure only this; may be repeated"
    )
    parser.add_argument("--work", type=Path, default=default_work(), help="where the guest is built (%(default)s)")
    chosen = parser.parse_args()
    if chosen.rounds < 1 or (chosen.exact_rounds or 1) < 1:
        parser.error("at least one round is needed")
    began_s = time.monotonic()

    def say(line: str) -> None:
        print(f"order {time.monotonic() - began_s:5.0f} s: {line}", file=sys.stderr, flush=True)

    guest = Guest(chosen.work, say)

    def measure() -> int:
        parts: list[str] = []
        aim: list[str] = []
        head = _head(chosen.firmware, chosen.head_rounds, say) if chosen.firmware else []
        if chosen.only != ["head"]:
            guest.build()
        for name, (title, exact) in TIMES.items():
            if name in (chosen.only or TIMES):
                rounds = (chosen.exact_rounds or max(1, chosen.rounds // 5)) if exact else chosen.rounds
                say(f"booting the guest: {title}, {rounds} rounds a cell")
                counts = counted([*_rounds(guest, name, rounds, exact), *([] if exact else head)])
                parts += [f"{title[0].upper()}{title[1:]}; {rounds} rounds a cell:", verdicts(counts), margins(counts)]
                parts += remarks(counts)
                aim += missed(counts, rounds)
        if head and "ordinary" not in (chosen.only or TIMES):
            counts = counted(head)
            parts += [f"The sensor head; {chosen.head_rounds} rounds a cell:", verdicts(counts), margins(counts)]
            parts += remarks(counts)
            aim += missed(counts, chosen.head_rounds)
        if "cost" in (chosen.only or ["cost"]):
            say("booting the guest: what the service costs")
            _run(guest, f"{guest.python} -m scripts.order.cost {guest.work}/venv/bin/umpi /out/cost.json", True)
            costs = json.loads((guest.out / "cost.json").read_text())
            parts.append(cost_table(costs))
            aim += missed_cost(costs)
        print("\n\n".join(parts))
        for line in aim:
            print(f"order: missed: {line}", file=sys.stderr)
        return 1 if aim else 0

    return guarded("order", measure)


def _head(firmware: Path, rounds: int, say: Callable[[str], object]) -> list[dict[str, Any]]:
    """Run all rounds at an emulated Pico; return the reports. Raises NoGuest if that cannot run here."""
    say(f"the sensor head on an emulated Pico, {rounds} rounds a cell")
    python = Path(os.environ.get("UMPI_VENV", REPO / ".venv"), "bin/python")
    paths = os.pathsep.join(map(str, (REPO / "firmware", REPO)))
    with TemporaryDirectory() as folder:
        out = Path(folder, "head.jsonl")
        command = [str(python), "-P", "-m", "scripts.order.head", str(firmware.absolute()), str(rounds), str(out)]
        status = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}).returncode
        if status:
            why = "see above" if status == CANNOT else f"with status {status}"
            raise NoGuest(f"the emulated Pico failed, {why}")
        return [json.loads(line) for line in out.read_text().splitlines()]


def _rounds(guest: Guest, name: str, rounds: int, exact: bool) -> list[dict[str, Any]]:
    """Run all rounds in one guest, with each listener in a process of its own; return the reports."""
    file = guest.out / f"{name}.jsonl"
    each = [f"{kind} {busy} {rounds} /out/{file.name}" for busy in LOADS for kind in KINDS]
    _run(guest, " &&\n".join(f"{guest.python} -m scripts.order.rounds {words}" for words in each), exact)
    return [json.loads(line) for line in file.read_text().splitlines()]


def _run(guest: Guest, command: str, exact: bool) -> None:
    """Run a command in the guest, which poses as a Pi because lgpio's factory needs one. Raises GuestFault."""
    # Import the modules once before: in virtual time the clock jumps while they are read from this machine
    warm = f"{guest.python} -c 'import scripts.order.listeners, umpi.service.run, gpiozero.pins.lgpio'"
    if not guest.run(f". {REPO}/scripts/guest/as-a-pi\n{warm}\n{command}", exact=exact, limit_s=LIMIT_S):
        raise GuestFault("a command failed, see above")


if __name__ == "__main__":
    sys.exit(main())
