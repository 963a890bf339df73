"""Who was first, at true gaps of 0.1 to 5 ms on a real kernel: Umpi beside gpiozero and a plain gpiod reader.

In a guest six simulated lines are pulled one after the other, idle and beside four busy processes, and each way tells
the order. On two emulated processors edges come out of order; in virtual time, on one, gaps and stamps are exact. Then
what the service costs while nothing happens, and how soon it shows a press. Prints tables in Markdown.

The aim: Umpi is never wrong, tells of every line whose edges came, and is unsure in 5 % of the rounds at most, or in
one. With `dead_heat_us` 100 and `glitch_us` 100 together it calls at most 1 % too close, at gaps of half a millisecond
and above; a smaller `dead_heat_us` alone tells no smaller gap, as a glitch may hide a front for up to `glitch_us`, 800
unless said otherwise. Idle, `umpi run` wakes fewer than five times a second.

The exit status is 1 where the aim is missed, in any of these, or where fewer rounds than asked for were good; 77 where
no guest can be had here: Debian 12 on amd64 and root are needed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from hil_guest.guest import REPO, Guest, GuestFault, default_work, guarded
from hil_order.cost import cost_table, missed_cost
from hil_order.sums import counted, margins, missed, remarks, verdicts

KINDS, LOADS = ("umpi", "stock", "reader"), (0, 4)
LIMIT_S = 5400  # of this machine's time, a guest
TIMES = {
    "ordinary": ("two emulated processors, in time as it comes", False),
    "virtual": ("one processor in virtual time, 2 ns an instruction", True),
}


def main() -> int:
    """Do it; returns the exit status."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/bench order", description=__doc__, formatter_class=raw)
    parser.add_argument("--rounds", type=int, default=500, help="a cell on two processors (%(default)s); 20 are short")
    parser.add_argument("--exact-rounds", type=int, help="a cell in virtual time, which is slow (a fifth)")
    parser.add_argument("--only", choices=[*TIMES, "cost"], action="append", help="only this; may be repeated")
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
        guest.build()
        for name, (title, exact) in TIMES.items():
            if name in (chosen.only or TIMES):
                rounds = (chosen.exact_rounds or max(1, chosen.rounds // 5)) if exact else chosen.rounds
                say(f"booting the guest: {title}, {rounds} rounds a cell")
                counts = counted(_rounds(guest, name, rounds, exact))
                parts += [f"{title[0].upper()}{title[1:]}; {rounds} rounds a cell:", verdicts(counts), margins(counts)]
                parts += remarks(counts)
                aim += missed(counts, rounds)
        if "cost" in (chosen.only or ["cost"]):
            say("booting the guest: what the service costs")
            _run(guest, f"{guest.python} -m hil_order.cost {guest.work}/venv/bin/umpi /out/cost.json", True)
            costs = json.loads((guest.out / "cost.json").read_text())
            parts.append(cost_table(costs))
            aim += missed_cost(costs)
        print("\n\n".join(parts))
        for line in aim:
            print(f"order: missed: {line}", file=sys.stderr)
        return 1 if aim else 0

    return guarded("order", measure)


def _rounds(guest: Guest, name: str, rounds: int, exact: bool) -> list[dict[str, Any]]:
    """Run all rounds in one guest, each kind of ears in a process of its own; return what was told of them."""
    file = guest.out / f"{name}.jsonl"
    each = [f"{kind} {busy} {rounds} /out/{file.name}" for busy in LOADS for kind in KINDS]
    _run(guest, " &&\n".join(f"{guest.python} -m hil_order.rounds {words}" for words in each), exact)
    return [json.loads(line) for line in file.read_text().splitlines()]


def _run(guest: Guest, command: str, exact: bool) -> None:
    """Run a command in the guest, which says that it is a Pi, as lgpio's factory wants; raises GuestFault."""
    # Python's own modules come over from this machine: in virtual time the clock leaps meanwhile
    warm = f"{guest.python} -c 'import hil_order.ears, umpi.service.run, gpiozero.pins.lgpio'"
    if not guest.run(f". {REPO}/scripts/hil_guest/as-a-pi\n{warm}\n{command}", exact=exact, limit_s=LIMIT_S):
        raise GuestFault("something went wrong in it, as told above")


if __name__ == "__main__":
    sys.exit(main())
