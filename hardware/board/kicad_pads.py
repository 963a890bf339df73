"""Read footprints from KiCad's library and write their pads and courtyards as JSON. Debian's own Python runs this.

/usr/bin/python3 kicad_pads.py LIBRARY FOOTPRINT ... > footprints.json
"""

from __future__ import annotations

import json
import sys

import pcbnew

MM = 1e6


def main() -> None:
    """Print the pads of each footprint, and the box of its courtyard, in mm."""
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
        box = lines[0].GetBoundingBox()
        for line in lines[1:]:
            box.Merge(line.GetBoundingBox())
        found[name] = {
            "pads": pads,
            "courtyard": [box.GetLeft() / MM, box.GetTop() / MM, box.GetRight() / MM, box.GetBottom() / MM],
        }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
