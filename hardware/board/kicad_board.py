"""Make a KiCad board from a plan in JSON, check it, and write what a factory needs. Debian's own Python runs this.

  /usr/bin/python3 kicad_board.py PLAN.json LIBRARY FOLDER check|all

It writes NAME.kicad_pcb and the report of KiCad's design rule check, drc.txt; with `all` also Gerber files, drill
files and positions. Only this file and kicad_pads.py import pcbnew.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pcbnew

MM = 1e6
REF_MM, STROKE_MM = 0.8, 0.15  # least height and stroke of print that every factory can make
TOP, LOW = pcbnew.F_Cu, pcbnew.B_Cu
GERBERS = (
    ("F_Cu", pcbnew.F_Cu), ("B_Cu", pcbnew.B_Cu), ("F_Mask", pcbnew.F_Mask), ("B_Mask", pcbnew.B_Mask),
    ("F_Silkscreen", pcbnew.F_SilkS), ("B_Silkscreen", pcbnew.B_SilkS), ("F_Paste", pcbnew.F_Paste),
    ("Edge_Cuts", pcbnew.Edge_Cuts),
)  # fmt: skip


def point(at):
    """Return a place in KiCad's units."""
    return pcbnew.wxPoint(round(at[0] * MM), round(at[1] * MM))


def make(plan, library):
    """Return the board of a plan."""
    board = pcbnew.BOARD()
    rules = plan["rules"]
    settings = board.GetDesignSettings()
    settings.m_MinClearance = settings.m_CopperEdgeClearance = round(rules["clearance"] * MM)
    settings.m_TrackMinWidth = round(0.2 * MM)
    settings.m_ViasMinSize = round(rules["via"][0] * MM)
    settings.m_MinThroughDrill = round(rules["via"][1] * MM)
    block = board.GetTitleBlock()
    block.SetTitle(plan["title"])
    block.SetRevision(plan["revision"])
    block.SetDate(plan["dated"])
    nets = {}
    for name in plan["nets"]:
        nets[name] = pcbnew.NETINFO_ITEM(board, name)
        board.Add(nets[name])
    for part in plan["parts"]:
        _place(board, part, library, nets)
    for x1, y1, x2, y2 in _edges(*plan["size"]):
        line = pcbnew.PCB_SHAPE(board)
        line.SetShape(pcbnew.SHAPE_T_SEGMENT)
        line.SetStart(point((x1, y1)))
        line.SetEnd(point((x2, y2)))
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetWidth(round(0.1 * MM))
        board.Add(line)
    for track in plan["tracks"]:
        item = pcbnew.PCB_TRACK(board)
        item.SetStart(point(track["start"]))
        item.SetEnd(point(track["end"]))
        item.SetWidth(round(track["width"] * MM))
        item.SetLayer((TOP, LOW)[track["layer"]])
        item.SetNet(nets[track["net"]])
        board.Add(item)
    for via in plan["vias"]:
        item = pcbnew.PCB_VIA(board)
        item.SetPosition(point(via["at"]))
        item.SetWidth(round(rules["via"][0] * MM))
        item.SetDrill(round(rules["via"][1] * MM))
        item.SetNet(nets[via["net"]])
        board.Add(item)
    for layer in (TOP, LOW):
        _pour(board, layer, plan["size"], nets["GND"], rules)
    for words in plan["words"]:
        _write(board, words)
    return board


def _place(board, part, library, nets):
    name, footprint = part["footprint"].split(":")
    item = pcbnew.FootprintLoad(f"{library}/{name}.pretty", footprint)
    item.SetReference(part["ref"])
    item.SetValue(part["value"])
    item.SetPosition(point(part["at"]))
    board.Add(item)
    if part["below"]:
        item.Flip(item.GetPosition(), True)
    item.SetOrientationDegrees(part["turn"] + (180 if part["below"] else 0))
    item.Value().SetVisible(False)
    text = item.Reference()
    text.SetTextSize(pcbnew.wxSize(round(REF_MM * MM), round(REF_MM * MM)))
    text.SetTextThickness(round(STROKE_MM * MM))
    text.SetKeepUpright(True)
    if part["ref_at"]:
        text.SetPosition(point(part["ref_at"]))
    text.SetVisible(part["shown"])
    for pad in item.Pads():
        net = part["nets"].get(pad.GetNumber(), "")
        if net:
            pad.SetNet(nets[net])


def _edges(width, height):
    corners = [(0, 0), (width, 0), (width, height), (0, height), (0, 0)]
    return [(*a, *b) for a, b in pairwise(corners)]


def _pour(board, layer, size, net, rules):
    zone = pcbnew.ZONE(board)
    zone.SetLayer(layer)
    zone.SetNet(net)
    outline = zone.Outline()
    outline.NewOutline()
    for x, y in ((0.4, 0.4), (size[0] - 0.4, 0.4), (size[0] - 0.4, size[1] - 0.4), (0.4, size[1] - 0.4)):
        outline.Append(round(x * MM), round(y * MM))
    zone.SetLocalClearance(round(rules["clearance"] * MM))
    zone.SetMinThickness(round(0.2 * MM))
    zone.SetThermalReliefGap(round(0.25 * MM))
    zone.SetThermalReliefSpokeWidth(round(0.35 * MM))
    board.Add(zone)


def _write(board, words):
    item = pcbnew.PCB_TEXT(board)
    item.SetText(words["text"])
    item.SetPosition(point(words["at"]))
    item.SetLayer(pcbnew.B_SilkS if words["below"] else pcbnew.F_SilkS)
    item.SetMirrored(words["below"])
    item.SetTextAngle(words["turn"] * 10)
    item.SetTextSize(pcbnew.wxSize(round(words["size"] * MM), round(words["size"] * MM)))
    item.SetTextThickness(round(max(words["size"] * 0.15, STROKE_MM) * MM))
    board.Add(item)


def gerbers(board, folder):
    """Write Gerber and drill files."""
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetPlotFrameRef(False)
    options.SetUseGerberX2format(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetIncludeGerberNetlistInfo(False)
    for name, layer in GERBERS:
        control.SetLayer(layer)
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    job = pcbnew.GERBER_JOBFILE_WRITER(board)
    name = Path(board.GetFileName()).stem
    for layer, number in GERBERS:
        job.AddGbrFile(number, f"{name}-{layer}.gbr")
    job.CreateJobFile(str(folder / f"{name}-job.gbrjob"))
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def date(folder, dated):
    """Give Gerber and drill files the date of the board's revision: the same board, the same files."""
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'(CreationDate(?:,|": *"))[^*"\n]*', rf"\g<1>{dated}T00:00:00+00:00", text)
        path.write_text(re.sub(r"(\bdate )[^*\n]*", rf"\g<1>{dated}", text), encoding="utf-8")


def positions(board, path):
    """Write the place of each part that a machine may place."""
    lines = ["Ref,Val,Package,PosX,PosY,Rot,Side"]
    for item in sorted(board.GetFootprints(), key=lambda item: item.GetReference()):
        if item.GetReference().startswith(("H", "TP", "FID")):
            continue
        at, package = item.GetPosition(), str(item.GetFPID().GetLibItemName())
        side = "bottom" if item.IsFlipped() else "top"
        place = f"{at.x / MM:.4f},{-at.y / MM:.4f},{item.GetOrientationDegrees():.0f}"
        lines.append(f'{item.GetReference()},"{item.GetValue()}","{package}",{place},{side}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    """Make a board."""
    source, library, folder, how = sys.argv[1:]
    plan = json.loads(Path(source).read_text(encoding="utf-8"))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pcbnew.KIID.SeedGenerator(
        1
    )  # KiCad writes and fills in the order of its identifiers: the same board, the same files
    board = make(plan, library)
    path = folder / f"{plan['name']}.kicad_pcb"
    pcbnew.SaveBoard(str(path), board)
    board = pcbnew.LoadBoard(str(path))  # planes can only be filled on a board that was read
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)
    pcbnew.WriteDRCReport(board, str(folder / "drc.txt"), pcbnew.EDA_UNITS_MILLIMETRES, True)
    if how == "all":
        gerbers(board, folder / "gerber")
        date(folder / "gerber", plan["dated"])
        positions(board, folder / "positions.csv")


if __name__ == "__main__":
    main()
