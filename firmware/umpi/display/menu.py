"""Menus and dialogues: a menu is one question with choices on the keys, a dialogue is a sequence of menus."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Generic, TypeVar

from umpi.frozen import frozen
from umpi.kernel.game import Ask
from umpi.kernel.now import Now

KEYS = 6  # the soft keys under the screen, which are the seat buttons

T = TypeVar("T")


class Nothing:
    """The value of OK in a menu without an answer for OK."""


NOTHING = Nothing()


@frozen
class Remedy:
    """An answer to the question that makes good for one that is not allowed, or a command."""

    label: str
    value: object


@frozen
class Choice:
    """The answer of one key; `off` is why it is not allowed now, `marked` is True if it is chosen already.

    `button` is the seat button that the choice names by its player or colour. The choice appears at that key.
    `read` returns a text to show; the choice then answers nothing, and the menu stays.
    `remedy` is what OK answers while the screen shows why the choice is not allowed.
    `shorter` contains labels for a key with less room, the longest first.
    """

    label: str
    value: object
    off: str = ""
    marked: bool = False
    button: int | None = None
    read: Callable[[], str] | None = None
    remedy: Remedy | None = None
    shorter: tuple[str, ...] = ()


@frozen
class Menu:
    """One question with its choices, six per page.

    - `ok`: the answer of OK, with the label `done`; `why` is the reason if OK cannot answer yet.
    - `note`: what has been answered so far. `help`: the rule of the question.
    - `text`: a text above the keys, on its own screen, under a large `head` or the marks of a dead `heat`.
    - `rows`: shows the choices as rows on their own screen, for long labels, each with the mark of its key.
    - `places`: gives each choice its own key, where each seat answers for itself. Then the down key may answer `down`,
      with the label `less`.
    - `wheel`: the current value of a number that the choices turn up and down.
    - `qr`: the text of a QR code next to the text.
    - `private`: only one player may see the question and its answers, and nobody says them.
    - `texts`: running text, one text per page, instead of choices.
    - `seat`: the player who must answer, None if the match says who.
    - `now`: what the next person must do, shown in place of the title where it has room.
    """

    title: str
    choices: tuple[Choice, ...]
    ok: object = NOTHING
    done: str = "OK"
    note: str = ""
    help: str = ""
    rows: bool = False
    places: tuple[int, ...] = ()
    down: object = NOTHING
    less: str = ""
    text: str = ""
    head: str = ""
    heat: tuple[int, ...] = ()
    wheel: int | None = None
    qr: str = ""
    why: str = ""
    private: bool = False
    texts: tuple[str, ...] = ()
    seat: int | None = None
    now: Now | None = None

    @property
    def pages(self) -> int:
        """The number of pages that the choices or the texts fill."""
        return max(1, -(-len(self.choices) // KEYS), len(self.texts))

    def page(self, number: int) -> tuple[Choice, ...]:
        """Return the choices of a page, counted from 0."""
        return self.choices[number * KEYS : (number + 1) * KEYS]

    @property
    def span(self) -> int:
        """The number of adjacent keys with the same answer: three choices or fewer share the six keys."""
        own = self.rows or self.places or any(choice.button is not None for choice in self.choices)
        return 1 if own or len(self.choices) > 3 else KEYS // max(1, len(self.choices))

    def key(self, index: int) -> int:
        """Return the key of the choice at `index`, the leftmost if it has several."""
        page, place = divmod(index, KEYS)
        return self._keys(page)[place]

    def under(self, key: int, page: int) -> Choice | None:
        """Return the choice of a key, 0 to 5 from the left; None if there is none."""
        keys, key = self._keys(page), key // self.span * self.span
        return self.page(page)[keys.index(key)] if key in keys else None

    def answer_like(self, other: Menu, answer: object) -> object:
        """Return the answer with the name and the value of one of another menu, NOTHING if this one asks otherwise."""
        names = {name for name, value in other._answers() if _alike(value, answer)}
        own = (value for name, value in self._answers() if name in names and _alike(value, answer))
        return next(own, NOTHING) if self.title == other.title else NOTHING

    def _answers(self) -> Iterator[tuple[str, object]]:
        """Yield the name and the value of each answer that is allowed now."""
        yield from ((choice.label, choice.value) for choice in self.choices if not choice.off)
        yield self.done, self.ok
        yield self.less, self.down

    def _keys(self, page: int) -> list[int]:
        """Return the keys of a page's choices: the named seat button if a choice has one, otherwise a free key."""
        if self.places:
            return list(self.places)
        there = self.page(page)
        named = [choice.button for choice in there]
        left = [key for key in range(0, KEYS, self.span) if key not in named]
        keys: list[int] = []
        for button in named:
            keys.append(left.pop(0) if button is None or button in keys else button)
        return keys


Dialogue = Generator[Menu, object, T]


def _alike(own: object, other: object) -> bool:
    """Check whether two values mean the same answer. Each act makes a new offer, with other functions."""
    asks = isinstance(own, Ask) and isinstance(other, Ask) and (own.verb, own.seat) == (other.verb, other.seat)
    return asks or own == other


class MenuEntry(Generic[T]):
    """A dialogue in progress: a tap answers its question, back removes the last tap.

    `start` creates the dialogue again; it must ask the same questions after the same taps. `page` is the page of the
    question's choices, from 0. If a question is asked again, as for each die, it stays on the page of the last tap.
    """

    def __init__(self, start: Callable[[], Dialogue[T]]) -> None:
        self._start = start
        self._taps: list[object] = []
        self._answered: list[Menu] = []  # the questions that the taps have answered
        self.result: T | None = None
        self.menu: Menu | None = None
        self.page = 0
        self._replay()

    @property
    def taps(self) -> tuple[object, ...]:
        """The answers so far."""
        return tuple(self._taps)

    def tap(self, value: object) -> None:
        """Answer the question; `menu` is then the next question, or None if `result` is set."""
        self._taps.append(value)
        self._step(value)

    def back(self) -> bool:
        """Remove the last answer; return False if there is none."""
        if not self._taps:
            return False
        self._taps.pop()
        self._replay()
        return True

    def repeat(self, before: MenuEntry[T]) -> None:
        """Give the answers of an earlier entry again, as far as the same questions have them, and keep its page."""
        for asked, tap in zip(before._answered, before._taps, strict=True):
            if self.menu is None or (same := self.menu.answer_like(asked, tap)) is NOTHING:
                return
            self.tap(same)
            if self.menu is None:  # nothing is left to ask, so somebody presses once more
                self.back()
                return
        self.page = min(before.page, self.menu.pages - 1) if self.menu else 0

    def turn(self, step: int) -> None:
        """Turn this many pages down, or up if negative; the first page follows the last."""
        if self.menu:
            self.page = (self.page + step) % self.menu.pages

    def _replay(self) -> None:
        self._dialogue, self.menu = self._start(), None
        self._answered.clear()
        self._step(None)
        for tap in self._taps:
            self._step(tap)

    def _step(self, value: object) -> None:
        before, self.page = self.menu, 0
        if before:
            self._answered.append(before)
        try:
            self.menu = self._dialogue.send(value)
        except StopIteration as end:
            self.menu, self.result = None, end.value
            return
        if before and (before.title, before.pages) == (self.menu.title, self.menu.pages):
            places = (index for index, choice in enumerate(before.choices) if choice.value == value)
            self.page = next(places, 0) // KEYS


def answered(dialogue: Dialogue[T], value: object) -> Dialogue[T]:
    """Continue a dialogue with the answer to its first question."""
    next(dialogue)
    return (yield from continued(dialogue, value))


def continued(dialogue: Dialogue[T], value: object) -> Dialogue[T]:
    """Continue a dialogue with the answer to the question that it has just asked."""
    try:
        menu = dialogue.send(value)
        while True:
            menu = dialogue.send((yield menu))
    except StopIteration as end:
        result: T = end.value
        return result
