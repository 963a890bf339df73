"""The review of a past match: as the page gets it, in the language of the box, and what is said if there is none."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.kit.at_table import Table, laid
from tests.kit.journals import header, leave
from tests.kit.patience import patiently
from tests.kit.rig import Rigs
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.web import documents
from umpi.web.app import WebApp
from umpi.web.reviewing import NoReview, Reviewer, read_review


def record(game: str, seed: int) -> str:
    match = play_out(find(game), ("Ann", "Ben"), seed=seed)
    lines = Header(match.game, match.players).line(), *(act.line() for act in match.acts)
    return "".join(f"{dump(line)}\n" for line in lines)


@pytest.mark.slow
def test_a_past_match_is_reviewed_for_everybody_who_looks(rigs: Rigs) -> None:
    leave(rigs.folder / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))
    phone = Table(rigs()).phone()
    (match,) = phone.get("matches").json()
    found = phone.get(f"matches/{match['id']}/review").json()
    assert (found["method"], found["measure"], found["presses"]) == ("exact", "turn points", [])
    ann = found["shares"][0]
    assert [ann[key] for key in ("points", "expected", "luck", "given_away")] == ["1340", "4889.2", "-11.3", "3537.9"]
    assert ann["worst"][0] == {
        "move": 288, "situation": "5 5 11, 2 rolls left", "chosen": "stop", "best": "roll: keep 5 5",
        "loss": "at least 18.9 % chance to win",
    }  # fmt: skip
    assert phone.get("matches/99/review").status_code == 404


def test_a_match_is_reviewed_once_whatever_is_played_meanwhile(rigs: Rigs) -> None:
    """A review of Dodekka takes half a minute of a core, and everybody at the table looks at it."""

    asked: list[str] = []

    class Counting(Reviewer):
        async def review(self, record: str) -> documents.Review:
            asked.append(record)
            return read_review({"method": "none", "measure": "", "why": "", "shares": [], "presses": [], "lines": []})

    leave(rigs.folder / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))
    table = laid(rigs, "scorepad", ["Ann", "Ben"])
    table.desk = WebApp(table.loop, table.codes, table.desk.publisher, reviews=Counting())
    table.app = table.desk.app()
    phone = table.paired()
    before = phone.get("matches/1/review").json()
    score = {"do": "score", "seat": 0, "points": 5}
    assert phone.post("act", question=table.question, act=score).status_code == 200
    assert phone.get("matches/1/review").json() == before
    assert len(asked) == 1
    assert phone.get("matches/2/review").status_code == 200
    assert len(asked) == 2


@pytest.mark.slow
def test_a_review_speaks_the_language_of_the_box() -> None:
    command = [sys.executable, "-m", "umpi.review", "de"]
    done = subprocess.run(command, input=record("dodeka", 7).encode(), capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert found["measure"] == "Punkte der Züge"
    assert found["shares"][0]["expected"] == "4889,2"
    assert found["shares"][0]["worst"][0]["situation"] == "5 5 11, 2 Würfe übrig"


@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-c", "raise MemoryError"),
        (sys.executable, "-c", "print('no document')"),
        (sys.executable, "-c", ""),
        ("/nothing/here",),
    ],
    ids=["raises", "prints nonsense", "prints nothing", "does not start"],
)
def test_a_review_that_fails_is_said_and_logged(command: tuple[str, ...], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(NoReview):
        asyncio.run(Reviewer(command).review(record("dodeka", 7)))
    assert "cannot be reviewed" in caplog.text


@pytest.mark.slow
def test_a_match_whose_rules_have_changed_has_no_review(rigs: Rigs) -> None:
    journal = Journal(rigs.folder / "games.db")
    journal.append(journal.begin(header("dodeka", ["Ann", "Ben"])), [{"do": "dance"}], "panel")
    journal.close()
    phone = Table(rigs()).phone()
    answer = phone.get("matches/1/review")
    assert (answer.status_code, answer.json()["error"]) == (503, "This match cannot be reviewed.")


def test_a_box_that_stops_waits_for_no_review() -> None:
    reviewer = Reviewer((sys.executable, "-c", "import signal; signal.alarm(60); signal.pause()"))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: asyncio.run(reviewer.review(record("dodeka", 7))))
        patiently(lambda limit_s: reviewer._aside._process or Event().wait(limit_s))
        reviewer.close()
        with pytest.raises(NoReview):
            waiting.result()
    with pytest.raises(NoReview):
        asyncio.run(reviewer.review(record("dodeka", 7)))
