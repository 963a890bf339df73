"""The further measures: known answers, and an experiment that is resumed."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.coin import Coin
from umpi.cli import main
from umpi.kernel import Ask, Game, Number, Pick
from umpi.kernel.fields import Field
from umpi.kernel.game import Result
from umpi.kernel.options import defaults
from umpi.kernel.redealt import CannotImagine
from umpi.kernel.registry import find
from umpi.lab import games as lab_games
from umpi.lab import run
from umpi.lab.course import Course, course, standings
from umpi.lab.further import first_seat, further
from umpi.lab.games import Experiment, Played, play_game
from umpi.lab.probe import Probe
from umpi.lab.progress import PlayedFile, WrongFile
from umpi.lab.run import play_all
from umpi.lab.strategies import packages_of

ENOUGH = 4906  # games of two seats that find an edge of 0.02 four times in five


def found(share: float, games: int, tries: int) -> float:
    """Return how often an edge of the first seat is found in simulated experiments."""
    chance, hits = Random(4), 0
    for _ in range(tries):
        edge = first_seat(chance.binomialvariate(games, share) if hasattr(chance, "binomialvariate") else
                          sum(chance.random() < share for _ in range(games)), games, 2)  # fmt: skip
        assert edge is not None
        assert edge["p"] is not None
        hits += edge["p"] < 0.05
    return hits / tries


def test_an_edge_is_found_at_the_promised_number_of_games_and_a_smaller_one_rarely() -> None:
    assert 0.7 < found(0.52, ENOUGH, 200) < 0.9
    assert found(0.51, ENOUGH, 200) < 0.45
    assert found(0.52, ENOUGH // 100, 200) < 0.12  # too early
    assert found(0.50, ENOUGH, 200) < 0.12


@pytest.mark.slow
def test_a_rigged_coin_is_found_and_a_fair_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_games, "find", lambda name: Coin)
    edges = []
    for edge in (520, 500):
        experiment = Experiment("coin", {"edge": edge}, ("random", "random"), 1)
        played = play_all(experiment, ENOUGH, 1)
        edges.append(further(played, 2)["first_seat"])
    rigged, fair = edges
    assert rigged["p"] < 0.05
    assert rigged["low"] < 0.02 < rigged["high"]
    assert fair["p"] > 0.05
    assert fair["visible"] == pytest.approx(0.02, abs=1e-4)


@pytest.mark.parametrize(("wins", "games", "seats", "edge", "spread", "p"), [
    (230, 400, 2, 0.075, 0.025, 0.0026998), (18, 36, 3, 1 / 6, 0.0785674, 0.033895),
])  # fmt: skip
def test_the_edge_of_the_first_seat_is_what_a_table_of_the_normal_distribution_says(
    wins: int, games: int, seats: int, edge: float, spread: float, p: float
) -> None:
    """The ends of the interval are the shares from which what was seen is 1.96 standard errors away."""
    found = first_seat(wins, games, seats)
    assert found is not None
    ends = [found.pop(name) for name in ("low", "high")]
    assert found == pytest.approx({"edge": edge, "p": p, "visible": 2.801585 * spread}, abs=5e-6)
    for end, way in zip(ends, (1, -1), strict=True):
        assert end is not None
        share = end + 1 / seats
        assert (wins / games - share) / (share * (1 - share) / games) ** 0.5 == pytest.approx(way * 1.959964)


def test_too_few_games_say_nothing_about_the_first_seat() -> None:
    assert first_seat(9, 9, 2) is None
    assert first_seat(9, 10, 2) is not None
    assert first_seat(9, 10, 1) is None


def course_of(scores: list[tuple[int, ...]], winners: frozenset[int], wins: str) -> Course | None:
    return course(standings(scores), len(scores) - 1, winners, wins)


def test_a_winner_from_behind_is_a_comeback_and_the_lowest_score_may_win() -> None:
    scores = [(0, 0), (4, 0), (4, 1), (4, 9), (4, 9)]
    assert course_of(scores, frozenset({1}), "highest") == Course(
        True, pytest.approx(((4 / 9) ** 0.5 + 3**-0.5) / 2), 0.75
    )
    assert course_of(scores, frozenset({0}), "highest") == Course(False, pytest.approx((5 / 9) ** 0.5), 1.0)
    low = course_of(scores, frozenset({0}), "lowest")
    assert low == Course(True, pytest.approx(((4 / 9) ** 0.5 + 3**-0.5) / 2), 1.0)
    assert course_of(scores, frozenset({0, 1}), "highest") is None
    assert course_of([(0, 0), (0, 0)], frozenset({0}), "highest") is None


@given(
    st.lists(st.tuples(*[st.integers(-3, 9)] * 3), min_size=2, max_size=9), st.sets(st.integers(0, 2)),
    st.sampled_from(("highest", "lowest")),
)  # fmt: skip
def test_the_course_of_a_game_is_what_its_words_say(
    scores: list[tuple[int, ...]], winners: set[int], wins: str
) -> None:
    """Counted once more, act by act, as the description of Course has it."""
    losers = {0, 1, 2} - winners
    every = [own for each in scores for own in each]
    found = course_of(scores, frozenset(winners), wins)
    if not winners or not losers or min(every) == max(every):
        assert found is None
        return
    worst, best = (min(every), max(every)) if wins == "highest" else (max(every), min(every))
    share = [[(own - worst) / (best - worst) for own in each] for each in scores]
    ahead = [max(each[seat] for seat in winners) for each in share]
    other = [max(each[seat] for seat in losers) for each in share]
    roots = [(their - own) ** 0.5 for own, their in zip(ahead, other, strict=True) if own < their]
    clear = [number for number, own in enumerate(ahead) if all(own > their for their in other)]
    half = (len(scores) - 1) // 2
    decisive = (clear or [len(scores) - 1])[0] / (len(scores) - 1)
    assert found == Course(
        ahead[half] < other[half], pytest.approx(sum(roots) / len(roots) if roots else 0), pytest.approx(decisive)
    )


def test_a_probe_counts_the_answers_and_leaves_the_game_as_it_was() -> None:
    for game, most in (("dodekka", 2), ("dodeka", 8), ("dudab-buba", 40)):
        plain = Experiment(game, {"parts": 1} if game == "dodeka" else {}, ("random", "random"), 3)
        probing = Experiment(plain.game, plain.options, plain.strategies, 3, probe=True)
        played, probed = play_game(plain, 0), play_game(probing, 0)
        assert isinstance(played, Played)
        assert isinstance(probed, Played)
        assert probed.probed is not None
        assert 1 <= probed.probed.choices <= most
        assert (played.acts, played.scores, played.calls) == (probed.acts, probed.scores, probed.calls)


@dataclass(frozen=True)
class Fork(Game):
    """Seat 0 chooses one of three ways: two of them win if `matters`, otherwise all."""

    matters: bool
    way: int = 0

    id: ClassVar = "fork"
    title: ClassVar = "Fork"
    seats: ClassVar = range(2, 3)
    options: ClassVar[tuple[Field, ...]] = (Pick("matters", (False, True)),)

    @classmethod
    def setup(cls, seats: int, matters: bool = False) -> Self:
        return cls(matters)

    @property
    def phase(self) -> str:
        return "over" if self.way else "fork"

    def asks(self) -> tuple[Ask, ...]:
        return () if self.way else (Ask("go", "Go", (Number("way", 1, 3),), 0),)

    def do_go(self, seat: int, way: int) -> Self:
        return type(self)(self.matters, way)

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def result(self) -> Result | None:
        return Result((2, 1) if self.matters and self.way == 3 else (1, 2), "the way") if self.way else None

    def facts(self) -> dict[str, Any]:
        return {}


@pytest.mark.slow
def test_answers_that_make_no_difference_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the three pairs of ways, one leads to the same winner, if it matters."""
    monkeypatch.setattr(lab_games, "find", lambda name: Fork)
    shares = []
    for matters in (False, True):
        experiment = Experiment("fork", {"matters": matters}, ("random", "random"), 1, probe=True)
        measures = further(play_all(experiment, 300, 1), 2)
        assert measures["choices"] == 3
        assert measures["decisions"] == 300
        shares.append(measures["no_difference"])
    assert shares[0]["share"] == 1
    assert shares[1]["low"] < 1 / 3 < shares[1]["high"]


def test_a_probe_draws_again_where_nothing_can_be_drawn() -> None:
    """In this game of Battledodes an optional list of dodes has an empty pool at the decision that is examined."""
    options = dict(defaults(find("battledodes")))
    assert isinstance(play_game(Experiment("battledodes", options, ("random", "random"), 0, probe=True), 136), Played)


def test_an_experiment_is_resumed_with_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = Experiment("dodekka", {}, ("random", "random"), 5, probe=True)
    file = tmp_path / "played"
    whole = play_all(experiment, 9, 1)
    play_all(experiment, 4, 1, kept=PlayedFile(file))
    with file.open("ab") as torn:
        torn.write(b'["abc", 5, {"ac')  # the power failed here
    numbers = list[int]()

    def counting(experiment: Experiment, number: int) -> object:
        numbers.append(number)
        return play_game(experiment, number)

    monkeypatch.setattr(run, "play_game", counting)
    assert play_all(experiment, 9, 1, kept=PlayedFile(file)) == whole
    assert numbers == [4, 5, 6, 7, 8]
    assert play_all(experiment, 9, 1, kept=PlayedFile(file)) == whole
    assert numbers == [4, 5, 6, 7, 8]


def test_games_whose_decisions_were_examined_serve_where_none_is_asked_for(tmp_path: Path) -> None:
    examined = Experiment("dodekka", {}, ("random", "random"), 5, probe=True)
    plain = replace(examined, probe=False)
    play_all(plain, 1, 1, kept=PlayedFile(tmp_path / "played"))
    play_all(examined, 3, 1, kept=PlayedFile(tmp_path / "played"))
    kept = PlayedFile(tmp_path / "played").games(plain)
    assert kept == {number: play_game(plain, number) for number in range(3)}
    play_all(plain, 5, 1, kept=PlayedFile(tmp_path / "played"))
    assert sorted(PlayedFile(tmp_path / "played").games(examined)) == [0, 1, 2]


def test_a_file_to_which_nothing_can_be_added_is_named(tmp_path: Path) -> None:
    file = PlayedFile(tmp_path / "played")
    (tmp_path / "played").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"No space left on device: '.*/played'"):
        file.add(Experiment("dodekka", {}, ("random", "random"), 5), {0: None})


def test_games_before_one_that_fails_are_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(experiment: Experiment, number: int) -> lab_games.Played | lab_games.Failed | None:
        return play_game(experiment, number) if number < 3 else lab_games.Failed(number, 0, "broken", "", "")

    monkeypatch.setattr(run, "play_game", fails)
    monkeypatch.setattr(run, "CHUNK", 2)
    experiment = Experiment("dodekka", {}, ("random", "random"), 5)
    with pytest.raises(run.GameFailed, match=r"^broken$") as failed:
        play_all(experiment, 8, 1, kept=PlayedFile(tmp_path / "played"))
    assert (failed.value.failed.number, failed.value.kept) == (3, 3)
    assert sorted(PlayedFile(tmp_path / "played").games(experiment)) == [0, 1, 2]


@pytest.mark.parametrize("text", ["a letter to Ann", "a letter\nto Ann\n", '["abc", 1, {"acts": 4}]\n'])
def test_another_file_is_refused_and_not_changed(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter"
    file.write_text(text)
    with pytest.raises(WrongFile):
        PlayedFile(file)
    assert main(["lab", "dodekka", "--games", "2", "--continue", str(file)]) == 2
    assert "line 1 is not a game" in capsys.readouterr().err
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("old", "new"), [('"acts": ', '"acts": 1'), ('"places": [', '"places": ["x", '), (", 0, {", ", 7, {")]
)
def test_a_changed_game_is_refused(old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lab", "dodekka", "--games", "2", "--workers", "1", "--json", "--continue", str(tmp_path / "games")]
    assert main(command) == 0
    whole = (tmp_path / "games").read_text()
    assert old in whole
    (tmp_path / "games").write_text(whole.replace(old, new, 1))
    assert main(command) == 2
    assert "line 1 is not a game of umpi lab, or it was changed" in capsys.readouterr().err


@pytest.mark.parametrize("changed", ["Umpi", "rules", "package of the game", "package of a strategy"])
def test_games_of_another_version_are_played_again(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment("dodekka", {}, ("random", "random"), 5)
    play_all(experiment, 2, 1, kept=PlayedFile(tmp_path / "games"))
    assert len(PlayedFile(tmp_path / "games").games(experiment)) == 2
    match changed:
        case "Umpi":
            monkeypatch.setattr("umpi.lab.progress.__version__", "0.0")
        case "rules":
            monkeypatch.setattr(find("dodekka"), "revision", find("dodekka").revision + 1)
        case "package of the game":
            monkeypatch.setattr("umpi.lab.progress.origin", lambda game: {"package": game, "version": "2"})
        case _:
            monkeypatch.setattr("umpi.lab.progress.packages_of", lambda names: [f"{name} 2" for name in names])
    assert PlayedFile(tmp_path / "games").games(experiment) == {}


def test_the_packages_of_strategies_have_their_versions() -> None:
    assert packages_of(["random", "dodekka-odds", "dodeka-turn"]) == [f"umpi {version('umpi')}"]
    assert packages_of(["random", "mcts"]) == []


@pytest.mark.slow
def test_the_report_for_people_says_when_the_data_do_not_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "dodekka", "--games", "20", "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "The data do not show an edge of the first seat" in shown
    assert "answers per decision (counted in 40 random answers to one decision of 20 games)" in shown
    assert main(["lab", "dodekka", "--games", "20", "--workers", "1", "--json"]) == 0
    assert "first_seat" not in json.loads(capsys.readouterr().out)


# The probe into one decision of a game.


class Hidden:
    """A world that imagines other hands a number of times, and then raises CannotImagine."""

    def __init__(self, times: int) -> None:
        self.times = times

    def imagined(self, seat: int, chance: Any) -> Hidden:
        if not self.times:
            raise CannotImagine("no other hands agree")
        self.times -= 1
        return self


@pytest.mark.parametrize("times", [0, 1])
def test_a_decision_whose_hands_cannot_be_imagined_is_left_out_and_the_game_goes_on(times: int) -> None:
    probe = Probe(1)
    world: Any = Hidden(times)
    probe.see(world, 0)
    assert probe.examine() is None
    assert not world.times
