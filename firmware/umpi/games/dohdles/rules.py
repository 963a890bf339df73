"""The rules of Dohdles!: a player picks a riddle and takes its clue; cubes guess in finish order.

If there is no board profile, the players enter the arrows, the reward, and the end of the track that a token has
reached. A cube may be in the queue without an owner until its guess. Players may enter any kind for the seventh space,
because the kind depends on their board. Options `steps_back`, `steps_forward` and `steps_reward` are experiments with a
measured board: the same number for all its spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self, overload

from umpi.games.dohdles import offer
from umpi.games.dohdles.alike import merged
from umpi.games.dohdles.board import FORM, PROPOSAL, REWARDS, SPACES, STEPS, Board, code_of, flaw
from umpi.games.dohdles.riddle import MOST_RIDDLES, SEATS, Letter, Name, Position, Riddle, named, riddles_each
from umpi.games.dohdles.rulings import FORMERLY, OPTIONS, SHEET, Announcement, FirstRight, Rulings, SecondEnd
from umpi.games.dohdles.told import told
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    Given,
    NamedSeat,
    Now,
    Number,
    Pick,
    Profile,
    Result,
    Row,
    Scope,
    View,
    Who,
    message,
    message_n,
    override,
    placed,
    replace,
)
from umpi.kernel.messages import Message, names_of

# The steps after a wrong guess, after a right one, and those of the riddle's creator.
EXPERIMENTS = ("steps_back", "steps_forward", "steps_reward")

Stage = Literal["", "cubes", "hear", "claim", "guess"]  # the stage of an announcement
Step = Literal["clue", "ask", "last-call"]  # the step of a turn
End = Literal["hindmost", "final"]
Steps = Annotated[int, STEPS]
Reward = Annotated[int, REWARDS]

BOARD = Profile("board", flaw, ready={message("printed"): PROPOSAL}, code=code_of, form=FORM)

OPTION_HELP = {
    "board": message(
        "Choose the code on your board: the box then knows the arrows. If your code is not listed, choose “ask "
        "each time”."
    ),
    "riddles": message("How many riddles each player sculpts. Auto: three with 3 players, two with more."),
    "lone": message("In teams, one player may have no partner. Enter their place in the order of play."),
    "lone_riddles": message("How many riddles the player without a partner sculpts."),
    "first_right": message(
        "The player who moves a riddle to its first clue may guess first. With cube: only after tossing a cube. No "
        "cube: also without one. The rule sheet says: with cube."
    ),
    "second_end": message(
        "What if no riddle is left to pick on your turn? All solved: the match ends only if the others’ riddles are "
        "solved; otherwise the next player picks. None to pick: the match ends. The rule sheet says: all solved."
    ),
    "announcement": message(
        "After a wrong guess, the owner of the next cube guesses. Any riddle: they may name another riddle. Same "
        "riddle: they may not. The rule sheet says: any riddle."
    ),
    "steps_back": message("How far each red arrow moves a token back."),
    "steps_forward": message("How far each green arrow moves a token forward."),
    "steps_reward": message("How far the sculptor of a solved riddle moves forward as a reward."),
}


@dataclass(frozen=True, slots=True)
class Dohdles(Game):
    """A position of Dohdles!, with its rules.

    >>> game = Dohdles.setup(3).do_clue(0, "B1", "letter").do_cube(2).do_cube(0).do_hear(None, "B1")
    >>> game.phase, game.facts()["queue"]
    ('claim', (2, 0))
    """

    id: ClassVar = "dohdles"
    title: ClassVar = "Dohdles!"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "riddles"
    seats: ClassVar = range(3, 7)
    options: ClassVar[tuple[Field, ...]] = (
        BOARD,
        Number("riddles", 1, 4, null=True),
        Number("lone", 1, 6, null=True),
        Number("lone_riddles", 1, 4),
        *OPTIONS,
        Number("steps_back", STEPS[0], STEPS[-1], null=True),
        Number("steps_forward", STEPS[0], STEPS[-1], null=True),
        Number("steps_reward", STEPS[0], STEPS[-1], null=True),
    )
    experiments: ClassVar = EXPERIMENTS
    revision: ClassVar = 2  # 2: the rulings of the sheet are the defaults
    formerly: ClassVar = {1: FORMERLY}
    option_help: ClassVar = OPTION_HELP
    longest: ClassVar = 20_000
    scopes: ClassVar = (
        Scope(
            2, {}, {"riddle": ("B1", "B2"), "kind": ("letter",), "position": (1,), "letter": ("A",)},
            acts=6, merged=merged,
        ),
        Scope(2, {"riddles": 1, "board": "STHW"}, {"position": (1,), "letter": ("A",)}, acts=17, merged=merged),
    )  # fmt: skip
    judged: ClassVar = True
    reported: ClassVar = ("ask", "guess")
    at_will: ClassVar = ("cube",)

    riddles: tuple[Riddle, ...]
    tokens: tuple[int, ...]  # index on the track if there is a board, otherwise steps from the start
    hindmost: tuple[bool, ...]  # for each seat, whether its token is known to be on the hindmost space
    board: Board | None = None
    active: int = 0
    step: Step = "clue"
    picked: str = ""  # the riddle moved in this turn; while a clue is chosen again, the one that was solved meanwhile
    moved: str = ""  # the riddle moved last, in any turn
    clue: str = ""  # the kind of its clue space
    first_right: str = ""  # the riddle for which the active seat may guess first
    stage: Stage = ""
    queue: tuple[int | None, ...] = ()  # cubes that wait to guess; None is a cube whose owner is unknown
    unnamed: tuple[bool, ...] = ()  # for each cube that fell in this announcement, whether its owner is still unknown
    guessed: tuple[int, ...] = ()  # seats that have guessed in this announcement
    riddle: str = ""  # the riddle that is being guessed
    winners: tuple[int, ...] = ()
    no_riddle: bool = False  # whether the game ended because no riddle was open
    rulings: Rulings = SHEET
    turns: int = 0  # turns that have ended

    @classmethod
    @override
    def setup(
        cls, seats: int, board: Any = None, riddles: int | None = None, lone: int | None = None,
        lone_riddles: int = 2, first_right: FirstRight = "cube", second_end: SecondEnd = "solved",
        announcement: Announcement = "each",
        steps_back: int | None = None, steps_forward: int | None = None, steps_reward: int | None = None,
    ) -> Self:  # fmt: skip
        """Return the first position: all riddles are open, with their chips on the start."""
        board = BOARD.called(board)
        known = isinstance(board, Mapping)  # no board has another code: the box asks for its arrows
        measured = Board.of(board, steps_back, steps_forward, steps_reward) if known else None
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
        known = isinstance(BOARD.called(board), Mapping)
        if not known and (steps_back, steps_forward, steps_reward) != (None, None, None):
            return f"Options {', '.join(EXPERIMENTS)}: they need a measured board."
        if lone is not None and lone > seats:
            return f"Option lone: there is no place {lone} among {seats} seats."
        count = sum(riddles_each(seats, riddles, lone, lone_riddles))
        return f"Option riddles: {count} in all are too many, at most {MOST_RIDDLES}." if count > MOST_RIDDLES else ""

    @classmethod
    @override
    def table_setup(
        cls, seats: int, board: Any, riddles: int | None, lone: int | None = None, lone_riddles: int = 2, **_: object
    ) -> tuple[str, ...]:
        """Return how to set the table up."""
        each = riddles_each(seats, riddles)[0]
        alone = message_n(
            "{who} has no partner: sculpt one riddle.", "{who} has no partner: sculpt {number} riddles.",
            lone_riddles, who=Who((lone or 1) - 1),
        )  # fmt: skip
        code = BOARD.called(board)
        unknown = message("No board has the code {code}. So the box asks for the arrows.", code=code)
        return (
            *((unknown,) if isinstance(code, str) else ()),
            message("Put the guess funnel in the middle of the board."),
            message("Turn it so that its ?! is above the end of the chute."),
            message("Shuffle the suggestion boards. Each player draws one, questions up."),
            message("Take the dough, token, cube and chips of your colour."),
            message("Take a chip and a solution sheet for each of your riddles."),
            message("Put your cube on your suggestion board."),
            message("Put your token on the start, the large white arrow."),
            message("First match? Read aloud the sculpting hints in the rules."),
            message("Sculpt a rough shape: not too easy, not too difficult."),
            message_n("Each player sculpts a riddle.", "Each player sculpts {number} riddles.", each),
            *((alone,) if lone and lone_riddles != each else ()),
            message("Put each on a free circle, with a chip on its start."),
            message("Put your next riddle on the circle beside it."),
            message("Write each word on a sheet. Slide it face down halfway under the board."),
            message("Leave the places of the first five letters visible."),
            message("{who} starts. The rule sheet names the oldest player.", who=Who(0)),
            message("When it is your turn, you have the Dohdle Master placard."),
        )

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the game."""
        return "over" if self.winners else self.stage or self.step

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase, and a cube if cubes are allowed."""
        phase = self.phase
        asks = self._asks_of(phase)
        if phase in ("clue", "ask", "cubes", "last-call"):
            asks = (*asks, Ask("cube", offer.CUBE_NEXT, (self._cube(),), None, offer.CUBE, weight=0.2))
        if phase == "last-call":
            text = message("Last call for {riddle}", riddle=named(self.picked))
            asks = (*asks, Ask("expire", text, (), None, offer.EXPIRE))
        return asks

    def _asks_of(self, phase: str) -> tuple[Ask, ...]:
        match phase:
            case "clue":
                return (self._ask_clue(),)
            case "ask":
                return (offer.asked(self.picked, self.clue, self.active),)
            case "cubes" | "hear":
                return (*self._ask_hear(), *self._ask_owner())
            case "claim":
                return (offer.claim(self.active, self.rulings.first_right, self._may_surely_claim()),)
            case "guess":
                seat = self.queue[0]
                asks = self._ask_owner() if seat is None else (self._ask_guess(seat),)
                return (*asks, *self._ask_hear()) if self.rulings.announcement == "each" else asks
            case _:
                return ()

    def _ask_clue(self) -> Ask:
        kinds = tuple([riddle.name for riddle in self.riddles if riddle.owner != self.active])
        kinds += tuple([riddle.name for riddle in self.riddles if riddle.owner == self.active])
        text, question = offer.takes_clue(self.active, self.turn_of_seat, self.again)
        riddle = Pick("riddle", self.pickable(self.active), kinds, self._why_closed, label=named, text=question)
        return Ask("clue", text, (riddle,) if self.board else (riddle, offer.SPACE), self.active, offer.CLUE)

    @property
    def again(self) -> bool:
        """Whether the active seat takes another clue, because its riddle was solved before it took the clue."""
        return self.phase == "clue" and self.picked != ""

    @property
    def turn_of_seat(self) -> int:
        """Return the number of the active seat's turn, from 1; the members of a team take turns."""
        return 1 + self.turns // len(self.tokens)

    def pickable(self, seat: int) -> tuple[str, ...]:
        """Return the open riddles that `seat` did not sculpt."""
        return tuple([riddle.name for riddle in self.riddles if riddle.state == "open" and riddle.owner != seat])

    def _why_closed(self, name: str) -> str:
        riddle = self.riddle_called(name)
        if riddle.owner == self.active:
            return message(
                "{who} sculpted {riddle}: pick another player’s riddle.", who=Who(self.active), riddle=named(name)
            )
        return message("{riddle} is {state}.", riddle=named(name), state=riddle.state)

    def do_clue(self, seat: int, riddle: Name, kind: Literal["questions", "letter", "either"] = "either") -> Self:
        """Move a riddle's chip one space forward."""
        chip = self.riddle_called(riddle).chip + 1
        first_right = riddle if chip == 1 else self.first_right
        clue = self.board.clues[chip - 1] if self.board else kind
        moved = self._with(replace(self.riddle_called(riddle), chip=chip))
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
            game = self._with(replace(self.riddle_called(self.picked), letters=tuple(letters)))
        if game.riddle_called(self.picked).chip == SPACES:
            return replace(game, step="last-call")
        return game._next_turn()

    def _cube(self) -> Pick:
        free: tuple[int | None, ...] = () if self._no_cube() else (*self._free(), None)
        seats = (*range(len(self.tokens)), None)
        return Pick("seat", free, seats, lambda seat: self._no_cube() or self._barred(seat), "cube")

    def _no_cube(self) -> str:
        """Return why no cube can join now, "" if one can."""
        if not self.guessable(None):
            if any(riddle.chip for riddle in self.riddles):
                return message("no riddle past its start is still open.")
            return message("no riddle has left its start: which one moved?")
        full = len(self.queue) >= len(self.tokens)
        return message("every player already has a cube in this announcement.") if full else ""

    def _free(self) -> tuple[int, ...]:
        return tuple([seat for seat in range(len(self.tokens)) if not self._bar(seat)])

    def _barred(self, seat: int) -> str:
        """Return why a seat may not announce, "" if it may."""
        reason = self._bar(seat)
        return reason() if reason else ""

    def _bar(self, seat: int) -> Callable[[], str] | None:
        """Return what says why a seat may not announce, None if it may: most reasons are never read."""
        if seat in self.queue or seat in self.guessed:
            return lambda: message("{who} is already in this announcement: take the cube back.", who=Who(seat))
        if self.hindmost[seat] and seat != self.active:
            return lambda: message("{who} is on the rearmost space and may guess only on their turn.", who=Who(seat))
        if self.riddle and self.rulings.announcement == "one" and self.riddle_called(self.riddle).owner == seat:
            template = "{who} sculpted {riddle}: take the cube back."
            return lambda: message(template, who=Who(seat), riddle=named(self.riddle))
        for riddle in self.riddles:
            if riddle.chip and riddle.owner != seat and riddle.state == "open":
                return None
        return lambda: message("{who} has no riddle to guess yet: take the cube back.", who=Who(seat))

    def do_cube(self, seat: NamedSeat | None) -> Self:
        """Add the next cube of the finish order to the queue; the first cube opens the announcement."""
        return replace(self, stage="cubes", queue=(*self.queue, seat), unnamed=(*self.unnamed, seat is None))

    def _ask_owner(self) -> tuple[Ask, ...]:
        """Offer to name the owner of the first cube without one, or to take that cube back."""
        if None not in self.queue or (self.phase == "hear" and self.queue[0] is not None):
            return ()
        seats = tuple(range(len(self.tokens)))
        owner = Pick("seat", self._free(), seats, self._barred, "buzz")
        text = message("Whose is cube {number}?", number=self._number_unnamed())
        named_now = Ask("owner", text, (owner,), None, offer.CUBE, if_refused="home")
        return named_now, Ask("home", message("Take it back"), (), None, offer.HOME)

    def _number_unnamed(self) -> int:
        """Return the place of the first cube without an owner in the order of all cubes, from 1.

        The queue does not show it, because a claim may put a seat at its front.
        """
        return 1 + self.unnamed.index(True)

    def do_owner(self, seat: NamedSeat) -> Self:
        """Set the owner of the first cube in the queue without an owner."""
        index = self.queue.index(None)
        queue = (*self.queue[:index], seat, *self.queue[index + 1 :])
        at = self.unnamed.index(True)
        return replace(self, queue=queue, unnamed=(*self.unnamed[:at], False, *self.unnamed[at + 1 :]))._next_cube()

    def do_home(self, seat: None) -> Self:
        """Discard the first cube in the queue without an owner: those behind it move up."""
        index, at = self.queue.index(None), self.unnamed.index(True)
        queue = (*self.queue[:index], *self.queue[index + 1 :])
        return replace(self, queue=queue, unnamed=(*self.unnamed[:at], *self.unnamed[at + 1 :]))._next_cube()

    def _ask_hear(self) -> tuple[Ask, ...]:
        """Ask which riddle the owner of the first cube guesses, or whether it is another one than is being guessed."""
        seat = self.queue[0]
        if seat is None:
            return ()
        names, open = tuple([riddle.name for riddle in self.riddles]), self.guessable(seat)
        if self.phase != "guess":
            riddle = Pick("riddle", open, names, partial(self._why_deaf, seat), label=named)
            usual = None if self._right_unknown(open[0]) else {"riddle": open[0]}
            return (Ask("hear", offer.which(seat), (riddle,), None, offer.HEAR, usual=usual),)
        if others := tuple(name for name in open if name != self.riddle):
            riddle = Pick("riddle", others, names, partial(self._why_deaf, seat), label=named)
            text = message("{who}: another riddle?", who=Who(seat))
            return (Ask("hear", text, (riddle,), None, offer.HEAR, weight=0.05, rare=True),)
        return ()

    def guessable(self, seat: int | None) -> tuple[str, ...]:
        """Return the open riddles past their start that `seat` did not sculpt; the likeliest one is first."""
        names = [r.name for r in self.riddles if r.state == "open" and r.chip and r.owner != seat]
        likely = self.riddle or self.moved
        if likely in names:
            names.remove(likely)
            return (likely, *names)
        return tuple(names)

    def _right_unknown(self, riddle: str) -> bool:
        """Return whether a cube without an owner decides who guesses this riddle first: so its owner is asked for."""
        return riddle == self.first_right and self.may_claim(self.queue) and not self._may_surely_claim()

    def _why_deaf(self, seat: int, name: str) -> str:
        riddle = self.riddle_called(name)
        if riddle.owner == seat:
            return message("{who} sculpted {riddle}.", who=Who(seat), riddle=named(name))
        if riddle.state != "open":
            return message("{riddle} is {state}.", riddle=named(name), state=riddle.state)
        if name == self.riddle:
            return message("{riddle} is already being guessed.", riddle=named(name))
        return message("the chip of {riddle} has not left its start.", riddle=named(name))

    def do_hear(self, seat: None, riddle: Name) -> Self:
        """Name the riddle to guess: the queue closes.

        If the announcement is about one riddle, the cube of its creator is discarded.
        """
        stage: Stage = "claim" if self._gives_claim(riddle) else "guess"
        return replace(self, queue=self._queue_for(riddle), riddle=riddle, stage=stage)

    def _queue_for(self, riddle: str) -> tuple[int | None, ...]:
        """Return the cubes that stay in the queue if this riddle is named."""
        if self.rulings.announcement == "each":
            return self.queue
        return tuple(cube for cube in self.queue if cube != self.riddle_called(riddle).owner)

    def _gives_claim(self, riddle: str) -> bool:
        return riddle == self.first_right and self.may_claim(self._queue_for(riddle))

    def may_claim(self, queue: tuple[int | None, ...]) -> bool:
        """Check whether the active seat may guess before the cubes in the queue; an unnamed cube may be its own."""
        if queue[0] == self.active or self.active in self.guessed:
            return False
        return self.rulings.first_right == "free" or self.active in queue or None in queue

    def _may_surely_claim(self) -> bool:
        return self.rulings.first_right == "free" or self.active in self.queue

    def do_claim(self, seat: int, take: bool) -> Self:
        """Let the active seat guess first, or keep the order of the cubes."""
        if not take:
            return replace(self, stage="guess")
        queue = (seat, *(cube for cube in self.queue if cube != seat))
        return replace(self, queue=queue, stage="guess", first_right="")

    def _ask_guess(self, seat: int) -> Ask:
        guess = offer.guess(seat, self.riddle)
        return guess if self.board else guess._replace(more=partial(self._moves, seat))

    def _moves(self, seat: int, given: Given) -> tuple[Field, ...]:
        """Return the further fields of a guess if there is no board: the steps, the ends reached, and the reward.

        The buttons ask for an end only where a token may have reached it. The final space is ahead of every token. The
        hindmost space is behind the start and behind every token that is known not to be on it.
        """
        right, steps, stands = given["right"], given.get("steps"), given.get("stands")
        arrows = offer.arrows(seat, right, 0 if not right and self.hindmost[seat] else STEPS[-1])
        if not isinstance(steps, int):
            return (arrows,)
        place = self.tokens[seat] + (steps if right else -steps)
        ahead = right is True and place > max(self.tokens)
        on_track = (token for token, last in zip(self.tokens, self.hindmost, strict=True) if not last)
        behind = not right and steps > 0 and place < min(0, *on_track)
        end = offer.end(seat, right, steps == 0, not (ahead or behind))
        if not right or stands == "final":
            return arrows, end
        creator = SEATS.index(self.riddle[0])
        leads = self.tokens[creator] + REWARDS[-1] > max(place, *self.tokens)
        paid = 0 if given.get("creator_stands") == "hindmost" else REWARDS[-1]
        return arrows, end, offer.creator_end(creator, not leads), offer.reward(creator, paid)

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
        solved = self._with(replace(riddle, state="solved", solver=seat))._move(seat, ahead, stands)
        if not solved.winners:
            paid = self.board.rewards[riddle.chip] if self.board else reward
            solved = solved._move(riddle.owner, paid, creator_stands)
        return replace(solved, queue=())._or_closed()

    def do_expire(self, seat: None) -> Self:
        """Mark the riddle of the last call as expired, and begin the next turn."""
        return self._with(replace(self.riddle_called(self.picked), state="expired"))._next_turn()

    def _with(self, riddle: Riddle) -> Self:
        """Return the position with this riddle in place of the one of its name."""
        riddles = tuple([riddle if each.name == riddle.name else each for each in self.riddles])
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
        game = replace(self, stage="", riddle="", unnamed=(), guessed=())
        if game.winners:
            return game
        solved = bool(game.picked) and game.riddle_called(game.picked).state == "solved"
        if game.step == "last-call":
            return game._next_turn() if solved else game
        if game.step == "ask" and not solved:
            return game
        game = replace(game, step="clue", clue="") if game.step == "ask" else game
        return game if game.pickable(game.active) else game._next_turn()

    def _next_turn(self) -> Self:
        """Begin the next seat's turn, or end the game if there is nothing left to pick."""
        seat, turns = self.active, self.turns
        for _ in self.tokens:
            seat, turns = (seat + 1) % len(self.tokens), turns + 1
            game = replace(self, step="clue", picked="", clue="", first_right="", active=seat, turns=turns)
            if game.pickable(seat):
                return game
            others = (riddle for riddle in self.riddles if riddle.owner != seat)
            if self.rulings.second_end == "gone" or all(riddle.state == "solved" for riddle in others):
                break
        farthest = max(self.tokens)
        winners = tuple(own for own, token in enumerate(self.tokens) if token == farthest)
        return replace(game, winners=winners, no_riddle=True)

    def riddle_called(self, name: str) -> Riddle:
        """Return the riddle with this name."""
        for riddle in self.riddles:
            if riddle.name == name:
                return riddle
        raise ValueError(name)

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
        why = message("first on the final space")
        if len(self.winners) > 1:
            why = message("tied for farthest ahead when no riddle is open")
        elif self.no_riddle:
            why = message("farthest ahead when no riddle is open")
        return Result(placed(merits), why)

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
    def shown_facts(self) -> dict[str, Any]:
        """Return the facts, with the places of the tokens, and the clues and the arrows of a measured board."""
        board = self.board and {"clues": self.board.clues, "track": self.board.track}
        return {**self.facts(), "tokens": self.tokens, "board": board}

    @override
    def view(self) -> View:
        """Return the announcement, or the riddle that was picked and its known letters, or how many are open."""
        if self.stage:
            cubes = tuple("?" if cube is None else message("{who}", who=Who(cube)) for cube in self.queue)
            return View(self._announced_riddle() or message("cubes"), rows=(Row("cubes", cubes),))
        if not self.picked or self.again:
            open = sum(riddle.state == "open" for riddle in self.riddles)
            return View(message_n("one riddle open", "{number} riddles open", open))
        riddle = self.riddle_called(self.picked)
        if not any(riddle.letters):
            return View(named(self.picked))
        letters = "".join(letter or "_" for letter in riddle.letters)
        return View(named(self.picked), rows=(Row("word", (letters, message("clue {number}", number=riddle.chip))),))

    def _announced_riddle(self) -> str:
        """Return the riddle that is being guessed, or that the next cube is probably about; "" if nobody knows yet."""
        if self.stage not in ("cubes", "hear"):
            return named(self.riddle)
        return message("{riddle}?", riddle=named(self.guessable(self.queue[0])[0])) if self.queue[0] is not None else ""

    @override
    def now(self) -> Now | None:
        """Return what the next person must do; before a riddle is named, as if the likeliest one were."""
        seat = self.queue[0] if self.queue else self.active
        match self.phase:
            case "clue":
                return Now(offer.move_chip(seat, self.turn_of_seat, self.again), seat)
            case "ask":
                return Now(offer.take_clue(self.picked, self.clue, seat), seat)
            case "cubes" | "hear" if seat is not None:
                open = self.guessable(seat)
                if self._right_unknown(open[0]):
                    return Now(offer.press(self._number_unnamed()))
                if self._gives_claim(open[0]):
                    return Now(offer.claim_or_pass(self.active, open[0], True), self.active)
                return Now(offer.say_word(seat, open[0], len(open) > 1), seat)
            case "claim":
                sure = self._may_surely_claim()
                return Now(offer.claim_or_pass(self.active, self.riddle, sure), self.active)
            case "guess" if seat is not None:
                return Now(offer.say_word(seat, self.riddle, False), seat)
            case "last-call":
                return Now(offer.last_call(self.picked))
            case _:
                return Now(offer.press(self._number_unnamed()))

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        riddle = str(act.given["riddle"]) if act.verb == "clue" else self.picked
        clue = self.riddle_called(riddle).chip + 1 if riddle else 0
        return told(act, self.active, self.queue[0] if self.queue else None, riddle, self.riddle, clue)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the verdict on a guess and what follows from it, and what leaves the game."""
        return (*self._calls_of_act(before, act), *self._calls_after(before))

    def _calls_after(self, before: Self) -> tuple[Call, ...]:
        """Return who came to the rearmost space, that the cubes go back, and whose sheets are still to be turned."""
        said = []
        for seat, stands in enumerate(self.hindmost):
            if stands and not before.hindmost[seat]:
                said.append(Call("rearmost", offer.rearmost(seat), {"seat": seat}))
        if before.phase == "guess" and not self.stage and not self.winners:
            said.append(Call("cubes", message("All take their cubes back")))
        unsolved = {riddle.owner: None for riddle in self.riddles if riddle.state == "open"}
        if self.winners and unsolved:
            text = message("{who}: turn over the sheets of your open riddles and say the words", who=names_of(unsolved))
            said.append(Call("unsolved", text, {"seats": tuple(unsolved)}))
        return tuple(said)

    def _calls_of_act(self, before: Self, act: Act) -> tuple[Call, ...]:
        match act.verb:
            case "hear":
                name = str(act.given["riddle"])
                owner = before.riddle_called(name).owner
                if owner in before.queue and owner not in self.queue:
                    text = message("{who} sculpted {riddle}: take the cube back", who=Who(owner), riddle=named(name))
                    return (Call("home", text, {"seat": owner}),)
                return ()
            case "guess":
                return self._judged(before, act)
            case "expire":
                return (Call("expired", offer.removed(before.picked), {"riddle": before.picked}),)
            case _:
                return ()

    def _judged(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the verdict on a guess; the moves after it only on a measured board, because players enter others."""
        seat, right = before.queue[0], act.given["right"]
        assert seat is not None
        template = "Right! {who} solves {riddle}" if right else "Wrong: {who} does not solve {riddle}"
        text = message(template, who=Who(seat), riddle=named(before.riddle))
        said = [Call("guess", text, {"seat": seat, "right": right})]
        for mover in sorted(range(len(before.tokens)), key=lambda own: own != seat) if before.board else ():
            if steps := self.tokens[mover] - before.tokens[mover]:
                said.append(Call("move", _moved(mover, steps), {"seat": mover, "steps": steps}))
        if right:
            owner = before.riddle_called(before.riddle).owner
            text = message(
                "{who}: turn over the sheet of {riddle} and put the riddle on it",
                who=Who(owner),
                riddle=named(before.riddle),
            )
            said.append(Call("solved", text, {"seat": owner, "riddle": before.riddle}))
        return tuple(said)

    @override
    def audit(self) -> str:
        """Check that each seat is in the announcement at most once."""
        named = [cube for cube in self.queue if cube is not None] + list(self.guessed)
        return "a seat is in the announcement twice" if len(set(named)) < len(named) else ""


def _moved(seat: int, steps: int) -> Message:
    if steps < 0:
        return message_n("{who} moves {number} space back", "{who} moves {number} spaces back", -steps, who=Who(seat))
    return message_n("{who} moves {number} space forward", "{who} moves {number} spaces forward", steps, who=Who(seat))
