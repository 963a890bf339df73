"""Write the reference for authors of games, firmware/docs/reference.md, from the docstrings of the kernel."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from scripts import REPO
from umpi import conformance, kernel

PAGE = REPO / "firmware" / "docs" / "reference.md"
INTRO = """# Reference for authors

Every name that a game imports, from its docstring. `./scripts/dev reference` writes this page.
[The guide](../umpi/games/README.md) explains the words in their order. [How do I …?](how-do-i.md) answers questions.
"""


def reference() -> str:
    """Return the page."""
    rooms = (*_room("umpi.kernel", kernel), *_room("umpi.conformance", conformance))
    return "\n".join([INTRO, *rooms])


def _room(title: str, module: Any) -> Iterator[str]:
    yield f"## {title}\n"
    for name in sorted(module.__all__):
        thing = getattr(module, name)
        yield f"### {name}\n"
        if thing is kernel.override:  # its docstring differs between versions of Python
            yield "The decorator `typing.override`: a type checker refuses a method that overrides nothing.\n"
            continue
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            line, doc = _alias(name, module)
            yield f"    {line}\n\n{doc}\n"
            continue
        yield from (f"    {line}" for line in _signature(name, thing))
        yield ""
        yield _prose(inspect.getdoc(thing) or "")
        yield from _variables(thing)
        yield from _methods(thing)


def _alias(name: str, module: Any) -> tuple[str, str]:
    """Return how a module that `module` imports defines an alias of a type, and the docstring below it."""
    for other in vars(module).values():
        body = ast.parse(inspect.getsource(other)).body if inspect.ismodule(other) else []
        for given, below in pairwise(body):
            if isinstance(given, ast.Assign) and ast.unparse(given.targets[0]) == name:
                assert isinstance(below, ast.Expr), f"{name} has no docstring"
                return ast.unparse(given), inspect.cleandoc(ast.literal_eval(below.value))
    raise LookupError(f"no module of {module.__name__} defines {name}")


def _signature(name: str, thing: Any) -> Iterator[str]:
    """Yield the signature, one parameter per line if there are several."""
    try:
        parameters = list(inspect.signature(thing).parameters.values())
    except ValueError:
        parameters = []
    if len(parameters) <= 2:
        yield f"{name}({', '.join(map(_parameter, parameters))})"
        return
    yield f"{name}("
    yield from (f"    {_parameter(each)}," for each in parameters)
    yield ")"


def _parameter(parameter: inspect.Parameter) -> str:
    if inspect.isfunction(parameter.default):
        parameter = parameter.replace(default=_Named(parameter.default.__name__))
    plain = re.sub(r"ForwardRef\('(.*?)'\)", r"\1", str(parameter))
    plain = re.sub(r": '([^']*)'", r": \1", plain)
    return re.sub(r"<factory>|mappingproxy\(\{\}\)", "{}", plain)


class _Named:
    """A default that prints as its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def _variables(thing: Any) -> Iterator[str]:
    """Yield the members that are no methods: those that may be fields, and class variables with their defaults."""
    if not inspect.isclass(thing):
        return
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    for own in (each for part in body if isinstance(part, ast.If) for each in part.body):
        if isinstance(own, ast.FunctionDef):  # a member that may be a field of the position
            text = " ".join((ast.get_docstring(own) or "").split())
            yield f"- `{own.name}: {ast.unparse(own.returns) if own.returns else ''}`: {text}"
    for own, below in pairwise(body):
        if isinstance(own, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            default = f" = {ast.unparse(own.value)}" if own.value else ""
            hint = re.fullmatch(r"ClassVar\[(.*)\]", ast.unparse(own.annotation))
            text = " ".join(str(below.value.value).split())
            yield f"- `{ast.unparse(own.target)}: {hint.group(1) if hint else ''}{default}`: {text}"


def _methods(thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing) or issubclass(thing, BaseException):
        return
    for name, own in vars(thing).items():
        doc = inspect.getdoc(own) if inspect.isfunction(own) or isinstance(own, (property, classmethod)) else ""
        if doc and not name.startswith("_") and doc != inspect.getdoc(getattr(object, name, None)):
            yield f"- `{name}`: {' '.join(doc.split(chr(10) * 2)[0].split())}"
    yield ""


def _prose(doc: str) -> str:
    """Return a docstring with its examples as code."""
    parts = re.split(r"\n\n(?=>>> )", doc)
    examples = ["\n".join(f"    {line}" for line in part.splitlines()) for part in parts[1:]]
    return "\n\n".join([parts[0], *examples]) + "\n"


def main() -> int:
    """Write the page, or compare it; return the exit status."""
    parser = argparse.ArgumentParser(prog="./scripts/dev reference", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the page is out of date")
    if parser.parse_args().check:
        return int(PAGE.read_text(encoding="utf-8") != reference())
    PAGE.write_text(reference(), encoding="utf-8", newline="\n")
    print(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
