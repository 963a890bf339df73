"""The lesson of Battledodes: rolls, a miss, a clash with its answer, attacks, and points that come one turn later."""

from umpi.kernel.game import Act
from umpi.lessons.lesson import Lesson, watch, your_move


def _land(dode: int, face: int, hex: int) -> Act:
    return Act("land", {"dode": dode, "face": face, "hex": hex})


def _attack(by: int, on: int) -> Act:
    return Act("attack", {"with": by, "on": on})


LESSON = Lesson(
    "battledodes",
    2,
    (
        watch(
            "You are {red}, and you play against {blue}. Each has four dice, the dodes. The first with 50 points wins"
            " this lesson; a match goes to 144.",
        ),
        your_move(
            "Each rolls one dode to see who starts. You roll 9, {blue} rolls 4.",
            Act("roll-off", {"faces": (9, 4)}),
        ),
        your_move(
            "You start. Bounce each dode off the wall so that it lands on your side. The first shows 8, on a hexagon "
            "with the number 3.",
            _land(1, 8, 3),
        ),
        watch(
            "The second lands on the far side. That is a miss. In a match you enter a miss in the menu: hold Back.",
            Act("miss", {"dode": 2, "why": "far-side"}),
        ),
        your_move("After a miss you roll it again. It shows 5, on hexagon 2.", _land(2, 5, 2)),
        your_move("The third shows 12, on hexagon 1.", _land(3, 12, 1)),
        your_move("The fourth shows 7, in the dead zone. Enter hexagon 0: it will score nothing.", _land(4, 7, 0)),
        watch(
            "You have no dode to attack yet, so it is {blue}’s turn. {blue}’s first dode shows 6 on hexagon 3. The "
            "second hits your 5.",
            _land(1, 6, 3), Act("clash", {"dode": 2, "hit": (2,)}),
        ),
        your_move(
            "You choose: put your dode back as it was, or roll it again. 5 on hexagon 2 is worth 10 points. Put it "
            "back.",
            Act("answer", {"choice": "replace"}),
        ),
        watch(
            "{blue} rolls the others: 9 on hexagon 2, 4 on 4, 3 on 5. Then {blue} attacks from hexagon 3 and from "
            "hexagon 2.",
            _land(2, 9, 2), _land(3, 4, 4), _land(4, 3, 5), _attack(1, 1), _attack(2, 2),
        ),
        your_move(
            "An attack needs the same hexagon number. It subtracts the attacker’s face: your 8 is turned to 2, your 5 "
            "is out. The others scored face times hexagon. Now keep the 2 and the 12.",
            Act("keep", {"dodes": (1, 3)}),
        ),
        your_move("You roll the other two. One shows 11, on hexagon 4.", _land(2, 11, 4)),
        your_move("The other shows 10, on hexagon 2.", _land(4, 10, 2)),
        your_move(
            "Now you attack, with each dode at most once. Your 11 on hexagon 4 attacks {blue}’s 4 there: it "
            "leaves the board.",
            _attack(2, 3),
        ),
        your_move("Your 10 on hexagon 2 attacks {blue}’s 9 there.", _attack(4, 2)),
        your_move(
            "Your 2 attacks {blue}’s 6 on hexagon 3: turn it to 4. An attacker keeps its own face.", _attack(1, 1)
        ),
        watch(
            "{blue}’s remaining dodes have scored. {blue} keeps the 4 and the 3, rolls 12 on hexagon 4 and 5 in the "
            "dead zone, and attacks twice.",
            Act("keep", {"dodes": (1, 4)}), _land(2, 12, 4), _land(3, 5, 0), _attack(2, 2), _attack(1, 1),
        ),
        watch(
            "Two of your dodes are left: 12 on hexagon 1 and 10 on hexagon 2. They score 32, which makes 50 in all. "
            "You win.",
        ),
    ),
    {"target": 50},
)  # fmt: skip
