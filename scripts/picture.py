"""Play a few turns on the page of the virtual box and keep a picture of it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

FILE = Path(__file__).parents[1] / "firmware" / "pictures" / "box.png"
PRESSES = (
    "blue red blue yellow green ok ok blue yellow green red white green green blue green red "
    "green yellow red red black green white yellow red green green"
).split()
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --window-size=1000,840"
)


def main() -> None:
    """Start the box, press, and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        umpi = [sys.executable, "-m", "umpi.cli", "sim", "--port", "0", "--journal", f"{folder}/games.db"]
        box = subprocess.Popen(umpi, stdout=subprocess.PIPE, text=True)
        options = webdriver.ChromeOptions()
        for flag in [*FLAGS.split(), f"--user-data-dir={folder}/chromium"]:
            options.add_argument(flag)
        browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        try:
            assert box.stdout
            found = re.search(r"http\S+", box.stdout.readline())
            assert found
            browser.get(found[0])
            WebDriverWait(browser, 10).until(lambda _: browser.execute_script("return window.seen > 0"))
            for name in PRESSES:
                shown = f"return window.seen > {browser.execute_script('return window.seen')}"
                browser.find_element(By.CSS_SELECTOR, f"[data-button={name}]").click()
                WebDriverWait(browser, 5).until(lambda _, shown=shown: browser.execute_script(shown))
            WebDriverWait(browser, 5).until(lambda _: not browser.find_elements(By.CSS_SELECTOR, ".sounding"))
            browser.find_element(By.TAG_NAME, "body").screenshot(str(FILE))
        finally:
            browser.quit()
            box.terminate()
            box.wait()
    print(FILE)


main()
