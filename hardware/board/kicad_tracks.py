"""Read the tracks and vias of a KiCad board and print them as JSON. Debian's own Python runs this.

/usr/bin/python3 kicad_tracks.py NAME.kicad_pcb
"""

from __future__ import annotations

import json
import sys

import pcbnew

MM = 1e6


def main() -> None:
    """Print the tracks and the vias of a board, in mm and in the order of their nets and places."""
    found = {"tracks": [], "vias": []}
    for item in pcbnew.LoadBoard(sys.argv[1]).GetTracks():
        if isinstance(item, pcbnew.PCB_VIA):
            found["vias"].append({"net": item.GetNetname(), "at": at(item.GetPosition())})
        else:
            ends = {"start": at(item.GetStart()), "end": at(item.GetEnd())}
            layer = int(item.GetLayer() == pcbnew.B_Cu)
            found["tracks"].append({"net": item.GetNetname(), "layer": layer, **ends, "width": item.GetWidth() / MM})
    print(json.dumps({kind: sorted(items, key=lambda item: list(item.values())) for kind, items in found.items()}))


def at(point) -> list[float]:
    """Return a place in mm."""
    return [point.x / MM, point.y / MM]


if __name__ == "__main__":
    main()
