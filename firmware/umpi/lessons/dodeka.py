"""The lesson of Dodéka: a run, a 13, a tie for first place, the play-off, a pairtraiz and the stake."""

from umpi.kernel.game import Act
from umpi.lessons.lesson import Lesson, watch, your_move


def _throw(*dice: int, keep: tuple[int, ...] = ()) -> Act:
    return Act("throw", {"keep": keep, "dice": dice})


_STOP = Act("stop")

LESSON = Lesson(
    "dodeka",
    2,
    (
        watch("You are {red}, and you play against {blue}. This match is one set, with a goal of 300 points."),
        your_move(
            "Each turn starts with a roll of all three dice. You roll 3, 4 and 11. Enter them.",
            _throw(3, 4, 11),
        ),
        your_move(
            "The sum is 18, for 10 points. You may roll again, twice at most. Keep 3 and 4 for a run, and roll the "
            "third die: it shows 5.",
            _throw(5, keep=(3, 4)),
        ),
        your_move("3, 4 and 5 are a run, for 100 points. Stop here: another roll could lose it.", _STOP),
        watch("{blue} rolls 1, 4 and 8. Their sum is 13, for 250 points. {blue} stops.", _throw(1, 4, 8), _STOP),
        your_move("It is your turn again. You roll 2, 4 and 7. Enter them.", _throw(2, 4, 7)),
        your_move("The sum is 13, for 250 points. With 350 points you pass the goal. Stop.", _STOP),
        watch(
            "The set ends after a whole round, so {blue} plays too. {blue} rolls 5, 6 and 12, keeps 5 and 6, and "
            "rolls a 7. That is a run.",
            _throw(5, 6, 12), _throw(7, keep=(5, 6)), _STOP,
        ),
        your_move(
            "Both have 350 points. In a play-off the tied players play on, and points still count. You roll 4, 4 and "
            "10.",
            _throw(4, 4, 10),
        ),
        your_move(
            "A pair scores 40. But 4, 4 and 5 are 13 with a pair: the pairtraiz, which wins the set. Keep 4 and 4. "
            "You roll a 9.",
            _throw(9, keep=(4, 4)),
        ),
        your_move("One roll is left. Keep 4 and 4 again. You roll a 5.", _throw(5, keep=(4, 4))),
        watch(
            "The third roll ended your turn by itself. {blue} finishes the round: 2, 2 and 8, a pair.",
            _throw(2, 2, 8), _STOP,
        ),
        watch(
            "You win. The last player pays their points to the first: {blue} pays 390. Most matches have three sets.",
        ),
        watch(
            "Before you end a set, look at the last player’s points: you get no more. If they have little, it can pay "
            "to wait and let them score.",
        ),
        watch(
            "If you are last and far behind, try for the pairtraiz: you then win the set, and somebody else pays. The "
            "second to last has the hardest place.",
        ),
        watch(
            "In a match the box asks only for the final dice of a turn. To enter every roll, choose it in the menu: "
            "hold Back.",
        ),
    ),
    {"parts": 1, "target": 300},
)  # fmt: skip
