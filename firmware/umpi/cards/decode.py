"""A scanned card to the answer of the question on the table, whole or in part; and a game's cards to their codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from umpi.kernel import Act, Ask, Field, Game, Given, Pick, Some, message
from umpi.kernel.fields import Value, holds, show
from umpi.kernel.game import defaults, full_title
from umpi.kernel.match import refusal
from umpi.kernel.messages import Parts, listed, spaced

CODE = re.compile(r"(?:umpi:(?P<game>[^:]*):)?(?P<card>.+?)(?:#(?P<copy>\d+))?")


@dataclass(frozen=True, slots=True)
class PartialAnswer:
    """A question answered in part, by scans or by buttons.

    `given` are the fields answered; to the list `name` these `cards` have come, and more may. `copies` are the cards
    scanned for it that are told from others of their kind: each counts once.
    """

    ask: Ask
    given: Given = field(default_factory=dict)
    name: str = ""
    cards: tuple[Value, ...] = ()
    copies: tuple[str, ...] = ()

    @property
    def rest(self) -> Ask:
        """What is still to be asked, as an ask of its own: put it to the panel, and `whole` its answer."""
        known = {*self.given, self.name}
        usual = {name: value for name, value in (self.ask.usual or {}).items() if name not in known}
        return self.ask._replace(
            text=spaced([self.ask.text, *map(show, self.given.values()), *map(show, self.cards)]),
            fields=tuple(map(self._left_of, self.open(self.given))),
            more=lambda given: tuple(map(self._left_of, self.open(self._with(given)))),
            check=lambda given: self.ask.check(self._with(given)),
            usual=usual or None,
        )

    def whole(self, act: Act) -> Act:
        """Put the panel's answer to `rest` together with what had come before."""
        return replace(act, given=self._with(act.given))

    def entered(self, given: Given, name: str) -> PartialAnswer:
        """Go on from where the panel has come with `rest`: what it has been given, and the field it asks for now."""
        told = dict(self._with(given))
        cards = told.pop(name, self.cards if name == self.name else ())
        if isinstance(cards, tuple):
            return replace(self, given=told, name=name if cards else "", cards=cards)
        return replace(self, given=told, name="", cards=())

    def open(self, given: Given) -> list[Field]:
        """The fields not answered by `given`; those that follow from others stand open once these are answered."""
        fields = list(self.ask.fields)
        if all(each.name in given or each.optional for each in fields):
            names = {each.name for each in fields}
            fields += [each for each in self.ask.more(given) if each.name not in names]
        return [each for each in fields if each.name not in given]

    def _with(self, given: Given) -> Given:
        told = {**self.given, **given}
        if self.name in given:
            told[self.name] = (*self.cards, *given[self.name])  # type: ignore[misc]
        return told

    def _left_of(self, field: Field) -> Field:
        """What is left of the list that has begun; any other field as it is."""
        if field.name != self.name or not isinstance(field, Some):
            return field
        pool, count = field.pool, len(self.cards)
        if not field.again:
            left = list(pool)
            for card in self.cards:
                left.remove(card)
            pool = tuple(left)
        return field._replace(
            pool=pool, kinds=field.kinds or tuple(dict.fromkeys(field.pool)),
            least=max(0, field.least - count), most=field.most - count, optional=False,
        )  # fmt: skip


Answer = Act | PartialAnswer | str


def answer_of(
    asks: Sequence[Ask], code: str, so_far: PartialAnswer | None = None, game: type[Game] | None = None
) -> Answer:
    """Answer the offered question that can take a card: an Act where it is whole, else a Part, or why it cannot be.

    A question answered in part takes it alone. A code may bear the game, and the copy: `umpi:dodekka:fire-1#2`.
    """
    read = CODE.fullmatch(code)
    card, copy = (read["card"], code if read["copy"] else "") if read else (code, "")
    if read and read["game"] is not None and game and read["game"] != game.id:
        return message("{card} is a card of another game, not of {game}.", card=card[:40], game=full_title(game))
    parts = [so_far] if so_far else [PartialAnswer(ask) for ask in asks]
    answers = [answer for part in parts if (answer := _take(part, card, copy)) is not None]
    taken = [answer for answer in answers if not isinstance(answer, str)]
    if len(taken) > 1:
        names = [answer.verb if isinstance(answer, Act) else answer.ask.verb for answer in taken]
        choices = listed([ask.text for ask in asks if ask.verb in names], "{some} or {last}")
        return message("{card} may answer {choices}: choose first, then scan it again.", card=card, choices=choices)
    if answers:
        return (taken or answers)[0]
    waits = Parts(part.ask.text for part in parts) or message("nothing")
    return message("{card} answers no question now; the box asks for: {waits}.", card=card[:40], waits=waits)


def _take(part: PartialAnswer, card: str, copy: str) -> Answer | None:
    """Give a card to the first open field that knows it; None where none does."""
    open_ones = [each for each in part.open({**(part.ask.usual or {}), **part.given}) if part.name in ("", each.name)]
    each = next((each for each in open_ones if isinstance(each, Pick | Some) and _knows(each, card)), None)
    if each is None:
        return None
    if copy and copy in part.copies:
        return message("{card}: this very card has been scanned already.", card=card)
    copies = (*part.copies, copy) if copy else part.copies
    if isinstance(each, Pick):
        reason = each.refuse(card)
        after = replace(part, given={**part.given, each.name: card}, copies=copies)
    else:
        cards = (*part.cards, card)
        reason = each._replace(least=0, until=None).refuse(cards)
        after = replace(part, name=each.name, cards=cards, copies=copies)
        if len(cards) == each.most or (each.until and each.until(card)):
            after = replace(after, given={**part.given, each.name: cards}, name="", cards=())
    return reason or _finished(after)


def _knows(field: Pick | Some, card: str) -> bool:
    return field.source not in ("cube", "buzz") and holds(field.kinds or field.pool, card)


def _finished(part: PartialAnswer) -> Answer:
    """An act where nothing is left to be asked, or why it cannot be; else the part itself."""
    given = {**(part.ask.usual or {}), **part.given}
    if part.name or part.open(given):
        return part
    return refusal(part.ask, given) or Act(part.ask.verb, given)


def cards_of(game: type[Game]) -> tuple[str, ...]:
    """List the cards of a game, each copy; () where it has none.

    They are its `cards`, or where it does not say so, what the first offer draws from.
    """
    told: tuple[str, ...] | None = getattr(game, "cards", None)
    if told is not None:
        return told
    for ask in game.setup(game.seats[0], **defaults(game)).asks():
        for each in ask.fields:
            if isinstance(each, Some) and each.source in ("table", "scan") and not each.again:
                cards = tuple(card for card in each.pool if isinstance(card, str))
                if cards:
                    return cards
    return ()


def codes_of(game: type[Game]) -> list[tuple[str, str]]:
    """List the code of each card with the card: copies are numbered, so that each is scanned once.

    >>> from umpi.games.dodekka import Dodekka
    >>> codes_of(Dodekka)[:2]
    [('umpi:dodekka:fire-0', 'fire-0'), ('umpi:dodekka:fire-1#1', 'fire-1')]
    """
    cards = cards_of(game)
    copies, seen = Counter(cards), Counter[str]()
    codes = []
    for card in cards:
        seen[card] += 1
        copy = f"#{seen[card]}" if copies[card] > 1 else ""
        codes.append((f"umpi:{game.id}:{card}{copy}", card))
    return codes
