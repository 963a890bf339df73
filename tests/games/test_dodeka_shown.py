"""Dodéka: the rule of a turn behind OK; test_records_shown.py has what the screens say between the throws."""

from __future__ import annotations

import pytest

from umpi.display.screens import NOTICE
from umpi.display.sheet import pages
from umpi.games.dodeka import Dodeka
from umpi.i18n.translate import set_language, tr, tr_context
from umpi.kernel import Act, Match
from umpi.table.telling import ACT


@pytest.mark.parametrize("language", ["en", "fr", "de", "hu"])
def test_hold_ok_shows_the_turn_the_scale_and_the_end_on_a_page_each(
    language: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: set_language("en"))
    set_language(language)
    match = Match(Dodeka, ("Ann", "Ben", "Cleo"))
    match.play(Act("throw", {"keep": (), "dice": (2, 3, 9)}))
    rule = tr(match.asks[0].help)
    assert pages(rule, NOTICE) == pages(f"{tr_context(ACT, 'throw')}: {rule}", NOTICE) == 3
    assert "700" in rule.split("\n\n")[2]
