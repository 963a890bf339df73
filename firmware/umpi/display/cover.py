"""The cover: what only one player may see appears once the others look away."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.match import Match

T = TypeVar("T")
_READY = object()


def cover(player: str, party: Translated | None = None) -> Menu:
    """Return the screen that waits until only this player, or the team `party`, looks at the box."""
    name = player_label(player)
    text = tr("{who} only: the others look away.", who=party or name)
    return Menu(name, (Choice(tr("ready"), _READY),), _READY, tr("ready"), text=text)


def privately(dialogue: Dialogue[T]) -> Dialogue[T]:
    """Mark each question of a dialogue as private."""
    given: object = None
    while True:
        try:
            menu = dialogue.send(given)
        except StopIteration as end:
            result: T = end.value
            return result
        given = yield replace(menu, private=True)


def hands_choice(match: Match, choice: object) -> tuple[Choice, ...]:
    """Return the menu's entry for the hands, if the box has dealt some."""
    return (Choice(tr("Look at a hand"), choice),) if match.hands_hidden else ()


def look_at_hand(match: Match, buttons: tuple[int, ...]) -> Dialogue[None]:
    """Ask whose hand, show a cover, and then that hand."""
    hands = {seat: match.now.own_hand(seat) for seat in range(len(match.players))}
    names = [
        Choice(player_label(match.players[seat]), seat, button=buttons[seat])
        for seat in hands
        if hands[seat] is not None
    ]
    seat = yield Menu(tr("Whose hand?"), tuple(names))
    assert isinstance(seat, int)
    yield cover(match.players[seat])
    texts = [tr(text, match.players) for text in hands[seat] or ()]
    done = (Choice(tr("done"), None),)
    yield Menu(player_label(match.players[seat]), done, None, tr("done"), text="\n".join(texts), private=True)
