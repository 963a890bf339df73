"""Check of secret answers: what a seat may answer does not depend on what another seat has answered in secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpi.conformance.drawing import drawn
from umpi.conformance.flaws import Flaw, shown
from umpi.kernel.fields import Chance
from umpi.kernel.game import Ask
from umpi.kernel.match import Broken, Match, Refused
from umpi.table.secret import parties, seats_of, secret_ask

TRIES = 60  # answers of each seat that are drawn


def independent(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the secret answers of two seats are still accepted after each other, and one is enough for a team.

    The box takes an answer before it knows the others. If it had to refuse it later, its seat would learn of theirs.
    """
    ask = secret_ask(match.asks)
    if ask is None:
        return
    for party in parties(match, ask):
        yield from _once(match, ask, party, chance)
    answers = {seat: [drawn(ask, chance, {"seat": seat}) for _ in range(TRIES)] for seat in seats_of(ask)}
    mates = {seat: party for party in parties(match, ask) for seat in party}
    for seat, own in answers.items():
        for other, others in answers.items():
            for act, later in zip(own, others, strict=True) if seat < other and other not in mates[seat] else ():
                if act is None or later is None:
                    continue
                try:
                    match.play(act)
                except Refused:
                    continue  # the check of legality says so
                try:
                    match.after(later)
                except Broken:
                    pass  # the check of legality says so
                except Refused as refusal:
                    why = f"The secret {shown(later)} is refused after {shown(act)}, which nobody knows yet: {refusal}"
                    yield Flaw(why)
                    return
                finally:
                    match.undo()


def _once(match: Match, ask: Ask, party: Sequence[int], chance: Chance) -> Iterator[Flaw]:
    """Check whether a team that has answered is asked again."""
    act = drawn(ask, chance, {"seat": party[0]}) if len(party) > 1 else None
    if act is None:
        return
    try:
        match.play(act)
    except Refused:
        return  # the check of legality says so
    later = secret_ask(match.asks)
    again = sorted({*party} & {*seats_of(later)}) if later and later.verb == ask.verb else []
    match.undo()
    if again:
        names = ", ".join(map(str, again))
        yield Flaw(f"After {shown(act)}, which counts for the team, it still asks seat {names} of this team.")
