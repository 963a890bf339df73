"""The text of the rules with the options in force: their numbers, and the sentences that apply with them.

Over {limit}: you bust.                     the value of an option
A triple scores {scale.brelan} points.      one value of an option that is a list
{request=may: You may draw.}                a sentence for one value of an option, `!=` for all others
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from umpi.kernel.fields import Each, Field, Number, Pick, Value, same
from umpi.kernel.game import Game
from umpi.kernel.options import defaults
from umpi.kernel.record import read_line
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Section, Table

SENTENCE = re.compile(r"\{(\w+)(!?=)([\w-]+): *((?:[^{}]|\{[\w.]+\})*)\} *")
NAME = re.compile(r"\{(\w+)")
UNFILLED = re.compile(r"^#[^\n]*|^```.*?^```|^\|[^\n]*(?=\n\|[\s:-]*-)", re.M | re.S)  # headings, examples, table heads
ACROSS = re.compile(r"\||\n(?:\s*\n|#|```|- |\d+\. )")  # where a paragraph, an item or a cell ends
VALUE = re.compile(r"\{([\w.]+)\}")
WORDS: dict[Value, str] = {True: "true", False: "false", None: "null"}


def by_the_sheet(game: type[Game]) -> dict[str, Value]:
    """Return the options with which a new game begins at the box."""
    return {**defaults(game), **game.at_buttons}


def check(text: str, game: type[Game]) -> None:
    """Check the text of a rulebook. Raises ValueError, with the line, if it names what is no option or no value of one.

    A brace that belongs to no option raises it too: players would read the brace.
    """
    known = {option.name: option for option in game.options}
    names = {name for name, _ in _words(game, defaults(game))}

    def fault(text: str, at: int, why: str) -> ValueError:
        number = 1 + text.count("\n", 0, at)
        return ValueError(f"line {number}: {why}")

    for found in UNFILLED.finditer(text):
        if (at := found[0].find("{")) >= 0:
            raise fault(text, found.start() + at, "headings, heads of tables and examples contain no options")
    for found in SENTENCE.finditer(text):
        name, _, value, inside = found.groups()
        if ACROSS.search(inside):
            raise fault(text, found.start(), "a sentence in braces ends in the paragraph, item or cell where it begins")
        if name not in known:
            raise fault(text, found.start(), f"the game has no option {name}")
        if not _may_be(known[name], value):
            raise fault(text, found.start(), f"the option {name} is never {value}")
    bare = SENTENCE.sub(r"\4", text)  # it has the same lines
    for found in VALUE.finditer(bare):
        if found[1] not in names:
            raise fault(bare, found.start(), f"the game has no option {found[1]}")
    rest = VALUE.sub("", bare)
    if brace := re.search(r"[{}].{0,20}", rest):
        raise fault(rest, brace.start(), f"{brace[0]} is neither {{OPTION}} nor {{OPTION=VALUE: sentence}}")


def _may_be(option: Field, value: str) -> bool:
    """Check whether an option can have the value that a sentence names; a list and a text can be anything."""
    match option:
        case Pick():
            return value in map(_word, option.pool)
        case Number():
            return not option.refuse(None if value == "null" else int(value) if value.isdecimal() else value)
        case _:
            return True


def fill(book: Rulebook, game: type[Game], options: Mapping[str, Value]) -> Rulebook:
    """Return the rules with all `options` of the game in force. `check` has read the text before.

    An example is left out if it was played with other numbers of the rules, or with another value of an option that
    its section names.
    """
    words = dict(_words(game, options))
    return replace(book, sections=tuple(_section(section, words, game, options) for section in book.sections))


def _words(game: type[Game], options: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value as text, a list also value by value."""
    for option in game.options:
        value = options[option.name]
        yield option.name, _word(value)
        if isinstance(option, Each) and isinstance(value, tuple):
            for part, each in zip(option.fields, value, strict=True):
                yield f"{option.name}.{part.name}", _word(each)


def _word(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return WORDS[value]
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)


def _section(section: Section, words: Mapping[str, str], game: type[Game], options: Mapping[str, Value]) -> Section:
    named = {name for block in section.blocks for text in _texts(block) for name in NAME.findall(text)}
    followed = named & options.keys() | {*game.experiments}

    def played_so(example: Example) -> bool:
        return _played_so(example, game, {name: options[name] for name in followed})

    return Section(section.title, tuple(_filled(section.blocks, words, played_so)))


def _texts(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield text
        case Items(items):
            yield from items
        case Table(_, rows):
            for row in rows:
                yield from row
        case Example():
            pass


def _filled(
    blocks: tuple[Block, ...], words: Mapping[str, str], played_so: Callable[[Example], bool]
) -> Iterator[Block]:
    for block in blocks:
        match block:
            case Paragraph(text):
                if shown := _filled_in(text, words):
                    yield Paragraph(shown)
            case Items(items, numbered):
                if there := tuple(filter(None, (_filled_in(item, words) for item in items))):
                    yield Items(there, numbered)
            case Table(head, rows):
                yield Table(head, tuple(tuple(_filled_in(cell, words) for cell in row) for row in rows))
            case Example():
                if played_so(block):
                    yield block


def _filled_in(text: str, words: Mapping[str, str]) -> str:
    if "{" not in text:
        return text.strip()

    def sentence(found: re.Match[str]) -> str:
        name, sign, value, then = found.groups()
        return f"{then.strip()} " if (words[name] == value) == (sign == "=") else ""

    return VALUE.sub(lambda found: words[found[1]], SENTENCE.sub(sentence, text)).strip()


def _played_so(example: Example, game: type[Game], options: Mapping[str, Value]) -> bool:
    """Check whether the record of an example was played with these options."""
    try:
        header = read_line(example.record[0]) or {}
    except (ValueError, IndexError):
        return True  # the replay of the example reports the fault
    played = {**defaults(game), **header.get("options", {})}
    return all(same(played[name], value) for name, value in options.items())
