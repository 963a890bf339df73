"""The lesson of Dohdles!: a clue, cubes in their order, a wrong and a right guess, the reward, the final space."""

from umpi.kernel.game import Act
from umpi.lessons.lesson import Lesson, watch, your_move

BOARD = {
    "clues": ("questions", "letter", "questions", "letter", "questions", "letter", "either"),
    "rewards": (0, 3, 3, 2, 2, 1, 1, 0),
    "track": ((0, 2), (1, 2), (1, 3), (1, 3), (1, 2), (2, 3), (2, 2), (1, 2), (0, 0)),  # back and forward
    "start": 2,
}


def _clue(riddle: str, **asked: str | int) -> tuple[Act, Act]:
    return Act("clue", {"riddle": riddle}), Act("asked", asked)


def _cube(seat: int) -> Act:
    return Act("cube", {"seat": seat})


def _hear(riddle: str) -> Act:
    return Act("hear", {"riddle": riddle})


def _guess(right: bool) -> Act:
    return Act("guess", {"right": right})


LESSON = Lesson(
    "dohdles",
    3,
    (
        watch(
            "You are {red}, and you play against {blue} and {yellow}. Each has sculpted three riddles. Yours are "
            "{red} 1 to {red} 3.",
        ),
        watch(
            "A good riddle shows the rough shape only. For a hedgehog, a plain ball is too difficult, and a ball with "
            "spikes, nose and eyes is too easy. Half a ball with one pointed end is just right.",
        ),
        your_move(
            "On your turn you pick another player’s riddle and move its chip one space on. Pick {blue} 1.",
            Act("clue", {"riddle": "B1"}),
        ),
        your_move(
            "The space shows your clue: you may ask two questions. Ask {blue}, then confirm.",
            Act("asked", {"kind": "questions"}),
        ),
        watch("{blue} picks {yellow} 1, and asks two questions too.", *_clue("C1", kind="questions")),
        watch(
            "If you can solve a riddle, toss your cube into the funnel, at any time. {yellow} wants to guess {blue} "
            "1, and their cube comes out first. Touch your cube only to toss it.",
            _cube(2),
        ),
        your_move(
            "You toss your cube too, and it comes out second. Without a funnel you enter it by hand: OK, then {red}.",
            _cube(0),
        ),
        watch(
            "{yellow} guesses first, and says: a cat. That is wrong, so {yellow} moves back by the red arrows.",
            _hear("B1"), _guess(False),
        ),
        your_move("Now you guess: a mouse. {blue} says that this is right. Enter it.", _guess(True)),
        watch(
            "You moved forward by the green arrows. {blue} sculpted the riddle, and moved by the number beside its "
            "chip. {blue} turns the sheet over and puts the riddle on it. All take their cubes back.",
        ),
        watch("{yellow} picks your riddle {red} 1, and asks two questions.", *_clue("A1", kind="questions")),
        your_move(
            "It is your turn. Pick {yellow} 1: its chip moves to the second space.",
            Act("clue", {"riddle": "C1"}),
        ),
        your_move(
            "This space gives you a letter, one of the first five. You ask for letter 1, and {yellow} answers S.",
            Act("asked", {"kind": "letter", "position": 1, "letter": "S"}),
        ),
        your_move("You can solve it: a snake. Toss your cube, and enter it.", _cube(0)),
        your_move("You guess {yellow} 1, and you are right. Enter it.", _hear("C1"), _guess(True)),
        watch("Your token has reached the final space, so you win at once. {yellow} gets no reward for that."),
        watch(
            "There are two more rules. If you moved a riddle to its first clue space and your cube is in the funnel "
            "too, you may guess first. On the rearmost space you may guess only on your own turn.",
        ),
    ),
    {"board": BOARD},
)  # fmt: skip
