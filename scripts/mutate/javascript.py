"""List the changes of a JavaScript source, from its tokens: what Python's have, as far as tokens can tell.

Texts, templates, comments and imports stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from umpi.conformance.mutation.changes import Change

OTHERS = {
    "===": "!==", "!==": "===", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "&&": "||", "||": "&&", "true": "false", "false": "true", "+=": "-=", "-=": "+=", "++": "--", "--": "++",
}  # fmt: skip
METHODS = {
    "some": "every",
    "every": "some",
    "min": "max",
    "max": "min",
    "ceil": "floor",
    "floor": "ceil",
    "add": "delete",
}
TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<number>0x[\da-fA-F_]+n?|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?n?)|(?P<name>#?[\w$]+)"
    r"|(?P<sign>>>>=|\.\.\.|===|!==|\*\*=|>>>|<<=|>>=|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|/=|%=|\*\*|.)",
    re.S,
)
PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
BEFORE_PATTERN = frozenset(("return", "case", "typeof", "in", "of"))
ENDS = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """A piece of a source; `kind` is name, number, sign, text, pattern or template."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Edit(Change):
    """A change whose other source stands as it is, without brackets around it."""

    def applied(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.becomes.encode() + source[self.end :]


def tokens(source: str) -> list[Token]:
    """Return the tokens of a source without spaces and comments.

    >>> [token.text for token in tokens("a = /[/]b/.test(`x ${`y`} z`) // why")]
    ['a', '=', '/[/]b/', '.', 'test', '(', '`x ${`y`} z`', ')']
    """
    found: list[Token] = []
    at = 0
    while at < len(source):
        if source[at] == "`":
            end = _template_end(source, at)
            found.append(Token("template", source[at:end], at))
        elif source[at] == "/" and source[at + 1 : at + 2] not in ("/", "*") and _may_begin(found):
            pattern = PATTERN.match(source, at)
            assert pattern is not None, source[at : at + 40]
            found.append(Token("pattern", pattern[0], at))
            end = pattern.end()
        else:
            match = TOKEN.match(source, at)
            assert match is not None
            end = match.end()
            if match.lastgroup and match.lastgroup != "space":
                found.append(Token(match.lastgroup, match[0], at))
        at = end
    return found


def _may_begin(before: Sequence[Token]) -> bool:
    """Check whether a slash after these tokens begins a pattern, and does not divide."""
    if not before:
        return True
    last = before[-1]
    return (
        last.text in BEFORE_PATTERN if last.kind == "name" else last.kind == "sign" and last.text not in (")", "]", "}")
    )


def _template_end(source: str, at: int) -> int:
    at += 1
    while source[at] != "`":
        if source.startswith("${", at):
            depth, at = 1, at + 2
            while depth:
                if source[at] == "`":
                    at = _template_end(source, at) - 1
                depth += {"{": 1, "}": -1}.get(source[at], 0)
                at += 1
        else:
            at += 2 if source[at] == "\\" else 1
    return at + 1


def changes_in(file: Path, module: str) -> list[Change]:
    """List the changes of a source, from top to bottom."""
    source = file.read_text(encoding="utf-8")
    whole = tokens(source)
    found: list[Change] = []
    for start, end, becomes, without in sorted({*_others(whole), *_dropped(source, whole), *_contrary(source, whole)}):
        line = source.count("\n", 0, start) + 1
        was = " ".join(source[start:end].split())[:70]
        around = source[source.rfind("\n", 0, start) + 1 : start].strip()[-20:]
        text = f"without `{was}`" if without else f"`{was}` becomes `{becomes}` after `{around}`"
        first, last = len(source[:start].encode()), len(source[:end].encode())
        found.append(Edit(module, str(file), line, range(line, line + 1), first, last, becomes, text))
    return found


Place = tuple[
    int, int, str, bool
]  # where a piece of the source begins and ends, what it becomes, whether it is left out


def _others(whole: Sequence[Token]) -> Iterator[Place]:
    """Yield other signs, numbers, words and methods."""
    for before, token in pairwise(whole):
        kind, text, start = token
        if kind in ("sign", "name") and text in OTHERS and before.text != ".":
            yield start, token.end, OTHERS[text], False
        elif kind == "name" and text in METHODS and before.text in (".", "?."):
            yield start, token.end, METHODS[text], False
        elif (
            kind == "number"
            and before.text != "."
            and not text.startswith("0x")
            and "_" not in text
            and "e" not in text
        ):
            yield start, token.end, f"{float(text) + 1:g}" if "." in text else str(int(text.rstrip("n")) + 1), False
        elif kind == "sign" and text == "!":
            yield start, token.end, "", True
        elif kind == "sign" and text in ("+", "-") and before.kind == "number":
            yield start, token.end, "-" if text == "+" else "+", False


def _end_of(whole: Sequence[Token], at: int) -> int:
    """Return the place of the bracket that ends the one at a place."""
    depth = 0
    for place in range(at, len(whole)):
        if whole[place].kind == "sign":
            depth += (whole[place].text in ENDS) - (whole[place].text in ENDS.values())
        if not depth:
            return place
    raise ValueError(f"no end of {whole[at]}")


def _dropped(source: str, whole: Sequence[Token]) -> Iterator[Place]:
    """Yield statements that only call something, without it, and results that become undefined."""
    for place, (before, token) in enumerate(pairwise(whole), start=1):
        begins = before.kind == "sign" and (before.text in (";", "}") or (before.text == "{" and place > 1))
        if (
            begins
            and token.kind == "name"
            and token.text not in ("return", "import", "export", "const", "let", "function")
        ):
            end = _statement_end(whole, place)
            words = [each.text for each in whole[place:end]]
            if (
                words[-1:] == [")"]
                and words[1] in ("(", ".", "?.")
                and token.text not in ("if", "for", "while", "switch")
            ):
                yield token.start, whole[end].start, "", True
        if token.text == "return" and token.kind == "name" and whole[place + 1].text not in (";", "undefined", "null"):
            end = _statement_end(whole, place)
            yield token.end, whole[end].start, " undefined", False


def _statement_end(whole: Sequence[Token], place: int) -> int:
    """Return the place of the semicolon, or of the bracket, that ends a statement."""
    while place < len(whole) - 1 and whole[place].text not in (";", "}", ")", "]"):
        place = _end_of(whole, place) + 1 if whole[place].kind == "sign" and whole[place].text in ENDS else place + 1
    return place


def _contrary(source: str, whole: Sequence[Token]) -> Iterator[Place]:
    """Yield the contrary of conditions."""
    for place, token in enumerate(whole[:-1]):
        if token.text in ("if", "while") and token.kind == "name" and whole[place + 1].text == "(":
            start, end = whole[place + 1].start, whole[_end_of(whole, place + 1)].end
            yield start, end, f"(!{source[start:end]})", False
