"""Typed nets, circuits, parts and cables of each build, read from wiring.toml."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from hardware.spec import BadSpec, typed

SOURCE = Path(__file__).with_name("wiring.toml")
BUILDS = ("minimal", "table", "full")  # the builds on the pages; the others are only checked
SHARED = "uln"  # one part with a channel for each pin

Board = Literal["pi", "head"]


class BadWiring(BadSpec):
    """A fault in wiring.toml, with its place."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit and its source."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part to buy; `values` contains `ohm`, `volt`, `ma` and so on."""

    what: str
    choose: str
    instead: str
    ref: str = ""  # letters of its designator; "" if it is in no circuit
    legs: tuple[str, ...] = ()
    of: str = ""  # the part that it is bought with, or ""
    values: Mapping[str, Any] = field(default_factory=dict)


Item = tuple[str, ...]  # a part, then the net of each of its legs


@dataclass(frozen=True, slots=True)
class Circuit:
    """The parts between one pin and the outside."""

    title: str
    way: Literal["in", "out", "bus"]
    board: tuple[Item, ...] = ()
    out: tuple[Item, ...] = ()  # at the end of the cable
    far: tuple[Item, ...] = ()  # at the end of a cable beside it
    plug: tuple[str, ...] = ()  # the nets that go to the cable
    more: Mapping[str, int] = field(default_factory=dict)  # bought with it
    series: str = ""  # the resistor at the pin
    pull_up: str = ""  # the resistor to the rail `sees`
    sees: str = ""  # the rail that pulls up or powers an input or bus
    driver: str = ""  # the part that switches the load
    load: str = ""  # the rail of that load; "pin" if the pin powers it
    emitters: int = 0  # number of emitters that it switches
    module: str = ""  # the part at the end of its cable, with the current of an emitter and of a receiver

    @property
    def near(self) -> Counter[str]:
        """Count its parts in a build without the cable beside it, and without a driver that it shares."""
        return Counter(item[0] for item in (*self.board, *self.out) if item[0] != SHARED)

    @property
    def parts(self) -> Counter[str]:
        """Count all its parts, without a driver that it shares with other pins."""
        return self.near + Counter(item[0] for item in self.far) + Counter(self.more)


@dataclass(frozen=True, slots=True)
class Net:
    """One pin in one build."""

    board: Board
    pin: int
    what: str
    name: str
    section: str  # of umpi.toml
    circuit: str
    cable: str

    @property
    def label(self) -> str:
        """Return its name for people."""
        return self.what if self.name in ("pin", *self.what.split()) else f"{self.what} {self.name}"


@dataclass(frozen=True, slots=True)
class Module:
    """Something that takes current from a rail or is bought, and is not part of a net."""

    what: str
    rail: str
    ma: float
    parts: Mapping[str, int]
    builds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cable:
    """One cable: its plug at the board, and the modules at its other end."""

    title: str
    m: float
    contacts: tuple[str, ...]  # nets from contact 1; "*" is all nets of its pins
    stuff: Literal["wire", "cable4", "lead"] = "wire"  # what it is made of
    outside_m: float = 0.0  # how far it must reach beyond the wall of the box; 0 if it ends inside
    ends: tuple[tuple[str, tuple[str, ...]], ...] = ()  # modules and their legs, in the order of the contacts
    supply: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # positions on the header, without a board
    board: Board | None = None  # only for cables without a net
    builds: tuple[str, ...] = ()  # likewise
    beside: str = ""  # the cable whose nets it shares
    instead: str = ""  # the cable that it may replace
    bus: Board | None = None  # the board whose I²C bus it is part of
    takes: str = ""  # the cable whose plug it takes; one of both is plugged in
    ready: tuple[str, ...] = ()  # the builds in which it is bought with a plug at each end; only there it has `ends`
    ready_m: float = 0.0  # its length there
    title_pi: str = ""  # its title at the board of the Pi, if another

    def long_m(self, build: str) -> float:
        """Return its length in a build."""
        return self.ready_m if build in self.ready else self.m

    def modules(self, build: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the modules at its end in a build."""
        return () if self.ready and build not in self.ready else self.ends


@dataclass(frozen=True, slots=True)
class Extra:
    """Parts of a board that belong to no circuit; `what` is what they are for."""

    what: str
    board: Board
    builds: tuple[str, ...]
    parts: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """A build of the box. `config` is the umpi.toml that it needs, or ""."""

    title: str
    config: str
    boards: bool = False  # its circuits are on printed circuit boards; otherwise each wire goes to the header
    hub: bool = False
    console: bool = False  # it uses the pins of the serial console


@dataclass(frozen=True, slots=True)
class Wiring:
    """All of wiring.toml."""

    build: Mapping[str, Build]
    limit: Mapping[str, Limit]
    volt: Mapping[str, tuple[float, float]]
    pin: Mapping[str, float]
    bus: Mapping[str, float]
    part: Mapping[str, Part]
    circuit: Mapping[str, Circuit]
    module: tuple[Module, ...]
    cable: Mapping[str, Cable]
    extra: tuple[Extra, ...]
    groups: tuple[Mapping[str, Any], ...] = field(repr=False)
    # what is made once a build, because a drawing asks for it thousands of times
    _nets: dict[str, tuple[Net, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _cables: dict[str, Mapping[str, Cable]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def nets(self, build: str) -> tuple[Net, ...]:
        """Return the nets of a build."""
        if build not in self._nets:
            self._nets[build] = tuple(
                Net(group["board"], pin, group["what"], name, group["section"], group["circuit"][build], group["cable"])
                for group in self.groups
                if build in group["circuit"]
                for name, pin in group["pins"].items()
            )
        return self._nets[build]

    def modules(self, build: str) -> tuple[Module, ...]:
        """Return the modules of a build."""
        return tuple(module for module in self.module if build in module.builds)

    def cables(self, build: str) -> Mapping[str, Cable]:
        """Return the cables of a build by name."""
        if build not in self._cables:
            used = {net.cable for net in self.nets(build)}
            self._cables[build] = {
                name: cable for name, cable in self.cable.items() if name in used or build in cable.builds
            }
        return self._cables[build]

    def whose(self, build: str, name: str) -> str:
        """Return the cable whose nets a cable of a build has: the one beside it if the build has it, or itself."""
        beside = self.cable[name].beside
        return beside if beside in self.cables(build) else name

    def shopping(self, build: str) -> dict[str, int]:
        """Count the parts of a build, in the order of the file."""
        count: Counter[str] = Counter()
        for module in self.modules(build):
            count.update(module.parts)
        beside = {cable.beside for cable in self.cables(build).values()}
        for net in self.nets(build):
            circuit = self.circuit[net.circuit]
            count.update(circuit.parts if net.cable in beside else circuit.near)
        for extra in self.extra:
            if build in extra.builds:
                count.update(item[0] for item in extra.parts)
        return {part: count[part] for part in self.part if count[part] and not self.part[part].of}

    def value(self, part: str, value: str) -> Any:
        """Return a value of a part. Raises BadWiring if the file does not have it."""
        try:
            return self.part[part].values[value]
        except KeyError:
            raise BadWiring(f"wiring.toml: [part.{part}] needs {value}.") from None


def read_wiring(path: Path = SOURCE) -> Wiring:
    """Read wiring.toml. Raises BadWiring if it names something that it does not contain."""
    return wiring_of(tomllib.loads(path.read_text(encoding="utf-8")))


def wiring_of(tables: Mapping[str, Any]) -> Wiring:
    """Make the wiring from the tables of wiring.toml. Raises BadWiring and BadSpec."""
    own = {each.name for each in fields(Part)}
    parts = {
        name: {key: value for key, value in table.items() if key in own}
        | {"values": {key: value for key, value in table.items() if key not in own}}
        for name, table in tables["part"].items()
    }
    rest = {name: table for name, table in tables.items() if name != "net"}
    wiring = typed(Wiring, {**rest, "part": parts, "groups": tables["net"]}, "wiring.toml:")
    for build in wiring.build:
        _known(wiring, build)
    return wiring


def _known(wiring: Wiring, build: str) -> None:
    for net in wiring.nets(build):
        if net.circuit not in wiring.circuit:
            raise BadWiring(f"wiring.toml: {net.what} {net.name}: there is no [circuit.{net.circuit}].")
        if net.cable not in wiring.cable:
            raise BadWiring(f"wiring.toml: {net.what} {net.name}: there is no [cable.{net.cable}].")
    owners = [(module.what, module.parts) for module in wiring.modules(build)]
    owners += [(f"[circuit.{net.circuit}]", wiring.circuit[net.circuit].parts) for net in wiring.nets(build)]
    for owner, parts in owners:
        if missing := [part for part in parts if part not in wiring.part]:
            raise BadWiring(f"wiring.toml: {owner} uses {missing[0]}, which is among no [part].")
