"""Translation of texts for players: look up templates and words in the gettext catalogue of the box's language.

A text without a translation remains as it is in the code, in English. The texts of other packages are in these. The
English catalogue contains only words of records that players read differently: a record says "suite", the screen "run".
Records, the journal and the command line use the words of records.
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from umpi.i18n.packages import PackageTexts
from umpi.kernel.game import Game, kind_beside
from umpi.kernel.messages import Figure, Message, Name, Parts, Who, message, message_n, player_of

FOLDER = Path(__file__).parent / "catalogues"
LANGUAGES = {"en": "English", "fr": "Français", "hu": "Magyar", "de": "Deutsch"}  # each name in its own language
ENGLISH = "en"
COMMA = {"fr", "hu", "de"}  # languages that write 87,7
KEPT = 2000  # translations that are looked up again and again, such as the words of cards
MARKS = (", ", " ", ":", "-")  # separators between the words of a value, as in "fire-4 air-1" or "colour:red"


class Translated(str):
    """A text in the language of the box. `tr` returns it unchanged."""


def languages() -> list[str]:
    """List the languages of the box: English, and each language that has a catalogue."""
    return [code for code in LANGUAGES if code == ENGLISH or _file(code).is_file()]


def set_language(code: str) -> None:
    """Set the language of the whole box. An unknown code sets English."""
    global _spoken, _catalogue
    _spoken = code if code in languages() else ENGLISH
    _catalogue = _catalogue_of(_spoken)


def current_language() -> str:
    """Return the code of the current language."""
    return _spoken


def tr(text: str, players: Sequence[str] = (), /, **values: object) -> Translated:
    """Return a template with its values, a message of a game, or a word, in the current language.

    Values are translated too, except names and texts that are already translated. `players` are the names by seat, for
    messages that refer to seats.
    """
    if isinstance(text, Translated):
        return text
    if values:
        text = message(text, **values)
    return Translated(_shown(text, players))


def tr_n(one: str, many: str, number: int, /, **values: object) -> Translated:
    """Return the template for `number`, with `{number}` filled in. A language may have more than two plural forms."""
    return tr(message_n(one, many, number, **values))


def tr_context(context: str, word: str) -> Translated:
    """Translate a word whose meaning depends on `context`: an act, or a value of the option that `context` names."""
    return Translated(_found_in(context, word, _catalogue) or tr(word))


def player_label(name: str) -> Translated:
    """Return the label of a player. A player without a name gets the translated colour of their button."""
    colour, space, number = name.partition(" ")
    found = _found_in("player", colour, _catalogue) if not space or number.isdecimal() else ""
    return Translated(f"{found or colour}{space}{number}")


def game_label(game: type[Game]) -> Translated:
    """Return the title of a game with its kind."""
    kind = kind_beside(game)
    return tr("{title} {kind}", title=game.title, kind=kind) if kind else tr(game.title)


def template(text: str) -> str:
    """Return the translated template of a text, without values filled in."""
    return _found(text, _catalogue) or text


def template_n(one: str, many: str, number: int) -> str:
    """Return the translated template for a number, without values filled in."""
    return _catalogue.ngettext(one, many, number) or (one if number == 1 else many)


def capitalised(text: str) -> Translated:
    """Return a text with its first letter in upper case.

    >>> capitalised("too early.")
    'Too early.'
    """
    return Translated(text[:1].upper() + text[1:])


def is_own(english: str, context: str = "") -> bool:
    """Return whether the catalogues of Umpi contain a text, in a context if one is given."""
    own = _read(next(code for code in languages() if code != ENGLISH), packages=False)
    return bool(own.pgettext(context, english) if context else own.gettext(english))


def _shown(value: object, players: Sequence[str], inside: str = "") -> str:
    """Translate a value; `inside` is the template of the message that it is in."""
    if type(value) is str:  # by far the most, and then numbers
        return _word(value, _catalogue) or value
    if type(value) is int:
        return str(value)
    match value:
        case Message():
            inside = value.template
            values = {key: _shown(each, players, inside) for key, each in value.values.items()}
            return _template_of(value).format_map(values)
        case Translated():
            return value
        case Figure():
            return _figure(value)
        case Name():
            return player_label(value)
        case Who() if players:
            return player_label(player_of(value, players, inside))
        case Who():
            return tr("player {number}", number=int(value))
        case Parts():
            return ", ".join(_shown(part, players, inside) for part in value)
        case _:
            return _word(str(value), _catalogue) or str(value)


def _template_of(sentence: Message) -> str:
    """Return the translated template of a message; if it depends on a number, the plural form for that number."""
    number = sentence.values.get("number") if sentence.many else None
    if not isinstance(number, int):
        return _found(sentence.template, _catalogue) or sentence.template
    return template_n(sentence.template, sentence.many, number)


def _figure(number: str) -> str:
    return number.replace(".", ",") if _spoken in COMMA else number


@lru_cache(KEPT)
def _word(text: str, catalogue: gettext.NullTranslations) -> str:
    """Translate a word, or several words between separators. Return "" if one of them is unknown."""
    if found := _found(text, catalogue):
        return found
    if not any(map(str.isalpha, text)):
        return text
    for mark in MARKS:
        if mark in text:
            parts = [_word(part, catalogue) for part in text.split(mark)]
            return mark.join(parts) if all(parts) else ""
    return ""


@lru_cache(KEPT)
def _found(text: str, catalogue: gettext.NullTranslations) -> str:
    return catalogue.gettext(text) if text else ""


@lru_cache(KEPT)
def _found_in(context: str, word: str, catalogue: gettext.NullTranslations) -> str:
    return catalogue.pgettext(context, word)


def _file(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "umpi.mo"


def _catalogue_of(code: str) -> gettext.NullTranslations:
    return _read(code) if _file(code).is_file() else PackageTexts(code)


@cache
def _read(code: str, packages: bool = True) -> gettext.NullTranslations:
    """Read a catalogue once: a box changes its language often, and its catalogues never.

    What it does not contain may be in the package of a game, unless `packages` is False.
    """
    with _file(code).open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    catalogue.add_fallback(PackageTexts(code) if packages else PackageTexts(code, dict))
    return catalogue


_spoken = ENGLISH
_catalogue = _catalogue_of(ENGLISH)
