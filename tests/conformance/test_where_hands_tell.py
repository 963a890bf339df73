"""The check of hands names the key of the text that tells what others hold."""

from __future__ import annotations

import pytest
from planted import hands

from umpi.conformance import check_game
from umpi.conformance.hands import _place
from umpi.kernel import Row, View, message


@pytest.mark.parametrize(("game", "where"), [(hands.OpenFacts, 'shown_facts["hands"]['), (hands.Totals, "view.rows[")])
def test_a_fault_names_the_key(game: type, where: str) -> None:
    with pytest.raises(AssertionError) as fault:
        check_game(game, games=1)
    assert where in str(fault.value)


def test_a_text_is_named_with_its_value() -> None:
    here, there = (View(rows=(Row("", (message("{pot} points, {deck} cards", pot=3, deck=deck),)),)) for deck in (4, 5))
    assert _place(here, there) == '.rows[0].cells[0], {deck} of the text "{pot} points, {deck} cards",'
