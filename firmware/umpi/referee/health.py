"""Devices that are out, to what the panel says: which, why, what to do instead, and that one is well again."""

from __future__ import annotations

import re

from umpi.box.box import Box, DeviceStatus
from umpi.cards.decode import cards_of
from umpi.display.panel import Panel
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, message, spaced
from umpi.referee.announcement import cube_ask

ORDER_BY_HAND = message("Press OK, then your buttons in the order the cubes came out.")

DEVICES = {
    "head": (message("Sensor head"), ORDER_BY_HAND),
    "rail": (message("Colour sensor"), message("Press your own button when a cube is yours.")),
    "scanner": (message("Card scanner"), message("Enter the cards with the keys.")),
    "display": (message("Display"), message("The lamps show who must act.")),
    "lamps": (message("Lamps"), message("The screen says who must act.")),
    "sounder": (message("Sounder"), message("The box is silent; all else goes on.")),
    "emitters": (message("Emitters"), message("They stay as they are; umpi doctor cannot prove the beams.")),
    "desk": (message("Phones"), message("The keys of the box do all that phones do.")),
    "pins": (message("Buttons and beams"), message("The box restarts by itself. If not, switch it off and on.")),
    "measures": (message("Measures"), message("The colours are unknown until umpi doctor --guide.")),
}


class DeviceHealth:
    """Keeps `box.device_errors` and what the panel says of them.

    The small sign and the menu tell of each at once; the table is told on the whole screen as soon as the question on
    it needs the device, and once only.
    """

    def __init__(self, box: Box, panel: Panel) -> None:
        self._box, self._panel = box, panel
        self._untold = set(box.device_errors)
        self._show()

    def take(self, trouble: DeviceStatus) -> bool:
        """Take note of a device that is out, or well again; True where that is new."""
        device, device_errors = trouble.device, self._box.device_errors
        if trouble.reason == device_errors.get(device, ""):
            return False
        if trouble.reason:
            self._untold |= {device} - device_errors.keys()
            device_errors[device] = trouble.reason
        else:
            self._untold.discard(device)
            del device_errors[device]
            self._panel.forget(device_label(device))
        self._show()
        return True

    def tell(self, match: Match | None) -> bool:
        """Tell the table of what is out and would answer the question of `match`; True where there is such a device."""
        device = next((device for device in sorted(self._untold) if match and _serves(device, match)), None)
        if device is None or self._panel.noticing:  # one after the other
            return False
        self._untold.discard(device)
        self._panel.tell(device_label(device), self._panel.device_errors[device_label(device)], passing=True)
        return True

    def _show(self) -> None:
        device_errors = self._box.device_errors
        told = {device_label(device): spaced([instead(device), in_words(why)]) for device, why in device_errors.items()}
        self._panel.device_errors = told


def device_label(device: str) -> str:
    """Name a device for people.

    >>> device_label("second_1"), device_label("red")
    ('Beam second_1', 'Button red')
    """
    if device in DEVICES:
        return DEVICES[device][0]
    return message("Beam {name}", name=device) if of_funnel(device) else message("Button {name}", name=device)


def instead(device: str) -> str:
    """Say what to do while it is out."""
    if device in DEVICES:
        return DEVICES[device][1]
    return ORDER_BY_HAND if of_funnel(device) else message("Another pin can be named in umpi.toml.")


def of_funnel(device: str) -> bool:
    """Tell whether cubes go unseen while it is out."""
    return device == "head" or device.startswith(("lane_", "second_"))


def _serves(device: str, match: Match) -> bool:
    """Tell whether a device might answer the question on the table."""
    if device == "scanner":
        return bool(cards_of(match.game))
    return (of_funnel(device) or device == "rail") and cube_ask(match) is not None


def in_words(why: str) -> str:
    """Tell why a device is out as a sentence for the small screen; what the system says stays as it is."""
    if not isinstance(why, Message):
        return sentence(why)
    if isinstance(reason := why.values.get("reason"), str):  # "{port}: {reason}"
        return in_words(reason)
    values = {name: in_words(value) if isinstance(value, Message) else value for name, value in why.values.items()}
    return message(sentence(why.template), **values)


def sentence(why: str) -> str:
    """A reason, or its template, as a sentence of its own; where a plug sits is for `umpi doctor`."""
    why = re.sub(r" at ({port}|/dev/[^\s:]+)", "", why)
    return f"{why[:1].upper()}{why[1:]}{'' if why.endswith(('.', '?')) else '.'}"
