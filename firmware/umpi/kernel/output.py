"""Standard output: print lines at once and in UTF-8, and report in one line that it takes nothing more."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Unwritten(Exception):
    """Report that standard output is closed or takes nothing more, for example because the disk is full."""


@contextmanager
def writing() -> Iterator[None]:
    """Write to standard output inside. Raises Unwritten if it takes nothing more.

    A broken pipe passes through: then nobody reads what the command prints.
    """
    if sys.stdout is None:
        raise Unwritten("standard output is closed.")
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        discard_output()
        raise Unwritten(f"standard output: {fault.strerror}.") from None


def discard_output() -> None:
    """Let what Python still writes to standard output at its end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put(*lines: object) -> None:
    """Print lines, at once and in UTF-8 whatever the terminal's language. Raises Unwritten if that cannot be done."""
    put_bytes("".join(f"{line}\n" for line in lines).encode(errors="replace"))


def put_bytes(content: bytes) -> None:
    """Write bytes to standard output, at once. Raises Unwritten if they cannot be written."""
    with writing():
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
