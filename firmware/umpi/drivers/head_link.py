"""Talk to a sensor head over any port: its bytes go in, its edges and its state come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Literal

from umpi.drivers.head_protocol import Answer, Blink, Coloured, Emitted, Faded, HeadEdge, Talk
from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.timing.events import Lost, Until

StateName = Literal["looking", "identifying", "ready", "gone"]
PAUSES_S = (0.5, 0.5, 1.0, 2.0)  # between attempts, by the number of failures


@frozen
class HeadState:
    """The state of the connection to the head. `reason` is a sentence with the cause and remedy, "" without error.

    `dark` are the lines of the beams that are dark as the state begins; none while the head is not ready.
    """

    name: StateName
    reason: str = ""
    dark: frozenset[str] = field(default=frozenset(), compare=False)


HeadReport = HeadEdge | Lost | Until | HeadState  # what a head reports


class HeadLink:
    """Hold the conversations with a sensor head that may be connected and disconnected at any time.

    `lines` are the lines to watch, by the box's names (lane_1 … second_1 … wall). Write "lane_1=5" if the line is not
    at its default pin of the Pico. `answered` gets the answers to the requests of `talk`. `report` gets one of these:

    - `HeadEdge`: `at_ns` is on the clock of the box. `wall` is active at each hit. Edges come in the order of their
      stamps.
    - `Lost`: at least `count` edges were lost, before any edge that is reported later.
    - `Until`: every edge stamped before `at_ns` has been reported or counted as lost. It comes only while `ready`:
      every 20 ms while edges come, otherwise twice a second.
    - `HeadState`: the new state of the connection.
    """

    def __init__(
        self,
        lines: Sequence[str],
        report: Callable[[HeadReport], object],
        dark_low: bool = True,
        answered: Callable[[Answer], object] = nothing,
    ) -> None:
        self.lines = lines
        self.state = HeadState("looking")
        self.talk: Talk | None = None  # the present conversation; it yields what to write and when
        self._report, self._dark_low, self._answered = report, dark_low, answered
        self._had = False  # whether it has ever been ready
        self._failures = 0

    @property
    def dark(self) -> frozenset[str]:
        """Return the lines of the beams that are dark; empty while the head is not ready."""
        return self.talk.dark if self.talk and self.talk.ready else frozenset()

    @property
    def pause_s(self) -> float:
        """Return for how many seconds to wait before the next attempt."""
        return PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]

    def connect(self, port: str, now_ns: int) -> Talk:
        """Begin a conversation with whatever is at an open port."""
        if not self._failures:
            self._become("identifying", f"asking what is at {port} who it is")
        self.talk = Talk(self.lines, now_ns, self._dark_low)
        return self.talk

    def receive(self, data: bytes, now_ns: int) -> bool:
        """Take bytes that came before `now_ns`; return whether the head has become ready. Raises Distrust."""
        talk = self.talk
        if not talk:
            return False
        for item in talk.receive(data, now_ns):
            if isinstance(item, Emitted | Blink | Faded | Coloured):
                self._answered(item)
            else:
                self._report(item)
        if not talk.ready or self.state.name == "ready":
            return False
        if self._had:
            self._report(Lost(1))  # edges may have been lost while it was disconnected
        self._had, self._failures = True, 0
        self._become("ready")
        return True

    def leave(self) -> None:
        """End the conversation, without a reason: this side ends it."""
        self.talk = None

    def lose(self, reason: str) -> None:
        """End the conversation, or note that none could begin."""
        self.talk = None
        if self.state.name == "ready":
            self._report(Lost(1))  # edges may have been lost in transmission
        self._failures += 1
        self._become("gone" if self._had else "looking", reason)

    def miss(self, reason: str) -> None:
        """Note that there is no port to try."""
        self._failures = 0
        self._become("gone" if self._had else "looking", reason)

    def _become(self, name: StateName, reason: str = "") -> None:
        state = HeadState(name, reason, self.dark)
        if state != self.state:
            self.state = state
            self._report(state)


class SensorHead:
    """A sensor head as the box sees it, whoever carries its bytes."""

    def __init__(self, link: HeadLink) -> None:
        self._link = link

    @property
    def state(self) -> HeadState:
        """Return the state of the connection."""
        return self._link.state

    @property
    def lines(self) -> Sequence[str]:
        """Return the lines to watch."""
        return self._link.lines

    @property
    def dark(self) -> frozenset[str]:
        """Return the lines of the beams that are dark; empty while the head is not ready."""
        return self._link.dark

    @property
    def about(self) -> Mapping[str, str | float]:
        """Return the head's identity, clock drift in ppm and count of garbled lines; empty while it is not ready."""
        talk = self._link.talk
        if not talk or not talk.ready:
            return {}
        drift, off = talk.clock.drift_ppm()
        return {**talk.who, "drift_ppm": round(drift, 1), "drift_off_ppm": round(off, 1), "garbled": talk.garbled}


def none_plugged() -> str:
    """Return the reason if no port has a head."""
    return message("no sensor head is plugged in")


def unplugged(port: str) -> str:
    """Return the reason if the head at a port was unplugged."""
    return message("the sensor head at {port} was unplugged: plug it in", port=port)


def busy(port: str) -> str:
    """Return the reason if another program has the port of the head."""
    return message("another program is using the sensor head at {port}: close it", port=port)
