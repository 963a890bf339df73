"""In the guest: rounds of pulls at each gap, heard beside busy processes; what is told of each is a line of JSON."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import asdict

from hil_guest.lines import Sim

from hil_order.ears import KINDS, LINES, REST_S
from hil_order.puller import Puller, steady

GAPS_US = (100, 200, 500, 1000, 5000)
BUSY = "while True: pass"
SETTLE_S = 3  # for busy processes to be up
MOST_TRIES = 2  # a round, where the emulator stood still while lines were pulled


def main() -> None:
    """Do it: what hears, how many busy processes, how many rounds, and the file."""
    kind, busy, rounds, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    sim = Sim(f"{kind}-{busy}")
    ears, puller = KINDS[kind](sim), Puller(sim.lines)
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    time.sleep(SETTLE_S if busy else 0)
    chance = random.Random(1)
    puller.begin(0, LINES)  # once for nothing, so that all of it runs
    puller.done()
    ears.round()
    try:
        with open(out, "a", encoding="utf-8") as lines:
            for gap_us in GAPS_US:
                began_s = time.monotonic()
                good = tries = 0
                while good < rounds and tries < MOST_TRIES * rounds:
                    tries += 1
                    ears.begin()
                    puller.begin(gap_us * 1000, chance.sample(LINES, len(LINES)))
                    told = ears.round()
                    pulls = puller.done()
                    good += (well := steady(pulls))
                    pulled = [(line, at_ns) for line, at_ns, _ in pulls]
                    for way, each in told.items():
                        cell = {"way": way, "busy": busy, "gap_us": gap_us, "pulled": pulled, "steady": well}
                        lines.write(json.dumps(cell | asdict(each)) + "\n")
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
