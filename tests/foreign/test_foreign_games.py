"""Games of strangers: installed by pip, checked, and played by buttons and phones on the referee."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.kit.foreign_table import MS, PACKAGES, Table
from tests.kit.rig import Rigs
from umpi.box.config import Config
from umpi.conformance import check_game
from umpi.conformance.new_game import BadName, write_package
from umpi.display.modes import spoken
from umpi.kernel.fields import Value
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.random_games import play_out
from umpi.kernel.record import check_table, dump, replay
from umpi.kernel.registry import find
from umpi.lab import games
from umpi.lab.games import Experiment, Played, play_game
from umpi.lab.search import has_choice
from umpi.lab.strategies import BUILT_IN, RandomStrategy, _looked_for
from umpi.lab.world import Outlook
from umpi.referee.effects import PlaySound, SayAloud, SendReply
from umpi.referee.remote import RemoteRequest
from umpi.simulator.script import play_script
from umpi.simulator.virtual import with_lanes
from umpi.simulator.writing import PRESS_MS, write_scenario
from umpi.table.commands import Do, GoBack, Start, TakeBack
from umpi.table.seating import Seating
from umpi.web.forms import ask_form, following
from umpi.web.past import entries, record_of
from umpi.web.private import private_texts
from umpi.web.shown import shown_of

pytestmark = pytest.mark.usefixtures("foreign")

GAMES = ("blind-market", "bold-bids", "green-light", "hot-six", "hot-six-cup", "night-ferry", "quiet-high")
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_an_example_for_authors_is_short_and_its_types_are_checked(package: Path) -> None:
    """The reader of the guide reads it whole; mypy checks it with the option `strict`, as the tests of Umpi do."""
    (file,) = package.glob("*.py")
    assert len(file.read_text(encoding="utf-8").splitlines()) < 200
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert file.stem in checked["modules"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_foreign_game_holds_what_every_engine_must(game: str) -> None:
    check_game(find(game), games=1)


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_is_the_same_again_and_its_record_replays(game: str) -> None:
    match = play_out(find(game), ("Ann", "Ben"), seed=7)
    assert match.acts == play_out(find(game), ("Ann", "Ben"), seed=7).acts
    header = {"umpi": 1, "game": game, "players": match.players, "options": {}}
    lines = [dump(line).encode() for line in (header, *(act.line() for act in match.acts))]
    *_, last = replay(lines, find)
    assert (last.error, last.record and last.record.match.state()) == ("", match.state())


def test_the_box_rolls_and_a_player_cannot_choose_or_take_back_the_roll() -> None:
    table = Table("hot-six", dice="box", goal=500)
    form = ask_form(table.match.asks[0], ("Red", "Blue"))
    assert (form["verb"], form["fields"]) == ("roll", [])  # one tap on a phone
    assert following(table.match.asks[0], {}, ("Red", "Blue"))["refusal"] == ""
    assert table.phone(0, "roll", dice=(1, 1, 1, 1, 1, 1)).text == "Only the box can enter dice."
    assert table.phone(0, "roll").how == "done"
    (line, who), dice = table.recorded[-1], table.match.acts[0].given["dice"]
    assert (line["dice"], who, len(dice)) == (dice, "box", 6)
    table.grant(Start(table.referee.session.table))
    table.press("red")
    assert len(table.match.acts[0].given["dice"]) == 6
    assert table.recorded[-1][1] == "box"
    assert table.match.acts[0].given["dice"] != dice  # the box has drawn again


def test_an_act_of_the_box_at_once_does_not_hide_or_cut_short_the_call_before_it() -> None:
    table = Table("blind-market", lots=2, voice=True)
    table.wait(50)
    assert [act.verb for act in table.match.acts] == ["lot"]
    assert table.phone(0, "bid", seat=0, coins=16).how == "refused"
    table.phone(0, "bid", seat=0, coins=3)
    table.phone(1, "bid", seat=1, coins=2)
    table.wait(50)
    assert [act.verb for act in table.match.acts] == ["lot", "bid", "bid", "lot"]
    sold = "Bids 3, 2: Red takes it"
    assert table.referee.panel.calls.current.text == sold
    assert [call["text"] for call in table.document["calls"]] == [sold], "what the phones show"
    spoken = [each.text for each in table.effects if isinstance(each, SayAloud)]
    assert spoken[-1].startswith(sold), "a new text ends the one that is being spoken"
    table.phone(0, "bid", seat=0, coins=0)
    table.phone(1, "bid", seat=1, coins=1)
    assert [call["kind"] for call in table.document["calls"]] == ["sold", "over"], "and no older one"


def test_a_forgotten_round_is_inserted_with_the_draw_of_the_box_in_it() -> None:
    table = Table("blind-market", lots=4)
    table.wait(50)
    for coins in (1, 2, 3):
        table.phone(0, "bid", seat=0, coins=coins)
        table.phone(1, "bid", seat=1, coins=0)
        table.wait(50)
    table.grant(GoBack(4))
    table.wait(50)
    assert len(table.match.acts) == 4, "the box does not draw before what is on hold"
    for seat in (0, 1):
        table.phone(seat, "bid", seat=seat, coins=0)
    table.wait(50)
    assert [act.verb for act in table.match.acts[4:]] == ["bid", "bid", "lot"]


def test_the_table_rolls_if_the_players_want_that() -> None:
    table = Table("hot-six", goal=500)
    table.press("red", "red", "blue", "blue", "yellow", "yellow")
    assert table.match.acts[0].given == {"dice": (1, 1, 2, 2, 3, 3)}
    assert table.recorded[-1][1] == "panel"


def test_a_signal_comes_after_a_hidden_time_and_reactions_are_measured_from_it() -> None:
    table = Table("green-light", rounds=1)
    assert (table.lit, table.referee.panel.table.state.clock) == ((), "")
    assert not [ask for ask in table.match.asks if ask.verb == "signal" and not ask.of_box]
    assert table.phone(None, "signal").text == 'Only the box can do "signal".'
    table.wait(1_000)
    assert table.match.acts == []
    timed = table.referee.session.timed
    signal_ms = timed.due_ns // MS
    table.wait(signal_ms - table.now_ms)
    assert [act.verb for act in table.match.acts] == ["signal"]
    assert table.recorded[-1][1] == "box"
    assert (table.lit, table.title) == ((0, 1), "Now!")
    assert [each.sound for each in table.effects if isinstance(each, PlaySound)][-1] == "time"
    table.wait(222)
    table.press("blue")
    assert table.match.acts[-1].given == {"seat": 1, "ms": 222, "bound": 1}
    table.wait(2_700)
    assert table.match.now.result() is None
    table.wait(400)  # the round ends by itself, three seconds after the press
    assert table.match.now.result().winners == (1,)


def test_a_reaction_longer_than_the_game_accepts_is_refused_and_not_cut() -> None:
    table = Table("green-light", ("Red", "Blue", "Yellow"), rounds=1)
    table.wait(table.referee.session.timed.due_ns // MS - table.now_ms)
    for colour in ("red", "blue"):
        table.wait(2_400)
        table.press(colour)
    before = table.match.now
    table.wait(2_400)
    assert table.phone(2, "press", seat=2).text == "ms: the box measured 7360 ms. This game accepts 0 to 5000 ms."
    table.press("yellow")
    assert table.match.now is before
    table.wait(600)
    assert table.match.now.result().winners == (0,)


def test_reactions_that_cannot_be_told_apart_are_a_tie() -> None:
    """A phone's press is known to 5 ms, a button's to 1 ms: 6 ms apart they may have been at the same time."""
    for gap_ms, first in ((6, (0, 1)), (7, (1,))):
        table = Table("green-light", rounds=1)
        table.wait(table.referee.session.timed.due_ns // MS - table.now_ms)
        table.wait(300)
        at_ns, table.id = table.now_ms * MS, 1
        press = Do((Act("press", {"seat": 1}),))
        table.step(RemoteRequest(at_ns, table.referee.session.question, press, 1, table.id, at_ns - 5 * MS))
        table.wait(gap_ms)
        table.press("red")
        assert table.match.acts[-2].given == {"seat": 1, "ms": 300, "bound": 5}
        assert table.match.acts[-1].given == {"seat": 0, "ms": 300 + gap_ms, "bound": 1}
        assert table.match.now.result().winners == first


def test_a_press_before_the_signal_is_a_false_start_and_the_wait_begins_again() -> None:
    table = Table("green-light", rounds=1)
    first = table.referee.session.timed.due_ns
    assert first
    table.press("red")
    assert table.match.now.scores() == (-1, 0)
    assert table.referee.session.timed.due_ns != first
    table.wait(table.referee.session.timed.due_ns // MS - table.now_ms + 250)
    assert [act.verb for act in table.match.acts] == ["press", "signal"]
    table.press("blue")
    assert table.match.now.result().winners == (1,)


def test_a_phone_that_did_not_see_the_signal_yet_has_pressed_too_early() -> None:
    """Its press answers the question before the signal, and came after it: no reaction is so quick."""
    table = Table("green-light", rounds=1)
    question, table.id = table.referee.session.question, 1
    table.wait(table.referee.session.timed.due_ns // MS - table.now_ms)
    table.step(RemoteRequest(table.now_ms * MS, question, Do((Act("press", {"seat": 0}),)), 0, 1))
    table.wait(100)
    assert (table.match.acts[-1].by, table.match.acts[-1].given["ms"]) == (None, 0)
    assert table.match.now.scores()[0] == -1


def everything(table: Table) -> str:
    """All that a phone, the television or a reader of the record can get of the match now."""
    view = table.referee._viewer.view(table.referee._look)
    parts = shown_of(view), entries(view), record_of(view), table.match.state(), view.calls
    return json.dumps(parts, default=str)


def test_secret_answers_appear_together_and_nowhere_before() -> None:
    table = Table("bold-bids", ("Red", "Blue", "Yellow"), rounds=1)
    before = everything(table)
    assert table.phone(1, "bid", seat=1, bid=1).how == "done"
    assert table.match.acts == []
    shown = everything(table).replace("Answers: 1 of 3", "Answers: 0 of 3")
    assert shown.replace('"answered": [1]', '"answered": []') == before, "who has answered, but not what"
    assert table.phone(2, "bid", seat=1, bid=0).how == "forbidden"
    assert table.phone(2, "bid", seat=2, bid=5).how == "refused"
    assert table.phone(2, "bid", seat=2, bid=0).how == "done"
    assert table.phone(2, "bid", seat=2, bid=1).how == "done"  # it may change its mind
    assert table.recorded == []
    assert table.phone(0, "bid", seat=0, bid=0).how == "done"
    assert [(line["seat"], line["bid"]) for line, _ in table.recorded] == [(0, 0), (1, 1), (2, 1)]
    assert len({line["at"] for line, _ in table.recorded}) == 1  # nor does the record say who thought longest
    assert table.referee.session.calls[-1].kind == "bids"
    table.grant(TakeBack())
    assert (table.match.acts, table.referee.session.sealed) == ([], frozenset())


def test_who_wants_to_undo_a_secret_answer_reads_that_it_can_be_changed() -> None:
    table = Table("bold-bids", rounds=1)
    assert table.phone(1, "bid", seat=1, bid=1).how == "done"
    undo = RemoteRequest(table.now_ms * MS, table.referee.session.question, TakeBack(1), 1, 99)
    table.step(undo)
    table.wait(100)
    replies = [each.reply for each in table.effects if isinstance(each, SendReply) and each.id == 99]
    text = "Blue, you have answered. You can change your answer until all have answered."
    assert [(reply.how, reply.text) for reply in replies] == [("forbidden", text)]


def test_a_secret_answer_is_given_behind_a_hand_at_the_box() -> None:
    table = Table("bold-bids", rounds=1)
    assert table.title == "Bid 0 to 1: who?"
    table.press("red")
    assert table.referee.panel.question[0].text == "Red only: the others look away."
    table.press("ok")
    assert table.referee.panel.screen().private
    assert spoken(table.referee.panel.screen()) == ("A secret question is on the screen",)
    table.press("blue")  # the key of 1 is among the right three
    assert (table.match.acts, table.title) == ([], "Bid 0 to 1: who?")
    marks = [choice.marked for choice in table.referee.panel.question[0].choices]
    assert marks == [True, False]
    table.press("blue", "ok")
    assert table.phone(0, "bid", seat=0, bid=1).how == "done"  # Red corrects the bid while Blue is at the box
    assert table.referee.panel.screen().private
    table.press("red")
    assert [act.given["bid"] for act in table.match.acts] == [1, 0]
    table.press("red", "red")
    assert table.match.now.result() is not None


def test_a_team_answers_a_secret_question_as_one() -> None:
    """Either partner answers for both, and may change what the other has answered."""
    table = Table("bold-bids", ("Red", "Blue", "Yellow", "Green"), rounds=1, partners=True)

    def heard(seat: int) -> list[str]:
        return private_texts(table.referee._viewer.view(table.referee._look), seat)

    assert table.phone(1, "bid", seat=1, bid=1).how == "done"
    question = table.document["question"]
    assert question
    assert (question["answered"], question["together"]) == ([1, 3], [[0, 2], [1, 3]])
    assert "Answers: 1 of 2" in everything(table)
    assert (heard(3), heard(2)) == (["Your team has answered."], ["Bid 0 to 1"])
    assert table.phone(1, "bid", seat=3, bid=0).how == "forbidden"
    assert table.phone(3, "bid", seat=3, bid=0).how == "done"
    assert (table.referee.session.sealed, table.match.acts) == ({1, 3}, [])
    assert table.phone(2, "bid", seat=2, bid=1).how == "done"
    assert [act.given for act in table.match.acts] == [{"seat": 2, "bid": 1}, {"seat": 3, "bid": 0}]
    for seat, tricks in enumerate((1, 0, 0)):
        table.phone(seat, "tricks", tricks=tricks)
    table.phone(3, "tricks", tricks=0)
    assert table.match.now.scores() == (20, 10, 20, 10)
    for _ in range(5):
        table.grant(TakeBack())
    assert table.match.now.bids == (None,) * 4, "the answers of both teams are undone together"


def test_the_partner_may_look_when_a_team_answers_at_the_box() -> None:
    table = Table("bold-bids", ("Red", "Blue", "Yellow", "Green"), rounds=1, partners=True)
    table.press("yellow")
    assert table.referee.panel.question[0].text == "Red & Yellow only: the others look away."
    table.press("ok", "red")
    marks = [choice.marked for choice in table.referee.panel.question[0].choices]
    assert marks == [True, False, True, False]


def test_who_wants_to_undo_the_answer_of_the_team_reads_that_it_can_be_changed() -> None:
    table = Table("bold-bids", ("Red", "Blue", "Yellow", "Green"), rounds=1, partners=True)
    assert table.phone(1, "bid", seat=1, bid=1).how == "done"
    table.step(RemoteRequest(table.now_ms * MS, table.referee.session.question, TakeBack(1), 3, 99))
    table.wait(100)
    replies = [each.reply for each in table.effects if isinstance(each, SendReply) and each.id == 99]
    text = "Green, your team has answered. You can change its answer until all have answered."
    assert [(reply.how, reply.text) for reply in replies] == [("forbidden", text)]


@pytest.mark.parametrize("options", [{"rounds": 1}, {"rounds": 1, "partners": True}])
def test_the_laboratory_counts_a_secret_answer_as_a_decision_and_shows_it_to_nobody(options: dict[str, Value]) -> None:
    seen: list[tuple[int, tuple[int | None, ...]]] = []

    class Spy(RandomStrategy):
        def act(self, match: Match, seat: int, outlook: Outlook) -> None:
            if match.now.phase == "bid":
                seen.append((seat, match.now.bids))
                assert {outlook.draw().given["seat"] for _ in range(20)} == {seat}
                assert has_choice(match, seat, outlook)

    names = ("spy",) * 4
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BUILT_IN, "spy", Spy)
        _looked_for.cache_clear()
        patch.setattr(games, "RandomStrategy", type("Other", (), {}))
        played = play_game(
            Experiment("bold-bids", {"rounds": 1, "partners": False, "storm": False} | options, names, 1), 0
        )
    _looked_for.cache_clear()
    assert isinstance(played, Played), played
    seats = [seat for seat, _ in seen]
    if "partners" in options:
        assert sorted(seat % 2 for seat in seats) == [0, 1]
    else:
        assert seats == [0, 1, 2, 3]
    assert all(bids == (None,) * 4 for _, bids in seen)


@pytest.mark.slow
def test_an_environment_shows_no_secret_answer_before_the_last() -> None:
    pettingzoo: Any = pytest.importorskip("umpi.lab.pettingzoo", reason="no PettingZoo here")
    seen = []
    for bid in ("bid=0", "bid=1"):
        env = pettingzoo.env("bold-bids", rounds=1)
        env.reset(seed=1)
        assert env.agent_selection == "seat_0"
        env.step(next(action for action, text in env.meanings().items() if text == bid))
        assert env.agent_selection == "seat_1"
        seen.append(env.observe("seat_1")["observation"].tolist())
    assert seen[0] == seen[1]


def test_the_laboratory_says_how_many_answers_a_secret_decision_has() -> None:
    experiment = Experiment("blind-market", {"coins": 10, "lots": 1}, ("random",) * 2, 1, probe=True)
    played = [play_game(experiment, number) for number in range(3)]
    choices = [each.probed.choices for each in played if isinstance(each, Played) and each.probed]
    assert len(choices) == 3
    assert min(choices) > 5, "11 bids are possible; 40 draws find most of them"


def test_the_phone_of_a_seat_reads_the_secret_question_to_it_alone() -> None:
    table = Table("bold-bids", rounds=1)

    def heard(seat: int) -> list[str]:
        return private_texts(table.referee._viewer.view(table.referee._look), seat)

    assert (heard(0), heard(1)) == (["Bid 0 to 1"], ["Bid 0 to 1"])
    assert table.phone(0, "bid", seat=0, bid=1).how == "done"
    assert (heard(0), heard(1)) == (["You have answered."], ["Bid 0 to 1"])
    assert table.phone(1, "bid", seat=1, bid=0).how == "done"
    assert (heard(0), heard(1)) == ([], []), "the tricks are no secret"


def test_what_follows_from_a_seat_is_read_with_its_secret_question() -> None:
    table = Table("blind-market", coins=10, lots=1)
    table.wait(1000)
    lot = table.match.now.lot
    heard = private_texts(table.referee._viewer.view(table.referee._look), 1)
    assert heard == [f"Lot of {lot}: bid", "How many coins?"]


def test_secret_answers_survive_a_power_cut_and_stay_secret(rigs: Rigs) -> None:
    rig = rigs()
    rig.grant(Start(Seating(find("bold-bids"), ("Ann", "Ben"), (0, 1), {"rounds": 1})))
    rig.wait_ms(200)
    rig.grant(Do((Act("bid", {"seat": 1, "bid": 1}),)))
    assert (rig.referee.session.sealed, rig.acts, rig.lines) == ({1}, [], 0)
    rigs.switch_off()
    rig = rigs()
    assert (rig.referee.session.sealed, rig.acts, rig.lines) == ({1}, [], 0)
    rig.grant(Do((Act("bid", {"seat": 0, "bid": 0}),)))
    assert [act.given for act in rig.referee.session.match.acts] == [{"seat": 0, "bid": 0}, {"seat": 1, "bid": 1}]
    rig.wait_ms(200)
    rig.grant(TakeBack())
    rigs.switch_off()
    assert rigs().referee.session.sealed == set(), "the answers belong to a question of before"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("blind-market", 3, {"lots": 2}), ("bold-bids", 4, {"rounds": 2, "partners": True}), ("night-ferry", 2, {}),
        ("quiet-high", 2, {}),
        ("hot-six", 2, {"goal": 500, "dice": "box"}), ("hot-six-cup", 2, {"goal": 500, "rounds": 2}),
    ],
)  # fmt: skip
def test_a_record_becomes_a_scenario_with_secrets_lots_and_teams(
    game: str, seats: int, options: dict[str, Value], tmp_path: Path
) -> None:
    players = ("Ann", "Ben", "Cleo", "Dan")[:seats]
    plays(play_out(find(game), players, options, seed=1), tmp_path)


@pytest.mark.slow
def test_a_scenario_has_hands_of_ten_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No search for a seed finds such a hand: the numbers of the lot are written out."""
    game = find("quiet-high")
    monkeypatch.setattr(sys.modules[game.__module__], "HAND", 10)
    plays(play_out(game, ("Ann", "Ben"), {"rounds": 1}, seed=1), tmp_path)


@pytest.mark.slow
def test_a_scenario_waits_for_the_box_and_reacts_as_fast_as_in_the_record(tmp_path: Path) -> None:
    match = Match(find("green-light"), ("Ann", "Ben"), {"rounds": 1})
    presses = (Act("press", {"seat": seat, "ms": ms, "bound": 5}) for seat, ms in ((1, 222), (0, 223 + PRESS_MS)))
    for act in (Act("signal"), *presses):
        match.play(act)
    lines = plays(match, tmp_path).splitlines()
    assert [line for line in lines if line.startswith("wait")][-2:] == ["wait 222 ms", "wait 1 ms"]
    assert lines[-3:] == ["expect 'Blue wins!'", "lamp blue", 'expect "0" "1"']


def plays(match: Match, folder: Path) -> str:
    """Write the scenario of a match, and play it."""
    config = with_lanes(Config(journal=folder / "games.db"), 1)
    text = write_scenario(match, "game.jsonl", config)
    (folder / "game.txt").write_text(text)
    play_script(folder / "game.txt", config)
    return text


def test_each_round_of_a_cup_begins_with_the_next_seat() -> None:
    cup = find("hot-six-cup").setup(3, rounds=4)
    assert [first.turn for first in cup.firsts] == [0, 1, 2]
    match = play_out(find("hot-six-cup"), ("Ann", "Ben", "Cleo"), {"rounds": 4, "goal": 500}, seed=3)
    begins = [match.position(0), *(match.position(index + 1) for index in range(len(match.acts))
                                   if match.position(index + 1).played > match.position(index).played)]  # fmt: skip
    assert [each.game.turn for each in begins[:-1]] == [0, 1, 2, 0]


def test_partners_share_a_score_and_win_together() -> None:
    game, players = find("bold-bids"), ("Ann", "Ben", "Cleo", "Dan")
    match = play_out(game, players, {"partners": True, "rounds": 2}, seed=3)
    scores, winners = match.now.scores(), match.now.result().winners
    assert (scores[0], scores[1]) == (scores[2], scores[3])
    assert {0, 2} <= set(winners) or {1, 3} <= set(winners)
    if len(winners) == 2:
        assert match.calls()[-1].text.startswith(("Ann and Cleo win:", "Ben and Dan win:"))
    with pytest.raises(Refused, match="four or six"):
        check_table(game, 3, {"partners": True})


def test_an_expansion_adds_an_option_and_an_act_to_a_game_of_another_package() -> None:
    game = find("bold-bids")
    assert [option.name for option in game.options] == ["rounds", "partners", "storm"]
    match = Match(game, ("Ann", "Ben"), {"storm": True, "rounds": 1})
    for act in (Act("bid", {"seat": 0, "bid": 0}), Act("bid", {"seat": 1, "bid": 0}), Act("storm")):
        match.play(act)
    assert match.asks[0].fields[-1].refuse(1)  # the only trick is sunk
    without = Match(game, ("Ann", "Ben"), {"rounds": 1})
    assert without.after(*match.acts[:2])[0].verb == "tricks"


def test_no_expansion_is_written_for_a_game_that_asks_in_secret_all_the_time(tmp_path: Path) -> None:
    with pytest.raises(BadName, match="Blind market asks in secret"):
        write_package("tea-break", tmp_path, "blind-market")
    assert list(tmp_path.iterdir()) == []


def test_a_game_of_rounds_begins_a_round_after_each_result() -> None:
    match = play_out(find("hot-six-cup"), ("Ann", "Ben"), {"rounds": 3, "goal": 500}, seed=5)
    assert sum(match.now.scores()) == 3
    calls = [call for index in range(len(match.acts)) for call in match.calls(index)]
    assert [call.keys["round"] for call in calls if call.kind == "round"] == [1, 2]
    assert [call.kind for call in calls][-1] == "over"
