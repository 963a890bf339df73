"""The measures of `umpi lab` as lines for people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from umpi.cli.terminal import Problem, counted, why_not
from umpi.kernel.extras import needs
from umpi.kernel.game import Game, full_title
from umpi.kernel.output import put
from umpi.kernel.record import dump
from umpi.lab.further import SECONDS, further
from umpi.lab.games import Experiment, Played, cooperative
from umpi.lab.measures import report
from umpi.lab.page import Setting, page, table, write_parquet
from umpi.lab.probe import DRAWS

BESIDE = (".csv", ".parquet")  # the games of a report, beside its page


def put_measures(
    game: type[Game], experiment: Experiment, games: int, played: Sequence[Played], options: argparse.Namespace,
    seconds: float = SECONDS,
) -> Setting:  # fmt: skip
    """Print the measures of one setting, and return it as the page with plots shows it."""
    who, seats = experiment.strategies, len(experiment.strategies)
    measures = report(experiment, games, played)
    more = more_lines(further(played, seats, seconds), who, seconds)
    lines = [*for_table(game, measures, options.vary, played), *more]
    for line in [dump(measures)] if options.json else lines:
        put(line)
    return Setting(named(experiment.options, options.vary).rstrip() or full_title(game), lines, who, played)


def write_report(path: Path, title: str, shown: Sequence[Setting], found: Sequence[str]) -> None:
    """Write the page, the games as CSV beside it, and as Parquet if pyarrow is installed."""
    csv, parquet = map(path.with_suffix, BESIDE)
    file = path
    try:
        file.write_text(page(title, shown, found), encoding="utf-8")
        file = csv
        file.write_text(table(shown), encoding="utf-8")
        file = parquet
        write_parquet(file, shown)
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None
    except ModuleNotFoundError:
        print(needs("The Parquet file", "lab"), file=sys.stderr)


def named(setting: Mapping[str, Any], vary: Sequence[str]) -> str:
    """Return the options that vary, with their values in this setting."""
    names = [text.partition("=")[0] for text in vary]
    return "".join(f"{name}={dump(setting[name])} " for name in names)


def for_table(
    game: type[Game], measures: dict[str, Any], vary: Sequence[str], played: Sequence[Played]
) -> Iterator[str]:
    """Yield the report as lines for people."""
    together = cooperative(played)
    head = named(measures["options"], vary).rstrip()
    what = f"{full_title(game)}: {counted(measures['games'], 'game')}, {measures['players']} players"
    yield f"{what}, {head}" if head else what
    if together:
        all_seats = measures["seats"][0]
        yield f"  all win {_share(all_seats)}; all lose {counted(measures.get('lost', 0), 'game')}"
    for seat, scores in zip(measures["seats"], measures["scores"], strict=True):
        if seat["share"] is None:
            continue
        wins = "" if together else f" wins {_share(seat)};"
        yield f"  seat {seat['seat']} ({seat['strategy']}){wins} score {scores['mean']:.1f} ± {scores['sd']:.1f}"
    if not any(each.together for each in played) and not together:
        yield f"  {_fairness(measures['even'])}"
    acts, lead = measures["acts"], measures["lead"]
    if acts["mean"] is not None:
        yield f"  {acts['median']:.0f} moves per game, mostly {acts['p10']:.0f} to {acts['p90']:.0f}"
    if lead["changes"] is not None:
        stays = f"the winner stays ahead after {lead['decided']:.0%} of the game"
        yield f"  the lead changes {lead['changes']:.1f} times; {stays}"
    elif not together and any(len({*each.places}) > 1 for each in played):
        yield "  the scores do not show who is ahead"
    ties, unfinished = measures["ties"], measures["unfinished"]
    yield f"  {counted(ties, 'tie')} for the first place" + (f"; {unfinished} not finished" if unfinished else "")
    if measures["calls"]:
        kinds = ", ".join(f"{kind} {number:.2f}" for kind, number in measures["calls"].items())
        yield f"  calls per game: {kinds}"


def more_lines(measures: dict[str, Any], who: Sequence[str], seconds: float) -> Iterator[str]:
    """Yield the further measures as lines for people."""
    first = measures["first_seat"]
    if first and len(set(who)) == 1:
        yield f"  first seat: {first['edge']:+.1%} wins, 95 % interval {first['low']:+.1%} to {first['high']:+.1%}"
        if first["p"] >= 0.05:
            found = f"{first['visible']:.1%} four times in five"
            yield f"  The data do not show an edge of the first seat. So many games find an edge of {found}."
    if measures["minutes"] is not None:
        minutes, pace = counted(round(measures["minutes"]), "minute"), f"{seconds:.3g}"
        yield f"  about {minutes}, at {pace} second{'' if pace == '1' else 's'} per move"
    comebacks, same = measures["comebacks"], measures["no_difference"]
    if comebacks["share"] is not None:
        yield f"  comebacks {comebacks['share']:.0%}: the winner was behind after half of the moves"
        yield f"  drama {measures['drama']:.2f}, decisiveness {measures['decisiveness']:.2f} (0 to 1, by the scores)"
    if measures["choices"] is not None:
        how = f"in {DRAWS} random answers to one decision of {counted(measures['decisions'], 'game')}"
        yield f"  {measures['choices']:.1f} answers per decision (counted {how})"
    if same["share"] is not None:
        yield f"  another answer leaves the winner the same in {same['share']:.0%} of the tries with the same luck"


def _share(seat: Mapping[str, Any]) -> str:
    return f"{seat['share']:.1%}, 95 % interval {seat['low']:.1%} to {seat['high']:.1%}"


def _fairness(p: float | None) -> str:
    if p is None:
        return "too few games to compare the seats"
    if p < 0.05:
        return f"the seats are not equal: in a fair game, chance does this in {p:.2%} of the tries"
    return f"no difference between the seats is shown: in a fair game, chance does this in {p:.0%} of the tries"
