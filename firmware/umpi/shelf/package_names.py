"""The names of packages, as registries and people write them."""

from __future__ import annotations

import re


def canonical(name: str) -> str:
    """Return the name of a package as registries write it.

    >>> canonical("Umpi_Tea.break")
    'umpi-tea-break'
    """
    return re.sub("[-_.]+", "-", name).lower()


def id_of_expansion(name: str) -> str:
    """Return what people call an expansion: the name of its package, as `umpi new-game` was given it.

    >>> id_of_expansion("umpi-tea-break")
    'tea-break'
    """
    return canonical(name).removeprefix("umpi-")
