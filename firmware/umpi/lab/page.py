"""The report of an experiment as one HTML page with plots, and its games as a table in CSV or Parquet."""

from __future__ import annotations

import csv
import io
import math
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from umpi.lab.games import Played
from umpi.lab.measures import Z95, wilson
from umpi.lab.plots import Row, histogram, intervals

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fafaf7; --card: #fff; --line: #c9c9d1; --blue: #2456b8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf1; --paper: #16161a; --card: #212127; --line: #4a4a55; --blue: #8fb4ff; }
}
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 .4rem; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr));
  align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem; min-width: 0; }
ul { margin: 0; padding-left: 1.1rem; overflow-wrap: anywhere; font-size: .9375rem; }
svg { display: block; width: 100%; height: auto; } text { fill: var(--ink); font-size: 12px; }
.end, .last { text-anchor: end; } .middle { text-anchor: start; } rect, circle { fill: var(--blue); }
.bar { stroke: var(--blue); stroke-width: 3; } .mark { stroke: var(--ink); stroke-dasharray: 4 3; }
.axis { stroke: var(--line); } a { color: var(--blue); }
"""


PARTS = ("Comebacks", "Ties")  # shown in percent


@dataclass(frozen=True)
class Setting:
    """One setting of an experiment: its name, its lines for people, who played, and the games."""

    name: str
    lines: Sequence[str]
    seats: Sequence[str]
    played: Sequence[Played]


def page(title: str, settings: Sequence[Setting], verdict: Sequence[str] = ()) -> str:
    """Return the page. It needs no other file and no network."""
    data = b64encode(table(settings).encode()).decode()
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><h1>{escape(title)}</h1>",
        "<p>Bars are 95 % intervals. The dashed line is an equal share of wins. ",
        f'<a download="games.csv" href="data:text/csv;base64,{data}">All games as CSV</a></p>',
        *(f"<p>{escape(line)}</p>" for line in verdict),
    ]
    if len(settings) > 1:
        parts += ["<h2>The settings beside each other</h2>", '<div class="cards">', *_sweep(settings), "</div>"]
    for setting in settings:
        parts += _setting(setting)
    return "".join(parts) + "</body></html>\n"


def _setting(setting: Setting) -> list[str]:
    played, seats = setting.played, len(setting.seats)
    lines = "".join(f"<li>{escape(line.strip())}</li>" for line in setting.lines)
    parts = [f"<h2>{escape(setting.name)}</h2>", '<div class="cards">', _card("Measures", f"<ul>{lines}</ul>")]
    if played:
        wins = [_wins(f"seat {seat}", played, seat) for seat in range(seats)]
        parts.append(_card("Share of wins", intervals(wins, 1 / seats, percent=True)))
        parts.append(_card("Moves per game", histogram([each.acts for each in played])))
        for seat, name in enumerate(setting.seats):
            parts.append(_card(f"Scores of seat {seat} ({name})", histogram([each.scores[seat] for each in played])))
    return [*parts, "</div>"]


def _sweep(settings: Sequence[Setting]) -> list[str]:
    """Return a plot per measure, with a row per setting."""
    measures: dict[str, list[Row]] = {}
    for setting in settings:
        played = setting.played
        courses = [each.course for each in played if each.course]
        probes = [each.probed for each in played if each.probed]
        columns: dict[str, list[float]] = {
            "Moves per game": [each.acts for each in played],
            "Comebacks": [float(each.comeback) for each in courses],
            "Drama": [each.drama for each in courses],
            "Decisiveness": [each.decisive for each in courses],
            "Answers per decision": [each.choices for each in probes],
            "Ties": [float(each.places.count(1) > 1) for each in played],
        }
        if played:
            measures.setdefault("Share of wins, seat 0", []).append(_wins(setting.name, played, 0))
        for measure, values in columns.items():
            if values:
                measures.setdefault(measure, []).append(_mean(setting.name, values))
    equal = 1 / len(settings[0].seats)
    return [
        _card(name, intervals(rows, equal if "wins" in name else None, percent="wins" in name or name in PARTS))
        for name, rows in measures.items()
    ]


def _card(title: str, body: str) -> str:
    return f'<section class="card"><h3>{escape(title)}</h3>{body}</section>'


def _mean(label: str, values: Sequence[float]) -> Row:
    mean = fmean(values)
    half = Z95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return label, mean, mean - half, mean + half


def _wins(label: str, played: Sequence[Played], seat: int) -> Row:
    wins = sum(_won(each, seat) for each in played)
    low, high = wilson(wins, len(played))
    return label, wins / len(played), low or 0.0, high or 0.0


def _won(played: Played, seat: int) -> float:
    return 1 / played.places.count(1) if played.places[seat] == 1 else 0.0


def rows_of(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """Return one row per game, all with the same columns: None where a game has no such seat."""
    rows: list[dict[str, Any]] = [
        {
            "setting": setting.name, "moves": each.acts,
            **{f"place_{seat}": place for seat, place in enumerate(each.places)},
            **{f"score_{seat}": score for seat, score in enumerate(each.scores)},
            "comeback": each.course.comeback if each.course else None,
            "drama": each.course.drama if each.course else None,
            "decisiveness": each.course.decisive if each.course else None,
            "answers": each.probed.choices if each.probed else None,
            "no_difference": each.probed.same if each.probed else None,
        }
        for setting in settings for each in setting.played
    ]  # fmt: skip
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name) for name in columns} for row in rows]


def table(settings: Sequence[Setting]) -> str:
    """Return all games as CSV, with a heading."""
    rows, file = rows_of(settings), io.StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return file.getvalue()


def write_parquet(path: Path, settings: Sequence[Setting]) -> None:
    """Write all games as Parquet. Raises ModuleNotFoundError if pyarrow is not installed."""
    import pyarrow  # an extra, which takes long to import
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows_of(settings)), path)
