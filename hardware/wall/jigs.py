"""Drawings of the jigs: the corner for gluing the sheets, and the saddle that guides the drill."""

from __future__ import annotations

from hardware.drawing import Sheet
from hardware.wall.numbers import Numbers
from hardware.wall.sound import clamps


def gluing_sheet(numbers: Numbers) -> Sheet:
    """Draw the gluing jig from above and in section."""
    sheet = Sheet("Gluing jig", "W-4", (1, 2), material="plywood 12", tolerance="±1")
    gluing, wall, thick = numbers.gluing, numbers.wall, numbers.stock.sheet
    many = clamps(numbers)
    sheet.box((0, 0), gluing.length, gluing.width)
    sheet.box((0, gluing.width - thick), gluing.length, thick)
    sheet.box((0, 0), thick, gluing.stop)
    corner = (thick, gluing.width - thick - wall.height)
    sheet.box(corner, wall.length, wall.height, "HIDDEN")
    for count in range(many):
        x = corner[0] + wall.length * (count + 0.5) / many
        sheet.line((x - 5, corner[1] + wall.height / 2), (x + 5, corner[1] + wall.height / 2), "MARK")
        sheet.line((x, corner[1] + wall.height / 2 - 5), (x, corner[1] + wall.height / 2 + 5), "MARK")
    middle = corner[1] + wall.height / 2
    sheet.dim((corner[0], middle), (corner[0] + wall.length * 0.5 / many, middle), -29, along="x")
    for count in range(many - 1):
        a, b = (corner[0] + wall.length * (count + half) / many for half in (0.5, 1.5))
        sheet.dim((a, middle), (b, middle), -29, along="x")
    sheet.dim((0, 0), (gluing.length, 0), -17)
    sheet.dim((0, 0), (0, gluing.width), 8)
    sheet.dim((gluing.length, gluing.width - thick), (gluing.length, gluing.width), -8)
    sheet.dim((0, 0), (thick, gluing.stop), 16, along="y")
    sheet.dim((0, gluing.width), (thick, gluing.width), 6)
    sheet.note(
        (gluing.length + 34, gluing.width + 24), (gluing.length - 20, gluing.width - thick / 2), "fence, on edge"
    )
    sheet.note(
        (60, gluing.width + 24), (thick / 2, gluing.stop - 8), "stop, on edge; gap in the corner for excess glue"
    )
    sheet.note((gluing.length + 34, 30), (gluing.length - 40, corner[1] + 6), "wall, lying on its face")
    sheet.text((0, gluing.width + 40), f"from above; the crosses are {many} clamps", 2.5)

    _glued(sheet, numbers, (0.0, -150.0))
    sheet.text((150, -70), (
        "1  Glue and screw fence and stop to the base, at a right angle: use the factory\n"
        "    corner of the sheet (the square gauge).\n"
        "2  Put packing tape on base, fence, stop and caul. Glue does not stick to it.\n"
        "3  Spread a film of glue on one sheet and put the other on it. Push both against\n"
        "    fence and stop, with their straightest long edges. This edge is the bottom.\n"
        f"4  Put the caul on top. Tighten {many} clamps, from the middle outwards. Wipe off glue.\n"
        "    Wait as long as the label of the glue says, and a day before you drill.\n"
        "5  Rub the bottom flat on sandpaper on a window pane."
    ), 2.5)  # fmt: skip
    return sheet


def saddle_sheet(numbers: Numbers) -> Sheet:
    """Draw the drill guide from above and in section, on a wall with its bottom up."""
    sheet = Sheet("Saddle: the drill guide", "W-5", (1, 2), material="plywood 12", tolerance="±0.5")
    saddle, wall, screws, thick = numbers.saddle, numbers.wall, numbers.screws, numbers.stock.sheet
    half, wide, deep = wall.length / 2, saddle.width / 2, numbers.wall.depth / 2
    sheet.box((-half, -wide), wall.length, saddle.width)
    for y in (-deep - thick, -deep, deep, deep + thick):
        sheet.line((-half, y), (half, y), "HIDDEN")
    sheet.line((-half - 6, 0), (half + 6, 0), "CENTRE")
    sheet.line((0, -wide - 6), (0, wide + 6), "CENTRE")
    for x, y in screws.places:
        sheet.circle((x, -y), screws.pilot)
        sheet.dim((0, 0), (x, -y), (26 if abs(x) > 50 else 20) * (1 if x > 0 else -1), along="x")
    sheet.dim((-half, -wide), (half, -wide), -9)
    sheet.dim((half, -wide), (half, wide), -8)
    sheet.text((60, -wide - 12), "FRONT", 3, "centre")
    sheet.text((-half, wide + 44), "from above, with the template W-2 glued on; dashed: the cheeks below", 2.5)

    top = -120.0
    sheet.box((-wide, top), saddle.width, thick)
    sheet.hatch([(-wide, top), (wide, top), (wide, top + thick), (-wide, top + thick)], 2)
    for left in (-deep - thick, deep):
        corners = [(left, top - saddle.cheek), (left + thick, top - saddle.cheek), (left + thick, top), (left, top)]
        sheet.path(corners)
        sheet.hatch(corners, 2, rising=False)
    sheet.box((-deep, top - wall.height), 2 * deep, wall.height, "HIDDEN")
    for y in (-screws.stagger, screws.stagger):
        sheet.line((y, top + thick + 10), (y, top - screws.pilot_depth), "CENTRE")
    sheet.dim((-wide, top - saddle.cheek), (-wide, top), 8)
    sheet.dim((-wide, top), (-wide, top + thick), 8)
    sheet.dim((-screws.stagger, top + thick), (screws.stagger, top + thick), 7)
    sheet.dim((-deep, top - wall.height), (deep, top - wall.height), -6)
    sheet.note((wide + 14, top - 20), (deep - 6, top - wall.height + 6), "wall, bottom up")
    sheet.text((-half, top + thick + 26), "in section", 2.5)
    sheet.text((wide + 14, top + thick + 30), (
        "1  Glue the template to the plate. Drill its crosses upright: use a drill press, or\n"
        "    hold the square gauge beside the bit, from two sides.\n"
        "2  Glue a second template below, with its crosses over the holes, front to front.\n"
        "3  Glue the cheeks along its outline. Put the wall and a sheet of paper on each side\n"
        "    between them, so that they fit whatever the thickness of the sheets.\n"
        "4  Clamp the wall across its joint and mark the depth with tape round the bit.\n"
        f"    Drill {numbers.bit.started:g} deep through the guide, then {screws.pilot_depth:g} deep without it."
    ), 2.5)  # fmt: skip
    return sheet


def _glued(sheet: Sheet, numbers: Numbers, at: tuple[float, float]) -> None:
    gluing, wall, thick = numbers.gluing, numbers.wall, numbers.stock.sheet
    x, z = at
    lower, upper = numbers.builds.two_12
    inner = x + gluing.width - thick
    sheet.box((x, z), gluing.width, thick)
    sheet.hatch([(x, z), (x + gluing.width, z), (x + gluing.width, z + thick), (x, z + thick)], 2)
    sheet.box((inner, z + thick), thick, gluing.fence)
    level = z + thick
    for high, layer, rising in ((lower, "CUT", False), (upper, "CUT", True), (gluing.caul * thick, "HIDDEN", None)):
        left, right = inner - wall.height, inner
        corners = [(left, level), (right, level), (right, level + high), (left, level + high)]
        sheet.path(corners, layer=layer)
        if rising is not None:
            sheet.hatch(corners, 2, rising=rising)
        level += high
    middle = inner - wall.height / 2
    sheet.line((middle, z - 8), (middle, level + 14), "CENTRE")
    sheet.dim((x + gluing.width, z + thick), (x + gluing.width, z + thick + gluing.fence), -8)
    sheet.dim((inner - wall.height, z + thick), (inner, z + thick), -14)
    sheet.dim((x, z), (x, level), 8)
    sheet.note((x + gluing.width + 16, z + 80), (inner - 6, level - 6), f"caul, {gluing.caul:g} sheets")
    sheet.text((x, z + 100), "in section", 2.5)
