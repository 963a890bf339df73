"""The profile of a board: the kinds of clues, the rewards by chip position, and the track with its arrows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from umpi.kernel import message, replace
from umpi.kernel.fields import Value

KINDS = ("questions", "letter", "either")
SPACES = 7  # clue spaces of a riddle; a chip at 0 is on its start
REWARDS = range(4)
STEPS = range(13)  # the arrows that the players may enter if there is no profile


# The sheet prints neither the track nor the rewards. So this board is ours: `umpi print dohdles board` draws it.
# Records may name it by its code, so it never changes: another board would be added to the option.
PROPOSAL: Mapping[str, Value] = {
    "clues": ("questions", "letter") * 3 + ("either",),
    "rewards": (0, 3, 3, 2, 2, 1, 1, 0),
    "track": ((0, 3), (1, 3), (1, 3), (1, 3), (1, 4), (2, 3), (1, 4), (2, 3), (2, 4), (2, 3), (2, 3), (3, 4), (2, 3),
              (3, 3), (3, 4), (3, 3), (3, 2), (4, 3), (3, 2), (4, 2), (4, 2), (4, 1), (0, 0)),
    "start": 3,
}  # fmt: skip
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # of a code: none that looks like another
CODE = 4  # letters
FORM = f"[{LETTERS}{LETTERS.lower()}]{{{CODE}}}"


@dataclass(frozen=True, slots=True)
class Board:
    """A measured board. Index 0 of the track is the hindmost space, and the last index is the final space."""

    clues: tuple[str, ...]
    rewards: tuple[int, ...]
    track: tuple[tuple[int, int], ...]  # for each space, the steps back and forward by its arrows
    start: int

    @classmethod
    def of(
        cls, profile: Mapping[str, Value], back: int | None = None, forward: int | None = None,
        reward: int | None = None,
    ) -> Board:  # fmt: skip
        """Return the board of a profile that has no flaw; each number replaces what is printed on all its spaces."""
        board = cls(**profile)  # type: ignore[arg-type]
        track = tuple(
            (own_back if back is None else back, own_forward if forward is None else forward)
            for own_back, own_forward in board.track
        )
        rewards = board.rewards if reward is None else (reward,) * len(board.rewards)
        return replace(board, track=track, rewards=rewards)

    @property
    def final(self) -> int:
        """Return the index of the final space."""
        return len(self.track) - 1


def flaw(profile: Mapping[str, Value]) -> str:
    """Return what is wrong in a profile, "" if nothing is."""
    keys = ("clues", "rewards", "track", "start")
    for key in profile:
        if key not in keys:
            return message('the profile has no "{key}"; it has {keys}.', key=key, keys=", ".join(keys))
    for key in keys:
        if key not in profile:
            return message('the profile lacks "{key}".', key=key)
    clues, rewards, track, start = (profile[key] for key in keys)
    if not isinstance(clues, tuple) or len(clues) != SPACES or any(kind not in KINDS for kind in clues):
        return f'"clues" must be seven of {", ".join(KINDS)}.'
    if not isinstance(rewards, tuple) or len(rewards) != SPACES + 1 or not all(_whole(own, 3) for own in rewards):
        return '"rewards" must be eight whole numbers from 0 to 3, by chip position.'
    if not isinstance(track, tuple) or len(track) < 2 or not all(map(_is_space, track)):
        return '"track" must be two or more pairs [back, forward] of whole numbers from 0.'
    if not _whole(start, len(track) - 2):
        return '"start" must be the index of a space before the last.'
    return ""


def _is_space(space: Value) -> bool:
    return isinstance(space, tuple) and len(space) == 2 and all(map(_whole, space))


def _whole(number: Value, most: int | None = None) -> bool:
    return type(number) is int and number >= 0 and (most is None or number <= most)


def code_of(profile: Mapping[str, Value]) -> str:
    """Return the code of a profile, which is printed on its board: the same profile always has the same code."""
    text = json.dumps({key: profile[key] for key in sorted(profile)}, separators=(",", ":"))
    number = int.from_bytes(sha256(text.encode()).digest()[:8])
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(CODE))
