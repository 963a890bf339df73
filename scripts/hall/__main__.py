"""Start Mosquitto, PostgreSQL, the page of a club and virtual boxes with random players, until Ctrl-C.

At the end, count the matches that ended at the boxes and in the club's database. They must be the same, each once:
otherwise the exit status is 1. Print the time from a move to the club's page, median and most.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scripts.hall.players import Player, Projector, prepared
from tests.kit.brokers import MOSQUITTO, Mosquitto, free_port
from tests.kit.postgres import BIN, Postgres
from umpi.club.store import Store
from umpi.mqtt.box_api import BoxApi, NoBox

PATIENCE_S = 5.0  # for the processes to end
QUIET_S = 30.0  # for the last results to arrive


def main() -> int:
    """Run the hall and print the results."""
    parser = argparse.ArgumentParser(prog="./scripts/dev hall", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boxes", type=int, default=8, metavar="N", help="how many boxes (8)")
    parser.add_argument("--seconds", type=float, metavar="N", help="end after so many seconds (on Ctrl-C)")
    parser.add_argument(
        "--pause", type=float, default=1.5, metavar="S", help="seconds between two moves of a box (1.5)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other matches (1)")
    chosen = parser.parse_args()
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    with ExitStack() as house, TemporaryDirectory(prefix="umpi-hall-") as folder:
        return _hall(chosen, Path(folder), house, stop)


def _hall(chosen: argparse.Namespace, folder: Path, house: ExitStack, stop: threading.Event) -> int:
    if not MOSQUITTO:
        print("Mosquitto is not here. Install it: sudo scripts/setup --all", file=sys.stderr)
        return 2
    broker = Mosquitto(folder)
    house.callback(broker.kill)
    database = f"sqlite:///{folder / 'club.db'}"
    if BIN:
        server = Postgres()
        house.callback(server.stop)
        database = server.url
    where = f"127.0.0.1:{broker.port}"
    page = f"http://127.0.0.1:{free_port()}"
    port = page.rpartition(":")[2]
    words = ["club", "--broker", where, "--database", database, "--port", port, "--title", "Umpi"]
    running = [_started(folder, "club", *words)]
    house.callback(_end, running)
    players = []
    for number in range(1, chosen.boxes + 1):
        at, journal = free_port(), prepared(folder / f"box{number}", f"Table {number}")
        box = ["--config", str(journal.with_name("umpi.toml")), "--journal", str(journal)]
        running.append(_started(folder, f"box{number}", "sim", "--port", str(at), *box))
        url = f"http://127.0.0.1:{at}"
        running.append(_started(folder, f"mqtt{number}", "mqtt", "--broker", where, "--box", url, *box[2:]))
        players.append(Player(BoxApi(url), chosen.seed * 1000 + number, chosen.pause, stop))
        print(f"Table {number}: {url}/  (its journal: {journal})", flush=True)
    print(f"\nThe hall, for a projector: {page}/\nBroker: {where}    Database: {database}", flush=True)
    print("Ctrl-C ends all.", flush=True)
    _ = all(_answers(url, stop) for url in (page, *(player.api.url + "box" for player in players)))
    projector = Projector(page, stop)
    for each in (projector, *players):
        each.start()
    stop.wait(chosen.seconds)
    stop.set()
    for player in players:
        player.join(30)
    return _report(players, Store(database), projector)


def _report(players: list[Player], store: Store, projector: Projector) -> int:
    """Print what was played, kept and seen."""
    try:
        over = {each["uid"] for player in players for each in player.api.results() if each["over"]}
    except NoBox as fault:
        print(f"A box does not answer: {fault}", file=sys.stderr)
        return 1
    until_s = time.monotonic() + QUIET_S
    while len(kept := [each.uid for each in store.played()]) < len(over) and time.monotonic() < until_s:
        time.sleep(0.2)
    store.close()
    late = [seen - given for player in players for seen, given in projector.seen(player.acts)]
    print(f"Matches: {len(over)} over at the boxes, {len(kept)} in the database, {len(over - {*kept})} lost")
    if late:
        middle, most = round(median(late) * 1000), round(max(late) * 1000)
        print(f"Moves: {len(late)}; from a move to the page: median {middle} ms, most {most} ms")
    return int({*kept} != over or len(kept) != len(over))


def _started(folder: Path, name: str, *words: str) -> subprocess.Popen[bytes]:
    """Start a command of umpi with its output in a file."""
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen([sys.executable, "-m", "umpi", *words], stdout=log, stderr=log, start_new_session=True)


def _end(running: list[subprocess.Popen[bytes]]) -> None:
    """End all processes, those that do not listen by force."""
    for process in running:
        process.terminate()
    until_s = time.monotonic() + PATIENCE_S
    for process in running:
        try:
            process.wait(max(0.1, until_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()


def _answers(url: str, stop: threading.Event) -> bool:
    """Wait until a page answers; return False if the hall closes before."""
    while not stop.wait(0.2):
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            continue
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())
