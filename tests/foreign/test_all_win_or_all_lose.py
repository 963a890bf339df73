"""A cooperative game end to end: screens in four languages, record, journal, statistics, laboratory and page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.foreign_table import Table, install_ferry
from tests.kit.resumed import resumed_pages
from tests.kit.rig import Rig, Rigs
from umpi.cli import main
from umpi.display.spoken import state_of
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language
from umpi.journal.statistics import Figures, read_stats
from umpi.kernel import registry
from umpi.kernel.game import Act, Result
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.kernel.rounds import rounds_of
from umpi.lab.search import Judge
from umpi.mqtt.payloads import state_of as mqtt_state
from umpi.referee.effects import PlaySound
from umpi.simulator.reading import reads
from umpi.table.commands import Do, Start
from umpi.table.seating import Seating
from umpi.web.results import matches_csv, read_results

LOST, WON = {"flood": 2}, {"travellers": 2}  # options by which the first throw decides
SAID = {
    "en": ("Defeat", "All lose!"), "fr": ("Défaite", "Tout le monde perd\N{NO-BREAK SPACE}!"),
    "de": ("Niederlage", "Alle verlieren!"), "hu": ("Vereség", "Mindenki veszít!"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Night ferry is installed, as pip would do it, also for the programs that a test starts."""
    site = tmp_path / "site"
    install_ferry(site)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(site)
    registry.look_again()
    yield
    monkeypatch.undo()
    registry.look_again()
    set_language(ENGLISH)


def row(table: Table, *dice: int) -> None:
    assert table.phone(0, "row", dice=dice).how == "done"


def ended(won: bool, seats: int = 2) -> Match:
    match = Match(find("night-ferry"), ("Ann", "Ben", "Cleo")[:seats], WON if won else LOST)
    match.play(Act("row", {"dice": (4, 6) if won else (1, 2)}))
    return match


def test_a_defeat_has_no_winner_in_the_record_and_on_phones() -> None:
    table = Table("night-ferry", **LOST)
    row(table, 1, 2)
    assert (table.match.state()["winners"], table.match.state()["phase"]) == ((), "over")
    over = table.document["match"]["over"]
    assert (over["winners"], over["together"], over["places"]) == ([], False, [2, 2])
    assert table.document["match"]["ranks"] is None
    assert table.referee.session.calls[-1].text == "All lose: the river floods the landing"
    assert table.lit == ()
    assert [each.sound for each in table.effects if isinstance(each, PlaySound)][-1] == "bad"
    assert state_of(table.match).startswith("river 2 of 2. All lose!")


def test_a_victory_is_that_of_one_team() -> None:
    table = Table("night-ferry", **WON)
    row(table, 4, 6)
    over = table.document["match"]["over"]
    assert (over["winners"], over["together"]) == ([0, 1], True)
    assert table.referee.session.calls[-1].text == "Red and Blue win: everybody is across"
    assert table.lit == (0, 1)
    assert [each.sound for each in table.effects if isinstance(each, PlaySound)][-1] == "winner"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_says_that_all_lose(language: str, rigs: Rigs) -> None:
    rig = rigs()
    set_language(language)
    title, verdict = SAID[language]
    play(rig, LOST, 1, 2)
    assert rig.shows(title), rig.screen  # the call, then the end
    rig.wait_ms(20_000)
    assert rig.shows(title, verdict), rig.screen
    assert not reads(rig.box.picture(), "Ann & Ben")


def play(rig: Rig, options: dict[str, int], *dice: int) -> None:
    for command in (
        Start(Seating(find("night-ferry"), ("Ann", "Ben"), (0, 1), options)),
        Do((Act("row", {"dice": dice}),)),
    ):
        rig.grant(command)
        rig.wait_ms(200)


def test_the_journal_counts_a_defeat_as_a_match_that_nobody_won(rigs: Rigs, capsys: Any) -> None:
    rig = rigs()
    for options, dice in ((LOST, (1, 2)), (WON, (4, 6)), (LOST, (1, 1))):
        play(rig, options, *dice)
    path = rig.config.journal
    rigs.switch_off()
    stats = read_stats(path, find)
    tally = stats.of("night-ferry")
    assert tally.players == (Figures("Ann", 3, 1, 0, 0.67, None), Figures("Ben", 3, 1, 0, 0.67, None))
    assert (tally.matches, tally.open, tally.pairs, stats.unread) == (3, 0, (), ())
    results = read_results(path)
    assert [(each["over"], each["winners"], each["places"]) for each in results] == [
        (True, [], [2, 2]), (True, [0, 1], [1, 1]), (True, [], [2, 2]),
    ]  # fmt: skip
    assert [line.rpartition(",")[2] for line in matches_csv(results).decode().splitlines()[-6:]] == list("001100")
    capsys.readouterr()
    main(["history", "--journal", str(path)])
    listed = capsys.readouterr().out.splitlines()
    assert [line.rpartition(": Ann ")[2] for line in listed] == [
        "0, Ben 0 (all lose: the river floods the landing)", "2, Ben 2 (won by Ann and Ben)",
        "0, Ben 0 (all lose: the river floods the landing)",
    ]  # fmt: skip


def test_a_broker_learns_that_nobody_has_won() -> None:
    table = Table("night-ferry", **LOST)
    row(table, 1, 2)
    last = {"players": [{"seat": 0, "name": "Ann"}], "winners": []}
    state = mqtt_state(table.document | {"boot": "b", "version": "0"}, {"id": "b", "name": "Box"}, "u", last, "")
    assert (state["over"], state["winners"], state["last_winner"]) == (True, [], "")


def test_the_laboratory_gives_the_rate_of_wins_and_no_ties(capsys: Any) -> None:
    assert main(["lab", "night-ferry", "--games", "40", "--players", "3", "--workers", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    won = 40 - found["lost"]
    assert 0 < won < 40
    assert ([seat["wins"] for seat in found["seats"]], found["ties"], found["even"]) == ([won] * 3, 0, None)
    assert main(["lab", "night-ferry", "--games", "40", "--players", "3", "--workers", "1"]) == 0
    text = capsys.readouterr().out
    assert f"all win {won / 40:.1%}, 95 % interval" in text
    assert f"all lose {found['lost']} games" in text
    assert "first seat" not in text
    assert "0 ties" in text


def test_a_search_wants_the_victory_of_all() -> None:
    won, lost = ended(won=True), ended(won=False)
    judge = Judge(won.position(0), 0)
    assert (judge.worth(won.now), judge.worth(lost.now)) == ([1.0, 1.0], [0.0, 0.0])


def test_rounds_that_nobody_has_won_are_lost() -> None:
    cup = rounds_of(find("night-ferry"), "ferries", "Ferries", rounds=2)
    match = Match(cup, ("Ann", "Ben"), {"flood": 2, "rounds": 2})
    match.play(Act("row", {"dice": (1, 2)}))
    assert match.calls()[-1].text == "Round 1: all lose"
    match.play(Act("row", {"dice": (1, 1)}))
    assert match.calls()[-1].text == "All lose: no round was won"


def test_a_position_knows_the_place_of_each_seat_after_a_defeat() -> None:
    lost = ended(won=False, seats=3)
    assert lost.now.result() == Result.lost("the river floods the landing")
    assert (lost.result.places if lost.result else ()) == (2, 2, 2)
    lost.check_position()


@pytest.mark.slow
def test_the_page_says_who_has_lost_and_who_has_won(browser: Any, tmp_path: Path) -> None:
    ranks = "return document.querySelectorAll('.podium, .place, .won, .note').length > 0"
    for won, verdict in ((False, "All lose"), (True, "Ben win")):
        with resumed_pages(browser, tmp_path / f"{won}.db") as open:
            _, page = open(ended(won), 1280, 720, "tv")
            page.reads("#turn", verdict)
            assert page.here.execute_script(ranks) == won, "nobody has a rank after a defeat"
            page.go("past")
            page.find(".standings .points")
            assert ("rank" in page.text(".standings")) is False
            assert ("winner" in page.text(".standings")) == won
