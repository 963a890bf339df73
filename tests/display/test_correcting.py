"""To correct an act, menu by menu: what is asked in which order, over which text, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from umpi.display.acts import NAMED, _apart, correct, put_back, put_back_choice
from umpi.display.menu import Choice, Menu
from umpi.display.menus import taking_back
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.table.commands import Correct, GoBack, PutBack, Say
from umpi.table.telling import tell_act

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


def test_the_acts_are_listed_newest_first_each_with_whose_it_was() -> None:
    quiz = played("quiz", Act("open"), Act("buzz", {"seat": 1}), Act("judge", {"right": True}))
    (menu,), _ = walk(correct(quiz, BUTTONS))
    assert labels(menu) == ["Ben: judge yes", "Ben: buzz", "open"]
    assert [choice.value for choice in menu.choices] == [2, 1, 0]
    assert [tell_act(quiz, index) for index in range(3)] == ["open", "Ben: buzz", "Ben: judge yes"]


def test_automatic_acts_are_not_listed() -> None:
    """No player entered the stop after the final dice and the end of time."""
    acts = [
        Act("throw", {"keep": (), "dice": (1, 2, 3)}, at=5), Act("stop", at=5),
        Act("throw", {"keep": (), "dice": (4, 4, 4)}, at=7), Act("stop", at=9), Act("time-up", at=60_000),
    ]  # fmt: skip
    match = played("dodeka", *acts, minutes=1)
    (menu,), _ = walk(correct(match, BUTTONS))
    assert labels(menu) == ["Ben: stop", "Ben: roll 4, 4, 4", "Ann: roll 1, 2, 3"]
    assert [choice.value for choice in menu.choices] == [3, 2, 0]
    assert taking_back(match) == "Undo: stop", "this one was entered"
    match.undo(3)
    assert taking_back(match) == "Undo: roll"


def test_another_act_is_put_in_the_place_of_one() -> None:
    """Which act it was is asked, the one that was done is marked; the screens after it say what it is instead of."""
    match = played("dodekka", DEAL, Act("take"))
    menus, came = walk(correct(match, BUTTONS), "Ann: take", "edit", "flip", "water", "3", "yes")
    assert came == Correct(1, Act("turn", {"card": "water-3"}, None))
    which, ways, what, element, number, sure = menus
    assert (which.title, ways.text, what.title) == ("Which move?", "Ann: take", "Which move instead?")
    assert [(choice.label, choice.marked) for choice in what.choices] == [("take", True), ("flip", False)]
    assert what.text == "", "rows have no room for it"
    assert (element.text, sure.title) == ("Instead of Ann: take", "Sure?")
    assert number.text
    assert sure.text == "All later moves stay valid."


def test_a_single_possible_act_is_asked_for_at_once() -> None:
    match = played("dodeka", Act("throw", {"keep": (), "dice": (1, 2, 3)}), Act("stop"))
    menus, came = walk(correct(match, BUTTONS), "Ann: roll 1, 2, 3", "edit", "4", "4", "4", "yes")
    assert isinstance(came, Correct)
    assert (came.index, came.act.verb, came.act.given["dice"]) == (0, "throw", (4, 4, 4))
    assert [menu.title for menu in menus[2:5]] == ["Roll 1 of 3"] * 3


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


def test_left_alone_nothing_comes_of_it() -> None:
    match = played("dodekka", DEAL, Act("take"))
    _, came = walk(correct(match, BUTTONS), "Ann: take", "edit", "take", "no")
    assert came is None
    assert [act.verb for act in match.acts] == ["deal", "take"]


def test_an_act_may_be_what_to_go_back_to() -> None:
    _, came = walk(correct(played("dodekka", DEAL, Act("take")), BUTTONS), "Ann: take", "insert")
    assert came == GoBack(1)


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


def test_acts_that_wait_are_offered_by_their_number() -> None:
    assert put_back_choice(()) == ()
    one, two = put_back_choice((DEAL,)), put_back_choice((DEAL, Act("take")))
    assert [choice.label for choice in (*one, *two)] == ["Restore 1 move", "Restore 2 moves"]


def test_a_refused_replacement_shows_the_reason_and_asks_nothing_else() -> None:
    """No choice on the panel leads there; the rules have the last word all the same."""
    dialogue = correct(played("dodekka", DEAL, Act("take")), BUTTONS)
    walk(dialogue, "Ann: take", "edit", "flip")
    with pytest.raises(StopIteration) as end:
        dialogue.send("no card")
    assert isinstance(end.value.value, Say)
    assert end.value.value.title == "Not allowed"
