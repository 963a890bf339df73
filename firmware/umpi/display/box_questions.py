"""The questions about the box: its language, a lesson, a match to resume, the statistics, its card and its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.display.letters import LETTERS, type_text
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import LANGUAGES, Translated, current_language, game_label, languages, player_label, tr
from umpi.kernel.game import Game
from umpi.table.card import LONGEST_NAME, TITLES, CardWork
from umpi.table.commands import AskPuzzle, FindNetworks, GoOn, Learn, NameBox, Speak, Statistics, UseCard
from umpi.table.lessons import taught
from umpi.table.state import ResumableMatch

# the choices that lead to these questions
LANGUAGE, LEARN, BEFORE, STATISTICS, UPDATE, NAME = object(), object(), object(), object(), object(), object()


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


def learn_choices(games: Sequence[type[Game]]) -> tuple[Choice, ...]:
    """Return the choice that leads to the lessons, if there are any."""
    return (Choice(tr("Learn"), LEARN),) if taught(games) else ()


def ask_lesson(games: Sequence[type[Game]]) -> Dialogue[Learn]:
    """Ask for the game to learn."""
    choices = tuple(Choice(game_label(game), game) for game in taught(games))
    game = yield Menu(tr("Which lesson?"), choices, rows=True)
    assert isinstance(game, type)
    return Learn(game)


def before_choices(resumable: Sequence[ResumableMatch]) -> tuple[Choice, ...]:
    """Return the choice of past matches, if there are any."""
    return (Choice(tr("Past matches"), BEFORE),) if resumable else ()


def ask_before(resumable: Sequence[ResumableMatch]) -> Dialogue[GoOn]:
    """Ask which match to resume; open matches are marked."""
    choices = tuple(Choice(_called(each), GoOn(each.number), marked=each.open) for each in resumable)
    chosen = yield Menu(tr("Which match?"), choices, rows=True)
    assert isinstance(chosen, GoOn)
    return chosen


def _called(resumable: ResumableMatch) -> Translated:
    names = ", ".join(player_label(name) for name in resumable.players)
    return tr("{game}: {names}", game=resumable.game.title, names=Translated(names))


def puzzle_choices(resumable: Sequence[ResumableMatch]) -> tuple[Choice, ...]:
    """Return the choice of a puzzle, if there are past matches in which one can be found."""
    return (Choice(tr("Puzzle"), AskPuzzle()),) if resumable else ()


def ask_statistics(titles: Mapping[str, str]) -> Dialogue[Statistics]:
    """Ask for the game; `titles` maps the games' ids to their titles."""
    games = (Choice(title, Statistics(id)) for id, title in titles.items())
    chosen = yield Menu(tr("Statistics"), (Choice(tr("All games"), Statistics()), *games), rows=True)
    assert isinstance(chosen, Statistics)
    return chosen


def card_choices(card: CardWork | None, playing: bool) -> tuple[Choice, ...]:
    """Return the choices of a box that started from a card of Umpi; none on another box.

    While a match is in play, no older ones are restored, and the box stays in its network and keeps its name.
    """
    if card is None:
        return ()
    always = Choice(tr("Update"), UPDATE), Choice(tr(TITLES["back up"]), UseCard("back up"))
    if playing:
        return always
    restored = Choice(tr(TITLES["restore"]), UseCard("restore"))
    joined = Choice(tr(TITLES["find networks"]), FindNetworks())
    return (*always, restored, joined, Choice(tr(TITLES["name the box"]), NAME))


def ask_update() -> Dialogue[UseCard]:
    """Ask where the update is."""
    from_stick = Choice(tr("from a USB stick"), UseCard("update from stick"))
    from_network = Choice(tr("from the network"), UseCard("update from network"))
    chosen = yield Menu(tr("Update"), (from_stick, from_network), rows=True)
    assert isinstance(chosen, UseCard)
    return chosen


def ask_box_name() -> Dialogue[NameBox]:
    """Ask for the name of the box in its network."""
    edges = tr("A name starts and ends with a letter or digit.")
    name = yield from type_text(
        tr(TITLES["name the box"]),
        {**LETTERS, "4-9-": "456789-"},
        lambda text: "" if text.strip("-") == text != "" else edges,
        tr("A name has at most {number} characters.", number=LONGEST_NAME),
        LONGEST_NAME,
        help=tr("Phones find the box at NAME.local. Press the group, then the letter. Back deletes."),
        done=tr("done"),
    )
    return NameBox(name)
