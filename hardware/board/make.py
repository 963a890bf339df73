"""Make the printed circuit boards: put plan and tracks together, check them with KiCad, write what a factory needs.

The tracks are kept in tracks-NAME.json. Somebody draws them in KiCad, and `keep` reads them from there.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardware.board import beam, factory, files, nails, panel, schematic
from hardware.board.plan import BUILD, HERE, Placed, Plan, plan, source
from hardware.drawing.revisions import REVISIONS
from hardware.wiring.model import Wiring, read_wiring
from hardware.wiring.netlist import standard

LIBRARY = Path("/usr/share/kicad/footprints")
PYTHON = "/usr/bin/python3"  # Debian's, which has pcbnew
BOARDS = ("hat", "gate", "beam")
KEPT = HERE  # where the tracks are
LETTER_MM = 0.85
LEAST_MM = 0.8  # height of print
FIRST_LEG_MM, CONTACT_MM = 1.3, 1.1  # from the middle of a leg to its mark
REF_MM = {"R": 1.28, "C": 1.28, "D": 1.45, "Q": 2.2}  # from the middle of a part to its designator
Routed = dict[str, list[dict[str, Any]]]


class NoKiCad(RuntimeError):
    """Raised if KiCad is not installed; it says how to install it."""


def kicad() -> None:
    """Check that KiCad is installed. Raises NoKiCad."""
    words = "sudo apt install --no-install-recommends kicad kicad-footprints"
    if not LIBRARY.exists() or subprocess.run([PYTHON, "-c", "import pcbnew"], capture_output=True).returncode:
        raise NoKiCad(f"the boards need KiCad: {words}")


def tracks_of(name: str) -> Routed:
    """Return the kept tracks and vias of a board."""
    return dict(json.loads((KEPT / f"tracks-{name}.json").read_text(encoding="utf-8")))


class NotRouted(RuntimeError):
    """Raised if the tracks of a board do not fit its nets; it names the nets and what to do."""


def keep(file: Path) -> Path:
    """Read the tracks of a board from NAME.kicad_pcb, and keep them in tracks-NAME.json, one on a line."""
    kicad()
    command = [PYTHON, str(HERE / "kicad_tracks.py"), str(file)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)
    tracks, vias = (",\n".join(map(json.dumps, found[kind])) for kind in ("tracks", "vias"))
    path = KEPT / f"tracks-{file.stem}.json"
    path.write_text(f'{{"tracks": [\n{tracks}\n], "vias": [\n{vias}\n]}}\n', encoding="utf-8")
    return path


def errors(report: Path) -> dict[str, list[str]]:
    """Return the errors of KiCad's report, each with its places, by kind of fault."""
    found: dict[str, list[str]] = {}
    for kind, words in re.findall(r"^\[(\w+)\]: (.*(?:\n    .*)*)", report.read_text(encoding="utf-8"), re.M):
        if "Severity: error" in words:
            found.setdefault(kind, []).append(words)
    return found


def fitting(made: Plan, routed: Routed, folder: Path) -> None:
    """Check that tracks fit a board, and make its files in `folder`. Raises NoKiCad and NotRouted."""
    again = (
        f"Draw them in {folder / made.name}.kicad_pcb with KiCad, then: "
        f"./scripts/dev hardware --tracks {folder / made.name}.kicad_pcb"
    )
    nets = {pad.net for _, pad in made.pads()}
    kept = {kind: [each for each in routed[kind] if each["net"] in nets] for kind in ("tracks", "vias")}
    found = errors(check(kicad_input(made, kept), folder, "all"))
    unjoined = set(re.findall(r"\[([^]]+)\]", " ".join(found.pop("unconnected_items", []))))
    gone = {each["net"] for items in routed.values() for each in items} - nets
    words = [f"not joined: {', '.join(sorted(unjoined))}"] if unjoined else []
    words += [f"tracks of no net: {', '.join(sorted(gone))}"] if gone else []
    words += factory.vias_in_pads(made, kept)
    words += [f"{kind}: {place}" for kind, places in found.items() for place in places]
    if words:
        raise NotRouted("\n".join([f"{made.name}: the tracks do not fit. {again}", *words]))


def kicad_input(made: Plan, routed: Routed) -> dict[str, Any]:
    """Return a board as kicad_board.py reads it."""
    return {
        "name": made.name, "title": made.title, "revision": REVISIONS["B"].name,
        "dated": REVISIONS["B"].date, "size": made.size, "rules": dict(made.rules), **routed,
        "nets": sorted({pad.net for _, pad in made.pads() if pad.net} | {"GND"}),
        "parts": [
            {
                "ref": part.ref, "value": part.value, "footprint": part.footprint, "at": part.at, "turn": part.turn,
                "below": part.below, "nets": {pad.name: pad.net for pad in part.pads if pad.net},
                "ref_at": _named(made).get(part.ref) or _beside(part),
                "shown": not part.ref.startswith(("J", "H", "TP", "FID")),
            }
            for part in made.parts
        ],
        "words": [*source()["board"][made.name]["words"], *_labels(made), *_first_legs(made), *_contacts(made)],
    }  # fmt: skip


def _named(made: Plan) -> dict[str, tuple[float, float]]:
    """Return the places of the names that board.toml gives."""
    given: dict[str, list[float]] = source()["board"][made.name].get("print", {})
    return {ref: (x, y) for ref, (x, y) in given.items()}


def _beside(part: Placed) -> tuple[float, float] | None:
    """Return the place of a designator beside a part with two or three pads."""
    if len(part.pads) > 3:
        return None
    (x, y), aside = part.at, REF_MM.get(part.ref[0], 1.28)
    return (x - aside, y) if part.turn % 180 == 90 else (x, y - aside)


def _labels(made: Plan) -> Iterator[dict[str, Any]]:
    """Yield the name of each plug, beside it towards the middle of the board, and of each test point below it."""
    for part in made.parts:
        left, top, right, low = part.courtyard
        if part.ref.startswith("TP"):
            at = _named(made).get(part.ref, (part.at[0], part.at[1] + 1.5))
            yield {"text": part.value, "at": at, "turn": 0, "size": 0.8, "below": False}
        elif part.ref.startswith("J") and "XH" in part.footprint:
            x, y = (left + right) / 2, (top + low) / 2
            upright = low - top > right - left
            if upright:
                x = right + 0.4 if x < made.size[0] / 2 else left - 0.4
            else:
                y = low + 0.4 if y < made.size[1] / 2 else top - 0.4
            words = f"{part.ref} {part.value}"
            if len(words) * LETTER_MM > max(right - left, low - top):
                words = " ".join(words.split()[:2])
            x, y = _named(made).get(part.ref, (x, y))
            yield {"text": words, "at": (x, y), "turn": 90 if upright else 0, "size": 0.9, "below": False}


def _first_legs(made: Plan) -> Iterator[dict[str, Any]]:
    """Yield a 1 beside the first leg of each integrated circuit, beyond the end of its row."""
    for part in made.parts:
        if part.ref.startswith("U"):
            (x, y), (next_x, next_y) = (pad.at for pad in part.pads[:2])
            far = FIRST_LEG_MM / math.dist((x, y), (next_x, next_y))
            at = (x + (x - next_x) * far, y + (y - next_y) * far)
            yield {"text": "1", "at": at, "turn": 0, "size": LEAST_MM, "below": False}


def _contacts(made: Plan) -> Iterator[dict[str, Any]]:
    """Yield the name of each contact of each plug, on the lower side beside its leg, towards the middle."""
    names = {plug.ref: plug.labels for plug in standard(BUILD).plugs} | beam.LABELS
    for part in made.parts:
        left, top, right, low = part.courtyard
        upright = low - top > right - left
        for pad, label in zip(part.pads, names.get(part.ref, ()), strict=False):
            words = label.replace(" V", "V").replace("active ", "")
            away = CONTACT_MM + len(words) * LEAST_MM * 0.45
            x, y = pad.at
            if upright:
                at = (x + (away if x < made.size[0] / 2 else -away), y)
            else:
                at = (x, y + (away if y < made.size[1] / 2 else -away))
            yield {"text": words, "at": at, "turn": 0 if upright else 90, "size": LEAST_MM, "below": True}


def check(board: dict[str, Any], folder: Path, how: str = "check") -> Path:
    """Make the files of a board in `folder` with KiCad. Returns the path of the report. Raises NoKiCad."""
    kicad()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    command = [PYTHON, str(HERE / "kicad_board.py"), str(path), str(LIBRARY), str(folder), how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    path.unlink()
    (folder / f"{board['name']}.kicad_prl").unlink(missing_ok=True)  # settings of a window
    if done.returncode:
        raise RuntimeError(f"KiCad: {done.stderr.strip()[-2000:]}")
    report = folder / "drc.txt"
    kept = [
        line for line in report.read_text(encoding="utf-8").splitlines() if not line.startswith(("** Drc", "** Cre"))
    ]
    report.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return report


def interactive(path: Path) -> None:
    """Write the interactive parts list of a KiCad file beside it, if InteractiveHtmlBom is installed."""
    library = Path(sys.prefix) / "ibom"
    if not (library.exists() and shutil.which("xvfb-run")):
        return
    command = ["xvfb-run", "-a", PYTHON, "-m", "InteractiveHtmlBom.generate_interactive_bom", "--no-browser"]
    command += ["--dest-dir", str(path.parent), "--name-format", "ibom", str(path)]
    own = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(library), "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}
    subprocess.run(command, check=True, capture_output=True, timeout=300, env=own)


def render(folder: Path = HERE / "out", wiring: Wiring | None = None) -> list[Path]:
    """Make all files of both boards. Raises NoKiCad, and NotRouted if the tracks of one do not fit its nets."""
    from hardware.board import step  # needs build123d

    made: list[Path] = []
    for name in BOARDS:
        board = plan(wiring or read_wiring(), name)
        fitting(board, tracks_of(name), folder / name)
        factory.save(board, folder / name)
        panel.save(board, folder / name, REVISIONS["B"].date)
        files.save(board, kicad_input(board, tracks_of(name)), folder / name)
        schematic.save(wiring or read_wiring(), board, folder / name)
        nails.picture(wiring or read_wiring(), board).save(folder / name, "nails")
        step.save(board, folder / name / f"{name}.step")
        interactive(folder / name / f"{name}.kicad_pcb")
        made += sorted(path for path in (folder / name).rglob("*") if path.is_file())
    return made
