"""A box in the guest being played on in the guest's own time: the steps of scenarios, done by fingers and eyes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from hil_guest.lines import Finger, Sim, wait_until
from PIL import Image

from hil_box.box import KernelBox
from hil_box.service import LOG, Ended, Service
from hil_box.wiring import command, umpi_toml
from umpi.box.config import Config
from umpi.display.sheet import FOOT, PITCH, WIDTH
from umpi.simulator.steps import StepFault
from umpi.simulator.virtual import with_lanes

PATIENCE_S = 20  # for a box to come to show what is expected: emulated, it is slow
QUIET_S, BUSY_NS = 0.06, 6_000_000  # it is at rest when it ran for less than that in so long, and drew nothing
MS = 1_000_000
REACH_NS = 3 * MS  # from when a hand decides until it touches: what is done sooner has no share in its rhythm
RESTLESS_S = 10  # by then it has come to rest


class KernelPlaying:
    """Plays on a box built as `config` says, on the lines of `sim`; files are kept in `folder`.

    The service is started when it is first needed, by `umpi`, with `environment` added to the usual one.
    """

    def __init__(self, umpi: Path, sim: Sim, folder: Path, config: Config | None = None) -> None:
        self._umpi, self.sim, self._folder = umpi, sim, folder
        self._finger = Finger(sim)
        self.environment: Mapping[str, str] = {}
        built = config or with_lanes(Config(journal=folder / "games.db"), 1)  # as umpi sim has it
        self.config = replace(built, setup_card=False)  # a scenario that shows the card says so
        self._built: Config | None = None
        self._box: KernelBox | None = None
        self.service: Service | None = None
        self.complaints: list[str] = []  # of the devices of all boxes built
        self._hand_ns = 0  # when the hand has come to
        self.slowest_s = 0.0  # at most until what was looked for stood there at rest, without the calls before it

    @property
    def box(self) -> KernelBox:
        """The box, switched on."""
        self.switch_on()
        assert self._box
        return self._box

    def switch_on(self) -> None:
        """Build the box and start the service, where that is not done. Raises StepFault where it does not start."""
        if self.service:
            return
        if not self._box or self._built != self.config:
            self._take_apart()
            self._built = self.config
            self._box = KernelBox(self._with_ports(self.config), self.sim, self._finger, self._folder, self.complaints)
        toml = self._folder / "umpi.toml"
        toml.write_text(umpi_toml(self._box.config), encoding="utf-8")
        try:
            line = command(self._umpi, toml, self._box.config)
            self.service = Service(line, self._folder, self.environment)
            self._await_light()
        except Ended as fault:
            raise StepFault(str(fault), 1) from None
        self.settle()

    def _await_light(self) -> None:
        """Wait until the panel shows something, unless it is pulled, but not for ever.

        It is awake all the time: the service still imports a little, and if all slept, a guest's virtual clock would
        leap while files are read.
        """
        assert self.service
        assert self._box
        until_s = time.monotonic() + PATIENCE_S
        while not self._box.panel.lit and self._box.sees_panel and time.monotonic() < until_s:
            self.service.check()
            os.sched_yield()

    def kill(self) -> None:
        """Kill the service; the panel goes on showing what it shows. Raises StepFault where it had ended by itself."""
        service, self.service = self.service, None
        try:
            if service:
                service.kill()
        except Ended as fault:
            raise StepFault(str(fault), 1) from None

    def report(self, file: Path) -> None:
        """Save what the box has recorded since it was started. Raises StepFault where it cannot."""
        words = [str(self._umpi), "report", "--config", str(self._folder / "umpi.toml"), "--output", str(file)]
        asked = subprocess.run(words, capture_output=True, text=True)
        if asked.returncode:
            raise StepFault(f"umpi report ended with status {asked.returncode}: {asked.stderr.strip()}", 1)

    def said(self) -> str:
        """Tell what the service has said, in all its lives."""
        log = self._folder / LOG
        return log.read_text(errors="replace") if log.exists() else ""

    def close(self) -> None:
        """Switch it off and take it apart, in whatever state it is."""
        try:
            if self.service:
                self.service.close()
            self._take_apart()
        finally:
            self._finger.close()

    async def restart(self) -> None:
        """Pull the plug of the box: it is switched on again when it is needed."""
        self.kill()
        if self._box:
            self._box.lose_power()

    async def press(self, button: str, for_ms: int) -> None:
        """Hold a button down for so long, then let it go."""
        box = self.box
        self._in_rhythm()
        for down in (True, False):
            wait_until(self._hand_ns + REACH_NS)
            box.hold(button, down)
            self._hand_ns += for_ms * MS if down else 0

    async def pass_ms(self, ms: int) -> None:
        """Let time pass, and more where the box needs it to come to rest; one that is off stays off."""
        self._in_rhythm()
        if self.service:
            self.settle()
        self._hand_ns += ms * MS
        wait_until(self._hand_ns)

    def _in_rhythm(self) -> None:
        """Let the hand go on from what it did last, or from now where that was long ago."""
        if time.monotonic_ns() - self._hand_ns > 2 * REACH_NS:
            self._hand_ns = time.monotonic_ns()

    async def see(self, look: Callable[[], None]) -> None:
        """Look until what is looked for is there, or patience has an end."""
        self.switch_on()
        began_s = looked_s = time.monotonic()
        calling, calling_s = False, 0.0  # whether a call was on the screen, and for how long
        while True:
            self.settle()
            before_s, looked_s = looked_s, time.monotonic()  # to look takes a while of its own
            took_s = looked_s - began_s
            calling_s += looked_s - before_s if calling else 0
            try:
                look()
            except StepFault as fault:
                if fault.status != 1 or took_s > PATIENCE_S:
                    raise
                calling = _is_call(self.box.picture())
                time.sleep(0.1)
                continue
            self.slowest_s = max(self.slowest_s, took_s - calling_s)
            return

    def settle(self) -> None:
        """Wait until the box is at rest. Raises StepFault where it never is, or the service has come to an end."""
        assert self.service
        assert self._box
        until_s = time.monotonic() + RESTLESS_S
        try:
            rested = False
            while not rested:
                if time.monotonic() >= until_s:
                    raise StepFault(f"the box has not come to rest for {RESTLESS_S} s: it runs or draws on", 1)
                drawn, used_ns = self._box.panel.bytes_taken, self.service.used_ns()
                time.sleep(QUIET_S)
                self.service.check()
                ran = self.service.used_ns() - used_ns > BUSY_NS
                rested = not ran and not self._box.bus.busy and drawn == self._box.panel.bytes_taken
        except Ended as fault:
            raise StepFault(str(fault), 1) from None

    def _with_ports(self, config: Config) -> Config:
        """Tell where head and scanner are plugged in here."""
        head = config.head and replace(config.head, port=str(self._folder / "head"))
        scanner = None if config.scanner is None else {**config.scanner, "port": str(self._folder / "scanner")}
        return replace(config, head=head, scanner=scanner)

    def _take_apart(self) -> None:
        if self._box:
            self._box.close()
        self._box = None


def _is_call(picture: Image.Image) -> bool:
    """Return whether a picture may be a call of the referee, which passes by itself: it has no key."""
    row = picture.convert("L").crop((0, FOOT, WIDTH, FOOT + 1)).tobytes()
    return b"\xff" * (PITCH - 1) not in row
