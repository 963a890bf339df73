"""Decoding of cards: answer the current question with a scanned card, and list the codes of a game's cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace

from umpi.frozen import frozen
from umpi.kernel import Act, Ask, Field, Game, Given, Pick, Some, message
from umpi.kernel.fields import Value, holds, show
from umpi.kernel.game import full_title
from umpi.kernel.match import refusal
from umpi.kernel.messages import Parts, listed, spaced
from umpi.kernel.options import set_up

CODE = re.compile(r"(?:umpi:(?P<game>[^:]*):)?(?P<card>.+?)(?:#(?P<copy>\d+))?")


@frozen
class PartialAnswer:
    """A question that scans or buttons have answered in part.

    `given` contains the answered fields. `name` is a list field that has begun, and `cards` are its values so far.
    `copies` contains the codes of numbered copies that have been scanned: each counts once.
    """

    ask: Ask
    given: Given = field(default_factory=dict)
    name: str = ""
    cards: tuple[Value, ...] = ()
    copies: tuple[str, ...] = ()

    @property
    def rest(self) -> Ask:
        """Return the rest of the question as an ask for the display; `whole` completes the answer to it."""
        known = {*self.given, self.name}
        answered = [show(value) for value in (*self.given.values(), *self.cards) if value != ()]
        usual = {name: value for name, value in (self.ask.usual or {}).items() if name not in known}
        return self.ask._replace(
            text=spaced([self.ask.text, *answered]),
            fields=tuple(map(self._left_of, self.open(self.given))),
            more=lambda given: tuple(map(self._left_of, self.open(self._with(given)))),
            objection=lambda given: self.ask.objection(self._with(given)),
            usual=usual or None,
        )

    def whole(self, act: Act) -> Act:
        """Return the complete act: the display's answer to `rest`, combined with the earlier answers."""
        return replace(act, given=self._with(act.given))

    def entered(self, given: Given, name: str) -> PartialAnswer:
        """Return the partial answer after entries on the display.

        `given` contains the display's answers to `rest`. `name` is the field that the display asks for now.
        """
        answers = dict(self._with(given))
        cards = answers.pop(name, self.cards if name == self.name else ())
        if isinstance(cards, tuple):
            return replace(self, given=answers, name=name if cards else "", cards=cards)
        return replace(self, given=answers, name="", cards=())

    def open(self, given: Given) -> list[Field]:
        """Return the fields that `given` does not answer.

        The fields of `more` are included as soon as `given` answers all of the ask's own fields that are not optional.
        """
        fields = list(self.ask.fields)
        if all(each.name in given or each.optional for each in fields):
            names = {each.name for each in fields}
            fields += [each for each in self.ask.more(given) if each.name not in names]
        return [each for each in fields if each.name not in given]

    def _with(self, given: Given) -> Given:
        answers = {**self.given, **given}
        if self.name in given:
            answers[self.name] = (*self.cards, *given[self.name])
        return answers

    def _left_of(self, field: Field) -> Field:
        """Return the rest of the list that has begun; return any other field unchanged."""
        if field.name != self.name or not isinstance(field, Some):
            return field
        pool, count = field.pool, len(self.cards)
        if not field.again:
            left = list(pool)
            for card in self.cards:
                left.remove(card)
            pool = tuple(left)
        return field._replace(
            pool=pool, all_values=field.all_values or tuple(dict.fromkeys(field.pool)),
            least=max(0, field.least - count), most=field.most - count, optional=False,
        )  # fmt: skip


Answer = Act | PartialAnswer | str


def answer_of(
    asks: Sequence[Ask], code: str, so_far: PartialAnswer | None = None, game: type[Game] | None = None
) -> Answer:
    """Answer an offered question with a scanned card.

    Returns an Act if the answer is complete, a PartialAnswer if it is not, or the reason why the card is refused.
    If a question is answered in part, only that question can take the card. A code may contain the game and the copy:
    `umpi:dodekka:fire-1#2`.
    """
    read = CODE.fullmatch(code)
    card, copy = (read["card"], code if read["copy"] else "") if read else (code, "")
    if read and read["game"] is not None and game and read["game"] != game.id:
        return message("{card} is from another game, not {game}.", card=card[:40], game=full_title(game))
    parts = [so_far] if so_far else [PartialAnswer(ask) for ask in asks]
    answers = [answer for part in parts if (answer := _take(part, card, copy)) is not None]
    taken = [answer for answer in answers if not isinstance(answer, str)]
    if len(taken) > 1:
        names = [answer.verb if isinstance(answer, Act) else answer.ask.verb for answer in taken]
        choices = listed([ask.text for ask in asks if ask.verb in names], "{some} or {last}")
        return message("{card} fits {choices}: choose first, then scan again.", card=card, choices=choices)
    if answers:
        return (taken or answers)[0]
    waits = Parts(part.ask.text for part in parts) or message("nothing")
    return message("{card} is not needed now. Expected: {waits}", card=card[:40], waits=waits)


def _take(part: PartialAnswer, card: str, copy: str) -> Answer | None:
    """Answer the first open field that knows the card; return None if no field does."""
    open_ones = [each for each in part.open({**(part.ask.usual or {}), **part.given}) if part.name in ("", each.name)]
    each = next((each for each in open_ones if isinstance(each, Pick | Some) and _knows(each, card)), None)
    if each is None:
        return None
    if copy and copy in part.copies:
        return message("{card}: already scanned.", card=card)
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
    return field.source not in ("cube", "buzz") and holds(field.all_values or field.pool, card)


def _finished(part: PartialAnswer) -> Answer:
    """Return the act, or the reason for its refusal, if no field is open; otherwise return the partial answer."""
    given = {**(part.ask.usual or {}), **part.given}
    if part.name or part.open(given):
        return part
    return refusal(part.ask, given) or Act(part.ask.verb, given)


def cards_of(game: type[Game]) -> tuple[str, ...]:
    """Return each copy of a game's cards, () if it has none.

    They are the game's `cards`. If it names none, they are the pool of the first field that the first offer draws.
    """
    named = game.cards
    if named:
        return named
    for ask in set_up(game, game.seats[0], {}).asks():
        for each in ask.fields:
            if isinstance(each, Some) and each.source in ("table", "scan") and not each.again:
                cards = tuple(card for card in each.pool if isinstance(card, str))
                if cards:
                    return cards
    return ()


def codes_of(game: type[Game]) -> list[tuple[str, str]]:
    """Return the code of each card with the card; copies are numbered, so that each counts once.

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
