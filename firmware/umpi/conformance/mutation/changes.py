"""List the changes of an engine's source: a comparison, a condition, a number, a sign, a seat, a field left out."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from umpi.frozen import frozen

SHOWN = 70  # letters of an expression in a message
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
EXTREMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
TEXTS = frozenset(("message", "message_n", "Now", "Row", "View"))  # what players read; a record does not tell it
UNTOLD = frozenset((  # parts of an Ask and of a field that allow and forbid no move
    "text", "help", "usual", "followed_by", "if_refused", "question", "weight", "rare", "note_if_no_hit", "at_ms",
    "after_ms", "secret", "as_team", "source", "beside", "in_order", "in_menu", "likely", "label",
    "strict",  # of a zip
))  # fmt: skip
HINTS = frozenset(("Annotated", "Literal", "ClassVar"))
SEQUENCES = (ast.Tuple, ast.List, ast.JoinedStr, ast.Starred, ast.ListComp)
DECIDED = (ast.Compare, ast.BoolOp, ast.Constant)  # conditions that are changed inside
SEAT = 3  # the place of the seat among the arguments of an Ask


@frozen
class Change:
    """Another expression in place of one of an engine.

    `lines` are those of the statement around it; empty if it is computed as the module loads. `start` and `end` are
    bytes of the source.
    """

    module: str
    file: str
    line: int
    lines: range
    start: int
    end: int
    becomes: str
    text: str  # what is changed, for people

    def applied(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + f"({self.becomes})".encode() + source[self.end :]


class _Around(NamedTuple):
    """What is around a node: the lines of its statement, and whether its function has a parameter `seat`."""

    lines: range = range(0)
    seat: bool = False
    in_class: bool = False
    in_function: bool = False


class Instead(NamedTuple):
    """Other source for a node; `without` is what it leaves out, "" if it leaves out nothing."""

    node: ast.expr | ast.stmt
    becomes: str
    without: str = ""


def changes_of(module: ModuleType) -> list[Change]:
    """List the changes of a module's source, from top to bottom; empty if the module has no source."""
    file = module.__file__
    if file is None or not file.endswith(".py"):
        return []
    source = source_of(file)
    found = (
        (around.lines if around.in_function else range(0), instead)
        for around, instead in _walk(ast.parse(source), _Around())
    )
    return placed(module.__name__, file, source, found)


def placed(module: str, file: str, source: bytes, found: Iterable[tuple[range, Instead]]) -> list[Change]:
    """List changes of a source from top to bottom; each comes with the lines of the statement around it."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    changes = []
    for lines, (node, becomes, without) in found:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        was = source[start:end].decode()
        text = f"without `{_short(without)}`" if without else f"`{_short(was)}` becomes `{_short(becomes)}`"
        changes.append(Change(module, file, node.lineno, lines, start, end, becomes, text))
    return sorted(changes, key=lambda change: (change.line, change.start))


@cache
def source_of(file: str) -> bytes:
    """Return a source as it was at the first look: its author may save it while the changes are tried."""
    return Path(file).read_bytes()


def _short(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= SHOWN else textwrap.shorten(whole, SHOWN, placeholder=" …")


def _walk(node: ast.AST, around: _Around) -> Iterator[tuple[_Around, Instead]]:
    """Yield each change of a node and of what is inside it."""
    match node:
        case ast.FunctionDef():
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default:
                    yield from _walk(default, around)
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            for statement in node.body:
                yield from _walk(statement, _Around(seat="seat" in names, in_function=True))
            return
        case ast.ClassDef():
            for statement in node.body:
                yield from _walk(statement, _Around(in_class=True))
            return
        case ast.Assign() if around.in_class:
            return  # a declaration, as below
        case ast.AnnAssign():
            if node.value and not (around.in_class and "ClassVar" in ast.unparse(node.annotation)):
                yield from _walk(node.value, around._replace(lines=lines_of(node)))
            return
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return
        case ast.Subscript(value=ast.Name(id=name)) if name in HINTS:
            return
        case ast.Call(func=ast.Name(id=name)) if name in TEXTS:
            return
        case ast.keyword(arg=str(name)) if name in UNTOLD:
            return
        case ast.stmt():
            around = around._replace(lines=lines_of(node))
        case ast.match_case():
            around = around._replace(lines=range(node.pattern.lineno, node.pattern.end_lineno + 1))
        case _:
            pass
    for instead in (*contrary(node), *altered(node), *_ruled(node, around)):
        yield around, instead
    for each in ast.iter_child_nodes(node):
        yield from _walk(each, around)


def lines_of(node: ast.stmt) -> range:
    """Return the lines of a statement without those of the statements inside it."""
    inside = getattr(node, "body", None) or getattr(node, "cases", None)
    if not inside:
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    first = inside[0].pattern if isinstance(inside[0], ast.match_case) else inside[0]
    return range(node.lineno, max(node.lineno + 1, first.lineno))


def contrary(node: ast.AST) -> Iterator[Instead]:
    """Yield the contrary of a condition that is neither a comparison nor made of several."""
    tests = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else []
    for test in tests + (node.ifs if isinstance(node, ast.comprehension) else []):
        if not isinstance(test, DECIDED) and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield Instead(test, ast.unparse(ast.UnaryOp(ast.Not(), test)))


def altered(node: ast.AST) -> Iterator[Instead]:
    """Yield what can be in place of an expression of any program: another comparison, number, sign or word."""
    match node:
        case ast.Compare():
            for index, op in enumerate(node.ops):
                ops = [*node.ops[:index], COMPARISONS[type(op)](), *node.ops[index + 1 :]]
                yield Instead(node, ast.unparse(ast.Compare(node.left, ops, node.comparators)))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield Instead(node, ast.unparse(ast.BoolOp(other, node.values)))
        case ast.UnaryOp(op=ast.Not()):
            yield Instead(node, ast.unparse(node.operand))
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not isinstance(node.left, SEQUENCES) and not isinstance(
            node.right, SEQUENCES
        ):
            sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield Instead(node, ast.unparse(ast.BinOp(node.left, sign, node.right)))
        case ast.Constant(value=bool() as value):
            yield Instead(node, str(not value))
        case ast.Constant(value=int() | float() as number):
            yield Instead(node, str(number + 1))
        case ast.Call(func=ast.Name(id=name)) if name in EXTREMES:
            yield Instead(node.func, EXTREMES[name])
        case _:
            pass


def _ruled(node: ast.AST, around: _Around) -> Iterator[Instead]:
    """Yield what can be in place of a seat, or of what a rule builds."""
    match node:
        case ast.Name(id="seat", ctx=ast.Load()) if around.seat:
            yield Instead(node, "int(not seat)")  # the first other seat
        case ast.Call(func=ast.Name(id=name)):
            yield from _called(node, name)
        case _:
            pass


def _called(node: ast.Call, name: str) -> Iterator[Instead]:
    if name == "replace":
        for index, keyword in enumerate(node.keywords):
            if keyword.arg in UNTOLD:
                continue
            left = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield Instead(node, ast.unparse(ast.Call(node.func, node.args, left)), ast.unparse(keyword))
    if name == "Ask":
        named = [keyword.value for keyword in node.keywords if keyword.arg == "seat"]
        for seat in (*node.args[SEAT : SEAT + 1], *named):
            if not isinstance(seat, (ast.Constant, ast.Starred)) and ast.unparse(seat) != "seat":
                yield Instead(seat, f"int({ast.unparse(ast.UnaryOp(ast.Not(), seat))})")
