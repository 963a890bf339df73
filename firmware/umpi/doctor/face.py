"""Guided checks of lamps, sounder and display, which a person must see or hear."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

from umpi.box.config import COLOURS
from umpi.doctor.finding import Finding
from umpi.doctor.header import place
from umpi.doctor.plugged import picture
from umpi.doctor.visit import Task, Visit
from umpi.kernel.calls import Sound
from umpi.timing.units import MS

SOUND_TEXTS: dict[Sound, str] = {
    "accepted": "a short one",
    "refused": "a refusal, in two",
    "cube": "a quick pair",
    "winner": "a fanfare of four",
    "time": "two long ones",
    "good": "a short rise, or three",
    "bad": "a fall, or a rattle",
    "call": "one in the middle, or two",
}
WIRES = "; a D/C line on the wrong pin, or CS on the other CE, is dark as well"
CHIPS = {"sh1106": "ssd1306", "ssd1306": "sh1106", "ssd1309": "sh1106"}  # the chip that a panel may really have


def lamps(visit: Visit) -> Iterator[Task]:
    """Light each lamp alone, and ask which one is lit."""
    for seat, colour in enumerate(COLOURS):
        yield Task(f"lamp {colour}", partial(_lamp, visit, seat, colour))


def sounder(visit: Visit) -> Iterator[Task]:
    """Play each sound, and ask whether it was heard."""
    if not visit.config.silent:
        for sound in get_args(Sound):
            yield Task("sounder", partial(_sound, visit, sound))


def display(visit: Visit) -> Iterator[Task]:
    """Show a test picture, and ask whether it looks right."""
    yield Task("display", partial(_display, visit))


def _lamp(visit: Visit, seat: int, colour: str) -> Iterator[Finding]:
    lamps, here = visit.box.lamps, place(visit.config.lamps[colour])
    if trouble := lamps.device_errors.get(seat):
        yield Finding(f"lamp {colour}", "failed", trouble)
        return
    try:
        lamps.show({seat})
        how = f"Press {colour} if so; if another is, its button; back if none or several are"
        answer = visit.ask(f"Is the {colour} lamp lit, and no other?", how, COLOURS)
    finally:
        lamps.show(())
    if answer in (colour, "yes"):
        yield Finding(f"lamp {colour}", "ok", here)
    elif answer == "no":
        yield Finding(
            f"lamp {colour}",
            "failed",
            f"it is not lit, or not alone, by {here}",
            "Look at its wire, at its direction (the long leg is plus) and its resistor; at solder between two pins.",
        )
    else:
        what = f"{place(visit.config.lamps[colour])} lights the {answer} lamp: are {colour} and {answer} exchanged?"
        yield Finding(f"lamp {colour}", "failed", what, "Exchange their wires, or their numbers under [lamps].")


def _sound(visit: Visit, sound: Sound) -> Iterator[Finding]:
    speaker = visit.box.speaker
    if speaker is None:
        yield Finding("sounder", "failed", visit.box.device_errors.get("sounder", "it could not be opened"))
        return
    visit.say(f"Listen: {SOUND_TEXTS[sound]}.")
    speaker.play(sound, visit.clock())
    while (due_ns := speaker.due_ns) is not None:
        visit.pass_ms(max(1, -(-(due_ns - visit.clock()) // MS)))
        speaker.tick(visit.clock())
    if speaker.trouble:
        yield Finding("sounder", "failed", f"{sound}: {speaker.trouble}")
    elif visit.ask("Did you hear it?") != "no":
        yield Finding("sounder", "ok", f"{sound} was heard")
    else:
        yield Finding(
            "sounder",
            "failed",
            f"{sound} was not heard, on {place(visit.config.sounder)}",
            "Look at its wires and its direction; an active buzzer sounds as soon as it gets 5 V, a passive one "
            "only with tones = true under [sounder].",
        )


def _display(visit: Visit) -> Iterator[Finding]:
    oled, chip = visit.box.oled, visit.config.display
    if oled is None:
        yield Finding("display", "failed", visit.box.device_errors.get("display", "it could not be opened"))
        return
    oled.show(picture())
    if not oled.wait_shown():
        bus = visit.config.display_bus
        do = f"Look at its four wires, at its address and its bus: i2cdetect -y {bus} shows both."
        if visit.config.display_spi:
            do = "umpi doctor without --guide says whether the bus is there and may be opened."
        yield Finding("display", "failed", oled.trouble or "the picture does not get there", do)
        return
    question = "Does the display show a whole frame, all four sides at the very edge, and its words upright?"
    if visit.ask(question) != "no":
        yield Finding("display", "ok", f"a {chip} that shows all its dots")
        return
    yield Finding(
        "display",
        "failed",
        f"as a {chip} it does not show the test picture as it should",
        f'Two columns off, or a side is missing: write chip = "{CHIPS[chip]}" under [display]. Upside down: '
        f"upside_down = {'false' if visit.config.upside_down else 'true'}. Nothing at all: some panels need their "
        f"reset line, reset = 12 say, or have GND and VCC exchanged{WIRES if visit.config.display_spi else ''}.",
    )
