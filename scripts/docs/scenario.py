"""Write a scenario from a record: the presses that enter each act, and what the screen must then show.

If all turns of a record are a throw and a stop, the scenario enters both at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from umpi.box.config import COLOURS
from umpi.display.panel import Key
from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.record import replay
from umpi.kernel.registry import find


def main() -> None:
    """Read the record and print the scenario."""
    parser = argparse.ArgumentParser(prog="./scripts/dev scenario", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("record", type=Path)
    options = parser.parse_args()
    with options.record.open("rb") as lines:
        *_, last = replay(lines, find)
    if last.error or last.record is None:
        sys.exit(f"{options.record}, line {last.line}: {last.error}")
    match = last.record.match
    if match.options != match.game.at_buttons:
        sys.exit("Only a game with the options a box begins with can be written: others' presses are not known here.")
    print("\n".join(scenario(match, options.record.name)))


def scenario(match: Match, name: str) -> Iterator[str]:
    """Yield the lines of the scenario. Players have the colours of their buttons as names."""
    players = [colour.capitalize() for colour in COLOURS[: len(match.players)]]
    yield f"# From power-on to a winner: {name}, as buttons enter it."
    yield 'expect "Which game?"'
    yield f"game {match.game.id}"
    yield f"press {' '.join(COLOURS[: len(players)])} ok"
    if match.game.options:
        yield 'expect "OK start"'
        yield "press ok"
    again = Match(match.game, players, match.options)
    answers = list(_answers(match))
    quick = all(len(acts) == 2 for acts in answers if acts[0].verb == "throw" and acts is not answers[-1])
    if not quick:
        yield "hold back"
        yield "press up"
        yield 'expect "Enter every roll"'
        yield f"press {COLOURS[2]}"
    for acts in answers:
        yield from _entered(again, players, acts, quick)
        for act in acts:
            again.play(act)
        yield from _expected(again)


def _entered(match: Match, players: Sequence[str], acts: Sequence[Act], quick: bool) -> Iterator[str]:
    """Yield the presses of one answer. The menu offers what the buttons do not, such as a field that is aside."""
    try:
        yield _pressing(presses(match.asks, players, acts, quick))
        return
    except CannotType:
        pass
    try:
        held, *keys = presses_in_menu(match, acts)
        yield f"hold {_button(held)}"
        yield _pressing(keys)
    except CannotType as fault:
        sys.exit(f"Act {len(match.acts) + 1} cannot be entered by buttons: {fault}.")


def _pressing(keys: Sequence[Key]) -> str:
    return f"press {' '.join(map(_button, keys))}"


def _answers(match: Match) -> Iterator[Sequence[Act]]:
    """Collect the acts that one answer enters."""
    acts, index = match.acts, 0
    while index < len(acts):
        following = acts[index + 1].verb if index + 1 < len(acts) else ""
        both = match.asked(index).followed_by == following != ""
        yield acts[index : index + 1 + both]
        index += 1 + both


def _expected(match: Match) -> Iterator[str]:
    result = match.now.result()
    if result:
        names = " & ".join(match.players[seat] for seat in result.winners)
        yield f'expect "{names} win{"s" if len(result.winners) == 1 else ""}!"' if names else 'expect "All lose!"'
        if names:
            yield f"lamp {' '.join(COLOURS[seat] for seat in result.winners)}"
        yield "expect " + " ".join(f'"{score}"' for score in match.now.scores())
        return
    seat = match.seat
    yield f"lamp {' '.join(COLOURS[: len(match.players)]) if seat is None else COLOURS[seat]}"


def _button(key: Key) -> str:
    return COLOURS[key] if isinstance(key, int) else key


if __name__ == "__main__":
    main()
