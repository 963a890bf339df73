"""Runs main.py on a fake `machine`: words are MAIN HANDS TICKS. A line "PIN LEVEL" on the file HANDS moves a pin.

A move is a signal, and so comes between two steps of the program and is over before the next: as an interrupt is.
"""

import os
import signal
import sys
import threading
import time
from collections import deque
from types import ModuleType
from typing import ClassVar

moves: deque[tuple[int, int]] = deque()


class Pin:
    """A pin; emitters at 16 to 21 light the receivers at 2 to 7 and 8 to 13, unless a hand holds those low."""

    IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 1, 8, 4
    levels: ClassVar[dict] = {}
    held: ClassVar[set] = set()
    handlers: ClassVar[dict] = {}
    latched: ClassVar[dict] = {}

    def __init__(self, number, mode, pull=None, value=None):
        self.number = number
        self.levels.setdefault(number, 1 if pull == Pin.PULL_UP else 0)
        if value is not None:
            self.levels[number] = value

    def value(self, level=None):
        if level is not None:
            self.levels[self.number] = level
            if 16 <= self.number <= 21:
                for receiver in (self.number - 14, self.number - 8):
                    Pin.move(receiver, int(level and receiver not in Pin.held))
        return self.levels[self.number]

    def irq(self, *configured, hard=False):
        if configured:
            handler, trigger = (*configured, 0)[:2]
            assert handler is None or hard
            self.handlers[self.number] = (handler, trigger, self)
        return self

    def flags(self):
        return self.latched[self.number]

    @classmethod
    def move(cls, number, level):
        before, cls.levels[number] = cls.levels.get(number, level), level
        handler, trigger, pin = cls.handlers.get(number, (None, 0, None))
        cls.latched[number] = cls.IRQ_RISING if level else cls.IRQ_FALLING
        if handler and before != level and trigger & (cls.IRQ_RISING if level else cls.IRQ_FALLING):
            handler(pin)


class Stdin:
    """Bytes as they come, nothing read ahead."""

    def __init__(self):
        self.buffer = open(0, "rb", buffering=0)  # noqa: SIM115

    def fileno(self):
        return 0


class Stdout:
    """Text at once, with the line ends a Pico gives."""

    def write(self, text):
        os.write(1, text.replace("\n", "\r\n").encode())

    def flush(self):
        pass


def interrupt(*_):
    while moves:
        number, level = moves.popleft()
        (Pin.held.discard if level else Pin.held.add)(number)
        Pin.move(number, level)


def listen(hands):
    with open(hands) as lines:
        for line in lines:
            number, level = line.split()
            moves.append((int(number), int(level)))
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)


def main(program, hands, start):
    """Become a Pico."""
    machine, micropython = ModuleType("machine"), ModuleType("micropython")
    machine.Pin, machine.unique_id, machine.reset = Pin, lambda: b"umpitest", sys.exit
    machine.disable_irq = lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    machine.enable_irq = lambda former: signal.pthread_sigmask(signal.SIG_SETMASK, former)
    micropython.kbd_intr = micropython.alloc_emergency_exception_buf = lambda _: None
    sys.modules.update(machine=machine, micropython=micropython)
    time.ticks_us = lambda: (time.monotonic_ns() // 1000 - begun + start) & ((1 << 30) - 1)
    begun = time.monotonic_ns() // 1000
    sys.stdin, sys.stdout = Stdin(), Stdout()
    sys.path.insert(0, os.path.dirname(program))
    signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=listen, args=(hands,), daemon=True).start()
    with open(program) as file:
        exec(compile(file.read(), program, "exec"), {"__name__": "__main__", "__file__": program})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
