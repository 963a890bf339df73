"""Learn a game by a first game with comments: `umpi learn`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem
from umpi.display.answer import Acts, answer
from umpi.display.menu import NOTHING, Choice, Menu, MenuEntry
from umpi.i18n.translate import capitalised, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.registry import games
from umpi.lessons.course import AnotherMove, Course
from umpi.lessons.found import lesson_of
from umpi.table.lessons import taught, tell_another_move, tell_calls, tell_step

KEYS = "Type a number and Enter. b: back, h: the rule, q: quit."
UNKNOWN = "Type one of the numbers above."


class Left(Exception):
    """Report that the learner has left the lesson."""


def run_learn(options: argparse.Namespace) -> int:
    """`umpi learn [GAME]`: run a lesson, or list the games that have one."""
    games_taught = {game.id: game for game in taught(games())}
    if options.game is None:
        for id, game in games_taught.items():
            put(f"{id:12}  {full_title(game)}")
        put("To begin, type for example: umpi learn dodeka")
        return 0
    chosen = games_taught.get(options.game)
    lesson = lesson_of(chosen) if chosen else None
    if not chosen or not lesson:
        raise Problem(f'No lesson for "{options.game}"; there are lessons for: {", ".join(games_taught)}.')
    course = Course(lesson, chosen)
    put(f"A first game of {full_title(course.match.game)}. {KEYS}")
    try:
        _teach(course)
    except Left:
        put("The lesson is not finished.")
        return 0
    put("The lesson is finished.")
    return 0


def _teach(course: Course) -> None:
    """Lead through a lesson. Raises Left if the learner quits."""
    while course.step:
        if course.opened:
            put("")
            for text in tell_step(course):
                put(text)
        if course.asking:
            _one_answer(course)
        else:
            if _typed("Press Enter to continue: ") == "q":
                raise Left
            _say(course.proceed())


def _one_answer(course: Course) -> None:
    """Let the learner answer until the lesson accepts it. Raises Left."""
    while True:
        try:
            calls = course.answer(_asked(course))
        except AnotherMove:
            put(f"The rules allow that too. {tell_another_move(course)}")
        except Refused as refusal:
            put(capitalised(tr(refusal.reason, course.match.players)))
        else:
            return _say(calls)


def _asked(course: Course) -> Acts:
    """Ask for one answer, question by question as the box does, and return its acts. Raises Left."""
    match = course.match
    entry = MenuEntry(lambda: answer(match.asks, match.players, quick=False, after=match.after))
    while entry.menu is not None:
        _show(entry.menu)
        typed = _typed("> ")
        if typed == "q":
            raise Left
        if typed == "b":
            put("" if entry.back() else "There is nothing to go back to.")
        elif typed == "h":
            put(tr(entry.menu.help, match.players) or UNKNOWN)
        else:
            value = _picked(entry.menu, typed, match.players)
            if value is not NOTHING:
                entry.tap(value)
    assert entry.result is not None
    return entry.result


def _show(menu: Menu) -> None:
    """Print a question with its choices, each after what the learner types for it."""
    put("")
    put(": ".join(filter(None, (menu.title, menu.note))))
    shown = []
    for typed, choice in _choices(menu).items():
        label = choice.label if typed == choice.label else f"{typed} {choice.label}"
        shown.append(f"{label} (not now)" if choice.off else label)
    if menu.ok is not NOTHING:
        shown.append(f"Enter {menu.done}")
    if menu.down is not NOTHING:
        shown.append(f"- {menu.less}")
    put("   ".join(shown))


def _choices(menu: Menu) -> dict[str, Choice]:
    """Return the choices by what the learner types: their labels if these are different numbers, else 1, 2, 3 …"""
    labelled: dict[str, Choice] = {choice.label: choice for choice in menu.choices}
    if len(labelled) == len(menu.choices) and all(map(str.isdecimal, labelled)):
        return labelled
    return {str(number): choice for number, choice in enumerate(menu.choices, 1)}


def _picked(menu: Menu, typed: str, players: Sequence[str]) -> object:
    """Return the value of what was typed; say why and return NOTHING if it is no answer."""
    if not typed and menu.ok is not NOTHING:
        return menu.ok
    if typed == "-" and menu.down is not NOTHING:
        return menu.down
    choice = _choices(menu).get(typed)
    if choice is None:
        put(capitalised(tr(menu.why, players)) if menu.why and not typed else UNKNOWN)
    elif choice.off:
        put(capitalised(tr(choice.off, players)))
    else:
        return choice.value
    return NOTHING


def _say(calls: Sequence[Call]) -> None:
    if calls:
        put(f"Referee: {tell_calls(calls)}".replace("\n", "\nReferee: "))


def _typed(prompt: str) -> str:
    """Return the line that the learner types. Raises Left at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        put("")
        raise Left
    return line.strip().lower()


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "learn", run_learn, group=PLAY,
        purpose="Learn a game by a first game with comments.",
        description="Learn a game by a first game with comments. The command explains each move and asks what the "
        "box asks. Type the number of your answer. Enter alone confirms, b goes back, h shows the rule and q quits. "
        "Nothing is saved. Without GAME list the games that have a lesson.",
        examples=("umpi learn", "umpi learn dodeka"),
    )  # fmt: skip
    command.add_argument("game", metavar="GAME", nargs="?", help="name of the game to learn (default: list the games)")
