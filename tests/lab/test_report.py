"""The goal of a sweep, and the page with plots."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.kit.seen import check_seen
from umpi.cli import main
from umpi.lab.aim import Aim, Miss, missed, verdict
from umpi.lab.course import Course
from umpi.lab.games import Played
from umpi.lab.page import TOKENS, Setting, page, rows_of, table, write_parquet
from umpi.lab.plots import histogram, intervals
from umpi.lab.probe import Probed


def games(wins: int, losses: int, acts: int = 60) -> list[Played]:
    """Games of two seats, of which the first wins some."""
    ends = [(1, 2)] * wins + [(2, 1)] * losses
    return [
        Played(acts + number % 3, places, (places[1], places[0]), (0, 0.0), (0, 0.0))
        for number, places in enumerate(ends)
    ]


def test_the_fairest_setting_is_found_and_those_that_are_not_told_apart_are_named() -> None:
    misses = [missed(Aim(), name, games(*wins), 2) for name, wins in
              (("a=1", (900, 100)), ("a=2", (505, 495)), ("a=3", (490, 510)))]  # fmt: skip
    first, second = verdict(Aim(), misses)
    assert first.startswith("Fairest: a=2, a seat is 0.5% ± 3.1%")
    assert second.endswith("apart from: a=3")


def test_the_setting_nearest_to_a_length_is_found() -> None:
    aim = Aim.read("minutes=30")
    misses = [missed(aim, f"a={acts}", games(50, 50, acts), 2) for acts in (100, 180, 400)]
    (line,) = verdict(aim, misses)
    assert line.startswith("Nearest to 30 minutes: a=180, 0.2 ±")
    for none in ([], [Miss("a=1", float("inf"), 0.0)]):
        assert list(verdict(aim, none)) == ["Too few games ended to compare the settings."]


@pytest.mark.parametrize("places", [((1, 1, 2, 2), (2, 2, 1, 1)), ((1, 1), (2, 2))])
def test_where_seats_win_together_none_has_an_equal_share(places: tuple[tuple[int, ...], ...]) -> None:
    """In a fair game of two teams each seat wins a half of the games; in a cooperative one nothing is to compare."""
    played = [replace(game, places=each, scores=each, together=True) for each in places for game in games(9, 9)]
    who = ("random",) * len(places[0])
    (line,) = verdict(Aim(), [missed(Aim(), "a=1", played, len(who)), Miss("a=2", 0.1, 0.1)])
    assert line == "Seats of this game win together, so fair cannot compare their wins. Give --aim minutes=NUMBER."
    made = page("A", [Setting(name, [], who, played) for name in ("a=1", "a=2")])
    assert 'class="mark"' not in made
    assert 'class="mark"' in page("A", settings())


def settings() -> list[Setting]:
    return [Setting(name, ["<b>60 moves"], ("random", "random"), games(30, 20)) for name in ("target=1", "target=2")]


def test_the_interval_of_ties_stays_between_nothing_and_all() -> None:
    apart, tied = (replace(settings()[0].played[0], places=places) for places in ((1, 2), (1, 1)))
    rows = {"few": [apart] * 9 + [tied], "none": [apart] * 10}
    made = page("A", [Setting(name, [], ("random", "random"), played) for name, played in rows.items()])
    ties = made[made.index("Ties") :].split("</section>")[0]
    assert ">0.0%<" in ties  # the lower end of both
    assert ">40.4%<" in ties  # Wilson, 1 of 10


def experiments() -> list[Setting]:
    """Return settings with all that there may be: three seats, two, a game that all win or lose, and no games."""
    three = [
        Played(
            20 + number % 7, ((1, 2, 3), (2, 1, 3), (1, 1, 3))[number % 3], (5 * number, 7, -number), (1, 0.5),
            (0, 0.25), {"bust": number % 2, "<deal>": 3}, Course(number % 2 == 0, number / 9, 0.75),
            Probed(2 + number % 3, None),
        )
        for number in range(9)
    ]  # fmt: skip
    team = [replace(each, places=(1, 1) if each.acts > 22 else (2, 2), scores=(4, 4), together=True) for each in three]
    return [
        Setting("target=1", ["  26 moves", "a < b"], ("random", "best", "first"), three),
        Setting("target=2", ["50 moves"], ("random", "random"), games(30, 20)),
        Setting("target=3", [], ("random", "random"), team), Setting("target=4", ["none"], ("a", "b"), []),
    ]  # fmt: skip


def test_the_page_of_an_experiment_is_as_somebody_has_read_it() -> None:
    """It needs no network. After a change on purpose: set UMPI_APPROVE=1, and look at the page in a browser, too."""
    made = page("A & B", experiments(), ["Fairest: <2>"]).replace(TOKENS, "")
    before, _, rest = made.partition("data:text/csv;base64,")
    data, _, after = rest.partition('"')
    now = [*before.replace("><", ">\n<").splitlines(), *b64decode(data).decode().splitlines()]
    now += after.replace("><", ">\n<").splitlines()
    check_seen(Path(__file__).with_name("page.html"), now)


def test_a_histogram_counts_each_value_once() -> None:
    drawn = histogram([1, 1, 2, 9, 400])
    assert sum(int(many) for many in re.findall(r": (\d+)</title>", drawn)) == 5
    assert histogram([7, 7]).count("<rect") == 1


def test_an_interval_is_drawn_around_its_value_also_if_all_are_equal() -> None:
    places = re.search(r"M([\d.]+) 13H([\d.]+).*cx=\"([\d.]+)\"", intervals([("a", 0.5, 0.4, 0.7)]))
    assert places
    low, high, value = map(float, places.groups())
    assert (value - low) / (high - low) == pytest.approx(1 / 3, abs=0.01)
    assert "nan" not in intervals([("a", 0.0, 0.0, 0.0), ("b", 0.0, 0.0, 0.0)])


def test_long_labels_are_whole_above_their_rows_and_cover_nothing() -> None:
    """As those of a journal, whose ends differ."""
    labels = [f"Dodéka, {players} players target=100 parts=3 scale=sheet: {who}" for players in (2, 3) for who in "ab"]
    drawn = intervals([(label, 0.5, 0.4, 0.6) for label in labels])
    rows = re.findall(r"<g .*?</g>", drawn)
    texts = [re.findall(r'y="(\d+)" class="middle">([^<]*)', row) for row in rows]
    assert [" ".join(words for _, words in text) for text in texts] == labels
    heights = [int(y) for row, text in zip(rows, texts, strict=True)
               for y in (*(y for y, _ in text), *re.findall(r'cy="(\d+)"', row))]  # fmt: skip
    assert all(later - earlier >= 12 for earlier, later in pairwise(heights))
    assert max(heights) < int(re.findall(r'viewBox="0 0 340 (\d+)"', drawn)[0]) - 24


def test_the_report_is_written_with_the_games_beside_it(tmp_path: Path) -> None:
    """Without pyarrow, which is hidden here, a sentence says what to install."""
    hidden = "import sys; sys.modules['pyarrow'] = None; from umpi.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["lab", "dodeka", "--games", "4", "--workers", "1", "--option", "parts=1", "--vary", "target=50,90",
             "--aim", "minutes=3", "--json", "--report", "made.html"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", hidden, *words], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) == 2
    assert "Nearest to 3 minutes" in done.stderr
    assert "'pyarrow>=14'" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["made.csv", "made.html"]
    assert len((tmp_path / "made.csv").read_text().splitlines()) == 9


def mixed() -> list[Setting]:
    """Two settings with different numbers of seats, a name that CSV must quote, and a game without a course."""
    three = Played(7, (1, 1, 3), (9, 9, -2), (0, 0.5), (0, 0.5), {}, Course(True, 0.25, 1.0))
    return [Setting('a="x, y"', [], ("random", "random"), games(2, 1)), Setting("é", [], ("random",) * 3, [three])]


def test_settings_with_other_numbers_of_seats_have_no_equal_share_in_common() -> None:
    beside, _, each = page("A", mixed()).partition("<h2>a=")
    assert 'class="mark"' not in beside
    assert each.count('class="mark"') == 2


def test_what_is_written_as_csv_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "made.csv"
    file.write_text(table(mixed()), encoding="utf-8")
    with file.open(encoding="utf-8", newline="") as opened:
        read = list(csv.DictReader(opened))
    assert read == [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in rows_of(mixed())
    ]
    assert [row["setting"] for row in read] == ['a="x, y"'] * 3 + ["é"]


def test_what_is_written_as_parquet_is_read_back(tmp_path: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="no Parquet here: pip install pyarrow")
    file = tmp_path / "made.parquet"
    write_parquet(file, mixed())
    assert parquet.read_table(file).to_pylist() == rows_of(mixed())
    assert parquet.read_table(file, columns=["score_2"]).to_pydict() == {"score_2": [None, None, None, -2]}
    write_parquet(file, [Setting("none", [], ("random",), [])])
    assert parquet.read_table(file).num_rows == 0


def test_a_report_has_parquet_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="no Parquet here: pip install pyarrow")
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "dodekka", "--games", "5", "--workers", "1", "--json", "--report", "made.html"]) == 0
    read = parquet.read_table("made.parquet").to_pylist()
    with Path("made.csv").open(encoding="utf-8", newline="") as opened:
        assert [str(row["moves"]) for row in read] == [row["moves"] for row in csv.DictReader(opened)]
    assert len(read) == 5


def test_a_report_that_cannot_be_written_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "dodekka", "--games", "1", "--workers", "1", "--report", str(tmp_path)]) == 2
    assert "this is a folder" in capsys.readouterr().err
