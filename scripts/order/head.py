"""Pull the pins of an emulated Pico with the sensor head's program, and record the box's verdicts.

The stamps pass through the box's own driver over a pty. The emulated time does not depend on how busy this machine is.
Each verdict is a line of JSON, as in the guest.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from scripts import REPO
from scripts.order.listeners import WINDOWS, Report, lost
from scripts.order.puller import HELD_NS
from scripts.order.rounds import GAPS_US
from scripts.pico.cable import LINES, Cable
from scripts.pico.emulated import MS, EmulatedPico, NotHere, tools, write_image
from umpi.timing.funnel import Funnel

HEAD = REPO / "firmware/sensor_head"
LANES = LINES[:6]
SHIFT_NS = 20_000  # range of random delays, so that pulls meet the head's program at varying points
LATER_NS = 1000 * MS  # after this time every cube is certain
CANNOT = 77


def main() -> int:
    """Run the rounds; the arguments are MicroPython's firmware, the number of rounds and the output file."""
    firmware, rounds, out = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            node, modules = tools()
            write_image([(file.name, file.read_bytes()) for file in HEAD.glob("*.py")], folder / "image")
            pico = EmulatedPico(node, modules, firmware, folder / "image")
        except NotHere as fault:
            print(f"the emulated Pico cannot run here: {fault}", file=sys.stderr)
            return CANNOT
        cable, chance = Cable(pico, folder, LANES), random.Random(1)
        with out.open("w", encoding="utf-8") as lines:
            for gap_us in GAPS_US:
                for _ in range(rounds):
                    for cell in _round(cable, gap_us * 1000, chance):
                        lines.write(json.dumps(cell | {"busy": 0, "gap_us": gap_us, "steady": True}) + "\n")
        cable.close()
    return 0


def _round(cable: Cable, gap_ns: int, chance: random.Random) -> list[dict[str, object]]:
    """Pull the lines in a random order; return a report for each setting."""
    order = chance.sample(LANES, len(LANES))
    begins = {line: turn * gap_ns + chance.randrange(SHIFT_NS) for turn, line in enumerate(order)}
    received = cable.play([(at, line, False) for line, at in begins.items()]
                       + [(at + HELD_NS, line, True) for line, at in begins.items()])  # fmt: skip
    pulled = [(LANES.index(line), at_ns) for at_ns, line, high in cable.plan if not high]
    reports = []
    for way, window in WINDOWS.items():
        funnel = Funnel(LANES, window)
        for edge in received.edges:
            funnel.edge(edge)
        if received.lost:
            funnel.lost(received.lost, cable.pico.now_ns)
        certain = funnel.tick(cable.pico.now_ns + LATER_NS)
        verdict = funnel.verdict
        doubts = {doubt for cube in verdict.cubes for doubt in cube.doubts} | set(verdict.notes)
        report = Report([(cube.lane, cube.t) for cube in certain], sorted(doubts), lost(len(received.edges)))
        reports.append({"way": way.replace("umpi", "head"), "pulled": pulled, **asdict(report)})
    return reports


if __name__ == "__main__":
    sys.exit(main())
