"""A text for players to the language this box speaks: templates and words are looked up in a gettext catalogue.

What nobody has put into that language is told in English. Records, the journal and the command line speak English.
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from pathlib import Path

from umpi.kernel.messages import Message, Name, Parts, Who, message

FOLDER = Path(__file__).parent / "catalogues"
LANGUAGES = {"en": "English", "fr": "Français", "hu": "Magyar", "de": "Deutsch"}  # each in its own
ENGLISH = "en"
MARKS = (", ", " ", ":", "-")  # between the words of a value: "fire-4 air-1", "colour:red"


class Translated(str):
    """A text in the language of the box: telling it again changes nothing."""


def languages() -> list[str]:
    """List the languages a box can speak: English, and each that has a catalogue."""
    return [code for code in LANGUAGES if code == ENGLISH or _file(code).is_file()]


def set_language(code: str) -> None:
    """Choose the language of the box: a box has one face, so it counts for all of it. English for an unknown one."""
    global _spoken, _catalogue
    _spoken, _catalogue = ENGLISH, None
    if code != ENGLISH and code in languages():
        with _file(code).open("rb") as file:
            _spoken, _catalogue = code, gettext.GNUTranslations(file)
        _catalogue.add_fallback(_Unknown())


def current_language() -> str:
    """Tell which language the box speaks."""
    return _spoken


def tr(text: str, players: Sequence[str] = (), /, **values: object) -> Translated:
    """Tell a template with its values, a sentence of an engine, or a word of its own.

    Values are told as well, but for names and what has been told; `players` are who sits where it speaks of seats.
    """
    if isinstance(text, Translated):
        return text
    if values:
        text = message(text, **values)
    return Translated(_shown(text, players))


def tr_n(one: str, many: str, number: int, /, **values: object) -> Translated:
    """Tell one of two templates by a number, which is their `{number}`; a language may have other plurals."""
    found = _catalogue.ngettext(one, many, number) if _catalogue else ""
    template = found or (one if number == 1 else many)
    return Translated(
        template.format_map({key: _shown(value, ()) for key, value in {"number": number, **values}.items()})
    )


def tr_context(context: str, word: str) -> Translated:
    """Tell a word that means something else elsewhere: an "act", or a value of the option it is named by."""
    return Translated((_catalogue.pgettext(context, word) if _catalogue else "") or tr(word))


def player_label(name: str) -> Translated:
    """Call a player; one without a name is called as the button is, whose colour each language has its own word for."""
    colour, space, number = name.partition(" ")
    found = _catalogue.pgettext("player", colour) if _catalogue and (not space or number.isdecimal()) else ""
    return Translated(f"{found or colour}{space}{number}")


def template(text: str) -> str:
    """The template of a text in the language spoken, for whoever fills it elsewhere."""
    return _found(text) or text


def capitalised(text: str) -> Translated:
    """Begin a text as a sentence begins.

    >>> capitalised("too early.")
    'Too early.'
    """
    return Translated(text[:1].upper() + text[1:])


def _shown(value: object, players: Sequence[str]) -> str:
    match value:
        case Translated():
            return value
        case Name():
            return player_label(value)
        case Who():
            return player_label(players[value]) if players else tr("seat {number}", number=int(value))
        case Message():
            template = _found(value.template) or value.template
            return template.format_map({key: _shown(each, players) for key, each in value.values.items()})
        case Parts():
            return ", ".join(_shown(part, players) for part in value)
    return _word(str(value)) or str(value)


def _word(text: str) -> str:
    """Tell a word, or several between marks where all are known; "" where not."""
    if found := _found(text):
        return found
    if not any(map(str.isalpha, text)):
        return text
    for mark in MARKS if _catalogue else ():
        if mark in text:
            parts = [_word(part) for part in text.split(mark)]
            return mark.join(parts) if all(parts) else ""
    return ""


def _found(text: str) -> str:
    return _catalogue.gettext(text) if _catalogue and text else ""


class _Unknown(gettext.NullTranslations):
    """Answers what no catalogue has."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""

    def pgettext(self, context: str, message: str) -> str:
        return ""


def _file(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "umpi.mo"


_spoken = ENGLISH
_catalogue: gettext.GNUTranslations | None = None
