"""The parts that a step needs: as words for its line in the guide, and as rows with designators for soldering."""

from __future__ import annotations

from collections import Counter
from functools import cache

from hardware.board import beam
from hardware.guide.builds import BEAM, nets, used
from hardware.guide.steps import Step
from hardware.wiring import cut
from hardware.wiring.model import Wiring, read_wiring

OTHERS = {"xh_contact": "crimp contact JST XH", "socket_20": "socket 1 × 20", "socket_40": "socket 2 × 20"}
Row = tuple[str, int, tuple[str, ...]]  # what, how many, designators


def line(step: Step, build: str) -> str:
    """Say what a step needs in a build."""
    return "; ".join(f"{count} × {name}" if count > 1 else name for name, (count, _) in _named(step, build).items())


def rows(step: Step, build: str) -> list[Row]:
    """List the parts of a step with their number and designators."""
    return [(name, count, tuple(sorted(refs, key=_by_number))) for name, (count, refs) in _named(step, build).items()]


def _named(step: Step, build: str) -> dict[str, tuple[int, set[str]]]:
    """Group the pieces of a step by what they are."""
    wiring, both = _wiring(), nets(build)
    by_ref = {part.ref: part.part for net in both for part in net.elements}
    plugs = {plug.ref: len(plug.nets) for net in both for plug in net.plugs}
    counts: Counter[str] = Counter()
    wires: list[cut.Piece] = []
    refs: dict[str, set[str]] = {}
    for piece, count in used(step, build).items():
        ref, _, housing = piece.partition(" ")
        if piece.endswith(BEAM):
            name = beam.words(_beam_part(ref))
        elif ref in plugs and housing in ("", "housing"):
            name = f"{'housing' if housing else 'plug'} JST XH, {plugs[ref]} contacts"
        elif piece in by_ref and wiring.part[by_ref[piece]].of:
            continue  # it comes with another part
        elif piece in by_ref:
            name = wiring.part[by_ref[piece]].what
        elif piece.startswith("wires "):
            cable = piece.removeprefix("wires ")
            wires += () if wiring.cable[cable].instead else cut.pieces(wiring, build, cable)  # one display
            continue
        else:
            name = OTHERS.get(piece) or (wiring.part[piece].what if piece in wiring.part else piece)
        counts[name] += count
        known = piece in by_ref or ref in plugs or piece.endswith(BEAM)
        refs.setdefault(name, set()).update({ref} if known else ())
    found = {name: (count, refs[name]) for name, count in counts.items()}
    return found | {name: (1, set()) for name in cut.words(wires)}


def _beam_part(ref: str) -> beam.Part:
    return next(part for part in beam.parts() if part.ref == ref)


@cache
def _wiring() -> Wiring:
    return read_wiring()


def _by_number(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :] or 0)
