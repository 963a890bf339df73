"""Simulate serial devices that can be unplugged: a sensor head and a card scanner, each behind a pty."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from umpi.simulator.chute import Flight
from umpi.simulator.pico import VirtualPico


class Port:
    """A device file `path` that can be added and removed; programs read there what `put` writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = -1  # this end of the pty while plugged in, otherwise -1
        self._theirs = -1

    def plug(self) -> None:
        """Add the device file."""
        if self.file < 0:
            self.file, self._theirs = os.openpty()
            os.set_blocking(self.file, False)
            tty.setraw(self._theirs)
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(os.ttyname(self._theirs))

    def pull(self) -> None:
        """Remove the device file; programs that have it open read an error."""
        if self.file >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._theirs)
            os.close(self.file)
            self.file = -1

    def put(self, data: bytes) -> None:
        """Write data; it is dropped while the port is unplugged or its buffer is full."""
        if self.file >= 0:
            with suppress(BlockingIOError):
                os.write(self.file, data)


class ScannerPort(Port):
    """A card scanner, plugged in."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.plug()

    def scan(self, code: str) -> None:
        """Hold a card in front of the scanner."""
        self.put(f"{code}\r\n".encode())


class HeadPort:
    """A sensor head, plugged in: the simulator's Pico, in a thread, in this machine's time.

    An exception that ends the thread is added to `complaints`.
    """

    def __init__(self, path: Path, complaints: list[str]) -> None:
        self._complaints = complaints
        self._port = Port(path)
        self._pico: VirtualPico | None = None
        self._blocked: set[str] = set()
        self._flights: list[Flight] = []
        self._starts, self._born_ns = 0, 0
        self._ran_ns = 0  # everything due until then is done
        self._lock = threading.Lock()
        self._wake = os.eventfd(0)
        self._closing = False
        self.plug()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """Plug the head in; it restarts."""
        with self._lock:
            if not self._pico:
                self._starts += 1
                self._born_ns = self._ran_ns = time.monotonic_ns()
                self._pico = VirtualPico(self._blocked, f"{self._starts:08x}")
                self._port.plug()
        os.eventfd_write(self._wake, 1)

    def pull(self) -> None:
        """Unplug the head."""
        with self._lock:
            self._run_to(time.monotonic_ns())
            self._pico = None
            self._port.pull()
        os.eventfd_write(self._wake, 1)

    def plan(self, flights: Sequence[Flight]) -> None:
        """Change the beams as these flights say, each at its time."""
        with self._lock:
            self._flights = sorted([*self._flights, *flights])
        os.eventfd_write(self._wake, 1)

    def hit(self) -> None:
        """Hit the wall."""
        with self._lock:
            if self._pico:
                now_ns = time.monotonic_ns()
                self._run_to(now_ns)
                self._pico.hit(self._us(now_ns))
                self._send()

    def close(self) -> None:
        """Unplug the head and end its thread."""
        self.pull()
        self._closing = True
        os.eventfd_write(self._wake, 1)
        self._thread.join()
        os.close(self._wake)

    def _run(self) -> None:
        try:
            self._serve()
        except Exception as fault:  # nobody waits for this thread
            self._complaints.append(f"the head ended: {type(fault).__name__}: {fault}")

    def _serve(self) -> None:
        while not self._closing:
            with self._lock:
                files, due_ns = [self._wake], self._step()
                if self._pico:
                    files.append(self._port.file)
            wait_s = None if due_ns is None else max(0, due_ns - time.monotonic_ns()) / 1e9
            with suppress(OSError):  # it was unplugged in this moment
                if self._wake in select.select(files, [], [], wait_s)[0]:
                    os.eventfd_read(self._wake)

    def _step(self) -> int | None:
        """Do what is due; return when the next event is due, in monotonic nanoseconds."""
        now_ns = time.monotonic_ns()
        self._run_to(now_ns)
        if self._pico:
            while select.select([self._port.file], [], [], 0)[0]:
                self._pico.take(os.read(self._port.file, 4096), self._us(now_ns))
            self._send()
        return self._due_ns(now_ns)

    def _run_to(self, now_ns: int) -> None:
        """Do everything that is due, each thing at its own time however late this runs, as the chip's timers do."""
        at_ns = self._ran_ns
        while (due_ns := self._due_ns(at_ns)) is not None and due_ns <= now_ns:
            at_ns = max(at_ns, due_ns)
            if self._flights and self._flights[0][0] <= at_ns:
                _, line, dark = self._flights.pop(0)
                (self._blocked.add if dark else self._blocked.discard)(line)
            if self._pico:
                self._pico.look(self._us(at_ns))
                self._pico.step(self._us(at_ns))
                self._send()
        self._ran_ns = max(at_ns, now_ns)

    def _due_ns(self, at_ns: int) -> int | None:
        """Return when a beam or the Pico next has something to do, seen from `at_ns`; None if never."""
        dues = [self._flights[0][0]] if self._flights else []
        if self._pico:
            dues.append(self._born_ns + self._pico.due_us(self._us(at_ns)) * 1000)
        return min(dues, default=None)

    def _send(self) -> None:
        assert self._pico
        for line in self._pico.output:
            self._port.put(line)
        self._pico.output.clear()

    def _us(self, at_ns: int) -> int:
        return (at_ns - self._born_ns) // 1000
