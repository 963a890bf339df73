"""Kill a browser while the box plays in its tab, again and again; each act that was shown must still be there."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from random import Random

from scripts.tab.build import build
from tests.kit.browsing import chromium
from tests.kit.tabs import Tab, kill, served

LONGEST_S = 1.5  # from the start of a box to its end


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="./scripts/dev kill-tab", description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=50, help="how often (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another run (default: %(default)s)")
    given = parser.parse_args()
    chance = Random(given.seed)
    starts: list[float] = []
    shown = 0
    with tempfile.TemporaryDirectory() as name:
        build(Path(name) / "box")
        profile = Path(name) / "profile"
        with served(Path(name) / "box") as address:
            for _ in range(given.times):
                shown = _once(profile, address, shown, chance.uniform(0.1, LONGEST_S), starts)
    print(f"{given.times} browsers killed, {shown} acts shown, none lost.")
    print(f"Until the box was ready: {statistics.median(starts):.1f} s ({min(starts):.1f} to {max(starts):.1f})")


def _once(profile: Path, address: str, shown: int, after_s: float, starts: list[float]) -> int:
    """Start the box, look for the acts that were shown, and play until the kill; return the acts that it shows then."""
    from selenium.common.exceptions import WebDriverException
    from urllib3.exceptions import HTTPError

    with chromium(profile) as chrome:
        begun = time.monotonic()
        tab = Tab(chrome, address)
        assert tab.begins() == "ready", tab.says()
        starts.append(time.monotonic() - begun)
        found = tab.ask("api/state")
        acts = found["match"]["acts"] if found["match"] else 0
        if acts < shown or found["unsaved"] or any("damaged" in trouble for trouble in found["troubles"]):
            raise SystemExit(f"{shown} acts were shown, {acts} are there: {found['unsaved']} {found['troubles']}")
        if not found["match"]:
            tab.begin()
        timer = threading.Timer(after_s, kill, [profile])
        timer.start()
        try:
            while True:
                shown = tab.score(1)
                time.sleep(0.1)  # a phone may send ten acts a second
        except (WebDriverException, HTTPError, subprocess.SubprocessError):
            timer.join()
    return shown


if __name__ == "__main__":
    main()
