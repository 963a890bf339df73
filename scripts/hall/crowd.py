"""Publish the results of many simulated boxes at once, and measure the time from an act to the projector.

Each box has the bridge of `umpi mqtt`; broker, database and `umpi club` are real. Each box plays 25 matches. A process
has 50 boxes, because a box takes six files. Print what was lost or doubled, and the time until the page shows an act,
median and most. The exit status is 1 after a loss.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
import threading
import time
from collections import Counter
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scripts.hall.players import Projector
from tests.kit.brokers import Mosquitto, free_port
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.patience import wait_for
from tests.kit.postgres import Postgres
from umpi.club.store import Store

MATCHES, EACH_S = 25, 2.0  # matches of a box, and the time for one, of two acts
BOXES = 50  # of one process
Act = tuple[str, int, float]  # a box, its version, the monotonic time in seconds


def main() -> int:
    """Play and print the results."""
    parser = argparse.ArgumentParser(prog="./scripts/dev hall-crowd", description=__doc__)
    parser.add_argument("boxes", nargs="?", type=int, default=100, help="how many boxes (%(default)s)")
    boxes = parser.parse_args().boxes
    stop, port = threading.Event(), free_port()
    with TemporaryDirectory(prefix="umpi-crowd-") as name:
        folder, server = Path(name), Postgres()
        broker = Mosquitto(folder)
        store = Store(server.url)
        store.migrate()
        where = ["--broker", f"127.0.0.1:{broker.port}", "--database", server.url, "--port", str(port)]
        club = subprocess.Popen([sys.executable, "-m", "umpi", "club", *where], stderr=subprocess.DEVNULL)
        projector = Projector(f"http://127.0.0.1:{port}", stop)
        projector.start()
        spawn = multiprocessing.get_context("spawn")
        go, done, played = spawn.Event(), spawn.Event(), spawn.Queue()
        crowds = [
            spawn.Process(
                target=_crowd, args=(range(first, min(first + BOXES, boxes)), broker.port, folder, go, done, played)
            )
            for first in range(0, boxes, BOXES)
        ]
        for crowd in crowds:
            crowd.start()
        wait_for(lambda: projector.tables == boxes)
        go.set()
        acts = [act for _ in crowds for act in played.get()]
        until_s = time.monotonic() + 300
        while len(kept := _kept(store)) < boxes * MATCHES and time.monotonic() < until_s:
            time.sleep(0.5)
        late = [seen - given for seen, given in projector.seen(acts)]
        stop.set()
        done.set()
        for crowd in crowds:
            crowd.join()
        store.close()
        club.terminate()
        club.wait()
        broker.kill()
        server.stop()
    lost = boxes * MATCHES - len(kept)
    print(f"Boxes: {boxes}; results: {kept.total()}; lost: {lost}; doubled: {kept.total() - len(kept)}")
    print(f"Acts: {len(acts)}; shown: {len(late)}; median {median(late) * 1e3:.0f} ms, most {max(late) * 1e3:.0f} ms")
    return int(lost > 0 or kept.total() != len(kept))


def _kept(store: Store) -> Counter[str]:
    """Return how often each result is in the database."""
    return Counter(each.uid for each in store.played())


def _crowd(numbers: range, port: int, folder: Path, go: Event, done: Event, played: Queue[list[Act]]) -> None:
    """Be the boxes of these numbers, in a process of their own; play once `go` is set, and stay until `done`."""
    apis = [FakeApi(f"{number:012x}") for number in numbers]
    bridges = [RunningBridge(api, port, folder / f"{api.box['id']}.db") for api in apis]
    for bridge in bridges:
        bridge.show(playing(1, version=2))
    go.wait()
    played.put(_played(apis, bridges))
    done.wait()
    for bridge in bridges:
        bridge.stop()


def _played(apis: list[FakeApi], bridges: list[RunningBridge]) -> list[Act]:
    """Give each box two acts per match; return the box, its version and the time of each."""
    acts: list[Act] = []
    for match in range(1, MATCHES + 1):
        for api, bridge in zip(apis, bridges, strict=True):
            for act in (1, 2):
                if act == 2:
                    api.kept.append(result(f"{api.box['id']}-{match}", match))
                acts.append((str(api.box["id"]), 2 * match + act, time.monotonic()))
                bridge.show(playing(match, acts=act, over=act == 2, version=2 * match + act))
            time.sleep(EACH_S / len(apis))
    return acts


if __name__ == "__main__":
    sys.exit(main())
