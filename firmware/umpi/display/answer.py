"""Answers: the questions that turn an offer into acts; any game is played from its offers alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from umpi.display.answer_progress import AnswerProgress
from umpi.display.entering import Asker
from umpi.display.key_values import usual_fields
from umpi.display.menu import KEYS, NOTHING, Choice, Dialogue, Menu, Remedy, answered
from umpi.display.optional_values import crowded
from umpi.display.secret import secretly
from umpi.i18n.translate import Translated, tr, tr_context
from umpi.kernel.fields import Pick, same, show
from umpi.kernel.game import Act, Ask, replace
from umpi.kernel.match import Refused, refusal
from umpi.kernel.messages import Message
from umpi.kernel.now import Now
from umpi.kernel.teams import Teams
from umpi.table.secret import secret_ask
from umpi.table.telling import ACT, of_players

log = logging.getLogger(__name__)

Acts = tuple[Act, ...]
LINE = 25  # letters of a question
ROOM = 3  # choices with room for names on their keys
After = Callable[..., Sequence[Ask]]  # returns what would be asked after some acts


def answer(
    asks: Sequence[Ask],
    players: Sequence[str],
    quick: bool = True,
    progress: AnswerProgress | None = None,
    buttons: Sequence[int] = (),
    after: After | None = None,
    whole: bool = False,
    sealed: Collection[int] = (),
    together: Teams = (),
) -> Dialogue[Acts]:
    """Ask for one act of the offer; with `quick`, add the act that usually follows at once.

    If six keys are enough, the first questions of all asks appear together, so that a card takes two presses. A seat
    buzzes by its own button. A cube that no funnel has seen is entered behind OK. With `whole`, every field is asked
    for, also usual values and rarely used fields. `sealed` contains the seats that have answered a secret question,
    and `together` those that give one answer to it.
    """
    if not (entered := of_players(asks)):
        return (yield from _wait(asks))
    asks = entered
    usual = _frequent(asks)
    both = len(usual) == 1 and quick and usual[0].followed_by
    asker = Asker(players, progress, buttons, whole, usual[0].question if both else "")
    if secret := secret_ask(usual):
        return ((yield from secretly(asker, secret, sealed, together)),)
    acts = yield from _choose(asker, usual, after, _further(asks))
    then = next((ask.followed_by for ask in asks if ask.verb == acts[-1].verb), "")
    return (*acts, Act(then)) if then and quick else acts


def instructed(dialogue: Dialogue[Acts], now: Now, again: bool = False) -> Dialogue[Acts]:
    """Show with the first question of an answer what the next person must do, `again` as often as it is asked."""
    menu = first = next(dialogue)
    try:
        while True:
            shown = menu is first or (again and menu.title == first.title)
            menu = dialogue.send((yield replace(menu, now=now) if shown else menu))
    except StopIteration as end:
        acts: Acts = end.value
        return acts


def _wait(asks: Sequence[Ask]) -> Dialogue[Acts]:
    """Show what the box is about to do, until it has done it."""
    while True:
        yield Menu(tr(asks[0].text), (), help=tr(asks[0].help))


def _frequent(asks: Sequence[Ask]) -> list[Ask]:
    """List the asks that the buttons offer: all but rare ones, unless there is no other."""
    return [ask for ask in asks if not ask.rare] or list(asks)


def _further(asks: Sequence[Ask]) -> list[Ask]:
    """List the rare acts of nobody that one key does, such as the end of a game without a limit."""
    return [ask for ask in asks if ask.rare and not ask.fields and ask.seat is None and ask.at_ms is None]


def _choose(asker: Asker, asks: Sequence[Ask], after: After | None, further: Sequence[Ask] = ()) -> Dialogue[Acts]:
    cubes = [ask for ask in asks if _source(ask) == "cube"][:1]
    others = [ask for ask in asks if ask not in cubes]
    if not others:
        return ((yield from _asked(asker, cubes[0])),)
    usual = next((ask for ask in others if _assumable(ask)), None)
    if usual and after and (ahead := _ahead(asker, usual, after)):
        return (yield from _granted(asker, usual, ahead, others, cubes, after))
    buzz = _buzz(others)
    if buzz and (buttons := next(asker.apart().fill(buzz))).places:
        beside = [ask for ask in others if ask is not buzz] or cubes
        return (yield from _while_buzzing(asker, buzz, buttons, beside, further))
    return (yield from _side_by_side(asker, others, cubes))


def _assumable(ask: Ask) -> bool:
    """Return whether the usual answer of an ask may be assumed: it is complete, and no yes or no."""
    if ask.usual is None or any(isinstance(value, bool) for value in ask.usual.values()):
        return False
    return not refusal(ask, ask.usual)


def _buzz(asks: Sequence[Ask]) -> Ask | None:
    return next((ask for ask in asks if _source(ask) == "buzz" and "seat" not in usual_fields(ask)), None)


def left_out(asks: Sequence[Ask]) -> list[Ask]:
    """List the asks that only the menu offers: a cube entered by hand, while seats buzz and OK has another meaning."""
    usual = [ask for ask in of_players(asks) if not ask.rare]
    cubes = [ask for ask in usual if _source(ask) == "cube"][:1]
    return cubes if cubes and _buzz(usual) and len(usual) > 2 else []


def why_closed(asker: Asker, ask: Ask) -> Translated:
    """Return why no answer to the first question of an ask is allowed, "" if there is one."""
    return _why_closed(next(asker.apart().fill(ask), None), asker)


def _why_closed(first: Menu | None, asker: Asker) -> Translated:
    if first is None or first.ok is not NOTHING or not all(choice.off for choice in first.choices):
        return Translated("")
    return Translated(" ".join(dict.fromkeys(tr(choice.off, asker.players) for choice in first.choices)))


def _asked(asker: Asker, ask: Ask) -> Dialogue[Act]:
    """Ask for an act; ask for it by one key if it has nothing to choose."""
    if next(asker.apart().fill(ask), None) is None:
        yield _single(asker, ask, None)
    return (yield from asker.fill(ask))


def _one_of(asker: Asker, asks: Sequence[Ask]) -> Dialogue[Acts]:
    """Ask for the fields of the only ask, or first for which ask."""
    if len(asks) == 1:
        return ((yield from asker.fill(asks[0])),)
    return (yield from _side_by_side(asker, asks, ()))


def _ahead(asker: Asker, ask: Ask, after: After) -> tuple[Sequence[Ask], Menu] | None:
    """Return what is asked after the usual answer, with its menu; None if the keys have no room for another choice."""
    granted = Act(ask.verb, ask.usual or {})
    try:
        following = _frequent(of_players(after(granted)))
    except Refused as refusal:  # its text may name a card; that of an engine's fault is in the log already
        log.warning("what follows the usual %s cannot be told (%s)", ask.verb, type(refusal).__name__)
        return None
    menu = next(_choose(asker.apart(), following, partial(after, granted))) if following else None
    return None if menu is None or len(menu.choices) >= KEYS or menu.places else (following, menu)


def _granted(
    asker: Asker, ask: Ask, ahead: tuple[Sequence[Ask], Menu], others: Sequence[Ask], cubes: Sequence[Ask], after: After
) -> Dialogue[Acts]:
    """Assume the usual answer and ask what follows; one further key gives or leads to any other answer."""
    granted, (following, menu) = Act(ask.verb, ask.usual or {}), ahead
    if menu.ok is not NOTHING:
        others, cubes = [*others, *cubes], ()
    choices = (*menu.choices, *_instead(asker, ask, others, ROOM - len(menu.choices)))
    title = _granted_title(asker, ask, following, menu)
    seats = (menu.seat, *(each.seat for each in following))
    seat = next((each for each in seats if each is not None), None)
    menu = replace(menu, title=title, choices=choices, rows=menu.rows or crowded(choices), seat=seat)
    picked = yield _with_ok(asker, menu, cubes)
    if picked is _OTHER:
        return (yield from _one_of(asker, others))
    if isinstance(picked, _Instead) and picked.ask is ask:
        return ((yield from answered(asker.fill(ask), picked.value)),)
    if picked is _ASIDE and cubes:  # otherwise it is the OK of the following question
        return (yield from _one_of(asker, cubes))
    left = answered(_choose(asker, following, partial(after, granted)), picked)
    return (granted, *(yield from _for_seat(left, seat)))


def _for_seat(dialogue: Dialogue[Acts], seat: int | None) -> Dialogue[Acts]:
    """Show for each question that this seat must answer, because the match does not know that yet."""
    picked: object = None
    while True:
        try:
            menu = dialogue.send(picked)
        except StopIteration as end:
            acts: Acts = end.value
            return acts
        picked = yield menu if menu.seat is not None else replace(menu, seat=seat)


def _instead(asker: Asker, ask: Ask, others: Sequence[Ask], room: int) -> tuple[Choice, ...]:
    """Return the choices for another answer than the usual one: the answer itself if it is alone and has room."""
    if [*others] == [ask] and len(ask.fields) == 1 and (field := ask.fields[0]).name in (ask.usual or {}):
        usual = (ask.usual or {})[field.name]
        first = next(asker.apart().fill(ask), None)
        left = [each for each in first.choices if not each.off and not same(each.value, usual)] if first else []
        if len(left) <= min(room, 1):
            return tuple(replace(each, value=_Instead(ask, each.value), button=None) for each in left)
    return (Choice(tr("other"), _OTHER),)


def _granted_title(asker: Asker, ask: Ask, following: Sequence[Ask], menu: Menu) -> Translated:
    """Return the question after a usual answer: a message names the answer itself, before a plain text it is added."""
    if isinstance(following[0].text, Message):
        return Translated(menu.title)
    return Translated(f"{tr(show(tuple((ask.usual or {}).values())))} {menu.title}")


def _while_buzzing(
    asker: Asker, buzz: Ask, buttons: Menu, beside: Sequence[Ask], further: Sequence[Ask]
) -> Dialogue[Acts]:
    """Let a seat press its own button. OK leads to all other answers, or OK and down give two answers of one ask.

    If there is no other answer, OK leads to a `further` act, which a second key confirms.
    """
    if len(beside) == 1 and beside[0].seat is not None:
        first = next(asker.apart().fill(beside[0]), None)
        if first and len(first.choices) == 2 and first.ok is NOTHING and not any(each.off for each in first.choices):
            return (yield from _of_two(asker, beside[0], first, buzz, buttons))
    if beside and (beside[0].seat is not None or all(choice.off for choice in buttons.choices)):
        buttons = replace(buttons, title=tr(beside[0].text, asker.players))
    remedy = next((ask for ask in beside if buzz.if_refused == ask.verb), None)
    if remedy:
        cure = Remedy(tr(remedy.text, asker.players), _REMEDY)
        buttons = replace(buttons, choices=tuple(replace(each, remedy=cure) for each in buttons.choices))
    picked = yield _with_ok(asker, buttons, beside or further)
    if picked is _REMEDY and remedy:
        return ((yield from asker.fill(remedy)),)
    if picked is _ASIDE and not beside:
        return (yield from _side_by_side(asker, further, ()))
    if picked is _ASIDE:
        return (yield from _one_of(asker, beside))
    return ((yield from answered(asker.fill(buzz), picked)),)


def _of_two(asker: Asker, ask: Ask, first: Menu, buzz: Ask, buttons: Menu) -> Dialogue[Acts]:
    """Ask about one seat on OK and down, while the other seats can still buzz by their buttons."""
    yes, no = first.choices
    less = tr("no") if no.value is False else no.label  # "not right" is too long next to "right"
    picked = yield replace(
        buttons, title=tr(ask.text, asker.players), ok=(yes.value,), done=yes.label, down=(no.value,), less=less
    )  # fmt: skip
    if isinstance(picked, tuple):
        return ((yield from answered(asker.fill(ask), picked[0])),)
    return ((yield from answered(asker.fill(buzz), picked)),)


def _side_by_side(asker: Asker, asks: Sequence[Ask], cubes: Sequence[Ask]) -> Dialogue[Acts]:
    """Show the first questions of all asks on the keys, or the asks themselves if the choices are too many."""
    found = [next(asker.apart().fill(ask), None) for ask in asks]
    if len(asks) == 1 and found[0] and not cubes:
        return ((yield from asker.fill(asks[0])),)
    firsts = [menu or _single(asker, ask, None) for menu, ask in zip(found, asks, strict=True)]
    many = len(asks) > 1 and sum(len(menu.choices) for menu in firsts) > KEYS
    question = next((tr(ask.question, asker.players) for ask in asks if ask.question), "")
    unnamed = not question and len(asks) > 1 and len(" / ".join(menu.title for menu in firsts)) > LINE
    if many or unnamed or any(menu.ok is not NOTHING for menu in firsts):
        firsts = [_single(asker, ask, menu) for menu, ask in zip(found, asks, strict=True)]
    choices = tuple(
        Choice(choice.label, (index, choice.value), choice.off, button=choice.button)
        for index, menu in enumerate(firsts)
        for choice in menu.choices
    )
    helps = [f"{_begin(tr_context(ACT, ask.verb))}: {tr(ask.help, asker.players)}" for ask in asks]
    help = Translated(("\n\n" if any("\n\n" in each for each in helps) else " ").join(helps))
    title = " / ".join(menu.title for menu in firsts)
    if len(firsts) > 1 and len(title) > LINE:
        title = tr("What next?")
    picked = yield _with_ok(asker, Menu(question or title, choices, help=help, rows=crowded(choices)), cubes)
    if picked is _ASIDE:
        return (yield from _one_of(asker, cubes))
    assert isinstance(picked, tuple)
    index, value = picked
    dialogue = asker.fill(asks[index])
    return ((yield from dialogue if value is _WHOLE else answered(dialogue, value)),)


class _Instead(NamedTuple):
    """Another answer than the usual one, as a choice of its own."""

    ask: Ask
    value: object


_WHOLE = object()  # the ask itself, if its first question does not fit next to the others
_OTHER = object()  # another answer than the usual one
_ASIDE = object()  # what OK leads to
_REMEDY = object()  # the act that the refusal of a seat's button offers


def _source(ask: Ask) -> str:
    """Return who knows the seat that an ask is about; "" if it asks for none."""
    return next((field.source for field in ask.fields if isinstance(field, Pick) and field.name == "seat"), "")


def _single(asker: Asker, ask: Ask, first: Menu | None) -> Menu:
    """Return the menu of an ask as one key; `first` is its first question, None if it has nothing to choose."""
    return Menu(tr(ask.text, asker.players), (Choice(tr_context(ACT, ask.verb), _WHOLE, _why_closed(first, asker)),))


def _begin(word: str) -> str:
    return word[:1].upper() + word[1:]


def _with_ok(asker: Asker, menu: Menu, asides: Sequence[Ask]) -> Menu:
    """Let OK lead to the other asks, or say why none of them is open; change nothing if OK already has an answer."""
    if not asides or menu.ok is not NOTHING:
        return menu
    reasons = [why_closed(asker, ask) for ask in asides]
    if all(reasons):
        return replace(menu, why=Translated(" ".join(reasons)))
    return replace(menu, ok=_ASIDE, done=tr_context(ACT, asides[0].verb) if len(asides) == 1 else tr("other"))
