"""Check the signature of a record, or print the key of this box: `umpi verify`."""

from __future__ import annotations

import argparse

from umpi.cli.arguments import add_box
from umpi.cli.parser import LOOK, AddParser
from umpi.cli.records import RECORD
from umpi.cli.terminal import Problem, config_of, needing, opened, using
from umpi.journal.queries import chain_of
from umpi.kernel.match import Broken
from umpi.kernel.output import put
from umpi.kernel.record import Unreadable, dump, read_line, replay
from umpi.kernel.registry import find
from umpi.mqtt.payloads import BadPayload, Result, read_result
from umpi.referee.transcript import outcome_of
from umpi.web.results import SIGNED, Signer


class NotVerified(Exception):
    """Report why a record is not as its box has signed it."""


def run_verify(options: argparse.Namespace) -> int:
    """`umpi verify [FILE]`: check a record with its signed result, or print the key of this box."""
    with needing("umpi verify", "https"):
        import cryptography  # noqa: F401  # the check imports it late
    if options.file is None:
        return _own_key(options)
    with using(options.file), opened(options.file) as file:
        raw = file.read().splitlines(keepends=True)
    try:
        result = _checked([*filter(bytes.strip, raw)])
    except Unreadable as fault:
        raise Problem(f"{options.file}: {fault}.") from None
    except (NotVerified, BadPayload, Broken) as fault:
        raise Problem(f"{options.file}: {fault}.", 1) from None
    if options.key not in (None, result.key):
        raise Problem(f"{options.file}: another key has signed it: {result.key}", 1)
    players = ", ".join(f"{player.name} {player.score}" for player in result.players)
    how = f"{players}, {result.ended:%Y-%m-%d %H:%M} UTC" if result.ended else players or "not over"
    put(f"Match {result.match} of box {result.box}, {result.title}: {how}.")
    put("The record is as the box has signed it, and its result is right by the rules.")
    put(f"Key: {result.key}")
    if options.key is None:
        put('To compare it, run "umpi verify" on the box.')
    return 0


def _checked(raw: list[bytes]) -> Result:
    """Return the signed result of a record.

    Raises Unreadable if it is no record, Broken if a game fails, NotVerified or BadPayload if it was not signed so.
    """
    header = read_line(raw[0]) if raw else None
    if not header:
        raise Unreadable("it is empty")
    signed = header.pop(SIGNED, None)
    if not isinstance(signed, dict):
        raise NotVerified('it is not signed: its header has no "signed"')
    result = read_result(dump(signed).encode())
    if not result.key:
        raise NotVerified("it is not signed: it has no key")
    try:
        record = [dump(header), *(line.decode().removesuffix("\n") for line in raw[1:])]
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8") from None
    if chain_of(record) != signed.get("chain"):
        raise NotVerified("its lines are not those that were signed")
    *_, step = replay([line.encode() for line in record], find)
    if step.error or not step.record:
        raise NotVerified(
            f"it is as it was signed, but by the rules of this Umpi line {step.line} is wrong: {step.error}"
        )
    outcome = outcome_of(step.record.match) or {"places": (), "scores": ()}
    names = step.record.match.players if outcome["places"] else ()
    found = list(zip(names, outcome["scores"], outcome["places"], strict=True))
    if found != [(player.name, player.score, player.place) for player in result.players]:
        raise NotVerified("it is as it was signed, but by the rules of this Umpi its result is another one")
    return result


def _own_key(options: argparse.Namespace) -> int:
    """Print the key of this box."""
    folder = (options.journal or config_of(options).journal).parent
    signer = Signer.of(folder, make=True)
    if not signer.key:
        raise Problem(f"{folder}: there is no box with a key. On a box: sudo -u umpi umpi verify")
    put(f"Box {signer.box} signs its results with the key {signer.key.public}")
    return 0


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "verify", run_verify, group=LOOK,
        purpose="Check that a record is as its box has signed it.",
        description="Check the signature of a record from the page of a box or from umpi history --record. Say whether "
        "a line was changed, lost or added, and whether the result is right by the rules. Without FILE print the key "
        "of this box.",
        examples=("umpi verify game.jsonl", "umpi verify     # the key of this box"),
        statuses={
            0: "The record is as it was signed.",
            1: "It is not signed, or not so, or by another key.",
            2: "The file cannot be read, or this computer has no key.",
        },
    )  # fmt: skip
    add_box(command)
    command.add_argument("file", nargs="?", metavar="FILE", help=RECORD)
    command.add_argument("--key", metavar="KEY", help="the key of the box that must have signed it")
