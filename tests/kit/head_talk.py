"""A simulated sensor head at the box's side of the talk, in virtual time, and noise at it."""

from __future__ import annotations

from random import Random
from typing import Any
from zlib import crc32

from umpi.drivers.head_protocol import Distrust, HeadEdge, Talk

US, MS = 1_000, 1_000_000
HELLO = "hello umpi-head protocol=1 firmware=1.0 board=e66160f423782934 boot=5f3a0c11"


def sealed(*texts: str) -> bytes:
    return b"".join(b"%s *%08x\r\n" % (text.encode(), crc32(text.encode())) for text in texts)


class Head:
    """A simulated head: sends given lines and answers pings after 400 µs; its clock began at 0."""

    def __init__(self, *lines: str) -> None:
        self.now_ns, self.number = 0, 0
        self.talk = Talk(lines or ("lane_1", "lane_2"), 0)
        self.received: list[str] = []

    def wait(self, ns: int) -> None:
        """Advance the time without any lines."""
        until_ns = self.now_ns + ns
        while (due_ns := max(self.talk.due_ns, self.now_ns)) < until_ns:
            self.now_ns = due_ns + MS
            self.listen()
            self.talk.check(self.now_ns)
        self.now_ns = until_ns

    def listen(self) -> None:
        requests = [line.partition(b" *")[0].decode() for line in self.talk.send(self.now_ns).split(b"\n") if line]
        self.received += requests
        for text in requests:
            if text.startswith("ping"):
                asked_us = self.now_ns // US + 200
                self.now_ns += 400 * US
                self.send_lines(f"pong {text.split()[1]} {asked_us}")

    def send_lines(self, *texts: str) -> list[Any]:
        """Send lines with the number of the last change."""
        return self.send_bytes(sealed(*(f"{self.number} {text}" for text in texts)))

    def send_change(self, kind: str, line: str, at_us: int) -> list[Any]:
        """Send a change."""
        self.number += 1
        return self.send_lines(f"{kind} {line} {at_us}")

    def send_bytes(self, data: bytes) -> list[Any]:
        reports = list(self.talk.receive(data, self.now_ns))
        self.listen()
        return reports

    def introduce(self) -> Head:
        """Be trusted."""
        self.now_ns += MS
        self.listen()
        self.send_lines(HELLO)
        self.send_lines("lines lane_1=2 lane_2=3 wall=14 emitter_1=16 dark=low")
        self.send_lines(" ".join(["levels", *(f"{line}=light" for line in self.talk.lines if line != "wall")]))
        assert self.talk.ready
        return self


def noise(chance: Random, size: int) -> int:
    """Throw bytes at talks in every state, some of them lines with a right checksum; yield the reported edges."""
    words = "hello dark light hit beat pong lines levels emit sorry lane_1 lane_2 wall umpi-head protocol=1".split()
    words += ["on", "off", "lane_1=dark", "-1", "0", "1", "2", "99999", "9" * 15, "9" * 200, "", "*", "=", "%s", "\\"]
    edges = thrown = 0
    while thrown < size:
        head = Head("lane_1", "lane_2", "wall")
        if chance.random() < 0.7:
            head.introduce()
        try:
            for _ in range(50):
                head.now_ns += chance.randrange(300 * MS)
                if honest := chance.random() < 0.4:
                    data = sealed(" ".join(chance.choices(words, k=chance.randint(1, 5))))
                else:
                    data = chance.randbytes(chance.randint(1, 400))
                thrown += len(data)
                found = sum(isinstance(item, HeadEdge) for item in head.send_bytes(data))
                assert honest or not found, "an edge without a right checksum"
                edges += found
                assert len(head.talk._rest) <= 300
                head.talk.check(head.now_ns)
        except Distrust as fault:
            assert str(fault).isprintable()  # noqa: PT017
    return edges
