"""The virtual box in a browser: a turn is played on its buttons and its keys, and read off its dots."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from PIL import Image

from tests.kit.browsing import Sim, qr
from tests.kit.forked import Forked
from tests.kit.patience import limit_s, patiently, wait_for
from tests.kit.rig import keys_of, row_of
from umpi.simulator.reading import drawn, reads

pytestmark = pytest.mark.slow  # each needs a browser

DOTS = """
    const glass = document.getElementById("oled"), width = glass.width;
    const data = glass.getContext("2d").getImageData(0, 0, width, glass.height).data, dots = [];
    for (let y = 2; y < glass.height; y += 5)
      for (let x = 2; x < width; x += 5) dots.push(data[4 * (y * width + x)] > 100 ? 1 : 0);
    return [width, glass.height, dots];
"""


@pytest.fixture(params=[()], ids=[""])
def sim(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a box that `umpi sim` serves, with more words where a test asks for them."""
    served = Forked(["sim", "--port", "0", "--journal", str(tmp_path / "games.db"), *request.param])
    line = served.output.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    yield found[0]
    served.kill()


class Table:
    """The page as a player has it: buttons, keys, and eyes on the dots."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        browser.get(address)
        self.wait(lambda: browser.find_elements("id", "oled"))

    def click(self, buttons: str) -> None:
        for button in buttons.split():
            self.browser.find_element("css selector", f"[data-button={button}]").click()

    def type(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def dots(self) -> Image.Image:
        """The picture on the canvas, five by five of its pixels a dot."""
        width, height, dots = self.browser.execute_script(DOTS)
        assert (width, height) == (640, 320)
        image = Image.new("1", (128, 64))
        image.putdata(dots)
        return image

    def wait(self, look: Any) -> None:
        def shown() -> str:
            return drawn(self.dots()) if self.browser.find_elements("id", "oled") else "no box"

        wait_for(look, lambda: f"the screen shows:\n{shown()}")

    def sees(self, *texts: str) -> None:
        self.wait(lambda: all(reads(self.dots(), text) for text in texts))

    def lit(self) -> list[str]:
        lamps = self.browser.find_elements("css selector", "[data-lamp].lit")
        return [lamp.get_attribute("data-lamp") for lamp in lamps]


@pytest.mark.slow
def test_a_turn_of_dodeka_is_played_with_the_mouse_and_one_with_the_keys(browser: Any, sim: str) -> None:
    """Play a turn and read the result from the page's OLED pixels."""
    from selenium.webdriver.common.keys import Keys

    table = Table(browser, sim)
    table.sees("Which game?", "Dodéka dice")
    table.click(keys_of("dodeka"))
    table.sees("Players?")
    table.click("red blue ok")
    table.sees("Options")
    table.click("ok")
    table.sees("Set-up", "OK start", "1/2")
    table.click("ok")
    table.sees("Red", "set 1/3")
    table.wait(lambda: table.lit() == ["red"])
    table.click("red blue yellow")
    table.sees("last run 100")
    table.wait(lambda: table.lit() == ["blue"])

    table.type("5")
    table.sees("5 _ _")
    table.type("5")
    table.sees("5 5 _")
    table.type(Keys.ARROW_DOWN, "1")
    table.sees("100", "40", "round ends with Blue", "stake 40")
    table.wait(lambda: table.lit() == ["red"])
    table.type("?")
    table.sees("Where are we?", "Game: Dodéka.")
    table.click("where")
    table.sees("Where are we?", "Game: Dodéka.")
    table.click("back")
    table.sees("round ends with Blue", "stake 40")
    table.type(Keys.TAB, Keys.ENTER)  # from "back" to "where"
    table.sees("Where are we?", "Game: Dodéka.")
    browser.execute_script("document.querySelector('[data-button=back]').click()")
    table.sees("round ends with Blue", "stake 40")


@pytest.mark.slow
def test_a_button_held_on_the_page_is_held(browser: Any, sim: str) -> None:
    from selenium.webdriver import ActionChains

    table = Table(browser, sim)
    table.sees("Which game?")
    held = ActionChains(browser).click_and_hold(browser.find_element("css selector", "[data-button=ok]"))
    held.perform()
    table.sees("Rules")
    ActionChains(browser).release().perform()
    table.type("1")
    table.sees("Which game?")


def test_when_the_box_is_switched_off_the_page_says_so_until_it_is_on_again(browser: Any, tmp_path: Path) -> None:
    with Sim(tmp_path / "games.db") as sim:
        table = Table(browser, sim.address())
        table.sees("Which game?")
        sim.stop()
        off = browser.find_element("css selector", "#off")
        table.wait(off.is_displayed)
        sim.start()
        table.wait(lambda: not off.is_displayed())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_switch_the_box_off(tmp_path: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "umpi", "sim", "--port", "0", "--journal", str(tmp_path / "games.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout
        address = served.stdout.readline().split()[-1]
        with urlopen(address + "face", timeout=limit_s()) as face:
            assert face.readline() == b": umpi\n"  # the loop runs, and a stream is open
            served.send_signal(how)
            assert patiently(served.wait) == 0


@pytest.mark.slow
@pytest.mark.parametrize("sim", [("--lanes", "6")], indirect=True, ids=["six lanes"])
def test_three_cubes_are_tossed_and_their_order_is_read_off_the_dots(browser: Any, sim: str) -> None:
    """Names and margins are shown at once, with the mouse."""
    table = Table(browser, sim)
    table.sees("Which game?", "Dohdles! riddles")
    table.click(keys_of("dohdles"))
    table.sees("Players?")
    table.click("red blue yellow green ok")
    table.sees("OK start")
    table.click("ok")
    table.sees("Set-up")
    table.click("ok")
    table.sees("Red: which chip?")
    table.click("red red")
    table.sees("Ask Blue")
    browser.find_element("id", "together").click()
    for colour in ("yellow", "green", "red"):
        browser.find_element("css selector", f"[data-cube={colour}]").click()
    browser.find_element("id", "toss").click()
    table.sees("Red", "3.", "+", "1 Yellow", "2 Green +", "Guess Blue 1 first, or")


@pytest.mark.slow
def test_a_box_that_only_this_computer_reaches_says_so_and_shows_no_code_that_leads_nowhere(
    browser: Any, sim: str
) -> None:
    table = Table(browser, sim)
    table.sees("Which game?")
    hint = browser.find_element("css selector", ".hint")
    assert "./scripts/play --lan" in hint.text
    table.type(*keys_to(table, "Network"))
    table.sees("Network", "Phones cannot reach", "--lan")
    assert not qr(table.dots())
    table.click("back")
    table.type(*keys_to(table, "Pair a phone"))
    table.sees("Whose phone?")
    table.type(*keys_to(table, "All: one QR code"))
    table.sees("Not allowed", "Phones cannot reach", "--lan")
    assert not qr(table.dots())
    browser.get(sim + "#table")
    aside = browser.find_element("css selector", ".table")
    table.wait(lambda: "./scripts/play --lan" in aside.text)
    links = [link.text for link in aside.find_elements("css selector", "a") if link.is_displayed()]
    assert "Past matches" in links
    assert not [text for text in links if "Pair" in text], "and no button that promises to pair"
    assert not aside.find_elements("css selector", "img.code")
    browser.get(sim + "#pair")
    table.wait(lambda: "--lan" in browser.find_element("id", "pair").text)


def keys_to(table: Table, row: str) -> list[str]:
    """Return the keys that select a row on the panel, on any page."""
    from selenium.webdriver.common.keys import Keys

    for _ in range(4):
        key = row_of(table.dots(), row)
        if key is not None:
            return [str(key + 1)]
        before = table.dots().tobytes()
        table.type(Keys.ARROW_DOWN)
        table.wait(lambda before=before: table.dots().tobytes() != before)
    pytest.fail(f"there is no {row} on the panel:\n{drawn(table.dots())}")
