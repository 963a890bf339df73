"""A transcript whose engine fails: the match continues without the failed parts, and the log has the reason."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.games.dodeka import Dodeka
from umpi.kernel.match import Match
from umpi.referee.transcript import mark_of, outcome_of


def test_an_engine_that_fails_leaves_its_traceback_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = Match(Dodeka, ("Ann", "Ben"))

    def result(game: Any) -> Any:
        return 1 // 0

    monkeypatch.setattr(Dodeka, "result", result)
    assert (mark_of(match), outcome_of(match)) == (None, None)
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    for record in caplog.records:
        assert "The rules of dodeka fail" in record.getMessage()
        assert record.exc_info
    assert f'File "{__file__}"' in caplog.text
