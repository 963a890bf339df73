"""A second referee of Dohdles!, written from the printed rules, and games compared with it act by act."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from inspect import signature
from itertools import product
from random import Random
from typing import Any

from tests.kit.legal_acts import accepts, act_of
from umpi.games.dohdles import Dohdles
from umpi.kernel import Match
from umpi.kernel.record import dump

KINDS = ("questions", "letter", "either")
CLUES = ("questions", "letter", "questions", "letter", "questions", "questions", "either")
TRACK = ((0, 2), (1, 3), (1, 3), (2, 2), (1, 4), (3, 3), (2, 0), (4, 5), (3, 1), (2, 2), (5, 3), (0, 0))
BOARD = {"clues": CLUES, "rewards": (0, 3, 3, 2, 2, 1, 1, 0), "track": TRACK, "start": 3}
STEEP = {**BOARD, "track": ((0, 1), (2, 1), (3, 0), (3, 1), (9, 1), (0, 1), (0, 1), (0, 0)), "start": 0}
NONE: Any = object()  # a field that is not given
Line = dict[str, Any]


class Referee:
    """The printed rules once more: may_… says whether an act is allowed now, do_… performs it."""

    def __init__(
        self, seats: int, board: Line | None = None, riddles: int | None = None, lone: int = 0,
        lone_riddles: int = 2, first_right: str = "cube", second_end: str = "solved", announcement: str = "each",
        steps_back: int | None = None, steps_forward: int | None = None, steps_reward: int | None = None,
    ) -> None:  # fmt: skip
        self.seats, self.board = range(seats), dict(board) if board else None
        if self.board:
            arrows = [
                [one if own is None else own for one, own in zip(space, (steps_back, steps_forward), strict=True)]
                for space in self.board["track"]
            ]
            self.board |= {
                "track": arrows,
                "rewards": self.board["rewards"] if steps_reward is None else [steps_reward] * 8,
            }
        self.first_right_needs_cube = first_right == "cube"
        self.only_solved_count, self.each_names = second_end == "solved", announcement == "each"
        self.chip = {}
        for place, letter in enumerate("ABCDEF"[:seats], 1):
            count = lone_riddles if place == lone else riddles or (3 if seats == 3 else 2)
            self.chip |= {f"{letter}{number}": 0 for number in range(1, count + 1)}
        self.gone: dict[str, str] = {}
        self.solver: dict[str, int] = {}
        self.letters: dict[str, list[str | None]] = {name: [None] * 5 for name in self.chip}
        self.place = [board["start"] if board else 0] * seats
        self.low = {seat for seat in self.seats if board and board["start"] == 0}
        self.active, self.turn, self.moved, self.kind = 0, "clue", "", ""
        self.first_right, self.used = "", False
        self.cubes: list[int | None] = []
        self.fell, self.unnamed = 0, list[int]()  # how many cubes, and the numbers of those without a known owner
        self.guessed: list[int] = []
        self.about, self.claiming = "", False
        self.winners: list[int] = []
        self.seen: Counter[str] = Counter()

    def open(self, name: str, seat: int | None) -> bool:
        return name in self.chip and name not in self.gone and creator(name) != seat

    def guessable(self, name: str, seat: int | None) -> bool:
        return self.open(name, seat) and self.chip[name] > 0

    def announces(self, seat: int) -> bool:
        return (
            seat in self.seats
            and seat not in self.cubes
            and seat not in self.guessed
            and not (self.used and seat == self.active)
            and not (seat in self.low and seat != self.active)
            and any(self.guessable(name, seat) for name in self.chip)
            and not (self.about and creator(self.about) == seat and not self.each_names)
        )

    @property
    def renames(self) -> bool:
        """Whether the next cube is its sculptor's, who must name another riddle."""
        return bool(self.about) and bool(self.cubes) and self.cubes[0] == creator(self.about)

    @property
    def phase(self) -> str:
        guessing = "hear" if self.renames else "guess"
        announcement = "claim" if self.claiming else guessing if self.about else "cubes" if self.cubes else ""
        return "over" if self.winners else announcement or self.turn

    @property
    def seat(self) -> int | None:
        phase = self.phase
        return self.active if phase in ("clue", "ask", "claim") else self.cubes[0] if phase == "guess" else None

    def state(self) -> Line:
        return {
            "phase": self.phase,
            "seat": self.seat,
            "scores": self.place,
            "winners": self.winners,
            "facts": {
                "active": self.active,
                "riddles": {
                    name: {
                        "chip": chip,
                        "state": self.gone.get(name, "open"),
                        "letters": self.letters[name],
                        "solver": self.solver.get(name),
                    }
                    for name, chip in self.chip.items()
                },
                "queue": self.cubes,
                "riddle": None if self.phase == "hear" else self.about or None,
                "hindmost": sorted(self.low),
            },
        }

    def allows(self, line: Line) -> bool:
        needed, known = fields_of(line["do"])
        fields = {name: value for name, value in line.items() if name != "do"}
        return needed <= fields.keys() <= known and bool(getattr(self, "may_" + line["do"])(**fields))

    def play(self, line: Line) -> None:
        fields = {name: value for name, value in line.items() if name != "do"}
        self.seen[line["do"]] += 1
        getattr(self, "do_" + line["do"])(**fields)

    # The turn

    def may_clue(self, riddle: str, kind: Any = NONE) -> bool:
        known = kind is NONE if self.board else kind in KINDS
        return self.phase == "clue" and known and self.open(riddle, self.active)

    def do_clue(self, riddle: str, kind: Any = NONE) -> None:
        self.chip[riddle] += 1
        self.moved, self.turn = riddle, "ask"
        self.kind = self.board["clues"][self.chip[riddle] - 1] if self.board else kind
        if self.chip[riddle] == 1:
            self.first_right = riddle

    def may_asked(self, kind: str, position: Any = NONE, letter: Any = NONE) -> bool:
        if self.phase != "ask" or kind not in ("questions", "letter") or self.kind not in (kind, "either"):
            return False
        if kind == "questions":
            return position is NONE and letter is NONE
        return position in (1, 2, 3, 4, 5) and (letter is None or (isinstance(letter, str) and len(letter) == 1))

    def do_asked(self, kind: str, position: int = 0, letter: str | None = None) -> None:
        if kind == "letter":
            self.letters[self.moved][position - 1] = letter
        if self.chip[self.moved] == 7:
            self.turn = "last-call"
        else:
            self.next_turn()

    def may_expire(self) -> bool:
        return self.phase == "last-call"

    def do_expire(self) -> None:
        self.gone[self.moved] = "expired"
        self.next_turn()

    def next_turn(self) -> None:
        self.turn, self.moved, self.first_right = "clue", "", ""
        for _ in self.seats:
            self.active = (self.active + 1) % len(self.seats)
            others = [name for name in self.chip if creator(name) != self.active]
            if any(self.open(name, self.active) for name in others):
                return
            if not self.only_solved_count or all(self.gone[name] == "solved" for name in others):
                break
            self.seen["a turn without a riddle passes"] += 1
        self.winners = [seat for seat in self.seats if self.place[seat] == max(self.place)]
        self.seen["no riddle open"] += 1

    # The announcement

    def may_cube(self, seat: int | None) -> bool:
        if self.phase not in ("clue", "ask", "last-call", "cubes") or len(self.cubes) == len(self.seats):
            return False
        return any(self.guessable(name, None) for name in self.chip) and (seat is None or self.announces(seat))

    def do_cube(self, seat: int | None) -> None:
        self.cubes.append(seat)
        self.fell += 1
        self.unnamed += [self.fell] if seat is None else []

    def may_owner(self, seat: int) -> bool:
        return self.may_home() and self.announces(seat)

    def do_owner(self, seat: int) -> None:
        self.cubes[self.cubes.index(None)] = seat
        self.unnamed.pop(0)

    def may_home(self) -> bool:
        return (self.phase == "cubes" and None in self.cubes) or (self.phase == "guess" and self.cubes[0] is None)

    def do_home(self) -> None:
        self.seen["home in " + self.phase] += 1
        self.cubes.remove(None)
        self.fell -= 1
        self.unnamed = [number - 1 for number in self.unnamed[1:]]
        self.close_if_empty()

    def may_hear(self, riddle: str) -> bool:
        named_again = self.each_names and (self.phase == "hear" or (self.phase == "guess" and riddle != self.about))
        next_up = (self.phase == "cubes" or named_again) and self.cubes[0] is not None
        return next_up and self.guessable(riddle, self.cubes[0])

    def do_hear(self, riddle: str) -> None:
        self.seen["another riddle named"] += bool(self.about)
        self.about = riddle
        if creator(riddle) in self.cubes and not self.each_names:
            self.cubes.remove(creator(riddle))
            self.seen["a creator's cube went home"] += 1
        first = self.cubes[0] == self.active
        has_cube = self.active in self.cubes or None in self.cubes
        late = self.active in self.guessed
        self.claiming = (
            self.first_right == riddle and not first and not late and (has_cube or not self.first_right_needs_cube)
        )
        self.seen["first anyway"] += self.first_right == riddle and first
        self.seen["no cube, no first right"] += self.first_right == riddle and not has_cube and not self.claiming

    def may_claim(self, take: bool) -> bool:
        return self.phase == "claim" and isinstance(take, bool)

    def do_claim(self, take: bool) -> None:
        self.claiming = False
        self.seen[f"take {take}"] += 1
        if take:
            self.seen["taken with a cube in the queue"] += self.active in self.cubes
            self.cubes = [self.active, *(cube for cube in self.cubes if cube != self.active)]
            self.first_right, self.used = "", True

    def may_guess(
        self, right: bool, steps: Any = NONE, reward: Any = NONE, stands: Any = NONE, creator_stands: Any = NONE
    ) -> bool:
        if self.phase != "guess" or self.cubes[0] is None or not isinstance(right, bool):
            return False
        if self.board:
            return steps is reward is stands is creator_stands is NONE
        if steps not in range(13) or (not right and steps > 0 and self.cubes[0] in self.low):
            return False
        if stands not in (NONE, "hindmost", "final") or creator_stands not in (NONE, "hindmost", "final"):
            return False
        if (stands == "final" and not right) or (stands == "hindmost" and right and steps > 0):
            return False
        if not right or stands == "final":
            return reward is creator_stands is NONE
        return reward in range(4) and not (creator_stands == "hindmost" and reward > 0)

    def do_guess(self, right: bool, steps: int = 0, reward: int = 0, stands: Any = NONE, creator_stands: Any = NONE):
        seat = self.cubes.pop(0)
        self.guessed.append(seat)
        arrows = self.board["track"][self.place[seat]] if self.board else (steps, steps)
        self.move(seat, arrows[1] if right else -arrows[0], stands)
        if right:
            self.gone[self.about], self.solver[self.about] = "solved", seat
            self.cubes = []
            if not self.winners:
                paid = self.board["rewards"][self.chip[self.about]] if self.board else reward
                self.move(creator(self.about), paid, creator_stands)
                self.seen["a creator won"] += bool(self.winners)
            else:
                self.seen["a solver won"] += 1
        self.close_if_empty()

    def move(self, seat: int, steps: int, stands: Any) -> None:
        self.place[seat] += steps
        if self.board:
            last = len(self.board["track"]) - 1
            self.place[seat] = max(0, min(last, self.place[seat]))
            stands = {0: "hindmost", last: "final"}.get(self.place[seat], "")
        elif steps == 0 and stands is NONE and seat in self.low:
            stands = "hindmost"
        self.low = self.low | {seat} if stands == "hindmost" else self.low - {seat}
        if stands == "final":
            self.winners = [seat]

    def close_if_empty(self) -> None:
        if self.cubes:
            return
        self.about, self.guessed, self.used = "", [], False
        self.fell, self.unnamed = 0, []
        if self.winners:
            return
        if self.turn == "last-call":
            if self.moved in self.gone:
                self.seen["last call answered"] += 1
                self.next_turn()
            return
        if self.turn == "ask" and self.moved in self.gone:
            self.turn = "clue"
            self.seen["picks another"] += 1
        if self.turn == "clue" and not any(self.open(name, self.active) for name in self.chip):
            self.seen["the turn passes"] += 1
            self.next_turn()


@cache
def fields_of(verb: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the fields that a verb needs, and all that it may have."""
    _, *parameters = signature(getattr(Referee, "may_" + verb)).parameters.values()
    needed = frozenset(each.name for each in parameters if each.default is each.empty)
    return needed, frozenset(each.name for each in parameters)


def creator(name: str) -> int:
    return "ABCDEF".index(name[0])


@cache
def guesses(board: bool) -> list[Line]:
    """Return all possible guesses, and many impossible ones."""
    if board:
        plain = [{"do": "guess", "right": right} for right in (True, False)]
        return [*plain, {**plain[1], "steps": 1}, {**plain[0], "reward": 1}, {**plain[0], "stands": "final"}]
    steps = (NONE, 0, 0, 1, 2, 5, 12, 13, -1)
    rewards = (NONE, NONE, 0, 1, 3, 4)
    ends = (NONE, NONE, NONE, "hindmost", "final", "start")
    rows = product((True, False), steps, rewards, ends, ends)
    names = ("right", "steps", "reward", "stands", "creator_stands")
    made = [dict(zip(names, row, strict=True)) for row in rows]
    return [{"do": "guess", **{name: value for name, value in row.items() if value is not NONE}} for row in made]


def universe(referee: Referee, chance: Random) -> Iterator[Line]:
    """Yield lines to try in any position: all that could be legal, near misses, and a sample of guesses."""
    board = bool(referee.board)
    for name in [*referee.chip, "A9"]:
        yield {"do": "hear", "riddle": name}
        yield {"do": "clue", "riddle": name, **({} if board else {"kind": chance.choice(KINDS)})}
    yield {"do": "clue", "riddle": "B1", "kind": "letter"}
    yield {"do": "clue", "riddle": "C1"}
    for seat in [*referee.seats, len(referee.seats)]:
        yield {"do": "owner", "seat": seat}
        yield {"do": "cube", "seat": seat}
    yield {"do": "cube", "seat": None}
    yield {"do": "owner", "seat": None}
    yield {"do": "asked", "kind": "questions"}
    yield {"do": "asked", "kind": "questions", "position": 1, "letter": "E"}
    for position, letter in ((1, "E"), (5, None), (3, "ß"), (0, "E"), (6, None), (2, ""), (2, "EE")):
        yield {"do": "asked", "kind": "letter", "position": position, "letter": letter}
    yield {"do": "asked", "kind": "either"}
    yield {"do": "asked", "kind": "letter", "position": 2}
    yield from ({"do": "claim", "take": take} for take in (True, False))
    yield from ({"do": "home"}, {"do": "expire"}, {"do": "claim"})
    if not board:
        yield {"do": "guess", "right": False, "steps": 0}
        yield {"do": "guess", "right": True, "steps": 1, "reward": 0}
    yield from guesses(board) if board else chance.sample(guesses(board), 40 if referee.phase == "guess" else 1)


WEIGHTS = {"cube": 0.5, "home": 0.4, "owner": 2.0, "hear": 0.5}


def chosen(allowed: list[Line], chance: Random) -> Line:
    """Choose an act kind first, then one of its lines; reaching an end of the track stays rare."""
    verbs = sorted({line["do"] for line in allowed})
    verb = chance.choices(verbs, [WEIGHTS.get(verb, 1.0) for verb in verbs])[0]
    lines = [line for line in allowed if line["do"] == verb]
    calm = [line for line in lines if "final" not in line.values()]
    if verb == "guess":
        right = chance.random() < 0.3
        calm = [line for line in calm if line["right"] == right] or calm
    return chance.choice(calm if calm and chance.random() < 0.97 else lines)


def compare(seats: int, options: Line, seed: object, every: int = 4) -> Referee:
    """Play one game under both referees; in each `every`th position compare what is allowed at all."""
    chance = Random(str(seed))
    match = Match(Dohdles, [f"P{seat}" for seat in range(seats)], options)
    referee = Referee(seats, **options)
    for number in range(5000):
        assert json.loads(dump(match.state())) == referee.state()
        assert match.now.audit() == ""
        asked = [str(ask.text) for ask in match.asks if ask.verb == "owner"]
        assert asked == [f"Whose is cube {number}?" for number in referee.unnamed[:1] if referee.may_home()]
        lines = list(universe(referee, chance))
        allowed = [line for line in lines if referee.allows(line)]
        if number % every == 0 or not allowed:
            assert [line for line in lines if accepts(match, act_of(line))] == allowed
        if not allowed:
            break
        line = chosen(allowed, chance)
        match.play(act_of(line))
        referee.play(line)
    assert referee.phase == "over"
    assert match.asks == ()
    return referee
