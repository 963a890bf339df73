"""The few calls of gpiod 2 that the pins use, on lines that a test drives, with the faults a test names."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from threading import Lock
from types import SimpleNamespace, TracebackType

from umpi.kernel.nothing import nothing

Direction = Enum("Direction", "AS_IS INPUT OUTPUT")
Bias = Enum("Bias", "AS_IS DISABLED PULL_UP PULL_DOWN")
EdgeKind = Enum("EdgeKind", "NONE RISING FALLING BOTH")
Clock = Enum("Clock", "MONOTONIC REALTIME")
EventType = Enum("EventType", "RISING_EDGE FALLING_EDGE")


class Value(Enum):
    INACTIVE = 0
    ACTIVE = 1

    def __bool__(self) -> bool:
        return self is Value.ACTIVE


@dataclass(frozen=True)
class LineSettings:
    direction: Direction = Direction.AS_IS
    bias: Bias = Bias.AS_IS
    edge_detection: EdgeKind = EdgeKind.NONE
    event_clock: Clock = Clock.MONOTONIC
    output_value: Value = Value.INACTIVE


@dataclass(frozen=True)
class EdgeEvent:
    event_type: EventType
    timestamp_ns: int
    line_offset: int
    global_seqno: int
    Type = EventType


@dataclass
class FakeChip:
    """A chip and what is wired to it.

    Faults: `holders` names programs that hold a line, `on_release` runs in the moment in which a request is given
    up, `unplugged` is a chip that is gone, and `fault` what else reading edges raises.
    """

    path: str = "/dev/gpiochip0"
    label: str = "pinctrl-bcm2835"
    num_lines: int = 28
    holders: dict[int, str] = field(default_factory=dict)
    unplugged: bool = False
    fault: Exception | None = None
    on_release: Callable[[], object] = nothing
    levels: dict[int, int] = field(default_factory=dict)  # of lines that something drives
    pulls: dict[int, int] = field(default_factory=dict)  # of the others
    directions: dict[int, Direction] = field(default_factory=dict)
    requests: list[FakeRequest] = field(default_factory=list)
    closed: bool = False
    made: int = 0  # requests so far

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(name=os.path.basename(self.path), label=self.label, num_lines=self.num_lines)

    def get_line_info(self, offset: int) -> SimpleNamespace:
        self.need_plug()
        mine = any(offset in request.config for request in self.requests)
        holder = "umpi" if mine else self.holders.get(offset, "")
        return SimpleNamespace(used=bool(holder), consumer=holder)

    def request_lines(self, config: dict[int, LineSettings], consumer: str, event_buffer_size: int = 16) -> FakeRequest:
        assert not self.closed, "the chip is closed"
        if any(self.get_line_info(offset).used for offset in config):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.made += 1
        self.requests.append(FakeRequest(self, event_buffer_size))
        self.requests[-1].reconfigure_lines(config)
        return self.requests[-1]

    def need_plug(self) -> None:
        if self.unplugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    def close(self) -> None:
        assert not self.requests, "lines are still held"
        self.closed = True

    @property
    def inputs(self) -> list[FakeRequest]:
        """The requests that hold an input."""
        settings = [(request, next(iter(request.config.values()))) for request in self.requests]
        return [request for request, first in settings if first.direction is Direction.INPUT]

    def drive(self, offset: int, level: int, at_ns: int = 0) -> None:
        """Put a line at a level from outside, as a finger would."""
        self.arrive((offset, level, at_ns))

    def arrive(self, *edges: tuple[int, int, int], order: Iterable[int] | None = None) -> None:
        """Make edges (line, level, ns) happen as listed and readable together, in another order if given."""
        (request,) = self.inputs
        events = [request.event(*edge) for edge in edges]
        request.put([events[index] for index in order or range(len(edges))])

    def merge(self, offset: int, level: int, at_ns: int) -> None:
        """Make a line change twice before the kernel looks: one edge comes, and a request of several lines uses two
        numbers."""
        (request,) = self.inputs
        request.seqno += len(request.config) > 1
        self.drive(offset, level, at_ns)


class FakeRequest:
    """Requested lines; its descriptor can be waited for just while there is something to read."""

    def __init__(self, chip: FakeChip, event_buffer_size: int) -> None:
        self.chip = chip
        self.config: dict[int, LineSettings] = {}
        self.seqno = 0
        self.fd = os.eventfd(0)
        self.lock = Lock()  # as the kernel's buffer has one
        self.buffer: deque[EdgeEvent] = deque(maxlen=event_buffer_size)  # the kernel's too drops the oldest

    def __enter__(self) -> FakeRequest:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        assert not self.config or config.keys() == self.config.keys(), "gpiod resets lines that are left out"
        self.config = config
        for offset, settings in config.items():
            if settings.direction is Direction.OUTPUT:
                self.chip.levels[offset] = settings.output_value.value
            elif self.chip.directions.get(offset) is Direction.OUTPUT:
                del self.chip.levels[offset]
            self.chip.directions[offset] = settings.direction
            self.chip.pulls[offset] = int(settings.bias is Bias.PULL_UP)

    def release(self) -> None:
        os.close(self.fd)
        self.chip.requests.remove(self)
        self.chip.on_release()

    def get_value(self, offset: int) -> Value:
        assert offset in self.config
        return Value(self.chip.levels.get(offset, self.chip.pulls.get(offset, 0)))

    def set_value(self, offset: int, value: Value) -> None:
        assert self.config[offset].direction is Direction.OUTPUT
        self.chip.levels[offset] = value.value

    def event(self, offset: int, level: int, at_ns: int) -> EdgeEvent | None:
        self.chip.levels[offset] = level
        kind = self.config[offset].edge_detection
        if kind not in (EdgeKind.BOTH, EdgeKind.RISING if level else EdgeKind.FALLING):
            return None
        self.seqno += 1
        return EdgeEvent(EventType.RISING_EDGE if level else EventType.FALLING_EDGE, at_ns, offset, self.seqno)

    def put(self, events: Iterable[EdgeEvent | None]) -> None:
        with self.lock:
            self.buffer.extend(event for event in events if event)
            if self.buffer:
                os.eventfd_write(self.fd, 1)

    def read_edge_events(self, max_events: int) -> list[EdgeEvent]:
        assert not os.get_blocking(self.fd), "this could wait for ever"
        self.chip.need_plug()
        if self.chip.fault:
            raise self.chip.fault
        with self.lock:
            if not self.buffer:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            events = [self.buffer.popleft() for _ in range(min(max_events, len(self.buffer)))]
            if not self.buffer:
                os.eventfd_read(self.fd)
            return events


class FakeGpiod:
    """The module gpiod, with some chips; any other path is a missing chip."""

    line = SimpleNamespace(Direction=Direction, Bias=Bias, Edge=EdgeKind, Clock=Clock, Value=Value)
    LineSettings = LineSettings

    def __init__(self, *chips: FakeChip) -> None:
        self.chips = {chip.path: chip for chip in chips}

    def Chip(self, path: str) -> FakeChip:  # noqa: N802
        if path not in self.chips:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        self.chips[path].closed = False
        return self.chips[path]
