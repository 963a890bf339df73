"""What the page's modules work out by themselves, under Node; units/ has the tests and a document for them."""

from __future__ import annotations

from pathlib import Path

from tests.kit.in_node import check_units


def test_the_modules_of_the_page_work_out_what_they_should() -> None:
    check_units(Path(__file__).with_name("units"))
