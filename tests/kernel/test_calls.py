"""Calls: what the referee says about an act is derived when somebody asks, and a faulty engine only loses its call."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy import Toy
from written import DEAL, HEADER, TAKE

from umpi.cli import main
from umpi.games.dodekka import Dodekka
from umpi.i18n import translate
from umpi.kernel import Act, Call, Match, Result, Who, message
from umpi.kernel.calls import calls_of, over_calls
from umpi.kernel.game import Game
from umpi.kernel.messages import Message
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import games

HIGH = 8  # a bet that is called


def high_bet(after: Toy, before: Toy, act: Act) -> tuple[Call, ...]:
    """Call a high bet, with the seat that made it."""
    if act.given.get("stake", 0) < HIGH:
        return ()
    gain = after.points[before.turn] - before.points[before.turn]
    text = message("{who} bets {stake}", who=Who(before.turn), stake=gain)
    return (Call("high-bet", text, {"seat": before.turn, "stake": gain}),)


def toy(*stakes: int, calls: Callable[..., Any] = high_bet) -> Match:
    """Play these bets, in a toy with these calls."""
    match = Match(type("Calling", (Toy,), {"__module__": __name__, "calls": calls}), ["Ann", "Ben"])
    for stake in stakes:
        match.play(bet(stake))
    return match


def bet(stake: int) -> Act:
    return Act("say", {"bet": True, "stake": stake, **({"sure": True} if stake > 5 else {})})


def lines(match: Match, index: int = -1) -> list[dict[str, Any]]:
    return [call.line() for call in match.calls(index)]


def test_a_call_names_the_player_and_has_its_keys() -> None:
    """calls.md: `kind`, `text` with seats as names, and the keys."""
    assert lines(toy(2, HIGH)) == [{"kind": "high-bet", "text": "Ben bets 8", "seat": 1, "stake": 8}]


def test_each_act_keeps_its_calls_and_no_act_has_none() -> None:
    """Calls are derived from the positions, so any act of the match can be asked about."""
    match = toy(HIGH, 2, 1, 9)
    assert [lines(match, index) for index in (0, 1, 2)] == [lines(toy(HIGH)), [], []]
    assert lines(match, -4) == lines(match, 0)
    assert lines(match, 3) == lines(match, -1) != []
    assert lines(match, 4) == lines(match, -5) == lines(toy()) == []


def test_the_end_is_called_last_by_the_kernel() -> None:
    """calls.md: `over` with `winners` and `why`, in the order in which calls are made."""
    high, over = lines(toy(HIGH, 1, 9))
    assert high["kind"] == "high-bet"
    assert over == {"kind": "over", "text": "Ann wins: most points", "winners": (0,), "why": "most points"}


def test_a_game_without_calls_still_calls_the_end() -> None:
    match = Match(Toy, ["Ann", "Ben"])
    assert (match.calls(), match.play(bet(9)), match.calls()) == ((), match.now, ())
    match.play(bet(2))
    match.play(bet(9))
    assert [call["kind"] for call in lines(match)] == ["over"]


def test_shared_victory_names_all_winners_and_the_reason_names_players() -> None:
    """A seat in `why` becomes a name as well."""
    result = Result((1, 2, 1), message("{who} has left", who=Who(1)))
    (call,) = (call.with_names(("Ann", "Ben", "Cleo")) for call in over_calls(result))
    assert call.text == "Ann and Cleo share the victory: Ben has left"
    assert call.keys == {"winners": (0, 2), "why": "Ben has left"}


def test_undo_removes_a_call_and_an_edit_derives_it_again() -> None:
    """calls.md: never stored."""
    match = toy(HIGH, 2)
    match.undo()
    assert lines(match)[0]["stake"] == 8
    match.play(bet(9))
    assert lines(match)[0]["text"] == "Ben bets 9"
    other, lost = match.amended(0, bet(1))
    assert (lines(other, 0), lines(other)[0]["stake"], lost) == ([], 9, [])
    assert lines(match, 0)[0]["stake"] == 8


def test_a_text_can_be_translated() -> None:
    """The text keeps its template and values; an unnamed player has the colour's name in the box's language."""
    match = Match(type("Calling", (Toy,), {"calls": high_bet}), ["Red", "Ben"])
    match.play(bet(HIGH))
    (call,) = match.calls()
    assert isinstance(call.text, Message)
    assert call.text.template == "{who} bets {stake}"
    translate.set_language("fr")
    try:
        assert translate.tr(call.text) == "Rouge bets 8"
    finally:
        translate.set_language("en")


def failing(after: Toy, before: Toy, act: Act) -> Any:
    return 1 // 0


def strange(found: object) -> Callable[..., Any]:
    return lambda after, before, act: found


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        (failing, "ZeroDivisionError"),
        (strange(None), "returns a NoneType, not a tuple of Call"),
        (strange(Call("high", "High")), "returns a Call, not a tuple of Call"),
        (strange(("High",)), "returns a str among its Call"),
        (strange((Call("high", None),)), "not a word, a text and a dict"),  # type: ignore[arg-type]
        (strange((Call("high", "High", {"cards": {1, 2}}),)), 'gives "high" keys that are not JSON'),
        (strange((Call("high", "High", {"chance": float("nan")}),)), 'gives "high" keys that are not JSON'),
        (strange((Call("high", message("{who}", who=Who(7))),)), "IndexError"),
    ],
)
def test_a_faulty_call_is_logged_with_its_place_and_the_game_goes_on(
    calls: Callable[..., Any], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The act stays valid, its call is missing, and the end is still called."""
    match = toy(HIGH, 1, calls=calls)
    assert caplog.records == []
    assert match.calls() == ()
    (logged,) = caplog.records
    assert (logged.levelno, why in logged.message, bool(logged.exc_info)) == (logging.ERROR, True, True)
    match.play(bet(9))
    assert [call.kind for call in match.calls()] == ["over"]
    assert match.now.scores() == (17, 1)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_the_kinds_of_calls_are_those_of_the_calls(game: type[Game]) -> None:
    played = play_out(game, ["Ann", "Ben"], seed=4)
    match = Match(game, played.players)
    kinds = list[str]()
    assert match.kinds() == kinds
    for act in played.acts:
        match.play(act)
        kinds += [call.kind for call in match.calls()]
        assert match.kinds() == kinds
    assert kinds[-1] == "over"


def test_calls_that_fail_have_no_kinds_and_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    match = toy(HIGH, 1, calls=failing)
    assert match.kinds() == []
    assert len(caplog.records) == len(match.acts)
    match.play(bet(9))
    assert match.kinds() == ["over"]
    assert toy(HIGH, calls=strange(("High",))).kinds() == []


def test_the_log_names_the_file_and_the_line_of_the_engine(caplog: pytest.LogCaptureFixture) -> None:
    match = toy(HIGH, calls=failing)
    match.calls()
    line = failing.__code__.co_firstlineno + 1
    assert f"the game's code: {__file__}, line {line}, in failing" in caplog.records[0].message


def test_an_act_costs_nothing_until_its_calls_are_asked_for() -> None:
    """Random games derive no call."""
    asked = []
    match = toy(HIGH, 1, calls=lambda after, before, act: asked.append(act) or ())
    assert asked == []
    match.calls()
    assert len(asked) == 1


def test_the_engine_alone_can_be_asked_and_then_raises() -> None:
    """`umpi check` reports what fails."""
    match = toy(HIGH, calls=failing)
    with pytest.raises(ZeroDivisionError):
        calls_of(match.position(0), match.acts[0], match.now)
    assert match.position(0).scores() == (0, 0)


def traced(folder: Path, capture: pytest.CaptureFixture[bytes], *written: object) -> list[dict[str, Any]]:
    path = folder / "game.jsonl"
    path.write_text("\n".join(map(json.dumps, [HEADER, *written])), encoding="utf-8")
    main(["replay", "--trace", str(path)])
    return [json.loads(line) for line in capture.readouterr().out.splitlines()]


def test_the_trace_prints_calls_in_the_line_of_an_accepted_act_only(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """calls.md: where there are any; undo, refuse, note and an error have none."""
    bust = {"do": "turn", "card": "ether-4"}, {"do": "turn", "card": "air-1"}
    written = [DEAL, *bust, {"undo": 1}, {"note": "x"}, {"refuse": bust[0]}, bust[1], TAKE]
    *trace, last = traced(tmp_path, capfdbinary, *written)
    call = {"kind": "bust", "text": "DODEKKA! Ben takes 5 cards and deals three", "seat": 1, "total": 13, "cards": 5}
    assert {step["line"]: step["calls"] for step in trace if "calls" in step} == {4: [call], 8: [call]}
    assert [step["line"] for step in trace] == list(range(2, 9))
    assert set(last) == {"n", "line", "error", "state"}


def test_a_trace_goes_on_without_the_calls_of_a_faulty_engine(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Dodekka, "calls", failing)
    first, second, last = traced(tmp_path, capfdbinary, DEAL, TAKE)
    assert [set(step) for step in (first, second)] == [{"n", "line", "state"}] * 2
    assert last == {"n": 2, "state": second["state"]}
