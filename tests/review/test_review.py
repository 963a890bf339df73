"""Reviews: known answers of the exact one, a game whose truth is known for the sampled one, and what has no split."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, ClassVar, Self

import pytest

from scripts.luck.__main__ import points_of_turns
from tests.foreign.quiet_high.quiet_high import QuietHigh
from tests.kit.sampling import fewer
from umpi.cli import main
from umpi.games.dodeka import Dodeka
from umpi.games.dodeka.strategy import BestTurn
from umpi.games.dodeka.worths import TurnPoints
from umpi.kernel import Ask, Dice, Game, Pick
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, Result
from umpi.kernel.match import Broken, Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump, record_lines
from umpi.kernel.registry import find
from umpi.lab.world import World
from umpi.review.document import document, loss_text
from umpi.review.match_review import review
from umpi.review.sampled import Judged, Played, judge_act, judge_chunk, sampled
from umpi.review.split import About, Mistake, Presses, Review, Share, Words

MATCHES = fewer(10_000, 20)
# The first player of seed 7, computed once by another program from the odds alone
KNOWN = {
    "seat": 0, "name": "P1", "points": 1340, "expected": "4889.2", "luck": "-11.3", "given_away": "3537.9",
    "decisions": 86,
}  # fmt: skip
DEAREST = {"line": 69, "chosen": "throw all three", "best": "stop", "loss": "466.7", "sure": True}


def reviewed(match: Match) -> Review:
    return review(match, range(2, len(match.acts) + 2))


def shares(found: Review) -> list[Share]:
    return [each for each in found.players if isinstance(each, Share)]


def record_of(match: Match, path: Path, *lines: dict[str, Value]) -> Path:
    header = Header(match.game, match.players, match.options).line()
    path.write_text("".join(f"{dump(line)}\n" for line in (header, *lines)), encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["review", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_the_known_match_is_split_as_the_contract_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = play_out(find("dodeka"), ("P1", "P2"), seed=7)
    file = record_of(match, tmp_path / "game.jsonl", *(act.line() for act in match.acts))
    found = printed(capsys, str(file))
    assert {key: found[key] for key in ("umpi_review", "game", "method", "measure")} == {
        "umpi_review": 1, "game": "dodeka", "method": "exact", "measure": "turn points",
    }  # fmt: skip
    first = found["players"][0]
    assert {key: first[key] for key in KNOWN} == KNOWN
    assert first["worst"][0] == DEAREST


@pytest.mark.slow
def test_the_course_of_an_exact_review_adds_up_at_the_end_of_each_turn_and_ends_with_its_sums() -> None:
    match = play_out(find("dodeka"), ("P1", "P2"), seed=7)
    for share in shares(reviewed(match)):
        *_, last = share.course
        assert (last.expected, last.luck, last.given_away) == (
            share.expected.value, share.luck.value, share.given_away.value,
        )  # fmt: skip
        assert [step.move for step in share.course] == sorted({step.move for step in share.course})
        assert {each.move for each in share.mistakes} <= {step.move for step in share.course}
        points, turns = [], [each for each in share.course if each.move not in {one.move - 1 for one in share.course}]
        for step in turns:  # the next act is another player's, so the turn has ended
            assert step.expected is not None
            assert step.luck is not None
            points.append(step.expected + step.luck - step.given_away)
        assert all(Fraction(each).denominator == 1 for each in points)
        assert points[-1] == share.points


@pytest.mark.slow
def test_the_course_of_a_sampled_review_has_only_what_choices_cost() -> None:
    match = play_out(find("battledodes"), ["Ann", "Ben"], {}, 3)
    for share in shares(sampled(match, range(2, len(match.acts) + 2), 2)):
        assert {(step.expected, step.luck) for step in share.course} == {(None, None)}
        assert share.course[-1].given_away == pytest.approx(float(share.given_away.value))
        assert len(share.course) == share.decisions


@pytest.mark.slow
def test_the_parts_of_many_random_matches_add_up_as_fractions_and_luck_has_no_side() -> None:
    luck = []
    for seed in range(MATCHES):
        options: dict[str, Value] = {"parts": 1 + seed % 3, "target": (200, 700)[seed % 2]}
        if seed % 5 == 0:
            options["scale"] = (300, 200, 120, 60, 40, 25, 5)
        match = play_out(find("dodeka"), tuple("ABCDEF"[: 2 + seed % 5]), options, seed)
        turns = points_of_turns(match)
        for each in shares(reviewed(match)):
            assert isinstance(each.luck.value, Fraction)
            assert each.points == each.expected.value + each.luck.value - each.given_away.value
            assert each.points == turns[each.seat]
            assert each.given_away.value >= 0
            luck.append(float(each.luck.value))
    assert abs(fmean(luck)) < 4 * stdev(luck) / len(luck) ** 0.5


def test_a_player_of_the_best_turns_gives_nothing_away_and_a_random_one_much() -> None:
    best, match, chance = BestTurn(None), Match(find("dodeka"), ("Best", "Random")), Random(4).random
    world = World(match, chance, None, [frozenset()] * 2)
    while match.asks:
        world.play(world.complete(best.act(match, 0, None)) if match.seat == 0 else world.draw())
    one, other = shares(reviewed(match))
    assert one.given_away.value == 0
    assert not one.worst
    assert other.given_away.value > 100


def test_a_record_that_ends_in_a_turn_counts_the_turns_before_it() -> None:
    match = Match(Dodeka, ("Ann", "Ben"))
    for act in (
        Act("throw", {"keep": (), "dice": (5, 5, 5)}), Act("stop"),
        Act("throw", {"keep": (), "dice": (1, 2, 4)}), Act("throw", {"keep": (), "dice": (9, 9, 9)}),
    ):  # fmt: skip
        match.play(act)
    found = reviewed(match)
    ann, ben = shares(found)
    assert (ann.points, ben.points, ben.decisions) == (500, 0, 0)
    assert found.why == "The match is not over. The turn in play is not counted."


def test_a_mistake_is_named_by_its_line_though_others_were_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(Dodeka, ("Ann", "Ben"))
    throw = Act("throw", {"keep": (), "dice": (5, 5, 5)}).line()
    foolish = Act("throw", {"keep": (), "dice": (1, 1, 2)}).line()
    lines = [throw, {"note": "look"}, foolish, {"undo": 1}, {"refuse": {"do": "bank"}}, foolish, {"do": "stop"}]
    found = printed(capsys, str(record_of(match, tmp_path / "game.jsonl", *lines)))
    assert [each["line"] for each in found["players"][0]["worst"]] == [7, 8]


@dataclass(frozen=True)
class Chest(Game):
    """Choose a chest: the gold one wins by 9 of 12 faces, the lead one by 1."""

    id: ClassVar = "chest"
    title: ClassVar = "Chest"
    seats: ClassVar = range(2, 3)
    face: int = 0
    gold: bool = False

    @classmethod
    def setup(cls, seats: int) -> Self:
        return cls()

    @property
    def phase(self) -> str:
        return "over" if self.face else "open"

    def asks(self) -> tuple[Ask, ...]:
        fields = (Pick("chest", ("gold", "lead")), Dice("dice", 1, 12))
        return () if self.face else (Ask("open", "Open", fields, 1),)

    def do_open(self, seat: int, chest: str, dice: tuple[int, ...]) -> Self:
        return type(self)(dice[0], chest == "gold")

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def result(self) -> Result | None:
        won = self.face <= (9 if self.gold else 1)
        return Result((2, 1) if won else (1, 2), "the chest") if self.face else None

    def facts(self) -> dict[str, Any]:
        return {}


def test_a_sampled_loss_is_near_its_known_truth() -> None:
    judged = judge_act(Match(Chest, ("Ann", "Ben")), Act("open", {"chest": "lead", "dice": (1,)}), 0, 2000)
    assert judged
    assert judged.seat == 1
    assert (judged.chosen.reported(), judged.best.reported()) == ("open: chest lead", "open: chest gold")
    truth = 100 * (9 - 1) / 12  # percent
    assert abs(judged.changes[1] + truth) < 4 * judged.errors[1]
    assert judged.changes[0] == pytest.approx(-judged.changes[1])


def test_a_few_worlds_that_end_alike_make_no_choice_a_mistake() -> None:
    match, lead = Match(Chest, ("Ann", "Ben")), Act("open", {"chest": "lead", "dice": (1,)})
    few = [each for index in range(20) if (each := judge_act(match, lead, index, 3))]
    assert any(each.loss == 100 and each.errors == (0, 0) for each in few)
    assert not any(each.sure for each in few)
    many = judge_act(match, lead, 0, 100)
    assert many
    assert many.sure


def test_a_chunk_judges_each_of_its_acts_in_the_position_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Acts that nobody decides are left out, and the last act of a chunk is not played."""
    whole, seen = play_out(find("dodeka"), ("Ann", "Ben"), seed=7), list[tuple[int, int, int]]()
    played = Played("dodeka", whole.players, whole.options, (*whole.acts[:7], Act("fly")))

    def judged(match: Match, act: Act, index: int, worlds: int) -> Judged | None:
        assert act == played.acts[index]
        seen.append((index, len(match.acts), worlds))
        return Judged(index, 0, Words(""), Words("")) if index % 3 else None

    monkeypatch.setattr("umpi.review.sampled.judge_act", judged)
    assert [[each.index for each in judge_chunk(played, 5, range(first, first + 4))] for first in (0, 4)] == [
        [1, 2], [4, 5, 7]
    ]  # fmt: skip
    assert seen == [(index, index, 5) for index in range(8)]


def test_a_choice_as_good_as_any_costs_nothing() -> None:
    judged = judge_act(Match(Chest, ("Ann", "Ben")), Act("open", {"chest": "gold", "dice": (1,)}), 0, 50)
    assert judged
    assert judged.changes == ()


@dataclass(frozen=True)
class Trap(Chest):
    """The gold chest breaks the rules."""

    id: ClassVar = "trap"

    def do_open(self, seat: int, chest: str, dice: tuple[int, ...]) -> Self:
        if chest == "gold":
            raise ZeroDivisionError("a trap")
        return super().do_open(seat, chest, dice)


def test_rules_that_fail_in_a_world_end_the_review() -> None:
    with pytest.raises(Broken, match="a trap"):
        judge_act(Match(Trap, ("Ann", "Ben")), Act("open", {"chest": "lead", "dice": (1,)}), 0, 50)


class NoWorths(TurnPoints):
    """Worths that an author has left unfinished."""

    def situation(self, position: Dodeka) -> str:
        raise LookupError("no idea")


def test_worths_that_fail_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dodeka, "worths", NoWorths)
    with pytest.raises(Broken, match="The worths of Dodéka fail: LookupError: no idea"):
        reviewed(play_out(find("dodeka"), ("Ann", "Ben"), seed=7))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["battledodes", "dodekka"])
def test_a_sampled_review_adds_up_and_is_the_same_on_two_processes(game: str) -> None:
    match = play_out(find(game), ("Ann", "Ben"), seed=3)
    lines = range(2, len(match.acts) + 2)
    found = sampled(match, lines, 30)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert json.dumps(found.jsonable()) == json.dumps(sampled(match, lines, 30, pool.map).jsonable())
    every = shares(found)
    assert sum(each.points for each in every) == 100
    assert sum(each.luck.value for each in every) == pytest.approx(0)
    for each in every:
        assert each.points == pytest.approx(each.expected.value + each.luck.value - each.given_away.value)
        assert all(one.loss.error and one.loss.value > one.loss.error for one in each.mistakes)


@pytest.mark.slow
def test_an_unfinished_sampled_match_counts_the_chances_at_its_end_once_somebody_has_decided() -> None:
    match = play_out(find("battledodes"), ("Ann", "Ben"), seed=3)
    match.undo(len(match.acts) - 10)
    found = sampled(match, range(2, 12), 10)
    assert found.why.startswith("The match is not over")
    assert sum(each.points for each in shares(found)) == pytest.approx(100)
    match.undo(1)
    assert reviewed(match).why.startswith("No player had a choice")


@pytest.mark.parametrize(("points", "written"), [(7, 7), (Fraction(22, 3), 7.3), (-0.25, -0.2)])
def test_points_that_are_no_whole_number_are_written_in_tenths(points: int | Fraction | float, written: float) -> None:
    share = Share(0, "Ann", points, About(0), About(0), About(0), 1)
    assert share.jsonable()["points"] == written


def test_a_sampled_cost_is_said_with_about() -> None:
    words = Words("attack")
    assert loss_text(Mistake(1, 2, words, words, About(15.62, 8.3))) == "about 15.6 ±\N{NO-BREAK SPACE}8.3"
    assert loss_text(Mistake(1, 2, words, words, About(Fraction(7, 2)))) == "3.5"


@pytest.mark.slow
def test_the_panel_says_about_of_a_sampled_review() -> None:
    match = play_out(find("battledodes"), ("Ann", "Ben"), seed=3)
    match.undo(len(match.acts) - 10)
    lines: Any = document([line.encode() for line in record_lines(match)])["lines"]
    assert lines[:2] == ("chance to win in percent, if all play on at random", "about, ± half of a 95 % interval")


def test_the_panel_names_the_choice_that_cost_most_of_the_chance_to_win() -> None:
    match = play_out(find("dodeka"), ("Ann", "Ben"), seed=7)
    lines: Any = document([line.encode() for line in record_lines(match)])["lines"]
    costs = [line for line in lines if "chance to win" in line]
    assert [line.split(":")[0] for line in costs] == ["Move 288", "Move 291"], "move 290 cost Ben less"


def test_a_race_tells_who_pressed_first_and_how_quickly() -> None:
    match = play_out(find("quiz"), ("Ann", "Ben"), seed=2)
    timed = Match(match.game, match.players, match.options)
    for number, act in enumerate(match.acts):
        timed.play(Act(act.verb, act.given, act.by, 1000 * number))
    found = reviewed(timed)
    presses = [each for each in found.players if isinstance(each, Presses)]
    buzzed = [act.given["seat"] for act in match.acts if act.verb == "buzz"]
    assert [each.presses for each in presses] == [buzzed.count(0), buzzed.count(1)]
    assert {each.points for each in presses} == set(match.now.scores())
    assert all(each.reaction_ms and each.reaction_ms >= 1000 for each in presses)
    assert found.method == "none"


def test_secret_bids_by_button_are_no_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat answers with its own button, but nobody waits to be first."""
    monkeypatch.setattr("umpi.review.sampled.find", lambda name: QuietHigh)
    found = reviewed(play_out(QuietHigh, ("Ann", "Ben"), seed=2))
    assert found.method == "sampled"
    assert not any(isinstance(each, Presses) for each in found.players)


def test_a_lead_is_the_time_from_the_first_press_to_the_second() -> None:
    match = Match(find("quiz"), ("Ann", "Ben", "Cleo"))
    for verb, given, at_ms in (
        ("open", {}, 1000), ("buzz", {"seat": 1}, 1400), ("buzz", {"seat": 0}, 1450), ("buzz", {"seat": 2}, 1900),
        ("judge", {"right": True}, 3000), ("open", {}, 5000), ("buzz", {"seat": 0}, 5600),
    ):  # fmt: skip
        match.play(Act(verb, given, None, at_ms))
    presses = [each for each in reviewed(match).players if isinstance(each, Presses)]
    assert [(each.presses, each.first, each.reaction_ms, each.lead_ms) for each in presses] == [
        (2, 1, 525, None), (1, 1, 400, 50), (1, 0, 900, None),
    ]  # fmt: skip


def test_a_cube_without_an_owner_is_first_for_nobody_and_naming_it_is_no_press_in_the_race() -> None:
    match = Match(find("quiz"), ("Ann", "Ben", "Cleo"))
    for verb, given, at_ms in (
        ("open", {}, 1000), ("cube", {"seat": None}, 1400), ("cube", {"seat": 0}, 1450), ("owner", {"seat": 2}, 9000),
        ("judge", {"right": False}, 9500), ("judge", {"right": True}, 9900), ("open", {}, 12_000),
        ("cube", {"seat": None}, 12_300), ("home", {}, 14_000), ("cube", {"seat": 1}, 15_000),
    ):  # fmt: skip
        match.play(Act(verb, given, None, at_ms))
    presses = [each for each in reviewed(match).players if isinstance(each, Presses)]
    assert [(each.presses, each.first, each.reaction_ms, each.lead_ms) for each in presses] == [
        (1, 0, 450, None), (1, 0, 3000, None), (1, 0, None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("game", ["quiz", "dudab-buba"])
def test_a_match_without_a_split_that_is_not_over_says_so(game: str) -> None:
    match = play_out(find(game), ("Ann", "Ben"), seed=2)
    assert "not over" not in reviewed(match).why
    match.undo()
    assert reviewed(match).why.endswith(" The match is not over.")


def test_the_review_of_a_match_in_play_keeps_its_scores_hidden() -> None:
    """Everybody at the table can open it on a phone."""
    match = play_out(find("dodekka"), ("Ann", "Ben"), seed=4)
    match.undo()
    lines = (Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts))
    found = document([dump(line).encode() for line in lines])
    why = "The scores are hidden until the end. The match is not over."
    assert found == {"method": "none", "measure": "nothing", "why": why, "shares": (), "presses": (), "lines": (why,)}


@pytest.mark.parametrize(("game", "why"), [("dudab-buba", "does not see the hands"), ("scorepad", "neither chance")])
def test_what_the_box_does_not_see_is_said(game: str, why: str) -> None:
    found = reviewed(play_out(find(game), ("Ann", "Ben"), seed=1))
    assert (found.method, list(found.players)) == ("none", [])
    assert why in found.why


def test_the_text_for_people_names_the_dearest_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = play_out(find("dodeka"), ("Ann", "Ben"), seed=7)
    assert main(["review", str(record_of(match, tmp_path / "g", *(act.line() for act in match.acts)))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "Dodéka dice: turn points",
        "  Ann: 1340 = 4889.2 expected - 11.3 luck - 3537.9 given away, in 86 decisions",
        "    line 289: 5 5 11, 2 rolls left: stop. Better: keep 5 5. Cost: at least 18.9 % chance to win",
        "    line 69: 10 10 10, one roll left: throw all three. Better: stop. Cost: 466.7",
    ]
