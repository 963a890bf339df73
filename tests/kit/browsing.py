"""What the tests of the page share: a box that `umpi sim` serves, Debian's Chromium, and phones in it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
import zxingcpp
from PIL import Image

from tests.kit.forked import Forked
from tests.kit.patience import Patience, limit_s, wait_for
from tests.kit.rig import keys_of, row_of
from umpi.box.config import COLOURS
from umpi.simulator.reading import drawn, reads
from umpi.web.stream import KEEP_ALIVE_S

T = TypeVar("T")
FLAGS = (
    "--headless", "--hide-scrollbars", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-sync", "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
STILL = b": still here\n"  # on the stream of the panel, each KEEP_ALIVE_S without another picture
CALM = "return !(performance.now() - performance.getEntriesByName('answered').at(-1)?.startTime < 450)"  # see TWICE_MS
HAND_S = 0.04  # between two presses: the box takes what is quicker for chatter of one button


class Sim:
    """A box that `umpi sim` serves, on all addresses of this machine, its journal that of the test."""

    def __init__(self, journal: Path, *words: str) -> None:
        self._command = ["sim", "--journal", str(journal), "--host", "0.0.0.0"]
        self._command += ["--config", str(Path(__file__).with_name("umpi.toml"))]
        self._command += words
        self.port = 0
        self.start()

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self, *words: str) -> None:
        """Switch the box on, again at the port it had; `words` follow in its command."""
        command = [*self._command, "--port", str(self.port), *words]
        self._served = Forked(command)
        line = self._served.output.readline()
        found = re.search(r"http://\S+:(\d+)", line)
        assert found, line
        self.port = int(found[1])

    def stop(self) -> None:
        """Switch it off by Ctrl-C."""
        self._served.send(signal.SIGINT)
        assert self._served.wait() == 0, "Ctrl-C is how it is switched off"

    def stall(self) -> None:
        """Stop the box from answering; its connections stay open."""
        self._served.send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue after `stall`."""
        self._served.send(signal.SIGCONT)

    def kill(self) -> None:
        """Be rid of it, whatever it does."""
        self._served.kill()

    def address(self, host: int = 1) -> str:
        """Where it is found; each host number has cookies of its own in a browser, as each phone has."""
        return f"http://127.0.0.{host}:{self.port}/"

    def get(self, path: str) -> Any:
        """Return the JSON document at a path."""
        with urllib.request.urlopen(self.address() + path, timeout=limit_s()) as answer:
            return json.load(answer)

    def press(self, buttons: str) -> None:
        """Press buttons of the box, one after the other."""
        for button in buttons.split():
            for down in (True, False):
                body = json.dumps({"button": button, "down": down}).encode()
                asked = urllib.request.Request(
                    self.address() + "hold", body, {"Content-Type": "application/json", "Umpi": "1"}
                )
                urllib.request.urlopen(asked, timeout=limit_s()).close()
            time.sleep(HAND_S)

    def picture(self) -> Image.Image:
        """The dots of its panel now."""
        return next(self._pictures())

    def _pictures(self) -> Iterator[Image.Image]:
        """The dots of its panel, and again whenever it shows others, as long as there is patience."""
        patience = Patience()
        with urllib.request.urlopen(self.address() + "face", timeout=limit_s()) as face:
            for line in face:
                if line.startswith(b"data: "):
                    dots = base64.b64decode(json.loads(line.removeprefix(b"data: "))["dots"])
                    yield Image.frombytes("1", (128, 64), dots)
                elif line == STILL and not patience.spend(KEEP_ALIVE_S):
                    return

    def sees(self, *texts: str) -> Image.Image:
        """Wait until all these texts are on its panel."""
        return self.look(lambda picture: picture if all(reads(picture, text) for text in texts) else None)

    def changed(self, before: Image.Image) -> Image.Image:
        """Wait until the panel shows another picture."""
        return self.look(lambda now: now if now.tobytes() != before.tobytes() else None)

    def look(self, find: Callable[[Image.Image], T | None]) -> T:
        """Look at the panel until there is something to find."""
        for picture in self._pictures():
            if found := find(picture):
                return found
        pytest.fail(f"the panel shows:\n{drawn(picture)}")

    def choose(self, row: str) -> None:
        """Take a row of the menu on the panel, on any page."""
        for _ in range(4):
            picture = self.picture()
            key = row_of(picture, row)
            if key is not None:
                self.press(COLOURS[key])
                if reads(self.changed(picture), "IGNORED"):  # the buttons were the seats' own just before
                    self.look(lambda now: not reads(now, "IGNORED"))
                    self.press(COLOURS[key])
                return
            self.press("down")
            self.changed(picture)
        pytest.fail(f"there is no {row} on the panel:\n{drawn(self.picture())}")

    def code(self, seat: int | None) -> str:
        """Have the box show a code for a seat's phone or the referee's, read off the QR code as by a camera."""
        self.press("back")
        self.sees("Menu")
        self.choose("Pair a phone")
        self.sees("Whose phone?")
        if seat is None:
            self.choose("Referee")
        else:
            self.press(COLOURS[seat])  # each player is at their own button
        address = self.look(qr)
        return address.rpartition("#pair=")[2]


@contextmanager
def a_game_of_dodekka(journal: Path, *words: str) -> Iterator[Sim]:
    """Run a box at which Red and Blue have begun a game of Dodekka; `words` follow in its command."""
    with a_game("dodekka", journal, *words) as sim:
        sim.sees("Deal")
        yield sim


def deal(phone: Phone, *cards: str) -> None:
    """Deal the first cards of a game of Dodekka on a phone that may."""
    for card in cards or ("fire-1", "water-1", "air-1"):
        phone.tap(f"[data-value='\"{card}\"']")
    phone.tap("[data-key=send]")
    phone.find("[data-verb=take]")


@contextmanager
def a_game(game: str, journal: Path, *words: str, players: str = "red blue") -> Iterator[Sim]:
    """Run a box at which players, by their buttons, have begun a game; `words` follow in its command."""
    with Sim(journal, "--lanes", "0", *words) as sim:
        sim.sees("Which game?")
        sim.press(keys_of(game))
        sim.sees("Players?")
        sim.press(f"{players} ok")
        sim.sees("Options")
        sim.press("ok")
        yield sim


def qr(picture: Image.Image) -> str:
    """The text of the QR code on a panel, "" where none can be read."""
    large = picture.convert("L").resize((512, 256), Image.Resampling.NEAREST)
    bordered = Image.new("L", (592, 336), 255 if large.getpixel((0, 0)) else 0)
    bordered.paste(large, (40, 40))
    found = zxingcpp.read_barcodes(bordered)
    return found[0].text if found else ""


@contextmanager
def chromium(folder: Path, *flags: str) -> Iterator[Any]:
    """Debian's Chromium, driven; skipped where it is not installed.

    Its shell, if it is there, draws the same dots without the browser's own windows, in half the processor time.
    """
    shell, driver = shutil.which("chromium-headless-shell"), shutil.which("chromedriver")
    program = shell or shutil.which("chromium")
    if not (program and driver):
        pytest.skip("Chromium, install with: apt install chromium chromium-driver")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.remote.command import Command

    class Remembering(Chrome):
        """Chromium that knows at which tab it is: else every second call would only ask it."""

        tab = ""

        def execute(self, driver_command: Any, params: Any = None) -> dict[str, Any]:
            """Do what the driver is told."""
            if driver_command == Command.W3C_GET_CURRENT_WINDOW_HANDLE and self.tab:
                return {"value": self.tab}
            done: dict[str, Any] = super().execute(driver_command, params)
            if driver_command == Command.SWITCH_TO_WINDOW and params:
                self.tab = params["handle"]
            elif driver_command == Command.CLOSE:
                self.tab = ""
            return done

    options = ChromeOptions()
    options.binary_location = program
    if shell:
        options.set_capability("browserName", "chrome-headless-shell")
        options.add_argument("--font-render-hinting=slight")  # as the whole browser has it
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, *flags, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    chrome = Remembering(options, Service(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


class Phone:
    """A tab of the browser with an address, and so a pairing, of its own."""

    def __init__(self, browser: Any, address: str, width: int = 360, height: int = 740) -> None:
        self.browser, self.address = browser, address
        browser.switch_to.new_window("tab")
        self.tab = browser.current_window_handle
        self.resize(width, height)
        browser.get(address + "#table")

    def resize(self, width: int, height: int, zoom: float = 1) -> None:
        """Give the page this size; zoomed, it gets fewer CSS pixels, each of them larger, as in any browser."""
        size = {"width": round(width / zoom), "height": round(height / zoom)}
        self.cdp("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=zoom, mobile=False)
        self.wait("return innerWidth === arguments[0]", size["width"])

    def cdp(self, command: str, **how: Any) -> Any:
        """Have the browser do what no page can."""
        return self.here.execute_cdp_cmd(command, how)

    @property
    def here(self) -> Any:
        """The browser, at this phone."""
        if self.browser.current_window_handle != self.tab:
            self.browser.switch_to.window(self.tab)
        return self.browser

    def go(self, view: str) -> None:
        """Go to a view."""
        self.here.execute_script("location.hash = arguments[0]", view)
        self.wait(f"return document.documentElement.dataset.view === '{view.partition('/')[0]}'")

    def pair(self, code: str) -> None:
        """Open the address that a camera reads."""
        self.here.execute_script("location.hash = `#pair=${arguments[0]}`", code)
        self.wait("return document.getElementById('who').textContent !== 'Pair'")
        self.go("table")  # past the question for a name

    def find(self, selector: str) -> Any:
        """Wait for what can be seen of a selector."""
        return self.wait(
            "return [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility())", selector
        )

    def tap(self, selector: str) -> None:
        """Tap on what a selector finds."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(5):
            try:
                found = self.find(selector)
                self.wait(CALM)
                self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
                found.click()
                return
            except StaleElementReferenceException:  # news of the table has just been drawn
                continue
        pytest.fail(f"{selector} does not stand still")

    def text(self, selector: str) -> str:
        """What is to be read there now."""
        text: str = self.here.execute_script("return document.querySelector(arguments[0]).innerText", selector)
        return text

    def reads(self, selector: str, *texts: str) -> None:
        """Wait until all these texts are there."""
        self.wait(
            "const found = document.querySelector(arguments[0]);"
            "return found && arguments[1].every((text) => found.innerText.includes(text))", selector, texts,
        )  # fmt: skip

    def wait(self, script: str, *values: Any) -> Any:
        """Wait until a script returns a true value; return it."""
        here = self.here
        return wait_for(
            lambda: here.execute_script(script, *values),
            lambda: f"{script} {values}\nThe page reads:\n{self.text('body')}",
        )

    def type(self, *keys: str) -> None:
        """Type on the keyboard."""
        from selenium.webdriver import ActionChains

        self.wait(CALM)
        for key in keys:
            ActionChains(self.here).send_keys(key).perform()

    @property
    def focus(self) -> str:
        """Return the label of the focused element, as a screen reader announces it."""
        label: str = self.here.execute_script(
            "const one = document.activeElement;"
            "const label = one.getAttribute('aria-label') || one.labels?.[0]?.innerText || one.innerText;"
            "return label?.trim() || one.localName"
        )
        return label

    def complaints(self) -> list[str]:
        """Return the browser's errors since the last call.

        A slow phone may ask about a question that the box has left meanwhile; 409 is the answer to this, and no error.
        """
        severe = [line["message"] for line in self.here.get_log("browser") if line["level"] == "SEVERE"]
        return [message for message in severe if not ("/api/form " in message and " 409 " in message)]

    def leave(self, tab: str) -> None:
        """Close the tab, forget its pairing, and go to another tab."""
        self.here.delete_all_cookies()
        self.here.execute_script("localStorage.clear()")
        self.here.close()
        self.browser.switch_to.window(tab)
        self.browser.get_log("browser")  # of a request that was on its way when the cookies went


@contextmanager
def opened_phones(browser: Any) -> Iterator[Callable[..., Phone]]:
    """Open phones: `open(sim, RED, 0)` pairs one for a seat, None is the referee's, "" pairs none. All are closed."""
    opened: list[Phone] = []
    first = browser.current_window_handle

    def open(sim: Sim, host: int, whose: int | str | None = "") -> Phone:
        phone = Phone(browser, sim.address(host))
        opened.append(phone)
        if not isinstance(whose, str):
            phone.pair(sim.code(whose))
        return phone

    yield open
    for phone in opened:
        phone.leave(first)


def pair(sim: Sim, phone: Phone, seat: int | None) -> None:
    """Pair a phone from the start screen."""
    sim.choose("Pair a phone")
    sim.sees("Whose phone?")
    if seat is None:
        sim.choose("Referee")
    else:
        sim.press(COLOURS[seat])
    phone.pair(sim.look(qr).rpartition("#pair=")[2])
    sim.sees("Which game?")
