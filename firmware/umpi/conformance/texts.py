"""Checks of texts: draw positions on the small screen, and report each text that it must shorten."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from umpi.conformance.flaws import Flaw
from umpi.display import screens
from umpi.display.answer import answer
from umpi.display.key_values import shortened
from umpi.display.lettering import SMALL, Font
from umpi.display.menu import NOTHING, Choice, Menu, MenuEntry
from umpi.display.menus import all_of, undo_label
from umpi.display.picture import Picture
from umpi.display.sheet import ACROSS, Sheet
from umpi.frozen import frozen
from umpi.i18n.packages import read
from umpi.i18n.translate import LANGUAGES, game_label, player_label, tr, tr_n
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game, replace
from umpi.kernel.match import Match
from umpi.kernel.messages import Name, listed
from umpi.kernel.options import defaults
from umpi.kernel.registry import package_folders
from umpi.table.labels import value_label
from umpi.table.seats import COLOURS

STEPS = 12  # at most this many questions of one answer are drawn
NO_LETTER = "\ufdd0"

_plain_draw = Font.draw


def shape(match: Match) -> Hashable:
    """Return the values that decide the layout of the screen: the lengths of the longest texts."""
    view, players = match.view, match.players
    seat, scores = match.seat, match.now.scores()
    beside = view.beside or ("",) * len(players)
    lines = [len(f"{name}{by}{score}") for name, by, score in zip(players, beside, scores, strict=False)]
    large = view.large, max(len(f"{by}") for by in beside), max(len(f"{score}") for score in scores)
    head = len(view.head) + (0 if seat is None else len(players[seat]))
    return len(players), seat is None, head, max(lines), large, tuple(len(" ".join(row.cells)) for row in view.rows)


def fitting(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the screen shows a position, its calls, questions and odds without cutting a text."""
    players = tuple(map(player_label, match.players))
    if len(players) > len(COLOURS):
        return  # more players than the box has colours
    with collect_cuts() as cuts:
        for menu in _menus(match, chance):
            for page in range(menu.pages):
                screens.table(match, replace(menu, note=""), page)  # entered values may replace the title
        for call in match.calls():
            screens.call(match, call, ())
        if not match.asks:
            screens.over(match, Menu("", ()), 0)
        _rows(tr(ask.text, players) for ask in match.asks if ask.rare)
        _rows(all_of(ask) for ask in match.asks if not ask.rare and shortened(ask))
        _rows(undo_label(ask.verb) for ask in match.asks)
    for cut in cuts:
        alike = [name for name in players if name != cut.text and cut.fitted(name) == cut.left]
        if cut.text in players and alike:
            yield Flaw(f'The screen cuts "{cut.text}" to "{cut.left}", and so it does "{alike[0]}".')
        elif cut.text not in players and not cut.text.startswith(_winners(match)):
            yield Flaw(f'The screen cuts "{cut.text}" to "{cut.left}".')
    for row in match.now.odds():
        line = " ".join(tr(text, players) for text in (row.label, *row.cells))
        if SMALL.measure(line) > ACROSS:
            yield Flaw(f'The odds "{line}" are longer than a line of {ACROSS // SMALL.width} letters.')


def titled(game: type[Game]) -> Iterator[Flaw]:
    """Check whether the menus before a game show its title and its options without cutting a text."""
    options = defaults(game)
    with collect_cuts() as cuts:
        lines = (tr("{what}: {value}", what=name, value=value_label(name, value)) for name, value in options.items())
        _rows([game_label(game), *lines])
        for winners in (1, 2):
            Sheet().bar(tr_n("Winner", "Winners", winners), tr(game.title))
    for cut in cuts:
        yield Flaw(f'The screen cuts "{cut.text}" to "{cut.left}".')


def translated(game: type[Game]) -> Iterator[Flaw]:
    """Check whether the translations that a game's package brings can be used."""
    if folder := package_folders().get(game.id):
        for code in LANGUAGES:
            yield from map(Flaw, read(folder, code)[1])


@frozen
class Cut:
    """A text that was shortened to `left`; `fitted` shortens another text in the same way."""

    text: str
    left: str
    fitted: Callable[[str], str]


@contextmanager
def collect_cuts() -> Iterator[list[Cut]]:
    """Collect each text that a font shortens, or has no letters for, while the context is active."""
    fit, apart, draw, cuts = Font.fit, Font.apart, Font.draw, dict[str, Cut]()

    def fitting(font: Font, text: str, width: int) -> str:
        left = fit(font, text, width)
        if left != text:
            cuts.setdefault(text, Cut(text, left, lambda other: fit(font, other, width)))
        return left

    def parting(font: Font, name: str, names: Sequence[str], width: int) -> str:
        left = apart(font, name, names, width)
        if left != name:
            cuts[name] = Cut(name, left, lambda other: apart(font, other, names, width))
        return left

    def drawing(font: Font, picture: Picture, x: int, y: int, text: str, ink: int = 1) -> None:
        left = _drawable(font, text)
        if left != text:
            cuts.setdefault(text, Cut(text, left, str))
        draw(font, picture, x, y, text, ink)

    Font.fit, Font.apart, Font.draw = fitting, parting, drawing  # type: ignore[method-assign, assignment]
    try:
        yield (found := list[Cut]())
        found += cuts.values()
    finally:
        Font.fit, Font.apart, Font.draw = fit, apart, draw  # type: ignore[method-assign]


@lru_cache(maxsize=4096)
def _drawable(font: Font, text: str) -> str:
    """Return a text without the letters that a font lacks."""
    known = "?"  # a font may draw it for a missing letter too
    return "".join(letter for letter in text if letter == known or not _lacks(font, letter))


@lru_cache(maxsize=1024)
def _lacks(font: Font, letter: str) -> bool:
    """Check whether a font draws the same picture for a letter as for a missing letter."""
    pictures = [Picture(font.width, font.height) for _ in range(2)]
    for picture, each in zip(pictures, (letter, NO_LETTER), strict=True):
        _plain_draw(font, picture, 0, 0, each)
    return pictures[0] == pictures[1]


def _winners(match: Match) -> str:
    """Return the start of the line with the winners, which may be longer than the screen; "\\0" without a result."""
    result = match.now.result()
    return tr(listed([Name(match.players[seat]) for seat in result.winners])) if result else "\0"


def _menus(match: Match, chance: Chance) -> Iterator[Menu]:
    """Yield the menus of one answer, with random choices."""
    if not match.asks:
        return
    entry = _entry(match)
    for _ in range(STEPS):
        if entry.menu is None:
            return
        yield entry.menu
        ways = [choice.value for choice in entry.menu.choices if not choice.off and not choice.marked]
        if entry.menu.ok is not NOTHING:
            ways.append(entry.menu.ok)
        if not ways:
            return
        entry.tap(ways[int(chance() * len(ways))])


def _entry(match: Match) -> MenuEntry[object]:
    asks, players, after = match.asks, match.players, match.after
    return MenuEntry(lambda: answer(asks, players, True, None, (), after))


def _rows(labels: Iterable[str]) -> None:
    menu = Menu("", tuple(Choice(label, label) for label in labels))
    for page in range(menu.pages):
        Sheet().rows(menu, page)
