"""Calls: what the referee says about an act is derived when somebody asks, and a faulty engine only loses its call."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest
from toy import Toy
from written import DEAL, HEADER, TAKE

from umpi.cli import main
from umpi.games.dodekka import Dodekka
from umpi.i18n import translate
from umpi.kernel import Act, Ask, Call, Game, Match, Now, Result, Who, message, override
from umpi.kernel.calls import calls_of, over_calls
from umpi.kernel.match import Broken
from umpi.kernel.messages import Message
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.now import now_of
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


def test_the_end_is_called_last_by_the_kernel() -> None:
    """calls.md: `over` with `winners` and `why`, in the order in which calls are made."""
    high, over = lines(toy(HIGH, 1, 9))
    assert high["kind"] == "high-bet"
    assert over == {"kind": "over", "text": "Ann wins: most points", "winners": (0,), "why": "most points"}


def test_shared_victory_names_all_winners_and_the_reason_names_players() -> None:
    """A seat in `why` becomes a name as well."""
    result = Result((1, 2, 1), message("{who} has left", who=Who(1)))
    (call,) = (call.with_names(("Ann", "Ben", "Cleo")) for call in over_calls(result))
    assert call.text == "Ann and Cleo share the victory: Ben has left"
    assert call.keys == {"winners": (0, 2), "why": "Ben has left"}


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
        (strange((Call("high", message("{who}", who=Who(7))),)), "names seat 7; the last seat is 1"),
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


# The sentence `now`: made by the engine or from its offer, with names, and absent after the end.


@dataclass(frozen=True)
class Countdown(Game):
    """Each player in turn takes one of three stones."""

    id: ClassVar = "countdown"
    title: ClassVar = "Countdown"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(2, 3)
    left: int = 3

    @classmethod
    @override
    def setup(cls, seats: int, *_: Any, **options: Any) -> Self:
        return cls()

    @property
    def phase(self) -> str:
        return "take" if self.left else "over"

    @override
    def asks(self) -> tuple[Ask, ...]:
        return (Ask("take", "Take a stone", (), (3 - self.left) % 2),) if self.left else ()

    def do_take(self, seat: int) -> Self:
        return type(self)(self.left - 1)

    @override
    def scores(self) -> tuple[int, ...]:
        return 0, 0

    @override
    def result(self) -> Result | None:
        return None if self.left else Result((1, 2), "the last stone")

    @override
    def facts(self) -> dict[str, Any]:
        return {}


class Plain(Countdown):
    """Says it as a text."""

    @override
    def now(self) -> Any:
        return "Take one."


def test_a_text_in_place_of_the_sentence_is_refused_with_the_line_of_the_engine() -> None:
    with pytest.raises(Misshapen, match=r"now\(\) returns a str, not a Now") as fault:
        now_of(Plain(), Plain().asks())
    assert fault.value.code is Plain.now.__code__


class Spoken(Countdown):
    """Says it in its own words."""

    @override
    def now(self) -> Now:
        seat = (3 - self.left) % 2
        return Now(message("{who}: take one.", who=Who(seat)), seat, message("{who}, take a stone.", who=Who(seat)))


class Failing(Countdown):
    """Fails to say anything."""

    @override
    def now(self) -> Now:
        raise ZeroDivisionError


def test_an_engine_without_a_sentence_says_its_question_after_the_name() -> None:
    match = Match(Countdown, ["Ann", "Ben"])
    assert match.next_step == Now("Ann: Take a stone", 0)
    match.play(Act("take"))
    assert match.next_step == Now("Ben: Take a stone", 1)


def test_an_engine_has_a_sentence_of_its_own_with_names_for_the_eye_and_the_ear() -> None:
    now = Match(Spoken, ["Ann", "Ben"]).next_step
    assert now
    assert now.line() == {"text": "Ann: take one.", "seat": 0, "voice": "Ann, take a stone."}
    assert (now.aloud, Now("Go.").aloud) == ("Ann, take a stone.", "Go.")


def test_nobody_must_act_after_the_end() -> None:
    match = Match(Spoken, ["Ann", "Ben"])
    for _ in range(3):
        match.play(Act("take"))
    assert match.next_step is None


def test_an_engine_that_fails_costs_the_sentence_and_not_the_match(caplog: pytest.LogCaptureFixture) -> None:
    match = Match(Failing, ["Ann", "Ben"])
    with caplog.at_level(logging.ERROR):
        assert match.next_step is None
    assert "ZeroDivisionError" in caplog.text
    match.play(Act("take"))
    assert len(match.acts) == 1


class Misseated(Countdown):
    """Names a seat that the table has not."""

    @override
    def asks(self) -> tuple[Ask, ...]:
        return tuple(
            ask._replace(objection=lambda given: self._whose() if self.left == 1 else "") for ask in super().asks()
        )

    @override
    def now(self) -> Now:
        return Now(self._whose())

    @override
    def told(self, act: Act) -> str:
        return self._whose()

    @override
    def decided(self, act: Act) -> str:
        return self._whose()

    def _whose(self) -> str:
        return message("{who} did.", who=Who(2))


def test_a_sentence_that_names_a_seat_beyond_the_table_costs_the_sentence(caplog: pytest.LogCaptureFixture) -> None:
    match = Match(Misseated, ["Ann", "Ben"])
    match.play(Act("take"))
    match.play(Act("take"))
    with caplog.at_level(logging.ERROR):
        assert (match.next_step, match.told(-1), match.told(0)) == (None, "", "")
        assert [match.decided(Act("take"), whole) for whole in (True, False)] == ["", ""]
    assert [
        f'rules failed on "{what}"' in record.message
        for what, record in zip(("now", "told", "told", "decided", "decided"), caplog.records, strict=True)
    ] == [True] * 5
    with pytest.raises(Broken, match='rules failed on "take"'):
        match.play(Act("take"))
    assert len(match.acts) == 2
