"""The chapters and steps of the build guide, read from guide.toml and chapters/, and the path of each build."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hardware.wiring.model import BUILDS

COMMAND = "Enter: "  # what a command to type begins with, in a sentence of its own
SOURCE = Path(__file__).with_name("guide.toml")


class Step(NamedTuple):
    """One step: what to do, what to see, what to do if not; `uses` and `joins` are explained in guide.toml."""

    title: str
    minutes: int
    tools: str
    do: tuple[str, ...]
    see: str
    wrong: tuple[tuple[str, str], ...]
    uses: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    builds: tuple[str, ...] = ()  # those of the chapter if empty
    scene: str = "box"  # what is drawn, see scenes.py
    new: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    full: tuple[str, ...] = ()  # also shown in the full build, whose picture is another file then
    apart: float = 0.0
    front: bool = False
    below: bool = False
    picture: str = ""  # a file instead of a scene
    check: str = ""  # the resistances to measure: "wires", "pi" or "head"
    listed: bool = False  # its parts are printed with their designators, on a page of its own
    wide: bool = False  # its picture has the width of the page
    drawings: tuple[str, ...] = ()  # pictures of parts to saw or drill, printed after the chapter
    tall: bool = False  # it has a page of its own
    label: str = ""  # chapter and number: "C4"


class Chapter(NamedTuple):
    """Steps of one part of the box, and the builds that have it."""

    letter: str
    title: str
    builds: tuple[str, ...]
    steps: tuple[Step, ...]


class Advice(NamedTuple):
    """What can hurt, and how to avoid it; or work by hand, and how it is done; and the builds that have it."""

    what: str
    do: str
    builds: tuple[str, ...]


class Guide(NamedTuple):
    """The whole guide."""

    title: str
    status: str
    colours: str
    safety: tuple[Advice, ...]
    hand: tuple[Advice, ...]
    chapters: tuple[Chapter, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps of all chapters."""
        return tuple(step for chapter in self.chapters for step in chapter.steps)

    def path(self, build: str) -> Iterator[Step]:
        """Yield the steps of a build, in their order."""
        for step in self.steps:
            if build in step.builds:
                yield step

    def dangers(self, build: str) -> list[tuple[str, str]]:
        """List what can hurt in a build, each with how to avoid it."""
        return [(each.what, each.do) for each in self.safety if build in each.builds]

    def by_hand(self, build: str) -> list[tuple[str, str]]:
        """List the kinds of work by hand in a build, each with how it is done."""
        return [(each.what, each.do) for each in self.hand if build in each.builds]

    def minutes(self, build: str) -> int:
        """Return the time of a build."""
        return sum(step.minutes for step in self.path(build))


def commands(step: Step) -> list[str]:
    """List the commands of a step, as they are typed."""
    return [words.removeprefix(COMMAND) for words in step.do if words.startswith(COMMAND)]


def read_guide(file: Path = SOURCE) -> Guide:
    """Read the guide. Raises TypeError with a field that is missing or unknown."""
    contents = tomllib.loads(file.read_text(encoding="utf-8"))
    safety, hand = (
        tuple(Advice(row["what"], row["do"], tuple(row.get("builds", BUILDS))) for row in contents[name])
        for name in ("safety", "hand")
    )
    chapters = (_chapter(each) for each in sorted((file.parent / "chapters").glob("*.toml")))
    return Guide(contents["title"], contents["status"], contents["colours"], safety, hand, tuple(chapters))


def _chapter(file: Path) -> Chapter:
    contents = tomllib.loads(file.read_text(encoding="utf-8"))
    letter = file.name[0].upper()
    builds = tuple(contents["builds"])
    steps = (_step(each, builds, f"{letter}{number}") for number, each in enumerate(contents["step"], 1))
    return Chapter(letter, contents["title"], builds, tuple(steps))


def _step(fields: dict[str, Any], builds: tuple[str, ...], label: str) -> Step:
    wrong = tuple((row["what"], row["do"]) for row in fields.pop("wrong", ()))
    lists: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return Step(**({"builds": builds} | lists), wrong=wrong, label=label)
