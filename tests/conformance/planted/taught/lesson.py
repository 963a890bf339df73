"""A lesson with a move that the rules refuse."""

from umpi.kernel import Act
from umpi.lessons.lesson import Lesson, watch, your_move

LESSON = Lesson(
    "bag",
    2,
    (
        your_move("You are {red}. Pass.", Act("pass")),
        watch("{blue} takes a stone that is not there.", Act("draw", {"stone": 99})),
    ),
)
