"""Score pad: whole games against a second pad that keeps a list of entries, and details."""

from __future__ import annotations

import json
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.legal_acts import accepts, act_of
from tests.kit.sampling import examples
from umpi.games.scorepad import ScorePad
from umpi.games.scorepad.column import PAGE, Column
from umpi.games.scorepad.dealer import ScorePadTable
from umpi.kernel import Match, replace
from umpi.kernel.random_games import play_out
from umpi.kernel.record import check_options, dump

Line = dict[str, Any]
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")


class Paper:
    """The rules once more: entries in the order made, each with the row it stands in."""

    def __init__(self, seats: int, options: Line) -> None:
        self.seats = list(range(seats))
        self.options = {"wins": "highest", "target": None, "rounds": None, "minutes": None, **options}
        self.entries: list[tuple[int, int, int]] = []  # row, seat, points
        self.gone: set[int] = set()
        self.row, self.late, self.over = 1, False, False

    @property
    def totals(self) -> list[int]:
        return [sum(points for _, seat, points in self.entries if seat == own) for own in self.seats]

    def wanted(self) -> list[int]:
        """The seats that may score."""
        done = {seat for row, seat, _ in self.entries if row == self.row} if self.options["rounds"] else set()
        return [seat for seat in self.seats if seat not in done | self.gone]

    def lines(self) -> list[Line]:
        if self.over:
            return []
        playing = [seat for seat in self.seats if seat not in self.gone]
        made: list[Line] = [{"do": "score", "seat": seat, "points": 7} for seat in self.wanted()]
        made += [{"do": "leave", "seat": seat} for seat in playing if len(playing) > 1]
        if not self.options["rounds"]:
            made.append({"do": "finish"})
            made += [{"do": "set", "seat": seat, "total": 31} for seat in playing]
        if self.options["minutes"] and not self.late:
            made.append({"do": "time-up"})
        return made

    def do(self, line: Line) -> None:
        match line["do"]:
            case "score" if self.options["rounds"]:
                self.entries.append((self.row, line["seat"], line["points"]))
            case "score":
                row = 1 + sum(seat == line["seat"] for _, seat, _ in self.entries)
                self.entries.append((row, line["seat"], line["points"]))
            case "set":
                row = 1 + sum(seat == line["seat"] for _, seat, _ in self.entries)
                self.entries.append((row, line["seat"], line["total"] - self.totals[line["seat"]]))
            case "leave":
                self.gone.add(line["seat"])
            case "time-up":
                self.late = True
        begun = any(row == self.row for row, _, _ in self.entries)
        if self.options["rounds"] and begun and self.wanted():
            return
        target = self.options["target"]
        ended = self.late or line["do"] == "finish" or (target is not None and max(self.totals) >= target)
        if self.options["rounds"] and begun:
            self.over = ended or self.row == self.options["rounds"]
            self.row += not self.over
        elif ended:
            self.over, self.row = True, self.row - 1

    def state(self) -> Line:
        best = (min if self.options["wins"] == "lowest" else max)(self.totals)
        deepest = max((row for row, _, _ in self.entries), default=0)
        rows: list[list[int | None]] = [[None] * len(self.seats) for _ in range(deepest)]
        for row, seat, points in self.entries:
            rows[row - 1][seat] = points
        return {
            "phase": "over" if self.over else "score",
            "seat": None,
            "scores": self.totals,
            "winners": [seat for seat in self.seats if self.over and self.totals[seat] == best],
            "facts": {
                "totals": self.totals,
                "rows": rows,
                "round": self.row if self.options["rounds"] else None,
                "left": sorted(self.gone),
                "time_up": self.late,
            },
        }


def universe(seats: int) -> list[Line]:
    """All lines that are ever legal, but for other points, and some that never are."""
    some = (*range(seats), seats, None)
    return [
        *({"do": "score", "seat": seat, "points": 7} for seat in some),
        *({"do": "set", "seat": seat, "total": 31} for seat in some),
        *({"do": "leave", "seat": seat} for seat in some),
        *({"do": verb} for verb in ("score", "set", "leave", "finish", "time-up")),
        {"do": "score", "seat": 0, "points": 10_000},
        {"do": "score", "seat": 0, "points": None},
        {"do": "set", "seat": 0, "total": 100_000},
        {"do": "finish", "seat": 0},
    ]


def written(lines: list[Line]) -> set[str]:
    return {json.dumps(line) for line in lines}


OPTIONS = st.fixed_dictionaries({
    "wins": st.sampled_from(["highest", "lowest"]),
    "target": st.none() | st.integers(1, 40),
    "rounds": st.none() | st.integers(1, 4),
    "minutes": st.none() | st.just(5),
})  # fmt: skip


@pytest.mark.slow
@settings(max_examples=examples(80), deadline=None, derandomize=True, database=None)
@given(st.integers(1, 6), OPTIONS, st.integers(0, 2**32))
def test_a_game_is_kept_as_on_paper(seats: int, options: Line, seed: int) -> None:
    """In each position all that may be done, and nothing else; totals, rows and ends as a list of entries has them."""
    chance = Random(seed)
    check_options(options, ScorePad)
    match, paper = Match(ScorePad, NAMES[:seats], options), Paper(seats, options)
    for _ in range(60):
        assert json.loads(dump(match.state())) == paper.state()
        assert match.now.audit() == ""
        allowed = paper.lines()
        assert written([line for line in universe(seats) if accepts(match, act_of(line))]) == written(allowed)
        if not allowed:
            assert match.asks == ()
            return
        line = chance.choice([line for line in allowed if line["do"] == "score" or chance.random() < 0.1] or allowed)
        if line["do"] == "score":
            line["points"] = chance.randint(-9, 15)
        match.play(act_of(line))
        paper.do(line)


def test_the_audit_reports_a_seat_two_rows_ahead() -> None:
    broken = replace(ScorePad.setup(2, rounds=5), columns=(Column().added(1).added(2), Column()))
    assert broken.audit() == "a seat is two rows ahead"


def test_random_points_are_as_people_score_them() -> None:
    match = play_out(ScorePad, NAMES[:4], {"rounds": 100}, seed=1)
    scored = {played.given["points"] for played in match.acts if played.verb == "score"}
    assert (min(scored), max(scored)) == (-20, 60)
    assert ScorePadTable(Random(1).random, match.now).audit(match.now) == ""


def test_a_long_column_has_all_entries_and_shares_the_older_ones() -> None:
    column, entries, before = Column(), list[int](), Column()
    for points in range(-5, 3 * PAGE):
        before, column = column, column.added(points)
        entries.append(points)
        assert (list(column), len(column), column.total, column.last) == (entries, len(entries), sum(entries), points)
        assert column == reduce(Column.added, entries, Column())
        assert all(one is other for one, other in zip(before.pages, column.pages, strict=False))
        assert len(column.rest) <= PAGE
