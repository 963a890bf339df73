"""What a box in a tab does beside Python, under Node; units/ has the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.in_node import check_units


@pytest.mark.slow
def test_disk_workers_window_and_port_work_without_a_browser() -> None:
    check_units(Path(__file__).with_name("units"))
