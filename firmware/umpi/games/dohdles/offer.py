"""The offer of Dohdles!: the questions of each phase, with their fields, reasons and rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
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


def asks(game: Dohdles) -> Iterator[Ask]:
    """Yield the acts of the phase, and a cube if cubes are allowed."""
    match game.phase:
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
    if game.phase in ("clue", "ask", "cubes", "last-call"):
        yield Ask("cube", message("Whose cube is next?"), (_cube(game),), None, CUBE, weight=0.2)
    if game.phase == "last-call":
        yield Ask("expire", message("Last call for {riddle}", riddle=named(game.picked)), (), None, EXPIRE)


def _clue(game: Dohdles) -> Ask:
    who = Who(game.active)
    kinds = tuple(r.name for r in sorted(game.riddles, key=lambda riddle: riddle.owner == game.active))
    text = message("{who}: riddle?", who=Member(game.active, game.turn_of_seat))
    riddle = Pick(
        "riddle", game.pickable(game.active), kinds, partial(_why_closed, game), label=named, text=text
    )  # fmt: skip
    space = Pick("kind", KINDS, label=lambda kind: KIND_LABELS[kind], text=message("Which clue space?"))
    fields = (riddle,) if game.board else (riddle, space)
    return Ask("clue", message("{who} takes a clue", who=who), fields, game.active, CLUE)


def _why_closed(game: Dohdles, name: str) -> str:
    riddle = game.riddle_called(name)
    if riddle.owner == game.active:
        return message("{who} sculpted {riddle}: pick an opponent's.", who=Who(game.active), riddle=named(name))
    return message("{riddle} is {state}.", riddle=named(name), state=riddle.state)


def _asked(game: Dohdles) -> Ask:
    """Ask for the clue: one press after questions, the position and the letter after a letter."""
    name, who = game.picked, Who(game.active)
    sculptor = Member(SEATS.index(name[0]), int(name[1:]))
    position = Number("position", 1, LETTERS, text=message("{who}: which letter?", who=sculptor))

    def letter(given: Given) -> tuple[Field, ...]:
        if given["kind"] != "letter":
            return ()
        text = message("Said aloud: letter {number}?", number=given.get("position"))
        return (position, Text("letter", 1, 1, null=True, text=text))

    match game.clue:
        case "questions":
            kind = Pick("kind", ("questions",), label=lambda kind: message("yes: next player"))
            return Ask("asked", message("{who}: all answered?", who=sculptor), (kind,), game.active, QUESTIONS)
        case "letter":
            kind = Pick("kind", ("letter",))
            text = message("{who} asks for a letter", who=who)
            return Ask("asked", text, (kind,), game.active, LETTER, letter, usual={"kind": "letter"})
    text = message("{who}: which clue?", who=who)
    labels = {"questions": message("answered"), "letter": message("a letter")}
    kind = Pick("kind", ("questions", "letter"), label=lambda kind: labels[kind], text=text)
    return Ask("asked", text, (kind,), game.active, spaced([QUESTIONS, LETTER]), letter)


def _cube(game: Dohdles) -> Pick:
    seats = tuple(range(len(game.tokens)))
    free: tuple[int | None, ...] = () if no_cube(game) else (*_free(game), None)
    return Pick("seat", free, (*seats, None), lambda seat: no_cube(game) or barred(game, seat), "cube")


def _free(game: Dohdles) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(game.tokens)) if not barred(game, seat))


def _owner(game: Dohdles) -> Iterator[Ask]:
    """Offer to name the owner of the first cube without one, or to take that cube back."""
    if None not in game.queue or (game.phase == "hear" and game.queue[0] is not None):
        return
    seats = tuple(range(len(game.tokens)))
    owner = Pick("seat", _free(game), seats, partial(barred, game), "buzz")
    number = 1 + len(game.heard) + game.queue.index(None)
    yield Ask("owner", message("Whose is cube {number}?", number=number), (owner,), None, CUBE)
    yield Ask("home", message("Take it back"), (), None, HOME)


def _hear(game: Dohdles) -> Iterator[Ask]:
    seat = game.queue[0]
    if seat is None:
        return
    names, open = tuple(riddle.name for riddle in game.riddles), game.guessable(seat)
    if game.phase != "guess":
        riddle = Pick("riddle", open, names, partial(_why_deaf, game, seat), label=named)
        text = message("{who}: which riddle?", who=Who(seat))
        yield Ask("hear", text, (riddle,), None, HEAR, usual={"riddle": open[0]})
    elif others := tuple(name for name in open if name != game.riddle):
        riddle = Pick("riddle", others, names, partial(_why_deaf, game, seat), label=named)
        yield Ask("hear", message("{who}: other riddle?", who=Who(seat)), (riddle,), None, HEAR, weight=0.05, rare=True)


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
    """Ask whether the player on turn guesses first; the buttons assume it and ask at once for the guess."""
    labels = {True: message("guess"), False: message("pass")}
    take = Pick("take", (True, False), label=lambda take: labels[take])
    help = spaced([CLAIM, CLAIM_CUBE]) if game.rulings.first_right == "cube" else CLAIM
    text = message("{who} may guess first", who=Who(game.active))
    return Ask("claim", text, (take,), game.active, help, usual={"take": True})


def _guess(game: Dohdles, seat: int) -> Ask:
    labels = {True: message("right"), False: message("wrong")}
    right = Pick("right", (True, False), label=lambda right: labels[right])
    text = message("{who} guesses {riddle}", who=Who(seat), riddle=named(game.riddle))
    if game.board:
        return Ask("guess", text, (right,), seat, GUESS)
    return Ask("guess", text, (right,), seat, GUESS, partial(_moves, game, seat))


def _moves(game: Dohdles, seat: int, given: Given) -> tuple[Field, ...]:
    """Return the further fields of a guess if there is no board: the steps, the ends reached, and the reward.

    The buttons ask for an end only where a token may have reached it. The final space is ahead of every token. The
    hindmost space is behind the start and behind every token that is known not to be on it.
    """
    right, steps, stands = given["right"], given.get("steps"), given.get("stands")
    high = 0 if not right and game.hindmost[seat] else STEPS[-1]
    template = "{who}: green arrows?" if right else "{who}: red arrows?"
    fields: list[Field] = [Number("steps", 0, high, text=message(template, who=Who(seat)))]
    if not isinstance(steps, int):
        return tuple(fields)
    place = game.tokens[seat] + (steps if right else -steps)
    ahead = right is True and place > max(game.tokens)
    behind = not right and steps > 0 and place < min(0, *_not_hindmost(game))
    ends = tuple(end for end, fits in (("hindmost", not right or steps == 0), ("final", right)) if fits)
    where = message("Where is {who}'s token now?", who=Who(seat))
    label = partial(_end_label, seat) if right else lambda end: message("rearmost space")
    fields.append(
        Pick(
            "stands",
            ends,
            optional=True,
            likely=0.05,
            in_menu=not (ahead or behind),
            label=label,
            text=where,
            beside=True,
        )
    )
    if not right or stands == "final":
        return tuple(fields)
    creator = SEATS.index(game.riddle[0])
    leads = game.tokens[creator] + REWARDS[-1] > max(place, *game.tokens)
    fields.append(
        Pick(
            "creator_stands", ("final", "hindmost"), optional=True, likely=0.05, in_menu=not leads,
            label=partial(_end_label, creator), beside=True,
        )
    )  # fmt: skip
    paid = 0 if given.get("creator_stands") == "hindmost" else REWARDS[-1]
    text = message("{who}: chip reward?", who=Who(creator))
    return (*fields, Number("reward", REWARDS[0], paid, text=text))


def _not_hindmost(game: Dohdles) -> Iterator[int]:
    return (token for token, last in zip(game.tokens, game.hindmost, strict=True) if not last)


def _end_label(seat: int, end: str) -> Message:
    template = "{who}: final space" if end == "final" else "{who}: rearmost space"
    return message(template, who=Who(seat))


def barred(game: Dohdles, seat: int) -> str:
    """Return why a seat may not announce, "" if it may."""
    who = Who(seat)
    if seat in game.queue or seat in game.heard:
        return message("{who} has already guessed: take the cube back.", who=who)
    if game.hindmost[seat] and seat != game.active:
        return message("{who} is on the rearmost space and may guess only on their turn.", who=who)
    if game.riddle and game.rulings.announcement == "one" and game.riddle_called(game.riddle).owner == seat:
        return message("{who} sculpted {riddle}: take the cube back.", who=who, riddle=named(game.riddle))
    if not game.guessable(seat):
        return message("{who} has no riddle to guess yet: take the cube back.", who=who)
    return ""


def no_cube(game: Dohdles) -> str:
    """Return why no cube can join now, "" if one can."""
    if not game.guessable(None):
        if any(riddle.chip for riddle in game.riddles):
            return message("no riddle past its start is still open.")
        return message("no riddle has left its start: which one moved?")
    full = len(game.queue) >= len(game.tokens)
    return message("every player already has a cube in this round.") if full else ""
