"""Any game is played from its offers alone."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.display.answer import answer, left_out
from umpi.display.entering import STEPS
from umpi.display.menu import MenuEntry
from umpi.display.typist import CannotType, presses
from umpi.kernel import Act, Ask, Each, Match, Number, Pick, Some
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games

NAMES = ("Katy", "Kévin", "Christelle", "Őzike")


def entered(asks, *taps, quick=True):
    entry = MenuEntry(lambda: answer(asks, NAMES, quick))
    for tap in taps:
        menu = entry.menu
        choice = next((choice for choice in menu.choices if choice.label == tap), None)
        entry.tap(menu.ok if choice is None else choice.value)
    return entry


@pytest.mark.slow
@pytest.mark.parametrize("game", [find("dodeka"), find("dodekka")], ids=lambda game: game.id)
@pytest.mark.parametrize("players", [2, 4])
@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_act_of_a_random_game_can_be_entered_by_presses(game, players, seed):
    written = play_out(game, NAMES[:players], seed=seed)
    match = Match(game, NAMES[:players])
    for act in written.acts[:60]:
        assert len(presses(match.asks, match.players, [act], quick=False)) <= 12
        match.play(act)


@pytest.mark.slow
@pytest.mark.parametrize("track", ["hands", "sums"])
def test_final_hands_can_be_entered_by_presses(track):
    dodekka = next(game for game in games() if game.id == "dodekka")
    written = play_out(dodekka, NAMES[:3], {"track": track}, seed=5)
    match = Match(dodekka, NAMES[:3], {"track": track})
    for act in written.acts:
        assert presses(match.asks, match.players, [act])
        match.play(act)


def test_a_card_is_two_presses_and_taking_one():
    match = Match(next(game for game in games() if game.id == "dodekka"), NAMES)
    match.play(Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    assert len(presses(match.asks, NAMES, [Act("take")])) == 1
    assert len(presses(match.asks, NAMES, [Act("turn", {"card": "ether-4"})])) == 2


def test_three_final_dice_stop_the_turn_at_once():
    match = Match(next(game for game in games() if game.id == "dodeka"), NAMES)
    final = [Act("throw", {"keep": (), "dice": (1, 2, 12)}), Act("stop")]
    assert presses(match.asks, NAMES, final) == [0, 1, "down", 5]


def test_an_unavailable_choice_is_shown_with_its_reason():
    ask = Ask("lay", "Lay", (Pick("card", ("fire-1",), ("fire-1", "air-1"), lambda card: f"{card} is gone"),))
    menu = entered((ask,)).menu
    assert [(choice.label, choice.off) for choice in menu.choices] == [("fire-1", ""), ("air-1", "air-1 is gone")]


def test_back_takes_the_last_tap_back_and_at_the_start_says_so():
    ask = Ask("name", "Name", (Pick("one", ("a", "b")), Pick("two", ("c", "d"))))
    entry = entered((ask,), "a")
    assert entry.menu.title == "Name: two"
    assert entry.back()
    assert entry.menu.title == "Name: one"
    assert not entry.back()


def test_a_number_of_a_wide_range_is_turned_and_kept_within_it():
    entry = entered((Ask("bet", "Bet", (Number("points", 10, 1000),)),), "+100", "-1", "-50", "-50", "-50", "OK")
    assert entry.result == (Act("bet", {"points": 10}),)


@pytest.mark.parametrize(("low", "high", "start"), [(-99, 99, 0), (0, 50, 0), (5, 50, 5), (-50, -5, -5)])
def test_a_number_begins_at_zero_or_as_near_as_it_can(low, high, start):
    entry = entered((Ask("score", "Score", (Number("points", low, high),)),))
    assert entry.menu.title == f"Score: {start}"
    entry.tap(entry.menu.ok)
    assert entry.result == (Act("score", {"points": start}),)


def test_points_cost_few_presses():
    """OK included: 0 to 60 in less than four and a half on average; steps of 1, 10 and 100 both ways took over six."""

    def cost(points, steps):
        turned, presses = {0}, 1
        while points not in turned:
            turned, presses = {value + step for value in turned for step in steps}, presses + 1
        return presses

    means = [sum(cost(points, steps) for points in range(61)) / 61 for steps in (STEPS, (-100, -10, -1, 1, 10, 100))]
    assert [round(mean, 1) for mean in means] == [4.4, 6.3]


def test_choices_are_toggled_up_to_the_maximum():
    ask = Ask("keep", "Keep", (Some("keep", (3, 3, 9), 0, 2),))
    entry = entered((ask,))
    for index in (0, 2):
        entry.tap(index)
    assert [choice.off for choice in entry.menu.choices] == ["", "choose at most 2", ""]
    entry.tap(0)
    entry.tap(entry.menu.ok)
    assert entry.result == (Act("keep", {"keep": (9,)}),)


def test_a_list_of_open_length_ends_with_ok():
    ask = Ask("tell", "Tell", (Some("cards", ("a-1", "a-1", "b-1", "b-2", "c-1", "c-2", "d-1", "e-1"), 0, 8),))
    entry = entered((ask,), "a", "1", "a", "1", "OK")
    assert entry.result == (Act("tell", {"cards": ("a-1", "a-1")}),)


def test_each_asks_field_by_field():
    ask = Ask("sums", "Sums", (Each("counts", (Number("fire", 0, 3), Number("water", 0, 3))),))
    assert entered((ask,), "2", "0").result == (Act("sums", {"counts": (2, 0)}),)


def test_an_optional_field_can_be_left_out():
    ask = Ask("lay", "Lay", (Pick("card", ("a", "b")), Pick("wish", ("red", "blue"), optional=True)))
    assert entered((ask,), "b", "no").result == (Act("lay", {"card": "b"}),)
    assert entered((ask,), "b", "yes", "red").result == (Act("lay", {"card": "b", "wish": "red"}),)


@pytest.mark.parametrize(("others", "left"), [(0, False), (1, True)])
def test_the_menu_has_the_cube_where_players_buzz_and_ok_does_something_else(others, left):
    seat = partial(Pick, "seat", (0, 1), (0, 1))
    asks = [Ask("buzz", "Who?", (seat(source="buzz"),)), Ask("cube", "A cube", (seat(source="cube"),))]
    asks += [Ask("stop", "Stop")] * others
    assert left_out(asks) == (asks[1:2] if left else [])


def test_a_rare_act_is_not_among_the_keys():
    asks = (Ask("throw", "Throw"), Ask("stop", "Stop"), Ask("time-up", "Time is up", weight=0.01, rare=True))
    assert [choice.label for choice in entered(asks).menu.choices] == ["roll", "stop"]
    with pytest.raises(CannotType):
        presses(asks, NAMES, [Act("time-up")])


def test_asks_side_by_side_keep_their_names() -> None:
    """After a race, a button with a runner's name alone would give whoever presses it once more a penalty."""
    foul = Ask("foul", "Penalty for a false start", (Pick("seat", (0, 1, 2)),))
    end = Ask("end", "End of the race")
    first = next(answer([foul, end], ("Red", "Blue", "Green")))
    assert [choice.label for choice in first.choices] == ["foul", "end"]
    short = next(answer([foul._replace(text="Foul"), end._replace(text="End")], ("Red", "Blue", "Green")))
    assert (short.title, len(short.choices)) == ("Foul / End", 4)
