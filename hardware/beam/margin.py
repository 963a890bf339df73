"""How much light each beam has to spare, and how late it shows an edge: closed form, in the worst case of all parts.

Light that falls on the receiver draws a current through its load, from 3.3 V. The comparator says "light" while that
drop is larger than the drop of the reference, which is smaller while the beam is light: that is the hysteresis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import atan, exp, hypot, inf, log, pi

from hardware.beam.numbers import Numbers, Range
from hardware.gate.geometry import Gate
from hardware.gate.numbers import read_numbers
from hardware.spec import BadSpec

RESISTOR = (1.01, 1.0, 0.99)  # a larger resistor at the emitter gives less light
CAPACITOR = 1.05
OPEN_V = 0.4  # of a photodiode in bright light without a load: the drop cannot exceed the supply by more
CHIP_MM = 4.0  # of the emitter, behind the top of its lens


@dataclass(frozen=True, slots=True)
class Beam:
    """A beam of a lane. Currents in mA, light in mW/cm², drops at the load in V, times in µs."""

    emitter_ma: Range
    light: Range
    drop: Range  # by its own emitter, before the supply limits it
    sun: float  # by daylight, at most
    dark: float  # by the current of the dark receiver, at most
    to_dark: float  # drop below which the beam is surely dark
    to_light: float  # drop above which it is surely light
    tau_us: Range  # of load and capacitors
    delay_us: float
    full: float  # the largest drop that the supply allows

    @property
    def light_margin(self) -> float:
        """Return how many times as much light the weakest beam has as it needs."""
        return self.drop[0] / self.to_light

    @property
    def dark_margin(self) -> float:
        """Return how many times as bright the day may be before a broken beam seems light."""
        return self.to_dark / (self.sun + self.dark)

    @property
    def dark_us(self) -> Range:
        """Return how long after the light a beam shows that it is dark; the brightest beams do so last."""
        drops = [min(drop, self.full) for drop in (self.to_light, self.drop[1], self.drop[2])]
        least, usual, most = (tau * log(drop / self.to_dark) for tau, drop in zip(self.tau_us, drops, strict=True))
        return least, usual + self.delay_us, most + self.delay_us

    @property
    def sunny_us(self) -> float:
        """Return how long at most after the light a beam shows that it is dark in daylight, which holds it up."""
        other = self.sun + self.dark
        if other >= self.to_dark:
            return inf
        drop = min(self.drop[2] + other, self.full)
        return self.tau_us[2] * log((drop - other) / (self.to_dark - other)) + self.delay_us

    @property
    def light_us(self) -> float:
        """Return how long at most after the light returns a beam shows it; the weakest do so last, or never."""
        if self.light_margin <= 1:
            return inf
        return self.tau_us[2] * -log(1 - 1 / self.light_margin) + self.delay_us

    @property
    def edges_us(self) -> float:
        """Return how far apart at most two beams show edges of the same moment, one of them in daylight."""
        return max(self.sunny_us - self.dark_us[0], self.light_us)

    def spare(self, delay_us: float) -> float:
        """Return how many times the needed light a beam had that became dark so long after its emitter.

        >>> from hardware.beam.numbers import load
        >>> round(beam(load()).spare(0.08), 2)
        1.0
        """
        return exp((delay_us - self.delay_us) / self.tau_us[1])


def seen(away: float, high: float, along: float) -> float:
    """Return how much of a corner's rectangle a small piece of wall sees: its share of what the piece sends out.

    The rectangle is at right angles to the wall, `away` from the piece, `high` from the wall and `along` to one side.
    """
    slant = hypot(away, high)
    return (atan(along / away) - away / slant * atan(along / slant)) / (2 * pi)


def openness(gate: Gate) -> float:
    """Return which share of the light at a lane's open ends reaches its wall opposite a receiver."""
    middle = gate.cube / 2
    ends = (gate.beams[1], gate.throat - gate.beams[0])
    return sum(seen(away, gate.lane, along) for away in ends for along in (middle, gate.high - middle))


def reference_v(numbers: Numbers, volt: float, light: bool, wrong: float) -> float:
    """Return the drop of the reference below the supply; `wrong` is the error of its upper resistor, 1.01 or 0.99."""
    own = numbers.comparator
    upper, lower, hold = 1 / (own.upper_ohm * wrong), wrong / own.lower_ohm, wrong / own.hold_ohm
    return volt * (lower if light else lower + hold) / (upper + lower + hold)


def beam(numbers: Numbers, gate: Gate | None = None) -> Beam:
    """Compute a beam of a lane, by default that of the printed gate for cubes of 16 mm."""
    gate = gate or _printed()
    emitter, receiver, own, supply = numbers.emitter, numbers.receiver, numbers.comparator, numbers.supply
    sensor = gate.numbers.sensor
    way_cm = (gate.lane + 2 * sensor.baffle_mm + CHIP_MM) / 10
    share = (sensor.aperture_mm / emitter.lens_mm) ** 2  # of a lens, the aperture leaves only the middle
    current: list[float] = []
    light: list[float] = []
    for at in range(3):
        left = supply.usb_volt[at] - supply.driver_volt[2 - at] - emitter.volt[2 - at]
        current.append(left / (emitter.ohm * RESISTOR[at]) * 1000)
        factor = emitter.heat[at] * emitter.age[at] * emitter.tilt[at] * share / way_cm**2
        light.append(emitter.mw_sr[at] * current[at] / 100 * factor)
    middle = (sensor.aperture_mm / receiver.lens_mm) ** 2
    hole_cm2 = pi * (sensor.aperture_mm / 20) ** 2
    best_ua = hole_cm2 * receiver.amp_per_watt * 1000  # all light through the aperture reaches the chip
    per_light = (receiver.ua[0] * middle, receiver.ua[1] * middle, best_ua)
    load = [receiver.load_ohm / 1e6 * wrong for wrong in (0.99, 1.0, 1.01)]  # V per µA
    sun_mw = numbers.light.lux / numbers.light.lumen_per_watt / 10 * numbers.light.infrared * openness(gate)
    round_mm = sensor.aperture_mm / 2
    through = sun_mw * numbers.light.pale * round_mm**2 / (round_mm**2 + sensor.baffle_mm**2)
    farad = (receiver.load_pf, receiver.picofarad + receiver.stray_pf)
    tau = [load[1] * (farad[0] + farad[1]), load[2] * (farad[0] * CAPACITOR + farad[1])]
    spread = (own.offset_mv + own.own_mv / 2) / 1000
    return Beam(
        emitter_ma=(current[0], current[1], current[2]),
        light=(light[0], light[1], light[2]),
        drop=(light[0] * per_light[0] * load[0], light[1] * per_light[1] * load[1], light[2] * per_light[2] * load[2]),
        sun=through * best_ua * load[2],
        dark=receiver.dark_na / 1000 * load[2],
        to_dark=reference_v(numbers, supply.volt[0], True, 1 / 1.01) - spread,
        to_light=reference_v(numbers, supply.volt[2], False, 1.01) + spread,
        tau_us=(load[0] * farad[0] / CAPACITOR, tau[0], tau[1]),
        delay_us=own.delay_us,
        full=supply.volt[2] + OPEN_V,
    )


def faults(numbers: Numbers, gate: Gate | None = None) -> Iterator[str]:
    """Yield each reason for which a board with these numbers must not be built."""
    found, limit = beam(numbers, gate), numbers.limit
    if found.light_margin < limit.margin:
        yield (
            f"the weakest beam has {found.light_margin:.2f} times the light it needs, less than {limit.margin:g}: "
            "more current, a larger load, or a smaller reference."
        )
    if found.dark_margin < limit.margin:
        yield (
            f"{numbers.light.lux:g} lux make {1 / found.dark_margin:.2f} of what seems light, more than "
            f"{1 / limit.margin:.2f}: a larger reference, or a smaller load."
        )
    volt = numbers.supply.volt[1]
    hold_mv = 1000 * (reference_v(numbers, volt, False, 1.0) - reference_v(numbers, volt, True, 1.0))
    if hold_mv < limit.hold_mv:
        yield f"the hysteresis of the reference is {hold_mv:.0f} mV, less than {limit.hold_mv:g}: a smaller hold_ohm."
    if (lane_ma := 2 * found.emitter_ma[2]) > numbers.supply.lane_ma:
        yield f"both emitters take {lane_ma:.0f} mA, more than {numbers.supply.lane_ma:g}: a larger resistor."
    if found.edges_us > limit.edges_us:
        yield f"two beams show an edge {found.edges_us:.0f} µs apart, more than {limit.edges_us:g}: a smaller load_pf."


@dataclass(frozen=True, slots=True)
class Unread:
    """A figure that nobody quotes from its datasheet: its value in beam.toml, and how to replace it."""

    what: str
    value: float
    farthest: float  # where the search for its limit ends
    put: Callable[[Numbers, float], Numbers]


def unread(numbers: Numbers) -> tuple[Unread, ...]:
    """Return these figures, each with the value towards which it may be wrong."""
    emitter, receiver = numbers.emitter, numbers.receiver
    return (
        Unread("least current of a receiver at 1 mW/cm², µA", receiver.ua[0], 0.0,
               lambda all_, ua: replace(all_, receiver=replace(receiver, ua=(ua, *receiver.ua[1:])))),
        Unread("most light of an emitter at 100 mA, mW/sr", emitter.mw_sr[2], 4000.0,
               lambda all_, mw: replace(all_, emitter=replace(emitter, mw_sr=(*emitter.mw_sr[:2], mw)))),
        Unread("most voltage of an emitter at 15 mA, V", emitter.volt[2], 3.0,
               lambda all_, volt: replace(all_, emitter=replace(emitter, volt=(*emitter.volt[:2], volt)))),
        Unread("least light at 50 °C, of that at 25 °C", emitter.heat[0], 0.0,
               lambda all_, part: replace(all_, emitter=replace(emitter, heat=(part, *emitter.heat[1:])))),
        Unread("current of a dark receiver at 40 °C, nA", receiver.dark_na, 1000.0,
               lambda all_, na: replace(all_, receiver=replace(receiver, dark_na=na))),
        Unread("capacitance of a receiver, pF", receiver.picofarad, 1000.0,
               lambda all_, pf: replace(all_, receiver=replace(receiver, picofarad=pf))),
    )  # fmt: skip


def bearable(numbers: Numbers, figure: Unread) -> float:
    """Return how wrong a figure may be before the board misses a limit: the last good value; `farthest` if none is bad.

    Raises BadSpec if the board already misses a limit.
    """
    refuse_faults(numbers)
    good, bad = figure.value, figure.farthest
    if not list(faults(figure.put(numbers, bad))):
        return bad
    for _ in range(40):
        middle = (good + bad) / 2
        if list(faults(figure.put(numbers, middle))):
            bad = middle
        else:
            good = middle
    return good


def refuse_faults(numbers: Numbers, gate: Gate | None = None) -> None:
    """Raise BadSpec with every fault."""
    if found := list(faults(numbers, gate)):
        raise BadSpec("\n".join(f"beam.toml: {fault}" for fault in found))


def _printed() -> Gate:
    return Gate(read_numbers(), 16, "catch")
