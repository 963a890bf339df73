"""Rule sets at the command line: find one by its name, and print how two of them differ."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import NamedTuple

from umpi.cli.terminal import Problem, config_of
from umpi.kernel.fields import Each, Value, same, show
from umpi.kernel.game import Game, full_title
from umpi.kernel.registry import find, games
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Section, Table
from umpi.rulebook.fill import by_the_sheet


class RuleSet(NamedTuple):
    """A named rule set, or the rule sheet of a game: its name for people, its game, and all its options."""

    name: str
    game: type[Game]
    options: Mapping[str, Value]


def find_rules(name: str, config: argparse.Namespace) -> RuleSet:
    """Return a rule set of umpi.toml, or for the id of a game its rule sheet; raises Problem if there is neither."""
    sets = config_of(argparse.Namespace(config=config.config, virtual=False)).rules
    if name in sets:
        game = find(sets[name]["game"])
        return RuleSet(name, game, {**by_the_sheet(game), **sets[name]["options"]})
    for game in games():
        if game.id == name:
            return RuleSet("by the sheet", game, by_the_sheet(game))
    there = f"There are: {', '.join(sets)}." if sets else "umpi.toml has none: add a section [rules.NAME]."
    ids = ", ".join(game.id for game in games())
    raise Problem(f'There is no rule set "{name}". {there} The name of a game is its rule sheet: {ids}.')


def difference(one: RuleSet, other: RuleSet, books: tuple[Rulebook, Rulebook] | None, width: int) -> Iterator[str]:
    """Yield the options that differ with both values, and both texts of the sections that differ."""
    if one.game is not other.game:
        pair = f"{one.name} is for {full_title(one.game)}, {other.name} for {full_title(other.game)}"
        raise Problem(f"{pair}. Compare two rule sets of one game.")
    yield f"{full_title(one.game)}: {one.name}, {other.name}"
    changes = list(_options(one, other))
    if not changes:
        yield "All options are the same."
    for line in changes:
        yield from wrap(line, width, subsequent_indent="  ")
    for before, after in zip(*(book.sections for book in books), strict=True) if books else ():
        texts = list(_texts(before)), list(_texts(after))
        if texts[0] != texts[1]:
            yield from ("", before.title)
            for own, lines, others in ((one, texts[0], texts[1]), (other, texts[1], texts[0])):
                for line in lines:
                    if line not in others:
                        yield from wrap(f"{own.name}: {line}", width, initial_indent="  ", subsequent_indent="    ")


def _options(one: RuleSet, other: RuleSet) -> Iterator[str]:
    for option in one.game.options:
        before, after = one.options[option.name], other.options[option.name]
        if same(before, after):
            continue
        if isinstance(option, Each) and isinstance(before, tuple) and isinstance(after, tuple):
            for part, old, new in zip(option.fields, before, after, strict=True):
                if not same(old, new):
                    yield f"{option.name} {part.name}: {show(old)} ({one.name}), {show(new)} ({other.name})"
        else:
            yield f"{option.name}: {_shown(before)} ({one.name}), {_shown(after)} ({other.name})"


def _shown(value: Value) -> str:
    return "a board of its own" if isinstance(value, Mapping) else show(value)


def _texts(section: Section) -> Iterator[str]:
    for block in section.blocks:
        yield from _of_block(block)


def _of_block(block: Block) -> Iterator[str]:
    """Yield the texts of a block; an example has no rules of its own."""
    match block:
        case Paragraph(text):
            yield text
        case Items(items):
            yield from items
        case Table(_, rows):
            yield from (" · ".join(row) for row in rows)
        case Example():
            pass
