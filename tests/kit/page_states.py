"""The states of the page: each is brought about on a box and given to `look(name, phone)`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.kit.brokers import free_port
from tests.kit.browsing import Phone, Sim, a_game_of_dodekka, opened_phones, qr
from tests.kit.resumed import SIX, played, resumed_pages
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.web.certificates import make_authority

Look = Callable[[str, Phone], object]
TRUSTING = "--ignore-certificate-errors"  # a flag of Chromium, for the certificate of a test
DEAL = """
    fetch("api/state").then((answer) => answer.json()).then(({ question }) => fetch("api/act", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ question: question.id, act: { do: "deal", cards: ["air-4", "fire-4", "water-4"] } }),
    }));
"""
RED, BLUE, REFEREE, LOOKER, SECURE = 2, 3, 4, 5, 1  # the hosts of these phones: cookies are kept by address


def play_states(browser: Any, folder: Path, look: Look) -> None:
    """Show two phones that join and play, the referee's phone, and one that only looks on."""
    port = certified(folder)
    with (
        a_game_of_dodekka(folder / "games.db", "--https-port", str(port)) as sim,
        opened_phones(browser) as open,
    ):
        red, looker = open(sim, RED), open(sim, LOOKER)
        looker.find(".unpaired")
        look("onlooker", looker)
        sim.press("back")
        sim.sees("Menu")
        sim.choose("Pair a phone")
        sim.choose("All: one QR code")
        sim.look(qr)
        red.go("pair")
        red.find("form.join")
        look("joining", red)
        red.tap("form.join input")
        red.type(*"Anne-Catherine")
        red.tap("form.join [data-key='seat 0']")
        red.find(".waiting")
        look("waiting", red)
        sim.press("red")
        red.wait("return document.documentElement.dataset.view === 'table'")
        sim.press("ok")
        sim.sees("Deal")
        red.find("#question.mine h2")
        look("my turn", red)
        blue = open(sim, BLUE, 1)
        deal(red)
        whose = sim.get("api/state")["match"]["turn"]
        mine, others = (red, blue) if whose == 0 else (blue, red)
        mine.find("#question.mine h2")
        look("my turn, cards", mine)
        others.find(".score.acts")
        look("not my turn", others)
        looker.go("pair")
        looker.find("form.pair")
        looker.here.execute_script("document.querySelector('[name=code]').value = '000000'")
        looker.tap("form.pair .send")
        looker.find("#notice p")
        look("refused", looker)
        blue.go("pair")
        blue.find("form.name")
        look("settings", blue)
        blue.go("app")
        blue.find(".fingerprint")
        look("as an app, HTTP", blue)
        app_states(browser, port, look)
        blue.go("table")
        sim.stall()
        try:
            blue.find("[data-lost]")
            look("not connected", blue)
        finally:
            sim.thaw()


def deal(phone: Phone) -> None:
    """Lay the first cards."""
    phone.here.execute_script(DEAL)
    phone.wait("return document.querySelector('.score.acts')")


def app_states(browser: Any, port: int, look: Look) -> None:
    """Show the page over HTTPS, and the notice of the app without a connection."""
    secure = Phone(browser, f"https://localhost:{port}/")
    secure.go("app")
    secure.find("[data-key=turns]")
    look("as an app, HTTPS", secure)
    secure.here.get(f"https://localhost:{port}/offline.html")
    secure.find(".offline h1")
    look("offline", secure)
    secure.here.close()
    browser.switch_to.window(browser.window_handles[0])


def certified(folder: Path) -> int:
    """Make an authority for a box whose journal is in a folder. Return a free port for HTTPS."""
    make_authority(folder / "https", "umpi", (), datetime.now(UTC))
    return free_port()


def end_states(browser: Any, folder: Path, look: Look) -> None:
    """Show the end of a match, and what is kept of it."""
    with resumed_pages(browser, folder / "games.db") as open:
        _, phone = open(played("dodeka", ("Anne-Catherine", *SIX[1:3]), 1000), 360, 740, "table")
        phone.find(".podium .won")
        look("podium", phone)
        shown = {
            "tv": ".podium .won", "history": ".act", "past": ".past li", "past/1": ".chart", "rules": "#rules a",
            "rules/dodeka": ".rules h3", "learn": "#learn a", "box": "#oled",
        }  # fmt: skip
        for view, what in shown.items():
            phone.go(view)
            phone.find(what)
            look(view.replace("/", " "), phone)


def buzzer_states(browser: Any, folder: Path, look: Look) -> None:
    """Show the buzzer of a seat, and the television while others race."""
    match = Match(find("quiz"), ("Anne-Catherine", *SIX[1:6]), {})
    match.play(Act("open"))
    with resumed_pages(browser, folder / "games.db") as open:
        sim, phone = open(match, 360, 740, "table")
        phone.pair(sim.code(0))
        phone.find(".hit")
        look("buzzer", phone)
        phone.tap(".hit")
        phone.find(".hit[aria-disabled=true]")
        look("buzzed", phone)
        phone.go("tv")
        phone.find("#announcement, .scores")
        look("tv in play", phone)


def all_states(browser: Any, folder: Path, look: Look) -> None:
    """Show each state once."""
    for number, states in enumerate((play_states, end_states, buzzer_states)):
        (folder / str(number)).mkdir()
        states(browser, folder / str(number), look)


__all__ = ["TRUSTING", "Sim", "all_states"]
