"""A listener who knows no rules: hears only the sentence `now`, presses buttons, and plays each game to its end.

It presses the button of the player whom the sentence names where each player answers by their own button, and any
button that the box offers elsewhere. It sees no position and reads no rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from tests.kit.sampling import SOAK
from umpi.conformance.keyed import keys_of
from umpi.display.panel import Key, Panel
from umpi.kernel.drawn import completed
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, Game, gives
from umpi.kernel.match import Match, Refused
from umpi.kernel.now import LONGEST
from umpi.kernel.registry import find
from umpi.table.commands import Do
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS

GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
OPTIONS: Mapping[str, Mapping[str, Value]] = {
    "dudab-buba": {"track": "counts"},  # the listener holds no hand to enter
    "quiz": {"questions": 20},  # without a number of questions nobody ends it
}
MATCHES = 100 if SOAK else 3
PRESSES = 2_000  # the most without an act that the rules accept: more means that the listener is lost


class Listener:
    """Play one match by the sentences alone."""

    def __init__(self, game: type[Game], seats: int, seed: int) -> None:
        self.random = Random(seed)
        self.match = Match(game, COLOURS[:seats], dict(OPTIONS.get(game.id, game.at_buttons)))
        self.seating = Seating(game, self.match.players, tuple(range(seats)), self.match.options)
        self.panel = Panel([game])
        self.heard: list[str] = []

    def play(self) -> None:
        """Play until the match is over. Fails if no press leads on."""
        while self.match.asks:
            now = self.match.next_step
            assert now, f"nobody says what to do after {len(self.match.acts)} acts: {self.match.asks}"
            self.heard.append(now.text)
            self._act(now.aloud)
            if len(self.match.acts) >= self.match.game.longest:
                return

    def _act(self, sentence: str) -> None:
        acts = len(self.match.acts)
        if all(ask.of_box for ask in self.match.asks):
            ask = self.match.asks[0]
            self.match.play(Act(ask.verb, completed(ask, {}, self.random.random)))
            return
        self.panel.show(self.match, self.seating)
        for _ in range(PRESSES):
            command = self.panel.press(self._key(sentence))
            if isinstance(command, Do):
                self._do(command)
                if len(self.match.acts) > acts:
                    return
                self.panel.show(self.match, self.seating)
        pytest.fail(f"{PRESSES} presses after {sentence!r} led nowhere")

    def _key(self, sentence: str) -> Key:
        keys = list(keys_of(self.panel)) or ["back"]
        if self.panel.owning and (name := re.match(r"\w+", sentence)) and name[0] in self.match.players:
            own = self.match.players.index(name[0])
            keys = [key for key in keys if not isinstance(key, int) or key == own] or keys
        return self.random.choice(keys)

    def _do(self, command: Do) -> None:
        for act in command.acts:
            try:
                ask = next(ask for ask in self.match.asks if ask.verb == act.verb)
                self.match.play(Act(act.verb, completed(ask, act.given, self.random.random)))
            except (Refused, StopIteration):
                return


def listeners(game: str) -> Iterator[Listener]:
    engine = find(game)
    for seed in range(MATCHES):
        yield Listener(engine, Random(seed).choice(list(engine.seats)), seed)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_listener_plays_each_game_to_its_end(game: str) -> None:
    for listener in listeners(game):
        listener.play()
        assert not listener.match.asks or len(listener.match.acts) >= listener.match.game.longest
        assert max(map(len, listener.heard)) <= LONGEST


@pytest.mark.parametrize("game", GAMES)
def test_the_sentence_names_whoever_must_act(game: str) -> None:
    """If the rules ask one seat, the sentence names that seat and not another. Each game has sentences of its own."""
    assert gives(find(game), Game.now)
    listener = next(listeners(game))
    match = listener.match
    while match.asks and len(match.acts) < 300:
        now = match.next_step
        assert now
        if match.seat is not None and not all(ask.of_box for ask in match.asks):
            assert now.seat in (None, match.seat), now
        if now.seat is not None:
            assert match.players[now.seat] in now.text
            assert match.players[now.seat] in now.aloud
        listener._act(now.aloud)
