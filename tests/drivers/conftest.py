"""Fixtures of the drivers' tests: a pin factory on a simulated chip."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.fake_gpiod import FakeChip, FakeGpiod
from tests.kit.watched_pins import PATH
from umpi.drivers.pin_factory import GpiodFactory


@pytest.fixture
def chip() -> FakeChip:
    """A simulated GPIO chip."""
    return FakeChip()


@pytest.fixture
def pins(chip: FakeChip) -> Iterator[GpiodFactory]:
    """A pin factory on the chip; afterwards it must have closed the chip."""
    with GpiodFactory(PATH, FakeGpiod(chip)) as factory:
        yield factory
    assert chip.closed
