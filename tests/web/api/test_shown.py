"""The document while no match is in play: what the screen of the box shows, in words."""

from __future__ import annotations

from tests.kit.at_table import Table, laid
from tests.kit.rig import Rigs, keys_of


def shown(table: Table) -> tuple[list[str], list[str]]:
    showing = table.document["showing"]
    return showing["texts"], showing["keys"]


def test_the_document_says_what_the_box_shows_until_a_match_is_in_play(rigs: Rigs) -> None:
    table = Table(rigs())
    rig = table.rig
    texts, keys = shown(table)
    assert (texts[0], keys[:2]) == ("Which game?", ["Battledodes dice", "Dodéka dice"])
    rig.press(f"{keys_of('dodeka')} red")
    assert shown(table) == (["Players?", "Red"], ["Red", "Blue", "Yellow", "Green", "White", "Black"])
    rig.press("ok")
    assert shown(table)[0][0] == "Not allowed"
    rig.press("back")
    rig.press("blue ok")
    assert shown(table) == (["Options"], ["target: 700", "sets: 3", "minutes: no limit", "Red starts"])
    rig.press("ok")
    assert table.document["showing"] is None
    rig.press("back", ms=1000)
    rig.choose("Exit match")
    assert shown(table)[0][-2:] == ["Dodéka dice", "In play: Red 0, Blue 0"]


def test_the_document_never_contains_a_code_of_the_box(rigs: Rigs) -> None:
    table = laid(rigs, "scorepad", ["Red", "Blue"])
    rig = table.rig
    rig.press("back", ms=1000)
    rig.choose("Exit match")
    while not rig.shows("Pair a phone"):
        rig.press("down" if not rig.shows("new game") else "black")
    rig.choose("Pair a phone")
    rig.choose("Referee")
    assert rig.loop.view.state.code
    assert shown(table) == (["A code is on the screen"], [])


def test_the_document_explains_each_option_that_the_box_offers(rigs: Rigs) -> None:
    table = Table(rigs())
    rig = table.rig
    rig.press(f"{keys_of('dohdles')} red blue yellow ok")
    assert shown(table)[1][4] == "first guess: with cube"
    explained = table.document["showing"]["help"]
    assert [line.partition(":")[0] for line in explained] == [
        "board", "riddles", "player alone", "riddles if alone", "first guess", "match end", "next guess",
    ]  # fmt: skip
    assert "The player who moves a riddle to its first clue may guess first." in explained[4]
    rig.press("white")
    assert table.document["showing"]["help"] == [explained[4].partition(": ")[2]]
