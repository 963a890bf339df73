"""A judged gate to words and seats: whose cubes came out, by how much, and what to do where that is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from umpi.devices.funnel import Funnel
from umpi.devices.gate import Cube, Verdict
from umpi.panel.setup import Table
from umpi.rules.game import Act, Ask
from umpi.rules.match import Match
from umpi.rules.words import Name, Words, listed, spaced, words
from umpi.tongue import Told, called, told, told_n

DOUBTS = {
    "dead-heat": words("Too close to call."),
    "count": words("Cubes touched: how many were there?"),
    "short": words("Something too quick for a cube."),
    "long": words("Something too long for cubes."),
    "stuck": words("A cube is stuck: jiggle the funnel."),
    "open": words("A beam is dark: jiggle the funnel."),
    "beam": words("Only one of two beams saw it."),
}
NOTES = {
    "late": words("The sensors answered late."),
    "contradiction": words("The sensors contradict each other."),
}


class Announcement:
    """What the funnel has seen since the last act of the table.

    `kept` are cubes not taken by the match yet, `taken` counts those that were; `settled` once the table has accepted
    a doubtful order.
    """

    def __init__(self, funnel: Funnel) -> None:
        self._funnel = funnel
        self.kept: list[Cube] = []
        self.taken = 0
        self.settled = False

    def owner(self, cube: Cube, table: Table) -> int | None:
        """The seat a cube belongs to by its lane, None with one chute for all; raises LookupError for an empty seat."""
        if self._funnel.settings.lanes == 1:
            return None
        if cube.lane not in table.buttons:
            raise LookupError(words("Nobody sits at lane {lane}.", lane=cube.lane + 1))
        return table.buttons.index(cube.lane)

    def news(self, table: Table) -> str:
        """Tell the order: "3 cubes" with one chute, the names with their margins where each has a lane."""
        cubes = self._funnel.verdict.cubes
        if self._funnel.settings.lanes == 1:
            return told_n("{number} cube", "{number} cubes", len(cubes))
        return Told(" ".join(f"{told(self._name(cube, table))}{_margin(cube)}" for cube in cubes))

    def owned(self, table: Table) -> list[tuple[int, str]]:
        """List the cubes with their stamps and the players they belong to, where lanes tell."""
        cubes = self._funnel.verdict.cubes if self._funnel.settings.lanes > 1 else ()
        return [(cube.t, table.players[table.buttons.index(cube.lane)]) for cube in cubes if cube.lane in table.buttons]

    def doubt(self, table: Table) -> str:
        """Say what is not sure and what it means, "" where the verdict is clear or the table has settled it."""
        verdict = self._funnel.verdict
        if verdict.clear or self.settled or not (self.taken or self.kept):
            return ""
        heats = [cube for cube in verdict.cubes if "dead-heat" in cube.doubts]
        reasons = spaced(_reasons(verdict))
        if heats and self._funnel.settings.lanes > 1:
            return words("{reasons}\n{heat}", reasons=reasons, heat=self._heat(heats, table))
        return reasons

    def _heat(self, heats: Sequence[Cube], table: Table) -> str:
        margin = min((cube.margin_us for cube in heats if cube.margin_us is not None), default=0)
        names = listed([self._name(cube, table) for cube in heats])
        return words("{names}: {margin} ms.", names=names, margin=f"{margin / 1000:.1f}")

    def _name(self, cube: Cube, table: Table) -> str:
        try:
            seat = self.owner(cube, table)
        except LookupError:
            return words("lane {lane}", lane=cube.lane + 1)
        return words("a cube") if seat is None else words("{who}", who=Name(table.players[seat]))


class News:
    """The order in sight, `text`, from the first cube or buzz until its announcement is over."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all of it: another match has begun."""
        self.text = ""
        self._buzzes: list[tuple[int, str]] = []
        self._fell: list[tuple[int, str]] = []  # cubes whose owners are known by their lanes
        self._heard: tuple[int, str] | None = None  # a buzz about to be played
        self._interrupted = ""  # the phase the first cube or buzz came in
        self._during: set[str] = set()  # the phases they were taken in

    @property
    def of_cubes(self) -> bool:
        """Whether it is an order of cubes, none of buttons."""
        return bool(self.text) and not self._buzzes

    def fall(self, text: str, owned: Sequence[tuple[int, str]]) -> None:
        """Take the order of the cubes so far: how it reads, and by lanes their stamps and owners."""
        self._fell = list(owned)
        self.text = buzz_order([*self._buzzes, *self._fell]) if self._buzzes and owned else text

    def hear(self, match: Match, act: Act, at_ns: int) -> None:
        """Note an act before it is played: a seat that buzzes by its button stands in the order, by its stamp."""
        ask = next((ask for ask in match.asks if ask.verb == act.verb and ask.fields), None)
        seat = act.given.get("seat")
        if ask is None or ask.fields[0].source != "buzz" or not isinstance(seat, int):
            return
        if cube_ask(match) is None or (self.text and not self._buzzes and not self._fell):
            return  # it names the owner of a cube
        self._heard = at_ns, match.players[seat]

    def forget(self) -> None:
        """Forget what was heard: it has been refused."""
        self._heard = None

    def follow(self, before: str, match: Match, cube: bool) -> None:
        """Look where acts have led from the phase `before`; `cube` where the funnel made them."""
        phase = match.now.phase
        if cube or self._heard:
            if not self._during:
                self._interrupted = before
            self._during.add(phase)
            if self._heard:
                self._buzzes.append(self._heard)
                self.text, self._heard = buzz_order([*self._buzzes, *self._fell]), None
        elif phase == self._interrupted or (phase not in self._during and cube_ask(match)):
            self.text, self._during, self._buzzes, self._fell = "", set(), [], []


def cube_ask(match: Match) -> Ask | None:
    """The question of an offer that a fallen cube answers."""
    return next((ask for ask in match.asks if ask.fields and ask.fields[0].source == "cube"), None)


def cube_last(match: Match) -> bool:
    """Tell whether the last act was a cube that fell."""
    fields = match.asked(len(match.acts) - 1).fields if match.acts else ()
    return bool(fields) and fields[0].source == "cube"


def owner_ask(match: Match) -> Ask | None:
    """The question of an offer whose answer is the seat of a cube, or of a button."""
    return next((ask for ask in match.asks if ask.fields and ask.fields[0].source == "buzz"), None)


def buzz_order(buzzes: Sequence[tuple[int, str]]) -> str:
    """Tell who buzzed in which order, each with the milliseconds to the next.

    >>> buzz_order([(1_000_000, "Red"), (6_200_000, "Blue")])
    'Red +5.2 Blue'
    """
    ordered = sorted(buzzes)
    gaps = [(later - stamp) / 1e6 for (stamp, _), (later, _) in pairwise(ordered)]
    margins = [f" +{gap:.1f}" for gap in gaps] + [""]
    return Told(" ".join(f"{called(name)}{margin}" for (_, name), margin in zip(ordered, margins, strict=True)))


def _margin(cube: Cube) -> str:
    return "" if cube.margin_us is None else f" +{cube.margin_us / 1000:.1f}"


def _reasons(verdict: Verdict) -> list[Words]:
    reasons = [DOUBTS[doubt] for cube in verdict.cubes for doubt in cube.doubts]
    reasons += [NOTES.get(note) or words("Edges were {note}.", note=note) for note in verdict.notes]
    return list(dict.fromkeys(reasons))
