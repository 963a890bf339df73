"""The kit ships with its own test: each planted fault is caught by the check it is planted for, and by no other."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import pytest
from planted import FAULTS, Bag
from planted.hands import Hands
from planted.worth import Weighed

from scripts import REPO
from tests.kit.seen import check_seen
from umpi.conformance import Flawed, check_game, examine
from umpi.conformance.averages import Averages
from umpi.conformance.checks import CHECKS, at_the_end, on_the_way
from umpi.conformance.presses import Presses
from umpi.conformance.shortest import found
from umpi.conformance.speed import Speed
from umpi.kernel.match import Refused
from umpi.kernel.record import replay

PLANTED = [(name, game) for name, games in FAULTS.items() for game in games]
LATE = ("Slow", "Laborious", "Torn", "Generous", "Lasting")  # they take a second, or show only at more tables
QUICK = [(name, game) for name, game in PLANTED if game.__name__ not in LATE]
SEEN = Path(__file__).with_name("seen") / "planted"
PLACE = re.compile(rf", line [0-9]+|{re.escape(f'{REPO}/')}")
UNSEEN = ("Cheated", "Generous")  # what only the dealer knows, or only many positions show


@lru_cache
def caught(game):
    return {finding.check: finding.flaw for finding in examine(game, games=1) if finding.flaw}


def said(game):
    """Return what is said of a fault at a table of two, with its record, but without the place in the source."""
    here = type(game.__name__, (game,), {"seats": range(2, 3), "__doc__": game.__doc__, "__module__": game.__module__})
    flaws = [str(finding.flaw) for finding in examine(here, 1, 0, [{}]) if finding.flaw]
    return [PLACE.sub("", line) for flaw in flaws for line in flaw.splitlines()]


def flaw_texts(game, seed):
    return {finding.check: str(finding.flaw) for finding in examine(game, 1, seed) if finding.flaw}


def stands(flaw, game):
    """Replay a flaw's record as far as the rules allow it."""
    lines = flaw.record.splitlines(keepends=True)
    try:
        *_, last = replay(lines, lambda name: game)
    except IndexError:  # the rules fail where they should say why
        *_, last = replay(lines[:-1], lambda name: game)
    return last.record.match, last.error


def test_every_check_has_a_fault_planted_for_it():
    """The issue: it ships with its planted faults, one for each check."""
    assert set(FAULTS) == set(CHECKS)


@pytest.mark.slow
def test_the_sound_game_holds():
    """What the faults are planted in has none."""
    report = check_game(Bag)
    check_game(Hands)
    assert report.game is Bag
    assert [finding.check for finding in report.findings] == list(CHECKS)
    assert not any(finding.flaw for finding in report.findings)


@pytest.mark.slow
def test_worths_that_are_true_have_no_flaw():
    (worths,) = (finding for finding in check_game(Weighed).findings if finding.check == "worths")
    assert (worths.flaw, worths.absent) == (None, False)
    assert "drawn" in worths.figures


@pytest.mark.parametrize(("check", "game"), QUICK, ids=lambda value: getattr(value, "__name__", value))
def test_a_planted_fault_is_caught_with_the_record_that_somebody_has_read(check, game):
    """After a change on purpose: UMPI_APPROVE=1 writes the file; read the difference."""
    check_seen(SEEN / f"{check}-{game.__name__}.txt", said(game))


@pytest.mark.slow
@pytest.mark.parametrize(("check", "game"), PLANTED, ids=lambda value: getattr(value, "__name__", value))
def test_a_planted_fault_is_caught_by_its_own_check_alone_and_its_record_shows_it_again(check, game):
    """The issue: a failure prints the shortest record that reproduces it."""
    assert list(caught(game)) == [check]
    flaw = caught(game)[check]
    if flaw.header is None or game.__name__ in UNSEEN:
        return  # nothing needs to be played, or nothing could be
    assert flaw.record.decode() in f"{flaw}\n"
    match, error = stands(flaw, game)
    if len(match.acts) == game.longest:
        assert match.asks
        return
    looks = [look for look in (*on_the_way(Presses(), Averages()), *at_the_end(Speed())) if look.name == check]
    assert error or any(found(look.look, match, flaw.seed) for look in looks)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "verbs"), [("Crashing", ["draw"]), ("Torn", ["draw", "draw"]), ("Listed", ["pass"])])
def test_the_record_has_no_act_that_the_flaw_does_not_need(game, verbs):
    """Acts are left out as long as the flaw stays."""
    check, fault = next((check, fault) for check, fault in PLANTED if fault.__name__ == game)
    lines = caught(fault)[check].record.splitlines()
    assert [json.loads(line)["do"] for line in lines[1:]] == verbs


@pytest.mark.slow
def test_the_speed_of_an_act_is_told_in_calls():
    (slow,) = FAULTS["speed"]
    assert re.match(r"An act costs .* calls", caught(slow)["speed"].why)
    assert issubclass(Flawed, AssertionError)
    assert not issubclass(Flawed, Refused)


@pytest.mark.slow
def test_the_same_seed_finds_the_same_record():
    """Nothing depends on the clock or on chance of its own."""
    for game in (FAULTS["audit"][0], FAULTS["texts"][1]):
        first, again, other = caught(game), flaw_texts(game, 0), flaw_texts(game, 4)
        assert {check: str(flaw) for check, flaw in first.items()} == again
        assert list(again) == list(other)
