"""Whatever an offer is made of, it is answered by keys alone and as a form alone, and every act can be reached."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.conformance.keyed import keys_of
from umpi.display.answer import answer, left_out
from umpi.display.answer_progress import AnswerProgress
from umpi.display.menu import KEYS, NOTHING, MenuEntry
from umpi.display.panel import Panel
from umpi.display.typist import presses
from umpi.kernel import Act, Ask, Dice, Draw, Each, Field, Forms, Game, Match, Number, Pick, Some, Text, replace
from umpi.kernel.match import refusal
from umpi.table.commands import Do
from umpi.table.seating import Seating
from umpi.web.forms import ask_form, following

PLAYERS = ("Ann", "Ben", "Eve")
VERBS = ("alpha", "beta", "gamma", "delta")
WORDS = ("fire", "fire-1", "fire-2", "water-1", "water-2", "air", "ether-4", "dudab")


@dataclass(frozen=True, slots=True)
class Offered(Game):
    """A game of one offer; a second one follows where there is one."""

    id: ClassVar = "offered"
    title: ClassVar = "Offered"
    seats: ClassVar = range(3, 4)
    options: ClassVar = ()
    first: ClassVar[tuple[Ask, ...]] = ()
    second: ClassVar[tuple[Ask, ...]] = ()
    step: int = 0

    @classmethod
    def setup(cls, seats):
        return cls()

    @property
    def phase(self):
        return "turn"

    def asks(self):
        return (self.first, self.second, ())[min(self.step, 2)]

    def _next(self, seat, **fields):
        return replace(self, step=self.step + 1)

    do_alpha = do_beta = do_gamma = do_delta = _next

    def scores(self):
        return (0, 0, 0)

    def result(self):
        return None

    def facts(self):
        return {}


def is_fire(value: object) -> bool:
    return str(value).startswith("fire")


@st.composite
def values(draw: Any, least: int = 1) -> tuple[Any, ...]:
    """A pool: a few numbers, copies among them, words of parts, booleans and null."""
    kinds = st.sampled_from([st.integers(0, 9), st.sampled_from(WORDS), st.sampled_from([True, False, None, 1, 0])])
    return tuple(draw(st.lists(draw(kinds), min_size=least, max_size=9)))


@st.composite
def fields(draw: Any, name: str, deep: int = 2) -> Field:
    """Any field that can be answered."""
    optional, aside = draw(st.booleans()), draw(st.booleans())
    kind = draw(st.sampled_from(["pick", "number", "some", "until", "dice", "draw", "text"] + ["each", "forms"] * deep))
    if kind == "pick":
        pool = draw(values())
        return Pick(name, pool, draw(st.sampled_from([(), pool, (*pool, "odd")])), optional=optional, in_menu=aside)
    if kind == "number":
        low = draw(st.integers(-60, 60))
        high = low + draw(st.sampled_from([0, 0, 1, 5, 23, 24, 90]))
        return Number(name, low, high, draw(st.booleans()), "will", optional)
    if kind == "some":
        pool, again = draw(values(0)), draw(st.booleans())
        most = draw(st.integers(0, 4 if again and pool else len(pool)))
        least = draw(st.integers(0, most))
        kinds = draw(st.sampled_from([(), pool, (*pool, "odd")]))
        source = draw(st.sampled_from(["will", "table", "scan"]))
        return Some(name, pool, least, most, kinds, source=source, optional=optional, again=again, in_menu=aside)
    if kind == "until":
        pool = ("fire-1", *draw(values()))
        return Some(name, pool, draw(st.integers(0, 1)), len(pool), source="table", until=is_fire)
    if kind == "dice":
        return Dice(name, draw(st.integers(0, 4)), 12)
    if kind == "draw":
        pool = draw(values())
        return Draw(name, pool, draw(st.integers(0, len(pool))))
    if kind == "text":
        most = draw(st.integers(0, 3))
        return Text(name, draw(st.integers(0, most)), most, draw(st.booleans()), "will", optional)
    if kind == "each":
        inner = [draw(fields(f"{name}{index}", deep - 1)) for index in range(draw(st.integers(0, 3)))]
        return Each(name, tuple(inner), "will", optional)
    first = Pick(f"{name}-first", tuple(dict.fromkeys(range(draw(st.integers(1, 8))))))
    other = draw(st.sampled_from([first, first, Number(f"{name}-first", 0, 3), Text(f"{name}-first", 1, 1)]))
    most = draw(st.integers(0, len(first.pool) if other is first else 2))
    least = draw(st.integers(0, most if other is first else min(1, most)))
    return Forms(name, (other, draw(fields(f"{name}x", 0))), least, most, "will", optional, in_menu=aside)


@st.composite
def an_ask(draw: Any, verb: str) -> Ask:
    """An ask of up to three fields, one of them a seat, and one that follows from the others."""
    seat = draw(st.sampled_from([None, 0]))
    made = [draw(fields(f"{verb[0]}{index}")) for index in range(draw(st.integers(0, 3)))]
    if seat is None and draw(st.booleans()):
        pool = tuple(draw(st.sets(st.sampled_from([0, 1, 2]), min_size=1)))
        source = draw(st.sampled_from(["will", "buzz", "cube"]))
        made.insert(draw(st.integers(0, len(made))), Pick("seat", pool, (0, 1, 2), source=source))
    ask = Ask(verb, verb.capitalize(), tuple(made), seat)
    if draw(st.booleans()):
        after = (draw(fields(f"{verb[0]}-more", 1)),)
        ask = ask._replace(more=lambda given: after)
    if draw(st.booleans()):
        sampled = sampled_act(ask, Random(draw(st.integers(0, 99)))).given
        names = draw(st.sets(st.sampled_from(sorted(sampled)))) if sampled else set()
        usual = sampled if draw(st.booleans()) else {name: sampled[name] for name in names}
        ask = ask._replace(usual=usual)
    return ask


def sampled_act(ask: Ask, random: Random) -> Act:
    given: dict[str, Any] = {}
    for field in ask.walk(given):
        if not field.optional or random.random() < 0.5:
            given[field.name] = field.sample(random.random)
    return Act(ask.verb, given)


@st.composite
def offers(draw: Any) -> tuple[Ask, ...]:
    """Up to four asks; all that name a seat ask the same one."""
    asks = tuple(draw(an_ask(verb)) for verb in VERBS[: draw(st.integers(1, 4))])
    assume(all(not refusal(ask, sampled_act(ask, Random(1)).given) for ask in asks))
    return asks


FORCED = (Ask("alpha", "Take", (Number("number", 3, 3),), 0),)
USUAL_AT_THE_END = (Ask("alpha", "Take", (Number("number", 1, 9),), 0, usual={"number": 2}),)
BUZZ_BESIDE_THREE = (
    Ask("alpha", "How well?", (Pick("how", ("well", "badly", "not")),), 0),
    Ask("beta", "Who buzzed?", (Pick("seat", (1, 2), (0, 1, 2), source="buzz"),)),
)
CUBE_AFTER_THE_USUAL = (
    Ask("alpha", "Reply", (Pick("kind", ("a", "b", "c")),), 0),
    Ask("beta", "A cube", (Pick("seat", (1, 2), (0, 1, 2), source="cube"),)),
)
NONE_TO_KEEP = (Ask("alpha", "Keep", (Some("keep", (), 0, 0),), 0),)
NULL_FORM = (Ask("alpha", "Move", (Forms("moved", (Pick("dode", (1,)), Number("hex", 1, 1)), 0, 0),), 0),)
OF_ONE_WORD = (Ask("alpha", "Card", (Pick("card", WORDS),), 0),)


def table_of(first: tuple[Ask, ...], second: tuple[Ask, ...]) -> tuple[Panel, Match]:
    Offered.first, Offered.second = first, second
    match, panel = Match(Offered, PLAYERS), Panel([Offered])
    panel.show(match, Seating(Offered, PLAYERS, (0, 2, 4)))
    return panel, match


def pressed(panel: Panel, random: Random) -> Do:
    """Press what can be pressed until an answer is there."""
    for _ in range(3000):
        keys = keys_of(panel)
        assert keys, panel.question
        command = panel.press(random.choice(keys))
        panel.picture()
        assert panel.fault is None
        if command:
            assert isinstance(command, Do)
            return command
    raise AssertionError("it is never answered")


def filled(form: Mapping[str, Any]) -> Any:
    """Answer a field from what its form says, as a page does that knows nothing else."""
    match form["kind"]:
        case "pick":
            return next(option["value"] for option in form["options"] if not option["off"])
        case "number":
            return form["low"]
        case "text":
            return "A" * form["least"]
        case "each":
            return tuple(map(filled, form["fields"]))
        case "forms":
            first, *others = form["fields"]
            names = [each["value"] for each in first["options"]] if first["kind"] == "pick" else [filled(first)]
            rest = {each["name"]: filled(each) for each in others}
            return tuple({first["name"]: name, **rest} for name in names[: form["least"]])
    there = [option["value"] for option in form["options"] for _ in range(option["count"])]
    there = there * form["least"] if form["again"] else there
    there = form["ends"] or there
    return tuple(there[: form["least"]])


def sent(ask: Ask) -> Act:
    """Fill a form in, field by field as they come."""
    json.dumps(ask_form(ask, PLAYERS))
    given: dict[str, Any] = {}
    for _ in range(9):
        reply = following(ask, given, PLAYERS)
        open_ones = [form for form in reply["fields"] if form["name"] not in given and not form["optional"]]
        if not open_ones:
            break
        given[open_ones[0]["name"]] = filled(json.loads(json.dumps(open_ones[0])))
    assert reply["refusal"] == "", (given, reply)
    return Act(ask.verb, given)


def reached(match: Match) -> set[str]:
    """Go through the first questions of an offer, every way, and return the acts that they lead to."""
    verbs, waiting = set[str](), [()]
    while waiting:
        taps: tuple[Any, ...] = waiting.pop(0)
        progress = AnswerProgress()
        entry: MenuEntry[Any] = MenuEntry(partial(answer, match.asks, PLAYERS, True, progress, (0, 2, 4), match.after))
        for tap in taps:
            entry.tap(tap)
        verbs |= {act.verb for act in entry.result or ()} | {progress.verb}
        if entry.menu and len(taps) < 4 and not progress.verb:
            ways = [choice.value for choice in entry.menu.choices if not choice.off]
            ways += [way for way in (entry.menu.ok, entry.menu.down) if way is not NOTHING]
            waiting += [(*taps, way) for way in ways]
    return verbs


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[*HealthCheck])
@given(first=offers(), second=offers() | st.just(()), seed=st.integers(0, 99))
@example(first=FORCED, second=(), seed=0)
@example(first=USUAL_AT_THE_END, second=(), seed=0)
@example(first=USUAL_AT_THE_END, second=CUBE_AFTER_THE_USUAL, seed=3)
@example(first=BUZZ_BESIDE_THREE, second=(), seed=0)
@example(first=NONE_TO_KEEP, second=(), seed=0)
@example(first=NULL_FORM, second=(), seed=0)
@example(first=OF_ONE_WORD, second=(), seed=0)
def test_any_offer_is_answered_by_keys_and_as_a_form(
    first: tuple[Ask, ...], second: tuple[Ask, ...], seed: int
) -> None:
    panel, match = table_of(first, second)
    assert reached(match) >= {ask.verb for ask in first} - {ask.verb for ask in left_out(first)}
    match.play(pressed(panel, Random(seed)).acts[0])
    for ask in first:
        assert refusal(ask, sent(ask).given) == ""


@pytest.mark.parametrize("offer", [FORCED, NONE_TO_KEEP, NULL_FORM])
def test_an_answer_without_a_choice_is_one_key(offer: tuple[Ask, ...]) -> None:
    panel, match = table_of(offer, ())
    (key,) = {panel.question[0].key(0)}
    command = panel.press(key)
    assert isinstance(command, Do)
    match.play(command.acts[0])
    assert presses(offer, PLAYERS, command.acts) == [key]


def test_unavailable_list_entries_are_shown_with_their_reason() -> None:
    keep = Some("keep", (3, 5), 0, 2, (3, 4, 5), lambda die: f"{die} has not been thrown")
    panel, _ = table_of((Ask("alpha", "Keep", (keep,), 0),), ())
    menu, _ = panel.question
    choices = [(choice.label, choice.off) for choice in menu.choices]
    assert choices == [("3", ""), ("4", "4 has not been thrown"), ("5", "")]
    assert len(menu.choices) <= KEYS


@pytest.mark.parametrize("kept", [(3, 3, 5, 3), (5, 3), (3, 5), (3, 3), ()])
def test_copies_are_kept_in_any_order(kept: tuple[int, ...]) -> None:
    ask = Ask("keep", "Keep", (Some("keep", (3, 3, 5, 3), 0, 4),), 0)
    ask = ask if len(kept) < 4 else ask._replace(fields=(Some("keep", (3, 3, 5, 3, 1), 0, 4),))
    assert presses([ask], PLAYERS, [Act("keep", {"keep": kept})])[-1] == "ok"
