"""What every game holds, whatever its rules: random games through the kernel, seat by seat and option by option."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.soak.play_outs import CHUNK, chunk, tables
from tests.kit.game_tables import TABLES, names, written
from tests.kit.sampling import examples
from umpi.kernel import Act, Match, Pick, Refused
from umpi.kernel.game import verbs
from umpi.kernel.random_games import NeverEnds, play_out, sample
from umpi.kernel.record import replay
from umpi.kernel.registry import find, games


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=str)
def test_a_random_game_ends_and_keeps_its_word_in_every_position(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    """The phase is "over" exactly when nothing is asked and there is a result."""
    engine = find(game)
    match = play_out(engine, names(seats), options, seed=seats)
    assert len(match.acts) <= engine.longest  # type: ignore[attr-defined]
    again = Match(engine, names(seats), options)
    for act in [*match.acts, None]:
        state = again.state()
        over = act is None
        assert list(state) == ["phase", "seat", "scores", "winners", "facts"]
        assert (state["phase"] == "over", again.asks == (), again.now.result() is not None) == (over, over, over)
        assert (len(state["scores"]), bool(state["winners"])) == (seats, over)
        assert list(state["winners"]) == sorted(state["winners"])
        assert state["seat"] is None or state["seat"] in range(seats)
        assert again.now.audit() == ""
        assert len(again.now.view().beside) in (0, seats)
        if act is not None:
            again.play(act)
    assert state["seat"] is None
    assert again.state() == match.state()


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=str)
def test_a_written_game_replays_to_the_same_state(game: str, seats: int, options: dict[str, Any]) -> None:
    """Replaying a record gives the same result for ever."""
    match = play_out(find(game), names(seats), options, seed=100 + seats)
    *_, last = replay(written(match), find)
    assert (last.n, last.error) == (len(match.acts), "")
    assert last.record
    assert last.record.match.state() == match.state()
    assert last.record.match.acts == match.acts


@pytest.mark.parametrize(("game", "seats", "options"), TABLES[::3], ids=str)
def test_undone_to_the_start_and_played_again_it_is_the_same_game(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    """Undo and resume are replays."""
    match = play_out(find(game), names(seats), options, seed=7)
    acts, states = list(match.acts), [match.state()]
    while match.acts:
        match.undo()
        states.append(match.state())
    assert match.state() == Match(find(game), names(seats), options).state()
    for act in acts:
        assert match.state() == states.pop()
        match.play(act)
    assert [match.state()] == states


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None, derandomize=True, database=None)
@given(st.sampled_from(TABLES), st.integers(0, 2**32))
def test_nothing_offered_is_refused_and_nothing_else_is_accepted(table: tuple[str, int, Any], seed: int) -> None:
    """The offer is the law."""
    game, seats, options = table
    engine, chance = find(game), Random(seed).random
    match = Match(engine, names(seats), options)
    dealer = engine.dealer(chance, match.now) if engine.dealer else None
    for _ in range(150):
        before = match.state()
        dealt = dealer.act(match.now) if dealer and match.asks else None
        for ask in match.asks:
            if any(not field.pool for field in ask.fields if isinstance(field, Pick)):
                continue  # asked for, with a reason why nothing answers it now
            try:
                act = sample((ask,), chance)
            except NeverEnds:  # to show five cards of which four are known: blind chance hardly ever does
                assert dealt
                if dealt.verb != ask.verb:
                    continue
                act = dealt
            seat = act.given.get("seat", ask.seat)
            for by in {None, seat}:
                match.play(Act(act.verb, act.given, by))  # type: ignore[arg-type]
                match.undo()
            wrong = [Act(act.verb, act.given, by) for by in range(seats) if by != seat]
            wrong.append(Act(act.verb, {**act.given, "odd": 1}))
            optional = {field.name for field in (*ask.fields, *ask.more(act.given)) if field.optional}
            needed = [name for name in act.given if name not in optional]
            wrong += [Act(act.verb, {k: v for k, v in act.given.items() if k != name}) for name in needed]
            for refused in wrong:
                with pytest.raises(Refused):
                    match.play(refused)
        for verb in verbs(engine) - {ask.verb for ask in match.asks}:
            with pytest.raises(Refused):
                match.play(Act(verb))
        assert match.state() == before
        if not match.asks:
            break
        match.play(dealt or sample(match.asks, chance))


# Two hundred random games of each engine with every card and die audited. `dev play-outs` plays ten thousand.


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in games()])
def test_no_audit_fails_in_two_hundred_random_games(game: str) -> None:
    """Play-outs without a failed audit, 200 in CI."""
    for first in range(0, 200, CHUNK):
        _, longest, flaw = chunk(game, first)
        assert flaw == ""
        assert longest <= getattr(find(game), "longest", 0)


@pytest.mark.slow
def test_the_tables_of_a_game_try_every_word_of_its_options() -> None:
    """A play-out of the standard options alone proves little."""
    played = list(tables(find("dudab-buba")))
    assert {seats for seats, _ in played} == {2, 3, 4, 5, 6}
    assert {options.get("track", "all") for _, options in played} == {"all", "score", "counts"}
    assert any(options.get("jungle") and options.get("baby") for _, options in played)
