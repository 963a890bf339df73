"""The work of a card: what a box that started from a card of Umpi can do with it, and how far it is.

The service may not write the card. It asks a program that may, by one of the words of `CardTask`, and hears how far
that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from umpi.frozen import frozen
from umpi.kernel.messages import Message, message

CardTask = Literal["update from stick", "update from network", "back up", "restore"]
MenuTask = Literal["find networks", "join network", "name the box"]  # only the menu of the box begins them
CardWord = CardTask | MenuTask | Literal["last update"]  # the last one ends with a restart; no command starts it
CardStage = Literal["idle", "busy", "asks", "done", "failed"]

TITLES: Mapping[CardWord, Message] = {
    "update from stick": message("Update"),
    "update from network": message("Update"),
    "back up": message("Back up"),
    "restore": message("Restore"),
    "last update": message("Update"),
    "find networks": message("Join a Wi-Fi"),
    "join network": message("Join a Wi-Fi"),
    "name the box": message("Name of the box"),
}
BEGINNING = message("One moment …")
SHORTEST, LONGEST = 8, 63  # characters of the password of a Wi-Fi, by WPA
LONGEST_NAME = 63  # characters of the name of a box, by RFC 1035


@frozen
class FoundNetwork:
    """A Wi-Fi that the box receives; one that is `open` has no password."""

    name: str
    open: bool = False


@frozen
class ChosenNetwork:
    """A Wi-Fi to join: its name, its password ("" if it is open), and the two letters of the country."""

    name: str
    password: str = field(repr=False)
    country: str


@frozen
class CardWork:
    """The last task of a card, and how far it is: `percent` of a long part, in `text` what is done or what happened.

    If it asks, it continues once somebody agrees; `agree` is the label for that. Until then nothing has changed. `here`
    is whether somebody at the box has begun it, who reads there how it ends.
    """

    task: CardWord | None = None
    stage: CardStage = "idle"
    text: str = ""
    percent: int | None = None
    agree: str = ""
    here: bool = False

    @property
    def line(self) -> str:
        """What people read: the text, with the percentage if there is one."""
        if self.percent is None:
            return self.text
        return message("{what} {percent} %", what=self.text, percent=self.percent)
