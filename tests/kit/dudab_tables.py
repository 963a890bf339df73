"""Tables of Dudab Buba, and acts at them."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.games.dudab_buba import DudabBuba
from umpi.kernel import Act, Match, Refused


def table(*opened: str, seats: int = 2, **options: Any) -> Match:
    """A match whose columns are open."""
    names = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"][:seats]
    match = Match(DudabBuba, names, options)
    match.play(Act("reveal", {"cards": opened}))
    return match


def do(match: Match, verb: str, **given: Any) -> Any:
    return match.play(Act(verb, given))


def refusal(match: Match, verb: str, **given: Any) -> str:
    """Why an act is refused; it must not change anything."""
    before = match.state()
    with pytest.raises(Refused) as refused:
        do(match, verb, **given)
    assert match.state() == before
    return str(refused.value)
