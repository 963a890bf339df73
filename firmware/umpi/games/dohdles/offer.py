"""The questions of Dohdles!, each with its fields and the text of its rule."""

from __future__ import annotations

from functools import cache, partial

from umpi.games.dohdles.board import KINDS, REWARDS
from umpi.games.dohdles.riddle import LETTERS, SEATS, named
from umpi.kernel import Ask, Field, Given, Member, Message, Number, Pick, Text, Who, message
from umpi.kernel.messages import spaced

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


@cache
def takes_clue(seat: int, turn: int) -> tuple[str, str]:
    """Return the text and the question of a turn; the members of a team take turns."""
    return message("{who} takes a clue", who=Who(seat)), message("{who}: riddle?", who=Member(seat, turn))


@cache
def asked(name: str, clue: str, seat: int) -> Ask:
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


@cache
def which(seat: int) -> str:
    """Return the question for the riddle that a cube's owner guesses."""
    return message("{who}: which riddle?", who=Who(seat))


@cache
def claim(seat: int, first_right: str, sure: bool) -> Ask:
    """Ask whether the player on turn guesses first, or whether one of the cubes is theirs, if that is not `sure`."""
    if sure:
        text, labels = message("{who} may guess first", who=Who(seat)), (message("pass"), message("guess"))
    else:
        text, labels = message("Is a cube {who}'s?", who=Who(seat)), (message("no, pass"), message("yes, guess"))
    take = Pick("take", (True, False), label=lambda take: labels[take])
    help = spaced([CLAIM, CLAIM_CUBE]) if first_right == "cube" else CLAIM
    return Ask("claim", text, (take,), seat, help, usual={"take": True})


@cache
def guess(seat: int, name: str) -> Ask:
    """Ask whether a guess was right."""
    labels = {True: message("right"), False: message("wrong")}
    right = Pick("right", (True, False), label=lambda right: labels[right])
    return Ask("guess", message("{who} guesses {riddle}", who=Who(seat), riddle=named(name)), (right,), seat, GUESS)


@cache
def arrows(seat: int, right: bool, high: int) -> Number:
    """Return the field for the steps that a token moves after a guess, `high` at most."""
    template = "{who}: green arrows?" if right else "{who}: red arrows?"
    return Number("steps", 0, high, text=message(template, who=Who(seat)))


@cache
def end(seat: int, right: bool, still: bool, in_menu: bool) -> Pick:
    """Return the field for the end of the track that a token has reached; `still` is whether it did not move."""
    ends = tuple(end for end, fits in (("hindmost", not right or still), ("final", right)) if fits)
    label = partial(_end_label, seat) if right else lambda end: message("rearmost space")
    where = message("Where is {who}'s token now?", who=Who(seat))
    return Pick("stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, text=where, beside=True)


@cache
def creator_end(creator: int, in_menu: bool) -> Pick:
    """Return the field for the end of the track that the token of a riddle's creator has reached."""
    ends, label = ("final", "hindmost"), partial(_end_label, creator)
    return Pick("creator_stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, beside=True)


@cache
def reward(creator: int, most: int) -> Number:
    """Return the field for the steps that a riddle's creator moves, `most` at most."""
    return Number("reward", REWARDS[0], most, text=message("{who}: chip reward?", who=Who(creator)))


def _end_label(seat: int, end: str) -> Message:
    template = "{who}: final space" if end == "final" else "{who}: rearmost space"
    return message(template, who=Who(seat))
