"""A press counts only for the question that its player could have seen, however the presses are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.core import Core, Hand
from tests.kit.rig import MS
from tests.kit.sampling import examples
from umpi.kernel import Act, Ask, Field, Game, NamedSeat, Pick, Result, replace
from umpi.kernel.registry import find
from umpi.referee.effects import AgreeToTask
from umpi.referee.events import CardNews, PhonesKnown, Tick
from umpi.referee.late_inputs import HAMMERED_NS
from umpi.referee.remote import RemoteRequest
from umpi.simulator.reading import reads
from umpi.table.commands import Command, Do, Start, UseCard
from umpi.table.seating import Seating
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS

HAMMERED_MS = HAMMERED_NS // MS
START_MS = 1_000


@dataclass(frozen=True, slots=True)
class Hurry(Game):
    """A race as a stranger may write it: once the last seat has buzzed, the verdict takes the buttons of the seats."""

    id: ClassVar = "hurry"
    title: ClassVar = "Hurry"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = ()

    points: tuple[int, ...]
    queue: tuple[int, ...] = ()

    @classmethod
    def setup(cls, seats: int) -> Self:
        return cls((0,) * seats)

    @property
    def phase(self) -> str:
        return "race" if len(self.queue) < len(self.points) else "verdict"

    def asks(self) -> tuple[Ask, ...]:
        seats = range(len(self.points))
        if self.phase == "race":
            free = tuple(seat for seat in seats if seat not in self.queue)
            return (Ask("buzz", "Buzz", (Pick("seat", free, seats, lambda seat: "you have buzzed.", "buzz"),)),)
        return (Ask("judge", "Right?", (Pick("right", (True, False)),), self.queue[0]),)

    def do_buzz(self, seat: NamedSeat) -> Self:
        return replace(self, queue=(*self.queue, seat))

    def do_judge(self, seat: int, right: bool) -> Self:
        points = tuple(own + (right and each == seat) for each, own in enumerate(self.points))
        return replace(self, points=points, queue=())

    def scores(self) -> tuple[int, ...]:
        return self.points

    def result(self) -> Result | None:
        return None

    def facts(self) -> dict[str, Any]:
        return {}


class Box(Core):
    """A referee with a match of a game; times are in milliseconds since it was switched on."""

    def __init__(self, game: str | type[Any], seats: int, **options: Any) -> None:
        super().__init__()
        self.id = 0
        table = Seating(find(game) if isinstance(game, str) else game, COLOURS[:seats], tuple(range(seats)), options)
        self.referee.panel.press = lambda key, long: Start(table)  # type: ignore[method-assign]
        self.press("ok", START_MS // 2)
        del self.referee.panel.press  # type: ignore[method-assign]
        self.run_to(START_MS * MS)

    @property
    def match(self) -> Any:
        return self.referee.session.match

    @property
    def acts(self) -> list[str]:
        """What has been played: the verb, and the seat or the verdict."""
        return [" ".join(map(str, (act.verb, *act.given.values()))) for act in self.match.acts]

    @property
    def ignored(self) -> bool:
        """Whether the screen shows that a press was ignored."""
        ignored: bool = self.referee.panel.screen().state.ignored
        return ignored

    def phone(self, at_ms: int, button: int | None, command: Command) -> None:
        """Send a command from the phone of a button, or of the referee."""
        self.id += 1
        self.step(RemoteRequest(at_ms * MS, self.referee.session.question, command, button, self.id))

    def play(self, line: Mapping[str, Any]) -> None:
        """Play a line from the phone of the referee."""
        self.id += 1
        given = {name: value for name, value in line.items() if name != "do"}
        self.phone(START_MS + self.id, None, Do((Act(line["do"], given),)))
        self.run_to((START_MS + self.id + 100) * MS)

    def press(self, button: str, at_ms: int, for_ms: int = 60) -> None:
        """Press a button, and let the referee process whatever is due until it is up and the race is decided."""
        self.step(Edge(button, True, at_ms * MS))
        self.run_to((at_ms + for_ms) * MS)
        self.step(Edge(button, False, (at_ms + for_ms) * MS))
        self.run_to((at_ms + for_ms + 1) * MS)


class Hit(NamedTuple):
    """A press of somebody who hammers: the gap before it, and whether it is on the phone of the seat."""

    button: str
    gap_ms: int
    by_phone: bool = False


def hits(buttons: Sequence[str], phones: bool) -> st.SearchStrategy[list[Hit]]:
    """Draw presses at random gaps."""
    hit = st.builds(Hit, st.sampled_from(buttons), st.integers(20, 800), st.booleans() if phones else st.just(False))
    return st.lists(hit, min_size=6, max_size=14)


def hammer(box: Box, presses: Iterable[Hit], late_ms: Mapping[str, int]) -> Counter[str]:
    """Hammer, and return how often each button was pressed.

    The edges of a button are read `late_ms` after their stamps, so that an older one may be read after a younger one.
    """
    at_ms, coming, pressed = START_MS, list[tuple[int, Edge | int]](), Counter[str]()
    for hit in presses:
        at_ms += hit.gap_ms
        pressed[hit.button] += 1
        read_ms, up_ms = at_ms + late_ms[hit.button], min(hit.gap_ms - 5, 100)
        if hit.by_phone and hit.button in COLOURS:
            coming.append((at_ms, COLOURS.index(hit.button)))
            continue
        coming.append((read_ms, Edge(hit.button, True, at_ms * MS)))
        coming.append((read_ms + up_ms, Edge(hit.button, False, (at_ms + up_ms) * MS)))
    for read_ms, what in sorted(coming, key=lambda each: each[0]):
        box.run_to(read_ms * MS)
        if isinstance(what, Edge):
            box.step(what)
        else:
            box.phone(read_ms, what, Do((Act("buzz", {"seat": what}),)))
        box.step(Tick(read_ms * MS))
    box.run_to((at_ms + 300) * MS)
    return pressed


QUIZ = {"early": st.sampled_from(["ignored", "locked", "counts"]), "penalty": st.integers(0, 2)}


@pytest.mark.slow
@pytest.mark.parametrize("phones", [False, True], ids=["buttons", "phones"])
@settings(max_examples=examples(400))
@given(st.data())
def test_hammering_the_buzzers_of_a_quiz_awards_no_point_that_nobody_judged(phones: bool, data: st.DataObject) -> None:
    """In every state of the round a seat's button only buzzes; OK and down judge, and OK opens and closes."""
    seats = data.draw(st.integers(2, 6))
    box = Box("quiz", seats, **data.draw(st.fixed_dictionaries(QUIZ)))
    if phones:
        box.step(PhonesKnown(tuple((seat, seat, "Android") for seat in range(seats))))
    judging = data.draw(st.sampled_from([(), ("ok",), ("ok", "down")]))
    late_ms = {button: data.draw(st.integers(0, 19)) for button in (*COLOURS, "ok", "down")}
    presses = [Hit("ok", 200), *data.draw(hits([*COLOURS[:seats], *COLOURS[:seats], *judging], phones))]
    pressed = hammer(box, presses, late_ms)
    verdicts = {False: "down", True: "ok", None: "ok"}  # None: it opens or closes a question
    needed = Counter(verdicts[act.given.get("right")] for act in box.match.acts if act.verb != "buzz")
    assert needed <= pressed, box.acts
    judged = [act for act in box.match.acts if act.given.get("right")]
    assert sum(score for score in box.match.now.scores() if score > 0) <= len(judged)


@pytest.fixture
def verdict() -> Box:
    """A race in which Blue has just buzzed last, at 1200 ms: the buttons of the seats are right and wrong."""
    box = Box(Hurry, 2)
    box.press("red", 1_100)
    box.press("blue", 1_200)
    assert (box.acts, box.referee.panel.owning) == (["buzz 0", "buzz 1"], False)
    return box


@pytest.mark.parametrize("after_ms", [65, 200, HAMMERED_MS - 1])
def test_a_press_soon_after_the_buttons_became_a_choice_is_ignored_and_shown(verdict: Box, after_ms: int) -> None:
    question = verdict.referee.panel.question
    verdict.press("red", 1_200 + after_ms, 20)
    assert verdict.acts == ["buzz 0", "buzz 1"]
    assert (verdict.referee.panel.question, verdict.referee.panel.noticing) == (question, False)
    assert reads(verdict.picture, "IGNORED")
    verdict.run_to((1_200 + after_ms + 2_100) * MS)
    assert not reads(verdict.picture, "IGNORED"), "the sign goes by itself"
    verdict.press("red", 5_000)
    assert verdict.acts[-1] == "judge True"


@pytest.mark.parametrize("ms", [1, 150, HAMMERED_MS])
def test_the_time_counts_from_the_stamps_however_late_they_are_read(ms: int) -> None:
    """A loop that was held up for a second gets all edges at once, the younger ones first."""
    box = Box(Hurry, 2)
    presses = [("red", 1_100), ("blue", 1_200), ("red", 1_200 + ms)]
    edges = [
        Edge(button, active, (at_ms + 50 * (not active)) * MS) for button, at_ms in presses for active in (True, False)
    ]
    for edge in reversed(edges):
        box.step(edge)
    box.step(Tick(2_500 * MS))
    box.run_to(2_600 * MS)
    assert box.acts == ["buzz 0", "buzz 1", *["judge True"] * (ms >= HAMMERED_MS)]
    assert box.ignored == (ms < HAMMERED_MS)


def test_a_seat_that_enters_its_answer_press_by_press_is_never_slowed() -> None:
    """On the score pad, a button is the seat's own and then a step of its points."""
    box = Box("scorepad", 2)
    for number, button in enumerate(("red", "green", "green", "ok", "blue", "yellow")):
        box.press(button, 1_100 + 30 * number, 20)
    assert box.acts == ["score 0 10"]
    assert not box.ignored
    box.press("ok", 1_300, 20)
    assert box.acts == ["score 0 10", "score 1 1"]


def test_the_keys_of_a_menu_over_a_race_do_not_count_at_once() -> None:
    """Back, kept down for 0.6 seconds, opens the menu while the players still hammer their buzzers."""
    box = Box("quiz", 2)
    box.press("ok", 1_100)
    box.step(Edge("back", True, 2_000 * MS))
    box.run_to(2_700 * MS)
    menu = box.referee.panel.question[0]
    assert menu.title == "Menu"
    box.press("yellow", 2_600 + HAMMERED_MS - 1, 20)
    assert (box.referee.panel.question[0].title, box.ignored) == ("Menu", True)
    box.step(Edge("back", False, 3_130 * MS))
    box.press("ok", 3_140)
    assert (box.acts, box.ignored) == ([], False), "OK undoes at once"


@pytest.mark.parametrize("phone", [False, True])
def test_the_end_of_a_quiz_takes_no_press_of_a_buzzer(phone: bool) -> None:
    """The verdict of the box or of the referee's phone ends it: then the buttons are undo, rematch and done."""
    box = Box("quiz", 2, target=1)
    box.press("ok", 1_100)
    box.press("red", 1_300)
    if phone:
        box.phone(2_000, None, Do((Act("judge", {"right": True}),)))
        box.run_to(2_060 * MS)
    else:
        box.press("ok", 1_980, 20)
    assert box.match.asks == ()
    box.press("red", 2_000 + HAMMERED_MS - 1, 20)
    assert (box.acts[-1], box.ignored) == ("judge True", True)
    box.press("blue", 2_000 + HAMMERED_MS)
    assert box.acts == ["open", "buzz 0"]


def test_ok_pressed_before_a_buzz_does_not_judge_it() -> None:
    """The box hears of OK as it is released: it was to close the question, which nobody had answered yet."""
    box = Box("quiz", 2)
    box.press("ok", 1_100)
    box.step(Edge("ok", True, 2_000 * MS))
    box.press("red", 2_040, 20)
    box.step(Edge("ok", False, 2_100 * MS))
    box.run_to(2_200 * MS)
    assert (box.acts, box.ignored) == (["open", "buzz 0"], True)
    box.press("ok", 2_000 + HAMMERED_MS)
    assert box.acts[-1] == "judge True"


def test_ok_pressed_after_a_buzz_and_before_its_picture_does_not_judge_it() -> None:
    """A buzz waits 20 ms for older ones: nobody can have seen that there is something to judge."""
    box = Box("quiz", 2)
    box.press("ok", 1_100)
    box.step(Edge("red", True, 2_000 * MS))
    box.step(Edge("ok", True, 2_005 * MS))
    box.run_to(2_060 * MS)
    box.step(Edge("red", False, 2_070 * MS))
    box.step(Edge("ok", False, 2_100 * MS))
    box.run_to(2_200 * MS)
    assert (box.acts, box.ignored) == (["open", "buzz 0"], True)
    box.press("ok", 2_005 + HAMMERED_MS)
    assert box.acts[-1] == "judge True"


def test_ok_that_ends_a_refusal_and_is_hammered_on_calls_no_answer_right() -> None:
    box = Box("quiz", 2)
    box.press("ok", 1_100)
    box.press("red", 2_000)
    box.press("red", 2_800)  # red has buzzed already: a refusal covers the question
    for at_ms in (4_000, 4_120, 4_360):
        box.press("ok", at_ms)
    assert (box.acts, box.ignored) == (["open", "buzz 0"], True)
    box.press("ok", 4_360 + HAMMERED_MS)
    assert box.acts == ["open", "buzz 0", "judge True"]


def test_ok_kept_down_while_another_seat_joins_the_queue_still_judges_the_first() -> None:
    box = Box("quiz", 3)
    box.press("ok", 1_100)
    box.press("red", 1_300)
    box.step(Edge("ok", True, 2_000 * MS))
    box.press("blue", 2_040, 20)
    box.step(Edge("ok", False, 2_100 * MS))
    box.run_to(2_200 * MS)
    assert box.acts == ["open", "buzz 0", "buzz 1", "judge True"]


def test_ok_at_the_box_does_not_judge_the_next_seat_once_a_phone_has_judged() -> None:
    box = Box("quiz", 2)
    box.press("ok", 1_100)
    box.press("red", 1_300)
    box.press("blue", 1_400)
    box.step(Edge("ok", True, 2_000 * MS))
    box.phone(1_990, None, Do((Act("judge", {"right": False}),)))
    box.run_to(2_050 * MS)
    box.step(Edge("ok", False, 2_070 * MS))
    box.run_to(2_200 * MS)
    assert (box.acts[3:], box.ignored) == (["judge False"], True)


BUZZ = [{"do": "buzz", "seat": seat} for seat in range(2)]
OPEN, WRONG, UNNAMED = {"do": "open"}, {"do": "judge", "right": False}, {"do": "cube", "seat": None}
ROUNDS = {
    "others may still buzz": (OPEN, BUZZ[0]),
    "the last has buzzed": (OPEN, BUZZ[0], BUZZ[1]),
    "the other is locked out": (OPEN, BUZZ[1], WRONG, BUZZ[0]),
    "the other has left": ({"do": "leave", "seat": 1}, OPEN, BUZZ[0]),
    "an unnamed cube is next": (OPEN, BUZZ[0], UNNAMED),
}


@pytest.mark.parametrize("lines", ROUNDS.values(), ids=ROUNDS)
@pytest.mark.parametrize(("button", "right"), [("ok", True), ("down", False)])
def test_ok_is_right_and_down_is_wrong_in_every_state_of_the_round(
    lines: Sequence[dict[str, Any]], button: str, right: bool
) -> None:
    box = Box("quiz", 2)
    for line in lines:
        box.play(line)
    menu, _ = box.referee.panel.question
    assert (menu.title, menu.done, menu.less, menu.places) == ("red right?", "right", "no", (0, 1))
    for number in (0, 1, 0):
        box.press(COLOURS[number], 2_000 + 500 * number)
    assert not [act for act in box.match.acts[len(lines) :] if act.verb != "buzz"], "a seat's button judges nobody"
    box.press("yellow", 4_000)  # nobody's button: it ends the refusal
    box.press(button, 5_000)
    assert box.acts[-1] == f"judge {right}"


@pytest.mark.parametrize(
    ("options", "lines", "verb"),
    [
        ({}, (OPEN, BUZZ[0], BUZZ[1], WRONG, WRONG), "close"),
        ({"early": "counts"}, (BUZZ[0], BUZZ[1]), "open"),
        ({"early": "counts"}, (UNNAMED,), "open"),
        ({"early": "locked"}, (BUZZ[0], BUZZ[1]), "open"),
        ({}, (OPEN, UNNAMED, {"do": "leave", "seat": 1}, {"do": "owner", "seat": 0}, WRONG), "close"),
        ({}, (OPEN, UNNAMED, UNNAMED, {"do": "leave", "seat": 1}, {"do": "owner", "seat": 0}, WRONG), "home"),
    ],
    ids=str,
)
def test_only_ok_opens_and_ends_a_question_and_takes_a_cube_back(
    options: dict[str, Any], lines: Sequence[dict[str, Any]], verb: str
) -> None:
    """Also where no seat may buzz, and its button was free for something else."""
    box = Box("quiz", 2, **options)
    for line in lines:
        box.play(line)
    for number in (0, 1, 0):
        box.press(COLOURS[number], 2_000 + 500 * number)
        assert box.referee.panel.noticing, "each button says why it does not count"
    assert len(box.match.acts) == len(lines)
    box.press("yellow", 4_000)
    box.press("ok", 5_000)
    assert box.acts[len(lines) :] == [verb]


@pytest.mark.every_case
@pytest.mark.parametrize("ms", [100, 1_000])  # also if it is kept down
def test_ok_pressed_before_an_update_asks_does_not_restart_the_box(ms: int) -> None:
    hand = Hand(Core(card=True))
    core = hand.core
    hand.start("quiz", "red blue yellow ok ok")
    hand.grant(UseCard("update from network"))
    hand.press("back ok")
    hand.wait_ns(1_000 * MS)
    hand.press("red")
    hand.wait_ns(3_000 * MS)
    core.give([Edge("ok", True, hand.now_ns)], hand.now_ns)  # Red is right
    hand.wait_ns(60 * MS)
    core.give([CardNews("asks", "Version 9 is here.", agree="restart")], hand.now_ns)
    hand.wait_ns((ms - 60) * MS)
    core.give([Edge("ok", False, hand.now_ns)], hand.now_ns)
    hand.wait_ns(300 * MS)
    match = core.referee.session.match
    assert match
    assert [act.verb for act in match.acts] == ["open", "buzz"]
    assert AgreeToTask() not in core.effects
    assert hand.shows("IGNORED"), hand.screen
    hand.press("ok", ms)
    assert AgreeToTask() in core.effects, "whoever has read it may agree"


@pytest.mark.every_case
@pytest.mark.parametrize("stage", ["done", "failed", "asks"])
def test_the_end_of_an_update_swallows_no_buzz(stage: Any) -> None:
    hand = Hand(Core(card=True))
    hand.start("quiz", "red blue yellow ok ok")
    hand.grant(UseCard("update from network"))
    hand.press("back ok")  # the question is open
    hand.wait_ns(5_000 * MS)
    hand.core.give([CardNews(stage, "Version 9.", agree="restart")], hand.now_ns)
    hand.wait_ns(1_000 * MS)
    assert hand.shows("Version 9."), hand.screen
    hand.press("blue")
    hand.wait_ns(1_000 * MS)
    assert [(line["do"], line.get("seat")) for line in hand.lines] == [("open", None), ("buzz", 1)]
    assert not hand.core.referee.panel.noticing, "Blue answers now"


@dataclass(frozen=True, slots=True)
class Bids(Game):
    """An auction as a stranger may write it: whose time is up is passed over, and the next seat is asked the same."""

    id: ClassVar = "bids"
    title: ClassVar = "Bids"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = ()

    points: tuple[int, ...]
    seat: int = 0

    @classmethod
    def setup(cls, seats: int) -> Self:
        return cls((0,) * seats)

    @property
    def phase(self) -> str:
        return "bid"

    def asks(self) -> tuple[Ask, ...]:
        coin, number = Pick("coin", ("gold", "silver")), Pick("number", (1, 2, 3))
        return (Ask("bid", "Your bid?", (coin, number), self.seat), Ask("late", "Time is up", after_ms=2_000))

    def do_bid(self, seat: int, coin: str, number: int) -> Self:
        points = tuple(own + (each == seat) * number for each, own in enumerate(self.points))
        return replace(self, points=points, seat=(self.seat + 1) % len(self.points))

    def do_late(self, seat: int) -> Self:
        return replace(self, seat=(self.seat + 1) % len(self.points))

    def scores(self) -> tuple[int, ...]:
        return self.points

    def result(self) -> Result | None:
        return None

    def facts(self) -> dict[str, Any]:
        return {}


def test_what_one_player_has_entered_is_no_part_of_the_next_player_s_answer() -> None:
    box = Box(Bids, 2)
    first, _ = box.referee.panel.question
    box.press("red", 1_500)
    second, _ = box.referee.panel.question
    assert second.title != first.title
    box.run_to(3_500 * MS)
    assert box.acts == ["late"]
    assert box.referee.panel.question[0].title == first.title, "Green is asked from the beginning"
    assert not box.referee.panel.entering
