"""Check the devices of the box: `umpi doctor`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from umpi.box.config import Config
from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of
from umpi.kernel.nothing import nothing
from umpi.kernel.output import put

if TYPE_CHECKING:  # the devices take long to import
    from umpi.box.box import Box
    from umpi.doctor.finding import Finding
    from umpi.referee.events import DeviceEvent

log = logging.getLogger(__name__)

STEPS = ("buttons", "lamps", "sounder", "display", "beams", "light", "cubes", "chute", "colours", "scanner", "wall")
HINTS = {  # by a part of the reason
    "Permission denied": "Add your user to the group gpio: sudo usermod -aG gpio $USER. Then log in again",
    "held outside this program": "Is umpi running? sudo systemctl stop umpi",
    "busy": "Is umpi running? sudo systemctl stop umpi",
}


def run_doctor(options: argparse.Namespace) -> int:
    """`umpi doctor`: print for each device whether it works and what to do; with --guide and --factory by hand."""
    config = config_of(options)
    config = replace(config, journal=options.journal or config.journal)
    by_hand = options.factory or options.guide is not None
    findings = _by_hand(config, None if options.factory else options.guide) if by_hand else _looked(config)
    from umpi.doctor.report import exit_status, summary

    put(summary(findings, guided=by_hand))
    return exit_status(findings)


def _looked(config: Config) -> list[Finding]:
    from umpi.doctor.look import look, wait_for_devices

    with _opened(config, time.monotonic_ns, nothing) as (box, pins):
        wait_for_devices(box)
        return _print_findings(look(config, box, pins))


def _by_hand(config: Config, steps: list[str] | None) -> list[Finding]:
    """Guide a person through these steps, all if there are none, or through the check of new boards."""
    from umpi.doctor.bench import Terminal
    from umpi.doctor.steps import factory, guide

    for step in steps or ():
        if step not in STEPS:
            raise Problem(f"--guide {step}: there is no such step. Steps: {', '.join(STEPS)}.")
    if sys.stdin is None:
        raise Problem(f"--{'factory' if steps is None else 'guide'} asks you to act and look: run it in a terminal.")
    bench = Terminal()
    with _opened(config, bench.clock, bench.post) as (box, _):
        found = _print_findings(factory(config, box, bench) if steps is None else guide(config, box, bench, steps))
    put("")
    return _print_findings(found)


def _print_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Print findings as they come, and return them."""
    from umpi.doctor.report import lines

    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")  # no-color.org: an empty one does not count
    printed = []
    for finding in findings:
        for line in lines(finding, coloured):
            put(line)
        printed.append(finding)
    return printed


@contextmanager
def _opened(config: Config, clock: Callable[[], int], post: Callable[[DeviceEvent], None]) -> Iterator[tuple[Box, Any]]:
    """Open the devices as `umpi run` does; raises Problem if the pins cannot be used."""
    from umpi.box.box import build
    from umpi.service.run import NoPins, RealPlugs, pin_factory
    from umpi.timing.events import Lost

    try:
        pins = pin_factory(config.factory, lambda lost: post(Lost(lost.count)))
    except NoPins as fault:
        raise Problem(_hinted(str(fault))) from None
    try:
        box = build(config, pins, RealPlugs(config, clock), post)
    except Exception as fault:  # GPIOZeroError where no button can be had; lgpio has errors of its own
        log.debug("The devices of the box cannot be opened", exc_info=True)
        pins.close()
        raise Problem(_hinted(f"no button can be had: {str(fault).partition('; ')[0]}")) from None
    try:
        yield box, pins
    finally:
        box.close()
        pins.close()


def _hinted(why: str) -> str:
    hint = next((hint for part, hint in HINTS.items() if part in why), "")
    return f"{why}{'' if why.endswith('.') else '.'} {hint}" if hint else why


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "doctor", run_doctor, group=BUILD,
        purpose="Check each device of the box and show what to repair.",
        description="Check each device of the box. Print one line per device: ok, warning, failed "
        "or not tested, with the reason and what to do. With --guide test the devices by hand, step by step. "
        "With --factory test new boards, before you plug anything into them. Stop the running box first.",
        examples=(
            "sudo systemctl stop umpi; sudo -u umpi umpi doctor",
            "umpi doctor --guide",
            "umpi doctor --guide buttons lamps",
        ),
        statuses={
            0: "No device has failed or has a warning.",
            1: "A device has failed or has a warning.",
            2: "The settings are wrong, or the Pi's pins cannot be used.",
        },
    )  # fmt: skip
    add_box(command)
    by_hand = command.add_mutually_exclusive_group()
    by_hand.add_argument("--factory", action="store_true", help="test new boards by hand, with nothing plugged in")
    by_hand.add_argument(
        "--guide", nargs="*", metavar="STEP",
        help=f"test the devices by hand: all of them, or only these steps: {', '.join(STEPS)}",
    )  # fmt: skip
