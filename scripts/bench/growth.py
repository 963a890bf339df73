"""Measure how costs grow with matches, acts, players, onlookers and boxes, and draw it."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path

from scripts import REPO
from scripts.bench.hall import move_ms
from scripts.bench.start import QUESTION, make_box, timed
from scripts.bench.web import onlookers_ms
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

DRAWING = REPO / "firmware" / "pictures" / "growth.svg"
ROUNDS, GAMES = 5, 40
MATCHES, ACTS, PLAYERS = (0, 100, 1_000, 10_000), (500, 1_000, 2_000, 4_000, 8_000), (2, 3, 4, 5, 6)
ONLOOKERS, PLAYING_S, BOXES = (1, 100, 250, 500), 10, (10, 100, 1_000)
WIDE, HIGH, LEFT, TOP, PLOT_WIDE, PLOT_HIGH = 300, 200, 24, 56, 252, 106  # of each plot

Costs = Mapping[int, float]


def growth() -> None:
    """Draw costs by numbers of matches, acts, players, onlookers and boxes in firmware/pictures/growth.svg."""
    measures: dict[tuple[str, str], Callable[[], Costs]] = {
        ("Start to the question, ms", "matches in the journal"): by_matches,
        ("An act on the score pad, µs", "acts of the match"): by_acts,
        ("An act of Dodéka with its choice, µs", "players"): by_players,
        ("An act on the page, ms", "onlookers"): by_onlookers,
        ("A move in a hall with ten viewers, ms", "boxes"): by_boxes,
    }
    plots = []
    for (title, axis), measure in measures.items():
        costs = measure()
        print(f"\n{title}, by {axis}: " + ", ".join(f"{at:,} {cost:.1f}" for at, cost in costs.items()), flush=True)
        plots.append(plot(title, axis, costs))
    DRAWING.write_text(page(plots), encoding="utf-8")


def by_matches() -> Costs:
    """Return the milliseconds to the question of an interrupted match."""
    with tempfile.TemporaryDirectory() as folder:
        boxes = {number: str(make_box(Path(folder) / str(number), number)) for number in MATCHES}
        rounds = [{number: timed(QUESTION, toml)[0] for number, toml in boxes.items()} for _ in range(ROUNDS + 1)][1:]
    return {number: 1000 * statistics.median(each[number] for each in rounds) for number in MATCHES}


def by_acts() -> Costs:
    """Return the microseconds of an act at the end of a long match."""
    match, spent, costs = Match(find("scorepad"), ("Ann", "Ben")), list[float](), {}
    for act in range(ACTS[-1]):
        begun = time.process_time()
        match.play(Act("score", {"seat": act % 2, "points": act % 40}))
        spent.append(time.process_time() - begun)
        if act + 1 in ACTS:
            costs[act + 1] = 1e6 * statistics.median(spent[-200:])
    return costs


def by_players() -> Costs:
    """Return the microseconds of an act that chance chooses."""
    costs, game = {}, find("dodeka")
    for players in PLAYERS:
        each = []
        for seed in range(GAMES):
            begun = time.process_time()
            acts = len(play_out(game, [f"P{seat}" for seat in range(players)], seed=seed).acts)
            each.append(1e6 * (time.process_time() - begun) / acts)
        costs[players] = statistics.median(each)
    return costs


def by_onlookers() -> Costs:
    """Return the milliseconds of an act at a table of six players."""
    return dict(zip(ONLOOKERS, onlookers_ms(ONLOOKERS, PLAYING_S), strict=True))


def by_boxes() -> Costs:
    """Return the milliseconds of a move after 10,000 matches."""
    return {boxes: move_ms(boxes) for boxes in BOXES}


def plot(title: str, axis: str, costs: Costs) -> str:
    """Draw costs from zero upwards; the axis of numbers is linear for few, and logarithmic for many.

    >>> plot("Cost, ms", "boxes", {1: 2.0, 2: 4.0}).count("<circle")
    2
    """
    highest = max(costs.values()) * 1.1
    few = max(costs) < 10
    places = {at: float(at) if few else math.log10(max(at, 10)) for at in costs}
    least, most = min(places.values()), max(places.values())
    x = {at: LEFT + PLOT_WIDE * (place - least) / (most - least) for at, place in places.items()}
    y = {at: TOP + PLOT_HIGH * (1 - cost / highest) for at, cost in costs.items()}
    line = " ".join(f"{x[at]:.1f},{y[at]:.1f}" for at in costs)
    parts = [
        f'<text x="{LEFT}" y="20" class="title">{escape(title)}</text>',
        f'<text x="{LEFT}" y="36">by {escape(axis)}</text>',
        f'<path d="M{LEFT - 6} {TOP + PLOT_HIGH}h{PLOT_WIDE + 12}"/><polyline points="{line}"/>',
    ]
    for at, cost in costs.items():
        shown = f"{cost:.0f}" if cost >= 10 else f"{cost:.1f}"
        parts.append(
            f'<circle cx="{x[at]:.1f}" cy="{y[at]:.1f}" r="3.5"/>'
            f'<text x="{x[at]:.1f}" y="{y[at] - 8:.1f}" class="middle">{shown}</text>'
            f'<text x="{x[at]:.1f}" y="{TOP + PLOT_HIGH + 17}" class="middle">{at:,}</text>'
        )
    return "".join(parts)


def page(plots: Sequence[str]) -> str:
    """Return a drawing of plots, three in a row.

    >>> page(["", "", "", ""]).count("<g ")
    4
    """
    rows = -(-len(plots) // 3)
    groups = [
        f'<g transform="translate({WIDE * (nth % 3)} {HIGH * (nth // 3)})">{each}</g>\n'
        for nth, each in enumerate(plots)
    ]
    style = (
        "text{font:12px sans-serif;fill:#333}.title{font-weight:bold;font-size:13px}.middle{text-anchor:middle}"
        "path{stroke:#999}polyline{fill:none;stroke:#1f6f8b;stroke-width:2}circle{fill:#1f6f8b}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * WIDE} {rows * HIGH}" width="{3 * WIDE}">\n'
        f"<style>{style}</style>\n"
        f'<rect width="{3 * WIDE}" height="{rows * HIGH}" fill="#fff"/>\n{"".join(groups)}</svg>\n'
    )
