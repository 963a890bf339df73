"""The lesson of Dudab Buba: lay a card, draw, ask for a colour with a dudab, see a column taken, play a shaman."""

from umpi.kernel.game import Act
from umpi.lessons.lesson import Lesson, watch, your_move


def _play(card: str, column: int, **ask: str) -> Act:
    return Act("play", {"card": card, "column": column - 1, **ask})


_DRAW = Act("draw")

LESSON = Lesson(
    "dudab-buba",
    2,
    (
        watch(
            "You are {red}, and you play against {blue}. Cards in your hand and in your pile are points, and the "
            "fewest points win. You each have three cards.",
        ),
        your_move(
            "With two players, two cards are revealed: red club 3 and blue hand 2. Enter both cards.",
            Act("reveal", {"cards": ("red-club-3", "blue-hand-2")}),
        ),
        your_move(
            "A number goes on a number one higher or lower, of another colour and symbol. Lay your green mammoth 2 on"
            " column 1.",
            _play("green-mammoth-2", 1),
        ),
        watch("{blue} lays yellow hide 3 on the same column.", _play("yellow-hide-3", 1)),
        your_move(
            "You still have yellow hide 4 and a dudab. The 4 fits no column, so draw a card. The box does not need to"
            " know it.",
            _DRAW,
        ),
        watch(
            "{blue} lays red hand 2 on column 1, and has one card left. With fewer than two cards, a player draws.",
            _play("red-hand-2", 1), _DRAW,
        ),
        your_move(
            "A dudab goes on any card, and may ask for a colour, a symbol or a value. Lay it on column 1 and ask for "
            "blue.",
            _play("dudab", 1, ask="colour:blue"),
        ),
        watch(
            "Now only a blue card fits, and only there, or another dudab. A player who has neither shows their "
            "hand and draws. {blue} lays blue mammoth 1, the column’s sixth card, and takes the five before it.",
            _play("blue-mammoth-1", 1), _DRAW,
        ),
        your_move(
            "You have drawn a blue shaman. A shaman goes on a number of its colour, and the next player must answer "
            "it. Lay it on column 2, on blue hand 2.",
            _play("shaman-blue", 2),
        ),
        your_move("You have one card in hand, so draw another.", _DRAW),
        watch(
            "{blue} has no shaman and no dudab, and faces yours: {blue} turns over cards until a number appears, a "
            "yellow club 3, and draws three cards.",
            Act("face", {"turned": ("shaman-green", "yellow-club-3")}), _DRAW, _DRAW, _DRAW,
        ),
        your_move(
            "The shaman is settled: now a number of its colour fits. You have drawn blue club 1. Lay it on column 2.",
            _play("blue-club-1", 2),
        ),
        your_move("You have one card in hand again. Draw.", _DRAW),
        watch(
            "The round ends when the deck is empty. Then each player adds up their hand and pile: a number counts its"
            " value, a dudab in hand 5.",
        ),
        watch("In the pile, each dudab cancels a shaman. A match has as many rounds as players."),
    ),
)  # fmt: skip
