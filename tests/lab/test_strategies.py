"""Strategies: the exact ones by a second method, searches that see no hidden card, and strategies that fail."""

from __future__ import annotations

import json
import math
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from itertools import combinations, product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from umpi.cli import main
from umpi.games.dodeka.odds import best
from umpi.games.dodeka.strategy import BestTurn
from umpi.games.dodekka.strategy import CardCounter
from umpi.games.dudab_buba.scoring import score
from umpi.kernel import Strategy, replace
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out, sample
from umpi.kernel.registry import find, games
from umpi.lab import patience as lab_patience
from umpi.lab import strategies as lab_strategies
from umpi.lab.games import Experiment, Failed, Played, measured, play_game
from umpi.lab.search import Judge
from umpi.lab.strategies import Choice
from umpi.lab.versus import comparison
from umpi.lab.world import Outlook, World, decision

ROOT = Path(__file__).parents[2]


def points(faces: tuple[int, ...]) -> int:
    """Return the points of three faces, by the rule sheet."""
    total, kinds = sum(faces), sorted(Counter(faces).values())
    if total == 13:
        return 0 if kinds == [1, 2] else 250
    if kinds == [3]:
        return 500
    if sorted(faces) == list(range(min(faces), min(faces) + 3)):
        return 100
    return 40 if kinds == [1, 2] else min(30, total // 10 * 10)


@cache
def worth(faces: tuple[int, ...], throws: int) -> Fraction:
    """Return the average points of a turn under the best play, forwards, with every throw in its own order."""
    most = Fraction(points(faces))
    if throws:
        for keep in {keep for size in range(3) for keep in combinations(faces, size)}:
            most = max(most, after(keep, throws))
    return most


@cache
def after(keep: tuple[int, ...], throws: int) -> Fraction:
    rolled = list(product(range(1, 13), repeat=3 - len(keep)))
    return sum((worth(tuple(sorted(keep + faces)), throws - 1) for faces in rolled), Fraction(0)) / len(rolled)


def test_the_best_turn_of_dodeka_agrees_with_a_second_computation() -> None:
    chance = Random(3)
    for _ in range(25):
        faces = tuple(sorted(chance.randint(1, 12) for _ in range(3)))
        match = Match(find("dodeka"), ("P1", "P2"), {})
        for left in (2, 1):
            match.play(Act("throw", {"keep": (), "dice": faces}))
            act = BestTurn(None).act(match, 0, None)
            keep = act.given.get("keep")
            found = Fraction(points(faces)) if act.verb == "stop" else after(keep, left)  # type: ignore[arg-type]
            assert found == worth(faces, left), (faces, left)
    assert best("points", (), 3)[1] == after((), 3)


def test_the_best_turn_counts_by_the_scale_of_the_match() -> None:
    """A pair is worth more than any three dice can become here, and 40 points by the sheet."""
    dice = Act("throw", {"keep": (), "dice": (5, 5, 11)})
    stops = []
    for scale in ((500, 250, 100, 600, 30, 20, 10), (500, 250, 100, 40, 30, 20, 10)):
        match = Match(find("dodeka"), ("P1", "P2"), {"scale": scale})
        match.play(dice)
        stops.append(BestTurn(None).act(match, 0, None).verb == "stop")
    assert stops == [True, False]


def test_the_card_counter_flips_a_card_that_cannot_bust_and_takes_where_a_bust_costs() -> None:
    match = Match(find("dodekka"), ("P1", "P2"), {})
    match.play(Act("deal", {"cards": ("fire-1", "fire-2", "air-1")}))
    assert CardCounter(None).act(match, 0, None) == Act("take")  # taking adds a point at once; flipping adds nothing
    match = Match(find("dodekka"), ("P1", "P2"), {})
    match.play(Act("deal", {"cards": ("fire-4", "earth-4", "air-4")}))
    position: Any = match.now
    scores = [position.do_turn(0, card).scores()[0] for card in position.deck]
    act = CardCounter(None).act(match, 0, None)
    assert act is not None
    assert (act.verb == "turn") == (sum(scores) / len(scores) >= position.do_take(0).scores()[0])


def test_the_entry_points_name_strategies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for target in project["entry-points"]["umpi.strategies"].values():
        module, _, name = target.partition(":")
        assert callable(getattr(import_module(module), name)(Random(0).random).act)


class Raises(Strategy):
    def __init__(self, chance: object) -> None:
        pass

    def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
        raise LookupError("no idea")


class Invents(Raises):
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
        return Act("bank", {})


class KeepsTooMany(Raises):
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
        return Act("throw", {"keep": (1, 2, 3), "dice": ()})


class Stalls(Raises):
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
        while True:  # until the laboratory loses its patience
            pass


def endless(position: object, seat: int, **given: object) -> None:
    while True:
        pass


class LooksAhead(Raises):
    """It looks ahead, and the rules never answer."""

    def act(self, match: Match, seat: int, outlook: Outlook) -> None:  # type: ignore[override]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(match.game, "do_throw", endless)
            match.after(Act("throw", {"keep": (), "dice": (1, 2, 3)}))


class Plays(Raises):
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
        act = sample(match.asks, Random(0).random)
        match.play(act)
        return act


@pytest.mark.parametrize(
    ("maker", "why"),
    [
        (Raises, "LookupError: no idea (the strategy's code: "),
        (Stalls, "no answer within 0.01 seconds ("),  # on a busy machine, its code may not have begun by then
        (LooksAhead, "no answer within 0.01 seconds ("),
        (Invents, "not in the offer"),
        (KeepsTooMany, "not in the offer"),
        (Plays, "changed the match"),
    ],
)
def test_a_strategy_that_fails_is_named_with_the_position(
    maker: type[Raises], why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(lab_strategies, "strategies", lambda: {"random": lab_strategies.RandomStrategy, "odd": maker})
    monkeypatch.setattr(lab_patience, "DECISION_S", 0.01)
    failed = play_game(Experiment("dodeka", {}, ("random", "odd"), 0), 0)
    assert isinstance(failed, Failed)
    assert "strategy odd, seat 1, after" in failed.why
    assert why in failed.why
    assert len(failed.record.splitlines()) > 1  # the acts until then
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "dodeka", "--games", "2", "--strategy", "1=odd", "--workers", "1", "--json"]) == 1
    assert "strategy odd" in json.loads(capsys.readouterr().out)["error"]
    assert len(list(tmp_path.iterdir())) == 1
    assert "Traceback" in caplog.text
    assert maker not in (Raises, Stalls) or "in act\n" in caplog.text  # the strategy's own line


class Clever(Raises):
    """It would always guess right, always land, and always know the answer."""

    seen: ClassVar[set[tuple[str, str]]] = set()

    def act(self, match: Match, seat: int, outlook: Outlook) -> Act | None:  # type: ignore[override]
        self.seen.add((match.game.id, match.now.phase))
        return None


@pytest.mark.parametrize("game", ["battledodes", "dohdles"])
def test_nobody_decides_what_happened_at_the_table(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_strategies, "strategies", lambda: {"random": lab_strategies.RandomStrategy, "odd": Clever})
    seats = find(game).seats[0]
    assert isinstance(play_game(Experiment(game, {}, ("odd",) * seats, 0), 0), Played)
    phases = {phase for each, phase in Clever.seen if each == game}
    assert phases
    assert not phases & set(find(game).reported)  # type: ignore[attr-defined]


def test_a_search_decides_for_its_own_seat_also_if_anybody_may_act() -> None:
    """In Dohdles! a cube may fall while a player takes a clue."""
    match = Match(find("dohdles"), ("P1", "P2", "P3"), {})
    world = World(match, Random(3).random, None, [frozenset()] * 3)
    outlook = Outlook(world, 0, Random(3).random)
    assert {ask.seat for ask in match.asks} == {0, None}
    act = lab_strategies.strategies()["search"](Random(3).random, 4).act(match, 0, outlook)
    assert act is not None
    assert act.verb == "clue"


def test_a_strategy_is_interrupted_in_another_thread_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of a cluster play in such threads."""
    monkeypatch.setattr(lab_strategies, "strategies", lambda: {"random": lab_strategies.RandomStrategy, "odd": Stalls})
    monkeypatch.setattr(lab_patience, "DECISION_S", 0.01)
    with ThreadPoolExecutor(1) as pool:
        failed = pool.submit(play_game, Experiment("dodeka", {}, ("random", "odd"), 0), 0).result()
    assert isinstance(failed, Failed)
    assert "no answer within 0.01 seconds (" in failed.why


class Superstitious(Raises):
    """It plays at random, and fails if the first throw shows an 11."""

    def act(self, match: Match, seat: int, outlook: Outlook) -> Act | None:  # type: ignore[override]
        if match.acts and 11 in match.acts[0].given.get("dice", ()):  # type: ignore[operator]
            raise LookupError("an eleven")
        return None


class Calm(Superstitious):
    def act(self, match: Match, seat: int, outlook: Outlook) -> None:
        return None


@pytest.mark.slow
def test_a_game_that_fails_costs_itself_only_and_is_played_again_next_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["lab", "dodeka", "--games", "12", "--strategy", "1=odd", "--workers", "1", "--json"]

    def lab(maker: type[Raises], *more: str) -> tuple[int, dict[str, Any], str]:
        known = {"random": lab_strategies.RandomStrategy, "odd": maker}
        monkeypatch.setattr(lab_strategies, "strategies", lambda: known)
        status = main([*command, *more])
        printed = capsys.readouterr()
        return status, json.loads(printed.out), printed.err

    _, whole, _ = lab(Calm)
    status, found, err = lab(Superstitious, "--continue", "games.jsonl")
    named = [line for line in err.splitlines() if line.startswith("game ")]
    failing = len(named)
    assert 0 < failing < 12
    assert status == 1
    assert f"{12 - failing} games of this setting in games.jsonl" in found["error"]
    assert len(Path("games.jsonl").read_text().splitlines()) == 12 - failing
    assert all("an eleven" in line for line in named)
    assert lab(Calm, "--continue", "games.jsonl")[:2] == (0, whole)
    assert len(Path("games.jsonl").read_text().splitlines()) == 12


def test_each_setting_with_a_failed_game_has_its_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    known = {"random": lab_strategies.RandomStrategy, "odd": Raises}
    monkeypatch.setattr(lab_strategies, "strategies", lambda: known)
    words = ["--games", "1", "--strategy", "1=odd", "--workers", "1", "--vary", "target=50,60", "--continue", "games"]
    assert main(["lab", "dodeka", *words]) == 1
    named = [json.loads(line)["error"] for line in capsys.readouterr().out.splitlines()]
    files = list(tmp_path.glob("umpi-lab-*"))
    assert sorted(json.loads(file.read_text().splitlines()[0])["options"]["target"] for file in files) == [50, 60]
    assert [sum(file.name in why for why in named) for file in files] == [1, 1]


def test_an_imagined_table_keeps_the_own_hand_and_agrees_with_what_all_have_seen() -> None:
    """And another hand differs: the search does not see it."""
    game, chance = find("dudab-buba"), Random(5).random
    match = Match(game, ("P1", "P2", "P3"), {})
    dealer: Any = game.dealer(chance, match.now)  # type: ignore[attr-defined]
    others = set()
    for _ in range(60):
        match.play(dealer.act(match.now))
        if match.seat is None:
            continue
        table = dealer.redrawn(match.now, match.seat, Random(9).random)
        assert table.audit(match.now) == ""
        assert table._hands[match.seat] == dealer._hands[match.seat]
        others.add(table._hands[match.seat - 1] == dealer._hands[match.seat - 1])
    assert False in others


def test_a_player_avoids_a_barred_word_if_it_can() -> None:
    match = Match(find("dodekka"), ("P1", "P2"), {})
    match.play(Act("deal", {"cards": ("fire-1", "fire-2", "air-1")}))
    world = World(match, Random(0).random, None, [frozenset({"take"}), frozenset()])
    assert {world.draw().verb for _ in range(20)} == {"turn"}


@pytest.mark.parametrize(("name", "verb"), [("dodekka-odds", "take"), ("dodekka-odds", "turn"), ("fixed", "take")])
def test_a_strategy_with_a_barred_word_uses_it_only_where_it_must(
    name: str, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it would decide itself."""

    class Takes(Raises):
        def act(self, match: Match, seat: int, outlook: Outlook) -> Act:
            return Act("take") if any(ask.verb == "take" for ask in match.asks) else Act("turn")

    known = {"random": lab_strategies.RandomStrategy, "dodekka-odds": CardCounter, "fixed": Takes}
    monkeypatch.setattr(lab_strategies, "strategies", lambda: known)
    over = list[Match]()

    def keep(match: Match) -> Played:
        over.append(match)
        return measured(match)

    monkeypatch.setattr("umpi.lab.games.measured", keep)
    for barred in ("", f"~{verb}"):
        assert isinstance(play_game(Experiment("dodekka", {}, (f"{name}{barred}", "random"), 1), 0), Played)
    free, forced = (
        sum(
            act.verb == verb and match.asked(index).seat == 0 and len(match.offered(index)) > 1
            for index, act in enumerate(match.acts)
        )
        for match in over
    )
    assert free > forced == 0


def test_a_barred_word_that_nobody_says_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "dodekka", "--games", "1", "--workers", "1", "--json"]
    assert main([*words, "--strategy", "0=random~tkae~turn"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("umpi: ~tkae avoids nothing: no move or value of Dodekka ")
    assert line.endswith("Did you mean take?")
    assert main([*words, "--match", "random~take", "random~turn"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_word_that_nobody_says_changes_no_game(game: type[Game]) -> None:
    """If nothing is barred, no act is compared with anything; the chance is the same."""
    played = []
    for barred in (frozenset[str](), frozenset({"no such word"})):
        match, chance = Match(game, ("P1", "P2")), Random(5).random
        world = World(match, chance, game.dealer(chance, match.now) if game.dealer else None, [barred] * 2)
        world.play_out()
        played.append(match.acts)
    assert played[0] == played[1] != []


def test_the_order_of_kept_dice_is_no_other_decision() -> None:
    match = Match(find("dodeka"), ("P1", "P2"), {})
    match.play(Act("throw", {"keep": (), "dice": (1, 4, 9)}))
    one, other = Act("throw", {"keep": (9, 1), "dice": (3,)}), Act("throw", {"keep": (1, 9), "dice": (4,)})
    assert decision(match, one) == decision(match, other)


def test_a_choice_has_a_name_a_budget_and_words() -> None:
    assert Choice.read("mcts:40~fire-2~take") == Choice("mcts", 40, frozenset({"fire-2", "take"}))
    for wrong in ("", ":4", "mcts:0", "mcts:x", "mcts~"):
        with pytest.raises(ValueError, match="is not NAME"):
            Choice.read(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["greedy:40", "mcts:20", "search:12"])
def test_a_strategy_that_looks_ahead_beats_random_play(name: str) -> None:
    experiment = Experiment("dodekka", {}, (name, "random"), 1)
    played = [each for number in range(10) if isinstance(each := play_game(experiment, number), Played)]
    assert sum(each.places[0] == 1 for each in played) >= 7
    assert play_game(experiment, 0) == played[0]


def piled(*piles: tuple[str, ...]) -> Any:
    """A first round of Dudab Buba in which the seats have taken these cards."""
    return replace(find("dudab-buba").setup(len(piles)), piles=piles)


def test_a_search_sees_in_the_middle_of_a_round_who_is_ahead() -> None:
    """The lowest points win, so a seat that takes cards falls behind, and the other seat gains as much."""
    judge = Judge(piled((), ()), 0)
    assert not judge.sees_a_change(piled((), ()))
    one, two = piled(("red-club-3",), ()), piled(("red-club-3", "blue-hide-2"), ())
    assert judge.sees_a_change(one)
    first = judge.worth(one)
    worse = judge.worth(two)
    assert first == pytest.approx([0.5 - math.tanh(1) / 2, 0.5 + math.tanh(1) / 2])  # as usual so far
    assert worse[0] < first[0]
    assert worse == pytest.approx([0.5 - math.tanh(5 / (17**0.5)) / 2, 0.5 + math.tanh(5 / (17**0.5)) / 2])


def test_at_the_end_of_a_game_the_places_count_and_not_the_points() -> None:
    match = play_out(find("dohdles"), ("P1", "P2", "P3"), {}, 4)
    result = match.now.result()
    assert result is not None
    worth = Judge(match.position(0), 0).worth(match.now)
    better = [sum(own < other for other in result.places) for own in result.places]
    equal = [result.places.count(own) - 1 for own in result.places]
    assert worth == [(wins + ties / 2) / 2 for wins, ties in zip(better, equal, strict=True)]


def test_a_search_sees_no_leader_where_no_score_shows_one() -> None:
    before, after = (SimpleNamespace(wins=None, standing=lambda scores=scores: scores) for scores in ((0, 0), (3, 1)))
    assert not Judge(before, 0).sees_a_change(after)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["dodeka", "dudab-buba"])
def test_the_points_of_the_round_in_play_are_counted_once(game: str) -> None:
    match = play_out(find(game), ("P1", "P2"), {"parts": 2} if game == "dodeka" else {}, 2)
    changed = 0
    for count in range(len(match.acts) + 1):
        position: Any = match.position(count)
        standing, scores = position.standing(), position.scores()
        if game == "dodeka":
            expected = [sum(row[seat] for row in position.grid) for seat in range(2)]
            expected = [own + (not position.over) * position.part.points[seat] for seat, own in enumerate(expected)]
        else:
            expected = [
                own + (position.phase != "over") * score([], position.piles[seat]) for seat, own in enumerate(scores)
            ]
        assert list(standing) == expected
        changed += standing != scores
    assert changed > len(match.acts) / 3
    assert match.now.standing() == match.now.scores()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_match_prints_the_difference_of_elo(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["lab", "dodekka", "--games", "12", "--match", "greedy:10", "random", "--workers", "1"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["match"] == ["greedy:10", "random"]
    assert found["low"] < found["share"] < found["high"]
    assert found["elo_low"] < found["elo"] < found["elo_high"]
    assert found["share"] > 0.6
    assert main(["lab", "dodekka", "--games", "4", "--match", "random", "nobody"]) == 2


def test_an_even_match_has_no_difference_and_an_interval_around_it() -> None:
    found = comparison([1.0, 0.0] * 50)
    assert found["elo"] == 0
    assert found["elo_low"] == pytest.approx(-found["elo_high"])
    assert comparison([1.0] * 5)["elo"] is None


def test_a_strategy_that_does_not_load_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = EntryPoint("gone", "no_such_module:Gone", lab_strategies.GROUP)
    monkeypatch.setattr(lab_strategies, "entry_points", lambda group: [gone])
    lab_strategies._looked_for.cache_clear()
    try:
        assert set(lab_strategies.strategies()) == set(lab_strategies.BUILT_IN)
        why = Choice.read("gone").refuse(find("dodeka"))
        assert why.startswith("the strategy gone cannot be loaded: ModuleNotFoundError")
        assert Choice.read("greedy").refuse(find("dodeka")) == ""
    finally:
        lab_strategies._looked_for.cache_clear()


class Undecided(Strategy):
    """Has forgotten to decide."""

    def __init__(self, chance: Any) -> None: ...


def test_a_strategy_that_leaves_out_a_method_is_refused_before_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lab_strategies.BUILT_IN, "undecided", Undecided)
    lab_strategies._looked_for.cache_clear()
    try:
        assert Choice.read("undecided").refuse(find("dodeka")) == f"Undecided in {__name__} has no `act`"
    finally:
        lab_strategies._looked_for.cache_clear()
