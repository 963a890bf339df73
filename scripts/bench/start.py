"""Measure what a start costs the processor: to first light, to the question of an interrupted match, to everything."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from scripts.bench.full_journal import make_journal
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

ROUNDS = 9
MATCHES = (0, 100, 1_000, 10_000)  # making the last one takes half a minute
PLAYED = 100  # acts of the interrupted match

# `done` prints the processor time and the peak memory of the process itself, and ends it. getrusage would include the
# memory of its parent at the fork.
DONE = """
def kib():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
def done():
    import os, time
    print(time.process_time(), kib(), flush=True)
    os._exit(0)
"""
PEERS = """
import gpiozero, luma.oled.device, PIL.Image, starlette, uvicorn
done()
"""
PYTHON = "done()"
NEEDED = """
import gpiozero, gpiozero.pins.mock, starlette.applications, starlette.routing, uvicorn
import uvicorn.protocols.http.h11_impl, sqlite3, importlib.metadata, argparse, tomllib, hashlib
done()
"""
LOADED = """
import gc
gc.disable()
import umpi.__main__, umpi.cli, umpi.cli.box, umpi.service.run, umpi.web.serving
import gpiozero.pins.mock, uvicorn.protocols.http.h11_impl
from umpi.kernel.registry import games
games()
done()
"""
LIGHT = """
import fcntl, os, sys
from umpi.__main__ import show_first_light
opens, writes, sent = os.open, os.write, []
os.open = lambda path, *how: opens(os.devnull if str(path).startswith("/dev/i2c-") else path, *how)
os.write = lambda file, data: sent.append(data) or writes(file, data)
fcntl.ioctl = lambda *_: 0
show_first_light(["run", "--config", sys.argv[1]])
assert sum(map(len, sent)) > 1024, "the picture was not sent"
done()
"""
# The start of `umpi run` on mock pins and a bus without a panel, with first light and page, until `done` is called.
RUN = """
import gc, sys
from umpi.__main__ import show_first_light
show_first_light(["run", "--config", sys.argv[1]])
gc.disable()
from gpiozero.pins.mock import MockFactory
from umpi.cli import main
from umpi.service import run
class Glass:
    dots = 0
    def command(self, *codes):
        pass
    def data(self, values):
        self.dots += 8 * len(values)
    def cleanup(self):
        pass
glass = Glass()
run.pin_factory, run.i2c_bus = lambda *_: MockFactory(), lambda *_: glass
"""
QUESTION = f"""{RUN}
async def first_picture(service, *_):
    assert service.box.oled.wait_shown() and glass.dots >= 128 * 64
    done()
run._serve = first_picture
main(["run", "--config", sys.argv[1]])
"""
EVERYTHING = f"""{RUN}
from umpi.kernel.registry import games, games_so_far
from umpi.web.serving import Server
startup = Server.startup
async def started(server, sockets=None):
    await startup(server, sockets)
    assert glass.dots >= 128 * 64
    assert len(games_so_far()) == len(games())
    done()
Server.startup = started
main(["run", "--config", sys.argv[1]])
"""


def start() -> None:
    """Print the processor time of a start, beside the bare imports of its libraries, and by matches in the journal."""
    with tempfile.TemporaryDirectory() as folder:
        boxes = {matches: make_box(Path(folder) / str(matches), matches) for matches in MATCHES}
        empty, full = boxes[MATCHES[0]], boxes[MATCHES[-1]]
        runs = {
            "imports of gpiozero, luma.oled, Pillow, Starlette and uvicorn": (PEERS, empty),
            "first light": (LIGHT, empty),
            "question of an interrupted match": (QUESTION, empty),
            f"the same with {MATCHES[-1]:,} matches in the journal": (QUESTION, full),
            "everything, the page for phones included": (EVERYTHING, empty),
        }
        print(
            f"\nFrom the start of Python: ms of the processor, median of {ROUNDS} rounds (least to most), peak memory"
        )
        measure(runs)
        print("\nWhat of this is imports")
        imports = {"Python itself": PYTHON, "the libraries of a box with a page": NEEDED}
        measure({name: (code, empty) for name, code in {**imports, "these, Umpi and the games": LOADED}.items()})
        print("\nThe question of an interrupted match, by matches in the journal")
        measure({f"{matches:6,} matches, {size(toml):6.1f} MB": (QUESTION, toml) for matches, toml in boxes.items()})


def make_box(folder: Path, matches: int) -> Path:
    """Return the umpi.toml of a box with so many finished matches in its journal, and one in play."""
    folder.mkdir()
    path = folder / "games.db"
    make_journal(path, matches)
    acts = play_out(find("dodeka"), ("Ann", "Ben"), seed=1).acts[:PLAYED]
    with closing(Journal(path)) as journal, socket.socket() as free:
        uid = journal.on_table()
        assert uid
        journal.append(uid, [act.line() for act in acts], "panel")
        free.bind(("127.0.0.1", 0))
        desk = f'[desk]\nlisten = "127.0.0.1"\nport = {free.getsockname()[1]}\n'
    toml = folder / "umpi.toml"
    toml.write_text(f'[box]\njournal = "{path}"\n{desk}', encoding="utf-8")
    return toml


def size(toml: Path) -> float:
    """Return the size of the journal of a box in MB."""
    return toml.with_name("games.db").stat().st_size / 1e6


def measure(runs: Mapping[str, tuple[str, Path]]) -> None:
    """Run each program in turn, as often as ROUNDS says, and print a line for each, with its ratio to the first."""
    spent: dict[str, list[float]] = {name: [] for name in runs}
    memory = dict.fromkeys(runs, 0)
    for round in range(ROUNDS + 1):
        for name, (code, toml) in runs.items():
            seconds, kib = timed(code, str(toml))
            if round:  # the first one fills the caches
                spent[name].append(seconds * 1000)
                memory[name] = kib
    first = statistics.median(next(iter(spent.values())))
    for name, each in spent.items():
        median = statistics.median(each)
        print(
            f"  {name}: {median:.0f} ({min(each):.0f} to {max(each):.0f}), {median / first:.2f} of the first line, "
            f"{memory[name] / 1024:.0f} MiB",
            flush=True,
        )


def timed(code: str, *arguments: str) -> tuple[float, int]:
    """Run a program until it calls `done()`; return its seconds of the processor, and its peak memory in KiB.

    It may keep what it compiles, or the compiler would be measured.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", DONE + code, *arguments]
    seconds, kib = subprocess.run(command, check=True, capture_output=True, text=True, env=variables).stdout.split()
    return float(seconds), int(kib)
