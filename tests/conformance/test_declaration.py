"""The declaration of an engine: what it says about its options is about options that it has."""

from __future__ import annotations

import pytest

from umpi.conformance.declaration import described
from umpi.games.dudab_buba import DudabBuba

HELP = DudabBuba.option_help
OTHERS = ("track", "jungle", "baby", "columns", "second_dudab", "jungle_place", "cover", "jungle_shed")


@pytest.mark.parametrize(
    ("option_help", "flaws"),
    [
        (HELP, []),
        ({}, []),
        (HELP | {"hand_most": "The most cards in a hand."}, []),
        (HELP | {"colour": "Which?"}, ['Its help of "colour" is for an option it has not.']),
        ({"request": HELP["request"]}, [f'Its option "{name}" has no help, though others have.' for name in OTHERS]),
    ],
)
def test_a_game_that_explains_its_options_explains_each(
    option_help: dict[str, str], flaws: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An experiment may do without."""
    monkeypatch.setattr(DudabBuba, "option_help", option_help)
    assert [flaw.why for flaw in described(DudabBuba)] == flaws
