"""Check of options: each one changes the first position, or says how to set the table up."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice

from umpi.conformance.flaws import Flaw
from umpi.conformance.still import traced
from umpi.conformance.tables import tables, variants
from umpi.kernel.fields import Profile, Value
from umpi.kernel.game import Game
from umpi.kernel.match import Refused

Options = Mapping[str, Value]
PAIRS = 500  # pairs of other changes that are tried beside an option


def idle(game: type[Game]) -> Iterator[Flaw]:
    """Yield each option whose values all lead to equal first positions, also beside other values of the other options.

    An option that `table_setup` names may be for that only. A profile is measured, so nothing is said of a game that
    has one: other options may be about it.
    """
    if any(isinstance(option, Profile) for option in game.options):
        return
    try:
        yield from _idle(game, list(variants(game)))
    except Refused:  # a setup that fails is Broken, which the kernel logs; other checks report it
        return


def _idle(game: type[Game], changes: Sequence[Options]) -> Iterator[Flaw]:
    for option in game.options:
        own = [each for each in changes if each.keys() == {option.name}]
        if not own or option.name in inspect.signature(game.table_setup).parameters:
            continue
        others = [each for each in changes if option.name not in each]
        together = {name: value for each in others for name, value in each.items()}
        pairs = ({**one, **other} for one, other in combinations(others, 2))
        tried = chain(({}, together), others, islice(pairs, PAIRS))
        if not any(_differ(game, [beside, *({**beside, **each} for each in own)]) for beside in tried):
            name = option.name
            yield Flaw(
                f'No first position that was tried depends on the option "{name}": setup() must keep it in a field.'
            )


def _differ(game: type[Game], options: Sequence[Options]) -> bool:
    """Check whether some of these options lead to different first positions of as many seats."""
    found: dict[int, Hashable] = {}
    for header in tables(game, options):
        seats = len(header.players)
        position = traced(header.match().now)
        if found.setdefault(seats, position) != position:
            return True
    return False
