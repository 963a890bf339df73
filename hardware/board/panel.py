"""A panel of a small board: copies side by side, cut apart by a V, between two rails with fiducials.

The copies are those of the Gerber and drill files of the single board, moved. The factory gets one file,
NAME-panel-factory.zip, and the places of the parts of all copies.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardware.board.factory import HEAD, UNDATED, assembly_csv
from hardware.board.plan import BadBoard, Plan, Point, source

UM = 1_000_000  # Gerber's steps in a mm (FSLAX46Y46)
DRAWN = re.compile(r"X(-?\d+)Y(-?\d+)(.*)")
DRILLED = re.compile(r"X(-?[\d.]+)Y(-?[\d.]+)")
BODY = "G04 APERTURE END LIST*\n"
MARK_MM, BARE_MM, CUT_MM = 1.0, 2.0, 0.1  # a fiducial, the copper around it without mask, and a drawn line
MARK_CODE = 999  # of its aperture
MARKED = {"F_Cu": MARK_MM, "F_Mask": BARE_MM}  # the layers with fiducials


@dataclass(frozen=True, slots=True)
class Panel:
    """Copies of a board: `across` beside each other, `down` below each other, rails above and below."""

    size: Point  # of one board
    across: int
    down: int
    rail_mm: float

    @property
    def outside(self) -> Point:
        """Return the size of the whole panel."""
        return self.size[0] * self.across, self.size[1] * self.down + 2 * self.rail_mm

    def places(self) -> Iterator[Point]:
        """Yield the upper left corner of each copy, from that of the first, y downwards."""
        for row in range(self.down):
            for column in range(self.across):
                yield column * self.size[0], row * self.size[1]

    def marks(self) -> list[Point]:
        """Return the places of the fiducials: three, so that a machine finds a panel that lies the wrong way round."""
        left, right = 5.0, self.outside[0] - 5
        upper, lower = -self.rail_mm / 2, self.size[1] * self.down + self.rail_mm / 2
        return [(left, upper), (right, upper), (left, lower)]

    def cuts(self) -> Iterator[tuple[Point, Point]]:
        """Yield the lines of the V, each across the whole panel."""
        (width, _), high = self.outside, self.size[1] * self.down
        for row in range(self.down + 1):
            yield (0, row * self.size[1]), (width, row * self.size[1])
        for column in range(1, self.across):
            at = column * self.size[0]
            yield (at, -self.rail_mm), (at, high + self.rail_mm)


def panel(plan: Plan) -> Panel | None:
    """Return the panel of a board, None if it has none. Raises BadBoard for a panel without copies or rails."""
    given = source()["board"][plan.name].get("panel")
    if given is None:
        return None
    made = Panel(plan.size, given["across"], given["down"], given["rail_mm"])
    if min(made.across, made.down) < 1 or made.rail_mm < 2 * BARE_MM:
        raise BadBoard(f"board.toml: [board.{plan.name}] panel: at least one copy, and rails of {2 * BARE_MM:g} mm.")
    return made


def gerber(text: str, layer: str, made: Panel) -> str:
    """Return a Gerber file of the panel from that of a single board."""
    head, body = text.split(BODY)
    body = body.removesuffix("M02*\n")
    if layer == "Edge_Cuts":
        (width, _), high = made.outside, made.size[1] * made.down
        upper, lower = -made.rail_mm, high + made.rail_mm
        corners = [(0.0, upper), (width, upper), (width, lower), (0.0, lower), (0.0, upper)]
        return f"{head}{BODY}D10*\n{_line(corners)}M02*\n"
    copies = []
    for x, y in made.places():
        copies.append("%LPD*%\nG01*\n")
        for line in body.splitlines():
            copies.append(f"{_moved(line, x, y)}\n")
    marks = ""
    if size := MARKED.get(layer):
        head += f"%ADD{MARK_CODE}C,{size:.6f}*%\n"
        flashes = "".join(f"X{round(x * UM)}Y{round(-y * UM)}D03*\n" for x, y in made.marks())
        marks = f"%LPD*%\nD{MARK_CODE}*\n{flashes}"
    return f"{head}{BODY}{''.join(copies)}{marks}M02*\n"


def cuts(dated: str, made: Panel) -> str:
    """Return the Gerber file of the lines of the V."""
    lines = "".join(_line(list(cut)) for cut in made.cuts())
    return (
        f"%TF.CreationDate,{dated}T00:00:00+00:00*%\n%TF.FileFunction,Vcut*%\n%FSLAX46Y46*%\n%MOMM*%\n%LPD*%\nG01*\n"
        f"%ADD10C,{CUT_MM:.6f}*%\n{BODY}D10*\n{lines}M02*\n"
    )


def drill(text: str, made: Panel) -> str:
    """Return a drill file of the panel from that of a single board."""
    found: list[str] = []
    for line in text.splitlines():
        if hole := DRILLED.fullmatch(line):
            x, y = float(hole[1]), float(hole[2])
            found += [f"X{round(x + dx, 4)}Y{round(y - dy, 4)}" for dx, dy in made.places()]
        else:
            found.append(line)
    return "\n".join(found) + "\n"


def assembly(plan: Plan, made: Panel) -> str:
    """Return the places of the parts of all copies; a designator has the number of its copy at its end."""
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(HEAD)
    rows = list(csv.DictReader(io.StringIO(assembly_csv(plan))))
    for number, (dx, dy) in enumerate(made.places(), 1):
        for row in rows:
            x, y = float(row["Mid X"]) + dx, float(row["Mid Y"]) - dy
            moved = {"Designator": f"{row['Designator']}-{number}", "Mid X": f"{x:.4f}", "Mid Y": f"{y:.4f}"}
            table.writerow(list((row | moved).values()))
    return page.getvalue()


def files(name: str, single: Path, dated: str, made: Panel) -> dict[str, str]:
    """Return the files of the panel by name, from the folder with those of a single board."""
    found = {f"{name}-panel-V_Cut.gbr": cuts(dated, made)}
    for file in sorted(single.iterdir()):
        text, layer = file.read_text(encoding="utf-8"), file.stem.partition("-")[2]
        if file.suffix == ".gbr":
            found[f"{name}-panel-{layer}.gbr"] = gerber(text, layer, made)
        elif file.suffix == ".drl":
            found[f"{name}-panel-{layer}.drl"] = drill(text, made)
    return found


def save(plan: Plan, folder: Path, dated: str) -> None:
    """Write the file to upload and the places of the parts of the panel of a board into `folder`, if it has one."""
    if (made := panel(plan)) is None:
        return
    with zipfile.ZipFile(folder / f"{plan.name}-panel-factory.zip", "w") as packed:
        for name, text in sorted(files(plan.name, folder / "gerber", dated, made).items()):
            entry = zipfile.ZipInfo(name, UNDATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text)
    (folder / "assembly-panel.csv").write_text(assembly(plan, made), encoding="utf-8")


def _moved(line: str, x: float, y: float) -> str:
    if not (found := DRAWN.match(line)):
        return line
    return f"X{int(found[1]) + round(x * UM)}Y{int(found[2]) - round(y * UM)}{found[3]}"


def _line(points: list[Point]) -> str:
    (x, y), *others = points
    drawn = [f"X{round(x * UM)}Y{round(-y * UM)}D02*", *(f"X{round(a * UM)}Y{round(-b * UM)}D01*" for a, b in others)]
    return "\n".join(drawn) + "\n"
