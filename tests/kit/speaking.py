"""How a player changes the language at the box."""

from __future__ import annotations

from tests.kit.browsing import Sim


def speak_german(sim: Sim) -> None:
    """Choose German in the menu of the virtual box."""
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Language: English")
    sim.sees("Deutsch")
    sim.choose("Deutsch")
