"""The whole guide, from the first button to the last knock, as somebody has read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from workbench import LANES, SOON_MS, Workbench

from tests.kit.seen import check_part
from umpi.box.calibration import Calibration, read_calibration, write_calibration
from umpi.box.config import COLOURS, Config, HeadPlan
from umpi.doctor.steps import STEPS, factory, guide
from umpi.simulator.tcs34725 import profile
from umpi.timing.events import Lost

ALL: dict[str, Any] = {"rail": 1, "scanner": {"port": "/dev/a"}, "head": HeadPlan(lanes=1, beams=2, wall=True)}
PINS: dict[str, Any] = {"beams": LANES, "emitters": 10}
REST = tuple(list(STEPS)[4:])


Habit = Callable[[Workbench], object]
HEAD: dict[str, Any] = {"head": HeadPlan(lanes=2, beams=2)}
KNOCKED: dict[str, Any] = {"head": HeadPlan(lanes=1, wall=True)}
SCANNER: dict[str, Any] = {"scanner": {"port": "/dev/a"}}
LANE = {"lane_1": 8, "second_1": 16}  # the second pin is that of the red button
THREE = {f"lane_{lane}": 7 + lane for lane in (1, 2, 3)}
HAT: dict[str, Any] = {"beams": LANES, "emitters": 11}
GATE: dict[str, Any] = {"beams": {}, "head": HeadPlan("/dev/head", lanes=2, beams=2)}
WHOLE = "whole boards at the pins"
TIME = re.compile(r"(?<=\[)[\d.]+ |^[\d.]+ ", re.M)
TREMBLING = (0, 20, 40, 60, 80, 100)  # ms


def well(bench: Workbench) -> None:
    """Follow each instruction."""


def idle(bench: Workbench) -> None:
    bench.habits.clear()


def no(bench: Workbench) -> None:
    for question in ("Is the", "Did you hear", "Does the", "contact of the emitters", "in turn"):
        bench.at(question, lambda _: bench.type("n"))


def unplugged(bench: Workbench) -> None:
    for name in ("head", "rail", "scanner"):
        bench.plugs.of(name).pull()


def shaky(bench: Workbench) -> None:
    """Press the next button, skip twice at once, hold what ought to be let go, and leave cubes in."""
    bench.at("Press red", lambda _: bench.press("blue"))
    bench.at("Press blue", lambda _: bench.press("blue", [0, 2500]))
    bench.at("Press green", lambda _: bench.press("green", [0]))
    bench.at("Press white", lambda _: [bench.type(""), bench.type("")])
    bench.at("Block lane_1 alone", lambda _: [bench.beam("lane_1", True), bench.beam("second_1", True)])
    bench.at("Take it out", lambda _: None)


def instead(pattern: str, *acts: Habit) -> Habit:
    """Do this after an instruction, and what is asked for after all others."""
    return lambda bench: bench.at(pattern, lambda _: [act(bench) for act in acts])


def both(*habits: Habit) -> Habit:
    return lambda bench: [habit(bench) for habit in habits]


def once(pattern: str, act: Habit, usual: Habit) -> Habit:
    """Do this after the first instruction of the kind only."""
    acts = iter((act,))
    return lambda bench: bench.at(pattern, lambda _: next(acts, usual)(bench))


def typed(text: str, ms: float = SOON_MS) -> Habit:
    return lambda bench: bench.type(text, ms)


def pressed(button: str, edges_ms: Sequence[float] = (0, 100)) -> Habit:
    return lambda bench: bench.press(button, edges_ms)


def beam(line: str, dark: bool, ms: float = SOON_MS) -> Habit:
    return lambda bench: bench.beam(line, dark, ms)


def dark(*lines: str) -> Habit:
    """Begin with dark beams."""
    return lambda bench: [bench.set_beam(line, True) for line in lines]


def wired(**values: Any) -> Habit:
    return lambda bench: vars(bench).update(values)


def pull(name: str, ms: float = 0) -> Habit:
    return lambda bench: bench.after(ms, bench.plugs.of(name).pull) if ms else bench.plugs.of(name).pull()


def plug(name: str, ms: float) -> Habit:
    return lambda bench: bench.after(ms, bench.plugs.of(name).plug)


def drop(bench: Workbench) -> None:
    bench.drop("red")


def drop_unheard(bench: Workbench) -> None:
    """Drop a cube, and lose edges of it."""
    drop(bench)
    bench.after(525, lambda: bench.post(Lost(2)))


def refusing(bench: Workbench) -> None:
    """Let the disk refuse to keep what is measured."""
    bench.config.calibration.with_name("measured.new").mkdir()


def blind(bench: Workbench) -> None:
    """A beam of the head does not see its emitter."""
    pico = bench.plugs.of("head")._pico
    seen = pico._seen
    pico._seen = lambda: seen() - {"second_2"} if pico._off else seen()


def slow(firmware: str) -> Habit:
    """A beam of the head is stamped 70 µs late; an older program waits for each beam before it."""

    def stamp(bench: Workbench) -> None:
        head = bench.plugs.of("head")
        change = head._pico._change
        head._pico._change = lambda what, line, us: change(what, line, us + 70 * (line == "second_2"))
        bench.at("Align", lambda _: head._link.talk.who.update(firmware=firmware))

    return stamp


def covered(*crossed: str) -> Habit:
    """Cover the emitters as requested; the receivers in `crossed` still see another lane's."""

    def cover(bench: Workbench) -> None:
        def one(lane: str) -> None:
            if f"lane_{lane}" not in crossed:
                bench.beam(f"lane_{lane}", True)
            bench.type("", ms=SOON_MS + 1)

        bench.at(r"Cover every emitter of lane (\d)", lambda found: one(found[1]))
        bench.at("Uncover them", lambda _: [bench.beam(line, False) for line in THREE])

    return cover


def unsteady(bench: Workbench) -> None:
    """The first readings of the rail flicker."""
    chip = bench.plugs.of("rail").chip
    lights = iter([lambda at_s: (9.0, 2.0, 2.0) if int(at_s * 10) % 2 else (2.0, 9.0, 2.0)])
    steady = chip.light

    def empty(_: object) -> None:
        chip.light = next(lights, steady)
        bench.type("")

    bench.at("Leave the stop empty", empty)


def whole(bench: Workbench) -> None:
    """Whole boards are on the pins, and the builder types the answers."""
    bench.pins.held_up |= {f"GPIO{bench.config.buttons[colour]}" for colour in COLOURS}
    for question in ("Did you hear", "Does the display"):
        bench.at(question, lambda _: bench.type("y"))


def touched(contact: str, *others: str) -> Habit:
    """Whole boards, but this contact is on other pins."""
    touches = [lambda bench, each=each: bench.touch(each) for each in others]
    return both(whole, instead(f"Touch the contact {contact} with", *touches))


def grounded(bench: Workbench) -> None:
    bench.pins.pin(4).drive_low()
    bench.set_beam("second_1", True)


class NoOled:
    """A display that does not answer."""

    trouble = "OSError: Remote I/O error"

    def show(self, image: object) -> None: ...

    def wait_shown(self) -> bool:
        return False


def garbled(bench: Workbench) -> None:
    lines = bench.plugs.of("scanner").lines
    bench.after(SOON_MS, lambda: lines.feed(b"\xff\xfe\r\n", bench.now_ns))


CONVERSATIONS: dict[str, tuple[dict[str, Any], tuple[str, ...], Habit]] = {
    "a box that is well": (ALL, (), well),
    "beams at the pins": (PINS, REST, well),
    "nobody does anything": (PINS, ("buttons", "sounder", "display", *REST), idle),
    "every answer is no": (ALL, ("lamps", "display"), no),
    "nothing is plugged in": (ALL, REST, unplugged),
    "a shaky hand": (PINS, ("buttons", "beams", "cubes", "chute"), shaky),
    "new boards": (ALL, ("boards",), well),
    WHOLE: (HAT, ("boards",), whole),
    "whole boards at the head": (GATE, ("boards",), whole),
    "boards without a head": (GATE, ("boards",), both(whole, pull("head"))),
    "a resistor without a joint": (
        HAT, ("boards",), both(whole, lambda bench: bench.pins.held_up.discard("GPIO20"))
    ),
    "contacts joined to ground": (HAT, ("boards",), both(whole, grounded)),
    "a contact without a joint": (HAT, ("boards",), touched("red")),
    "exchanged contacts": (HAT, ("boards",), touched("red", "blue")),
    "joined contacts": (HAT, ("boards",), touched("ok", "ok", "back")),
    "a contact of a beam without a joint": (HAT, ("boards",), touched("lane_1")),
    "exchanged contacts of beams": (HAT, ("boards",), touched("lane_1", "second_1")),
    "contacts of a beam and of a button joined": (HAT, ("boards",), touched("lane_1", "lane_1", "red")),
    "a wire held by hand, which bounces": (HAT, ("boards",), both(
        whole, instead("Touch the contact red with", pressed("red", (0, 100, 200, 300, 400, 500)))
    )),
    "drivers that do not switch": (HAT, ("boards",), both(
        whole, instead("at green alone", typed("n")), instead("emitters of lane 1", typed("n"))
    )),
    "the end of a check of boards": (HAT, ("boards",), both(whole, instead("Touch the contact blue", typed("q")))),
    "a wrong finger, chatter, another pin, joined pins": (
        {"where": 15}, ("buttons",), both(
            instead("Press red.$", pressed("blue")), instead("Press red once more", pressed("red")),
            instead("Press blue", pressed("blue", (0, 1, 2, 100, 101, 102))),
            instead("Press yellow", pressed("yellow", [*(0.5 * edge for edge in range(15)),
                                                       *(100 + 0.5 * edge for edge in range(7))])),
            instead("Press green", pressed("green", TREMBLING)),
            instead("Press white", pressed("white"), pressed("black", [0.01, 100])),
            instead("Press ok", lambda bench: bench.pulse(9)),
        ),
    ),
    "a button that is down from the start": ({}, ("buttons",), lambda bench: bench.pins.pin(16).drive_low()),
    "a trembling finger within the time of a repeat": (
        {"repeat_ms": 50}, ("buttons",), instead("Press red", pressed("red", TREMBLING))
    ),
    "two buttons of one pin": ({"seats": {**Config().seats, "red": 17}}, ("buttons",), well),
    "the end of it all": ({}, (), instead("Press blue", typed("q"))),
    "a beam whose pin is taken": ({"beams": LANE, "emitters": 10}, ("beams", "chute"), well),
    "beams at the head": (HEAD, ("beams", "light"), well),
    "a beam that is cleared": (PINS, ("beams",), both(dark("second_1"), beam("second_1", False, 900))),
    "a beam that is cleared for seconds only": (PINS, ("beams",), both(
        dark("lane_1"), instead("Block", typed("q")), beam("lane_1", False, 7000),
        *(beam("lane_1", lit, ms + 500 * lit) for ms in (1000, 2000, 3500, 6000) for lit in (False, True)),
    )),
    "Enter goes on with a dark beam": (
        PINS, ("beams",), both(dark("second_1"), wired(stuck={"second_1"}), instead("Align", typed("")))
    ),
    "Enter goes on with all beams dark": (PINS, ("beams",), both(dark(*LANES), instead("Align", typed("")))),
    "exchanged beams": (PINS, ("beams",), instead("Block lane_1", beam("second_1", True))),
    "a neighbour that goes dark too": (
        PINS, ("beams",), instead("Block lane_1", beam("lane_1", True), beam("second_1", True, 450))
    ),
    "a beam that stays dark": (PINS, ("beams",), instead("Take it out", well)),
    "a torn wire": (PINS, ("beams", "light"), wired(torn={"second_1"})),
    "emitters without a switch": ({"beams": LANES}, ("beams", "light"), well),
    "a beam of the head that does not see its emitter": (HEAD, ("beams",), blind),
    "stamps that lie 38 µs apart": (PINS, ("beams",), wired(fronts_us={"lane_1": 3, "second_1": 41})),
    "stamps that lie wider apart than a dead heat": (PINS, ("beams",), wired(fronts_us={"lane_1": 2500})),
    "a slow beam of the head": (HEAD, ("beams",), slow("2.3")),
    "a slow beam of an old head": (HEAD, ("beams",), slow("1.0")),
    "single beams at the head": ({"head": HeadPlan(lanes=3)}, ("beams",), well),
    "a disk that refuses the resolution": (PINS, ("beams",), refusing),
    "a head that is pulled out and comes back": (KNOCKED, ("beams", "wall"), both(
        instead("Block lane_1", pull("head", SOON_MS)), instead("Listen", lambda bench: bench.plugs.of("head").plug())
    )),
    "a head that is plugged in while it is waited for": (KNOCKED, ("wall",), both(pull("head"), plug("head", 4000))),
    "a large head that is not there": (
        {"head": HeadPlan(lanes=6, beams=2)}, ("beams", "cubes", "chute"), pull("head")
    ),
    "cubes of four lanes, one of which flickers, one is taken out": (
        {"beams": {**THREE, "lane_4": 11}}, ("cubes",), both(
            instead("Hold a red cube", *(beam("lane_1", turn % 2 == 0, 400 + 100 * turn) for turn in range(8)),
                    beam("lane_1", True, 1250)),
            instead("Hold a blue cube", beam("lane_2", True), beam("lane_2", False, 1000)),
        ),
    ),
    "three cubes": ({"beams": LANES}, ("chute",), instead(r"\(4 of", typed(""))),
    "two cubes": ({"beams": LANES}, ("chute",), instead(r"\(3 of", typed(""))),
    "a fall past one beam": ({"beams": LANES}, ("chute",), once(
        "Drop a cube", both(beam("lane_1", True), beam("lane_1", False, 414)), drop
    )),
    "a fall of which edges are lost": ({"beams": LANES}, ("chute",), once("Drop a cube", drop_unheard, drop)),
    "settings that do not cover the cubes": ({"beams": LANES, "gate": {"speed_mm_s": (900, 1100)}}, ("chute",), well),
    "six lanes at the head": ({"head": HeadPlan(lanes=6, beams=2)}, ("chute",), well),
    "a lane that no cube falls down": (HEAD, ("chute",), instead("Drop a cube", drop)),
    "a lane of one beam": ({"beams": {"lane_1": 8}}, ("chute",), well),
    "new colours after an old resolution": (
        {"rail": 1, "kept": Calibration(77)}, ("colours",), instead("Leave the stop empty", pressed("ok"))
    ),
    "colours that are kept": (
        {"rail": 1, "kept": Calibration(colours=profile())}, ("colours",), instead("Measure them again", typed("n"))
    ),
    "cubes that look alike": (
        {"rail": 1}, ("colours",), instead("Put a black cube", lambda bench: bench.lay("red"))
    ),
    "a disk that refuses the colours": ({"rail": 1}, ("colours",), refusing),
    "readings that do not settle": ({"rail": 1}, ("colours",), unsteady),
    "a colour sensor that is pulled out": ({"rail": 1}, ("colours",), instead("Put a blue cube", pull("rail"))),
    "an exchanged lamp, a dark one, answers of all kinds": ({}, ("lamps",), both(
        instead("the red lamp", pressed("blue")), instead("the blue lamp", pressed("back")),
        instead("the yellow lamp", typed("y")),
        instead("the green lamp", pressed("green", (0, 3, 4, 90, 91, 95, 96, 99))), instead("the white lamp", well),
    )),
    "sounds that nobody hears": ({}, ("sounder",), instead("Did you hear", pressed("back"))),
    "a silent box": ({"silent": True}, ("sounder",), well),
    **{
        f"a {chip} that shows something else": (
            {"display": chip}, ("display",), instead("Does the display", pressed("back"))
        )
        for chip in ("sh1106", "ssd1309")
    },
    "an SH1106 that is well": ({"display": "sh1106"}, ("display",), well),
    "a display that does not answer": ({}, ("display",), lambda bench: setattr(bench.box, "oled", NoOled())),
    "lines that are no codes": (SCANNER, ("scanner",), instead("Scan any", garbled)),
    "a scanner that says nothing": (SCANNER, ("scanner",), instead("Scan any", well)),
    "a scanner that is pulled out": (SCANNER, ("scanner",), instead("Scan any", pull("scanner", SOON_MS))),
    "a wall that feels nothing": (KNOCKED, ("wall",), instead("Knock", well)),
    "lanes that are covered in turn": ({"beams": THREE, "emitters": 11}, ("light",), covered()),
    "a receiver that sees another lane": ({"beams": THREE, "emitters": 11}, ("light",), covered("lane_2")),
    "light that comes and goes behind the cover": ({"beams": THREE, "emitters": 11}, ("light",), both(
        covered(), instead("Cover every emitter of lane 3", beam("lane_3", True), typed("", SOON_MS + 1),
                           beam("lane_3", False, 500), beam("lane_3", True, 503)),
    )),
    "nobody covers an emitter": ({"beams": THREE, "emitters": 11}, ("light",), well),
}  # fmt: skip


def told(name: str, folder: Path) -> str:
    """All that the guide says and finds, and at which second."""
    planned, only, habit = CONVERSATIONS[name]
    config = Config(journal=folder / "games.db", **{key: value for key, value in planned.items() if key != "kept"})
    if "kept" in planned:
        write_calibration(config.calibration, planned["kept"])
    bench: Any = Workbench(config)
    habit(bench)
    lines: list[str] = []
    say = bench.say

    def noted(text: str, live: bool = False) -> None:
        lines.append(f"{bench.now_ns / 1e9:.3f} {'(live) ' * live}{text}")
        say(text, live)

    bench.say = noted
    steps = factory if only == ("boards",) else partial(guide, only=only)
    for found in steps(bench.config, bench.box, bench):
        do = f" // {found.do}" if found.do else ""
        lines[-1] += f" [{bench.now_ns / 1e9:.3f} {found.device}: {found.status}, {found.what}{do}]"
    kept = re.sub(
        r"\d+\.\d{4,}", lambda number: f"{float(number[0]):.3f}", f"{read_calibration(bench.config.calibration)}"
    )
    lines.append(f"Kept: {kept}")
    lines += [f"The box has: {bench.box.calibration}"] * (bench.box.calibration != read_calibration(config.calibration))
    lines += [f"Lit: {colour}" for colour in bench.lit()]
    pulls = {button: bench.pins.pin(pin).pull for button, pin in config.buttons.items()}
    lines += [f"The pin of {button} is pulled {pull}." for button, pull in pulls.items() if pull != "up"]
    lines += ["The emitters are off."] * (bench.box.emitters is not None and not bench.box.emitters.value)
    return re.sub("<gpiozero[^>]*>", "a device", "\n".join(lines)).replace(str(folder), "~")


def told_of_boards(name: str, folder: Path) -> str:
    """What is otherwise than with whole boards, apart from the times."""
    usual, now = (TIME.sub("", told(each, folder / each)).splitlines() for each in (WHOLE, name))
    return "\n".join([*unified_diff(usual, now, n=0, lineterm="")][2:])


LONG = ("a box that is well", "new boards", "six lanes at the head")  # a head in virtual time is slow


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in CONVERSATIONS]
)
def test_the_guide_says_what_somebody_has_read(name: str, tmp_path: Path) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes guide.txt; read what is different."""
    of_boards = CONVERSATIONS[name][:2] == (HAT, ("boards",)) and name != WHOLE
    now = (told_of_boards if of_boards else told)(name, tmp_path)
    check_part(Path(__file__).with_name("guide.txt"), name, now, CONVERSATIONS, "* ")


def test_a_bare_box_is_asked_of_what_it_has_only(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db"))
    assert len(bench.guide()) == 10 + 6 + 8 + 1


def test_skipping_every_step_leaves_all_unproven_without_a_failure(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", beams=LANES, emitters=10, rail=1, scanner={"port": "/dev/ttyACM0"})
    bench = Workbench(config)
    bench.habits[:] = [(".", lambda _: bench.type("s"))]
    assert {finding.status for finding in bench.guide()} == {"not tested"}


def test_only_the_steps_that_were_named_are_done(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", beams=LANES))
    assert {finding.device.split()[0] for finding in bench.guide("cubes", "lamps")} == {"cube", "lamp"}
    assert set(STEPS) > {"cubes", "lamps"}
