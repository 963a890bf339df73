"""Start a command for developers: ./scripts/dev NAME [WORDS]. Any Python 3 runs this file, before .venv is there."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
REPO = HERE.parent


class Command(NamedTuple):
    """A command: its name, and its file below scripts/, a Python module or a program.

    The Python of .venv runs a module. `debians` is for modules that need Debian's own Python, and no .venv.
    """

    name: str
    file: str
    debians: bool = False

    @property
    def about(self) -> str:
        """Return what the command does: the first line of its docstring, or of a program's first comment."""
        text = (HERE / self.file).read_text(encoding="utf-8")
        if not self.file.endswith(".py"):
            return text.splitlines()[1].lstrip("# ")
        return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]


COMMANDS = (
    Command("arm64", "debian/arm64"),
    Command("bench", "bench/__main__.py"),
    Command("bench-flood", "bench/flood.py"),
    Command("bench-order", "order/__main__.py", debians=True),
    Command("card", "card/__main__.py"),
    Command("config-page", "docs/config_page.py"),
    Command("falls", "falls/__main__.py"),
    Command("gate", "verdicts/gate.py"),
    Command("hall", "hall/__main__.py"),
    Command("hall-crowd", "hall/crowd.py"),
    Command("hardware", "pictures/hardware.py"),
    Command("head-fuzz", "soak/head_fuzz.py"),
    Command("hil", "hil/__main__.py", debians=True),
    Command("icons", "pictures/icons.py"),
    Command("install-in-debian", "debian/install-in-debian"),
    Command("kill", "soak/kill.py"),
    Command("kill-tab", "soak/kill_tab.py"),
    Command("lock", "lock/__main__.py"),
    Command("long-run", "soak/long_run.py"),
    Command("luck", "luck/__main__.py"),
    Command("man-page", "docs/man_page.py"),
    Command("manual", "docs/manual.py"),
    Command("mutate", "mutate/__main__.py"),
    Command("pico", "pico/__main__.py"),
    Command("pictures", "pictures/__main__.py"),
    Command("pins-hil", "pins/__main__.py", debians=True),
    Command("play-outs", "soak/play_outs.py"),
    Command("questions", "docs/questions.py"),
    Command("races", "verdicts/races.py"),
    Command("screens", "screens/__main__.py"),
    Command("tab", "tab/__main__.py"),
    Command("texts", "texts/__main__.py"),
)


def main(words: list[str]) -> int:
    """Become the named command. Return the exit status if there is none."""
    if not words or words[0] in ("-h", "--help"):
        print("./scripts/dev NAME [WORDS]   NAME --help explains a command\n")
        width = max(len(command.name) for command in COMMANDS)
        for command in COMMANDS:
            print(f"  {command.name:{width}}  {command.about}")
        return 0
    name, *rest = words
    named = {command.name: command for command in COMMANDS}
    if name not in named:
        near = "".join(f" Did you mean {each}?" for each in get_close_matches(name, named, 1))
        print(f"dev: There is no command {name}.{near} ./scripts/dev lists all.", file=sys.stderr)
        return 2
    _become(named[name], rest)
    return 0


def _become(command: Command, words: list[str]) -> None:
    file = HERE / command.file
    if file.suffix != ".py":
        os.execv(file, [str(file), *words])
    python = Path("/usr/bin/python3")
    if not command.debians:
        if status := subprocess.run([str(HERE / "setup"), "--quiet"]).returncode:
            sys.exit(status)
        python = REPO / ".venv" / "bin" / "python"
    module = ".".join(("scripts", *Path(command.file).with_suffix("").parts))
    paths = os.pathsep.join(filter(None, (str(REPO), os.environ.get("PYTHONPATH"))))
    # -P: the folder where this is called may have scripts of its own
    os.execve(python, [str(python), "-P", "-m", module, *words], {**os.environ, "PYTHONPATH": paths})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
