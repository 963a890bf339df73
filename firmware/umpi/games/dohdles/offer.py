"""The questions of Dohdles!, each with its fields and the text of its rule."""

from __future__ import annotations

from functools import cache, partial

from umpi.games.dohdles.board import KINDS, REWARDS
from umpi.games.dohdles.riddle import LETTERS, named, sculptor_of
from umpi.kernel import Ask, Field, Given, Member, Message, Number, Pick, Text, Who, message
from umpi.kernel.messages import spaced

CLUE = (
    "Choose another player’s riddle and move its chip one clue space on. If it is solved before you ask, choose again. "
    "??: ask two questions. ABC: ask for a letter. ??/ABC: choose one of these."
)
QUESTIONS = (
    "Ask up to two questions. Nobody may ask for the solution, a letter or the number of letters. Answers are yes, no, "
    "sometimes, or I don’t know. Everyone may listen and toss a cube. This button ends your turn and your right to "
    "guess first."
)
LETTER = (
    "Ask for one of the first five letters. The sculptor says it aloud and only then writes it down, for all to see. "
    "Choose none if the word is shorter. The letter ends your turn and your right to guess first."
)
CUBE = (
    "If you can solve a riddle whose chip has left its start, call Dohdles! and toss your cube into the funnel. If it "
    "misses, toss it again. If it gets stuck, jiggle the funnel. Guess in the order the cubes come out. If you tossed "
    "a cube, you must guess. Touch your cube only to toss it."
)
HOME = "Take back a cube that does not count."
HEAR = "The owner of the next cube says which riddle they guess. After that, no more cubes count."
CLAIM = (
    "This riddle has just come to its first clue space. So the player whose turn it is may guess first, whatever the "
    "order of cubes. If they pass, players guess in the order of their cubes."
)
CLAIM_CUBE = "To guess first, the player whose turn it is must have a cube in the funnel."
GUESS = (
    "Say the word. It must be the same word as on the solution sheet. If that word was wrong before, say another. "
    "Right: you move forward by the green arrows, then the sculptor by the number beside the chip. Wrong: you move "
    "back by the red arrows, and the owner of the next cube guesses."
)
EXPIRE = (
    "This was the last clue. If nobody guesses, the sculptor removes the riddle, turns the sheet over, puts the riddle "
    "on it and says the word."
)
KIND_LABELS = {"questions": "??", "letter": "ABC", "either": "??/ABC"}  # as printed on the board
CUBE_NEXT = message("Whose cube is next?")
SPACE = Pick("kind", KINDS, label=lambda kind: KIND_LABELS[kind], text=message("Which clue space?"))


@cache
def takes_clue(seat: int, turn: int, again: bool) -> tuple[str, str]:
    """Return the text and the question of a turn; the members of a team take turns."""
    question = "{who}: another chip?" if again else "{who}: which chip?"
    return message("{who} takes a clue", who=Who(seat)), message(question, who=Member(seat, turn))


@cache
def asked(name: str, clue: str, seat: int) -> Ask:
    """Ask for the clue: one press after questions, the position and the letter after a letter."""
    who, sculptor = Who(seat), sculptor_of(name)
    position = Number("position", 1, LETTERS, text=message("{who}: which letter?", who=sculptor))

    def letter(given: Given) -> tuple[Field, ...]:
        if given["kind"] != "letter":
            return ()
        return (position, _letter(given["position"])) if "position" in given else (position,)

    match clue:
        case "questions":
            kind = Pick("kind", ("questions",), label=lambda kind: message("done: next player"))
            return Ask("asked", message("{who}: all answered?", who=sculptor), (kind,), seat, QUESTIONS)
        case "letter":
            kind = Pick("kind", ("letter",))
            text = message("{who} asks for a letter", who=who)
            return Ask("asked", text, (kind,), seat, LETTER, letter, usual={"kind": "letter"})
        case _:  # both are there to choose
            text = message("{who}: which clue?", who=who)
            labels = {"questions": message("answered"), "letter": message("a letter")}
            kind = Pick("kind", ("questions", "letter"), label=lambda kind: labels[kind], text=text)
            return Ask("asked", text, (kind,), seat, spaced([QUESTIONS, LETTER]), letter)


@cache
def _letter(position: int) -> Text:
    return Text("letter", 1, 1, null=True, text=message("What is letter {number}?", number=position))


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
        text, labels = message("Did {who} toss a cube?", who=Who(seat)), (message("no, pass"), message("yes, guess"))
    take = Pick("take", (True, False), label=lambda take: labels[take])
    help = spaced([CLAIM, CLAIM_CUBE]) if first_right == "cube" else CLAIM
    return Ask("claim", text, (take,), seat, help, usual={"take": True})


@cache
def guess(seat: int, name: str) -> Ask:
    """Ask whether a guess was right."""
    who = Who(seat)
    labels = {True: message("{who} right", who=who), False: message("{who} wrong", who=who)}
    right = Pick("right", (True, False), label=lambda right: labels[right])
    return Ask("guess", message("{who} guesses {riddle}", who=who, riddle=named(name)), (right,), seat, GUESS)


@cache
def arrows(seat: int, right: bool, high: int) -> Number:
    """Return the field for the steps that a token moves after a guess, `high` at most."""
    template = "{who}: steps forward?" if right else "{who}: steps back?"
    return Number("steps", 0, high, text=message(template, who=Who(seat)))


@cache
def end(seat: int, right: bool, still: bool, in_menu: bool) -> Pick:
    """Return the field for the end of the track that a token has reached; `still` is whether it did not move."""
    ends = tuple(end for end, fits in (("hindmost", not right or still), ("final", right)) if fits)
    label = partial(_end_label, seat) if right else lambda end: message("rearmost space")
    where = message("Where is {who}’s token now?", who=Who(seat))
    return Pick("stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, text=where, beside=True)


@cache
def creator_end(creator: int, in_menu: bool) -> Pick:
    """Return the field for the end of the track that the token of a riddle's creator has reached."""
    ends, label = ("final", "hindmost"), partial(_end_label, creator)
    return Pick("creator_stands", ends, optional=True, likely=0.05, in_menu=in_menu, label=label, beside=True)


@cache
def reward(creator: int, most: int) -> Number:
    """Return the field for the steps that a riddle's creator moves, `most` at most."""
    return Number("reward", REWARDS[0], most, text=message("{who}: steps as reward?", who=Who(creator)))


def _end_label(seat: int, end: str) -> Message:
    template = "{who}: final space" if end == "final" else "{who}: rearmost space"
    return message(template, who=Who(seat))


# The sentences of `now`.


@cache
def move_chip(seat: int, turn: int, again: bool) -> str:
    """Tell a seat to choose a riddle; the members of a team take turns."""
    template = (
        "{who}: choose another riddle and move its chip." if again else "{who}: choose a riddle and move its chip."
    )
    return message(template, who=Member(seat, turn))


@cache
def take_clue(name: str, clue: str, seat: int) -> str:
    """Tell a seat to take the clue of the space that a chip has come to."""
    template = "{who}: ask {sculptor} two questions." if clue == "questions" else "{who}: ask {sculptor} for a letter."
    if clue == "either":
        template = "{who}: ask {sculptor}, or take a letter."
    return message(template, who=Who(seat), sculptor=sculptor_of(name))


@cache
def press(number: int) -> str:
    """Tell the owner of a cube without a name to press their button."""
    return message("Owner of cube {number}: press your button.", number=number)


@cache
def claim_or_pass(seat: int, name: str, sure: bool) -> str:
    """Tell the player on turn to guess before the cubes, if that is not `sure` only with a cube of their own."""
    template = "{who}: guess {riddle} first, or pass." if sure else "{who}: did you toss a cube? Guess first, or pass."
    return message(template, who=Who(seat), riddle=named(name))


@cache
def say_word(seat: int, name: str, others: bool) -> str:
    """Tell the owner of the next cube to guess; `others` is whether they may name another riddle."""
    template = "{who}: guess {riddle}, or name another." if others else "{who}: guess {riddle}."
    return message(template, who=Who(seat), riddle=named(name))


@cache
def last_call(name: str) -> str:
    """Tell everybody that this riddle is about to leave the board."""
    return message("Last call for {riddle}: toss a cube, or remove the riddle.", riddle=named(name))


# The sentences of calls.


@cache
def rearmost(seat: int) -> str:
    """Return that a token has come to the rearmost space."""
    return message("{who} is on the rearmost space and may guess only on their turn", who=Who(seat))


@cache
def removed(name: str) -> str:
    """Return what the sculptor does with a riddle that nobody has solved."""
    return message(
        "{who}: remove {riddle}, turn its sheet over and say its word", who=sculptor_of(name), riddle=named(name)
    )
