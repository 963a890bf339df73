"""A wall clock set back and forth by days changes nothing but the notes of when a match began.

A Pi has no clock of its own until the network gives it one: no order and no timeout may depend on it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.kit.rig import Rigs
from umpi.cli import main
from umpi.journal import Journal, open_to_read, read_matches
from umpi.journal.queries import read_written

FIRMWARE = Path(__file__).parents[2] / "firmware"
# Who reads it: the journal, whose notes are for people; the doctor, who looks whether it is right; certificates, which
# expire by the calendar; the bridge, so that a club can compare it with its own clock; the club, for its evenings
READERS = {  # and puzzles, which come again after days
    (f"umpi/{file}.py", "datetime.datetime.now")
    for file in (
        "journal/journal",
        "doctor/system",
        "web/certificates",
        "mqtt/bridge",
        "club/hall",
        "club/run",
        "cli/club",
    )
}
READERS |= {(f"umpi/{file}.py", "datetime.date.today") for file in ("cli/puzzle", "review/asking")}
READERS |= {  # a copy of a card is named by its day
    ("umpi/appliance/copies.py", "datetime.datetime.fromtimestamp"),
    ("umpi/appliance/tasks.py", "time.time"),
}
CLOCKS = re.compile(
    r"time\.(time|time_ns|localtime|gmtime|ctime|asctime|strftime|CLOCK_REALTIME\w*|CLOCK_TAI)"
    r"|datetime\.(datetime|date)\.(now|today|utcnow|fromtimestamp|utcfromtimestamp)"
    r"|os\.path\.get[amc]time|os\.utime|uuid\.uuid[16]|email\.utils\.(formatdate|localtime)|.*\.st_[amc]time(_ns)?"
)
SQL = re.compile(r"CURRENT_(TIME|DATE|TIMESTAMP)|\b(datetime|date|time|julianday|unixepoch|strftime)\('", re.IGNORECASE)


def clocks_read(source: str) -> set[str]:
    """Name the wall clocks that Python source reads, by their modules whatever it imports them as."""
    tree = ast.parse(source)
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                known[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    named = {_whole(node, known) for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Name)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for name in named if CLOCKS.fullmatch(name)} | {text for text in texts if SQL.search(text)}


def _whole(node: ast.AST, known: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_whole(node.value, known)}.{node.attr}"
    return known.get(node.id, "") if isinstance(node, ast.Name) else "?"


@pytest.mark.slow
def test_only_the_journal_the_doctor_and_certificates_read_the_wall_clock() -> None:
    """Wall-clock time is a note for people; no order and no timeout ever depends on it."""
    read = {
        (str(path.relative_to(FIRMWARE)), clock)
        for path in FIRMWARE.rglob("*.py")
        for clock in clocks_read(path.read_text(encoding="utf-8"))
    }
    assert read == READERS


def test_the_page_knows_a_date_only_as_the_journal_notes_it() -> None:
    page = FIRMWARE / "umpi" / "web" / "page"
    dates = {path.name: re.findall(r"\bDate\b[^;]*", path.read_text(encoding="utf-8")) for path in page.rglob("*.js")}
    known = {"past.js", "clock.js", "start_cards.js", "start_evening.js"}
    assert {name for name, found in dates.items() if found} == known
    assert dates["past.js"] == ["Date(began)"]
    assert [re.findall(r"Date\((\w+)\)", found) for found in dates["start_cards.js"]] == [["ended", "began"]], (
        "how long a match took, from two notes"
    )
    assert dates["start_evening.js"] == ["Date(match.ended)) }))"], "which matches belong to one evening"
    assert len(dates["clock.js"]) == 3, "it names a run of the page's clock, and finds out whether the phone slept"


@pytest.mark.parametrize(
    "source",
    [
        "import time\nstarted = time.time()",
        "import time as clock\nclock.time_ns()",
        "from time import localtime as here\nhere()",
        "from time import monotonic, CLOCK_REALTIME",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime as d\nstamp: Callable[[], d] = d.now",
        "from datetime import date\ndate.today()",
        "from pathlib import Path\nPath('x').stat().st_mtime",
        "import os\nos.path.getmtime('x')",
        "OLD = 'DELETE FROM phone WHERE began < CURRENT_TIMESTAMP'",
        "OLD = \"SELECT datetime('now')\"",
    ],
)
def test_a_reader_is_found_however_it_is_written(source: str) -> None:
    if "CLOCK_REALTIME" in source:
        source += "\nCLOCK_REALTIME"
    assert clocks_read(source)


def test_monotonic_time_and_dates_that_were_read_are_no_wall_clock() -> None:
    source = "import time\nfrom datetime import datetime\ntime.monotonic_ns()\ndatetime.fromisoformat('')"
    assert not clocks_read(source)


class Leaping:
    """A wall clock that is set at each look: back and forth by up to so many days."""

    def __init__(self, days: int, seed: int) -> None:
        self._days, self._chance = days, Random(seed)

    def __call__(self) -> datetime:
        return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=self._chance.uniform(-self._days, self._days))


def backwards() -> Callable[[], datetime]:
    """A clock that runs backwards by a day a look."""
    days = iter(range(10_000))
    return lambda: datetime(2026, 3, 1, tzinfo=UTC) - timedelta(days=next(days))


def evening(rigs: Rigs) -> Iterator[object]:
    """Play, leave, switch off, resume, let clocks run down; yields all that anybody could tell apart."""
    rig = rigs(options={"minutes": 2})
    rig.start("dodeka", "red blue ok ok")
    rig.press("red blue yellow red red red")
    yield rig.screen
    rig.menu("Exit match")
    yield rig.screen
    rig.take("new game")
    rig.start("scorepad", "red blue ok ok")
    yield rig.screen
    rig.wait_ms(40_000)
    yield rig.screen
    rigs.switch_off()
    rig = rigs()
    yield rig.screen
    rig.press("ok ok")  # it goes on, and so does its time
    rig.wait_ms(5000)
    yield rig.screen, rig.referee.session.number, rig.acts
    rig.menu("Turn timer")
    rig.press("blue")  # 30 s
    rig.wait_ms(29_000)
    yield rig.screen
    rig.wait_ms(3_600_000)  # the time is up, and the panel rests
    yield rig.box.light(), rig.acts, rig.referee.session.match.now.result()
    rigs.switch_off()
    rig = rigs()
    yield rig.screen
    rig.press("ok")
    yield rig.screen, rig.referee.session.number, rig.acts
    yield [
        (match.number, match.game.id, match.players, match.open) for match in rig.drive(rig.referee.session.resumable())
    ]
    yield rig.loop.journal.players()


def written(path: Path) -> list[object]:
    """All that the journal says but when a match began, and its name, which is drawn."""
    with closing(open_to_read(path)) as file:
        return [
            (kept.id, kept.header, kept.lines, kept.how, read_written(file, kept.id)) for kept in read_matches(file)
        ]


WALLS: dict[str, Callable[[], Callable[[], datetime]]] = {
    "days": lambda: Leaping(30, seed=4),
    "years": lambda: Leaping(20_000, seed=2),
    "backwards": backwards,
    "never set": lambda: lambda: datetime(1970, 1, 1, tzinfo=UTC),
}


@pytest.mark.slow
@pytest.mark.parametrize("wall", WALLS)
def test_an_evening_is_the_same_whatever_the_wall_clock_does(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], wall: str
) -> None:
    """Order, timeouts, resume, the list of matches and the figures of the players; two evenings, one journal each."""
    runs: list[list[object]] = []
    for name, clock in (("steady", lambda: datetime(2026, 3, 1, tzinfo=UTC)), (wall, WALLS[wall]())):
        rigs.folder = tmp_path / name
        monkeypatch.setattr("umpi.service.start.Journal", partial(Journal, wall=clock))
        seen = list(evening(rigs))
        rigs.switch_off()
        seen.append(written(rigs.folder / "games.db"))
        for command in (["history"], ["stats"]):
            main([*command, "--journal", str(rigs.folder / "games.db")])
            seen.append(re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "when", capsys.readouterr().out))
        runs.append(seen)
    steady, leapt = runs
    for one, other in zip(steady, leapt, strict=True):
        assert one == other
    with closing(open_to_read(tmp_path / wall / "games.db")) as file:
        assert len({kept.began for kept in read_matches(file)}) > 1 or wall == "never set", "the clock was looked at"
