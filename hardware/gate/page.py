"""The tables of the gate's page, made from its numbers and written between their marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardware.gate.geometry import Gate, gates
from hardware.gate.numbers import SOURCE, Numbers
from hardware.gate.physics import (
    allowed_us,
    as_deg,
    bounce,
    countable,
    fastest,
    jump,
    looks,
    needed_across,
    passes,
    speed,
    spread_us,
    sun,
    to_beam,
    wedge_from,
)

PAGE = SOURCE.with_name("README.md")
DENSITY = 1.24  # PLA, g/cm³


def tables(numbers: Numbers) -> dict[str, str]:
    """Return each table by the name of its marks. Raises ModuleNotFoundError without build123d."""
    return {
        "settings": _settings(numbers), "figures": _figures(numbers), "speeds": _speeds(numbers),
        "sensors": _sensors(numbers), "boards": _boards(numbers), "prints": _prints(numbers),
    }  # fmt: skip


def settings(gate: Gate) -> str:
    """Return [gate] of umpi.toml for a gate that compares beams."""
    code = gate.numbers.code
    glitch, dead_heat = allowed_us(gate, gate.numbers.sensor.response_us)
    lines = [
        "[gate]",
        f"cube_mm = {gate.cube:g}",
        f"beam_gap_mm = {code.beam_gap_mm:g}",
        f"turned = {code.turned:g}",
        f"speed_mm_s = {list(code.speed_mm_s)}",
        f"glitch_us = {glitch}",
        f"dead_heat_us = {dead_heat}",
    ]
    return "\n".join(lines)


def settings_file(numbers: Numbers) -> str:
    """Return the file of the lines to add to umpi.toml."""
    return f"\n{settings(Gate(numbers, max(numbers.cubes.sizes_mm)))}\n"


def _settings(numbers: Numbers) -> str:
    return f"```toml{settings_file(numbers)}```"


def _figures(numbers: Numbers) -> str:
    rough, sensor = numbers.cubes.friction[1], numbers.sensor
    rows: tuple[tuple[str, Callable[[Gate], str], str], ...] = (
        ("width of the lane", lambda g: f"{g.lane:g} mm", "cube and play"),
        ("height of its roof", lambda g: f"{g.high:g} mm", "more than the cube's diagonal"),
        ("the cube's diagonal", lambda g: f"{g.cube * 2**0.5:.1f} mm", "wider than the lane: no cube can turn"),
        ("it would wedge in a lane of", lambda g: f"{wedge_from(g):.1f} mm or more", f"friction {rough:g}"),
        ("apparent length", lambda g: f"≤ {looks(g.cube, g.lane):.2f} cubes", f"`turned = {numbers.code.turned:g}`"),
        ("beams above the floor", lambda g: f"{g.cube / 2:g} mm", "a tilted cube is widest in its middle"),
        ("largest angle of light through a baffle", lambda g: f"{as_deg(passes(numbers)):.0f}°",
         f"{sensor.aperture_mm:g} mm wide, {sensor.baffle_mm:g} deep"),
        ("angle from beam to beam", lambda g: f"{as_deg(needed_across(g)):.0f}°",
         "larger, so no emitter reaches the receiver of the other beam"),
        ("angle of the sun from the lower end", lambda g: f"{as_deg(sun(g)):.0f}° or more",
         f"{numbers.lane.tail_mm:g} mm of roof below the beams"),
        ("length of the rail", lambda g: f"{g.rail_length:.1f} mm", f"{numbers.rail.queue} cubes, stop and foam"),
        ("distance from the stop to the beams", lambda g: f"{to_beam(g):.0f} mm", "a full rail does not reach them"),
        ("a cube jumps back from the stop by", lambda g: f"{bounce(g, numbers.cubes.friction[0]):.0f} mm",
         f"fastest cube, with foam ({numbers.cubes.rebound:g})"),
        ("the last cube of a full rail jumps back to", lambda g: f"{jump(g, numbers.cubes.friction[0]):.0f} mm",
         f"a single beam is the first one, {numbers.code.beam_gap_mm:g} mm further than the second"),
        ("height of the chute's lip above the table", lambda g: f"{g.lip:.0f} mm", "put the funnel at this height"),
    )  # fmt: skip
    both = [Gate(numbers, size) for size in sorted(numbers.cubes.sizes_mm)]
    head = ("what", *(f"cubes of {gate.cube:g} mm" for gate in both), "why")
    return _table(head, ((what, *map(figure, both), why) for what, figure, why in rows))


def _speeds(numbers: Numbers) -> str:
    gate = Gate(numbers, max(numbers.cubes.sizes_mm))
    lane, (smooth, rough) = numbers.lane, numbers.cubes.friction
    rows = []
    for entry in (0.0, 500.0, lane.entry_mm_s):
        slow, fast = speed(entry, lane.run_up_mm, lane.slope_deg, rough), fastest(gate, entry)
        dark = f"{gate.cube / fast * 1000:.1f} to {gate.cube / slow * 1000:.1f} ms"
        rows.append((f"{entry / 1000:.2f} m/s", f"{slow / 1000:.2f} m/s", f"{fast / 1000:.2f} m/s", dark))
    first, second = f"speed at the first beam, friction {rough:g}", f"speed behind the second beam, friction {smooth:g}"
    return _table(("speed at the throat", first, second, f"a cube of {gate.cube:g} mm darkens a beam for"), rows)


def _sensors(numbers: Numbers) -> str:
    gate, response = Gate(numbers, max(numbers.cubes.sizes_mm)), numbers.sensor.response_us
    most = countable(gate, response)
    glitch, dead_heat = allowed_us(gate, response)
    apart, cubes = f"{spread_us(gate, response):.0f} µs", f"{most} cube{'s' * (most > 1)}"
    head = ("receiver", "receivers differ by", "beams differ by", "`glitch_us`", "`dead_heat_us`", "surely counted")
    return _table(head, [("break-beam module", f"{response:g} µs", apart, str(glitch), str(dead_heat), cubes)])


def _boards(numbers: Numbers) -> str:
    rows = []
    for gate in gates(numbers):
        _, long, wide = gate.base
        lanes = len(gate.lanes_at)
        pitch = f"{gate.pitch:g} mm" if lanes > 1 else ""
        rows.append((f"{gate.cube:g} mm", str(lanes), f"{long:g} × {wide:g} × {numbers.stand.board_mm:g} mm", pitch))
    return _table(("cubes", "lanes", "base board", "from lane to lane"), rows)


def _prints(numbers: Numbers) -> str:
    from hardware.gate.models import models

    rows = []
    for name, draw in models(numbers).items():
        solid = draw()
        sides = " × ".join(f"{side:.0f}" for side in solid.bounding_box().size)
        rows.append((f"[{name}](out/{name}.stl)", f"{sides} mm", f"{solid.volume / 1000 * DENSITY:.0f} g"))
    return _table(("model", "size", "weight if solid"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
