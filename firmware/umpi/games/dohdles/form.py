"""The form of a measured board: read the text that a player typed into a profile.

    clues: ?? ABC ?? ABC ?? ABC ??/ABC      # the seven clue spaces, as they are printed
    rewards: 0 3 3 2 2 1 1 0                # the number beside the chip, at its start and on each clue space
    start: 3                                # the space with the white arrow
    0: 0 3                                  # space 0, the hindmost: red arrows, green arrows
    1: 1 3                                  # and so on to the final space

Text after # is a comment.
"""

from __future__ import annotations

from difflib import get_close_matches

from umpi.games.dohdles.board import REWARDS, SPACES, flaw
from umpi.kernel.fields import Value

KINDS = {
    "??": "questions", "?": "questions", "questions": "questions",
    "abc": "letter", "letter": "letter",
    "??/abc": "either", "?/abc": "either", "either": "either",
}  # fmt: skip
NAMES = ("clues", "rewards", "start")
LONGEST = 30  # characters of a word that are shown


class BadForm(ValueError):
    """Report what is wrong in a form, and in which line."""


def read_form(text: str) -> dict[str, Value]:
    """Read a form with one field per line and return its profile.

    Raises BadForm, with the line and the expected text, if the form is wrong.
    """
    found: dict[str, tuple[int, list[str]]] = {}
    track: list[tuple[int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, values = line.partition("#")[0].partition(":")
        name, words = name.strip().lower(), values.split()
        if not name and not colon:
            continue
        if not colon:
            raise _bad(
                number, f"expected a name or the number of a space, and a colon, as in 4: 1 3; got {_shown(name)}"
            )
        if name in found:
            raise _bad(number, f"{_called(name)} is already in line {found[name][0]}")
        if _whole(name) is not None:
            track.append(_arrows(number, name, words, len(track)))
        elif name not in NAMES:
            close = get_close_matches(name, NAMES, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(NAMES)}, and spaces by number"
            raise _bad(number, f"there is no {_shown(name)}: {hint}")
        found[name] = number, words
    for name in NAMES:
        if name not in found:
            raise BadForm(f'the line "{name}: …" is missing.')
    if len(track) < 2:
        raise BadForm(
            f"expected 2 or more spaces of the track, with one line per space, as in 0: 0 3; got {len(track)}."
        )
    profile: dict[str, Value] = {
        "clues": _clues(*found["clues"]),
        "rewards": _rewards(*found["rewards"]),
        "track": tuple(track),
        "start": _start(*found["start"], len(track)),
    }
    if why := flaw(profile):
        raise BadForm(why)
    return profile


def _arrows(line: int, name: str, words: list[str], due: int) -> tuple[int, int]:
    """Return the arrows of one space.

    Raises BadForm if a space is out of order, so that a missing line is found.
    """
    space, numbers = int(name), [_whole(word) for word in words]
    if space != due:
        where = f"space {due} is missing before it" if space > due else f"space {due} is due"
        raise _bad(line, f"{_called(name)}: {where}")
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        raise _bad(line, f"{_called(name)}: expected two numbers, red arrows and green arrows; got {_given(words)}")
    return numbers[0], numbers[1]


def _clues(line: int, words: list[str]) -> tuple[str, ...]:
    for word in words:
        if word.lower() not in KINDS:
            raise _bad(line, f"clues: {_shown(word)} is none of ??, ABC, ??/ABC")
    if len(words) != SPACES:
        raise _bad(line, f"clues: expected {SPACES}, one per clue space; got {len(words)}")
    return tuple(KINDS[word.lower()] for word in words)


def _rewards(line: int, words: list[str]) -> tuple[int, ...]:
    rewards = []
    for word in words:
        number = _whole(word)
        if number is None or number not in REWARDS:
            raise _bad(line, f"rewards: {_shown(word)} is not a number from {REWARDS[0]} to {REWARDS[-1]}")
        rewards.append(number)
    if len(rewards) != SPACES + 1:
        many = f"expected {SPACES + 1}, one for the chip's start and one per clue space"
        raise _bad(line, f"rewards: {many}; got {len(rewards)}")
    return tuple(rewards)


def _start(line: int, words: list[str], spaces: int) -> int:
    number = _whole(words[0]) if len(words) == 1 else None
    if number is None or number > spaces - 2:
        raise _bad(line, f"start: expected a space before the last, 0 to {spaces - 2}; got {_given(words)}")
    return number


def _whole(word: str) -> int | None:
    """Return a whole number of up to four digits, None if the word is not one."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 4 else None


def _called(name: str) -> str:
    return f"space {int(name)}" if name.isdigit() else name


def _given(words: list[str]) -> str:
    return _shown(" ".join(words)) if words else "nothing"


def _shown(word: str) -> str:
    printed = "".join(letter if letter.isprintable() else "?" for letter in word)
    return f'"{printed}"' if len(printed) <= LONGEST else f'"{printed[:LONGEST]}…"'


def _bad(line: int, why: str) -> BadForm:
    return BadForm(f"line {line}: {why}{'' if why.endswith('?') else '.'}")
