"""The faces of dice: counted as the journal has them, and a test of fairness that finds what it says it finds."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, ClassVar, Self

import pytest

from tests.kit.journals import header
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel import Act, Ask, Game, Match, Number
from umpi.kernel.fields import Some
from umpi.kernel.game import Result
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.lab.intervals import Z95
from umpi.review.dice import BIAS, FOUND, DiceShown, Shown, read_dice, thrown


@dataclass(frozen=True)
class Bag(Game):
    """One act: dice on the table, and what is like them and is none."""

    over: bool = False

    id: ClassVar = "bag"
    title: ClassVar = "Bag"
    seats: ClassVar = range(2, 3)

    @classmethod
    def setup(cls, seats: int) -> Self:
        return cls()

    @property
    def phase(self) -> str:
        return "over" if self.over else "roll"

    def asks(self) -> tuple[Ask, ...]:
        fields = (
            Some("dice", range(1, 7), 0, 9, source="table", again=True),
            Some("cards", range(1, 7), 0, 9, source="table"),
            Some("from_zero", range(6), 0, 9, source="table", again=True),
            Some("chosen", range(1, 7), 0, 9, again=True),
            Number("number", 1, 6, source="table"),
        )
        return () if self.over else (Ask("roll", "Roll", fields, 1), Ask("all", "All", fields[:1]))

    def do_roll(self, seat: int | None, **given: object) -> Self:
        return type(self)(True)

    do_all = do_roll

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def result(self) -> Result | None:
        return Result((1, 1), "drawn") if self.over else None

    def facts(self) -> dict[str, Any]:
        return {}


def test_dice_are_faces_from_one_that_players_see_on_the_table() -> None:
    """Cards, numbers and choices are none; without a player, they are nobody's."""
    given = dict.fromkeys(("dice", "cards", "from_zero", "chosen"), (3, 1))
    match = Match(Bag, ("Ann", "Ben"))
    match.play(Act("roll", {**given, "number": 4}))
    assert list(thrown(match)) == [("Ben", 6, [3, 1])]
    match = Match(Bag, ("Ann", "Ben"))
    match.play(Act("all", {"dice": (3, 1)}))
    assert list(thrown(match)) == []


def journal_of(path: Path, *seeds: int) -> Counter[tuple[str, int]]:
    """Write matches of Dodéka; return how often each player threw each face, read from the lines alone."""
    faces: Counter[tuple[str, int]] = Counter()
    journal = Journal(path)
    for seed in seeds:
        match = play_out(find("dodeka"), ("Ann", "Ben"), seed=seed)
        journal.append(journal.begin(header("dodeka", ["Ann", "Ben"])), [act.line() for act in match.acts], "panel")
        for index, act in enumerate(match.acts):
            dice = act.line().get("dice", ())
            assert isinstance(dice, tuple)
            faces.update((match.players[match.asked(index).seat or 0], int(str(face))) for face in dice)
    journal.append(journal.begin(header("dodeka", ["Ann", "Ben"])), [{"do": "dance"}], "panel")
    journal.append(journal.begin(header("dodekka", ["Ann", "Ben"])), [], "panel")
    journal.close()
    return faces


def test_each_face_is_counted_for_who_threw_it(tmp_path: Path) -> None:
    expected = journal_of(tmp_path / "games.db", 1, 2)
    (dice,), unread = read_dice(tmp_path / "games.db", find)
    assert dice.sides == 12
    everybody, ann, ben = dice.rows
    assert ann.faces == tuple(expected["Ann", face] for face in range(1, 13))
    assert ben.faces == tuple(expected["Ben", face] for face in range(1, 13))
    assert everybody.throws == ann.throws + ben.throws == sum(expected.values())
    assert [why.partition(":")[0] for why in unread] == ["Match 3 is not counted"]
    assert read_dice(tmp_path / "games.db", find, "dodekka") == ([], [])


def test_games_without_dice_throw_none() -> None:
    assert not list(thrown(play_out(find("dodekka"), ("Ann", "Ben"), seed=1)))


def test_a_bias_of_ten_percent_is_found_as_often_as_the_number_of_throws_says() -> None:
    sides, chance = 6, Random(5)
    throws, p = DiceShown(sides, ()).throws_to_see, 1 / sides
    found = 0
    for _ in range(200):
        shown = sum(chance.random() < p * (1 + BIAS) for _ in range(throws))
        found += abs(shown - throws * p) > Z95 * (throws * p * (1 - p)) ** 0.5
    assert abs(found / 200 - FOUND) < 0.09  # three standard errors


def test_fair_dice_are_below_a_half_as_often_as_above() -> None:
    chance = Random(6)
    series = [Counter(chance.choices(range(12), k=600)) for _ in range(300)]
    values = [p for faces in series if (p := Shown("", tuple(faces[face] for face in range(12))).p) is not None]
    assert abs(fmean(values) - 0.5) < 0.06
    assert 0.01 < fmean(value < 0.05 for value in values) < 0.1


def test_the_table_and_its_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal_of(tmp_path / "games.db", 1)
    words = ["stats", "--dice", "--journal", str(tmp_path / "games.db")]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "Dice with 12 faces" in text
    assert "after about 8,634 throws" in text
    assert "Match 2 is not counted" in text
    assert main([*words, "--player", "Ann", "--json"]) == 0
    (dice,) = json.loads(capsys.readouterr().out)["dice"]
    assert [row["name"] for row in dice["rows"]] == ["Ann"]
    assert main([*words, "--player", "Zoe"]) == 2
    assert "Zoe has thrown no dice. Players who have: Ann, Ben." in capsys.readouterr().err
    assert main([*words, "--game", "dodekka"]) == 0
    assert "No dice" in capsys.readouterr().out
