"""Find the texts for players in the source: the arguments of `tr` and `message`, and the names in engines."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from scripts import REPO
from umpi.kernel.messages import Message
from umpi.referee.health import sentence
from umpi.table.telling import ACT
from umpi.web.words import page_plurals, page_texts, texts_in

FIRMWARE = REPO / "firmware"
ROOT = FIRMWARE / "umpi"
SILENT = {"cli", "doctor", "simulator", "conformance", "wifi"}  # rooms whose words are for builders, in English
FILES = [
    file
    for file in sorted(ROOT.rglob("*.py"))
    if file.relative_to(ROOT).parts[0] not in SILENT and "migrations" not in file.parts  # only Alembic imports them
]

SHAPED = re.compile(r"{.*{|}\?")  # "{title} {kind}", "{what}?": what a language orders or spaces its own way

TITLE = "A title: 21 letters, or fewer if there is something to its right."
LABEL = "A key: 10 letters, 5 where it is one of more than three; or a row of 23."
TEXT = "Running text in lines of 25 letters."
PAGE = "On the page for phones, where there is room."
WINDOW = ROOT / "tab" / "site" / "tab.js"
DEVICES = ("drivers/", "box/calibration.py", "service/inbox.py")
PAPER = "On paper: hardly longer than here."
FEW = "A few words beside the scores, in the odds or inside a sentence: hardly longer than here."
VERB = 'What a move is called: a key of 5 to 10 letters, and after "Undo:".'
QUESTION = "A question: 20 letters beside its keys, 23 in the menu."
RULE = "The rule behind a question: running text in lines of 25 letters."
FIELD = "What a question asks for, after a colon: as short as can be."

# what is called: its arguments that are texts, by place or name, and what to say of them
CALLS: dict[str, dict[int | str, str]] = {
    "tr": {0: TEXT}, "message": {0: TEXT}, "tr_n": {}, "message_n": {}, "listed": {1: TEXT},
    "Ask": {0: VERB, 1: QUESTION, 4: RULE, "help": RULE, "text": QUESTION, "question": QUESTION},
    "your_move": {0: TEXT}, "watch": {0: TEXT},
    "Row": {0: "The label of a row under the scores: as short as can be."},
    "Number": {0: FIELD, "text": FIELD}, "WholeNumber": {0: FIELD},
    **{name: {0: FIELD, "text": FIELD} for name in ("Pick", "Some", "Dice", "Draw")},
    **{name: {0: FIELD} for name in ("Each", "Forms", "Text", "Profile")},
}  # fmt: skip
COUNTED = "tr_n", "message_n"  # the singular, the plural and the number
# the call that `tr` is the first argument of
AROUND = {"Choice": LABEL, "Menu": TITLE, "type_text": TITLE, "bar": TITLE, "tell": TITLE}
DECLARED = {"title": "The title of a game.", "kind": "What kind of game it is, after its title."}


class Text(NamedTuple):
    """A text, or its singular and plural, with its place and a comment for translators."""

    id: str | tuple[str, str]
    file: str
    comment: str
    context: str | None = None


def texts() -> Iterator[Text]:
    """Find all texts in the source, in Python and in the page's JavaScript."""
    yield from (Text(text, "web/page", PAGE) for text in page_texts())
    yield from (Text(pair, "web/page", PAGE) for pair in page_plurals())
    yield from (Text(text, "tab/site", PAGE) for text in texts_in(WINDOW.read_text(encoding="utf-8")))
    for file in FILES:
        for text in _File(file).texts():
            shaped = text.file.startswith(("panel/", "display/", "table/")) and SHAPED.search(str(text.id))
            short = isinstance(text.id, str) and len(text.id) < 25 and not text.id.endswith((".", ":"))
            if text.file.startswith("printing/") or text.file.endswith(("/printables.py", "review/sheet.py")):
                text = text._replace(comment=PAPER)
            elif text.file.startswith("games/") and short and text.comment == TEXT:
                text = text._replace(comment=FEW)
            if shaped or any(map(str.isalpha, re.sub(r"{\w+}", "", "".join(text.id)))):
                yield text


class _File:
    def __init__(self, file: Path) -> None:
        self.name = str(file.relative_to(ROOT))
        self.device = self.name.startswith(DEVICES)  # the panel shows its messages as sentences of their own
        self.nodes: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]  # from the outside in
        self.up: dict[ast.AST, ast.AST] = {}
        for node in self.nodes:
            for child in ast.iter_child_nodes(node):
                self.up[child] = node
                self.nodes.append(child)
        module = file.relative_to(FIRMWARE).with_suffix("")
        self.module: ModuleType = importlib.import_module(".".join(module.parts).removesuffix(".__init__"))

    def texts(self) -> Iterator[Text]:
        for node in sorted(self.nodes, key=lambda node: getattr(node, "lineno", 0)):
            if isinstance(node, ast.Call):
                yield from self._of_call(node)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if isinstance(self.up[node], ast.ClassDef) and node.target.id in DECLARED and node.value:
                    yield from self._each(node.value, DECLARED[node.target.id])
            elif self.name.startswith("games/"):
                yield from self._of_engine(node)

    def _of_engine(self, node: ast.AST) -> Iterator[Text]:
        """Yield the texts of an engine outside such calls: a rule passed to a function, a reason that it returns."""
        if isinstance(node, ast.Assign) and isinstance(self.up[node], ast.Module):
            rule = self._of_module(_name(node.targets[0]))
            if " " in rule:
                yield Text(rule, self.name, RULE)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and self._is_sentence(node, node.value):
            yield Text(node.value, self.name, TEXT)

    def _of_call(self, call: ast.Call) -> Iterator[Text]:
        name = _name(call.func)
        if name in COUNTED:
            for pair in zip(*map(self._values, call.args[:2]), strict=True):
                yield Text(pair, self.name, self._around(call, TEXT))
            return
        arguments: dict[int | str | None, ast.expr] = dict(enumerate(call.args))
        arguments |= {keyword.arg: keyword.value for keyword in call.keywords}
        for place, comment in CALLS.get(name, {}).items():
            if place in arguments:
                yield from self._each(arguments[place], self._around(call, comment), self.device)

    def _each(self, node: ast.expr, comment: str, device: bool = False) -> Iterator[Text]:
        for value in self._values(node):
            yield Text(sentence(value) if device else value, self.name, comment, ACT if comment == VERB else None)

    def _around(self, call: ast.Call, comment: str) -> str:
        outer = self.up[call]
        if comment == TEXT and isinstance(outer, ast.Call) and outer.args[:1] == [call]:
            return AROUND.get(_name(outer.func), comment)
        return comment

    def _values(self, node: ast.expr | None) -> Iterator[str]:
        """Yield all texts that an expression may be: by choice, by joining, or by a name."""
        match node:
            case ast.Constant(str(text)):
                yield text
            case ast.IfExp(_, one, other):
                yield from (*self._values(one), *self._values(other))
            case ast.BoolOp(_, values):
                yield from (text for value in values for text in self._values(value))
            case ast.BinOp(left, ast.Add(), right):
                yield from (one + other for one, other in product(self._values(left), self._values(right)))
            case ast.Name(name):
                yield from self._named(node, name)
            case _:
                pass  # any other expression is no text of the source

    def _named(self, node: ast.AST, name: str) -> Iterator[str]:
        inner = node
        while inner in self.up:
            inner = self.up[inner]
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [each.arg for each in inner.args.args][-len(inner.args.defaults) or None :]
                for argument, default in zip(names, inner.args.defaults, strict=False):
                    if argument == name:
                        yield from self._values(default)
                for each in ast.walk(inner):
                    if isinstance(each, ast.Assign) and any(_name(target) == name for target in each.targets):
                        yield from self._values(each.value)
        if value := self._of_module(name):
            yield value

    def _of_module(self, name: str) -> str:
        """Return the text of a name in the module, "" if it is none; of a message its template."""
        value = vars(self.module).get(name)
        return value.template if isinstance(value, Message) else value if isinstance(value, str) else ""

    def _is_sentence(self, node: ast.Constant, text: str) -> bool:
        if " " not in text or not any(map(str.isalpha, text)):
            return False
        inner: ast.AST = node
        while inner in self.up:
            inner = self.up[inner]
            match inner:
                case ast.Expr() | ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.BinOp() | ast.AugAssign():
                    return False  # a docstring, a part of a text, what only an author reads
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if "audit" in name:
                    return False
                case ast.Call() if _name(inner.func) in ("Annotated", "join", "split", *CALLS):
                    return False
                case ast.Subscript():
                    return False
                case ast.Assign() if isinstance(self.up[inner], ast.Module):
                    return False  # found by its name
                case ast.AnnAssign() if isinstance(self.up[inner], ast.ClassDef):
                    return False
        return True


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
