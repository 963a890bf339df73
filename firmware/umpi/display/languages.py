"""The question for the language of the box, with each language in its own name."""

from __future__ import annotations

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import LANGUAGES, Translated, current_language, languages, tr
from umpi.table.commands import Speak


def language_choices() -> tuple[Choice, ...]:
    """Return the choice of another language, if the box has several."""
    label = tr("Language: {name}", name=Translated(LANGUAGES[current_language()]))
    return (Choice(label, LANGUAGE),) if len(languages()) > 1 else ()


def ask_language() -> Dialogue[Speak]:
    """Ask for the language."""
    choices = tuple(Choice(LANGUAGES[code], code, marked=code == current_language()) for code in languages())
    code = yield Menu(tr("Language"), choices, rows=True)
    assert isinstance(code, str)
    return Speak(code)


LANGUAGE = object()  # the value of the choice
