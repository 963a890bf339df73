"""The board that a foreign game brings as data: its pieces, its keys, what is offered, and a fallback if it is odd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.boards import draw
from tests.kit.browsing import Phone
from tests.kit.foreign_boards import BOARDS, document
from umpi.kernel.match import Match

pytestmark = pytest.mark.slow  # each needs a browser

SHOWN = """
    const [match, values, done] = arguments;
    const options = values.map((value) => ({ value, off: value === "level-0" ? "not now" : "" }));
    const question = { asks: [{ fields: [{ name: "space", options }, { name: "number", low: 1 }] }] };
    import("/boards/all.js").then(({ boardView }) => {
        const place = document.getElementById("board");
        boardView(place)({ match, question }, [{ kind: "rises", pieces: ["water", "gone"] }, { kind: "said" }]);
        const keys = (selector) => [...place.querySelectorAll(selector)].map((one) => one.dataset.key);
        done([keys("[data-key]"), keys(".b-offered"), keys(".b-lit"), place.firstChild.getAttribute("aria-label")]);
    });
"""


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_of_data_is_drawn_in_one_piece(page: Phone, name: str, small: bool) -> None:
    assert draw(page, [(name, document(BOARDS[name]))], small) == []
    assert not page.complaints()


@pytest.mark.parametrize("name", BOARDS)
def test_every_piece_and_space_has_its_key(page: Phone, name: str) -> None:
    keys, _, _, sentence = page.here.execute_async_script(SHOWN, document(BOARDS[name]), [])
    assert sorted(keys) == sorted(piece.key for piece in BOARDS[name].pieces())
    assert sentence.strip()


def test_readers_hear_the_pieces_with_their_owners_and_colours(page: Phone) -> None:
    said = [page.here.execute_async_script(SHOWN, document(BOARDS[name]), [])[3] for name in ("cards", "dice", "track")]
    assert said[0] == (
        "market: 0, 1 red, 2 blue, 3 yellow, 4 green, 5 purple, 6 grey; "
        "31 cards, K♥ red, pot 120, a card face down; Maximiliane: 5 cards; Jo: 5 cards"
    )
    assert "own dice: Maximiliane 7, Jo 8" in said[1]
    assert said[2] == (
        "the way to the castle: 17 (Maximiliane, Jo, Anne-Catherine, Bartholomew, Éva, Konstantin); "
        "a piece, R, Éva K, Jo 10"
    )


def test_a_call_and_the_options_light_up_the_pieces_that_they_name(page: Phone, ferry: Any) -> None:
    match = Match(ferry, ("Ann", "Ben"), {})
    table = document(match.now.shown_board(), match.players)
    _, offered, lit, _ = page.here.execute_async_script(SHOWN, table, ["level-0", "level-2", "traveller-3", 2, None])
    assert offered == ["level-2", "traveller-3"], "of what is on the board, only what can be chosen"
    assert lit == ["water"]


ODD: list[Callable[[dict[str, Any]], Any]] = [
    lambda table: table["board"][0].update(kind="spiral"),
    lambda table: table["board"][1]["pieces"][1].update(ink="pink"),
    lambda table: table["board"][1]["pieces"][0].pop("number"),
    lambda table: table["board"][0]["pieces"][0].update(kind="puppet"),
    lambda table: table["board"][0]["pieces"][0].update(kind="token", text="", seat=9),
]


@pytest.mark.parametrize("number", range(len(ODD)))
def test_an_odd_value_has_no_board_and_is_logged_in_one_line(page: Phone, number: int) -> None:
    table = document(BOARDS["cards"])
    ODD[number](table)
    page.here.refresh()
    page.find("#turn")
    page.here.get_log("browser")
    assert draw(page, [("odd", table), ("again", table)], False) == [("odd", "not drawn"), ("again", "not drawn")]
    logged = [line for line in page.here.get_log("browser") if "The board of of-a-stranger" in line["message"]]
    assert [line["level"] for line in logged] == ["WARNING"]
