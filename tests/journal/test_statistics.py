"""Statistics: counted a second way on random journals; ties, seats, undone ends, old and damaged records; all faces."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.patience import PATIENCE_S, wait_for
from tests.kit.rig import Rig, Rigs
from tests.kit.sampling import examples
from umpi.cli import main
from umpi.journal import Journal
from umpi.journal.statistics import Figures, HeadToHead, PlayedMatch, RulesPlayed, Stats, count, lines, read_stats
from umpi.kernel.kept import Uid
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay
from umpi.recording.session_file import sealed
from umpi.referee.effects import CountStatistics
from umpi.referee.events import StatisticsCounted
from umpi.service.counting import StatisticsCounter

WINS = ("highest", "lowest")


def placed(scores: Sequence[int], wins: str) -> list[int]:
    sign = 1 if wins == "highest" else -1
    return [1 + sum(sign * other > sign * score for other in scores) for score in scores]


def header(game: str, players: Sequence[str], **options: Any) -> dict[str, Any]:
    return {"umpi": 1, "game": game, "players": list(players), "options": options}


def keep(journal: Journal, players: Sequence[str], scores: Sequence[int], wins: str = "highest", game: str = "") -> Uid:
    """Keep a match that is over, as a box does; returns its uid."""
    outcome = {"places": placed(scores, wins), "scores": list(scores)}
    options = {} if wins == "highest" else {"wins": wins}
    match = journal.begin(header(game or "scorepad", players, **options), 1)
    journal.append(match, [{"do": "finish"}], "panel", [1], outcome)
    return match


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with closing(Journal(tmp_path / "games.db")) as journal:
        yield journal


def of(journal: Journal) -> Stats:
    return read_stats(journal.path, find)


def figures(stats: Stats, name: str, game: str | None = "scorepad") -> Figures:
    (one,) = [one for one in stats.of(game).players if one.name == name]
    return one


matches = st.builds(
    lambda game, seated, wins, ends: (game, [name for name, _ in seated], [score for _, score in seated], wins, ends),
    st.sampled_from(["dodeka", "dodekka", "scorepad"]),
    st.lists(st.tuples(st.sampled_from("ABCDE"), st.integers(-2, 3)), min_size=1, max_size=4, unique_by=lambda s: s[0]),
    st.sampled_from(WINS),
    st.sampled_from([True, True, True, False, None]),  # it is over; it is not; its end was taken back
)


@settings(max_examples=examples(8), deadline=None)
@given(st.lists(matches, max_size=12))
def test_statistics_agree_with_a_random_journal(played: list[Any]) -> None:
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games.db")) as journal:
        for game, names, scores, wins, ends in played:
            if ends is False:
                options = {} if wins == "highest" else {"wins": wins}
                journal.append(journal.begin(header(game, names, **options), 1), [{"do": "score"}], "panel")
                continue
            number = keep(journal, names, scores, wins, game)
            if ends is None:
                journal.append(number, [{"undo": 1}], "panel")
        assert of(journal) == Stats(count(known(played)))


def known(played: list[Any]) -> list[PlayedMatch]:
    found = []
    for game, names, scores, wins, ends in played:
        over = (tuple(placed(scores, wins)), tuple(scores)) if ends else ((), ())
        found.append(PlayedMatch(game, tuple(names), *over, "" if wins == "highest" else f'"{wins}"'))
    return found


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(st.lists(matches, max_size=12))
def test_a_second_way_to_count_agrees(played: list[Any]) -> None:
    """Whose wins, how often who was ahead of whom, means: each computed from all matches."""
    stats = Stats(count(known(played)))
    for game in (None, "dodeka", "dodekka", "scorepad"):
        there = [match for match in played if game in (None, match[0])]
        over = [(names, scores, wins, placed(scores, wins)) for _, names, scores, wins, ends in there if ends]
        tally = stats.of(game)
        assert (tally.matches, tally.open) == (len(over), len(there) - len(over))
        assert {one.name for one in tally.players} == {name for names, *_ in over for name in names}
        for one in tally.players:
            own = [(scores[names.index(one.name)], wins, places[names.index(one.name)], places)
                   for names, scores, wins, places in over if one.name in names]  # fmt: skip
            first = [places for *_, place, places in own if place == min(places) and len(places) > 1]
            assert one.matches == len(own)
            assert one.won == sum(sorted(places)[1] > 1 for places in first)
            assert one.won + one.shared == len(first)
            assert one.mean == (
                None if game is None else pytest.approx(sum(own[0] for own in own) / len(own), abs=0.01)
            )
            kinds = {wins for _, wins, *_ in own}
            telling = {wins for _, scores, wins, _ in over if len(set(scores)) > 1}
            one_way = game is not None and len(kinds) == 1 and kinds <= telling
            best = {"highest": max, "lowest": min}[own[0][1]](score for score, *_ in own)
            assert one.best == (best if one_way else None)
        for one in "ABCDE":
            for other in "ABCDE":
                met = [(places[names.index(one)], places[names.index(other)]) for names, *_, places in over
                       if one != other and {one, other} <= {*names}]  # fmt: skip
                found = [pair for pair in tally.pairs if pair.names in ((one, other), (other, one))]
                assert len(found) == bool(met)
                if met and found[0].names == (one, other):
                    ahead = sum(a < b for a, b in met), sum(a > b for a, b in met)
                    assert (found[0].ahead, found[0].level) == (ahead, len(met) - sum(ahead))


def test_a_player_is_counted_whichever_seat_it_was_and_by_the_name_of_now(journal: Journal) -> None:
    keep(journal, ["Ann", "Ben"], [5, 3])
    keep(journal, ["Ben", "Ann"], [2, 7])
    number = keep(journal, ["Red", "Ben"], [6, 7])
    journal.rename(number, ["Ann", "Ben"])
    keep(journal, ["ann", "Ben"], [0, 1])
    stats = of(journal)
    assert figures(stats, "Ann") == Figures("Ann", 3, 2, 0, 6.0, 7)
    assert figures(stats, "ann").matches == 1, "names are the same where they are written the same"
    assert stats.of(None).pairs == (HeadToHead(("Ann", "Ben"), (2, 1), 0), HeadToHead(("Ben", "ann"), (1, 0), 0))


def test_an_end_that_was_taken_back_does_not_count_and_the_next_one_does(journal: Journal) -> None:
    number = keep(journal, ["Ann", "Ben"], [5, 3])
    journal.append(number, [{"undo": 1}], "panel")
    assert of(journal).of("scorepad") == count([PlayedMatch("scorepad", ("Ann", "Ben"))])[1]
    assert (of(journal).of(None).matches, of(journal).of(None).open) == (0, 1)
    outcome = {"places": [2, 1], "scores": [5, 8]}
    journal.append(number, [{"do": "score"}, {"do": "finish"}], "panel", [1, 1], outcome)
    assert of(journal).of(None).pairs == (HeadToHead(("Ben", "Ann"), (1, 0), 0),)


def test_each_rule_set_of_a_game_is_named_with_its_matches(journal: Journal) -> None:
    """The record's tag "rules"; one that is no text, or of a match that is not over, counts nowhere."""
    for rules, over in (("short", True), ("long", True), ("short", True), ("short", False), ("", True), (3, True)):
        line = {**header("scorepad", ["Ann", "Ben"]), "rules": rules}
        outcome = {"places": [1, 2], "scores": [2, 1]} if over else None
        journal.append(journal.begin(line, 1), [{"do": "score"}], "panel", [1], outcome)
    stats = of(journal)
    assert stats.of("scorepad").rules == (RulesPlayed("long", 1), RulesPlayed("short", 2))
    assert stats.of(None).rules == ()
    assert "2 with rules short" in map(str, lines(stats, "scorepad"))


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_of_each_game_it_shows_which_points_win(game: Any) -> None:
    seats = max(2, game.seats[0])
    played = []
    for seed in range(12):
        match = play_out(game, [f"P{seat}" for seat in range(seats)], seed=seed)
        played.append(PlayedMatch(game.id, match.players, match.now.result().places, match.now.scores()))
    for one in count(played)[1].players:
        scores = [each.scores[each.players.index(one.name)] for each in played]
        if game.id == "dohdles":  # the last space wins, which need not be the most steps that the box knows
            assert one.best is None
        else:
            assert one.best == (min if game.id == "dudab-buba" else max)(scores)


def test_replayed_and_kept_outcomes_lead_to_the_same_figures(tmp_path: Path) -> None:
    for path, rules in ((tmp_path / "old.db", None), (tmp_path / "new.db", 1)):
        with closing(Journal(path)) as journal:
            for seed, game in enumerate(games()):
                match = play_out(game, ["Ann", "Ben", "Cleo"][: max(2, game.seats[0])], seed=seed)
                result = match.now.result()
                outcome = {"places": result.places, "scores": match.now.scores()} if rules else None
                number = journal.begin(header(game.id, match.players), rules)
                journal.append(number, [act.line() for act in match.acts], "panel", (), outcome)
    old, new = (read_stats(tmp_path / name, find) for name in ("old.db", "new.db"))
    assert old == new
    assert new.of(None).matches == len(games())


def test_unreadable_matches_are_reported_and_the_others_count(journal: Journal) -> None:
    keep(journal, ["Ann", "Ben"], [5, 3])
    journal.append(journal.begin(header("dodeka", ["Ann", "Ben"])), [{"do": "dance"}], "panel")
    journal.begin(header("chess", ["Ann", "Ben"]))
    journal.begin({}, 1)
    journal.begin(header("dodeka", ["Ann", "Ann"]), 1)
    wrong: list[Any] = [{"places": [1], "scores": [5, 3]}, {"places": [1, 2]}, [], {"places": "12", "scores": [5, 3]}]
    for outcome in [*wrong, {"places": [1, 2], "scores": [5, 3.5]}]:
        number = journal.begin(header("scorepad", ["Ann", "Ben"]), 1)
        journal.append(number, [{"do": "finish"}], "panel", (), outcome)
    keep(journal, ["Ann", "Ben"], [5, 3])
    with closing(sqlite3.connect(journal.path)) as file, file:
        file.execute("UPDATE summary SET outcome = '{' WHERE match = (SELECT max(id) FROM match)")
    stats = of(journal)
    assert stats.of(None).matches == 1
    why = {unread.match: unread.why for unread in stats.unread}
    assert list(why) == list(range(2, 12))
    assert why[2].startswith("line 2: Dodéka has no")
    assert 'No game "chess" is installed' in why[3]
    assert "Unreadable matches: 10" in lines(stats, None)


def test_a_clock_set_back_and_forth_changes_nothing(tmp_path: Path) -> None:
    found = []
    for days in ((0, 0, 0), (400, -400, 3)):
        whens = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in days]
        path = tmp_path / f"{days[0]}.db"
        with closing(Journal(path, cycle(whens).__next__)) as journal:
            for scores in ([1, 2], [2, 1], [3, 0]):
                keep(journal, ["Ann", "Ben"], scores)
        found.append(read_stats(path, find))
    assert found[0] == found[1]


def test_each_line_suits_the_panel(journal: Journal) -> None:
    """21 to 25 letters a line, with names as people have them."""
    for _ in range(30):
        keep(journal, ["Katy", "Kévin"], [512, 500])
    keep(journal, ["Katy", "Kévin"], [9, 9])
    printed = lines(of(journal), "scorepad")
    assert printed == [
        "31 matches", "Katy: 30 of 31 won", "1 tie for first", "best 512, avg 495.8",
        "Kévin: 0 of 31 won", "1 tie for first", "best 500, avg 484.2", "Katy-Kévin 30:0", "1 tie",
    ]  # fmt: skip
    assert max(map(len, printed)) <= 21


# The command


def test_the_command_prints_a_table_and_who_was_ahead(journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    keep(journal, ["Ann", "Ben"], [5, 13])
    keep(journal, ["Ann", "Ben"], [5, 5])
    journal.begin(header("scorepad", ["Ann", "Ben"]), 1)
    journal.begin({}, 1)
    assert main(["stats", "--journal", str(journal.path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "All games: 2 matches, 1 not over and not counted",
        "       played  won  shared",
        "  Ben       2    1       1",
        "  Ann       2    0       1",
        "  Ben-Ann 1:0, 1 level",
        "",
        "Score pad: 2 matches, 1 not over and not counted",
        "       played  won  shared  best  mean",
        "  Ben       2    1       1    13   9.0",
        "  Ann       2    0       1     5   5.0",
        "  Ben-Ann 1:0, 1 level",
        "",
        "Match 4 is not counted, its end cannot be read: "
        "line 1: the header does not say which game was played, and by whom",
    ]


# The panel


def played_before(rigs: Rigs) -> Any:
    with closing(Journal(rigs.folder / "games.db")) as journal:
        for scores in ([5, 13], [9, 2], [7, 1]):
            journal.close_match(keep(journal, ["Ann", "Ben"], scores))
    return rigs()


def counted(rig: Rig, *texts: str) -> bool:
    """Wait until the statistics are on the screen."""
    wait_for(lambda: rig.settle() or not rig.shows("Counting"), lambda: rig.screen)
    return bool(rig.shows(*texts))


def test_the_panel_shows_statistics_of_all_games_and_of_one(rigs: Rigs) -> None:
    rig = played_before(rigs)
    rig.press("black")  # a new game
    rig.choose("Statistics")
    rig.choose("Score pad")
    assert counted(rig, "Score pad", "3 matches", "Ann: 2 of 3 won", "best 9, avg 7.0", "Ann-Ben 2:1"), rig.screen
    rig.press("ok")
    rig.press("black")  # a new game
    rig.choose("Statistics")
    rig.choose("Quiz")
    assert counted(rig, "Quiz", "0 matches"), rig.screen
    rig.press("ok")
    rig.press("black")  # a new game
    rig.choose("Statistics")
    rig.choose("All games")
    assert counted(rig, "All games", "Ann: 2 of 3 won", "Ann-Ben 2:1"), rig.screen


def test_the_menu_of_a_match_shows_statistics_of_its_game(rigs: Rigs) -> None:
    rig = played_before(rigs)
    rig.press("ok")  # the same table again
    rig.press("back", ms=1000)
    rig.choose("Statistics")
    assert counted(rig, "3 matches", "1 ongoing", "Ann: 2 of 3 won"), rig.screen
    rig.press("back")
    assert rig.shows("Score"), rig.screen


def test_an_unavailable_journal_is_reported(rigs: Rigs) -> None:
    rig = played_before(rigs)
    rig.loop.journal.path = rigs.folder / "none" / "games.db"
    rig.press("black")  # a new game
    rig.choose("Statistics")
    rig.choose("All games")
    assert counted(rig, "The matches cannot be read"), rig.screen


class Later:
    """Keep what the referee asks to have counted, and count it only when the test says so."""

    def __init__(self) -> None:
        self.wanted: list[CountStatistics] = []

    def count(self, wanted: CountStatistics) -> None:
        self.wanted.append(wanted)


def test_presses_count_while_statistics_are_counted_and_who_has_gone_on_is_not_disturbed(rigs: Rigs) -> None:
    """A large journal takes seconds. The press that leaves the notice, and those after it, do not wait."""
    rig = played_before(rigs)
    rig.loop._statistics = later = Later()
    rig.press("ok")  # the same table again
    rig.press("back", ms=1000)
    rig.choose("Statistics")
    assert rig.shows("Score pad", "Counting"), rig.screen
    rig.press("back")
    before = rig.screen
    assert rig.shows("Score"), before
    rig.loop.inbox.post(StatisticsCounted("scorepad", ("3 matches",)))
    rig.settle()
    assert rig.screen == before
    assert later.wanted == [CountStatistics("scorepad")]


def test_statistics_appear_for_who_still_waits_for_these(rigs: Rigs) -> None:
    rig = played_before(rigs)
    rig.loop._statistics = Later()
    rig.press("black")  # a new game
    rig.choose("Statistics")
    rig.choose("Score pad")
    rig.loop.inbox.post(StatisticsCounted(None, ("7 matches",)))
    rig.settle()
    assert rig.shows("Score pad", "Counting"), "those of all games were asked for before"
    rig.loop.inbox.post(StatisticsCounted("scorepad", ("3 matches",)))
    rig.settle()
    assert rig.shows("Score pad", "3 matches"), rig.screen


def test_statistics_are_counted_one_after_the_other_and_the_newest_wish_replaces_one_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, posted = Queue[Path](), Queue[None](), Queue[StatisticsCounted]()

    def slow(path: Path, find: Any) -> Stats:
        begun.put(path)
        go_on.get(timeout=PATIENCE_S)
        return Stats(())

    monkeypatch.setattr("umpi.journal.statistics.read_stats", slow)
    counter = StatisticsCounter(lambda: tmp_path, posted.put)
    counter.count(CountStatistics("quiz"))
    begun.get(timeout=PATIENCE_S)
    for game in ("dodeka", "dohdles", None):
        counter.count(CountStatistics(game))
    for _ in range(2):
        go_on.put(None)
    assert [posted.get(timeout=PATIENCE_S).game for _ in range(2)] == ["quiz", None]
    assert posted.empty()


@pytest.mark.parametrize("fault", [OSError("gone"), ZeroDivisionError("by a game")])
def test_statistics_that_cannot_be_counted_are_answered_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Otherwise the panel would count for ever."""
    posted = Queue[StatisticsCounted]()

    def fail(path: Path, find: Any) -> Stats:
        raise fault

    monkeypatch.setattr("umpi.journal.statistics.read_stats", fail)
    StatisticsCounter(lambda: tmp_path, posted.put).count(CountStatistics(None))
    assert str(fault) in posted.get(timeout=PATIENCE_S).why


def test_a_session_in_which_statistics_were_shown_replays(rigs: Rigs) -> None:
    """The answer is an event of the session: nothing is counted again, and each picture is the same."""
    rig = played_before(rigs)
    rig.press("ok")  # the same table again
    rig.press("back", ms=1000)
    rig.choose("Statistics")
    assert counted(rig, "3 matches", "Ann: 2 of 3 won"), rig.screen
    rig.press("back")
    recorder = rig.loop._recorder
    rig.loop._note()
    session = list(sealed(map(str, [recorder.header("test"), *recorder.lines()])))
    events = [step.event for step in Replay(session, games(), find)]
    (found,) = [event for event in events if isinstance(event, StatisticsCounted)]
    assert found.game == "scorepad"
