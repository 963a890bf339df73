"""`umpi learn`: each lesson is played to its end by typed lines, and a wrong answer changes nothing."""

from __future__ import annotations

import io
import sys

import pytest

from umpi.cli import main
from umpi.cli.learn import UNKNOWN, _choices, _picked, _say
from umpi.display.answer import answer
from umpi.display.menu import NOTHING, Choice, Menu, MenuEntry
from umpi.display.typist import presses
from umpi.kernel.calls import Call
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.lessons import LESSONS
from umpi.lessons.course import Course


def keyed(match: Match, act: Act) -> tuple[list[str], tuple[Act, ...]]:
    """Return the lines that enter an act, and all acts that they enter.

    At each question it is what is typed for the choice under the key of the box.
    """
    entry = MenuEntry(lambda: answer(match.asks, match.players, quick=False, after=match.after))
    lines: list[str] = []
    for key in presses(match.asks, match.players, (act,), quick=False):
        menu = entry.menu
        assert menu
        if key in ("up", "down") and menu.down is NOTHING:
            entry.page = (entry.page + (1 if key == "down" else -1)) % menu.pages
            continue
        typed, value = line_of(menu, key, entry.page)
        lines.append(typed)
        entry.tap(value)
    assert entry.result is not None
    return lines, entry.result


def line_of(menu: Menu, key: object, page: int) -> tuple[str, object]:
    if key == "ok":
        return "", menu.ok
    if key == "down":
        return "-", menu.down
    assert isinstance(key, int)
    choice = menu.under(key, page)
    return next((typed, one.value) for typed, one in _choices(menu).items() if one is choice)


def lines_of(game: str) -> list[str]:
    """The lines that play a lesson to its end."""
    course, lines = Course(LESSONS[game], find(game)), []
    while course.step:
        if not course.asking:
            lines.append("")
            course.proceed()
            continue
        typed, acts = keyed(course.match, course.expected[0])
        lines += typed
        course.answer(acts)
    return lines


def typed(monkeypatch: pytest.MonkeyPatch, game: str, *lines: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))
    return main(["learn", game])


@pytest.mark.parametrize("game", LESSONS)
def test_typed_lines_play_a_lesson_to_its_end(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, game, *lines_of(game)) == 0
    shown = capsys.readouterr().out
    count = len(LESSONS[game].steps)
    assert all(f"Lesson {number}/{count}\n" in shown for number in range(1, count + 1))
    assert "Now enter:" not in shown
    assert shown.endswith("The lesson is finished.\n")
    assert "Referee: " in shown


def test_enter_and_minus_answer_yes_and_no_beside_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """While one answer is judged, the other seats can still buzz."""
    judged = Menu("Ann: right?", (Choice("Ben", "buzz"),), ok="right", done="right", down="wrong", less="no")
    assert [_picked(judged, each, ()) for each in ("", "-", "1")] == ["right", "wrong", "buzz"]
    assert capsys.readouterr().out == ""
    assert _picked(Menu("Who?", judged.choices), "-", ()) is NOTHING
    assert capsys.readouterr().out == UNKNOWN + "\n"


def test_each_call_of_the_referee_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    _say([Call("bust", "Ann busts."), Call("part", "Part 2 begins.")])
    _say([])
    assert capsys.readouterr().out == "Referee: Ann busts.\nReferee: Part 2 begins.\n"
