"""Runs main.py on a fake `machine`: words are MAIN HANDS. A line "PIN LEVEL" on the file HANDS moves a pin.

A move is a signal, and so comes between two steps of the program. The sampler is a fake as well: a move writes levels
and stamp into the ring, as the DMA does.
"""

import os
import signal
import sys
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import ClassVar

from tests.kit.viper import install

moves: deque[tuple[int, int]] = deque()


class Pin:
    """A pin; emitters at 16 to 21 light the receivers at 2 to 7 and 8 to 13, unless a hand holds those low."""

    IN, OUT, PULL_UP = 0, 1, 1
    levels: ClassVar[dict[int, int]] = {}
    held: ClassVar[set[int]] = set()

    def __init__(self, number: int, mode: int = IN, pull: int | None = None, value: int | None = None) -> None:
        self.number = number
        if number not in self.levels:
            Pin.move(number, 1 if pull == Pin.PULL_UP else 0)
        if value is not None:
            self.levels[number] = value

    def value(self, level: int) -> None:
        self.levels[self.number] = level
        if 16 <= self.number <= 21:
            for receiver in (self.number - 14, self.number - 8):
                Pin.move(receiver, int(level and receiver not in Pin.held))

    @classmethod
    def move(cls, number: int, level: int) -> None:
        before, cls.levels[number] = cls.levels.get(number), level
        if before != level:
            Sampler.change(sum(on << pin for pin, on in cls.levels.items()))


class I2C:
    """A bus with a colour sensor of which only the id can be read; writing fails as if it were gone."""

    def __init__(self, number: int, sda: Pin, scl: Pin, freq: int, timeout: int) -> None:
        assert (number, sda.number, scl.number) == (1, 26, 27)
        assert freq <= 400_000
        assert timeout < 10_000

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        assert address == 0x29
        return bytes((0x44,)) * count

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        raise OSError(5)


class Sampler:
    """The rings of the sampler, which `change` writes with the stamp of `ticks_us`."""

    SIZE = 4096
    words = array("I", bytes(8 * SIZE))
    written = 0
    ticks_us: ClassVar[Callable[[], int]]

    def __init__(self) -> None:
        from ring import Ring

        self.ring = Ring(self.words, 0, self.SIZE, lambda: Sampler.written % self.SIZE)

    @classmethod
    def change(cls, levels: int) -> None:
        here = cls.written % cls.SIZE
        cls.words[here], cls.words[cls.SIZE + here] = levels, cls.ticks_us()
        cls.written += 1


class Stdout:
    """Bytes at once."""

    def __init__(self) -> None:
        self.buffer = self

    def write(self, data: str | bytes) -> None:
        os.write(1, data.encode() if isinstance(data, str) else data)

    def flush(self) -> None:
        pass


class Stdin:
    """Bytes as they come, nothing read ahead."""

    def __init__(self) -> None:
        self.buffer = open(0, "rb", buffering=0)  # noqa: SIM115

    def fileno(self) -> int:
        return 0


def interrupt(*_: object) -> None:
    while moves:
        number, level = moves.popleft()
        (Pin.held.discard if level else Pin.held.add)(number)
        Pin.move(number, level)


def listen(hands: int) -> None:
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    with open(hands) as lines:
        for line in lines:
            number, level = line.split()
            moves.append((int(number), int(level)))
            signal.pthread_kill(main_thread, signal.SIGUSR1)


def main(program: str, hands: int) -> None:
    """Become a Pico."""
    install()
    begun = time.monotonic_ns() // 1000

    def ticks_us() -> int:
        return (time.monotonic_ns() // 1000 - begun) & ((1 << 30) - 1)

    machine, sampler = ModuleType("machine"), ModuleType("sampler")
    vars(machine).update(Pin=Pin, I2C=I2C, unique_id=lambda: b"umpitest", reset=sys.exit)
    vars(sampler).update(Sampler=Sampler)
    vars(time).update(ticks_us=ticks_us, sleep_us=lambda us: None)
    Sampler.ticks_us = ticks_us
    sys.modules.update(machine=machine, sampler=sampler)
    vars(sys).update(stdin=Stdin(), stdout=Stdout())
    sys.path.insert(0, os.path.dirname(program))
    signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=listen, args=(hands,), daemon=True).start()
    with open(program) as file:
        exec(compile(file.read(), program, "exec"), {"__name__": "__main__", "__file__": program})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
