"""Checks of identities: a game stays equal if it is written and read, undone and replayed, or amended by itself."""

from __future__ import annotations

from collections.abc import Iterator

from umpi.conformance.flaws import Flaw, shown, written
from umpi.kernel.fields import Chance
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import Header, replay


def recorded(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the game's record leads to the same position."""
    lines = written(Header(match.game, match.players, match.options), match.acts)
    *_, last = replay(lines, lambda name: match.game)
    if last.error or last.record is None:
        yield Flaw(f"Read back, line {last.line} of its record is refused: {last.error}")
    elif last.record.match.state() != match.state() or last.record.match.acts != match.acts:
        yield Flaw("Read back, its record leads to another position.")


def undone(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether each position is the same after undoing to the start and playing again."""
    again, states = Match(match.game, match.players, match.options), []
    for act in match.acts:
        states.append(again.state())
        again.play(act)
    states.append(again.state())
    for state in reversed(states):
        if again.state() != state:
            yield Flaw(f"Undone to act {len(again.acts)}, it stands elsewhere than it did.")
            return
        if again.acts:
            again.undo()
    for number, act in enumerate(match.acts, 1):
        try:
            again.play(act)
        except Refused as fault:
            yield Flaw(f"Undone to the start and played again, {shown(act)} is refused: {fault}")
            return
        if again.state() != states[number]:
            yield Flaw(f"Undone to the start and played again, {shown(act)} leads elsewhere.")
            return


def amended(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether replacing an act by itself loses no act and changes nothing."""
    if not match.acts:
        return
    before, last = match.state(), len(match.acts) - 1
    for index in sorted({0, int(chance() * last), last}):
        act = match.acts[index]
        try:
            copy, lost = match.amended(index, act)
        except Refused as fault:
            yield Flaw(f"{shown(act)} amended by itself, act {index + 1}, is refused: {fault}")
            return
        if lost:
            yield Flaw(f"{shown(act)} amended by itself, act {index + 1}, loses {len(lost)} of the acts after it.")
        elif copy.state() != before or copy.acts != match.acts:
            yield Flaw(f"{shown(act)} amended by itself, act {index + 1}, leads to another position.")
        elif match.state() != before:
            yield Flaw(f"{shown(act)} amended in a copy, act {index + 1}, changes the match itself.")
