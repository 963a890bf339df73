"""Presses in, wishes and pictures out: what the box shows, and what its buttons mean there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image

from umpi.panel import screens
from umpi.panel.answer import answer
from umpi.panel.menu import NOTHING, Choice, Dialogue, Entry, Menu
from umpi.panel.setup import Table, set_table
from umpi.panel.sheet import NOTICE_LINES, wrapped
from umpi.rules.fields import Value
from umpi.rules.game import Act, Ask, Game, full_title
from umpi.rules.match import Match
from umpi.rules.words import named

Key = Literal["up", "down", "ok", "back"] | int  # a seat button counts from 0, left to right


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a match at this table."""

    table: Table


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with the match that lay open."""


@dataclass(frozen=True, slots=True)
class Do:
    """Play these acts, which one answer made."""

    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last answer."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table; a match that is not over can be gone on with."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle a doubtful announcement: toss again, order by hand, or accept it as it stands."""

    how: Literal["toss again", "order by hand", "accept"]


Wish = Start | GoOn | Do | TakeBack | Leave | Settle


class Panel:
    """The face of the box.

    `press` takes a key and returns what is wished of the referee, if anything; `picture` is what to show now. The
    referee answers a wish by `welcome`, `show` or `refuse`. `unsaved` puts NOT SAVED on every screen.
    """

    def __init__(
        self, games: Sequence[type[Game]], known: Sequence[str] = (), house: Mapping[str, Value] | None = None
    ) -> None:
        self.games = games
        self.house = dict(house or {})
        self.known = list(known)
        self.unsaved = False
        self._match: Match | None = None
        self._table: Table | None = None  # the table of last time
        self._open: Match | None = None
        self._quick = True
        self._news = ""
        self._answering = False  # whether the match's own question is on the screen
        self._page = 0
        self._notice: tuple[str, list[str]] | None = None
        self._entry: Entry[Any]
        self.welcome(None, None)

    def welcome(self, open: Match | None, table: Table | None) -> None:
        """Show the first screen: the match that lies open, and the table of last time."""
        self._match, self._open, self._table, self._notice = None, open, table, None
        self._ask(Entry(lambda: _welcome(open, table, lambda: set_table(self.games, self.known, self.house))))

    def doubt(self, text: str) -> None:
        """Say what is not sure about an announcement and ask the table to settle it."""
        self._notice = None
        self._ask(Entry(lambda: _settle(text)))

    def show(self, match: Match, table: Table, news: str = "") -> None:
        """Show where a match stands and ask its question; `news` is what the funnel saw."""
        self._match, self._table, self._notice, self._news = match, table, None, news
        asks, players, quick = match.asks, match.players, self._quick
        buttons, after = table.buttons, match.after
        try:
            self._ask(Entry(lambda: answer(asks, players, quick, None, buttons, after) if asks else _over(table)))
            self._answering = True
        except Exception as fault:  # the engine's own code runs in its offers
            self._ask(Entry(lambda: _menu(match, quick)))
            self._fail(fault)

    def renew(self, match: Match, table: Table, news: str = "") -> None:
        """Show a match that the box itself has moved on; what is half entered, or read, stays as it is."""
        entry, page, notice, answering = self._entry, self._page, self._notice, self._answering
        self.show(match, table, news)
        if not match.asks:
            return
        if answering:
            for tap in entry.taps:
                self._entry.tap(tap)
        else:
            self._ask(entry)
        self._page, self._notice = page, notice

    @property
    def playing(self) -> bool:
        """Whether a match is on the screen."""
        return self._match is not None

    @property
    def asking(self) -> bool:
        """Whether the match on the screen still waits for an answer."""
        return self._match is not None and self._match.asks != ()

    def tell(self, title: str, text: str) -> None:
        """Show a text; the next press leads back to the question."""
        self._notice = (title, wrapped(text))

    def refuse(self, why: str) -> None:
        """Show why an act was refused."""
        self.tell("Not so", why)

    def press(self, key: Key, long: bool = False) -> Wish | None:
        """Take a press; `long` is one that was held."""
        try:
            return self._press(key, long)
        except Exception as fault:  # the engine's own code runs in its offers; the box goes on
            self._again()
            self._fail(fault)
            return None

    def picture(self) -> Image.Image:
        """Draw what is to be seen: 128 × 64, 1 bit a dot."""
        try:
            image = self._draw()
        except Exception as fault:  # the engine tells scores and view
            self._fail(fault)
            image = self._draw()
        return screens.signed(image, "NOT SAVED") if self.unsaved else image

    def _press(self, key: Key, long: bool) -> Wish | None:
        if self._notice:
            self._turn_notice()
            return None
        menu = self._entry.menu
        assert menu is not None
        if key == "back":
            self._back(long)
        elif key == "ok" and long:
            self._explain(menu)
        elif key == "ok" and menu.ok is not NOTHING:
            return self._tap(menu.ok)
        elif key == "down" and menu.down is not NOTHING:
            return self._tap(menu.down)
        elif key in ("up", "down"):
            self._page = (self._page + (1 if key == "down" else -1)) % menu.pages
        elif isinstance(key, int) and (choice := menu.under(key, self._page)):
            if choice.off:
                self.refuse(named(choice.off, self._match.players if self._match else ()))
            else:
                return self._tap(choice.value)
        return None

    def _fail(self, fault: Exception) -> None:
        what = f"The rules of {self._match.game.title} fail" if self._match else "The panel fails"
        self.tell("Trouble", f"{what}: {type(fault).__name__}: {fault}")

    def _draw(self) -> Image.Image:
        if self._notice:
            title, lines = self._notice
            return screens.notice(title, lines, len(lines) > NOTICE_LINES)
        menu = self._entry.menu
        assert menu is not None
        if self._match and not self._match.asks:
            return screens.over(self._match, menu, self._page)
        if self._match and not menu.rows and not menu.text:
            return screens.table(self._match, menu, self._page, self._news)
        return screens.question(menu, self._page)

    def _ask(self, entry: Entry[Any]) -> None:
        self._entry, self._page, self._answering = entry, 0, False

    def _tap(self, value: object) -> Wish | None:
        self._entry.tap(value)
        self._page = 0
        if self._entry.menu is not None:
            return None
        wish = self._entry.result
        if wish == "quick":
            self._quick = not self._quick
        if isinstance(wish, tuple):
            wish = Do(wish)
        self._again()  # the same question stands until the referee shows another
        return wish if isinstance(wish, Wish) else None

    def _back(self, long: bool) -> None:
        if not long and self._entry.back():
            self._page = 0
        elif self._match:
            match, quick = self._match, self._quick
            self._ask(Entry(lambda: _menu(match, quick)))
        else:
            self.welcome(self._open, self._table)

    def _again(self) -> None:
        if self._match and self._table:
            self.show(self._match, self._table, self._news)
        else:
            self.welcome(self._open, self._table)

    def _explain(self, menu: Menu) -> None:
        players = self._match.players if self._match else ()
        self.tell("The rule", named(menu.help, players) or "Choose with the keys under the screen.")

    def _turn_notice(self) -> None:
        assert self._notice
        title, lines = self._notice
        rest = lines[NOTICE_LINES:]
        self._notice = (title, rest) if rest else None


def _welcome(open: Match | None, table: Table | None, setup: Callable[[], Dialogue[Table]]) -> Dialogue[Wish]:
    choices = []
    if open:
        choices.append(Choice("go on", GoOn()))
    if table:
        choices.append(Choice("rematch", Start(table)))
    choices.append(Choice("new game", None))
    what = open.game if open else table.game if table else None
    names = open.players if open else table.players if table else ()
    if what is None:
        return Start((yield from setup()))
    text = "\n".join([full_title(what) + (" is not over:" if open else " again:"), *wrapped(", ".join(names))])
    wish = yield Menu("Umpi", tuple(choices), choices[0].value, choices[0].label, text=text)
    if wish is None:
        return Start((yield from setup()))
    assert isinstance(wish, Wish)
    return wish


def _over(table: Table) -> Dialogue[Wish]:
    choices = (Choice("undo", TakeBack()), Choice("rematch", Start(table)), Choice("done", Leave()))
    wish = yield Menu("", choices, Leave())
    assert isinstance(wish, Wish)
    return wish


def _settle(text: str) -> Dialogue[Wish]:
    ways: tuple[Any, ...] = ("toss again", "order by hand", "accept")
    labels = ("again", "by hand", "accept")
    choices = tuple(Choice(label, Settle(how)) for label, how in zip(labels, ways, strict=True))
    wish = yield Menu("Not sure", choices, text="\n".join(wrapped(text)))
    assert isinstance(wish, Wish)
    return wish


def _menu(match: Match, quick: bool) -> Dialogue[Wish | str | tuple[Act, ...]]:
    undo = "nothing has been done yet" if not match.acts else ""
    last = match.acts[-1].verb if match.acts else ""
    choices = [Choice(f"Take back: {last}", TakeBack(), undo), Choice("Go on playing", "")]
    if any(ask.then for ask in match.asks):
        choices.append(Choice("Each throw by itself" if quick else "Final dice only", "quick"))
    choices += [Choice(ask.text, ask) for ask in match.asks if ask.rare]
    choices.append(Choice("Leave the table", Leave()))
    wish = yield Menu("Menu", tuple(choices), "" if undo else TakeBack(), "" if undo else "takes back", rows=True)
    if isinstance(wish, (Wish, str)):
        return wish
    assert isinstance(wish, Ask)
    return (yield from answer([wish], match.players)) if wish.fields else (Act(wish.verb),)
