"""The texts of games that other packages bring, as their authors translate them: `texts/fr.toml` in the package.

    [texts]
    "{who} loses the pot: {pot}" = "{who} perd la cagnotte : {pot}"
    "{number} card" = ["{number} carte", "{number} cartes"]

    [words.act]
    bank = "garder"

The key is the English text, for a text that depends on a number the singular. `words` has a table for each context:
`act` for the names of moves, and the name of an option for its values.
"""

from __future__ import annotations

import gettext
import logging
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import Any

from umpi.kernel.registry import package_folders

FOLDER = "texts"
TEXTS, WORDS = "texts", "words"  # the tables of a file
FORMS = 2  # of a text that depends on a number, in each language of the box

log = logging.getLogger(__name__)

Key = tuple[str, str]  # the context, "" without one, and the English text
Texts = dict[Key, tuple[str, ...]]  # the forms of each text: one, or FORMS


class PackageTexts(gettext.NullTranslations):
    """The texts of packages in one language, read at the first question. An unknown text is "".

    `folders` returns the folders of the packages by the ids of their games; without it, they are those that are
    installed.
    """

    def __init__(self, code: str, folders: Callable[[], Mapping[str, Path]] | None = None) -> None:
        super().__init__()
        self._code, self._folders = code, folders or package_folders

    @cached_property
    def _texts(self) -> Texts:
        found: Texts = {}
        for id, folder in sorted(self._folders().items()):
            texts, faults = read(folder, self._code)
            for why in faults:
                log.warning("A text of %s is left in English: %s", id, why)
            found = texts | found
        return found

    def gettext(self, message: str) -> str:
        """Return a text, "" if no package contains it."""
        return self.pgettext("", message)

    def pgettext(self, context: str, message: str) -> str:
        """Return a text of a context, "" if no package contains it."""
        return self._texts.get((context, message), ("",))[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form for a number of the text whose singular is `msgid1`, "" if no package contains it."""
        forms = self._texts.get(("", msgid1), ("",))
        one = n in (0, 1) if self._code == "fr" else n == 1  # CLDR 44, for whole numbers
        return forms[0] if one else forms[-1]


def file_of(folder: Path, code: str) -> Path:
    """Return the file with the texts of a package in one language."""
    return folder / FOLDER / f"{code}.toml"


def read(folder: Path, code: str) -> tuple[Texts, list[str]]:
    """Read the texts of a package in one language: those that can be used, and what is wrong with the others.

    A text that is still empty is in neither.
    """
    file = file_of(folder, code)
    try:
        entries = list(_entries(tomllib.loads(file.read_text(encoding="utf-8"))))
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError) as fault:
        return {}, [f"{file}: {fault}"]
    texts: Texts = {}
    faults = []
    for (context, english), value in entries:
        forms = tuple(value) if isinstance(value, list) else (value,)
        if why := _fault(english, forms):
            faults.append(f'{file}, "{english}": {why}')
        elif all(forms):
            texts[context, english] = forms
    return texts, faults


def _entries(document: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    """Yield the texts of a document with their values. Raises ValueError if there is something else in it."""
    if other := document.keys() - {TEXTS, WORDS}:
        raise ValueError(f'expected the tables [{TEXTS}] and [{WORDS}.…], got "{min(other)}"')
    contexts = {"": document.get(TEXTS, {}), **_table(document.get(WORDS, {}), WORDS)}
    for context, texts in contexts.items():
        for english, value in _table(texts, context or TEXTS).items():
            yield (context, english), value


def _table(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f'expected a table, got "{name}" = {value!r}')
    return value


def _fault(english: str, forms: tuple[Any, ...]) -> str:
    """Return why a text cannot be used, "" if it can."""
    if not all(isinstance(each, str) for each in forms):
        return f'expected a text, or {FORMS} in a list: ["singular", "plural"]'
    if len(forms) not in (1, FORMS):
        return f"expected {FORMS} forms, got {len(forms)}"
    try:
        wanted = names(english)
        for form in filter(None, forms):
            given = names(form)
            if unknown := given - wanted - ({"number"} if len(forms) > 1 else set()):
                return f"the English has no {{{min(unknown)}}}"
            if missing := wanted - given - {"number"}:
                return f"{{{min(missing)}}} is missing"
    except ValueError as fault:
        return f"{fault}"
    return ""


def names(template: str) -> set[str]:
    """Return the names of the values in a template. Raises ValueError if a brace is alone.

    >>> sorted(names("{who} draws {number} cards of {colour:.1}"))
    ['colour', 'number', 'who']
    """
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
