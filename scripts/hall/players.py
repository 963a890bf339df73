"""The players of a simulated hall, one thread per box, and the eyes at its projector."""

from __future__ import annotations

import hashlib
import re
import threading
import time
import urllib.request
from contextlib import closing
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.mqtt.box_api import BoxApi, NoBox
from umpi.mqtt.outbox import Outbox

NAMES = tuple("Ann Ben Cid Dora Eve Finn Gus Hal Ida Jon Kim Lea Max Nia Oto Pia".split())
GAMES = ("dodeka", "dodekka", "scorepad", "quiz", "battledodes")
BUTTONS = ("red", "blue", "yellow", "green", "white", "black")
TABLE = re.compile(r'data-box="([^"]*)" data-version="(\d+)"')
ADMITTED = "hall-" + "0" * 38  # the secret of the referee's phone at each box


def prepared(folder: Path, name: str) -> Path:
    """Make the journal of a box whose referee's phone is already paired; return its path."""
    folder.mkdir()
    (folder / "umpi.toml").write_text(f'[box]\nname = "{name}"\nsetup_card = false\n', encoding="utf-8")
    with closing(Journal(folder / "games.db")) as journal:
        journal.pair(hash=hashlib.sha256(ADMITTED.encode()).hexdigest(), who="referee", name="hall")
    with closing(Outbox(folder / "mqtt.db")) as outbox:
        outbox.cookie = ADMITTED
    return folder / "games.db"


class Player(threading.Thread):
    """Play random matches at a box, one after the other. `acts` are the moves: box, version and when it was given."""

    def __init__(self, api: BoxApi, seed: int, pause_s: float, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.api, self.acts = api, list[tuple[str, int, float]]()
        self._chance, self._pause_s, self._stop_playing = Random(seed), pause_s, stop
        self._id = ""

    def run(self) -> None:
        """Play until the hall closes."""
        while not self._stop_playing.is_set():
            try:
                self._id = self._id or str(self.api.get("box")["id"])
                self._play()
            except NoBox:
                self._stop_playing.wait(0.5)

    def _play(self) -> None:
        """Start the match that chance has played before, and give its moves to the box."""
        game = find(self._chance.choice(GAMES))
        number = self._chance.choice([seats for seats in game.seats if seats > 1][:3])
        names = self._chance.sample(NAMES, number)
        match = play_out(game, names, seed=self._chance.randrange(1 << 30))
        players = [{"button": button, "name": name} for button, name in zip(BUTTONS, names, strict=False)]
        self._post("start", {"game": game.id, "rules": "", "players": players})
        for act in match.acts:
            if self._stop_playing.wait(self._pause_s * self._chance.uniform(0.5, 1.5)):
                return
            question = (self.api.get("state")["question"] or {}).get("id", "")
            given_s = time.monotonic()
            status, answer = self._post("act", {"question": question, "act": {"do": act.verb, **act.given}})
            if status == 200:
                self.acts.append((self._id, answer["version"], given_s))

    def _post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        status, answer, _ = self.api.post(path, body, ADMITTED)
        return status, answer


class Projector(threading.Thread):
    """Follow the club's page as a browser does, and note when it shows which version of which box."""

    def __init__(self, url: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._url, self._stop_looking = url, stop
        self._shown: dict[str, list[tuple[int, float]]] = {}

    def run(self) -> None:
        """Look until the hall closes."""
        while not self._stop_looking.is_set():
            try:
                with urllib.request.urlopen(f"{self._url}/events", timeout=10) as stream:
                    for line in stream:
                        if line.startswith(b"data: "):
                            with urllib.request.urlopen(f"{self._url}/part", timeout=10) as part:
                                self._note(part.read().decode(), time.monotonic())
            except (OSError, ValueError):
                self._stop_looking.wait(0.5)

    @property
    def tables(self) -> int:
        """Return how many tables were shown so far."""
        return len(self._shown)

    def seen(self, acts: list[tuple[str, int, float]]) -> list[tuple[float, float]]:
        """Return when each move was shown and when it was given, in seconds, for those that were shown."""
        found = []
        for box, version, given_s in acts:
            shown = next((at for number, at in self._shown.get(box, []) if number >= version and at >= given_s), None)
            if shown is not None:
                found.append((shown, given_s))
        return found

    def _note(self, part: str, now_s: float) -> None:
        for box, version in TABLE.findall(part):
            shown = self._shown.setdefault(unescape(box), [])
            if not shown or shown[-1][0] != int(version):
                shown.append((int(version), now_s))
