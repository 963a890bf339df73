"""What the keys offer for each kind of ask, as somebody has read it: each first answer, and ways that go on from there.

offers.txt has a tree for each offer. A line is the answer and the question that it leads to, or the acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.kit.menus_told import described
from tests.kit.seen import check_seen
from umpi.display.answer import answer
from umpi.display.menu import NOTHING, MenuEntry
from umpi.kernel import Act, Ask, Dice, Each, Field, Forms, Number, Pick, Some, Text
from umpi.kernel.messages import Name, message

SEEN = Path(__file__).with_name("offers.txt")
PLAYERS = ("Ann", "Ben", "Christelle")
CARDS = tuple(f"{element}-{value}" for element in ("fire", "water", "ether") for value in range(3))
DEEP, WIDE = 4, 2  # questions of a way, and ways that go on below the second question
MOST = 40  # lines of an offer


def ask(*fields: Field, text: str = "Do it", **more: Any) -> Ask:
    """An ask of these fields."""
    return Ask(more.pop("verb", "do"), text, fields, more.pop("seat", None), more.pop("help", "How to do it."), **more)


SEAT, CUBE = Pick("seat", (0, 1, 2)), Pick("seat", (0, 1), source="cube")
BUZZ = Pick("seat", (0, 2), (0, 1, 2), lambda seat: "", source="buzz")
OFFERS: dict[str, tuple[Ask, ...]] = {
    "nothing to choose": (ask(),),
    "two without fields": (ask(), ask(verb="stop", text="Stop")),
    "a seat": (ask(SEAT),),
    "a seat of two": (ask(Pick("seat", (0, 2), (0, 1, 2), lambda value: "out")),),
    "who buzzes": (ask(BUZZ), ask(Pick("right", (True, False)), verb="judge", seat=1)),
    "who buzzes, or a cube": (ask(BUZZ), ask(CUBE, verb="cube"), ask(verb="end", text="End", rare=True)),
    "who buzzes, or a cube, or else": (ask(BUZZ, if_refused="take"), ask(CUBE, verb="cube"), ask(SEAT, verb="take")),
    "who buzzes, or the end": (ask(BUZZ), ask(verb="end", text="End", rare=True)),
    "a cube alone": (ask(CUBE),),
    "a card": (ask(Pick("card", CARDS)),),
    "a card of a few": (ask(Pick("card", CARDS[:4], CARDS)),),
    "12 numbers": (ask(Pick("number", tuple(range(12)))),),
    "13 numbers": (ask(Pick("number", tuple(range(13)))),),
    "104 numbers": (ask(Pick("number", tuple(range(1, 105)))),),
    "yes or no": (ask(Pick("right", (True, False)), seat=1),),
    "yes, no or nothing": (ask(Pick("right", (True, False, None))),),
    "words": (ask(Pick("what", ("a", "a word of some length", "another one", "the last"))),),
    "a number": (ask(Number("points", 0, 3)),),
    "one number": (ask(Number("points", 5, 5), SEAT),),
    "23 numbers": (ask(Number("points", 0, 23)),),
    "a wide number": (ask(Number("points", -60, 60)),),
    "a wide number or none": (ask(Number("points", 3, 90, True)),),
    "a few or none": (ask(Number("points", 0, 2, True)),),
    "dice": (ask(Dice("dice", 2, 6)),),
    "marks": (ask(Some("keep", (2, 2, 7), 0, 2)),),
    "marks, one at least": (ask(Some("keep", ("fire", "water"), 1, 1)),),
    "cards": (ask(Some("cards", CARDS, 2, 3)),),
    "cards with copies": (ask(Some("cards", (*CARDS[:2], *CARDS[:2]), 0, 2, source="table")),),
    "until": (ask(Some("throws", ("hit", "miss"), 0, 3, until=lambda value: value == "hit", again=True)),),
    "a text": (ask(Text("word", 1, 2)),),
    "a text or none": (ask(Text("word", 0, 2, True)),),
    "each": (ask(Each("both", (Number("ann", 0, 1), Pick("ben", ("a", "b"))))),),
    "forms": (ask(Forms("hits", (Pick("dode", (1, 2, 3)), Number("face", 1, 2)), 1, 2)),),
    "forms of numbers": (ask(Forms("hits", (Number("dode", 1, 2), SEAT), 0, 2)),),
    "optional": (ask(SEAT, Pick("joker", ("yes", "no"), optional=True)),),
    "optional beside": (ask(Pick("joker", ("spade",), optional=True, beside=True), SEAT),),
    "optional alone": (ask(Pick("joker", ("spade", "heart"), optional=True, beside=True)),),
    "in order": (ask(Pick("card", CARDS, in_order=True), SEAT),),
    "in the menu": (ask(Some("more", CARDS, 0, 2, optional=True, in_menu=True), SEAT),),
    "of a hand": (ask(Pick("card", CARDS[:3], to=1), SEAT),),
    "the last of a hand": (ask(Pick("card", CARDS[:1], to=1), SEAT),),
    "secret": (ask(SEAT, Pick("card", CARDS[:2]), secret=True),),
    "usual": (ask(SEAT, Number("points", 1, 3), usual={"points": 2}),),
    "usual whole": (ask(SEAT, usual={"seat": 1}), ask(verb="stop", text="Stop")),
    "followed": (ask(Number("points", 0, 1), followed_by="stop", question="Which points?"),),
    "side by side": (ask(SEAT, verb="give"), ask(Pick("card", ("fire", "air")), verb="take", text="Take")),
    "too many side by side": (ask(Pick("card", CARDS), verb="give"), ask(SEAT, verb="take"), ask(verb="end")),
    "nobody may buzz": (
        ask(Pick("seat", (), (0, 1), lambda seat: "out", source="buzz")), ask(SEAT, verb="take", text="T"),
    ),
    "a cube, or a long question": (ask(CUBE, verb="cube"), ask(SEAT, text="Take one of these three cards")),
    "two, one with paragraphs": (ask(SEAT, help="One.\n\nTwo."), ask(verb="stop", text="Stop")),
    "who buzzes, or two others": (ask(BUZZ), ask(SEAT, verb="take"), ask(verb="stop", text="Stop")),
    "who buzzes, or one act": (ask(BUZZ), ask(verb="stop", text="Stop")),
    "who buzzes, or two at the end": (ask(BUZZ), *(ask(verb=verb, rare=True) for verb in ("end", "stop"))),
    "a cube, or two others": (ask(CUBE, verb="cube"), ask(SEAT, verb="take"), ask(verb="stop", text="Stop")),
    "closed": (ask(Pick("seat", (), (0, 1), lambda value: "too early")), ask(verb="stop", text="Stop")),
}  # fmt: skip


USUAL = ask(Pick("colour", ("red", "blue")), usual={"colour": "red"}, seat=1)
STOP = ask(verb="stop", text="Stop", seat=2)
NEXT: dict[str, tuple[tuple[Ask, ...], tuple[Ask, ...]]] = {  # offers with a usual answer, and what is asked after it
    "usual, then a seat": ((USUAL,), (ask(SEAT, verb="give", text="Give"),)),
    "usual, then one act": ((USUAL,), (STOP,)),
    "usual twice, then one act": ((USUAL,), (ask(Pick("card", CARDS[:2]), usual={"card": CARDS[0]}, verb="lay"),)),
    "usual of three, then a seat": ((ask(Number("points", 0, 2), usual={"points": 1}),), (ask(SEAT),)),
    "usual of three, then one act": ((ask(Number("points", 0, 2), usual={"points": 1}),), (STOP,)),
    "usual of two fields": ((ask(SEAT, Number("points", 1, 3), usual={"seat": 0, "points": 2}),), (STOP,)),
    "usual or else, then one act": ((USUAL, STOP), (ask(verb="go", text=message("{who} goes", who=Name("Ben"))),)),
    "usual or else, then cards": ((USUAL, STOP), (ask(Some("cards", CARDS[:2], 0, 2)),)),
    "usual or a cube, then who buzzes": ((USUAL, ask(CUBE, verb="cube")), (ask(BUZZ),)),
    "usual or a cube, then a card": ((USUAL, ask(CUBE, verb="cube")), (ask(Pick("card", CARDS)), STOP)),
    "usual, then too many": ((USUAL,), (ask(Pick("number", tuple(range(6)))),)),
    "usual, then nothing": ((USUAL,), ()),
    "a usual yes": ((ask(Pick("right", (True, False)), usual={"right": True}),), (STOP,)),
    "a usual answer that is refused": ((USUAL._replace(usual={"colour": "green"}),), (STOP,)),
}  # fmt: skip


def told(value: object) -> str:
    """An answer in a word or a few; it is an object where it only leads on."""
    text = str(value)
    return "on" if text.startswith("<object") else text if len(text) < 60 else type(value).__name__


def tree(
    asks: Sequence[Ask], taps: tuple[object, ...], lines: list[str], quick: bool, after: Sequence[Ask] | None = None
) -> None:
    """Add a line for each way from a question, and for the ways below; `after` is what follows an answer."""
    again = (STOP,) if after and after[0].usual else ()
    follow = None if after is None else lambda *acts: after if len(acts) == 1 else again
    entry: MenuEntry[tuple[Act, ...]] = MenuEntry(partial(answer, asks, PLAYERS, quick, None, (0, 2, 5), follow))
    for tap in taps:
        entry.tap(tap)
    indent = "  " * len(taps)
    if entry.menu is None:
        lines.append(f"{indent}{[act.line() for act in entry.result or ()]}")
        return
    menu = entry.menu
    lines.append(f"{indent}{' // '.join(described(menu, page) for page in range(menu.pages))}")
    ways = [(choice.label, choice.value) for choice in menu.choices if not choice.off]
    ways += [("OK", menu.ok)] * (menu.ok is not NOTHING) + [("down", menu.down)] * (menu.down is not NOTHING)
    if len(taps) >= DEEP:
        return
    for label, value in ways if not taps else [*ways[:WIDE], *ways[max(WIDE, len(ways) - 1) :]]:
        if len(lines) < MOST:
            lines.append(f"{indent}- {label}")
            tree(asks, (*taps, value), lines, quick, after)


def shown() -> Iterator[str]:
    """Yield the trees of all offers; where an act follows, also without it."""
    for name, asks in OFFERS.items():
        for quick in (True, False) if any(each.followed_by for each in asks) else (True,):
            lines: list[str] = []
            tree(asks, (), lines, quick)
            yield from (f"{name}{'' if quick else ', step by step'}:", *(f"  {line}" for line in lines))
    for name, (asks, after) in NEXT.items():
        lines = []
        tree(asks, (), lines, True, after)
        yield from (f"{name}:", *(f"  {line}" for line in lines))


def test_each_offer_is_asked_as_somebody_has_read_it() -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes offers.txt; read what is different."""
    check_seen(SEEN, shown())
