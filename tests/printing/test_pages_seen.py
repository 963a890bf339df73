"""What is on each page of a PDF is what somebody has looked at: pages.txt has a print of each document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.pdf_pages import print_of
from umpi.cli import main
from umpi.i18n.translate import set_language
from umpi.kernel.registry import games
from umpi.rulebook.shelf import Shelf

SEEN = Path(__file__).with_name("pages.txt")
SHELF = Shelf(games())
DOCUMENTS = {
    f"{game.id} {kind}": words
    for game in games()
    for kind, words in {
        "sheets": ["print", game.id, "--output"],
        "large": ["print", game.id, "--large", "--paper", "letter", "--output"],
    }.items()
} | {
    f"{game.id} rules {language}": ["rules", game.id, "--language", language, "--pdf"]
    for game in SHELF.games()
    for language in SHELF.languages(game.id)
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_as_somebody_has_seen_it(name: str, tmp_path: Path, capfd: Any) -> None:
    """After a change on purpose: look at the PDF, then copy the new line into pages.txt."""
    file = tmp_path / "seen.pdf"
    try:
        assert main([*DOCUMENTS[name], str(file)]) == 0
    finally:
        set_language("en")
    seen = dict(line.rsplit(": ", 1) for line in SEEN.read_text(encoding="utf-8").splitlines())
    assert print_of(file) == seen[name]
    assert seen.keys() == DOCUMENTS.keys()
