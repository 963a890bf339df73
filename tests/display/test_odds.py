"""The odds are shown in the menu on request, if the position has any, and never by default."""

import pytest

from umpi.display.menu import KEYS
from umpi.display.panel import Panel
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.simulator.reading import reads
from umpi.table.seating import Seating

DEAL = Act("deal", {"cards": ("fire-4", "water-4", "air-4")})


def playing(name, *acts):
    panel = Panel([find(name)])
    match = Match(find(name), ("Ann", "Ben"))
    for act in acts:
        match.play(act)
    panel.show(match, Seating(match.game, match.players, (0, 1)))
    return panel


def test_the_odds_are_an_entry_of_the_menu_and_the_next_press_leads_back():
    panel = playing("dodekka", DEAL)
    assert not reads(panel.picture(), "busts")
    panel.press("back")
    panel.press("down")
    assert reads(panel.picture(), "Odds")
    panel.press("up")
    panel.press("down")
    assert panel.press(0) is None
    assert reads(panel.picture(), "Odds")
    assert reads(panel.picture(), "flip busts 87.7% 50 of 57")
    assert reads(panel.picture(), "if bust +2.7 points")
    assert panel.press("ok") is None
    assert reads(panel.picture(), "Take")


@pytest.mark.parametrize("name", ["dodekka", "quiz"])
def test_a_position_without_odds_says_so(name):
    panel = playing(name)
    panel.press("back")
    menu, _ = panel.question
    index = [choice.label for choice in menu.choices].index("Odds")
    for key in (*["down"] * (index // KEYS), menu.key(index)):
        panel.press(key)
    assert reads(panel.picture(), "No odds right now")
