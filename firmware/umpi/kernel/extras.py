"""The extras of Umpi, packages that only some functions need: which they are, and how they are installed."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import requires
from pathlib import Path

EXTRA = re.compile(r"""(?: and )?extra == ["']([^"']+)["']$""")


def needs(what: str, extra: str) -> str:
    """Return that a function needs the packages of an extra, and the command that installs them."""
    return f"{what} needs more Python packages. To install them: {pip_install(*packages(extra))}"


def packages(extra: str, required: Sequence[str] | None = None) -> list[str]:
    """List the packages of an extra, as pip takes them. `required` are the requirements of Umpi, as installed.

    >>> packages("lgpio", ['Pillow>=10', 'lgpio>=0.2.2; python_version < "3.13" and extra == "lgpio"'])
    ['lgpio>=0.2.2; python_version < "3.13"']
    """
    lines = requires("umpi") or () if required is None else required
    found = [(line, mark) for line in lines if (mark := EXTRA.search(line)) and mark[1] == extra]
    return [line[: mark.start()].rstrip("; ") for line, mark in found]


def pip_install(*requirements: str) -> str:
    """Return the command that installs packages for the Python that runs Umpi, with sudo if only root can."""
    sudo = "" if os.access(sys.prefix, os.W_OK) else "sudo "
    return f"{sudo}{shlex.join([str(Path(sys.prefix, 'bin', 'pip')), 'install', *requirements])}"
