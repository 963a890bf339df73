"""Drawings of the inside of the case: what is on the base with the paths of the plugs, and what is under the front."""

from __future__ import annotations

from hardware.case.numbers import Case
from hardware.case.panels import clip_screws, clips, on_board, panels
from hardware.case.parts import Part, parts
from hardware.case.paths import paths
from hardware.case.shapes import Opening, Point
from hardware.drawing import Sheet

PI = "4"  # the board with the most sockets
# What each section shows, with its words: from the near side, from the left.
SEEN: tuple[dict[str, str], dict[str, str]] = (
    {
        "display": "display", "key up": "", "key back": "button", "Pi": "Pi 4", "USB-A 9": "",
        "carrier": "Umpi HAT", "plugs of the carrier": "room for plugs",
    },
    {
        "display": "display", "key 3": "", "key up": "button", "key down": "", "lamp 4": "", "Pi": "Pi 4",
        "USB-A 9": "USB-A", "carrier": "Umpi HAT", "plugs of the carrier": "room for plugs",
    },
)  # fmt: skip


def base_inside(case: Case, name: str, number: str) -> Sheet:
    """Draw the parts on the base from above, with a Pi 4 and the Umpi HAT, and the way of each plug."""
    sheet = Sheet("Case: inside on the base, a Pi 4 with the Umpi HAT, from above", number, material="assembly")
    board, (width, depth, _), wall = case.pi.boards[PI], case.box.outer, case.box.sheet
    found = {part.name: part for part in parts(case, case.oleds[name], board, carrier=True)}
    _walls(sheet, case)
    for key in ("Pi", "sounder", *(f"{kind} {at:g}" for kind, at in board.sockets)):
        _box(sheet, found[key], "CUT")
    _box(sheet, found["carrier"], "HIDDEN")
    _box(sheet, header := parts(case, case.oleds[name], board)[_header_at(case, name)], "MARK")
    for part in found.values():
        if part.name.startswith("stand-off"):
            sheet.circle(_middle(part), case.box.stand_off[0], "CUT")
    for hole in board.holes:
        sheet.circle(on_board(case, board, *hole), case.pi.hole)
    for side, path in paths(case, board):
        _way(sheet, side, path)
    for kind, at in board.sockets:
        x, y = _middle(found[f"{kind} {at:g}"])
        if kind == "USB-C":
            sheet.text((x - 6, y - 1), kind, 2, "right")
        else:
            sheet.text((x + 1, y), kind, 2, "centre", 90)
    (x, y, _), (to_x, _, _) = found["Pi"].low, found["Pi"].high
    sheet.text((to_x - 24, y + 12), "Raspberry Pi 4", 3, "right")
    carrier = found["carrier"]
    sheet.note((30, depth + 8), (carrier.low[0], carrier.high[1] - 6), "Umpi HAT (dashed)")
    sheet.note((50, 33), (_middle(header)[0] - 18, header.low[1]), "header, same place for every Pi")
    sheet.note((width + 14, 22), (found["sounder"].high[0] - 3, found["sounder"].low[1] + 3), "sounder, above")
    sheet.note((width + 5, depth + 4), (width - case.box.corner + 2, depth - case.box.corner), "stand-off, 4 x")
    _room(sheet, to_x, width - wall, 60)
    sheet.dim((0, 0), (width, 0), -8)
    sheet.dim((width, 0), (width, depth), -10)
    sheet.text((width + 14, 88), (
        "Thin arrows: the way of the plugs.\nTests check that nothing is in it,\nfor a Zero 2, a Pi 3, 4 and 5,\n"
        "with and without the HAT.\n \nA Zero 2 is under the lower half\n"
        "of the HAT: its plugs are 26\nfurther inside. Put them in\n"
        "before you close the case."
    ), 2.5)  # fmt: skip
    sheet.text((wall + 12, 14), "space for wires; buttons and lamps\nare above it (see the next sheet)", 2.5)
    return sheet


def front_inside(case: Case, name: str, number: str) -> Sheet:
    """Draw what is under the front, a section from the left and one from the near side, and the clip."""
    sheet = Sheet(f'Case: inside under the front, {name}" display, and sections', number, (1, 2), material="assembly")
    oled, board = case.oleds[name], case.pi.boards[PI]
    found = {part.name: part for part in parts(case, oled, board, carrier=True)}
    width, depth, height = case.box.outer
    _walls(sheet, case)
    for part in found.values():
        if part.name.startswith(("key", "lamp", "stand-off")):
            sheet.circle(_middle(part), part.high[0] - part.low[0], "CUT")
    _box(sheet, found["display"], "CUT")
    for x, y in clip_screws(case, oled):
        (long, wide), own = case.clip.size, case.clip.from_end
        sheet.box((x - own if x < width / 2 else x + own - long, y - wide / 2), long, wide, "MARK")
        sheet.circle((x, y), case.box.screw)
    sheet.text((width / 2, case.window.centre[1] - 3), "display", 2.5, "centre")
    sheet.note(
        (width + 14, depth - 4), (clip_screws(case, oled)[-1][0] + 3, clip_screws(case, oled)[-1][1]), "clip, 4 x"
    )
    sheet.note((width + 14, 62), (found["key back"].high[0], _middle(found["key back"])[1]), "button, 10 x")
    sheet.note((width + 14, 36), (found["lamp 6"].high[0], _middle(found["lamp 6"])[1]), "lamp, 6 x")
    sheet.text((0, depth + 6), "under the front, from above", 2.5)

    aside, low = width + 92.0, 0.0
    _section(sheet, case, found, (aside, 8), 1)
    sheet.text((aside, height + 14), "section from the left: the player is at the left", 2.5)
    _section(sheet, case, found, (low, -height - 40), 0)
    sheet.text((low, -34), "section from the player's side", 2.5)
    sheet.dim((aside, 8), (aside, 8 + height), 14)
    sheet.dim((aside, 8 + case.box.sheet), (aside, 8 + height - case.box.sheet), 6)
    sheet.dim((aside, 8), (aside + depth, 8), -7)
    sheet.dim((low, -height - 40), (low + width, -height - 40), -7)
    _clip(sheet, case, (aside + 4, -70))
    return sheet


def _section(sheet: Sheet, case: Case, found: dict[str, Part], at: Point, axis: int) -> None:
    """Draw the parts in front of each other: `axis` 0 shows x, 1 shows y; up is z."""
    (left, low), size, wall = at, case.box.outer, case.box.sheet
    sheet.box(at, size[axis], size[2])
    sheet.box((left + wall, low + wall), size[axis] - 2 * wall, size[2] - 2 * wall)
    labels = SEEN[axis]
    for name in labels:
        part = found[name]
        corner = (left + part.low[axis], low + part.low[2])
        wide, high = part.high[axis] - part.low[axis], part.high[2] - part.low[2]
        sheet.box(corner, wide, high, "HIDDEN" if name.startswith("plugs") else "CUT" if high < 2 else "MARK")
    beside = left + size[axis] + (24 if axis else 12)
    labelled = sorted((found[name].low[2] + found[name].high[2], name) for name, words in labels.items() if words)
    for row, (twice, name) in enumerate(labelled):
        part = found[name]
        target = (left + part.high[axis] - (0 if part.high[axis] < size[axis] - 12 else 3), low + twice / 2)
        sheet.note((beside, low + 2 + row * size[2] / len(labelled)), target, labels[name], 2.2)


def _clip(sheet: Sheet, case: Case, at: Point) -> None:
    (x, y), (clip, spacer) = at, clips(case)
    for panel, left in ((clip, x), (spacer, x + 36)):
        sheet.path([(left + a, y + b) for a, b in panel.outline])
        for cut in panel.cuts:
            assert not isinstance(cut, Opening)
            sheet.circle((left + cut.centre[0], y + cut.centre[1]), cut.diameter)
    sheet.dim((x, y), (x + case.clip.from_end, y), -6)
    sheet.dim((x, y), (x + clip.size[0], y), -12)
    sheet.dim((x, y), (x, y + clip.size[1]), 7)
    text = f"clip and spacer, 4 of each, hole Ø{case.box.screw:g};\nscrew M3 x 16: spacer behind the front,\n"
    sheet.text((x - 4, y - 36), f"{text}clip over a corner of the module", 2.5)


def _way(sheet: Sheet, side: str, path: Part) -> None:
    """Draw the way of a plug: its edges through the wall, and an arrow from outside."""
    (x, y, _), (to_x, to_y, _) = path.low, path.high
    if side == "rear":
        for edge in (x, to_x):
            sheet.line((edge, y), (edge, to_y + 10), "CENTRE")
        middle, far = (x + to_x) / 2, to_y + 14
        sheet.note((to_x + 4, far), (middle, to_y - 1), "plug", 2)
    else:
        for edge in (y, to_y):
            sheet.line((to_x, edge), (-10, edge), "CENTRE")
        sheet.note((-12, (y + to_y) / 2 - 1), (1, (y + to_y) / 2), "plug", 2)


def _room(sheet: Sheet, left: float, right: float, y: float) -> None:
    sheet.dim((left, y), (right, y), 0.1)
    sheet.text((left - 1, y - 5), "memory\ncard", 2, "right")


def _walls(sheet: Sheet, case: Case) -> None:
    (width, depth, _), wall = case.box.outer, case.box.sheet
    sheet.box((0, 0), width, depth)
    sheet.box((wall, wall), width - 2 * wall, depth - 2 * wall)
    found = panels(case, next(iter(case.oleds.values())))
    for name, at in (("rear", depth - wall), ("left", 0.0), ("right", width - wall)):
        for cut in found[name].cuts:
            if isinstance(cut, Opening) and name == "rear":
                sheet.box((cut.left, at), cut.right - cut.left, wall, "HIDDEN")
            elif isinstance(cut, Opening):
                sheet.box((at, cut.left), wall, cut.right - cut.left, "HIDDEN")


def _header_at(case: Case, name: str) -> int:
    found = parts(case, case.oleds[name], case.pi.boards[PI])
    return next(index for index, part in enumerate(found) if part.name == "header")


def _box(sheet: Sheet, part: Part, layer: str) -> None:
    (x, y, _), (to_x, to_y, _) = part.low, part.high
    sheet.box((x, y), to_x - x, to_y - y, layer)


def _middle(part: Part) -> Point:
    return (part.low[0] + part.high[0]) / 2, (part.low[1] + part.high[1]) / 2
