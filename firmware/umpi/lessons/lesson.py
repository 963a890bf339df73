"""What a lesson is: a written game with a comment before each move, some of them the learner's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Act
from umpi.kernel.messages import Message, Who, message

PLAYERS = ("Red", "Blue", "Yellow")  # the learner is the first; the names are colours, so every language has them


@frozen
class Step:
    """A comment, and the acts that follow it. The learner enters them if `yours` is set, else the lesson plays them."""

    text: str
    acts: tuple[Act, ...]
    yours: bool


@frozen
class Lesson:
    """A written game: the id of the game, how many players it has, its options and its steps."""

    game: str
    seats: int
    steps: tuple[Step, ...]
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players."""
        return PLAYERS[: self.seats]

    def comment(self, step: Step) -> Message:
        """Return the comment of a step with its players: `{red}`, `{blue}` and `{yellow}`."""
        return message(step.text, **{name.lower(): Who(seat) for seat, name in enumerate(self.players)})


def your_move(text: str, *acts: Act) -> Step:
    """Return a step in which the learner enters the acts."""
    return Step(text, acts, True)


def watch(text: str, *acts: Act) -> Step:
    """Return a step in which the lesson plays the acts once the learner has read the comment. It may have no acts."""
    return Step(text, acts, False)
