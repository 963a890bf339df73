"""Restless evenings: random presses, cubes, scans, phones and news, in any order, on a referee that is by itself.

What is chosen at random is the same each time; a core that answers for the service writes down each event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.kit.core import Core
from tests.kit.evenings import event_line
from tests.kit.rig import MS
from umpi.kernel.game import Act
from umpi.kernel.messages import message
from umpi.kernel.random_games import NeverEnds, sample
from umpi.recording.values import dumped, plain
from umpi.referee.effects import Effect, FindHint, JournalCall, LetPhoneIn, PairingCall
from umpi.referee.events import (
    Answered,
    CardNews,
    DeviceStatus,
    Event,
    HintFound,
    LastUpdate,
    PhonesKnown,
    PictureShown,
    PuzzleFound,
    PuzzleJudged,
    Reach,
    ReportWritten,
    ReviewFound,
    ShelfNews,
    StatisticsCounted,
    Tick,
)
from umpi.referee.ports import JournalPort, PairingPort
from umpi.referee.remote import RemoteRequest, Withdrawn
from umpi.referee.setup import BoxSetup
from umpi.table.card import FoundNetwork
from umpi.table.commands import (
    AddPhone,
    Admit,
    AgreeToCard,
    AskHint,
    AskToJoin,
    CloseJoin,
    Correct,
    Do,
    Leave,
    NamePlayer,
    Occupy,
    OfferMatch,
    OpenJoin,
    Rematch,
    RemoteCommand,
    Settle,
    ShowRace,
    StartMatch,
    TakeBack,
    TurnAway,
    UnpairPhone,
    UseCard,
    UseShelf,
    Withdraw,
)
from umpi.table.joining import Claim
from umpi.table.lot import Lot
from umpi.table.shelf_work import KnownShelf
from umpi.timing.edge import Edge
from umpi.timing.events import Lost, QueueDetection, Scan, Until
from umpi.timing.lines import COLOURS

PHONES = ((1, None, "iPhone"), (2, 0, "Android"), (3, 1, "iPad"))
DEVICES = ("scanner", "light", "head", "panel", "sounder", "rail", "lamps")
SIX = tuple(f"lane_{lane}" for lane in range(1, 7))
BOXES: dict[str, dict[str, Any]] = {
    "restless-lanes": {
        "games": ("quiz", "dohdles"),
        "beams": SIX,
        "wall": True,
        "voice": True,
        "held": ("lane_2", "red", "ok"),
    },
    "restless-dice": {"games": ("dodeka", "battledodes"), "hint": True, "card": True, "shelf": True, "dim_after_s": 4},
    "restless-cards": {"games": ("dodekka", "dudab-buba"), "hint": True, "off_after_s": 9, "press_bound_ns": 2 * MS},
}
BY_HAND = {"dodeka": ("dice",), "dodekka": ("card", "cards")}  # what no strategy decides
TURNS = 70  # of an evening
MENU = 0.15  # how often the menu is used after a turn


class Written(Core):
    """A core that writes down its events, and answers as a service with phones whose disk is full now and then."""

    def __init__(self, chance: Random, held: tuple[str, ...], **setup: Any) -> None:
        self.chance, self.trouble, self.setup_beams = chance, "", setup.get("beams", ())
        self.written = [dumped({"box": plain(BoxSetup(**setup))})]
        super().__init__(held=held, **setup)

    def step(self, event: Event) -> None:
        self._write(event)
        super().step(event)

    def pass_to(self, since_ns: int, until_ns: int) -> None:
        """Let time pass, and process whatever is due, but at most once per millisecond."""
        while (due_ns := self.referee.due_ns(since_ns)) is not None and (
            since_ns := max(due_ns, since_ns + MS)
        ) < until_ns:
            self.step(Tick(since_ns))
            if self.chance.random() < 0.1:  # a press that was meant for what was there before
                button = self.chance.choice((*COLOURS, "ok"))
                self.step(Edge(button, True, since_ns - 4 * MS))
                self.step(Edge(button, False, since_ns + 26 * MS))
        self.step(Tick(until_ns))

    def answered(self, request: Effect, event: Event) -> Answered:
        answer = super().answered(request, event)
        value, saved = self._value(request, answer.value), not self.trouble
        answer = Answered(answer.at_ns, value, "", saved, self.trouble, "", answer.news)
        self._write(answer)
        return answer

    def _value(self, request: Effect, value: Any) -> Any:
        match request:
            case JournalCall(JournalPort.save):
                return not self.trouble
            case LetPhoneIn():
                return self.chance.random() < 0.8
            case PairingCall(PairingPort.page):
                return "http://192.168.4.1:8000/"
            case PairingCall(PairingPort.make_code):
                return "314159", self.referee._now_ns + 60_000 * MS
            case PairingCall(PairingPort.admit):
                return self.chance.random() < 0.8
            case PairingCall(PairingPort.unpair):
                return "hash"
            case _:
                return value

    def _write(self, event: Event) -> None:
        self.written.append(event_line({"event": plain(event)}))


def restless(name: str) -> list[str]:
    """Return the events of a restless evening as lines."""
    setup = dict(BOXES[name])
    games = setup.pop("games")
    chance = Random(name)
    core = Written(chance, setup.pop("held", ()), known=("Ann", "Ben", "Cy"), seed=3, **setup)
    core.step(PhonesKnown(PHONES))
    now_ns, ids = 1000 * MS, iter(range(1, 10 * TURNS))
    core.step(_started(core, chance.choice(games), chance, next(ids), now_ns))
    core.pass_to(now_ns, now_ns)
    for _ in range(TURNS):
        before_ns = now_ns
        now_ns += chance.choice((2, 15, 40, 120, 350, 700, 2500)) * MS
        if not core.referee.session.on and chance.random() < 0.4:
            core.step(_started(core, chance.choice(games), chance, next(ids), now_ns))
        if chance.random() < 0.5 and (decided := _decided(core, chance)):
            core.step(decided)
        for event in _some(core, chance, now_ns, lambda: next(ids)):
            core.step(event)
        core.pass_to(before_ns, now_ns)
        if chance.random() < MENU:
            now_ns = _menu(core, chance, now_ns)
    return core.written


def _started(core: Core, game: str, chance: Random, id: int, now_ns: int) -> RemoteRequest:
    levels: Any = {4: "easy"} if game == "dodeka" and chance.random() < 0.5 else {}
    start = StartMatch(game, ("Ann", "", "Umpi"), (0, 1, 4), chance.choice((None, 1)), levels=levels)
    return RemoteRequest(now_ns, core.referee.session.question, start, None, id)


def _menu(core: Written, chance: Random, now_ns: int) -> int:
    """Hold Back, then press a few buttons slowly, as one who chooses from the menu; return when that ends."""
    pages, further = chance.choice((0, 0, 1, 2, 3, 4)), chance.choice((0, 1, 1, 3))
    buttons = ["down"] * pages + [chance.choice(("ok", *COLOURS)) for _ in range(1 + further)]
    held_ms = chance.choice((1000, 1000, 5000))
    for button, for_ms in (("back", held_ms), *((button, 60) for button in buttons)):
        for down, ms in ((True, for_ms), (False, 640)):
            core.step(Edge(button, down, now_ns))
            core.pass_to(now_ns, now_ns + ms * MS)
            now_ns += ms * MS
    return now_ns


def _some(core: Written, chance: Random, now_ns: int, id: Callable[[], int]) -> Iterator[Event]:
    """Yield what happens in one turn: mostly presses and acts of phones, sometimes news."""
    kind = chance.choices(("press", "hammer", "act", "phone", "cube", "news", "disk"), (30, 6, 30, 14, 12, 10, 2))[0]
    late_ns = chance.choice((0, 0, 1, 6, 14)) * MS
    if kind == "press":
        button = chance.choice((*COLOURS, *COLOURS, "ok", "back", "up", "down", "where"))
        yield Edge(button, True, now_ns - late_ns)
        yield Edge(button, False, now_ns - late_ns + chance.choice((30, 60)) * MS)
    elif kind == "hammer":
        for button, each in ((chance.choice(COLOURS), number) for number in range(3)):
            yield Edge(button, True, now_ns - late_ns + each * 7 * MS)
            yield Edge(button, False, now_ns - late_ns + each * 7 * MS + 6 * MS)
    elif kind == "act":
        if command := _act(core, chance):
            owner = chance.choice((None, None, 0, 1, 4))
            early_ns = None if chance.random() < 0.5 else now_ns - late_ns - 9 * MS
            yield RemoteRequest(now_ns, core.referee.session.question, command, owner, id(), early_ns, early_ns)
    elif kind == "phone":
        number = id()
        question = core.referee.session.question if chance.random() < 0.9 else "old.1"
        yield RemoteRequest(
            now_ns - late_ns, question, _command(core, chance), chance.choice((None, None, 0, 1)), number
        )
        if chance.random() < 0.15:
            yield Withdrawn(number)
    elif kind == "cube":
        for line in chance.sample(core.setup_beams, min(len(core.setup_beams), chance.choice((1, 2)))):
            yield Edge(line, True, now_ns - late_ns)
            yield Edge(line, False, now_ns - late_ns + 14 * MS)
        yield Until(now_ns)
    elif kind == "news":
        yield _news(core, chance, now_ns)
    else:
        core.trouble = "" if core.trouble else "games.db: disk full"


def _act(core: Core, chance: Random) -> RemoteCommand | None:
    match = core.referee.session.match
    if not match or not match.asks:
        return None
    try:
        return Do((sample(match.asks, Lot(chance.randrange(999))),))
    except NeverEnds:
        return None


def _decided(core: Core, chance: Random) -> HintFound | None:
    """Return what a strategy would answer to the question in play, if the referee has asked for that."""
    asked = next((effect for effect in reversed(core.effects) if isinstance(effect, FindHint)), None)
    act = _act(core, chance)
    if not asked or asked.question != core.referee.session.question or not isinstance(act, Do):
        return None
    (whole,) = act.acts
    game = core.referee.session.match.game.id if core.referee.session.match else ""
    given = {name: value for name, value in whole.given.items() if name not in BY_HAND.get(game, ())}
    return HintFound(asked.question, Act(whole.verb, given))


def _command(core: Core, chance: Random) -> RemoteCommand:
    match = core.referee.session.match
    last = match.acts[-1] if match and match.acts else None
    claim = Claim(
        f"claim-{chance.randrange(3)}",
        chance.randrange(6),
        chance.choice(("Zoé", "Ann", "Li")),
        "Android",
        "10.0.0.2",
        sign=7,
    )
    commands: list[RemoteCommand] = [
        TakeBack(None), TakeBack(1), TakeBack(2), AskHint(), ShowRace(), NamePlayer(chance.choice(("Eva", "Ben", ""))),
        OpenJoin(), CloseJoin(), AskToJoin(claim), Admit(claim.hash), TurnAway(claim.hash), Withdraw(claim.hash),
        AddPhone("new", "green", "Pixel"), UnpairPhone(3), UseCard("back up"), AgreeToCard(), UseShelf("look"),
        Occupy(2, "", "easy"), Occupy(1, "Bea", None), OfferMatch(None), Rematch(), Leave(core.referee.session.number),
        OfferMatch(StartMatch("quiz", ("Ann", "Ben"), (0, 1))), Settle("accept"), Settle("toss again"),
    ]  # fmt: skip
    if last:
        commands += [Correct(len(match.acts) - 1, last, True), Correct(len(match.acts) - 1, last)] if match else []
    return chance.choice(commands)


def _news(core: Core, chance: Random, now_ns: int) -> Event:
    asked = next((effect for effect in reversed(core.effects) if isinstance(effect, FindHint)), None)
    match = core.referee.session.match
    hint = HintFound(asked.question if asked else "x", match.acts[-1] if match and match.acts else None, "")
    news: list[Event] = [
        DeviceStatus(chance.choice(DEVICES), "unplugged: plug it back in"), DeviceStatus(chance.choice(DEVICES), ""),
        DeviceStatus("head", "", ("lane_1",)), Reach("umpi-3f2a", "ring-toss", "", "http://192.168.4.1:8000/"),
        Reach(trouble="no Wi-Fi", hello=True), hint, HintFound(hint.question, None, "failed"),
        StatisticsCounted(None, ("Ann 3",)), StatisticsCounted("quiz", (), "torn"), ReviewFound(("Luck 3",)),
        ReviewFound(), PuzzleFound(None, "Play first."), PuzzleFound(), PuzzleJudged(("Right.",)), PuzzleJudged(),
        ReportWritten("session-1.jsonl"), ReportWritten(""), PictureShown(now_ns),
        LastUpdate(True, message("Works."), now_ns), CardNews("busy", message("Copies."), 40),
        CardNews("asks", message("Version 2?"), None, message("update now")),
        CardNews("done", message("Choose a Wi-Fi at the box."), networks=(FoundNetwork("Café"),), country="CH"),
        CardNews("failed", message("Torn.")), ShelfNews("busy", message("Reads."), 20),
        ShelfNews("done", message("Read."), None, (KnownShelf("https://a.example", "ab", ""),), ()),
        Lost(2), Scan("umpi:dodekka:fire-1#2", now_ns), Scan("nonsense", now_ns),
        QueueDetection("cube", "red", "", now_ns), QueueDetection("out", None, "does not answer", now_ns),
    ]  # fmt: skip
    return chance.choice(news)
