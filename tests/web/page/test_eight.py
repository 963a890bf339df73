"""Eight phones on slow lines play three games: each act is confirmed, all phones show it, and nobody is stuck."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim
from umpi.box.config import COLOURS
from umpi.journal import Journal

pytestmark = pytest.mark.slow  # it needs a browser

NAMES = "Ann", "Ben", "Cleo", "Dov", "Eva", "Finn"
PLAYERS = [{"button": button, "name": name} for button, name in zip(COLOURS, NAMES, strict=True)]
REFEREE, LOOKER = 6, 7  # the phones after those of the six seats
SLOW_MS = (20, 60, 100, 150, 200, 300, 120, 80)  # added to each answer, by phone
DOWN, UP = 60_000, 25_000  # bytes per second, as of a phone at the edge of the Wi-Fi
MOST = {"quiz": 40, "dohdles": 10, "dodekka": 8}  # acts; the quiz ends before
CONFIG = """
[box]
setup_card = false
[desk]
trusted_proxy = "127.0.0.1" # all phones of this test have this address: the box must not limit their connections
"""
TITLES = {"quiz": "Quiz", "dohdles": "Dohdles", "dodekka": "Dodekka"}
STUCK = (
    "return [...document.querySelectorAll('[aria-busy=true], [data-lost]')].map((one) => one.outerHTML.slice(0, 90));"
)
ASK = """
    fetch(arguments[0], {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(arguments[1]),
    });
"""
SHOWS = "return Number(document.documentElement.dataset.acts) >= arguments[0]"
SAME = """
    const [acts, texts, last] = [...arguments, document.getElementById("last")];
    if (document.documentElement.dataset.acts !== String(acts)) return false;
    return last.matches(".fresh") || texts.some((text) => last.textContent.includes(text)); // a call is left its time
"""
TOUCH = """
    if (document.documentElement.dataset.acts !== String(arguments[0])) return "somebody was quicker";
    const hit = document.querySelector(".hit:not([aria-disabled])");
    navigator.vibrate = () => {};
    hit?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, isPrimary: true, button: 0 }));
    return hit && "touched";
"""
CONFIRMED = ".hit:is(.first, .after, .close, .late)"
HAND = """
    const [acts, verb, chance] = arguments;
    if (Number(document.documentElement.dataset.acts) > acts) return true;
    const place = document.getElementById("question");
    const ask = place.querySelector(`[data-verb="${verb}"]`);
    if (!ask || place.ariaBusy === "true") return false;
    const field = [...ask.querySelectorAll(".field")].at(-1) ?? ask; // the one that is not answered yet
    const options = [...field.querySelectorAll(".option:not([aria-disabled])")];
    const text = field.querySelector("input:not([data-typed])");
    const send = ask.querySelector("[data-key=send]:not([aria-disabled])");
    if (ask.localName === "button") ask.click();
    else if (send) send.click();
    else if (text) {
        [text.dataset.typed, text.value] = ["", "E"];
        text.dispatchEvent(new Event("input", { bubbles: true }));
    } else (field.querySelector("[data-value=true]") ?? options[Math.floor(chance * options.length)])?.click();
    return false;
"""


@pytest.fixture
def sim(tmp_path: Path) -> Iterator[Sim]:
    """A box with a phone of each seat and of the referee paired; the number of a phone is its secret."""
    with_phones = Journal(tmp_path / "games.db")
    for number, who in enumerate((*COLOURS, "referee")):
        with_phones.pair(hash=hashlib.sha256(secret(number).encode()).hexdigest(), who=who, name="test")
    with_phones.close()
    (tmp_path / "umpi.toml").write_text(CONFIG)
    sim = Sim(tmp_path / "games.db", "--lanes", "0", "--config", str(tmp_path / "umpi.toml"))
    yield sim
    sim.kill()


def secret(number: int) -> str:
    return f"phone-{number}"


def slow(browser: Any, sim: Sim, number: int) -> Phone:
    """Open a phone on a slow line."""
    phone = Phone(browser, "about:blank")
    phone.address = sim.address(number + 2)
    phone.cdp("Network.enable")
    phone.cdp("Network.emulateNetworkConditions", offline=False, latency=SLOW_MS[number], downloadThroughput=DOWN,
              uploadThroughput=UP)  # fmt: skip
    if number != LOOKER:
        phone.cdp("Network.setCookie", name="umpi", value=secret(number), url=phone.address, httpOnly=True)
    phone.here.get(phone.address + ("#tv" if number == LOOKER else "#table"))
    return phone


def play(sim: Sim, phones: list[Phone], game: str, chance: Random) -> Any:
    """Play until the game is over, or so many acts. Each act is confirmed by its phone, and all phones show it."""
    now = sim.get("api/state")
    while not now["match"]["over"] and now["match"]["acts"] < MOST[game]:
        acts = now["match"]["acts"]
        ask = next(ask for ask in now["question"]["asks"] if not ask["rare"])
        field = ask["fields"][0] if len(ask["fields"]) == 1 else {}
        if field.get("source") in ("buzz", "cube"):
            seats = [one["value"] for one in field["options"] if one["value"] is not None and not one["off"]]
            chance.shuffle(seats)
            touched = [seat for seat in seats if phones[seat].wait(TOUCH, acts) == "touched"]
            for seat in touched:
                phones[seat].find(CONFIRMED)
        else:
            own = REFEREE if ask["referee"] or ask["seat"] is None else ask["seat"]
            phones[own].wait(HAND, acts, ask["verb"], chance.random())
        now = sim.get("api/state")
        for phone in phones:
            phone.wait(SHOWS, now["match"]["acts"])
    texts = [call["text"] for call in now["calls"] if call["kind"] != "over"] or [now["last"]["text"]]
    for phone in phones:
        phone.wait(SAME, now["match"]["acts"], [""] if now["match"]["over"] else texts)
    return now["match"]


def test_eight_phones_on_slow_lines_play_three_games(sim: Sim, browser: Any) -> None:
    phones, chance = [slow(browser, sim, number) for number in range(8)], Random(7)
    for phone in phones[:LOOKER]:
        phone.wait("return document.getElementById('who').textContent !== 'Pair'")
    for game, options in (("quiz", {"target": 2}), ("dohdles", {}), ("dodekka", {})):
        request = {"game": game, "rules": "", "players": PLAYERS, "options": options}
        phones[REFEREE].here.execute_script(ASK, "api/start", request)
        for phone in phones:
            phone.wait("return document.querySelector('#game').textContent.startsWith(arguments[0])", TITLES[game])
        match = play(sim, phones, game, chance)
        assert match["acts"] >= 6
        for phone in phones:
            assert phone.here.execute_script(STUCK) == []
        if game == "quiz":
            assert match["over"]
            phones[LOOKER].reads(".podium", match["players"][match["over"]["winners"][0]]["name"])
        else:
            phones[REFEREE].here.execute_script(ASK, "api/leave", {"match": match["id"]})
    assert not [line for phone in phones for line in phone.complaints()]
