"""wiring.toml to typed nets, circuits, parts and cables, build by build."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

SOURCE = Path(__file__).with_name("wiring.toml")
BUILDS = ("minimal", "table", "full")  # those that are shown; "variant" is only checked

Board = Literal["pi", "head"]


class BadWiring(ValueError):
    """What is wrong in wiring.toml, and where."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What must not be passed, and who says so."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Part:
    """Something to buy; the values that count in `ohm`, `volt`, `ma` and so on are in `values`."""

    what: str
    euro: float
    choose: str
    instead: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Circuit:
    """What stands between one pin and the world."""

    title: str
    way: Literal["in", "out", "bus"]
    parts: Mapping[str, int]
    series: str = ""  # the resistor at the pin
    pull_up: str = ""  # the resistor to the rail `sees`
    sees: str = ""  # the rail an input or bus is pulled or fed by
    driver: str = ""  # what switches the load for the pin
    load: str = ""  # the rail of that load, "pin" where the pin feeds it itself
    emitters: int = 0  # how many it switches


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
    def told(self) -> str:
        """Name it for people."""
        return self.what if self.name in ("pin", *self.what.split()) else f"{self.what} {self.name}"


@dataclass(frozen=True, slots=True)
class Module:
    """What takes current from a rail, or is bought, beside the nets."""

    what: str
    rail: str
    ma: float
    parts: Mapping[str, int]
    builds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cable:
    """One cable and where its supply comes from, by board and name of the wire."""

    title: str
    m: float
    supply: Mapping[str, Mapping[str, int]]
    builds: tuple[str, ...] = ()  # where no net says so
    bus: bool = False  # it bears I²C


@dataclass(frozen=True, slots=True)
class Build:
    """A stage the box can be built to; `config` is the umpi.toml beside wiring.toml that it needs, "" for none."""

    title: str
    config: str
    hub: bool = False


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
    groups: tuple[Mapping[str, Any], ...] = field(repr=False)

    def nets(self, build: str) -> tuple[Net, ...]:
        """Give the nets of a build."""
        return tuple(
            Net(group["board"], pin, group["what"], name, group["section"], group["circuit"][build], group["cable"])
            for group in self.groups
            if build in group["circuit"]
            for name, pin in group["pins"].items()
        )

    def modules(self, build: str) -> tuple[Module, ...]:
        """Give what a build has beside its nets."""
        return tuple(module for module in self.module if build in module.builds)

    def cables(self, build: str) -> dict[str, Cable]:
        """Give the cables of a build, by their names."""
        used = {net.cable for net in self.nets(build)}
        return {name: cable for name, cable in self.cable.items() if name in used or build in cable.builds}

    def shopping(self, build: str) -> dict[str, int]:
        """Count what a build needs of each part, in the order of the file."""
        count: Counter[str] = Counter()
        for module in self.modules(build):
            count.update(module.parts)
        for net in self.nets(build):
            count.update(self.circuit[net.circuit].parts)
        return {part: count[part] for part in self.part if count[part]}

    def value(self, part: str, value: str) -> Any:
        """Give what counts of a part; raises BadWiring where the file does not say it."""
        try:
            return self.part[part].values[value]
        except KeyError:
            raise BadWiring(f"wiring.toml: [part.{part}] needs {value}.") from None


def read_wiring(path: Path = SOURCE) -> Wiring:
    """Read wiring.toml; raises BadWiring where something is named that the file does not have."""
    return wiring_of(tomllib.loads(path.read_text(encoding="utf-8")))


def wiring_of(told: Mapping[str, Any]) -> Wiring:
    """Make the wiring that the tables of wiring.toml tell of. Raises BadWiring."""
    named = ("what", "euro", "choose", "instead")
    wiring = Wiring(
        build={name: Build(**keys) for name, keys in told["build"].items()},
        limit={name: Limit(**keys) for name, keys in told["limit"].items()},
        volt={name: (low, high) for name, (low, high) in told["volt"].items()},
        pin=told["pin"],
        bus=told["bus"],
        part={
            name: Part(**{key: keys[key] for key in named}, values={key: keys[key] for key in keys if key not in named})
            for name, keys in told["part"].items()
        },
        circuit={name: Circuit(**keys) for name, keys in told["circuit"].items()},
        module=tuple(Module(**{**keys, "builds": tuple(keys["builds"])}) for keys in told["module"]),
        cable={name: Cable(**keys) for name, keys in told["cable"].items()},
        groups=tuple(told["net"]),
    )
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
