"""Measure the page in Chromium: the bytes of each view's first load, and the time from an act to its picture."""

from __future__ import annotations

import hashlib
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.kit.browsing import Phone, Sim, chromium
from tests.kit.journals import leave
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games

NAMES = ("Ann", "Ben", "Cleo", "Dov")
VIEWS = (
    "box", "table", "tv", "overlay", "overlay/board", "history", "learn", "learn/dodeka", "rules", "rules/dodeka",
    "past", "past/1", "pair", "app",
)  # fmt: skip
ACTS, SLOWER, PACE_MS = 45, 4, 250  # acts per game; how much slower the phone is; a phone may send five acts a second
LOADED = """
    const sent = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return sent.map(({ name, transferSize }) => [name, transferSize]);
"""
UNTIL_SEEN = """
    const [question, act, pace, done] = arguments;
    const page = document.documentElement, acts = page.dataset.acts;
    const { port1, port2 } = new MessageChannel();
    let begun = 0;
    port1.onmessage = () => done(performance.now() - begun);
    new MutationObserver((_, look) => {
        if (page.dataset.acts === acts) return;
        look.disconnect();
        requestAnimationFrame(() => port2.postMessage("the picture is made")); // it arrives after the frame is drawn
    }).observe(page, { attributes: true });
    setTimeout(() => {
        begun = performance.now();
        const headers = { "Content-Type": "application/json" };
        fetch("api/act", { method: "POST", headers, body: JSON.stringify({ question, act }) })
            .then(async (answer) => answer.ok || done(await answer.text()));
    }, pace);
"""
REFUSED = """
    const [question, act, pace, done] = arguments;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(0);
    setTimeout(() => {
        const headers = { "Content-Type": "application/json" };
        fetch("api/act", { method: "POST", headers, body: JSON.stringify({ question, act }) })
            .then((answer) => answer.text())
            .then(() => requestAnimationFrame(() => port2.postMessage("a picture is made")));
    }, pace);
"""
PUT_IN = """
    window.put = 0;
    new MutationObserver((records) => {
        for (const { addedNodes } of records) {
            for (const one of addedNodes) window.put += 1 + (one.querySelectorAll?.("*").length ?? 0);
        }
    }).observe(document.body, { childList: true, subtree: true });
"""
ONLOOKER = """
    const [before, done] = arguments;
    const page = document.documentElement;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    const seen = () => page.dataset.acts !== before;
    const drawn = () => requestAnimationFrame(() => port2.postMessage("the picture is made"));
    if (seen()) return drawn();
    new MutationObserver((_, look) => {
        if (!seen()) return;
        look.disconnect();
        drawn();
    }).observe(page, { attributes: true });
"""


def page() -> None:
    """Print the bytes of each view's first load, and the time from an act to its picture, in Chromium."""
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "chromium") as browser:
        _first_loads(browser, Path(folder))
        _acts_to_picture(browser, Path(folder))
        _onlookers(browser, Path(folder))


def _first_loads(browser: Any, folder: Path) -> None:
    """Print what a browser without a cache gets for each view, as it is sent, the document of the table included."""
    print("\nFirst load of each view: kB as they are sent, and requests (the limit is 180 kB)")
    with _box(folder / "loads.db", _acts("dodeka", 30)[0]) as sim:
        for view in VIEWS:
            phone = _phone(browser, sim, view)
            phone.wait(
                "return document.querySelector('#main').innerText.length > 10 || document.querySelector('#oled')"
            )
            phone.wait("return performance.getEntriesByType('resource').length > 2")
            loads = dict(phone.here.execute_script(LOADED))
            stream = len(json.dumps(sim.get("api/state")))  # the stream, which never ends, is not among them
            print(f"  {view:14} {(sum(loads.values()) + stream) / 1000:6.1f} kB  {len(loads) + 1} requests")
            phone.here.close()
            browser.switch_to.window(browser.window_handles[0])


def _acts_to_picture(browser: Any, folder: Path) -> None:
    """Print how long the referee's phone waits from sending an act until its screen shows the result."""
    print(
        f"\nAct to picture on a phone {SLOWER} times slower, ms (the limit is 100), and what its processor needs:"
        " what it needs for an act, less what it needs for one that the box refuses"
    )
    for game in games():
        begun, acts = _acts(game.id, ACTS)
        with _box(folder / f"{game.id}.db", begun) as sim:
            phone = _phone(browser, sim, "table")
            phone.find("#question h2")
            phone.cdp("Emulation.setCPUThrottlingRate", rate=SLOWER)
            phone.cdp("Performance.enable", timeDomain="threadTicks")
            times = [(*_time_ms(phone, sim, act), _time_ms(phone, None, act)[1]) for act in acts]
            whole, both, request = ([each[kind] for each in times] for kind in (0, 1, 2))
            own = statistics.median(both) - statistics.median(request)
            print(f"  {game.id:12} {_spread(whole)}; processor {own:4.0f}; {len(times)} acts", flush=True)
            phone.here.close()
            browser.switch_to.window(browser.window_handles[0])


def _onlookers(browser: Any, folder: Path) -> None:
    """Print what the processor of a phone needs that looks on while others act, and what an act puts into the page."""
    print(
        f"\nAn act on an onlooker's phone {SLOWER} times slower, ms of its processor, less those of a picture alone;"
        " the elements and texts that an act puts into the page"
    )
    for game in games():
        begun, acts = _acts(game.id, ACTS)
        with _box(folder / f"{game.id} seen.db", begun) as sim:
            phone = _phone(browser, sim, "table", paired=False)
            phone.find("#scores li")
            phone.cdp("Emulation.setCPUThrottlingRate", rate=SLOWER)
            phone.cdp("Performance.enable", timeDomain="threadTicks")
            phone.here.execute_script(PUT_IN)
            own = [_looking_ms(phone, sim, act) - _looking_ms(phone, sim, None) for act in acts]
            put = phone.here.execute_script("return window.put") / len(acts)
            print(f"  {game.id:12} {_spread(own)}; {put:4.1f} put in; {len(acts)} acts", flush=True)
            phone.here.close()
            browser.switch_to.window(browser.window_handles[0])


def _looking_ms(phone: Phone, sim: Sim, act: Act | None) -> float:
    """Return the milliseconds of the page's thread until another's act is drawn; without an act, a picture."""
    acts = phone.here.execute_script("return document.documentElement.dataset.acts")
    time.sleep(PACE_MS / 1000)
    before_ms = _busy_ms(phone)
    if act:
        line = {"question": sim.get("api/state")["question"]["id"], "act": act.line()}
        headers = {"Content-Type": "application/json", "Umpi": "1", "Cookie": "umpi=bench"}
        urlopen(Request(sim.address() + "api/act", json.dumps(line).encode(), headers)).close()
    phone.here.execute_async_script(ONLOOKER, acts if act else None)
    return _busy_ms(phone) - before_ms


def _spread(times_ms: list[float]) -> str:
    return f"median {statistics.median(times_ms):4.0f}, 95 % {sorted(times_ms)[int(0.95 * len(times_ms))]:4.0f}"


def _busy_ms(phone: Phone) -> float:
    """Return the processor time that the page's thread has used, slowed down as it is."""
    busy_s: float = next(
        each["value"] for each in phone.cdp("Performance.getMetrics")["metrics"] if each["name"] == "TaskDuration"
    )
    return 1000 * busy_s


def _time_ms(phone: Phone, sim: Sim | None, act: Act) -> tuple[float, float]:
    """Send an act from the phone; return the milliseconds until its result is drawn, and those of the page’s thread.

    Without a box, the act is one that the box refuses.
    """
    question, script = (sim.get("api/state")["question"]["id"], UNTIL_SEEN) if sim else ("", REFUSED)
    before_ms = _busy_ms(phone)
    seen: float = phone.here.execute_async_script(script, question, act.line(), PACE_MS)
    assert isinstance(seen, float | int), seen
    return seen, _busy_ms(phone) - before_ms


def _acts(game: str, number: int) -> tuple[Match, list[Act]]:
    """Return a match that is about to begin, and so many random acts of one."""
    names = NAMES[: min(len(NAMES), find(game).seats[-1])]
    whole = Match(find(game), names, {})
    for _ in zip(range(number), play(whole, 5), strict=False):
        pass
    return Match(find(game), names, {}), list(whole.acts)


@contextmanager
def _box(journal: Path, match: Match) -> Iterator[Sim]:
    """Run a box that resumes a match, with the referee's phone paired by the secret "bench"."""
    leave(journal, match)
    with closing(Journal(journal)) as kept:
        kept.pair(hash=hashlib.sha256(b"bench").hexdigest(), who="referee", name="bench")
    with Sim(journal, "--lanes", "0") as sim:
        sim.look(lambda picture: picture.getbbox())
        sim.press("red")
        yield sim


def _phone(browser: Any, sim: Sim, view: str, paired: bool = True) -> Phone:
    """Open a view on the referee's phone, or on one that is not paired, without anything in the cache.

    Only the page of this computer draws the virtual box, so a phone gets no pictures of it.
    """
    phone = Phone(browser, sim.address())
    phone.here.delete_all_cookies()
    if paired:
        phone.here.add_cookie({"name": "umpi", "value": "bench"})
    phone.cdp("Network.enable")
    phone.cdp("Network.setCacheDisabled", cacheDisabled=True)
    phone.cdp("Network.setBypassServiceWorker", bypass=True)
    phone.cdp("Network.setBlockedURLs", urls=[] if view == "box" else ["*/face"])
    phone.here.get("about:blank")
    phone.here.get(f"{sim.address()}#{view}")
    return phone
