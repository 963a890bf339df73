"""The tables of the page: the margins, the parts to buy, the checks and the cuts."""

from __future__ import annotations

from hardware.wall.cuts import parts_of
from hardware.wall.numbers import Numbers
from hardware.wall.sound import astray_mm, beside_mm, clamps, held_mm


def tables(numbers: Numbers) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    return {
        "margins": _margins(numbers),
        "cuts": _cuts(numbers),
        "buy": _buy(numbers),
        "checks": _checks(numbers),
    }


def _margins(numbers: Numbers) -> str:
    wall, screws, piezo, base = numbers.wall, numbers.screws, numbers.piezo, numbers.base
    sideways, upwards = astray_mm(numbers)
    area = wall.length * wall.height
    far = min(abs(x) for x in screws.along)
    rows = [
        ("area of a face of the wall", f"{area / 100:g} cm²"),
        ("glue on it", f"{area / 1e6 * numbers.material.glue_g_m2:.1f} g"),
        ("diagonal of a face", f"{(wall.length**2 + wall.height**2) ** 0.5:.1f} mm"),
        ("number of clamps", f"{clamps(numbers)}"),
        ("distance from the end of the wall to a screw", f"{wall.length / 2 - max(map(abs, screws.along)):g} mm"),
    ]
    for name, sheets in numbers.sheets_of.items():
        beside = beside_mm(sheets, screws.stagger) - screws.diameter / 2
        thinned = tuple(sheet - numbers.material.spread for sheet in sheets)
        least = beside_mm(thinned, screws.stagger) - screws.diameter / 2
        rows.append((f"{name}: wood beside a screw; with the thinnest sheets", f"{beside:g}; {least:g} mm"))
    for thick in (base.least, base.thickness, base.most):
        held = held_mm(numbers, thick)
        what = f"board of {thick:g}: length of a screw in the wall; wood above it"
        rows.append((what, f"{held:g}; {wall.height - held:g} mm"))
    rows += [
        ("wood beside the pocket of the piezo, wall 30 and 24 deep", " and ".join(
            f"{(deep - piezo.pocket) / 2:g}" for deep in (wall.depth, wall.depth_least)) + " mm"),
        ("distance from the pocket to the nearest screw", (
            f"{(far**2 + screws.stagger**2) ** 0.5 - (piezo.pocket + screws.diameter) / 2:.1f} mm")),
        ("distance from the wall to the board's edge at a player", f"{(numbers.board.long - wall.depth) / 2:g} mm"),
        ("distance from the ends of the wall to the other edges", f"{(numbers.board.short - wall.length) / 2:g} mm"),
        ("largest sideways error of a throw at the edge, by bow and turn", f"{sideways:.1f} mm"),
        ("largest upward error of a throw there, by lean", f"{upwards:.1f} mm"),
    ]  # fmt: skip
    return "\n".join(["| computed | |", "|---|---|", *(f"| {what} | {value} |" for what, value in rows)])


def _cuts(numbers: Numbers) -> str:
    rows = ["| from | part | mm | pieces |", "|---|---|---|---|"]
    for stock, parts in parts_of(numbers).items():
        title = f"{stock.name} {stock.length:g} × {stock.width:g} × {stock.thickness:g}"
        for part in dict.fromkeys(parts):
            rows.append(f"| {title} | {part.name} | {part.length:g} × {part.width:g} | {parts.count(part)} |")
            title = ""
    return "\n".join(rows)


def _buy(numbers: Numbers) -> str:
    stock, screws, piezo, base, gluing = numbers.stock, numbers.screws, numbers.piezo, numbers.base, numbers.gluing
    opening = stock.sheet + numbers.wall.depth + gluing.caul * stock.sheet
    reach = gluing.width - stock.sheet - numbers.wall.height / 2
    rows = [
        (f"plywood {stock.sheet:g} mm, {stock.sheet_length:g} × {stock.sheet_width:g}", "1", (
            "birch, or any without voids (in a void the drill wanders); one corner uncut, as from the factory")),
        (f"plywood {numbers.builds.two_15[0]:g} mm, {stock.offcut_length:g} × {stock.offcut_width:g}, or planed timber "
         f"{numbers.wall.height:g} × {numbers.builds.timber[0]:g}, {stock.strip_length:g} long", "1", (
            f"only for a wall {numbers.wall.depth:g} deep; the timber must be dry and straight")),
        (f"chipboard screws {screws.diameter:g} × {screws.length:g}, countersunk", f"{len(screws.along)}", (
            f"for a board of {base.least:g} to {base.most:g} mm; other boards need another length")),
        ("small screws or panel pins", "8", "for the fence and the stop of the gluing jig"),
        ("wood glue (PVA)", "", "any glue for wood"),
        (f"clamps, opening {opening:g} mm, reach {reach:g} mm", f"{clamps(numbers)}", (
            "with fewer clamps, use a thicker caul, or press with a pile of books")),
        (f"bits {screws.pilot:g}, {screws.clearance:g} and {piezo.hole:g} mm, countersink 90°, "
         f"Forstner bit {piezo.pocket:g} mm", "", "a spade bit leaves a hole in the pocket: fill it"),
        (f"piezo disc {piezo.disc:g} mm, lead {piezo.lead:g} mm", "1", (
            "only for a wall that reports hits; never connect it without its circuit (see wiring)")),
    ]  # fmt: skip
    return _table(("part", "quantity", "what matters"), rows)


def _checks(numbers: Numbers) -> str:
    limits = numbers.limits

    def paper(limit_mm: float) -> str:
        return f"{round(limit_mm / limits.paper):g} sheets of paper"

    rows = [
        ("the templates", "a ruler on the bar", "the bar is 100 mm"),
        ("the ends are square", "a tape, both diagonals of a face", f"they differ by at most {limits.diagonal:g} mm"),
        ("the faces are flat", "the edge of a steel ruler, along and over both diagonals", (
            f"{paper(limits.bow)} do not slip under it, neither in the middle nor at the ends")),
        ("the bottom is flat", "a window pane or mirror", f"it does not rock on {paper(limits.rock)} under one corner"),
        ("the wall is square to the board", "the square gauge, on both faces, at both ends and in the middle", (
            f"{paper(limits.lean)} do not slip between them, neither at the top nor at the bottom")),
        ("the wall is in the middle", "a tape to the edges of the print", (
            f"both distances agree within {2 * limits.centre:g} mm: the wall is at most {limits.centre:g} off")),
        ("the wall is straight on the board", "a tape from both ends of a face to that edge", (
            f"they differ by at most {limits.turn:g} mm")),
        ("the screws hold", "lean on the top with your hand", "nothing moves, and no paper fits under the bottom"),
    ]  # fmt: skip
    return _table(("what", "with what", "it is right if"), rows)


def _table(heads: tuple[str, ...], rows: list[tuple[str, str, str]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
