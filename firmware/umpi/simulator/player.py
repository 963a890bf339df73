"""A player of a virtual box in injected time, which stops at each moment when the box has something to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from umpi.box.box import Post
from umpi.box.config import Config
from umpi.kernel.nothing import nothing
from umpi.recording.recorder import Recorder
from umpi.service.card_line import CardLine
from umpi.service.start import CodesOf
from umpi.simulator.steps import StepFault
from umpi.simulator.virtual import VirtualBox
from umpi.timing.units import MS

PATIENCE_S = 60.0  # of real time, for the panel's thread on a busy machine
LOOK_S = 0.002
SEED = 18  # what is drawn by lot is the same in each play


class NoPicture(Exception):
    """Report that the panel does not show the newest picture, and why."""


class SimulatedPlayer:
    """Operate a virtual box that is switched on. Begin with `wait_until_shown`, end with `close`.

    The box shows no set-up card, so that most games begin with fewer presses. `codes_of` makes the codes that pair
    phones; without it, the box has no page for them. `card_of` makes the line to its card, if it has one. They and
    `config` can be changed before a restart.
    """

    def __init__(self, config: Config, codes_of: CodesOf | None = None) -> None:
        self.config, self.recorder = replace(config, setup_card=False), Recorder()
        self.codes_of = codes_of
        self.card_of: Callable[[Post], CardLine | None] = nothing
        self.now_ns = 1_000_000_000
        self.box = self._box()

    async def restart(self) -> None:
        """Unplug the box and switch it on again with the current `config`."""
        self.box.close()
        self.box = self._box()
        await self.wait_until_shown()

    def close(self) -> None:
        """Switch the box off."""
        self.box.close()

    async def pass_ms(self, ms: int) -> None:
        """Let time pass, in ms."""
        until_ns = self.now_ns + ms * MS
        await self.wait_until_shown()
        while self.box.fly_on(until_ns, self._go_to):
            await self.wait_until_shown()
        self.now_ns = until_ns
        await self.wait_until_shown()

    async def press(self, button: str, for_ms: int) -> None:
        """Press a button for `for_ms` milliseconds, then release it."""
        self.box.hold(button, True)
        await self.pass_ms(for_ms)
        self.box.hold(button, False)
        await self.wait_until_shown()

    async def see(self, look: Callable[[], None]) -> None:
        """Look; if that fails at a call of the referee, let the call pass and look again. Raises StepFault."""
        while self.box.referee.panel.calls.due_ns is not None:
            try:
                look()
            except StepFault:
                await self.pass_call()
            else:
                return
        look()

    async def pass_call(self) -> bool:
        """Let the call that is on the screen pass; return False if there is none."""
        due_ns = self.box.referee.panel.calls.due_ns
        if due_ns is not None:
            await self.pass_ms(-(-(due_ns - self.now_ns) // MS))
        return due_ns is not None

    async def wait_until_shown(self) -> None:
        """Let the box process all events, and wait until the panel shows the result. Raises NoPicture."""
        await self.box.loop.catch_up()
        while self.box.finish_finding():
            await self.box.loop.catch_up()
        if not self._shown():
            await self.box.loop.catch_up()  # the panel may have reported an error

    def _shown(self) -> bool:
        """Wait until the panel shows the newest picture. Return False if it is unplugged and has reported that."""
        oled = self.box.box.oled
        if not oled:
            return True
        until_s = time.monotonic() + PATIENCE_S
        while not oled.wait_shown(LOOK_S if self.box.chip.pulled else PATIENCE_S):
            if self.box.chip.pulled and oled.trouble:
                return False
            if time.monotonic() > until_s:
                raise NoPicture(f"the panel does not answer: {oled.trouble}")
        return True

    def _box(self) -> VirtualBox:
        return VirtualBox(
            self.config,
            lambda: self.now_ns,
            recorder=self.recorder,
            seed=SEED,
            codes_of=self.codes_of,
            card_of=self.card_of,
        )

    def _go_to(self, now_ns: int) -> None:
        self.now_ns = now_ns
