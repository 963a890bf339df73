"""Fixtures of the doctor's tests: boxes with faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from looked import Patient


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Callable[..., Patient]]:
    """A ward: `ward(**config)` is a box to be looked at; all are switched off at the end."""
    patients: list[Patient] = []

    def admit(**config: Any) -> Patient:
        patients.append(Patient(tmp_path, **config))
        return patients[-1]

    yield admit
    for patient in patients:
        patient.close()
