"""The check of new boards finds what a factory or an iron can do wrong, each at its contact."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from workbench import Workbench, statuses

from umpi.box.config import COLOURS, Config, HeadPlan
from umpi.doctor.finding import Finding

HAT = Config(beams={"lane_1": 8, "second_1": 9}, emitters=11)
GATE = Config(beams={}, head=HeadPlan("/dev/head", lanes=2, beams=2))


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return on(HAT, tmp_path)


def on(config: Config, folder: Path) -> Workbench:
    """Return a bench with whole boards on the pins, and a builder who types the answers."""
    bench = Workbench(replace(config, journal=folder / "games.db"))
    bench.pins.held_up |= {f"GPIO{config.buttons[colour]}" for colour in COLOURS}
    bench.habits = [
        (pattern, habit)
        if pattern not in ("Did you hear", "Does the display")
        else (pattern, lambda _: bench.type("y"))
        for pattern, habit in bench.habits
    ]
    return bench


def finding_of(bench: Workbench, device: str) -> Finding:
    """Return what was found of a device, the last."""
    return [finding for finding in bench.check_boards() if finding.device == device][-1]


@pytest.mark.parametrize("config", [HAT, GATE], ids=["at the pins", "at the head"])
def test_whole_boards_pass_but_for_what_only_a_meter_measures(config: Config, tmp_path: Path) -> None:
    found = statuses(on(config, tmp_path).check_boards())
    assert {device for device, status in found.items() if status != "ok"} == {"supplies"}
    lanes = range(1, 3) if config.head else range(1, 2)
    assert {f"contact {beam}_{lane}" for beam in ("lane", "second") for lane in lanes} <= found.keys()
    assert {f"emitters of lane {lane}" for lane in lanes} <= found.keys()
    assert {f"contact {name}" for name in config.buttons} <= found.keys()
    assert {f"{part} {colour}" for part in ("lamp", "pull-up") for colour in COLOURS} <= found.keys()


def test_a_resistor_without_a_joint_is_found_without_a_touch(bench: Workbench) -> None:
    bench.pins.held_up.discard("GPIO20")
    assert finding_of(bench, "pull-up yellow").what == "nothing holds GPIO20 (header pin 38) up"
    assert bench.pins.pin(20).pull == "up"  # as before


def test_a_contact_that_is_joined_to_ground_is_found_at_rest(bench: Workbench) -> None:
    bench.pins.pin(4).drive_low()
    bench.set_beam("second_1", True)
    finding = finding_of(bench, "lines at rest")
    assert (finding.status, finding.what) == (
        "failed",
        "low with nothing plugged in: up on GPIO4 (header pin 7), second_1",
    )


@pytest.mark.parametrize(
    ("contact", "touched", "what"),
    [
        ("red", [], "nothing came on GPIO16 (header pin 36)"),
        ("red", ["blue"], "that was blue, GPIO17 (header pin 11): are red and blue exchanged?"),
        (
            "ok",
            ["ok", "back"],
            "one press came on several pins: ok on GPIO6 (header pin 31), back on GPIO7 (header pin 26)",
        ),
        ("lane_1", [], "no line followed"),
        ("lane_1", ["second_1"], "second_1 followed in its place"),
        ("lane_1", ["lane_1", "red"], "red followed, too"),
    ],
)
def test_a_touch_that_does_not_arrive_or_arrives_elsewhere_is_found(
    bench: Workbench, contact: str, touched: list[str], what: str
) -> None:
    bench.at(f"Touch the contact {contact} with", lambda _: [bench.touch(each) for each in touched])
    finding = finding_of(bench, f"contact {contact}")
    assert finding.status == "failed"
    assert finding.what == what


def test_a_wire_held_by_hand_may_bounce(bench: Workbench) -> None:
    bench.at("Touch the contact red with", lambda _: bench.press("red", (0, 100, 200, 300, 400, 500)))
    assert finding_of(bench, "contact red").status == "ok"


@pytest.mark.parametrize(
    ("question", "device"), [("at green alone", "lamp green"), ("emitters of lane 1", "emitters of lane 1")]
)
def test_a_driver_that_does_not_switch_is_found(bench: Workbench, question: str, device: str) -> None:
    bench.at(question, lambda _: bench.type("n"))
    assert finding_of(bench, device).status == "failed"


def test_a_head_that_is_not_there_costs_only_its_own_contacts(tmp_path: Path) -> None:
    bench = on(GATE, tmp_path)
    bench.plugs.of("head").pull()
    failed = {device for device, status in statuses(bench.check_boards()).items() if status == "failed"}
    assert failed == {
        "lines at rest",
        *(f"contact {line}" for line in GATE.beam_lines),
        *(f"emitters of lane {n}" for n in (1, 2)),
    }


def test_q_ends_the_check(bench: Workbench) -> None:
    bench.at("Touch the contact blue", lambda _: bench.type("q"))
    assert "contact yellow" not in statuses(bench.check_boards())
