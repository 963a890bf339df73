"""What may be skipped in CI, in any tier: each reason that a test gives, and why CI cannot do without it.

At a desk, every test may be skipped whose tools are not there. In CI (the variable CI is set), any other skip is a
failure: `scripts/setup --all` installs what the tests need.
"""

from __future__ import annotations

import os
import sys
from typing import Any

MAY_BE_SKIPPED = {
    "UMPI_HOMEASSISTANT names none": "Home Assistant needs 400 MB of packages, which are older than ours",
    "the emulated Pico needs MicroPython's firmware.bin: name it in UMPI_PICO_FIRMWARE": "it is outside the repository",
    "a small file system can only be mounted by root, where mounting is allowed": "not in every container",
    "this Chromium has no WebGL 2": "a machine without a graphics card may have none",
    "SQLite's functions cannot be reached in this Python": "one that has SQLite built in hides them",
    "there are GPIO chips here": "the machine is a Pi",
    "there is a bus 31 here": "the machine has so many buses",
    "the examples would read the matches of the box that is installed here": "the machine is a box",
}
NEWER = {  # scripts/test sets a newer Python up without the packages of the laboratory
    "no Dask here: pip install distributed": "tested on the other Python",
    "no Parquet here: pip install pyarrow": "tested on the other Python",
    "no build123d here: pip install -e '.[cad]'": "tested on the other Python",
    "no MuJoCo here: pip install -e '.[falls]'": "tested on the other Python",
}


def may_be_skipped(reason: str) -> bool:
    """Return whether CI accepts a skip for this reason."""
    listed = [*MAY_BE_SKIPPED, *(NEWER if sys.version_info >= (3, 13) else ())]
    return reason.removeprefix("Skipped: ").startswith(tuple(listed))


def without_other_skips(report: Any) -> Any:
    """Make a failure of a report that was skipped for a reason that CI does not accept."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2]
        if not may_be_skipped(reason):
            report.outcome = "failed"
            report.longrepr = f"{reason}\nThis may not be skipped in CI; what may is in tests/kit/skips.py."
    return report
