"""A menu that is open at the box shows the match as it is now, as a menu does that is opened later."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.core import Core, Hand
from tests.kit.rig import SECOND
from tests.kit.sampling import examples
from umpi.display.menu import KEYS, Choice, Menu
from umpi.kernel.random_games import sample
from umpi.kernel.registry import find
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Command, Do, Start, TakeBack
from umpi.table.seating import Seating
from umpi.table.telling import of_players
from umpi.timing.lines import COLOURS

SEATS = {"battledodes": 2, "dodeka": 3, "dodekka": 2, "dohdles": 3, "quiz": 3, "scorepad": 2}
NAMES = ("Rosie", "Tom", "Ann")


class Box(Hand):
    """A box with a match, and the referee's phone beside it."""

    def __init__(self, game: str) -> None:
        super().__init__(Core())
        seats, self._ids = SEATS[game], count(1)
        self.grant(Start(Seating(find(game), NAMES[:seats], tuple(range(seats)), {})))
        self.wait_ns(5 * SECOND)

    def phone(self, command: Command) -> None:
        """Give a command, and wait until nothing of it covers the question."""
        session = self.core.referee.session
        self.core.step(RemoteRequest(self.now_ns, session.question, command, None, next(self._ids)))
        self.wait_ns(15 * SECOND)

    def play(self, chance: Random) -> None:
        """Undo the last move sometimes, or make one at random."""
        match = self.core.referee.session.match
        assert match
        if match.acts and chance.random() < 0.3:
            self.phone(TakeBack(1))
        elif asks := of_players(match.asks):
            self.phone(Do((sample(asks, chance.random),)))

    @property
    def menu(self) -> Menu:
        return self.core.referee.panel.question[0]

    @property
    def choices(self) -> list[Choice]:
        return [choice for choice in self.menu.choices if not choice.off and not choice.read]

    @property
    def open(self) -> bool:
        """Whether a menu is open, and nothing else has come of it."""
        panel = self.core.referee.panel
        state = panel.screen().state
        away = panel.answering or panel.noticing or state.paused or state.doubt or state.code or not state.playing
        return not away and bool(self.menu.choices)

    def choose(self, choice: Choice) -> None:
        """Turn to a choice's page, and press its key, once the buttons are no longer those of the seats."""
        self.wait_ns(SECOND)
        index = self.menu.choices.index(choice)
        _, page = self.core.referee.panel.question
        self.press("down " * ((index // KEYS - page) % self.menu.pages))
        self.press(COLOURS[self.menu.key(index)])

    @property
    def shown(self) -> tuple[object, ...]:
        menu = self.menu
        return menu.title, menu.text, menu.note, [(choice.label, choice.off) for choice in menu.choices]


@pytest.mark.slow
@pytest.mark.parametrize("game", SEATS)
@settings(max_examples=examples(80))
@given(seed=st.integers(0, 10_000), before=st.integers(0, 6), steps=st.integers(0, 4), after=st.integers(1, 4))
def test_a_menu_opened_before_moves_shows_what_can_be_chosen_after_them(
    game: str, seed: int, before: int, steps: int, after: int
) -> None:
    """It shows what a menu does that is opened after them, on the way of the same choices."""
    early, late, chance = Box(game), Box(game), Random(seed)
    for box in (early, late):
        moves = Random(seed)
        for _ in range(before):
            box.play(moves)
    early.press("back", 1000)
    names: list[str] = []
    while early.choices and len(names) < steps:
        choice = chance.choice(early.choices)
        early.choose(choice)
        if not early.open:
            return
        names.append(choice.label)
    for box in (early, late):
        moves = Random(seed + 1)
        for _ in range(after):
            box.play(moves)
    late.press("back", 1000)
    way = [late.shown]
    for name in names:
        same = [choice for choice in late.choices if choice.label == name]
        if len(same) > 1:
            return  # two moves of one name: which of them was chosen, only the box knows
        if not same:
            break
        late.choose(same[0])
        way.append(late.shown)
    assert early.shown in way
