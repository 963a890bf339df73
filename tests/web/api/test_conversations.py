"""Conversations of phones with a box are as approved: requests, answers, and what changes for all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.conversations import begun, held, requests_of
from tests.kit.rig import Rigs

FILES = sorted(Path(__file__).with_name("conversations").glob("*.txt"))
AROUND = 12  # lines before the first that differs


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_conversation_is_as_approved(rigs: Rigs, file: Path) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    approved = file.read_text(encoding="utf-8").splitlines()
    asked = requests_of(approved)
    now = list(held(begun(rigs, asked), asked))
    if os.environ.get("UMPI_APPROVE"):
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
        approved = now
    for at, (line, there) in enumerate(zip([*now, "the end"], [*approved, "the end"], strict=False)):
        if line != there:
            around = now[max(0, at - AROUND) : at + 1]
            raise AssertionError("\n".join([f"{file.name}, line {at + 1}:", *around, f"approved: {there}"]))
