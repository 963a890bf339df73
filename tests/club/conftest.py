"""Fixtures of the club's tests: real servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kit.brokers import Mosquitto
    from tests.kit.postgres import Postgres


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that lets in everybody."""
    from tests.kit.brokers import Mosquitto  # it needs paho-mqtt, and a test without it is skipped

    found = Mosquitto(tmp_path)
    yield found
    found.kill()


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A database server, started once for all tests of a file."""
    from tests.kit.postgres import Postgres

    found = Postgres()
    yield found
    found.stop()
