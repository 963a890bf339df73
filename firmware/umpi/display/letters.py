"""Text that is typed at the panel: first the group of a letter, then the letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from umpi.display.menu import NOTHING, Choice, Dialogue, Menu
from umpi.display.symbols import SPACE
from umpi.i18n.translate import Translated

LETTERS: Mapping[str, str] = {  # by the label of the key; the last key of a page is for the other digits
    "a-f": "abcdef",
    "g-l": "ghijkl",
    "m-r": "mnopqr",
    "s-x": "stuvwx",
    "y-3": "yz0123",
}


def type_text(
    title: str,
    groups: Mapping[str, str],
    refusal: Callable[[str], str],
    full: str,
    most: int,
    *,
    help: str,
    done: str,
    shown: Callable[[str], str] = lambda text: f"{text}_",
    next: Callable[[str, str], str] = lambda text, letter: letter,
    private: bool = False,
) -> Dialogue[str]:
    """Ask for a text. `groups` maps the label of a key to its letters.

    OK ends it, unless `refusal` says why not. With `most` letters, `full` is why none more are typed. `shown` is what
    the screen has of the text so far, and `next` changes a letter by what is before it. No phone gets a `private`
    question.
    """
    text = ""
    while True:
        why = refusal(text)
        keys = tuple(
            Choice(Translated(label), group, full if len(text) >= most else "") for label, group in groups.items()
        )
        now = Translated(shown(text)) if text else help
        letter = yield Menu(title, keys, NOTHING if why else _DONE, done, text=now, help=help, why=why, private=private)
        if letter is _DONE:
            return text
        assert isinstance(letter, str)
        keys = tuple(Choice(Translated(each), each) for each in letter)
        letter = yield Menu(title, keys, text=Translated(shown(text)), help=help, private=private)
        assert isinstance(letter, str)
        text += next(text, " " if letter == SPACE else letter)


_DONE = object()
