"""The rules of Dohdles!: a player picks a riddle and takes its clue; cubes guess in finish order.

If there is no board profile, the players enter the arrows, the reward, and the end of the track that a token has
reached. A cube may be in the queue without an owner until its guess. Players may enter any kind for the seventh space,
because the kind depends on their board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self, overload

from umpi.games.dohdles.board import KINDS, REWARDS, SPACES, Board, flaw
from umpi.games.dohdles.calls import calls, why
from umpi.games.dohdles.riddle import MOST_RIDDLES, Letter, Name, Position, Riddle, letter_fields, riddles_each
from umpi.games.dohdles.setup import table_setup
from umpi.kernel import Act, Ask, Call, Field, Given, NamedSeat, Number, Pick, Profile, Result, Row, View, Who, message
from umpi.kernel.game import placed, replace

STEPS = range(13)

Stage = Literal["", "cubes", "claim", "guess"]  # the stage of an announcement
Step = Literal["clue", "ask", "last-call"]  # the step of a turn
End = Literal["hindmost", "final"]
Steps = Annotated[int, STEPS]
Reward = Annotated[int, REWARDS]

CLUE = "Pick an opponent's riddle, move its chip one space on and take the clue of that space."
CUBE = "If you can solve a riddle whose chip has left its start, toss your cube. Guess in the order cubes come out."
CLAIM = "Whoever just moved this riddle to its first clue space may guess first, whatever order cubes came in."
GUESS = "Right: forward by the green arrows, the creator by the number at the chip. Wrong: back by the red arrows."


@dataclass(frozen=True, slots=True)
class Dohdles:
    """A position of Dohdles!, with its rules.

    >>> game = Dohdles.setup(3).do_clue(0, "B1", "letter").do_cube(2).do_hear(None, "B1")
    >>> game.phase, game.facts()["queue"]
    ('claim', (2,))
    """

    id: ClassVar = "dohdles"
    title: ClassVar = "Dohdles!"
    kind: ClassVar = "riddles"
    seats: ClassVar = range(3, 7)
    options: ClassVar[tuple[Field, ...]] = (Profile("board", flaw), Number("riddles", 1, 4, null=True))
    longest: ClassVar = 20_000

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
    heard: tuple[int, ...] = ()  # seats that have guessed in this announcement
    riddle: str = ""  # the riddle that is being guessed
    winners: tuple[int, ...] = ()
    no_riddle: bool = False  # whether the game ended because no riddle was open

    @classmethod
    def setup(cls, seats: int, board: Any = None, riddles: int | None = None) -> Self:
        """Return the first position: all riddles are open, with their chips on the start."""
        measured = Board.of(board) if board is not None else None
        start = measured.start if measured else 0
        numbers = range(1, 1 + riddles_each(seats, riddles))
        return cls(
            tuple(Riddle(f"{'ABCDEF'[seat]}{number}", seat) for seat in range(seats) for number in numbers),
            (start,) * seats,
            (measured is not None and start == 0,) * seats,
            measured,
        )

    @classmethod
    def objection(cls, seats: int, board: Any = None, riddles: int | None = None) -> str:
        """Return why this number of riddles does not suit this number of seats, "" if it does."""
        count = seats * riddles_each(seats, riddles)
        return f"Option riddles: {count} in all are too many, at most {MOST_RIDDLES}." if count > MOST_RIDDLES else ""

    @classmethod
    def table_setup(cls, seats: int, **options: Any) -> tuple[str, ...]:
        """Return how to set the table up."""
        return table_setup(seats, **options)

    @property
    def phase(self) -> str:
        """Return the current step of the game."""
        return "over" if self.winners else self.stage or self.step

    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase, and a cube if cubes are allowed."""
        match self.phase:
            case "clue":
                return (self._ask_clue(), *self._ask_cube())
            case "ask":
                kinds = ("questions", "letter") if self.clue == "either" else (self.clue,)
                asked = Ask("asked", "Reply", (Pick("kind", kinds),), self.active, CLUE, letter_fields)
                return (asked, *self._ask_cube())
            case "last-call":
                expire = Ask("expire", "Nobody knows", (), None, "The riddle is out; show its solution.")
                return (*self._ask_cube(), expire)
            case "cubes":
                return (*self._ask_hear(), *self._ask_owner(), *self._ask_cube())
            case "claim":
                return (Ask("claim", "First guess", (Pick("take", (True, False)),), self.active, CLAIM),)
            case "guess":
                seat = self.queue[0]
                if seat is None:
                    return self._ask_owner()
                more = partial(self._guess_fields, seat)
                return (Ask("guess", "Guess", (Pick("right", (True, False)),), seat, GUESS, more),)
        return ()

    def do_clue(self, seat: int, riddle: Name, kind: Literal["questions", "letter", "either"] = "either") -> Self:
        """Move a riddle's chip one space forward."""
        chip = self._riddle(riddle).chip + 1
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
            letters = list(self._riddle(self.picked).letters)
            letters[position - 1] = letter
            game = self._with(self.picked, letters=tuple(letters))
        if game._riddle(self.picked).chip == SPACES:
            return replace(game, step="last-call")
        return game._next_turn()

    def do_cube(self, seat: NamedSeat | None) -> Self:
        """Add the next cube of the finish order to the queue; the first cube opens the announcement."""
        return replace(self, stage="cubes", queue=(*self.queue, seat))

    def do_owner(self, seat: NamedSeat) -> Self:
        """Set the owner of the first cube in the queue without an owner."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], seat, *self.queue[index + 1 :]))

    def do_home(self, seat: None) -> Self:
        """Discard the first cube in the queue without an owner."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], *self.queue[index + 1 :]))._or_closed()

    def do_hear(self, seat: None, riddle: Name) -> Self:
        """Name the riddle to guess: the queue closes, and the cube of the riddle's creator is discarded."""
        owner = self._riddle(riddle).owner
        queue = tuple(cube for cube in self.queue if cube != owner)
        claims = riddle == self.first_right and queue[0] != self.active
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
            return replace(moved, queue=self.queue[1:], heard=(*self.heard, seat))._or_closed()
        riddle = self._riddle(self.riddle)
        ahead = self.board.track[self.tokens[seat]][1] if self.board else steps
        solved = self._with(riddle.name, state="solved", solver=seat)._move(seat, ahead, stands)
        if not solved.winners:
            paid = self.board.rewards[riddle.chip] if self.board else reward
            solved = solved._move(riddle.owner, paid, creator_stands)
        return replace(solved, queue=())._or_closed()

    def do_expire(self, seat: None) -> Self:
        """Mark the riddle of the last call as expired, and begin the next turn."""
        return self._with(self.picked, state="expired")._next_turn()

    def scores(self) -> tuple[int, ...]:
        """Return the positions of the tokens."""
        return self.tokens

    def result(self) -> Result | None:
        """Return the ranking by position on the track, the winners first; None until the game ends."""
        if not self.winners:
            return None
        merits = tuple((seat in self.winners, token) for seat, token in enumerate(self.tokens))
        return Result(placed(merits), why(self))

    def facts(self) -> dict[str, Any]:
        """Return the riddles, the announcement, and the seats on the hindmost space."""
        return {
            "active": self.active,
            "riddles": {riddle.name: riddle.facts() for riddle in self.riddles},
            "queue": self.queue,
            "riddle": self.riddle or None,
            "hindmost": tuple(seat for seat, stands in enumerate(self.hindmost) if stands),
        }

    def view(self) -> View:
        """Return the announcement, or the known letters of the riddle that was picked."""
        if self.stage:
            cubes = tuple("?" if cube is None else message("{who}", who=Who(cube)) for cube in self.queue)
            return View(self.riddle or message("cubes"), rows=(Row("cubes", cubes),))
        if not self.picked:
            return View(message("riddles"))
        letters = "".join(letter or "_" for letter in self._riddle(self.picked).letters)
        clue = message("clue {number}", number=self._riddle(self.picked).chip)
        return View(self.picked, rows=(Row("word", (letters, clue)),))

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the verdict on a guess, the moves on a measured board, and what leaves the game."""
        return tuple(calls(before, act, self))

    def audit(self) -> str:
        """Check that each seat is in the announcement at most once."""
        named = [cube for cube in self.queue if cube is not None] + list(self.heard)
        return "a seat is in the announcement twice" if len(set(named)) < len(named) else ""

    def _riddle(self, name: str) -> Riddle:
        return next(riddle for riddle in self.riddles if riddle.name == name)

    def _with(self, name: str, **changes: Any) -> Self:
        riddles = tuple(replace(riddle, **changes) if riddle.name == name else riddle for riddle in self.riddles)
        return replace(self, riddles=riddles)

    def _move(self, seat: int, steps: int, stands: str) -> Self:
        """Move a token; the ends of the track come from the board, or from `stands` if there is no board."""
        place = self.tokens[seat] + steps
        if self.board:
            place = min(max(place, 0), self.board.final)
            last, final = place == 0, place == self.board.final
        else:
            last = stands == "hindmost" or (steps == 0 and self.hindmost[seat])
            final = stands == "final"
        tokens = (*self.tokens[:seat], place, *self.tokens[seat + 1 :])
        hindmost = (*self.hindmost[:seat], last, *self.hindmost[seat + 1 :])
        return replace(self, tokens=tokens, hindmost=hindmost, winners=(seat,) if final else ())

    def _or_closed(self) -> Self:
        """End the announcement if no cube waits to guess, and return to the step that it interrupted."""
        if self.queue:
            return self
        game = replace(self, stage="", riddle="", heard=())
        if game.winners:
            return game
        solved = bool(game.picked) and game._riddle(game.picked).state == "solved"
        if game.step == "last-call":
            return game._next_turn() if solved else game
        if game.step == "ask" and not solved:
            return game
        game = replace(game, step="clue", picked="", clue="") if game.step == "ask" else game
        return game if game._pickable(game.active) else game._next_turn()

    def _next_turn(self) -> Self:
        seat = (self.active + 1) % len(self.tokens)
        game = replace(self, active=seat, step="clue", picked="", clue="", first_right="")
        if game._pickable(seat):
            return game
        farthest = max(self.tokens)
        winners = tuple(own for own, token in enumerate(self.tokens) if token == farthest)
        return replace(game, winners=winners, no_riddle=True)

    def _pickable(self, seat: int) -> tuple[str, ...]:
        return tuple(riddle.name for riddle in self.riddles if riddle.state == "open" and riddle.owner != seat)

    def _guessable(self, seat: int | None) -> tuple[str, ...]:
        """Return the open riddles past their start that `seat` did not sculpt; the riddle moved last is first."""
        names = [r.name for r in self.riddles if r.state == "open" and r.chip and r.owner != seat]
        return tuple(sorted(names, key=lambda name: name != self.moved))

    def _barred(self, seat: object) -> str:
        """Return why a seat may not announce, "" if it may."""
        assert isinstance(seat, int)
        who = Who(seat)
        if seat in self.queue or seat in self.heard:
            return message("{who} has already guessed: take the cube back.", who=who)
        if self.hindmost[seat] and seat != self.active:
            return message("{who} is on the rearmost space and may guess only on their turn.", who=who)
        if self.riddle and self._riddle(self.riddle).owner == seat:
            return message("{who} sculpted {riddle}: take the cube back.", who=who, riddle=self.riddle)
        if not self._guessable(seat):
            return message("{who} has no riddle to guess yet: take the cube back.", who=who)
        return ""

    def _seat_field(self, null: bool) -> Pick:
        seats = tuple(range(len(self.tokens)))
        free = tuple(seat for seat in seats if not self._barred(seat))
        if not null:
            return Pick("seat", free, seats, self._barred, "buzz")
        pool: tuple[int | None, ...] = () if self._no_cube() else (*free, None)
        return Pick("seat", pool, (*seats, None), self._why_no_cube, "cube")

    def _why_no_cube(self, seat: object) -> str:
        return self._no_cube() or self._barred(seat)

    def _no_cube(self) -> str:
        """Return why no cube can join now, "" if one can."""
        if not self._guessable(None):
            if any(riddle.chip for riddle in self.riddles):
                return message("no riddle past its start is still open.")
            return message("no riddle has left its start: which one moved?")
        full = len(self.queue) >= len(self.tokens)
        return message("every player already has a cube in this round.") if full else ""

    def _ask_clue(self) -> Ask:
        own_last = sorted(self.riddles, key=lambda riddle: riddle.owner == self.active)
        riddle = Pick("riddle", self._pickable(self.active), tuple(r.name for r in own_last), self._why_closed)
        fields: tuple[Field, ...] = (riddle,) if self.board else (riddle, Pick("kind", KINDS))
        return Ask("clue", "Clue", fields, self.active, CLUE)

    def _why_closed(self, name: object) -> str:
        riddle = self._riddle(str(name))
        if riddle.owner == self.active:
            return message("{who} sculpted {riddle}: pick an opponent's.", who=Who(self.active), riddle=riddle.name)
        return message("{riddle} is {state}.", riddle=riddle.name, state=riddle.state)

    def _ask_cube(self) -> tuple[Ask, ...]:
        return (Ask("cube", "A cube", (self._seat_field(null=True),), None, CUBE, weight=0.2),)

    def _ask_owner(self) -> tuple[Ask, ...]:
        if None not in self.queue:
            return ()
        home = Ask("home", "Take it back", (), None, "Take back a cube that does not count.")
        owner = Ask("owner", "Whose cube?", (self._seat_field(null=False),), None, CUBE)
        return (owner, home)

    def _ask_hear(self) -> tuple[Ask, ...]:
        seat = self.queue[0]
        if seat is None:
            return ()
        names = tuple(riddle.name for riddle in self.riddles)
        usual = {"riddle": self._guessable(seat)[0]}
        riddle = Pick("riddle", self._guessable(seat), names, partial(self._why_deaf, seat))
        help = "The first cube's owner names the riddle; no more cubes."
        return (Ask("hear", "Riddle?", (riddle,), None, help, usual=usual),)

    def _why_deaf(self, seat: int, name: object) -> str:
        riddle = self._riddle(str(name))
        if riddle.owner == seat:
            return message("{who} sculpted {riddle}.", who=Who(seat), riddle=riddle.name)
        if riddle.state != "open":
            return message("{riddle} is {state}.", riddle=riddle.name, state=riddle.state)
        return message("the chip of {riddle} has not left its start.", riddle=riddle.name)

    def _guess_fields(self, seat: int, given: Given) -> tuple[Field, ...]:
        """Return the further fields of a guess if there is no board: the steps, the end reached, and the reward."""
        if self.board:
            return ()
        right, steps, stands = given["right"], given.get("steps"), given.get("stands")
        high = 0 if not right and self.hindmost[seat] else STEPS[-1]
        ends = tuple(end for end, fits in (("hindmost", not right or steps == 0), ("final", right)) if fits)
        fields: list[Field] = [Number("steps", 0, high)]
        if steps is not None:
            fields.append(Pick("stands", ends, optional=True, likely=0.05))
        if right and stands != "final":
            fields.append(Number("reward", REWARDS[0], REWARDS[-1]))
            if (reward := given.get("reward")) is not None:
                ends = ("hindmost", "final") if reward == 0 else ("final",)
                fields.append(Pick("creator_stands", ends, optional=True, likely=0.05))
        return tuple(fields)
