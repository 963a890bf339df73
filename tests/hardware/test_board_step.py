"""The boards as solids: the STEP files have every part at its place, and the boards fit into the case."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from hardware.board.bodies import Body, bodies, holes, thickness
from hardware.board.make import BOARDS
from hardware.board.plan import plan
from hardware.case.boards import carrier, plugged
from hardware.case.numbers import read_case
from hardware.case.parts import parts
from hardware.wiring.model import read_wiring
from tests.kit.case_checks import clashes

pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
from hardware.board import step

pytestmark = pytest.mark.slow  # it needs build123d
WIRING, CASE = read_wiring(), read_case()
OUT = Path(__file__).parents[2] / "hardware" / "board" / "out"
ROOMS = ("plugs of", "low plugs of", "near plugs of")
# Gmsh reads a file in a process of its own: it gives SIGPIPE its default back, and a test after this one would then end
# its whole worker by writing to a program that has ended.
VOLUMES = """
import json, sys, gmsh
gmsh.initialize(interruptible=False)
gmsh.option.setNumber("General.Verbosity", 1)
gmsh.model.occ.importShapes(sys.argv[1])
gmsh.model.occ.synchronize()
name, volume = gmsh.model.getEntityName, gmsh.model.occ.getMass
print(json.dumps({name(3, at).rsplit("/")[-1]: volume(3, at) for _, at in gmsh.model.getEntities(3)}))
gmsh.finalize()
"""


@cache
def made(name: str) -> Path:
    """The STEP file of a board, newly made."""
    return step.save(plan(WIRING, name), Path(mkdtemp()) / f"{name}.step")


@cache
def entities(name: str) -> dict[int, tuple[str, str]]:
    """The kind and the values of each line of a STEP file."""
    text = made(name).read_text(encoding="utf-8").replace("\n", " ")
    assert text.startswith("ISO-10303-21;")
    assert "SI_UNIT(.MILLI.,.METRE.)" in text.replace(" ", "")
    return {int(at): (kind, values) for at, kind, values in re.findall(r"#(\d+) = (\w+)\((.*?)\);", text)}


def solids(name: str) -> dict[str, tuple[list[tuple[float, ...]], list[float]]]:
    """The corners and the diameters of the round faces of each solid, by its name; read as text."""
    lines = entities(name)

    def reached(start: int) -> set[int]:
        found, edge = {start}, [start]
        while edge:
            for each in map(int, re.findall(r"#(\d+)", lines[edge.pop()][1])):
                if each not in found and each in lines:
                    found.add(each)
                    edge.append(each)
        return found

    found: dict[str, Any] = {}
    name_of = ""
    for at, (kind, values) in sorted(lines.items()):
        name_of = values.split("'")[1] if kind == "PRODUCT" else name_of
        if kind == "MANIFOLD_SOLID_BREP":
            own = reached(at)
            corners = [
                int(re.findall(r"#(\d+)", lines[each][1])[0]) for each in own if lines[each][0] == "VERTEX_POINT"
            ]
            numbers = [tuple(map(float, re.search(r"\((.*)\)", lines[each][1])[1].split(","))) for each in corners]  # type: ignore[index]
            round_faces = [
                2 * float(lines[each][1].split(",")[-1]) for each in own if lines[each][0] == "CYLINDRICAL_SURFACE"
            ]
            found[name_of] = numbers, round_faces
    return found


def near(body: Body) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(value, 3) for value in corner) for corner in (body.low, body.high))


@pytest.mark.parametrize("name", BOARDS)
def test_the_step_file_has_the_board_and_each_part_at_its_place(name: str) -> None:
    board, found = plan(WIRING, name), solids(name)
    corners, drilled = found.pop("board")
    assert [min(axis) for axis in zip(*corners, strict=True)] == pytest.approx([0, 0, 0])
    assert [max(axis) for axis in zip(*corners, strict=True)] == pytest.approx([*board.size, thickness()])
    assert sorted(drilled) == pytest.approx(sorted(size for *_, size in holes(board)))
    boxes = {ref: near(Body(ref, "", tuple(map(min, zip(*at, strict=True))), tuple(map(max, zip(*at, strict=True)))))  # type: ignore[arg-type]
             for ref, (at, _) in found.items()}  # fmt: skip
    assert boxes == {body.ref: near(body) for body in bodies(board)}
    assert set(boxes) >= {part.ref for part in board.parts if not part.ref.startswith(("H", "TP", "FID"))}


@pytest.mark.parametrize("name", BOARDS)
def test_the_holes_are_those_of_the_drill_files(name: str) -> None:
    """Without the vias, which are the tool of 0.3 mm."""
    found = []
    for kind in ("PTH", "NPTH"):
        text = (OUT / name / "gerber" / f"{name}-{kind}.drl").read_text(encoding="utf-8")
        tools = {tool: float(size) for tool, size in re.findall(r"^T(\d+)C([\d.]+)$", text, re.M)}
        for tool, drilled in re.findall(r"^T(\d+)\n((?:X.*\n)+)", text, re.M):
            found += [(float(x), float(y), tools[tool]) for x, y in re.findall(r"X([-\d.]+)Y([-\d.]+)", drilled)]
    made = plan(WIRING, name)
    wanted = sorted((x, y, size) for x, y, size in holes(made))
    legs = sorted((x, y + made.size[1], size) for x, y, size in found if size > made.rules["via"][1])
    assert len(legs) == len(wanted)
    assert all(each == pytest.approx(other, abs=0.02) for each, other in zip(legs, wanted, strict=True))


@pytest.mark.parametrize("name", BOARDS)
def test_another_program_reads_the_solids(name: str) -> None:
    """Gmsh: the volume of the board is its outline without its holes, that of each part is its box."""
    pytest.importorskip("gmsh")
    board = plan(WIRING, name)
    read = subprocess.run([sys.executable, "-c", VOLUMES, str(made(name))], capture_output=True, text=True, check=True)
    found = json.loads(read.stdout)
    drilled = sum(math.pi / 4 * size**2 for *_, size in holes(board))
    assert found.pop("board") == pytest.approx((board.size[0] * board.size[1] - drilled) * thickness())
    assert found == {
        body.ref: pytest.approx(math.prod(high - low for low, high in zip(body.low, body.high, strict=True)))
        for body in bodies(board)
    }


@pytest.mark.parametrize("board", list(CASE.pi.boards))
def test_the_hat_fits_into_the_case_part_by_part(board: str) -> None:
    """With the plugs in, in place of the rooms that are kept free for any board."""
    oled = CASE.oleds["2.42"]
    found = [part for part in parts(CASE, oled, CASE.pi.boards[board], carrier=True)
             if part.name != "carrier" and not part.name.startswith(ROOMS)]  # fmt: skip
    own = [plugged(part, kind) for part, kind in carrier(CASE)]
    assert clashes(CASE, found + own) == []
    assert clashes(CASE, [*found, *own, own[1]]) != [], "a part that is there twice"


def test_the_printed_side_of_the_usb_plug_is_the_side_of_the_plug() -> None:
    made = plan(WIRING, "gate")
    usb, pico = (next(body for body in bodies(made) if body.kind == kind) for kind in ("usb", "pico"))
    assert usb.low[0] < pico.low[0] < made.size[0] / 2, "at the left"
    ends = [body.high[0] for body in (usb, pico)]
    assert all(a < b for a, b in pairwise(ends))
    assert any("USB" in words for words in made.words)
