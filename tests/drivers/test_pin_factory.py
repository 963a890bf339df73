"""A gpiozero pin factory on gpiod: what gpiozero promises of pins, and what it does not: stamps and order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from math import inf, nan
from pathlib import Path
from queue import SimpleQueue
from random import Random
from types import ModuleType
from typing import Any

import pytest
from gpiozero import LED, PWMLED, Button, DigitalInputDevice, DigitalOutputDevice, InputDevice
from gpiozero.exc import (
    BadPinFactory,
    GPIOPinInUse,
    GPIOZeroError,
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinInvalidState,
    PinPWMUnsupported,
    PinSetInput,
)
from gpiozero.pins.mock import MockFactory

from tests.kit.fake_gpiod import Bias, Direction, EdgeKind, FakeChip, FakeGpiod, FakeRequest
from tests.kit.patience import got
from tests.kit.watched_pins import PATH, Beam
from umpi.drivers import pin_factory as module
from umpi.drivers.gpio_lines import LostEdges, Stamp
from umpi.drivers.pin_factory import GpiodFactory, NoFactory, NoHeaderChip

MS = 1_000_000


def ignore_edge(ticks: Stamp, state: int) -> None:
    """Hear an edge."""


def raising(fault: Exception, after: Callable[..., None]) -> Callable[..., None]:
    """A call that raises once, and from then on is `after`."""
    faults = [fault]

    def call(*what: Any) -> None:
        if faults:
            raise faults.pop()
        after(*what)

    return call


def test_a_stock_button_is_pressed_and_released(chip: FakeChip, pins: GpiodFactory) -> None:
    events: SimpleQueue[str] = SimpleQueue()
    with Button(17, pin_factory=pins) as button:
        button.when_pressed = lambda: events.put("pressed")
        button.when_released = lambda: events.put("released")
        assert not button.is_pressed
        chip.drive(17, 0, 5 * MS)
        assert got(events) == "pressed"
        assert button.is_pressed
        chip.drive(17, 1, 8 * MS)
        assert got(events) == "released"
        assert chip.inputs[0].config[17].bias is Bias.PULL_UP


def test_a_stock_led_lights(chip: FakeChip, pins: GpiodFactory) -> None:
    with LED(24, pin_factory=pins) as led, LED(25, active_high=False, pin_factory=pins) as other:
        assert (chip.levels[24], chip.levels[25]) == (0, 1)
        led.on()
        other.toggle()
        assert (chip.levels[24], chip.levels[25]) == (1, 0)
        assert (led.value, other.value) == (1, 1)
        led.off()
        assert chip.levels[24] == 0


def test_active_low_is_handled_by_the_device(chip: FakeChip, pins: GpiodFactory) -> None:
    with DigitalInputDevice(4, pull_up=None, active_state=False, pin_factory=pins) as input:
        assert chip.inputs[0].config[4].bias is Bias.DISABLED
        assert (input.value, input.pull_up) == (1, None)
        chip.drive(4, 1)
        assert input.wait_for_inactive(5)


WAYS: list[tuple[str, Any]] = [
    *(("function", value) for value in ("input", "output", "alt0")),
    *(("pull", value) for value in ("up", "down", "floating", "odd")),
    *(("edges", value) for value in ("rising", "falling", "both", "none")),
    *(("bounce", value) for value in (None, 0.01)), *(("state", value) for value in (0, 1)),
    ("when_changed", None), ("when_changed", ignore_edge),
]  # fmt: skip


def after(pin: Any, name: str, value: object) -> tuple[str, ...]:
    """What becomes of a pin that is set: the name of what it raises, and all that it says of itself."""
    fault = ""
    try:
        setattr(pin, name, value)
    except GPIOZeroError as raised:
        fault = type(raised).__name__
    level = int(pin.state) if pin.function == "output" else "from outside"
    return fault, pin.function, pin.pull, pin.edges, f"{pin.bounce} {level}"


@pytest.mark.parametrize("seed", range(25))
def test_a_pin_is_as_gpiozeros_own_pins_are_whatever_is_set(chip: FakeChip, seed: int) -> None:
    """gpiozero's mock is the model. Watching an output is left out: there we refuse, and the mock is silent."""
    chance, ours, mock = Random(seed), GpiodFactory(PATH, FakeGpiod(chip)), MockFactory()
    mock.reset()  # its pins belong to the class
    pin, model = ours.pin("GPIO9"), mock.pin("GPIO9")
    for _ in range(20):
        way = chance.choice(WAYS)
        if way != ("when_changed", ignore_edge) or model.function == "input":
            assert after(pin, *way) == after(model, *way), way
    ours.close()
    mock.reset()


@pytest.mark.parametrize(("pull_up", "bias"), [(True, Bias.PULL_UP), (False, Bias.PULL_DOWN), (None, Bias.DISABLED)])
def test_a_pull_is_the_kernels(chip: FakeChip, pins: GpiodFactory, pull_up: bool | None, bias: Bias) -> None:
    with InputDevice(4, pull_up=pull_up, active_state=None if pull_up is not None else True, pin_factory=pins) as input:
        assert chip.inputs[0].config[4].bias is bias
        assert input.pull_up is pull_up


def test_an_output_left_as_it_is_found_stays(chip: FakeChip, pins: GpiodFactory) -> None:
    chip.levels[24] = 1
    with DigitalOutputDevice(24, initial_value=None, pin_factory=pins) as output:
        assert (output.value, chip.levels[24]) == (1, 1)


def test_pwm_is_refused_as_gpiozero_expects(chip: FakeChip, pins: GpiodFactory) -> None:
    with pytest.raises(PinPWMUnsupported):
        PWMLED(24, pin_factory=pins)
    assert not chip.requests


def test_unsupported_pin_modes_are_refused(chip: FakeChip, pins: GpiodFactory) -> None:
    pin = pins.pin(4)
    with pytest.raises(PinInvalidFunction):
        pin.function = "alt3"
    with pytest.raises(PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(PinInvalidEdges):
        pin.edges = "round"
    with pytest.raises(PinSetInput):
        pin.state = 1
    pin.function = "output"
    with pytest.raises(PinInvalidState):
        pin.state = 0.5
    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    with pytest.raises(PinInvalidPin):
        pins.pin("GPIO28")


@pytest.mark.parametrize(
    "bounce", ["foo", "0.1", b"1", -1, -0.1, nan, inf, -inf, 1e300, 10**400, [], 1j], ids=lambda v: repr(v)[:8]
)
def test_a_senseless_bounce_is_refused_and_changes_nothing(chip: FakeChip, pins: GpiodFactory, bounce: Any) -> None:
    pin = pins.pin(4)
    pin.bounce = 0.25
    with pytest.raises(PinInvalidBounce, match="None or 0 to 3600 seconds"):
        pin.bounce = bounce
    assert pin.bounce == 0.25
    with pytest.raises(PinInvalidBounce):
        Button(17, bounce_time=bounce, pin_factory=pins)
    assert not chip.requests


def test_an_output_reports_no_edges(chip: FakeChip, pins: GpiodFactory) -> None:
    """gpiozero: "If the pin does not support edge detection", PinEdgeDetectUnsupported."""
    pin = pins.pin(4)
    pin.function = "output"
    for _ in range(2):
        with pytest.raises(PinEdgeDetectUnsupported, match="GPIO4 is an output"):
            pin.when_changed = ignore_edge
        assert (pin.when_changed, pins.watchers) == (None, {})
    pin.state = 1
    assert chip.levels[4] == 1, "it is an output still"
    pin.function = "input"
    pin.when_changed = ignore_edge
    assert pin.when_changed is ignore_edge
    assert chip.inputs[0].config[4].edge_detection is EdgeKind.BOTH


def test_a_watch_that_cannot_begin_leaves_no_trace(
    chip: FakeChip, pins: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin, refused = pins.pin(4), OSError(5, "Input/output error")
    chip.holders[4] = "fan"
    with pytest.raises(GPIOPinInUse, match="by fan"):
        pin.when_changed = ignore_edge
    assert (pin.when_changed, pins.watchers) == (None, {})
    del chip.holders[4]
    pin.function = "input"
    with monkeypatch.context() as patch:
        patch.setattr(FakeRequest, "reconfigure_lines", raising(refused, after=FakeRequest.reconfigure_lines))
        with pytest.raises(OSError, match="Input/output"):
            pin.when_changed = ignore_edge
    assert (pin.when_changed, pins.watchers) == (None, {})
    pin.when_changed = ignore_edge
    assert chip.inputs[0].config[4].edge_detection is EdgeKind.BOTH


def test_edges_and_a_pull_that_are_refused_leave_the_pin_as_it_was(
    chip: FakeChip, pins: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin, refused = pins.pin(4), OSError(5, "Input/output error")
    pin.when_changed = ignore_edge
    with monkeypatch.context() as patch:
        patch.setattr(FakeRequest, "reconfigure_lines", raising(refused, after=FakeRequest.reconfigure_lines))
        with pytest.raises(OSError, match="Input/output"):
            pin.edges = "falling"
    with monkeypatch.context() as patch:
        patch.setattr(FakeRequest, "reconfigure_lines", raising(refused, after=FakeRequest.reconfigure_lines))
        with pytest.raises(OSError, match="Input/output"):
            pin.pull = "up"
    assert (pin.edges, pin.pull) == ("both", "floating")


def test_all_inputs_are_in_one_request_with_the_largest_buffer(chip: FakeChip, pins: GpiodFactory) -> None:
    beams = [Beam(pin, pins) for pin in (4, 17, 27)]
    (request,) = chip.inputs
    assert (sorted(request.config), request.buffer.maxlen) == ([4, 17, 27], 1024)
    for beam in beams:
        beam.close()
    assert not chip.requests


def test_lamps_leave_the_request_of_the_inputs_alone(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins):
        held = chip.inputs
        with LED(24, pin_factory=pins) as led:
            led.on()
        assert chip.inputs == held


def test_edges_that_wait_while_an_input_is_added_are_not_lost(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins) as beam, pins.inputs.lock:
        chip.arrive((4, 0, 10), (4, 1, 20))
        with Beam(17, pins):
            pins.inputs.lock.release()  # the thread may go on
            try:
                assert [beam.next(), beam.next()] == [(4, 0, 10), (4, 1, 20)]
            finally:
                pins.inputs.lock.acquire()
    assert pins.lost_edges == 0


def test_an_edge_missed_while_an_input_is_added_is_reported(
    chip: FakeChip, pins: GpiodFactory, lost: SimpleQueue[LostEdges]
) -> None:
    with Beam(4, pins):
        chip.on_release = lambda: chip.levels.update({4: 0})
        with Beam(17, pins):
            miss = got(lost)
    assert (miss.count, miss.overflow) == (1, False)
    assert 0 < miss.after_ns <= miss.until_ns


def test_a_line_that_another_program_holds_is_refused_by_name_and_disturbs_no_other(
    chip: FakeChip, pins: GpiodFactory
) -> None:
    chip.holders[17] = "fan"
    with Beam(4, pins) as beam:
        held = chip.inputs
        with pytest.raises(GPIOPinInUse, match=r"GPIO17 .* by fan"):
            Beam(17, pins)
        with pytest.raises(GPIOPinInUse, match="fan"):
            LED(17, pin_factory=pins)
        assert chip.inputs == held
        chip.drive(4, 0, 7)
        assert beam.next() == (4, 0, 7)


def test_a_request_that_fails_all_the_same_leaves_the_other_inputs(
    chip: FakeChip, pins: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program may take the line between the look and the request."""
    monkeypatch.setattr(pins, "need_free", lambda _: None)
    chip.holders[17] = "fan"
    with Beam(4, pins) as beam:
        with pytest.raises(OSError, match="busy"):
            Beam(17, pins)
        chip.drive(4, 0, 7)
        assert beam.next() == (4, 0, 7)


def test_a_pin_can_be_closed_and_used_again(chip: FakeChip, pins: GpiodFactory) -> None:
    with LED(4, initial_value=True, pin_factory=pins), pytest.raises(GPIOPinInUse):
        Beam(4, pins)
    assert chip.directions[4] is Direction.INPUT
    assert not chip.requests
    for at_ns in (10, 20):
        with Beam(4, pins) as beam:
            chip.drive(4, at_ns % 20 == 0, at_ns)
            assert beam.next() == (4, at_ns % 20 == 0, at_ns)
    with LED(4, pin_factory=pins) as led:
        assert led.value == 0


def test_the_kernel_watches_a_line_for_as_long_as_somebody_listens(chip: FakeChip, pins: GpiodFactory) -> None:
    """Each edge that nobody wants costs a wake-up, and a place in the buffer of all inputs."""
    pin = pins.pin(4)
    pin.function = "input"
    pin.when_changed = ignore_edge
    assert chip.inputs[0].config[4].edge_detection is EdgeKind.BOTH
    pin.when_changed = None
    assert chip.inputs[0].config[4].edge_detection is EdgeKind.NONE


def test_a_closed_pin_forgets_who_listened(chip: FakeChip, pins: GpiodFactory) -> None:
    pin = pins.pin(4)
    pin.function = "input"
    pin.when_changed = ignore_edge
    assert pin.when_changed is not None
    pin.close()
    assert pin.when_changed is None


def test_a_device_closed_after_its_factory_closes_quietly(chip: FakeChip) -> None:
    with GpiodFactory(PATH, FakeGpiod(chip)) as pins:
        beam, led = Beam(4, pins), LED(24, pin_factory=pins)
    beam.close()
    led.close()


def test_a_handler_may_close_its_own_device(chip: FakeChip, pins: GpiodFactory) -> None:
    closed: SimpleQueue[bool] = SimpleQueue()
    device = DigitalInputDevice(4, pull_up=True, pin_factory=pins)
    device.when_activated = lambda: (device.close(), closed.put(device.closed))
    with Beam(17, pins) as beam:
        chip.arrive((4, 0, 1), (4, 1, 2), (17, 0, 3))
        assert got(closed)
        assert beam.next() == (17, 0, 3)
    assert pins.faults == 0


def test_the_chip_of_a_pis_header_is_found_by_its_label(monkeypatch: pytest.MonkeyPatch) -> None:
    chips = [FakeChip("/dev/gpiochip0", "brcmvirt-gpio"), FakeChip("/dev/gpiochip4", "pinctrl-rp1", 54)]
    monkeypatch.setattr(module, "glob", lambda _: ["/dev/gpiochip9", *(chip.path for chip in chips)])
    with GpiodFactory(gpiod=FakeGpiod(*chips)) as pins:
        assert pins.chip.label == "pinctrl-rp1"
        assert [chip.closed for chip in chips] == [True, False], "a chip that is not the header's is free again"


def test_without_a_pis_chip_the_error_names_the_chips_found_and_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a Pi the chip may appear a little later; another computer has none."""
    pi, laptop = tmp_path / "pi", tmp_path / "laptop"
    pi.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    laptop.write_bytes(b"ThinkPad\0")
    both = r"gpiochip0: gpio-sim; /dev/gpiochip1: No such .*UMPI_GPIO_CHIP="
    for model, final in ((pi, False), (laptop, True), (tmp_path / "none", True)):
        monkeypatch.setattr(module, "MODEL", model)
        for chips, why in (([PATH, "/dev/gpiochip1"], both), ([], "there is no /dev/gpiochip")):
            monkeypatch.setattr(module, "glob", lambda _, chips=chips: chips)
            with pytest.raises(BadPinFactory, match=why) as refused:
                GpiodFactory(gpiod=FakeGpiod(FakeChip(label="gpio-sim")))
            assert isinstance(refused.value, NoHeaderChip) == final


def test_every_device_on_the_pins_of_a_computer_without_any_fails_with_the_reason() -> None:
    for make in (partial(LED, 4), partial(Button, 4)):
        with pytest.raises(BadPinFactory, match="no pins here"):
            make(pin_factory=NoFactory("no pins here"))


def test_a_chip_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPI_GPIO_CHIP", "/dev/gpiochip3")
    with GpiodFactory(gpiod=FakeGpiod(FakeChip("/dev/gpiochip3", "gpio-sim"))) as pins:
        assert pins.chip.label == "gpio-sim"
    with pytest.raises(BadPinFactory, match="gpiochip3 cannot be had: No such file"):
        GpiodFactory(gpiod=FakeGpiod())


def test_a_missing_or_old_gpiod_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(BadPinFactory, match="pip install gpiod"):
        GpiodFactory()
    monkeypatch.setitem(sys.modules, "gpiod", ModuleType("gpiod"))
    with pytest.raises(BadPinFactory, match="version 2"):
        GpiodFactory()


def test_on_a_pi_its_board_is_known(chip: FakeChip, pins: GpiodFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """0x902120 is a Zero 2 W; GPIO2 has a resistor that pulls it up."""
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0x902120)
    assert pins.board_info.model == "Zero2W"
    with pytest.raises(PinFixedPull):
        InputDevice("BOARD3", pull_up=False, pin_factory=pins)
    with InputDevice("BOARD3", pull_up=True, pin_factory=pins):
        assert chip.inputs[0].config[2].bias is Bias.PULL_UP


def test_off_a_pi_the_pins_are_the_lines_of_the_chip() -> None:
    """No revision is made up."""
    with GpiodFactory(PATH, FakeGpiod(FakeChip(label="gpio-sim", num_lines=8))) as pins:
        assert pins.board_info.description == "gpio-sim rev "
        assert f"{pins.board_info:headers}"
        assert pins.pin(7) is pins.pin("GPIO7")
        with pytest.raises(PinInvalidPin):
            pins.pin(8)
