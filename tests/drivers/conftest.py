"""Fixtures of the drivers' tests: a pin factory on a simulated chip."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest

from tests.kit.fake_gpiod import FakeChip, FakeGpiod
from tests.kit.open_files import open_files
from tests.kit.watched_pins import PATH
from umpi.drivers.gpio_lines import LostEdges
from umpi.drivers.pin_factory import GpiodFactory


@pytest.fixture
def chip() -> FakeChip:
    """A simulated GPIO chip."""
    return FakeChip()


@pytest.fixture
def lost() -> SimpleQueue[LostEdges]:
    """The lost edges that the factory reports."""
    return SimpleQueue()


@pytest.fixture
def faults() -> SimpleQueue[Any]:
    """The faults that the factory reports."""
    return SimpleQueue()


@pytest.fixture
def pins(chip: FakeChip, lost: SimpleQueue[LostEdges], faults: SimpleQueue[Any]) -> Iterator[GpiodFactory]:
    """A pin factory on the chip; afterwards it must have closed the chip, and all that it opened itself."""
    before = open_files("anon_inode:")
    with GpiodFactory(PATH, FakeGpiod(chip), lost.put, lambda *fault: faults.put(fault)) as factory:
        yield factory
    assert chip.closed
    assert open_files("anon_inode:").keys() <= before.keys()
