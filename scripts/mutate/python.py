"""List the changes of a Python source: those of `umpi check --mutate`, and those that only a program has.

Docstrings, types, the log, units and the words of messages stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from umpi.conformance.mutation.changes import HINTS, Change, Instead, altered, contrary, lines_of, placed

TYPES = HINTS | {"TypeVar", "NewType", "cast"}
WORDS = frozenset(("message", "message_n", "tr", "tr_n", "N_"))  # their arguments are texts for players
LOGS = frozenset(("log", "logger", "logging", "warnings"))
IN_ANY_ORDER = frozenset(
    ("min", "max", "same", "isinstance", "issubclass", "zip", "hypot", "gcd")
)  # or it cannot go unnoticed
UNITS = frozenset(10**power for power in range(6, 19))  # of time: nobody can tell a millionth more
LOOKED_UP = frozenset(("get", "pop", "setdefault"))
PASSED_ON = frozenset(("strip", "rstrip", "lstrip", "lower", "upper", "casefold", "copy", "encode", "resolve"))
WRAPPED = frozenset(("sorted", "reversed", "abs", "round", "bool", "set", "frozenset"))
EMPTY = {
    "str": "''",
    "bytes": "b''",
    "int": "0",
    "float": "0.0",
    "list": "[]",
    "tuple": "()",
    "dict": "{}",
    "set": "set()",
}


def changes_in(file: Path, module: str) -> list[Change]:
    """List the changes of a source, from top to bottom."""
    source = file.read_bytes()
    return placed(module, str(file), source, _walk(ast.parse(source), range(0), None))


def _walk(node: ast.AST, lines: range, returns: ast.expr | None) -> Iterator[tuple[range, Instead]]:
    """Yield each change of a node and of what is inside it; `returns` is what the function around it returns."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                yield from _walk(default, lines, None)
            for statement in node.body:
                yield from _walk(statement, lines, node.returns)
            return
        case ast.ClassDef():
            for statement in node.body:
                yield from _walk(statement, lines, None)
            return
        case ast.AnnAssign():
            if node.value:
                yield from _walk(node.value, lines_of(node), returns)
            return
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.Subscript(value=ast.Name(id=name)) if name in TYPES:
            return
        case ast.Call() if _named(node) in WORDS | TYPES or _of(node) in LOGS:
            return
        case ast.keyword(arg="strict"):
            return
        case ast.Constant(value=int() | float() as number) if number in UNITS:
            return
        case ast.Raise():
            yield lines_of(node), Instead(node, "None", ast.unparse(node))
            return
        case ast.stmt():
            lines = lines_of(node)
        case ast.match_case():
            lines = range(node.pattern.lineno, (node.pattern.end_lineno or node.pattern.lineno) + 1)
        case _:
            pass
    for instead in (*contrary(node), *altered(node), *_less(node, returns), *_otherwise(node)):
        yield lines, instead
    for each in ast.iter_child_nodes(node):
        yield from _walk(each, lines, returns)


def _named(call: ast.Call) -> str:
    """Return the last name of what is called, "" if it has none."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _of(call: ast.Call) -> str:
    """Return the name of whose method is called, "" if it has none."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case _:
            return ""


def _less(node: ast.AST, returns: ast.expr | None) -> Iterator[Instead]:
    """Yield what is left of a node without a call or a statement, or with a constant in place of a result."""
    match node:
        case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
            if _of(call) not in LOGS:
                yield Instead(node, "None", ast.unparse(node))
        case ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break():
            yield Instead(node, "None", ast.unparse(node))
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield Instead(node, "None", ast.unparse(node))
        case ast.Call(func=ast.Attribute(attr=name, value=value)) if name in PASSED_ON:
            yield Instead(node, ast.unparse(value), f".{name}()")
        case ast.Call(func=ast.Name(id=name), args=[ast.expr() as value, *_]) if name in WRAPPED:
            yield Instead(node, ast.unparse(value), f"{name}()")
        case ast.Return(value=ast.expr() as value) if returns:
            was = ast.unparse(value)
            yield from (Instead(value, constant) for constant in _constants(returns) if constant != was)
        case _:
            pass


def _constants(returns: ast.expr) -> list[str]:
    """List the constants that a function of this type may return."""
    match returns:
        case ast.BinOp(op=ast.BitOr(), right=ast.Constant(value=None)):
            return ["None"]
        case ast.Name(id="bool"):
            return ["True", "False"]
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name in EMPTY:
            return [EMPTY[name]]
        case _:
            return ["None"]


def _otherwise(node: ast.AST) -> Iterator[Instead]:
    """Yield arguments in the other order, and another key."""
    match node:
        case ast.Call(args=[first, second, *_]) if (
            not {type(first), type(second)} & {ast.Starred, ast.JoinedStr}
            and _named(node) not in IN_ANY_ORDER
            and ast.unparse(first) != ast.unparse(second)
        ):
            swapped = ast.Call(node.func, [second, first, *node.args[2:]], node.keywords)
            yield Instead(node, ast.unparse(swapped))
        case ast.Subscript(slice=ast.Constant(value=str(key)) as place):
            yield Instead(place, repr(f"{key}_"))
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=str(key)) as place, *_]) if (
            name in LOOKED_UP
        ):
            yield Instead(place, repr(f"{key}_"))
        case ast.Dict(keys=keys):
            for each in keys:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield Instead(each, repr(f"{each.value}_"))
        case _:
            pass
