"""The panel of the beam board: each copy has the copper and holes of the single board, at its place, between rails."""

from __future__ import annotations

import csv
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from hardware.board.factory import assembly_csv
from hardware.board.panel import Panel, assembly, files, panel
from hardware.board.plan import BadBoard, plan, source
from hardware.drawing.revisions import REVISIONS
from hardware.wiring.model import read_wiring

OUT = Path(__file__).parents[2] / "hardware" / "board" / "out" / "beam"
BEAM = plan(read_wiring(), "beam")
MADE = Panel((29.0, 40.0), 3, 2, 5.0)
FILES = files("beam", OUT / "gerber", REVISIONS["B"].date, MADE)


def objects(text: str) -> Counter[tuple[int, int, str]]:
    """Return what a Gerber file draws: the place and the operation of each line, in µm."""
    found = re.findall(r"^X(-?\d+)Y(-?\d+).*(D0[123])\*$", text, re.M)
    return Counter((round(int(x) / 1000), round(int(y) / 1000), how) for x, y, how in found)


def holes(text: str) -> Counter[tuple[int, int]]:
    return Counter(
        (round(float(x) * 1000), round(float(y) * 1000)) for x, y in re.findall(r"^X([-\d.]+)Y([-\d.]+)$", text, re.M)
    )


def test_the_kept_files_are_of_today() -> None:
    assert panel(BEAM) == MADE
    with zipfile.ZipFile(OUT / "beam-panel-factory.zip") as packed:
        assert {name: packed.read(name).decode() for name in packed.namelist()} == FILES
    assert (OUT / "assembly-panel.csv").read_text(encoding="utf-8") == assembly(BEAM, MADE)


@pytest.mark.parametrize("layer", ["F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Paste", "F_Silkscreen", "B_Silkscreen"])
def test_each_copy_draws_what_the_single_board_draws(layer: str) -> None:
    single = objects((OUT / "gerber" / f"beam-{layer}.gbr").read_text(encoding="utf-8"))
    wanted: Counter[tuple[int, int, str]] = Counter()
    for column in range(3):
        for row in range(2):
            wanted.update({(x + 29_000 * column, y - 40_000 * row, how): n for (x, y, how), n in single.items()})
    if layer in ("F_Cu", "F_Mask"):
        wanted.update([(5000, 2500, "D03"), (82_000, 2500, "D03"), (5000, -82_500, "D03")])
    assert objects(FILES[f"beam-panel-{layer}.gbr"]) == wanted


@pytest.mark.parametrize("kind", ["PTH", "NPTH"])
def test_each_copy_has_the_holes_of_the_single_board(kind: str) -> None:
    single = holes((OUT / "gerber" / f"beam-{kind}.drl").read_text(encoding="utf-8"))
    wanted: Counter[tuple[int, int]] = Counter()
    for column in range(3):
        for row in range(2):
            wanted.update({(x + 29_000 * column, y - 40_000 * row): n for (x, y), n in single.items()})
    assert holes(FILES[f"beam-panel-{kind}.drl"]) == wanted


def test_the_outline_has_the_rails_and_the_v_cuts_every_edge_of_a_board_from_side_to_side() -> None:
    corners = {(x, y) for x, y, _ in objects(FILES["beam-panel-Edge_Cuts.gbr"])}
    assert corners == {(0, 5000), (87_000, 5000), (87_000, -85_000), (0, -85_000)}
    lines = FILES["beam-panel-V_Cut.gbr"]
    ends = [(int(x) / 1e6, int(y) / 1e6) for x, y in re.findall(r"X(-?\d+)Y(-?\d+)D0[12]\*", lines)]
    cut = set(zip(ends[::2], ends[1::2], strict=True))
    across = {((0.0, -y), (87.0, -y)) for y in (0.0, 40.0, 80.0)}
    assert cut == across | {((x, 5.0), (x, -85.0)) for x in (29.0, 58.0)}


def test_no_copper_is_nearer_to_a_v_than_four_tenths() -> None:
    """The least that factories name for a V: 0.4 mm. Pads of the single board, and its planes."""
    for part, pad in BEAM.pads():
        (x, y), (w, h) = pad.at, pad.size
        assert min(x - w / 2, y - h / 2, 29 - x - w / 2, 40 - y - h / 2) >= 0.4, (part.ref, pad.name)


def test_each_part_of_each_copy_has_its_place() -> None:
    single = list(csv.DictReader(assembly_csv(BEAM).splitlines()))
    rows = list(csv.DictReader(assembly(BEAM, MADE).splitlines()))
    assert len(rows) == 6 * len(single)
    assert len({row["Designator"] for row in rows}) == len(rows)
    last = {row["Designator"]: row for row in rows}[f"{single[0]['Designator']}-6"]
    assert float(last["Mid X"]) == float(single[0]["Mid X"]) + 58
    assert float(last["Mid Y"]) == float(single[0]["Mid Y"]) - 40


def test_a_large_board_has_none_and_a_panel_without_rails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert panel(plan(read_wiring(), "hat")) is None
    monkeypatch.setitem(source()["board"]["beam"], "panel", {"across": 3, "down": 2, "rail_mm": 1.0})
    with pytest.raises(BadBoard, match="rails of 4 mm"):
        panel(BEAM)
