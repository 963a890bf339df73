"""The reference for authors is what the docstrings say today."""

from scripts.docs.reference import PAGE, reference
from umpi import conformance, kernel


def test_the_reference_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "write it again: ./scripts/dev reference"


def test_every_name_that_a_game_imports_is_in_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names = (*kernel.__all__, *conformance.__all__)
    assert [name for name in names if f"\n### {name}\n" not in page] == []
