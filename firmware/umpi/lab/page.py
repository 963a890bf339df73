"""The report of an experiment as one HTML page with plots, and its games as a table in CSV or Parquet."""

from __future__ import annotations

import csv
import io
import math
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from umpi.frozen import frozen
from umpi.lab.games import Played, cooperative, tied, win_together, wins_of
from umpi.lab.intervals import Z95, wilson
from umpi.lab.plots import Row, histogram, intervals
from umpi.timing.lines import COLOURS

# The colours are the tokens of the page for phones. A seat has the colour of its button, from the left.
TOKENS = (files("umpi") / "web" / "page" / "tokens.css").read_text(encoding="utf-8")
STYLE = """
body { margin: 0 auto; max-width: 75rem; padding: var(--space-4); background: var(--paper); color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: var(--text-title); } h2 { font-size: var(--text-large); margin-top: 2rem; }
h3 { font-size: 1rem; margin: 0 0 var(--space-2); }
.cards { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr));
  align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: .8rem;
  min-width: 0; }
ul { margin: 0; padding-left: 1.1rem; overflow-wrap: anywhere; font-size: .9375rem; }
td { padding: 0 var(--space-4) 0 0; } td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
dt { font-weight: 600; } dd { margin: 0 0 var(--space-3); }
svg { display: block; width: 100%; height: auto; } text { fill: var(--ink); font-size: 12px; }
.end, .last { text-anchor: end; } .middle { text-anchor: start; }
rect, circle { fill: var(--seat, var(--accent)); stroke: var(--rim); stroke-width: .7; }
.bar { stroke: var(--soft); stroke-width: 2; } .mark { stroke: var(--ink); stroke-dasharray: 4 3; }
.axis { stroke: var(--line); } a { color: var(--accent); }
""" + " ".join(f".{colour} {{ --seat: var(--{colour}); }}" for colour in COLOURS)

WORDS = {
    "95 % interval": "If the same games were played again and again with other luck, 95 of 100 such intervals would "
    "contain the true value.",
    "Equal share": "The share of wins that each seat has in a fair game.",
    "Lead": "A seat leads if no other seat has as good a score. "
    "The winner stays ahead after the given part of the game.",
    "Comeback": "The winner was behind another seat after half of the moves.",
    "Drama": "How far the winner was behind, on average over the moves after which it was behind. 0: never.",
    "Decisiveness": "The part of the game after which the winner had more than any other seat ever had. "
    "1: decided by the last move only.",
    "Answers per decision": "How many different answers a player has, at a decision that chance selects in each game.",
    "Another answer": "That decision is answered in two ways. Then both games are played on with the same luck.",
    "Calls": "What the referee says aloud. They show how often a rule is used.",
}
PARTS = ("Comebacks", "Ties")  # shown in percent


@frozen
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
        f"<title>{escape(title)}</title><style>{TOKENS}{STYLE}</style></head><body><h1>{escape(title)}</h1>",
        "<p>Bars are 95 % intervals. The dashed line is an equal share of wins. ",
        f'<a download="games.csv" href="data:text/csv;base64,{data}">All games as CSV</a></p>',
        *(f"<p>{escape(line)}</p>" for line in verdict),
    ]
    if len(settings) > 1:
        parts += ["<h2>The settings beside each other</h2>", '<div class="cards">', *_sweep(settings), "</div>"]
    for setting in settings:
        parts += _setting(setting)
    words = "".join(f"<dt>{escape(word)}</dt><dd>{escape(what)}</dd>" for word, what in WORDS.items())
    return "".join(parts) + f"<h2>What the words mean</h2><dl>{words}</dl></body></html>\n"


def _setting(setting: Setting) -> list[str]:
    played, seats = setting.played, len(setting.seats)
    lines = "".join(f"<li>{escape(line.strip())}</li>" for line in setting.lines)
    parts = [f"<h2>{escape(setting.name)}</h2>", '<div class="cards">', _card("Measures", f"<ul>{lines}</ul>")]
    if played:
        if cooperative(played):
            parts.append(_card("Games won", intervals([_wins("all seats", played, 0)], percent=True)))
        else:
            wins = [_wins(f"seat {seat}, {COLOURS[seat]}", played, seat) for seat in range(seats)]
            parts.append(_card("Share of wins", intervals(wins, _equal([setting]), percent=True, colours=COLOURS)))
        parts.append(_card("Moves per game", histogram([each.acts for each in played])))
        for seat, name in enumerate(setting.seats):
            scores = histogram([each.scores[seat] for each in played])
            parts.append(_card(f"Scores of seat {seat} ({name})", scores, COLOURS[seat]))
        if calls := sorted({kind for each in played for kind in each.calls}):
            means = [(kind, fmean(each.calls.get(kind, 0) for each in played)) for kind in calls]
            often = "".join(f"<tr><td>{escape(kind)}</td><td>{mean:.2f}</td></tr>" for kind, mean in means)
            parts.append(_card("Calls per game", f"<table>{often}</table>"))
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
            "Ties": [float(each) for each in tied(played)],
        }
        if played:
            measures.setdefault("Share of wins, seat 0", []).append(_wins(setting.name, played, 0))
        for measure, values in columns.items():
            if values:
                row = _part(setting.name, values) if measure in PARTS else _mean(setting.name, values)
                measures.setdefault(measure, []).append(row)
    equal = _equal(settings)
    return [
        _card(name, intervals(rows, equal if "wins" in name else None, percent="wins" in name or name in PARTS))
        for name, rows in measures.items()
    ]


def _equal(settings: Sequence[Setting]) -> float | None:
    """Return the share of wins of each seat in a fair game; None if it differs, or if seats win together."""
    played = [setting for setting in settings if setting.played]
    seats = {len(setting.seats) for setting in played}
    return 1 / seats.pop() if len(seats) == 1 and not any(win_together(each.played) for each in played) else None


def _card(title: str, body: str, colour: str = "") -> str:
    return f'<section class="card {colour}"><h3>{escape(title)}</h3>{body}</section>'


def _mean(label: str, values: Sequence[float]) -> Row:
    mean = fmean(values)
    half = Z95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return label, mean, mean - half, mean + half


def _wins(label: str, played: Sequence[Played], seat: int) -> Row:
    return _part(label, wins_of(played, seat))


def _part(label: str, shares: Sequence[float]) -> Row:
    low, high = wilson(sum(shares), len(shares))
    return label, fmean(shares), low or 0.0, high or 0.0


def rows_of(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """Return one row per game, all with the same columns: None where a game has no such seat."""
    rows: list[dict[str, Any]] = [
        {
            "setting": setting.name,
            "moves": each.acts,
            **{f"place_{seat}": place for seat, place in enumerate(each.places)},
            **{f"score_{seat}": score for seat, score in enumerate(each.scores)},
            "comeback": each.course.comeback if each.course else None,
            "drama": each.course.drama if each.course else None,
            "decisiveness": each.course.decisive if each.course else None,
            "answers": each.probed.choices if each.probed else None,
            "no_difference": each.probed.same if each.probed else None,
        }
        for setting in settings
        for each in setting.played
    ]
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
