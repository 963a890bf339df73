"""The rules of Dohdles!: a player picks a riddle and takes its clue; cubes guess in finish order.

If there is no board profile, the players enter the arrows, the reward, and the end of the track that a token has
reached. A cube may be in the queue without an owner until its guess. Players may enter any kind for the seventh space,
because the kind depends on their board. Options `steps_back`, `steps_forward` and `steps_reward` are experiments with a
measured board: the same number for all its spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, overload

from umpi.games.dohdles.board import PROPOSAL, REWARDS, SPACES, STEPS, Board, flaw
from umpi.games.dohdles.calls import calls, why
from umpi.games.dohdles.help import OPTION_HELP
from umpi.games.dohdles.offer import asks
from umpi.games.dohdles.riddle import MOST_RIDDLES, SEATS, Letter, Name, Position, Riddle, named, riddles_each
from umpi.games.dohdles.rulings import OPTIONS, SHEET, WIDE, Announcement, FirstRight, Rulings, SecondEnd
from umpi.games.dohdles.setup import table_setup
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    NamedSeat,
    Number,
    Profile,
    Result,
    Row,
    View,
    Who,
    message,
    override,
    placed,
    replace,
)  # fmt: skip

# The steps after a wrong guess, after a right one, and those of the riddle's creator.
EXPERIMENTS = ("steps_back", "steps_forward", "steps_reward")

Stage = Literal["", "cubes", "hear", "claim", "guess"]  # the stage of an announcement
Step = Literal["clue", "ask", "last-call"]  # the step of a turn
End = Literal["hindmost", "final"]
Steps = Annotated[int, STEPS]
Reward = Annotated[int, REWARDS]


@dataclass(frozen=True, slots=True)
class Dohdles(Game):
    """A position of Dohdles!, with its rules.

    >>> game = Dohdles.setup(3).do_clue(0, "B1", "letter").do_cube(2).do_hear(None, "B1")
    >>> game.phase, game.facts()["queue"]
    ('claim', (2,))
    """

    id: ClassVar = "dohdles"
    title: ClassVar = "Dohdles!"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "riddles"
    seats: ClassVar = range(3, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Profile("board", flaw, ready={message("proposal, check it"): PROPOSAL}),
        Number("riddles", 1, 4, null=True),
        Number("lone", 1, 6, null=True),
        Number("lone_riddles", 1, 4),
        *OPTIONS,
        Number("steps_back", STEPS[0], STEPS[-1], null=True),
        Number("steps_forward", STEPS[0], STEPS[-1], null=True),
        Number("steps_reward", STEPS[0], STEPS[-1], null=True),
    )
    experiments: ClassVar = EXPERIMENTS
    at_buttons: ClassVar = SHEET
    option_help: ClassVar = OPTION_HELP
    longest: ClassVar = 20_000
    judged: ClassVar = True
    reported: ClassVar = ("ask", "guess")
    at_will: ClassVar = ("cube",)

    riddles: tuple[Riddle, ...]
    tokens: tuple[int, ...]  # index on the track if there is a board, otherwise steps from the start
    hindmost: tuple[bool, ...]  # for each seat, whether its token is known to be on the hindmost space
    board: Board | None = None
    active: int = 0
    step: Step = "clue"
    picked: str = ""  # the riddle moved in this turn
    moved: str = ""  # the riddle moved last, in any turn
    clue: str = ""  # the kind of its clue space
    first_right: str = ""  # the riddle for which the active seat may guess first
    stage: Stage = ""
    queue: tuple[int | None, ...] = ()  # cubes that wait to guess; None is a cube whose owner is unknown
    guessed: tuple[int, ...] = ()  # seats that have guessed in this announcement
    riddle: str = ""  # the riddle that is being guessed
    winners: tuple[int, ...] = ()
    no_riddle: bool = False  # whether the game ended because no riddle was open
    rulings: Rulings = WIDE
    turns: int = 0  # turns that have ended

    @classmethod
    @override
    def setup(
        cls, seats: int, board: Any = None, riddles: int | None = None, lone: int | None = None,
        lone_riddles: int = 2, first_right: FirstRight = "free", second_end: SecondEnd = "gone",
        announcement: Announcement = "one",
        steps_back: int | None = None, steps_forward: int | None = None, steps_reward: int | None = None,
    ) -> Self:  # fmt: skip
        """Return the first position: all riddles are open, with their chips on the start."""
        measured = Board.of(board, steps_back, steps_forward, steps_reward) if board is not None else None
        start = measured.start if measured else 0
        each = enumerate(riddles_each(seats, riddles, lone, lone_riddles))
        return cls(
            tuple(Riddle(f"{SEATS[seat]}{number}", seat) for seat, count in each for number in range(1, 1 + count)),
            (start,) * seats,
            (measured is not None and start == 0,) * seats,
            measured,
            rulings=Rulings(first_right, second_end, announcement),
        )

    @classmethod
    @override
    def objection(
        cls, seats: int, board: Any = None, riddles: int | None = None, lone: int | None = None, lone_riddles: int = 2,
        steps_back: int | None = None, steps_forward: int | None = None, steps_reward: int | None = None, **others: Any,
    ) -> str:  # fmt: skip
        """Return why these numbers do not suit this number of seats or need a board, "" if they do."""
        if board is None and (steps_back, steps_forward, steps_reward) != (None, None, None):
            return f"Options {', '.join(EXPERIMENTS)}: they need a measured board."
        if lone is not None and lone > seats:
            return f"Option lone: there is no place {lone} among {seats} seats."
        count = sum(riddles_each(seats, riddles, lone, lone_riddles))
        return f"Option riddles: {count} in all are too many, at most {MOST_RIDDLES}." if count > MOST_RIDDLES else ""

    @classmethod
    @override
    def table_setup(cls, seats: int, **options: Any) -> tuple[str, ...]:
        """Return how to set the table up."""
        return table_setup(seats, **options)

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the game."""
        return "over" if self.winners else self.stage or self.step

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase, and a cube if cubes are allowed."""
        return tuple(asks(self))

    def do_clue(self, seat: int, riddle: Name, kind: Literal["questions", "letter", "either"] = "either") -> Self:
        """Move a riddle's chip one space forward."""
        chip = self.riddle_called(riddle).chip + 1
        first_right = riddle if chip == 1 else self.first_right
        clue = self.board.clues[chip - 1] if self.board else kind
        moved = self._with(riddle, chip=chip)
        return replace(moved, step="ask", picked=riddle, moved=riddle, clue=clue, first_right=first_right)

    @overload
    def do_asked(self, seat: int, kind: Literal["questions"]) -> Self: ...
    @overload
    def do_asked(self, seat: int, kind: Literal["letter"], position: Position, letter: Letter | None) -> Self: ...
    def do_asked(self, seat: int, kind: str, position: int = 1, letter: str | None = None) -> Self:
        """Enter the clue; after the seventh clue, players may guess until the riddle expires."""
        game = self
        if kind == "letter":
            letters = list(self.riddle_called(self.picked).letters)
            letters[position - 1] = letter
            game = self._with(self.picked, letters=tuple(letters))
        if game.riddle_called(self.picked).chip == SPACES:
            return replace(game, step="last-call")
        return game._next_turn()

    def do_cube(self, seat: NamedSeat | None) -> Self:
        """Add the next cube of the finish order to the queue; the first cube opens the announcement."""
        return replace(self, stage="cubes", queue=(*self.queue, seat))

    def do_owner(self, seat: NamedSeat) -> Self:
        """Set the owner of the first cube in the queue without an owner."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], seat, *self.queue[index + 1 :]))._next_cube()

    def do_home(self, seat: None) -> Self:
        """Discard the first cube in the queue without an owner."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], *self.queue[index + 1 :]))._next_cube()

    def do_hear(self, seat: None, riddle: Name) -> Self:
        """Name the riddle to guess: the queue closes.

        If the announcement is about one riddle, the cube of its creator is discarded.
        """
        queue, owner = self.queue, self.riddle_called(riddle).owner
        if self.rulings.announcement == "one":
            queue = tuple(cube for cube in queue if cube != owner)
        claims = riddle == self.first_right and self.may_claim(queue)
        return replace(self, queue=queue, riddle=riddle, stage="claim" if claims else "guess")

    def do_claim(self, seat: int, take: bool) -> Self:
        """Let the active seat guess first, or keep the order of the cubes."""
        if not take:
            return replace(self, stage="guess")
        queue = (seat, *(cube for cube in self.queue if cube != seat))
        return replace(self, queue=queue, stage="guess", first_right="")

    @overload
    def do_guess(self, seat: int, right: bool) -> Self: ...  # with a board
    @overload
    def do_guess(
        self, seat: int, right: Literal[False], steps: Steps, *, stands: Literal["hindmost"] = ...
    ) -> Self: ...
    @overload
    def do_guess(self, seat: int, right: Literal[True], steps: Steps, *, stands: Literal["final"]) -> Self: ...
    @overload
    def do_guess(
        self, seat: int, right: Literal[True], steps: Steps, reward: Reward, *,
        stands: Literal["hindmost"] = ..., creator_stands: End = ...,
    ) -> Self: ...  # fmt: skip
    def do_guess(
        self, seat: int, right: bool, steps: int = 0, reward: int = 0, stands: str = "", creator_stands: str = ""
    ) -> Self:
        """Enter a guess and move the tokens.

        A right guess solves the riddle. After a wrong guess, the next cube guesses.
        """
        if not right:
            back = self.board.track[self.tokens[seat]][0] if self.board else steps
            moved = self._move(seat, -back, stands)
            return replace(moved, queue=self.queue[1:], guessed=(*self.guessed, seat))._next_cube()
        riddle = self.riddle_called(self.riddle)
        ahead = self.board.track[self.tokens[seat]][1] if self.board else steps
        solved = self._with(riddle.name, state="solved", solver=seat)._move(seat, ahead, stands)
        if not solved.winners:
            paid = self.board.rewards[riddle.chip] if self.board else reward
            solved = solved._move(riddle.owner, paid, creator_stands)
        return replace(solved, queue=())._or_closed()

    def do_expire(self, seat: None) -> Self:
        """Mark the riddle of the last call as expired, and begin the next turn."""
        return self._with(self.picked, state="expired")._next_turn()

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the positions of the tokens."""
        return self.tokens

    @override
    def result(self) -> Result | None:
        """Return the ranking by position on the track, the winners first; None until the game ends."""
        if not self.winners:
            return None
        merits = tuple((seat in self.winners, token) for seat, token in enumerate(self.tokens))
        return Result(placed(merits), why(self))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the riddles, the announcement, and the seats on the hindmost space."""
        return {
            "active": self.active,
            "riddles": {riddle.name: riddle.facts() for riddle in self.riddles},
            "queue": self.queue,
            "riddle": self.riddle if self.stage in ("claim", "guess") else None,
            "hindmost": tuple(seat for seat, stands in enumerate(self.hindmost) if stands),
        }

    @override
    def view(self) -> View:
        """Return the announcement, or the known letters of the riddle that was picked."""
        if self.stage:
            cubes = tuple("?" if cube is None else message("{who}", who=Who(cube)) for cube in self.queue)
            return View(self._announced_riddle() or message("cubes"), rows=(Row("cubes", cubes),))
        if not self.picked:
            return View(message("riddles"))
        letters = "".join(letter or "_" for letter in self.riddle_called(self.picked).letters)
        clue = message("clue {number}", number=self.riddle_called(self.picked).chip)
        return View(named(self.picked), rows=(Row("word", (letters, clue)),))

    def _announced_riddle(self) -> str:
        """Return the riddle that is being guessed, or that the next cube is probably about; "" if nobody knows yet."""
        if self.stage not in ("cubes", "hear"):
            return named(self.riddle)
        return message("{riddle}?", riddle=named(self.guessable(self.queue[0])[0])) if self.queue[0] is not None else ""

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the verdict on a guess, the moves on a measured board, and what leaves the game."""
        return tuple(calls(before, act, self))

    @override
    def audit(self) -> str:
        """Check that each seat is in the announcement at most once."""
        named = [cube for cube in self.queue if cube is not None] + list(self.guessed)
        return "a seat is in the announcement twice" if len(set(named)) < len(named) else ""

    def _with(self, name: str, **changes: Any) -> Self:
        riddles = tuple([replace(riddle, **changes) if riddle.name == name else riddle for riddle in self.riddles])
        return replace(self, riddles=riddles)

    def _move(self, seat: int, steps: int, stands: str) -> Self:
        """Move a token; the ends of the track come from the board, or from `stands` if there is no board."""
        place = self.tokens[seat] + steps
        if self.board:
            place = min(max(place, 0), self.board.final)
            last, final = place == 0, place == self.board.final
        else:
            final = stands == "final"
            last = stands == "hindmost" or (steps == 0 and self.hindmost[seat] and not final)
        tokens = (*self.tokens[:seat], place, *self.tokens[seat + 1 :])
        hindmost = (*self.hindmost[:seat], last, *self.hindmost[seat + 1 :])
        return replace(self, tokens=tokens, hindmost=hindmost, winners=(seat,) if final else ())

    def may_claim(self, queue: tuple[int | None, ...]) -> bool:
        """Check whether the active seat may guess before the cubes in the queue; an unnamed cube may be its own."""
        if queue[0] == self.active or self.active in self.guessed:
            return False
        return self.rulings.first_right == "free" or self.active in queue or None in queue

    def _next_cube(self) -> Self:
        """Let the next cube guess at the same riddle; its sculptor names another one, if each owner may."""
        game = self._or_closed()
        if game.stage not in ("guess", "hear"):
            return game
        return replace(game, stage="hear" if game.riddle_called(game.riddle).owner == game.queue[0] else "guess")

    def _or_closed(self) -> Self:
        """End the announcement if no cube waits to guess, and return to the step that it interrupted."""
        if self.queue:
            return self
        game = replace(self, stage="", riddle="", guessed=())
        if game.winners:
            return game
        solved = bool(game.picked) and game.riddle_called(game.picked).state == "solved"
        if game.step == "last-call":
            return game._next_turn() if solved else game
        if game.step == "ask" and not solved:
            return game
        game = replace(game, step="clue", picked="", clue="") if game.step == "ask" else game
        return game if game.pickable(game.active) else game._next_turn()

    def _next_turn(self) -> Self:
        """Begin the next seat's turn, or end the game if there is nothing left to pick."""
        game = replace(self, step="clue", picked="", clue="", first_right="")
        for _ in self.tokens:
            seat = (game.active + 1) % len(self.tokens)
            game = replace(game, active=seat, turns=game.turns + 1)
            if game.pickable(seat):
                return game
            others = (riddle for riddle in self.riddles if riddle.owner != seat)
            if self.rulings.second_end == "gone" or all(riddle.state == "solved" for riddle in others):
                break
        farthest = max(self.tokens)
        winners = tuple(own for own, token in enumerate(self.tokens) if token == farthest)
        return replace(game, winners=winners, no_riddle=True)

    def pickable(self, seat: int) -> tuple[str, ...]:
        """Return the open riddles that `seat` did not sculpt."""
        return tuple([riddle.name for riddle in self.riddles if riddle.state == "open" and riddle.owner != seat])

    def guessable(self, seat: int | None) -> tuple[str, ...]:
        """Return the open riddles past their start that `seat` did not sculpt; the likeliest one is first."""
        names = [r.name for r in self.riddles if r.state == "open" and r.chip and r.owner != seat]
        likely = self.riddle or self.moved
        if likely in names:
            names.remove(likely)
            return (likely, *names)
        return tuple(names)

    def riddle_called(self, name: str) -> Riddle:
        """Return the riddle with this name."""
        (riddle,) = [riddle for riddle in self.riddles if riddle.name == name]
        return riddle

    @property
    def turn_of_seat(self) -> int:
        """Return the number of the active seat's turn, from 1; the members of a team take turns."""
        return 1 + self.turns // len(self.tokens)
