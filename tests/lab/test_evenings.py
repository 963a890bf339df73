"""Matches that people have played: the same measures as for simulated games."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from umpi.cli import main
from umpi.games.dodeka.combinations import SHEET
from umpi.journal import Journal
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header
from umpi.kernel.registry import find
from umpi.lab.evenings import read_evenings

OPTIONS = {"parts": 1, "target": 100}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three matches of Dodéka with a move every two seconds, one that is not over, one of Dodekka, and a broken one."""
    file = tmp_path / "games.db"
    journal = Journal(file)
    for seed in range(4):
        match = play_out(find("dodeka"), ("Ann", "Ben"), OPTIONS, seed)
        acts = [{**act.line(), "at": 2000 * number} for number, act in enumerate(match.acts, 1)]
        journal.append(
            journal.begin(Header(match.game, match.players, OPTIONS).line()), acts[: -1 if seed == 3 else None], "panel"
        )
    cards = play_out(find("dodekka"), ("Ann", "Ben", "Cleo"), {}, 1)
    journal.append(journal.begin(Header(cards.game, cards.players).line()), [act.line() for act in cards.acts], "panel")
    broken = journal.begin(Header(find("dodeka"), ("Ann", "Ben"), OPTIONS).line())
    journal.append(broken, [{"do": "bank"}], "panel")
    journal.close()
    return file


def test_real_matches_have_the_measures_that_a_second_method_gives(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "dodeka", "--journal", str(journal), "--json"]) == 0
    shown = capsys.readouterr()
    (measures,) = map(json.loads, shown.out.splitlines())
    matches = [play_out(find("dodeka"), ("Ann", "Ben"), OPTIONS, seed) for seed in range(3)]
    results = [match.now.result() for match in matches]
    assert (measures["games"], measures["unfinished"]) == (4, 1)
    assert measures["options"] == defaults(find("dodeka")) | {"scale": [*SHEET]} | OPTIONS
    assert [seat["strategy"] for seat in measures["seats"]] == ["people", "people"]
    assert measures["seats"][0]["wins"] == sum(1 / len(each.winners) for each in results if each and 0 in each.winners)
    assert measures["acts"]["mean"] == fmean(len(match.acts) for match in matches)
    assert "Match 6 is not counted" in shown.err


def test_the_pace_of_people_gives_the_minutes(journal: Path) -> None:
    found, unread = read_evenings(journal, find, None, 0)
    assert [each.experiment.game for each in found] == ["dodeka", "dodekka"]
    assert [each.seconds for each in found] == [2.0, None]
    assert len(unread) == 1


def test_simulated_games_appear_beside_the_matches(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evenings.html"
    assert main(["lab", "--journal", str(journal), "--games", "3", "--report", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("(people)") == 5
    assert shown.count("(random)") == 5
    assert "at 2 seconds per move" in shown
    assert "With target=100 parts=1:" in shown
    assert shown.count("answers per decision") == 2, "of the simulated games of both settings"
    assert "Dodekka cards, 3 players: simulated" in file.read_text()


def test_programs_get_the_measures_of_simulated_games_without_the_time_of_a_probe(
    journal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("umpi.lab.games.Probe", lambda seed: pytest.fail("nobody reads what it finds"))
    assert main(["lab", "--journal", str(journal), "--games", "3", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
