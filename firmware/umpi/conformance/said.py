"""What a game says: the texts that players may see, collected from random games with each of its options."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from umpi.cards.decode import cards_of
from umpi.conformance.drawing import asked, drawn
from umpi.conformance.tables import tables, variants
from umpi.i18n.translate import is_own
from umpi.kernel.board import Counter, Space, Token, board_of
from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, Value, show
from umpi.kernel.game import Ask, Game
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, Name, Parts
from umpi.kernel.random_games import play
from umpi.kernel.table_setup import table_setup_of
from umpi.lessons.found import lesson_of
from umpi.table.seats import COLOURS
from umpi.table.telling import ACT

WORD = re.compile(r"[^\W\d_](?:[^\W_]|-)*[^\W\d_]")
PLAIN = re.compile(r"(?<!\S)[^\W\d_]+(?=[,.:;?!]?(?:\s|$))")  # a word by itself, unlike the parts of "fire-4 air-1"
VALUES = re.compile(r"{.*?}")
POSITIONS = 30  # of each random game that are all looked at, then one of EVERY up to MOST
EVERY, MOST = 25, 2_400
TITLE = "The title of the game, or what kind of game it is after its title."
VERB = "What a move is called: a key of 5 to 10 letters, and after “Undo:”."
QUESTION = "A question: 20 letters beside its keys, 23 in the menu."
RULE = "The rule behind a question or an option: running text in lines of 25 letters."
FIELD = "What a question asks for, after a colon: as short as can be."
FEW = "A few words beside the scores, on the board or in the odds: hardly longer than here."
SENTENCE = "Running text in lines of 25 letters."
VALUE = "A value of an option: as short as can be."
WORD_ROOM = "A word: of a card, an option, an answer, or inside a sentence; as short as can be."


class Said(NamedTuple):
    """A text for players: its English, the plural if it depends on a number, and its context, "" without one."""

    english: str
    many: str = ""
    context: str = ""


def said(game: type[Game]) -> dict[Said, str]:
    """Return the texts of a game that Umpi has not translated, with the room for each, in the order of appearance.

    A text that no random game shows is missing, such as the reason for a rare refusal.
    """
    return {text: room for text, room in heard(game).items() if not is_own(text.english, text.context)}


def heard(game: type[Game]) -> dict[Said, str]:
    """Return all texts of a game with the room for each, also those that other games say."""
    listener = _Listener(game)
    listener.listen()
    return listener.heard


@dataclass(slots=True)
class _Listener:
    game: type[Game]
    heard: dict[Said, str] = field(default_factory=dict)
    cards: Collection[str] = ()  # their parts are words
    plain: set[tuple[str, str]] = field(default_factory=set)  # texts without values that were added, with their room

    def listen(self) -> None:
        self._of_class()
        few, many = self.game.seats[0], min(self.game.seats[-1], len(COLOURS))
        for seed, options in enumerate([{}, *variants(self.game)]):
            for header in tables(self.game, [options]):
                if len(header.players) in (few, many):
                    self._of_game(Match(self.game, header.players, header.options), seed)

    def _of_class(self) -> None:
        self._text(self.game.title, TITLE)
        self._text(self.game.kind, TITLE)
        for option in self.game.options:
            self._words(option.name)
            self._denied(option)
            if isinstance(option, Number) and option.null:
                self._add(Said(show(None), context=option.name), VALUE)
            for value in option.pool if isinstance(option, Pick) else ():
                if isinstance(value, str):
                    self._add(Said(value, context=option.name), VALUE)
        for text in self.game.option_help.values():
            self._text(text, RULE)
        if lesson := lesson_of(self.game):
            self._texts((step.text for step in lesson.steps), SENTENCE)
        self.cards = {*cards_of(self.game)}
        for card in self.cards:
            for part in card.split("-"):
                self._words(part)

    def _of_game(self, match: Match, seed: int) -> None:
        for text in table_setup_of(self.game, len(match.players), match.options):
            self._text(text, SENTENCE)
        chance = Random(seed)
        self._of_position(match, chance)
        for number, _ in enumerate(play(match, seed, audited=False)):
            self._text(match.told(-1), SENTENCE)
            for call in match.calls():
                self._text(call.text, SENTENCE)
            if number < POSITIONS or number % EVERY == 0:
                self._of_position(match, chance)
            if number > MOST:
                break

    def _of_position(self, match: Match, chance: Random) -> None:
        for ask in match.asks:
            self._of_ask(ask, chance)
        position = match.now
        view, result = position.view(), position.result()
        self._texts((view.head, *view.beside), FEW)
        for seat in range(len(match.players)):
            self._texts(position.own_hand(seat) or (), SENTENCE)
        for row in (*view.rows, *position.odds()):
            self._text(row.label, FEW)
            self._texts(row.cells, FEW)
        if result:
            self._text(result.why, SENTENCE)
        if match.asks and (now := position.now()):
            self._texts((now.text, now.voice), SENTENCE)
        if board := board_of(position):
            self._texts((part.label for part in board.parts), FEW)
            for piece in board.pieces():
                if isinstance(piece, Counter | Space | Token) and isinstance(piece.text, str):
                    self._text(piece.text, FEW)

    def _of_ask(self, ask: Ask, chance: Random) -> None:
        self._add(Said(ask.verb, context=ACT), VERB)
        self._texts((ask.text, ask.question), QUESTION)
        self._text(ask.help, RULE)
        act = drawn(ask, chance.random, optional=True)
        for each in (*ask.fields, *(asked(ask, act.given).values() if act else ())):
            self._of_field(each)

    def _of_field(self, field: Field) -> None:
        self._text(field.name, FIELD)
        self._denied(field)
        match field:
            case Number():
                self._text(field.text, FIELD)
            case Each() | Forms():
                for each in field.fields:
                    self._of_field(each)
            case Pick() | Some():
                self._text(field.text, FIELD)
                kinds: list[Value] = list(dict.fromkeys(field.all_values or field.pool))
                for kind in kinds:
                    self._words(kind if isinstance(kind, str) else field.label(kind))
                for kind in kinds[:: max(1, len(kinds) // 4)]:
                    self._text(field.refuse((kind,) if isinstance(field, Some) else kind), SENTENCE)
            case Text() | Profile():
                pass  # players write the one, and the other has its words in its fields

    def _denied(self, field: Field) -> None:
        """Add the label of "no" for a field with the answers yes and no."""
        pool = (field.all_values or field.pool) if isinstance(field, Pick) else ()
        if False in pool and all(isinstance(each, bool) for each in pool):
            self._add(Said(f"not {field.name}"), WORD_ROOM)

    def _texts(self, texts: Iterable[str], room: str) -> None:
        for text in texts:
            self._text(text, room)

    def _text(self, text: str, room: str) -> None:
        """Add a text: the template of a message with the words in its values, or the text itself."""
        if isinstance(text, Message):
            self._add(Said(text.template, text.many), room)
            for value in text.values.values():
                self._value(value)
        elif isinstance(text, Parts):
            for part in text:
                self._text(part, room)
        elif len(PLAIN.findall(text)) > 1 or text.endswith((".", "?")):
            self._add(Said(text), room)
        else:
            self._words(text, room)

    def _value(self, value: object) -> None:
        match value:
            case str() if value.endswith("."):
                self._text(value, SENTENCE)
            case Message():
                self._text(value, FEW)
            case Parts():
                for part in value:
                    self._value(part)
            case Name():
                pass  # a player's own
            case str():
                self._text(value, WORD_ROOM)
            case _:
                pass  # a number or a seat

    def _words(self, text: str, room: str = WORD_ROOM) -> None:
        """Add the words of a value: they are translated one by one."""
        if (text, room) in self.plain:
            return
        self.plain.add((text, room))
        for word in re.split(r"[:, ]+", text):
            if WORD.fullmatch(word) and not ("-" in word and word in self.cards):
                self._add(Said(word), room)

    def _add(self, text: Said, room: str) -> None:
        if any(map(str.isalpha, VALUES.sub("", text.english))):
            self.heard.setdefault(text, room)
