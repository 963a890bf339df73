"""Stories of the shelf: commands and what happens beside them, and what each says and changes on the disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.kit.wheels import GAME, Umpi
from umpi import __version__

Step = str | tuple[str, Callable[[Path], object]]  # a command, or what happens beside it
Story = tuple[Step, ...]
BOX, STAND = "data/umpi", "stand"  # the folder of the box, and that of a shelf which somebody publishes


def writes(file: str, text: str) -> Step:
    """Return the step that writes a file; BOX in it is the folder of the box."""
    return f"{file} is {text!r}", lambda at: (at / file).write_text(text.replace("BOX", str(at / BOX)))


def told(story: Story, umpi: Umpi, at: Path) -> str:
    """Return what each step of a story says and changes. Of the games in a list, only that of the tests is shown."""
    text = "\n".join(_told(story, umpi, at)).replace(f"{at}/", "").replace(str(at), ".")
    text = re.sub(r"\b[0-9a-f]{64}\b", "HEX", text.replace(f"Umpi {__version__}", "Umpi OWN"))
    return re.sub(r"(umpi-[a-z-]+-[\d.]+)-[0-9a-f]{12}\b", r"\1-…", re.sub(r"localhost:\d+", "localhost:PORT", text))


def _told(story: Story, umpi: Umpi, at: Path) -> Iterator[str]:
    before = dict[str, bytes]()
    for step in story:
        if isinstance(step, str):
            status, out, err = umpi(*step.split())
            yield from (f"$ umpi {step}", f"  status {status}")
            lines = f"{out}{err}".splitlines()
            yield from (f"  {line}" for line in lines if not line.startswith('{"id"') or f'"id": "{GAME}"' in line)
        else:
            what, do = step
            do(at)
            yield what
        now = _there(at)
        for name in sorted({*now, *before}):
            if now.get(name) != before.get(name):
                yield f"  {'new' if name not in before else 'gone' if name not in now else 'changed'}: {name}"
        before = now


def _there(at: Path) -> dict[str, bytes]:
    """Return the files of the box and of the shelf; those of an installed game are as one, without its bytecode."""
    found = dict[str, bytes]()
    for file in sorted(each for place in (BOX, STAND) for each in (at / place).rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            parts = (
                file.relative_to(at / BOX).parts[:2] if file.is_relative_to(at / BOX) else file.relative_to(at).parts
            )
            name = re.sub("/[0-9a-f]{16}/", "/…/", "/".join(parts))
            found[name] = found.get(name, b"") + file.read_bytes()
    return found
