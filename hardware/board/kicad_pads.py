"""Read footprints from KiCad's library and write their pads, bodies and courtyards as JSON. Debian's Python runs it.

/usr/bin/python3 kicad_pads.py LIBRARY FOOTPRINT ... > footprints.json
"""

from __future__ import annotations

import json
import sys

import pcbnew

MM = 1e6


def box(part, layer) -> list[float]:
    """Return the box around the lines of a footprint on a layer, in mm; empty if it has none."""
    lines = [item for item in part.GraphicalItems() if item.GetLayer() == layer and hasattr(item, "GetStart")]
    ends = [point for line in lines for point in (line.GetStart(), line.GetEnd())]
    xs, ys = [point.x / MM for point in ends], [point.y / MM for point in ends]
    return [min(xs), min(ys), max(xs), max(ys)] if ends else []


def main() -> None:
    """Print the pads of each footprint, the box of its body and the box of its courtyard, in mm."""
    found = {}
    for name in sys.argv[2:]:
        library, footprint = name.split(":")
        part = pcbnew.FootprintLoad(f"{sys.argv[1]}/{library}.pretty", footprint)
        pads = [
            {
                "name": pad.GetNumber(),
                "at": [pad.GetPosition().x / MM, pad.GetPosition().y / MM],
                "size": [pad.GetSize().x / MM, pad.GetSize().y / MM],
                "drill": pad.GetDrillSize().x / MM,
            }
            for pad in part.Pads()
        ]
        lines = [item for item in part.GraphicalItems() if item.GetLayer() == pcbnew.F_CrtYd]
        court = lines[0].GetBoundingBox()
        for line in lines[1:]:
            court.Merge(line.GetBoundingBox())
        found[name] = {
            "pads": pads,
            "body": box(part, pcbnew.F_Fab),
            "courtyard": [court.GetLeft() / MM, court.GetTop() / MM, court.GetRight() / MM, court.GetBottom() / MM],
        }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
