"""A question as the panel puts it: a title and choices under the keys; and dialogues, which are questions in a row."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

KEYS = 6  # soft keys under the screen, the seat buttons

T = TypeVar("T")


class Nothing:
    """What OK answers where it answers nothing."""


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Choice:
    """What one key answers; `off` is why it cannot now, `marked` that it is chosen already.

    `button` is the seat button that the choice names, by its player or its colour: it stands at that very key.
    """

    label: str
    value: object
    off: str = ""
    marked: bool = False
    button: int | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """One question: the choices page by page, six a page.

    `ok` is what OK answers, labelled `done`, and `why` the reason that it cannot answer yet; `note` what has been
    answered so far; `help` the rule behind it; `text` what stands above the keys on a screen of its own, under a large
    `head` or the marks of a dead `heat`. With `rows` the choices stand as rows on a screen of their own, as long labels
    need, each marked as its key is. With `places` each choice stands at a key of its own, the seat buttons' owners
    answering for themselves; then the down key may answer `down`, labelled `less`. `wheel` is where a number stands
    that the choices turn up and down. `qr` is what a phone reads off a code beside the text.
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

    @property
    def pages(self) -> int:
        """How many pages the choices fill."""
        return max(1, -(-len(self.choices) // KEYS))

    def page(self, number: int) -> tuple[Choice, ...]:
        """The choices of a page, counted from 0."""
        return self.choices[number * KEYS : (number + 1) * KEYS]

    @property
    def span(self) -> int:
        """How many keys beside each other answer the same: three or fewer choices share the six."""
        own = self.rows or self.places or any(choice.button is not None for choice in self.choices)
        return 1 if own or len(self.choices) > 3 else KEYS // max(1, len(self.choices))

    def key(self, index: int) -> int:
        """The key that the choice at `index` stands over, the leftmost of those it shares."""
        page, place = divmod(index, KEYS)
        return self._keys(page)[place]

    def under(self, key: int, page: int) -> Choice | None:
        """The choice under a key, 0 to 5 from the left; None where there is none."""
        keys, key = self._keys(page), key // self.span * self.span
        return self.page(page)[keys.index(key)] if key in keys else None

    def _keys(self, page: int) -> list[int]:
        """The keys of a page's choices: those that name a seat button stand over it, the others where there is room."""
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


class MenuEntry(Generic[T]):
    """A dialogue under way: a tap answers its question, back takes the last tap back.

    `start` makes the dialogue anew; it must ask the same after the same taps.
    """

    def __init__(self, start: Callable[[], Dialogue[T]]) -> None:
        self._start = start
        self._taps: list[object] = []
        self.result: T | None = None
        self.menu: Menu | None = None
        self._replay()

    @property
    def taps(self) -> tuple[object, ...]:
        """What has been answered so far."""
        return tuple(self._taps)

    def tap(self, value: object) -> None:
        """Answer the question; `menu` is the next one, or None where `result` stands."""
        self._taps.append(value)
        self._step(value)

    def back(self) -> bool:
        """Take the last answer back; False where there is none."""
        if not self._taps:
            return False
        self._taps.pop()
        self._replay()
        return True

    def _replay(self) -> None:
        self._dialogue = self._start()
        self._step(None)
        for tap in self._taps:
            self._step(tap)

    def _step(self, value: object) -> None:
        try:
            self.menu = self._dialogue.send(value)
        except StopIteration as end:
            self.menu, self.result = None, end.value
