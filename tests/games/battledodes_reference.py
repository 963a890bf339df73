"""A second implementation of Battledodes with plain dictionaries, to compare the engine with."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act

PLAYERS = ["Ann", "Ben"]


class Reference:
    """A game with plain dictionaries; a stack of sets keeps who waits for which roll."""

    def __init__(self, target: int, dodes: int = 4, multipliers: tuple[int, ...] = (1, 2, 3, 4, 5)) -> None:
        self.target, self.times = target, dict(enumerate((0, *multipliers)))
        self.dodes = [{n: ["hand", None, None] for n in range(1, dodes + 1)} for _ in PLAYERS]
        self.scores = [0, 0]
        self.phase, self.turn = "roll-off", 0
        self.pile: list[tuple[int, set[int]]] = []
        self.missed: set[tuple[int, int]] = set()
        self.struck: set[int] = set()
        self.hit: tuple[int, ...] = ()

    @property
    def seat(self) -> int | None:
        if self.phase in ("roll", "answer"):
            roller = self.pile[-1][0]
            return roller if self.phase == "roll" else 1 - roller
        return None if self.phase in ("roll-off", "over") else self.turn

    def apply(self, act: Act) -> None:
        getattr(self, act.verb.replace("-", "_"))(**{"by" if k == "with" else k: v for k, v in act.given.items()})
        while self.pile and not self.pile[-1][1]:
            self.pile.pop()
        if self.phase == "roll" and not self.pile:
            self.phase = "attack"
        if self.phase == "attack" and not self.possible():
            self.done()

    def roll_off(self, faces: tuple[int, int]) -> None:
        if faces[0] != faces[1]:
            self.begin(faces.index(max(faces)))

    def begin(self, seat: int) -> None:
        self.turn, self.struck = seat, set()
        for dode in self.dodes[seat].values():
            if dode[0] in ("out", "forfeited"):
                dode[0] = "hand"
        self.phase = "keep"
        if all(dode[0] == "hand" for dode in self.dodes[seat].values()):
            self.keep(())

    def keep(self, dodes: tuple[int, ...]) -> None:
        self.phase = "roll"
        self.pile = [(self.turn, set())]
        for number in set(self.dodes[self.turn]) - set(dodes):
            self.take_up(number)

    def take_up(self, number: int) -> None:
        seat, rolling = self.pile[-1]
        self.dodes[seat][number] = ["hand", None, None]
        self.missed.discard((seat, number))
        rolling.add(number)

    def settle(self, number: int, at: str, face: int | None = None, hex: int | None = None) -> None:
        seat, rolling = self.pile[-1]
        self.dodes[seat][number] = [at, face, hex]
        rolling.discard(number)

    def land(self, dode: int, face: int, hex: int, moved: Any = (), knocked: Any = ()) -> None:
        self.settle(dode, "board", face, hex)
        self.shift(moved, knocked)

    def shift(self, moved: Any, knocked: Any) -> None:
        for each in moved:
            self.settle(each["dode"], "board", each["face"], each["hex"])
        for number in knocked:
            self.take_up(number)

    def miss(self, dode: int, why: str, moved: Any = (), knocked: Any = ()) -> None:
        self.missed.add((self.pile[-1][0], dode))
        self.shift(moved, knocked)

    def waive(self, dode: int) -> None:
        assert (self.pile[-1][0], dode) in self.missed
        self.settle(dode, "out")

    def crash(self, dode: int, hit: tuple[int, ...]) -> None:
        for number in (dode, *hit):
            self.settle(number, "forfeited")

    def clash(self, dode: int, hit: tuple[int, ...], moved: Any = (), knocked: Any = ()) -> None:
        self.phase, self.hit = "answer", hit
        self.shift(moved, knocked)

    def answer(self, choice: str, dodes: Any = None) -> None:
        self.phase = "roll"
        if choice == "reroll":
            self.pile.append((1 - self.pile[-1][0], set()))
            for number in self.hit if dodes is None else dodes:
                self.take_up(number)

    def possible(self) -> bool:
        mine = [d[2] for n, d in self.dodes[self.turn].items() if d[0] == "board" and n not in self.struck]
        theirs = [d[2] for d in self.dodes[1 - self.turn].values() if d[0] == "board"]
        return any(hex in theirs and hex > 0 for hex in mine)

    def attack(self, by: int, on: int) -> None:
        strong, weak = self.dodes[self.turn][by], self.dodes[1 - self.turn][on]
        assert strong[2] == weak[2]
        weak[1] -= strong[1]  # type: ignore[operator]
        if weak[1] <= 0:  # type: ignore[operator]
            self.dodes[1 - self.turn][on] = ["out", None, None]
        self.struck.add(by)

    def done(self) -> None:
        other = 1 - self.turn
        self.scores[other] += self.pending(other)
        if self.scores[other] >= self.target:
            self.phase = "over"
        else:
            self.begin(other)
            if self.phase == "roll" and not self.pile[-1][1]:
                self.phase = "attack"

    def pending(self, seat: int) -> int:
        return sum(d[1] * self.times[d[2]] for d in self.dodes[seat].values() if d[0] == "board")  # type: ignore[operator,misc]

    def state(self) -> dict[str, Any]:
        over = self.phase == "over"
        keys = ("dode", "at", "face", "hex")
        sides = tuple(tuple(dict(zip(keys, (n, *d), strict=True)) for n, d in side.items()) for side in self.dodes)
        return {
            "phase": self.phase, "seat": self.seat, "scores": tuple(self.scores),
            "winners": tuple(s for s in (0, 1) if over and self.scores[s] >= self.target),
            "facts": {
                "dodes": sides, "pending": (self.pending(0), self.pending(1)),
                "turn": None if self.phase in ("roll-off", "over") else self.turn,
            },
        }  # fmt: skip
