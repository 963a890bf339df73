"""A game as a PettingZoo environment: PettingZoo's own tests, and what an agent sees and gets."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from umpi.kernel import Refused
from umpi.kernel.registry import games

GAMES = [game.id for game in games()]


def pettingzoo() -> Any:
    """The module, which brings NumPy, imported by the first test that needs it."""
    return pytest.importorskip("umpi.lab.pettingzoo", reason="no PettingZoo here: pip install umpi[pettingzoo]")


def played(game: str, seed: int, **options: Any) -> tuple[Any, dict[str, float], list[str]]:
    """Play a game at random; return the environment, the sum of rewards, and the texts of all actions."""
    env = pettingzoo().env(game, **options)
    env.reset(seed=seed)
    env.action_space(env.agents[0]).seed(seed)
    rewards, texts = dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter(max_iter=20_000):
        seen, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        action = None if over or cut else env.action_space(agent).sample(seen["action_mask"])
        if action is not None:
            texts.append(env.meanings()[int(action)])
        env.step(action)
    return env, rewards, texts


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("game", GAMES)
def test_the_tests_of_pettingzoo_pass(game: str) -> None:
    """It warns that observations are no plain arrays, as it does for its own games with a mask."""
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo().env(game), num_cycles=200)
        seed_test(lambda: pettingzoo().env(game), num_cycles=50)


@pytest.mark.parametrize("game", GAMES)
def test_the_rewards_are_those_of_the_places(game: str) -> None:
    env, rewards, texts = played(game, 7)
    result = env.result
    assert result, "a random game ends"
    assert texts
    assert env.agents == []
    for seat, agent in enumerate(env.possible_agents):
        others = [place for other, place in enumerate(result.places) if other != seat]
        beaten = [(result.places[seat] < place) - (result.places[seat] > place) for place in others]
        assert rewards[agent] == pytest.approx(sum(beaten) / len(beaten) if beaten else 1.0)


@pytest.mark.parametrize(
    ("places", "together", "rewards"),
    [
        ((1, 3, 1), False, (0.5, -1, 0.5)),
        ((1, 1, 3, 4), False, (2 / 3, 2 / 3, -1 / 3, -1)),
        ((2, 2), False, (-1, -1)),  # all lose
        ((2, 2), True, (-1, -1)),
        ((1, 1), True, (1, 1)),
    ],
)
def test_a_reward_is_the_share_of_others_that_one_beats(
    places: tuple[int, ...], together: bool, rewards: tuple[float, ...]
) -> None:
    assert tuple(pettingzoo()._reward(places, seat, together) for seat in range(len(places))) == pytest.approx(rewards)


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    (_, _, one), (_, _, same), (_, _, other) = (played("dodeka", seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_game_without_a_seed_has_the_next_one() -> None:
    def begun(*seeds: int | None) -> Any:
        env = pettingzoo().env("dodekka")
        for seed in seeds:
            env.reset(seed)
        return env.render()

    assert begun(None) == begun(1) != begun(2)
    assert begun(None, None) == begun(2)
    assert begun(6, None) == begun(7)


def test_the_mask_offers_what_the_rules_allow_value_by_value() -> None:
    env = pettingzoo().env("dodeka")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    assert sorted(mask.nonzero()[0]) == sorted(env.meanings())
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    wrong = next(action for action in range(len(mask)) if not mask[action])
    with pytest.raises(ValueError, match="is not among the actions that the mask allows"):
        env.step(wrong)


def test_a_game_is_truncated_after_so_many_acts() -> None:
    env, rewards, _ = played("dodeka", 1, longest=20)
    assert env.result is None
    assert set(rewards.values()) == {0.0}


def test_an_environment_of_a_wrong_game_or_option_is_refused() -> None:
    for wrong in ({"game": "chess"}, {"game": "dodeka", "seats": 9}, {"game": "dodeka", "target": "high"}):
        with pytest.raises(Refused):
            pettingzoo().env(**wrong)
