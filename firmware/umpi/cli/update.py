"""Update a box that started from a card: `umpi update`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of
from umpi.kernel.output import put


def run_update(options: argparse.Namespace) -> int:
    """`umpi update`: check a bundle, write it into the other slot, and restart with it."""
    from umpi.appliance.bundle import BadBundle, opened
    from umpi.appliance.card import CardFault, NoCard, restart, this_card, this_version, trusted_key, writable
    from umpi.appliance.slots import BadBootFile
    from umpi.appliance.start import STATE_AT, health_of_box
    from umpi.appliance.update import check, install, keep_matches, only_one, record, service_back

    config = config_of(options)
    journal = options.journal or config.journal
    try:
        card, present = this_card(), this_version()
        with opened(options.file, trusted_key()) as bundle:
            new = bundle.manifest.version
            check(card, bundle, present, journal, _progress("Checking"))
            put(f"The bundle is version {new.name}. The box has version {present.name}.")
            if options.check:
                return 0
            if os.geteuid() != 0:
                raise Problem("An update writes the card and needs root: sudo umpi update FILE")
            health = health_of_box()
            record(STATE_AT, health[0] if health else frozenset())
            put("The box restarts with the new version. If it does not work within five minutes, the old one returns.")
            with only_one(STATE_AT), writable(card.boot), service_back():
                install(card, bundle, present, _progress("Writing"), lambda: keep_matches(journal, new), restart)
    except NoCard as fault:
        raise Problem(f"{fault} A box of scripts/install is updated by: git pull && sudo scripts/install") from None
    except (BadBundle, BadBootFile, CardFault) as fault:
        raise Problem(f"{fault}", 1) from None
    except OSError as fault:
        raise Problem(f"{fault.filename or options.file}: {fault.strerror or fault}", 1) from None
    return 0


def _progress(doing: str) -> Callable[[int, int], None]:
    """Return what prints how far it is, in steps of ten per cent, or on a terminal in one line."""
    last = -1
    inline = sys.stderr.isatty()

    def show(done: int, whole: int) -> None:
        nonlocal last
        percent = 100 * done // max(1, whole)
        if percent // 10 != last:
            last = percent // 10
            print(
                f"\r{doing}: {percent} %" if inline else f"{doing}: {percent} %",
                end="" if inline else "\n",
                file=sys.stderr,
            )
            if inline and done == whole:
                print(file=sys.stderr)

    return show


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "update", run_update, group=BUILD,
        purpose="Update a box that started from a card of Umpi.",
        description="Check a signed bundle, write it into the slot that is not in use, and restart with it. A match in "
        "play continues. If the new version does not work within five minutes, or the power fails, the old one comes "
        "back. umpi-says.txt on the boot partition says what happened.",
        examples=("umpi update umpi-0.2.bundle --check", "umpi update umpi-0.2.bundle"),
        statuses={
            0: "The bundle fits, or the box restarts with it.",
            1: "The bundle cannot be used, or the card cannot be written.",
            2: "This is no card of Umpi, or the user may not write it.",
        },
    )  # fmt: skip
    command.add_argument("file", type=Path, metavar="FILE", help="the bundle")
    add_box(command)
    command.add_argument("--check", action="store_true", help="only check whether the bundle fits this box")
