"""The box in a browser's tab, as tests and benchmarks open it: a server of its files, and its window."""

from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.kit.patience import wait_for

POLL_S = 0.01  # a server looks so often whether it shall end; by itself each half second
CALL = """
const [path, body, done] = arguments;
const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
const answered = fetch(`box/${path}`, how || {}).then(async (answer) => [answer.status, await answer.text()]);
answered.catch((fault) => [0, `${fault}`]).then(done);
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that knows nothing of Umpi."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, port: int = 0, handler: Callable[..., Quiet] | None = None) -> Iterator[str]:
    """Serve a folder, or what a handler answers; yield its address."""
    handler = handler or partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    with closing(server.socket):
        thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


@contextmanager
def opened(browser: Any) -> Iterator[Any]:
    """Open a tab of a browser that others use too, without their complaints; close it at the end."""
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get_log("browser")
    try:
        yield browser
    finally:
        browser.close()
        browser.switch_to.window(first)


class Tab:
    """The window of the box in a browser."""

    def __init__(self, chrome: Any, address: str) -> None:
        self.chrome = chrome
        chrome.set_script_timeout(60)
        chrome.get(address)

    def begins(self) -> str:
        """Wait until the box is ready or has failed; return which."""

        def state() -> str:
            found: str = self.chrome.execute_script("return document.documentElement?.dataset.umpi || 'starting'")
            return "" if found == "starting" else found

        return wait_for(state, lambda: f"the window says: {self.says()}")

    def says(self) -> str:
        """What the window says itself."""
        text: str = self.chrome.execute_script("return document.body.innerText")
        return text

    def ask(self, path: str, body: Any = None) -> Any:
        """Ask the box; return its document."""
        status, text = self.chrome.execute_async_script(CALL, path, body)
        assert status in (200, 204), f"{path}: {status} {text}"
        return json.loads(text) if text else None

    def look(self, script: str) -> Any:
        """Run a script in the page of the box."""
        self.chrome.switch_to.frame("page")
        try:
            return self.chrome.execute_script(script)
        finally:
            self.chrome.switch_to.default_content()

    def begin(self) -> None:
        """Begin a score pad, as the page does once it is the referee's."""
        wait_for(lambda: self.ask("api/me")["who"], lambda: "the page is not paired")
        players = [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]
        self.ask("api/start", {"game": "scorepad", "rules": "", "options": {}, "players": players})

    def score(self, points: int) -> int:
        """Give Ann points; return the number of acts that the box shows then."""
        question = self.ask("api/state")["question"]["id"]
        self.ask("api/act", {"question": question, "act": {"do": "score", "seat": 0, "points": points}})
        acts: int = self.ask("api/state")["match"]["acts"]
        return acts


def kill(profile: Path) -> None:
    """Kill a browser and all of its processes, as a power cut would."""
    found = subprocess.run(["pgrep", "-f", f"user-data-dir={profile}"], capture_output=True, text=True)
    for pid in found.stdout.split():
        if int(pid) != os.getpid():
            os.kill(int(pid), signal.SIGKILL)
    for lock in profile.glob("Singleton*"):
        lock.unlink()
