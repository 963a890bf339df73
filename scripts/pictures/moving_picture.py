"""Play one turn of Dodéka on the virtual box and draw it as firmware/pictures/turn.gif, one frame per button."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

from scripts import REPO
from umpi.box.config import COLOURS, NAVIGATION, Config
from umpi.display.lettering import NORMAL
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.reading import image_of
from umpi.simulator.steps import Steps

FILE = REPO / "firmware" / "pictures" / "turn.gif"
SCALE = 4
MARGIN, STRIP = 16, 104  # around the panel; below it, for buttons and caption
RADIUS = 14
LONG_MS, SHORT_MS = 1600, 1000
CASE, GLASS, DOTS, TEXT = (44, 43, 52), (4, 7, 10), (214, 232, 255), (236, 233, 223)
CAPS = {
    "red": (216, 53, 58), "blue": (42, 111, 214), "yellow": (239, 190, 38), "green": (46, 154, 75),
    "white": (236, 234, 228), "black": (20, 20, 24),
} | dict.fromkeys(NAVIGATION, (85, 84, 95))  # fmt: skip
TURN = (  # the button, a text that the panel then shows, and the caption
    ("", "Which game?", "The box is on"),
    ("blue", "Players?", "blue: the game Dodéka dice"),
    ("red", "Players?", "red: I play"),
    ("blue", "2 joined", "blue: I play too"),
    ("ok", "start", "OK: these two play"),
    ("ok", "Final dice", "OK: start; Red rolls three dice"),
    ("down", "12", "down: the faces 7 to 12"),
    ("blue", "8", "blue: the first die shows 8"),
    ("blue", "8 8", "blue: the second die shows 8"),
    ("white", "Blue", "white: 11; Blue is next"),
)


async def play() -> list[Image.Image]:
    """Play the turn; returns a frame per button. Raises StepFault if the panel shows something else."""
    frames = []
    with tempfile.TemporaryDirectory() as folder:
        playing = SimulatedPlayer(Config(journal=Path(folder) / "games.db"))
        try:
            await playing.wait_until_shown()
            steps = Steps(playing, Path(folder))
            for button, shown, caption in TURN:
                if button:
                    await steps.take("press", [button])
                await playing.pass_ms(300)
                await steps.take("expect", [shown])
                frames.append(frame(playing.box.picture(), button, playing.box.lit(), caption))
        finally:
            playing.close()
    return frames


def frame(panel: Image.Image, pressed: str, lit: list[str], caption: str) -> Image.Image:
    """Draw the panel enlarged, the ten buttons below it with the pressed one ringed, and the caption."""
    width, height = panel.width * SCALE, panel.height * SCALE
    image = Image.new("RGB", (width + 2 * MARGIN, height + 2 * MARGIN + STRIP), CASE)
    glass = Image.new("RGB", (width, height), GLASS)
    glass.paste(DOTS, mask=panel.convert("1").resize((width, height)).convert("L"))
    image.paste(glass, (MARGIN, MARGIN))
    draw = ImageDraw.Draw(image)
    middle = MARGIN + height + 36
    for index, name in enumerate(COLOURS):
        x = MARGIN + width * (2 * index + 1) // 12
        if name in lit:
            draw.rectangle((x - 12, middle - 30, x + 12, middle - 25), fill=CAPS[name] if name != "black" else TEXT)
        _button(draw, x, middle, name, name == pressed)
    if pressed in NAVIGATION:
        _button(draw, MARGIN + RADIUS, middle + 48, pressed, True)
    text = image_of(NORMAL.render(caption))
    text = text.resize((text.width * 2, text.height * 2))
    image.paste(TEXT, (MARGIN + 2 * RADIUS + 12, middle + 38), text.convert("L"))
    return image


def _button(draw: ImageDraw.ImageDraw, x: int, y: int, name: str, pressed: bool) -> None:
    box = (x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS)
    draw.ellipse(box, fill=CAPS[name], outline=TEXT if pressed else GLASS, width=4 if pressed else 1)


def write(file: Path) -> None:
    """Draw the frames and write them as one moving picture."""
    frames = [image.quantize(32, dither=Image.Dither.NONE) for image in asyncio.run(play())]
    lengths = [LONG_MS, *[SHORT_MS] * (len(frames) - 2), 2 * LONG_MS]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=lengths, loop=0, optimize=True)
