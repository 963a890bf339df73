"""What a factory needs beside the Gerber files: places of parts as its machines turn them, and one file to upload.

KiCad and a factory start to count a part's turn in different positions. [turn] of board.toml has the differences.
"""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardware.board.plan import Placed, Plan, source

HEAD = ("Designator", "Comment", "Mid X", "Mid Y", "Layer", "Rotation")
UNDATED = (1980, 1, 1, 0, 0, 0)  # of files in a zip: the same board, the same file


def by_machine(plan: Plan) -> Iterator[Placed]:
    """Yield the parts that a machine places: those whose pads have no holes, without test points and marks."""
    for part in plan.parts:
        if not part.ref.startswith(("TP", "FID", "H")) and not any(pad.drill for pad in part.pads):
            yield part


def assembly_csv(plan: Plan) -> str:
    """Return the places of these parts as CSV: x to the right and y upwards from the upper left corner, in mm."""
    turns = source()["turn"]
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(HEAD)
    for part in sorted(by_machine(plan), key=lambda part: part.ref):
        (x, y), turn = part.at, (part.turn + turns[package(part)]) % 360
        table.writerow([part.ref, part.value, f"{x:.4f}", f"{-y:.4f}", "top", f"{turn:.0f}"])
    return page.getvalue()


def package(part: Placed) -> str:
    """Return the package of a part, as [turn] names it.

    >>> from hardware.board.plan import plan
    >>> from hardware.wiring.model import read_wiring
    >>> [package(part) for part in plan(read_wiring(), "hat").parts if part.ref in ("R1", "D1", "U1")]
    ['R_0805', 'D_SOD-123', 'SOIC-18W']
    """
    names = part.footprint.split(":")[1].split("_")
    return "_".join(names[:2]) if len(names[0]) == 1 else names[0]


def upload(folder: Path, name: str) -> Path:
    """Pack the Gerber and drill files of a board into NAME-factory.zip; return its path."""
    path = folder / f"{name}-factory.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted((folder / "gerber").iterdir()):
            entry = zipfile.ZipInfo(file.name, UNDATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())
    return path


def save(plan: Plan, folder: Path) -> None:
    """Write the places of parts, and the file to upload, beside the Gerber files in `folder`."""
    (folder / "assembly.csv").write_text(assembly_csv(plan), encoding="utf-8")
    upload(folder, plan.name)


def vias_in_pads(plan: Plan, routed: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield each via whose hole is in a pad of the upper side: molten solder runs into it, away from the part."""
    for via in routed["vias"]:
        for part, pad in plan.pads():
            (x, y), (w, h) = pad.at, pad.size
            aside = max(abs(via["at"][0] - x) - w / 2, 0), max(abs(via["at"][1] - y) - h / 2, 0)
            if not pad.drill and math.hypot(*aside) < plan.rules["via"][1] / 2:
                yield f"via in a pad: {part.ref}.{pad.name} [{via['net']}]"
