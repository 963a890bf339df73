"""Umpi in WebAssembly: the same code, and a disk that loses nothing that was shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.slow
Run = Callable[..., Any]
PURE = (
    "kernel", "games", "lessons", "cards", "i18n", "timing", "rulebook", "table", "display", "referee", "journal",
    "recording",
)  # fmt: skip
PAPER = {"printables", "printing"}  # what draws on paper needs reportlab


def test_every_module_of_the_core_is_imported(run: Run) -> None:
    found = run("imports", *PURE)
    assert found["failed"] == {}
    assert found["done"] > 150


def test_the_page_gets_its_answers_in_the_language_of_the_browser(run: Run) -> None:
    found = run("answers")
    assert {path: status for path, (status, *_) in found["found"].items()} == {
        path: 404 if path == "/nothing" else 200 for path in found["found"]
    }
    assert {frame for _, frame, _ in found["found"].values()} == {""}, "the window shows the page in a frame"
    assert found["language"] == "de"
    assert "data-box data-alone data-tab" in found["page"]


def test_what_was_due_a_moment_ago_is_done(run: Run) -> None:
    """The loop of Pyodide refuses it, which once ended the game after five hundred acts."""
    assert run("late") == ["late", "later"]


def test_no_act_that_was_shown_is_lost_when_the_tab_is_killed(run: Run) -> None:
    for number, found in enumerate(run("cuts", "6"), 1):
        assert found["unsaved"] is None or not found["unsaved"], found
        assert found["kept"] >= found["shown"] >= number, found
        assert not found["troubles"], "nothing was damaged"


def test_files_are_in_the_storage_as_python_left_them(run: Run) -> None:
    files = {"old": "new", "whole": "half.part", "reports/moved": "kept", "reports/one": "rep+rts/o"}
    found = run("files")
    assert found["found"] == [files] * 3
    assert found["used"] == [len(files)] * 2, "a name that is there twice is freed once"


@pytest.mark.parametrize("limit", ["none", "95000"])
def test_a_browser_that_keeps_nothing_or_is_full_says_not_saved_and_goes_on(run: Run, limit: str) -> None:
    found = run("refused", limit)
    assert found["acts"] >= 8
    assert found["unsaved"]


def test_the_memory_of_a_tab_does_not_grow_with_the_acts(run: Run) -> None:
    found = run("memory", "40")
    assert found[-1] <= found[1] + 4, found
