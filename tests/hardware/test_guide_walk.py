"""Walk the guide of each build: each part and each connection is in one step, and none before its parts are there."""

from __future__ import annotations

from collections import Counter

import pytest

from hardware.cart.cart import read_all
from hardware.guide.builds import BadStep, joined, joints, needed, nets, pieces_of, used
from hardware.guide.needs import line, rows
from hardware.guide.steps import Chapter, Guide, Step, read_guide
from hardware.wiring.cut import pieces as pieces_cut
from hardware.wiring.model import BUILDS, read_wiring

GUIDE = read_guide()


def faults(guide: Guide, build: str) -> list[str]:
    """Walk a build; return what is used or joined too often, too early, or not at all."""
    found: list[str] = []
    there, made = Counter[str](), Counter[str]()
    for step in guide.path(build):
        there += used(step, build)
        for joint, count in joined(step, build).items():
            made[joint] += count
            early = [piece for piece in pieces_of(joint) if piece in needed(build) and not there[piece]]
            found += [f"{step.label}: {joint} before {piece}" for piece in early]
            found += _order(step, joint, made)
    found += [f"unused: {piece}" for piece in needed(build) - there]
    found += [f"used twice: {piece}" for piece in there - needed(build)]
    found += [f"not joined: {joint}" for joint in joints(build) - made]
    return found + [f"joined twice: {joint}" for joint in made - joints(build)]


def _order(step: Step, joint: str, made: Counter[str]) -> list[str]:
    """A plug goes in after its wires and the copper of its board; the board goes on the Pi after its copper."""
    if joint.endswith(" in"):
        ref = joint.removesuffix(" in")
        missing = [] if any(each.startswith(f"{ref}.") and " to " not in each for each in made) else ["its board"]
        if ref not in {"J8"} and not any(each.startswith(f"{ref}.") and " to " in each for each in made):
            missing.append("its wires")
        return [f"{step.label}: {ref} is put in before {each}" for each in missing]
    copper = {"header": "J1.", "pico": "J101."}.get(joint)
    if copper and not any(each.startswith(copper) for each in made):
        return [f"{step.label}: {joint} before its board"]
    return []


@pytest.mark.parametrize("build", BUILDS)
def test_each_part_and_each_connection_is_in_one_step_and_in_order(build: str) -> None:
    assert faults(GUIDE, build) == []


@pytest.mark.parametrize("build", BUILDS)
def test_the_parts_of_the_guide_are_those_of_the_cart(build: str) -> None:
    """Emitters come with their receivers, so they are in no row."""
    pieces = needed(build)
    counted = sum(count for piece, count in pieces.items() if not piece.startswith(("IR", "wires ")))
    assert counted == sum(row.quantity.get(build, 0) for row in read_all()[1] if not row.by_metre)


@pytest.mark.parametrize("build", BUILDS)
def test_the_wires_that_the_steps_cut_are_those_of_the_cart(build: str) -> None:
    """One display is connected, so the cable of its other plug is in no cart."""
    wiring, cut_m = read_wiring(), Counter[str]()
    for step in GUIDE.path(build):
        for name in (use.removeprefix("wires ") for use in step.uses if use.startswith("wires ")):
            for piece in () if wiring.cable[name].instead else pieces_cut(wiring, build, name):
                cut_m[piece.stuff] += piece.m * piece.count
    ordered = Counter[str]()
    for row in read_all()[1]:
        if row.by_metre:
            stuff = "wire" if row.what.startswith("wire") else "lead" if "2 wires" in row.what else "cable4"
            ordered[stuff] += row.quantity.get(build, 0)
    assert cut_m == pytest.approx(+ordered)


@pytest.mark.parametrize("build", BUILDS)
def test_each_board_is_measured_before_it_has_power(build: str) -> None:
    steps = list(GUIDE.path(build))
    places = {check: at for at, step in enumerate(steps) if (check := step.check)}
    powered = {joint: at for at, step in enumerate(steps) for joint in step.joins}
    assert places["wires" if build == "minimal" else "pi"] < powered["header"]
    assert powered["header"] <= powered["supply"]
    if build != "minimal":
        assert places["head"] < powered["pico"]


def _without(label: str, **changes: object) -> Guide:
    chapters = [Chapter(c.letter, c.title, c.builds,
                        tuple(s._replace(**changes) if s.label == label else s for s in c.steps))
                for c in GUIDE.chapters]  # fmt: skip
    return GUIDE._replace(chapters=tuple(chapters))


@pytest.mark.parametrize(
    ("label", "changes", "fault"),
    [
        ("C9", {"uses": ("plug buzzer",)}, "unused: BZ1"),
        ("C9", {"uses": ("at buzzer", "at lamps", "plug buzzer")}, "used twice: LED1"),
        ("C9", {"joins": ("cable buzzer",)}, "not joined: J6 in"),
        ("C9", {"joins": ("cable buzzer", "in buzzer", "in lamps")}, "joined twice: J5 in"),
        ("C1", {"joins": ("cable lamps",)}, "C1: J5.1 to LED1.K before J5 housing"),
        ("C1", {"joins": ("in lamps",)}, "C1: J5 is put in before its board"),
        ("A3", {"joins": ("header",)}, "A3: header before its board"),
        ("G1", {"uses": ("2 cable ties",)}, "unused: screw M3 x 8"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_found(label: str, changes: dict[str, object], fault: str) -> None:
    assert fault in faults(_without(label, **changes), "table")


def test_a_name_that_the_build_does_not_have_is_refused() -> None:
    step = GUIDE.steps[0]
    with pytest.raises(BadStep, match=r"Make the case: table has 0 pieces 'roof'"):
        used(step._replace(uses=("roof",)), "table")
    with pytest.raises(BadStep, match="minimal has no cable 'lamps'"):
        joined(step._replace(joins=("cable lamps",)), "minimal")
    with pytest.raises(BadStep, match="there is no joint 'glue'"):
        joined(step._replace(joins=("glue",)), "minimal")


def test_the_largest_path_has_every_chapter_but_that_of_the_wires() -> None:
    assert [c.letter for c in GUIDE.chapters if "full" in c.builds] == list("ACDEFG")
    assert [c.letter for c in GUIDE.chapters if "table" in c.builds] == list("ACDEG")
    assert [c.letter for c in GUIDE.chapters if "minimal" in c.builds] == list("AB")
    assert len(nets("table")[1].elements) > len(nets("table")[0].elements)


def test_parts_are_printed_with_their_number_and_designators() -> None:
    steps = {step.label: step for step in GUIDE.steps}
    assert line(steps["A1"], "minimal") == "4 × rubber feet, self-adhesive"
    assert "2 × 60 cm of cable with 4 wires" in line(steps["E3"], "table")
    lists = {name: (counts, refs) for name, counts, refs in rows(steps["D2"], "table")}
    assert lists["resistor 330 Ω"][0] == 12, "a board has all that it has room for"
    assert lists["resistor 330 Ω"][1][:2] == ("R101", "R103")
    printed = {name for name, _, _ in rows(steps["C2"], "full")}
    assert {"Schottky diode BAT46W", "NPN transistor MMBT2222A", "diode 1N4148W"} <= printed
