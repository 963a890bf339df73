"""In the guest: run rounds of pulls at each gap beside busy processes; write each report as a line of JSON."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import asdict

from scripts.guest.lines import Sim
from scripts.order.listeners import KINDS, LINES, REST_S
from scripts.order.puller import Puller, steady

GAPS_US = (100, 200, 500, 1000, 5000)
BUSY = "while True: pass"
SETTLE_S = 3  # for the busy processes to start
MOST_TRIES = 2  # per round, if the emulator stops while lines are pulled


def main() -> None:
    """Run the rounds; the arguments are the listener, the number of busy processes, of rounds, and the output file."""
    kind, busy, rounds, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    sim = Sim(f"{kind}-{busy}")
    listener, puller = KINDS[kind](sim), Puller(sim.lines)
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    time.sleep(SETTLE_S if busy else 0)
    chance = random.Random(1)
    puller.begin(0, LINES)  # a warm-up round
    puller.done()
    listener.round()
    try:
        with open(out, "a", encoding="utf-8") as lines:
            for gap_us in GAPS_US:
                began_s = time.monotonic()
                good = tries = 0
                while good < rounds and tries < MOST_TRIES * rounds:
                    tries += 1
                    listener.begin()
                    puller.begin(gap_us * 1000, chance.sample(LINES, len(LINES)))
                    reports = listener.round()
                    pulls = puller.done()
                    good += (was_steady := steady(pulls))
                    pulled = [(line, at_ns) for line, at_ns, _ in pulls]
                    for way, report in reports.items():
                        cell = {"way": way, "busy": busy, "gap_us": gap_us, "pulled": pulled, "steady": was_steady}
                        lines.write(json.dumps(cell | asdict(report)) + "\n")
                    time.sleep(REST_S)
                lines.flush()
                took_s = time.monotonic() - began_s
                print(
                    f"  {kind}, {busy} busy, {gap_us} us: {good} rounds, {tries - good} unsteady, in {took_s:.0f} s",
                    flush=True,
                )
    finally:
        for other in others:
            other.kill()
    os._exit(0)  # lgpio's thread does not end


if __name__ == "__main__":
    main()
