"""New games: write the package of a small game that can be played at once, for the author to change."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from string import Template

from umpi import __version__
from umpi.kernel.registry import catalog

LONGEST = 20  # letters of a name, so that the title fits the small screen
TEMPLATES = {  # file of the package: template
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "$module/__init__.py": "init.py.txt",
    "$module/rules.py": "game.py.txt",
    "$module/lesson.py": "lesson.py.txt",
    "$module/printables.py": "printables.py.txt",
    "$module/strategy.py": "strategy.py.txt",
    "$module/rulebook/en.md": "en.md.txt",
    "$module/rulebook/a-game-of-two.jsonl": "a-game-of-two.jsonl.txt",
    "tests/test_$module.py": "test_game.py.txt",
    "tests/a-game-of-two.jsonl": "a-game-of-two.jsonl.txt",
}


class BadName(ValueError):
    """Report a name that a new game cannot have; the text gives the reason."""


def run(name: str, folder: Path) -> int:
    """Run `umpi new-game NAME`: write the package into `folder`, and print its files and the next commands.

    Returns the exit status: 0, or 2 if the package cannot be written.
    """
    try:
        written = write_package(name, folder)
    except (BadName, OSError) as fault:
        why = f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) and fault.strerror else fault
        print(f"umpi: {why}", file=sys.stderr)
        return 2
    place = folder / name
    print(*written, "", "Next:", sep="\n")
    print(f"  pip install -e {place}", f"  umpi check {name}", "  umpi sim", sep="\n")
    print(f"{place / 'README.md'} says where to go on.")
    return 0


def write_package(name: str, folder: Path) -> list[Path]:
    """Write the package of a game `name` into `folder`/`name`, and return its files.

    Raises BadName if the name cannot be used, OSError if a file cannot be written. In both cases no file remains.
    """
    place = folder / name
    _check(name, place)
    texts = _texts(name)
    place.mkdir()
    try:
        for file, text in texts.items():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            (place / file).write_text(text, encoding="utf-8", newline="\n")
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return [place / file for file in texts]


def _check(name: str, place: Path) -> None:
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise BadName(
            f'"{name}" is not a valid name. Expected lower-case letters, digits and dashes, as in "snake-eyes".'
        )
    if len(name) > LONGEST:
        raise BadName(f"{name} has {len(name)} letters, a game's name at most {LONGEST}.")
    if name in (entry.id for entry in catalog()):
        raise BadName(f"A game {name} is installed already; umpi games lists them.")
    if not place.parent.is_dir():
        raise BadName(f"{place.parent} is not a folder.")
    if place.exists() or place.is_symlink():
        raise BadName(f"{place} is there already.")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or importlib.util.find_spec(module):
        raise BadName(f"Python has a module or a word {module} already. Choose another name.")


def _texts(name: str) -> dict[str, str]:
    """Return the text of each file of the package, made from the templates."""
    words = name.split("-")
    folder = files(__name__) / "template"
    found = {file: Template((folder / template).read_text(encoding="utf-8")) for file, template in TEMPLATES.items()}
    kind = "".join(map(str.capitalize, words))
    if re.search(rf"\b{kind}\b", found["$module/rules.py"].template):  # the template uses this name, as with Dice
        kind += "Game"
    values = {"name": name, "module": name.replace("-", "_"), "kind": kind, "title": " ".join(words).capitalize()}
    values |= {"version": __version__}
    return {Template(file).substitute(values): text.substitute(values) for file, text in found.items()}
