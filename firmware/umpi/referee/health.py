"""Device health: show which devices have an error, why, what to do instead, and when a device is well again."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from umpi.cards.decode import cards_of
from umpi.display.panel import Panel
from umpi.i18n.translate import tr
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, message, spaced
from umpi.referee.announcement import cube_ask
from umpi.referee.events import DeviceStatus
from umpi.table.state import Table

ORDER_BY_HAND = message("Press OK, then your buttons in the order the cubes came out.")

DEVICES = {
    "head": (message("Sensor head"), ORDER_BY_HAND),
    "rail": (message("Colour sensor"), message("If the cube is yours, press your button.")),
    "scanner": (message("Card scanner"), message("Enter cards with the buttons.")),
    "display": (message("Screen"), message("Lamps show whose turn it is.")),
    "lamps": (message("Lamps"), message("The screen shows whose turn it is.")),
    "sounder": (message("Buzzer"), message("No sound; everything else works.")),
    "voice": (message("Voice"), message("The screen shows everything that is spoken.")),
    "emitters": (message("Emitters"), message("umpi doctor cannot test the beams.")),
    "light": (message("Beams"), message("Light blinds the beams: shade them.")),
    "desk": (message("Phones"), message("Use the box: it does all a phone can.")),
    "https": (message("HTTPS"), message("Phones use the page without HTTPS.")),
    "buttons": (message("Buttons and lamps"), message("Play on phones: they do all a box can.")),
    "pins": (message("Buttons, beams"), message("The box restarts by itself. If not, switch it off and on.")),
    "journal": (message("Saved matches"), message("Damaged. Switch the box off and on: it repairs them.")),
    "measures": (message("Calibration"), message("Run umpi doctor --guide to measure the colours.")),
    "settings": (message("Settings"), message("Correct umpi.toml.")),
}


class DeviceHealth:
    """Keep the device errors and show them on the panel.

    The small sign and the menu show each error at once. The whole screen shows it once, as soon as the question of the
    match needs the device; that the saved games are damaged, at once.
    """

    def __init__(self, table: Table, panel: Panel) -> None:
        self._table, self._panel = table, panel
        self._device_errors: dict[str, str] = {}
        self._unshown: set[str] = set()

    def begin(self, device_errors: Mapping[str, str]) -> None:
        """Record the errors that the devices have from the start."""
        self._device_errors, self._unshown = dict(device_errors), set(device_errors)
        self._show()

    @property
    def broken(self) -> frozenset[str]:
        """The devices with an error, by their names in `umpi.toml`."""
        return frozenset(self._device_errors)

    def take(self, trouble: DeviceStatus) -> bool:
        """Record that a device has an error or is well again; return whether that is new."""
        device, device_errors = trouble.device, self._device_errors
        if trouble.reason == device_errors.get(device, ""):
            return False
        if trouble.reason:
            self._unshown |= {device} - device_errors.keys()
            device_errors[device] = trouble.reason
        else:
            self._unshown.discard(device)
            del device_errors[device]
            self._panel.forget(device_label(device))
        self._show()
        return True

    def tell(self, match: Match | None) -> bool:
        """Show an error of a device that the question of `match` needs; return whether there was one."""
        needed = (each for each in sorted(self._unshown) if each == "journal" or (match and _serves(each, match)))
        device = next(needed, None)
        if device is None or self._panel.noticing:  # one notice after the other
            return False
        self._unshown.discard(device)
        self._panel.tell(device_label(device), self._table.state.device_errors[device_label(device)], passing=True)
        return True

    def tell_held(self, held: Sequence[str]) -> None:
        """Show which buttons are pressed or beams are dark, so that the players can check them."""
        if held:
            template = "Pressed or blocked at startup: {lines}. Check the button, beam and wire."
            self._panel.tell(tr("Stuck"), tr(template, lines=", ".join(held)), passing=True)

    def _show(self) -> None:
        device_errors = self._device_errors
        errors = {
            device_label(device): spaced([instead(device, self.broken), in_words(why)])
            for device, why in device_errors.items()
        }
        self._table.become(replace(self._table.state, device_errors=errors))


def device_label(device: str) -> str:
    """Return the name of a device for people.

    >>> device_label("second_1"), device_label("red")
    ('Beam second_1', 'red button')
    """
    if device in DEVICES:
        return DEVICES[device][0]
    return message("Beam {name}", name=device) if of_funnel(device) else message("{name} button", name=device)


def instead(device: str, broken: Collection[str] = ()) -> str:
    """Return what to do while the device has an error, and those that are `broken` have one too."""
    if device == "display" and "buttons" in broken:
        return message("Phones show everything.")
    if device in DEVICES:
        return DEVICES[device][1]
    return ORDER_BY_HAND if of_funnel(device) else message("Set another pin in umpi.toml.")


def of_funnel(device: str) -> bool:
    """Return whether cubes are not seen while the device has an error."""
    return device == "head" or device.startswith(("lane_", "second_"))


def _serves(device: str, match: Match) -> bool:
    """Return whether a device could answer the current question."""
    if device == "scanner":
        return bool(cards_of(match.game))
    return (of_funnel(device) or device in ("rail", "light")) and cube_ask(match) is not None


def in_words(why: str) -> str:
    """Return the reason of a device error as a sentence for the small screen; keep the system's own text."""
    if not isinstance(why, Message):
        return sentence(why)
    if isinstance(reason := why.values.get("reason"), str):  # "{port}: {reason}"
        return in_words(reason)
    values = {name: in_words(value) if isinstance(value, Message) else value for name, value in why.values.items()}
    return message(sentence(why.template), **values)


def sentence(why: str) -> str:
    """Return a reason, or its template, as a sentence, without the port: `umpi doctor` shows where a plug is."""
    why = re.sub(r" at ({port}|/dev/[^\s:]+)", "", why)
    return f"{why[:1].upper()}{why[1:]}{'' if why.endswith(('.', '?')) else '.'}"
