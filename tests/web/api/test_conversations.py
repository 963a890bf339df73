"""Conversations of phones with a box are as approved: requests, answers, what changes for all; and each replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.at_table import replayed, session
from tests.kit.conversations import begun, held, requests_of
from tests.kit.rig import Rigs
from tests.kit.seen import check_seen

FILES = sorted(Path(__file__).with_name("conversations").glob("*.txt"))


@pytest.mark.every_case
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_conversation_is_as_approved(rigs: Rigs, file: Path) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    approved = file.read_text(encoding="utf-8").splitlines()
    asked = requests_of(approved)
    table = begun(rigs, asked)
    check_seen(file, held(table, asked))
    replayed(session(table))  # a step that leads to something else than at the box is a fault
