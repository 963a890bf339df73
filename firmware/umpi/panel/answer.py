"""An offer to the questions that answer it: any game is played from its offers alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from umpi.panel.entering import Asker, Progress, usual_fields
from umpi.panel.menu import KEYS, NOTHING, Choice, Dialogue, Menu
from umpi.rules.fields import Pick, show
from umpi.rules.game import Act, Ask
from umpi.rules.match import refusal
from umpi.tongue import Told, told, told_as

Acts = tuple[Act, ...]
ACT = "act"  # what a verb is in other languages
After = Callable[[Act], Sequence[Ask]]  # what would be asked after an act
T = TypeVar("T")


def answer(
    asks: Sequence[Ask],
    players: Sequence[str],
    quick: bool = True,
    progress: Progress | None = None,
    buttons: Sequence[int] = (),
    after: After | None = None,
    whole: bool = False,
) -> Dialogue[Acts]:
    """Ask for one act of the offer; with `quick`, what usually follows it at once comes with it.

    The first questions of all asks stand side by side where six keys hold them, so that a card is two presses. A seat
    that buzzes does so by its own button; a cube that no funnel has seen is told behind OK. With `whole` every field
    is asked for, what is usual and what is seldom answered too.
    """
    asker = Asker(players, progress, buttons, whole)
    acts = yield from _choose(asker, [ask for ask in asks if not ask.rare] or list(asks), after)
    then = next((ask.then for ask in asks if ask.verb == acts[-1].verb), "")
    return (*acts, Act(then)) if then and quick else acts


def _choose(asker: Asker, asks: Sequence[Ask], after: After | None) -> Dialogue[Acts]:
    cubes = [ask for ask in asks if _source(ask) == "cube"]
    others = [ask for ask in asks if ask not in cubes]
    if not others:
        return ((yield from asker.fill(cubes[0])),)
    usual = next((ask for ask in others if ask.usual is not None and not refusal(ask, ask.usual)), None)
    if usual and after:
        return (yield from _granted(asker, usual, cubes, after))
    buzzes = [ask for ask in others if _source(ask) == "buzz" and "seat" not in usual_fields(ask)]
    if buzzes and all(ask.seat is None for ask in others):
        return (yield from _own_button(asker, buzzes[0], [ask for ask in others if not ask.fields]))
    if buzzes:
        return (yield from _while_buzzing(asker, next(ask for ask in others if ask.seat is not None), buzzes[0]))
    return (yield from _side_by_side(asker, others, cubes))


def _granted(asker: Asker, ask: Ask, cubes: Sequence[Ask], after: After) -> Dialogue[Acts]:
    """Take the usual answer for granted and ask what follows; another answer is one key away."""
    granted = Act(ask.verb, ask.usual or {})
    following = after(granted)

    menu = next(_choose(asker.apart(), following, None), None)
    if menu is None or len(menu.choices) >= KEYS or menu.places:
        return ((yield from asker.fill(ask)),)
    title = f"{told(show(tuple(granted.given.values())))} {menu.title}"
    picked = yield _with_ok(replace(menu, title=title, choices=(*menu.choices, Choice(told("other"), _OTHER))), cubes)
    if picked is _OTHER:
        return ((yield from asker.fill(ask)),)
    if picked is _ASIDE:
        return ((yield from asker.fill(cubes[0])),)
    return (granted, *(yield from _answered(_choose(asker, following, None), picked)))


def _own_button(asker: Asker, buzz: Ask, plain: Sequence[Ask]) -> Dialogue[Acts]:
    """Let a seat press its own button; what needs no answer stands behind OK."""
    menu = next(asker.apart().fill(buzz))
    if plain and all(choice.off for choice in menu.choices):
        menu = replace(menu, title=told(plain[0].text))
    picked = yield _with_ok(menu, plain)
    if picked is _ASIDE:
        return (Act(plain[0].verb),)
    return ((yield from _answered(asker.fill(buzz), picked)),)


def _while_buzzing(asker: Asker, ask: Ask, buzz: Ask) -> Dialogue[Acts]:
    """Ask what is to be said of one seat, on OK and down, while the others' buttons go on buzzing."""
    yes, no = next(asker.apart().fill(ask)).choices
    buttons = next(asker.apart().fill(buzz))
    less = told("not") if no.value is False else no.label  # "not right" is long beside "right"
    aside = replace(buttons, title=told(ask.text), ok=(yes.value,), done=yes.label, down=(no.value,), less=less)
    picked = yield aside
    if isinstance(picked, tuple):
        return ((yield from _answered(asker.fill(ask), picked[0])),)
    return ((yield from _answered(asker.fill(buzz), picked)),)


def _side_by_side(asker: Asker, asks: Sequence[Ask], cubes: Sequence[Ask]) -> Dialogue[Acts]:
    """Put the first questions of all asks under the keys, or where they are too many, the asks themselves."""
    firsts = [next(asker.apart().fill(ask), None) or _single(ask) for ask in asks]
    if len(asks) == 1 and asks[0].fields and (firsts[0].ok is not NOTHING or not cubes):
        return ((yield from asker.fill(asks[0])),)
    if len(asks) > 1 and (sum(len(menu.choices) for menu in firsts) > KEYS or any(m.ok is not NOTHING for m in firsts)):
        firsts = [_single(ask) for ask in asks]
    choices = tuple(
        Choice(choice.label, (index, choice.value), choice.off, button=choice.button)
        for index, menu in enumerate(firsts)
        for choice in menu.choices
    )
    help = Told(" ".join(f"{_begin(told_as(ACT, ask.verb))}: {told(ask.help)}" for ask in asks))
    picked = yield _with_ok(Menu(" / ".join(menu.title for menu in firsts), choices, help=help), cubes)
    if picked is _ASIDE:
        return ((yield from asker.fill(cubes[0])),)
    assert isinstance(picked, tuple)
    index, value = picked
    dialogue = asker.fill(asks[index])
    return ((yield from dialogue if value is _WHOLE else _answered(dialogue, value)),)


_WHOLE = object()  # the ask itself, where its first question does not fit beside the others
_OTHER = object()  # another answer than the usual one
_ASIDE = object()  # what stands behind OK


def _source(ask: Ask) -> str:
    """Who knows the seat an ask is about: "" where it asks for none."""
    return next((field.source for field in ask.fields if isinstance(field, Pick) and field.name == "seat"), "")


def _single(ask: Ask) -> Menu:
    return Menu(told(ask.text), (Choice(told_as(ACT, ask.verb), _WHOLE),))


def _begin(word: str) -> str:
    return word[:1].upper() + word[1:]


def _with_ok(menu: Menu, asides: Sequence[Ask]) -> Menu:
    return replace(menu, ok=_ASIDE, done=told_as(ACT, asides[0].verb)) if asides and menu.ok is NOTHING else menu


def _answered(dialogue: Dialogue[T], value: object) -> Dialogue[T]:
    """Go on with a dialogue whose first question is answered already."""
    next(dialogue)
    try:
        menu = dialogue.send(value)
        while True:
            menu = dialogue.send((yield menu))
    except StopIteration as end:
        told: T = end.value
        return told
