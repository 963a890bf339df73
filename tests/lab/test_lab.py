"""The laboratory: known answers, the same numbers on any number of processes, and games that fail."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.coin import Coin
from umpi.cli import lab as cli_lab
from umpi.cli import main
from umpi.cli.lab_text import for_table
from umpi.kernel.random_games import play_out
from umpi.kernel.record import replay
from umpi.kernel.registry import find
from umpi.lab import games as lab_games
from umpi.lab.course import standings
from umpi.lab.games import Experiment, Failed, Played, lead, play_game, seed_of
from umpi.lab.measures import even, percentile, report, wilson
from umpi.lab.search import margin


class Golf(Coin):
    """The lowest score wins."""

    wins: ClassVar = "lowest"


def test_a_seat_is_ahead_by_its_points_or_behind_by_them_if_the_lowest_win() -> None:
    for game, ahead in ((Coin, 1), (Golf, -1)):
        position = game(500, thrown=400)
        assert position.scores() == (1, 0)
        assert [margin(position, seat) for seat in (0, 1)] == [ahead, -ahead]


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_games, "find", lambda name: Coin)


def toss(edge: int, games: int, seed: int = 0) -> dict[str, Any]:
    experiment = Experiment("coin", {"edge": edge}, ("random", "random"), seed)
    played = [play_game(experiment, number) for number in range(games)]
    return report(experiment, games, [each for each in played if isinstance(each, Played)])


@pytest.mark.slow
def test_a_fair_coin_is_not_called_rigged_and_a_rigged_one_is(coin: None) -> None:
    fair, rigged = toss(500, 2000), toss(600, 2000)
    assert fair["even"] > 0.05
    assert fair["seats"][0]["low"] < 0.5 < fair["seats"][0]["high"]
    assert rigged["even"] < 0.001
    assert rigged["seats"][0]["low"] > 0.5
    assert rigged["scores"][0]["mean"] == rigged["seats"][0]["share"]


def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    chance, hits = Random(1), 0
    for _ in range(2000):
        wins = sum(chance.random() < 0.3 for _ in range(80))
        low, high = wilson(wins, 80)
        assert low is not None
        assert high is not None
        hits += low <= 0.3 <= high
    assert 0.93 < hits / 2000 < 0.97


@given(st.lists(st.integers(5, 400), min_size=2, max_size=6))
def test_the_test_of_equal_seats_agrees_with_the_incomplete_gamma_function(wins: list[int]) -> None:
    """Q(k/2, x/2), by the integral of its density in small steps."""
    expected, degrees = sum(wins) / len(wins), len(wins) - 1
    x = sum((won - expected) ** 2 for won in wins) / expected
    p = even([float(won) for won in wins])
    assert p is not None
    if x > 40:
        assert p < 1e-5
        return
    steps, total = 4000, 0.0
    for step in range(steps):  # substituted by the square of t, so that the density is finite at 0
        t = (step + 0.5) / steps * x**0.5
        total += 2 * t ** (degrees - 1) * 2.718281828459045 ** (-t * t / 2)
    scale = {1: 2.5066282746, 2: 2.0, 3: 2.5066282746, 4: 4.0, 5: 7.5198848239}[degrees]
    assert abs(1 - total * x**0.5 / steps / scale - p) < 1e-3


def test_the_measures_of_dodeka_agree_with_a_second_method() -> None:
    experiment = Experiment("dodeka", {"target": 300, "parts": 1, "minutes": None}, ("random",) * 3, 7)
    measures = report(experiment, 20, [play for play in map_games(experiment, 20) if isinstance(play, Played)])
    matches = [
        play_out(find("dodeka"), experiment.players, experiment.options, seed_of(experiment, number))
        for number in range(20)
    ]
    results = [match.now.result() for match in matches]
    assert measures["acts"]["mean"] == fmean(len(match.acts) for match in matches)
    assert [seat["wins"] for seat in measures["seats"]] == pytest.approx(
        [sum(1 / len(each.winners) for each in results if each and seat in each.winners) for seat in range(3)]
    )
    kinds = Counter(call.kind for match in matches for index in range(len(match.acts)) for call in match.calls(index))
    assert measures["calls"] == {kind: number / 20 for kind, number in sorted(kinds.items())}
    assert measures["unfinished"] == 0


def map_games(experiment: Experiment, games: int) -> list[Played | Failed | None]:
    return [play_game(experiment, number) for number in range(games)]


def lead_of(scores: list[tuple[int, ...]], *how: Any) -> tuple[int, float]:
    return lead(standings(scores), len(scores) - 1, *how)


def test_who_leads_alone_is_counted_and_a_tie_changes_nothing() -> None:
    assert lead_of([(0, 0), (1, 0), (1, 1), (1, 2), (1, 1), (3, 2)], frozenset({0}), max) == (2, 1.0)
    assert lead_of([(0, 0), (1, 0), (2, 0)], frozenset({0}), max) == (0, 0.5)
    assert lead_of([(0, 0), (1, 0), (2, 0)], frozenset({1}), min) == (0, 0.5)


def test_who_leads_is_what_the_game_declares_and_not_what_its_ends_seem_to_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Dohdles!, the first player on the final space wins, also with fewer steps than another one."""
    more, fewer = (Played(9, (1, 2), scores, (3, 0.5), (1, 0.25)) for scores in ((5, 3), (3, 5)))
    tied = replace(more, places=(1, 1))
    dohdles = Experiment("dohdles", {}, ("random", "random"), 0)
    assert report(dohdles, 2, [more, fewer])["lead"] == {"changes": 3.0, "decided": 0.5}
    assert report(dohdles, 1, [tied])["lead"] == {"changes": None, "decided": None}, "nobody beat another"
    pad = replace(dohdles, game="scorepad", options={"wins": "lowest"})
    assert report(pad, 1, [fewer])["lead"] == {"changes": 1.0, "decided": 0.25}
    monkeypatch.setattr(lab_games, "find", lambda name: Coin)
    coin = replace(dohdles, game="coin")
    measures = report(coin, 1, [more])
    assert measures["lead"] == {"changes": None, "decided": None}, "this game declares nothing"
    assert "  the scores do not show who is ahead" in for_table(Coin, measures, (), [more])


def test_a_team_leads_as_one() -> None:
    scores = [(0, 0, 0, 0), (5, 0, 5, 0), (5, 9, 5, 9), (9, 9, 9, 9), (12, 9, 12, 9)]
    assert lead_of(scores, frozenset({0, 2}), max, ((0, 2), (1, 3))) == (2, 1.0)
    assert lead_of(scores, frozenset({0, 2}), max) == (0, 1.0), "two seats of no team are tied"


def test_percentiles_lie_between_values() -> None:
    assert [percentile([10, 20, 30, 40, 50], share) for share in (0.0, 0.1, 0.5, 0.9, 1.0)] == [10, 14, 30, 46, 50]


def test_a_game_that_fails_leaves_its_record(coin: None) -> None:
    failed = play_game(Experiment("coin", {"edge": 0}, ("random", "random"), 0), 4)
    assert isinstance(failed, Failed)
    assert "ZeroDivisionError" in failed.why
    assert json.loads(failed.record.splitlines()[0])["game"] == "coin"


def test_a_failed_game_is_named_and_its_record_can_be_read(
    coin: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli_lab, "find", lambda name: Coin)
    arguments = ["lab", "coin", "--games", "3", "--seed", "2", "--option", "edge=0", "--workers", "1", "--json"]
    assert main(arguments) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    (file,) = tmp_path.iterdir()
    seed = seed_of(Experiment("coin", {"edge": 0}, ("random", "random"), 2), 0)
    assert file.name in error
    assert f"game 0, seed {seed}" in error
    assert "ZeroDivisionError" in error
    steps = list(replay(file.read_bytes().splitlines(), lambda name: Coin))
    assert (steps[-1].n, steps[-1].status) == (0, 0)


def test_a_record_that_cannot_be_written_is_reported(
    coin: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli_lab, "find", lambda name: Coin)
    command = ["lab", "coin", "--games", "3", "--option", "edge=0", "--workers", "1"]
    assert main(command) == 1
    (file,) = tmp_path.glob("umpi-lab-coin-0-*.jsonl")
    file.unlink()
    file.mkdir()
    capsys.readouterr()
    assert main(command) == 1
    assert "cannot be written" in json.loads(capsys.readouterr().out)["error"]


def lab(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "umpi", "lab", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.mark.slow
def test_the_numbers_do_not_depend_on_the_number_of_processes() -> None:
    arguments = ("dodekka", "--games", "30", "--seed", "5", "--players", "3", "--json")
    one, three = lab(*arguments, "--workers", "1"), lab(*arguments, "--workers", "3")
    assert one == three
    printed = json.loads(one)
    assert list(printed) == [
        "game", "options", "players", "games", "seed", "seats", "even", "acts", "ties", "scores", "lead", "calls",
        "unfinished",
    ]  # fmt: skip
    assert list(printed["seats"][0]) == ["seat", "strategy", "wins", "share", "low", "high"]


@pytest.mark.slow
def test_a_sweep_prints_a_line_per_setting() -> None:
    lines = lab("dodeka", "--games", "4", "--vary", "parts=1..2", "--vary", "target=100,200", "--json").splitlines()
    chosen = [json.loads(line)["options"] for line in lines]
    assert [(each["parts"], each["target"]) for each in chosen] == [(1, 100), (1, 200), (2, 100), (2, 200)]


@pytest.mark.slow
def test_a_search_beats_random_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "dodeka", "--games", "12", "--option", "parts=1", "--option", "target=100", "--strategy",
                 "1=search", "--json", "--workers", "1"]) == 0  # fmt: skip
    measures = json.loads(capsys.readouterr().out)
    assert measures["seats"][1]["share"] > 0.6
