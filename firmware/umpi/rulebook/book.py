"""The rules of a game as data: sections with paragraphs, lists, tables and examples, read from a little Markdown.

    # Title
    ## Section
    A paragraph may have several lines.

    - an item; "1. " numbers the items
    | head | head |
    |---|---|
    | cell | cell |
    ```example last-round
    A heading for the example
    - the first note of the record in this language
    ```

An example names a record beside the text, here `last-round.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from umpi.frozen import frozen

Lines = tuple[bytes, ...]  # of a record


class Unreadable(ValueError):
    """Report a text that is not the Markdown of this module, with the number of its line."""


@frozen
class Paragraph:
    """A paragraph of running text."""

    text: str


@frozen
class Items:
    """A list; its items are `numbered` if their order counts."""

    items: tuple[str, ...]
    numbered: bool = False


@frozen
class Table:
    """A table; each row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Example:
    """A record that readers can step through; `notes` replace the English notes of the record, if there are any."""

    name: str
    title: str
    notes: tuple[str, ...]
    record: Lines


Block = Paragraph | Items | Table | Example


@frozen
class Section:
    """A part of the rules under its heading."""

    title: str
    blocks: tuple[Block, ...]


@frozen
class Rulebook:
    """The rules of a game in one language."""

    title: str
    language: str
    sections: tuple[Section, ...]


def parse(text: str, language: str, records: Mapping[str, Lines]) -> Rulebook:
    """Read the rules of a game; `records` contains the examples by name. Raises Unreadable, with the line.

    >>> book = parse("# Snake eyes\\n\\n## Goal\\n\\nReach 50\\npoints.\\n\\n- Roll.\\n- Stop.\\n", "en", {})
    >>> book.title, book.sections[0].title
    ('Snake eyes', 'Goal')
    >>> book.sections[0].blocks
    (Paragraph(text='Reach 50 points.'), Items(items=('Roll.', 'Stop.'), numbered=False))
    """
    title, sections = "", []
    heading, blocks = "", list[Block]()
    for number, lines in _pieces(text):
        first = lines[0]
        if first.startswith("## "):
            if heading:
                sections.append(Section(heading, tuple(blocks)))
            heading, blocks = first[3:].strip(), []
        elif first.startswith("# ") and not title:
            title = first[2:].strip()
        elif not heading:
            raise Unreadable(f'line {number}: the text begins with "# " and the title, then "## " and a section')
        else:
            blocks.append(_block(number, lines, records))
    if not heading:
        raise Unreadable('there is no section: begin each with "## "')
    return Rulebook(title, language, (*sections, Section(heading, tuple(blocks))))


def _pieces(text: str) -> list[tuple[int, list[str]]]:
    """Return the pieces of a text, each with the number of its first line: headings, fenced blocks, and paragraphs."""
    pieces: list[tuple[int, list[str]]] = []
    fenced = new = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.startswith("```")
        if not fenced and not line.strip():
            new = True
            continue
        heading = not fenced and line.startswith("#")
        if new or not pieces or heading or (fence and not fenced):
            pieces.append((number, []))
        pieces[-1][1].append(line)
        new = heading or (fence and fenced)
        fenced = fenced != fence
    if fenced:
        raise Unreadable(f"line {pieces[-1][0]}: the example has no end: add a line ```")
    return pieces


def _block(number: int, lines: Sequence[str], records: Mapping[str, Lines]) -> Block:
    first = lines[0]
    if first.startswith("```"):
        return _example(number, lines, records)
    if first.startswith("|"):
        return _table(number, lines)
    if re.match(r"(-|\d+\.) ", first):
        return _items(lines)
    if first.startswith("#"):
        raise Unreadable(f'line {number}: a heading is "## " and a text; there are no others')
    return Paragraph(_joined(lines))


def _items(lines: Sequence[str]) -> Items:
    items: list[list[str]] = []
    for line in lines:
        marked = re.match(r"(-|\d+\.) +", line)
        if marked:
            items.append([line[marked.end() :]])
        else:
            items[-1].append(line)
    return Items(tuple(map(_joined, items)), not lines[0].startswith("-"))


def _table(number: int, lines: Sequence[str]) -> Table:
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows) or not re.fullmatch(r"[|\s:-]+", lines[1]):
        raise Unreadable(f"line {number}: a table has a head, a line |---|, and rows with as many cells as the head")
    return Table(rows[0], tuple(rows[2:]))


def _example(number: int, lines: Sequence[str], records: Mapping[str, Lines]) -> Example:
    named = re.fullmatch(r"```example ([\w-]+)", lines[0].strip())
    if not named or len(lines) < 3:
        raise Unreadable(f'line {number}: an example is "```example NAME", a line with its title, its notes, and "```"')
    name = named[1]
    if name not in records:
        raise Unreadable(f"line {number}: there is no record {name}.jsonl")
    notes = _items(lines[2:-1]).items if len(lines) > 3 else ()
    return Example(name, lines[1].strip(), notes, records[name])


def _joined(lines: Sequence[str]) -> str:
    return " ".join(line.strip() for line in lines)
