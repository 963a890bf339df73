"""Dohdles!: whole games against a referee written a second time from the page, act by act, the refused ones too."""

from __future__ import annotations

from collections import Counter

import pytest
from dohdles_refereed import BOARD, CLUES, KINDS, STEEP, Line, compare
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.legal_acts import act_of
from tests.kit.sampling import examples
from umpi.games.dohdles import Dohdles
from umpi.kernel import Match, Refused
from umpi.kernel.random_games import play_out
from umpi.kernel.record import check_options, check_table


@pytest.mark.parametrize("board", [None, BOARD, STEEP], ids=["asking", "board", "steep"])
@pytest.mark.parametrize("seats", range(3, 7))
def test_every_act_is_allowed_and_done_as_the_page_says(seats: int, board: Line | None) -> None:
    """The whole page."""
    for seed in range(2):
        compare(seats, {"board": board} if board else {}, (seats, seed))


RULINGS = {"first_right": ("cube", "free"), "second_end": ("solved", "gone"), "announcement": ("each", "one")}
WIDE = {name: values[1] for name, values in RULINGS.items()}


@settings(max_examples=examples(24), deadline=None, derandomize=True, database=None)
@given(
    st.integers(3, 6),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in RULINGS.items()}),
    st.none() | st.tuples(st.integers(1, 3), st.integers(1, 2)),
    st.integers(0, 2**32),
)
# A token that was on the rearmost space is entered as on the final one, without a step: it is on the final one only.
@example(5, {"first_right": "cube", "second_end": "gone", "announcement": "one"}, (1, 1), 5985)
def test_every_ruling_is_played_as_the_page_says(
    seats: int, rulings: Line, lone: tuple[int, int] | None, seed: int
) -> None:
    """The options for the sheet, and a player without a partner."""
    options = {**rulings, **({"lone": lone[0], "lone_riddles": lone[1]} if lone else {})}
    compare(seats, options, seed, every=10)


@settings(max_examples=examples(24), deadline=None, derandomize=True, database=None)
@given(st.integers(3, 6), *[st.none() | st.integers(0, 12)] * 3, st.sampled_from([BOARD, STEEP]), st.integers(0, 2**32))
def test_every_number_of_the_board_is_played_as_the_option_says(
    seats: int, back: int | None, forward: int | None, reward: int | None, board: Line, seed: int
) -> None:
    """The experiments: one number in place of the arrows and rewards that the board has."""
    compare(
        seats, {"board": board, "steps_back": back, "steps_forward": forward, "steps_reward": reward}, seed, every=10
    )


def test_numbers_of_the_board_need_a_board() -> None:
    """Without one the players enter the arrows, so the box has nothing to replace."""
    for name in ("steps_back", "steps_forward", "steps_reward"):
        with pytest.raises(Refused, match="need a measured board"):
            check_table(Dohdles, 4, {name: 3})
        check_table(Dohdles, 4, {name: 3, "board": BOARD})


@pytest.mark.slow
def test_the_games_compared_hold_what_is_rare() -> None:
    """A comparison proves only what it has come by."""
    seen: Counter[str] = Counter()
    for seed in range(27):
        board = (None, BOARD, STEEP)[seed % 3]
        options = {"board": board, "riddles": 2 if seed % 2 else None, **WIDE}
        seen += compare(3 + seed % 4, options, seed, every=10_000).seen
    wanted = (
        "take True", "take False", "taken with a cube in the queue", "first anyway", "home in cubes", "home in guess",
        "a creator's cube went home", "last call answered", "expire", "picks another", "the turn passes",
        "a solver won", "a creator won", "no riddle open",
    )  # fmt: skip
    assert {name: seen[name] for name in wanted if seen[name] < 2} == {}
    for seed in range(24):
        seen += compare(3 + seed % 4, {"riddles": 1 + seed % 2}, seed, every=10_000).seen
    wanted = ("another riddle named", "no cube, no first right", "a turn without a riddle passes")
    assert {name: seen[name] for name in wanted if seen[name] < 2} == {}


profiles = st.fixed_dictionaries(
    {
        "clues": st.tuples(*[st.sampled_from(KINDS)] * 7),
        "rewards": st.tuples(*[st.integers(0, 3)] * 8),
        "track": st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25).map(tuple),
        "start": st.integers(0, 23),
    }
).map(lambda profile: {**profile, "start": min(profile["start"], len(profile["track"]) - 2)})


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None, derandomize=True, database=None)
@given(st.integers(3, 6), st.integers(1, 2), profiles, st.integers(0, 2**32))
def test_any_board_is_played_as_the_page_says(seats: int, riddles: int, board: Line, seed: int) -> None:
    """The board: a profile may be any that its rules allow."""
    assert check_options({"board": board}, Dohdles)
    compare(seats, {"board": board, "riddles": riddles}, seed, every=20)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("clues", CLUES[:6]), ("clues", (*CLUES, "either")), ("clues", (*CLUES[:6], "both")), ("clues", "either"),
        ("clues", (*CLUES[:6], None)), ("clues", None),
        ("rewards", (0,) * 7), ("rewards", (0,) * 9), ("rewards", (0, 4, 0, 0, 0, 0, 0, 0)),
        ("rewards", (0, -1, 0, 0, 0, 0, 0, 0)), ("rewards", (0, True, 0, 0, 0, 0, 0, 0)), ("rewards", 3),
        ("track", ()), ("track", ((0, 1),)), ("track", ((0, 1), (1,))), ("track", ((0, 1), (1, 2, 3))),
        ("track", ((0, 1), (-1, 2))), ("track", ((0, 1), (False, 2))), ("track", ((0, 1), 2)), ("track", None),
        ("start", 11), ("start", 12), ("start", -1), ("start", None), ("start", True), ("start", "3"),
        ("name", "home"), ("board", None),
    ],
    ids=str,
)  # fmt: skip
def test_a_profile_with_a_flaw_is_refused_by_name(part: str, value: object) -> None:
    """The board: exactly these keys, at least two spaces, whole numbers from 0, `start` is not the last index."""
    with pytest.raises(Refused, match=f'Option board: .*"{part}"'):
        check_options({"board": {**BOARD, part: value}}, Dohdles)


@pytest.mark.parametrize("part", BOARD)
def test_a_profile_that_lacks_a_part_is_refused(part: str) -> None:
    with pytest.raises(Refused, match=f'lacks "{part}"'):
        check_options({"board": {key: value for key, value in BOARD.items() if key != part}}, Dohdles)


@pytest.mark.parametrize("value", [True, 1, "board.json", (), [1]], ids=str)
def test_a_board_is_an_object_or_null(value: object) -> None:
    with pytest.raises(Refused, match="an object, a code or null"):
        check_options({"board": value}, Dohdles)
    assert check_options({"board": None, "riddles": None}, Dohdles)


def test_a_start_may_be_the_hindmost_space_and_a_track_two_spaces_long() -> None:
    """The board: only the last index is no start."""
    short = {**BOARD, "track": ((0, 1), (0, 0)), "start": 0}
    assert check_options({"board": short}, Dohdles)
    assert Dohdles.setup(3, short).facts()["hindmost"] == (0, 1, 2)


@pytest.mark.parametrize("seats", range(3, 7))
def test_riddles_are_three_or_two_each_and_at_most_twelve(seats: int) -> None:
    """Ruling: option `riddles` null (3 or 2 as above) or 1–4 each, at most twelve in all."""
    assert len(Dohdles.setup(seats).riddles) == seats * (3 if seats == 3 else 2)
    for each in range(1, 5):
        assert len(Dohdles.setup(seats, riddles=each).riddles) == seats * each
        if seats * each <= 12:
            check_table(Dohdles, seats, {"riddles": each})
        else:
            with pytest.raises(Refused, match="at most 12"):
                check_table(Dohdles, seats, {"riddles": each})


def test_a_lone_player_may_sculpt_another_number_of_riddles() -> None:
    """Teams: the player without a partner, counted in the order of play, and how many riddles that player sculpts."""
    names = [riddle.name for riddle in Dohdles.setup(4, lone=4, lone_riddles=1).riddles]
    assert names == ["A1", "A2", "B1", "B2", "C1", "C2", "D1"]
    check_table(Dohdles, 6, {"lone": 6, "lone_riddles": 1})
    for seats, options, why in [
        (4, {"lone": 5}, "no place 5"),
        (6, {"lone": 1, "lone_riddles": 3}, "at most 12"),
    ]:
        with pytest.raises(Refused, match=why):
            check_table(Dohdles, seats, options)


def test_every_position_can_be_shown() -> None:
    """Words, not pixels: a view for each step, and every reason is a sentence."""
    match = play_out(Dohdles, "ABCD", {}, seed=5)
    again = Match(Dohdles, "ABCD")
    for played in match.acts:
        assert again.now.view()
        for ask in again.asks:
            assert ask.text
            assert ask.help
        again.play(played)


def test_the_player_on_the_final_space_is_first_whatever_the_others_have() -> None:
    """End: a token that reaches the final space wins at once; the track index alone need not tell who."""
    match = Match(Dohdles, "ABC")
    for line in (
        {"do": "clue", "riddle": "B1", "kind": "letter"}, {"do": "cube", "seat": 0}, {"do": "hear", "riddle": "B1"},
        {"do": "guess", "right": True, "steps": 4, "reward": 3},
        {"do": "clue", "riddle": "B2", "kind": "letter"}, {"do": "cube", "seat": 2}, {"do": "hear", "riddle": "B2"},
        {"do": "guess", "right": True, "steps": 1, "stands": "final"},
    ):  # fmt: skip
        match.play(act_of(line))
    result = match.now.result()
    assert result
    assert (match.now.scores(), result.places) == ((4, 3, 1), (2, 3, 1))
