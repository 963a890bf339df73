"""Make the certificate of HTTPS, or check one of the owner's: `umpi https`."""

from __future__ import annotations

import argparse
import socket
import sys
from dataclasses import replace

from umpi.box.config import WebPlan
from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of
from umpi.kernel.output import put


def run_https(options: argparse.Namespace) -> int:
    """`umpi https`: make the box's own authority and its certificate, or check the owner's."""
    from umpi.web.certificates import (
        BadCertificate,
        NoCryptography,
        authority_of,
        has_authority,
        is_wide,
        make_authority,
        now,
    )
    from umpi.web.https import own_hosts, pair_of, why_unnamed

    config = config_of(options)
    folder = replace(config, journal=options.journal or config.journal).certificates
    plan = config.desk or WebPlan()
    if options.new and plan.certificate:
        raise Problem("--new makes a certificate of the box's own, but UMPI.TOML names one of yours.")
    try:
        if not plan.certificate and (options.new or not has_authority(folder)):
            make_authority(folder, socket.gethostname(), own_hosts(plan.names), now())
        pair = pair_of(plan, folder, now())
        fingerprint = "" if plan.certificate else authority_of(folder)[1]
        wide = bool(fingerprint) and is_wide(folder)
    except NoCryptography as fault:
        raise Problem(str(fault)) from None
    except BadCertificate as fault:
        raise Problem(str(fault), 1) from None
    put(f"Certificate: {pair.certificate}")
    put(f"It is valid until {pair.expires:%Y-%m-%d} for: {', '.join(pair.hosts)}")
    if not plan.certificate and (why := why_unnamed(pair, own_hosts(plan.names))):
        put(why)
    if wide:
        put("The authority may sign for every device at home. To make one for this box alone: umpi https --new")
    if plan.https_port is None:
        put("Add this line to [desk] of umpi.toml, then restart the box:\n\n    https_port = 8443\n")
    if fingerprint:
        put(f"Fingerprint (SHA-256) of what phones install:\n{fingerprint}")
        _show_address(plan)
    return 0


def _show_address(plan: WebPlan) -> None:
    """Show where phones install the certificate: the address, and its QR code on a terminal."""
    from umpi.web.address import address_for_phones

    address = address_for_phones(plan.listen, plan.port)
    if not address:
        return
    put(f"On each phone, open {address}#app")
    if sys.stdout.isatty():
        import segno

        segno.make(f"{address}#app", micro=False).terminal(compact=True)


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "https", run_https, group=BUILD,
        purpose="Make the certificate for HTTPS.",
        description="Make a certificate authority for this box and a certificate that it signs, if there is none. "
        "Print for which names and addresses it is valid, and where phones install it. While the box runs, it renews "
        "the certificate itself. If UMPI.TOML names a certificate of yours, check that one instead.",
        examples=("umpi https", "umpi https --new    # if somebody has copied the keys"),
        statuses={
            0: "There is a valid certificate.",
            1: "A file cannot be read or written, has expired, or the key does not fit.",
            2: "An option, a setting or a package is wrong or missing.",
        },
    )  # fmt: skip
    add_box(command)
    command.add_argument(
        "--new", action="store_true",
        help="make a new authority; phones must install it again, and should remove the old one",
    )  # fmt: skip
