"""Draw screens as pictures: a contact sheet as on an OLED, golden sheets of dots, differences side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw
from PIL.PngImagePlugin import PngInfo

from umpi.display.lettering import LARGE, NORMAL
from umpi.display.sheet import HEIGHT, WIDTH
from umpi.simulator.reading import image_of

GROUND, CASE, DARK, LIGHT, TITLE, SHADE = range(6)  # of the palette
PALETTE = (0x16, 0x18, 0x1D, 0x05, 0x07, 0x0B, 0x0B, 0x11, 0x1B, 0xC8, 0xE6, 0xFF, 0x8F, 0x98, 0xA6, 0x8F, 0xAC, 0xC6)
COLUMNS = 8  # of a golden sheet
NAMES = "screens"  # key of the text with the names of the tiles, one per line
GAP = 8  # between what is compared

Images = Mapping[str, Image.Image]


def contact_sheet(screens: Images, columns: int, scale: int, titled: bool = True) -> Image.Image:
    """Draw screens as on an OLED under their names: `scale` pixels per dot, the last of them dark."""
    edge, gap, letters = 4 * scale, 6 * scale, 24 if titled else 0
    wide, high = WIDTH * scale + 2 * edge, HEIGHT * scale + 2 * edge
    rows = -(-len(screens) // columns)
    size = columns * (wide + gap) + gap, rows * (high + letters + gap) + gap
    sheet = Image.new("P", size, GROUND)
    sheet.putpalette(PALETTE)
    draw = ImageDraw.Draw(sheet)
    for index, (name, screen) in enumerate(screens.items()):
        row, column = divmod(index, columns)
        x, y = gap + column * (wide + gap), gap + row * (high + letters + gap)
        if titled:
            draw.bitmap((x + edge, y), image_of(LARGE.render(name.replace("-", " "))), TITLE)
        draw.rounded_rectangle((x, y + letters, x + wide - 1, y + letters + high - 1), 3 * scale, CASE)
        sheet.paste(_glowing(screen, scale), (x + edge, y + letters + edge))
    return sheet


def write_golden(file: Path, screens: Images) -> None:
    """Write screens as one sheet, sorted by name; the text of the PNG contains the names."""
    names = sorted(screens)
    sheet = Image.new("1", (COLUMNS * WIDTH, -(-len(names) // COLUMNS) * HEIGHT))
    for index, name in enumerate(names):
        row, column = divmod(index, COLUMNS)
        sheet.paste(screens[name], (column * WIDTH, row * HEIGHT))
    text = PngInfo()
    text.add_text(NAMES, "\n".join(names))
    sheet.save(file, pnginfo=text, optimize=True)


def read_golden(file: Path) -> dict[str, Image.Image]:
    """Read the screens of a golden sheet by name; return none if the file does not exist."""
    if not file.is_file():
        return {}
    with Image.open(file) as sheet:
        sheet.load()
        names = str(sheet.info[NAMES]).splitlines()
        places = ((row * HEIGHT, column * WIDTH) for row in range(len(names)) for column in range(COLUMNS))
        return {name: sheet.crop((x, y, x + WIDTH, y + HEIGHT)) for name, (y, x) in zip(names, places, strict=False)}


def differing(golden: Images, now: Images) -> list[str]:
    """Name the screens that are not as they were, those that are new and those that are gone."""
    before, after = ({name: image.tobytes() for name, image in images.items()} for images in (golden, now))
    return [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]


def compared(golden: Image.Image | None, now: Image.Image | None, scale: int = 3) -> Image.Image:
    """Put the golden screen, the new screen and the difference side by side, each with a title."""
    blank = Image.new("1", (WIDTH, HEIGHT))
    both = golden or blank, now or blank
    parts = {"golden" if golden else "not golden yet": both[0], "now" if now else "gone now": both[1]}
    parts["difference"] = ImageChops.logical_xor(*both)
    sheet = Image.new("1", (len(parts) * (WIDTH * scale + GAP) - GAP, HEIGHT * scale + NORMAL.height + 2))
    draw = ImageDraw.Draw(sheet)
    for index, (word, image) in enumerate(parts.items()):
        x = index * (WIDTH * scale + GAP)
        sheet.paste(image_of(NORMAL.render(word)), (x, 0))
        top = NORMAL.height + 2
        draw.rectangle((x - 1, top - 1, x + WIDTH * scale, sheet.height), outline=1)
        sheet.paste(image.resize((WIDTH * scale, HEIGHT * scale)), (x, top))
    return sheet


def _glowing(screen: Image.Image, scale: int) -> Image.Image:
    """Draw each dot as a lit square, parted from its neighbours by a thin shade."""
    wide, high = WIDTH * scale, HEIGHT * scale
    mask = screen.resize((wide, high)).convert("L")
    dots = Image.new("P", (wide, high), DARK)
    dots.putpalette(PALETTE)
    dots.paste(LIGHT, mask=mask)
    lines = Image.new("L", (wide, high))
    draw = ImageDraw.Draw(lines)
    for x in range(scale - 1, wide, scale):
        draw.line((x, 0, x, high), fill=255)
    for y in range(scale - 1, high, scale):
        draw.line((0, y, wide, y), fill=255)
    dots.paste(SHADE, mask=ImageChops.multiply(lines, mask))
    return dots
