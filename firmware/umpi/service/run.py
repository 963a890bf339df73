"""The service: runs the box on a Raspberry Pi, with real pins and a real panel, until a stop signal."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpiozero.exc import BadPinFactory, GPIOZeroError

from umpi.box.box import Box, OnTrouble, Post
from umpi.box.config import Config, HeadPlan, RailBus, WebPlan
from umpi.display.notice import Notice
from umpi.drivers.buses import PanelBus, i2c_bus, spi_bus
from umpi.drivers.colours import ColourProfile
from umpi.drivers.gpio_lines import LostEdges
from umpi.drivers.head import PATH, Head
from umpi.drivers.head_bus import HeadBus
from umpi.drivers.head_link import HeadReport
from umpi.drivers.oled import Oled
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.pin_factory import GpiodFactory, NoFactory, NoHeaderChip, OnFault, OnLost
from umpi.drivers.queue_rail import Rail
from umpi.drivers.scanner import Reader, Scanner
from umpi.drivers.tcs34725 import open_bus
from umpi.i18n.translate import set_language, tr
from umpi.journal import Foreign, check_file, claimed
from umpi.kernel.extras import packages, pip_install
from umpi.kernel.game import full_title
from umpi.kernel.nothing import nothing
from umpi.recording.ask import REPORT, answering
from umpi.referee.events import DeviceEvent, DeviceStatus
from umpi.referee.view_state import ViewState
from umpi.service.card_line import SOCKET, card_line
from umpi.service.emitter_check import SETTLE_NS, EmitterCheck, HeadSwitch, PinSwitch, longest_ns
from umpi.service.engines import engines_watched
from umpi.service.hello import is_new, say_hello
from umpi.service.inbox import Inbox
from umpi.service.last_update import last_update_told
from umpi.service.logs import FaultMessages, RecentMessages, handling
from umpi.service.loop import Loop
from umpi.service.page import LatePage
from umpi.service.shelf_line import shelf_line
from umpi.service.start import KeptPhones, Service, assemble, journal_of
from umpi.service.systemd import ServiceManager, Watchdog, more_time
from umpi.timing.events import Lost
from umpi.wifi.reach import find_reach

if TYPE_CHECKING:  # a box without [desk] need not import this
    from umpi.web.codes import Codes

log = logging.getLogger(__name__)

OLD_LINUX = Path("/sys/class/gpio/gpiochip0")  # a Pi's pins by their numbers, where RPi.GPIO takes edges: before 6.6

FIRST_PICTURE_S = 1.0  # how long the import of the page waits for the first picture, which a broken panel never shows

Serving = Callable[[asyncio.Event], Coroutine[Any, Any, None]]  # serves the web pages until the event is set


class NoPins(Exception):
    """Raised if there is no usable GPIO on this computer."""


class NoHeader(NoPins):
    """Raised on a computer that is no Pi and has no chip of a Pi's header: `why`."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}. Without pins, play on the virtual box: umpi sim")
        self.why = why


def run(config: Config, on_claimed: Callable[[], object] = nothing) -> None:
    """Run the service until SIGTERM or SIGINT. `on_claimed` is called once no other box can use the journal.

    On a computer without pins, the box has a page and no buttons. Raises NoHeader if it has no page either, NoPins if
    no button can be opened, Foreign if the journal is another program's file, InUse if another box uses it.
    """
    try:
        check_file(config.journal, config.own_journal)
    except Foreign as fault:
        _last_words(config, fault)
        raise
    inbox = Inbox()
    post = partial(_post_and_log, inbox)
    try:
        pins = pin_factory(config.factory, partial(_lost, post), partial(_pin_fault, post))
    except NoHeader as fault:
        if not config.desk:
            raise
        pins = NoFactory(fault.why)
    with claimed(config.journal), engines_watched():
        on_claimed()
        _run(config, inbox, post, pins)


def _run(config: Config, inbox: Inbox, post: Post, pins: Any) -> None:
    """Build the box and run it. Its devices post into the inbox, and log what fails."""
    plan, clock, messages = config.desk, time.monotonic_ns, RecentMessages()
    with more_time(os.environ):  # a large journal that must be repaired or converted takes minutes
        journal = journal_of(config)
    try:
        service = assemble(
            config,
            journal,
            inbox,
            pins,
            RealPlugs(config, clock),
            clock,
            post=post,
            codes_of=partial(_codes_of, plan) if plan else None,
            check_of=partial(_emitter_check, clock=clock),
            find_reach=partial(find_reach, config.own_network),
            card_of=card_line,
            shelf_of=partial(shelf_line, config, config.journal.parent),
            messages=messages,
        )
    except GPIOZeroError as fault:
        raise NoPins(f"no button can be had: {fault}. Without a box, play on the virtual one: umpi sim") from None
    for name, trouble in service.box.device_errors.items():
        log.warning("%s: %s", name, trouble)
    serving: Serving = partial(_load_games, service)
    if service.page and plan:
        serving = partial(_serve, service, service.page, plan, post)
        if SOCKET.exists() and is_new(journal):  # a card whose owner has no other screen
            say_hello(config.own_network, inbox.post)
    faults = FaultMessages(service.loop.note_fault)
    with closing(service.box), closing(service.loop), handling(messages, faults), last_update_told(inbox.post):
        _run_loop(service.loop, serving)


def _post_and_log(inbox: Inbox, event: DeviceEvent) -> None:
    if isinstance(event, DeviceStatus) and event.reason:
        log.warning("%s: %s", event.device, event.reason)
    elif isinstance(event, DeviceStatus):
        log.info("%s: it answers", event.device)
    inbox.post(event)


def _codes_of(plan: WebPlan, kept: KeptPhones) -> Codes:
    """Return the codes that pair phones with this box, by the address of its page."""
    from umpi.web.address import address_for_phones
    from umpi.web.codes import Codes

    return Codes(kept, lambda: address_for_phones(plan.listen, plan.port))


def _emitter_check(box: Box, clock: Callable[[], int]) -> EmitterCheck | None:
    """Return the test of the emitters, which the box or its sensor head switches; None if neither does."""
    if not box.funnel:
        return None
    if box.emitters:
        if longest_ns(box.funnel.settings) <= 2 * SETTLE_NS:
            log.warning("the emitters are not tested: a cube passes a beam as fast as a test takes")
            return None
        beams = [line for line in box.lines if line.name in box.funnel.lines]
        return EmitterCheck(PinSwitch(box.emitters, beams, clock, box.funnel.settings), clock)
    if not (head := box.head):
        return None
    blink = partial(asyncio.to_thread, head.blink)
    switch = HeadSwitch(list(box.funnel.lines), box.funnel.settings, lambda: head.dark, blink)
    return EmitterCheck(switch, clock)


async def _serve(service: Service, page: LatePage, plan: WebPlan, post: Post, stop: asyncio.Event) -> None:
    """Import the page for phones, and serve it until `stop` is set. Presses are answered while it is imported."""

    def load() -> None:
        _load_rest(service)
        import_module("umpi.web.serving")

    try:
        await asyncio.to_thread(load)
        from umpi.web.serving import serve

        web_app = page.open(service.loop)
    except Exception as fault:  # a package is missing or broken: no phones, but the game goes on
        log.exception("The page for phones cannot be loaded")
        post(DeviceStatus("desk", f"{type(fault).__name__}: {fault}"))
        if not service.box.lines:  # neither buttons nor phones
            stop.set()
            raise
        return
    if not service.box.lines:
        _invite(web_app.codes, plan)
    gc.freeze()  # as the loop does at its start, now with the page
    await serve(web_app, plan.listen, plan.port, stop, lambda why: post(DeviceStatus("desk", why)))


def _invite(codes: Codes, plan: WebPlan) -> None:
    """Print the address that pairs the referee's phone: without buttons, nobody can ask the box for a code."""
    address = codes.page() or f"http://localhost:{plan.port}/"
    print(f"No buttons here. The referee's phone or browser opens {address}#pair={codes.invite()}", flush=True)


async def _load_games(service: Service, _stop: asyncio.Event) -> None:
    await asyncio.to_thread(_load_rest, service)


def _load_rest(service: Service) -> None:
    """Wait for the first picture, then load the games and rules that it did not need, so that no press waits later.

    A fault there is logged: the game goes on, and the page is served.
    """
    if service.box.oled:
        service.box.oled.wait_shown(FIRST_PICTURE_S)
    try:
        service.loop.view.state.rules.read()
    except Exception:
        log.exception("Not all games and rules can be loaded")
    gc.freeze()  # as the loop does at its start, now with the games


def _run_loop(loop: Loop, serving: Serving | None) -> None:
    """Run the loop until it is told to stop. If it fails, the report shows what led to it."""
    try:
        asyncio.run(run_until_signal(loop, serving))
    except Exception as fault:
        loop.report_crash(fault)
        raise


def _last_words(config: Config, fault: Foreign) -> None:
    """Show on the panel why the box does not start. The text remains as long as the panel has power."""
    try:
        oled = RealPlugs(config, time.monotonic_ns).oled(pin_factory(config.factory), nothing)
        set_language(config.language)
        oled.show(Notice(tr("Problem"), tr(fault.args[0])).picture(""))
        oled.wait_shown()
    except Exception:  # panel or pins fail as well: the caller reports the reason anyway
        log.debug("the panel could not show why the box does not start", exc_info=True)


def pin_factory(name: str, on_lost: OnLost | None = None, on_fault: OnFault = nothing) -> Any:
    """Return the gpiozero factory `name`, without any fallback. Raises NoPins or NoHeader with what is missing.

    Only gpiod reports lost edges and its own faults.
    """
    try:
        if name == "gpiod":
            return GpiodFactory(on_lost=on_lost, on_fault=on_fault)
        if name == "lgpio":
            os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio leaves a FIFO in the working directory
            from gpiozero.pins.lgpio import LGPIOFactory as Factory
        else:
            from gpiozero.pins.rpigpio import RPiGPIOFactory as Factory

            if "RPi._GPIO" in sys.modules and not OLD_LINUX.exists():  # RPi.GPIO itself, which has a part in C
                raise NoPins(
                    "RPi.GPIO reports no presses on Linux 6.6 or newer. Put rpi-lgpio in its place: "
                    f'{pip_install("rpi-lgpio")}, after pip uninstall RPi.GPIO. Or write factory = "gpiod"'
                )
        return Factory()
    except NoPins:
        raise
    except NoHeaderChip as fault:
        raise NoHeader(str(fault)) from None
    except BadPinFactory as fault:
        raise NoPins(f"{fault}. Without pins, play on the virtual box: umpi sim") from None
    except Exception as fault:  # lgpio raises its own errors, RPi.GPIO a RuntimeError off a Pi
        extra = "lgpio" if name == "lgpio" else "rpi-gpio" if OLD_LINUX.exists() else "rpi-lgpio"
        raise NoPins(
            f"there are no pins of factory {name} here ({type(fault).__name__}: {fault}). On a Raspberry Pi: "
            f"{pip_install(*packages(extra))}. Without one, play on the virtual box: umpi sim"
        ) from None


class RealPlugs:
    """Open the devices that `umpi.toml` lists; `clock` returns monotonic nanoseconds."""

    def __init__(self, config: Config, clock: Callable[[], int]) -> None:
        self._config, self._clock = config, clock
        self._head: Head | None = None

    def oled(self, pins: Any, on_trouble: OnTrouble) -> Oled:
        """Return the panel on its I²C or SPI bus; `pins` is the gpiozero factory for its lines beside the bus."""
        config, spi, reset = self._config, self._config.display_spi, self._config.display_reset
        chip: Any = config.display

        def bus() -> PanelBus:
            if spi:
                return spi_bus(spi.port, spi.device, spi.dc, reset, spi.select, pins)
            return i2c_bus(config.display_bus, config.display_address, reset, pins)

        return Oled(lambda: open_panel(chip, bus(), config.contrast), chip, on_trouble, config.upside_down)

    def head(self, plan: HeadPlan, report: Callable[[HeadReport], object]) -> Head:
        """Return the sensor head at its port."""
        self._head = Head(plan.port or PATH, plan.lines, report=report, dark_low=plan.dark_low, clock=self._clock)
        return self._head

    def rail(self, bus: RailBus, colours: ColourProfile | None, on_seen: Post, on_trouble: OnTrouble) -> Rail:
        """Return the colour sensor on its I²C bus or at the sensor head, started."""
        if bus == "head":
            head = self._head
            assert head  # otherwise the box asks for no sensor there
            rail = Rail(lambda: HeadBus(head), colours, on_seen, self._clock, on_trouble=on_trouble)
        else:
            rail = Rail(lambda: open_bus(bus), colours, on_seen, self._clock, on_trouble=on_trouble)
        rail.start()
        return rail

    def scanner(self, reader: Reader, on_scan: Post, on_trouble: OnTrouble) -> Scanner:
        """Return the card scanner at its port."""
        return Scanner(reader, on_scan, self._clock, on_trouble)


def _lost(post: Post, lost: LostEdges) -> None:
    log.warning("pins: %d edges were lost", lost.count)
    post(Lost(lost.count))


def _pin_fault(post: Post, where: str, fault: BaseException) -> None:
    """Report a device error of the pins. The panel shows it, and the watchdog restarts the box."""
    post(DeviceStatus("pins", f"{where}: {type(fault).__name__}: {fault}"))


async def run_until_signal(loop: Loop, serving: Serving | None) -> None:
    """Run the loop, and serve the web pages, until SIGINT or SIGTERM. `umpi report` asks it for a report meanwhile."""
    stop = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    beside = [serving(stop)] if serving else []
    reports: set[asyncio.Task[object]] = set()

    def report() -> None:
        reports.add(task := asyncio.create_task(loop.report("umpi report")))
        task.add_done_callback(reports.discard)

    asyncio.get_running_loop().add_signal_handler(REPORT, report)
    await loop.catch_up()  # the first picture: all that is not needed for it comes later
    if "NOTIFY_SOCKET" in os.environ:
        beside.append(_watch(loop, ServiceManager(os.environ)).run(stop))
    tasks = [asyncio.create_task(each) for each in beside]
    with answering(loop.journal.path):
        await loop.run(stop)
    await asyncio.gather(*tasks)
    # The event loop closes its pipe before it gives up its signals. A tick of the engines' watch between the two would
    # be written to the closed pipe.
    signal.set_wakeup_fd(-1)


def _watch(loop: Loop, manager: ServiceManager) -> Watchdog:
    """Return a watchdog for the loop, which it wakes."""
    status, well = (lambda: _status(loop.view)), (lambda: "pins" not in loop.view.broken)
    return Watchdog(manager, lambda: loop.turned, loop.inbox.waker.wake, status, well)


def _status(view: ViewState) -> str:
    """Return the current game, whose turn it is, and the journal's error if there is one."""
    match, trouble = view.match, view.state.unsaved
    if not match or not view.on:
        status = "No active match"
    elif not match.asks:
        status = f"{full_title(match.game)}, over"
    else:
        whose = "everybody" if match.seat is None else match.players[match.seat]
        status = f"{full_title(match.game)}, {whose}'s turn"
    return f"{status}. Not saved: {trouble}" if trouble else status
