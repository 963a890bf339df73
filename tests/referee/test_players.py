"""People come and go in the middle of a game: another name, a seat that leaves, a game that cannot go on."""

from __future__ import annotations

import json
from contextlib import closing

from tests.kit.rig import Rig, Rigs
from umpi.box.config import COLOURS
from umpi.display.menu import KEYS
from umpi.journal import open_to_read, read_lines, read_matches
from umpi.kernel.record import replay
from umpi.kernel.registry import find


def record(rig: Rig) -> list[str]:
    """The record of the last match in the journal, header first."""
    with closing(open_to_read(rig.loop.journal.path)) as file:
        *_, kept = read_matches(file)
        return [kept.header, *read_lines(file, kept.id)]


def players_menu(rig: Rig) -> None:
    """Open the menu's list of players, on any page."""
    rig.press("back", ms=1000)
    for _ in range(3):
        menu = rig.referee.panel._entry.menu
        for index, choice in enumerate(menu.choices):
            if choice.label == "Players":
                rig.press(
                    " ".join(
                        ["down"] * (index // 6) + [("red", "blue", "yellow", "green", "white", "black")[index % 6]]
                    )
                )
                assert rig.shows("Which player?"), rig.screen
                return


def test_a_game_that_cannot_continue_without_a_seat_ends_with_a_note(rigs: Rigs) -> None:
    """If the game cannot go on, the record ends with a note."""
    rig = rigs()
    rig.start("dodeka", "red blue ok ok red blue yellow")
    players_menu(rig)
    rig.press("red red")
    assert rig.shows("cannot continue", "without Red.", "end match"), rig.screen
    rig.press("white")
    assert rig.shows("last run 100"), rig.screen  # thought better of it
    players_menu(rig)
    rig.press("red red red")
    assert rig.shows("Match over", "Red left"), rig.screen
    assert json.loads(record(rig)[-1]) == {"note": "Red left. The match cannot continue and ends."}
    rig.press("ok")
    assert rig.shows("rematch"), rig.screen
    assert not rig.shows("resume")
    *_, last = replay([line.encode() for line in record(rig)], find)
    assert (last.error, last.n) == ("", 2)
    rig.close()
    rigs.made.clear()
    assert not rigs().shows("resume")


def test_the_first_player_is_kept_through_undo_restart_and_rematch(rigs: Rigs) -> None:
    """Another seat than the leftmost begins: the record has names and buttons in that order, and so has its rematch."""

    def headed(rig: Rig, number: int) -> bool:
        with closing(open_to_read(rig.loop.journal.path)) as file:
            headers = [json.loads(kept.header) for kept in read_matches(file)]
        tables = [(header["players"], header["buttons"]) for header in headers]
        return tables == [(["Yellow", "Black", "Red"], [2, 5, 0])] * number

    rig = rigs()
    rig.start("dodeka", "red yellow black ok green")
    assert rig.shows("Who starts?", "random"), rig.screen
    rig.press("yellow")
    assert rig.shows("Yellow starts"), rig.screen
    rig.press("ok")
    assert headed(rig, 1)
    assert rig.box.lit() == ["yellow"]
    rig.press("ok red blue yellow")
    assert rig.box.lit() == ["black"]
    rig.undo()
    assert rig.box.lit() == ["yellow"]
    assert headed(rig, 1)
    rig.press("ok red blue yellow")
    rig.close()
    rigs.made.clear()
    again = rigs()
    again.press("ok")
    assert again.box.lit() == ["black"]
    assert again.shows("Black", "last run 100"), again.screen
    again.press("back", ms=1000)
    menu, _ = again.referee.panel.question
    row = [choice.label for choice in menu.choices].index("Exit match")
    again.press(" ".join(["down"] * (row // KEYS) + [COLOURS[menu.key(row)]]))
    assert again.shows("In play: Yellow 100, Black 0, Red 0", "rematch"), again.screen
    again.press("yellow")  # rematch
    assert again.box.lit() == ["yellow"]
    assert headed(again, 2)
