"""The boards on the screens: page, phone, television, overlay; what is hidden, what moves, how much is loaded."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone
from tests.kit.resumed import BELOW, CUT, played
from tests.kit.tables import NAMES
from umpi.games.dohdles.board import PROPOSAL
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.web.joined import joined_page

PAGE = Path(__file__).parents[3] / "firmware/umpi/web/page"
FIRST_LOAD = 180_000  # bytes, compressed
CASES = {
    "dodeka": (6, 20), "dodekka": (4, 30), "battledodes": (2, 30), "dohdles": (6, 21), "dudab-buba": (6, 61),
    "quiz": (6, 15), "scorepad": (6, 2),
}  # fmt: skip
KEYS = "return [...document.querySelectorAll('#board [data-key]')].map((one) => one.dataset.key)"
SIZES = ((360, 740, "table"), (740, 360, "table"), (1280, 800, "table"), (1280, 720, "tv"), (1920, 1080, "tv"))


def has_room(phone: Phone, drawing: str) -> None:
    """Check that each screen has room for a board."""
    for width, height, view in SIZES:
        phone.resize(width, height)
        phone.go(view)
        phone.find(drawing)
        assert phone.here.execute_script("return document.documentElement.scrollWidth") <= width
        assert phone.here.execute_script(CUT) == [], (width, view)
        assert view != "tv" or phone.here.execute_script(BELOW) == [], width


@pytest.mark.slow
@pytest.mark.parametrize("game", CASES)
def test_each_screen_has_room_for_the_board(open_at: Any, game: str) -> None:
    seats, acts = CASES[game]
    options = {"board": PROPOSAL} if game == "dohdles" else {}
    _, phone = open_at(played(game, NAMES[:seats], acts, **options), 1280, 800, "table")
    has_room(phone, "#board svg")
    assert not phone.complaints()


@pytest.mark.slow
def test_hidden_hands_are_in_no_document_and_on_no_board(open_at: Any) -> None:
    match = played("dodekka", NAMES[:3], 30)
    assert match.asks
    sim, phone = open_at(match, 1280, 720, "tv")
    phone.find("#board svg")
    facts = sim.get("api/state")["match"]["facts"]
    assert not {"hands", "suits"} & set(facts)
    cards = "return [...document.querySelectorAll('#board .b-card')].map((one) => one.dataset.key.split('#')[0])"
    assert phone.here.execute_script(cards) == facts["line"]


@pytest.mark.slow
def test_a_stone_travels_only_for_those_who_want_motion(open_at: Any) -> None:
    sim, phone = open_at(played("dodeka", NAMES[:2], 2), 1280, 720, "table")
    moving = """
        const [table, done] = arguments;
        Promise.all([import("/boards/move.js"), import("/boards/all.js")]).then(([{ move }, { boardOf }]) => {
            const place = document.getElementById("board");
            move(place, boardOf(table, false));
            table.facts.points[0] += 200;
            move(place, boardOf(table, false), ["stone-0"]);
            done([place.getAnimations({ subtree: true }).length > 0, place.querySelectorAll(".b-lit").length]);
        });
    """
    table = sim.get("api/state")["match"]
    for motion, moves in (("no-preference", True), ("reduce", False)):
        phone.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])
        moved, lit = phone.here.execute_async_script(moving, table)
        assert lit == 1, "what a call is about lights up in either case"
        assert moved == moves


@pytest.mark.slow
def test_a_phone_that_must_answer_has_the_answer_and_one_that_waits_the_board(open_at: Any) -> None:
    sim, phone = open_at(played("dodeka", NAMES[:2], 2), 360, 740, "table")
    seat = sim.get("api/state")["match"]["turn"]
    phone.find("#board svg")
    phone.pair(sim.code(seat))
    phone.find("#question .option")
    phone.wait("return !document.querySelector('#board svg').checkVisibility()")


@pytest.mark.slow
def test_a_phone_whose_player_answers_aloud_has_the_board(open_at: Any) -> None:
    """It is their turn, but the table judges at the box: there is nothing to press."""
    match = Match(find("dohdles"), NAMES[:3], {"board": PROPOSAL})
    for act in (Act("clue", {"riddle": "B1"}), Act("cube", {"seat": 2}), Act("hear", {"riddle": "B1"})):
        match.play(act)
    sim, phone = open_at(match, 360, 740, "table")
    phone.pair(sim.code(2))
    phone.reads("#question", "say your answer")
    phone.find("#board svg")
    phone.wait("return document.querySelector('#board svg').checkVisibility()")


@pytest.mark.slow
def test_with_forced_colours_no_text_of_a_score_cuts_its_line(open_at: Any) -> None:
    """A browser draws a ground behind each text then, which hides what it covers."""
    _, phone = open_at(played("dohdles", NAMES[:4], 21, board=PROPOSAL), 1920, 1080, "tv")
    phone.cdp("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    phone.find("#scores .score")
    with_ground = """
        return [...document.querySelectorAll("#scores .score *")].filter((one) =>
            [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()) &&
            getComputedStyle(one).forcedColorAdjust !== "none").map((one) => one.outerHTML);
    """
    assert phone.here.execute_script(with_ground) == []


@pytest.mark.slow
def test_a_foreign_game_is_drawn_on_each_screen_with_the_keys_of_its_pieces(open_at: Any, ferry: Any) -> None:
    match = Match(ferry, ("Ann", "Ben"), {})
    match.play(Act("row", {"dice": (1, 4)}))
    sim, phone = open_at(match, 1280, 800, "table")
    has_room(phone, "#board svg.b-foreign")
    keys = phone.here.execute_script(KEYS)
    assert keys.index("traveller-0") < keys.index("level-0") < keys.index("water") < keys.index("traveller-1")
    assert not phone.here.execute_script("return document.querySelector('#scores .rows').checkVisibility()")
    assert not phone.complaints()
    (past,) = sim.get("api/matches")
    phone.go(f"past/{past['id']}")
    phone.find(".replay svg.b-foreign [data-key='traveller-0']")


@pytest.mark.slow
def test_a_game_whose_board_fails_has_its_rows(open_at: Any, ferry: Any, tmp_path: Path) -> None:
    code = tmp_path / "site" / "night_ferry.py"
    code.write_text(code.read_text(encoding="utf-8").replace('Token("water"', 'Token("traveller-0"'), encoding="utf-8")
    _, phone = open_at(Match(ferry, ("Ann", "Ben"), {}), 1280, 720, "tv")
    phone.reads("#scores .rows", "waiting", "8")
    assert phone.here.execute_script("return document.querySelector('#board').childElementCount") == 0
    assert not phone.complaints()


@pytest.mark.slow
def test_the_overlay_shows_the_board_where_its_address_asks_for_it(open_at: Any) -> None:
    _, phone = open_at(played("dodeka", NAMES[:2], 3), 1280, 720, "tv")
    for address, shown in (("overlay", False), ("overlay/board", True)):
        phone.here.execute_script("location.hash = arguments[0]", address)
        phone.wait("return document.querySelector('#board svg').checkVisibility() === arguments[0]", shown)


def test_the_first_load_is_small() -> None:
    """The page, its script and its stylesheet as they are sent."""
    joined = joined_page(PAGE)
    sent = sum(len(gzip.compress(each, 9)) for each in (joined.html.encode(), *joined.files.values()))
    assert sent < FIRST_LOAD
