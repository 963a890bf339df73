"""What the tests of the page's looks share: pages of a box that resumes a match, and what is cut or too low."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.kit.browsing import Phone, Sim
from tests.kit.journals import leave
from umpi.journal import Journal
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find

SIX = ("Red", "Blue", "Yellow", "Green", "White", "Black")
BELOW = """
    return [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility())
        .filter((one) => one.getBoundingClientRect().bottom > innerHeight + 1).map((one) => one.outerHTML.slice(0, 90));
"""
CUT = """
    const { left, right } = document.documentElement.getBoundingClientRect();
    const cut = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > right + 1;
    return [...document.querySelectorAll(".score, .score *")]
        .filter((one) => one.checkVisibility() && one.clientWidth && cut(one))
        .map((one) => one.outerHTML.slice(0, 120));
"""


@contextmanager
def resumed_pages(browser: Any, games: Path) -> Iterator[Callable[..., tuple[Sim, Phone]]]:
    """Open a page of a box that resumes a match: `open(match, 1280, 720, "tv")`. All are closed."""
    first = browser.current_window_handle
    opened: list[Sim] = []

    def open(match: Match | None, width: int, height: int, view: str, language: str = "") -> tuple[Sim, Phone]:
        if match:
            leave(games, match)
        if language:
            with closing(Journal(games)) as journal:
                journal.speak(language)
        sim = Sim(games, "--lanes", "6")
        opened.append(sim)
        sim.look(lambda picture: picture.getbbox())
        if match:
            sim.press("red")  # resume
        phone = Phone(browser, sim.address(6), width, height)
        phone.go(view)
        phone.find(".score, .virtual, #join li")
        return sim, phone

    yield open
    while len(browser.window_handles) > 1:
        browser.switch_to.window(browser.window_handles[-1])
        browser.close()
    browser.switch_to.window(first)
    for sim in opened:
        sim.kill()


def played(game: str, players: tuple[str, ...], number: int, **options: Any) -> Match:
    """Return a match after so many random acts."""
    match = Match(find(game), players, options)
    for _ in zip(range(number), play(match, 5), strict=False):
        pass
    return match


def toss_all(phone: Phone) -> None:
    """Toss all six cubes together, and wait for their order."""
    phone.go("box")
    phone.find("#together").click()
    for colour in SIX:
        phone.tap(f"[data-cube={colour.lower()}]")
    phone.tap("#toss")
    phone.find("[data-lies=black]")
    phone.wait("return document.querySelectorAll('#announcement .order li').length === 6")
