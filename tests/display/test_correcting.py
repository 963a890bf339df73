"""To correct an act, menu by menu: what is asked in which order, over which text, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from umpi.display.acts import NAMED, _apart, correct, put_back
from umpi.display.menu import Choice, Menu
from umpi.display.menus import taking_back
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.table.commands import PutBack, Say

DEAL = Act("deal", {"cards": ("fire-2", "earth-2", "air-4")})
BUTTONS = (0, 1)


def played(game: str, *acts: Act, **options: Any) -> Match:
    match = Match(find(game), ("Ann", "Ben"), options)
    for act in acts:
        match.play(act)
    return match


def walk(dialogue: Any, *labels: str) -> tuple[list[Menu], Any]:
    """Choose by label at each menu; the menus that were shown, and what came of it, None where more is asked."""
    menus = [next(dialogue)]
    try:
        for label in labels:
            menus.append(dialogue.send(next(choice.value for choice in menus[-1].choices if choice.label == label)))
    except StopIteration as end:
        return menus, end.value
    return menus, None


def labels(menu: Menu) -> list[str]:
    return [choice.label for choice in menu.choices]


def test_automatic_acts_are_not_listed() -> None:
    """No player entered the stop after the final dice and the end of time."""
    acts = [
        Act("throw", {"keep": (), "dice": (1, 2, 3)}, at=5), Act("stop", at=5),
        Act("throw", {"keep": (), "dice": (4, 4, 4)}, at=7), Act("stop", at=9), Act("time-up", at=60_000),
    ]  # fmt: skip
    match, joined = played("dodeka", *acts, minutes=1), {1}
    (menu,), _ = walk(correct(match, BUTTONS, joined))
    assert labels(menu) == ["Ben: stop", "Ben: roll 4, 4, 4", "Ann: roll 1, 2, 3"]
    assert [choice.value for choice in menu.choices] == [3, 2, 0]
    assert taking_back(match, joined) == "Undo: stop", "this one was entered"
    match.undo(3)
    assert taking_back(match, joined) == "Undo: roll"


def test_a_screen_that_is_full_or_says_something_itself_is_left_as_it_is() -> None:
    menu = Menu("Turn", (Choice("fire", "fire"),))
    own = [replace(menu, rows=True), replace(menu, text="It lies there."), replace(menu, wheel=3)]

    def asking() -> Any:
        for each in own:  # noqa: UP028  a tuple cannot take what is answered
            yield each
        yield menu
        yield replace(menu, note="_ _")
        return DEAL

    menus, came = walk(_apart(asking(), "Ann: take"), *["fire"] * 5)
    assert came == DEAL
    assert menus[:3] == own
    assert [each.text for each in menus[3:]] == ["Instead of Ann: take", "_ _"]


def test_acts_that_become_invalid_are_counted_and_the_first_ones_named() -> None:
    scores = [Act("score", {"seat": seat, "points": points}) for seat, points in ((0, 1), (1, 2), (0, 3), (0, 4))]
    match = played("scorepad", *scores)
    for lost in (1, NAMED, NAMED + 1):
        waiting = [Act("score", {"seat": 1, "points": 10_000 + number}) for number in range(lost)]
        menus, came = walk(put_back(match, waiting), "yes")
        assert came == PutBack()
        assert f"{lost} move{'s become' if lost > 1 else ' becomes'} invalid" in str(menus[0].text)
        assert str(menus[0].text).count("score") == min(lost, NAMED)
        assert str(menus[0].text).endswith("…") == (lost > NAMED)


def test_a_refused_replacement_shows_the_reason_and_asks_nothing_else() -> None:
    """No choice on the panel leads there; the rules have the last word all the same."""
    dialogue = correct(played("dodekka", DEAL, Act("take")), BUTTONS, ())
    walk(dialogue, "Ann: take", "edit", "flip")
    with pytest.raises(StopIteration) as end:
        dialogue.send("no card")
    assert isinstance(end.value.value, Say)
    assert end.value.value.title == "Not allowed"
