"""Fixtures of the referee's tests: boxes at the first question of a Dohdles."""

from __future__ import annotations

import pytest

from tests.kit.dohdles_tables import first_question
from tests.kit.rig import Rig, Rigs
from umpi.box.config import Config
from umpi.simulator.virtual import with_rail


@pytest.fixture
def six(rigs: Rigs) -> Rig:
    """Six lanes at a sensor head, the first question of a Dohdles on the screen."""
    return first_question(rigs, 6)


@pytest.fixture
def chute(rigs: Rigs) -> Rig:
    """One chute with a colour sensor under the stop of its queue rail, the first question of a Dohdles."""
    return first_question(rigs, 1, rail=with_rail(Config()).rail)
