"""The offer of Dohdles!: the questions of each phase, with their fields, reasons and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from umpi.games.dohdles.board import KINDS, REWARDS, STEPS
from umpi.games.dohdles.riddle import LETTERS, SEATS, named
from umpi.kernel import Ask, Field, Given, Member, Message, Number, Pick, Text, Who, message
from umpi.kernel.messages import spaced

if TYPE_CHECKING:
    from umpi.games.dohdles.rules import Dohdles

CLUE = (
    "Choose another player's riddle and move its chip one clue space on. ??: ask two questions. ABC: ask for a letter. "
    "??/ABC: choose one of these."
)
QUESTIONS = (
    "Ask up to two questions. Nobody may ask for the solution, a letter or the number of letters. The rule sheet shows "
    "the four kinds of answer. Everyone may listen and toss a cube. This button ends the turn and the first right."
)
LETTER = (
    "Ask for one of the first five letters. The sculptor says it aloud and only then writes it down. Choose none if "
    "the word is shorter. The letter ends the turn and the first right."
)
CUBE = (
    "If you can solve a riddle whose chip has left its start, call Dohdles! and toss your cube into the funnel. "
    "Missed: toss again. Stuck: jiggle the funnel. Guess in the order the cubes come out. Who tossed "
    "must guess."
)
HOME = "Take back a cube that does not count."
HEAR = "The owner of the next cube says which riddle they guess. After that, no more cubes count."
CLAIM = (
    "This riddle has just come to its first clue space, so the player on turn may guess first, whatever the order of "
    "cubes. Pass: the cubes guess in their order."
)
CLAIM_CUBE = "The first right needs a cube of the player on turn in the funnel."
GUESS = (
    "Say the word. It must be the same word as on the solution sheet. Right: forward by the green arrows, then the "
    "sculptor by the number beside the chip. Wrong: back by the red arrows, and the next cube guesses."
)
EXPIRE = "This was the last clue. If nobody guesses, remove the riddle and show its solution."
KIND_LABELS = {"questions": "??", "letter": "ABC", "either": "??/ABC"}  # as printed on the board
CUBE_NEXT = message("Whose cube is next?")
SPACE = Pick("kind", KINDS, label=lambda kind: KIND_LABELS[kind], text=message("Which clue space?"))


def asks(game: Dohdles) -> Iterator[Ask]:
    """Yield the acts of the phase, and a cube if cubes are allowed."""
    phase = game.phase
    match phase:
        case "clue":
            yield _clue(game)
        case "ask":
            yield _asked(game)
        case "cubes" | "hear":
            yield from _hear(game)
            yield from _owner(game)
        case "claim":
            yield _claim(game)
        case "guess":
            seat = game.queue[0]
            yield from _owner(game) if seat is None else (_guess(game, seat),)
            if game.rulings.announcement == "each":
                yield from _hear(game)
    if phase in ("clue", "ask", "cubes", "last-call"):
        yield Ask("cube", CUBE_NEXT, (_cube(game),), None, CUBE, weight=0.2)
    if phase == "last-call":
        yield Ask("expire", message("Last call for {riddle}", riddle=named(game.picked)), (), None, EXPIRE)


def _clue(game: Dohdles) -> Ask:
    kinds = tuple([riddle.name for riddle in game.riddles if riddle.owner != game.active])
    kinds += tuple([riddle.name for riddle in game.riddles if riddle.owner == game.active])
    text, question = _takes_clue(game.active, game.turn_of_seat)
    riddle = Pick(
        "riddle", game.pickable(game.active), kinds, partial(_why_closed, game), label=named, text=question
    )  # fmt: skip
    return Ask("clue", text, (riddle,) if game.board else (riddle, SPACE), game.active, CLUE)


@cache
def _takes_clue(seat: int, turn: int) -> tuple[str, str]:
    """Return the text and the question of a turn; the members of a team take turns."""
    return message("{who} takes a clue", who=Who(seat)), message("{who}: riddle?", who=Member(seat, turn))


def _why_closed(game: Dohdles, name: str) -> str:
    riddle = game.riddle_called(name)
    if riddle.owner == game.active:
        return message("{who} sculpted {riddle}: pick an opponent's.", who=Who(game.active), riddle=named(name))
    return message("{riddle} is {state}.", riddle=named(name), state=riddle.state)


def _asked(game: Dohdles) -> Ask:
    return _asked_about(game.picked, game.clue, game.active)


@cache
def _asked_about(name: str, clue: str, seat: int) -> Ask:
    """Ask for the clue: one press after questions, the position and the letter after a letter."""
    who, sculptor = Who(seat), Member(SEATS.index(name[0]), int(name[1:]))
    position = Number("position", 1, LETTERS, text=message("{who}: which letter?", who=sculptor))

    def letter(given: Given) -> tuple[Field, ...]:
        if given["kind"] != "letter":
            return ()
        return (position, _letter(given.get("position")))

    match clue:
        case "questions":
            kind = Pick("kind", ("questions",), label=lambda kind: message("yes: next player"))
            return Ask("asked", message("{who}: all answered?", who=sculptor), (kind,), seat, QUESTIONS)
        case "letter":
            kind = Pick("kind", ("letter",))
            text = message("{who} asks for a letter", who=who)
            return Ask("asked", text, (kind,), seat, LETTER, letter, usual={"kind": "letter"})
    text = message("{who}: which clue?", who=who)
    labels = {"questions": message("answered"), "letter": message("a letter")}
    kind = Pick("kind", ("questions", "letter"), label=lambda kind: labels[kind], text=text)
    return Ask("asked", text, (kind,), seat, spaced([QUESTIONS, LETTER]), letter)


@cache
def _letter(position: int | None) -> Text:
    return Text("letter", 1, 1, null=True, text=message("Said aloud: letter {number}?", number=position))


def _cube(game: Dohdles) -> Pick:
    free: tuple[int | None, ...] = () if no_cube(game) else (*_free(game), None)
    seats = (*range(len(game.tokens)), None)
    return Pick("seat", free, seats, lambda seat: no_cube(game) or barred(game, seat), "cube")


def _free(game: Dohdles) -> tuple[int, ...]:
    return tuple([seat for seat in range(len(game.tokens)) if not _bar(game, seat)])


def _owner(game: Dohdles) -> Iterator[Ask]:
    """Offer to name the owner of the first cube without one, or to take that cube back."""
    if None not in game.queue or (game.phase == "hear" and game.queue[0] is not None):
        return
    seats = tuple(range(len(game.tokens)))
    owner = Pick("seat", _free(game), seats, partial(barred, game), "buzz")
    number = 1 + len(game.guessed) + game.queue.index(None)
    text = message("Whose is cube {number}?", number=number)
    yield Ask("owner", text, (owner,), None, CUBE, if_refused="home")
    yield Ask("home", message("Take it back"), (), None, HOME)


def _hear(game: Dohdles) -> Iterator[Ask]:
    seat = game.queue[0]
    if seat is None:
        return
    names, open = tuple([riddle.name for riddle in game.riddles]), game.guessable(seat)
    if game.phase != "guess":
        riddle = Pick("riddle", open, names, partial(_why_deaf, game, seat), label=named)
        usual = None if _right_unknown(game, open[0]) else {"riddle": open[0]}
        yield Ask("hear", _which(seat), (riddle,), None, HEAR, usual=usual)
    elif others := tuple(name for name in open if name != game.riddle):
        riddle = Pick("riddle", others, names, partial(_why_deaf, game, seat), label=named)
        yield Ask("hear", message("{who}: other riddle?", who=Who(seat)), (riddle,), None, HEAR, weight=0.05, rare=True)


def _right_unknown(game: Dohdles, riddle: str) -> bool:
    """Return whether a cube without an owner decides who guesses this riddle first: so its owner is asked for."""
    return riddle == game.first_right and game.may_claim(game.queue) and not _may_surely_claim(game)


def _may_surely_claim(game: Dohdles) -> bool:
    return game.rulings.first_right == "free" or game.active in game.queue


@cache
def _which(seat: int) -> str:
    return message("{who}: which riddle?", who=Who(seat))


def _why_deaf(game: Dohdles, seat: int, name: str) -> str:
    riddle = game.riddle_called(name)
    if riddle.owner == seat:
        return message("{who} sculpted {riddle}.", who=Who(seat), riddle=named(name))
    if riddle.state != "open":
        return message("{riddle} is {state}.", riddle=named(name), state=riddle.state)
    if name == game.riddle:
        return message("{riddle} is already being guessed.", riddle=named(name))
    return message("the chip of {riddle} has not left its start.", riddle=named(name))


def _claim(game: Dohdles) -> Ask:
    return _claims(game.active, game.rulings.first_right, _may_surely_claim(game))


@cache
def _claims(seat: int, first_right: str, sure: bool) -> Ask:
    """Ask whether the player on turn guesses first, or whether one of the cubes is theirs, if that is not `sure`."""
    if sure:
        text, labels = message("{who} may guess first", who=Who(seat)), (message("pass"), message("guess"))
    else:
        text, labels = message("Is a cube {who}'s?", who=Who(seat)), (message("no, pass"), message("yes, guess"))
    take = Pick("take", (True, False), label=lambda take: labels[take])
    help = spaced([CLAIM, CLAIM_CUBE]) if first_right == "cube" else CLAIM
    return Ask("claim", text, (take,), seat, help, usual={"take": True})


def _guess(game: Dohdles, seat: int) -> Ask:
    guess = _guesses(seat, game.riddle)
    return guess if game.board else guess._replace(more=partial(_moves, game, seat))


@cache
def _guesses(seat: int, name: str) -> Ask:
    labels = {True: message("right"), False: message("wrong")}
    right = Pick("right", (True, False), label=lambda right: labels[right])
    return Ask("guess", message("{who} guesses {riddle}", who=Who(seat), riddle=named(name)), (right,), seat, GUESS)


def _moves(game: Dohdles, seat: int, given: Given) -> tuple[Field, ...]:
    """Return the further fields of a guess if there is no board: the steps, the ends reached, and the reward.

    The buttons ask for an end only where a token may have reached it. The final space is ahead of every token. The
    hindmost space is behind the start and behind every token that is known not to be on it.
    """
    right, steps, stands = given["right"], given.get("steps"), given.get("stands")
    arrows = _arrows(seat, right, 0 if not right and game.hindmost[seat] else STEPS[-1])
    if not isinstance(steps, int):
        return (arrows,)
    place = game.tokens[seat] + (steps if right else -steps)
    ahead = right is True and place > max(game.tokens)
    behind = not right and steps > 0 and place < min(0, *_not_hindmost(game))
    end = _end(seat, right, steps == 0, not (ahead or behind))
    if not right or stands == "final":
        return arrows, end
    creator = SEATS.index(game.riddle[0])
    leads = game.tokens[creator] + REWARDS[-1] > max(place, *game.tokens)
    paid = 0 if given.get("creator_stands") == "hindmost" else REWARDS[-1]
    return arrows, end, _creator_end(creator, not leads), _reward(creator, paid)


@cache
def _arrows(seat: int, right: bool, high: int) -> Number:
    template = "{who}: green arrows?" if right else "{who}: red arrows?"
    return Number("steps", 0, high, text=message(template, who=Who(seat)))


@cache
def _end(seat: int, right: bool, still: bool, in_menu: bool) -> Pick:
    """Return the field for the end of the track that a token has reached; `still` is whether it did not move."""
    ends = tuple(end for end, fits in (("hindmost", not right or still), ("final", right)) if fits)
    label = partial(_end_label, seat) if right else lambda end: message("rearmost space")
    where = message("Where is {who}'s token now?", who=Who(seat))
    return Pick("stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, text=where, beside=True)


@cache
def _creator_end(creator: int, in_menu: bool) -> Pick:
    ends, label = ("final", "hindmost"), partial(_end_label, creator)
    return Pick("creator_stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, beside=True)


@cache
def _reward(creator: int, most: int) -> Number:
    return Number("reward", REWARDS[0], most, text=message("{who}: chip reward?", who=Who(creator)))


def _not_hindmost(game: Dohdles) -> Iterator[int]:
    return (token for token, last in zip(game.tokens, game.hindmost, strict=True) if not last)


def _end_label(seat: int, end: str) -> Message:
    template = "{who}: final space" if end == "final" else "{who}: rearmost space"
    return message(template, who=Who(seat))


def barred(game: Dohdles, seat: int) -> str:
    """Return why a seat may not announce, "" if it may."""
    reason = _bar(game, seat)
    return reason() if reason else ""


def _bar(game: Dohdles, seat: int) -> Callable[[], str] | None:
    """Return what says why a seat may not announce, None if it may: most reasons are never read."""
    who = Who(seat)
    if seat in game.queue or seat in game.guessed:
        return lambda: message("{who} has already guessed: take the cube back.", who=who)
    if game.hindmost[seat] and seat != game.active:
        return lambda: message("{who} is on the rearmost space and may guess only on their turn.", who=who)
    if game.riddle and game.rulings.announcement == "one" and game.riddle_called(game.riddle).owner == seat:
        return lambda: message("{who} sculpted {riddle}: take the cube back.", who=who, riddle=named(game.riddle))
    for riddle in game.riddles:
        if riddle.chip and riddle.owner != seat and riddle.state == "open":
            return None
    return lambda: message("{who} has no riddle to guess yet: take the cube back.", who=who)


def no_cube(game: Dohdles) -> str:
    """Return why no cube can join now, "" if one can."""
    if not game.guessable(None):
        if any(riddle.chip for riddle in game.riddles):
            return message("no riddle past its start is still open.")
        return message("no riddle has left its start: which one moved?")
    full = len(game.queue) >= len(game.tokens)
    return message("every player already has a cube in this round.") if full else ""
