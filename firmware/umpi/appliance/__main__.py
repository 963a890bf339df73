"""What the units of a card call: `python -m umpi.appliance start | settle | card`."""

from __future__ import annotations

import logging
import sys

from umpi.appliance.card import CardFault, NoCard, this_card
from umpi.appliance.slots import BadBootFile
from umpi.appliance.start import settle_trial, start
from umpi.appliance.tasks import serve


def main(words: list[str]) -> int:
    """Do one part of the start, or a task of the card for a connection; a fault is logged, and ends with 1."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    try:
        match words:
            case ["start"]:
                start()
            case ["settle"]:
                settle_trial(this_card())
            case ["card"]:
                serve(sys.stdin.buffer, sys.stdout.buffer)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except (CardFault, NoCard, BadBootFile, OSError) as fault:
        logging.exception("%s", fault)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
