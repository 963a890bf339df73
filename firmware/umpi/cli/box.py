"""Run the box, virtual or on a Raspberry Pi: `umpi sim | run`."""

from __future__ import annotations

import argparse
import gc
import tempfile
from dataclasses import replace
from pathlib import Path

from umpi.box.config import Config, WebPlan
from umpi.cli.arguments import add_box, add_option, port
from umpi.cli.parser import BUILD, PLAY, AddParser
from umpi.cli.terminal import Problem, config_of, counted, why_not
from umpi.journal import Foreign, InUse, check_file, claimed
from umpi.kernel.output import put

NO_START = 78  # sysexits.h, EX_CONFIG: no further start mends it, and firmware/system/umpi.service tries none


def run_sim(options: argparse.Namespace) -> int:
    """`umpi sim`: serve the virtual box, or play a scenario without a browser."""
    if options.steps:
        from umpi.simulator.script import STEPS

        put(STEPS.rstrip("\n"))
        return 0
    config = config_of(options)
    if options.session and not options.script:
        raise Problem("--session needs --script: it writes what a scenario does.")
    if options.script:
        from umpi.simulator.script import ScriptFault, play_script

        with tempfile.TemporaryDirectory(prefix="umpi-") as folder:
            config = replace(_laned(config, options), journal=options.journal or Path(folder) / "games.db")
            try:
                with claimed(config.journal):
                    played = play_script(options.script, config, options.session)
            except ScriptFault as fault:
                raise Problem(str(fault), fault.status) from None
            except OSError as fault:
                raise Problem(why_not(fault)) from None
            except (Foreign, InUse) as fault:
                raise Problem(str(fault)) from None
        did = f"{counted(played.steps, 'step')}, {counted(played.presses, 'press', 'presses')}"
        put(f"{options.script}: {did}, all as expected")
        return 0
    from umpi.simulator.page import NoPort, serve

    try:
        config = _with_journal(_laned(config, options), options)
        config = replace(config, desk=_desk(config.desk, options))
        check_file(config.journal, config.own_journal)  # before the port is opened, so that this error comes first
        with claimed(config.journal):
            options.installed.note(config.journal, options.in_use)
            serve(config, options.installed.root.parent, options.host, options.port, options.open)
    except (Foreign, InUse, NoPort) as fault:
        raise Problem(str(fault)) from None
    return 0


def _with_journal(config: Config, options: argparse.Namespace) -> Config:
    """Set the journal of --journal. Without it, the box uses its own, and may put a damaged one aside."""
    if options.journal:
        return replace(config, journal=options.journal)
    return replace(config, own_journal=True)


def _desk(plan: WebPlan | None, options: argparse.Namespace) -> WebPlan | None:
    """Return the plan of the page at --host. The virtual box serves HTTPS only with --https-port."""
    if plan is None and options.https_port is None:
        return None
    return replace(plan or WebPlan(), listen=options.host, https_port=options.https_port)


def _laned(config: Config, options: argparse.Namespace) -> Config:
    """Set the lanes of --lanes; without it add one lane if umpi.toml has no funnel."""
    from umpi.simulator.virtual import with_lanes

    if options.lanes is None:
        return config if config.beam_lines else with_lanes(config, 1)
    return with_lanes(config, options.lanes)


def run_box(options: argparse.Namespace) -> int:
    """`umpi run`: run the box on a Raspberry Pi."""
    gc.disable()  # a start makes no garbage; the loop of the service enables it again
    try:
        return _run_box(options)
    finally:
        gc.enable()


def _run_box(options: argparse.Namespace) -> int:
    from umpi.service.run import NoHeader, NoPins, run

    config = _with_journal(config_of(options), options)
    try:
        run(config, lambda: options.installed.note(config.journal, options.in_use))
    except NoHeader as fault:
        hint = "With [desk] in umpi.toml, this box has a page, and phones can play on it."
        raise Problem(f"{fault}. {hint}", NO_START) from None
    except NoPins as fault:
        raise Problem(str(fault)) from None
    except InUse as fault:
        raise Problem(str(fault), 1) from None  # another start succeeds once the other box has stopped
    except Foreign as fault:
        raise Problem(str(fault), NO_START) from None
    return 0


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "sim", run_sim, group=PLAY,
        purpose="Play on a virtual box in your browser.",
        description="Start a virtual box: a web page with the display, buttons and lamps of a real one. The command "
        "prints the address of the page and runs until you press Ctrl-C. With --script it plays a scenario from a "
        "file instead, without a browser.",
        examples=(
            "umpi sim --open",
            "umpi sim --port 8200 --lanes 6",
            "umpi sim --script tests/scenarios/dodeka.txt  # in the source folder",
        ),
        statuses={
            0: "The page was served, or the whole scenario ran as expected.",
            1: "A step of the scenario gave another result than expected.",
            2: "A file, an option or the port cannot be used.",
        },
    )  # fmt: skip
    add_box(command, virtual=True)
    add_option(command, "preset an option in every game that has it")
    command.add_argument(
        "--script", type=Path, metavar="FILE",
        help="play this scenario in simulated time; its matches are saved only if --journal is given",
    )  # fmt: skip
    command.add_argument(
        "--steps", action="store_true", help="print all steps of a scenario with their meaning, and end"
    )
    command.add_argument(
        "--session", type=Path, metavar="OUT",
        help="with --script: write everything that happened to this file, for umpi replay-session",
    )  # fmt: skip
    command.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="address to serve the page at (default: %(default)s, this computer only)",
    )  # fmt: skip
    command.add_argument(
        "--lan", action="store_const", const="0.0.0.0", dest="host",
        help="let the phones in this network join; the terminal shows a QR code with the address, and an address that "
        "shows the box and its buttons on another device",
    )  # fmt: skip
    command.add_argument(
        "--port", type=port, default=8137, metavar="NUMBER",
        help="port to serve the page at, 0 for any free port (default: %(default)s)",
    )  # fmt: skip
    command.add_argument(
        "--https-port", type=port, metavar="NUMBER",
        help="serve the page over HTTPS too, at this port; umpi https makes the certificate (default: no HTTPS)",
    )  # fmt: skip
    command.add_argument(
        "--lanes", type=int, choices=(0, 1, 6),
        help="lanes of the funnel for cubes: 0 for no funnel, 1 for one lane for all, 6 for one lane per player "
        "(default: the funnel in UMPI.TOML, else 1)",
    )  # fmt: skip
    command.add_argument("--open", action="store_true", help="open the page in the browser")

    command = add(
        "run", run_box, group=BUILD,
        purpose="Run the box on a Raspberry Pi.",
        description="Run the box on a Raspberry Pi, with its real display, buttons and sensors, until Ctrl-C or "
        "SIGTERM. The service of an installed box runs this command.",
        examples=("umpi run", "umpi run --config umpi.toml --log-level debug"),
        statuses={
            0: "The box was stopped.",
            1: "Another box uses the same journal. A later start can succeed.",
            2: "The settings are wrong, or the Pi's pins cannot be used.",
            NO_START: "No later start succeeds: a foreign journal, or neither pins nor [desk].",
        },
    )  # fmt: skip
    add_box(command)
    add_option(command, "preset an option in every game that has it")
    command.set_defaults(log_level="info")
