"""The menu of a match in each of its states, as somebody has read it: what it offers, and what its answers become."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.kit.menus_told import described
from tests.kit.seen import check_seen
from umpi.display.menu import MenuEntry
from umpi.display.menus import menu
from umpi.kernel import Act, Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.table.card import CardWork
from umpi.table.hint import Hint
from umpi.table.names import PlayerNames
from umpi.table.seating import Seating
from umpi.table.state import TableState
from umpi.timing.race import Race

NAMES, KNOWN = ("Ann", "Ben", "Cem"), PlayerNames(known=("Zoe",))
THROWS = tuple(Act("throw", {"keep": (), "dice": dice}) for dice in ((4, 4, 5), (1, 2, 3)))
EVERYTHING = TableState(
    unsaved="The card is full.", device_errors={"scanner": "It does not answer."}, later=(Act("stop"),), names=KNOWN,
    phones=((1, "Ben's phone"),), card=CardWork(), hint=Hint(), race=Race(0, ()), alone=frozenset({1}),
)  # fmt: skip
DEEP = 4
FULL = "with everything"  # of some others the entry of the players is followed


def played(game: str, *acts: Act, seats: int = 2) -> Match:
    match = Match(find(game), NAMES[:seats])
    for act in acts:
        match.play(act)
    return match


STATES: dict[str, tuple[Match, TableState, bool, dict[str, Any]]] = {
    "before the first act of three": (played("dodeka", seats=3), TableState(), True, {"moderator": ""}),
    FULL: (played("dodeka", *THROWS), EVERYTHING, False, {}),
    "a seat of Umpi": (played("dodekka"), TableState(names=KNOWN), True, {"levels": {2: "medium"}}),
    "a third may go": (played("quiz", seats=3), TableState(), True, {"moderator": "Mod"}),
    "at the end": (play_out(find("dodekka"), NAMES[:2]), TableState(), True, {}),
}


def told(command: object) -> str:
    """A command with what it has, but a table only by its seats."""
    if isinstance(command, Seating):
        return f"{command.players} {command.buttons} {command.levels}"
    if isinstance(command, tuple):
        return f"{[told(each) for each in command]}"
    if isinstance(command, Act):
        return f"{command.line()}"
    parts = (getattr(command, name, None) for name in getattr(type(command), "__dataclass_fields__", ()))
    return f"{type(command).__name__} {' '.join(told(each) for each in parts)}" if parts and command and not isinstance(
        command, str | int) else f"{command}"  # fmt: skip


def tree(state: str, taps: tuple[object, ...]) -> Iterator[str]:
    """Yield a line for each way from the menu, and for some ways below: the first ones and the last."""
    match, table, quick, more = STATES[state]
    seating = Seating(match.game, match.players, tuple(range(1, len(match.players) + 1)), **more)
    entry: MenuEntry[object] = MenuEntry(partial(menu, match, seating, quick, table))
    for tap in taps:
        entry.tap(tap)
    indent = "  " * len(taps)
    if entry.menu is None:
        yield f"{indent}{told(entry.result)}".replace("\n", "/")[:180]
        return
    question = described(entry.menu, 0)
    yield f"{indent}{question}"[:180] if taps else question.partition("[")[0] + question.rpartition("]")[2]
    ways = [choice for choice in entry.menu.choices if not choice.off]
    first = 2 if len(taps) == 2 else 1
    for choice in entry.menu.choices if not taps else [*ways[:first], *ways[max(first, len(ways) - 1) :]]:
        yield f"{indent}- {choice.label}{f' (off: {choice.off})' * bool(choice.off)}"
        if not choice.off and len(taps) < DEEP and (taps or state == FULL or (more and choice.label == "Players")):
            yield from tree(state, (*taps, choice.value))


def test_the_menu_offers_what_somebody_has_read() -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes menus.txt; read what is different."""
    check_seen(
        Path(__file__).with_name("menus.txt"), (line for state in STATES for line in (f"{state}:", *tree(state, ())))
    )
