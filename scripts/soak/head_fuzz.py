"""Send bytes to the sensor head: noise, false lines with a correct checksum, and damaged lines of its own.

Stops with a traceback if the bytes raise an error, invent an edge, or hide an edge that is not reported as lost. Also
stops if the link does not recover after the noise.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from tests.kit.head_talk import noise
from tests.kit.pico import Pico, garbage_on_the_cable


def main() -> int:
    """Send that many bytes in each of the three ways and print the results."""
    parser = argparse.ArgumentParser(prog="./scripts/dev head-fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bytes", nargs="?", type=int, default=1_000_000, help="bytes in each way (1,000,000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed throws other bytes (1)")
    chosen = parser.parse_args()
    began = time.monotonic()
    edges = noise(Random(chosen.seed), chosen.bytes)
    print(f"{chosen.bytes:,} bytes of noise and false lines at the box: {edges} edges, each with a correct checksum")
    passed = garbage_on_the_cable(Random(chosen.seed), chosen.bytes)
    print(
        f"{passed['bytes']:,} bytes of a head's lines, {passed['spoilt']:,} pieces damaged: {passed['edges']:,} edges "
        f"reported, all true; {passed['lost']:,} reported lost, none missing; "
        f"the link began again {passed['distrusted']} times"
    )
    _noise_at_the_head(Random(chosen.seed), chosen.bytes)
    print(f"{chosen.bytes:,} bytes of noise at the head: it still answers")
    print(f"{time.monotonic() - began:.1f} s")
    return 0


def _noise_at_the_head(chance: Random, size: int) -> None:
    pico = Pico()
    words = [
        b"hello 1 1",
        b"levels",
        b"ping 3",
        b"lines lane_1 wall",
        b"emit lane_1 off",
        b"*",
        b"\n",
        b" ",
        b"=",
        b"9",
    ]
    while size > 0:
        thrown = chance.choice((chance.randbytes(chance.randint(1, 40)), chance.choice(words)))
        pico.head.take(thrown)
        pico.head.step()
        pico.sent.clear()
        size -= len(thrown)
    pico.answers("")
    if not pico.answers("ping 5")[-1].endswith("pong 5 0"):
        raise AssertionError("the head does not answer any more")


if __name__ == "__main__":
    sys.exit(main())
