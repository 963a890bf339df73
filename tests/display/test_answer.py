"""Any game is played from its offers alone."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.display.answer import answer, left_out
from umpi.display.entering import STEPS, Asker
from umpi.display.secret import secretly
from umpi.display.typist import presses
from umpi.kernel import Ask, Match, Pick
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games

NAMES = ("Katy", "Kévin", "Christelle", "Őzike")


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


def test_points_cost_few_presses():
    """OK included: 0 to 60 in less than four and a half on average; steps of 1, 10 and 100 both ways took over six."""

    def cost(points, steps):
        turned, presses = {0}, 1
        while points not in turned:
            turned, presses = {value + step for value in turned for step in steps}, presses + 1
        return presses

    means = [sum(cost(points, steps) for points in range(61)) / 61 for steps in (STEPS, (-100, -10, -1, 1, 10, 100))]
    assert [round(mean, 1) for mean in means] == [4.4, 6.3]


@pytest.mark.parametrize(("others", "left"), [(0, False), (1, True)])
def test_the_menu_has_the_cube_where_players_buzz_and_ok_does_something_else(others: int, left: bool) -> None:
    seat = partial(Pick, "seat", (0, 1), (0, 1))
    asks = [Ask("buzz", "Who?", (seat(source="buzz"),)), Ask("cube", "A cube", (seat(source="cube"),))]
    asks += [Ask("stop", "Stop")] * others
    assert left_out(asks) == (asks[1:2] if left else [])


@pytest.mark.parametrize(("seats", "first"), [((1,), "Ben"), ((0, 1), "Choose a room: who?")])
def test_a_secret_question_that_one_seat_answers_asks_nobody_who_they_are(seats: tuple[int, ...], first: str) -> None:
    ask = Ask("choose", "Choose a room", (Pick("seat", seats, (0, 1, 2)), Pick("room", (1, 2))), secret=True)
    assert next(secretly(Asker(("Ann", "Ben", "Eve")), ask, ())).title == first


def test_asks_side_by_side_keep_their_names() -> None:
    """After a race, a button with a runner's name alone would give whoever presses it once more a penalty."""
    foul = Ask("foul", "Penalty for a false start", (Pick("seat", (0, 1, 2)),))
    end = Ask("end", "End of the race")
    first = next(answer([foul, end], ("Red", "Blue", "Green")))
    assert [choice.label for choice in first.choices] == ["foul", "end"]
    short = next(answer([foul._replace(text="Foul"), end._replace(text="End")], ("Red", "Blue", "Green")))
    assert (short.title, len(short.choices)) == ("Foul / End", 4)
