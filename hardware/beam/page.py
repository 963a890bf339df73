"""The tables of the page: parts, margins and delays."""

from __future__ import annotations

from hardware.beam.margin import beam, bearable, unread
from hardware.beam.numbers import Numbers, Range


def tables(numbers: Numbers) -> dict[str, str]:
    """Return all tables by the names of their marks."""
    return {"parts": _parts(numbers), "margins": _margins(numbers), "unread": _unread(numbers)}


def _parts(numbers: Numbers) -> str:
    emitter, receiver, own = numbers.emitter, numbers.receiver, numbers.comparator
    return _table(
        ("part of each beam", "value", "from", "to"),
        [
            ("emitter", emitter.number, "its resistor", "the emitter wire of the lane (low: on)"),
            ("its resistor", f"{emitter.ohm:g} Ω, 1 %", "5 V", "anode of the emitter"),
            ("receiver", receiver.number, "SIGNAL (cathode)", "GND (anode)"),
            ("load", f"{receiver.load_ohm / 1000:g} kΩ, 1 %", "3.3 V", "SIGNAL"),
            ("its capacitor", f"{receiver.load_pf:g} pF, C0G, 5 %", "3.3 V", "SIGNAL"),
            ("comparator", own.number, "+ at REFERENCE, − at SIGNAL", "the beam's wire: low while dark"),
            ("light reference, upper", f"{own.upper_ohm / 1000:g} kΩ, 1 %", "3.3 V", "REFERENCE"),
            ("light reference, lower", f"{own.lower_ohm / 1000:g} kΩ, 1 %", "REFERENCE", "GND"),
            ("hysteresis", f"{own.hold_ohm / 1e6:g} MΩ, 1 %", "the beam's wire", "REFERENCE"),
        ],
    )


def _margins(numbers: Numbers) -> str:
    found, limit = beam(numbers), numbers.limit
    drop = [min(drop, found.full) for drop in found.drop]
    lux = f"{numbers.light.lux:,.0f} lux"
    return _table(
        ("what", "least", "usual", "most", "limit"),
        [
            ("current of an emitter, mA", *_three(found.emitter_ma, "{:.1f}"), f"≤ {numbers.supply.lane_ma / 2:g}"),
            ("its light at the receiver, mW/cm²", *_three(found.light, "{:.2f}"), ""),
            ("drop that it causes at the load, V", *(f"{volt:.2f}" for volt in drop), ""),
            (f"drop by {lux} of daylight and by the dark receiver, V", "", "", f"{found.sun + found.dark:.3f}", ""),
            ("drop at which a beam becomes dark, light, V", f"{found.to_dark:.3f}", "", f"{found.to_light:.3f}", ""),
            ("**light that a clear beam has, of what it needs**", f"**{found.light_margin:.2f}**",
             f"{found.drop[1] / found.to_light:.0f}", "", f"≥ {limit.margin:g}"),
            (f"**what seems light, of what {lux} cause**", f"**{found.dark_margin:.2f}**", "", "",
             f"≥ {limit.margin:g}"),
            ("from the end of the light to dark, µs", *_three(found.dark_us, "{:.0f}"), ""),
            (f"the same in {lux}, µs", "", "", f"{found.sunny_us:.0f}", ""),
            ("from the return of the light to light, µs", "", "", f"{found.light_us:.0f}", ""),
            ("edges of two beams apart, µs", "", "", f"{found.edges_us:.0f}", f"≤ {limit.edges_us:g}"),
        ],
    )  # fmt: skip


def _unread(numbers: Numbers) -> str:
    rows: list[tuple[str, ...]] = []
    for figure in unread(numbers):
        last = bearable(numbers, figure)
        word = "any" if last == figure.farthest else f"{'at least' if last < figure.value else 'at most'} {last:.3g}"
        rows.append((figure.what, f"{figure.value:g}", word))
    return _table(("figure", "taken", "good if"), rows)


def _three(values: Range, form: str) -> tuple[str, str, str]:
    least, usual, most = (form.format(value) for value in values)
    return least, usual, most


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
