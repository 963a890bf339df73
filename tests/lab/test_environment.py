"""A game as a PettingZoo environment: PettingZoo's own tests, and what an agent sees and gets."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from tests.kit.seen import check_part, check_seen
from umpi.kernel import Refused
from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, Value
from umpi.kernel.registry import find, games

GAMES = [game.id for game in games()]
HERE, REPO = Path(__file__).parent, Path(__file__).parents[2]
SEEN = HERE / "environment.txt"
PLAYED = (
    *(game for game in GAMES if game not in ("dodeka", "dudab-buba")), "dodeka parts=1 target=50", "dodeka longest=20",
    "quiz seats=3 points=2", "dudab-buba", "dudab-buba seats=4 longest=6", "battledodes longest=9",
    "blind-market", "bold-bids rounds=1", "quiet-high", "quiet-high together=true seats=3",
)  # fmt: skip
FIRST = 5  # choices of a game that are shown


def is_last(value: object) -> bool:
    return value == "x"


LETTERS = ("A", "M", "Z")  # of 26
PARTS: tuple[Field, ...] = (Pick("kind", (1, 2)), Number("size", 0, 1))
FIELDS: tuple[tuple[Field, Sequence[Value]], ...] = (  # a field, and values among which are all that it accepts
    (Pick("it", ("a", "b", 2)), ["a", "b", 2, 3]), (Pick("it", ()), [1]), (Number("it", -3, 4), [*range(-9, 9)]),
    *((Number("it", low, high, null), [None, *range(-1500, 1500)]) for low, high, null in (
        (0, 3, True), (-120, 70, False), (5, 1234, True), (-99, -35, False), (1, 64, False), (0, 64, False),
        (-64, 0, True),
    )),
    *((field, [each for most in range(5) for each in product((1, 2, 3, "x"), repeat=most)]) for field in (
        Some("it", (1, 2, 2, 3), 0, 2), Some("it", (1, 2, 2), 2, 3), Some("it", (1, 2), 1, 3, again=True),
        Some("it", (1, 2, "x"), 1, 3, until=is_last), Some("it", (1, 2, 3, "x"), 0, 2, until=is_last),
    )),
    *((Text("it", least, most), ["", *("".join(text) for most in (1, 2, 3) for text in product(LETTERS, repeat=most))])
      for least, most in ((0, 1), (1, 2), (2, 2))),
    (Each("it", PARTS), [*product((0, 1, 2, 3), repeat=2)]),
    *((Forms("it", PARTS, least, most), [
        each for number in range(4)
        for each in product([{"kind": kind, "size": size} for kind in (1, 2) for size in (0, 1)], repeat=number)
    ]) for least, most in ((0, 2), (1, 1), (0, 1), (2, 2))),
    (Profile("it", str), [None, 1]),
)  # fmt: skip


def pettingzoo() -> Any:
    """The module, which brings NumPy, imported by the first test that needs it."""
    return pytest.importorskip("umpi.lab.pettingzoo", reason="no PettingZoo here: pip install umpi[pettingzoo]")


def played(game: str, seed: int) -> list[str]:
    """Play a game at random, and return the texts of all actions."""
    env = pettingzoo().env(game, longest=20)
    env.reset(seed=seed)
    env.action_space(env.agents[0]).seed(seed)
    texts = []
    for agent in env.agent_iter(max_iter=20_000):
        seen, _, over, cut, _ = env.last()
        action = None if over or cut else env.action_space(agent).sample(seen["action_mask"])
        if action is not None:
            texts.append(env.meanings()[int(action)])
        env.step(action)
    return texts


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


def choices(field: Field) -> Iterator[tuple[list[list[str]], list[str], Value]]:
    """Choose the values of a field in each way; yield what was offered, what was chosen, and the value."""
    module, ways = pettingzoo(), [list[tuple[str, Value]]()]
    while ways:
        way, offered = ways.pop(), list[list[str]]()
        choosing, value = module._value(field, field.name), None
        try:
            for value in [None, *(value for _, value in way)]:
                options = choosing.send(value)
                assert options
                if isinstance(field, Text):
                    options = [(text, letter) for text, letter in options if letter in ("", *LETTERS)]
                offered.append([text for text, _ in options])
            ways += [[*way, each] for each in reversed(options)]
        except StopIteration as end:
            yield offered, [text for text, _ in way], end.value
        except module._NoAnswer:
            pass


def test_the_words_of_the_choices_are_those_that_somebody_has_read() -> None:
    """How values are chosen, step by step."""
    lines = []
    for number, (field, _) in enumerate(FIELDS):
        ways = [f"  {' | '.join(texts)} = {value!r}" for _, texts, value in choices(field)]
        lines += [f"{number}, {type(field).__name__}: {len(ways)} values", *(ways if len(ways) < 9 else ways[::8])][:40]
    check_seen(HERE / "choices.txt", lines)


@pytest.mark.parametrize(("field", "values"), FIELDS, ids=[str(number) for number in range(len(FIELDS))])
def test_each_value_that_a_field_accepts_is_chosen_in_one_way(field: Field, values: Sequence[Value]) -> None:
    """And no other. Within a step, each option has another text, which makes the number of its action."""
    ways = [*choices(field)]
    found, accepted = [value for *_, value in ways], [value for value in values if not field.refuse(value)]
    assert sorted(map(repr, found)) == sorted(map(repr, accepted))
    assert all(len({*texts}) == len(texts) for offered, *_ in ways for texts in offered)
    wide = isinstance(field, Number) and field.high - field.low >= 64
    assert all(text.startswith("it") for offered, *_ in ways for texts in offered for text in texts)
    assert max((len(texts) for offered, *_ in ways for texts in offered), default=0) <= (10 if wide else 65)


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environments know the games of strangers in tests/foreign, too."""
    packages = ("blind_market", "bold_bids", "quiet_high")
    for name in packages:
        monkeypatch.syspath_prepend(REPO / "tests" / "foreign" / name)
    known = {each.id: each for name in packages for each in vars(import_module(name)).values() if hasattr(each, "id")}
    monkeypatch.setattr(pettingzoo(), "find", lambda name: known[name] if "-" in name and name in known else find(name))


def told(words: str) -> Iterator[str]:
    """Play a game at random; yield the first choices with what the seats see, then a checksum of all, and the end."""
    game, *chosen = words.split()
    env = pettingzoo().env(
        game, **{key: json.loads(value) for key, _, value in (each.partition("=") for each in chosen)}
    )
    env.reset(seed=5)
    chance, whole, steps, ends = Random(5), 0, 0, list[str]()
    for agent in env.agent_iter():
        _, reward, over, cut, _ = env.last()
        if over or cut:
            ends.append(f"{agent} {reward:.2f}{' cut' if cut else ''}{' over' if over else ''}")
            env.step(None)
            continue
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in env.agents)
        numbers = {agent: env.observe(agent)["observation"] for agent in env.possible_agents}
        seen = ", ".join(f"{(each != 0).sum()} of {sum(each.tolist()):.2f}" for each in numbers.values())
        meanings = env.meanings()
        action = chance.choice(sorted(meanings))
        offered = ", ".join(f"{meaning} {number}" for number, meaning in sorted(meanings.items()))
        lines = [f"{env.render()}; seen: {seen}", f"  {env.agent_selection} of {offered}: {meanings[action]}"]
        if (steps := steps + 1) <= FIRST:
            yield from lines
        whole = crc32(repr((lines, [each.tolist() for each in numbers.values()])).encode(), whole)
        env.step(action)
    yield f"after {steps} choices, checksum {whole:08x}: {env.render()}"
    yield f"  {', '.join(ends)}, places {env.result and env.result.places}, left {env.agents}"


@pytest.mark.parametrize(
    "words", [pytest.param(each, marks=pytest.mark.slow) if each == "dudab-buba" else each for each in PLAYED]
)
@pytest.mark.usefixtures("strangers")
def test_what_seats_see_and_choose_is_what_somebody_has_read(words: str) -> None:
    """The numbers of actions and observations are those for which agents have been trained.

    After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed.
    """
    check_part(SEEN, words, "\n".join(told(words)), PLAYED, mark="$ ")


def test_an_option_has_the_number_of_its_text_or_the_next_that_is_free() -> None:
    env, texts = pettingzoo().env("dodeka"), [f"option {number}" for number in range(400)]
    env.reset(seed=1)
    env._deciding = (each for each in [(1, [(text, text) for text in texts])])
    env._advance(None)
    numbers = {text: number for number, text in env.meanings().items()}
    taken = set[int]()
    for text in texts:
        own = crc32(text.encode())
        assert {(own + more) % 512 for more in range((numbers[text] - own) % 512)} <= taken
        taken.add(numbers[text])


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    one, same, other = (played("dodeka", seed) for seed in (1, 1, 2))
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


def test_an_environment_of_a_wrong_game_or_option_is_refused() -> None:
    for wrong in ({"game": "chess"}, {"game": "dodeka", "seats": 9}, {"game": "dodeka", "target": "high"}):
        with pytest.raises(Refused):
            pettingzoo().env(**wrong)
