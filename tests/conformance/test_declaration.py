"""The declaration of an engine: what it says about its options is about options that it has."""

from __future__ import annotations

import pytest

from umpi.conformance.declaration import described
from umpi.games.dudab_buba import DudabBuba

HELP = DudabBuba.option_help


@pytest.mark.parametrize(
    ("option_help", "flaws"),
    [
        (HELP, []),
        ({}, []),
        (HELP | {"hand_most": "The most cards in a hand."}, []),
        (HELP | {"colour": "Which?"}, ['Its help of "colour" is for an option it has not.']),
        ({"request": HELP["request"]}, []),
    ],
)
def test_a_help_is_for_an_option_that_the_game_has(
    option_help: dict[str, str], flaws: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DudabBuba, "option_help", option_help)
    assert [flaw.why for flaw in described(DudabBuba)] == flaws
