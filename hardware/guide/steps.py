"""The steps of the build guide, read from guide.toml, and the resistances to measure, from the wiring."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from hardware.wiring.header import place
from hardware.wiring.model import Wiring

SOURCE = Path(__file__).with_name("guide.toml")
SEPARATE = "no beep"


class Step(NamedTuple):
    """One step: what to do, what to see, what to do if not; its picture is a file or the box, see guide.toml."""

    title: str
    minutes: int
    tools: str
    do: tuple[str, ...]
    see: str
    wrong: tuple[tuple[str, str], ...]
    new: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    apart: float = 0.0
    front: bool = False
    below: bool = False
    picture: str = ""
    check: bool = False


class Guide(NamedTuple):
    """The whole guide."""

    title: str
    status: str
    colours: str
    safety: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]

    @property
    def minutes(self) -> int:
        """Return the time of all steps."""
        return sum(step.minutes for step in self.steps)


def read_guide(file: Path = SOURCE) -> Guide:
    """Read the guide. Raises TypeError with a field that is missing or unknown."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    safety = tuple((row["what"], row["do"]) for row in told["safety"])
    return Guide(told["title"], told["status"], told["colours"], safety, tuple(map(_step, told["step"])))


def checks(wiring: Wiring) -> list[tuple[str, str, str]]:
    """List what to measure at the header before the first power: between which pins, when, and what is right."""
    pressed = wiring.part["r_1k"].values["ohm"]
    rows = [
        ("2 (5 V) and 6 (ground)", "", SEPARATE),
        ("1 (3.3 V) and 6 (ground)", "", SEPARATE),
        ("2 (5 V) and 1 (3.3 V)", "", SEPARATE),
    ]
    buttons = [net for net in wiring.nets("table") if net.board == "pi" and net.section in ("seats", "navigation")]
    for net in buttons:
        at = place("pi", net.pin)
        rows.append((f"{at} ({net.name}) and 6 (ground)", "free; pressed", f"over 10 kΩ; {pressed / 1000:g} kΩ ± 5 %"))
    others = sorted({int(place("pi", net.pin)) for net in wiring.nets("table") if net.board == "pi"})
    rows.append((f"2 (5 V) and each of {', '.join(map(str, others))}", "", SEPARATE))
    return rows


def _step(told: dict[str, Any]) -> Step:
    wrong = tuple((row["what"], row["do"]) for row in told.pop("wrong", ()))
    lists: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}
    return Step(**lists, wrong=wrong)
