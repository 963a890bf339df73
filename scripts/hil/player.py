"""Play the steps of a scenario on a box in the guest: press buttons, read the panel, in the guest's time."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PIL import Image

from scripts.guest.lines import Finger, Sim, wait_until
from scripts.hil.box import KernelBox
from scripts.hil.service import LOG, Ended, Service
from scripts.hil.wiring import command, umpi_toml
from umpi.box.config import Config
from umpi.display.sheet import FOOT, PITCH, WIDTH
from umpi.simulator.steps import StepFault
from umpi.simulator.virtual import with_lanes

PATIENCE_S = 20  # limit for the expected screen to appear, without calls: an emulated box is slow
CALLS_S = 60  # limit for the calls before it
QUIET_S, BUSY_NS = 0.06, 6_000_000  # the box is idle if it ran for less than BUSY_NS in QUIET_S and drew nothing
MS = 1_000_000
REACH_NS = 3 * MS  # from the decision to the touch: time spent on this box itself must not delay the next press
IDLE_LIMIT_S = 10  # limit for the box to become idle


class KernelPlayer:
    """Plays on a box with this `config` on the lines of `sim`; its files are in `folder`.

    The command `umpi` starts the service when it is first needed, with `environment` added to this process's own.
    """

    def __init__(self, umpi: Path, sim: Sim, folder: Path, config: Config | None = None) -> None:
        self._umpi, self.sim, self.folder = umpi, sim, folder
        self._finger = Finger(sim)
        self.environment: Mapping[str, str] = {}
        built = config or with_lanes(Config(journal=folder / "games.db"), 1)  # as umpi sim has it
        self.config = replace(built, setup_card=False)  # a scenario that needs the set-up card switches it on
        self._built: Config | None = None
        self._box: KernelBox | None = None
        self.service: Service | None = None
        self.complaints: list[str] = []  # errors of the devices of all boxes built
        self._hand_ns = 0  # when the last movement of the hand ended
        self.slowest_s = 0.0  # the longest wait for an expected screen, without calls

    @property
    def box(self) -> KernelBox:
        """Return the box, switched on."""
        self.switch_on()
        assert self._box
        return self._box

    def switch_on(self) -> None:
        """Build the box and start the service if needed. Raises StepFault if the service does not start."""
        if self.service:
            return
        if not self._box or self._built != self.config:
            self._remove_box()
            self._built = self.config
            self._box = KernelBox(self._with_ports(self.config), self.sim, self._finger, self.folder, self.complaints)
        toml = self.folder / "umpi.toml"
        toml.write_text(umpi_toml(self._box.config), encoding="utf-8")
        try:
            arguments = command(self._umpi, toml, self._box.config)
            self.service = Service(arguments, self.folder, self.environment)
            self._wait_for_panel()
        except Ended as fault:
            raise StepFault(str(fault), 1) from None
        self.settle()

    def _wait_for_panel(self) -> None:
        """Wait until the panel shows something or is unplugged, up to PATIENCE_S.

        This loop never sleeps: the service still imports modules, and if every process slept, a guest's virtual clock
        would jump while files are read.
        """
        assert self.service
        assert self._box
        until_s = time.monotonic() + PATIENCE_S
        while not self._box.panel.lit and self._box.has_panel and time.monotonic() < until_s:
            self.service.check()
            os.sched_yield()

    def kill(self) -> None:
        """Kill the service; the panel keeps its picture. Raises StepFault if the service had already ended."""
        service, self.service = self.service, None
        try:
            if service:
                service.kill()
        except Ended as fault:
            raise StepFault(str(fault), 1) from None

    def report(self, file: Path) -> None:
        """Save the box's session file. Raises StepFault if `umpi report` fails."""
        command_line = [str(self._umpi), "report", "--config", str(self.folder / "umpi.toml"), "--output", str(file)]
        report = subprocess.run(command_line, capture_output=True, text=True)
        if report.returncode:
            raise StepFault(f"umpi report ended with status {report.returncode}: {report.stderr.strip()}", 1)

    def output(self) -> str:
        """Return what the service has printed, in all its runs."""
        log = self.folder / LOG
        return log.read_text(errors="replace") if log.exists() else ""

    def close(self) -> None:
        """Stop the service and remove the box, in any state."""
        try:
            if self.service:
                self.service.close()
            self._remove_box()
        finally:
            self._finger.close()

    async def restart(self) -> None:
        """Cut the power of the box; the next step switches it on again."""
        self.kill()
        if self._box:
            self._box.lose_power()

    async def press(self, button: str, for_ms: int) -> None:
        """Hold a button down for so long, then release it."""
        box = self.box
        self._keep_rhythm()
        for down in (True, False):
            wait_until(self._hand_ns + REACH_NS)
            box.hold(button, down)
            self._hand_ns += for_ms * MS if down else 0

    async def pass_ms(self, ms: int) -> None:
        """Let time pass, more if the box needs it to become idle; a box that is off stays off."""
        self._keep_rhythm()
        if self.service:
            self.settle()
        self._hand_ns += ms * MS
        wait_until(self._hand_ns)

    def _keep_rhythm(self) -> None:
        """Start from the end of the last movement of the hand, or from now if that was long ago."""
        if time.monotonic_ns() - self._hand_ns > 2 * REACH_NS:
            self._hand_ns = time.monotonic_ns()

    async def see(self, look: Callable[[], None]) -> None:
        """Repeat `look` until it passes. Raises its StepFault after PATIENCE_S, to which CALLS_S of calls may add."""
        self.switch_on()
        began_s = looked_s = time.monotonic()
        calling, calling_s = False, 0.0  # whether a call is on the screen, and how long calls have been
        while True:
            self.settle()
            before_s, looked_s = looked_s, time.monotonic()  # looking takes time itself
            took_s = looked_s - began_s
            calling_s += looked_s - before_s if calling else 0
            try:
                look()
            except StepFault as fault:
                if fault.status != 1 or took_s > PATIENCE_S + min(calling_s, CALLS_S):
                    raise
                calling = _is_call(self.box.picture())
                time.sleep(0.1)
                continue
            self.slowest_s = max(self.slowest_s, took_s - calling_s)
            return

    def settle(self) -> None:
        """Wait until the box is idle. Raises StepFault after RESTLESS_S, or if the service has ended."""
        assert self.service
        assert self._box
        until_s = time.monotonic() + IDLE_LIMIT_S
        try:
            idle = False
            while not idle:
                if time.monotonic() >= until_s:
                    raise StepFault(f"the box was not idle within {IDLE_LIMIT_S} s: it still runs or draws", 1)
                drawn, used_ns = self._box.panel.bytes_taken, self.service.used_ns()
                time.sleep(QUIET_S)
                self.service.check()
                ran = self.service.used_ns() - used_ns > BUSY_NS
                idle = not ran and not self._box.bus.busy and drawn == self._box.panel.bytes_taken
        except Ended as fault:
            raise StepFault(str(fault), 1) from None

    def _with_ports(self, config: Config) -> Config:
        """Return the configuration with the ports of sensor head and scanner here."""
        head = config.head and replace(config.head, port=str(self.folder / "head"))
        scanner = None if config.scanner is None else {**config.scanner, "port": str(self.folder / "scanner")}
        return replace(config, head=head, scanner=scanner)

    def _remove_box(self) -> None:
        if self._box:
            self._box.close()
        self._box = None


def _is_call(picture: Image.Image) -> bool:
    """Return whether a picture may be a call of the referee, which disappears by itself: it has no key."""
    row = picture.convert("L").crop((0, FOOT, WIDTH, FOOT + 1)).tobytes()
    return b"\xff" * (PITCH - 1) not in row
