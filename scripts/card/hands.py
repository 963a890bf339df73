"""Hands at a card in QEMU: they press its buttons and read its display, both virtual (`in_guest`)."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from pathlib import Path

from PIL import Image

from scripts.card.guest import Guest, drop_in, put_boot_file
from scripts.card.in_guest import HANDS, SEEN
from scripts.card.tools import Fault, Tools
from umpi.simulator.reading import reads

IN_GUEST = Path(__file__).with_name("in_guest.py")
WORDS = drop_in("umpi.service", "[Service]\nEnvironment=PYTHONPATH=/boot/firmware\n")
LOOK_S = 1.5
SIZE, ZOOM = (128, 64), 4


def put_hands(tools: Tools, card: Path) -> None:
    """Put onto a card what gives its box virtual buttons and a display, if its kernel starts with WORDS."""
    put_boot_file(tools, card, IN_GUEST, "sitecustomize.py")


class Hands:
    """Presses and looks. Each picture that is named is kept in a folder, four times as large."""

    def __init__(self, guest: Guest, pictures: Path) -> None:
        self._guest, self._pictures = guest, pictures
        pictures.mkdir(parents=True, exist_ok=True)

    def do(self, line: str, limit_s: float = 120) -> Image.Image:
        """Have the hands do something, and return the picture right after it. Raises Fault."""
        text = self._guest.run(f"[ -p {HANDS} ] && echo '{line}' >{HANDS} && cat {SEEN}", limit_s)
        answers = [each for each in text.splitlines() if each.startswith("{")]
        if not answers:
            raise Fault(f"no hands for {line!r}: {text[:300]!r}")
        told = json.loads(answers[-1])
        if "fault" in told:
            raise Fault(f"{line}: {told['fault']}")
        return Image.frombytes("1", SIZE, b64decode(told["picture"]))

    def sees(self, *texts: str, name: str = "", limit_s: float = 300, still: bool = True) -> Image.Image:
        """Look until the display shows all of this, and keep the picture under a name. Raises Fault.

        A picture that stands still counts once it has been there twice: before, a part of it may be on its way.
        """
        end, before = time.monotonic() + limit_s, b""
        while True:
            picture = self.do("look")
            if all(reads(picture, text) for text in texts):
                if not still or picture.tobytes() == before:
                    break
                before = picture.tobytes()
            if time.monotonic() > end:
                self.keep(picture, f"not-{name or 'seen'}")
                raise Fault(f"the display does not show {texts}: {self._pictures}/not-{name or 'seen'}.png")
            time.sleep(LOOK_S)
        if name:
            self.keep(picture, name)
        return picture

    def sees_again(self, picture: Image.Image, limit_s: float = 120) -> bool:
        """Look until the display shows a picture once more, pixel by pixel, and return whether it does in time."""
        end = time.monotonic() + limit_s
        while self.do("look").tobytes() != picture.tobytes():
            if time.monotonic() > end:
                return False
            time.sleep(LOOK_S)
        return True

    def keep(self, picture: Image.Image, name: str) -> None:
        """Keep a picture."""
        picture.resize((SIZE[0] * ZOOM, SIZE[1] * ZOOM)).save(self._pictures / f"{name}.png")

    def wait_ready(self, limit_s: float) -> None:
        """Wait until the box has its hands. Raises Fault."""
        self._guest.run(f"until [ -p {SEEN} ]; do sleep 0.3; done", limit_s)
