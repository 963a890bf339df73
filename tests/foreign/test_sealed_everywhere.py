"""Hands that the box deals, searched for in everything that a box tells anybody but their owner.

The deck has numbers that occur nowhere else, so that a single card is found wherever it is, alone or in a hand. The
addresses that are asked are those of the box's own description.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kit.at_table import Phone, Table
from tests.kit.at_table import codes_of as codes
from tests.kit.journals import header
from tests.kit.rig import Rigs
from tests.kit.sampling import sampled
from umpi.cli import main
from umpi.journal import Journal, open_to_read
from umpi.journal.transfer import export
from umpi.kernel import registry
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.seal import Seal
from umpi.recording.names import without_names
from umpi.recording.report import report_lines
from umpi.referee.narrator import Narrator
from umpi.referee.question_clock import Timed
from umpi.service.logs import RecentMessages, handling, logging_to
from umpi.table.commands import Leave, StartMatch
from umpi.web.app import description

DESCRIPTION = description()
FIRST = 7_390_001  # the lowest card
CARD = re.compile(r"7\W?390\W?0\d\d|gem \d+")  # by its value or by its label
DIGEST = re.compile(r"[0-9a-f]{12,}")  # a hash or a name at random, which may hold the digits of a card
ANN, BEN, CLEO = range(3)
SOURCE = Path(__file__).with_name("quiet_high") / "quiet_high.py"
CHANGES = {
    "DECK = tuple(range(1, 61))": f"DECK = tuple(range({FIRST}, {FIRST + 60}))",
    'Pick("card", self.hands[seat], to=seat)': 'Pick("card", self.hands[seat], to=seat, label=gem)',
    'to=given["seat"])': 'to=given["seat"], label=gem)',
    "map(str, self.hands[seat])": "map(gem, self.hands[seat])",
    "HAND = 3": f"def gem(card: int) -> str:\n    return f'gem {{card - {FIRST} + 1}}'\n\n\nHAND = 3",
}


@pytest.fixture(autouse=True)
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install Quiet high with cards whose values and labels are found wherever they are."""
    text = SOURCE.read_text()
    for old, new in CHANGES.items():
        assert old in text
        text = text.replace(old, new)
    info = tmp_path / "site" / "quiet_high-1.dist-info"
    info.mkdir(parents=True)
    (info.parent / SOURCE.name).write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quiet-high\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[umpi.games]\nquiet-high = quiet_high:QuietHigh\n")
    monkeypatch.syspath_prepend(info.parent)
    monkeypatch.delitem(sys.modules, "quiet_high", raising=False)
    registry.look_again()
    yield
    monkeypatch.undo()
    sys.modules.pop("quiet_high", None)
    registry.look_again()


class Evening:
    """A box with a match of Ann, Ben and Cleo, a phone each, and all that may listen to it."""

    def __init__(self, rigs: Rigs, together: bool) -> None:
        rigs.codes_of = codes
        self.path, self.log, self.recent = rigs.folder / "games.db", io.StringIO(), RecentMessages()
        with closing(Journal(self.path)) as journal:
            journal.begin(header("quiet-high", ["Ann", "Ben", "Cleo"], rounds=2, together=together))
        self._open = contextlib.ExitStack()
        self._open.enter_context(logging_to(self.log, "debug", {}))
        self._open.enter_context(handling(self.recent))
        self.table = Table(rigs())
        self.table.rig.press("ok")  # it is paused after a restart
        self.table.rig.wait_ms(1000)
        self.phones = {seat: self.table.paired(seat) for seat in (ANN, BEN, CLEO)}
        self.referee, self.onlooker = self.table.paired(None), self.table.phone()
        self.replies: list[tuple[int, str]] = []
        self.broker = Heard()

    @property
    def match(self) -> Any:
        return self.table.referee.session.match

    def close(self) -> None:
        self._open.close()

    def play(self, seat: int, card: int) -> int:
        """Play a card by the phone of a seat; returns the status of the answer."""
        together = self.match.now.together
        own = {"seat": seat} if together else {}
        answer = self.phones[seat].act("choose" if together else "play", card=card, **own)
        self.replies.append((seat, answer.text.replace(str(card), "")))  # who has sent a card knows that one
        self.table.rig.wait_ms(100)
        return answer.status_code

    def told(self) -> Iterator[tuple[str, set[int], str]]:
        """Yield each text with its place, and the seats that may know more in it than everybody."""
        for who, phone in (*self.phones.items(), (None, self.referee), (None, self.onlooker)):
            for path, text in answers(phone):
                yield f"{path} of {who}", set() if who is None else {who}, text
        for seat, text in self.replies:
            yield "the answer to an act", {seat}, text
        yield "events", set(), self.table.rig.run(streamed(self.table.desk.stream))
        yield "panel", set(), self.panel()
        yield "log", set(), self.log.getvalue()
        yield "report", set(), self.report()
        yield "export", set(), self.exported()
        yield "broker", set(), self.published()
        for arguments in (["history"], ["history", "1"], ["history", "1", "--record"], ["history", "--export", "-"]):
            yield "umpi " + " ".join(arguments), set(), self.command(*arguments)
        yield "umpi stats", set(), self.command("stats")

    def panel(self) -> str:
        """Return what the panel shows and offers."""
        panel = self.table.referee.panel
        return str((panel.screen(), panel.question))

    def report(self) -> str:
        view = self.table.referee._viewer.view(self.table.referee._look)
        recorder = self.table.loop._recorder
        lines = list(report_lines(recorder, "test", self.table.rig.config, tuple(self.recent), view.saved))
        renamed = without_names(lines, registry.games(), registry.find)
        return b"".join([*lines, *renamed]).decode()

    def exported(self) -> str:
        with closing(open_to_read(self.path)) as file:
            return "\n".join(export(file))

    def command(self, *arguments: str) -> str:
        """Return what a command prints."""
        out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main([*arguments, "--journal", str(self.path)])
        out.flush()
        return out.buffer.getvalue().decode() + err.getvalue()  # type: ignore[attr-defined]

    def published(self) -> str:
        """Return what the bridge publishes of the table now, and of its matches."""
        pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")
        from tests.kit.fake_boxes import FakeApi
        from umpi.mqtt.bridge import Bridge, Shown
        from umpi.mqtt.broker import Connected
        from umpi.mqtt.outbox import Outbox

        onlooker = self.onlooker

        class Api(FakeApi):
            def get(self, path: str) -> Any:
                return onlooker.get(path).json()

        api = Api()
        bridge = Bridge(onlooker.get("box").json(), api, self.broker, Outbox(self.path.with_name("m.db")), now)
        bridge.handle(Connected())
        for _ in range(2):  # the second state has the calls
            bridge.handle(Shown({**self.table.document}))  # type: ignore[typeddict-item]
            bridge._question = ""
        bridge.catch_up()
        return "\n".join(self.broker.messages)


class Heard:
    """A broker that notes all that is published."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        self.messages.append(f"{topic} {payload!r}")
        return len(self.messages)

    def subscribe(self, *topics: str) -> None:
        pass


def now() -> datetime:
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


async def streamed(stream: Any) -> str:
    """Return all that a new listener gets of the versions that the box still has."""
    first = stream._ring[0].version
    heard = stream.follow(f"{stream.boot}.{first}")
    count = stream.version - first
    async with contextlib.aclosing(heard) as events:
        return "".join([(await anext(events)).decode() for _ in range(count + 1)])


def answered(phone: Phone, method: str, path: str, **body: Any) -> Any:
    """Ask, and return the answer; a server would write into its log what is raised."""
    try:
        return phone.ask(method, path, **({"json": body} if method == "POST" else {}))
    except Exception as fault:  # an engine's own code may raise anything
        return httpx.Response(500, text=f"{type(fault).__name__}: {fault}")


@lru_cache(1000)
def pretty(document: str) -> str:
    """Return a JSON document as people write it."""
    return json.dumps(json.loads(document), indent=2)


def answers(phone: Phone) -> Iterator[tuple[str, str]]:
    """Yield what a phone gets from each address that is read, compact and pretty, and from what it may ask."""
    filled = {"number": "1", "game": "quiet-high", "step": "0"}
    for path, operations in DESCRIPTION["paths"].items():
        if "get" not in operations or path.endswith(("/events", "/review")):  # a review is made from /record alone
            continue
        for index in range(6) if "{index}" in path else (0,):
            answer = answered(phone, "GET", path.format(index=index, **filled))
            yield path, answer.text
            if answer.headers.get("content-type", "").startswith("application/json"):
                yield f"{path}, pretty", pretty(answer.text)
    question = (phone.table.document["question"] or {}).get("id", "")
    yield "hand", answered(phone, "POST", "hand").text
    yield "hint", answered(phone, "POST", "hint", question=question).text
    for verb, given in (("play", {}), ("choose", {"seat": ANN}), ("choose", {"seat": BEN}), ("deal", {})):
        yield f"form {verb} {given}", answered(phone, "POST", "form", question=question, verb=verb, given=given).text


@lru_cache(1000)
def cards_in(text: str) -> list[str]:
    """Return the cards in a text, as they are written there."""
    return CARD.findall(DIGEST.sub("", text))


def test_the_hunt_finds_a_card_in_any_spelling_and_none_in_a_hash() -> None:
    told = "7390025, 7,390,026 and gem 4 of a hand with the hash 5c7390025a40618a"
    assert cards_in(told) == ["7390025", "7,390,026", "gem 4"]


def found(text: str, evening: Evening, knows: set[int], open_cards: Collection[int]) -> set[str]:
    """Return the cards in a text that nobody but their owner may know, as they are written there."""
    free = {card for seat in knows for card in evening.match.now.hands[seat]} | {*open_cards}
    named = {f"{card}" for card in free} | {f"gem {card - FIRST + 1}" for card in free}
    return {each for each in cards_in(text) if re.sub(r"(?<=\d)\W(?=\d)", "", each) not in named}


def leaks(evening: Evening, open_cards: Collection[int] = ()) -> dict[str, set[str]]:
    """Return the cards that each place tells to somebody who may not know them."""
    told = ((place, found(text, evening, knows, open_cards)) for place, knows, text in evening.told())
    return {place: cards for place, cards in told if cards}


@pytest.fixture
def evening(rigs: Rigs, request: pytest.FixtureRequest) -> Iterator[Evening]:
    evening = Evening(rigs, getattr(request, "param", False))
    yield evening
    evening.close()


@pytest.mark.slow
@pytest.mark.parametrize("evening", [False, True], indirect=True)
def test_no_card_of_a_hand_is_told_to_anybody_but_its_owner(evening: Evening) -> None:
    assert [len(hand) for hand in evening.match.now.hands] == [3, 3, 3]
    own = evening.phones[ANN].post("hand").text
    assert all(f"gem {card - FIRST + 1}" in own for card in evening.match.now.hands[ANN]), "the hunt finds cards"
    assert leaks(evening) == {}
    first = evening.match.now.hands[ANN][0]
    assert evening.play(ANN, first) == 200
    assert evening.play(CLEO, first) != 200, "it is not in her hand"
    shown = set() if evening.match.now.together else {first}  # it is on the table
    assert leaks(evening, shown) == {}


def test_a_report_after_a_restart_tells_no_card_of_a_match_that_can_be_resumed(evening: Evening, rigs: Rigs) -> None:
    rigs.switch_off()
    evening.table = table = Table(rigs())
    table.rig.wait_ms(500)
    assert len(evening.match.now.hands[ANN]) == 3
    for command in (Leave(table.referee.session.number), StartMatch("dodeka", ("Cleo", "Dan"), (0, 1))):
        assert cards_in(evening.report()) == []
        table.loop.request("", command, None)
        table.rig.settle()
    assert evening.match.game.id == "dodeka"
    assert cards_in(evening.report()) == []


def methods() -> list[str]:
    """List what an engine gives: the methods of a game, and of Quiet high itself."""
    own = {**vars(Game), **vars(registry.find("quiet-high"))}
    return sorted(name for name, value in own.items() if inspect.isfunction(value) and not name.startswith("__"))


def failing(self: Any, *_: Any, **__: Any) -> Any:
    """Fail as an engine may: with a text that names every card."""
    raise ValueError(f"these hands are wrong: {self.hands}")


@pytest.mark.slow
@pytest.mark.parametrize("evening", [False, True], indirect=True)
def test_a_fault_of_the_engine_names_no_card(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its methods fails once, while somebody acts and everybody looks."""
    assert {"asks", "own_hand", "do_play", "do_choose", "view", "told"} <= {*methods()}
    game, found_in, shown = registry.find("quiet-high"), {}, set[int]()  # what has been shown once stays in the record
    for name in sampled(methods(), 1):
        evening.log.seek(0)
        evening.log.truncate()
        evening.replies.clear()
        evening.recent._messages.clear()
        with monkeypatch.context() as broken:
            broken.setattr(game, name, failing)
            evening.play(ANN, evening.match.now.hands[ANN][0])
            shown |= {card for card in evening.match.now.table if card is not None}
            if there := leaks(evening, shown):
                found_in[name] = there
        evening.referee.post("undo", question=evening.table.question, count=1)
    assert found_in == {}


WRONG = f"these hands are wrong: {(FIRST, FIRST + 1, FIRST + 2)}"


def raising(*_: Any, **__: Any) -> Any:
    """Fail as an engine may in the middle of what the box does with its answers."""
    raise ValueError(WRONG)


@pytest.mark.parametrize(
    "part",
    ["_publish", "display.lesson.LearningPanel.picture", "table.board.board_of"],
)
def test_a_fault_while_the_box_shows_the_game_names_no_card(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    if part == "_publish":
        monkeypatch.setattr(evening.table.loop, part, raising)
    else:
        monkeypatch.setattr(f"umpi.{part}", raising)
    evening.play(ANN, evening.match.now.hands[ANN][0])
    told = evening.log.getvalue() + "".join(evening.recent) + evening.panel()
    assert ("ValueError. The rest may name" in told, cards_in(told)) == (True, [])


def test_a_fault_while_the_voice_reads_the_screen_names_no_card(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("umpi.referee.narrator.spoken", raising)
    view = evening.table.referee._viewer.view(evening.table.referee._look)
    assert Narrator().narrate(view) == ""
    told = evening.log.getvalue()
    assert ("the screen cannot be spoken" in told, cards_in(told)) == (True, [])


def test_a_fault_of_a_timed_act_names_no_card(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    session = evening.table.referee.session

    def refusing(*_: Any) -> Any:
        raise Refused(WRONG)

    monkeypatch.setattr(session.clock, "due", lambda ask: Timed(0, ask.verb, False))
    monkeypatch.setattr(session, "_reopened", True)
    monkeypatch.setattr("umpi.referee.session._sample_act", refusing)
    assert session.timed is None
    told = evening.log.getvalue()
    assert ("fails on its timed act play" in told, cards_in(told)) == (True, [])


def test_a_fault_while_a_match_is_resumed_names_no_card(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpi.referee.session.read_transcript", raising)
    evening = Evening(rigs, together=False)
    told = evening.log.getvalue() + "".join(evening.recent) + evening.panel()
    evening.close()
    assert ("match 1 cannot be resumed" in told, cards_in(told)) == (True, [])


def test_a_fault_of_the_first_deal_names_no_card_and_one_without_hands_keeps_its_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = registry.find("quiet-high")

    def wrong(self: Any, seat: None, cards: tuple[int, ...]) -> Any:
        raise ValueError(f"these cards are wrong: {cards}")

    monkeypatch.setattr(game, "do_deal", wrong)
    given = {"cards": (FIRST, FIRST + 1, FIRST + 2)}
    for seal in (Seal.of(given, ("cards",), "5f2a"), None):
        caplog.clear()
        with pytest.raises(Broken) as refused:
            Match(game, ("Ann", "Ben"), {}).play(Act("deal", given, seal=seal))
        assert bool(cards_in(refused.value.reason + caplog.text)) == (seal is None), "umpi check needs the text"
