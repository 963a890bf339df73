"""New games: write the package of a small game, or of an expansion of a game, for the author to change."""

from __future__ import annotations

import importlib.util
import json
import keyword
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.resources import files
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any, cast

from umpi import __version__
from umpi.conformance.tables import tables, variants
from umpi.kernel.fields import Value
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Match, Refused
from umpi.kernel.output import put
from umpi.kernel.random_games import play
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import catalog, is_shipped, own_point

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
RULES = "$module/rules.py"
ABOUT_THE_RULES = ("$module/rulebook/en.md", "$module/lesson.py", "$module/printables.py", "$module/strategy.py")
OF_EXPANSION = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "$module/__init__.py": "init.py.txt",
    "$module/rules.py": "rules.py.txt",
    "tests/test_$module.py": "test_expansion.py.txt",
    "tests/a-game-with-a-break.jsonl": "a-game-with-a-break.jsonl.txt",
}
IMPORT = "from umpi.kernel import Ask, Field, Number, message, override, replace"
LONGEST_ACT = 15  # letters of an expansion's name: its act has that name, and the small screen says "Undo: tea-break"
SEED = 1  # of the random moves before the break in the record of an expansion


class BadName(ValueError):
    """Report a name that a new game cannot have; the text gives the reason."""


def run(name: str, folder: Path, expands: str | None = None) -> int:
    """Run `umpi new-game NAME`: write the package into `folder`, and print its files and the next commands.

    With `expands`, the id of a game, it is the package of an expansion.
    Returns the exit status: 0, or 2 if the package cannot be written.
    """
    try:
        written = write_package(name, folder, expands)
    except (BadName, Refused, OSError) as fault:
        why = f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) and fault.strerror else fault
        print(f"umpi: {why}", file=sys.stderr)
        return 2
    place = folder / name
    put(*written, "", "Next:", f"  pip install -e {place}", f"  umpi check {expands or name}", "  umpi sim")
    put(f"{place / 'README.md'} says where to go on.")
    return 0


def write_package(name: str, folder: Path, expands: str | None = None) -> list[Path]:
    """Write the package of a game `name`, or of an expansion of the game `expands`, into `folder`/`name`.

    Returns its files. Raises BadName if the name cannot be used, Refused if the game to expand is not installed, and
    OSError if a file cannot be written. In each case no file remains.
    """
    place = folder / name
    _check(name, place)
    texts = _expansion_texts(name, expands) if expands else _texts(name)
    place.mkdir()
    try:
        for file, text in texts.items():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            (place / file).write_text(text, encoding="utf-8", newline="\n")
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return [place / file for file in texts]


def left_over(package: Mapping[PurePosixPath, bytes]) -> tuple[str, ...]:
    """Return the files of a package that still describe the rules of the template, although its own are different."""
    found = list[str]()
    for module in sorted({path.parts[0] for path in package}):
        names = {file: Template(file).substitute(module=module) for file in (RULES, *ABOUT_THE_RULES)}
        same = {file for file, name in names.items() if _unchanged(file, package.get(PurePosixPath(name), b""))}
        if RULES not in same:
            found += (names[file] for file in ABOUT_THE_RULES if file in same)
    return tuple(found)


def _unchanged(file: str, content: bytes) -> bool:
    """Check whether a file is as the template makes it, for a game of any name."""
    text = (files(__name__) / "template" / TEMPLATES[file]).read_text(encoding="utf-8")
    pattern = r"[^\n]+?".join(map(re.escape, re.split(r"\$[a-z]+", text)))
    return re.fullmatch(pattern, content.decode(errors="replace")) is not None


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
    return _filled("template", TEMPLATES, _names(name) | {"version": __version__})


def _expansion_texts(name: str, id: str) -> dict[str, str]:
    """Return the text of each file of the package of an expansion of a game."""
    if len(name) > LONGEST_ACT:
        raise BadName(f"{name} has {len(name)} letters, the name of an expansion at most {LONGEST_ACT}.")
    point = own_point(id)
    base: type[Game] = point.load()
    names = _names(name)
    option = names["module"]
    if (
        hasattr(base, option)
        or hasattr(base, f"do_{option}")
        or option in {each.name for each in fields(cast(Any, base))}
    ):
        raise BadName(f"{base.title} has a member {option} already. Choose another name.")
    header = next(tables(base, [{}, *variants(base)]))
    options = {**header.options, option: 1}
    needed = [f"umpi>={__version__}"]
    if point.dist and not is_shipped(id):
        needed.append(f"{point.dist.name}>={point.dist.version}")
    imports = sorted((f"from {point.module} import {point.attr}", IMPORT))
    return _filled("expansion", OF_EXPANSION, names | {
        "id": id, "base": point.attr, "path": f"{point.module}.{point.attr}", "base_title": full_title(base),
        "imports": "\n".join(imports),
        "dependencies": json.dumps(needed), "players": _written(header.players), "options": _written(options),
        "record": "\n".join(_record_with_break(name, header, options)) + "\n",
    })  # fmt: skip


def _written(value: object) -> str:
    return repr(value).replace("'", '"')


def _record_with_break(verb: str, header: Header, options: Mapping[str, Value]) -> Iterator[str]:
    """Yield the lines of a record: random moves up to a question where a break may be taken, and the break."""
    match = Match(header.game, header.players, header.options)
    moves = play(match, SEED)
    while any(ask.secret or ask.of_box for ask in match.asks):
        next(moves)
    if not match.asks:
        raise BadName(
            f"{match.game.title} asks in secret or waits for the box all the time: no other act fits beside that."
        )
    facts = {**match.now.facts(), f"{verb.replace('-', '_')}_used": 1}
    expect = {"phase": match.now.phase, "scores": match.now.scores(), "facts": facts}
    yield dump({**header.line(), "options": options, "about": "The table takes its only break", "expect": expect})
    for act in match.acts:
        yield dump(act.line())
    yield dump({"do": verb})
    yield dump({"refuse": {"do": verb}})


def _names(name: str) -> dict[str, str]:
    """Return the name in its forms: of the package, of the module, of the class and as a title."""
    words = name.split("-")
    kind = "".join(map(str.capitalize, words))
    return {"name": name, "module": name.replace("-", "_"), "kind": kind, "title": " ".join(words).capitalize()}


def _filled(folder: str, templates: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Return each file of a package with its text: the templates of a folder with these values."""
    there = files(__name__) / folder
    found = {file: Template((there / template).read_text(encoding="utf-8")) for file, template in templates.items()}
    used = f"{found['$module/rules.py'].template} {values.get('base')}"
    if re.search(rf"\b{values['kind']}\b", used):  # the template or the game has this name, as with Dice
        values = {**values, "kind": values["kind"] + "Game"}
    return {Template(file).substitute(values): text.substitute(values) for file, text in found.items()}
