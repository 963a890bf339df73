"""Guests who read nothing tap on phones, turn them and zoom: they get on, and see each question whole."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.browsing import Phone, a_game, opened_phones
from tests.kit.sampling import sampled
from tests.kit.words_on_page import faults
from umpi.box.config import COLOURS

pytestmark = pytest.mark.slow  # it needs a browser

MOST = 30  # taps without progress
TAPS = 24
# Width, height and zoom. A page need not fit in fewer than 320 CSS pixels (WCAG 2.2, 1.4.10): upright, 200 % are fewer.
VIEWS = (360, 740, 1.0), (740, 360, 1.0), (740, 360, 2.0), (360, 740, 1.125)
SEATS = {"dohdles": 3}
GAMES = "battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad"
# What a guest may tap on: all of the question and of the buzzer that can be seen and is not off.
TAPPED = "#question button, #question [data-value], .hit, #notice button"
AT = """
    const [selector, chance] = arguments;
    const on = (one) => one.checkVisibility({ visibilityProperty: true }) && one.ariaDisabled !== "true"
        && !one.disabled;
    const there = [...document.querySelectorAll(selector)].filter(on);
    const one = there[Math.floor(chance * there.length)];
    if (!one) return null;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
"""
QUIET = """
    return fetch("api/state").then((answer) => answer.json()).then(({ match }) =>
        !document.querySelector("[aria-busy=true]")
        && document.documentElement.dataset.acts === String(match?.acts ?? document.documentElement.dataset.acts));
"""
SITUATION = """
    const shown = [...document.querySelectorAll("#question *")].filter((one) => one.checkVisibility());
    const pressed = shown.map((one) => one.ariaPressed ?? one.ariaChecked ?? one.value ?? "").join("|");
    return `${document.documentElement.dataset.acts} ${document.getElementById("question")?.innerText} ${pressed}`;
"""


def tap(phone: Phone, chance: float) -> None:
    """Tap on something that can be seen, as a finger does: what lies over it gets the tap."""
    place = phone.here.execute_script(AT, TAPPED, chance)
    for kind in ("mousePressed", "mouseReleased") if place else ():
        x, y = place
        phone.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def play(phones: list[Phone], chance: Random, taps: int) -> list[str]:
    """Tap so often, and return the first faults; what is done follows from chance alone."""
    known, idle = set[str](), 0
    for _ in range(taps):
        phone = chance.choice(phones)
        view = chance.choice(VIEWS)
        phone.resize(*view)
        if found := faults(phone):
            return [f"at {view}", *found]
        tap(phone, chance.random())
        phone.wait(QUIET)
        met = " / ".join(each.here.execute_script(SITUATION) for each in phones)
        idle = idle + 1 if met in known else 0
        known.add(met)
        if idle > MOST:
            return [f"{idle} taps without progress: {met}"]
    return []


@pytest.mark.parametrize(
    ("game", "seed"), [*sampled([(game, seed) for game in GAMES for seed in range(4)], 4)], ids=str
)
def test_guests_who_read_nothing_get_on_and_see_every_question(
    browser: Any, tmp_path: Path, game: str, seed: int
) -> None:
    seats = SEATS.get(game, 2)
    with (
        a_game(game, tmp_path / "games.db", players=" ".join(COLOURS[:seats])) as sim,
        opened_phones(browser) as open,
    ):
        guests = [open(sim, 2 + seat, seat) for seat in range(seats)]
        found = play(guests, Random(f"{game} {seed}"), TAPS)
        assert not found, f"{game}, seed {seed}: {found}"
