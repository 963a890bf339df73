"""The sentence `now`: what the next person must do. It is made from the position and never stored."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Ask, Game, code_of
from umpi.kernel.messages import Message, Who, message, named
from umpi.kernel.misshapen import Misshapen

LONGEST = 70  # the most letters of a sentence, with the names of buttons
NAME = 8  # letters for the longest of them, a colon and a space


@frozen
class Now:
    """What the next person must do: one sentence in the imperative that names whoever must act.

    `seat` is the seat that must act, None if anybody may. `voice` is the sentence for the ear where it differs: without
    symbols, with numbers as words.

    >>> Now(message("{who}: roll the dice.", who=Who(1)), 1).with_names(["Ann", "Ben"]).line()
    {'text': 'Ben: roll the dice.', 'seat': 1}
    """

    text: str
    seat: int | None = None
    voice: str = ""

    @property
    def aloud(self) -> str:
        """Return the sentence for the ear."""
        return self.voice or self.text

    def with_names(self, players: Sequence[str]) -> Now:
        """Return the sentence with the players' names in place of seats."""
        return Now(named(self.text, players), self.seat, named(self.voice, players))

    def line(self) -> dict[str, Value]:
        """Return the sentence as `umpi replay --trace FILE` prints it."""
        line: dict[str, Value] = {"text": self.text, "seat": self.seat}
        return line | ({"voice": self.voice} if self.voice else {})


def now_of(position: Game, asks: tuple[Ask, ...]) -> Now | None:
    """Return what the next person must do in a position with this offer, None if the game is over.

    If the engine says nothing, the sentence is made from the questions of its offer.

    Raises Misshapen if the engine returns no `Now`.
    """
    if not asks:
        return None
    now = position.now()
    if now is None:
        return _of_offer(asks)
    if not isinstance(now, Now):
        raise Misshapen(f"now() returns a {type(now).__name__}, not a Now", code_of(type(position).now))
    return now


def _of_offer(asks: tuple[Ask, ...]) -> Now:
    """Return the questions of an offer as one sentence, after the name of the seat that they are for."""
    usual = [ask for ask in asks if ask.answerable and not (ask.rare or ask.of_box)] or list(asks)
    seat = next((ask.seat for ask in usual if ask.seat is not None), None)
    text = next((ask.question for ask in usual if ask.question), "") or _joined([ask.text for ask in usual])
    if len(text) > LONGEST - NAME:
        text = usual[0].text
    if seat is None or seat in _seats_in(text):
        return Now(text, seat)
    return Now(message("{who}: {question}", who=Who(seat), question=text), seat)


def _joined(texts: list[str]) -> str:
    """Return different texts as one, with a stroke between them."""
    first, *others = dict.fromkeys(texts)
    for other in others:
        first = message("{one} / {other}", one=first, other=other)
    return first


def _seats_in(text: str) -> list[int]:
    """Return the seats that a message names."""
    return [int(each) for each in text.values.values() if isinstance(each, Who)] if isinstance(text, Message) else []
