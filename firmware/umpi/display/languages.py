"""The languages that a box can speak to a question: which of them from here on, each told in its own."""

from __future__ import annotations

from dataclasses import dataclass

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import LANGUAGES, Translated, current_language, languages, tr


@dataclass(frozen=True, slots=True)
class Speak:
    """Speak this language from here on."""

    code: str


def language_choices() -> tuple[Choice, ...]:
    """Offer to choose another language, where the box can speak any."""
    label = tr("Language: {name}", name=Translated(LANGUAGES[current_language()]))
    return (Choice(label, LANGUAGE),) if len(languages()) > 1 else ()


def ask_language() -> Dialogue[Speak]:
    """Ask for the language."""
    choices = tuple(Choice(LANGUAGES[code], code, marked=code == current_language()) for code in languages())
    code = yield Menu(tr("Language"), choices, rows=True)
    assert isinstance(code, str)
    return Speak(code)


LANGUAGE = object()  # what the choice answers
