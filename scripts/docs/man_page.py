"""Write the manual page of `umpi` from the parser that prints its help.

To read the page: man -l firmware/system/umpi.1
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator

from scripts import REPO
from umpi.cli import INTRO, build_parser
from umpi.cli.parser import GROUPS, Parser
from umpi.cli.terminal import INSTALLED

PAGE = REPO / "firmware" / "system" / "umpi.1"
FILES = (
    (str(INSTALLED), "Wiring and settings of an installed box."),
    ("/var/lib/umpi/games.db", "Saved matches of an installed box."),
    ("~/.local/share/umpi/games.db", "Saved matches on any other computer."),
)


def escape(text: str) -> str:
    r"""Write text so that troff prints it as it is.

    >>> print(escape(".a \\ --offer '1'"))
    \&.a \(rs \-\-offer \(aq1\(aq
    """
    text = text.replace("\\", r"\(rs").replace("-", r"\-").replace("'", r"\(aq").replace("^", r"\(ha")
    text = text.replace("~", r"\(ti").replace("`", r"\(ga")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def bold(text: str) -> str:
    """Print text in bold."""
    return rf"\fB{escape(text)}\fR"


def italic(text: str) -> str:
    """Print text in italics, as what is to be replaced."""
    return rf"\fI{escape(text)}\fR"


def prose(text: str) -> Iterator[str]:
    """Start each sentence on a line of its own, as troff expects."""
    yield from escape(re.sub(r"(?<=[.:]) (?=[A-Z@])", "\n", " ".join(text.split()))).splitlines()


def page(parser: Parser) -> str:
    """Write the whole page."""
    lines = [
        r".\" Written by ./scripts/dev man-page from the parser of umpi. Change firmware/umpi/cli and write it again.",
        '.TH UMPI 1 "" Umpi "User commands"',
        ".nh",
        ".ad l",
        ".SH NAME",
        r"umpi \- referee for board games",
        ".SH SYNOPSIS",
        rf"{bold('umpi')} {italic('COMMAND')} [{italic('OPTION')} ...]",
        ".SH DESCRIPTION",
        *paragraphs(INTRO),
        *heading("Options"),
        *(line for action in parser.arguments for line in option(action, parser)),
        *heading("Options of every command"),
        *option(log_level(parser.commands["sim"]), parser),
    ]
    for group in GROUPS:
        lines += heading(group)
        for command in parser.commands.values():
            if command.group == group:
                lines += section(command, log_level(parser.commands["sim"]))
    lines += heading("Examples")
    lines += verbatim(parser.examples)
    lines += heading("Exit status")
    lines += statuses(parser)
    lines += heading("Files")
    for file, what in FILES:
        lines += [".TP", bold(file), *prose(what)]
    return "\n".join(lines) + "\n"


def heading(title: str) -> list[str]:
    """Start a section of the page."""
    return [f'.SH "{escape(title.upper())}"']


def paragraphs(text: str) -> Iterator[str]:
    """Write paragraphs that empty lines part."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield from prose(paragraph)


def log_level(command: Parser) -> argparse.Action:
    """Find --log-level, which every command has."""
    return next(action for action in command.arguments if action.dest == "log_level")


def section(command: Parser, common: argparse.Action) -> Iterator[str]:
    """Describe a command: purpose, usage, arguments, options but those of every command, examples, exit statuses."""
    yield f'.SS "{escape(command.prog)}"'
    yield from prose(command.purpose)
    yield ".PP"
    yield synopsis(command)
    yield ".PP"
    yield from prose(command.description or "")
    for action in sorted(command.arguments, key=lambda action: bool(action.option_strings)):
        if action.dest != "help" and action.help != common.help:
            yield from option(action, command)
    yield from [".PP", "Examples:" if len(command.examples) > 1 else "Example:"]
    yield from verbatim(command.examples)
    if command.statuses:
        yield from [".PP", "Exit status:"]
        yield from statuses(command)


def synopsis(command: Parser) -> str:
    """Write the usage that the help shows."""
    usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
    return bold(command.prog) + escape(usage.removeprefix(command.prog))


def value(action: argparse.Action) -> str:
    """Name the value of an option or argument, "" if it takes none."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, str):
        name = italic(action.metavar)
    elif action.choices is not None:
        name = bold("{" + ",".join(map(str, action.choices)) + "}")
    else:
        name = italic(action.dest.upper())
    return f"[{name} ...]" if action.nargs == "*" else name


def option(action: argparse.Action, parser: Parser) -> Iterator[str]:
    """Describe an option or argument."""
    yield ".TP"
    names = ", ".join(map(bold, action.option_strings))
    yield " ".join(filter(None, (names, value(action))))
    yield from prose((action.help or "") % {**vars(action), "prog": parser.prog})


def verbatim(lines: Iterable[str]) -> Iterator[str]:
    """Keep the lines of examples as they are."""
    yield from [".PP", ".RS 2", ".nf", *map(escape, lines), ".fi", ".RE"]


def statuses(parser: Parser) -> Iterator[str]:
    """List exit statuses."""
    for number, text in parser.statuses.items():
        yield from [".TP 6", bold(str(number)), *prose(text)]


def main() -> int:
    """Write the page, or with --check compare it."""
    arguments = argparse.ArgumentParser(prog="./scripts/dev man-page", description=__doc__)
    arguments.add_argument("--check", action="store_true", help="change nothing; exit status 1: page out of date")
    text = page(build_parser())
    if arguments.parse_args().check:
        return int(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(PAGE.relative_to(REPO))
    return 0


if __name__ == "__main__":
    sys.exit(main())
