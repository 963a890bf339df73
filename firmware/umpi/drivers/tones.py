"""The passive sounder, which plays any pitch by the kernel's PWM: one melody per sound."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from umpi.kernel.calls import Sound
from umpi.kernel.messages import message
from umpi.timing.tune import Tune
from umpi.timing.units import S

log = logging.getLogger(__name__)

SYSFS = Path("/sys/class/pwm")
FUNCTIONS = {12: 4, 13: 4, 18: 2, 19: 2}  # "func" of the overlay, by pin; a Pi 5 translates the old numbers
# The PWM of the header by the end of its device's name, and its channel by pin. The chip number does not identify it:
# on a Pi 5 it has been pwmchip2 and pwmchip0 (raspberrypi/linux issue 6818). A Pi 5 also has 1f0009c000.pwm and
# 107d517a80.pwm for the fan.
CHANNELS = {
    "20c000.pwm": {12: 0, 13: 1, 18: 0, 19: 1},  # up to Pi 4: 2020c000, 3f20c000, fe20c000; fe20c800 is the jack's
    "098000.pwm": {12: 0, 13: 1, 18: 2, 19: 3},  # Pi 5: 1f00098000, on its RP1
}

MELODIES: dict[Sound, tuple[tuple[int, int], ...]] = {  # Hz (0 is a rest), ms
    "accepted": ((2093, 45),),
    "refused": ((1568, 110), (0, 40), (1047, 220)),
    "cube": ((2637, 40), (0, 30), (2637, 40)),
    "time": ((440, 400), (0, 150), (440, 400)),
    "winner": ((1047, 90), (1319, 90), (1568, 90), (2093, 320)),
    "good": ((1245, 60), (1865, 120)),
    "bad": ((622, 120), (0, 30), (523, 120), (0, 30), (415, 260)),
    "call": ((880, 70), (0, 50), (880, 70)),
}

FORBIDDEN = (
    "No permission for tones on pin {pin}: add the user to group gpio; if that fails, add a udev rule for {folder}."
)
REFUSED = "Pin {pin} cannot play tones: {fault}. Restart the Pi; no other program may use its PWM."
NO_PWM = "Pin {pin} has no PWM: add {line} to /boot/firmware/config.txt and restart the Pi."


class Tones:
    """Play melodies. It has no thread: call `tick` at `due_ns`.

    `pin` is GPIO 12, 13, 18 or 19. The Pi assigns it to the PWM at boot, by a line in /boot/firmware/config.txt:
    dtoverlay=pwm,pin=18,func=2 (19 likewise; 12 and 13 with func=4). sysfs does not show which pin was assigned. If
    that line names another pin, there is no error and no sound. Before the Pi 4 the headphone jack shares this PWM:
    dtparam=audio=off.

    A note that fails during play is left out without an exception. `trouble` is then the device error, until a note
    plays again.

    Raises OSError with the remedy if the pin has no usable PWM.
    Source: the kernel's Documentation/ABI/testing/sysfs-class-pwm; arch/arm/boot/dts/overlays/README of Raspberry Pi.
    """

    def __init__(self, pin: int, root: Path = SYSFS, write: Callable[[Path, str], None] | None = None) -> None:
        self._pin, self._write = pin, write or _write
        self._tune = Tune()
        self.trouble = ""
        chip, channel = _find(pin, root)
        self._channel = chip / f"pwm{channel}"
        try:
            self._write(chip / "export", str(channel))
        except OSError as fault:
            if not self._channel.is_dir():  # else an earlier start has exported it
                raise OSError(self._why(fault)) from fault
        self._silence()  # a killed program may have left a note on

    def play(self, sound: Sound, now_ns: int) -> None:
        """Start a melody; it replaces the current one."""
        self._tune.begin(MELODIES[sound], now_ns)
        self.tick(now_ns)

    def tick(self, now_ns: int) -> None:
        """Play the next note if it is due at `now_ns`."""
        hz = self._tune.due(now_ns)
        if hz:
            self._sound(hz)
        elif hz == 0:
            self._silence()

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None while silent."""
        return self._tune.due_ns

    def close(self) -> None:
        """Silence the sounder. The channel stays exported, so that its permissions are set at the next start."""
        self._silence()
        with suppress(OSError):
            self._put("enable", 0)

    def _sound(self, hz: int) -> None:
        """Play a pitch in Hz, on for half of each period.

        The kernel refuses a duty cycle above the period, so the old period decides which of the two to set first.
        """
        period_ns = S // hz
        steps = [("period", period_ns), ("duty_cycle", period_ns // 2)]
        try:
            if period_ns < int((self._channel / "period").read_text()):
                steps.reverse()
            for name, value in (*steps, ("enable", 1)):
                self._put(name, value)
            if self.trouble:
                log.info("Pin %s plays tones again", self._pin)
            self.trouble = ""
        except OSError as fault:
            if not self.trouble:
                log.warning("A note was left out", exc_info=True)
            self.trouble = self._why(fault)
            self._silence()  # else the previous note would continue

    def _silence(self) -> None:
        """Silence the channel with a duty cycle of 0: the level of a disabled pin depends on the driver."""
        with suppress(OSError):  # a channel that has never played refuses this (EINVAL); a missing one is silent
            self._put("duty_cycle", 0)

    def _put(self, name: str, value: int) -> None:
        self._write(self._channel / name, str(value))

    def _why(self, fault: OSError) -> str:
        if isinstance(fault, PermissionError):  # also for 300 ms after the export, until udev has run
            return message(FORBIDDEN, pin=self._pin, folder=SYSFS)
        where = f"{fault.strerror} ({self._channel.parent.name}/{self._channel.name})"
        return message(REFUSED, pin=self._pin, fault=where)


def _find(pin: int, root: Path) -> tuple[Path, int]:
    for chip in root.glob("pwmchip*"):
        device = (chip / "device").resolve().name
        for ending, channels in CHANNELS.items():
            if device.endswith(ending):
                return chip, channels[pin]
    line = f"dtoverlay=pwm,pin={pin},func={FUNCTIONS[pin]}"
    raise OSError(message(NO_PWM, pin=pin, line=line))


def _write(path: Path, text: str) -> None:
    """Write to an existing file. Creating one in sysfs would fail with a misleading error."""
    file = os.open(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
