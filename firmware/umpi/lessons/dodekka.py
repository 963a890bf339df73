"""The lesson of Dodekka: take and flip, over 12 without going bust, a bust, the last card of the deck, the score."""

from umpi.kernel.game import Act
from umpi.lessons.lesson import Lesson, watch, your_move


def _deal(*cards: str) -> Act:
    return Act("deal", {"cards": cards})


def _flip(card: str) -> Act:
    return Act("turn", {"card": card})


_TAKE = Act("take")

LESSON = Lesson(
    "dodekka",
    2,
    (
        watch(
            "You are {red}, and you play against {blue}. You collect cards of one element from a line of cards. The "
            "line may total 12, and no more.",
        ),
        your_move(
            "Deal three cards face up in a line: fire 2, earth 2 and air 4. The first is nearest the deck. Enter them"
            " in this order.",
            _deal("fire-2", "earth-2", "air-4"),
        ),
        your_move(
            "The line totals 8. On your turn you take the card nearest the deck, or flip the deck’s top card. Flip: "
            "it is earth 2. To enter it, press its element.",
            _flip("earth-2"),
        ),
        watch("The total is 10. {blue} flips too: ether 1.", _flip("ether-1")),
        your_move("The total is 11. Taking is always safe. Take the card nearest the deck, fire 2.", _TAKE),
        watch("The total is 9. {blue} flips fire 3.", _flip("fire-3")),
        your_move(
            "The total is 12. Over 12 you collect the whole line, unless your card has the same value as the card "
            "before it, a 3. You flip water 3.",
            _flip("water-3"),
        ),
        watch(
            "The line stays over 12, so {blue} must match the 3 or take a card. {blue} flips air 1, and that is a "
            "bust: the players shout Dodekka!",
            _flip("air-1"),
        ),
        watch(
            "{blue} has all seven cards, and deals three new ones: fire 1, air 3, water 1.",
            _deal("fire-1", "air-3", "water-1"),
        ),
        your_move("You already have fire 2. Take fire 1 too.", _TAKE),
        watch(
            "The match continues until the deck is empty. You now see its other moves at once. One card will be left "
            "in the deck.",
            _flip("water-2"), _flip("air-2"), _flip("air-3"), _flip("ether-4"),
            _deal("fire-1", "fire-3", "ether-1"), _flip("earth-4"), _flip("water-3"), _flip("fire-1"),
            _deal("air-1", "air-2", "air-3"), _flip("water-3"), _flip("earth-3"), _flip("air-1"),
            _deal("ether-1", "earth-3", "earth-0"), _flip("air-2"), _flip("ether-3"), _flip("water-4"),
            _deal("earth-3", "earth-1", "fire-2"), _flip("fire-2"), _flip("earth-1"), _flip("ether-2"), _TAKE,
            _flip("fire-4"), _flip("air-1"),
            _deal("water-1", "fire-1", "ether-3"), _flip("water-2"), _flip("earth-2"), _flip("ether-2"),
            _flip("fire-3"),
            _deal("earth-1", "fire-0", "ether-1"), _flip("water-1"), _flip("ether-3"), _flip("ether-0"),
            _flip("earth-1"), _flip("air-0"), _flip("water-2"), _flip("ether-2"), _flip("water-1"),
        ),
        your_move("The last card is yours: flip it. It is water 0, so the total stays 12.", _flip("water-0")),
        watch(
            "The deck is empty, so the match is over. The line is discarded. Your best element is air: 15 points, "
            "less 1 for each of your 7 other cards.",
        ),
        watch("{blue} has cards of all elements, and so a negative score. Collect one element, and avoid a bust."),
    ),
)  # fmt: skip
