"""The programs that build a card, from packages of Debian 13: the same on each machine, unpacked into a folder.

Their own dynamic linker starts them, so they need neither root nor a chroot.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

LIBRARIES = "usr/lib/x86_64-linux-gnu"


class Fault(Exception):
    """A step failed; the message says which, and why."""


def run(words: Sequence[str | Path], *, environment: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a program to its end and return what it printed. Raises Fault with its last lines."""
    names = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", **(environment or {})}
    done = subprocess.run(
        [str(each) for each in words], env=names, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace",
    )  # fmt: skip
    if done.returncode:
        last = "\n".join((done.stderr or done.stdout).splitlines()[-12:])
        raise Fault(f"{' '.join(str(each) for each in words[:6])}: status {done.returncode}\n{last}")
    return done.stdout


class Tools:
    """The unpacked programs. `epoch_s` is the time that they write into what they make."""

    def __init__(self, folder: Path, epoch_s: int) -> None:
        self.folder, self.epoch_s = folder, epoch_s

    def line(self, program: str, name: str = "") -> list[str]:
        """Return the words that start a program, below usr/, under its own name or another."""
        libraries = self.folder / LIBRARIES
        file = self.folder / "usr" / program
        return [
            str(libraries / "ld-linux-x86-64.so.2"), "--argv0", name or file.name, "--library-path",
            os.pathsep.join(str(each) for each in (libraries, libraries / "systemd")), str(file.resolve()),
        ]  # fmt: skip

    def run(self, program: str, *words: str | Path, name: str = "", cwd: Path | None = None) -> str:
        """Run a program to its end and return what it printed. Raises Fault."""
        return run(
            [*self.line(program, name), *words], cwd=cwd,
            environment={
                "SOURCE_DATE_EPOCH": str(self.epoch_s), "GCONV_PATH": str(self.folder / LIBRARIES / "gconv"),
                "PYTHONHOME": str(self.folder / "usr"), "PYTHONHASHSEED": "0", "MTOOLS_SKIP_CHECK": "1",
            },
        )  # fmt: skip
