"""What `umpi texts` collects from a game, and the room for each text, is what somebody has read: heard/ has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.seen import check_seen
from umpi.conformance.said import Said, heard
from umpi.games.scorepad import ScorePad
from umpi.kernel import message, override
from umpi.kernel.registry import find

SEEN = Path(__file__).with_name("heard")


@pytest.mark.parametrize("game", ["battledodes", "quiz"])
def test_the_texts_of_a_game_are_found_with_the_room_for_each(game: str) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    file = SEEN / f"{game}.txt"
    lines = [
        " | ".join(
            " ".join(part.split()) for part in (room.partition(":")[0], text.context, text.english, text.many)
        ).rstrip(" |")
        for text, room in heard(find(game)).items()
    ]
    check_seen(file, lines)


class Held(ScorePad):
    """A score pad whose phones show a hand."""

    __slots__ = ()

    @override
    def own_hand(self, seat: int) -> tuple[str, ...]:
        return (message("{number} pearls", number=seat + 2),)


def test_what_only_a_phone_shows_of_a_hand_is_a_text_too() -> None:
    assert Said("{number} pearls") in heard(Held)
