"""The parts that a step needs: as words for its line in the guide, and as rows with designators for soldering."""

from __future__ import annotations

from collections import Counter
from functools import cache

from hardware.cart import cart
from hardware.cart.cart import WAYS, Way
from hardware.guide.builds import fitted, used
from hardware.guide.steps import Step
from hardware.wiring.model import Wiring, read_wiring

OTHERS = {"xh_contact": "crimp contact JST XH", "socket_20": "socket 1 × 20", "socket_40": "socket 2 × 20"}
Row = tuple[str, dict[str, int], tuple[str, ...]]  # what, how many for each build, designators


def ways(step: Step) -> list[Way]:
    """Return the builds of a step, one way each: its own, or a perfboard."""
    return [way for way in WAYS if way[0] in step.builds and way[1] in (step.way or "perfboard", "wires")]


def line(step: Step) -> str:
    """Say what a step needs: once if all builds need the same, otherwise for each build."""
    texts = {way[0]: _words(step, way) for way in ways(step)}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ". ".join(f"{build.capitalize()}: {words}" for build, words in texts.items())


def rows(step: Step) -> list[Row]:
    """List the parts of a step with their number for each build and the designators of the largest."""
    found: dict[str, tuple[dict[str, int], set[str]]] = {}
    for way in ways(step):
        for name, (count, refs) in _named(step, way).items():
            counts, all_refs = found.setdefault(name, ({}, set()))
            counts[way[0]] = count
            all_refs.update(refs)
    return [(name, counts, tuple(sorted(refs, key=_by_number))) for name, (counts, refs) in found.items()]


def _words(step: Step, way: Way) -> str:
    return "; ".join(f"{count} × {name}" if count > 1 else name for name, (count, _) in _named(step, way).items())


def _named(step: Step, way: Way) -> dict[str, tuple[int, set[str]]]:
    """Group the pieces of a step by what they are."""
    wiring, boards = _wiring(), fitted(way)
    by_ref = {part.ref: part.part for net in boards for part in net.elements}
    plugs = {plug.ref: len(plug.nets) for net in boards for plug in net.plugs}
    counts: Counter[str] = Counter()
    refs: dict[str, set[str]] = {}
    for piece, count in used(step, way).items():
        ref, _, housing = piece.partition(" ")
        if ref in plugs and housing in ("", "housing"):
            name = f"{'housing' if housing else 'plug'} JST XH, {plugs[ref]} contacts"
        elif piece in by_ref:
            name = _typed(wiring.part[by_ref[piece]].what, piece, way)
        else:
            name = OTHERS.get(piece) or (wiring.part[piece].what if piece in wiring.part else piece)
        counts[name] += count
        refs.setdefault(name, set()).update({ref} if piece in by_ref or ref in plugs else ())
    return {name: (count, refs[name]) for name, count in counts.items()}


def _typed(what: str, ref: str, way: Way) -> str:
    """Name a diode or transistor of a printed circuit board by its number in the cart: it is another type."""
    if way[1] != "boards" or ref.rstrip("0123456789") not in ("D", "Q"):
        return what
    number = next(row.number for row in _cart() if ref in row.refs and row.quantity.get(way))
    return f"{what.rpartition(' ')[0]} {number}"


@cache
def _wiring() -> Wiring:
    return read_wiring()


@cache
def _cart() -> list[cart.Row]:
    return cart.read_all()[1]


def _by_number(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :] or 0)
