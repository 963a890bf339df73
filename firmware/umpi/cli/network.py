"""Show the network of the box, or start its own Wi-Fi: `umpi network`."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from pathlib import Path

from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of
from umpi.kernel.output import put
from umpi.wifi.nmcli import PROFILE, Device, NoNetwork, ssid
from umpi.wifi.own import Own, commands, offer, own_network
from umpi.wifi.reach import address_of, connected, wait

MOST_S = 600


def run_network(options: argparse.Namespace) -> int:
    """`umpi network`: print the network of the box; --offer starts its own Wi-Fi."""
    config = config_of(options)
    file = replace(config, journal=options.journal or config.journal).own_network
    if options.wait is not None and not options.offer:
        raise Problem("--wait works only with --offer.")
    if options.dry_run and not options.offer:
        raise Problem("--dry-run works only with --offer.")
    try:
        if options.dry_run:
            return _shown()
        return _offered(file, options.wait) if options.offer else _print_network(connected(), file)
    except NoNetwork as fault:
        raise Problem(str(fault), 1) from None


def _shown() -> int:
    """Print the nmcli commands, without the real name and passphrase."""
    for words in commands(Own("NAME", "PASSPHRASE")):
        put(shlex.join(["nmcli", *words]))
    return 0


def _offered(file: Path, wait_s: int | None) -> int:
    """Start the box's own Wi-Fi; with `wait_s` only if it is in no network after that many seconds."""
    device = None if wait_s is None else wait(wait_s)
    if device is None:
        offer(own_network(file))
        device = connected()
    return _print_network(device, file)


def _print_network(device: Device | None, file: Path) -> int:
    if device is None:
        put("No network connection. To start its own Wi-Fi: umpi network --offer")
        return 1
    at = address_of(device.name) or "none yet"
    if device.profile == PROFILE:
        own = own_network(file)
        put(f"The box offers its own Wi-Fi {own.name}, passphrase {own.passphrase}. Address: {at}")
        put(f"To stop this Wi-Fi: nmcli connection down {PROFILE}")
        return 0
    name = ssid(device)
    put(f"The box is in the Wi-Fi {name}. Address: {at}" if name else f"The box is connected by cable. Address: {at}")
    return 0


def _seconds(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_S:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to {MOST_S}, got {text}")
    return int(text)


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "network", run_network, group=BUILD,
        purpose="Show the box's network, or start the box's own Wi-Fi.",
        description="Show the network and the address of the box, for phones to open. With --offer start the box's "
        "own Wi-Fi and print its name and passphrase.",
        examples=(
            "umpi network",
            "umpi network --offer --wait 30    # only if no network is found in 30 s",
            "umpi network --offer --dry-run",
        ),
        statuses={
            0: "The box is in a network.",
            1: "The box is in no network, or its own Wi-Fi cannot be started.",
            2: "The options or settings are wrong.",
        },
    )  # fmt: skip
    add_box(command)
    command.add_argument(
        "--offer", action="store_true", help="start the box's own Wi-Fi; the box leaves the Wi-Fi it is in"
    )
    command.add_argument(
        "--wait", type=_seconds, metavar="SECONDS",
        help=f"with --offer: wait for another network for this many seconds first, 0 to {MOST_S}, and start the "
        "box's own Wi-Fi only if there is none (default: start it at once)",
    )  # fmt: skip
    command.add_argument(
        "--dry-run", action="store_true", help="with --offer: print the nmcli commands and change nothing"
    )
