"""The second Python of a tab: it finds one hint or reviews one match, and ends with its thread."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from umpi.i18n.translate import set_language
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.lab import advice
from umpi.review.document import document

if TYPE_CHECKING:  # it imports much that one task does not need
    from umpi.tab.aside import Task


def answer(task: Task, language: str, record: str) -> str:
    """Return a hint or a review as JSON. Raises ValueError if a line of the record is wrong."""
    set_language(language)
    lines = record.encode().splitlines()
    return dump(advice.answer(lines, find, Random().random) if task == "hint" else document(lines))
