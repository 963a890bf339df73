"""The parser of `umpi` and of each command, and the help it prints: groups, options, examples, exit statuses."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from umpi.kernel.output import put

PLAY = "Play"
LOOK = "Look at games"
WRITE = "Write and check a game"
BUILD = "Build and keep a box"
GROUPS = (PLAY, LOOK, WRITE, BUILD)
TITLES = {"positional arguments": "Arguments", "options": "Options"}  # of argparse: ours
SIMILAR = 0.6  # from this on, difflib calls two words alike
OURS = {  # errors of argparse in our words
    r"^argument (?:-\w/)?(\S+): invalid int value: '(.*)'$": r"\1: expected a whole number, got \2.",
    r"^argument (?:-\w/)?(\S+): invalid float value: '(.*)'$": r"\1: expected a number, got \2.",
    r"^argument (?:-\w/)?(\S+): invalid fromisoformat value: '(.*)'$": r"\1: expected a date as in 2026-09-01, got \2.",
    r"^argument (?:-\w/)?(\S+): invalid choice: '?(.*?)'? \(choose from (.*)\)$": r"\1: expected one of \3, got \2.",
    r"^argument (?:-\w/)?(\S+): expected one argument$": r"\1: expected a value.",
    r"^argument (?:-\w/)?(\S+): (.*[^.])$": r"\1: \2.",
    r"^the following arguments are required: (.*)$": r"\1 is missing.",
}
Run = Callable[[argparse.Namespace], int]  # runs a command; returns its exit status
AddParser = Callable[..., argparse.ArgumentParser]  # adds a command by its name and `Run`, and returns its parser


class HelpFormatter(argparse.HelpFormatter):
    """Formats help under plain headings."""

    def start_section(self, heading: str | None) -> None:
        """Start a section under our own heading."""
        super().start_section(TITLES.get(heading or "", heading))


class VerbatimFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the description, for the list of commands."""


class Parser(argparse.ArgumentParser):
    """A parser whose help ends with examples and exit statuses, and that answers an unknown word with its own usage.

    `group` is the heading under which `umpi --help` lists the command, `purpose` the sentence beside it.
    """

    def __init__(
        self, *, group: str = "", purpose: str = "", examples: Sequence[str] = (),
        statuses: Mapping[int, str] | None = None, formatter_class: Any = HelpFormatter, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(formatter_class=formatter_class, **settings)
        self.group, self.purpose, self.examples = group, purpose, tuple(examples)
        self.statuses = dict(statuses or {})
        self.commands: dict[str, Parser] = {}  # of `umpi` itself, by their names

    @property
    def arguments(self) -> list[argparse.Action]:
        """The arguments and options that the help lists, --help among them."""
        return [action for action in self._actions if action.help != argparse.SUPPRESS]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse the arguments; those left over are an error."""
        known, left = super().parse_known_args(args, namespace)
        if left:
            self.error(self._unknown(left[0]))
        return known, left

    def _unknown(self, word: str) -> str:
        """Return what is wrong with a word that is left over."""
        if not word.startswith("-"):
            return f"{word} is one word too many."
        option, _, _ = word.partition("=")
        known = [name for action in self.arguments for name in action.option_strings]
        return f"there is no option {option}.{did_you_mean(option, known)}"

    def check_command(self, name: str) -> None:
        """Exit with status 2 if there is no such command, and name the one that is meant."""
        if name.startswith("-"):
            self.error(self._unknown(name))
        if name not in self.commands:
            self.error(f"there is no command {name}.{did_you_mean(name, self.commands)}")

    def error(self, message: str) -> NoReturn:
        """Print the usage, the error and the command that shows the help; exits with status 2."""
        what = "commands" if self.commands else "options"
        for pattern, ours in OURS.items():
            message = re.sub(pattern, ours, message)
        if "expected one of" in message:
            message = message.replace("'", "")  # argparse quotes each choice
        super().error(f"{message}\nTo see the {what}: {self.prog} --help")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help and the version as commands print, and not as argparse does, which overlooks a full disk."""
        if message and file is sys.stdout:
            put(message.removesuffix("\n"))
        else:
            super()._print_message(message, file)

    def format_help(self) -> str:
        """Return the help, with the examples and exit statuses at its end."""
        examples = ["", "Examples:" if len(self.examples) > 1 else "Example:", *indented(self.examples)]
        statuses = ["", "Exit status:", *indented(f"{number:<4}{text}" for number, text in self.statuses.items())]
        lines = [*(examples if self.examples else ()), *(statuses if self.statuses else ())]
        return super().format_help() + "".join(line + "\n" for line in lines)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question for the known word that is most like this one, "" if none is like it.

    >>> did_you_mean("gmaes", ["games", "rules"]), did_you_mean("oled", ["head"])
    (' Did you mean games?', '')
    """
    close = get_close_matches(word, list(known), 1, SIMILAR)
    return f" Did you mean {close[0]}?" if close else ""


def indented(lines: Iterable[str]) -> list[str]:
    """Indent lines as the help does.

    >>> indented(["umpi sim"])
    ['  umpi sim']
    """
    return ["  " + line for line in lines]


def list_commands(commands: Mapping[str, Parser]) -> str:
    """List the commands by group, one line each: the name and its purpose."""
    wide = max(map(len, commands))
    lines: list[str] = []
    for group in GROUPS:
        lines += ["", f"{group}:"]
        lines += indented(f"{name:{wide}}  {of.purpose}" for name, of in commands.items() if of.group == group)
    return "\n".join(lines[1:])
